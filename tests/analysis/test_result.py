"""The luck-adjusted result and its sentence."""

from __future__ import annotations

import pytest

from bgtools.analysis.result import match_sentence, money_sentence

NAMES = ("Ann", "Bob")


def test_a_lucky_winner_is_told_what_even_dice_would_have_brought() -> None:
    assert match_sentence(NAMES, 1.0, 0.6, over=True) == (
        "Ann was luckier, by 60.0% of match winning chance. "
        "With even dice the match would have stood at 40.0% for Ann and 60.0% for Bob; Ann won it."
    )


def test_an_unlucky_winner() -> None:
    text = match_sentence(NAMES, 0.0, 0.2, over=True)
    assert text.startswith("Ann was luckier, by 20.0%")
    assert "Bob would have won it for sure" in text
    assert text.endswith("Bob won it.")


def test_an_unfinished_match_says_where_the_record_ends() -> None:
    assert match_sentence(NAMES, 0.55, 0.1, over=False).endswith("the record ends at 55.0% and 45.0%.")


def test_nobody_was_luckier() -> None:
    assert match_sentence(NAMES, 1.0, 0.0001, over=True) == "Neither player was luckier; Ann won it."
    assert money_sentence(NAMES, 0.0, 0.0, None) == "Neither player was luckier; the session ended level."


def test_a_money_session_is_told_in_points_with_its_interval() -> None:
    assert money_sentence(NAMES, 5.0, 7.25, 3.1) == (
        "Ann was luckier, by 7.25 points. With even dice it would have been 2.25 points up for Bob "
        "(give or take 3.10); the session ended 5 points up for Ann."
    )
    assert money_sentence(NAMES, -1.0, -0.5, None).endswith("the session ended 1 point up for Bob.")


@pytest.mark.parametrize("net", [-0.3, 0.3])
def test_the_sentence_names_the_luckier_player(net: float) -> None:
    assert match_sentence(NAMES, 0.5, net, over=False).startswith("Ann" if net > 0 else "Bob")
