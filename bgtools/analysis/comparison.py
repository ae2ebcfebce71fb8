"""Several engines on one match: where they disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis

THRESHOLD: Final = 0.02
"""EMG by which two engines disagree by default: what eXtreme Gammon calls an error."""


@dataclass(frozen=True, slots=True)
class EngineVerdict:
    """What one engine says of a decision.

    Attributes:
        best: the best choice.
        loss: EMG that was given away, at least 0; None where it was not judged.
        depth: how deep the engine looked.
    """

    best: str
    loss: float | None
    depth: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A decision on which engines disagree.

    Attributes:
        row: the decision as the first engine judges it.
        verdicts: of every engine, in the order of the engines.
        difference: the largest difference of two engines in EMG: between their losses for the choice that was made, or
            the loss that one of them states for the other's best choice.
        about: ``loss``, ``best choice`` or ``loss, best choice``.
    """

    row: DecisionRow
    verdicts: tuple[EngineVerdict, ...]
    difference: float
    about: str


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """The engines of a report on one match.

    Attributes:
        engines: their names as they were asked for.
        analyses: the figures by each of them.
        threshold: EMG from which a difference is listed.
        compared: how many decisions have a loss by one engine and a loss or a best choice by another.
        disagreements: the decisions in which they differ by more than the threshold, in the order of the match.
    """

    engines: tuple[str, ...]
    analyses: tuple[Analysis, ...]
    threshold: float
    compared: int
    disagreements: tuple[Disagreement, ...]


def compare(engines: Sequence[str], analyses: Sequence[Analysis], threshold: float = THRESHOLD) -> EngineComparison:
    """Compare what engines say of the decisions of one match.

    Two best choices differ only if one engine says that the other's gives away more than the threshold. A choice
    that a row does not list counts as the worst that it lists. UBGI programs name a best choice without equities:
    the other engines value it.

    Args:
        engines: their names.
        analyses: one per engine, all of the same match.
        threshold: EMG above which engines disagree.
    """
    compared = 0
    found: list[Disagreement] = []
    for rows in zip(*(analysis.decisions for analysis in analyses), strict=True):
        judged = [row for row in rows if row.loss is not None]
        named = [row for row in rows if row.best]
        if not judged or len(named) < 2:
            continue
        compared += 1
        losses = [row.loss or 0.0 for row in judged]
        loss = max(losses) - min(losses)
        best = max(_cost(one, two.best) for one in judged for two in named)
        about = [name for name, value in (("loss", loss), ("best choice", best)) if value > threshold]
        if about:
            verdicts = tuple(EngineVerdict(row.best, row.loss, row.depth) for row in rows)
            found.append(Disagreement(rows[0], verdicts, max(loss, best), ", ".join(about)))
    return EngineComparison(tuple(engines), tuple(analyses), threshold, compared, tuple(found))


def _cost(row: DecisionRow, best: str) -> float:
    """EMG that a choice gives away by one engine's row. A choice that the row does not list counts as its worst."""
    if best == row.best or not row.choices:
        return 0.0
    # A double loses what it loses after the answer that costs the doubler more.
    losses = [each.loss for each in row.choices if each.choice.split(",")[0] == best]
    return max(losses) if losses else max(each.loss for each in row.choices)
