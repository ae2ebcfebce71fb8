"""Sentences: every clause holds when its figures are computed again in the plainest way."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.analysis.lessons.boards import shots
from bgtools.analysis.lessons.scene import scene_of
from bgtools.analysis.lessons.sentence import (
    _TELLERS,
    Clause,
    board_clauses,
    chance_clauses,
    costs,
    sentence_of,
    take_needed,
    take_point,
)
from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import BAR, OFF, Board
from bgtools.engines.protocol import Probabilities
from bgtools.met.finding import default, take_points
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState
from counted_again import (
    blots_hit,
    dancing_rolls,
    finishing_rolls,
    hitting_rolls,
    longest_row,
    mean_rolls_by_trying,
    pairs,
    random_chances,
    spare,
)
from fixed_engine import FixedEngine
from lesson_rows import decision
from selfplay import random_match
from support import after, board, scatter, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.analysis.rows import DecisionKind
    from bgtools.met.table import MatchEquityTable

# --- the figures, counted again -------------------------------------------------------------


def holds(clause: Clause, before: Board, made: Board, best: Board) -> bool:
    """Whether a clause's figures and words are what the boards say."""
    counted: dict[str, Callable[[Board], int]] = {
        "hits": lambda board: board.theirs[BAR] - before.theirs[BAR],
        "shots": lambda board: hitting_rolls(board.flipped()),
        "exposed": lambda board: blots_hit(board.flipped()),
        "dances": lambda board: dancing_rolls(board.flipped()),
        "off": lambda board: board.mine[OFF] - before.mine[OFF],
        "prime": longest_row,
        "behind": lambda board: sum(board.mine[19:]),
        "finishes": finishing_rolls,
        "outside": lambda board: sum(board.mine[point] for point in range(7, 26)),
        "timing": spare,
        "race": lambda board: board.pips[1],
        "stack": lambda board: max(board.mine[1:25]),
        "zone": lambda board: sum(board.mine[1:13]),
    }
    if clause.name == "hit on":
        here, there = (
            {at for at in range(1, BAR) if before.theirs[BAR - at] == 1 and not after_.theirs[BAR - at]}
            for after_ in (made, best)
        )
        named = [
            {int(number) for number in re.findall(r"(\d+)-point", part)} for part in clause.text.split(" instead ")
        ]
        return named == [here - there, there - here] and len(here) == len(there) > 0
    if clause.name in ("made", "broken"):
        return _points_hold(clause.text, before, made, best)
    if clause.name == "rolls":
        return (
            abs(mean_rolls_by_trying(made.mine) - clause.made) < 1e-6
            and abs(mean_rolls_by_trying(best.mine) - clause.best) < 1e-6
        )
    own, other = counted[clause.name](made), counted[clause.name](best)
    numbers = [int(number) for number in re.findall(r"\b\d+\b", clause.text.replace("in 36", ""))]
    said = [value for value in (own, other) if value] if clause.name != "hits" else numbers
    return (own, other) == (clause.made, clause.best) and (numbers == [own, other] or set(said) == set(numbers))


def _points_hold(text: str, before: Board, made: Board, best: Board) -> bool:
    """Whether the points that a clause names are made, broken or kept as it says."""
    verb, *rest = re.split(r" instead of ", text)
    own = [int(number) for number in re.findall(r"(\d+)-point", verb)]
    other = [int(number) for number in re.findall(r"(\d+)-point", " ".join(rest))]

    def held(board: Board, point: int) -> bool:
        return board.mine[point] >= 2

    if verb.startswith("makes"):
        return all(held(made, at) and not held(before, at) and not held(best, at) for at in own) and all(
            held(best, at) and not held(before, at) and not held(made, at) for at in other
        )
    if verb.startswith("does not make"):
        return all(held(best, at) and not held(before, at) and not held(made, at) for at in own)
    if verb.startswith("keeps"):
        return all(held(before, at) and held(made, at) and not held(best, at) for at in own)
    return all(held(before, at) and not held(made, at) and held(best, at) for at in own) and all(
        held(before, at) and held(made, at) and not held(best, at) for at in other
    )


# --- words ----------------------------------------------------------------------------------


