"""Other readings of a game's cube actions, where one cannot have happened as it is written.

A take written as a drop ends a game that goes on; an answer in the wrong column answers nothing. Each
reading changes one action, and the whole game is replayed with it. The reading with which the rest fits is
what happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Take
from bgtools.rules.cube import CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.record.record import Entry
    from bgtools.replayer.recovery import Reading

SUPPOSED = -1
"""The number of an entry that the record does not hold."""

Numbered = tuple[int, "Entry"]


@dataclass(frozen=True, slots=True)
class Misread:
    """Another reading of one cube action.

    Attributes:
        at: the number of the entry that is wrong.
        violation: what is wrong with it.
        reading: how it is read.
        entries: the game then, in the order in which it happened, each entry with its number.
        passed_over: the numbers of the entries that are left out.
    """

    at: int
    violation: CubeViolation
    reading: Reading
    entries: tuple[Numbered, ...]
    passed_over: frozenset[int] = frozenset()


def misreadings(entries: Sequence[Entry]) -> Iterator[Misread]:
    """The likely readings of every double, take, drop and beaver of a game."""
    numbered = tuple(enumerate(entries))
    for at, entry in numbered:
        if isinstance(entry, Take | Drop):
            yield from _answers(numbered, at, entry)
        elif isinstance(entry, Double):
            yield from _doubles(numbered, at, entry)
        elif isinstance(entry, Beaver):
            yield _read_as(numbered, at, Take(player=entry.player, row=entry.row, span=entry.span))
            before = numbered[at - 1][1] if at else None
            if not isinstance(before, Double | Take | Drop | Beaver):
                yield _offered(numbered, at, entry)


def _read_as(numbered: tuple[Numbered, ...], at: int, entry: Entry) -> Misread:
    return Misread(at, CubeViolation(CubeReason.WRONG_ANSWER), "corrected", _with(numbered, at, (at, entry)))


def _offered(numbered: tuple[Numbered, ...], at: int, entry: Take | Drop | Beaver) -> Misread:
    """An answer with the double before it that the record does not hold."""
    offered = (SUPPOSED, Double(player=other(entry.player), row=entry.row, span=entry.span))
    return Misread(at, CubeViolation(CubeReason.NO_OFFER), "inserted", _with(numbered, at, offered, (at, entry)))


def _with(numbered: tuple[Numbered, ...], at: int, *here: Numbered, until: int | None = None) -> tuple[Numbered, ...]:
    """The entries with others in place of one, or of those before ``until``."""
    return (*numbered[:at], *here, *numbered[at + 1 if until is None else until :])


def _answers(numbered: tuple[Numbered, ...], at: int, entry: Take | Drop) -> Iterator[Misread]:
    player, row, span = entry.player, entry.row, entry.span
    before = numbered[at - 1][1] if at else None
    after = numbered[at + 1][1] if at + 1 < len(numbered) else None
    goes_on = any(isinstance(each, CheckerPlay | Double) for _, each in numbered[at + 1 :])
    # A drop that ends the game is compared with the result instead.
    if isinstance(before, Double) and isinstance(entry, Drop) and goes_on:
        yield _read_as(numbered, at, Take(player=player, row=row, span=span))
    # The answer may have been a beaver: the value of a later double shows it.
    if isinstance(before, Double) and any(isinstance(each, Double) for _, each in numbered[at + 1 :]):
        yield _read_as(numbered, at, Beaver(player=player, row=row, span=span))
    if any(isinstance(each, Take | Drop) and each.player == player for each in (before, after)):
        second = CubeViolation(CubeReason.SECOND_ANSWER)
        yield Misread(at, second, "left out", numbered, frozenset((at,)))
    if isinstance(before, Double) and before.player == player:
        column = CubeViolation(CubeReason.ANSWER_COLUMN)
        yield Misread(at, column, "other column", _with(numbered, at, (at, replace(entry, player=other(player)))))
    if isinstance(before, CheckerPlay) and at > 1 and isinstance(numbered[at - 2][1], Double):
        late = (numbered[at], numbered[at - 1])
        yield Misread(at, CubeViolation(CubeReason.LATE_ANSWER), "moved", _with(numbered, at - 1, *late, until=at + 1))
    if not isinstance(before, Double | Take | Drop | Beaver):
        yield _offered(numbered, at, entry)
        taken = (at, replace(entry, player=other(player)))
        offered = (SUPPOSED, Double(player=player, row=row, span=span))
        violation = CubeViolation(CubeReason.NO_OFFER)
        yield Misread(at, violation, "other column", _with(numbered, at, offered, taken))


def _doubles(numbered: tuple[Numbered, ...], at: int, entry: Double) -> Iterator[Misread]:
    """The double in the other column, alone or with its answer; with the value that a beaver counts; or left out."""
    turned = (at, replace(entry, player=other(entry.player)))
    violation = CubeViolation(CubeReason.DOUBLE_COLUMN)
    yield Misread(at, violation, "other column", _with(numbered, at, turned))
    if at + 1 == len(numbered):
        return
    answer = numbered[at + 1][1]
    if isinstance(answer, Beaver) and answer.value and entry.value and answer.value != 2 * entry.value:
        # The value of the double may be wrong. Where the cube may turn by itself, a wrong value is taken for that.
        right = replace(entry, value=answer.value // 2)
        wrong_value = CubeViolation(CubeReason.WRONG_VALUE, right.value, entry.value)
        yield Misread(at, wrong_value, "left out", _with(numbered, at, (at, right)))
    if not isinstance(answer, Take | Drop | Beaver):
        yield Misread(at, CubeViolation(CubeReason.UNANSWERED), "left out", numbered, frozenset((at,)))
    if isinstance(answer, Take | Drop):
        answered = (at + 1, replace(answer, player=other(answer.player)))
        yield Misread(at, violation, "other column", _with(numbered, at, turned, answered, until=at + 2))
