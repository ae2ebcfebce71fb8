"""Replaying a record: what its entries mean on the board, turn by turn."""
