"""Correcting the hops of a play in a text, in the spelling of that text, and leaving the rest as it is."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import mirrored
from bgtools.record.record import CheckerPlay
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.board.play import HopText, Leg
    from bgtools.source import Source

_HOP: Final = re.compile(r"(\d\d?|bar|off)([/-])(\d\d?|bar|off|out)\*?", re.IGNORECASE)
_ANY: Final = re.compile(
    r"(\d\d?|bar)([/-])(\d\d?|off|out)\b(?:\*?([ \t]*,[ \t]*|[ \t]+)(?=\d\d?[/-]|bar[/-]))?", re.IGNORECASE
)
_DICE: Final = re.compile(r"\D*(\d)\D*(\d)\D*")


def respelled(source: Source, stands: Any, entry: Any) -> tuple[Span, str] | None:
    """The edit that writes a play in place of another one (see `Source.respelled`).

    There is one only if both plays have hops, and the text writes the first play's points as the reader gives them.
    """
    if not isinstance(stands, CheckerPlay) or not isinstance(entry, CheckerPlay):
        return None
    old, new = stands.text.hops, [leg for hop in entry.text.hops for leg in hop.legs]
    if stands.player != entry.player or not old or not new or entry.text.kind != "moves":
        return None
    places = [Span(stands.text_at + hop.start, stands.text_at + hop.end) for hop in old]
    style = _Style.of(source, places, old)
    if style is None:
        return None
    if all(len(hop.points) == 2 and hop.count == 1 for hop in old):
        text = _with_others(source, places, [leg for hop in old for leg in hop.legs], new, style)
    else:
        text = style.between.join(style.hop(*leg) for leg in new)
    edit = Span(places[0].start, places[-1].end), text
    return edit if sorted(stands.dice or ()) == sorted(entry.dice or ()) else _with_roll(source, stands, entry, *edit)


def _with_roll(
    source: Source, stands: CheckerPlay, entry: CheckerPlay, span: Span, text: str
) -> tuple[Span, str] | None:
    """An edit of hops, extended to correct the roll before them; None where the text has another roll than was read."""
    dice = _DICE.fullmatch(source.text, stands.span.start, span.start)
    if dice is None or entry.dice is None or (int(dice[1]), int(dice[2])) != stands.dice:
        return None
    roll = f"{entry.dice[0]}{source.text[dice.end(1) : dice.start(2)]}{entry.dice[1]}"
    return Span(dice.start(1), span.end), f"{roll}{source.text[dice.end(2) : span.start]}{text}"


class _Style:
    """The spelling of hops in a text."""

    def __init__(self, source: Source, joint: str, *, is_mirrored: bool) -> None:
        text = source.text
        bar, off = re.search(rf"\b(25|bar)(?={joint}\d)", text, re.I), re.search(rf"\d{joint}(0|off|out)\b", text, re.I)
        self.joint, self.is_mirrored = joint, is_mirrored
        self.bar, self.off = bar[1] if bar else "bar", off[1] if off else "off"
        between = next((found[4] for found in _ANY.finditer(text) if found[4]), None)
        self.between = between or " "

    @classmethod
    def of(cls, source: Source, spans: list[Span], hops: tuple[HopText, ...]) -> _Style | None:
        """The style of some hops; None where the text has other hops than were read."""
        joints, told, mirror = set(), [], []
        for span, hop in zip(spans, hops, strict=True):
            found = _HOP.match(source.text, *span)
            if found is None:
                return None
            joints.add(found[2])
            for point, number in ((hop.points[0], found[1]), (hop.points[1], found[3])):
                if number.isdecimal() and point not in (BAR, OFF):
                    told.append(int(number) == point)
                    mirror.append(int(number) == mirrored(point))
        if len(joints) > 1 or not (all(told) or all(mirror)):
            return None
        return cls(source, joints.pop(), is_mirrored=not all(told))

    def hop(self, start: int, end: int) -> str:
        """A hop as it is written."""
        return f"{self._point(start)}{self.joint}{self._point(end)}"

    def _point(self, point: int) -> str:
        if point in (BAR, OFF):
            return self.bar if point == BAR else self.off
        return str(mirrored(point) if self.is_mirrored else point)


def _with_others(source: Source, spans: list[Span], old: list[Leg], new: list[Leg], style: _Style) -> str:
    """The text of the old hops, with new ones in place of those that are not among the new."""
    left = Counter(new)
    kept: list[bool] = []
    for way in old:
        kept.append(left[way] > 0)
        left[way] -= kept[-1]
    others = [style.hop(*way) for way in (+left).elements()]
    if len(new) < len(old):
        return style.between.join(
            [source.text[slice(*span)] for span, stays in zip(spans, kept, strict=True) if stays] + others
        )
    text, end = "", spans[0].start
    for span, stays in zip(spans, kept, strict=True):
        text += source.text[end : span.start] + (source.text[slice(*span)] if stays else others.pop(0))
        end = span.end
    return style.between.join([text, *others])
