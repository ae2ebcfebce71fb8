"""What GNU Backgammon itself says of a match, ``show statistics match``, beside what an analysis of ours says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.engines.gnubg.engine import NORMAL
from bgtools.formats.sgf.writer import write
from gnubg_judge import run_gnubg

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match

Figures = dict[tuple[str, str], tuple[str, ...]]
"""By section and line what is printed for both players: a number each, or EMG and, in percent or points, its cost."""

_SECTION: Final = re.compile(r"(Chequerplay|Luck|Cube|Overall) statistics")
_TWO: Final = r"([-+]?\d+\.\d+)\s*\(\s*([-+]?\d+\.\d+)\s*%?\s*\)"
_COSTS: Final = re.compile(rf"(Error total|Error rate|Luck total|Luck rate)[^-+\d]*{_TWO}\s+{_TWO}")
_COUNTS: Final = re.compile(
    r"(Total moves|Unforced moves|Total cube decisions|Close or actual cube decisions|Doubles|Takes|Passes)"
    r"\s+(\d+)\s+(\d+)\s*$"
)


def bare(match: Match) -> Match:
    """A match without what anybody has said of it: GNU Backgammon keeps an analysis that it finds."""
    games = tuple(
        replace(game, extras=(), comments=(), entries=tuple(replace(entry, annotation=None) for entry in game.entries))
        for game in match.games
    )
    return replace(match, games=games, extras=(), comments=())


def printed(match: Match, plies: int, folder: Path) -> Figures:
    """What GNU Backgammon prints after its own analysis."""
    (folder / "match.sgf").write_bytes(write((bare(match),)))
    said = run_gnubg(
        folder,
        "set display off",
        *(f"set analysis {what} evaluation plies {plies}" for what in ("chequerplay", "cubedecision")),
        *NORMAL.commands(),
        f"set beavers {match.rules.beavers or 0}",
        "load match match.sgf",
        "analyse match",
        "show statistics match",
    )
    figures: Figures = {}
    section = ""
    for line in said.splitlines():
        if found := _SECTION.match(line):
            section = found[1]
        elif section and (found := _COSTS.match(line) or _COUNTS.match(line)):
            figures[section, found[1]] = found.groups()[1:]
    assert len(figures) > 10, said[-2000:]
    return figures


def counted(analysis: Analysis, like: Figures) -> Figures:
    """The same figures from our analysis, to as many digits."""
    figures: dict[tuple[str, str], list[float]] = {}
    for player in (0, 1):
        rows = [row for row in analysis.decisions if row.player == player and row.counted_by["gnubg"].counted]
        plays = [row for row in rows if row.kind == "checker play"]
        cube = [row for row in rows if row.kind != "checker play"]
        for section, some in (("Chequerplay", plays), ("Cube", cube), ("Overall", rows)):
            emg, cost = -sum(row.loss or 0.0 for row in some), -sum(map(_cost, some))
            figures.setdefault((section, "Error total"), []).extend((emg, cost))
            rates = (1000 * emg / len(some), cost / len(some)) if some else (0.0, 0.0)
            figures.setdefault((section, "Error rate"), []).extend(rates)
        turns = [turn for turn in analysis.turns if turn.player == player and turn.luck is not None]
        emg = sum(turn.luck or 0.0 for turn in turns)
        gained = sum(turn.luck_points or 0.0 if turn.luck_mwc is None else 100 * turn.luck_mwc for turn in turns)
        figures.setdefault(("Luck", "Luck total"), []).extend((emg, gained))
        figures.setdefault(("Luck", "Luck rate"), []).extend((1000 * emg / len(turns), gained / len(turns)))
        for section, name, count in (
            ("Chequerplay", "Total moves", len(turns)),
            ("Chequerplay", "Unforced moves", len(plays)),
            ("Cube", "Close or actual cube decisions", len(cube)),
            ("Cube", "Doubles", sum(row.kind == "double" for row in cube)),
            ("Cube", "Takes", sum(row.kind == "take" for row in cube)),
            ("Cube", "Passes", sum(row.kind == "pass" for row in cube)),
        ):
            figures.setdefault((section, name), []).append(count)
    return {
        key: tuple(_as(value, text) for value, text in zip(figures[key], texts, strict=True))
        for key, texts in like.items()
        if key in figures
    }


def _cost(row: DecisionRow) -> float:
    """Points, or match winning chance in percent."""
    return row.loss_points or 0.0 if row.loss_mwc is None else 100 * row.loss_mwc


def _as(value: float, text: str) -> str:
    """A figure as another one is printed; GNU Backgammon signs some zeros and not others."""
    digits = len(text.partition(".")[2])
    same = f"{value:+.{digits}f}" if text.startswith("+") else f"{value:.{digits}f}"
    return text if not float(same) and not float(text) else same
