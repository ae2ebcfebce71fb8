"""The cube and the score: what a decision depends on besides the board, and what the cube may do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.perspective import other
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.board.perspective import Player

Owner = Literal["centre", "mine", "theirs"]
"""Where the cube lies, seen by the player on roll."""

OWNERS: Final[Mapping[int, Owner]] = MappingProxyType({0: "centre", 1: "mine", -1: "theirs"})
"""Where the cube lies, by the sign that several formats write for it."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube as the player on roll sees it (R30)."""

    value: int = 1
    owner: Owner = "centre"

    @classmethod
    def of(cls, value: int, owner: Player | None, seen_by: Player) -> Cube:
        """The cube of a player, or of nobody, as one of the two sees it."""
        return cls(value, "centre" if owner is None else "mine" if owner == seen_by else "theirs")

    def player(self, seen_by: Player) -> Player | None:
        """Who owns the cube that a player sees so; None while it is centred."""
        return {"centre": None, "mine": seen_by, "theirs": other(seen_by)}[self.owner]

    @property
    def sign(self) -> int:
        """1 for a cube of one's own, -1 for the other player's, 0 for a centred one, as in `OWNERS`."""
        return {"centre": 0, "mine": 1, "theirs": -1}[self.owner]

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
        """R36: whether the player on roll could gain nothing by turning the cube.

        That is so where a single game with the present cube wins them the match.
        """
        return bool(self.length) and self.away[0] <= self.cube.value

    @property
    def is_post_crawford(self) -> bool:
        """R42: whether the Crawford game has been played and a player still stands one point from winning."""
        return bool(self.length) and self.rules.crawford and not self.crawford and 1 in self.away

    @property
    def next_is_post_crawford(self) -> bool:
        """Whether the cube is in play in the next game if a player then stands one point from winning (R42)."""
        return self.crawford or 1 in self.away or not self.rules.crawford

    def flipped(self) -> MatchState:
        """The same state seen by the other player."""
        return replace(self, score=self.score[::-1], cube=self.cube.flipped())


class CubeReason(Enum):
    """Why a cube action is against the rules."""

    NOT_YOUR_CUBE = "the other player owns the cube"
    OPENING = "before the opening roll"
    CRAWFORD = "Crawford game"
    HOLLAND = "too soon after the Crawford game"
    OUT_OF_TURN = "not on roll"
    UNANSWERED = "offer without an answer"
    NO_OFFER = "no offer to answer"
    MEANT_TAKE = "a take was meant"
    MEANT_DROP = "a drop was meant"
    MEANT_BEAVER = "a beaver was meant"
    SURPLUS = "one too many"
    SECOND_ANSWER = "a second answer"
    LATE_ANSWER = "an answer after the roll"
    ANSWER_COLUMN = "an answer in the doubler's column"
    DOUBLE_COLUMN = "a double in the other player's column"
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
    """Why the player on roll may not double, or None when they may (R30, R31, R41, R43).

    Args:
        state: the match seen by the player who doubles.
        claimed: the value that they offer, if the record gives one.
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
