"""How values show themselves in a notebook: the module that the package names says it."""

from __future__ import annotations

import sys
from importlib import import_module


def shown_html(value: object) -> str:
    """A value as HTML; the method ``_repr_html_`` of classes that notebooks show."""
    # No import: what the package names stands above the classes that show themselves.
    html: str = import_module(sys.modules["bgtools"].SHOWN_BY).html_of(value)
    return html
