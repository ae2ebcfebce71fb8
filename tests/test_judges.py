"""The table in CONTRIBUTING of who judges what is written: no written format lacks its row, and each test is there."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final, NamedTuple, get_args

from bgtools.cli._checking import Layout
from bgtools.formats.archives import STREAM
from bgtools.formats.registry import our_formats
from bgtools.reports.table_files import FileFormat

TESTS: Final = Path(__file__).parent
OURS: Final = {"json", "jsonl", "full", "concise"}
"""What nobody else owns."""
HEADING: Final = "| what is written | judge |"


class JudgeRow(NamedTuple):
    """A row of the table."""

    written: str
    judge: str
    compared: str
    number: str
    test: str


def rows() -> list[JudgeRow]:
    lines = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(HEADING)) + 2
    found = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append(JudgeRow(*(cell.strip() for cell in line.strip("|").split("|"))))
    return found


def test_whatever_is_written_has_a_row() -> None:
    formats = {each.name for each in our_formats() if each.writer} | {STREAM.removeprefix(".")}
    others = {*get_args(FileFormat), *get_args(Layout), "apkg"}
    assert {row.written for row in rows()} == (formats | others) - OURS


def test_each_row_names_a_test_that_is_there_and_says_what_it_compares() -> None:
    seen = 0
    for row in rows():
        path, _, name = row.test.strip("`").partition("::")
        tree = ast.parse((TESTS / path).read_text("utf-8"))
        assert name in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}, row.test
        assert row.judge
        assert row.compared
        assert row.judge.startswith("nobody: ") or "nobody" not in row.judge, row
        seen += 1
    assert seen > 15
