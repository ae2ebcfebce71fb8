"""The board: checkers, plays and which of them are legal. Everything else builds on this."""
