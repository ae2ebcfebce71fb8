"""Remarks on what a repair has put in: nobody may take it for what the record said."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from bgtools.board.board import OFF
from bgtools.decoder.entries import entry_words
from bgtools.formats.reading import find_format
from bgtools.formats.rendering import stretches
from bgtools.record.record import RECONSTRUCTED, CheckerPlay, Comment, Drop, places_of_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.record.record import Game, Match


def with_remarks(match: Match, right: Match, proved: Match) -> Match:
    """A repaired record with a remark at everything that was put in, where its format has remarks.

    Args:
        match: the record as it is written.
        right: the repaired record.
        proved: the record with what it proves itself; what stands there too needs no remark.
    """
    source = match.source
    if source is not None and source.format and "comments" in find_format(source.format).leaves_out:
        return right
    if not len(match.games) == len(right.games) == len(proved.games):
        return right
    order = [game.heading for game in match.games]
    moved = [game for game, heading in zip(right.games, order, strict=True) if game.heading != heading]
    if moved:
        games = tuple(_at_first(each, "the order of the games") if each is moved[0] else each for each in right.games)
        return replace(right, games=games)
    games = tuple(
        one if one is two else _with_remarks(one, two, three)
        for one, two, three in zip(match.games, right.games, proved.games, strict=True)
    )
    supposed: list[str] = []
    if right.length == proved.length and right.rules.variant == proved.rules.variant:
        supposed = sorted({*str(right.rules).split(",")} - {*str(proved.rules).split(",")})
    return replace(right, games=(_at_first(games[0], *supposed), *games[1:]) if supposed and games else games)


def _at_first(game: Game, *what: str) -> Game:
    """A game with a remark before its first entry on what was supposed."""
    return replace(game, comments=(Comment(text=f"{RECONSTRUCTED}{'; '.join(what)}", at=0), *game.comments))


def _supposed(stands: Game, right: Game, proved: Game) -> Iterator[str]:
    """What is changed about a game as a whole and not proved, in words."""
    if right.score not in (stands.score, proved.score):
        yield "the score line"
    if right.left not in (stands.left, proved.left):
        yield "the names on the score line"
    pairs = [*zip(stands.entries, right.entries, strict=False)]
    if len(pairs) > 1 and all(one.player != two.player for one, two in pairs) and proved.entries == stands.entries:
        yield "the columns of the game"
    if right.results not in (stands.results, proved.results) and (not stands.results or not _ends_by_itself(right)):
        yield "the result"


def _with_remarks(stands: Game, right: Game, proved: Game) -> Game:
    """A repaired game with a remark at what was put in; its own remarks stay at the entries at which they stood."""
    changes = [*stretches(stands.entries, right.entries)]
    comments = [*stands.comments]
    if any(last - first != end - start for start, end, first, last in changes):
        comments = [
            replace(each, at=at + sum(last - first - (end - start) for start, end, first, last in changes if end <= at))
            for each, at in zip(stands.comments, places_of_comments(stands), strict=True)
        ]
    if right is not proved:
        known = [proved.entries[at] for at in _put_in(stands, proved, stretches(stands.entries, proved.entries))]
        indexes = [at for at in _put_in(stands, right, changes) if right.entries[at] not in known]
        for _, run in groupby(enumerate(indexes), key=lambda pair: pair[1] - pair[0]):  # those that stand side by side
            side_by_side = [at for _, at in run]
            words = "; ".join(entry_words(right.entries[at]) for at in side_by_side)
            comments.append(Comment(text=f"{RECONSTRUCTED}{words}", at=side_by_side[0]))
        for words in _supposed(stands, right, proved):
            at = len(right.entries) if words == "the result" else 0
            comments.append(Comment(text=f"{RECONSTRUCTED}{words}", at=at))
    if not comments:
        return right
    places = places_of_comments(replace(right, comments=tuple(comments)))
    order = sorted(range(len(comments)), key=places.__getitem__)  # writers take them one after the other
    return replace(right, comments=tuple([comments[at] for at in order]))


def _ends_by_itself(game: Game) -> bool:
    """Whether the last entry of a game may end it: a drop, or a checker that is borne off."""
    last = game.entries[-1] if game.entries else None
    is_off = isinstance(last, CheckerPlay) and any(hop.points[-1] == OFF for hop in last.text.hops)
    return is_off or isinstance(last, Drop)


def _put_in(stands: Game, right: Game, changes: Iterable[tuple[int, int, int, int]]) -> Iterator[int]:
    """The indexes of the entries of a repaired game that stand for nothing, or for a play that nobody wrote down."""
    known = {each.span if each.span.end else id(each): each for each in stands.entries}
    for start, end, first, last in changes:
        spare = [each for each in stands.entries[max(start, 0) : end] if not each.span.end]
        for index in range(max(first, 0), last):
            entry = right.entries[index]
            origin = known.get(entry.span if entry.span.end else id(entry))
            if origin is None:  # without places, the next one of its sort became another
                origin = next((one for one in spare if (type(one), one.player) == (type(entry), entry.player)), None)
            spare = [each for each in spare if each is not origin]
            if origin is None or (isinstance(origin, CheckerPlay) and origin.text.kind == "unknown"):
                yield index
