"""Every format: ours, which are defined in their families, and those of other packages.

To add a format here, write its `Format` in a family's ``family.py``; a new family takes its place in `FORMATS`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format
from bgtools.formats.json import family as json
from bgtools.formats.mat import family as mat
from bgtools.formats.ogxm import family as ogxm
from bgtools.formats.printed import family as printed
from bgtools.formats.servers import family as servers
from bgtools.formats.sgf import family as sgf
from bgtools.formats.xg import family as xg
from bgtools.plugins import guarded, plugins_of_makers

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS: Final = (
    *mat.FORMATS,
    *sgf.FORMATS,
    *xg.FORMATS,
    *ogxm.FORMATS,
    *mat.COUSINS,
    *servers.LOGS,
    mat.EMPIRE,
    *servers.GAMES,
    *printed.FORMATS,
    *json.FORMATS,
)
"""The formats of bgtools itself, in the order in which they are listed."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ENDING: Final = re.compile(r"\.[a-z0-9_]+")


def formats(*, binary_first: bool = False) -> Iterator[Format]:
    """Every format: ours, then those of other packages, which are imported only when a caller asks for more than ours.

    Args:
        binary_first: whether our binary formats come before our text formats.
    """
    yield from sorted(FORMATS, key=lambda each: each.is_text) if binary_first else FORMATS
    yield from added_formats()


@cache
def added_formats() -> tuple[Format, ...]:
    """The formats that other packages add (entry points ``bgtools.formats``), in the order of their names."""
    names = {each.name for each in FORMATS}

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
