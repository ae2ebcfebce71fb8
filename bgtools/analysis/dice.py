"""Whether the dice were fair, and how unfair they would have to be for these rolls to show it.

Some rolls are left out. Opening rolls are one die of each player, and never doubles. Rolls from the bar that could
dance are left out whether they danced or not: people who write down a match at the table often write any roll for a
dance, usually 66, and leaving out the dances alone would leave out high numbers. Rolls that the replay leaves out and
rolls after the end of a game do not count either.

Every test is made for each player and for both together; the chances are corrected for how many tests there were. A
record that was picked for its dice proves nothing by them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.counts import dice_of
from bgtools.analysis.statistics import (
    MANY_PAIRS,
    MANY_TRIALS,
    VARIANCE_OF_A_ROLL,
    binomial_tails,
    chi_square_tail,
    holm,
    multinomial_tail,
    normal_bound,
    products_tail,
    visible_share,
)
from bgtools.board.board import BAR
from bgtools.findings.quantities import CHANCE, PROBABILITY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.replayer.turn import GameReplay, Turn

TestName = Literal["faces", "pairs", "doubles", "serial"]

LEVEL: Final = 0.05
"""A corrected chance below this is significant."""

POWER: Final = 0.8
"""How often a test finds the smallest bias that it is said to show."""

ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls, the higher number first."""

_GROUPS: Final[tuple[int | None, ...]] = (0, 1, None)


@dataclass(frozen=True, slots=True)
class DiceRow:
    """One test of the dice.

    Attributes:
        player: 0 or 1; None for both together.
        name: the player's name; empty for both.
        test: how often each number came (``faces``), each of the 21 rolls (``pairs``), doubles (``doubles``), or
            whether high rolls follow high ones (``serial``).
        rolls: how many rolls were tested.
        statistic: χ² of faces and pairs, the number of doubles, or the correlation of consecutive rolls.
        expected: what the statistic is on average with fair dice.
        chance: how often fair dice give a statistic as far off; None without rolls to test.
        corrected: the same corrected for the number of tests (Holm); below .05 it is significant.
        method: ``exact``, or ``chi-square`` or ``normal`` where rolls are so many that the approximation serves.
        visible: the smallest bias that such a test shows four times in five, corrected for the number of tests: the
            chance of one number (fair 1/6), of one roll that is not a double (fair 1/18) or of doubles (fair 1/6), or
            the correlation of consecutive rolls; None where no bias is great enough.
    """

    player: int | None
    name: str
    test: TestName
    rolls: int
    statistic: float | None
    expected: float | None
    chance: float | None
    corrected: float | None
    method: str
    visible: float | None


