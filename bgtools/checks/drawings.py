"""Boards that are drawn in remarks, beside the board that the plays above them lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.positions.pictures import find_picture, is_picture
from bgtools.positions.position import IdError
from bgtools.record.record import is_position, places_of_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board, Checkers
    from bgtools.board.perspective import Player
    from bgtools.positions.pictures import Letter
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

_FEW: Final = 4
"""Where more points differ, they are not named."""
_RIMS: Final = ("13-14", "13 14", "12-11", "12 11")
"""One of these stands in every drawn board."""


def check_drawings(match: Match, game: GameReplay) -> Iterator[Finding]:
    """A drawn board is that of the record: before the next entry, or where nothing follows, at the end.

    Which letter is whose is not taken from the drawing: either may be.
    """
    if is_position(game.game) or not any(rim in comment.text for comment in game.game.comments for rim in _RIMS):
        return
    known = next((turn.index for turn in game.turns if not turn.is_legal), len(game.turns))
    for place, comment in zip(places_of_comments(game.game), game.game.comments, strict=True):
        if place > known or not is_picture(comment.text):
            continue  # behind a play that is not known, nor is the board
        board = _board_before(game, place)
        try:
            drawn = find_picture(comment.text.splitlines())
            letters: tuple[Letter, Letter] = ("X", "O")
            boards = [] if drawn is None else [drawn.seen_by(letter) for letter in letters]
        except IdError:
            continue  # half a board, or none after all
        if boards and board not in boards:
            message = f"the board drawn here is not that of the record{_where(match, boards, board)}"
            yield Finding(codes.DRAWN_OTHERWISE, comment.span, message, game=game.game.number)


def _board_before(game: GameReplay, entry: int) -> Board:
    """The board before an entry, seen by player 0."""
    if entry >= len(game.turns):
        return game.final
    turn = game.turns[entry]
    return turn.before if turn.player == 0 else turn.before.flipped()


def _where(match: Match, boards: list[Board], board: Board) -> str:
    """Where the two differ, if they differ little."""
    differences = min((_differences(each, board) for each in boards), key=len)
    if len(differences) > _FEW:
        return ""
    player, point, drawn, real = differences[0]
    name = words.name(match, player)
    return f": it has {drawn} of {name}'s checkers on {words.point(point)}, and there should be {real}"


def _differences(drawn: Board, real: Board) -> list[tuple[Player, int, int, int]]:
    """Where two boards differ: a player, a point, and how many of their checkers each board has there."""
    sides: tuple[tuple[Player, Checkers, Checkers], ...] = ((0, drawn.mine, real.mine), (1, drawn.theirs, real.theirs))
    return [
        (player, point, one, two)
        for player, *both in sides
        for point, (one, two) in enumerate(zip(*both, strict=True))
        if one != two
    ]


RULE: Final = Rule(codes=(codes.DRAWN_OTHERWISE,), in_game=check_drawings)
