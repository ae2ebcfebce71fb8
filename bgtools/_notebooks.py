"""What values cannot do by themselves: the package names the module that shows them in a notebook, or values them."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def shown_html(value: object) -> str:
    """A value as HTML; the method ``_repr_html_`` of classes that notebooks show."""
    # No import: what the package names stands above the classes that show themselves.
    html: str = import_module(sys.modules["bgtools"].SHOWN_BY).html_of(value)
    return html


def grid_of(position: object, about: str, *given: object, **options: object) -> Any:
    """A position at many scores, or with the cube at many places: what the methods `Position.at_…` give."""
    grid = getattr(import_module(sys.modules["bgtools"].VALUED_BY), f"at_{about}")
    return grid(position, *given, **options)
