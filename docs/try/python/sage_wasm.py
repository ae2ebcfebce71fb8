"""The engine as a WebAssembly module, for Python: bgsage's module as far as bgtools asks of it, and a kernel of endings.

A *machine* runs the module: in a page JavaScript's (``machine.mjs``), elsewhere wasmtime's (`wasmtime_machine`). It has
``call(name, *numbers)``, ``write(place, bytes)``, ``read(place, length)`` and the attribute ``room``, a place with room
for `ROOM` bytes.
"""

from __future__ import annotations

import sys
from array import array
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from bgtools.bearoff.kernel import RaceValues, TwoSidedTable, packed, use_kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.bearoff.kernel import Hops, RaceQuestion
    from bgtools.bearoff.stakes import Cubes, Stakes
    from bgtools.board.board import Checkers

ROOM = 1 << 20
_BOARD, _ITEM, _SIDE = 26, 33, 25
_MOST_ITEMS = 3000
_MOST_PLAYS = 5000


class EngineFailed(Exception):
    """The module has thrown an exception; the message is its own."""


class Sage:
    """The module, with arrays in and out."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine

    def run(self, name: str, *numbers: float) -> Any:
        """Call a function of the module that may fail.

        Raises:
            EngineFailed: it did.
        """
        found = self.machine.call(name, *numbers)
        if found < 0:
            place = self.machine.call("error")
            text = bytes(self.machine.read(place, 200))
            raise EngineFailed(text[: text.index(0)].decode("utf-8", "replace"))
        return found

    def put(self, *parts: array[Any] | bytes) -> list[int]:
        """Write arrays into the room, one behind the other; the place of each, and that behind the last."""
        place, places, data = self.machine.room, [], bytearray()
        for part in parts:
            data += bytes(-len(data) % 8)
            places.append(place + len(data))
            data += part.tobytes() if isinstance(part, array) else part
        data += bytes(-len(data) % 8)
        if len(data) > ROOM // 2:
            raise EngineFailed("a question is too large")
        self.machine.write(place, bytes(data))
        return [*places, place + len(data)]

    def get(self, code: str, place: int, count: int) -> list[Any]:
        """Numbers of the module's memory."""
        found = array(code)
        found.frombytes(bytes(self.machine.read(place, count * found.itemsize)))
        return found.tolist()

    def values(self, name: str, items: Sequence[int], width: int, *more: int) -> list[list[float]]:
        """Values of boards in their contexts, so many for each."""
        found: list[list[float]] = []
        for first in range(0, len(items), _MOST_ITEMS * _ITEM):
            part = array("i", items[first : first + _MOST_ITEMS * _ITEM])
            count = len(part) // _ITEM
            place, out = self.put(part)
            self.run(name, place, count, *more, out)
            flat = self.get("f", out, count * width)
            found += [flat[at : at + width] for at in range(0, len(flat), width)]
        return found


# --- bgsage's module --------------------------------------------------------------------------


class CubeOwner(IntEnum):
    """Who owns the cube."""

    CENTERED = 0
    PLAYER = 1
    OPPONENT = 2


