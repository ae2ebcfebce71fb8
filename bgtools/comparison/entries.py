"""What entries say, in words; and a record with its two players swapped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.decoder.entries import entry_words
from bgtools.record.record import NOWHERE, SetBoard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Game, Match
    from bgtools.source import Location, Span


def swap_players(match: Match) -> Match:
    """The match with player 1 as player 0. Plays stay: each is written in its player's own numbering."""
    return replace(
        match, players=match.players[::-1], ratings=match.ratings[::-1], games=tuple(map(turned_game, match.games))
    )


def turned_game(game: Game) -> Game:
    """The game with player 1 as player 0."""
    return replace(
        game,
        score=game.score and game.score[::-1],
        left=other(game.left),
        start=game.start and game.start.flipped(),
        start_owner=_other(game.start_owner),
        entries=tuple(map(_entry, game.entries)),
        results=tuple(replace(claim, player=other(claim.player)) for claim in game.results),
    )


def placeless(game: Game) -> Game:
    """A game without its places in a file and without what was said about it: its entries come from several files."""
    return replace(
        game,
        entries=tuple(replace(entry, span=NOWHERE, row=None, annotation=None) for entry in game.entries),
        results=tuple(replace(claim, span=NOWHERE, row=None) for claim in game.results),
        heading=NOWHERE,
        score_span=NOWHERE,
        marks=(),
        extras=(),
    )


def _entry(entry: Entry) -> Entry:
    if isinstance(entry, SetBoard):
        return replace(entry, player=other(entry.player), position=entry.position.flipped(), owner=_other(entry.owner))
    return replace(entry, player=other(entry.player))


def _other(player: Player | None) -> Player | None:
    return None if player is None else other(player)


_MANY = 3


def all_said(entries: Sequence[Entry], players: tuple[str, str]) -> str:
    """What some entries say; of more than three, the first three and how many more there are."""
    if len(entries) == 1:
        return entry_words(entries[0])
    shown = "; ".join(
        f"{players[each.player] or f'player {each.player + 1}'}: {entry_words(each)}" for each in entries[:_MANY]
    )
    return shown + (f"; and {len(entries) - _MANY} more" if len(entries) > _MANY else "")


def location_in(match: Match, span: Span | None) -> Location | None:
    """Line and column of a span of a record; None where it stands nowhere, or the record was read from no file."""
    return None if match.source is None or span is None or span == NOWHERE else match.source.location(span.start)
