"""What remarks show, beside what the record says: boards that are drawn, and captions that name the next roll."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other, view
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Related, quoted
from bgtools.positions.pictures import drawn_boards
from bgtools.record.record import CheckerPlay, is_position, places_of_comments
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board, Checkers
    from bgtools.board.perspective import Player
    from bgtools.record.record import Comment, Match
    from bgtools.replayer.turn import GameReplay

_FEW: Final = 4
"""Where more points differ, they are not named."""
_RIMS: Final = ("13-14", "13 14", "12-11", "12 11", "' '", "''")
"""One of these stands in every drawn board."""


_CAPTION: Final = re.compile(
    r"[ \t]*(?P<line>(?:(?:position|diagram)[ ]\d{1,3}[.:]?[ ]*)?(?P<who>[^\W\d_][\w.' \u2019-]{0,40})[ ]to[ ]"
    r"(?:play|move)[ ]?:?[ ]?(?:an?[ ])?(?P<one>[1-6])[-,]?(?P<two>[1-6])(?:[ ]from[ ]the[ ]bar)?)[ \t.:?]*",
    re.IGNORECASE,
)
"""A line that says no more than who is to play which roll."""


def check_witnesses(match: Match, game: GameReplay) -> Iterator[Finding]:
    """Drawn boards and captions agree with the record."""
    yield from _check_drawings(match, game)
    yield from _check_captions(match, game)


def _check_captions(match: Match, game: GameReplay) -> Iterator[Finding]:
    """A caption such as ``Black to play 6-2.`` names the roll of the entry that follows it, and its player."""
    entries = game.game.entries
    if not any(" to " in comment.text for comment in game.game.comments):
        return
    for place, comment in zip(places_of_comments(game.game), game.game.comments, strict=True):
        found = next(filter(None, map(_CAPTION.fullmatch, reversed(comment.text.splitlines()))), None)
        entry = entries[place] if place < len(entries) else None
        if found is None or not isinstance(entry, CheckerPlay) or entry.dice is None:
            continue
        says = sorted((int(found["one"]), int(found["two"])))
        above = entries[place - 1] if place else None
        if isinstance(above, CheckerPlay) and says == sorted(above.dice or ()):
            continue  # a quiz: the roll, the caption, and only then the play
        if says != sorted(entry.dice):
            other_words = f"the record has {words.roll(entry.dice)}"
        elif found["who"] == match.players[other(entry.player)] != match.players[entry.player]:
            other_words = f"in the record it is {words.name(match, entry.player)}'s roll"
        else:
            continue
        message = f"{quoted(found['line'])} stands here, and {other_words}"
        related = (Related(entry.span, "the roll that follows"),)
        yield Finding(
            codes.CAPTIONED_OTHERWISE,
            _span_of(match, comment, found["line"]),
            message,
            game=game.game.number,
            related=related,
        )


def _span_of(match: Match, comment: Comment, line: str) -> Span:
    """Where a line of a remark stands in the file; the remark where that cannot be told."""
    start, end = comment.span
    at = match.source.text.find(line, start, end) if match.source is not None else -1
    return comment.span if at < 0 else Span(at, at + len(line))


def _check_drawings(match: Match, game: GameReplay) -> Iterator[Finding]:
    """A drawn board is that of the record: before the next entry, or where nothing follows, at the end.

    Which letter is whose is not taken from the drawing: either may be.
    """
    if is_position(game.game) or not any(rim in comment.text for comment in game.game.comments for rim in _RIMS):
        return
    known = next((turn.index for turn in game.turns if not turn.is_legal), len(game.turns))
    for place, comment in zip(places_of_comments(game.game), game.game.comments, strict=True):
        if place > known:
            continue  # behind a play that is not known, nor is the board
        board, boards = _board_before(game, place), drawn_boards(comment.text)
        if boards and board not in boards:
            message = f"the board drawn here is not that of the record{_where(match, boards, board)}"
            yield Finding(codes.DRAWN_OTHERWISE, comment.span, message, game=game.game.number)


def _board_before(game: GameReplay, entry: int) -> Board:
    """The board before an entry, seen by player 0."""
    if entry >= len(game.turns):
        return game.final
    turn = game.turns[entry]
    return view(turn.before, turn.player)


def _where(match: Match, boards: tuple[Board, ...], board: Board) -> str:
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


RULE: Final = Rule(codes=(codes.DRAWN_OTHERWISE, codes.CAPTIONED_OTHERWISE), in_game=check_witnesses)
