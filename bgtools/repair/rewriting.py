"""Repairing records without a text: each is put right as match text, and the changes are carried over to it."""

from __future__ import annotations

from dataclasses import fields, replace
from difflib import SequenceMatcher
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from bgtools.conversion import Target, convert, parse_target
from bgtools.findings import Code, Fix, codes
from bgtools.formats import FormatError, find_format, read_source
from bgtools.record import NOWHERE, CheckerPlay
from bgtools.repair.edits import rewritten
from bgtools.repair.search import Search
from bgtools.repair.states import Change, Refused, Repair, State, judged, wanted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks import Policy
    from bgtools.findings import Finding
    from bgtools.record import Entry, Game, Match

_PLACES: Final = frozenset({"span", "row", "text_at", "heading", "score_span", "length_span", "marks", "source"})
_OWN: Final = _PLACES | {"annotation", "comments", "findings", "entries", "games", "tags", "extras", "ratings"}
"""What match text says in its own way, or not at all: it stays as it is in the record."""


def repaired_anew(first: State, name: str, *, unsafe: bool, policy: Policy | None, effort: int) -> Repair:
    """A record put right and written anew, because its findings point into no text of its own.

    Raises:
        Refused: its format is only read, or has no place for all that the record holds.
    """
    untouched = Repair(first.data, first.data, first.matches, wanted(first, policy))
    if not first.cost[1]:
        return untouched
    changes: list[Change] = []
    undecided: list[Finding] = []
    matches = []
    cut_short = False
    for match in first.matches:
        text = _as_text(match)
        if text is None:
            matches.append(match)
            continue
        search = Search(judged(text, name, policy, "mat"), name, policy, unsafe=unsafe, effort=effort)
        before = search.state.matches[0]
        search.run()
        done = search.result()
        changes += [replace(change, place=None) for change in done.changes]
        undecided += done.undecided
        cut_short = cut_short or done.cut_short
        matches.append(_transplanted(match, before, done.matches[0]) if done.changes else match)
    if not changes:
        return replace(untouched, undecided=tuple(undecided), cut_short=cut_short)
    for way in (_in_place, _written):
        data = way(first, tuple(matches))
        if data is not None and (after := judged(data, name, policy)).cost < first.cost:
            break
    else:
        return untouched
    return Repair(first.data, data, after.matches, wanted(after, policy), tuple(changes), tuple(undecided), cut_short)


def _as_text(match: Match) -> bytes | None:
    """The record as match text; None where that cannot be written or says something else."""
    try:
        done = convert((match,), parse_target("mat"), allow=_LOSSES, verify=False)
        again = read_source(done.data, "", "mat")[0]
    except FormatError:
        return None
    same = [len(game.entries) for game in match.games] == [len(game.entries) for game in again.games]
    return done.data if same else None


_LOSSES: Final = frozenset(
    code.id for code in vars(codes).values() if isinstance(code, Code) and code.id.startswith("BG5")
)


def _in_place(first: State, matches: tuple[Match, ...]) -> bytes | None:
    """The file with only the stretches edited that change what they say; None where such edits are not enough."""
    edits: list[Fix] = []
    for match, right in zip(first.matches, matches, strict=True):
        source = match.source
        if source is None or source.respelled is None or len(match.games) != len(right.games):
            return None
        if _differences(match, right):
            return None
        for stands, said in chain.from_iterable(map(_changes, match.games, right.games)):
            if (made := source.respelled(source, stands, said)) is None:
                return None
            edits.append(Fix(*made))
    try:
        return rewritten(first.data, first.text, edits)
    except ValueError:
        return None


