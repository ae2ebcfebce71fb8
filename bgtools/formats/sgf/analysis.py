"""GNU Backgammon's analysis in SGF: the properties A (plays of a roll) and DA (a cube decision).

A play is its hops with its figures, an evaluation::

    xrmj E ver 3 0.505930 0.132462 0.006142 0.135754 0.005747 0.011456 2C 0 1 0.000000 1

or a rollout (``X ver 3 Score … Trials 36 Output … StdDev …``). The figures are five probabilities
and the equity; what follows says how deep the program looked. A cube decision has them twice,
without and with the double, each time with the cubeless equity before the other.

Equities of plays are normalised to the cube, in a match too. Those of a cube decision are so in money
play; in a match they are match winning chances, but the cubeless ones normalised all the same.

`Level.code` is the value with stars in place of those figures that the record holds elsewhere, so
that the same value can be written again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final

from bgtools.formats.sgf import words
from bgtools.record import Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Player

_DIGITS: Final = ("{:.6f}", "{:.10g}")
"""How GNU Backgammon writes the figures of an evaluation, and of a rollout."""

_PLIES: Final = re.compile(r"(\d+)C?(?= |$)")
_ROLLED_PLAY: Final = re.compile(
    r"(?P<head>X ver \d+ Score) (?P<score>\S+ \S+) (?P<trials>Trials \S+ Output) "
    r"(?P<chances>(?:\S+ ){4}\S+)(?P<rest> .*)",
    re.DOTALL,
)
_ROLLED_CUBE: Final = re.compile(
    r"(?P<head>X ver \d+ .*?NoDouble Output) (?P<first>(?:\S+ ){6}\S+)"
    r"(?P<between> StdDev .*?DoubleTake Output) (?P<second>(?:\S+ ){6}\S+)(?P<rest>.*)",
    re.DOTALL,
)
_STARS: Final = " ".join("*" * 7)
_CHANCES: Final = 5


# --- reading --------------------------------------------------------------------------------


def read_plays(values: Sequence[str], player: Player) -> PlayAnalysis | None:
    """The values of A: which play was chosen, then the plays, best first; None where they are not as expected."""
    try:
        candidates = tuple(_candidate(value, player) for value in values[1:])
        chosen = int(values[0])
    except (ValueError, LookupError):
        return None
    return PlayAnalysis(candidates=candidates, chosen=chosen if 0 <= chosen < len(candidates) else None)


def _candidate(value: str, player: Player) -> Candidate:
    play, kind, rest = value.split(" ", 2)
    if kind == "E":
        _, version, *figures, rest = rest.split(" ", 8)
        level = _evaluated(version, rest)
        numbers = _numbers(figures)
        return Candidate(
            hops=words.hops(play, player),
            evaluation=Evaluation(probabilities=_five(numbers), equity=numbers[5]),
            level=level,
        )
    found = _ROLLED_PLAY.fullmatch(value, len(play) + 1)
    if not found:
        raise ValueError(f"neither an evaluation nor a rollout: {value}")
    equity, cubeless = _numbers(found["score"].split(" "))
    return Candidate(
        hops=words.hops(play, player),
        evaluation=Evaluation(
            probabilities=_five(_numbers(found["chances"].split(" "))), equity=equity, cubeless=cubeless
        ),
        level=Level(name="rollout", code=f"{found['head']} * * {found['trials']} * * * * *{found['rest']}"),
    )


@lru_cache(maxsize=256)
def _evaluated(version: str, rest: str) -> Level:
    return Level(name=_name(rest), code=f"E ver {version} * * * * * * {rest}")


def _name(context: str) -> str:
    found = _PLIES.match(context)
    return f"{found[1]}-ply" if found else ""


def _numbers(texts: Sequence[str]) -> list[float]:
    numbers = list(map(float, texts))
    if not all(map(isfinite, numbers)):
        raise ValueError("a figure is no number")
    return numbers


def _five(numbers: Sequence[float]) -> tuple[float, float, float, float, float]:
    first, second, third, fourth, fifth = numbers[:_CHANCES]
    return first, second, third, fourth, fifth


def read_cube(value: str, *, money: bool) -> CubeAnalysis | None:
    """The value of DA; None where it is not as expected."""
    try:
        return _cube(value, money=money)
    except (ValueError, LookupError):
        return None


def _cube(value: str, *, money: bool) -> CubeAnalysis:
    if value.startswith("E "):
        head, *figures = value.rsplit(" ", 14)
        name = _name(head.split(" ", 3)[3])
        first, between, second, rest = figures[:7], "", figures[7:], ""
    else:
        found = _ROLLED_CUBE.fullmatch(value)
        if not found:
            raise ValueError(f"neither an evaluation nor a rollout: {value}")
        head, between, rest, name = found["head"], found["between"], found["rest"], "rollout"
        first, second = found["first"].split(" "), found["second"].split(" ")

    def side(figures: Sequence[str]) -> tuple[Evaluation, str]:
        numbers = _numbers(figures)
        if money:
            return Evaluation(probabilities=_five(numbers), cubeless=numbers[5], equity=numbers[6]), _STARS
        evaluation = Evaluation(probabilities=_five(numbers), equity=numbers[6], unit="mwc")
        return evaluation, f"* * * * * {figures[5]} *"

    (no_double, one), (double_take, two) = side(first), side(second)
    return CubeAnalysis(
        no_double=no_double, double_take=double_take, level=Level(name=name, code=f"{head} {one}{between} {two}{rest}")
    )


# --- writing --------------------------------------------------------------------------------


def play_value(candidate: Candidate, player: Player) -> str | None:
    """A value of A for a play; None where GNU Backgammon has no form for it."""
    figures = _play_figures(candidate)
    if figures is None:
        return None
    steps = tuple(leg for hop in candidate.hops for leg in hop.legs)
    return f"{words.letters(steps, player)} {figures}"


def says_play(candidate: Candidate, money: bool) -> bool:
    """Whether GNU Backgammon has a form for a play of an analysis."""
    return _play_figures(candidate) is not None


def _play_figures(candidate: Candidate) -> str | None:
    evaluation, level = candidate.evaluation, candidate.level
    if evaluation.unit != "emg" or evaluation.probabilities is None or evaluation.equity is None:
        return None
    if level.code.startswith("X ver ") and level.code.count("*") == _CHANCES + 2:
        if evaluation.cubeless is None:
            return None
        return _fill(level.code, (evaluation.equity, evaluation.cubeless, *evaluation.probabilities))
    code = level.code
    if not (code.startswith("E ver ") and code.count("*") == _CHANCES + 1):
        # Another program's: GNU Backgammon's form for so many plies, with its usual settings.
        plies = _plies(level)
        if plies is None:
            return None
        code = f"E ver 3 * * * * * * {plies}C 0 1 0.000000 1"
    return _fill(code, (*evaluation.probabilities, evaluation.equity))


def _plies(level: Level) -> str | None:
    found = re.fullmatch(r"(\d)-ply", level.name)
    return found[1] if found else None


def _fill(code: str, figures: Sequence[float]) -> str:
    digits = _DIGITS[code.startswith("X")]
    rest = iter(figures)
    return re.sub(r"\*", lambda _: digits.format(next(rest)), code)


def cube_value(cube: CubeAnalysis, *, money: bool) -> str | None:
    """The value of DA for a cube decision; None where GNU Backgammon has no form for it."""
    sides = (cube.no_double, cube.double_take)
    unit = "emg" if money else "mwc"
    if any(each.unit != unit or each.probabilities is None or each.equity is None for each in sides):
        return None
    code = cube.level.code
    if not (code.startswith(("E ver ", "X ver ")) and code.count("*") == 2 * (_CHANCES + 1 + money)):
        plies = _plies(cube.level)
        if plies is None or not money:
            # The cubeless equity of a match takes a match equity table.
            return None
        code = f"E ver 3 {plies}C 1 0.000000 1 {_STARS} {_STARS}"
    figures: list[float] = []
    for each in sides:
        assert each.probabilities is not None
        assert each.equity is not None
        cubeless = each.cubeless if each.cubeless is not None else _cubeless(each.probabilities)
        figures += (*each.probabilities, cubeless, each.equity) if money else (*each.probabilities, each.equity)
    return _fill(code, figures)


def says_cube(cube: CubeAnalysis, money: bool) -> bool:
    """Whether GNU Backgammon has a form for the analysis of a cube decision."""
    return cube_value(cube, money=money) is not None


def _cubeless(chances: tuple[float, float, float, float, float]) -> float:
    """The cubeless equity for money: every win, gammon and backgammon a point more."""
    wins, gammons, backgammons, lost_gammons, lost_backgammons = chances
    return 2 * wins - 1 + gammons + backgammons - lost_gammons - lost_backgammons
