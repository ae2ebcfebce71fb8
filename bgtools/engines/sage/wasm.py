"""The engine as a WebAssembly module: bgsage's module as far as bgtools asks of it, and a kernel of endings.

``docs/try/engine/build_engine.py`` builds it. A *machine* runs it: JavaScript in a page, wasmtime elsewhere.
"""

from __future__ import annotations

import sys
from array import array
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import finalize

from bgtools.bearoff.kernel import RaceValues, TwoSidedTable, packed
from bgtools.bearoff.stakes import cubes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.bearoff.kernel import Hops, RaceQuestion
    from bgtools.bearoff.stakes import Cubes, Stakes
    from bgtools.board.board import Checkers

ROOM: Final = 1 << 20
"""Bytes of the module's memory for questions and answers."""
_BOARD: Final = 26
_ITEM: Final = 33
"""Numbers of a board and its context: owner, cube, both away scores, Crawford, Jacoby, beavers."""
_SIDE: Final = 25
_ROLLS: Final = 32
_MOST_ITEMS: Final = 3000
_MOST_PLAYS: Final = 5000


class Machine(Protocol):
    """What runs a WebAssembly module.

    Attributes:
        room: an address in its memory with room for `ROOM` bytes.
    """

    room: int

    def call(self, name: str, /, *numbers: float) -> Any:
        """Call a function of the module."""

    def write(self, address: int, data: bytes, /) -> None:
        """Write into its memory."""

    def read(self, address: int, length: int, /) -> Any:
        """Read from its memory, as bytes or what becomes bytes."""


class EngineFailed(RuntimeError):
    """The module has thrown an exception; the message is its own."""


class Sage:
    """The module, with arrays in and out."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def run(self, name: str, *numbers: float) -> Any:
        """Call a function of the module that may fail.

        Raises:
            EngineFailed: it did.
        """
        found = self.machine.call(name, *numbers)
        if found < 0:
            address = self.machine.call("error")
            text = bytes(self.machine.read(address, 200))
            raise EngineFailed(text[: text.index(0)].decode("utf-8", "replace"))
        return found

    def held(self, owner: object, handle: int) -> int:
        """The handle of something that the module is to keep for as long as the owner lives."""
        finalize(owner, self.machine.call, "forget", handle).atexit = False
        return handle

    def put(self, *parts: array[Any] | bytes) -> list[int]:
        """Write arrays into the room, one behind the other; the address of each, and that behind the last."""
        address, addresses, data = self.machine.room, [], bytearray()
        for part in parts:
            data += bytes(-len(data) % 8)
            addresses.append(address + len(data))
            data += part.tobytes() if isinstance(part, array) else part
        data += bytes(-len(data) % 8)
        if len(data) > ROOM // 2:
            raise EngineFailed("a question is too large")
        self.machine.write(address, bytes(data))
        return [*addresses, address + len(data)]

    def get(self, code: str, address: int, count: int) -> list[Any]:
        """Numbers of the module's memory."""
        found = array(code)
        found.frombytes(bytes(self.machine.read(address, count * found.itemsize)))
        return found.tolist()

    def values(self, name: str, items: Sequence[int], width: int, *more: int) -> list[list[float]]:
        """Values of boards in their contexts, so many for each."""
        found: list[list[float]] = []
        for first in range(0, len(items), _MOST_ITEMS * _ITEM):
            part = array("i", items[first : first + _MOST_ITEMS * _ITEM])
            count = len(part) // _ITEM
            address, out = self.put(part)
            self.run(name, address, count, *more, out)
            flat = self.get("f", out, count * width)
            found += [flat[at : at + width] for at in range(0, len(flat), width)]
        return found


# --- bgsage's module --------------------------------------------------------------------------


class CubeOwner(IntEnum):
    """Who owns the cube."""

    CENTERED = 0
    PLAYER = 1
    OPPONENT = 2


