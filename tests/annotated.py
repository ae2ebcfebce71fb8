"""Small records with analyses made up for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.record import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from support import read_text, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.record import Match, Unit

RECORD = """ 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/11 13/8
  2) 64: 24/18 13/9             33: 8/5(2) 6/3(2)
  3)  Doubles => 2               Takes
  4) 51: 13/8 9/8               21: 13/11 6/5
"""
"""Entries: 0 and 1, 2 and 3 rolls, 4 a double, 5 the take, 6 and 7 rolls."""

CHANCES = (0.55, 0.15, 0.01, 0.12, 0.005)


def noted(notes: Mapping[int, Annotation], text: str = RECORD) -> Match:
    """A record whose first game has these notes, by the number of the entry."""
    match = read_text(text)
    game = match.games[0]
    entries = tuple(replace(entry, annotation=notes.get(at)) for at, entry in enumerate(game.entries))
    return replace(match, games=(replace(game, entries=entries), *match.games[1:]))


def candidate(play: str, equity: float | None, level: str = "2-ply", unit: Unit = "emg", code: str = "") -> Candidate:
    """A play with its equity."""
    evaluation = Evaluation(probabilities=CHANCES, equity=equity, unit=unit)
    return Candidate(hops=written(play), evaluation=evaluation, level=Level(name=level, code=code))


def plays(
    *candidates: Candidate, error: float | None = None, program: str = "GNU Backgammon 1.07", luck: float | None = None
) -> Annotation:
    """What a program says of a roll."""
    return Annotation(program=program, plays=PlayAnalysis(candidates=candidates, error=error), luck=luck)


def cube(no_double: float | None, take: float, drop: float | None = None, unit: Unit = "emg") -> Annotation:
    """What a program says of a cube decision."""
    values = [Evaluation(probabilities=CHANCES, equity=equity, unit=unit) for equity in (no_double, take)]
    analysis = CubeAnalysis(no_double=values[0], double_take=values[1], double_drop=drop, level=Level(name="2-ply"))
    return Annotation(program="GNU Backgammon 1.07", cube=analysis)
