"""The words of match text: how each program spells it, and how a text that is there does."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bgtools.board.play import format_play
from bgtools.formats.shared.spelling import points_word
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Take

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.play import Hop, Play, Style
    from bgtools.record.record import Entry, Match

_SINGULAR: Final = re.compile(r"(?:Wins|Loses|Losses) +(?!1 )\d+ +point\b", re.IGNORECASE)
_CUBE_WORDS: Final[dict[type, str]] = {
    Double: "Doubles", Beaver: "Beavers", AutomaticDouble: "Automatic", Take: "Takes", Drop: "Drops",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one program spells match text.

    Attributes:
        name: what to call it, as in ``mat:gnubg``.
        bar, off: the words for the two ends of a hop.
        merge: join the hops of one checker (``24/13``) and repeats (``8/5(2)``).
        stars: mark hits.
        dance: the words behind a roll that dances.
        width: how many columns the left cell takes; the right cell begins a blank behind them, or behind a longer cell.
        names: how many columns the left name takes on the score line.
        plural: "points" for more than one point.
        blanks: whether a blank ends rolls of fewer than four hops and results in a row, blanks fill each row up to its
            right cell, and an empty line ends the file.
        result_row: whether a result below the rows has a row number.
        indent: what is before a match length.
        line_end: what ends a line.
        encoding: the encoding of the file; ``utf-8-sig`` where the program wants a byte-order mark.
    """

    name: str
    bar: str = "25"
    off: str = "0"
    merge: bool = False
    stars: bool = True
    dance: str = ""
    width: int = 27
    names: int = 31
    plural: bool = True
    blanks: bool = False
    result_row: bool = False
    indent: str = " "
    line_end: str = "\n"
    encoding: str = "utf-8"

    def play(self, play: Play | Sequence[Hop], style: Style = "words") -> str:
        """A play by its hops."""
        return self.words(format_play(play, style=style, merge=self.merge, stars=self.stars))

    def words(self, play: str) -> str:
        """A play with this dialect's words for bar and off."""
        return play.replace("bar", self.bar).replace("off", self.off)

    def points(self, number: int) -> str:
        """A number of points: ``1 point``, ``2 points``."""
        return points_word(number) if self.plural else f"{number} point"


GNUBG: Final = Dialect(name="gnubg", blanks=True)
"""The spelling of GNU Backgammon, to the byte. Every program reads it."""

JELLYFISH: Final = Dialect(name="jellyfish")
"""The spelling of Jellyfish, which was first: that of GNU Backgammon without blanks at the ends of lines."""

XG: Final = Dialect(
    name="xg", stars=False, plural=False, indent="", line_end="\r\n", encoding="utf-8-sig",
)  # fmt: skip
"""The spelling of eXtreme Gammon's ``.mat`` export: no stars, "point" for any number."""

XG_TEXT: Final = Dialect(
    name="xg-text", bar="Bar", off="Off", merge=True, dance="Cannot Move", width=34, names=38, plural=False,
    line_end="\r\n", encoding="utf-8-sig",
)  # fmt: skip
"""The spelling of eXtreme Gammon's text export: words for bar and off, hops of one checker joined."""

GALAXY: Final = Dialect(name="galaxy", stars=False, plural=False, indent="")
"""The spelling of Backgammon Galaxy: every hop by itself, no stars."""

STUDIO: Final = Dialect(
    name="studio", bar="bar", off="off", merge=True, dance="Cannot Move", width=34, names=39, plural=False,
    result_row=True, indent="",
)  # fmt: skip
"""The spelling of Backgammon Studio: words for bar and off, the result in a row of its own."""

DIALECTS: Final = (GNUBG, JELLYFISH, XG, XG_TEXT, GALAXY, STUDIO)
"""Every dialect that can be written, the usual one first."""


def cube_word(entry: Entry) -> str | None:
    """The word for a cube action; None for anything else."""
    return "Raccoons" if isinstance(entry, Beaver) and entry.raccoon else _CUBE_WORDS.get(type(entry))


def cube_cell(entry: Entry, value: int | None, word: str | None = None) -> str:
    """The cell of a cube action, which ends with the value that the cube gets; ``word`` in place of the usual one."""
    return f"{word or cube_word(entry)}{f' => {value}' if value is not None else ''}"


def dialect_of(match: Match) -> Dialect:
    """The spelling of the text that a match was read from, as far as plays and results show it."""
    assert match.source is not None
    text = match.source.text
    found = [entry for game in match.games for entry in game.entries if isinstance(entry, CheckerPlay)]
    plays = " ".join(text[slice(*entry.span)] for entry in found)
    bar = re.search(r"(?<![\d/])(25|bar)(?=/)", plays, re.IGNORECASE)
    off = re.search(r"/(0|off)\b", plays, re.IGNORECASE)
    results = "\n".join(text[slice(*claim.span)] for game in match.games for claim in game.results)
    dances = {
        text[entry.text_at : entry.span.end].strip()
        for entry in found
        if entry.text.kind == "dance" and entry.span.end > entry.text_at
    }
    return replace(
        JELLYFISH,
        bar=bar[1] if bar else "25" if off and off[1] == "0" else "bar",
        off=off[1] if off else "0" if bar and bar[1] == "25" else "off",
        merge="(" in plays or not (bar or off),
        stars="*" in plays,
        dance=dances.pop() if len(dances) == 1 else "",
        plural=not _SINGULAR.search(results),
    )
