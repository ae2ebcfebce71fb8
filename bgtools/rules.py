"""The rules of the game: what may be played, what the cube may do, what a game is worth.

Rule numbers (R01 …) are those of the project's rule table; `docs/rules.md` lists them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from bgtools.movement import (
    Reason,
    Violation,
    apply,
    are_dice,
    can_move,
    explain,
    forced,
    legal_plays,
    numbers,
    only_play,
    perft,
    resolve,
)
from bgtools.position import BAR, OFF, START, Position, checkers

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CUBE_START",
    "VARIANTS",
    "Cube",
    "CubeReason",
    "CubeViolation",
    "Level",
    "MatchState",
    "Owner",
    "Reason",
    "Ruleset",
    "Violation",
    "apply",
    "are_dice",
    "can_move",
    "explain",
    "explain_beaver",
    "explain_double",
    "forced",
    "legal_plays",
    "numbers",
    "only_play",
    "parse_rules",
    "perft",
    "points_won",
    "resolve",
    "variant_of",
    "winning_level",
]

Owner = Literal["centre", "mine", "theirs"]
"""Where the cube lies, seen by the player on roll."""

Level = Literal[1, 2, 3, 4]
"""What a win counts before the cube: 1 single, 2 gammon, 3 backgammon (R20), 4 quadruple (R21)."""

CUBE_START: Final = 1
"""What the cube shows before anybody has doubled (R30)."""

_NACKGAMMON = checkers({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
_HYPERGAMMON = tuple(checkers({24 - each: 1 for each in range(count)}, total=count) for count in (1, 2, 3))
_LONGGAMMON = checkers({24: 15})

VARIANTS: Final[Mapping[str, Position]] = MappingProxyType(
    {
        "backgammon": START,
        "nackgammon": Position(_NACKGAMMON, _NACKGAMMON),
        "hypergammon": Position(_HYPERGAMMON[2], _HYPERGAMMON[2]),
        "hypergammon1": Position(_HYPERGAMMON[0], _HYPERGAMMON[0]),
        "hypergammon2": Position(_HYPERGAMMON[1], _HYPERGAMMON[1]),
        "longgammon": Position(_LONGGAMMON, _LONGGAMMON),
    }
)
"""The start of every variant known by name (R50 to R53); a number is that of a side's checkers."""


_VARIATION = re.compile(r"\s*([a-z]*)[\s(-]*(\d*)", re.IGNORECASE)


