"""The list of errors that a report prints, and the one that report.json holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.analysis.match_analysis import analyse
from bgtools.positions.notations import decode_id
from bgtools.reports.decision_text import (
    SHOWN,
    board_lines,
    decision_text,
    errors_data,
    errors_lines,
    lesson_lines,
    on_roll,
)
from fixed_engine import FixedEngine
from lesson_rows import decision
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
ROW = decision(OPENING, "24/20", "8/5 6/5", loss=0.1234, error="blunder", sentence="does not make the 5-point")


def test_the_worst_errors_are_printed_with_their_reasons() -> None:
    analysis = analyse(random_match(2, 5), FixedEngine(0.3, 0.1))
    analysis = replace(analysis, decisions=analysis.decisions * 2)
    for player, name in enumerate(analysis.match.players):
        errors = [row for row in analysis.decisions if row.error and row.player == player]
        lines = list(errors_lines(analysis, player=player))
        shown = min(SHOWN, len(errors))
        assert lines[0] == f"{name}, " + (
            f"{SHOWN} worst of {len(errors)} errors:" if len(errors) > SHOWN else f"{len(errors)} errors:"
        )
        assert len(lines) == 1 + 2 * shown
        losses = [row.loss or 0.0 for row in errors]
        assert f"(-{max(losses):.3f})" in lines[1]
        assert lines[2].strip() in {row.sentence for row in errors}
    both = [line for player in (0, 1) for line in errors_lines(analysis, player=player)]
    assert list(errors_lines(analysis)) == both
    few = replace(analysis, decisions=(replace(ROW, game=1),))
    assert next(iter(errors_lines(few))) == f"{analysis.match.players[ROW.player]}, 1 error:"
    assert list(errors_lines(replace(analysis, decisions=()))) == []


def _shown(analysis: Analysis) -> int:
    """How many errors are shown: of each player so many."""
    return sum(min(SHOWN, sum(row["player"] == player for row in errors_data(analysis))) for player in (0, 1))


def test_who_answers_a_double_sits_below() -> None:
    xgid = "XGID=-a----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10"
    take = decision(xgid, "pass", "take", loss=0.2, player=1, kind="pass")
    lines = board_lines(take, ("Ann", "Bob"))
    assert next(line for line in lines if "is doubled" in line)
    assert [line for line in lines if " pips" in line][-1].endswith("X  Bob, 143 pips")
    double = decision(xgid, "double", "no double", loss=0.2, player=0, kind="double")
    assert [line for line in board_lines(double, ("Ann", "Bob")) if " pips" in line][-1].endswith("X  Ann, 167 pips")


def test_boards_are_printed_where_they_are_asked_for() -> None:
    analysis = analyse(random_match(2, 5), FixedEngine(0.3, 0.1))
    lines = list(errors_lines(analysis, boards=True))
    bare = list(errors_lines(analysis))
    assert [line for line in lines if line in bare] == bare
    assert sum(line.startswith("     +13-14") for line in lines) == _shown(analysis)


def test_a_narrow_terminal_has_below_a_board_what_has_no_room_beside_it() -> None:
    analysis = analyse(random_match(2, 5), FixedEngine(0.3, 0.1))
    lines = list(errors_lines(analysis, boards=True, width=56))
    bare = set(errors_lines(analysis))
    boards = [line for line in lines if line not in bare]
    assert max(map(len, boards)) <= 56 < max(map(len, errors_lines(analysis, boards=True)))
    assert sum("5-point match" in line for line in boards) == _shown(analysis)


def test_an_answer_is_drawn_by_the_doubler() -> None:
    board = decode_id(OPENING).board
    assert on_roll(replace(ROW, player=1), board) == 1
    assert on_roll(replace(ROW, player=1, kind="pass"), board) == 0
    assert on_roll(replace(ROW, player=1, kind="take beaver"), board) == 1
    away = decode_id("XGID=-a----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").board
    assert on_roll(replace(ROW, player=0, kind="resign", pips=167, opponent_pips=143), away) == 0
    assert on_roll(replace(ROW, player=0, kind="accept", pips=143, opponent_pips=167), away) == 1


def test_a_verdict_stands_behind_the_loss_with_what_the_rollout_found() -> None:
    assert decision_text(ROW) == "24/20, best 8/5 6/5 (-0.123)"
    rolled = replace(ROW, verdict="smaller", rollout_loss=0.0517, rollout_error=0.0042, rollout_games=144)
    assert decision_text(rolled) == "24/20, best 8/5 6/5 (-0.123), smaller (-0.052 ± 0.004)"
    ahead = replace(rolled, verdict="overturned", rollout_loss=-0.02)
    assert decision_text(ahead).endswith("overturned (+0.020 ± 0.004)")
    assert decision_text(replace(ROW, verdict="confirmed")).endswith("(-0.123), confirmed")


def test_the_data_hold_every_error_the_costliest_first() -> None:
    analysis = analyse(random_match(2, 5), FixedEngine(0.3, 0.1))
    data = errors_data(analysis)
    assert len(data) == sum(bool(row.error) for row in analysis.decisions)
    assert [each["loss"] for each in data] == sorted((each["loss"] for each in data), reverse=True)
    assert all(isinstance(each["themes"], list) and each["sentence"] for each in data)
    assert {"game", "turn", "played", "best", "verdict", "rollout_loss", "xgid"} <= set(data[0])


def test_a_shown_decision_says_what_it_lost_and_why() -> None:
    right = replace(ROW, loss=0.0, error="", themes=("opening roll", "split"))
    unknown = replace(ROW, loss=None, themes=())
    assert list(lesson_lines([ROW])) == ["made: 24/20, best 8/5 6/5 (-0.123)", "  does not make the 5-point"]
    assert list(lesson_lines([right, unknown])) == ["made: 24/20, as good as any", "  themes: opening roll, split"]