def told(before: Board, made: Board, best: Board) -> list[str]:
    """The clauses about two boards, however they are reached."""
    return [clause.text for tell in _TELLERS for clause in tell(before, made, best)]


def test_nothing_is_said_as_nothing_and_not_as_a_nought() -> None:
    race, home, away = board({6: 3, 8: 1}), board({6: 2, 5: 1, 3: 1}), board({6: 3, 7: 1})
    assert "leaves no checker outside the home board instead of 1" in told(race, home, away)
    assert "leaves 1 checker outside the home board instead of none" in told(race, away, home)
    last, long, short = board({6: 2, 1: 1}), board({6: 2}), board({6: 1, 1: 1})
    rolls = finishing_rolls(long), finishing_rolls(short)
    assert rolls == (4, 15)
    assert f"is off with the next roll {rolls[0]} times in 36 instead of {rolls[1]}" in told(last, long, short)
    never = board({6: 3, 5: 2})
    assert "is never off with the next roll instead of 15 times in 36" in told(last, never, short)
    assert "is off with the next roll 15 times in 36 instead of never" in told(last, short, never)
    barred = {25: 1, 1: 3}
    closed = board(dict.fromkeys(range(1, 7), 2), barred)
    open_ = board(dict.fromkeys(range(11, 17), 2), barred)
    assert "leaves the other player dancing with no roll instead of 36" in told(closed, open_, closed)
    assert "leaves the other player dancing with 36 rolls instead of none" in told(closed, closed, open_)
    broken = board(dict.fromkeys(range(2, 14), 1), barred)
    assert "blocks with no point in a row instead of 6" in told(closed, broken, closed)
    assert "blocks with 6 points in a row instead of none" in told(closed, closed, broken)


def test_hits_in_different_places_are_told_by_the_points() -> None:
    before = board({21: 2, 6: 1, 5: 1}, {24: 1, 20: 1, 8: 1, 6: 2})
    inner, outer = (
        board({21: 2, 6: 1, 1: 1}, {25: 1, 20: 1, 8: 1, 6: 2}),
        board({21: 1, 17: 1, 6: 1, 5: 1}, {25: 1, 24: 1, 20: 1, 6: 2}),
    )
    assert "hits on the 1-point instead of the 17-point" in told(before, inner, outer)
    assert not any(text.startswith("hits") for text in told(before, inner, inner))


def test_points_are_told_while_there_is_contact_and_not_in_a_race() -> None:
    before, made, best = ({6: 3, 8: 1, 5: 1}, {6: 3, 5: 2}, {6: 4, 5: 1})
    assert not any("5-point" in text for text in told(board(before), board(made), board(best)))
    contact = [board(mine, {24: 1}) for mine in (before, made, best)]
    assert "makes the 5-point" in told(*contact)


# --- laws -----------------------------------------------------------------------------------


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("seed", range(4))
def test_every_clause_about_the_board_holds_when_it_is_counted_again(seed: int) -> None:
    told = 0
    for seen, dice, made, best, played, better in pairs(seed, 40):
        row = decision(Position(seen, dice=dice).xgid, played, better, loss=0.1)
        scene = scene_of(row)
        assert scene is not None
        assert (scene.board, scene.made, scene.best) == (seen, made, best)
        for clause in board_clauses(scene):
            if clause.name == "rolls" and sum(made.mine[1:]) > 4:
                continue  # the plain way takes too long
            assert holds(clause, seen, made, best), (row.xgid, played, better, clause)
            told += 1
        assert reason_of(scene)
    assert told > 30


def test_shots_are_those_of_the_36_rolls() -> None:
    rng = random.Random(5)
    for seen in [*walk(rng, 40), *(scatter(rng) for _ in range(40))]:
        found = shots(seen)
        assert found.rolls == hitting_rolls(seen)
        assert len(found.blots) == blots_hit(seen)
    # A blot six pips away with nothing between: 17 rolls; a direct ace: 11 and what comes round.
    alone = board({12: 1}, {19: 1, 24: 2})
    assert shots(alone).rolls == 17
    assert shots(Board(board({7: 1, 1: 2}).mine, board({}, {24: 1, 18: 2}).theirs)).rolls == hitting_rolls(
        Board(board({7: 1, 1: 2}).mine, board({}, {24: 1, 18: 2}).theirs)
    )


