"""The words that the rules share: players, points and plays named as players name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board import words

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.record.record import Game, Match

checkers, explanation, play, point = words.checkers, words.explanation, words.play, words.point
roll, shortened, times = words.roll, words.shortened, words.times


def name(match: Match, player: Player) -> str:
    """The player's name, or their place where the record has none."""
    return match.players[player] or f"player {player + 1}"


def plays_fit(count: int) -> str:
    """How many plays fit, in words."""
    return "the next play fits" if count == 1 else f"the next {count} plays fit"


def games(one: Game, two: Game) -> str:
    """Two games running by their numbers, where both have one."""
    if one.number is None or two.number is None:
        return "this game and the next one"
    return f"games {min(one.number, two.number)} and {max(one.number, two.number)}"


def missing(first: int, last: int) -> str:
    """That games are missing, by the numbers of the first and the last of them."""
    return f"game {first} is missing" if first == last else f"games {first} to {last} are missing"
