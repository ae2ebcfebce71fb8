"""Reading written plays in every spelling that programs, servers and people use.

    8/5 6/5      8-5, 6-5       24/18*/13     13/7(2)     bar/21*  b/21  25-21     6/off  6-o  6/0
    m 8 5 6 5    8-5 6-5        31: 8/5 6/5   1/5 12/17 (in the other player's numbering)

What is read is a `PlayText`: it says which checkers move, and `bgtools.board.movement.resolve` says whether they may.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import mirrored
from bgtools.board.play import HopText, PlayText

_POINT: Final = r"bar|off|home|b(?![a-z])|o(?:ff|f)?(?![a-z])|\d{1,2}"
_STEP: Final = rf"\s?[/\-–—→>]+\s?(?:{_POINT})\*?"
_GROUP: Final = re.compile(
    rf"(?P<start>{_POINT})\*?(?P<steps>(?:{_STEP})+)(?:\s?[(\[](?P<count>\d)[)\]]|\s?x(?P<times>\d)\b)?(?P<star>\*)?",
    re.IGNORECASE,
)
_PLAIN_POINT: Final = r"(?:bar|off|[0-9]{1,2})\*?"
_PLAIN: Final = re.compile(rf"{_PLAIN_POINT}(?:/{_PLAIN_POINT})+(?:\([0-9]\))?", re.IGNORECASE)
_STEPS: Final = re.compile(rf"[/\-–—→>]+\s?({_POINT})(\*?)", re.IGNORECASE)
_PAIRS: Final = re.compile(rf"(?:{_POINT})(?:[\s,]+(?:{_POINT}))*", re.IGNORECASE)
_ANY_POINT: Final = re.compile(_POINT, re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,;.]*(?:and\b)?[\s,;.]*", re.IGNORECASE)
_LEAD: Final = re.compile(r"\s*(?:[1-6]\s?-?[1-6]\s*:\s*)?(?:m(?:oves?)?\s+)?", re.IGNORECASE)
_DANCE: Final = re.compile(
    r"can(?:\s?not|'t) move|no moves?|dances?|pass(?:es)?|fans?|\(no play\)|-+", re.IGNORECASE
)  # fmt: skip
_UNKNOWN: Final = re.compile(r"\?{2,}")
_HOME: Final = 6
"""The highest point of the home board."""


def read_play(text: str, *, fixed: bool | None = False) -> PlayText:
    """Read a written play; never raises: what is not a play gives the kind ``unreadable``.

    Args:
        text: the play. Dice and "m" before it, commas, blanks, words for a dance and hits not marked are all fine.
        fixed: whether it is in the other player's numbering; None to find that out by the way its checkers go.

    Returns:
        The play in the mover's own numbering, with columns in ``text``.
    """
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    rest = text[at:].strip().rstrip(".").strip()
    if not rest:
        return PlayText("nothing")
    if _DANCE.fullmatch(rest):
        return PlayText("dance")
    if _UNKNOWN.fullmatch(rest):
        return PlayText("unknown")
    hops = _groups(text, at)
    if hops is None:
        hops = _pairs(text, at)
    if hops is None:
        return PlayText("unreadable", dump=text)
    hops = tuple(hop for hop in hops if hop.points != (OFF, OFF))
    if fixed is None:
        return PlayText("moves", in_own_numbering(hops))
    return PlayText("moves", tuple(map(mirrored_hop, hops)) if fixed else hops)


def parse_hop(text: str) -> HopText | None:
    """Read one group as programs write it, ``24/18*/14(2)`` without a blank; None where it is none."""
    group = _GROUP.fullmatch(text) if _PLAIN.fullmatch(text) else None
    return _hop(group) if group else None


def _hop(group: re.Match[str], start: int = 0, end: int = 0) -> HopText | None:
    """A group that was read; None where it names a point that no board has."""
    steps = _STEPS.findall(group["steps"])
    points = (_point(group["start"]), *(_point(point) for point, _ in steps))
    if max(points) > BAR:
        return None
    stars = [bool(star) for _, star in steps]
    stars[-1] = stars[-1] or bool(group["star"])
    return HopText(points, tuple(stars), int(group["count"] or group["times"] or 1), start, end)


def _groups(text: str, at: int) -> tuple[HopText, ...] | None:
    """Groups such as ``24/18*/14(2)``, parted by blanks or commas; None where there is anything else."""
    found: list[HopText] = []
    while at < len(text):
        group = _GROUP.match(text, at)
        if group is None:
            return None
        hop = _hop(group, group.start(), group.end())
        if hop is None:
            return None
        found.append(hop)
        between = _BETWEEN.match(text, group.end())
        assert between is not None
        at = between.end()
        if at == group.end() and at < len(text):
            return None
    return tuple(found)


def _pairs(text: str, at: int) -> tuple[HopText, ...] | None:
    """Points one after the other, two a hop, as they are typed at FIBS: ``m 8 5 6 5``."""
    rest = text[at:].rstrip(" .\t\r\n")
    if not _PAIRS.fullmatch(rest.strip()):
        return None
    points = list(_ANY_POINT.finditer(rest))
    if len(points) % 2:
        return None
    found = []
    for first, second in zip(points[::2], points[1::2], strict=True):
        hop = (_point(first[0]), _point(second[0]))
        if max(hop) > BAR:
            return None
        found.append(HopText(hop, (False,), 1, at + first.start(), at + second.end()))
    return tuple(found)


def _point(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return BAR if text[0] in "bB" else OFF


def ascends(hop: HopText) -> bool:
    """Whether a hop goes upwards. In its player's own numbering none does, so it is written in the other one.

    The bar and off may stand at either end there: a checker enters on 6 or lower, and is borne off from 19 or higher.
    """
    first, last = hop.points[0], hop.points[-1]
    if first in (OFF, BAR):
        return last <= _HOME
    if last in (OFF, BAR):
        return first >= mirrored(_HOME)
    return first < last


def in_own_numbering(hops: tuple[HopText, ...]) -> tuple[HopText, ...]:
    """The hops of a play, turned round where most of them go up."""
    up = sum(map(ascends, hops))
    return tuple(map(mirrored_hop, hops)) if up > len(hops) - up else hops


def mirrored_hop(hop: HopText) -> HopText:
    """A group in the other player's numbering. The bar is at either end there, and so is off."""
    first, *between, last = hop.points
    start = BAR if first in (OFF, BAR) else mirrored(first)
    end = OFF if last in (OFF, BAR) else mirrored(last)
    return replace(hop, points=(start, *map(mirrored, between), end))
