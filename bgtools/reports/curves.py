"""The course of a match, as pictures draw it: luck, equity given away and the chance to win, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.met.finding import find
from bgtools.met.reading import MetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.analysis.rows import DecisionRow, TurnRow
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.met.table import MatchEquityTable

_MOST_LABELS: Final = 6
_GREAT: Final = 1 / 3
"""A jump has a label only if it is at least this share of the greatest jump."""
_APART: Final = 0.06
"""The least distance between two labels, as a share of the turns of the match; nearer ones would overlap."""


@dataclass(frozen=True, slots=True)
class Label:
    """What is beside a great jump.

    Attributes:
        turn: index of the turn that jumps, from 0.
        player: whose curve it is.
        text: such as ``66``.
        rises: whether the curve rises there.
    """

    turn: int
    player: int
    text: str
    rises: bool


@dataclass(frozen=True, slots=True)
class CumulativeCurve:
    """A sum that grows over a match.

    Attributes:
        values: for each player, the running sum after every turn of the match.
        games: index of the first turn of each game, with the game's number.
        labels: the great jumps.
    """

    values: tuple[tuple[float, ...], tuple[float, ...]]
    games: tuple[tuple[int, str], ...]
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class ChanceCurve:
    """The match winning chance of player 0.

    Attributes:
        values: before the first turn and after each, 0 to 1.
        games, labels: as in `CumulativeCurve`.
    """

    values: tuple[float, ...]
    games: tuple[tuple[int, str], ...]
    labels: tuple[Label, ...] = ()


def luck_course(analysis: Analysis) -> tuple[CumulativeCurve, str]:
    """Luck as match winning chance where there is a match to win, else in points; and the unit."""
    if analysis.match.length:
        return _running(analysis, lambda row: 100 * (row.luck_mwc or 0.0), _roll), "points of match winning chance"
    return _running(analysis, lambda row: row.luck_points or 0.0, _roll), "points"


def errors_course(analysis: Analysis) -> CumulativeCurve:
    """What both players have given away, in EMG."""
    # The rows are sorted by loss, so the dictionary keeps the costliest decision of each entry.
    rows = sorted(analysis.decisions, key=lambda row: row.loss or 0.0)
    costliest = {(row.game, row.entry, row.player): row for row in rows}
    return _running(
        analysis,
        lambda row: row.loss or 0.0,
        lambda row: _error(analysis, costliest.get((row.game, row.entry, row.player), row)),
    )


def chance_curve(analysis: Analysis) -> ChanceCurve | None:
    """The match winning chance of player 0 after every turn, as the rows have it; None where no row has one.

    Where a turn was not judged, the curve stays where it was; a game begins at what its score gives.
    """
    rows = analysis.turns
    if all(row.chance_after is None for row in rows):
        return None
    met = met_of(analysis)
    heads = {game.game: chance_before(game, analysis.match.length, met) for game in analysis.games}
    values: list[float] = []
    jumps: list[tuple[int, int, float]] = []
    now, seen = 0.5, 0
    for number, row in enumerate(rows):
        if row.game != seen:
            seen = row.game
            head = heads[seen]
            now = now if head is None else head
            values[-1:] = [now]
        known = chance_of_first(row)
        after = now if known is None else known
        jumps.append((number, 0, after - now))
        now = after
        values.append(now)
    great = _great(jumps, len(rows))
    labels = tuple(Label(turn, 0, _what(rows[turn]), rises=change > 0) for turn, _, change in great)
    return ChanceCurve(tuple(values), _games(analysis), labels)


def chance_of_first(row: TurnRow) -> float | None:
    """The match winning chance of player 0 after a turn; None where its row does not tell."""
    return None if row.chance_after is None else abs(row.player - row.chance_after)


def met_of(analysis: Analysis) -> MatchEquityTable | None:
    """The match equity table of an analysis; None in a money session, and where no table of that name is known."""
    if not analysis.match.length or not analysis.conventions.met:
        return None
    try:
        return find(analysis.conventions.met)
    except MetError:
        return None


def chance_before(game: GameTotals, length: int, met: MatchEquityTable | None) -> float | None:
    """The match winning chance of player 0 before a game; None where no table covers the score."""
    away = (length - game.score[0], length - game.score[1])
    if met is None or not met.covers(away):
        return None
    return met.equity(away, post_crawford=1 in away and not game.crawford)


def _running(analysis: Analysis, of: Callable[[TurnRow], float], called: Callable[[TurnRow], str]) -> CumulativeCurve:
    """The running sums of both players, and what each great jump is called."""
    sums = [0.0, 0.0]
    values: tuple[list[float], list[float]] = ([], [])
    jumps: list[tuple[int, int, float]] = []
    for number, row in enumerate(analysis.turns):
        change = of(row)
        sums[row.player] += change
        jumps.append((number, row.player, change))
        for player in (0, 1):
            values[player].append(sums[player])
    great = _great(jumps, len(analysis.turns))
    labels = tuple(
        Label(turn, player, called(analysis.turns[turn]), rises=change > 0) for turn, player, change in great
    )
    return CumulativeCurve((tuple(values[0]), tuple(values[1])), _games(analysis), labels)


def _great(jumps: Sequence[tuple[int, int, float]], length: int) -> list[tuple[int, int, float]]:
    """The greatest jumps, in the order of play, without those too near to a greater one for a label of their own."""
    ranked = sorted(jumps, key=lambda jump: -abs(jump[2]))
    least = abs(ranked[0][2]) * _GREAT if ranked else 0.0
    kept: list[tuple[int, int, float]] = []
    for jump in ranked:
        if len(kept) == _MOST_LABELS or not jump[2] or abs(jump[2]) < least:
            break
        if all(abs(jump[0] - other[0]) >= _APART * length for other in kept):
            kept.append(jump)
    return sorted(kept)


def _games(analysis: Analysis) -> tuple[tuple[int, str], ...]:
    """Where each game begins."""
    first: dict[int, int] = {}
    for number, row in enumerate(analysis.turns):
        first.setdefault(row.game, number)
    return tuple((number, str(analysis.games[game - 1].number or game)) for game, number in first.items())


def _roll(row: TurnRow) -> str:
    return f"{row.dice}, row {row.row}"


def _choice(row: TurnRow | DecisionRow) -> str:
    said = f"{row.dice} {row.played}".strip()
    return f"{said if len(said) <= _LONGEST else said[: _LONGEST - 1] + '…'}, row {row.row}"


def _error(analysis: Analysis, row: TurnRow | DecisionRow) -> str:
    """An error, with its game."""
    return f"game {analysis.games[row.game - 1].number or row.game}: {_choice(row)}"


def _what(row: TurnRow) -> str:
    return _roll(row) if row.dice else _choice(row)


_LONGEST: Final = 18
"""The most characters of a play or cube action in a label."""
