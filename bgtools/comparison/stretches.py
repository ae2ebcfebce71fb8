"""Where the entries of a game differ in two records: each slip is one stretch of entries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bgtools.comparison.tokens import ROLL, alike

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.difference import Kind
    from bgtools.comparison.tokens import Token


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries of a game that differ in two records.

    Attributes:
        kind: what is different.
        pairs: the places in the tokens of either record; None where a record has nothing.
    """

    kind: Kind
    pairs: tuple[Pair, ...]

    def indexes(self, which: int) -> list[int]:
        """The places of the stretch in one record."""
        return [place for pair in self.pairs if (place := pair[which]) is not None]

    def message(self, says: tuple[str, str]) -> str:
        """The difference as a sentence.

        Args:
            says: what either record says there; "" where it has nothing.
        """
        match self.kind:
            case "die":
                return "another roll" if len(self.pairs) == 1 else "two rolls in each other's place"
            case "play":
                return "another play"
            case "cube" if all(says):
                return "another cube action"
            case "player":
                return "the same by the other player" + (", from here on" if len(self.pairs) > 1 else "")
            case "order":
                return "in another order"
        missing = next((name for name, said in zip("ab", says, strict=True) if not said), "")
        if not missing:
            return "other entries"
        count = len(self.pairs)
        return f"{missing} lacks {'this entry' if count == 1 else f'these {count} entries'}"


def find_stretches(
    one: Sequence[Token], two: Sequence[Token], pairs: Sequence[Pair], is_apart: Callable[[int, int], bool]
) -> list[Stretch]:
    """The stretches in which two records of a game differ, in order.

    Args:
        one: what the entries of the first record say.
        two: what those of the second say.
        pairs: which of them belong together.
        is_apart: whether two entries differ although their tokens are equal.
    """
    found: list[Stretch] = []
    run: list[Pair] = []

    def close() -> None:
        if run:
            found.append(Stretch(_kind_of_run(run, one, two), tuple(run)))
            run.clear()

    for x, y in pairs:
        if x is None or y is None or (one[x] != two[y] and alike(one[x], two[y])):
            run.append((x, y))
            continue
        close()
        if one[x] != two[y] or is_apart(x, y):
            found.append(Stretch(_kind(one[x], two[y]), ((x, y),)))
    close()
    joined = _interleaved_joined(_slips_joined(found, one, two))
    return _tail_joined(joined, pairs)


# --- what kind of difference it is ----------------------------------------------------------


def _kind(here: Token, there: Token) -> Kind:
    """What is different between two entries that belong together."""
    if here.what != ROLL:
        return "cube"
    return "play" if here.dice == there.dice else "die"


def _kind_of_run(run: Sequence[Pair], one: Sequence[Token], two: Sequence[Token]) -> Kind:
    """What is different in a run of entries that one record lacks, or gives to the other player."""
    here = [one[x] for x, _ in run if x is not None]
    there = [two[y] for _, y in run if y is not None]
    if not here or not there:
        whats = {token.what for token in (*here, *there)}
        return "turn" if ROLL in whats or "set" in whats else "cube"
    if all(x is not None and y is not None for x, y in run):
        return "player"
    if len(here) == len(there) == 1:
        return _kind(here[0], there[0])
    return "order" if _bag(here) == _bag(there) else "turn"


def _bag(some: Sequence[Token]) -> Counter[object]:
    """What some entries say, without their players and their order."""
    return Counter((token.what, token.dice, token.content) for token in some)


# --- stretches that are one slip ------------------------------------------------------------

_NEAR: Final = 4
"""Among so many stretches before a stretch another one is looked for that is part of the same slip."""


def _slips_joined(found: list[Stretch], one: Sequence[Token], two: Sequence[Token]) -> list[Stretch]:
    """The stretches, with two that are one slip joined at the place of the first."""
    done: list[Stretch] = []
    for stretch in found:
        for number in range(len(done) - 1, max(len(done) - 1 - _NEAR, -1), -1):
            kind = _kind_of_slip(done[number], stretch, one, two, is_next=number == len(done) - 1)
            if kind is not None:
                done[number] = Stretch(kind, (*done[number].pairs, *stretch.pairs))
                break
        else:
            done.append(stretch)
    return done


def _kind_of_slip(
    first: Stretch, second: Stretch, one: Sequence[Token], two: Sequence[Token], *, is_next: bool
) -> Kind | None:
    """The kind of the one slip that two stretches are; None where they are two slips.

    Args:
        first: a stretch.
        second: a later one.
        one: what the entries of the first record say.
        two: what those of the second say.
        is_next: whether no other stretch is between them.
    """
    if is_next and first.kind == second.kind == "cube" and _follows(first, second):
        return "cube"
    if _rolls_exchanged(first, second, one, two):
        return "die"
    here = [one[x] for x in (*first.indexes(0), *second.indexes(0))]
    there = [two[y] for y in (*first.indexes(1), *second.indexes(1))]
    return "order" if _bag(here) == _bag(there) else None


def _follows(first: Stretch, second: Stretch) -> bool:
    """Whether no entry is between two stretches in either record."""
    return all(
        not (before := first.indexes(which)) or not (after := second.indexes(which)) or after[0] == before[-1] + 1
        for which in (0, 1)
    )


def _rolls_exchanged(first: Stretch, second: Stretch, one: Sequence[Token], two: Sequence[Token]) -> bool:
    """Whether the rolls of two turns stand in each other's place."""
    if first.kind != "die" or second.kind != "die":
        return False
    (x, y), (u, v) = first.pairs[0], second.pairs[0]
    if x is None or y is None or u is None or v is None:
        return False
    crossed = one[x].dice == two[v].dice and one[u].dice == two[y].dice
    return crossed and one[x].content == two[y].content and one[u].content == two[v].content


def _interleaved_joined(found: list[Stretch]) -> list[Stretch]:
    """The stretches, with two whose entries stand in another order joined where they overlap."""
    whole: list[Stretch] = []
    for stretch in found:
        if whole and _are_interleaved(whole[-1], stretch):
            whole[-1] = Stretch("order", (*whole[-1].pairs, *stretch.pairs))
        else:
            whole.append(stretch)
    return whole


def _are_interleaved(first: Stretch, second: Stretch) -> bool:
    """Whether the entries of both stretches stand in another order, and the second begins before the first ends."""
    return first.kind == second.kind == "order" and any(
        second.indexes(which)[0] < first.indexes(which)[-1] for which in (0, 1)
    )


def _tail_joined(found: list[Stretch], pairs: Sequence[Pair]) -> list[Stretch]:
    """The stretches, with the last two joined where a record breaks off in the middle of an entry."""
    if len(found) < 2 or found[-1].kind != "turn" or found[-1].pairs[-1] != pairs[-1]:
        return found
    *others, before, last = found
    if (last.indexes(0) and last.indexes(1)) or before.kind not in ("die", "play"):
        return found
    if pairs.index(before.pairs[-1]) + 1 != pairs.index(last.pairs[0]):
        return found
    return [*others, replace(last, pairs=(*before.pairs, *last.pairs))]
