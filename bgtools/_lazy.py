"""Public names of a package that are imported when somebody first asks for them."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


HELD_ABOVE: dict[str, str] = {}
"""Functions of a higher layer that a lower one calls: ``module:function`` by what it gives. `bgtools` fills this."""


def called(name: str) -> Callable[..., Any]:
    """The function ``module:function``, imported when it is needed."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


def lazily(package: str, homes: Mapping[str, tuple[str, ...]]) -> None:
    """Give a package a ``__getattr__`` that imports its public names.

    If the package defined it, type checkers would accept any name as an attribute.

    Args:
        package: the package's ``__name__``.
        homes: for each module in it the names that the package hands out.
    """
    where = {name: module for module, names in homes.items() for name in names}
    face = sys.modules[package]

    def load(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{where[name]}"), name)
        setattr(face, name, value)  # so that it is found at once next time
        return value

    face.__getattr__ = load  # type: ignore[method-assign]
