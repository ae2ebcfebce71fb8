"""Sheets of blunders: to look at, to print, to learn from, and for other programs."""

from __future__ import annotations

from bgtools.reports.sheets.card import (
    board_of_blunder,
    board_of_blunder_picture,
    question_of,
    reason_of,
    said_of_blunder,
)
from bgtools.reports.sheets.writing import SHEET_ENDINGS, ensure_sheet, sheet_bytes

__all__ = [
    "SHEET_ENDINGS",
    "board_of_blunder",
    "board_of_blunder_picture",
    "ensure_sheet",
    "question_of",
    "reason_of",
    "said_of_blunder",
    "sheet_bytes",
]
