"""What is known of a player over all their matches: plain rows, and whether they stand out from the field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.statistics import FEW_DECISIONS, FEW_GROUPS, holm, normal_tails, permutation_tails
from bgtools.findings.quantities import PROBABILITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.pooling import PooledLuck, PooledRating

STANDS_OUT: Final = 0.05
"""A chance below this is reported as a difference."""

_SAME: Final = 1e-18
"""Share of the square of a mean: figures that vary by less differ by rounding alone."""

CareerDimension = Literal["month", "event", "opponent", "length", "engine", "phase", "decision", "theme"]
"""By what a career is divided: matches by the first four, decisions by the others."""

Verdict = Literal["", "strength", "weakness"]
"""What the comparison with the field says; nothing where the figures do not tell."""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player in the list of all players.

    Attributes:
        name: that they go by.
        names: all names that stand for them in records.
        matches: how many they played, money sessions among them.
        won, lost: how many of them they won and lost.
        unfinished: how many have no winner: they were broken off, or the record ends before.
        money: how many are money sessions, which nobody wins. All four add up to ``matches``.
        analysed: matches in which XG's rating counts a decision of theirs.
        pr: XG's performance rating over all of them: the losses of all over the number of decisions.
        luck: of their rolls.
        first, last: days of their first and last match, such as 2026-08-31, as far as records tell; empty without any.
    """

    name: str
    names: tuple[str, ...]
    matches: int
    won: int
    lost: int
    unfinished: int
    money: int
    analysed: int
    pr: PooledRating
    luck: PooledLuck
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class CareerResult:
    """Results, as they were and less what the dice gave, over the matches of which both are known.

    Attributes:
        unit: ``mwc`` for matches, won ones counting 1 and those broken off by the chance of winning; ``points`` for
            money sessions.
        matches: how many.
        actual: sum of the results.
        adjusted: sum of the luck-adjusted results.
        low, high: the 95% interval of ``adjusted`` by resampling matches; None for fewer than 30.
    """

    unit: str
    matches: int
    actual: float
    adjusted: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class CareerShare:
    """A player's matches or decisions of one sort.

    Attributes:
        dimension: by what they are divided. ``month``, ``event``, ``opponent`` and ``length`` divide matches;
            ``phase``, ``decision`` (checker plays and cube actions by kind) and ``theme`` divide decisions, of which
            one may have several themes.
        value: which sort, such as ``2026-08``, ``bear-off`` or ``take``; empty where a record does not tell the month
            or the event. The length of money is 0.
        matches: how many there were; of decisions, in how many matches there are some that count.
        won, lost: how many of them were won and lost; None of decisions.
        analysed: matches in which XG's rating counts a decision of this sort.
        pr: the rating of these decisions.
        luck: of the rolls; without an interval. None of decisions.
    """

    dimension: CareerDimension
    value: str
    matches: int
    won: int | None
    lost: int | None
    analysed: int
    pr: PooledRating
    luck: PooledLuck | None


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """A player beside the field in decisions of one sort.

    Attributes:
        dimension, value: which sort, as in `CareerShare`.
        decisions: how many of theirs the rating counts.
        pr: their rating in them.
        field_decisions, field_pr: the same of all other players together.
        matches, field_matches: in how many matches they were made; a match counts for each of its players.
        cost: PR points that their difference from the field in this sort alone makes of their whole rating; above 0
            where they lose more than the field.
        chance: how often matches drawn from theirs and the field's together would be as far from the rest
            (`bgtools.analysis.statistics`).
        corrected: the same, corrected for the number of sorts that were compared (Holm).
        verdict: ``strength`` or ``weakness`` where ``corrected`` is below .05; otherwise empty, which does not prove
            that they and the field are even.
    """

    dimension: CareerDimension
    value: str
    decisions: int
    pr: float
    field_decisions: int
    field_pr: float
    matches: int
    field_matches: int
    cost: float
    chance: float
    corrected: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class FieldSums:
    """One sort of decisions, added up for a player and for all.

    The figure of a player in a match is what their decisions lost there, less what as many decisions lose on average
    over all players. The figures of all add up to 0.

    Attributes:
        dimension, value: which sort.
        own, all: decisions that count, of the player and of all.
        lost, all_lost: the sums that the ratings divide by these numbers of decisions.
        own_matches, all_matches: how many figures there are.
        own_total: sum of the player's figures.
        squares, cubes: of the figures of all, the sums of their second and third powers.
    """

    dimension: CareerDimension
    value: str
    own: int
    all: int
    lost: float
    all_lost: float
    own_matches: int
    all_matches: int
    own_total: float
    squares: float
    cubes: float


def standings(sums: Sequence[FieldSums], counted: int) -> tuple[FieldComparison, ...]:
    """A player beside the field, the sort with the least chance first.

    A sort is compared where they and the field have `FEW_DECISIONS` decisions and `FEW_GROUPS` matches each.

    Args:
        sums: each sort once.
        counted: all decisions of the player that count.
    """
    found: list[FieldComparison] = []
    for each in sums:
        rest, rest_matches = each.all - each.own, each.all_matches - each.own_matches
        if min(each.own, rest) < FEW_DECISIONS or min(each.own_matches, rest_matches) < FEW_GROUPS:
            continue
        if each.squares <= _SAME * each.all_lost**2 / each.all_matches:
            continue  # everybody lost the same: there is nothing to compare
        chance = permutation_tails(each.own_total, each.own_matches, each.all_matches, each.squares, each.cubes)
        if chance is None:
            continue
        pr, field = each.lost / each.own, (each.all_lost - each.lost) / rest
        cost = (pr - field) * each.own / counted
        found.append(
            FieldComparison(
                each.dimension, each.value, each.own, pr, rest, field, each.own_matches, rest_matches, cost,
                chance, chance, "",
            )
        )  # fmt: skip
    corrected = holm([each.chance for each in found])
    judged = [
        replace(
            each,
            corrected=chance,
            verdict="" if chance >= STANDS_OUT else "weakness" if each.pr > each.field_pr else "strength",
        )
        for each, chance in zip(found, corrected, strict=True)
    ]
    return tuple(sorted(judged, key=lambda each: (each.chance, each.dimension, each.value)))


