"""Errors and luck by the part of the game, the opening, the cube and the score; counts without an engine.

Sentences say what an analysis leaves out, and what it assumes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from bgtools.analysis.counts import add_up, count_game
from bgtools.analysis.dice import dice_report, rolls_of
from bgtools.analysis.phases import CUBE_SITUATIONS, PHASES, gammon_value_of, pip_course, stage_of
from bgtools.analysis.races import race_rows
from bgtools.analysis.ratings.xg import XG_PR

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from bgtools.analysis.races import RaceRow
    from bgtools.analysis.rows import DecisionRow, TurnRow
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.replayer.turn import GameReplay
    from bgtools.rules.options import Ruleset


Dimension = Literal[
    "phase", "cube", "crawford", "score", "reason", "opening roll", "opening play", "reply roll", "reply play",
    "decision",
]  # fmt: skip
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
            ``reason``: ``score``, the errors that are none for money.
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
        "reason": lambda row: "score" if "score" in row.themes else "",
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


AnalysisPart = Literal["counts", "races", "dice", "breakdowns", "pips", "lessons", "plays", "scores", "worst scores"]
"""What an analysis holds besides its rows and totals; each takes some time."""

PARTS: Final[frozenset[AnalysisPart]] = frozenset(get_args(AnalysisPart)) - {"plays", "scores", "worst scores"}
"""All parts but the value of every play, which only pages show, and the errors at every score, which take longer than
the rest together."""


def with_details(
    analysis: Analysis, games: Sequence[GameReplay], rules: Ruleset, parts: Collection[AnalysisPart] = PARTS
) -> Analysis:
    """An analysis completed by counts, races, pips, dice and break-downs.

    Args:
        analysis: the rows and the totals.
        games: the replay that they come from.
        rules: the options of the match.
        parts: which of these are wanted.
    """
    names, engine = analysis.match.players, bool(analysis.conventions.engine)
    if "counts" in parts:
        analysis = _with_counts(analysis, games)
    if "races" in parts:
        analysis = _with_races(analysis, race_rows(games, names))
    if "dice" in parts:
        analysis = replace(analysis, dice=dice_report(rolls_of(games), names))
    if "pips" in parts:
        analysis = replace(analysis, pips=pip_course(games))
    if "breakdowns" in parts:
        sorts = break_down(analysis.decisions, analysis.turns, names, crawford_rule=rules.crawford, engine=engine)
        analysis = replace(analysis, breakdowns=sorts)
    return analysis


def _with_counts(analysis: Analysis, games: Sequence[GameReplay]) -> Analysis:
    counted = [count_game(game) for game in games]
    first, second = (
        replace(total, counts=add_up(pair[total.player] for pair in counted)) for total in analysis.players
    )

    def completed(total: GameTotals) -> GameTotals:
        one, two = (replace(each, counts=counted[total.game - 1][each.player]) for each in total.players)
        return replace(total, players=(one, two))

    return replace(analysis, players=(first, second), games=tuple(map(completed, analysis.games)))


def _with_races(analysis: Analysis, races: tuple[RaceRow, ...]) -> Analysis:
    first = {row.game: row for row in reversed(races)}
    return replace(
        analysis, races=races, games=tuple(replace(total, race=first.get(total.game)) for total in analysis.games)
    )


def left_out(decisions: Sequence[DecisionRow], turns: Sequence[TurnRow]) -> tuple[str, ...]:
    """One sentence per reason for what was left out."""
    notes: list[str] = []
    for reason, count in Counter(row.note for row in decisions if row.note and row.kind != "unplayed roll").items():
        notes.append(f"{count} {'decision' if count == 1 else 'decisions'} not analysed: {reason}.")
    for reason, count in Counter(row.note for row in turns if row.note).items():
        notes.append(f"Luck of {count} {'roll' if count == 1 else 'rolls'} not known: {reason}.")
    return tuple(notes)


_NO_LIMIT: Final = 1024
"""Programs write this limit of the cube, or a higher one, where no limit was set."""


def unknown_rules(rules: Ruleset, length: int, *, cube_limit: bool = False) -> tuple[str, ...]:
    """The rules of the record that the engine's equities do not know, a sentence each.

    Args:
        rules: the options of the record.
        length: points to win the match; 0 for money.
        cube_limit: whether the engine reckons with a limit of the cube.
    """
    notes: list[str] = []
    silent = [name for name, told in (("the Jacoby rule", rules.jacoby), ("beavers", rules.beavers)) if told is None]
    if silent and not length:
        verb = "were" if rules.beavers is None else "was"
        notes.append(f"The record does not say whether {' and '.join(silent)} {verb} in force; it is judged without.")
    if not cube_limit and (note := _of_the_limit(rules.cube_limit, length)):
        notes.append(note)
    if rules.quadruple:
        notes.append("A backgammon on the bar counts four times; equities count it three times.")
    if length > 1 and not rules.crawford:
        notes.append(
            "Played without the Crawford rule; the match equity table assumes it for scores before a player stands one "
            "point from winning."
        )
    if length > 1 and rules.holland:
        notes.append("Played with the Holland rule; equities let a player double at once after the Crawford game.")
    return tuple(notes)


def _of_the_limit(limit: int | None, length: int) -> str:
    """What equities that know no limit of the cube assume; empty where it makes no difference."""
    if limit == 1:
        return "Played without a cube; equities assume one that may be turned."
    if limit is None or limit >= (length or _NO_LIMIT):
        return ""
    return f"The cube may not go beyond {limit}; equities know no such limit."
