"""Luck, errors and ratings, as rows of plain values."""
