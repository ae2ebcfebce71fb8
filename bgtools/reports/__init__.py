"""Reports: tables, pictures and texts made of an analysis or of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.findings import printable
    from bgtools.reports.careers import (
        career_lines,
        career_page,
        career_picture,
        command_of,
        meetings_table,
        method_lines,
        standing_lines,
        tables_of,
        trend_picture,
        versus_lines,
        versus_page,
        versus_picture,
    )
    from bgtools.reports.columns import ORIGIN, TABLES, Cell, Column, TableName, header, origin, rows_of
    from bgtools.reports.differences import (
        concise_difference,
        difference_data,
        difference_lines,
        differences_page,
        summary_of,
    )
    from bgtools.reports.entries import name_of, said_of, situation_of
    from bgtools.reports.errors import errors_lines, lesson_data, lesson_lines
    from bgtools.reports.evaluation import evaluation_data, evaluation_lines
    from bgtools.reports.findings import concise, count_files, fix_in_words, in_words, severities, skipped_files
    from bgtools.reports.findings_data import change_data, dumps, sarif_closing, sarif_opening
    from bgtools.reports.folder import FolderRefused, ensure_ours, ensure_same_match, folder_name, look, what_became
    from bgtools.reports.grid import Grid
    from bgtools.reports.markdown import MARKDOWN
    from bgtools.reports.match_report import PageFormat, begin_pips, write_report
    from bgtools.reports.merging import conflict_lines, fact_line, letter, merged_data, merged_summary, record_lines
    from bgtools.reports.notebook import AnalysedMatch, analyse
    from bgtools.reports.page import PAGE
    from bgtools.reports.pictures import PICTURE_ENDINGS, picture_bytes, write_pictures
    from bgtools.reports.recorded import recorded_lines
    from bgtools.reports.sheets import (
        SHEET_ENDINGS,
        board_of_blunder,
        ensure_sheet,
        question_of,
        reason_of,
        said_of_blunder,
        sheet_bytes,
    )
    from bgtools.reports.table_files import (
        BINARY,
        ENDINGS,
        Chunk,
        FileFormat,
        TableError,
        Writer,
        encode,
        format_of,
        guarded,
        require,
        writer,
    )

__all__ = [
    "BINARY",
    "ENDINGS",
    "MARKDOWN",
    "ORIGIN",
    "PAGE",
    "PICTURE_ENDINGS",
    "SHEET_ENDINGS",
    "TABLES",
    "AnalysedMatch",
    "Cell",
    "Chunk",
    "Column",
    "FileFormat",
    "FolderRefused",
    "Grid",
    "PageFormat",
    "TableError",
    "TableName",
    "Writer",
    "analyse",
    "begin_pips",
    "board_of_blunder",
    "career_lines",
    "career_page",
    "career_picture",
    "change_data",
    "command_of",
    "concise",
    "concise_difference",
    "conflict_lines",
    "count_files",
    "difference_data",
    "difference_lines",
    "differences_page",
    "dumps",
    "encode",
    "ensure_ours",
    "ensure_same_match",
    "ensure_sheet",
    "errors_lines",
    "evaluation_data",
    "evaluation_lines",
    "fact_line",
    "fix_in_words",
    "folder_name",
    "format_of",
    "guarded",
    "header",
    "in_words",
    "lesson_data",
    "lesson_lines",
    "letter",
    "look",
    "meetings_table",
    "merged_data",
    "merged_summary",
    "method_lines",
    "name_of",
    "origin",
    "picture_bytes",
    "printable",
    "question_of",
    "reason_of",
    "record_lines",
    "recorded_lines",
    "require",
    "rows_of",
    "said_of",
    "said_of_blunder",
    "sarif_closing",
    "sarif_opening",
    "severities",
    "sheet_bytes",
    "situation_of",
    "skipped_files",
    "standing_lines",
    "summary_of",
    "tables_of",
    "trend_picture",
    "versus_lines",
    "versus_page",
    "versus_picture",
    "what_became",
    "write_pictures",
    "write_report",
    "writer",
]

lazily(
    __name__,
    {
        "careers": (
            "career_lines",
            "career_page",
            "career_picture",
            "command_of",
            "meetings_table",
            "method_lines",
            "standing_lines",
            "tables_of",
            "trend_picture",
            "versus_lines",
            "versus_page",
            "versus_picture",
        ),
        "columns": ("ORIGIN", "TABLES", "Cell", "Column", "TableName", "header", "origin", "rows_of"),
        "differences": ("concise_difference", "difference_data", "difference_lines", "differences_page", "summary_of"),
        "entries": ("name_of", "said_of", "situation_of"),
        "errors": ("errors_lines", "lesson_data", "lesson_lines"),
        "evaluation": ("evaluation_data", "evaluation_lines"),
        "findings": ("concise", "count_files", "fix_in_words", "in_words", "printable", "severities", "skipped_files"),
        "findings_data": ("change_data", "dumps", "sarif_closing", "sarif_opening"),
        "folder": ("FolderRefused", "ensure_ours", "ensure_same_match", "folder_name", "look", "what_became"),
        "grid": ("Grid",),
        "markdown": ("MARKDOWN",),
        "match_report": ("PageFormat", "begin_pips", "write_report"),
        "merging": ("conflict_lines", "fact_line", "letter", "merged_data", "merged_summary", "record_lines"),
        "notebook": ("AnalysedMatch", "analyse"),
        "page": ("PAGE",),
        "pictures": ("PICTURE_ENDINGS", "picture_bytes", "write_pictures"),
        "recorded": ("recorded_lines",),
        "sheets": (
            "SHEET_ENDINGS",
            "board_of_blunder",
            "ensure_sheet",
            "question_of",
            "reason_of",
            "said_of_blunder",
            "sheet_bytes",
        ),
        "table_files": (
            "BINARY",
            "ENDINGS",
            "Chunk",
            "FileFormat",
            "TableError",
            "Writer",
            "encode",
            "format_of",
            "guarded",
            "require",
            "writer",
        ),
    },
)
