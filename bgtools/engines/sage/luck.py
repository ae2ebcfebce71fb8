"""What rolls are worth to bgsage: the best play of each, and the mean over all of them; endings too.

Answers about endings come from the tables of `bgtools.bearoff` instead of a network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.bearoff.endings import BearoffSolver, is_ending
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import EXACT, NEAR, ROLLS, Candidate, CheckerAnswer, CubeAnswer, Probabilities
from bgtools.engines.sage.frame import board_of, grouped, mean_of_rolls
from bgtools.engines.sage.native import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from bgtools.board.board import Board
    from bgtools.board.play import Play
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion, Progress, Stamp
    from bgtools.engines.sage.frame import Context, Roll, Situation
    from bgtools.engines.sage.native import Native
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

    Q = TypeVar("Q", CheckerQuestion, CubeQuestion, LuckQuestion)
    A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class LuckLook:
    """How deep the rolls of a position are looked at, by how far they lie apart and how much is at stake.

    Which roll came makes no difference to it: a deeper look at rolls that seem odd would favour one of the players.

    Attributes:
        two: the spread from which rolls are looked at 2-ply deep: the standard deviation of their equities at 1-ply,
            as match winning chance.
        three: the spread from which a sample is looked at 3-ply deep: that of what the look at 2-ply has changed.
        sample: how many rolls stand for all where looks deeper than 1-ply are averaged (`SAMPLES`).
    """

    two: float
    three: float
    sample: int


_SEVEN_POINTS: Final = 0.06
"""Match winning chance of 1 EMG in the first game of a 7-point match; money games count as such."""


class RollValue(NamedTuple):
    """What a roll is worth.

    Attributes:
        best: equity of its best play.
        mean: mean over all 36 rolls, from a look as deep.
        depth: how deep that was.
    """

    best: float
    mean: float
    depth: str


class RollEquities:
    """Equities after the best play of rolls, with the best cube action of the player who is next.

    Args:
        native: the model.
        rolls: positions with the roll that was made there.
        whole: positions whose every roll is wanted at 1-ply, those of opening rolls among them.
        progress: told how many positions are done, and of how many.
        look: how deep to look; None for 1-ply.
    """

    def __init__(
        self,
        native: Native,
        rolls: Sequence[tuple[Situation, Roll]],
        whole: Sequence[Situation],
        progress: Progress | None,
        look: LuckLook | None = None,
    ) -> None:
        self._native, self._look = native, look
        self._rolls_of: dict[Situation, tuple[Roll, ...]] = {}
        for place, roll in dict.fromkeys(rolls):
            self._rolls_of[place] = (*self._rolls_of.get(place, ()), roll)
        self._whole = frozenset(whole)
        places = [*dict.fromkeys((*self._rolls_of, *whole))]
        self._found = dict(zip(places, native.spread(self._valued, places, progress), strict=True))

    def value(self, situation: Situation, roll: Roll) -> RollValue:
        """The value of the roll that was made at a position."""
        found = self._found[situation]
        return RollValue(found.best[roll], found.mean, found.depth)

    def each(self, situation: Situation) -> tuple[float, ...]:
        """Equities of the best plays of all rolls of one of the whole positions at 1-ply, in the order of `ROLLS`."""
        return tuple(self._found[situation].rolls.values())

    def best(self, situation: Situation, roll: Roll) -> float:
        """Equity of the best play of a roll of one of the whole positions at 1-ply."""
        return self._found[situation].rolls[roll]

    def mean_of_mixed(self, situation: Situation) -> float:
        """Mean at 1-ply over the 15 rolls that are not doubles, of one of the whole positions."""
        mixed = [equity for (high, low), equity in self._found[situation].rolls.items() if high != low]
        return sum(mixed) / len(mixed)

    def _valued(self, situations: Sequence[Situation]) -> list[_Rolls]:
        """The rolls of a few positions.

        At 1-ply, a look at the position one ply deeper gives the mean in a fraction of the time, but after the player's
        best cube action, and only nearly where a limit of the cube lies ahead. There, and where they may wish to
        double, every roll is looked at by itself.
        """
        found: dict[Situation, _Rolls] = {}
        for group in grouped(situations, lambda each: each[1]):
            each_roll = set(group)
            if self._look is None:
                limited = {place for place in group if place[1].limit and not place[1].is_stuck}
                each_roll = self._native.near_doubles(group) | limited
            asked = [
                (place, roll)
                for place in group
                for roll in (ROLLS if place in each_roll or place in self._whole else self._rolls_of[place])
            ]
            plays = self._native.best_plays([(*place, roll) for place, roll in asked])
            values = self._native.equities_after_plays(plays)
            after: dict[Situation, dict[Roll, Situation]] = {}
            for (place, roll), play in zip(asked, plays, strict=True):
                after.setdefault(place, {})[roll] = play
            for place, by_roll in after.items():
                rolls = {roll: values[play] for roll, play in by_roll.items()}
                if place in each_roll:
                    mean = mean_of_rolls([*rolls.values()])
                else:
                    mean = self._native.before_roll(*place, 2).equity
                found[place] = self._deepened(place, by_roll, _Rolls(rolls, rolls, mean, "1-ply"))
        return [found[place] for place in situations]

    def _deepened(self, situation: Situation, after: Mapping[Roll, Situation], shallow: _Rolls) -> _Rolls:
        """The same from as deep a look as the position is worth.

        The mean over all rolls changes by the mean change of a sample of them.
        """
        look, asked = self._look, self._rolls_of.get(situation, ())
        if look is None or not asked:
            return shallow
        stake, sample = self._stake(situation[1]), SAMPLES[look.sample]
        if stake * _spread_of_all([*shallow.rolls.values()]) < look.two:
            return shallow
        due = dict.fromkeys((*sample, *asked))
        deeper = self._native.after_plays([after[roll] for roll in due], 2)
        gained = {roll: deeper[after[roll]].equity - shallow.rolls[roll] for roll in due}
        depth = "2-ply"
        if stake * _spread([gained[roll] for roll in sample]) >= look.three:
            more = self._native.gains([after[roll] for roll in due], 3, sample)
            gained = {roll: gained[roll] + gain for roll, gain in zip(due, more, strict=True)}
            depth = "3-ply sampled"
        return _Rolls(
            shallow.rolls,
            {roll: shallow.rolls[roll] + gained[roll] for roll in asked},
            shallow.mean + sum(gained[roll] for roll in sample) / len(sample),
            depth,
        )

    def _stake(self, at: Context) -> float:
        """Match winning chance of 1 EMG."""
        if at.is_money:
            return _SEVEN_POINTS * at.cube
        lose, win = self._native.anchors(at)
        return (win - lose) / 2


def _spread_of_all(values: Sequence[float]) -> float:
    """The standard deviation of the values of all rolls, in the order of `ROLLS`."""
    mean = mean_of_rolls(values)
    return sqrt(mean_of_rolls([(value - mean) ** 2 for value in values]))


def _spread(values: Sequence[float]) -> float:
    """The standard deviation of values that are equally likely."""
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values))


class _Rolls(NamedTuple):
    """The rolls of a position: equities at 1-ply, then those of the rolls that were made, the mean, and how deep."""

    rolls: Mapping[Roll, float]
    best: Mapping[Roll, float]
    mean: float
    depth: str


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

    VERSION: Final = 5
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
