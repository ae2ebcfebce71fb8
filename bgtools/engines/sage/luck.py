"""What each of the 21 rolls is worth to bgsage, and what endings are.

Answers about endings come from the tables of `bgtools.bearoff` instead of a network.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bgtools.bearoff.endings import BearoffSolver, is_ending
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import EXACT, NEAR, ROLLS, Candidate, CheckerAnswer, CubeAnswer, Probabilities
from bgtools.engines.sage.frame import board_of, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from bgtools.board.board import Board
    from bgtools.board.play import Play
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion, Stamp
    from bgtools.engines.sage.frame import Roll, Situation
    from bgtools.engines.sage.native import Native
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

    Q = TypeVar("Q", CheckerQuestion, CubeQuestion, LuckQuestion)
    A = TypeVar("A")


class RollEquities:
    """1-ply equities after the best play of each roll, with the best cube action of the player who is next.

    Args:
        native: the model.
        situations: the positions.
    """

    def __init__(self, native: Native, situations: Sequence[Situation]) -> None:
        self._native = native
        different = [*dict.fromkeys(situations)]
        self._found = dict(zip(different, native.spread(self._valued, different, None), strict=True))

    def each(self, situation: Situation) -> tuple[float, ...]:
        """Equities of the best plays of all rolls, in the order of `ROLLS`."""
        return tuple(self._found[situation].values())

    def best(self, situation: Situation, roll: Roll) -> float:
        """Equity of the best play of a roll."""
        return self._found[situation][roll]

    def mean_of_mixed(self, situation: Situation) -> float:
        """Mean over the 15 rolls that are not doubles."""
        mixed = [equity for (high, low), equity in self._found[situation].items() if high != low]
        return sum(mixed) / len(mixed)

    def _valued(self, situations: Sequence[Situation]) -> list[dict[Roll, float]]:
        """The rolls of a few positions."""
        found: dict[Situation, dict[Roll, float]] = {}
        for group in grouped(situations, lambda each: each[1]):
            plays = iter(self._native.best_plays([(*place, roll) for place in group for roll in ROLLS]))
            after = {place: {roll: next(plays) for roll in ROLLS} for place in group}
            values = self._native.equities_after_plays(play for by_roll in after.values() for play in by_roll.values())
            found.update(
                (place, {roll: values[play] for roll, play in rolls.items()}) for place, rolls in after.items()
            )
        return [found[place] for place in situations]


_SIGHT: Final = "bear-off, first sight"

_WORTH_A_LOOK: Final = 0.02
_MOST_LOOKED_AT: Final = 6
"""Of the plays that are worse than the best by no more than the first, at first sight, so many are looked at again, and
the play that was made. Where all plays nearly tie, that is what saves time. On 1,604 plays of recorded races no loss
changed by more than .0002 when more were looked at."""


class EndingAnswers:
    """What the tables tell of endings, in an engine's words.

    Args:
        met: the match equity table to go by.
        stamp: the engine's.
    """

    VERSION: Final = 6
    """Goes up when the values of endings change, so that no older answer that was kept is used."""

    def __init__(self, met: MatchEquityTable, stamp: Stamp) -> None:
        self._endings = BearoffSolver(met)
        self._stamp = stamp

    def answered(self, answer: Callable[[Q], A | None], questions: Iterable[Q]) -> dict[Q, A]:
        """Answers to those of the questions that are about endings.

        The earliest positions come first, as their tables hold what follows.
        """
        endings = sorted(
            (question for question in questions if is_ending(question.position)),
            key=lambda question: sum(question.position.pips),
            reverse=True,
        )
        found = ((question, answer(question)) for question in endings)
        return {question: known for question, known in found if known is not None}

    def checker(self, question: CheckerQuestion) -> CheckerAnswer | None:
        """See `Engine.checker`; None where no table serves."""
        before = self._endings.value(question.position, question.state)
        found = None if before is None else self._plays(question, question.played, exactly=before.is_exact)
        if found is None:
            return None
        found.sort(key=lambda each: (-each.rank, -each.equity, board_of(each.play.result)))
        played = next((at for at, each in enumerate(found) if each.play.result == question.played), None)
        return CheckerAnswer(tuple(found), played, self._stamp)

    def cube(self, question: CubeQuestion) -> CubeAnswer | None:
        """See `Engine.cube`; None where no table serves."""
        value = self._endings.value(question.position, question.state)
        if value is None or value.double_take is None:
            return None
        is_beaver = question.state.is_money and bool(question.state.rules.beavers) and value.double_take < 0
        return CubeAnswer(
            no_double=value.no_double,
            double_take=2 * value.double_take if is_beaver else value.double_take,
            double_pass=1.0,
            probabilities=Probabilities(*value.chances),
            depth=EXACT if value.is_exact else NEAR,
            stamp=self._stamp,
            is_beaver=is_beaver,
        )

    def luck(self, question: LuckQuestion) -> tuple[float, float, str] | None:
        """EMG of the best play of the roll, the mean over all rolls, and the depth; None where no table serves."""
        before = self._endings.value(question.position, question.state)
        best = None if before is None else self._best(question, exactly=before.is_exact)
        if before is None or best is None:
            return None
        return best, before.no_double, EXACT if before.is_exact else NEAR

    def rolls(self, question: LuckQuestion) -> tuple[float, ...]:
        """EMG of the best plays of all rolls; empty where that is not known exactly."""
        before = self._endings.value(question.position, question.state)
        if before is None or not before.is_exact:
            return ()
        each = [self._best(replace(question, dice=roll), exactly=True) for roll in ROLLS]
        known = tuple(value for value in each if value is not None)
        return known if len(known) == len(ROLLS) else ()

    def _best(self, question: LuckQuestion, *, exactly: bool) -> float | None:
        """EMG of the best play of a roll; None where no table serves."""
        plays = self._plays(question, None, exactly=exactly)
        return max(plays, key=lambda each: (each.rank, each.equity)).equity if plays else None

    def _plays(
        self, question: CheckerQuestion | LuckQuestion, played: Board | None, *, exactly: bool
    ) -> list[Candidate] | None:
        """All legal plays with their values, those near the best and the one that was made at the greatest depth.

        The values are exact if that of the position is: its table holds all boards that the plays lead to.
        """
        plays = legal_plays(question.position, question.dice)
        value = partial(self._after, state=question.state, exactly=exactly)
        found = value(plays, at_sight=not exactly)
        if found is None or not any(each.depth == _SIGHT for each in found):
            return found
        order = sorted(range(len(found)), key=lambda at: -found[at].equity)
        best = found[order[0]].equity
        close = [
            at
            for number, at in enumerate(order)
            if (number < _MOST_LOOKED_AT and found[at].equity > best - _WORTH_A_LOOK) or found[at].play.result == played
        ]
        looked_at = value([plays[at] for at in close]) or []
        for at, candidate in zip(close, looked_at, strict=True):
            found[at] = candidate
        return found

    def _after(
        self, plays: Sequence[Play], state: MatchState, *, exactly: bool, at_sight: bool = False
    ) -> list[Candidate] | None:
        """The values after plays, for the player who has made them."""
        going = [play.result.flipped() for play in plays if not play.result.is_over]
        values = self._endings.values(going, state.flipped(), exactly=exactly, at_sight=at_sight)
        if values is None:
            return None
        coming = iter(values)
        found = []
        for play in plays:
            if play.result.is_over:
                won = self._endings.over(play.result, state)
                found.append(Candidate(play, won.no_double, Probabilities(*won.chances), EXACT, 2))
                continue
            value = next(coming)
            depth, rank = (EXACT, 2) if value.is_exact else (_SIGHT, 1) if at_sight else (NEAR, 2)
            found.append(Candidate(play, -value.best, Probabilities(*value.chances).flipped(), depth, rank))
        return found
