"""Answers to questions: what is understood, and what it loses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.analysis.blunders import Blunder, can_be_asked, judge_answer, share_lost
from bgtools.analysis.rows import ChoiceRow
from lesson_rows import decision

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
PLAYS = tuple(
    ChoiceRow(rank, play == "13/10 6/5", play, -loss, loss, "3-ply")
    for rank, (play, loss) in enumerate(
        (("8/5 6/5", 0.0), ("24/20", 0.14), ("13/10 24/23", 0.15), ("13/10 6/5", 0.2)), 1
    )
)
PLAY = Blunder("a.mat", 1, ("Ann", "Bob"), replace(decision(OPENING, "13/10 6/5", "8/5 6/5", loss=0.2), choices=PLAYS))


def cube(kind: str, **equities: float) -> Blunder:
    names = {"none": "No double", "take": "Double, take", "drop": "Double, pass", "takes": "Take", "passes": "Pass"}
    rows = tuple(ChoiceRow(1, False, names[name], equity, 0.0, "3-ply") for name, equity in equities.items())
    xgid = OPENING.replace(":31:", ":00:" if "double" in kind else ":D:")
    return Blunder("a.mat", 1, ("Ann", "Bob"), replace(decision(xgid, kind=kind), choices=rows))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["8/5 6/5", "6/5 8/5", "8-5, 6-5", "31: 8/5 6/5", "6/5  8/5"])
def test_a_play_is_taken_in_any_spelling(text: str) -> None:
    answer = judge_answer(PLAY, text)
    assert (answer.choice, answer.loss, answer.at_least) == ("8/5 6/5", 0.0, False)


def test_a_play_that_was_left_out_loses_at_least_what_the_last_one_does() -> None:
    assert judge_answer(PLAY, "24/23 24/21").at_least
    # What was played is listed whatever it lost, and says nothing of what was left out.
    assert judge_answer(PLAY, "24/23 24/21").loss == 0.15
    assert judge_answer(PLAY, "6/5 13/10").loss == 0.2


@pytest.mark.parametrize("text", ["8/4 6/5", "nonsense", "7/3", "double"])
def test_what_is_no_legal_play_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        judge_answer(PLAY, text)


@pytest.mark.parametrize(
    ("question", "text", "said", "loss"),
    [
        (cube("no double", none=0.5, take=0.7, drop=1.0), "Double", "Double", 0.0),
        (cube("no double", none=0.5, take=0.7, drop=1.0), "n", "No double", 0.2),
        (cube("double", none=0.5, take=1.4, drop=1.0), "d", "Double", 0.0),
        (cube("double", none=1.2, take=1.4, drop=1.0), "yes", "Double", 0.2),
        (cube("take", takes=-1.1, passes=-1.0), "T", "Take", 0.1),
        (cube("pass", takes=-0.9, passes=-1.0), "drop", "Pass", 0.1),
    ],
)
def test_a_cube_action_loses_what_the_better_one_is_worth_more(
    question: Blunder, text: str, said: str, loss: float
) -> None:
    answer = judge_answer(question, text)
    assert answer.choice == said
    assert answer.loss == pytest.approx(loss)


def test_a_cube_question_takes_no_other_answer() -> None:
    with pytest.raises(ValueError, match="the answer is take or pass"):
        judge_answer(cube("take", takes=-0.9, passes=-1.0), "double")


def test_what_makes_no_question_is_not_asked() -> None:
    assert can_be_asked(PLAY.row)
    assert not can_be_asked(replace(PLAY.row, kind="resign"))
    assert not can_be_asked(replace(PLAY.row, choices=()))


@pytest.mark.parametrize(
    ("now", "then", "words"),
    [
        (0.0, 0.3, "almost nothing of what"), (0.1, 0.3, "a third of what"), (0.15, 0.3, "half of what"),
        (0.3, 0.3, "as much as"), (0.5, 0.3, "more than"), (0.0, 0.0, "as much as"),
    ],
)  # fmt: skip
def test_what_is_lost_is_told_as_a_share_of_what_was_lost(now: float, then: float, words: str) -> None:
    assert share_lost(now, then) == words
