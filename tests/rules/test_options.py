"""The rules that hold only where a record says so: other starts, beavers, Jacoby, automatic doubles, Holland."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, START
from bgtools.board.play import HopText
from bgtools.checks.checking import check
from bgtools.record.record import CheckerPlay, Match
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, CubeReason, CubeViolation, MatchState, explain_beaver, explain_double
from bgtools.rules.options import Ruleset
from bgtools.rules.worth import points_won, winning_level
from selfplay import random_match
from support import board, found, ids, mat, read_text, row

if TYPE_CHECKING:
    from bgtools.replayer.turn import GameReplay

FIRST = row(1, "31: 8/5 6/5", "43: 13/10 13/9")
SECOND = row(2, "52: 13/8 13/11", "63: 10/4 9/6")
LEFT_WINS = "      Wins 1 point"


def first(*lines: str, length: int = 0, tags: str = "") -> GameReplay:
    """The replay of a record's only game."""
    return replay(read_text(tags + mat(*lines, length=length)))[0]


def tag(*tags: str) -> str:
    return "".join(f"; [{each}]\n" for each in tags)


# --- R02: one numbering for both ------------------------------------------------------------


def _in_one_numbering(match: Match) -> Match:
    """The match with player 1's plays in the numbering of player 0."""

    def turned(hop: HopText) -> HopText:
        start, end = hop.points[0], hop.points[-1]
        return HopText((BAR - start if start < BAR else 0, BAR - end if end else 25), (False,))

    def own(entry: CheckerPlay) -> CheckerPlay:
        hops = tuple(turned(hop) for hop in entry.text.hops)
        return replace(entry, text=replace(entry.text, hops=hops)) if entry.player == 1 else entry

    games = [
        replace(game, entries=tuple(own(one) if isinstance(one, CheckerPlay) else one for one in game.entries))
        for game in match.games
    ]
    return replace(match, games=tuple(games))


@pytest.mark.parametrize("told", [None, True])
def test_a_record_in_one_players_numbering_is_recognised_or_told_R02(told: bool | None) -> None:
    match = random_match(2, 3)
    fixed = _in_one_numbering(match)
    fixed = replace(fixed, rules=replace(fixed.rules, fixed=told))
    assert [game.final for game in replay(fixed)] == [game.final for game in replay(match)]
    assert ids(check(fixed)) == ([] if told else ["BG006"])
    assert not all(turn.is_legal for turn in replay(replace(fixed, rules=replace(fixed.rules, fixed=False)))[0].turns)


# --- R04: who starts ------------------------------------------------------------------------


def test_the_winner_of_the_game_before_starts_with_two_dice_where_the_rules_say_so_R04() -> None:
    def text(opening: str) -> str:
        game = f"\n Game 2\n {'Ann : 1':<30} Bob : 0\n{opening}\n{LEFT_WINS}\n"
        return tag('WinnerStarts "On"') + mat(FIRST, LEFT_WINS) + game

    assert ids(found(text(row(1, "44: 24/20(2) 13/9(2)", "43: 13/10 13/9")))) == []
    assert ids(found(text(row(1, "", "31: 8/5 6/5")))) == ["BG224"]


# --- R21, R23: what a game is worth ---------------------------------------------------------


@pytest.mark.parametrize(("theirs", "level"), [({BAR: 1, 6: 14}, 4), ({19: 1, 6: 14}, 3), ({6: 15}, 2), ({6: 14}, 1)])
def test_a_backgammon_with_a_checker_on_the_bar_may_count_four_times_R21(theirs: dict[int, int], level: int) -> None:
    assert winning_level(board({}, theirs), quadruple=True) == level
    assert winning_level(board({}, theirs)) == min(level, 3)


def test_a_resignation_gives_what_the_position_allows_and_no_less_than_is_certain_R23() -> None:
    from bgtools.positions.xgid import encode_xgid

    def finding(mine: dict[int, int], theirs: dict[int, int], points: int) -> list[str]:
        place = encode_xgid(board(mine, theirs), MatchState()).removeprefix("XGID=").partition(":")[0]
        lines = (f"; Set Pos={place}/0", row(1, "", "65:"), f"      Wins {points} point{'s' if points > 1 else ''}")
        return ids(found(tag('Jacoby "Off"') + mat(*lines, length=7)))

    assert finding({6: 2}, {6: 14}, 2) == ["BG410"]
    assert finding({1: 2}, {23: 15}, 1) == ["BG411"]
    assert finding({6: 2}, {6: 15}, 2) == finding({1: 2}, {23: 15}, 2) == finding({6: 2}, {6: 14}, 1) == []


# --- R32, R33: beavers and raccoons ---------------------------------------------------------


@pytest.mark.parametrize(("beavers", "count", "legal"), [(0, 1, False), (1, 1, True), (1, 2, False), (2, 2, True)])
def test_a_double_is_doubled_back_as_often_as_agreed_R32_R33(beavers: int, count: int, legal: bool) -> None:
    fault = explain_beaver(Ruleset(beavers=beavers), money=True, count=count, value=4, claimed=4)
    assert fault == (None if legal else CubeViolation(CubeReason.NO_BEAVERS))


