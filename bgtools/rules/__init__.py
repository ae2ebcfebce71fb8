"""The rules beyond the board: options and variants, the cube, what a game is worth."""
