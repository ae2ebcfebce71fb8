"""What a theme is, and how one is listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.lessons.scene import Scene

Group = Literal["the game", "checker play", "the cube", "the score"]
GROUPS: Final[tuple[Group, ...]] = ("the game", "checker play", "the cube", "the score")


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme.

    Attributes:
        name: what players call it.
        group: what it is about.
        holds: whether a decision has it.
    """

    name: str
    group: Group
    holds: Callable[[Scene], bool]

    @property
    def definition(self) -> str:
        """When a decision has it, in words."""
        return " ".join((self.holds.__doc__ or "").split())


LISTED: list[Theme] = []
"""Themes as their modules are imported."""


def theme(name: str, group: Group) -> Callable[[Callable[[Scene], bool]], Callable[[Scene], bool]]:
    """List a predicate under a name."""

    def listed(holds: Callable[[Scene], bool]) -> Callable[[Scene], bool]:
        LISTED.append(Theme(name, group, holds))
        return holds

    return listed
