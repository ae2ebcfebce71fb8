"""How a record writes its plays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from bgtools.board.play import format_play
from bgtools.record.record import CheckerPlay
from bgtools.replayer.entries import is_fixed

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.board.play import Hop
    from bgtools.record.record import Match
    from bgtools.source import Source


class RecordSpelling:
    """How a record writes the plays of a player, by those that stand in it."""

    def __init__(self, match: Match, source: Source, player: Player) -> None:
        """Look at the plays of a match."""
        self.is_mirrored = player == 1 and is_fixed(match)
        text = " ".join(
            source.text[slice(*entry.span)]
            for game in match.games
            for entry in game.entries
            if isinstance(entry, CheckerPlay)
        )
        bar, off = re.search(r"(?<![\d/])(25|bar)(?=/)", text, re.IGNORECASE), re.search(r"/(0|off)\b", text, re.I)
        self.bar = bar[1] if bar else "25" if off and off[1] == "0" else "bar"
        self.off = off[1] if off else "0" if bar and bar[1] == "25" else "off"
        self.merge = "(" in text or not (bar or off)
        self.stars = "*" in text

    def play(self, hops: tuple[Hop, ...]) -> str:
        """These hops as the record would write them."""
        style: Literal["fixed", "words"] = "fixed" if self.is_mirrored else "words"
        words = format_play(hops, style=style, merge=self.merge, stars=self.stars)
        return words.replace("bar", self.bar).replace("off", self.off)
