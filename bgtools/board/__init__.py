"""The board: checkers, plays and which of them are legal. Everything else stands on this."""
