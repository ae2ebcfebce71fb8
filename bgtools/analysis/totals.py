"""What an analysis is made of: the totals of the match, its games and players, and the rows of the tables."""

# Tables read their columns from the type hints of these classes, so the names in them are imported at run time.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from bgtools.analysis.counts import Counts
from bgtools.analysis.errors import ErrorTotals, Thresholds
from bgtools.analysis.luck import Luck, LuckAccount
from bgtools.analysis.phases import PipPoint
from bgtools.analysis.races import RaceRow
from bgtools.analysis.ratings.registry import RATING_NAMES
from bgtools.analysis.ratings.rule import RatingResult
from bgtools.analysis.result import AdjustedResult, Fibs
from bgtools.analysis.rows import DecisionRow, TurnRow, plain
from bgtools.engines.protocol import LuckConvention

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.analysis.breakdowns import BreakdownRow
    from bgtools.analysis.dice import DiceReport
    from bgtools.analysis.plays import PlayLosses
    from bgtools.analysis.score_grid import ScoreGrid


@dataclass(frozen=True, slots=True)
class Conventions:
    """By whose rules the figures are made.

    Attributes:
        engine, engine_version, level, met: the engine and its match equity table; empty without one.
        luck: what opening rolls are compared with.
        luck_depth: how deep each roll was looked at.
        thresholds: the classes of errors, with the loss in EMG from which each begins.
        jacoby, beavers: the money rules that equities assume; False in a match.
        is_recorded: whether the figures stand in the record itself; the engine is then the program that made them.
        rollouts: by what errors were judged again; empty where they were not.
    """

    engine: str
    engine_version: str
    level: str
    met: str
    luck: LuckConvention
    luck_depth: str
    thresholds: Thresholds
    jacoby: bool
    beavers: bool
    is_recorded: bool = False
    rollouts: str = ""


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """One player's figures, for a match or for one game; without an engine all but name and counts is None.

    Attributes:
        player: 0 or 1; player 0 is in the left column of the first game.
        name: the player's name.
        ratings: every rating by its name, see `bgtools.analysis.ratings`.
        luck: what the dice gave them.
        luck_adjusted_result: for the whole match only, and only where it can be told.
        fibs: estimates of their FIBS rating, for a whole match only.
        errors: what they gave away.
        counts: what can be counted without an engine.
    """

    player: int
    name: str
    ratings: Annotated[dict[str, RatingResult], RATING_NAMES] | None
    luck: Luck | None
    luck_adjusted_result: AdjustedResult | None
    fibs: Fibs | None
    errors: ErrorTotals | None
    counts: Counts = field(default_factory=Counts)


@dataclass(frozen=True, slots=True)
class GameTotals:
    """One game.

    Attributes:
        game: its number in the record, from 1.
        number: the number that the record gives it.
        score: points before it, by player.
        crawford: whether it is the Crawford game.
        rolls: how many rolls it took.
        cube: value of the cube at the end.
        ending: ``borne off``, ``drop``, ``resigned`` or ``unfinished``.
        winner: 0, 1 or None.
        points: what they won.
        players: the figures of both.
        net_luck: luck of player 0 less that of player 1, as match winning chance, for money in points; None where the
            game has no account of it.
        luck_account: which account that is: ``errors`` or ``rolls``; see `bgtools.analysis.luck`.
        race: the race as it stood at its first roll or double; None where there was none.
    """

    game: int
    number: int | None
    score: tuple[int, int]
    crawford: bool
    rolls: int
    cube: int
    ending: str
    winner: int | None
    points: int | None
    players: tuple[PlayerTotals, PlayerTotals]
    net_luck: float | None = None
    luck_account: LuckAccount = ""
    race: RaceRow | None = None


@dataclass(frozen=True, slots=True)
class MatchTotals:
    """The match as a whole: names, length (0 for money), points by player at the end, who won it if it was won."""

    players: tuple[str, str]
    length: int
    games: int
    score: tuple[int, int]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """All figures of a match.

    Attributes:
        match, conventions, players, games: the totals.
        decisions, turns: one row each.
        notes: what could not be analysed, and why, in sentences.
        pips: both pip counts after every roll.
        races: one row for every roll and double of a race.
        dice: whether the dice were fair; None before they are tested.
        breakdowns: the decisions of each player by phase, cube, score and opening.
        rolls: EMG of the best play of each of the 21 rolls (`bgtools.engines.protocol.ROLLS`), by the game and entry of
            a roll; empty where that was not asked for.
        plays: what every legal play of a roll loses, by game and entry; empty where that was not asked for.
        grids: errors at every score, each with its decision; empty where that was not asked for.
    """

    match: MatchTotals
    conventions: Conventions
    players: tuple[PlayerTotals, PlayerTotals]
    games: tuple[GameTotals, ...]
    decisions: tuple[DecisionRow, ...]
    turns: tuple[TurnRow, ...]
    notes: tuple[str, ...]
    pips: tuple[PipPoint, ...] = ()
    races: tuple[RaceRow, ...] = ()
    dice: DiceReport | None = None
    breakdowns: tuple[BreakdownRow, ...] = ()
    rolls: Mapping[tuple[int, int], tuple[float, ...]] = field(default_factory=dict)
    plays: Mapping[tuple[int, int], PlayLosses] = field(default_factory=dict)
    grids: tuple[tuple[DecisionRow, ScoreGrid], ...] = ()

    def as_report(self) -> dict[str, Any]:
        """The totals as plain values, under the names of the fields; the rows are left to tables."""
        names = ("match", "conventions", "players", "games", "breakdowns", "dice", "notes")
        return {name: plain(getattr(self, name)) for name in names}
