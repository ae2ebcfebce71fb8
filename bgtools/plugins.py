"""Plug-ins: what other packages add to bgtools, found by their entry points.

A package says in its metadata what it adds, under one of the groups ``bgtools.formats``, ``bgtools.rules``,
``bgtools.engines`` and ``bgtools.ratings``. One that cannot be loaded, or is not what its group asks for, is named in
a `PluginWarning` and left out. docs/extending.md walks through an example.
"""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, ParamSpec, TypeVar, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoints

T = TypeVar("T")
P = ParamSpec("P")

Kind = Literal["formats", "rules", "engines", "ratings"]
"""What can be added."""


class PluginWarning(UserWarning):
    """A plug-in is left out. The message names it and says why."""


FAULTS: Final = (Exception, SystemExit)
"""Exceptions by which a plug-in may fail. None of them may end the command."""

_PATHS: Final = "_frozen_importlib_external"  # where the finder of packages on `sys.path` comes from
_METADATA: Final = (".dist-info", ".egg-info", "EGG-INFO")


@cache
def _entry_points() -> EntryPoints | None:
    """The entry points of packages in the groups of bgtools, read once; None where there are none.

    Most people have no plug-in. For them the module that reads entry points is not imported: importing it would take
    longer than checking a match.
    """
    if not _may_be_some():
        return None
    from importlib.metadata import EntryPoints, entry_points

    found = entry_points()
    return EntryPoints(each for kind in get_args(Kind) for each in found.select(group=f"bgtools.{kind}"))


def _may_be_some() -> bool:
    """Whether the files of any package name a group of bgtools, or packages may be where this cannot look."""
    if any(hasattr(finder, "find_distributions") and finder.__module__ != _PATHS for finder in sys.meta_path):
        return True
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as entries:
                if any(each.name.endswith(_METADATA) and _names_a_group(each.path) for each in entries):
                    return True
        except FileNotFoundError:
            continue
        except OSError:
            return True  # an archive
    return False


def _names_a_group(folder: str) -> bool:
    try:
        return b"[bgtools." in Path(folder, "entry_points.txt").read_bytes()
    except OSError:
        return False


def plugins(kind: Kind, accept: Callable[[object], T]) -> Iterator[T]:
    """What other packages add of one kind, in the order of their names.

    Args:
        kind: which group to look in.
        accept: returns what was loaded, or raises where that is not what the group asks for.
    """
    return plugins_of_makers(kind, lambda loaded, _maker: accept(loaded))


def plugins_of_makers(kind: Kind, accept: Callable[[object, str], T]) -> Iterator[T]:
    """As `plugins`, but ``accept`` also gets the plug-in's name and maker: ``example of bgtools-example-plugin``."""
    points = _entry_points()
    for each in sorted(points.select(group=f"bgtools.{kind}"), key=lambda point: point.name) if points else ():
        maker = f"{each.name} of {each.dist.name if each.dist is not None else each.value}"
        try:
            accepted = accept(each.load(), maker)
        except FAULTS as error:
            leave_out(maker, error)
        else:
            yield accepted


def leave_out(what: str, error: BaseException | str, where: str = "") -> None:
    """Warn that something of a plug-in is left out."""
    reason = str(error) or type(error).__name__
    if isinstance(error, BaseException) and not isinstance(error, ImportError | TypeError | ValueError):
        reason = f"{type(error).__name__}: {error}"
    warnings.warn(f"{what} is left out{where}: {reason}", PluginWarning, stacklevel=3)


def guarded(function: Callable[P, T], what: str, otherwise: T) -> Callable[P, T]:
    """A plug-in's function, made safe: where it fails there is a warning, and ``otherwise`` is returned."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return type(otherwise)(function(*args, **kwargs))  # type: ignore[call-arg]
        except FAULTS as error:
            leave_out(what, error, " here")
            return otherwise

    return call
