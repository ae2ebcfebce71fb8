"""SGF of backgammon: the properties of a node, sorted by their use, and the plain values of some."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bgtools.formats.sgf import words

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.formats.sgf.tree import Node, Property

SETUP: Final = frozenset({"AE", "AB", "AW", "CV", "CP", "CO", "PL"})
"""Properties that set up a position."""
_OWNER: Final = re.compile(r"\s*(?:w(?:hite)?|b(?:lack)?|c(?:ent(?:er|re))?|n(?:one)?|)\s*", re.IGNORECASE)
_CUBE: Final = re.compile(r"\d{1,9}")


@dataclass(slots=True)
class NodeParts:
    """The properties of a node, sorted by their use.

    Attributes:
        own_property: the value of bgtools' own property; "" where the node has none.
        moves: rolls with their plays, and cube actions.
        setup: properties that set up a position.
        comments: remarks.
        notes: analyses, marks, and all other properties.
        dice: a roll without a play.
    """

    own_property: str = ""
    moves: list[Property] = field(default_factory=list)
    setup: list[Property] = field(default_factory=list)
    comments: list[Property] = field(default_factory=list)
    notes: list[Property] = field(default_factory=list)
    dice: Property | None = None


def parted(node: Node, *, is_root: bool, has_turned: bool) -> NodeParts:
    """Sort the properties of a node.

    Args:
        node: the node.
        is_root: whether it is the first node of the game. Its result is then left out, because it is read elsewhere.
        has_turned: whether the cube of the first node has been read as automatic doubles.
    """
    own = node.get(words.OWN)
    parts = NodeParts(own.values[0] if own is not None else "")
    for each in node.properties:
        name = each.name
        if name in words.COLOURS:
            parts.moves.append(each)
        elif name == "C":
            parts.comments.append(each)
        elif name == "DI" and parts.dice is None:
            parts.dice = each
        elif name in SETUP and not is_copyright(each):
            if not (is_root and has_turned and name == "CV"):
                parts.setup.append(each)
        elif name != words.OWN and not (is_root and name == "RE"):
            parts.notes.append(each)
    return parts


def is_copyright(each: Property) -> bool:
    """Whether a property is SGF's ``CP`` with the copyright of a file; in backgammon ``CP`` names who owns the cube."""
    return each.name == "CP" and _OWNER.fullmatch(each.values[0]) is None


def player_of(each: Property) -> Player | None:
    """The player that a property names by a colour; None where it names none."""
    value = each.values[0].strip().lower()[:1]
    return 0 if value == "w" else 1 if value == "b" else None


def number_of(each: Property) -> int | None:
    """The value of a cube, from 1 to 2 to the power of 30; None where the property has no such value."""
    value = each.values[0].strip()
    number = int(value) if _CUBE.fullmatch(value) else 0
    return number if 0 < number <= 1 << 30 else None
