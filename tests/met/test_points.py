"""Take points and the value of gammons, against known figures and against GNU Backgammon."""

from __future__ import annotations

import re
import subprocess

import pytest

from bgtools.met.finding import default, gammon_values, take_points
from bgtools.positions.gnubg import encode_position_id
from bgtools.rules.cube import Cube, MatchState, Owner
from gnubg_export import PROGRAM
from support import board


def test_far_from_the_end_of_a_match_it_is_as_for_money() -> None:
    state = MatchState(25)
    points = take_points(default(), state)
    assert points is not None
    # A quarter with a dead cube, a fifth with a live one, and half a win for a gammon.
    assert points.dead == pytest.approx(0.25, abs=0.005)
    assert points.live == pytest.approx(0.20, abs=0.005)
    assert gammon_values(default(), state) == pytest.approx((0.5, 0.5), abs=0.01)


def test_2_away_2_away_the_first_cube_is_the_last() -> None:
    met = default()
    points = take_points(met, MatchState(7, (5, 5)))
    assert points is not None
    # Passing leaves the Crawford game to be won; taking is playing for the match.
    assert points.dead == points.live == met.equity((2, 1))


def test_who_would_lose_the_match_anyway_redoubles_at_once() -> None:
    met = default()
    points = take_points(met, MatchState(7, (3, 5)))  # 4 away, 2 away: the cube goes to 4 and decides the match
    assert points is not None
    assert points.dead == points.live == pytest.approx(met.equity((4, 1)))


def test_nobody_is_doubled_who_cannot_be() -> None:
    assert take_points(default(), MatchState(7, (4, 6), crawford=True)) is None
    assert take_points(default(), MatchState(7, (2, 6))) is None  # the other needs one point
    assert take_points(default(), MatchState(7, (6, 2))) is not None  # a free drop, but a take point


GAMMONS = re.compile(r"^root\s+([\d.]+)\s+[\d.]+\s*$", re.MULTILINE)
WINDOW = re.compile(r"^(Dead|Live) cube.*-\s*([\d.]+)%", re.MULTILINE)


@pytest.mark.needs(PROGRAM, "GNU Backgammon")
@pytest.mark.parametrize(
    ("score", "cube", "owner"),
    [
        ((0, 0), 1, "centre"),
        ((2, 4), 1, "centre"),
        ((4, 2), 1, "centre"),
        ((3, 5), 1, "centre"),
        ((5, 3), 1, "centre"),
        ((0, 0), 2, "theirs"),
        ((0, 3), 2, "theirs"),
        ((3, 0), 4, "theirs"),
        ((0, 4), 4, "theirs"),
    ],
)
def test_gnubg_has_the_same_take_points_and_gammon_values(score: tuple[int, int], cube: int, owner: Owner) -> None:
    assert PROGRAM is not None
    # Both have borne off: gnubg takes its gammon rates from the position.
    home = {6: 2, 5: 2, 4: 2, 3: 2}
    commands = ["set player 0 human", "set player 1 human", "new match 9", f"set score {score[1]} {score[0]}"]
    commands += [f"set board {encode_position_id(board(home, home))}", f"set cube value {cube}"]
    commands += ["set cube owner 0"] if owner == "theirs" else ["set cube centre"]
    done = subprocess.run(
        [PROGRAM, "-t", "-q", "-r"],
        input="\n".join([*commands, "show gammonvalues", "show marketwindow", ""]),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    state = MatchState(9, score, Cube(cube, owner))
    gammon = GAMMONS.search(done.stdout)
    assert gammon is not None, done.stdout
    # With a redouble that comes by itself it prints the point without it, and then the one with it.
    shown = done.stdout.partition("Player gnubg market window")[2].partition("Player root market window")[0]
    cashed: dict[str, str] = dict(WINDOW.findall(shown))
    assert float(gammon[1]) == pytest.approx(gammon_values(default(), state)[0], abs=6e-6)
    points = take_points(default(), state)
    assert points is not None
    # It prints where the other cashes.
    assert 1 - float(cashed["Dead"]) / 100 == pytest.approx(points.dead, abs=6e-5)
    assert 1 - float(cashed.get("Live") or cashed["Dead"]) / 100 == pytest.approx(points.live, abs=6e-5)