@pytest.mark.parametrize("seed", range(3))
def test_chances_are_told_in_percentage_points_and_only_where_something_is_given_up(seed: int) -> None:
    rng = random.Random(seed)
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    for _ in range(200):
        each = [random_chances(rng) for _ in range(2)]
        row = decision(start, "24/21 6/5", "8/5 6/5", chances=dict(zip(("24/21 6/5", "8/5 6/5"), each, strict=True)))
        scene = scene_of(row)
        assert scene is not None
        made, best = each
        worse = (
            made.win < best.win - 0.005
            or made.win_gammon < best.win_gammon - 0.005
            or made.lose_gammon > best.lose_gammon + 0.005
        )
        clauses = chance_clauses(scene)
        assert bool(clauses) == worse
        for clause in clauses:
            before, after_ = getattr(best, clause.name), getattr(made, clause.name)
            verb = "loses" if clause.name == "lose_gammon" else "wins"
            what = "games" if clause.name == "win" else "gammons"
            more = "more" if after_ > before else "less"
            assert clause.text == f"{verb} {what} {abs(100 * after_ - 100 * before):.1f} points {more} often"
            assert abs(after_ - before) >= 0.005


def test_gammons_that_decide_nothing_are_left_out() -> None:
    board_ = "XGID=-b----E-C---eE---c-e----B-:{}:10"
    chances = {
        "24/21 6/5": Probabilities(0.5, 0.1, 0.0, 0.2, 0.0),
        "8/5 6/5": Probabilities(0.51, 0.15, 0.0, 0.1, 0.0),
    }
    told = {}
    for fields in ("0:0:1:31:6:6:0:7", "0:0:1:31:6:0:0:7", "0:0:1:31:0:6:1:7", "0:0:1:31:0:0:0:7"):
        scene = scene_of(decision(board_.format(fields), "24/21 6/5", "8/5 6/5", chances=chances))
        assert scene is not None
        told[fields] = [clause.name for clause in chance_clauses(scene)]
    assert list(told.values()) == [
        ["win"],
        ["win", "lose_gammon"],
        ["win", "win_gammon"],
        ["win", "win_gammon", "lose_gammon"],
    ]


def test_backgammons_are_told_from_two_in_a_hundred_on_where_they_decide_more_than_a_gammon() -> None:
    board_ = "XGID=-b----E-C---eE---c-e----B-:{}:10"
    plays = ("24/21 6/5", "8/5 6/5")

    def told(fields: str, own: float, other: float) -> str:
        chances = {
            name: Probabilities(0.0, 0.0, 0.0, 1.0, each) for name, each in zip(plays, (own, other), strict=True)
        }
        scene = scene_of(decision(board_.format(fields), *plays, chances=chances))
        assert scene is not None
        return ", ".join(clause.text for clause in chance_clauses(scene))

    assert told("0:0:1:31:0:0:0:0", 1.0, 0.25) == "loses backgammons 75.0 points more often"
    assert told("0:0:1:31:0:0:0:0", 0.26, 0.245) == ""
    assert told("0:0:1:31:0:4:0:7", 1.0, 0.25) == "loses backgammons 75.0 points more often"
    # They need two points, or the cube is at 2 and they need four: a gammon is enough.
    assert told("0:0:1:31:0:5:0:7", 1.0, 0.25) == ""
    assert told("1:1:1:31:0:3:0:7", 1.0, 0.25) == ""


def reason_of(scene: DecisionBoards, met: MatchEquityTable | None = None) -> str:
    return sentence_of(scene, take_needed(scene, met))


# --- by example -----------------------------------------------------------------------------


def sentence(xgid: str, played: str, best: str, *chances: tuple[float, ...]) -> str:
    given = {name: Probabilities(*each) for name, each in zip((played, best), chances, strict=False)}
    scene = scene_of(decision(xgid, played, best, chances=given, loss=0.1234))
    assert scene is not None
    return reason_of(scene)


OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def test_a_sentence_tells_first_what_costs_and_then_what_is_gained() -> None:
    text = sentence(OPENING, "13/10 6/5", "8/5 6/5", (0.541, 0.15, 0.0, 0.2, 0.0), (0.5, 0.15, 0.0, 0.14, 0.0))
    assert text.startswith("loses gammons 6.0 points more often; leaves ")
    against, virtues = text.split("; although it ")
    assert "does not make the 5-point" in against
    assert virtues.startswith("wins games 4.1 points more often")


