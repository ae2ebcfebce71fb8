"""Decisions in words: errors, entries, what positions are worth, and the analysis that a record holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from bgtools.analysis.errors import AS_GOOD, LEAST_SHOWN
from bgtools.analysis.result import distinct_names
from bgtools.board.hopping import hops_of
from bgtools.board.perspective import other
from bgtools.decoder.entries import entry_words
from bgtools.drawing.board import Viewpoint
from bgtools.engines.protocol import LOOKED_UP
from bgtools.findings.finding import printable
from bgtools.findings.quantities import CHANCE, CHANCE_APART, EQUITY, LOSS, LOST, LUCK
from bgtools.positions.notations import decode_id
from bgtools.positions.position import picture_of
from bgtools.record.annotation import time_left
from bgtools.record.record import CheckerPlay, SetBoard
from bgtools.reports.document import DataTable
from bgtools.reports.findings import few
from bgtools.reports.values import plain, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.analysis.evaluation import Choice, Evaluation
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Board
    from bgtools.drawing.shapes import Picture
    from bgtools.positions.position import Position
    from bgtools.record.annotation import (
        Annotation,
        CubeAnalysis,
        Evaluation as RecordedEvaluation,
        Level,
        PlayAnalysis,
        Unit,
    )
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn


SHOWN: Final = 5
"""How many errors the terminal shows."""
_COLUMNS: Final = (
    "game turn entry player name kind xgid dice played best loss loss_mwc loss_points error error_kind detail phase "
    "themes right_at loss_at_money sentence verdict rollout_loss rollout_error rollout_games"
)
"""The fields that `lesson_data` takes from a row."""


def worst(decisions: Iterable[DecisionRow], player: int | None = None) -> list[DecisionRow]:
    """The decisions that are errors of some class, of one player where one is given, the costliest first."""
    own = (row for row in decisions if row.error and player in (None, row.player))
    return sorted(own, key=lambda row: -(row.loss or 0.0))


def errors_data(analysis: Analysis) -> list[dict[str, Any]]:
    """The errors as plain values, the costliest first."""
    return lesson_data(worst(analysis.decisions))


def lesson_data(rows: Iterable[DecisionRow]) -> list[dict[str, Any]]:
    """Judged decisions as plain values."""
    return [values_of(row, _COLUMNS) for row in rows]


def errors_lines(
    analysis: Analysis, *, boards: bool = False, width: int | None = None, player: int | None = None
) -> Iterator[str]:
    """The costliest errors of each player: what was done, the reason, and the board where ``boards`` asks for it.

    No line for a player without errors. ``width`` is how many columns there are for a board, ``player`` whose errors
    are shown, where not those of both.
    """
    names = [printable(name) for name in distinct_names(analysis.match.players)]
    for each in (0, 1) if player is None else (player,):
        found = worst(analysis.decisions, each)
        if found:
            many = f"{SHOWN} worst of {len(found)} errors" if len(found) > SHOWN else few(len(found), "error")
            yield f"{names[each]}, {many}:"
            yield from _errors_of(analysis, found[:SHOWN], boards=boards, width=width)


def _errors_of(analysis: Analysis, found: Iterable[DecisionRow], *, boards: bool, width: int | None) -> Iterator[str]:
    for row in found:
        number = analysis.games[row.game - 1].number or row.game
        roll = f", {row.dice}" if row.dice else ""
        yield f"  game {number}, row {row.row}{roll}: {decision_text(row)}"
        yield f"    {printable(row.sentence)}"
        if boards:
            room = None if width is None else width - 4
            yield from (f"    {line}" for line in board_lines(row, analysis.match.players, room))


def board_lines(row: DecisionRow, players: tuple[str, str], width: int | None = None) -> list[str]:
    """The lines of the board of a decision: who decides sits below, with their own numbers."""
    position = decode_id(row.xgid)
    names = [printable(name) for name in players]
    roller = on_roll(row, position.board)
    position = replace(position, names=(names[roller], names[1 - roller]))
    return position.text(width, answering=roller != row.player).splitlines()


def board_of(row: DecisionRow, players: tuple[str, str], *, solved: bool = True) -> Picture:
    """The board of a decision: who decides sits below, with their own numbers, and each player keeps their checkers.

    Args:
        row: the decision.
        players: the names of both.
        solved: whether to draw what was played and what was best.
    """
    position = decode_id(row.xgid)
    roller = on_roll(row, position.board)
    arrows = solved and row.kind == "checker play"
    played, best = (hops_of(each, position.board, row.dice) if arrows else () for each in (row.played, row.best))
    position = replace(position, names=(players[roller], players[1 - roller]))
    seat = Viewpoint(dark=row.player == 1)
    return picture_of(position, answering=roller != row.player, played=played, best=best, seat=seat)


def on_roll(row: DecisionRow, board: Board) -> int:
    """The player on roll, from whose side the board of a decision is seen.

    Where a double is answered, that is the doubler. In a resignation and its answer, the pip counts tell who it is.
    """
    if row.kind in ("take", "pass", "beaver", "take raccoon", "pass raccoon"):
        return 1 - row.player
    if row.kind in ("resign", "accept") and board.pips != (row.pips, row.opponent_pips):
        return 1 - row.player
    return row.player


def decision_text(row: DecisionRow) -> str:
    """What was done, what would have been best, and the loss; only what was done where nobody judged the decision."""
    if row.loss is None:
        return printable(row.played)
    return f"{printable(row.played)}, best {printable(row.best)} ({LOSS.text(row.loss)}){rollout_text(row)}"


class RolledOut(Protocol):
    """A decision with what a rollout says of it, as the table of decisions has it."""

    @property
    def verdict(self) -> str: ...  # noqa: D102
    @property
    def rollout_loss(self) -> float | None: ...  # noqa: D102
    @property
    def rollout_error(self) -> float | None: ...  # noqa: D102


def rollout_text(row: RolledOut) -> str:
    """What a rollout says of a decision, as the end of a sentence; empty where none was made."""
    if not row.verdict:
        return ""
    if row.rollout_loss is None or row.rollout_error is None:
        return f", {row.verdict}"
    return f", {row.verdict} ({EQUITY.text(-row.rollout_loss)} ± {LOST.text(row.rollout_error)})"


def shown_loss(loss: float) -> str:
    """A loss; nothing where a choice is as good as the best."""
    return LOSS.text(loss) if loss >= LEAST_SHOWN else ""


def alternatives_table(row: DecisionRow) -> DataTable:
    """All choices of a decision that were valued: equity, loss, wins and gammons, and how deep each was looked at."""
    heads = ("", "equity", "loss", "wins", "gammons", "loses gammons", "depth")
    rows = []
    for choice in row.choices:
        chances = (choice.win, choice.win_gammon, choice.lose_gammon)
        made = "*" if choice.made and row.kind != "double" else " "
        rows.append(
            (
                f"{made}{printable(choice.choice)}",
                EQUITY.text(choice.equity),
                shown_loss(choice.loss),
                *("" if chance is None else CHANCE.text(chance) for chance in chances),
                printable(choice.depth),
            )
        )
    return DataTable("Alternatives", heads, rows, "* what was done", text_at=(0, len(heads) - 1))


def cube_verdict(row: DecisionRow) -> str:
    """What is right with the cube, and what the other actions lose: ``Double, take: no double loses 0.062``.

    Empty for a play, and where the equities of the actions are not known.
    """
    worth = {choice.choice: choice.equity for choice in row.choices}
    if set(worth) == {"Take", "Pass"}:
        right, wrong = ("Take", "pass") if worth["Take"] >= worth["Pass"] else ("Pass", "take")
        return f"{right}{_losing([(wrong, abs(worth['Take'] - worth['Pass']))])}"
    if not {"No double", "Double, take", "Double, pass"} <= set(worth):
        return ""
    none, take, cash = (worth[action] for action in ("No double", "Double, take", "Double, pass"))
    answer, wrong = ("take", "pass") if take <= cash else ("pass", "take")
    doubled = min(take, cash)
    bad_answer = (wrong, abs(take - cash))
    if none <= doubled:
        return f"Double, {answer}{_losing([('no double', doubled - none), bad_answer])}"
    name = "Too good to double" if answer == "pass" and none > cash else "No double"
    return f"{name}, {answer}{_losing([('double', none - doubled), bad_answer])}"


def _losing(actions: Iterable[tuple[str, float]]) -> str:
    """What other actions lose, after what is right."""
    lost = [f"{action} loses {LOST.text(loss)}" for action, loss in actions if loss >= LEAST_SHOWN]
    return f": {', '.join(lost)}" if lost else ""


def lesson_lines(rows: Iterable[DecisionRow]) -> Iterator[str]:
    """What each decision cost and why, where it is judged, and its themes."""
    for row in rows:
        if row.loss is not None:
            lost = row.loss >= LEAST_SHOWN
            yield f"made: {decision_text(row)}" if lost else f"made: {printable(row.played)}, as good as any"
            if lost and row.sentence:
                yield f"  {printable(row.sentence)}"
        if row.themes:
            yield f"  themes: {', '.join(row.themes)}"


def entry_text(match: Match, turn: Turn) -> str:
    """Who does what: ``Nora Lindholm: 63: 24/18 24/21``."""
    return f"{name_of(match, turn.player)}: {printable(_describe(turn.entry))}"


def position_before(match: Match, game: GameReplay, index: int) -> Position:
    """The position before an entry, seen by the player on roll. Where the entry answers a double, the doubler is.

    Args:
        match: the record.
        game: the game.
        index: index of the entry in the game, from 0. If the entry sets the board, the position is the one it sets.
    """
    at = game.turns[index]
    position = at.position
    if isinstance(at.entry, SetBoard) and index + 1 < len(game.turns):
        # The decision in a position that is set is the next entry, so its dice are shown.
        following = game.turns[index + 1].entry
        if isinstance(following, CheckerPlay) and following.player == at.player:
            position = replace(position, dice=following.dice)
    doubler = at.player if at.offer in ("", "beaver") else other(at.player)
    return replace(position, names=(name_of(match, doubler), name_of(match, other(doubler))))


def name_of(match: Match, player: int) -> str:
    """The name of a player, fit to be printed, or "player 1"."""
    return printable(match.players[player]) or f"player {player + 1}"


def _describe(entry: Entry) -> str:
    match entry:
        case CheckerPlay(text=text) if not str(text):
            return f"{entry_words(entry)} nothing"
        case SetBoard():
            return "on roll in a position that has been set"
        case _:
            return entry_words(entry)


_SHOWN: Final = 10
"""How many of the best plays are printed."""
_NAMED: Final = 4
"""How many plays that are as good as each other are named."""
_DIGITS: Final = 6
_CHANCES: Final = "win win_gammon win_backgammon lose_gammon lose_backgammon"


def evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """The engine; then the plays, the best first, or the equities of the cube and the best cube action."""
    stamp = evaluation.stamp
    told = (f"{stamp.engine} {stamp.version}".strip(), stamp.level, stamp.met)
    yield printable(", ".join(filter(None, told)))
    rows = _cube_rows(evaluation) or [(each.action, each.equity, each.loss) for each in evaluation.choices]
    width = max((len(action) for action, *_ in rows), default=0)
    searched = next((at for at, (action, *_) in enumerate(rows) if action != "Pass"), 0)
    for at, (action, equity, loss) in enumerate(rows[:_SHOWN]):
        short = f"({LOSS.text(loss)})" if loss >= LEAST_SHOWN else ""
        # All cube actions share the chances of the position, and what a pass is worth needs no search; each play has
        # its own.
        found = _found(evaluation.choices[at]) if at == searched or evaluation.plays else ""
        yield f"  {action:{width}}  {EQUITY.text(equity)} {short:8}{found}".rstrip()
    if len(rows) > _SHOWN:
        yield f"  and {len(rows) - _SHOWN} more"
    if evaluation.note:
        yield f"  {printable(evaluation.note)}"
    if not evaluation.plays:
        yield f"best: {printable(evaluation.best_action)}"
    if alike := _as_good(evaluation):
        yield f"as good as each other, as far as the engine can tell: {printable(alike)}"


def _as_good(evaluation: Evaluation) -> str:
    """What is as good as the best choice, with that choice; nothing where a table of endings tells which is best."""
    cube, choices = evaluation.cube, evaluation.choices
    if not choices or choices[0].depth in LOOKED_UP:
        return ""
    if cube is None or evaluation.position.offer:
        alike = [each.action for each in choices if each.loss < AS_GOOD]
        more = [f"{len(alike) - _NAMED} more"] if len(alike) > _NAMED else []
        return ", ".join([*alike[:_NAMED], *more]) if len(alike) > 1 else ""
    pairs = {"doubling and waiting": cube.no_double - cube.double, "take and pass": cube.double_take - cube.double_pass}
    return ", ".join(pair for pair, apart in pairs.items() if abs(apart) < AS_GOOD)


def _cube_rows(evaluation: Evaluation) -> list[tuple[str, float, float]]:
    """The three equities of the cube, each with the loss of that action; empty where a double is to be answered."""
    cube = evaluation.cube
    if cube is None or evaluation.position.offer:
        return []
    double = cube.best - cube.double
    return [
        ("No double", cube.no_double, cube.best - cube.no_double),
        ("Double, beaver" if cube.is_beaver else "Double, take", cube.double_take, double if cube.should_take else 0.0),
        ("Double, pass", cube.double_pass, 0.0 if cube.should_take else double),
    ]


def _found(choice: Choice) -> str:
    chances = choice.probabilities
    return f"   {printable(choice.depth)}" + (
        chances_in_words([getattr(chances, name) for name in _CHANCES.split()]) if chances is not None else ""
    )


def evaluation_data(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as plain values, equities to six digits."""
    cube = evaluation.cube
    return {
        **values_of(evaluation.stamp, "engine version level met"),
        "best_action": evaluation.best_action,
        "no_double": plain(cube and cube.no_double, _DIGITS),
        "double_take": plain(cube and cube.double_take, _DIGITS),
        "double_pass": plain(cube and cube.double_pass, _DIGITS),
        "choices": [values_of(each, f"action equity loss {_CHANCES} depth", _DIGITS) for each in evaluation.choices],
        "note": evaluation.note or None,
    }