def _changes(game: Game, right: Game) -> Iterator[tuple[Any, Any]]:
    """What stands in a game, and what should stand in its place, as `Source.respelled` takes them.

    Where such pairs cannot say what is wrong, one pair is the game and None.
    """
    differ = _differences(game, right)
    if not differ.keys() <= {"results", "score"} or len(game.results) != len(right.results):
        yield game, None
        return
    if "score" in differ:
        yield game, right
    for one, two in zip(game.results, right.results, strict=True):
        if replace(two, span=one.span, row=one.row) != one:
            yield one, two
    for start, end, first, last in _stretches(game.entries, right.entries):
        if start < 0:
            yield game, None
        elif end - start == last - first:
            yield from zip(game.entries[start:end], right.entries[first:last], strict=True)
        else:
            yield game.entries[start], right.entries[first:last]
            yield from ((entry, ()) for entry in game.entries[start + 1 : end])


def _stretches(one: Sequence[Entry], two: Sequence[Entry]) -> Iterator[tuple[int, int, int, int]]:
    """Where the entries of two games differ, from and to in each; with the entry before where the first lacks some."""
    stand, should = ([_what(entry) for entry in entries] for entries in (one, two))
    for kind, start, end, first, last in SequenceMatcher(None, stand, should, autojunk=False).get_opcodes():
        if kind != "equal":
            yield (start - 1, end, first - 1, last) if start == end else (start, end, first, last)


def _written(first: State, matches: tuple[Match, ...]) -> bytes:
    source = first.matches[0].source
    assert source is not None
    chosen = find_format(source.format)
    if not chosen.writer:
        raise Refused(f"{chosen.title} is only read, not written; convert the record first")
    try:
        done = convert(matches, Target(chosen), strict=True)
    except FormatError as error:
        raise Refused(f"it cannot be written as {chosen.title} again: {error}") from None
    if done.changed:
        raise Refused(f"written as {chosen.title} again it would change: {done.changed}")
    if done.refused:
        raise Refused(f"written as {chosen.title} again it would lose something: {done.losses[0].message}")
    return done.data


# --- what has changed -------------------------------------------------------------------------


def _transplanted(match: Match, before: Match, after: Match) -> Match:
    """A record, with the changes that a repair made in its match text."""
    games = match.games
    if len(before.games) == len(after.games) == len(games):
        games = tuple(map(_game, games, before.games, after.games))
    return replace(match, games=games, source=match.source, **_differences(before, after))


def _game(game: Game, before: Game, after: Game) -> Game:
    return replace(game, entries=_entries(game, before, after), **_differences(before, after))


def _differences(before: Any, after: Any) -> dict[str, Any]:
    """The fields that differ, places left out."""
    return {
        each.name: getattr(after, each.name)
        for each in fields(before)
        if each.name not in _OWN and _plain(getattr(before, each.name)) != _plain(getattr(after, each.name))
    }


def _plain(value: Any) -> Any:
    """A value without the places in it."""
    if isinstance(value, tuple) and value and hasattr(value[0], "span"):
        return tuple(replace(each, span=NOWHERE, row=None) for each in value)
    return value


def _entries(game: Game, before: Game, after: Game) -> tuple[Entry, ...]:
    """The entries of a game; those that stay keep what else the record says of them."""
    one, two = ([_what(entry) for entry in each.entries] for each in (before, after))
    entries: list[Entry] = []
    for kind, start, end, first, last in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind == "equal":
            entries += game.entries[start:end]
        elif end - start == last - first:
            entries += map(_changed, game.entries[start:end], before.entries[start:end], after.entries[first:last])
        else:
            entries += [replace(entry, row=None, span=NOWHERE) for entry in after.entries[first:last]]
    return tuple(entries)


def _changed(entry: Entry, before: Entry, after: Entry) -> Entry:
    """An entry as it is after a repair; an analysis of what it was before is left out."""
    if type(entry) is not type(after):
        return replace(after, row=entry.row, span=entry.span)
    told = {name: value for name, value in _differences(before, after).items() if name not in _PLACES}
    return replace(entry, annotation=None, **told)


def _what(entry: Entry) -> tuple[Any, ...]:
    """What an entry says, without its place and its spelling."""
    if isinstance(entry, CheckerPlay):
        return CheckerPlay, entry.player, entry.dice, str(entry.text)
    values = (getattr(entry, each.name) for each in fields(entry) if each.name not in _OWN and each.name != "player")
    return type(entry), entry.player, *values