@pytest.mark.parametrize("seed", range(3))
def test_no_virtue_of_a_wrong_play_is_told_as_its_fault(seed: int) -> None:
    """With the two plays in each other's place, what spoke against one speaks for the other."""
    swapped = 0
    for seen, dice, made, best, played, better in pairs(70 + seed, 40):
        if played == better or made == best:
            continue
        row, back = (
            decision(Position(seen, dice=dice).xgid, *both, loss=0.1) for both in ((played, better), (better, played))
        )
        scene, other = scene_of(row), scene_of(back)
        assert scene is not None
        assert other is not None
        against = {clause.name for clause in board_clauses(scene) if costs(clause)}
        virtues = {clause.name for clause in board_clauses(other) if not costs(clause)}
        both_ways = {"hit on", "made", "broken"}  # a point instead of another is a loss either way
        assert against - both_ways == virtues - both_ways
        swapped += len(against)
        text = reason_of(scene)
        assert text.count("although") <= 1
        assert not text.startswith("although")
    assert swapped > 20


def test_a_sentence_needs_no_chances_and_always_says_something() -> None:
    assert sentence(OPENING, "13/10 6/5", "8/5 6/5").startswith("leaves ")
    race = "XGID=----DDE--B-------b-edd----:0:0:1:21:0:0:0:0:10"
    assert sentence(race, "9/7 6/5", "9/8 9/7") == "gives up 0.123 against 9/8 9/7"


def test_a_backgammon_that_is_not_saved_is_told() -> None:
    # They have two checkers left. 22/17 alone leaves three checkers in their home board.
    xgid = "XGID=-I-------A--A---------D-b-:0:0:1:55:0:0:0:0:10"
    lost, saved = (0.0, 0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0, 0.0)
    assert sentence(xgid, "22/7 22/17", "22/17(4)", lost, saved) == (
        "loses backgammons 100.0 points more often; leaves 2 checkers in the other player's home board instead of none"
    )


def test_pips_to_spare_are_told_where_somebody_is_short_of_them() -> None:
    plenty, more = board({24: 2, 13: 4, 8: 3, 6: 6}), board({24: 2, 13: 6, 8: 3, 6: 4})
    assert (spare(plenty), spare(more)) == (54, 58)
    assert not any("pips to spare" in text for text in told(plenty, plenty, more))
    home = dict.fromkeys(range(2, 6), 2) | {24: 2, 6: 3}
    short, long = board(home | {8: 2}), board(home | {12: 2})
    assert "leaves 9 pips to spare before the board breaks instead of 17" in told(short, short, long)


def test_a_little_more_shots_come_last_and_much_more_first() -> None:
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
    little = sentence(start.format("51"), "24/18", "24/23 13/8")
    assert little == (
        "leaves 36 shots instead of 34; has 8 checkers in the zone instead of 9; "
        "although it leaves 1 checker behind instead of 2"
    )
    much = sentence(start.format("21"), "13/11 6/5", "24/23 13/11")
    assert "although it leaves 15 shots instead of 34" in much, "that the wrong play has fewer shots costs nothing"
    much = sentence(start.format("21"), "24/23 13/11", "13/11 6/5")
    assert much.startswith("leaves 34 shots instead of 15")


def test_a_decision_that_loses_nothing_has_no_sentence() -> None:
    scene = scene_of(decision(OPENING, "8/5 6/5", loss=0.0))
    assert scene is not None
    assert reason_of(scene) == ""


WINDOW = "in the doubling window: doubling gains 0.062 over waiting; the take is right by 0.388"
CUBE = "XGID=-b----E-C---eE---c-e----B-:{}:10"


