"""The sorts of slip that writers make: what each costs, whether a record can prove it, what else may explain it.

A cost is what a slip of that sort says against itself: minus the logarithm, to the base two, of how often it is made,
with what it takes to tell it from others of its sort. `docs/decoding.md` says how the numbers were found.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class SlipSort(NamedTuple):
    """A sort of slip.

    Attributes:
        bits: what it costs at least.
        is_provable: whether the rest of a record can prove it. What is made up, and what may have been played, it never
            proves; nor what another slip may explain that nobody tried.
        of_entries: whether it is about the entries of a game alone, so that no other header explains it.
    """

    bits: float
    is_provable: bool = True
    of_entries: bool = False


def _of_entries(bits: float, *, is_provable: bool = True) -> SlipSort:
    return SlipSort(bits, is_provable, of_entries=True)


SLIPS: Final[dict[str, SlipSort]] = {
    # plays and rolls
    "play": _of_entries(7),  # another play of the same roll, and `SIGN` for each sign that differs
    "unknown": _of_entries(3, is_provable=False),  # a play that nobody could read
    "die": _of_entries(9.5),  # another roll, the play as it is written
    "turn": _of_entries(13.5, is_provable=False),  # another roll and another play
    "copied": _of_entries(8, is_provable=False),  # the cell above or below it, in its place
    "other cell": _of_entries(14, is_provable=False),  # a cell of another place, and nobody knows what stood here
    "dice exchanged": _of_entries(10.5),
    "plays exchanged": _of_entries(11.5),
    "stood": SlipSort(14),  # a play against the rules that was let stand; less, the more goes on from it
    "cube stood": SlipSort(8.5),  # an action of the cube against the rules
    "value stood": SlipSort(14),  # the same with a value that the cube cannot have
    # columns and order
    "column": _of_entries(8),
    "cells": _of_entries(10),
    "rows": _of_entries(13.5),
    "apart": _of_entries(14.5),
    "order": _of_entries(9),
    "turned": _of_entries(11),
    "answers": SlipSort(9),
    # too much and too little
    "twice": _of_entries(8),
    "row twice": _of_entries(6.5),
    "surplus play": _of_entries(18, is_provable=False),
    "surplus cube": SlipSort(11),
    "after the end": SlipSort(8),
    "passed": SlipSort(13),  # a turn that nobody made, so that the other player had two running; less, the more goes on
    "missing": _of_entries(11, is_provable=False),
    "row missing": _of_entries(12, is_provable=False),
    # the cube
    "answer": SlipSort(8),
    "beaver": SlipSort(8.5),
    "no answer": SlipSort(8),
    "no double": SlipSort(9),
    "value": SlipSort(7),
    "annulled": SlipSort(9),
    # results and score lines
    "points": SlipSort(8),
    "winner": SlipSort(9),
    "winner points": SlipSort(17),
    "score": SlipSort(9.25),  # one number of a score line
    "names": SlipSort(8.5),
    "columns": SlipSort(12, is_provable=False),
    "game twice": SlipSort(5),
    "game after the match": SlipSort(12, is_provable=False),
    # the header
    "length": SlipSort(9.5, is_provable=False),
    "variation": SlipSort(24),  # more than any single slip
    "Jacoby": SlipSort(10, is_provable=False),
    "automatic doubles": SlipSort(12, is_provable=False),
    "games exchanged": SlipSort(10),
    "results exchanged": SlipSort(10),
}
"""The sorts of slip, by their names."""

AGAINST_RULES: Final = frozenset({"stood", "passed"})
"""What happened as it is written, against the rules: then nothing in the record is to be put right."""
BITS: Final[dict[str, float]] = {name: each.bits for name, each in SLIPS.items()}
"""Bits of a slip, by its name."""

MARGIN: Final = 6.0
"""Readings that cost so many bits more than the best one are its rivals, and are looked for."""
TIED: Final = 0.5
"""Readings that are so few bits apart are as good as each other."""
