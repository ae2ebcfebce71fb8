"""From the analyses of OGXM, in either binary version or JSON, to those of a record."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.formats.bgf.plies import Steps, hops_of
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Probabilities, Unit

_PLY: Final = re.compile(r"(\d{1,2})[- ]?ply")
_LAST_MOMENT: Final = 253_402_300_800_000
"""Milliseconds to the end of the year 9999."""


class PlayFigures(NamedTuple):
    """A play with its figures."""

    steps: Steps
    equity: float | None
    chances: Probabilities | None
    level: Level
    cubeless: float | None = None
    is_played: bool = False


def level_of(label: str | None, depth: int | None = None, *, is_rollout: bool = False) -> Level:
    """A level by its label, or by its depth in plies as eXtreme Gammon counts them."""
    if label:
        found = _PLY.fullmatch(label)
        return Level(name=f"{found[1]}-ply" if found else label)
    return Level(name="rollout" if is_rollout else f"{depth}-ply" if depth else "")


def chances_of(figures: Sequence[float]) -> Probabilities | None:
    """Five chances; None where all are zero, which means "not known", or there are not five."""
    return None if len(figures) != 5 or not any(figures) else tuple(figures)  # type: ignore[return-value]


def play_analysis(valued: Sequence[PlayFigures], player: Player, unit: Unit, loss: float | None) -> PlayAnalysis | None:
    """The analysis of a roll; plays with impossible steps are left out. None where no play remains."""
    candidates: list[Candidate] = []
    chosen = None
    for each in valued:
        hops = hops_of(each.steps, player)
        if hops is None:
            continue
        if each.is_played and chosen is None:
            chosen = len(candidates)
        figures = Evaluation(probabilities=each.chances, equity=each.equity, cubeless=each.cubeless, unit=unit)
        candidates.append(Candidate(hops=hops, evaluation=figures, level=each.level))
    if not candidates:
        return None
    error = None if loss is None else -abs(loss)
    return PlayAnalysis(candidates=tuple(candidates), chosen=chosen, error=error)


def cube_analysis(
    equities: Sequence[float | None],
    chances: Probabilities | None,
    unit: Unit,
    level: Level,
    loss: float | None = None,
    *,
    answers: bool = False,
) -> CubeAnalysis:
    """A cube decision by the equities of no double, double and take, double and drop.

    Args:
        equities: these three.
        chances: the chances in the position without a double.
        unit: the unit of the equities.
        level: the level of the analysis.
        loss: the loss of the choice, in the same unit; None where the file gives none.
        answers: whether the decision is taking or passing, not doubling.
    """
    no_double, double_take, double_drop = equities
    error = None if loss is None else -abs(loss)
    return CubeAnalysis(
        no_double=Evaluation(probabilities=chances, equity=no_double, unit=unit),
        double_take=Evaluation(equity=double_take, unit=unit),
        double_drop=double_drop,
        level=level,
        error=None if answers else error,
        answer_error=error if answers else None,
    )


def joined(one: Annotation | None, two: Annotation) -> Annotation:
    """Two analyses of an entry: merged into one where they complete each other, else one beside the other."""
    if one is None:
        return two
    whole = _whole(one, two)
    if whole is not None:
        return whole
    for at, each in enumerate(one.others):
        if (whole := _whole(each, two)) is not None:
            return replace(one, others=(*one.others[:at], whole, *one.others[at + 1 :]))
    return replace(one, others=(*one.others, two))


def _whole(one: Annotation, two: Annotation) -> Annotation | None:
    """Two analyses merged; None where two programs made them, or both value the same thing."""
    if one.program and two.program and one.program != two.program:
        return None
    if any(None not in pair for pair in ((one.plays, two.plays), (one.cube, two.cube), (one.luck, two.luck))):
        return None
    return replace(
        one,
        program=one.program or two.program,
        plays=one.plays or two.plays,
        cube=one.cube or two.cube,
        luck=two.luck if one.luck is None else one.luck,
    )


def date_tags(milliseconds: int, *, whole_days: bool) -> Iterator[tuple[str, str]]:
    """The tags of the day and the time of a match; none for a moment that is not set or impossible.

    Args:
        milliseconds: since the beginning of 1970.
        whole_days: whether to leave out the time of day.
    """
    if not 0 < milliseconds < _LAST_MOMENT:
        return
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    yield "EventDate", f"{moment:%Y.%m.%d}"
    if not whole_days and (moment.hour or moment.minute or moment.second):
        yield "EventTime", f"{moment:%H.%M}" + (f".{moment:%S}" if moment.second else "")


def named(analysis: Mapping[str, Any]) -> str:
    """The program that made an analysis, by the analysis' head."""
    return str(analysis.get("model_name") or analysis.get("model_id") or "")