@pytest.mark.parametrize(
    ("kind", "equities", "text"),
    [
        ("no double", (0.55, 0.612, 1.0), WINDOW),
        ("no double", (0.845, 1.2, 1.0), "the other player should pass: that is worth +1.000, waiting +0.845"),
        ("double", (0.512, 0.471, 1.0), "too early: waiting gains 0.041 over doubling; the take is right by 0.529"),
        ("double", (1.093, 1.3, 1.0), "too good: playing on is worth +1.093, the pass +1.000"),
    ],
)  # fmt: skip
def test_a_doubling_error_says_where_the_position_lies(
    kind: DecisionKind, equities: tuple[float, ...], text: str
) -> None:
    named = dict(zip(("No double", "Double, take", "Double, pass"), equities, strict=True))
    row = decision(CUBE.format("0:0:1:00:0:0:0:7"), "x", "x", kind=kind, equities=named, loss=0.05)
    scene = scene_of(row)
    assert scene is not None
    assert reason_of(scene) == text
    again = scene_of(decision(CUBE.format("1:1:1:00:0:0:0:7"), "x", "x", kind=kind, equities=named, loss=0.05))
    assert again is not None
    assert ("redoubling" in sentence_of(again)) == ("doubling" in text.replace("the doubling window", ""))


def test_a_wrong_take_or_pass_says_what_a_take_needs() -> None:
    chances = {"Take": Probabilities(0.198, 0.05, 0.0, 0.3, 0.0)}
    told: dict[str, Any] = {
        "kind": "take",
        "equities": {"Pass": -1.0, "Take": -1.154},
        "loss": 0.154,
        "error_kind": "wrong take",
    }
    row = decision(CUBE.format("0:0:1:D:0:0:0:0"), "Take", "Pass", chances=chances, **told)
    scene = scene_of(row)
    assert scene is not None
    # By hand: a gammon in a quarter of the wins and three eighths of the losses.
    won, lost = 0.05 / 0.198, 0.3 / 0.802
    needed = 0.198 + 0.154 / (2 * (2 + won + lost + 0.34))
    assert reason_of(scene) == (
        "taking is worth -1.154, passing -1.000: 0.154 more for the pass; wins 19.8% of games, 5.0% with a gammon, "
        f"and loses 30.0% with a gammon; a take needs about {100 * needed:.1f}% with these gammons, score and cube: "
        f"{100 * (needed - 0.198):.1f} points short"
    )
    for fields in ("0:0:1:D:3:2:0:7", "1:1:1:D:1:4:0:9", "0:0:1:D:5:6:0:7"):
        scene = scene_of(decision(CUBE.format(fields), "Take", "Pass", chances=chances, **told))
        assert scene is not None
        assert re.search(r"a take needs about [\d.]+% with .*: [\d.]+ points short$", reason_of(scene, default()))
        assert "needs" not in reason_of(scene)


@pytest.mark.parametrize(
    ("state", "needed"),
    [
        (MatchState(), 0.5 / 2.34),  # Janowski's take point for money without gammons
        (MatchState(7, (5, 5)), 0.294),  # at 2-away each the cube is dead once it is turned: the table's own point
        (MatchState(7, (5, 4), Cube(1)), 0.2),
    ],
)
def test_a_take_point_without_gammons_is_the_known_one(state: MatchState, needed: float) -> None:
    """An engine that values a take as the formula does leaves the take point where the formula has it."""
    met = default()
    if state.is_money:
        win = 0.3
        found = take_point(state, 2 * (win * 2.34 - 1), (win, 0.0, 0.0), met)
        assert found == pytest.approx(needed)
        return
    points = take_points(met, state)
    assert points is not None
    height = 4 if state.away[1] <= 2 else 2
    taken = replace(state, cube=Cube(height, "mine"))
    (low, high), (lose, won) = met.anchors(state), met.anchors(taken)
    win = points.dead + 0.05
    equity = 2 * (lose + win * (won - lose) - low) / (high - low) - 1
    found = take_point(state, equity, (win, 0.0, 0.0), met)
    assert found is not None
    # With a live cube some of the chances above the point come from redoubles.
    assert abs(found - points.dead) < (0.001 if taken.is_cube_dead or height > 2 else 0.01)


def test_a_take_point_rises_with_the_gammons_that_are_lost_and_agrees_with_the_engine() -> None:
    rng = random.Random(3)
    for _ in range(200):
        win = rng.uniform(0.1, 0.5)
        won, lost = rng.uniform(0, win), rng.uniform(0, 1 - win)
        take = rng.uniform(-2, 0.5)
        for state in (MatchState(), MatchState(9, (rng.randint(0, 6), rng.randint(0, 6)))):
            found = take_point(state, take, (win, won, lost), default())
            if found is not None:
                assert (found < win) == (take > -1)


