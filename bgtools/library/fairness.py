"""Whether the dice of a library were fair: by player, place, event, kind of file or folder."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from bgtools.analysis.dice import ROLLS, DiceRow, RollCounts, dice_tests

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.board.board import Dice

Grouping = Literal["all", "player", "place", "event", "source", "folder"]
"""What puts rolls into one group; ``source`` is the format of the file, ``folder`` where it lay."""
GROUPINGS: Final[tuple[Grouping, ...]] = get_args(Grouping)

_COLUMNS: Final[Mapping[Grouping, str]] = MappingProxyType(
    {
        "all": "''",
        "player": "CASE r.player WHEN 0 THEN m.person0 ELSE m.person1 END",
        "place": "m.place",
        "event": "m.event",
        "source": "s.format",
        "folder": "regexp_replace(s.path, '[^/\\\\]*$', '')",
    }
)


@dataclass(frozen=True, slots=True)
class Fairness:
    """The dice of a library.

    Attributes:
        rolls: how many were tested.
        groups: how many groups of rolls were tested.
        left_out: how many groups had too few rolls to be tested.
        tests: four of each group, groups with the most rolls first; corrected for the number of tests in all groups.
        times: how often each of the 21 rolls came, by the name of the group.
    """

    rolls: int
    groups: int
    left_out: int
    tests: tuple[DiceRow, ...]
    times: Mapping[str, Mapping[Dice, int]]


def fairness(connection: Any, by: Grouping = "all", least: int = 1000) -> Fairness:
    """Test the dice of a library, as `bgtools.analysis.dice` tests those of a match.

    Args:
        connection: to a library.
        by: which rolls are tested together.
        least: how many rolls a group must have to be tested.
    """
    # Rolls follow each other within a match; where rolls are grouped by player, those of one player do.
    own = ", player" if by == "player" else ""
    times: dict[str, dict[Dice, int]] = {}
    products: dict[str, int] = {}
    pairs: dict[str, int] = {}
    query = _COUNTED.format(own=own, column=_COLUMNS[by])
    for name, dice, count, product, followed in connection.execute(query).fetchall():
        high, low = int(dice[0]), int(dice[1])
        times.setdefault(name or "", {})[high, low] = count
        products[name or ""] = products.get(name or "", 0) + product
        pairs[name or ""] = pairs.get(name or "", 0) + followed
    rolls = {name: sum(counted.values()) for name, counted in times.items()}
    tested = sorted((name for name in times if rolls[name] >= least), key=lambda name: (-rolls[name], name))
    counts = [(None, name, RollCounts(times[name], products[name], pairs[name])) for name in tested]
    return Fairness(
        sum(rolls[name] for name in tested),
        len(tested),
        len(times) - len(tested),
        dice_tests(counts),
        MappingProxyType({name: {roll: times[name].get(roll, 0) for roll in ROLLS} for name in tested}),
    )


_COUNTED: Final = """
WITH rolled AS (
    SELECT record, player, dice, dice[1]::INTEGER + dice[2]::INTEGER - 7 AS off,
        lag(off) OVER (PARTITION BY record{own} ORDER BY game, entry) AS before
    FROM turns WHERE dice_tested
),
r AS (
    SELECT record{own}, dice, count(*) AS times, coalesce(sum(off * before), 0) AS products, count(before) AS pairs
    FROM rolled GROUP BY ALL
)
SELECT {column} AS name, r.dice, sum(r.times)::BIGINT, sum(r.products)::BIGINT, sum(r.pairs)::BIGINT
FROM r
JOIN matches m ON m.record = r.record
JOIN (SELECT source, format, path FROM stored.sources WHERE matches > 0) s ON s.source = m.source
GROUP BY ALL
"""
