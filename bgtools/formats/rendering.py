"""Edits of a record as edits of its text: each format that has a text writes what was changed in its own way."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from bgtools.findings.finding import Fix
from bgtools.record.alignment import align
from bgtools.record.record import NOWHERE, CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.record.record import Comment, Entry, Game, Match

_OWN: Final = frozenset(
    {
        "span", "row", "text_at", "heading", "score_span", "length_span", "marks", "source", "annotation", "comments",
        "findings", "entries", "games", "tags", "extras", "ratings",
    }
)  # fmt: skip
"""What says nothing of the match, or is compared by itself."""


def render(match: Match, right: Match) -> tuple[Fix, ...] | None:
    """The edits of the text of a record after which it says another match; every other sign of it stays.

    Args:
        match: the record as it was read.
        right: what it should say. What stays of its games, entries and results keeps its place; what is changed has
            the place of what stood there; what is new has none.

    Returns:
        The edits in their order; None where the record is not a text, or edits of that are not enough.
    """
    source = match.source
    if source is None or not source.text:
        return None
    if source.has_rows:
        from bgtools.formats.mat.rendering import render as in_rows

        return in_rows(match, right)
    if source.respelled is None or len(match.games) != len(right.games) or _differences(match, right):
        return None
    edits: list[Fix] = []
    for stands, said in chain.from_iterable(map(_changes, match.games, right.games)):
        if (made := source.respelled(source, stands, said)) is None:
            return None
        edits.append(Fix(*made))
    return tuple(sorted(edits, key=lambda fix: fix.span))


def _changes(game: Game, right: Game) -> Iterator[tuple[Any, Any]]:
    """What is in a game, and what should stand in its place, as `Source.respelled` takes them.

    Where such pairs cannot say what is wrong, one pair is the game and None.
    """
    differ = _differences(game, right)
    if not differ <= {"results", "score"} or len(game.results) != len(right.results):
        yield game, None
        return
    if "score" in differ:
        yield game, right
    for one, two in zip(game.results, right.results, strict=True):
        if replace(two, span=one.span, row=one.row) != one:
            yield one, two
    remarks = new_remarks(game, right)
    for start, end, first, last in stretches(game.entries, right.entries):
        if start < 0:
            yield game, None
        elif end - start == last - first:
            for old, at in zip(game.entries[start:end], range(first, last), strict=True):
                yield old, (right.entries[at], *remarks[at]) if at in remarks else right.entries[at]
        else:
            made = (each for at in range(first, last) for each in (right.entries[at], *remarks.get(at, ())))
            yield game.entries[start], tuple(made)
            yield from ((entry, ()) for entry in game.entries[start + 1 : end])


def new_remarks(game: Game, right: Game) -> dict[int, list[Comment]]:
    """The remarks that a game is to get, by the index of the entry that each is about."""
    made: dict[int, list[Comment]] = {}
    for each in right.comments:
        if each.at is not None and each.span == NOWHERE and each not in game.comments:
            made.setdefault(each.at, []).append(each)
    return made


def stretches(one: Sequence[Entry], two: Sequence[Entry]) -> Iterator[tuple[int, int, int, int]]:
    """Where the entries of two games differ, from and to in each; with the entry before where the first lacks some."""
    stand, should = ([_what(entry) for entry in entries] for entries in (one, two))
    for kind, start, end, first, last in align(stand, should):
        if kind != "equal":
            yield (start - 1, end, first - 1, last) if start == end else (start, end, first, last)


def _differences(before: Any, after: Any) -> set[str]:
    """The names of the fields that differ, places left out."""
    names = {each.name for each in fields(before)} - _OWN
    return {name for name in names if _plain(getattr(before, name)) != _plain(getattr(after, name))}


def _plain(value: Any) -> Any:
    """A value without the places in it."""
    if isinstance(value, tuple) and value and hasattr(value[0], "span"):
        return tuple(replace(each, span=NOWHERE, row=None) for each in value)
    return value


def _what(entry: Entry) -> tuple[Any, ...]:
    """What an entry says, without its place and its spelling."""
    if isinstance(entry, CheckerPlay):
        return CheckerPlay, entry.player, entry.dice, str(entry.text)
    values = (getattr(entry, each.name) for each in fields(entry) if each.name not in _OWN and each.name != "player")
    return type(entry), entry.player, *values
