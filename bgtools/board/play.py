"""Checker plays: as a record writes them (`PlayText`) and as the rules see them (`Play`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import mirrored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.board.board import Board

Style = Literal["numeric", "words", "xg", "gnubg", "jellyfish", "long", "fixed", "fibs"]
"""How plays are spelled.

``words`` and ``xg`` write ``bar/20 13/7*(2) 6/off``; ``numeric`` 25 and 0 for bar and off; ``gnubg`` puts the checker
with more hops first and joins what differs in a hit only, as GNU Backgammon does; ``long`` and ``jellyfish`` write
every hop by itself, with words and with numbers; ``fibs`` writes ``bar-20 6-off``, every hop by itself and no hits;
``fixed`` is ``words`` in the other player's numbering.
"""


@dataclass(frozen=True, slots=True)
class _PlaySpelling:
    bar: str = "bar"
    off: str = "off"
    slash: str = "/"
    merge: bool = True
    stars: bool = True
    longest_first: bool = False
    """Whether of two checkers from one point the one with more hops is written first."""
    join_hits: bool = False
    """Whether two checkers with one way are joined although only the first of them hits on it."""
    mirrored: bool = False


_WORDS: Final = _PlaySpelling()
_SPELLINGS: Final[Mapping[Style, _PlaySpelling]] = MappingProxyType(
    {
        "words": _WORDS,
        "xg": _WORDS,
        "numeric": _PlaySpelling(bar="25", off="0"),
        "gnubg": _PlaySpelling(longest_first=True, join_hits=True),
        "jellyfish": _PlaySpelling(bar="25", off="0", merge=False),
        "long": _PlaySpelling(merge=False),
        "fixed": _PlaySpelling(mirrored=True),
        "fibs": _PlaySpelling(slash="-", merge=False, stars=False),
    }
)
STYLES: Final = tuple(_SPELLINGS)
"""The names of all styles."""


class Hop(NamedTuple):
    """One checker moved by one die, in the mover's numbering: 25 is the bar, 0 is off."""

    start: int
    end: int
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A legal play. Two plays are the same when they lead to the same `result`.

    >>> play = bgtools.Position().legal_plays("31")[1]
    >>> str(play), play.result.pips
    ('24/20', (163, 167))

    ``hops`` is one way to play it, a hop a die; ``result`` is the whole board afterwards, the
    opponent's bar included, still seen by the player who moved.
    """

    hops: tuple[Hop, ...]
    result: Board

    def __str__(self) -> str:
        return _usual(self.hops)

    def __repr__(self) -> str:
        return f"<Play {_usual(self.hops) or 'Cannot Move'}>"


Leg = tuple[int, int]
"""One checker of a written play: from where, to where, by one number or several."""


@dataclass(frozen=True, slots=True)
class HopText:
    """One group of a written play, e.g. ``24/18*/14(2)``.

    Attributes:
        points: at least two points, as written from first to last; 25 is the bar, 0 is off.
        stars: for every point after the first, whether the record marks a hit there.
        count: how many checkers move so, the number in brackets.
        start, end: columns of the group inside the cell's text.
        legs: from where to where, for every checker and every pair of points that stand beside each other.
        hits: the points on which a star marks a hit.
    """

    points: tuple[int, ...]
    stars: tuple[bool, ...]
    count: int = 1
    start: int = 0
    end: int = 0
    legs: tuple[Leg, ...] = field(init=False, repr=False, compare=False)
    hits: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "legs", tuple(pairwise(self.points)) * self.count)
        hits = tuple(compress(self.points[1:], self.stars)) if True in self.stars else ()
        object.__setattr__(self, "hits", hits)

    def __str__(self) -> str:
        text = point_name(self.points[0])
        for point, star in zip(self.points[1:], self.stars, strict=True):
            text += f"/{point_name(point)}{'*' if star else ''}"
        return text + (f"({self.count})" if self.count > 1 else "")


PlayKind = Literal["moves", "nothing", "dance", "unknown", "illegal", "unreadable"]
"""What stands behind the dice: moves; nothing at all; "Cannot Move"; "????"; an "Illegal play" dump; garbage."""


@dataclass(frozen=True, slots=True)
class PlayText:
    """What a record says of a play. It need not be legal.

    Attributes:
        kind: what stands behind the dice.
        hops: the groups of the play.
        dump: what stands inside the brackets of an "Illegal play (…)" mark, or the text that cannot be read.
        legs: the legs of all groups.
        hits: the points on which a star marks a hit.
        lengths: how far the legs go, in pips, the shortest first; 0 for a leg that no checker can go on any board.
    """

    kind: PlayKind
    hops: tuple[HopText, ...] = ()
    dump: str = ""
    legs: tuple[Leg, ...] = field(init=False, repr=False, compare=False)
    hits: tuple[int, ...] = field(init=False, repr=False, compare=False)
    lengths: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        legs, hits, lengths = _derived(self.hops)
        object.__setattr__(self, "legs", legs)
        object.__setattr__(self, "hits", hits)
        object.__setattr__(self, "lengths", lengths)

    def __str__(self) -> str:
        return {
            "moves": " ".join(map(str, self.hops)),
            "nothing": "",
            "dance": "Cannot Move",
            "unknown": "????",
            "illegal": f"Illegal play ({self.dump})",
            "unreadable": self.dump,
        }[self.kind]


def _derived(hops: tuple[HopText, ...]) -> tuple[tuple[Leg, ...], tuple[int, ...], tuple[int, ...]]:
    """The legs of all groups of a play, the points on which their stars mark a hit, and how far the legs go."""
    legs: list[Leg] = []
    hits: list[int] = []
    for hop in hops:
        legs += hop.legs
        hits += hop.hits
    lengths = [start - end if OFF <= end < start <= BAR else 0 for start, end in legs]
    lengths.sort()
    return tuple(legs), tuple(hits), tuple(lengths)


class _ThawedPlayText:
    """A `PlayText` whose attributes can be set."""

    __slots__ = ("dump", "hits", "hops", "kind", "legs", "lengths")


def moves(hops: tuple[HopText, ...]) -> PlayText:
    """A play of these groups, in a third of the time that `PlayText` takes."""
    made: Any = _ThawedPlayText()
    made.kind, made.hops, made.dump = "moves", hops, ""
    made.legs, made.hits, made.lengths = _derived(hops)
    made.__class__ = PlayText
    text: PlayText = made
    return text


def point_name(point: int, style: Style = "words") -> str:
    """``bar``/``off`` or ``25``/``0`` for the two ends, the number for a point."""
    spelling = _SPELLINGS[style]
    if point in (BAR, OFF):
        return spelling.bar if point == BAR else spelling.off
    return str(mirrored(point) if spelling.mirrored else point)


def format_play(
    play: Play | Sequence[Hop], *, style: Style = "words", merge: bool | None = None, stars: bool | None = None
) -> str:
    """Write a play in the usual way: highest checker first, ``(n)`` for repeats, ``*`` for hits.

    Joined hops leave no doubt about hits: a hit on the way is written (``24/18*/13``), so ``24/13`` hits nothing on
    its way. Of several checkers, the first one to touch the point bears the star.

    Args:
        play: the play, or its hops.
        style: one of `STYLES`.
        merge: join the hops of one checker (``24/18/13`` becomes ``24/13``) and repeats (``8/5(2)``); ``False``
            writes every hop by itself. None for what the style does.
        stars: mark hits; without them a hit on the way is told by its point alone. None for what the style does.
    """
    hops = play.hops if isinstance(play, Play) else tuple(play)
    spelling = _SPELLINGS[style]
    stars = spelling.stars if stars is None else stars
    if merge is False:
        groups: Iterable[_Group] = [((hop.start, hop.end), (hop.hit,)) for hop in hops]
    else:
        groups = _groups(hops, longest_first=spelling.longest_first)
        if merge or spelling.merge:
            return _merged(groups, style, stars=stars)
        groups = [((start, end), (hit,)) for points, hits in groups for start, end, hit in _legs(points, hits)]
    return " ".join(_written(points, hits if stars else (), style) for points, hits in groups)


def _merged(groups: Iterable[_Group], style: Style, *, stars: bool) -> str:
    """A play with one hop a checker, and with equal hops written once with their count."""
    texts: dict[str, tuple[str, int]] = {}
    for points, hits in groups:
        between = tuple(point for point, hit in zip(points[1:-1], hits, strict=False) if hit)
        ends = (points[0], *between, points[-1])
        shown = (*(True for _ in between), hits[-1]) if stars else ()
        # The second of two checkers that hit the same point finds no blot there any more, so repeats are
        # counted without their star, which then stands for the first: 6/1*(2).
        key = _written((points[0], points[-1]) if _SPELLINGS[style].join_hits else ends, (), style)
        text, count = texts.get(key, ("", 0))
        texts[key] = (text or _written(ends, shown, style), count + 1)
    return " ".join(f"{text}({count})" if count > 1 else text for text, count in texts.values())


@lru_cache(1 << 12)
def _usual(hops: tuple[Hop, ...]) -> str:
    """A play as it is mostly written. The same few thousand plays make up most of what is played."""
    return format_play(hops)


_Group = tuple[tuple[int, ...], tuple[bool, ...]]
"""The points that one checker touches, and for each after the first whether it hits there."""


def _groups(hops: Sequence[Hop], *, longest_first: bool) -> list[_Group]:
    """The ways of the checkers in the order in which they are written; the first one on a hit point has the hit."""
    hit = {hop.end for hop in hops if hop.hit and hop.end != OFF}
    paths = sorted(_paths(hops), key=lambda path: (-path[0].start, -len(path) if longest_first else 0, -path[-1].end))
    groups: list[_Group] = []
    for path in paths:
        stars = []
        for hop in path:
            stars.append(hop.end in hit)
            hit.discard(hop.end)
        groups.append(((path[0].start, *(hop.end for hop in path)), tuple(stars)))
    return groups


def _legs(points: tuple[int, ...], hits: tuple[bool, ...]) -> Iterable[tuple[int, int, bool]]:
    return zip(points, points[1:], hits, strict=False)


def _written(points: tuple[int, ...], hits: tuple[bool, ...], style: Style) -> str:
    slash = _SPELLINGS[style].slash
    text = point_name(points[0], style)
    for number, point in enumerate(points[1:]):
        star = number < len(hits) and hits[number]
        text += f"{slash}{point_name(point, style)}{'*' if star else ''}"
    return text


def _paths(hops: Iterable[Hop]) -> list[list[Hop]]:
    """Join hops that one checker can make one after the other, whichever of them was made first."""
    paths: list[list[Hop]] = []
    for hop in sorted(hops, key=lambda hop: -hop.start):
        for path in paths:
            if path[-1].end == hop.start and hop.start != OFF:
                path.append(hop)
                break
        else:
            paths.append([hop])
    return paths


def steps(hops: Iterable[HopText]) -> tuple[tuple[int, int], ...]:
    """The single hops of a written play, sorted: a format need not keep their order, nor which of them were joined.

    A hop from a point to itself, as in 8/5/5, is none.
    """
    return tuple(sorted((leg for hop in hops for leg in hop.legs if leg[0] != leg[1]), reverse=True))


def changes(hops: Iterable[HopText]) -> dict[int, int]:
    """By how many checkers each point changes, below 0 where they leave; joined or single hops give the same."""
    moved: Counter[int] = Counter()
    for hop in hops:
        moved[hop.points[0]] -= hop.count
        moved[hop.points[-1]] += hop.count
    return {point: count for point, count in moved.items() if count}
