"""The differences beside the entries: headers, results, comments, clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import other
from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format
from bgtools.formats.shared.tags import restates
from bgtools.record.annotation import time_left
from bgtools.record.record import NOWHERE, AutomaticDouble, Beaver, Drop, Resign, SetBoard, Take, places_of_comments
from bgtools.replayer.match import replay
from bgtools.rules.options import OPTIONS, has_meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.difference import Kind, Supported
    from bgtools.comparison.pairing import GameTokens
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Span

Apart = tuple["Kind", str, tuple[str, str], tuple["Span | None", "Span | None"], "Supported"]


def states(match: Match, what: str) -> bool:
    """Whether a record would say something, such as its length, or an option of the rules: whether its format does."""
    if match.source is None or not match.source.format:
        return True
    try:
        return what not in find_format(match.source.format).leaves_out
    except FormatError:
        return True


def header_apart(a: Match, b: Match) -> Iterator[Apart]:
    """The differences of two headers: names, length, rules, tags. What one of them leaves out is not a difference."""
    yield from _names_apart(a, b)
    yield from _lengths_apart(a, b)
    for option in OPTIONS:
        yield from _option_apart(a, b, option)
    yield from _tags_apart(a, b)


def _names_apart(a: Match, b: Match) -> Iterator[Apart]:
    names = [tuple(" ".join(name.split()) for name in match.players) for match in (a, b)]
    if any(one and two and one != two for one, two in zip(*names, strict=True)):
        one, two = (" - ".join(pair) for pair in names)
        yield "header", "the names of the players", (one, two), (None, None), ""


def _lengths_apart(a: Match, b: Match) -> Iterator[Apart]:
    lengths = a.length or 0, b.length or 0
    if lengths[0] == lengths[1] or not all(states(match, "length") for match in (a, b)):
        return
    one, two = (None if match.length_span == NOWHERE else match.length_span for match in (a, b))
    here, there = (f"{length} points" if length else "money" for length in lengths)
    fits = _was_played_to(a, lengths[0]), _was_played_to(a, lengths[1])
    supported: Supported = "" if fits[0] == fits[1] else "a" if fits[0] else "b"
    yield "header", "the length of the match", (here, there), (one, two), supported


def _option_apart(a: Match, b: Match, option: str) -> Iterator[Apart]:
    if option == "fixed" or not all(states(match, option) for match in (a, b)):
        return
    values = getattr(a.rules, option), getattr(b.rules, option)
    in_both = a.is_money == b.is_money and has_meaning(option, money=a.is_money)
    if in_both and None not in values and values[0] != values[1]:
        yield "header", f"the rule {option.replace('_', ' ')}", (_value(values[0]), _value(values[1])), (None, None), ""


def _tags_apart(a: Match, b: Match) -> Iterator[Apart]:
    tags = {tag.key.casefold(): tag for tag in b.tags if not restates(tag, b)}
    for tag in a.tags:
        twin = tags.get(tag.key.casefold())
        if twin is None or restates(tag, a) or twin.value.split() == tag.value.split() or "" in (tag.value, twin.value):
            continue
        yield "header", f"the header {tag.key}", (tag.value, twin.value), (tag.span, twin.span), ""


def _was_played_to(match: Match, length: int) -> bool:
    """Whether a match fits a length: a player reaches the length in the last game, and nobody does before."""
    games = replay(match)
    if not games:
        return True
    return not length or max(games[-1].score) < length <= max(games[-1].score_after)


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def outcome(game: GameReplay) -> tuple[int | None, int | None]:
    """Who won a game and how many points, as the record states it; what it does not state follows from the plays."""
    claim = game.claim
    if claim is None:
        return game.winner, game.points
    winner = claim.player if claim.won else other(claim.player)
    if not claim.column_speaks:
        winner = game.winner if game.winner is not None else winner
    return winner, game.points if claim.points is None else claim.points


def points_said(result: tuple[int | None, int | None], players: tuple[str, str]) -> str:
    """A result in words."""
    winner, points = result
    if winner is None:
        return "no result"
    name = players[winner] or f"player {winner + 1}"
    return f"{name} wins" + (f" {points}" if points is not None else "")


_NO_TURN: Final = (Beaver, Drop, Take, AutomaticDouble, SetBoard, Resign)


def comments_apart(
    a: Match, b: Match, one: GameTokens, two: GameTokens, pairs: Sequence[Pair]
) -> Iterator[tuple[str, tuple[str, str], Pair]]:
    """The remarks of a game that differ, with the pair of entries that each follows."""
    if not one.game.comments and not two.game.comments:
        return
    if not all(states(match, "comments") for match in (a, b)):
        return
    here = _remarks(one, [x for x, _ in pairs])
    there = _remarks(two, [y for _, y in pairs])
    for at in sorted(here.keys() | there.keys()):
        texts = here.get(at, ""), there.get(at, "")
        if texts[0] != texts[1]:
            place = pairs[at] if 0 <= at < len(pairs) else (None, None)
            yield "a comment", texts, place


_SECOND: Final = 1.0
"""Clocks that differ by less than so many seconds are the same: some programs count whole seconds."""


def clocks_apart(
    one: GameTokens, two: GameTokens, pairs: Sequence[Pair]
) -> Iterator[tuple[str, tuple[str, str], Pair]]:
    """The entries at which the records state different times on a player's clock."""
    for x, y in pairs:
        if x is None or y is None:
            continue
        entries = one.game.entries[one.entry_numbers[x]], two.game.entries[two.entry_numbers[y]]
        clocks = [entry.annotation.clock if entry.annotation is not None else None for entry in entries]
        if None in clocks or entries[0].player != entries[1].player:
            continue
        told = [pair for pair in zip(*filter(None, clocks), strict=True) if None not in pair]
        if any(abs(here - there) >= _SECOND for here, there in told):
            here, there = (" and ".join(map(time_left, each)) for each in zip(*told, strict=True))
            yield "the clocks", (here, there), (x, y)


def _remarks(sheet: GameTokens, indexes: Sequence[int | None]) -> dict[int, str]:
    """The remarks of a game by the pair of entries that they follow; -1 before the first.

    Several remarks in one turn are joined, as a format with one field for remarks joins them.
    """
    numbers = {place: number for number, place in enumerate(indexes) if place is not None}
    counted = [
        (entry, numbers[place])
        for place, entry in enumerate(sheet.entry_numbers)
        if not isinstance(sheet.game.entries[entry], _NO_TURN) and place in numbers
    ]
    found: dict[int, str] = {}
    for at, comment in zip(places_of_comments(sheet.game), sheet.game.comments, strict=True):
        number = next((number for entry, number in reversed(counted) if entry < at), -1)
        found[number] = f"{found.get(number, '')} {' '.join(comment.text.split())}".strip()
    return {number: text for number, text in found.items() if text}
