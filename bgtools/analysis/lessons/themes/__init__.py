"""What a decision is about: themes, a predicate each, in a module a group.

To add one, write a function of a `Scene` that gives a truth, and put ``@theme("name", group)`` above it; its docstring
is the definition that docs/themes.md prints (`python docs/make_themes.py`). Name it as players do, without a comma.
Test it in tests/analysis/test_themes.py on positions that everybody would call so, and on some that nobody would.

A *contender* is the play that was made, the best one or the second best, as far as an engine has named them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.lessons.themes import cube, game, play, score  # noqa: F401  # each lists its themes
from bgtools.analysis.lessons.themes.theme import GROUPS, LISTED, Group, Theme

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import Scene

__all__ = ["THEMES", "Group", "Theme", "themes_of"]

THEMES: Final = tuple(sorted(LISTED, key=lambda each: GROUPS.index(each.group)))
"""Every theme, in the order in which docs/themes.md lists them."""


def themes_of(scene: Scene) -> tuple[str, ...]:
    """The names of the themes of a decision, in the order of `THEMES`."""
    others: Group = "the cube" if scene.is_play else "checker play"
    return tuple(each.name for each in THEMES if each.group != others and each.holds(scene))
