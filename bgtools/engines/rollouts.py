"""Questions and answers of rollouts, and how answers are kept.

A rollout plays games on from positions with dice of its own. It comes in *batches* of some games: in one batch all
boards of a question are played with the same dice, so that differences between boards come out far more accurately
than their values. Batches are independent of each other, so that the spread of a difference over batches tells how
sure its mean is. The same batch of a question has the same answer on every day and every machine.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from typing import TYPE_CHECKING, Final, Protocol

from bgtools._version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board
    from bgtools.engines.cache import Store
    from bgtools.engines.protocol import Stamp
    from bgtools.rules.cube import MatchState


@dataclass(frozen=True, slots=True)
class RolloutQuestion:
    """What is to be rolled out.

    Attributes:
        position: before the decision, seen by the player on roll.
        state: score and cube, seen by them; the cube before a double.
        boards: the boards after the plays to compare, seen by the player who made them; empty to compare no double with
            double and take.
        batch: number of the batch, from 0.
    """

    position: Board
    state: MatchState
    boards: tuple[Board, ...]
    batch: int


class Roller(Protocol):
    """A program that rolls positions out."""

    @property
    def stamp(self) -> Stamp:
        """The program, its version, how it rolls out, and its match equity table."""
        ...

    @property
    def fingerprint(self) -> str:
        """All that a batch depends on besides the question."""
        ...

    @property
    def games(self) -> int:
        """How many games a batch has."""
        ...

    @property
    def at_once(self) -> int:
        """How many boards it rolls at a time."""
        ...

    def refusal(self, position: Board, state: MatchState) -> str | None:
        """Why decisions at a position cannot be rolled out; None where they can."""
        ...

    def roll(self, questions: Sequence[RolloutQuestion]) -> tuple[tuple[float, ...], ...]:
        """For each question the mean equity (EMG) of each board, or of no double and of double and take.

        Equities belong to the player on roll, as those of `Engine`.
        """
        ...


_LAYOUT: Final = 1
_LONGEST: Final = 1 << 12


class CachedRoller:
    """A roller that remembers its batches.

    Args:
        roller: what is asked.
        store: where answers are kept.
    """

    def __init__(self, roller: Roller, store: Store) -> None:
        self._roller = roller
        self._store = store

    @property
    def stamp(self) -> Stamp:
        """See `Roller.stamp`."""
        return self._roller.stamp

    @property
    def fingerprint(self) -> str:
        """See `Roller.fingerprint`."""
        return self._roller.fingerprint

    @property
    def games(self) -> int:
        """See `Roller.games`."""
        return self._roller.games

    @property
    def at_once(self) -> int:
        """See `Roller.at_once`."""
        return self._roller.at_once

    def refusal(self, position: Board, state: MatchState) -> str | None:
        """See `Roller.refusal`."""
        return self._roller.refusal(position, state)

    def roll(self, questions: Sequence[RolloutQuestion]) -> tuple[tuple[float, ...], ...]:
        """See `Roller.roll`."""
        keys = {question: self._key(question) for question in questions}
        kept = self._store.get(list(keys.values()))
        found: dict[RolloutQuestion, tuple[float, ...]] = {}
        for question, key in keys.items():
            if key in kept and (answer := _read(kept[key], len(question.boards) or 2)) is not None:
                found[question] = answer
        missing = [question for question in keys if question not in found]
        rolled = self._roller.roll(missing)
        found.update(zip(missing, rolled, strict=True))
        self._store.put(
            [
                (keys[question], zlib.compress(json.dumps(answer).encode(), 1))
                for question, answer in zip(missing, rolled, strict=True)
            ]
        )
        return tuple(found[question] for question in questions)

    def _key(self, question: RolloutQuestion) -> bytes:
        state = question.state
        boards = [(bytes(board.mine), bytes(board.theirs)) for board in (question.position, *question.boards)]
        rules = (state.away, state.crawford, state.cube.value, state.cube.owner, str(state.rules))
        text = f"rollout {_LAYOUT}\n{__version__}\n{self.fingerprint}\n{boards!r}\n{rules!r}\n{question.batch}"
        return blake2b(text.encode(), digest_size=16).digest()


def _read(data: bytes, count: int) -> tuple[float, ...] | None:
    """A kept answer; None where the bytes are damaged, as after a fault of the disk."""
    try:
        values = json.loads(zlib.decompressobj().decompress(data, _LONGEST))
        sound = len(values) == count and all(type(value) is float and isfinite(value) for value in values)
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
    return tuple(values) if sound else None
