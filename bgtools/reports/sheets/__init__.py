"""Sheets of blunders: to look at, to print, to learn from, and for other programs."""

from __future__ import annotations

from bgtools.reports.sheets.card import said_of_blunder
from bgtools.reports.sheets.writing import SHEET_ENDINGS, sheet_bytes

__all__ = ["SHEET_ENDINGS", "said_of_blunder", "sheet_bytes"]
