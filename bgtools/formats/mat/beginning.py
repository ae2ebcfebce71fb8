"""Match text: the head of a record, for whoever begins to type one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.formats.mat.reader import read
from bgtools.formats.mat.writer import write_content
from bgtools.record.record import Comment, Game, Match, Tag
from bgtools.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

_HELP = (
    "Type a row a turn: its number, then what each player rolled and played. Begin remarks with a semicolon.",
    "  1) 31: 8/5 6/5                    52: 13/8 24/22",
    "  2)  Doubles => 2                   Takes",
)
_HELP_BY_HAND = (
    "Type a row a turn: its number, then for each player the dice and the points where the checkers end.",
    "  1) 31: 5 5                        52: 11 22",
    "  2) Double                         Take",
    "A star marks a hit. A dance is the dice alone, or nothing. Begin remarks with a semicolon.",
)


class BeginError(ValueError):
    """A name that no record can hold. The message says why."""


def record_to_begin(
    players: tuple[str, str], length: int, tags: Mapping[str, str] | None = None, *, by_hand: bool = False
) -> str:
    """The head of a record in match text, which is itself a sound record without a roll.

    Args:
        players: whose rolls stand on the left, and on the right.
        length: points to win the match; 0 for money.
        tags: what else is known, by its key, such as ``Event``; what is empty is left out.
        by_hand: whether its remarks show how to write no more than where the checkers end.

    Raises:
        BeginError: a name or a tag would be read as something else.
    """
    known = tuple(Tag(key=key, value=value) for key, value in (tags or {}).items() if value)
    for what in (*players, *(tag.value for tag in known)):
        if not what.strip() or not what.isprintable():
            raise BeginError(f"{what!r} has nothing to print, or what is no character")
    game = Game(number=1, score=(0, 0), entries=())
    comments = tuple(Comment(text=text) for text in (_HELP_BY_HAND if by_hand else _HELP))
    match = Match(players=players, length=length, games=(game,), tags=known, comments=comments)
    try:
        text = write_content((match,)).decode()
    except FormatError as error:
        raise BeginError(str(error)) from None
    (back, *_) = read(Source("", text))
    for name, other in zip(players, back.players, strict=True):
        if name != other:
            raise BeginError(f"{name!r} would be read as {other!r}")
    kept = {tag.key: tag.value for tag in back.tags}
    if any(kept.get(tag.key) != tag.value for tag in known):
        raise BeginError("a quotation mark or a bracket would end the text early")
    return f"{text.rstrip()}\n  1) "
