"""What a theme is, and how one is listed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.lessons.boards import side_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.lessons.boards import BoardSide
    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.board.board import Board

Group = Literal["the game", "checker play", "the cube", "the score"]
GROUPS: Final[tuple[Group, ...]] = ("the game", "checker play", "the cube", "the score")


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme.

    Attributes:
        name: what players call it.
        group: what it is about.
        holds: whether a decision has it.
        of_sides: whether the position alone tells it: it is one of `side_themes`.
    """

    name: str
    group: Group
    holds: Callable[[DecisionBoards], bool]
    of_sides: bool = False

    @property
    def definition(self) -> str:
        """When a decision has it, in words."""
        return " ".join((self.holds.__doc__ or "").split())


LISTED: list[Theme] = []
"""All themes, in the order in which their modules list them."""


def theme(name: str, group: Group) -> Callable[[Callable[[DecisionBoards], bool]], Callable[[DecisionBoards], bool]]:
    """List a predicate under a name."""

    def listed(holds: Callable[[DecisionBoards], bool]) -> Callable[[DecisionBoards], bool]:
        LISTED.append(Theme(name, group, holds))
        return holds

    return listed


_OF_SIDES: list[tuple[str, Callable[[BoardSide, BoardSide], object]]] = []


def side_theme(
    name: str,
) -> Callable[[Callable[[BoardSide, BoardSide], object]], Callable[[BoardSide, BoardSide], object]]:
    """List a predicate of a side and the side against it.

    A position has the theme if there is contact and the predicate holds for one of its sides. So all decisions about
    the position have it.
    """

    def listed(holds: Callable[[BoardSide, BoardSide], object]) -> Callable[[BoardSide, BoardSide], object]:
        def holds_of_some(scene: DecisionBoards) -> bool:
            return name in side_themes(scene.board)

        holds_of_some.__doc__ = holds.__doc__
        _OF_SIDES.append((name, holds))
        LISTED.append(Theme(name, "the game", holds_of_some, of_sides=True))
        return holds

    return listed


@lru_cache(maxsize=1024)
def side_themes(board: Board | None) -> frozenset[str]:
    """The themes of `side_theme` that a position has; remembered, as a roll and the double before it share it."""
    if board is None or not board.is_contact:
        return frozenset()
    own, other = side_of(board.mine), side_of(board.theirs)
    return frozenset([name for name, holds in _OF_SIDES if holds(own, other) or holds(other, own)])
