"""What the values of endings ask of arrays: NumPy gives it, or what stands in its place where there is none.

Everything else about endings is plain Python. In a browser a module of the page is the kernel (``docs/try``); it holds
the same tables and gives the same values.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from bgtools.bearoff.stakes import cubes_of
from bgtools.board.board import BAR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.bearoff.stakes import Stakes
    from bgtools.board.board import Checkers

    Hops = Sequence[Sequence[tuple[int, int]]]
    """For each die from which positions it leads to which."""


class RaceQuestion(NamedTuple):
    """What rolling on is worth in a race.

    Attributes:
        start: the height of the cube and its owner, from which the game goes on.
        cube, owner: the height and the owner for which the value is asked, among those that it can come to.
    """

    start: tuple[int, int]
    cube: int
    owner: int


class RaceValues(NamedTuple):
    """What a race is worth to the side on roll, against each of some other sides.

    Attributes:
        wins: their chance to win (0 to 1) without a cube.
        rolling: for each question what rolling on is worth, in points or match winning chance.
    """

    wins: list[float]
    rolling: list[list[float]]


class Trailer(Protocol):
    """The positions of a side that may lose a gammon."""

    def lost(self, leader: int, *, leader_rolls: bool) -> list[list[float]]:
        """Of each position what is lost besides the game, of each kind of cost.

        Args:
            leader: the position of the other side as `number_of` numbers it.
            leader_rolls: whether it is that side that rolls next.
        """


class TwoSidedTable:
    """The values of every position of two sides that only race home.

    Args:
        sides: the positions of the first and the second side.
        stakes: what is played for.
        cube, owner: from which the game goes on: the height, and who owns it.

    Attributes:
        cubes: the cube at every height that it can reach, the highest first.
    """

    def __init__(self, sides: tuple[Any, Any], stakes: Stakes, cube: int, owner: int) -> None:
        self.sides = sides
        self.stakes = stakes
        self.cubes = cubes_of(stakes, cube, owner)

    @property
    def bytes(self) -> int:
        """How much memory its values take."""
        raise NotImplementedError

    def holds(self, cube: int, owner: int) -> bool:
        """Whether the table has the cube at a height and with an owner."""
        if self.stakes.is_scaled:
            return True
        cubes = self.cubes.get(cube)
        return cubes is not None and (owner in cubes.owners or not cubes.gaining)

    def value(self, first: int, second: int, cube: int, owner: int, on_roll: int) -> float:
        """What a position is worth to the first side when the side ``on_roll`` rolls without doubling."""
        height = self.stakes.height(cube)
        return self._look(height, self.cubes[height].at(owner), (first, second), on_roll) * cube / height

    def _look(self, height: int, at: int, positions: tuple[int, int], on_roll: int) -> float:
        """The value in the table, by a height of the cube and the index of its owner."""
        raise NotImplementedError


class Kernel(Protocol):
    """Tables of endings and what is computed with them. It keeps what it has found."""

    def mean_rolls(self, number: int) -> float:
        """Rolls that a home board takes on average, as `number_of` numbers it."""

    def chances_of_rolls(self, number: int) -> Sequence[float]:
        """The chances that a home board takes 0, 1, … rolls."""

    def first_off(self, own: Checkers, other: Checkers) -> float | None:
        """How likely the side on roll is off first, at first sight; None where a side is too far off."""

    def worth_following(self, roller: int, waiter: int) -> int:
        """How many rolls of each side are worth following, one to five, by the numbers of their home boards."""

    def race(
        self, sides: Sequence[Checkers], rolls: int, stakes: Stakes, questions: Sequence[RaceQuestion]
    ) -> RaceValues | None:
        """What races are worth; None where a side is too far off.

        Args:
            sides: the side on roll, and then the others that it may race against.
            rolls: how many rolls of each side are followed.
            stakes: what is played for, the side on roll first.
            questions: what is asked.
        """

    def side(self, side: Checkers) -> Any | None:
        """The positions that a side can come to, with ``numbers`` by `packed`; None where they are too many."""

    def ending_table(
        self, sides: tuple[Any, Any], stakes: Stakes, cube: int, owner: int, cubeless: TwoSidedTable | None
    ) -> TwoSidedTable:
        """The table of two sides; ``cubeless`` is that without a cube, where it is there."""

    def trailer(self, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> Trailer:
        """A side that may lose a gammon.

        Args:
            size: how many positions it has.
            hops: where each die leads.
            costs: of each position, what of each kind is lost besides the game if the other side is off now.
        """


def new_kernel() -> Kernel:
    """A kernel that has kept nothing yet."""
    if _makers:
        return _makers[-1]()
    from bgtools.bearoff.numpy_kernel import NumpyKernel

    return NumpyKernel()


def use_kernel(make: Callable[[], Kernel]) -> None:
    """Let another kernel stand in the place of NumPy's from now on."""
    _makers.append(make)


_makers: Final[list[Callable[[], Kernel]]] = []


_BITS: Final = 4
"""A side is one number, four bits a point, the 1-point lowest."""


def count_below(side: int) -> int:
    """How many positions `reachable` counts from this side: as many as it can come to, or hardly more."""
    # Checkers in order of their points: counted by where the last one stands, each no lower than the one before.
    ends = [1]
    for point in range(1, BAR):
        for _ in range(side >> _BITS * (point - 1) & 15):
            ends = list(accumulate(ends + [0] * (point + 1 - len(ends))))
    return sum(ends)


def packed(side: Checkers) -> int:
    """The checkers of a side that has none on the bar as one number."""
    return sum(side[point] << _BITS * (point - 1) for point in range(1, BAR))
