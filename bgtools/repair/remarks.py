"""Remarks on what a repair has put in: nobody may take it for what the record said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.carries import Feature
from bgtools.formats.reading import find_format
from bgtools.formats.rendering import stretches
from bgtools.record.record import CheckerPlay, Comment, places_of_comments
from bgtools.replayer.entries import entry_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.record.record import Entry, Game, Match

_OPENING: Final = "reconstructed: "
"""How such a remark begins; what was put in follows."""


def is_reconstructed(match: Match) -> bool:
    """Whether a remark in a record says that something in it was put in by a repair."""
    return any(each.text.startswith(_OPENING) for game in match.games for each in game.comments)


def with_remarks(match: Match, right: Match, proved: Match) -> Match:
    """A repaired record with a remark at everything that was put in, where its format has remarks.

    Args:
        match: the record as it is written.
        right: the repaired record.
        proved: the record with what it proves itself; what stands there too needs no remark.
    """
    source = match.source
    if source is not None and source.format and Feature.COMMENTS not in find_format(source.format).carries.features:
        return right
    if not len(match.games) == len(right.games) == len(proved.games):
        return right
    games = tuple(
        one if one is two else _with_remarks(one, two, is_proved=two == three)
        for one, two, three in zip(match.games, right.games, proved.games, strict=True)
    )
    return replace(right, games=games)


def _with_remarks(stands: Game, right: Game, *, is_proved: bool) -> Game:
    """A repaired game with a remark at what was put in; its own remarks stay at the entries at which they stood."""
    changes = [*stretches(stands.entries, right.entries)]
    comments = [
        replace(each, at=at + sum(last - first - (end - start) for start, end, first, last in changes if end <= at))
        for each, at in zip(stands.comments, places_of_comments(stands), strict=True)
    ]
    if not is_proved:
        for start, end, first, last in changes:
            put_in = [*_put_in(stands.entries[max(start, 0) : end], right.entries[max(first, 0) : last])]
            if put_in:
                at = max(first, 0) + put_in[0][0]
                comments.append(Comment(text=_OPENING + "; ".join(entry_words(each) for _, each in put_in), at=at))
        if right.results and not stands.results:
            comments.append(Comment(text=f"{_OPENING}the result", at=len(right.entries)))
    return replace(right, comments=tuple(comments)) if comments else right


def _put_in(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """What stands in some entries of a game for nothing, or for a play that nobody wrote down, each with its index."""
    left = [*old]
    more = len(new) - len(old)
    for index, entry in enumerate(new):
        origin = next((each for each in left if _is_origin(each, entry)), None)
        if origin is not None:
            left.remove(origin)
            if isinstance(origin, CheckerPlay) and origin.text.kind == "unknown":
                yield index, entry
        elif more > 0 or not left:
            more -= 1
            yield index, entry


def _is_origin(one: Entry, two: Entry) -> bool:
    """Whether an entry was made of another one."""
    if one.span.end:
        return one.span == two.span
    return one is two or (type(one), one.player) == (type(two), two.player)
