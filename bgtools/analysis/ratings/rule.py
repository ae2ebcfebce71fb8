"""What a rating is: which decisions it counts, and what it makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.analysis.statistics import FEW_DECISIONS, Sums, interval_of_losses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.analysis.rows import DecisionKind, DecisionRow
    from bgtools.engines.protocol import CubeAnswer


@dataclass(frozen=True, slots=True)
class Count:
    """Whether a rating counts a decision.

    Attributes:
        counted: whether the rating counts the decision.
        why: why it does, or why not.
    """

    counted: bool
    why: str


@dataclass(frozen=True, slots=True)
class JudgedPlay:
    """A checker play, for a rating to count or not.

    Attributes:
        equities: EMG of every distinct legal result, best first; a single one where the play was forced.
        loss: EMG that the play gave away, at least 0.
        stated: whether XG counts it, where its file says so.
    """

    equities: Sequence[float]
    loss: float = 0.0
    stated: bool | None = None


@dataclass(frozen=True, slots=True)
class JudgedCubeAction:
    """A cube decision, for a rating to count or not.

    Attributes:
        kind: what was done.
        answer: the equities of the decision, for the player who could double.
        loss: EMG that it cost the player who decided, at least 0.
        dead: whether the cube can gain the player on roll nothing.
    """

    kind: DecisionKind
    answer: CubeAnswer
    loss: float = 0.0
    dead: bool = False


def no_resignation(loss: float) -> Count:
    """Count no resignation."""
    return Count(False, "resignations are not counted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """Which decisions a rating counts. Several ratings can share one.

    Attributes:
        name: its key in `DecisionRow.counted_by`, and what its columns in the table of decisions begin with.
        checker_play: whether it counts a checker play.
        cube_action: whether it counts a double, a turn without one, or the answer to one.
        resignation: whether it counts a resignation, or its acceptance, that gave away so much EMG.
    """

    name: str
    checker_play: Callable[[JudgedPlay], Count]
    cube_action: Callable[[JudgedCubeAction], Count]
    resignation: Callable[[float], Count] = no_resignation


@dataclass(frozen=True, slots=True)
class CountedDecisions:
    """What a rating is made of.

    Attributes:
        player: whose rating it is, 0 or 1.
        length: points to win the match; 0 for money.
        own: the decisions of this player that the rating counts.
        both: those of both players. The loss of a forced play is None where no engine has looked at it.
    """

    player: int
    length: int
    own: Sequence[DecisionRow]
    both: Sequence[DecisionRow]


@dataclass(frozen=True, slots=True)
class RatingResult:
    """One rating of one player.

    Attributes:
        value: the rating, lower is better; None when there is nothing to divide by.
        value_mwc: the same in thousandths of match winning chance; None for PR, which has no such form,
            and for money.
        loss: sum of the counted losses in EMG.
        counted: how many decisions count.
        divided_by: what the losses are divided by: those decisions, or moves.
        label: what the rating's owner calls such a player, `named` says when; empty where there is no name for it, or
            too few decisions for one.
        low, high: the 95% interval of the rating by resampling its decisions, which hang together by games; None where
            they are fewer than 30, and where none of them lost anything.
    """

    value: float | None
    value_mwc: float | None
    loss: float
    counted: int
    divided_by: int
    label: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A rating.

    Attributes:
        name: its key in ``players[i].ratings`` of report.json, and what its columns in tables begin with.
        title: its row in the table that a report prints.
        counting: which decisions it counts.
        figure: makes the rating of the decisions that count; `mean_loss` does for most.
        printed: whether a report prints it.
        digits: decimals that are printed.
        mwc_digits: decimals of a row below it in match winning chance; None for no such row.
        tally: what the row "counted" calls it; empty to leave it out of that row.
    """

    name: str
    title: str
    counting: Counting
    figure: Callable[[CountedDecisions], RatingResult]
    printed: bool = True
    digits: int = 1
    mwc_digits: int | None = None
    tally: str = ""

    def rate(self, player: int, decisions: Sequence[DecisionRow], *, length: int) -> RatingResult:
        """The rating of one player.

        Args:
            player: 0 or 1.
            decisions: those of both players.
            length: points to win the match, 0 for money.
        """
        both = [row for row in decisions if row.counted_by[self.counting.name].counted]
        return self.figure(CountedDecisions(player, length, [row for row in both if row.player == player], both))


def no_label(value: float) -> str:
    """No name for any value."""
    return ""


def mean_loss(
    counted: Sequence[DecisionRow],
    factor: float = 1000,
    *,
    divided_by: int | None = None,
    label: Callable[[float], str] = no_label,
    in_mwc: bool = True,
) -> RatingResult:
    """The sum of the losses, divided by a number and multiplied by another.

    Args:
        counted: the decisions whose losses are added up.
        factor: what the mean is multiplied with.
        divided_by: what the sum is divided by; None for the number of decisions.
        label: gives the name of a value.
        in_mwc: whether the rating is also given as match winning chance.
    """
    loss = sum(row.loss or 0.0 for row in counted)
    by = len(counted) if divided_by is None else divided_by
    if not by or all(row.loss is None for row in counted):
        return RatingResult(None, None, loss, len(counted), 0, "")
    mwc = None
    if in_mwc and all(row.loss_mwc is not None or row.loss is None for row in counted):
        mwc = factor * sum(row.loss_mwc or 0.0 for row in counted) / by
    value = factor * loss / by
    interval = interval_of_losses(Sums.of([row.loss or 0.0 for row in counted])) if loss else None
    low, high = (None, None) if interval is None else (factor * bound / by for bound in interval)
    return RatingResult(value, mwc, loss, len(counted), by, named(label, len(counted), value, low, high), low, high)


def named(
    label: Callable[[float], str], decisions: int, value: float, low: float | None = None, high: float | None = None
) -> str:
    """The name of a rating, as far as its decisions tell one.

    Args:
        label: gives the name of a value.
        decisions: how many count; under 30 tell no name.
        value: the rating.
        low, high: its interval. Where that reaches over more than two names, the first and the last are given.
    """
    if decisions < FEW_DECISIONS:
        return ""
    if low is None or high is None:
        return label(value)
    names = dict.fromkeys(label(low + (high - low) * step / _STEPS) for step in range(_STEPS + 1))
    first, *others = names
    return f"{first or _NO_NAME} to {others[-1] or _NO_NAME}" if len(others) > 1 else label(value)


_NO_NAME: Final = "no title"
"""What an interval reaches where its rating has no name, such as a PR above the last title of BMAB."""

_STEPS: Final = 200
