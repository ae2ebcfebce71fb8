"""One record out of several of a match that each lack a part of it: of each game the best record of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bgtools.checks.checking import check
from bgtools.comparison.columns import beside
from bgtools.comparison.entries import placeless
from bgtools.comparison.heading import MergedHeader
from bgtools.conversion.conversion import made, parse_target
from bgtools.engines.recorded import holds_analysis
from bgtools.findings.finding import Severity
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.record.record import Match


@dataclass(frozen=True, slots=True)
class RecordGames:
    """What the fingerprint of a record says of its games.

    Attributes:
        games: the rolls and plays of each game, as text.
        errors: how many findings of the record are errors.
    """

    games: tuple[str, ...]
    errors: int


def has_all(best: RecordGames, others: Iterable[RecordGames]) -> bool:
    """Whether no other record of a match has a game, or more of one, or a sounder one, than the best record has.

    "No" may be wrong: `join` looks closer.
    """
    for other in others:
        if best.errors > other.errors:
            return False
        waiting = [*best.games]
        for game in other.games:
            at = next((at for at, own in enumerate(waiting) if own.startswith(game)), None)
            if at is None:
                return False
            # Games come in the same order in both.
            del waiting[: at + bool(game)]
    return True


@dataclass(frozen=True, slots=True)
class Joined:
    """The union of the records of a match.

    Attributes:
        data: the match as JSON, which holds all of it.
        origins: for each game the record it is taken from, from 0, and its number there, from 1.
    """

    data: bytes
    origins: tuple[tuple[int, int], ...]


def join(records: Sequence[Match]) -> Joined | int:
    """The union of the records of one match; where one of them is that, its number from 0.

    Of a game that several records have, a finished one goes before one that is cut off, a sound one before one with
    errors, an analysed one before a bare one, then the longest, then that of the earlier record. Header facts are put
    together as `bgtools.comparison.merging.merge` does it.

    Args:
        records: the best one first.
    """
    leaves = beside(records)
    ranks = [[*_ranked(match)] for match in leaves.matches]
    chosen = [
        max(
            (which for which, place in enumerate(column) if place is not None),
            key=lambda which: (*ranks[which][column[which]], -which),  # type: ignore[index]
        )
        for column in leaves.games
    ]
    for which in sorted(set(chosen)):
        if set(chosen) == {which} or _is_as_good(which, leaves.games, ranks):
            return which
    places = [column[which] for column, which in zip(leaves.games, chosen, strict=True)]
    games = [
        placeless(replace(leaves.matches[which].games[place], number=number))  # type: ignore[index]
        for number, (which, place) in enumerate(zip(chosen, places, strict=True), 1)
    ]
    match = replace(MergedHeader(leaves.matches, 0).match, games=tuple(games))
    return Joined(
        made((match,), parse_target("json")).data,
        tuple((which, place + 1) for which, place in zip(chosen, places, strict=True)),  # type: ignore[operator]
    )


def _ranked(match: Match) -> Iterable[tuple[bool, bool, bool, int]]:
    """For each game whether it is whole, sound and analysed, and how many entries it has."""
    games = replay(match)
    wrong = {each.game for each in check(match, games) if each.severity is Severity.ERROR}
    for game in games:
        whole, sound = game.winner is not None, game.index + 1 not in wrong
        yield whole, sound, holds_analysis(replace(match, games=(game.game,))), len(game.game.entries)


def _is_as_good(which: int, columns: Sequence[Sequence[int | None]], ranks: Sequence[Sequence[Any]]) -> bool:
    """Whether a record has every game, none worse than another record has it."""
    return all(
        column[which] is not None
        and all(
            ranks[which][column[which]] >= ranks[other][place]  # type: ignore[index]
            for other, place in enumerate(column)
            if place is not None
        )
        for column in columns
    )


def title(names: Mapping[int, str], origins: Sequence[int]) -> str:
    """What a joined record is called where others have a path: the names of the files that it was made of."""
    return " + ".join(dict.fromkeys(names[each] for each in origins))
