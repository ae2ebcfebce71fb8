"""Beavers, raccoons and the answers to them, as they stand in a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START
from bgtools.board.play import HopText, PlayText
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Entry, Game, Match, SetBoard, Take
from bgtools.rules.options import Ruleset
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player


def _roll(player: Player, dice: Dice, *hops: tuple[int, ...]) -> CheckerPlay:
    text = PlayText("moves", tuple(HopText(hop, (False,) * (len(hop) - 1)) for hop in hops))
    return CheckerPlay(player=player, dice=dice, text=text)


OPENING = _roll(0, (3, 1), (8, 5), (6, 5))
REPLY = _roll(1, (6, 1), (13, 7), (8, 7))
NEXT = _roll(0, (6, 5), (24, 18), (18, 13))


def _analyse(taken: float, *entries: Entry, beavers: int = 2) -> Analysis:
    game = Game(number=1, score=(0, 0), entries=(OPENING, REPLY, Double(player=0), *entries))
    match = Match(players=("Ann", "Bob"), length=0, games=(game,), rules=Ruleset(beavers=beavers))
    return analyse(match, FixedEngine(0.1, taken))


def _after_the_double(analysis: Analysis) -> list[DecisionRow]:
    at = next(number for number, row in enumerate(analysis.decisions) if row.kind == "double")
    return list(analysis.decisions[at:])


def _seen(analysis: Analysis) -> list[tuple[str, str, str]]:
    return [(row.name, row.kind, row.error_kind) for row in _after_the_double(analysis) if row.kind != "checker play"]


def test_a_raccoon_against_a_wrong_beaver() -> None:
    rows = _after_the_double(_analyse(0.4, Beaver(player=1), Beaver(player=0, raccoon=True), NEXT))
    assert [(row.name, row.kind, row.error_kind) for row in rows[:3]] == [
        ("Ann", "double", ""),
        ("Bob", "beaver", "wrong beaver"),
        ("Ann", "raccoon", ""),
    ]
    double, beaver, raccoon = rows[:3]
    assert beaver.loss == pytest.approx(0.4)  # -0.8 for -0.4
    assert raccoon.equity == pytest.approx(1.6)  # four times a take
    assert [(choice.choice, choice.equity) for choice in raccoon.choices] == [
        ("Raccoon", pytest.approx(1.6)),
        ("Take", pytest.approx(0.8)),
        ("Pass", -2.0),
    ]
    assert (raccoon.cube, raccoon.loss_points) == (1, 0.0)
    # All are about one position, seen by the player who doubled.
    assert double.xgid.replace(":00:", ":D:") == beaver.xgid == raccoon.xgid.replace(":B:", ":D:")
    assert len({double.xgid, beaver.xgid, raccoon.xgid}) == 3, "each says what is on the table"


def test_a_wrong_raccoon() -> None:
    analysis = _analyse(-0.3, Beaver(player=1), Beaver(player=0, raccoon=True), NEXT)
    raccoon = _after_the_double(analysis)[2]
    assert (raccoon.error_kind, raccoon.best) == ("wrong raccoon", "Take")
    assert (raccoon.loss, raccoon.loss_points) == pytest.approx((0.6, 0.6))
    errors = analysis.players[0].errors
    assert errors is not None
    assert errors.kinds["wrong raccoon"].points == pytest.approx(0.6)


def test_playing_on_after_a_beaver_may_miss_a_raccoon() -> None:
    analysis = _analyse(0.4, Beaver(player=1), NEXT)
    assert _seen(analysis)[1:] == [("Bob", "beaver", "wrong beaver"), ("Ann", "take beaver", "missed raccoon")]
    missed = _after_the_double(analysis)[2]
    assert missed.loss == pytest.approx(0.8)
    assert (missed.cube, missed.cube_owner, missed.played, missed.best) == (1, "centre", "Take", "Raccoon")
    turn = analysis.turns[-1]
    assert turn.best != "Raccoon"  # the row of a roll shows what should have been played
    assert turn.loss == pytest.approx(0.8)


def test_none_is_missed_where_no_raccoons_are_played() -> None:
    rows = _seen(_analyse(0.4, Beaver(player=1), NEXT, beavers=1))
    assert rows[1:] == [("Bob", "beaver", "wrong beaver"), ("Ann", "take beaver", "")]


def test_a_written_take_or_drop_answers_the_beaver() -> None:
    assert _seen(_analyse(-0.3, Beaver(player=1), Take(player=0), NEXT))[2] == ("Ann", "take beaver", "")
    dropped = _after_the_double(_analyse(-0.3, Beaver(player=1), Drop(player=0)))[2]
    assert (dropped.kind, dropped.error_kind, dropped.equity) == ("pass beaver", "wrong pass", -2.0)
    assert dropped.loss == pytest.approx(1.4)


def test_a_raccoon_is_taken_or_dropped_by_the_beaverer() -> None:
    both = (Beaver(player=1), Beaver(player=0, raccoon=True))
    taken = _after_the_double(_analyse(0.4, *both, Take(player=1), NEXT))[3]
    assert (taken.name, taken.kind, taken.error_kind) == ("Bob", "take raccoon", "")
    assert taken.equity == pytest.approx(-1.6)
    dropped = _after_the_double(_analyse(0.4, *both, Drop(player=1)))[3]
    assert (dropped.kind, dropped.equity) == ("pass raccoon", -4.0)
    assert dropped.loss == pytest.approx(2.4)


def test_gnu_backgammon_counts_the_acceptance_of_a_beaver_but_no_beaver() -> None:
    _, beaver, accepted = _after_the_double(_analyse(-0.3, Beaver(player=1), NEXT))[:3]
    assert (beaver.kind, beaver.counted_by["gnubg"].counted, beaver.counted_by["xg"].counted) == ("beaver", False, True)
    assert (accepted.kind, accepted.counted_by["gnubg"].counted, accepted.counted_by["xg"].counted) == (
        "take beaver",
        True,
        False,
    )


def test_only_snowie_and_opengammon_count_a_raccoon() -> None:
    raccoon = _after_the_double(_analyse(-0.3, Beaver(player=1), Beaver(player=0, raccoon=True), NEXT))[2]
    counts = [raccoon.counted_by[name] for name in ("xg", "bmab", "gnubg", "snowie", "opengammon")]
    assert [count.counted for count in counts] == [False, False, False, True, True]
    assert all(count.why for count in counts)


def test_a_position_set_in_the_middle_of_a_game_is_no_decision() -> None:
    board = SetBoard(player=0, position=START)
    game = Game(number=1, score=(0, 0), entries=(OPENING, board, _roll(0, (6, 5), (24, 18), (18, 13))))
    analysis = analyse(Match(players=("Ann", "Bob"), length=0, games=(game,)), FixedEngine(0.1, 0.4))
    assert [row.kind for row in analysis.decisions] == ["checker play", "no double", "checker play"]
    assert [turn.action for turn in analysis.turns] == ["roll", "set position", "roll"]
