"""How values show themselves in a notebook: a module that stands above theirs says it."""

from __future__ import annotations

from importlib import import_module
from typing import Final

_HOME: Final[list[str]] = []


def register(module: str) -> None:
    """Name the module whose function ``html_of`` shows values as HTML; it is imported when one is first shown."""
    _HOME[:] = [module]


def shown_html(value: object) -> str:
    """A value as HTML; the method ``_repr_html_`` of classes that notebooks show."""
    html: str = import_module(_HOME[0]).html_of(value)
    return html
