"""GNU Backgammon's analysis in SGF: the properties A (plays of a roll) and DA (a cube decision).

A value of A is the hops of a play and its figures, from an evaluation::

    xrmj E ver 3 0.505930 0.132462 0.006142 0.135754 0.005747 0.011456 2C 0 1 0.000000 1

or from a rollout (``X ver 3 Score … Trials 36 Output … StdDev …``). The figures are five probabilities
and the equity; the level follows. A cube decision has two sets of figures, for no double and for a
double, each with the cubeless equity before the equity.

Equities of plays are normalised to the cube, in money play and in a match. Those of a cube decision are
normalised in money play; in a match they are match winning chances, and only the cubeless ones are normalised.

`Level.code` is the value with stars in place of the figures that the record holds elsewhere, so
that the same value can be written again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.formats.sgf import words
from bgtools.met.finding import default
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.replayer.valued import best_of, cube_in, cube_state, in_unit, plays_in, plies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Probabilities
    from bgtools.replayer.turn import Turn
    from bgtools.rules.cube import MatchState

_DIGITS: Final = ("{:.6f}", "{:.10g}")
"""GNU Backgammon's forms for the figures of an evaluation, and for those of a rollout."""

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
_HOPS: Final = 4
_MOST_PLIES: Final = 7
_LIKE: Final[Mapping[str, int]] = {
    "xg roller": 3, "xg roller+": 5, "xg roller++": 6, "opening book": _MOST_PLIES, "rollout": _MOST_PLIES
}  # fmt: skip
"""Levels that have no plies, and the plies of GNU Backgammon that are written for them."""


# --- reading --------------------------------------------------------------------------------


def read_plays(values: Sequence[str], player: Player) -> PlayAnalysis | None:
    """Read the values of A: the index of the chosen play, then the plays, best first; None where they are malformed."""
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
        raise ValueError("a figure is not a number")
    return numbers


def _five(numbers: Sequence[float]) -> tuple[float, float, float, float, float]:
    first, second, third, fourth, fifth = numbers[:_CHANCES]
    return first, second, third, fourth, fifth


def read_cube(value: str, *, money: bool) -> CubeAnalysis | None:
    """Read the value of DA; None where it is malformed."""
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


class Form(NamedTuple):
    """An annotation as properties of GNU Backgammon.

    Attributes:
        cube: the property DA; "" where there is no cube decision, or GNU Backgammon has no form for it.
        plays: the property A; "" where there are no plays, or GNU Backgammon has no form for them.
        luck: the property LU; "" where the luck is not known.
    """

    cube: str = ""
    plays: str = ""
    luck: str = ""

    def __str__(self) -> str:
        return f"{self.cube}{self.plays}{self.luck}"

    def annotation(self, player: Player, *, money: bool, program: str) -> Annotation:
        """The annotation that a reader makes of these properties."""
        values = [value[1:-1] for value in re.findall(r"\[[^]]*\]", self.plays)]
        return Annotation(
            program=program if str(self) else "",
            plays=read_plays(values, player) if values else None,
            cube=read_cube(self.cube[3:-1], money=money) if self.cube else None,
            luck=float(self.luck[3:-1]) if self.luck else None,
        )


def form(note: Annotation, turn: Turn | None) -> Form:
    """The annotation of an entry as properties of GNU Backgammon.

    Args:
        note: the annotation, its plays as `settled` gives them.
        turn: the entry on its board; None where there is no board.
    """
    luck = f"LU[{note.luck:.5f}]" if note.luck is not None else ""
    if turn is None:
        return Form(luck=luck)
    cube = cube_value(note.cube, cube_state(turn), note.program) if note.cube is not None else None
    plays = _plays(note.plays, turn, note.program) if note.plays is not None else ""
    return Form(f"DA[{cube}]" if cube is not None else "", plays, luck)


def _plays(plays: PlayAnalysis, turn: Turn, program: str) -> str:
    """The property A: the best play, then all others that have figures; "" where the best or the made play has none.

    GNU Backgammon takes the first play for the best. If the made play is not among them, it takes the first for it.
    """
    told = plays_in(plays, "emg", turn.state)
    if told is None or told.chosen is None:
        return ""
    values = [_play_value(each, turn.entry.player, program) for each in told.candidates]
    best = best_of(told)
    if values[best] is None or values[told.chosen] is None:
        return ""
    order = [best, *(number for number in range(len(values)) if number != best and values[number] is not None)]
    return f"A[{order.index(told.chosen)}]{''.join(f'[{values[number]}]' for number in order)}"


def _play_value(candidate: Candidate, player: Player, program: str) -> str | None:
    """A value of A for a play; None where GNU Backgammon has no form for it."""
    evaluation, level = candidate.evaluation, candidate.level
    legs = tuple(leg for hop in candidate.hops for leg in hop.legs)
    if evaluation.probabilities is None or evaluation.equity is None or len(legs) > _HOPS:
        return None
    if level.code.startswith("X ver ") and level.code.count("*") == _CHANCES + 2 and evaluation.cubeless is not None:
        figures = _fill(level.code, (evaluation.equity, evaluation.cubeless, *evaluation.probabilities))
    else:
        code = level.code
        if not (code.startswith("E ver ") and code.count("*") == _CHANCES + 1):
            # A level of another program is written as GNU Backgammon's nearest plies, with its usual settings.
            code = f"E ver 3 * * * * * * {_nearest(level, program)}C 0 1 0.000000 1"
        figures = _fill(code, (*evaluation.probabilities, evaluation.equity))
    return f"{words.letters(legs, player)} {figures}"


def _nearest(level: Level, program: str) -> int:
    """The plies of GNU Backgammon that come nearest to a level of another program."""
    found = plies(level, program)
    return min(_LIKE.get(level.name.casefold(), 0) if found is None else found, _MOST_PLIES)


def _fill(code: str, figures: Sequence[float]) -> str:
    digits = _DIGITS[code.startswith("X")]
    rest = iter(figures)
    return re.sub(r"\*", lambda _: digits.format(next(rest)), code)


def cube_value(cube: CubeAnalysis, state: MatchState, program: str) -> str | None:
    """The value of DA for a cube decision; None where GNU Backgammon has no form for it."""
    money = state.is_money
    told = cube_in(cube, "emg" if money else "mwc", state)
    if told is None or told.no_double.probabilities is None:
        return None
    code = cube.level.code
    cubeless = _cubeless(told.no_double.probabilities, state)
    if not (code.startswith(("E ver ", "X ver ")) and code.count("*") == 2 * (_CHANCES + 1 + money)):
        if cubeless is None:
            return None
        stars = _STARS if money else f"* * * * * {cubeless:.6f} *"
        code = f"E ver 3 {_nearest(cube.level, program)}C 1 0.000000 1 {stars} {stars}"
    figures: list[float] = []
    for each in (told.no_double, told.double_take):
        if each.equity is None:
            return None
        # If those after the double are not known, the chances before it stand for them.
        chances = each.probabilities or told.no_double.probabilities
        without = [each.cubeless if each.cubeless is not None else _cubeless(chances, state) or 0.0] if money else []
        figures += (*chances, *without, each.equity)
    return _fill(code, figures)


def _cubeless(chances: Probabilities, state: MatchState) -> float | None:
    """The cubeless equity in points per cube; None where the score is beyond the match equity table."""
    if not state.is_money:
        try:
            return in_unit(default().outcomes(state).mean(chances), "mwc", "emg", state)
        except ValueError:
            return None
    wins, gammons, backgammons, lost_gammons, lost_backgammons = chances
    return 2 * wins - 1 + gammons + backgammons - lost_gammons - lost_backgammons