def recorded_lines(annotation: Annotation) -> list[str]:
    """What the file says of a decision, a line each: its source, the cube, the plays, the luck, the clocks."""
    left = zip(("who acted", "the opponent"), annotation.clock or (), strict=False)
    clock = [f"{who} has {time_left(seconds)}" for who, seconds in left if seconds is not None]
    shown = [f"clocks: {', '.join(clock)} left"] if clock else []
    lines: list[str] = []
    if annotation.cube is not None:
        lines += _cube(annotation.cube)
    if annotation.plays is not None:
        lines += _plays(annotation.plays)
    if annotation.luck is not None:
        lines.append(f"luck {LUCK.text(annotation.luck)}")
    if not lines:
        return shown
    by = printable(annotation.program) or "a program it does not name"
    return [f"the record's analysis, by {by}", *lines, *shown]


def _cube(cube: CubeAnalysis) -> Iterator[str]:
    unit = cube.no_double.unit
    yield f"  No double     {_worth(cube.no_double, cube.level)}"
    yield f"  Double, take  {_equity(cube.double_take)}"
    if cube.double_drop is not None:
        yield f"  Double, pass  {_number(cube.double_drop, unit)}"


def _plays(plays: PlayAnalysis) -> Iterator[str]:
    names = [printable(" ".join(map(str, each.hops))) or "Cannot Move" for each in plays.candidates]
    width = max(map(len, names), default=0)
    for number, (name, each) in enumerate(zip(names, plays.candidates, strict=True)):
        made = "*" if number == plays.chosen else " "
        yield f"{made} {name:{width}}  {_worth(each.evaluation, each.level)}"


def _worth(evaluation: RecordedEvaluation, level: Level) -> str:
    depth = f"   {printable(level.name)}" if level.name else ""
    return f"{_equity(evaluation)}{depth}{_chances(evaluation)}"


def _equity(evaluation: RecordedEvaluation) -> str:
    cubeful = evaluation.equity
    return _number(evaluation.cubeless if cubeful is None else cubeful, evaluation.unit)


def _number(value: float | None, unit: Unit) -> str:
    if value is None:
        return "     -"
    return CHANCE.text(value, 2) if unit == "mwc" else EQUITY.text(value)


def _chances(evaluation: RecordedEvaluation) -> str:
    return "" if evaluation.probabilities is None else chances_in_words(evaluation.probabilities)


def chances_in_words(chances: Iterable[float]) -> str:
    """Chances of winning, and of winning and losing gammons and backgammons, each 0 to 1, after an equity."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(CHANCE_APART.text, chances)
    return (
        f"   wins {win}% (gammon {gammon}, backgammon {backgammon}), "
        f"loses (gammon {lost_gammon}, backgammon {lost_backgammon})"
    )
