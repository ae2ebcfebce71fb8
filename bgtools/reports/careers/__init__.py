"""Players over many matches: in words, as pictures, and as a page."""

from __future__ import annotations

from bgtools.reports.careers.page import career_page, versus_page
from bgtools.reports.careers.pictures import career_picture, trend_picture, versus_picture
from bgtools.reports.careers.words import (
    career_lines,
    command_of,
    engine_lines,
    meetings_table,
    method_lines,
    name_of_value,
    result_sentence,
    standing_lines,
    tables_of,
    versus_lines,
)

__all__ = [
    "career_lines",
    "career_page",
    "career_picture",
    "command_of",
    "engine_lines",
    "meetings_table",
    "method_lines",
    "name_of_value",
    "result_sentence",
    "standing_lines",
    "tables_of",
    "trend_picture",
    "versus_lines",
    "versus_page",
    "versus_picture",
]
