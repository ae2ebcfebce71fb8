"""Narrow terminals: no figure of a wide one is missing, unless it is said so."""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from bgtools.analysis.benchmarks import BenchmarkResult, Missing
from bgtools.analysis.comparison import compare
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.pooling import PooledPlayer, PooledRating
from bgtools.cli import app
from bgtools.formats.reading import read_all
from bgtools.reports import breakdown_tables, breakdown_tables as disagreements, summary
from bgtools.reports.grid import StackingTable
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLES = Path(__file__).parents[2] / "samples"
SEVEN = str(SAMPLES / "seven-point.mat")
WIDTHS = (40, 60, 80)
WIDE = 200


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@cache
def wide(*arguments: str) -> str:
    return shown(list(arguments), WIDE)


def shown(arguments: list[str], width: int) -> str:
    """What a command prints on a terminal of so many columns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.setenv("LINES", "100")  # a list that is longer comes the other way round
        patch.setenv("NO_COLOR", "1")
        patch.setattr(sys, "stdout", Terminal())
        with suppress(SystemExit):
            app(arguments)
        assert isinstance(sys.stdout, Terminal)
        return sys.stdout.getvalue()


def figures(text: str) -> Counter[str]:
    """The figures in a text, whatever blanks and ends of lines stand between them."""
    return Counter(re.findall(r"[+-]?\d+(?:[.:,]\d+)*%?", text))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [["met", "--at", "3,5"], ["formats"], ["formats", "mat"], ["check", "--summary", SEVEN]],
    ids=["met --at", "formats", "format", "summary"],
)
def test_no_figure_is_missing(arguments: list[str], width: int) -> None:
    narrow = shown(arguments, width)
    assert figures(wide(*arguments)) - figures(narrow) == Counter()
    assert "…" not in narrow


def rated(number: int) -> PooledPlayer:
    """A player with many figures."""
    ratings = {name: PooledRating(4.25 + number, 2.5, 11.75, 1234 + number) for name in ("xg_pr", "gnubg_er")}
    return PooledPlayer(f"A player with a long name {number}", 17, ratings, 4321, 0.015, 0.001, 0.029)


def measured(contender: str) -> BenchmarkResult:
    """What a contender came to, with every interval."""
    return BenchmarkResult(
        contender, "1.0", 12, 34.56, 0.37, 1.21, -0.08, 0.0021, 0.957, 0.012, 3456, 789, 98,
        loss_low=0.0018, loss_high=0.0025, cube_loss=0.0043, cube_loss_low=0.0031, cube_loss_high=0.0058,
        pr_low=0.24, pr_high=0.82, adjusted=0.021,
    )  # fmt: skip


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments", [["ratings", SEVEN, "--engine", "file"], ["benchmark", SEVEN]], ids=["ratings", "benchmark"]
)
def test_no_figure_of_players_or_engines_is_missing(
    arguments: list[str], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgtools.analysis.pooling.pooled", lambda _: [rated(1), rated(2)])
    compared = tuple(map(measured, ("sage:standard", "gammonview:very-quick")))
    monkeypatch.setattr(
        "bgtools.analysis.benchmarks.benchmark", lambda *_, **__: (compared, (Missing("gnubg:2", "no 1.07"),))
    )
    narrow = shown(arguments, width)
    told = figures(shown(arguments, WIDE))
    assert len(told) > 10
    assert told - figures(narrow) == Counter()
    assert max(map(len, narrow.splitlines())) <= width
    assert "…" not in narrow


@pytest.mark.parametrize("width", WIDTHS)
def test_of_a_match_equity_table_it_is_said_which_columns_are_shown(width: int) -> None:
    narrow = shown(["met"], width)
    columns = (width - 5) // 6
    assert f"up to {columns} of 25 away fit here" in " ".join(narrow.split())
    assert max(map(len, narrow.splitlines())) <= width
    heads = [line.split() for line in narrow.splitlines() if line.split() == list(map(str, range(1, columns + 1)))]
    assert len(heads) == 2


@pytest.mark.parametrize("width", WIDTHS)
def test_what_stands_beside_a_board_stands_below_it_where_there_is_no_room(width: int) -> None:
    arguments = ["show", SEVEN, "-g", "2", "-t", "5"]
    narrow = shown(arguments, width)
    assert figures(wide(*arguments)) - figures(narrow) == Counter()
    board = narrow.split("XGID")[0].splitlines()
    assert max(map(len, board)) <= max(width, 45)
    assert any("165 pips" in line for line in board)


RECORD = """ 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/11 13/8
  2) 64: 24/18 13/9             33: 8/5(2) 6/3(2)
  3) 42: 8/4 6/4                61: 13/7 8/7
  4) 51: 13/8 9/8               21: 13/11 6/5
