"""The games of a match as a table for a page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

_COLUMNS = ("game", "score", "winner", "points", "ending")


def games_html(match: Match) -> str:
    """A row a game: its number, the score before it, who won how many points, and how it ended."""
    names = [name or f"player {number}" for number, name in enumerate(match.players, 1)]
    length = f"{match.length} point{'' if match.length == 1 else 's'}" if match.length else "money"
    caption = escape(f"{names[0]} - {names[1]}, {length}")
    rows = "".join(_row(_cells(game, names), "td") for game in replay(match))
    return f"<table><caption>{caption}</caption>{_row(_COLUMNS, 'th')}{rows}</table>"


def _cells(game: GameReplay, names: list[str]) -> tuple[str, ...]:
    number = game.index + 1 if game.game.number is None else game.game.number
    crawford = " Crawford" if game.crawford else ""
    winner = "" if game.winner is None else names[game.winner]
    points = "" if game.points is None else str(game.points)
    return str(number), f"{game.score[0]}-{game.score[1]}{crawford}", winner, points, game.ending


def _row(cells: tuple[str, ...], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