def test_a_match_has_no_beavers_R32() -> None:
    fault = explain_beaver(Ruleset(beavers=2), money=False, count=1, value=4, claimed=4)
    assert fault == CubeViolation(CubeReason.NO_BEAVERS)


def test_who_beavers_keeps_the_cube_at_twice_its_value_R32() -> None:
    turns = first(row(1, "31: 8/5 6/5", " Doubles => 2"), row(2, " Beavers => 4"), row(3, "", "43: 13/10 13/9")).turns
    assert all(turn.is_legal for turn in turns)
    assert turns[-1].state.cube == Cube(4, "theirs")


def test_a_beaver_may_be_raccooned_or_dropped_at_the_value_before_it_R33() -> None:
    opening = row(1, "31: 8/5 6/5", " Doubles => 2")
    tags = tag('Beaver "2"')
    raccoon = first(opening, row(2, " Beavers => 4", " Raccoons => 8"), row(3, "", "43: 13/10 13/9"), tags=tags)
    assert all(turn.is_legal for turn in raccoon.turns)
    assert raccoon.turns[-1].state.cube == Cube(8, "theirs")
    dropped = first(opening, row(2, " Beavers => 4", " Drops"), "      Wins 2 points", tags=tags)
    assert (dropped.ending, dropped.winner, dropped.earned) == ("drop", 0, 2)


# --- R34, R35: automatic doubles, Jacoby ----------------------------------------------------


def test_tied_opening_rolls_turn_the_centred_cube_as_often_as_agreed_R34() -> None:
    lines = (row(1, " Automatic => 2"), row(2, "31: 8/5 6/5", "43: 13/10 13/9"), "      Wins 2 points")
    allowed = first(*lines, tags=tag('AutomaticDoubles "1"'))
    assert allowed.turns[-1].state.cube == Cube(2, "centre")
    assert all(turn.is_legal for turn in allowed.turns)
    assert ids(found(tag('AutomaticDoubles "1"') + mat(*lines, length=0))) == []
    assert "BG312" in ids(found(mat(*lines, length=7)))


@pytest.mark.parametrize(("owner", "value", "points"), [("centre", 1, 1), ("centre", 2, 2), ("mine", 2, 4)])
def test_with_the_jacoby_rule_a_gammon_counts_after_an_accepted_double_only_R35(
    owner: str, value: int, points: int
) -> None:
    state = MatchState(0, (0, 0), Cube(value, owner), rules=Ruleset(crawford=False, jacoby=True))  # type: ignore[arg-type]
    assert points_won(2, state) == points
    assert points_won(2, replace(state, rules=Ruleset(crawford=False))) == 2 * value


def test_a_match_knows_no_jacoby_rule_R35() -> None:
    assert points_won(2, MatchState(7, (0, 0), Cube(), rules=Ruleset(jacoby=True))) == 2


# --- R43: Holland ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rolls", "legal"), [((0, 0), False), ((2, 1), False), ((1, 2), False), ((2, 2), True)])
def test_after_the_crawford_game_each_side_plays_two_rolls_before_a_double_R43(
    rolls: tuple[int, int], legal: bool
) -> None:
    state = MatchState(5, (4, 3), Cube(), rules=Ruleset(holland=True))
    fault = explain_double(state.flipped(), claimed=2, rolls=rolls)
    assert fault == (None if legal else CubeViolation(CubeReason.HOLLAND))
    assert explain_double(replace(state.flipped(), score=(0, 0)), claimed=2, rolls=rolls) is None


# --- R50 to R54: where a game begins --------------------------------------------------------


@pytest.mark.parametrize(
    ("variation", "mine"),
    [
        ("Backgammon", {24: 2, 13: 5, 8: 3, 6: 5}),
        ("Nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
        ("Hypergammon", {24: 1, 23: 1, 22: 1}),
        ("Longgammon", {24: 15}),
    ],
)
def test_every_variant_begins_from_its_own_position_R50_R51_R52_R53(variation: str, mine: dict[int, int]) -> None:
    start = first("", tags=tag(f'Variation "{variation}"')).final
    for side in (start.mine, start.theirs):
        assert {point: count for point, count in enumerate(side) if count and point} == mine


def test_a_game_begins_from_the_position_that_the_record_sets_R54() -> None:
    game = first("; Set Pos=-b----E-C---eE---c-e----B-/0", FIRST, LEFT_WINS)
    assert game.turns[0].before == START
    other = first("; Set Pos=-a----A-------------------/0", row(1, "21: 6/5 6/4"), LEFT_WINS)
    assert other.turns[0].before.mine[6] == 1
    assert ids(found(mat("; Set Pos=-a----A-------------------/0", row(1, "21: 6/5 6/4"), LEFT_WINS)))[:1] == ["BG202"]
