"""Adding up luck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.analysis.luck import luck_class, luck_label, total_luck
from bgtools.analysis.rows import TurnRow

ROLL = TurnRow(
    game=1,
    turn=1,
    row=1,
    entry=1,
    player=0,
    name="A",
    action="roll",
    score=(0, 0),
    length=7,
    crawford=False,
    cube=1,
    cube_owner="centre",
    dice="31",
    opening=False,
    xgid="",
    pips=167,
    opponent_pips=167,
    pips_after=163,
    opponent_pips_after=167,
    played="8/5 6/5",
    legal=True,
)


def test_luck_is_summed_over_the_rolls_that_are_known() -> None:
    turns = [
        replace(ROLL, luck=0.7, luck_mwc=0.05),
        replace(ROLL, luck=-0.4, luck_mwc=-0.03),
        ROLL,
        replace(ROLL, action="double"),
    ]
    luck = total_luck(turns, money=False)
    assert (luck.rolls, luck.missing, luck.jokers, luck.anti_jokers) == (2, 1, 1, 1)
    assert luck.emg == pytest.approx(0.3)
    assert luck.mwc == pytest.approx(0.02)
    assert luck.per_roll == pytest.approx(0.15)
    assert luck.points is None
    assert luck.label == ""  # two rolls name nobody lucky
    assert total_luck(turns * 15, money=False).label == "very lucky"


def test_money_luck_is_in_points() -> None:
    luck = total_luck([replace(ROLL, luck=0.1, luck_points=0.2)], money=True)
    assert luck.mwc is None
    assert luck.points == pytest.approx(0.2)


def test_where_no_roll_was_valued_luck_is_unknown_and_not_nothing() -> None:
    for turns, missing in (([], 0), ([ROLL, ROLL], 2)):
        for money in (False, True):
            luck = total_luck(turns, money=money)
            assert (luck.emg, luck.mwc, luck.points, luck.per_roll, luck.missing) == (None, None, None, None, missing)
            assert (luck.label, luck.gnubg_label) == ("", "")


def test_rolls_are_counted_by_their_names() -> None:
    luck = total_luck([replace(ROLL, luck=each) for each in (0.7, 0.3, 0.29, -0.3, -0.31, -0.6)], money=False)
    assert luck.classes == {"very lucky": 1, "lucky": 1, "unlucky": 2, "very unlucky": 1}
    assert (luck.jokers, luck.anti_jokers) == (2, 3)
    assert (luck.label, luck.gnubg_label) == ("", ""), "six rolls make no name"


@pytest.mark.parametrize(
    ("luck", "name"), [(0.29, ""), (0.3, "lucky"), (0.6, "very lucky"), (-0.3, "unlucky"), (-0.9, "very unlucky")]
)
def test_names_of_single_rolls(luck: float, name: str) -> None:
    assert luck_class(luck) == name


@pytest.mark.parametrize(
    ("mean", "name"), [(0.03, "average"), (0.05, "lucky"), (-0.031, "unlucky"), (0.07, "very lucky")]
)
def test_names_of_the_mean_roll(mean: float, name: str) -> None:
    assert luck_label(mean) == name
