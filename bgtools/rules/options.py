"""The options of a match: variants, and which rules are in force (R31 to R53)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.board.board import START, Board, checkers

if TYPE_CHECKING:
    from collections.abc import Mapping

_NACKGAMMON = checkers({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
_HYPERGAMMON = tuple(checkers({24 - each: 1 for each in range(count)}, total=count) for count in (1, 2, 3))
_LONGGAMMON = checkers({24: 15})

VARIANTS: Final[Mapping[str, Board]] = MappingProxyType(
    {
        "backgammon": START,
        "nackgammon": Board(_NACKGAMMON, _NACKGAMMON),
        "hypergammon": Board(_HYPERGAMMON[2], _HYPERGAMMON[2]),
        "hypergammon1": Board(_HYPERGAMMON[0], _HYPERGAMMON[0]),
        "hypergammon2": Board(_HYPERGAMMON[1], _HYPERGAMMON[1]),
        "longgammon": Board(_LONGGAMMON, _LONGGAMMON),
    }
)
"""The start of every variant known by name (R50 to R53); a number is that of a side's checkers."""


OPTIONS: Final = (
    "crawford", "jacoby", "beavers", "automatic_doubles", "holland", "quadruple", "winner_starts", "cube_limit",
    "variant",
)  # fmt: skip
"""The options of a `Ruleset` that records state. The numbering of plays is not among them."""

_VARIATION = re.compile(r"\s*([a-z]*)[\s(-]*(\d*)", re.IGNORECASE)


def has_meaning(option: str, *, money: bool) -> bool:
    """Whether an option has a meaning in a money session, or in a match: neither has all of them."""
    return option != "crawford" if money else option not in ("jacoby", "beavers", "automatic_doubles")


def variant_of(text: str) -> str | None:
    """The name of a variant in `VARIANTS` for what a tag says, such as ``HyperGammon (2)``; None if there is none."""
    found = _VARIATION.match(text)
    assert found is not None
    name = found[1].casefold()
    # A number that makes no variant is dropped, such as the usual number of checkers.
    return next((known for known in (name + found[2], name) if known in VARIANTS), None)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The options that a record was played under.

    Attributes:
        crawford: no doubling in the game after a player first stands one point from winning (R41).
        jacoby: gammons count only after an accepted double; money only (R35). None where the record
            does not say: then its own results may tell.
        beavers: how many times running a double may be doubled back at once: 0 never, 1 beavers,
            2 raccoons as well; money only (R32, R33). None where the record does not say.
        automatic_doubles: how often tied opening rolls may turn the cube in a game; money only (R34).
            None where the record does not say.
        holland: after the Crawford game nobody doubles before each side has played two rolls (R43).
        quadruple: a backgammon counts four times with a checker of the loser on the bar (R21).
        winner_starts: the winner of the previous game starts the next one with two dice (R04).
        cube_limit: the highest value the cube may take, 1 for a game without a cube, None for no limit (R31).
        variant: a name of `VARIANTS` (R50 to R53).
        fixed: both players' plays are written in the numbering of player 0 (R02); None where the
            plays themselves have to tell.
    """

    crawford: bool = True
    jacoby: bool | None = False
    beavers: int | None = 0
    automatic_doubles: int | None = 0
    holland: bool = False
    quadruple: bool = False
    winner_starts: bool = False
    cube_limit: int | None = None
    variant: str = "backgammon"
    fixed: bool | None = None

    @property
    def start(self) -> Board:
        """The position that every game begins from."""
        return VARIANTS[self.variant]

    def __str__(self) -> str:
        """The options in the spelling that `parse_rules` reads."""
        told = {name: getattr(self, name) for name in _FLAGS if getattr(self, name) is not None}
        parts = [name if told[name] else f"no-{name}" for name in told]
        parts += [f"{name}={getattr(self, name)}" for name in _NUMBERS if getattr(self, name) is not None]
        parts += [f"cube_limit={self.cube_limit or 'none'}", self.variant]
        return ",".join(part.replace("_", "-") for part in parts)


_FLAGS: Final = ("crawford", "jacoby", "holland", "quadruple", "winner_starts", "fixed")
_NUMBERS: Final[Mapping[str, int]] = MappingProxyType({"beavers": 1, "automatic_doubles": 1})
"""Options with a number, and the number they have when none is given."""


def parse_rules(text: str, base: Ruleset) -> Ruleset:
    """Complete a ruleset: ``crawford,no-jacoby,beavers=2,cube-limit=64,nackgammon``.

    Args:
        text: options parted by commas; ``no-`` before a name switches it off.
        base: what holds where ``text`` is silent.

    Raises:
        ValueError: an option that is unknown, or a value that does not fit it.
    """
    changes: dict[str, object] = {}
    for part in filter(None, (part.strip().casefold().replace("-", "_") for part in text.split(","))):
        option = _option(part)
        if option is None:
            known = ", ".join(name.replace("_", "-") for name in (*_FLAGS, *_NUMBERS, "cube-limit=N", *VARIANTS))
            raise ValueError(
                f"{part.replace('_', '-')!r} is not a rule; there are: {known}, and no- before a name for off"
            )
        name, value = option
        changes[name] = value
    return replace(base, **changes)  # type: ignore[arg-type]


def _option(text: str) -> tuple[str, bool | int | str | None] | None:
    """The name of an option and its value: ``("beavers", 2)`` of ``beavers=2``; None where there is no such option."""
    if text in VARIANTS:
        return "variant", text
    written, given, value = text.partition("=")
    negated, name = written.startswith("no_"), written.removeprefix("no_")
    if name in _FLAGS and not given:
        return name, not negated
    if name in _NUMBERS and (not given or value.isdecimal()) and not (negated and given):
        return name, 0 if negated else int(value) if given else _NUMBERS[name]
    if name == "cube_limit":
        if negated or value == "none":
            return name, None
        if value.isdecimal() and int(value) > 0:
            return name, int(value)
    return None
