"""The words that the rules share: players, points and plays named as players name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board import BAR, OFF, format_play, point_name

if TYPE_CHECKING:
    from bgtools.board import Checkers, HopText, Play, Player
    from bgtools.record import Match


_LONGEST = 40
"""Characters of a written play that a sentence quotes."""


def name(match: Match, player: Player) -> str:
    """The player's name, or his place where the record has none."""
    return match.players[player] or f"player {player + 1}"


def point(number: int) -> str:
    """``the 8-point``, ``the bar``, ``off``."""
    return "the bar" if number == BAR else "off" if number == OFF else f"the {number}-point"


def hop(start: int, end: int) -> str:
    return f"{point_name(start)}/{point_name(end)}"


def written(text: HopText) -> str:
    return shortened(str(text))


def shortened(text: str) -> str:
    """A written play, cut where it is longer than a sentence bears."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def checkers(count: int) -> str:
    return "1 checker" if count == 1 else f"{count} checkers"


def times(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


def fit(count: int) -> str:
    """That the next plays fit."""
    return "the next play fits" if count == 1 else f"the next {count} plays fit"


def play(play: Play) -> str:
    """A play in the usual notation, commas between the checkers: ``13/8, 6/1``."""
    return format_play(play).replace(" ", ", ")


def side(checkers: Checkers) -> str:
    """Where a side stands: ``bar, 24(2), 13(5), 8(3), 6(5)``."""
    return ", ".join(
        f"{point_name(at)}({checkers[at]})" if checkers[at] > 1 else point_name(at)
        for at in range(BAR, OFF, -1)
        if checkers[at]
    )


def roll(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"