def variant_of(text: str) -> str | None:
    """The name of a variant in `VARIANTS` for what a tag says, such as ``HyperGammon (2)``; None if there is none."""
    found = _VARIATION.match(text)
    assert found is not None
    name = found[1].casefold()
    # The usual number of checkers goes without saying.
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
            record is to tell by itself.
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
    def start(self) -> Position:
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
        name, given, value = part.partition("=")
        negated = name.startswith("no_")
        plain = name.removeprefix("no_")
        if plain in _FLAGS and not given:
            changes[plain] = not negated
        elif plain in _NUMBERS and (not given or value.isdecimal()) and not (negated and given):
            changes[plain] = 0 if negated else int(value) if given else _NUMBERS[plain]
        elif plain == "cube_limit" and (negated or value == "none" or (value.isdecimal() and int(value) > 0)):
            changes["cube_limit"] = None if negated or value == "none" else int(value)
        elif part in VARIANTS:
            changes["variant"] = part
        else:
            known = ", ".join(name.replace("_", "-") for name in (*_FLAGS, *_NUMBERS, "cube-limit=N", *VARIANTS))
            raise ValueError(
                f"{part.replace('_', '-')!r} is no rule; there are: {known}, and no- before a name for off"
            )
    return replace(base, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube as the player on roll sees it (R30)."""

    value: int = 1
    owner: Owner = "centre"

    def flipped(self) -> Cube:
        """The same cube seen by the other player."""
        if self.owner == "centre":
            return self
        return Cube(self.value, "theirs" if self.owner == "mine" else "mine")


@dataclass(frozen=True, slots=True)
class MatchState:
    """All that a decision depends on besides the board, seen by the player on roll.

    Attributes:
        length: points needed to win the match; 0 for a money session.
        score: points ``(on roll, other)`` before the game.
        cube: the cube before the decision.
        crawford: True in the Crawford game (R41).
        rules: the options in force.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube: Cube = field(default_factory=Cube)
    crawford: bool = False
    rules: Ruleset = field(default_factory=Ruleset)

    @property
    def away(self) -> tuple[int, int]:
        """Points ``(on roll, other)`` that are still missing; ``(0, 0)`` in a money session."""
        if not self.length:
            return 0, 0
        return max(self.length - self.score[0], 0), max(self.length - self.score[1], 0)

    @property
    def is_money(self) -> bool:
        """Whether this is a session without a match length."""
        return not self.length

    @property
    def may_double(self) -> bool:
        """R30, R41: whether the player on roll has access to the cube."""
        return not self.crawford and self.cube.owner != "theirs"

    @property
    def is_cube_dead(self) -> bool:
        """R36: whether a turn of the cube could gain its owner nothing at this score.

        True when the present cube already wins the match for the player on roll.
        """
        return bool(self.length) and self.away[0] <= self.cube.value

    @property
    def is_post_crawford(self) -> bool:
        """R42: whether the Crawford game has been played and a player still stands one point from winning."""
        return bool(self.length) and self.rules.crawford and not self.crawford and 1 in self.away

    def flipped(self) -> MatchState:
        """The same state seen by the other player."""
        return replace(self, score=self.score[::-1], cube=self.cube.flipped())


def winning_level(position: Position, *, quadruple: bool = False) -> Level | None:
    """What the side that has borne everything off has won (R20); None while both have checkers left.

    Args:
        position: the final board.
        quadruple: whether a backgammon with a checker on the bar counts four times (R21).
    """
    for winner, loser in ((position.mine, position.theirs), (position.theirs, position.mine)):
        if any(winner[1:]):
            continue
        if loser[OFF]:
            return 1
        if quadruple and loser[BAR]:
            return 4
        return 3 if any(loser[19:]) else 2
    return None


# --- the cube -------------------------------------------------------------------------------


class CubeReason(Enum):
    """Why a cube action is against the rules."""

    NOT_YOUR_CUBE = "the other player owns the cube"
    OPENING = "before the opening roll"
    CRAWFORD = "Crawford game"
    HOLLAND = "too soon after the Crawford game"
    OUT_OF_TURN = "not on roll"
    UNANSWERED = "offer without an answer"
    NO_OFFER = "no offer to answer"
    WRONG_VALUE = "wrong value of the cube"
    NO_BEAVERS = "no beavers here"
    OWN_BEAVER = "a beaver of one's own double"
    NO_AUTOMATIC = "no automatic double here"
    LIMIT = "beyond the cube's limit"
    DEAD = "dead cube"


@dataclass(frozen=True, slots=True)
class CubeViolation:
    """The reason why a cube action is against the rules.

    Attributes:
        reason: what is wrong.
        expected: the value of the cube that the rules ask for, where that is the point.
        claimed: the value that the record gives.
    """

    reason: CubeReason
    expected: int | None = None
    claimed: int | None = None


HOLLAND_ROLLS: Final = 2
"""Rolls that each side must have played before a double in a post-Crawford game (R43)."""


def explain_double(
    state: MatchState,
    *,
    claimed: int | None = None,
    opening: bool = False,
    rolls: tuple[int, int] = (HOLLAND_ROLLS, HOLLAND_ROLLS),
) -> CubeViolation | None:
    """Why the player on roll may not double, or None when he may (R30, R31, R41, R43).

    Args:
        state: the match seen by the player who doubles.
        claimed: the value that he offers, if the record gives one.
        opening: True before the first roll of a game that begins with one die each.
        rolls: rolls that each side has played in the game, for the Holland rule.
    """
    doubled = 2 * state.cube.value
    if opening:
        return CubeViolation(CubeReason.OPENING)
    if state.crawford:
        return CubeViolation(CubeReason.CRAWFORD)
    if state.rules.holland and state.is_post_crawford and min(rolls) < HOLLAND_ROLLS:
        return CubeViolation(CubeReason.HOLLAND)
    if state.cube.owner == "theirs":
        return CubeViolation(CubeReason.NOT_YOUR_CUBE)
    if claimed is not None and claimed != doubled:
        return CubeViolation(CubeReason.WRONG_VALUE, doubled, claimed)
    return _beyond_limit(state.rules, doubled)


def explain_beaver(rules: Ruleset, *, money: bool, count: int, value: int, claimed: int | None) -> CubeViolation | None:
    """Why a double may not be doubled back, or None when it may (R32, R33).

    Args:
        rules: the options in force.
        money: whether this is a session without a match length.
        count: 1 for a beaver, 2 for a raccoon, and so on.
        value: what the cube shows then.
        claimed: the value that the record gives, if any.
    """
    if not money or (rules.beavers is not None and count > rules.beavers):
        return CubeViolation(CubeReason.NO_BEAVERS)
    if claimed is not None and claimed != value:
        return CubeViolation(CubeReason.WRONG_VALUE, value, claimed)
    return _beyond_limit(rules, value)


def _beyond_limit(rules: Ruleset, value: int) -> CubeViolation | None:
    if rules.cube_limit is not None and rules.cube_limit < value:
        return CubeViolation(CubeReason.LIMIT, rules.cube_limit, value)
    return None


def points_won(level: Level, state: MatchState) -> int:
    """Points for a win of this level with this cube (R20, R35), not capped at the match's end.

    With the Jacoby rule a cube that nobody has taken, automatic doubles or not, counts its value only.
    """
    if state.is_money and state.rules.jacoby and state.cube.owner == "centre":
        return state.cube.value
    return level * state.cube.value
