"""A record with its two players in each other's place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.record.record import SetBoard

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Game, Match


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


def _entry(entry: Entry) -> Entry:
    if isinstance(entry, SetBoard):
        return replace(entry, player=other(entry.player), position=entry.position.flipped(), owner=_other(entry.owner))
    return replace(entry, player=other(entry.player))


def _other(player: Player | None) -> Player | None:
    return None if player is None else other(player)
