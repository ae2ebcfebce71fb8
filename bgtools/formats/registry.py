"""Every format: ours, each of which is described in its module, and those of other packages.

To add a format here, write a module with its reader, its writer and, at the end, its `Format` in ``FORMATS``; then name
the module in `_LATER`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from bgtools.formats import bgf, json, mat, printed, sgf, xg
from bgtools.formats.format import Format
from bgtools.plugins import guarded, plugins_of_makers

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST: Final = (*mat.FORMATS, *sgf.FORMATS, *xg.FORMATS, *bgf.FORMATS, *printed.FORMATS, *json.FORMATS)
_LATER: Final = (
    "fibs", "text", "ogxm", "rare.snowie", "rare.gam", "rare.pos", "rare.sgg", "rare.tmg", "rare.oldmoves",
    "rare.party", "rare.bgroom", "rare.bgammon", "lazybg", "openspiel",
)  # fmt: skip
"""Modules that are imported only when none of the other formats is certain to be that of a file, or all are asked for.
To import them takes longer than to check a small match."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ENDING: Final = re.compile(r"\.[a-z0-9_]+")


@cache
def our_formats() -> tuple[Format, ...]:
    """The formats of bgtools itself, in the order in which they are listed."""
    return (*_FIRST, *_later())


def _later() -> Iterator[Format]:
    """The formats of the modules in `_LATER`, each imported when its turn comes."""
    for name in _LATER:
        yield from import_module(f"bgtools.formats.{name}").FORMATS


def formats(*, binary_first: bool = False) -> Iterator[Format]:
    """Every format: ours, then those of other packages. Most are imported only when a caller asks for more than a few.

    Args:
        binary_first: whether our binary formats come before our text formats.
    """
    if binary_first:
        yield from sorted(our_formats(), key=lambda each: each.is_text)
    else:
        yield from _FIRST
        yield from _later()
    yield from added_formats()


@cache
def added_formats() -> tuple[Format, ...]:
    """The formats that other packages add (entry points ``bgtools.formats``), in the order of their names."""
    names = {each.name for each in our_formats()}

    def accept(thing: object, maker: str) -> Format:
        found = _accepted(thing, maker)
        if found.name in names:
            raise ValueError(f"there is a format {found.name!r} already")
        names.add(found.name)
        return found

    return tuple(plugins_of_makers("formats", accept))


def _accepted(thing: object, maker: str) -> Format:
    """A format of another package, with its functions guarded so that no fault in them ends a command.

    Raises:
        TypeError, ValueError: it is not a format that can be used; the message says why.
    """
    if not isinstance(thing, Format):
        raise TypeError(f"it is {thing!r}, not a Format")
    if not _NAME.fullmatch(thing.name):
        raise ValueError(f"{thing.name!r} is not a name: small letters, digits and hyphens make one")
    if not thing.extensions or not all(_ENDING.fullmatch(each) for each in thing.extensions):
        raise ValueError(f"{thing.extensions!r} are not endings such as .mat")
    if not (thing.reader or thing.writer) or not all(map(_is_function, (thing.reader, thing.writer))):
        raise ValueError('its reader and writer must be functions, or "module:function", and one of them must be there')
    return replace(thing, maker=maker, sniff=guarded(thing.sniff, maker, 0.0))


def _is_function(given: object) -> bool:
    return callable(given) or (isinstance(given, str) and (not given or given.count(":") == 1))
