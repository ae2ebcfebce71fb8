"""Checker plays: as a record writes them (`PlayText`) and as the rules see them (`Play`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from bgtools.position import BAR, OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.position import Position

Style = Literal["numeric", "words"]
"""How points are spelled: ``numeric`` writes 25 and 0 (Jellyfish), ``words`` bar and off."""


class Hop(NamedTuple):
    """One checker moved by one die, in the mover's numbering: 25 is the bar, 0 is off."""

    start: int
    end: int
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A legal play. Two plays are the same when they lead to the same `result`.

    ``hops`` is one way to play it, a hop a die; ``result`` is the whole board afterwards, the
    opponent's bar included, still seen by the player who moved.
    """

    hops: tuple[Hop, ...]
    result: Position

    def __str__(self) -> str:
        return format_play(self)


@dataclass(frozen=True, slots=True)
class HopText:
    """One group of a written play, e.g. ``24/18*/14(2)``.

    Attributes:
        points: at least two points, as written from first to last; 25 is the bar, 0 is off.
        stars: for every point after the first, whether the record marks a hit there.
        count: how many checkers move so, the number in brackets.
        start, end: columns of the group inside the cell's text.
        legs: from where to where, for every checker and every pair of points that stand beside each other.
    """

    points: tuple[int, ...]
    stars: tuple[bool, ...]
    count: int = 1
    start: int = 0
    end: int = 0
    legs: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "legs", tuple(pairwise(self.points)) * self.count)

    def __str__(self) -> str:
        text = point_name(self.points[0])
        for point, star in zip(self.points[1:], self.stars, strict=True):
            text += f"/{point_name(point)}{'*' if star else ''}"
        return text + (f"({self.count})" if self.count > 1 else "")


PlayKind = Literal["moves", "nothing", "dance", "unknown", "illegal", "unreadable"]
"""What stands behind the dice: moves; nothing at all; "Cannot Move"; "????"; an "Illegal play" dump; garbage."""


@dataclass(frozen=True, slots=True)
class PlayText:
    """What a record says of a play. It need not be legal."""

    kind: PlayKind
    hops: tuple[HopText, ...] = ()
    dump: str = ""
    """What stands inside the brackets of an "Illegal play (…)" mark, or the text that cannot be read."""

    def __str__(self) -> str:
        return {
            "moves": " ".join(map(str, self.hops)),
            "nothing": "",
            "dance": "Cannot Move",
            "unknown": "????",
            "illegal": f"Illegal play ({self.dump})",
            "unreadable": self.dump,
        }[self.kind]


def point_name(point: int, style: Style = "words") -> str:
    """``bar``/``off`` or ``25``/``0`` for the two ends, the number for a point."""
    if style == "words":
        return {BAR: "bar", OFF: "off"}.get(point, str(point))
    return str(point)


def format_play(play: Play | Sequence[Hop], *, style: Style = "words", merge: bool = True, stars: bool = True) -> str:
    """Write a play in the usual way: highest checker first, ``(n)`` for repeats, ``*`` for hits.

    Args:
        play: the play, or its hops.
        style: ``words`` for bar/off, ``numeric`` for 25/0.
        merge: join the hops of one checker (``24/18/13`` becomes ``24/13``, a hit on the way is
            kept: ``24/18*/13``) and repeats (``8/5(2)``). ``False`` writes every hop by itself.
        stars: mark hits.
    """
    hops = play.hops if isinstance(play, Play) else play
    if not hops:
        return ""
    if not merge:
        return " ".join(
            f"{point_name(hop.start, style)}/{point_name(hop.end, style)}{'*' if hop.hit and stars else ''}"
            for hop in hops
        )
    paths = _paths(hops)
    texts = []
    for path in sorted(paths, key=lambda path: (-path[0].start, -path[-1].end)):
        text = point_name(path[0].start, style)
        for hop in path[:-1]:
            if hop.hit and stars:
                text += f"/{hop.end}*"
        last = path[-1]
        texts.append(text + f"/{point_name(last.end, style)}{'*' if last.hit and stars else ''}")
    return " ".join(_counted(texts))


def _paths(hops: Iterable[Hop]) -> list[list[Hop]]:
    """Join hops that one checker can make one after the other."""
    paths: list[list[Hop]] = []
    for hop in hops:
        for path in paths:
            if path[-1].end == hop.start and hop.start != OFF:
                path.append(hop)
                break
        else:
            paths.append([hop])
    return paths


def _counted(texts: list[str]) -> Iterable[str]:
    # The second of two checkers that hit the same point finds no blot there any more, so repeats are
    # counted without their star, which then stands for the first: 6/1*(2).
    counts: dict[str, int] = {}
    hits = set()
    for text in texts:
        plain = text.removesuffix("*")
        counts[plain] = counts.get(plain, 0) + 1
        if plain != text:
            hits.add(plain)
    for plain, count in counts.items():
        star = "*" if plain in hits else ""
        yield f"{plain}{star}({count})" if count > 1 else f"{plain}{star}"
