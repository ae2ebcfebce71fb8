"""What a program or a person has said about a decision, as a file carries it. Nothing here is judged.

All figures are seen by one player: for a checker play and a double by the player on roll, for a take, drop or beaver
by the player who doubled, because it is their double that the file's program has valued.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.play import HopText

Unit = Literal["emg", "mwc"]
"""What an equity counts: ``emg`` points per unit cube (normalised in a match), ``mwc`` match winning chance, 0 to 1."""

Clock = tuple[float | None, float | None]
"""Seconds left after the entry, to the player who acted and to the other one: below 0 where the time is overstepped,
None where the file does not say."""

Probabilities = tuple[float, float, float, float, float]
"""Chances to win, to win at least a gammon, to win a backgammon, to lose a gammon at least, to lose a backgammon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a program thinks a position is worth.

    Attributes:
        probabilities: cubeless chances, 0 to 1; None where the file gives none.
        equity: with the cube, in `unit`; None where the file gives none.
        cubeless: without the cube, in `unit`; None where the file gives none.
        unit: what both equities count.
    """

    probabilities: Probabilities | None = None
    equity: float | None = None
    cubeless: float | None = None
    unit: Unit = "emg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How deep a program looked.

    Attributes:
        name: as people say it, e.g. ``2-ply``, ``XG Roller+``, ``rollout``.
        code: as the file writes it; the same format writes it back.
    """

    name: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A checker play that a program has valued: its hops in the mover's numbering, and the figures."""

    hops: tuple[HopText, ...]
    evaluation: Evaluation
    level: Level = field(default_factory=Level)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayAnalysis:
    """The plays of a roll as a program ranks them, best first.

    Attributes:
        candidates: the plays, in the order of the file.
        chosen: which of them was played; None where it is not among them.
        error: what the play cost as the file states it, 0 or less, in the unit of the first play's equity; None where
            it states nothing.
        counted: whether the program counts the roll as a decision; None where the file does not say.
    """

    candidates: tuple[Candidate, ...]
    chosen: int | None = None
    error: float | None = None
    counted: bool | None = None


_COMPARED: Final = 10
_SPREAD: Final = 1e-4


def is_choice(equities: Sequence[float]) -> bool:
    """Whether eXtreme Gammon would count a roll as a decision: the best ten plays are not all worth the same.

    Args:
        equities: of the plays, best first, in points.
    """
    top = equities[:_COMPARED]
    return len(top) > 1 and max(top) - min(top) >= _SPREAD


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeAnalysis:
    """A cube decision as a program values it, seen by the player who could double.

    Attributes:
        no_double: the position when the cube is not turned.
        double_take: the position after double and take.
        double_drop: what a drop is worth, in the unit of the others; None where the file gives none.
        level: how deep the program looked.
        error: what not doubling, or doubling, cost; 0 or less, in the unit of `no_double`.
        answer_error: what the take or drop cost; 0 or less, in the same unit.
    """

    no_double: Evaluation
    double_take: Evaluation
    double_drop: float | None = None
    level: Level = field(default_factory=Level)
    error: float | None = None
    answer_error: float | None = None


Mark = Literal["very bad", "bad", "doubtful", "interesting", "good", "very good"]
"""How somebody has marked a decision (the SGF properties BM, DO, IT, TE)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """Everything a file says about an entry besides the entry itself.

    Attributes:
        program: who made the analysis; "" where the file does not say.
        plays: the plays of the roll.
        cube: the cube decision: before the roll, or of the double or its answer.
        luck: of the roll, in points; None where the file gives none.
        mark: how the play or cube action is marked.
        cube_mark: how the cube decision before a roll is marked.
        luck_mark: how the roll is marked: bad or good luck.
        clock: what the clocks show; None where the file gives neither clock.
        extras: what only the format itself understands, under keys such as ``sgf:…``.
        others: what else the file says of the same decisions: by other programs, or at other levels.
    """

    program: str = ""
    plays: PlayAnalysis | None = None
    cube: CubeAnalysis | None = None
    luck: float | None = None
    mark: Mark | None = None
    cube_mark: Mark | None = None
    luck_mark: Mark | None = None
    clock: Clock | None = None
    extras: tuple[tuple[str, str], ...] = ()
    others: tuple[Annotation, ...] = ()


def time_left(seconds: float) -> str:
    """What a clock shows, in words such as ``9:55`` or ``1:00:00``; below 0 with a minus. A begun second is gone.

    Args:
        seconds: that are left.
    """
    whole = abs(floor(seconds))
    hours, minutes = divmod(whole // 60, 60)
    told = f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
    return f"-{told}" if seconds < 0 else told
