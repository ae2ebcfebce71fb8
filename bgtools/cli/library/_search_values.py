"""Reading what the options of a search say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.library.search import Range

T = TypeVar("T", bound=str)

_NUMBER: Final = r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})"
_BOTH: Final = re.compile(rf"\s*({_NUMBER})?\.\.({_NUMBER})?\s*")
_AWAY: Final = re.compile(
    r"\s*([0-9]{1,3})\s*-?\s*a(?:way)?\s*[,/ -]?\s*([0-9]{1,3})\s*-?\s*a(?:way)?\s*", re.IGNORECASE
)


def range_of(text: str | None, option: str, *, least: bool = False) -> Range | None:
    """A range such as ``20..40``, ``20..`` or ``..40``, or a number: that one alone, or with ``least`` that and more.

    Raises:
        typer.BadParameter: the text is no range.
    """
    if text is None:
        return None
    both = _BOTH.fullmatch(text)
    if both and (both[1] or both[2]):
        low, high = (None if each is None else float(each) for each in both.groups())
        if low is None or high is None or low <= high:
            return low, high
    elif re.fullmatch(rf"\s*{_NUMBER}\s*", text):
        return float(text), None if least else float(text)
    raise typer.BadParameter(f"{text!r} is no range, such as 20..40, 20.. or ..40", param_hint=option)


def away_of(text: str | None) -> tuple[int, int] | None:
    """Points that both lack, the player's first, such as ``2-away,4-away`` or ``2a4a``; ``money`` and ``dmp`` too.

    Raises:
        typer.BadParameter: it is none of these.
    """
    if text is None:
        return None
    named = {"money": (0, 0), "dmp": (1, 1)}.get(text.strip().casefold())
    if named is not None:
        return named
    found = _AWAY.fullmatch(text)
    if not found or not int(found[1]) or not int(found[2]):
        raise typer.BadParameter(
            f"{text!r} is no score, such as 2-away,4-away (the player on roll first), dmp or money",
            param_hint="--score",
        )
    return int(found[1]), int(found[2])


def dice_of(text: str | None) -> str:
    """A roll, the larger number first; empty for None.

    Raises:
        typer.BadParameter: the text is no roll.
    """
    if text is None:
        return ""
    found = re.fullmatch(r"\s*([1-6])[-, ]?([1-6])\s*", text)
    if not found:
        raise typer.BadParameter(f"{text!r} is no roll, such as 64", param_hint="--dice")
    return max(found[1], found[2]) + min(found[1], found[2])


def named(said: Sequence[str] | None, known: Sequence[T], option: str) -> tuple[T, ...]:
    """Names as they are known, whether they are written with blanks and hyphens or without.

    Raises:
        typer.BadParameter: one is not known.
    """
    bare = {_bare(each): each for each in known}
    for each in said or ():
        if _bare(each) not in bare:
            raise typer.BadParameter(f"{each!r} is none; there are: {', '.join(known)}", param_hint=option)
    return tuple(bare[_bare(each)] for each in said or ())


def _bare(name: str) -> str:
    return re.sub(r"[\s-]+", "", name).casefold()
