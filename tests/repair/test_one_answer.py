"""One fix, one answer: what a check shows is what a repair writes, safe or likeliest, in every format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bench_repair import is_same
from bgtools.conversion.conversion import convert, parse_target
from bgtools.decoder.safety import has_copy, has_gap
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repair
from bgtools.repair.states import edited
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


@pytest.mark.share(8)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_repair_makes_the_fixes_that_a_check_shows_and_none_that_is_safe_is_wrong(part: int) -> None:
    compared = 0
    for kind, slip in slips_of(part):
        fixes = [each.fix for some in plan_fixes(slip.text.encode(), "m.mat").state.found for each in some]
        offered = [fix for fix in fixes if fix is not None and not fix.alternatives]
        safe = [fix for fix in offered if fix.applicability == "safe"]
        after = repair(slip.text.encode(), "m.mat").after.decode()
        assert after == edited(slip.text, safe), kind.name
        assert not safe or is_same(after, slip.sound), (kind.name, slip.note)
        assert repair(slip.text.encode(), "m.mat", unsafe=True).after.decode() == edited(slip.text, offered), kind.name
        compared += len(offered)
    assert compared


@pytest.mark.share(2)
@pytest.mark.parametrize("to", ["sgf", "xg", "json"])
def test_in_other_formats_a_repair_makes_as_many_fixes_as_a_check_shows(to: str) -> None:
    compared = 0
    for kind, slip in slips_of(to.count("s")):
        data = convert(read_source(slip.text.encode(), "m.mat"), parse_target(to), allow=LOSSES, verify=False).data
        offered = [each.fix for some in plan_fixes(data, f"m.{to}").state.found for each in some if each.fix]
        for unsafe in (False, True):
            told = [fix for fix in offered if not fix.alternatives and (unsafe or fix.applicability == "safe")]
            assert [change.fix for change in repair(data, f"m.{to}", unsafe=unsafe).changes] == told, kind.name
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
