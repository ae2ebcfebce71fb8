"""Where the analyses of two records value a decision differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.movement import resolve
from bgtools.board.play import steps
from bgtools.board.violation import Violation
from bgtools.replayer.valued import evaluation_in, with_every_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.pairing import GameTokens
    from bgtools.record.annotation import Evaluation
    from bgtools.replayer.turn import GameReplay, Turn


def analyses_apart(
    replays: tuple[GameReplay, GameReplay],
    one: GameTokens,
    two: GameTokens,
    pairs: Sequence[Pair],
    tolerance: float,
    valued: list[int],
) -> Iterator[tuple[str, tuple[str, str], Pair]]:
    """The decisions that both records value differently, each with the equity that is furthest apart.

    Args:
        replays: the game on the board in either record.
        one: the game in the first.
        two: the game in the second.
        pairs: which of their entries belong together.
        tolerance: how far equities may be apart, in points.
        valued: three counts to add to: the decisions that both value, that only the first does, that only the second.
    """
    for x, y in pairs:
        if x is None or y is None:
            continue
        here = _figures(replays[0].turns[one.entry_numbers[x]])
        there = _figures(replays[1].turns[two.entry_numbers[y]])
        apart = [(abs(here[name] - there[name]), name) for name in here.keys() & there.keys()]
        if here or there:
            valued[0 if apart else 1 if not there else 2 if not here else 0] += 1
        far, name = max(apart, key=lambda each: each[0], default=(0.0, ""))
        if far > tolerance:
            digits = next(
                (each for each in _DIGITS if f"{here[name]:.{each}f}" != f"{there[name]:.{each}f}"), _DIGITS[-1]
            )
            one_says, two_says = (f"{_named(name)} {figures[name]:+.{digits}f}" for figures in (here, there))
            yield "the analysis", (one_says, two_says), (x, y)


_DIGITS: Final = (4, 5, 6, 7)
"""How many digits may be shown: as few of these as make two figures look different."""


def _named(name: object) -> str:
    return name if isinstance(name, str) else f"{name[0]}"  # type: ignore[index]


def _figures(turn: Turn) -> dict[object, float]:
    """The equities (EMG) that an entry's analysis gives, by the cube action or play that each is of."""
    note = turn.entry.annotation
    found: dict[object, float] = {}
    if note is None:
        return found
    if note.cube is not None:
        for name, evaluation in (("no double", note.cube.no_double), ("double and take", note.cube.double_take)):
            _put(found, name, evaluation, turn)
    dice = getattr(turn.entry, "dice", None)
    if note.plays is not None and dice is not None:
        for candidate in with_every_play(note.plays, turn).candidates:
            play = resolve(turn.before, dice, candidate.hops)
            text = " ".join(map(str, candidate.hops))
            if not isinstance(play, Violation):
                _put(found, (_PlayName(str(play)), play.result), candidate.evaluation, turn)
            else:
                _put(found, (_PlayName(text), steps(candidate.hops)), candidate.evaluation, turn)
    return found


class _PlayName(str):
    """The name of a play, for display: all names are equal, so that only the board after a play tells it apart."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _PlayName)

    def __hash__(self) -> int:
        return 0


def _put(found: dict[object, float], name: object, evaluation: Evaluation, turn: Turn) -> None:
    told = evaluation_in(evaluation, "emg", turn.state)
    if told is not None and told.equity is not None:
        found[name] = told.equity
