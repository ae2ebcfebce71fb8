"""Plug-ins: what other packages add to bgtools, found by their entry points.

A package says in its metadata what it adds, under one of the groups ``bgtools.formats``, ``bgtools.rules``,
``bgtools.engines`` and ``bgtools.ratings``. One that cannot be loaded, or is not what its group asks for, is named in
a `PluginWarning` and left out.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

Kind = Literal["formats", "rules", "engines", "ratings"]
"""What can be added."""


class PluginWarning(UserWarning):
    """A plug-in is left out. The message names it and says why."""


# Reading the metadata of every installed package takes milliseconds, so it is done once for all groups.
_entry_points = cache(entry_points)


def plugins(kind: Kind, accept: Callable[[object], T]) -> Iterator[T]:
    """What other packages add of one kind, in the order of their names.

    Args:
        kind: which group to look in.
        accept: gives what was loaded, or raises where it is not what the group asks for.
    """
    for each in sorted(_entry_points().select(group=f"bgtools.{kind}"), key=lambda point: point.name):
        try:
            yield accept(each.load())
        except Exception as error:  # whatever a stranger's code does, it must not end the command
            maker = each.dist.name if each.dist is not None else each.value
            warnings.warn(f"{each.name} of {maker} is left out: {error or type(error).__name__}", PluginWarning, 2)
