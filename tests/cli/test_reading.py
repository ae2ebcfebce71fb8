"""Reading on a terminal of 80 columns: rows stay rows, sentences break at words, and the answer is at the end."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from bgtools.cli._terminal import wrap_words
from program import bgtools, on_terminal

SAMPLES = Path(__file__).parents[2] / "samples"
SEVEN = str(SAMPLES / "seven-point.mat")
SMALL = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
needs_engine = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def lines_of(*arguments: str, folder: Path, **size: str) -> list[str]:
    # What a progress bar has drawn is taken away before the cursor is shown again.
    text = on_terminal(arguments, folder, **{**SMALL, **size}).rpartition("\x1b[?25h")[2]
    return _CONTROL.sub("", text).splitlines()


@pytest.mark.thorough
@needs_engine
@pytest.mark.parametrize("size", [("80", "24"), ("120", "40")])
def test_a_report_has_a_row_a_game_and_its_answer_at_the_end(tmp_path: Path, size: tuple[str, str]) -> None:
    columns, height = size
    lines = lines_of(
        "report", SEVEN, "--level", "quick", "--no-page", "-o", "r", folder=tmp_path, COLUMNS=columns, LINES=height
    )
    assert max(map(len, lines)) <= int(columns)
    rows = [line for line in lines if re.match(r" +\d +\d-\d", line)]
    assert len(rows) == 8
    assert all(re.search(r"(Nora Lindholm|Peter Marsh) \d, \w+", row) for row in rows)
    end = " ".join(" ".join(lines[-5:]).split())
    assert "Nora Lindholm PR " in end
    assert "The dice favoured " in end
    # The same sentence stands above, and nowhere else.
    assert " ".join(" ".join(lines).split()).count("The dice favoured ") == 2
    piped = bgtools("report", SEVEN, "--level", "quick", "--no-page", "-o", str(tmp_path / "p")).stdout
    assert piped.count("The dice favoured ") == 1


@pytest.mark.thorough
@needs_engine
def test_the_worst_is_last_where_more_than_a_screen_is_printed(tmp_path: Path) -> None:
    arguments = ("blunders", SEVEN, "--level", "quick", "--top", "10")
    lines = lines_of(*arguments, folder=tmp_path)
    assert _numbers(lines) == list(range(10, 0, -1))
    assert "the worst is at the end" in lines
    tall = lines_of(*arguments, folder=tmp_path, LINES="200")
    assert _numbers(tall) == list(range(1, 11))


def _numbers(lines: list[str]) -> list[int]:
    return [int(found[1]) for line in lines if (found := re.match(r"(\d+)\. ", line))]


@pytest.mark.thorough
def test_findings_are_broken_at_words_and_their_rows_are_not(tmp_path: Path) -> None:
    slips = str(SAMPLES / "five-slips.mat")
    lines = lines_of("check", slips, folder=tmp_path)
    plain = bgtools("check", slips)
    command = re.compile(r"bgtools show ")
    assert all(len(line) <= 80 for line in lines if not command.search(line))
    assert " ".join(" ".join(lines).split()) == " ".join((plain.stdout + plain.stderr).split())
    for row in (line for line in plain.stdout.splitlines() if re.match(r"\d+ \|", line)):
        assert row in lines


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_words_are_not_broken_and_commands_stay_whole(columns: int) -> None:
    text = "5 with errors: bgtools library info --errors --library a/long/path/to/a/library; and more words behind it"
    lines = wrap_words(text, columns)
    assert " ".join(lines) == text
    assert any("bgtools library info --errors --library a/long/path/to/a/library" in line for line in lines)
    assert all(len(line) <= columns or "bgtools" in line for line in lines)
    assert wrap_words("   two blanks before", 12) == ["   two", "   blanks", "   before"]
    assert wrap_words("", 20) == [""]
