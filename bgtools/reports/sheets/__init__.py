"""Sheets of blunders: to look at, to print, to learn from, and for other programs."""
