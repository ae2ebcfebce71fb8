"""The board: checkers, plays and which of them are legal. Everything else is on this."""