def bgsage_module(sage: Sage) -> ModuleType:
    """What bgtools imports as ``bgbot_cpp``, and names as bgsage names it."""
    module = ModuleType("bgbot_cpp")

    def strategy(*_: Any, averaged: bool = False) -> Any:
        return SimpleNamespace(averaged=averaged, clear_cache=lambda: None)

    def possible_moves(board: Sequence[int], high: int, low: int) -> list[list[int]]:
        place, out = sage.put(array("i", board))
        count = sage.run("moves", place, high, low, out, _MOST_PLAYS)
        flat = sage.get("i", out, count * _BOARD)
        return [flat[at : at + _BOARD] for at in range(0, len(flat), _BOARD)]

    def is_race(board: Sequence[int]) -> bool:
        return bool(sage.run("is_race", sage.put(array("i", board))[0]))

    def pip_counts(board: Sequence[int]) -> tuple[int, int]:
        mine = sum(at * count for at, count in enumerate(board) if count > 0 and at)
        return mine, 25 * board[0] + sum((25 - at) * -count for at, count in enumerate(board) if count < 0)

    def cube_efficiency(chances: Sequence[float], race: bool, mine: int, theirs: int) -> float:
        return float(sage.machine.call("cube_life", sage.put(array("f", chances))[0], int(race), mine, theirs))

    def batch_evaluate_post_move(
        items: Iterable[Sequence[Any]], network: Any, threads: int, *, jacoby: bool = True
    ) -> list[dict[str, Any]]:
        flat: list[int] = []
        for board, owner, *match in items:
            flat += (*board, owner, *(match or (1, 0, 0, 0)), jacoby, 0)
        found = sage.values("post_move", flat, 6, int(network.averaged))
        return [{"probs": each[:5], "cubeful_equity": each[5]} for each in found]

    def batch_evaluate_positions(
        items: Iterable[Sequence[Any]], network: Any, threads: int, *, jacoby: bool = True, beaver: bool = True
    ) -> list[dict[str, Any]]:
        flat: list[int] = []
        for board, cube, owner, *match in items:
            flat += (*board, owner, cube, *(match or (0, 0, 0)), jacoby, beaver)
        names = ("equity_nd", "equity_dt", "equity_dp", "is_beaver")
        return [
            {"probs": each[:5], **dict(zip(names, each[5:], strict=True))} for each in sage.values("cube", flat, 9)
        ]

    def cubeful_probs_and_equity_nply(
        board: Sequence[int], owner: CubeOwner, network: Any, plies: int, *, n_threads: int, cube_value: int,
        away1: int, away2: int, is_crawford: bool, jacoby: bool, beaver: bool, bearoff_db: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        place, out = sage.put(array("i", (*board, owner, cube_value, away1, away2, is_crawford, jacoby, beaver)))
        sage.run("search", place, plies, out)
        found = sage.get("f", out, 6)
        return {"probs": found[:5], "equity": found[5]}

    module.__dict__.update(
        CubeOwner=CubeOwner,
        BearoffDB=lambda: SimpleNamespace(load=bool),  # it is in the module already
        BearoffStrategy=lambda network, table: network,
        create_strategy=strategy,
        create_multipy=lambda *_, **__: strategy(averaged=True),
        multipy_set_bearoff_db=lambda strategy, table: None,
        possible_moves=possible_moves,
        is_race=is_race,
        pip_counts=pip_counts,
        cube_efficiency=cube_efficiency,
        batch_evaluate_post_move=batch_evaluate_post_move,
        batch_evaluate_positions=batch_evaluate_positions,
        cubeful_probs_and_equity_nply=cubeful_probs_and_equity_nply,
    )
    return module


# --- the kernel of endings --------------------------------------------------------------------


class WasmKernel:
    """See `bgtools.bearoff.kernel.Kernel`. The module keeps what it has found."""

    def __init__(self, sage: Sage) -> None:
        self._sage = sage

    def mean_rolls(self, number: int) -> float:
        return float(self._sage.machine.call("mean_rolls", number))

    def chances_of_rolls(self, number: int) -> list[float]:
        (out,) = self._sage.put()
        self._sage.machine.call("chances_of_rolls", number, out)
        return self._sage.get("d", out, 32)

    def first_off(self, own: Checkers, other: Checkers) -> float | None:
        found = float(self._sage.machine.call("first_off", self._sage.put(_sides(own, other))[0]))
        return None if found < 0 else found

    def worth_following(self, roller: int, waiter: int) -> int:
        return int(self._sage.machine.call("worth_following", roller, waiter))

    def race(
        self, sides: Sequence[Checkers], rolls: int, stakes: Stakes, questions: Sequence[RaceQuestion]
    ) -> RaceValues | None:
        starts = [*dict.fromkeys(question.start for question in questions)]
        levels = [TwoSidedTable((None, None), stakes, *start).cubes for start in starts]
        asked = [number for each in questions for number in (starts.index(each.start), each.cube, each.owner)]
        others = len(sides) - 1
        *places, out = self._sage.put(
            _sides(*sides), array("i", map(len, levels)), _heights(each for level in levels for each in level.values()),
            array("i", asked),
        )  # fmt: skip
        all_sides, counts, heights, asking = places
        if not self._sage.run(
            "race", all_sides, len(sides), rolls, counts, len(starts), heights, asking, len(questions), out
        ):
            return None
        flat = self._sage.get("d", out, others * (1 + len(questions)))
        wins, *values = (flat[at : at + others] for at in range(0, len(flat), others))
        return RaceValues(wins, values)

    def side(self, side: Checkers) -> WasmSide | None:
        handle = self._sage.run("side", self._sage.put(_sides(side))[0])
        return WasmSide(self._sage, handle) if handle else None

    def ending_table(
        self, sides: tuple[WasmSide, WasmSide], stakes: Stakes, cube: int, owner: int, cubeless: WasmTable | None
    ) -> WasmTable:
        return WasmTable(self._sage, sides, stakes, cube, owner, cubeless)

    def trailer(self, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> WasmTrailer:
        return WasmTrailer(self._sage, size, hops, costs)


class _Held:
    """Something that the module keeps under a handle for as long as this lives."""

    _sage: Sage
    handle: int

    def __del__(self) -> None:
        self._sage.machine.call("forget", self.handle)


class WasmSide(_Held):
    """The positions that a side can come to; ``numbers`` has their numbers."""

    def __init__(self, sage: Sage, handle: int) -> None:
        self._sage, self.handle = sage, handle
        size = sage.machine.call("side_size", handle)
        (out,) = sage.put()
        sage.machine.call("side_boards", handle, out)
        boards = bytes(sage.machine.read(out, size * _SIDE))
        self.numbers = {packed((*boards[at * _SIDE : (at + 1) * _SIDE], 0)): at for at in range(size)}


class WasmTable(_Held, TwoSidedTable):
    """The values of two sides."""

    def __init__(
        self, sage: Sage, sides: tuple[WasmSide, WasmSide], stakes: Stakes, cube: int, owner: int,
        cubeless: WasmTable | None,
    ) -> None:  # fmt: skip
        TwoSidedTable.__init__(self, sides, stakes, cube, owner)
        self._sage, self.handle = sage, 0
        first, second = (each.handle for each in sides)
        place, _ = sage.put(_heights(self.cubes.values()))
        self.handle = sage.run("table", first, second, place, len(self.cubes), cubeless.handle if cubeless else 0)

    @property
    def bytes(self) -> int:
        return int(self._sage.machine.call("table_bytes", self.handle))

    def _look(self, height: int, at: int, positions: tuple[int, int], on_roll: int) -> float:
        return float(self._sage.machine.call("look", self.handle, height, at, *positions, on_roll))


class WasmTrailer(_Held):
    """A side that may lose a gammon."""

    def __init__(self, sage: Sage, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> None:
        self._sage, self.handle = sage, 0
        self._size, self._kinds = size, len(costs[0])
        flat = [number for each in hops for number in (len(each), *(end for pair in each for end in pair))]
        ways, prices, _ = sage.put(array("i", flat), array("d", [cost for each in costs for cost in each]))
        self.handle = sage.run("trailer", size, ways, prices, self._kinds)

    def lost(self, leader: int, *, leader_rolls: bool) -> list[list[float]]:
        (out,) = self._sage.put()
        self._sage.run("lost", self.handle, leader, int(leader_rolls), out)
        flat = self._sage.get("d", out, self._size * self._kinds)
        return [flat[at : at + self._kinds] for at in range(0, len(flat), self._kinds)]


def _sides(*sides: Checkers) -> array[int]:
    return array("i", [count for side in sides for count in side[:_SIDE]])


def _heights(levels: Iterable[Cubes]) -> array[float]:
    found = array("d")
    for each in levels:
        owners = (*each.owners, 0, 0)[:3]
        found.extend((each.height, len(each.owners), *owners, 0 in each.gaining, 1 in each.gaining, each.won, each.lost))
    return found


# --- putting it where bgtools looks -----------------------------------------------------------


def install(machine: Any, version: str) -> Sage:
    """Let bgtools find this engine where it looks for bgsage, and this kernel for its endings.

    Args:
        machine: see above; its module is open.
        version: of bgsage.
    """
    sage = Sage(machine)
    package, weights = ModuleType("bgsage"), ModuleType("bgsage.weights")
    package.__dict__.update(__path__=[], __version__=version, weights=weights)
    weights.__dict__.update(
        default_weights=lambda: SimpleNamespace(strategy_type="", weight_paths_list=(), hidden_sizes_list=()),
        bearoff_db_path=lambda: "bearoff",
    )
    sys.modules.update({"bgsage": package, "bgsage.weights": weights, "bgbot_cpp": bgsage_module(sage)})
    use_kernel(lambda: WasmKernel(sage))
    return sage