"""


@pytest.fixture
def twins(tmp_path: Path) -> dict[str, str]:
    """Two records that are one play apart, which nothing decides, and one with slips."""
    texts = {
        "a": RECORD,
        "b": RECORD.replace("21: 13/11 6/5", "21: 13/11 24/23"),
        "c": (SAMPLES / "five-slips.mat").read_text(encoding="utf-8"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.mat").write_text(text, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.mat") for name in texts}


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("width", [48, 60])
@pytest.mark.parametrize(
    "command",
    ["diff a b --boards", "merge a b", "check c --fix --fix-only --boards"],
)
def test_every_board_of_a_command_fits_a_narrow_terminal(command: str, width: int, twins: dict[str, str]) -> None:
    text = shown([twins.get(word, word) for word in command.split()], width)
    boards = re.findall(r"^ *\+13-14(?:.*\n)*?.*\+12-11.*\n(?: +.*\n)*", text, re.MULTILINE)
    assert boards
    for board in boards:
        assert max(map(len, board.splitlines())) <= width
        assert "pips" in board
        assert "-point match" in board


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", ["rule BG314", "blunders a --level quick --top 3 --no-cache"])
def test_sentences_are_broken_between_words(command: str, width: int, twins: dict[str, str]) -> None:
    arguments = [twins.get(word, word) for word in command.split()]
    narrow = shown(arguments, width)
    example = re.search(r"Example\n(.*?)\nWhat to do", narrow, re.DOTALL)
    text = narrow.replace(example[1], "") if example else narrow
    assert max(map(len, text.splitlines())) <= width
    assert text.split() == wide_words(arguments)


def wide_words(arguments: list[str]) -> list[str]:
    return re.sub(r"Example\n(.*?)\nWhat to do", "Example\nWhat to do", shown(arguments, WIDE), flags=re.DOTALL).split()


# --- tables ---------------------------------------------------------------------------------


def printed(table: object, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.fixture(scope="module")
def tables() -> dict[str, Callable[[], object]]:
    match = read_all(SEVEN)[0]
    analysis = analyse(match, FixedEngine(0.5, 0.2))
    comparison = compare(("one", "another engine"), (analysis, analyse(match, FixedEngine(0.3, 0.6, mean=0.1))), 0.0)
    return {
        "totals": partial(summary.totals_table, analysis),
        "compared": partial(summary.compared_totals, comparison),
        "games": partial(summary.games_table, analysis),
        "compared games": partial(summary.games_table, analysis, comparison),
        "counts": partial(breakdown_tables.counts_table, analysis),
        "breakdown": partial(breakdown_tables.breakdown_table, analysis),
        "disagreements": partial(disagreements.disagreements_table, comparison),
    }


@pytest.mark.quick(one_in=12)
@pytest.mark.parametrize("width", [30, *WIDTHS, 120])
@pytest.mark.parametrize(
    "name", ["totals", "compared", "games", "compared games", "counts", "breakdown", "disagreements"]
)
def test_no_figure_of_a_report_is_missing(tables: dict[str, Callable[[], object]], name: str, width: int) -> None:
    narrow = printed(tables[name](), width)
    whole = figures(printed(tables[name](), 400))
    assert whole
    assert whole - figures(narrow) == Counter()
    assert "…" not in narrow
    assert max(map(len, narrow.splitlines())) <= width


def test_players_stand_below_each_other(tables: dict[str, Callable[[], object]]) -> None:
    lines = printed(tables["totals"](), 40).splitlines()
    assert [line for line in lines if not line.startswith(" ") and line.strip()] == ["Nora Lindholm", "Peter Marsh"]
    (rating,) = {line.split()[0] for line in lines if "XG PR" in line}
    assert rating == "XG"


def test_a_row_is_named_by_its_first_cells_and_what_is_below_says_of_whom_it_is(
    tables: dict[str, Callable[[], object]],
) -> None:
    text = printed(tables["breakdown"](), 40)
    assert "Nora Lindholm, decisions" in text
    assert "left Nora" not in text


def test_a_table_that_fits_is_a_table() -> None:
    table = StackingTable(stack="rows")
    table.add_column("game")
    table.add_column("score", justify="right")
    table.add_row("1", "0-0")
    assert printed(table, 40) == "game  score\n1       0-0\n"
    assert printed(table, 8).split() == ["game", "1", "score", "0-0"]
