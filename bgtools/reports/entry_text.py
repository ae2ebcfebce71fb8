"""An entry of a record, told: who does what, and the position before it with both names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.comparison.saying import entry_words
from bgtools.findings.finding import printable
from bgtools.record.record import CheckerPlay, SetBoard

if TYPE_CHECKING:
    from bgtools.positions.position import Position
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn


def entry_text(match: Match, turn: Turn) -> str:
    """Who does what: ``Nora Lindholm: 63: 24/18 24/21``."""
    return f"{name_of(match, turn.player)}: {printable(_describe(turn.entry))}"


def position_before(match: Match, game: GameReplay, index: int) -> Position:
    """The position before an entry, seen by the player on roll. Where the entry answers a double, the doubler is.

    Args:
        match: the record.
        game: the game.
        index: index of the entry in the game, from 0. If the entry sets the board, the position is the one it sets.
    """
    at = game.turns[index]
    position = at.position
    if isinstance(at.entry, SetBoard) and index + 1 < len(game.turns):
        # The decision in a position that is set is the next entry, so its dice are shown.
        following = game.turns[index + 1].entry
        if isinstance(following, CheckerPlay) and following.player == at.player:
            position = replace(position, dice=following.dice)
    doubler = at.player if at.offer in ("", "beaver") else other(at.player)
    return replace(position, names=(name_of(match, doubler), name_of(match, other(doubler))))


def name_of(match: Match, player: int) -> str:
    """The name of a player, fit to be printed, or "player 1"."""
    return printable(match.players[player]) or f"player {player + 1}"


def _describe(entry: Entry) -> str:
    match entry:
        case CheckerPlay(text=text) if not str(text):
            return f"{entry_words(entry)} nothing"
        case SetBoard():
            return "on roll in a position that has been set"
        case _:
            return entry_words(entry)
