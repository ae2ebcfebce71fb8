"""From columns of eXtreme Gammon's records to plays, boards and analyses, all records of a kind at once.

A long match has a hundred thousand valued plays, so nothing here looks at one field of one record:
numpy takes whole columns apart, and Python puts the pieces together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bgtools.board.board import BAR, OFF
from bgtools.board.play import HopText, point_name
from bgtools.formats.limits import most_pieces, refuse_more
from bgtools.formats.xg.fields import NO_LEVEL, PROGRAM, level
from bgtools.formats.xg.kept import EXTRA, kept_fields
from bgtools.formats.xg.layout import MOST_CANDIDATES, NO_ANALYSIS, RecordKind
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, PlayAnalysis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.annotation import Level, Probabilities

FLAGGED: Final = f"{EXTRA}flagged"
"""The extra of a decision that somebody has flagged in XG."""

NO_ADVICE: Final = -100
"""The advice in the record of a cube decision that was not analysed."""

# The places of our chances in XG's order.
_CHANCES: Final = [3, 4, 5, 1, 0]
_WIN_LOSE: Final = [2, 3]
_EQUITY: Final = 6

Hops = tuple[HopText, ...]
_UNREADABLE: Final[tuple[Hops | None, str]] = (None, "")


@lru_cache(1 << 15)
def hops_of(steps: tuple[int, ...]) -> tuple[Hops | None, str]:
    """The hops of a play and their text; None and "" where a number is not a point.

    Results are remembered, because the same few thousand plays recur.

    Args:
        steps: eight numbers: the start and the end of each hop, counted from 0 for the mover's 1-point. 24 is the
            bar, an end below 0 is off, and a start of -1 ends the play.
    """
    hops = []
    text = ""
    for start, end in zip(steps[::2], steps[1::2], strict=True):
        if start in (-1, end):  # a dance may be written as moves that stay where they are
            break
        if not 0 <= start < BAR or end >= BAR:
            return _UNREADABLE
        points = (start + 1, max(end + 1, OFF))
        word = f"{point_name(points[0])}/{point_name(points[1])}"
        text += " " if text else ""
        hops.append(HopText(points, (False,), 1, len(text), len(text) + len(word)))
        text += word
    return tuple(hops), text


@lru_cache(1 << 15)
def _packed_hops(steps: int) -> Hops:
    """The hops of a candidate, whose eight bytes are given as one number."""
    return hops_of(tuple(np.array([steps], "<u8").view(np.int8).tolist()))[0] or ()


# --- boards ---------------------------------------------------------------------------------


def played_out(boards: Any, steps: Any) -> Any:
    """Boards after their plays, all seen by the mover. Impossible plays are not refused, and give some board."""
    after = boards.astype(np.int16)
    rows = np.arange(len(after))
    going = np.ones(len(after), bool)
    for hop in range(0, steps.shape[1], 2):
        start, end = steps[:, hop] + 1, np.maximum(steps[:, hop + 1] + 1, 0)
        going &= (start > 0) & (start <= BAR) & (end < BAR) & (start != end)
        moving = rows[going]
        np.subtract.at(after, (moving, start[going]), 1)
        landing = rows[going & (end > 0)]
        points = end[landing]
        hit = after[landing, points] == -1
        after[landing[hit], points[hit]] = 0
        after[landing[hit], 0] -= 1
        np.add.at(after, (landing, points), 1)
    return after


# --- analyses -------------------------------------------------------------------------------


def _levels(numbers: Any, doubled: Any, asked: Any) -> list[Level]:
    """Levels of analysis from three columns; equal ones share one `Level`."""
    # One number for the three: the level asked for in the lowest 16 bits, then a bit for an assumed double, then the
    # level reached.
    low = asked.astype(np.uint16).astype(np.int64)
    keys = (numbers.astype(np.int64) << 17) | ((doubled != 0).astype(np.int64) << 16) | low
    known, places = np.unique(keys, return_inverse=True)
    made = [level(key >> 17, ((key & 0xFFFF) ^ 0x8000) - 0x8000, doubled=bool(key & 0x10000)) for key in known.tolist()]
    return [made[place] for place in places.tolist()]


def play_annotations(records: Any) -> Iterator[Annotation | None]:
    """The annotations of all move records, in their order; None for a record without one."""
    analysis = records["analysis"]
    # A play that nobody has valued stands among the candidates for other programs to see.
    unvalued = (analysis["levels"]["level"][:, 0] == NO_LEVEL) & ~analysis["results"][:, 0].any(axis=1)
    counts = np.where(unvalued, 0, np.clip(analysis["count"], 0, MOST_CANDIDATES))
    valued = np.arange(MOST_CANDIDATES) < counts[:, None]
    refuse_more(int(counts.sum()), most_pieces(), "valued plays")
    evaluations = _evaluations(analysis["results"][valued])
    hops = list(map(_packed_hops, np.ascontiguousarray(analysis["moves"][valued]).view("<u8").ravel().tolist()))
    levels = analysis["levels"][valued]
    depths = _levels(levels["level"], levels["doubled"], np.repeat(records["level"], counts))
    candidates = [
        Candidate(hops=play, evaluation=evaluation, level=depth)
        for play, evaluation, depth in zip(hops, evaluations, depths, strict=True)
    ]
    same = (analysis["boards"] == records["board_after"][:, None, :]).all(axis=2) & valued
    chosen = np.where(same.any(axis=1), same.argmax(axis=1), -1).tolist()
    at = 0
    for count, choice, error, luck, irrelevant, flagged, kept in zip(
        counts.tolist(),
        chosen,
        _stated(records["error"]),
        _stated(records["luck"]),
        analysis["irrelevant"].tolist(),
        records["flagged"].tolist(),
        kept_fields(records, RecordKind.MOVE),
        strict=True,
    ):
        extras = ((FLAGGED, "1"), *kept) if flagged else kept
        ranked = None
        if count:
            best = tuple(candidates[at : at + count])
            ranked = PlayAnalysis(
                candidates=best, chosen=choice if choice >= 0 else None, error=error, counted=not irrelevant
            )
            at += count
        if ranked is None and luck is None and not extras:
            yield None
        else:
            yield Annotation(program=PROGRAM if count else "", plays=ranked, luck=luck, extras=extras)


def cube_analyses(records: Any) -> Iterator[CubeAnalysis | None]:
    """The analyses of all cube records, in their order; None for a record without one."""
    analysis = records["analysis"]
    answered = records["take"] >= 0
    depths = _levels(analysis["level"], np.zeros(len(records), bool), analysis["level_asked"])
    for advice, depth, error, answer_error, has_answer, no_double, double_take, equities in zip(
        analysis["advice"].tolist(),
        depths,
        _stated(records["error"]),
        _stated(records["take_error"]),
        answered.tolist(),
        _evaluations(analysis["no_double"], analysis["equity_no_double"]),
        _evaluations(analysis["take"], analysis["equity_take"]),
        _stated(analysis["equity_drop"]),
        strict=True,
    ):
        if advice == NO_ADVICE:
            yield None
            continue
        yield CubeAnalysis(
            no_double=no_double,
            double_take=double_take,
            double_drop=equities,
            level=depth,
            error=None if error is None else -abs(error),
            answer_error=None if answer_error is None or not has_answer else -abs(answer_error),
        )


def _stated(column: Any) -> list[float | None]:
    """Figures; None where a record states none, or a value that is not finite."""
    values: list[float | None] = column.astype(float).tolist()
    silent = ~np.isfinite(column) | (column <= NO_ANALYSIS)
    for index in np.flatnonzero(silent).tolist():
        values[index] = None
    return values


def _evaluations(results: Any, equities: Any = None) -> list[Evaluation]:
    """Evaluations from rows of seven figures. The seventh is the equity, or the cubeless one if equities are given."""
    chances: list[Probabilities | None] = list(map(tuple, results[:, _CHANCES].astype(float).tolist()))
    # Chances that are all zero are not known.
    silent = ~np.isfinite(results[:, :_EQUITY]).all(axis=1) | ~results[:, _WIN_LOSE].any(axis=1)
    for index in np.flatnonzero(silent).tolist():
        chances[index] = None
    last = _stated(results[:, _EQUITY])
    if equities is None:
        return [Evaluation(probabilities=row, equity=equity) for row, equity in zip(chances, last, strict=True)]
    return [
        Evaluation(probabilities=row, equity=equity, cubeless=cubeless)
        for row, equity, cubeless in zip(chances, _stated(equities), last, strict=True)
    ]
