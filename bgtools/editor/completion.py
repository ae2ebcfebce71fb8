"""The legal plays of a roll that has been typed, spelled as the record spells its plays."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Final

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.play import format_play
from bgtools.record.record import CheckerPlay
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.play import Play
    from bgtools.editor.document import Judged
    from bgtools.record.record import Match

_TYPED: Final = re.compile(r"(?<![^\s)])([1-6])[ \t]?-?[ \t]?([1-6])[ \t]?:[ \t]?([^:\r\n]*)\Z")
"""A roll before the cursor, and the part of its play that has been typed."""
_NEXT_CELL: Final = re.compile(r"\S[ \t]{2,}\Z|[ \t]{9,}\Z")
"""What shows that the cursor has left the cell of the roll."""
_LONGEST_LINE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A play that can be written.

    Attributes:
        text: the play.
        span: the text that it replaces.
    """

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How a record spells its plays."""

    bar: str = "25"
    off: str = "0"
    merge: bool = False
    stars: bool = True

    def write(self, play: Play) -> str:
        text = format_play(play, merge=self.merge, stars=self.stars)
        return text.replace("bar", self.bar).replace("off", self.off)


def suggestions(judged: Judged, offset: int) -> tuple[Suggestion, ...]:
    """The legal plays of the roll before an offset that begin with what has been typed, hops in any order.

    Empty where no roll stands before the offset, or in a text that is no match text.
    """
    source = judged.source
    if not judged.is_text or not all(match.source is not None and match.source.has_rows for match in judged.matches):
        return ()
    line, column = source.place(offset)
    if column > _LONGEST_LINE:
        return ()
    start = offset - column + 1
    typed = _TYPED.search(source.text[start:offset])
    if typed is None or _NEXT_CELL.search(typed[3]):
        return ()
    dice = int(typed[1]), int(typed[2])
    here = next((each for each in judged.entries if each.turn.entry.span.start == start + typed.start()), None)
    if here is None or not are_dice(dice) or not isinstance(here.turn.entry, CheckerPlay):
        return ()
    written = typed[3].lstrip()
    begin = offset - len(written)
    # What stands behind the cursor in the same cell belongs to the play that is replaced.
    end = max(offset, min(here.turn.entry.span.end, source.lines[line - 1].end))
    spelling = _spelling_of(here.match)
    texts = dict.fromkeys(_begun(spelling.write(play), written) for play in legal_plays(here.turn.before, dice))
    return tuple(Suggestion(text, Span(begin, end)) for text in texts if text)


def _begun(play: str, written: str) -> str:
    """A play with its hops in an order that begins with what has been typed; "" where none does."""
    begun = written.casefold()
    for hops in _orders(play):
        if hops.casefold().startswith(begun):
            return hops
    return ""


def _orders(play: str) -> Iterator[str]:
    yield play
    for hops in permutations(play.split()):
        yield " ".join(hops)


def _spelling_of(match: Match) -> _Spelling:
    """How most plays of a record are spelled; as GNU Backgammon does where it has none."""
    source = match.source
    assert source is not None
    bars: Counter[str] = Counter()
    offs: Counter[str] = Counter()
    stars = apart = joined = 0
    for game in match.games:
        for entry in game.entries:
            if not isinstance(entry, CheckerPlay) or entry.text.kind != "moves":
                continue
            text = source.text[entry.text_at : entry.span.end]
            bars.update(re.findall(r"(?i)\bbar(?=/)|\b25(?=/)", text))
            offs.update(re.findall(r"(?i)(?<=/)off\b|(?<=/)0\b", text))
            stars += "*" in text
            joined += "(" in text or any(len(hop.points) > 2 for hop in entry.text.hops)
            apart += len(entry.text.hops) > 2
    usual = _Spelling()
    # A short record without stars may have no hits. A longer one without stars does not write them.
    plays = sum(len(game.entries) for game in match.games)
    return _Spelling(
        bars.most_common(1)[0][0] if bars else usual.bar,
        offs.most_common(1)[0][0] if offs else usual.off,
        joined > apart,
        bool(stars) or plays < _ENOUGH,
    )


_ENOUGH: Final = 60
"""Among so many entries some hit is to be expected."""
