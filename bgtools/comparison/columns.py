"""Several records of one match beside each other: which of their games are one game, which entries one entry."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.comparison.alignment import align
from bgtools.comparison.entries import swap_players
from bgtools.comparison.pairing import GameTokens, is_exchanged, likeness, pair_games
from bgtools.comparison.tokens import GAP, ROLL, token, unlikeness
from bgtools.decoder.entries import in_own_numbering
from bgtools.record.record import Beaver, CheckerPlay, Resign, Take

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.comparison.tokens import Token
    from bgtools.record.record import Entry, Game, Match

Column = tuple[int | None, ...]
"""One game or entry in all records: its number in each, from 0; None where a record lacks it."""

MOVED: Final = 0.8
"""Two games in different places of their records are one game where this part of them is the same."""


def plain(match: Match) -> Match:
    """The match with each play in its player's own numbering, and rules that say so."""
    own = in_own_numbering(match)
    return replace(own, rules=replace(own.rules, fixed=False))


class Leaves(NamedTuple):
    """Records beside each other.

    Attributes:
        matches: each play in its player's own numbering, the players in the order of the first record.
        exchanged: for each record, whether its players stood in the other order as it was read.
        games: which of their games are one game, in order.
    """

    matches: tuple[Match, ...]
    exchanged: tuple[bool, ...]
    games: tuple[Column, ...]


def beside(records: Sequence[Match]) -> Leaves:
    """Put records of one match beside each other, with their players in one order."""
    matches = [plain(match) for match in records]
    # The longest record comes first: one that breaks off, or holds a single game, fits into it.
    order = sorted(range(len(matches)), key=lambda each: -sum(len(game.entries) for game in matches[each].games))
    exchanged = [False] * len(matches)
    columns: list[list[int | None]] = []
    sheets: list[GameTokens] = []
    names = matches[order[0]].players
    for which in order:
        own = [GameTokens(game) for game in matches[which].games]
        if columns and is_exchanged(sheets, own, (names, matches[which].players)):
            exchanged[which] = True
            matches[which] = swap_players(matches[which])
            own = [GameTokens(game) for game in matches[which].games]
        columns, sheets = _joined(columns, sheets, own, which, len(matches))
    if exchanged[0]:
        matches, exchanged = [swap_players(match) for match in matches], [not each for each in exchanged]
    return Leaves(tuple(matches), tuple(exchanged), _in_order(tuple(map(tuple, columns)), matches))


def _in_order(columns: tuple[Column, ...], matches: Sequence[Match]) -> tuple[Column, ...]:
    """The games in the order of one record: where most scores add up, and of several such the commonest order."""
    orders = [columns]
    for which in range(len(matches)):
        own = sorted((column for column in columns if column[which] is not None), key=lambda column: column[which] or 0)
        rising = iter(own)
        orders.append(tuple(column if column[which] is None else next(rising) for column in columns))
    numbers = [_number_of(column, matches) for column in columns]
    if None not in numbers:
        by_number = tuple(columns[at] for at in sorted(range(len(columns)), key=lambda at: numbers[at] or 0))
        # Parts that share no game tell nothing of each other's order.
        is_apart = all(sum(place is not None for place in column) == 1 for column in columns)
        orders += [by_number] * (len(orders) + 1 if is_apart else 1)
    count = Counter(orders)
    return max(dict.fromkeys(orders), key=lambda order: (_adding_up(order, matches), count[order]))


def _number_of(column: Column, matches: Sequence[Match]) -> int | None:
    """The number that the first record that has a game gives it."""
    return next((match.games[at].number for match, at in zip(matches, column, strict=True) if at is not None), None)


def _adding_up(columns: Sequence[Column], matches: Sequence[Match]) -> int:
    """After how many games the score adds up: some record's score and result give some record's next score."""
    found = 0
    for one, two in pairwise(columns):
        before, after = (
            {game.score for match, at in zip(matches, column, strict=True) if at is not None
             for game in (match.games[at],) if game.score is not None}
            for column in (one, two)
        )  # fmt: skip
        won = {
            (claim.player if claim.won else 1 - claim.player, claim.points)
            for match, at in zip(matches, one, strict=True) if at is not None
            for claim in match.games[at].results if claim.points is not None
        }  # fmt: skip
        sums = {(a + points * (not player), b + points * player) for a, b in before for player, points in won}
        found += not sums.isdisjoint(after)
    return found


def _joined(
    columns: list[list[int | None]], sheets: list[GameTokens], own: list[GameTokens], which: int, count: int
) -> tuple[list[list[int | None]], list[GameTokens]]:
    """The columns with the games of one more record, and for each column a game that stands for it."""
    found: list[list[int | None]] = []
    shown: list[GameTokens] = []
    for at, there in pair_games(sheets, own):
        column: list[int | None] = [None] * count if at is None else columns[at]
        column[which] = there
        found.append(column)
        shown.append(sheets[at] if at is not None else own[there or 0])
    # A game that this record has in another place is in a column of its own; it goes to that of the same game.
    for number in range(len(found) - 1, -1, -1):
        place = found[number][which]
        if place is None or any(each is not None for other, each in enumerate(found[number]) if other != which):
            continue
        for other, column in enumerate(found):
            if column[which] is None and own[place].tokens and likeness(shown[other], own[place]) > MOVED:
                column[which] = place
                del found[number], shown[number]
                break
    return found, shown


def entry_tokens(game: Game) -> list[Token]:
    """What every entry of a game says."""
    told = [token(entry) for entry in game.entries]
    last = next((at for at in range(len(told) - 1, -1, -1) if not isinstance(game.entries[at], Resign)), None)
    if last is not None and told[last].what == ROLL and told[last].content == ("unknown", ""):
        # Where somebody gave up after the last roll, some programs write that its play is not known, others nothing.
        told[last] = told[last]._replace(content=frozenset())
    return told


def entry_columns(games: Sequence[Game | None]) -> list[Column]:
    """Which entries of a game in several records are one entry, in order.

    Args:
        games: the game in each; None where a record lacks it.
    """
    told = [None if game is None else entry_tokens(game) for game in games]
    order = sorted(
        (which for which, each in enumerate(told) if each is not None), key=lambda each: -len(told[each] or ())
    )
    columns: list[list[int | None]] = []
    for which in order:
        own = told[which] or []
        merged: list[list[int | None]] = []
        shown = [_most(column, told) for column in columns]
        for at, there in align(shown, own, unlikeness, GAP):
            column: list[int | None] = [None] * len(games) if at is None else columns[at]
            column[which] = there
            merged.append(column)
        columns = merged
    return [tuple(column) for column in columns]


def _most(column: Sequence[int | None], sequences: Sequence[list[Token] | None]) -> Token:
    """What most records say in a place."""
    says = [tokens[at] for at, tokens in zip(column, sequences, strict=True) if at is not None and tokens is not None]
    return Counter(says).most_common(1)[0][0]


def is_implied(entry: Entry, before: Entry | None) -> bool:
    """Whether an entry says what the rest of the record tells as well, so that many formats leave it out."""
    return isinstance(entry, Resign) or (isinstance(entry, Take) and isinstance(before, Beaver))


def says_little(entry: Entry) -> bool:
    """Whether an entry leaves open what another record may say: a play that is not known or cannot be read."""
    return isinstance(entry, CheckerPlay) and (
        entry.dice in (None, (0, 0)) or entry.text.kind in ("unknown", "unreadable")
    )


def bare(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries without their rows, which tell nothing where several records are put together."""
    return tuple(entry if entry.row is None else replace(entry, row=None) for entry in entries)
