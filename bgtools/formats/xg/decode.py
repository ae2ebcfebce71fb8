"""From the fields of eXtreme Gammon's records to plays, boards and analyses."""

from __future__ import annotations

import struct
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.play import HopText, point_name
from bgtools.formats.xg.fields import NO_LEVEL, PROGRAM, level
from bgtools.formats.xg.kept import EXTRA, kept_fields
from bgtools.formats.xg.layout import MOST_CANDIDATES, NO_ANALYSIS, RecordKind
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, PlayAnalysis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.formats.limits import PieceBudget
    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.annotation import Level, Probabilities

FLAGGED: Final = f"{EXTRA}flagged"
"""The extra of a decision that somebody has flagged in XG."""

NO_ADVICE: Final = -100
"""The advice in the record of a cube decision that was not analysed."""

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
def _packed_hops(steps: bytes) -> Hops:
    """The hops of a candidate, whose numbers are bytes."""
    return hops_of(_STEPS.unpack(steps))[0] or ()


_STEPS: Final = struct.Struct("8b")


# --- boards ---------------------------------------------------------------------------------


def played_out(board: Sequence[int], steps: Sequence[int]) -> tuple[int, ...]:
    """A board after a play, seen by the mover. Impossible plays are not refused, and give some board.

    Args:
        board: before the play.
        steps: its hops, as `hops_of` takes them.
    """
    after = [*board]
    for start, end in zip(steps[::2], steps[1::2], strict=True):
        point, target = start + 1, max(end + 1, OFF)
        if not 0 < point <= BAR or target >= BAR or point == target:
            break
        after[point] -= 1
        if target == OFF:
            continue
        if after[target] == -1:
            after[target] = 0
            after[OFF] -= 1
        after[target] += 1
    return tuple(after)


# --- analyses -------------------------------------------------------------------------------


@lru_cache(1 << 10)
def _level(number: int, asked: int, *, doubled: bool = False) -> Level:
    """A level of analysis. Of the level asked for 16 bits are meant."""
    return level(number, ((asked & 0xFFFF) ^ 0x8000) - 0x8000, doubled=doubled)


def play_annotation(record: BinaryRecord, room: PieceBudget) -> Annotation | None:
    """The annotation of a move record; None for a record without one.

    Args:
        record: the record.
        room: how many more valued plays the file may hold.
    """
    analysis = record["analysis"]
    candidates = _candidates(record, analysis, room)
    luck, kept = _stated(record["luck"]), kept_fields(record, RecordKind.MOVE)
    extras = ((FLAGGED, "1"), *kept) if record["flagged"] else kept
    if not candidates:
        return Annotation(luck=luck, extras=extras) if luck is not None or extras else None
    after, boards = record.raw("board_after"), analysis["boards"]
    ranked = PlayAnalysis(
        candidates=candidates,
        chosen=next((at for at in range(len(candidates)) if boards.raw(at) == after), None),
        error=_stated(record["error"]),
        counted=not analysis["irrelevant"],
    )
    return Annotation(program=PROGRAM, plays=ranked, luck=luck, extras=extras)


def _candidates(record: BinaryRecord, analysis: BinaryRecord, room: PieceBudget) -> tuple[Candidate, ...]:
    """The valued plays of a move record."""
    count, results = min(max(analysis["count"], 0), MOST_CANDIDATES), analysis["results"]
    depths = [*_DEPTH.iter_unpack(analysis.raw("levels")[: count * _DEPTH.size])]
    # A play that nobody has valued stands among the candidates for other programs to see.
    if not count or (depths[0][0] == NO_LEVEL and not any(results[0])):
        return ()
    room.take(count)
    moves, asked = analysis["moves"], record["level"]
    return tuple(
        Candidate(
            hops=_packed_hops(moves.raw(at)),
            evaluation=_evaluation(result),
            level=_level(number, asked, doubled=doubled),
        )
        for at, (result, (number, doubled)) in enumerate(zip(results.first(count), depths, strict=True))
    )


_DEPTH: Final = struct.Struct("<h?x")
"""How deep a play was looked at: its level, and whether a double was assumed."""


def cube_analysis(record: BinaryRecord) -> CubeAnalysis | None:
    """The analysis of a cube record; None for a record without one."""
    analysis = record["analysis"]
    if analysis["advice"] == NO_ADVICE:
        return None
    error, answer_error = _stated(record["error"]), _stated(record["take_error"])
    return CubeAnalysis(
        no_double=_cubeful(analysis["no_double"], analysis["equity_no_double"]),
        double_take=_cubeful(analysis["take"], analysis["equity_take"]),
        double_drop=_stated(analysis["equity_drop"]),
        level=_level(analysis["level"], analysis["level_asked"]),
        error=None if error is None else -abs(error),
        answer_error=None if answer_error is None or record["take"] < 0 else -abs(answer_error),
    )


def _stated(figure: float) -> float | None:
    """A figure; None where a record states none, or a value that is not finite."""
    return figure if isfinite(figure) and figure > NO_ANALYSIS else None


def _evaluation(result: Sequence[float]) -> Evaluation:
    """The evaluation in seven figures, the last of which is the equity."""
    return Evaluation(probabilities=_chances(result), equity=_stated(result[-1]))


def _cubeful(result: Sequence[float], equity: float) -> Evaluation:
    """The evaluation in seven figures, the last of which is the equity without a cube, and one with it."""
    return Evaluation(probabilities=_chances(result), equity=_stated(equity), cubeless=_stated(result[-1]))


def _chances(result: Sequence[float]) -> Probabilities | None:
    """Our chances from those in XG's order; None where they are all zero, that is, not known."""
    lost_backgammon, lost_gammon, lose, win, gammon, backgammon, _ = result
    if not (win or lose) or not all(map(isfinite, result[:-1])):
        return None
    return win, gammon, backgammon, lost_gammon, lost_backgammon