@pytest.mark.parametrize(("win", "word"), [(0.47, "behind"), (0.53, "too early")])
def test_a_double_by_who_is_behind_is_not_called_too_early(win: float, word: str) -> None:
    named = {"No double": -0.086, "Double, beaver": -0.954, "Double, pass": 1.0}
    chances = dict.fromkeys(named, Probabilities(win, 0.12, 0.0, 0.13, 0.0))
    told: dict[str, Any] = {"equities": named, "chances": chances, "loss": 0.868}
    row = decision(CUBE.format("0:0:1:00:0:0:0:0"), "Double", "No double", kind="double", **told)
    scene = scene_of(row)
    assert scene is not None
    assert reason_of(scene) == (
        f"{word}: waiting gains 0.868 over doubling; the beaver is right by 1.954; wins {100 * win:.1f}% of games, "
        "12.0% with a gammon, and loses 13.0% with a gammon"
    )


@pytest.mark.parametrize(
    ("played", "best", "kind", "text"),
    [
        ("Pass", "Beaver", "pass", "passing is worth -1.000, a beaver +1.276"),
        ("Take", "Beaver", "take", "taking is worth +0.638, a beaver +1.276"),
        ("Pass", "Take", "pass", "taking is worth +0.638, passing -1.000: 1.638 less for the pass"),
    ],
)
def test_an_answer_to_a_double_is_held_against_the_best_one(
    played: str, best: str, kind: DecisionKind, text: str
) -> None:
    equities = {"Beaver": 1.276, "Take": 0.638, "Pass": -1.0}
    chances = dict.fromkeys(equities, Probabilities(0.555, 0.0, 0.0, 0.0, 0.0))
    loss = equities[best] - equities[played]
    row = replace(
        decision(
            CUBE.format("1:1:1:D:0:0:2:0"), played, best, kind=kind, equities=equities, chances=chances, loss=loss
        ),
        equity=equities[played],
        best_equity=equities[best],
    )
    scene = scene_of(row)
    assert scene is not None
    said = reason_of(scene)
    assert said.startswith(f"{text}; wins 55.5% of games")
    assert ("a take needs" in said) == (best == "Take")


def test_a_doubling_error_says_what_the_other_player_needs() -> None:
    named = {"No double": 0.51, "Double, take": 0.9, "Double, pass": 1.0}
    chances = dict.fromkeys(named, Probabilities(0.75, 0.2, 0.0, 0.05, 0.0))
    told: dict[str, Any] = {"equities": named, "chances": chances, "loss": 0.39}
    scene = scene_of(decision(CUBE.format("0:0:1:00:0:0:0:0"), "No double", "Double", kind="no double", **told))
    assert scene is not None
    needed = 0.25 - 0.1 / (2 * (2 + 0.05 / 0.25 + 0.2 / 0.75 + 0.34))
    said = f"the other player wins 25.0% and needs about {100 * needed:.1f}% to take with these gammons, score and cube"
    assert reason_of(scene).endswith(f"; {said}")


def test_answers_that_an_engine_cannot_tell_apart_are_as_good() -> None:
    for take, words_ in ((0.997, "the take is as good as a pass"), (0.99, "the take is right by 0.010")):
        named = {"No double": 0.9, "Double, take": take, "Double, pass": 1.0}
        scene = scene_of(
            decision(CUBE.format("0:0:1:00:0:0:0:7"), "x", "x", kind="no double", equities=named, loss=0.09)
        )
        assert scene is not None
        assert words_ in reason_of(scene)


def test_every_error_of_a_match_has_a_sentence_and_nothing_else_has_one() -> None:
    seen = 0
    for seed in range(6):
        analysis = analyse(random_match(seed, 5), FixedEngine(0.3, 0.1, play=0.2))
        for row in analysis.decisions:
            assert bool(row.sentence) == bool(row.error), row
            assert "\n" not in row.sentence
            seen += bool(row.sentence)
    assert seen


def test_moving_by_hand_gives_the_same_boards() -> None:
    for seen, dice, made, _, played, _ in pairs(9, 40):
        if "Cannot" not in played:
            assert after(seen, dice, played) == made
