"""One fix, one answer: what a check shows is what a repair writes, safe or likeliest, in every format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bgtools.conversion.conversion import convert, parse_target
from bgtools.decoder.safety import has_copy, has_gap
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repair, repaired
from program import bgtools
from slips import KINDS, LATER, Kind, Library, planted
from slips.core import SAMPLES
from support import found, mat, row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slips import Slip

LOSSES = tuple(f"BG5{number:02}" for number in range(1, 12))
PARTS = 24


def slips_of(part: int) -> Iterator[tuple[Kind, Slip]]:
    """A slip of every 24th kind, each in a record without others."""
    library = Library(41)
    for kind in (*KINDS, *LATER)[part::PARTS]:
        yield from ((kind, slip) for slip in planted(kind, "misread", library, seed=41, each=1) if slip.sound)


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("to", ["sgf", "xg", "json"])
def test_in_other_formats_a_repair_makes_as_many_fixes_as_a_check_shows(to: str) -> None:
    compared = 0
    for kind, slip in slips_of(to.count("s")):
        data = convert(read_source(slip.text.encode(), "m.mat"), parse_target(to), allow=LOSSES, verify=False).data
        plan = plan_fixes(data, f"m.{to}")
        offered = [each.fix for some in plan.state.found for each in some if each.fix]
        for unsafe in (False, True):
            told = [fix for fix in offered if not fix.alternatives and (unsafe or fix.applicability == "safe")]
            assert [change.fix for change in repaired(plan, unsafe=unsafe).changes] == told, kind.name
            compared += len(told)
    assert compared


def test_the_command_shows_what_it_writes(tmp_path: Path) -> None:
    record = tmp_path / "five.mat"
    record.write_bytes((SAMPLES / "five-slips.mat").read_bytes())
    shown = json.loads(bgtools("check", str(record), "--format", "json").stdout)
    made = json.loads(bgtools("check", str(record), "--fix", "--format", "json").stdout)
    fixed = [one["fix"] for one in made if one.get("fixed")]
    assert fixed == [one["fix"] for one in shown]
    assert len(fixed) == len(made)


def test_a_game_that_follows_the_end_of_the_match_is_never_deleted() -> None:
    won = (row(1, "31: 8/5 6/5", "52: 13/8 24/22"), row(2, " Doubles => 2", " Drops"), "      Wins 1 point")
    text = mat(*won, "", " Game 2", " Ann : 1                        Bob : 0", *won, length=1)
    assert "BG404" in [each.code.id for each in found(text)]
    assert repair(text.encode(), "m.mat", unsafe=True).after == text.encode()


def test_what_bears_witness_against_a_safe_fix_is_seen() -> None:
    rows = (row(1, "31: 8/5 6/5", "52: 13/8 24/22"), row(3, "31: 8/5 6/5", "43: 13/10 13/9"))
    (game,) = read_source(mat(*rows).encode(), "m.mat")[0].games
    assert has_gap(game)
    assert has_copy(game.entries)
    assert not has_copy(game.entries[1:])
    assert isinstance(game.entries[0], CheckerPlay)
