"""Ratings of players over many matches: all counted losses over all counted decisions.

A mean of ratings would let a match of ten decisions count as much as one of two hundred.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.analysis.ratings.registry import all_ratings
from bgtools.analysis.statistics import FEW_DECISIONS, Sums, interval_of_losses
from bgtools.findings.quantities import LOST, LUCK, PR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.analysis.ratings.rule import Rating, RatingResult
    from bgtools.analysis.totals import Analysis


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """What one match adds to the figures of a player.

    Attributes:
        name: of the player.
        losses: by the name of the rating, what each decision that the rating counts adds to its sum.
        divided_by: by the name of the rating, what that sum is divided by.
        luck: EMG of each roll whose luck is known.
    """

    name: str
    losses: dict[str, tuple[float, ...]]
    divided_by: dict[str, int]
    luck: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PooledRating:
    """A rating over many matches.

    Attributes:
        value: the rating; None where nothing counts.
        low, high: its 95% interval by resampling decisions, which hang together by games; None for fewer than 30, and
            where none lost anything.
        counted: how many decisions count.
    """

    value: float | None
    low: float | None
    high: float | None
    counted: int

    @classmethod
    def of(cls, losses: Sums, divided_by: int) -> PooledRating:
        """The rating of decisions that add these losses, their sum divided by a number."""
        if not divided_by:
            return cls(None, None, None, losses.number)
        interval = interval_of_losses(losses) if losses.squares else None
        low, high = (None, None) if interval is None else (bound / divided_by for bound in interval)
        return cls(losses.total / divided_by, low, high, losses.number)

    def text(self, digits: int | None = None) -> str:
        """The rating with its interval in brackets, as it is printed; a dash where there is none."""
        if self.value is None:
            return "-"
        value = PR.text(self.value, digits)
        if self.low is None or self.high is None:
            return f"{value} (too few)" if self.counted < FEW_DECISIONS else value
        return f"{value} ({PR.text(self.low, digits)}-{PR.text(self.high, digits)})"


@dataclass(frozen=True, slots=True)
class PooledLuck:
    """The luck of many rolls.

    Attributes:
        rolls: rolls whose luck is known.
        luck: mean luck of a roll in EMG; None without rolls.
        luck_low, luck_high: its 95% interval by resampling rolls; None for fewer than 30.
    """

    rolls: int
    luck: float | None
    luck_low: float | None
    luck_high: float | None

    @classmethod
    def of(cls, lucks: Sums) -> PooledLuck:
        """The mean luck of some rolls, with its interval."""
        if not lucks.number:
            return cls(0, None, None, None)
        interval = lucks.interval
        low, high = (None, None) if interval is None else (bound / lucks.number for bound in interval)
        return cls(lucks.number, lucks.total / lucks.number, low, high)

    def text(self) -> str:
        """The luck with its interval, as it is printed; a dash where there is none."""
        if self.luck is None:
            return "-"
        if self.luck_low is None or self.luck_high is None:
            return f"{LUCK.text(self.luck)} (too few)"
        return f"{LUCK.text(self.luck)} ± {LOST.text((self.luck_high - self.luck_low) / 2)}"


@dataclass(frozen=True, slots=True)
class PooledPlayer:
    """A player's figures over many matches.

    Attributes:
        name: of the player; players of one name are taken for one player.
        matches: in how many there were figures.
        ratings: by their names.
        rolls: rolls whose luck is known.
        luck: mean luck of a roll in EMG; None without rolls.
        luck_low, luck_high: its 95% interval by resampling rolls; None for fewer than 30.
    """

    name: str
    matches: int
    ratings: dict[str, PooledRating]
    rolls: int
    luck: float | None
    luck_low: float | None
    luck_high: float | None


@dataclass(slots=True)
class _Sum:
    matches: int = 0
    losses: dict[str, list[float]] = field(default_factory=dict)
    divided_by: dict[str, int] = field(default_factory=dict)
    luck: list[float] = field(default_factory=list)


def parts_of(analysis: Analysis) -> list[PlayerPart]:
    """What a match adds to the figures of its players; nothing where no engine has valued it."""
    found: list[PlayerPart] = []
    for total in analysis.players:
        ratings = total.ratings or {}
        rated = [each for each in all_ratings() if each.printed and each.name in ratings]
        rated = [each for each in rated if ratings[each.name].value is not None]
        losses = {each.name: _losses(each, ratings[each.name], analysis, total.player) for each in rated}
        divided_by = {each.name: ratings[each.name].divided_by for each in rated}
        luck = tuple(turn.luck for turn in analysis.turns if turn.player == total.player and turn.luck is not None)
        if losses or luck:
            found.append(PlayerPart(total.name, losses, divided_by, luck))
    return found


def _losses(rating: Rating, result: RatingResult, analysis: Analysis, player: int) -> tuple[float, ...]:
    """What each decision that a rating counts adds to the sum of the rating."""
    factor = factor_of(result)
    own = (row for row in analysis.decisions if row.player == player)
    return tuple(factor * (row.loss or 0.0) for row in own if row.counted_by[rating.counting.name].counted)


def factor_of(result: RatingResult) -> float:
    """What a loss in EMG adds to the sum of a rating; PR has 500, and 1.5 times that in a 1-point match."""
    return (result.value or 0.0) * result.divided_by / result.loss if result.loss else 0.0


def pooled(parts: Iterable[PlayerPart]) -> list[PooledPlayer]:
    """The figures of every player, the one with the most matches first."""
    sums: dict[str, _Sum] = {}
    for part in parts:
        known = sums.setdefault(part.name, _Sum())
        known.matches += 1
        known.luck += part.luck
        for name, losses in part.losses.items():
            known.losses.setdefault(name, []).extend(losses)
            known.divided_by[name] = known.divided_by.get(name, 0) + part.divided_by[name]
    players = [_pooled(name, known) for name, known in sums.items()]
    return sorted(players, key=lambda player: (-player.matches, player.name))


def _pooled(name: str, known: _Sum) -> PooledPlayer:
    ratings = {each: PooledRating.of(Sums.of(losses), known.divided_by[each]) for each, losses in known.losses.items()}
    luck = PooledLuck.of(Sums.of(known.luck))
    return PooledPlayer(name, known.matches, ratings, luck.rolls, luck.luck, luck.luck_low, luck.luck_high)
