"""Slips planted in records of every format that is written: no safe fix is wrong, and no likely one destroys."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bench_fixes import TARGETS, attempt, sound_match
from bgtools.checks.settings import resolve_settings
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.rendering import render
from bgtools.record.record import CheckerPlay, reconstructions
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repair
from bgtools.repair.states import edited
from bgtools.repair.verdicts import verdict_on
from record_slips import SLIPS, is_kept_back, plant
from support import check_and_offer, mat, read_text, row, some_or_all

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match

PARTS = 16


@pytest.mark.quick(one_in=16)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_safe_fix_of_a_slip_in_any_format_is_wrong(part: int) -> None:
    kinds = tuple(name for name in SLIPS if not is_kept_back(name))[part::PARTS]
    tried = [each for number in range(2 * len(kinds)) if (each := attempt(number, 9100 + part, kinds, 1)) is not None]
    assert tried
    assert {each.target for each in tried} <= set(TARGETS)
    for each in tried:
        assert each.outcomes["safe"] != "wrong", (each.kinds, each.number)
        assert each.lost <= 6, (each.kinds, each.number)


def test_a_result_that_two_witnesses_state_is_left() -> None:
    first = row(1, "31: 8/5 6/5", "42: 8/4 6/4")
    text = mat(first, "      Wins 8 points") + f"\n Game 2\n {'Ann : 8':<30} Bob : 0\n{first}\n"
    found = check_and_offer(read_text(text))
    assert all(each.fix is None or "8" in each.fix.text for each in found if each.code.name == "wrong-points")


def test_it_is_not_sure_whether_rolls_or_plays_stand_in_each_others_place() -> None:
    text = mat(row(1, "43: 13/8 13/10", "53: 24/20 13/10"), row(2, " Doubles => 2", " Drops"), "      Wins 1 point")
    found = check_and_offer(read_text(text))
    assert any(each.fix is not None for each in found)
    assert not repair(text.encode(), "one.mat").changes


def test_a_play_that_differs_in_its_stars_alone_is_rewritten_wherever_it_comes_from() -> None:
    text = mat(row(1, "31: 8/5 6/5", "42: 8/4* 6/4"))
    (match,) = read_source(text.encode(), "one.mat")
    one, two = match.games[0].entries
    assert isinstance(two, CheckerPlay)
    hops = tuple(replace(hop, stars=(False,), start=0, end=0) for hop in two.text.hops)
    right = replace(two, text=replace(two.text, hops=hops))
    fixes = render(match, replace(match, games=(replace(match.games[0], entries=(one, right)),)))
    assert fixes is not None
    assert edited(text, fixes) == text.replace("*", "")


def test_a_long_record_is_fixed_as_its_games_are() -> None:
    match = sound_match(1)
    games = tuple(replace(game, score=(0, 0)) for game in match.games)
    long = replace(match, games=tuple(replace(game, number=at) for at, game in enumerate(games * 8, 1)))
    assert len(long.games) > 30
    rng, faulty = random.Random(5), list(long.games)
    slips = 0
    for at in range(0, len(faulty), 8):
        made = plant("turn of the wrong player", replace(long, games=(faulty[at],)), rng)
        if made is not None:
            faulty[at], slips = made.games[0], slips + 1
    data = write(replace(long, games=tuple(faulty))).encode()
    assert not read_source(data, "one.mat")[0].findings
    fixes = [fix for fix in plan_fixes(data, "one.mat").fixes.values() if not fix.alternatives]
    assert slips > 3
    assert len(fixes) >= slips - 1


@some_or_all(5)
def test_what_is_put_in_has_a_remark_that_the_format_keeps_and_the_verdict_says_so(tmp_path: Path, step: int) -> None:
    marked: Counter[str] = Counter()
    for number in range(0, 30, step):
        kinds = ("offer left out", "turn left out", "row left out", "beaver left out")
        tried = attempt(number, 4200, kinds, 1)
        if tried is None or tried.outcomes["unsafe"].startswith("refused"):
            continue
        before, after = (read_source(data, "one") for data in (tried.files[1], tried.after["unsafe"]))
        put_in = sum(_length(each) for each in after) - sum(_length(each) for each in before)
        remarks = [each for match in after for game in match.games for each in game.comments]
        keeps = "comments" not in find_format(after[0].source.format).leaves_out if after[0].source else False
        if put_in > 0 and keeps and tried.outcomes["safe"] == "left":
            assert all(each.text.startswith("reconstructed: ") for each in remarks)
            assert sum(each.text.count(";") + 1 for each in remarks) >= put_in, (tried.kinds, tried.target)
            marked[tried.target] += 1
            path = tmp_path / f"{number}"
            path.write_bytes(tried.after["unsafe"])
            found = verdict_on(path.read_bytes(), str(path), resolve_settings())[0].verdict
            assert found in ("reconstructed", "incomplete", "reject", "fixable", "likely fixable")
        elif put_in <= 0:
            assert not any(map(reconstructions, after)) or tried.outcomes["unsafe"] != "restored"
    assert len(marked) > 3 // step, marked


def _length(match: Match) -> int:
    return sum(len(game.entries) for game in match.games)


def test_what_is_put_in_beside_an_entry_takes_the_empty_cell_of_its_row() -> None:
    rows = [
        row(1, "31: 8/5 6/5", "42: 8/4 6/4"),
        row(2, " Doubles => 2", " Takes"),
        row(3, "61: 13/7 8/7", "53: 8/3 6/3"),
    ]
    faulty = mat(rows[0], rows[1].replace("Doubles => 2", "            "), rows[2])
    lines = repair(faulty.encode(), "one.mat", unsafe=True).after.decode().splitlines()
    assert [" ".join(line.split()) for line in lines if "Takes" in line] == ["2) Doubles => 2 Takes"]
    assert rows[2] in lines


def test_a_remark_that_stood_in_a_game_does_not_join_its_fixes() -> None:
    rows = [row(1, "31: 8/5 6/5", "42: 8/4 6/4"), "; well played", row(2, "61: 13/7 8/7", "53: 8/3 6/3")]
    faulty = mat(rows[0].replace("31:", "51:"), rows[1], rows[2].replace("8/3 6/3", "8/3 6/2"))
    done = repair(faulty.encode(), "one.mat", unsafe=True)
    assert len(done.changes) == 2
    assert all("\n" not in change.fix.text for change in done.changes)
    assert "; well played\n" in done.after.decode()