@dataclass(frozen=True, slots=True)
class DiceReport:
    """The dice of a match.

    Attributes:
        rolls: rolls that were tested, of both players.
        faces: how often each number from 1 to 6 came, by player.
        pairs: how often each of the 21 rolls came, by player, under names such as ``31``.
        tests: the tests, a row each.
        sentence: what they say, in words.
    """

    rolls: int
    faces: tuple[tuple[int, ...], tuple[int, ...]]
    pairs: tuple[dict[str, int], dict[str, int]]
    tests: tuple[DiceRow, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class RollCounts:
    """Some rolls, counted: all that the tests ask of them.

    Attributes:
        times: how often each of the 21 rolls came; those that never did may be missing.
        products: Σ (t - 7)(t' - 7) over consecutive rolls, t being the two numbers of a roll added up.
        pairs: how many consecutive rolls there are.
    """

    times: Mapping[Dice, int]
    products: int
    pairs: int

    @classmethod
    def of(cls, rolls: Sequence[Dice]) -> RollCounts:
        """The counts of rolls that came one after the other, the higher number of each first."""
        products = sum((sum(one) - _MEAN) * (sum(two) - _MEAN) for one, two in pairwise(rolls))
        return cls(Counter(rolls), products, max(len(rolls) - 1, 0))

    @property
    def rolls(self) -> int:
        """How many there are."""
        return sum(self.times.values())

    @property
    def faces(self) -> tuple[int, ...]:
        """How often each number from 1 to 6 came."""
        counts = Counter[int]()
        for (high, low), times in self.times.items():
            counts[high] += times
            counts[low] += times
        return tuple(counts[number] for number in range(1, 7))


_MEAN: Final = 7


def dice_report(rolled: Sequence[tuple[int, Dice]], names: tuple[str, str]) -> DiceReport:
    """Test dice.

    Args:
        rolled: who rolled what, as `rolls_of` gives it.
        names: of the players.
    """
    counts = [RollCounts.of([dice for player, dice in rolled if group in (None, player)]) for group in _GROUPS]
    rows = dice_tests(
        [
            (group, "" if group is None else names[group], counted)
            for group, counted in zip(_GROUPS, counts, strict=True)
        ]
    )
    one, two, _ = counts
    return DiceReport(
        len(rolled), (one.faces, two.faces), (_named_pairs(one), _named_pairs(two)), rows, sentence(rows, len(rolled))
    )


def dice_tests(groups: Sequence[tuple[int | None, str, RollCounts]]) -> tuple[DiceRow, ...]:
    """Every test of every group of rolls, corrected for how many tests there are.

    Args:
        groups: the player of each, if it has one, its name, and its rolls.
    """
    # By Holm's procedure the least of all chances has to be below this.
    level = LEVEL / (len(_TESTED) * len(groups)) if groups else LEVEL
    rows = [
        test(DiceRow(player, name, which, counted.rolls, None, None, None, None, "", None), counted, level)
        for player, name, counted in groups
        for which, test in _TESTED.items()
    ]
    corrected = iter(holm([row.chance for row in rows if row.chance is not None]))
    return tuple(row if row.chance is None else replace(row, corrected=next(corrected)) for row in rows)


def rolls_of(games: Iterable[GameReplay]) -> list[tuple[int, Dice]]:
    """The rolls that are tested: who rolled what, the higher number first, in the order of the record."""
    return [
        (turn.player, (max(dice), min(dice)))
        for game in games
        for turn in game.turns
        if (dice := dice_of(turn)) is not None and is_tested(game, turn)
    ]


def is_tested(game: GameReplay, turn: Turn) -> bool:
    """Whether an entry is a roll by which the dice are tested."""
    return dice_of(turn) is not None and not game.is_opening_roll(turn) and not _might_dance(turn.before)


def _might_dance(board: Board) -> bool:
    """Whether some roll keeps a checker on the bar: double the number of a point that the other holds."""
    return board.mine[BAR] > 0 and any(count > 1 for count in board.theirs[1:7])


# --- the tests ------------------------------------------------------------------------------


def _test_faces(row: DiceRow, counted: RollCounts, level: float) -> DiceRow:
    return _test_shares(row, counted.faces, (1,) * 6, level)


def _test_pairs(row: DiceRow, counted: RollCounts, level: float) -> DiceRow:
    shares = tuple(1 if high == low else 2 for high, low in ROLLS)
    return _test_shares(row, tuple(counted.times.get(roll, 0) for roll in ROLLS), shares, level)


def _test_shares(row: DiceRow, counts: tuple[int, ...], shares: Sequence[int], level: float) -> DiceRow:
    """Pearson's χ² of counts against their shares."""
    total, whole, freedom = sum(counts), sum(shares), len(shares) - 1
    if not total:
        return row
    due = [total * share / whole for share in shares]
    statistic = math.fsum((count - each) ** 2 / each for count, each in zip(counts, due, strict=True))
    exact = multinomial_tail(counts, shares)
    return replace(
        row,
        statistic=statistic,
        expected=float(freedom),
        chance=chi_square_tail(statistic, freedom) if exact is None else exact,
        method="chi-square" if exact is None else "exact",
        visible=visible_share(shares, total, level, POWER),
    )


def _test_doubles(row: DiceRow, counted: RollCounts, level: float) -> DiceRow:
    trials = counted.rolls
    if not trials:
        return row
    doubles = sum(times for (high, low), times in counted.times.items() if high == low)
    few = trials <= MANY_TRIALS
    return replace(
        row,
        statistic=float(doubles),
        expected=trials * _DOUBLES,
        chance=binomial_tails(doubles, trials, _DOUBLES),
        method="exact" if few else "normal",
        visible=_visible_share(trials, _DOUBLES, level),
    )


def _test_serial(row: DiceRow, counted: RollCounts, level: float) -> DiceRow:
    pairs = counted.pairs
    if pairs < 1:
        return row
    visible = (normal_bound(level / 2) + normal_bound(1 - POWER)) / math.sqrt(pairs)
    return replace(
        row,
        statistic=counted.products / (VARIANCE_OF_A_ROLL * pairs),
        expected=0.0,
        chance=products_tail(counted.products, pairs),
        method="exact" if pairs <= MANY_PAIRS else "normal",
        visible=visible if visible < 1 else None,
    )


_DOUBLES: Final = 1 / 6

_TESTED: Final[dict[TestName, Callable[[DiceRow, RollCounts, float], DiceRow]]] = {
    "faces": _test_faces,
    "pairs": _test_pairs,
    "doubles": _test_doubles,
    "serial": _test_serial,
}


def _visible_share(trials: int, fair: float, level: float) -> float | None:
    """The smallest share above the fair one that so many trials show, by the normal approximation."""
    bound = normal_bound(level / 2) * math.sqrt(fair * (1 - fair) / trials)
    slack = normal_bound(1 - POWER) / math.sqrt(trials)
    if fair + bound >= 1:
        return None
    low, high = fair + bound, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        shown = middle - fair >= bound + slack * math.sqrt(middle * (1 - middle))
        low, high = (low, middle) if shown else (middle, high)
    return high


_HALVINGS: Final = 50


def _named_pairs(counted: RollCounts) -> dict[str, int]:
    return {f"{high}{low}": counted.times.get((high, low), 0) for high, low in ROLLS}


# --- in words -------------------------------------------------------------------------------


def sentence(rows: Sequence[DiceRow], rolls: int) -> str:
    """What the tests say: which are significant, and what such rolls could show at all."""
    tested = [row for row in rows if row.corrected is not None]
    if not tested:
        return "No rolls to test the dice by."
    least = min(tested, key=lambda row: (row.corrected or 0.0, row.chance or 0.0))
    found = [row for row in tested if (row.corrected or 0.0) < LEVEL]
    if found:
        verdict = f"found something unusual: {', '.join(map(_sentence, found))}"
    else:
        verdict = (
            f"found nothing unusual (after correction for {len(tested)} tests); least likely was {_sentence(least)}"
        )
    return f"{len(tested)} tests on {rolls:,} rolls {verdict}. {_visible(rows, rolls)}"


def _sentence(row: DiceRow) -> str:
    whose = f"of {row.name}" if row.name else "of both"
    return f"{row.test} {whose} (chance {_chance(row.chance)}, corrected {_chance(row.corrected)})"


def _chance(value: float | None) -> str:
    assert value is not None
    return PROBABILITY.text(value) if value >= _LEAST_SHOWN else f"{value:.1e}"


_LEAST_SHOWN: Final = 0.0005


def _visible(rows: Sequence[DiceRow], rolls: int) -> str:
    both = {row.test: row.visible for row in rows if row.player is None}
    faces, doubles = both["faces"], both["doubles"]
    if faces is None or doubles is None:
        return "So few rolls can show no bias."
    return (
        f"With these {rolls} rolls and so many tests only a bias could be seen that shows one number"
        f" {CHANCE.text(faces)} of the time or doubles {CHANCE.text(doubles)}, both 16.7% with fair dice."
    )
