"""The answers to what an editor asks while a record is typed, and the language server that gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.editor.actions import Offer, fix_all, offers
    from bgtools.editor.completion import Suggestion, suggestions
    from bgtools.editor.document import Document, Judged, Superseded
    from bgtools.editor.hovering import hover
    from bgtools.editor.layout import Refused, formatted
    from bgtools.editor.navigation import causes
    from bgtools.editor.outline import Fold, Symbol, folds, symbols
    from bgtools.editor.server import serve
    from bgtools.editor.units import Units

__all__ = [
    "Document",
    "Fold",
    "Judged",
    "Offer",
    "Refused",
    "Suggestion",
    "Superseded",
    "Symbol",
    "Units",
    "causes",
    "fix_all",
    "folds",
    "formatted",
    "hover",
    "offers",
    "serve",
    "suggestions",
    "symbols",
]

lazily(
    __name__,
    {
        "actions": ("Offer", "fix_all", "offers"),
        "navigation": ("causes",),
        "completion": ("Suggestion", "suggestions"),
        "document": ("Document", "Judged", "Superseded"),
        "hovering": ("hover",),
        "layout": ("Refused", "formatted"),
        "outline": ("Fold", "Symbol", "folds", "symbols"),
        "server": ("serve",),
        "units": ("Units",),
    },
)