@dataclass(frozen=True, slots=True)
class Career:
    """A player over all their matches in a library.

    Attributes:
        summary: their figures over all of them.
        results: their results, for matches and for money.
        shares: their matches and decisions by each dimension: months in their order, lengths by size, phases and kinds
            of decisions as a report lists them, everything else by its number.
        left_out: of a dimension whose values are too many, how many are not among ``shares``.
        standings: their decisions beside those of the field; empty where there is no field.
        worst: their worst decisions, the costliest first.
        engines: what judged the decisions that count, and in how many matches.
        is_somebody: False for a name that many share, such as ``Player 1``, and for that of a program.
    """

    summary: PlayerSummary
    results: tuple[CareerResult, ...]
    shares: tuple[CareerShare, ...]
    left_out: dict[str, int]
    standings: tuple[FieldComparison, ...]
    worst: tuple[Blunder, ...]
    engines: tuple[tuple[str, int], ...]
    is_somebody: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of two players against each other.

    Attributes:
        date, event, length: as its record tells them; length 0 for money.
        points: of both at the end.
        won: 0 or 1 for who won it; None where nobody has, and for money.
        pr: of both; None where nothing counts.
        path, number: the record: the file, and which record of it.
    """

    date: str
    event: str
    length: int
    points: tuple[int, int]
    won: int | None
    pr: tuple[float | None, float | None]
    path: str
    number: int


@dataclass(frozen=True, slots=True)
class Versus:
    """Two players against each other.

    Attributes:
        names: of both.
        matches: how many they played.
        won: how many of them each won.
        pr, luck: of each, in these matches.
        results: results of the first, for matches and for money; those of the second are the same seen from their side.
        chance: how often two equal players are as far apart in PR (`bgtools.analysis.statistics`, over matches); None
            where fewer than 8 matches were analysed, or either has fewer than 30 decisions that count.
        meetings: the matches, the last ones first.
        left_out: how many more matches there are.
        engines: what judged the decisions that count, and in how many matches.
    """

    names: tuple[str, str]
    matches: int
    won: tuple[int, int]
    pr: tuple[PooledRating, PooledRating]
    luck: tuple[PooledLuck, PooledLuck]
    results: tuple[CareerResult, ...]
    chance: float | None
    meetings: tuple[Meeting, ...]
    left_out: int
    engines: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A stretch of a career.

    Attributes:
        label: the month, such as ``2026-08``; of a rolling stretch the day of its last match.
        first, last: days of its first and last match.
        matches: analysed ones.
        pr: the rating in them.
    """

    label: str
    first: str
    last: str
    matches: int
    pr: PooledRating


@dataclass(frozen=True, slots=True)
class Trend:
    """How a player's rating went over time.

    Attributes:
        name: of the player.
        points: from the earliest on.
        window: matches to a point; None where a point is a month.
        whole: the rating over all of them.
        matches: analysed matches whose day is known.
        undated: analysed matches whose day is not; they are left out.
        chance: how often matches in any other order would rise or fall as much (a permutation test of the losses of
            matches against their order); None for fewer than 8.
        is_rising: whether later matches lost more a decision.
        engines: what judged the decisions that count, and in how many matches.
        dates: who says the days, ``header``, ``file name`` or ``given``, and of how many matches.
    """

    name: str
    points: tuple[TrendPoint, ...]
    window: int | None
    whole: PooledRating
    matches: int
    undated: int
    chance: float | None
    is_rising: bool
    engines: tuple[tuple[str, int], ...] = ()
    dates: tuple[tuple[str, int], ...] = ()

    @property
    def sentence(self) -> str:
        """What the figures say of a change, or why they say nothing."""
        if not self.matches:
            return "No analysed match tells its day."
        if not self.points:
            return f"Analysed matches with a day: {self.matches:,}, fewer than the {self.window:,} that make a point."
        if self.chance is None:
            return "Fewer than 8 analysed matches with a day are too few to tell a change."
        if self.chance >= STANDS_OUT:
            about = PROBABILITY.text(self.chance)
            return f"These {self.matches:,} matches show no change of PR over time (chance {about})."
        way = "rose: later matches were played worse" if self.is_rising else "fell: later matches were played better"
        return f"PR {way}; in any other order they would show as much with a chance of {self.chance:.1g}."


def change_over_time(total: float, squares: float, orders: float, count: int) -> float | None:
    """The chance that a career in any other order would rise or fall as much; None for fewer than `FEW_GROUPS` matches.

    Args:
        total: sum over matches of figure x (place - mean place); the figures add up to 0.
        squares: sum of the squares of the figures.
        orders: sum over matches of (place - mean place)².
        count: how many matches.
    """
    if count < FEW_GROUPS or squares <= 0:
        return None
    return normal_tails(total / (squares * orders / (count - 1)) ** 0.5)
