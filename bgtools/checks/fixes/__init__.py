"""The edits that would fix a record. An edit puts one stretch of text in place of another.

What is in the right column stays where it is. An edit is unsafe unless the rule that offers it
calls it `proven`: a play that alone makes all that follows fit, a number that the board, the cube or
the results before it prove.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bgtools.checks.fixes import games as games, plays as plays, results as results, rows as rows, text as text
else:

    def __getattr__(name: str) -> object:
        """A module, imported when it is first asked for: most records are sound, and no edit is offered for them."""
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(name) from None
