"""Keith, Thorp and Ward counts by hand and against GNU Backgammon; which turns are races."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.races import in_words, is_race, keith, race_rows, thorp, ward
from bgtools.bearoff.one_sided import effective_pips
from bgtools.board.board import START, Board, checkers
from bgtools.positions.gnubg import encode_position_id
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

GNUBG = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))

NICE = {6: 4, 5: 4, 4: 3, 3: 2, 2: 1, 1: 1}
"""65 pips, 15 checkers, no gap."""
STACKED = {6: 3, 3: 4, 2: 2, 1: 6}
"""40 pips, 15 checkers, gaps on the 5 and the 4."""


def position(mine: dict[int, int], theirs: dict[int, int]) -> Board:
    return Board(checkers(mine), checkers(theirs))


def test_the_keith_count_adds_for_stacks_gaps_and_the_roll() -> None:
    found = keith(position(NICE, STACKED))
    # 65 pips and nothing for a smooth board, then a seventh of 65, rounded down.
    assert found.own == 65 + 9
    # 40, twice five checkers on the 1-point, one on the 2-point, one on the 3-point, two gaps.
    assert found.opponent == 40 + 10 + 1 + 1 + 2
    assert (found.double, found.redouble, found.take) == (False, False, True)


@pytest.mark.parametrize(
    ("behind", "double", "redouble", "take"),
    [
        (5, False, False, True),
        (4, True, False, True),
        (3, True, True, True),
        (2, True, True, True),
        (1, True, True, False),
        (-9, True, True, False),
    ],
)
def test_the_bounds_of_the_keith_count(behind: int, double: bool, redouble: bool, take: bool) -> None:
    own = 80 + 80 // 7
    found = keith(position(_smooth(80), _smooth(own - behind)))
    assert found.own - found.opponent == behind
    assert (found.double, found.redouble, found.take) == (double, redouble, take)


def _smooth(pips: int) -> dict[int, int]:
    """Without stacks or gaps, of so many pips: two each on the 6, 5 and 4, and five further out."""
    far, more = divmod(pips - 30, 5)
    return {6: 2, 5: 2, 4: 2, far: 5 - more} | ({far + 1: more} if more else {})


def test_the_thorp_count_adds_for_checkers_and_takes_off_for_points() -> None:
    found = thorp(position(NICE, STACKED))
    # 65 pips, 15 checkers, one of them on the 1-point, six points, and a tenth.
    assert found.own == pytest.approx((65 + 30 + 1 - 6) * 1.1)
    assert found.opponent == 40 + 30 + 6 - 4
    # 30 and less gets no tenth: 12 pips, 4 checkers, none on the 1-point, one point.
    assert thorp(position({3: 4}, {3: 4})).own == 12 + 8 - 1


def test_the_ward_count_compares_both_sides() -> None:
    found = ward(position({10: 2, 6: 5, 5: 4, 4: 3}, STACKED))
    # 82 pips, nothing on the low points, two checkers outside more than the other (½ each), no more points held
    # than the other's four, and one checker fewer; then a tenth.
    assert found.own == pytest.approx((82 + 1) * 1.1)
    # 40, twice four on the 1-point; one checker more (2) and one point more (-1).
    assert found.opponent == 40 + 8 + 2 - 1


@pytest.mark.parametrize(
    ("mine", "may_trail"),
    [({10: 4}, 2), ({14: 5}, 3), ({10: 10}, 4)],
    ids=["40 pips", "70 pips, 75 on average", "100 pips"],
)
def test_the_take_point_of_the_ward_count_grows_with_the_race(mine: dict[int, int], may_trail: int) -> None:
    ((point, checkers_left),) = mine.items()
    own = 11 * point * checkers_left // 10
    for trail, take in ((may_trail, True), (may_trail + 1, False)):
        low, more = divmod(own + trail, checkers_left)
        found = ward(position(mine, {low: checkers_left - more, low + 1: more}))
        assert (found.own, found.opponent) == (own, own + trail)
        assert found.take is take


def test_what_a_count_says_depends_on_the_cube() -> None:
    even = keith(position(_smooth(80), _smooth(87)))  # 91 against 87: behind by 4
    assert in_words(even, Cube()) == "double, take"
    assert in_words(even, Cube(2, "mine")) == "no redouble, take"
    assert in_words(even, Cube(2, "theirs")) == ""


def test_a_race_has_no_contact_and_two_sides() -> None:
    assert not is_race(START)
    assert is_race(position(NICE, STACKED))
    assert not is_race(position(NICE, {}))


def test_every_roll_of_a_race_has_its_row() -> None:
    seen = 0
    for seed in range(12):
        games = replay(random_match(seed, 3, set_positions=True, resigning=0.0))
        rows = race_rows(games, ("Ann", "Bob"))
        assert [(row.game, row.entry) for row in rows] == [
            (game.index + 1, turn.index + 1)
            for game in games
            for turn in game.turns
            if is_race(turn.before) and type(turn.entry).__name__ in ("CheckerPlay", "Double")
        ]
        for row in rows:
            turn = games[row.game - 1].turns[row.entry - 1]
            assert (row.pips, row.opponent_pips) == turn.before.pips
            assert row.epc == effective_pips(turn.before.mine)
            if row.epc is not None:
                # Nothing is borne off with less than the pips it has.
                assert row.wastage == pytest.approx(row.epc - row.pips)
                assert row.epc > row.pips
            seen += 1
    assert seen > 100


@pytest.mark.needs(GNUBG, "GNU Backgammon")
def test_the_counts_are_those_of_gnubg(tmp_path: Path) -> None:
    """Its Keith count is not rounded down; nothing else differs."""
    assert GNUBG is not None
    rng = random.Random(8)
    boards = []
    for _ in range(12):
        sides = []
        for _ in range(2):
            points: dict[int, int] = {}
            for _ in range(rng.randint(3, 15)):
                point = rng.choice((1, 2, 3, 4, 5, 6, 6, 5, 9, 12))
                points[point] = points.get(point, 0) + 1
            sides.append(points)
        boards.append(position(sides[0], sides[1]))
    script = "set automatic roll off\nset automatic game off\nnew game\n"
    for board in boards:
        script += f"set board {encode_position_id(board)}\nshow keith\nshow thorp\n"
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r"],
        input=script,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
        check=False,
    )
    found = re.findall(r"(Keith|Thorp) Count Leader *: (\d+).*?L: ([\d.]+).*?T: (\d+)", done.stdout, re.S)
    assert len(found) == 2 * len(boards), done.stdout[-2000:]
    for at, board in enumerate(boards):
        (_, bare, _, theirs), (_, _, tenth, thorp_theirs) = found[2 * at : 2 * at + 2]
        by_keith, by_thorp = keith(board), thorp(board)
        assert by_keith.own == int(bare) + int(bare) // 7
        assert by_keith.opponent == int(theirs)
        assert by_thorp.own == pytest.approx(float(tenth), abs=0.051)
        assert by_thorp.opponent == int(thorp_theirs)
