"""Themes on positions that everybody would call so, and on some that nobody would."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.analysis.lessons.scene import scene_of
from bgtools.analysis.lessons.themes import THEMES, themes_of
from bgtools.analysis.match_analysis import analyse
from fixed_engine import FixedEngine
from lesson_rows import decision
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionRow

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
BLITZ = "XGID=aa--ABD-C---eD---c-e----A-:0:0:1:53:0:0:0:0:10"
BACK_GAME = "XGID=------DBB---aB---dbcbbCaB-:0:0:1:42:0:0:0:0:10"
ACE_POINT = "XGID=---BCCC-B--------b-dccc-B-:0:0:1:51:0:0:0:0:10"
HOLDING = "XGID=------E-C---eE---c-dBc----:0:0:1:61:0:0:0:0:10"
MUTUAL = "XGID=-----bF-D---dC---c-fB-----:0:0:1:62:0:0:0:0:10"
PRIME = "XGID=-b--BBBBB---dC---c-f----B-:0:0:1:31:0:0:0:0:10"
FULL_PRIME = "XGID=-a-BBBBBB---eC---c-f------:0:0:1:31:0:0:0:0:10"
PRIME_AGAINST_PRIME = "XGID=-b---BCBB---dD---bbcb---B-:0:0:1:21:0:0:0:0:10"
CLOSED_BOARD = "XGID=aBBBBCC--A-------b-ddd----:0:0:1:21:0:0:0:0:10"
TWO_CLOSED_OUT = CLOSED_BOARD.replace("XGID=a", "XGID=b").replace("-----b-ddd", "-----a-ddd")
RACE = "XGID=----DDE--B-------b-edd----:0:0:1:61:0:0:0:0:10"
BEAR_IN = "XGID=----CDDB--B------b-edd----:0:0:1:61:0:0:0:0:10"
BEAR_IN_CONTACT = "XGID=---bCDDB--B--------edd----:0:0:1:61:0:0:0:0:10"
BEAR_OFF = "XGID=----CDC------------edd----:0:0:1:61:0:0:0:0:10"
BEAR_OFF_CONTACT = "XGID=-b--CDC------------edd----:0:0:1:61:0:0:0:0:10"
LAST_ROLL = "XGID=--A--A------------------b-:0:0:1:00:0:0:0:0:10"
NOT_THE_LAST = "XGID=--A--A-------------b------:0:0:1:00:0:0:0:0:10"
CONTAINMENT = "XGID=a-BBCCCB--------------bb--:0:0:1:41:0:0:0:0:10"
CRUNCH = "XGID=--BCCBB-----e----cbcb---C-:0:0:1:54:0:0:0:0:10"
CLEARING = "XGID=-b--DEDB-----------edd----:0:0:1:43:0:0:0:0:10"
PARTING = "XGID=----EDE-----aA-----eed----:0:0:1:61:0:0:0:0:10"


def themes(row: DecisionRow) -> set[str]:
    scene = scene_of(row)
    assert scene is not None
    return set(themes_of(scene))


@pytest.mark.parametrize(
    ("xgid", "named", "not_named"),
    [
        (BLITZ, {"blitz"}, {"race", "back game", "holding game"}),
        (BACK_GAME, {"back game", "anchor"}, {"ace-point game", "holding game", "blitz", "race"}),
        (ACE_POINT, {"ace-point game"}, {"back game", "holding game", "anchor", "race"}),
        (HOLDING, {"holding game", "anchor", "advanced anchor"}, {"mutual holding game", "back game"}),
        (MUTUAL, {"mutual holding game", "advanced anchor"}, {"holding game", "ace-point game"}),
        (PRIME, {"prime"}, {"full prime", "prime against prime", "closed board"}),
        (FULL_PRIME, {"prime", "full prime"}, {"closed board", "prime against prime"}),
        (PRIME_AGAINST_PRIME, {"prime against prime"}, {"prime", "holding game"}),
        (CLOSED_BOARD, {"closed board", "prime", "full prime"}, {"race", "bear-off", "blitz"}),
        (TWO_CLOSED_OUT, {"closed board"}, {"blitz"}),
        (RACE, {"race"}, {"bear-off", "bear-off against contact", "anchor"}),
        (BEAR_IN, {"race", "bear-in"}, {"bear-in against contact", "bear-off"}),
        (BEAR_IN_CONTACT, {"bear-in", "bear-in against contact"}, {"race", "bear-off against contact"}),
        (BEAR_OFF, {"race", "bear-off"}, {"bear-off against contact", "bear-in"}),
        (BEAR_OFF_CONTACT, {"bear-off against contact"}, {"race", "bear-off", "bear-in"}),
        (CONTAINMENT, {"containment"}, {"back game", "race"}),
        (CRUNCH, {"timing", "crunch"}, {"race", "blitz"}),
        (START, set(), {"anchor", "blitz", "prime", "timing", "holding game", "race", "back game"}),
    ],
)
def test_a_plan_is_named_as_players_name_it(xgid: str, named: set[str], not_named: set[str]) -> None:
    found = themes(decision(xgid))
    assert named <= found
    assert not found & not_named


@pytest.mark.parametrize(
    ("xgid", "played", "best", "named", "not_named"),
    [
        # 31: the usual point, and the slot that nobody makes any more.
        (START, "8/5 6/5", "", {"making a point"}, {"slot", "hit", "running"}),
        (START.replace(":31:", ":21:"), "13/11 6/5", "", {"slot"}, {"making a point", "hit"}),
        (START.replace(":31:", ":65:"), "24/13", "", {"running"}, {"slot", "hit", "split", "breaking anchor"}),
        (START.replace(":31:", ":64:"), "24/18 13/9", "8/2 6/2",
         {"making a point", "split"}, {"running", "breaking anchor"}),
        # The other has split to their 20-point, which is the 5-point here.
        ("XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "8/5*/4", "8/5* 6/5",
         {"hit", "point on the head", "making a point"}, {"hit or not", "double hit"}),
        ("XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "13/10 6/5*", "13/10 24/23",
         {"hit", "hit or not", "loose hit"}, {"point on the head"}),
        ("XGID=-a---aE-C---eE---c-e----B-:0:0:1:51:0:0:0:0:10", "6/5* 6/1*", "",
         {"hit", "double hit", "loose hit"}, {"hit or not", "point on the head"}),
        ("XGID=-b----E-C---dE---c-e-a--AA:0:0:1:31:0:0:0:0:10", "bar/22 24/23", "bar/24 6/3",
         {"from the bar", "making an anchor", "slot"}, {"running"}),
        # 55 with three points made at once; without the hit nobody is on the bar.
        ("XGID=-a--a-E-C---eE---c-e----B-:0:0:1:55:0:0:0:0:10", "13/3(2)", "8/3(2) 6/1*(2)",
         {"blitz", "point on the head", "hit or not"}, {"double hit", "race"}),
        ("XGID=-a--a-E-C---eE---c-e----B-:0:0:1:55:0:0:0:0:10", "13/3(2)", "", set(), {"blitz", "hit"}),
        (HOLDING, "20/13", "13/7 8/7", {"breaking anchor", "running", "making a point"}, {"from the bar"}),
        (ACE_POINT, "24/18", "", {"breaking anchor", "split"}, {"running"}),
        (CRUNCH, "6/2 6/1", "", {"breaking the board"}, {"breaking anchor", "making a point"}),
        (CLEARING, "7/3 7/4", "", {"clearing a point"}, {"breaking anchor", "breaking contact"}),
        (CLEARING, "7/4 6/2", "", set(), {"clearing a point"}),
        (PARTING, "13/6", "", {"breaking contact"}, {"running", "clearing a point"}),
        (HOLDING, "13/6", "", set(), {"breaking contact", "breaking anchor", "breaking the midpoint"}),
    ],
)  # fmt: skip
def test_a_play_is_named_by_what_it_does(
    xgid: str, played: str, best: str, named: set[str], not_named: set[str]
) -> None:
    found = themes(decision(xgid, played, best))
    assert named <= found
    assert not found & not_named


def test_openings_are_the_first_two_rolls_of_a_game_from_the_usual_position() -> None:
    assert "opening roll" in themes(decision(START, "8/5 6/5", turn=1, phase="opening"))
    assert "opening roll" not in themes(decision(START, "8/5 6/5", turn=2, phase="opening"))
    assert "opening roll" not in themes(decision(HOLDING, "13/7 8/7", turn=1))
    assert "reply" in themes(decision(START, "8/5 6/5", turn=2, phase="opening"))
    assert "reply" not in themes(decision(START, "8/5 6/5", turn=3, phase="opening"))
    assert "reply" not in themes(decision(HOLDING, "13/7 8/7", turn=2, phase="contact"))


def test_a_last_roll_decides_the_game_at_once() -> None:
    cube: dict[str, Any] = {"kind": "no double"}
    assert "last roll" in themes(decision(LAST_ROLL, "No double", **cube))
    assert "last roll" not in themes(decision(NOT_THE_LAST, "No double", **cube))
    # With six checkers nobody is off at once, and the other side has contact in a closed board.
    assert "last roll" not in themes(decision(BEAR_OFF, "No double", **cube))
    assert "last roll" in themes(decision(LAST_ROLL.replace(":00:", ":D:"), "Take", kind="take"))


CUBE = "XGID=-b----E-C---eE---c-e----B-:{}:0:7:10"


@pytest.mark.parametrize(
    ("no_double", "take", "named", "not_named"),
    [
        (0.5, 0.62, set(), {"too good", "cash", "cash or play on", "close double", "close take"}),
        (0.5, 0.52, {"close double"}, {"too good", "cash", "close take"}),
        (0.9, 1.3, {"cash", "cash or play on"}, {"too good", "close double", "close take"}),
        (0.7, 1.02, {"cash", "close take"}, {"cash or play on", "too good"}),
        (1.1, 1.4, {"too good", "cash or play on"}, {"cash"}),
        (1.5, 1.7, {"too good"}, {"cash", "cash or play on"}),
    ],
)
def test_a_cube_is_named_by_its_equities(no_double: float, take: float, named: set[str], not_named: set[str]) -> None:
    equities = {"No double": no_double, "Double, take": take, "Double, pass": 1.0}
    found = themes(decision(CUBE.format("0:0:1:00:0:0"), "No double", kind="no double", equities=equities))
    assert named <= found
    assert not found & not_named


def test_answers_know_close_takes_redoubles_and_beavers() -> None:
    answer = {"Take": -0.98, "Pass": -1.0}
    row = decision(CUBE.format("1:1:1:D:0:0"), "Take", kind="take", equities=answer)
    assert row.cube_owner == "theirs"
    assert {"close take", "redouble"} <= themes(row)
    first = themes(decision(CUBE.format("0:0:1:D:0:0"), "Take", kind="take", equities={"Take": -0.7, "Pass": -1.0}))
    assert not first & {"close take", "redouble", "beaver"}
    assert "beaver" in themes(decision(CUBE.format("0:0:1:D:0:0"), "Take", "Beaver", kind="take"))
    assert themes(decision(CUBE.format("0:0:1:00:0:0"), "Resigns", kind="resign")) >= {"resignation"}


@pytest.mark.parametrize(
    ("fields", "kind", "named", "not_named"),
    [
        ("0:0:1:00:6:6:0:7", "no double", {"double match point"}, {"gammon-go", "gammon-save", "Crawford"}),
        ("0:0:1:00:5:6:1:7", "no double", {"gammon-go", "Crawford"}, {"gammon-save", "post-Crawford"}),
        ("0:0:1:00:6:5:1:7", "no double", {"gammon-save", "Crawford"}, {"gammon-go", "double match point"}),
        ("0:0:1:00:4:6:0:7", "no double", {"post-Crawford"}, {"Crawford", "gammon-go", "free drop"}),
        ("0:0:1:D:5:6:0:7", "take", {"post-Crawford", "free drop"}, {"Crawford"}),
        ("0:0:1:D:4:6:0:7", "take", {"post-Crawford"}, {"free drop"}),
        ("0:0:1:00:3:2:0:7", "no double", set(), {"Crawford", "post-Crawford", "gammon-go", "double match point"}),
        ("0:0:1:00:3:2:0:0", "no double", set(), {"Crawford", "post-Crawford", "gammon-go", "double match point"}),
    ],
)
def test_a_score_is_named_by_what_it_makes_of_gammons(
    fields: str, kind: Any, named: set[str], not_named: set[str]
) -> None:
    row = decision(f"XGID=-b----E-C---eE---c-e----B-:{fields}:10", "", kind=kind)
    found = themes(row)
    assert named <= found
    assert not found & not_named


def test_without_the_crawford_rule_no_game_is_after_it() -> None:
    row = decision("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:6:0:7:10", "No double", kind="no double")
    scene = scene_of(row, crawford_rule=False)
    assert scene is not None
    assert not set(themes_of(scene)) & {"Crawford", "post-Crawford", "free drop"}


def test_every_decision_of_a_match_has_the_themes_of_its_row_alone() -> None:
    names = {each.name for each in THEMES}
    for seed in range(4):
        analysis = analyse(random_match(seed, 5), FixedEngine(0.3, 0.1, play=0.2))
        for row in analysis.decisions:
            scene = scene_of(row)
            assert scene is not None
            assert row.themes == themes_of(scene)
            assert set(row.themes) <= names
            assert ("race" in row.themes) == (row.phase in ("race", "bear-off") and "resignation" not in row.themes)
            assert ("back game" in row.themes) >= (row.phase == "back game" and "resignation" not in row.themes)


def test_a_row_that_cannot_be_read_has_no_themes() -> None:
    assert scene_of(replace(decision(START, "8/5 6/5"), xgid="XGID=no")) is None


def test_the_page_lists_every_theme_with_its_definition() -> None:
    place = Path(__file__).parents[2] / "docs" / "make_themes.py"
    spec = importlib.util.spec_from_file_location("make_themes", place)
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    text = maker.PAGE.read_text(encoding="utf-8")
    assert maker.page(text) == text, "run python docs/make_themes.py"
    assert len({each.name for each in THEMES}) == len(THEMES)
    for each in THEMES:
        assert each.definition.endswith("."), each.name
        assert "," not in each.name
