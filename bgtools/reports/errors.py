"""The errors of an analysis, the worst first: as lines for the terminal and as plain values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.board.hops import hops_of
from bgtools.drawing.board import Viewpoint, board_picture
from bgtools.findings.finding import printable
from bgtools.positions.notations import decode_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Board
    from bgtools.drawing.shapes import Picture

SHOWN: Final = 5
"""How many errors the terminal shows."""
_COLUMNS: Final = (
    "game", "turn", "entry", "player", "name", "kind", "xgid", "dice", "played", "best", "loss", "loss_mwc",
    "loss_points", "error", "error_kind", "detail", "phase", "themes", "sentence", "verdict", "rollout_loss",
    "rollout_error", "rollout_games",
)  # fmt: skip
"""The fields that `lesson_data` takes from a row."""


def worst(decisions: Iterable[DecisionRow]) -> list[DecisionRow]:
    """The decisions that are errors of some class, the costliest first."""
    return sorted((row for row in decisions if row.error), key=lambda row: -(row.loss or 0.0))


def errors_data(analysis: Analysis) -> list[dict[str, Any]]:
    """The errors as plain values, the costliest first."""
    return lesson_data(worst(analysis.decisions))


def lesson_data(rows: Iterable[DecisionRow]) -> list[dict[str, Any]]:
    """Judged decisions as plain values."""
    return [{name: _plain(getattr(row, name)) for name in _COLUMNS} for row in rows]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def errors_lines(analysis: Analysis, *, boards: bool = False, width: int | None = None) -> Iterator[str]:
    """The costliest errors: a line with what was done, one with the reason, and the board where ``boards`` asks for it.

    No line where there is no error. ``width`` is how many columns there are for a board.
    """
    found = worst(analysis.decisions)
    if not found:
        return
    yield f"worst errors ({SHOWN} of {len(found)}):" if len(found) > SHOWN else "errors:"
    for row in found[:SHOWN]:
        number = analysis.games[row.game - 1].number or row.game
        roll = f" {row.dice}" if row.dice else ""
        yield f"  game {number}, turn {row.turn}, {printable(row.name)}{roll}: {decision_text(row)}"
        yield f"    {printable(row.sentence)}"
        if boards:
            room = None if width is None else width - 4
            yield from (f"    {line}" for line in board_lines(row, analysis.match.players, room))


def board_lines(row: DecisionRow, players: tuple[str, str], width: int | None = None) -> list[str]:
    """The lines of the board of a decision. Where a double is answered, the doubler sees the board."""
    position = decode_id(row.xgid)
    names = [printable(name) for name in players]
    roller = on_roll(row, position.board)
    return replace(position, names=(names[roller], names[1 - roller])).text(width).splitlines()


def board_of(row: DecisionRow, players: tuple[str, str]) -> Picture:
    """The board of a decision with what was played and what was best: each player keeps their checkers in a match."""
    position = decode_id(row.xgid)
    roller = on_roll(row, position.board)
    plays = row.kind == "checker play"
    return board_picture(
        position.board,
        position.state,
        dice=position.dice,
        names=(players[roller], players[1 - roller]),
        offered=position.offer == "double",
        played=hops_of(row.played, position.board, row.dice) if plays else (),
        best=hops_of(row.best, position.board, row.dice) if plays else (),
        seat=Viewpoint(dark=roller == 1),
    )


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
    said = f"{printable(row.played)}, best {printable(row.best)} (-{row.loss or 0.0:.3f})"
    if not row.verdict:
        return said
    if row.rollout_loss is None or row.rollout_error is None:
        return f"{said}, {row.verdict}"
    return f"{said}, {row.verdict} ({-row.rollout_loss:+.3f} ± {row.rollout_error:.3f})"


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
