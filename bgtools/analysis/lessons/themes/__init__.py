"""What a decision is about: themes, a predicate each, in a module a group.

To add one, write a predicate of a `DecisionBoards` and put ``@theme("name", group)`` above it, or a predicate of the
two sides of a position and put ``@side_theme("name")`` above it. Its docstring is the definition that docs/themes.md
prints (`python docs/make_themes.py`). Name the theme as players do, without a comma. Test it in
tests/analysis/test_themes.py on positions that everybody would call so, and on some that nobody would.

A *contender* is the play that was made, the best one or the second best, as far as an engine has named them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.lessons.themes import cube, game, play, score  # noqa: F401  # each lists its themes
from bgtools.analysis.lessons.themes.theme import GROUPS, LISTED, side_themes

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import DecisionBoards


THEMES: Final = tuple(sorted(LISTED, key=lambda each: GROUPS.index(each.group)))
"""Every theme, in the order in which docs/themes.md lists them."""

_OF_PLAYS, _OF_CUBES = (tuple(each for each in THEMES if each.group != left) for left in ("the cube", "checker play"))
"""Those that a checker play may have, and those that any other decision may."""


def themes_of(scene: DecisionBoards) -> tuple[str, ...]:
    """The names of the themes of a decision, in the order of `THEMES`."""
    known = side_themes(scene.board)
    asked = _OF_PLAYS if scene.is_play else _OF_CUBES
    return tuple([each.name for each in asked if (each.name in known if each.of_sides else each.holds(scene))])
