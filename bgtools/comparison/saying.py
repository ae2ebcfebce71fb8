"""What entries say, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, SetBoard, Take

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Entry

_MANY = 3


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


def all_said(entries: Sequence[Entry], players: tuple[str, str]) -> str:
    """What some entries say; of more than three, the first three and how many more there are."""
    if len(entries) == 1:
        return entry_words(entries[0])
    shown = "; ".join(
        f"{players[each.player] or f'player {each.player + 1}'}: {entry_words(each)}" for each in entries[:_MANY]
    )
    return shown + (f"; and {len(entries) - _MANY} more" if len(entries) > _MANY else "")
