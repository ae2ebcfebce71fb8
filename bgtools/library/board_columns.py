"""Many boards at once, as arrays: what the table of positions says of each."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.board import BAR, OFF

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bgtools.board.board import Board

_SIDE: Final = BAR + 1
_MADE: Final = 2


def figures_of(boards: Iterable[Board]) -> dict[str, NDArray[Any]]:
    """The columns of the table of positions that a board decides, by name, a value a board.

    ``p0`` to ``p25``, ``off``, ``opponent_off``, ``pips``, ``opponent_pips``, ``prime``, ``opponent_prime`` and ``key``
    mean what `bgtools.library.tables` says.
    """
    import numpy as np

    sides = np.frombuffer(b"".join(bytes(each.mine) + bytes(each.theirs) for each in boards), np.int8)
    sides = sides.reshape(-1, 2, _SIDE)
    mine, theirs = sides[:, 0], sides[:, 1]
    signed = np.zeros((len(sides), _SIDE), np.int8)
    signed[:, 1:BAR] = mine[:, 1:BAR] - theirs[:, BAR - 1 : 0 : -1]
    signed[:, 0], signed[:, BAR] = -theirs[:, BAR], mine[:, BAR]
    pips = sides[:, :, 1:].astype(np.int16) @ np.arange(1, _SIDE, dtype=np.int16)
    return {
        **{f"p{point}": np.ascontiguousarray(signed[:, point]) for point in range(_SIDE)},
        "off": mine[:, OFF],
        "opponent_off": theirs[:, OFF],
        "pips": pips[:, 0],
        "opponent_pips": pips[:, 1],
        "prime": _primes(mine),
        "opponent_prime": _primes(theirs),
        "key": _keys(signed),
    }


def key_of(board: Board) -> int:
    """The number by which a board is found, as the player on roll sees it; other boards may have the same."""
    return int(figures_of([board])["key"][0])


def _primes(side: NDArray[Any]) -> NDArray[Any]:
    """The most points in a row that a side holds."""
    import numpy as np

    longest = np.zeros(len(side), np.int8)
    here = np.zeros(len(side), np.int8)
    for point in range(1, BAR):
        here = (here + 1) * (side[:, point] >= _MADE)
        np.maximum(longest, here, out=longest)
    return longest


def _weights() -> tuple[int, ...]:
    """An odd number of 64 bits for each point, the same for ever."""
    return tuple(
        int.from_bytes(blake2b(b"bgtools board %d" % point, digest_size=8).digest(), "big") | 1
        for point in range(_SIDE)
    )


_MIX: Final = 0x9E3779B97F4A7C15


def _keys(signed: NDArray[Any]) -> NDArray[Any]:
    """A number of 32 bits for each board: a weighted sum of its points, mixed (Fibonacci hashing, Knuth 6.4)."""
    import numpy as np

    sums = (signed.astype(np.int64).astype(np.uint64) * np.array(_weights(), np.uint64)).sum(axis=1, dtype=np.uint64)
    sums ^= sums >> np.uint64(32)
    mixed: NDArray[Any] = (sums * np.uint64(_MIX)) >> np.uint64(32)
    return mixed.astype(np.uint32)