def bgsage_module(sage: Sage, version: str) -> ModuleType:
    """What bgtools imports as ``bgbot_cpp``, and names as bgsage names it."""
    module = ModuleType("bgbot_cpp")

    def strategy(*_: Any, averaged: bool = False) -> Any:
        return SimpleNamespace(averaged=averaged, clear_cache=lambda: None)

    def possible_moves(board: Sequence[int], high: int, low: int) -> list[list[int]]:
        address, out = sage.put(array("i", board))
        count = sage.run("moves", address, high, low, out, _MOST_PLAYS)
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
        return [{"probs": each[:5], **dict(zip(names, each[5:], strict=True))} for each in sage.values("cube", flat, 9)]

    def cubeful_probs_and_equity_nply(
        board: Sequence[int], owner: CubeOwner, network: Any, plies: int, *, n_threads: int, cube_value: int,
        away1: int, away2: int, is_crawford: bool, jacoby: bool, beaver: bool, bearoff_db: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        address, out = sage.put(array("i", (*board, owner, cube_value, away1, away2, is_crawford, jacoby, beaver)))
        sage.run("search", address, plies, out)
        found = sage.get("f", out, 6)
        return {"probs": found[:5], "equity": found[5]}

    module.__dict__.update(
        MOST_THREADS=1,
        VERSION=version,
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
        """See `Kernel`."""
        return float(self._sage.machine.call("mean_rolls", number))

    def chances_of_rolls(self, number: int) -> list[float]:
        """See `Kernel`."""
        (out,) = self._sage.put()
        self._sage.machine.call("chances_of_rolls", number, out)
        return self._sage.get("d", out, _ROLLS)

    def first_off(self, own: Checkers, other: Checkers) -> float | None:
        """See `Kernel`."""
        found = float(self._sage.machine.call("first_off", self._sage.put(_sides(own, other))[0]))
        return None if found < 0 else found

    def worth_following(self, roller: int, waiter: int) -> int:
        """See `Kernel`."""
        return int(self._sage.machine.call("worth_following", roller, waiter))

    def race(
        self, sides: Sequence[Checkers], rolls: int, stakes: Stakes, questions: Sequence[RaceQuestion]
    ) -> RaceValues | None:
        """See `Kernel`."""
        starts = [*dict.fromkeys(question.start for question in questions)]
        levels = [cubes_of(stakes, *start) for start in starts]
        asked = [number for each in questions for number in (starts.index(each.start), each.cube, each.owner)]
        others = len(sides) - 1
        *addresses, out = self._sage.put(
            _sides(*sides), array("i", map(len, levels)), _heights(each for level in levels for each in level.values()),
            array("i", asked),
        )  # fmt: skip
        all_sides, counts, heights, asking = addresses
        if not self._sage.run(
            "race", all_sides, len(sides), rolls, counts, len(starts), heights, asking, len(questions), out
        ):
            return None
        flat = self._sage.get("d", out, others * (1 + len(questions)))
        wins, *values = (flat[at : at + others] for at in range(0, len(flat), others))
        return RaceValues(wins, values)

    def side(self, side: Checkers) -> WasmSide | None:
        """See `Kernel`."""
        handle = self._sage.run("side", self._sage.put(_sides(side))[0])
        return WasmSide(self._sage, handle) if handle else None

    def ending_table(
        self, sides: tuple[WasmSide, WasmSide], stakes: Stakes, cube: int, owner: int, cubeless: WasmTable | None
    ) -> WasmTable:
        """See `Kernel`."""
        return WasmTable(self._sage, sides, stakes, cube, owner, cubeless)

    def trailer(self, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> WasmTrailer:
        """See `Kernel`."""
        return WasmTrailer(self._sage, size, hops, costs)


class WasmSide:
    """The positions that a side can come to; ``numbers`` has their numbers."""

    def __init__(self, sage: Sage, handle: int) -> None:
        self.handle = sage.held(self, handle)
        size = sage.machine.call("side_size", handle)
        (out,) = sage.put()
        sage.machine.call("side_boards", handle, out)
        boards = bytes(sage.machine.read(out, size * _SIDE))
        self.numbers = {packed((*boards[at * _SIDE : (at + 1) * _SIDE], 0)): at for at in range(size)}


class WasmTable(TwoSidedTable):
    """The values of two sides."""

    handle: int

    def __init__(
        self, sage: Sage, sides: tuple[WasmSide, WasmSide], stakes: Stakes, cube: int, owner: int,
        cubeless: WasmTable | None,
    ) -> None:  # fmt: skip
        TwoSidedTable.__init__(self, sides, stakes, cube, owner)
        self._sage = sage
        first, second = (each.handle for each in sides)
        address, _ = sage.put(_heights(self.cubes.values()))
        without = cubeless.handle if cubeless else 0
        self.handle = sage.held(self, sage.run("table", first, second, address, len(self.cubes), without))

    @property
    def bytes(self) -> int:
        """How much memory its values take."""
        return int(self._sage.machine.call("table_bytes", self.handle))

    def _look(self, height: int, at: int, positions: tuple[int, int], on_roll: int) -> float:
        return float(self._sage.machine.call("look", self.handle, height, at, *positions, on_roll))


class WasmTrailer:
    """A side that may lose a gammon."""

    def __init__(self, sage: Sage, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> None:
        self._sage = sage
        self._size, self._kinds = size, len(costs[0])
        flat = [number for each in hops for number in (len(each), *(end for pair in each for end in pair))]
        ways, prices, _ = sage.put(array("i", flat), array("d", [cost for each in costs for cost in each]))
        self.handle = sage.held(self, sage.run("trailer", size, ways, prices, self._kinds))

    def lost(self, leader: int, *, leader_rolls: bool) -> list[list[float]]:
        """See `Trailer`."""
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
        found.extend(
            (each.height, len(each.owners), *owners, 0 in each.gaining, 1 in each.gaining, each.won, each.lost)
        )
    return found


# --- putting it where bgtools looks -----------------------------------------------------------


def open_module(machine: Machine, contents: Mapping[str, Any], data: bytes) -> Sage:
    """Give a module what it reads.

    Args:
        machine: runs the module.
        contents: ``sage.json``, which says what is where.
        data: ``sage.bin``.

    Raises:
        EngineFailed: it cannot be read.
    """
    sage, kept = Sage(machine), []

    def given(part: bytes) -> int:
        address: int = machine.call("alloc", len(part) + 8)
        machine.write(address, part)
        kept.append(address)
        return address

    # The first bytes of all numbers come first, then the second ones: so they pack better.
    planes, whole = contents["planes"], bytearray(len(data))
    for at in range(planes):
        whole[at::planes] = data[at * len(data) // planes : (at + 1) * len(data) // planes]
    for name, (start, size) in contents["parts"].items():
        address = given(bytes(whole[start : start + size]))
        if name == "races":
            sage.run("network", address, size // 4)
        else:
            machine.call("file", given(name.encode() + b"\0"), address, size)
    names, hidden = "\n".join(contents["networks"]), array("i", contents["hidden"])
    sage.run("open", given(names.encode() + b"\0"), given(hidden.tobytes()), len(hidden), given(b"bearoff\0"))
    for address in kept:
        machine.call("free", address)
    return sage


def install(sage: Sage, version: str) -> None:
    """Let bgtools find this engine where it looks for bgsage.

    Args:
        sage: the module, open.
        version: of bgsage.
    """
    package, weights = ModuleType("bgsage"), ModuleType("bgsage.weights")
    package.__dict__.update(__path__=[], weights=weights)
    weights.__dict__.update(
        default_weights=lambda: SimpleNamespace(strategy_type="", weight_paths_list=(), hidden_sizes_list=()),
        bearoff_db_path=lambda: "bearoff",
    )
    sys.modules.update({"bgsage": package, "bgsage.weights": weights, "bgbot_cpp": bgsage_module(sage, version)})
