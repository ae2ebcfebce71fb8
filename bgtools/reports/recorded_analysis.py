"""The analysis that a record holds of one entry, as lines for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.findings.finding import printable
from bgtools.record.annotation import time_left

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.record.annotation import Annotation, CubeAnalysis, Evaluation, Level, PlayAnalysis, Unit


def recorded_lines(annotation: Annotation) -> list[str]:
    """What the file says of a decision, a line each: its source, the cube, the plays, the luck, the clocks."""
    left = zip(("who acted", "the opponent"), annotation.clock or (), strict=False)
    clock = [f"{who} has {time_left(seconds)}" for who, seconds in left if seconds is not None]
    shown = [f"clocks: {', '.join(clock)} left"] if clock else []
    lines: list[str] = []
    if annotation.cube is not None:
        lines += _cube(annotation.cube)
    if annotation.plays is not None:
        lines += _plays(annotation.plays)
    if annotation.luck is not None:
        lines.append(f"luck {annotation.luck:+.3f}")
    if not lines:
        return shown
    by = printable(annotation.program) or "a program it does not name"
    return [f"the record's analysis, by {by}", *lines, *shown]


def _cube(cube: CubeAnalysis) -> Iterator[str]:
    unit = cube.no_double.unit
    yield f"  No double     {_worth(cube.no_double, cube.level)}"
    yield f"  Double, take  {_equity(cube.double_take)}"
    if cube.double_drop is not None:
        yield f"  Double, pass  {_number(cube.double_drop, unit)}"


def _plays(plays: PlayAnalysis) -> Iterator[str]:
    names = [printable(" ".join(map(str, each.hops))) or "Cannot Move" for each in plays.candidates]
    width = max(map(len, names), default=0)
    for number, (name, each) in enumerate(zip(names, plays.candidates, strict=True)):
        made = "*" if number == plays.chosen else " "
        yield f"{made} {name:{width}}  {_worth(each.evaluation, each.level)}"


def _worth(evaluation: Evaluation, level: Level) -> str:
    depth = f"   {printable(level.name)}" if level.name else ""
    return f"{_equity(evaluation)}{depth}{_chances(evaluation)}"


def _equity(evaluation: Evaluation) -> str:
    cubeful = evaluation.equity
    return _number(evaluation.cubeless if cubeful is None else cubeful, evaluation.unit)


def _number(value: float | None, unit: Unit) -> str:
    if value is None:
        return "     -"
    return f"{100 * value:.2f} %" if unit == "mwc" else f"{value:+.3f}"


def _chances(evaluation: Evaluation) -> str:
    return "" if evaluation.probabilities is None else chances_in_words(evaluation.probabilities)


def chances_in_words(chances: Iterable[float]) -> str:
    """Chances of winning, and of winning and losing gammons and backgammons, each 0 to 1, after an equity."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = (100 * each for each in chances)
    return (
        f"   wins {win:.1f} % (gammon {gammon:.1f}, backgammon {backgammon:.1f}), "
        f"loses (gammon {lost_gammon:.1f}, backgammon {lost_backgammon:.1f})"
    )
