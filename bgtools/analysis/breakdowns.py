"""Errors and luck by the part of the game, the opening, the cube and the score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.phases import CUBE_SITUATIONS, PHASES, gammon_value_of, stage_of
from bgtools.analysis.ratings.xg import XG_PR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.analysis.rows import DecisionRow, TurnRow

Dimension = Literal[
    "phase", "cube", "crawford", "score", "opening roll", "opening play", "reply roll", "reply play", "decision"
]
"""By what decisions are divided; see `BreakdownRow`."""

_ORDER: Final[dict[str, int]] = {
    value: number
    for number, value in enumerate(
        (
            *PHASES,
            *CUBE_SITUATIONS.values(),
            *("money", "1-point match", "no Crawford rule", "pre-Crawford", "Crawford", "post-Crawford"),
            *("double match point", "gammon-go", "gammon-save", "other"),
        )
    )
}
"""Values in the order in which they are listed; others by the alphabet."""


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """One player's decisions of one sort.

    Attributes:
        player: 0 or 1.
        name: the player's name.
        dimension: by what decisions are divided. ``decision``: checker plays and cube actions by kind. ``phase``: see
            `bgtools.analysis.phases.phase_of`. ``cube``: centred, own, opponent's. ``crawford``: where the match
            stands by the Crawford rule. ``score``: double match point, gammon-go, gammon-save, money, other.
            ``opening roll`` and ``opening play``: the play of a game's first roll, by roll, and by roll and name.
            ``reply roll`` and ``reply play``: the play of its second roll, by both rolls, and by both with their names.
        value: which sort, such as ``bear-off`` or ``31 point``.
        decisions: how many there were.
        analysed: how many of them were judged.
        loss: EMG given away; None without an engine.
        error_rate: 1000 times the loss by decision analysed, in mEMG; None where none was.
        errors: how many were classed as errors of any class; None without an engine.
        xg_pr: XG's performance rating of these decisions alone; None where it counts none.
        counted: how many of them XG's rating counts; None without an engine.
        rolls: rolls whose luck is known: those of these checker plays, and those after which the game was given up.
        luck: EMG that those rolls gave; None where there are none.
    """

    player: int
    name: str
    dimension: Dimension
    value: str
    decisions: int
    analysed: int
    loss: float | None
    error_rate: float | None
    errors: int | None
    xg_pr: float | None
    counted: int | None
    rolls: int
    luck: float | None


def break_down(
    decisions: Sequence[DecisionRow],
    turns: Iterable[TurnRow],
    names: tuple[str, str],
    *,
    crawford_rule: bool,
    engine: bool,
) -> tuple[BreakdownRow, ...]:
    """Divide the decisions of a match by every dimension: player by player, dimension by dimension.

    Args:
        decisions: all of them.
        turns: all turns, which hold the openings' names.
        names: of the players.
        crawford_rule: whether the Crawford rule is in force.
        engine: whether anything was judged; without, the figures that need it are None.
    """
    openings = _openings(turns)
    sorters: dict[Dimension, Callable[[DecisionRow], str]] = {
        "decision": lambda row: row.kind,
        "phase": lambda row: row.phase,
        "cube": lambda row: CUBE_SITUATIONS[row.cube_owner],
        "crawford": lambda row: stage_of(row.score, row.length, crawford=row.crawford, crawford_rule=crawford_rule),
        "score": lambda row: gammon_value_of(row.score, row.length, row.cube, row.cube_owner, crawford=row.crawford),
        "opening roll": lambda row: openings.get(_key(row), _NO_OPENING)[0],
        "opening play": lambda row: openings.get(_key(row), _NO_OPENING)[1],
        "reply roll": lambda row: openings.get(_key(row), _NO_OPENING)[2],
        "reply play": lambda row: openings.get(_key(row), _NO_OPENING)[3],
    }
    found: list[BreakdownRow] = []
    for player in (0, 1):
        for dimension, sort in sorters.items():
            groups: defaultdict[str, list[DecisionRow]] = defaultdict(list)
            for row in decisions:
                if row.player == player and (value := sort(row)):
                    groups[value].append(row)
            found.extend(
                _row(player, names[player], dimension, value, groups[value], engine=engine)
                for value in in_order(groups)
                if engine or any(row.kind != "unplayed roll" for row in groups[value])
            )
    return tuple(found)


def in_order(values: Iterable[str]) -> list[str]:
    """The values of a dimension in the order in which they are listed."""
    return sorted(values, key=lambda value: (_ORDER.get(value, len(_ORDER)), value))


_NO_OPENING: Final = ("", "", "", "")


def _key(row: DecisionRow) -> tuple[int, int, str]:
    return row.game, row.entry, row.kind


def _openings(turns: Iterable[TurnRow]) -> dict[tuple[int, int, str], tuple[str, str, str, str]]:
    """For the plays of the first two rolls of each game: the values of the four dimensions of openings."""
    first: dict[int, TurnRow] = {}
    found = {}
    for turn in turns:
        if not turn.opening_play or not turn.dice:
            continue
        own = (turn.dice, f"{turn.dice} {turn.opening_play}")
        opening = first.get(turn.game)
        if opening is None and turn.opening:
            first[turn.game] = turn
            values = (*own, "", "")
        elif opening is not None:
            before = f"{opening.dice} {opening.opening_play}"
            values = ("", "", f"{opening.dice}, {turn.dice}", f"{before}, {own[1]}")
        else:
            continue
        found[turn.game, turn.entry, "checker play"] = values
    return found


def _row(
    player: int, name: str, dimension: Dimension, value: str, rows: Sequence[DecisionRow], *, engine: bool
) -> BreakdownRow:
    judged = [row for row in rows if row.loss is not None]
    loss = sum(row.loss or 0.0 for row in judged)
    pr = XG_PR.rate(player, judged, length=rows[0].length)
    lucks = [row.luck for row in rows if row.luck is not None]
    return BreakdownRow(
        player=player,
        name=name,
        dimension=dimension,
        value=value,
        decisions=sum(row.kind != "unplayed roll" for row in rows),
        analysed=len(judged),
        loss=loss if engine else None,
        error_rate=1000 * loss / len(judged) if judged else None,
        errors=sum(bool(row.error) for row in rows) if engine else None,
        xg_pr=pr.value,
        counted=pr.counted if engine else None,
        rolls=len(lucks),
        luck=sum(lucks) if lucks else None,
    )
