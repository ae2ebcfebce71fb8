"""What entries say, where a roll or its play need not be written, and fixed numbering (R02).

In fixed numbering the plays of both players are written in the numbering of one of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.notation import ascends, mirrored_hop
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, SetBoard, Take

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.record.record import Entry, Match


def says(entry: Entry) -> tuple[object, ...]:
    """What an entry says, wherever it stands."""
    if isinstance(entry, CheckerPlay):
        return CheckerPlay, entry.player, entry.dice, str(entry.text)
    return type(entry), entry.player, getattr(entry, "value", None)


def entry_words(entry: Entry) -> str:
    """What an entry says, in words."""
    match entry:
        case CheckerPlay(dice=dice, text=text):
            roll = f"{dice[0]}{dice[1]}" if dice else "?"
            return f"{roll}: {text}" if str(text) else f"{roll}:"
        case Double(value=value):
            return f"doubles to {value}" if value else "doubles"
        case Beaver(raccoon=raccoon):
            return "raccoons" if raccoon else "beavers"
        case AutomaticDouble():
            return "the cube is turned by a tied opening roll"
        case Take():
            return "takes"
        case Drop():
            return "drops"
        case SetBoard():
            return "sets the board"
        case _:
            return "resigns"


def is_last(following: Iterable[Entry]) -> bool:
    """Whether no play and no double is among what follows a roll, so that the game ended or broke off with it."""
    return not any(isinstance(entry, CheckerPlay | Double) for entry in following)


_FEW_HOPS, _MANY_HOPS = 6, 40


def is_fixed(match: Match) -> bool:
    """R02: whether player 1's plays are written in the numbering of player 0.

    The rules of the match decide. Where they are silent, the plays do: in the numbering of player 0
    nearly all checkers of player 1 seem to move backwards.
    """
    if match.rules.fixed is not None:
        return match.rules.fixed
    forwards = backwards = 0
    for game in match.games:
        for entry in game.entries:
            if isinstance(entry, CheckerPlay) and entry.player == 1:
                up = sum(map(ascends, entry.text.hops))
                backwards += up
                forwards += len(entry.text.hops) - up
            if forwards + backwards >= _MANY_HOPS:
                return backwards > 3 * forwards
    return backwards >= _FEW_HOPS and backwards > 3 * forwards


def in_own_numbering(match: Match) -> Match:
    """The match with player 1's plays in their own numbering; the match itself where they are written so."""
    if not is_fixed(match):
        return match

    def own(entry: Entry) -> Entry:
        if not isinstance(entry, CheckerPlay) or entry.player == 0:
            return entry
        return replace(entry, text=replace(entry.text, hops=tuple(map(mirrored_hop, entry.text.hops))))

    return replace(match, games=tuple(replace(game, entries=tuple(map(own, game.entries))) for game in match.games))
