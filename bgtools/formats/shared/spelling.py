"""Spelling plays hop by hop, as the formats of servers want them; match text has its own ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.board import BAR, OFF
from bgtools.record import CheckerPlay

if TYPE_CHECKING:
    from bgtools.board import PlayText
    from bgtools.replayer import Turn

NO_BLANK = "\N{NO-BREAK SPACE}"
"""What stands for a blank inside a name where a blank would end it. Readers take it for a blank."""

NO_NAME = "-"
"""What stands for a name that is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How a format writes a play.

    Attributes:
        bar, off: the words for the two ends.
        joint: what parts the points of a hop.
        between: what parts hops.
        dance: what stands where nothing can be played.
    """

    bar: str = "bar"
    off: str = "off"
    joint: str = "/"
    between: str = " "
    dance: str = ""

    def play(self, turn: Turn, *, mirrored: bool = False) -> str:
        """What was played: every hop by itself, as the record has it where it is not legal.

        Args:
            turn: a checker play.
            mirrored: whether points are numbered from the other player's side.
        """
        entry = turn.entry
        assert isinstance(entry, CheckerPlay)
        text = entry.text
        if turn.play is not None and text.kind in ("nothing", "dance", "moves"):
            ways: list[tuple[int, ...]] = [(hop.start, hop.end) for hop in turn.play.hops]
        elif text.kind == "moves":
            ways = [hop.points for hop in text.hops for _ in range(hop.count)]
        else:
            return self._words(text)
        hops = [self.joint.join(self._point(point, mirrored=mirrored) for point in way) for way in ways]
        return self.between.join(hops) or self.dance

    def _words(self, text: PlayText) -> str:
        if text.kind == "dance":
            return self.dance
        return " ".join(str(text).split())

    def _point(self, point: int, *, mirrored: bool) -> str:
        if point == BAR:
            return self.bar
        if point == OFF:
            return self.off
        return str(BAR - point if mirrored else point)


def name_without_blanks(name: str) -> str:
    """A name for a place where a blank ends it."""
    return NO_BLANK.join(name.split()) or NO_NAME


def name_of(text: str) -> str:
    """The name that a format's text stands for."""
    return "" if text == NO_NAME else " ".join(text.split())


def points_word(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point{'' if points == 1 else 's'}"
