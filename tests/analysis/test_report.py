"""The analysis of a whole match, with an engine whose answers can be added up by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.breakdowns import unknown_rules
from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.board.play import HopText, PlayText
from bgtools.engines.protocol import Candidate, CheckerAnswer, CheckerQuestion, LuckAnswer, LuckQuestion, Refused, Stamp
from bgtools.engines.registry import create
from bgtools.formats.reading import read_source
from bgtools.met.table import MatchEquityTable
from bgtools.record.record import CheckerPlay, Double, Drop, Entry, Game, Match, Resign, SetBoard, Take
from bgtools.replayer.match import replay
from bgtools.rules.options import VARIANTS, Ruleset
from fixed_engine import ODDS, FixedEngine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.engines.protocol import Progress

EVEN = MatchEquityTable(
    "even",
    tuple(tuple(other / (own + other) for other in range(1, 16)) for own in range(1, 16)),
    tuple(1 / (own + 1) for own in range(1, 16)),
)
"""Every point that is missing counts alike."""


class FakeEngine(FixedEngine):
    """Plays cost 0.05 a step down the list, doubles 0.1, a pass 0.4; every roll is worth +0.2, or 0.02 MWC."""

    met = EVEN
    stamp = Stamp("fake", "1.0", "quick", "even")

    def __init__(self, *, refuse_luck: bool = False) -> None:
        super().__init__(0.7, 0.6)
        self.refuse_luck = refuse_luck

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        plays = sorted(legal_plays(question.position, question.dice), key=str)
        candidates = tuple(Candidate(play, 0.3 - 0.05 * at, ODDS, "1-ply", 1) for at, play in enumerate(plays))
        results = [play.result for play in plays]
        index = results.index(question.played) if question.played in results else None
        return CheckerAnswer(candidates, index, self.stamp)

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        self.asked.extend(questions)
        if self.refuse_luck:
            return tuple(Refused("no reason") for _ in questions)
        return tuple(
            LuckAnswer(0.5, 0.3, None if question.state.is_money else 0.02, "1-ply", self.stamp)
            for question in questions
        )


def _roll(player: Player, dice: Dice, *hops: tuple[int, ...]) -> CheckerPlay:
    text = PlayText("moves", tuple(HopText(hop, (False,) * (len(hop) - 1)) for hop in hops))
    return CheckerPlay(player=player, dice=dice, text=text)


OPENING = _roll(0, (3, 1), (8, 5), (6, 5))
REPLY = _roll(1, (6, 1), (13, 7), (8, 7))
ILLEGAL = _roll(0, (6, 2), (13, 11), (13, 11))


def _match(*entries: Entry, length: int | None = 1) -> Match:
    return Match(players=("Ann", "Bob"), length=length, games=(Game(number=1, score=(0, 0), entries=entries),))


def _analyse(*entries: Entry, length: int = 1, engine: FakeEngine | None = None) -> Analysis:
    return analyse(_match(*entries, length=length), engine or FakeEngine())


def _kinds(analysis: Analysis) -> list[tuple[int, str]]:
    return [(row.player, row.kind) for row in analysis.decisions]


def test_a_player_who_could_double_and_rolled_made_a_decision() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    assert _kinds(analysis) == [
        (0, "checker play"),  # nobody may double before the opening roll
        (1, "no double"),
        (1, "checker play"),
        (0, "double"),
        (1, "pass"),
    ]
    assert [row.loss for row in analysis.decisions if row.kind == "double"] == [pytest.approx(0.1)]
    (row,) = [row for row in analysis.decisions if row.kind == "pass"]
    assert row.error_kind == "wrong pass"
    assert row.loss == pytest.approx(0.4)
    assert row.loss_mwc == pytest.approx(0.4 / 2 * (3 / 5 - 2 / 5))  # the cube is worth a fifth of the match
    assert row.loss_points is None
    assert [(choice.choice, choice.equity) for choice in row.choices] == [("Take", -0.6), ("Pass", -1.0)]


@pytest.mark.parametrize("hops", [((13, 6),), ((13, 8), (8, 6)), ((8, 6), (13, 8))])
def test_the_play_that_was_made_is_among_the_choices_however_it_is_spelled(hops: tuple[tuple[int, ...], ...]) -> None:
    (row,) = _analyse(_roll(0, (5, 2), *hops)).decisions
    (made,) = [choice for choice in row.choices if choice.made]
    assert made.choice == row.played
    assert made.equity == row.equity


@pytest.mark.parametrize("hops", [((13, 6),), ((13, 8), (8, 6)), ((8, 6), (13, 8))])
def test_a_best_play_that_was_made_is_spelled_alike_however_the_record_has_it(
    hops: tuple[tuple[int, ...], ...],
) -> None:
    class Agreeing(FakeEngine):
        def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
            answer = super()._plays(question)
            assert answer.played is not None
            return replace(answer, candidates=(answer.played,), played_index=0)

    (row,) = _analyse(_roll(0, (5, 2), *hops), engine=Agreeing()).decisions
    assert (row.best, row.played, row.loss) == ("13/6", "13/6", 0.0)


def test_of_equals_the_one_that_was_chosen_is_best() -> None:
    equal = FixedEngine(0.5, 1.2)  # every play is worth the same, and so are doubling and not
    equal.no_double = 1.0
    entries = (OPENING, REPLY, _roll(0, (5, 2), (13, 8), (6, 4)), Double(player=1), Take(player=0))
    analysis = analyse(_match(*entries, length=5), equal)
    for row in analysis.decisions:
        if row.loss == 0:
            assert row.best.casefold().removeprefix("double, ") in (row.played.casefold(), row.kind)
            assert row.choices[0].made
    assert {row.kind for row in analysis.decisions if row.loss == 0} >= {"checker play", "no double", "double"}


def test_choices_keep_the_place_that_they_have_among_all() -> None:
    (row,) = _analyse(OPENING).decisions
    assert [choice.rank for choice in row.choices[:5]] == [1, 2, 3, 4, 5]
    assert [choice.equity for choice in row.choices] == [pytest.approx(0.35 - 0.05 * each.rank) for each in row.choices]
    assert row.choices[-1].made
    assert row.choices[-1].rank > 6


def test_a_choice_is_ranked_by_its_worth_however_deep_it_was_looked_at() -> None:
    class Uneven(FakeEngine):
        def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
            answer = super()._plays(question)
            assert answer.played is not None
            others = [each for each in answer.candidates if each is not answer.played][:4]
            given = zip(others, (0.3, 0.35, 0.25, 0.1), (3, 1, 1, 2), strict=True)
            valued = [replace(each, equity=equity, rank=rank, depth=f"{rank}-ply") for each, equity, rank in given]
            made = replace(answer.played, equity=-0.5, rank=3, depth="3-ply")
            best, shallow, *rest = valued
            return replace(answer, candidates=(best, made, rest[1], shallow, rest[0]), played_index=1)

    (row,) = _analyse(OPENING, engine=Uneven()).decisions
    assert [(each.rank, each.equity, each.depth) for each in row.choices] == [
        (1, 0.3, "3-ply"),
        (2, 0.35, "1-ply"),  # left behind before its value could be looked at: never before the best
        (3, 0.25, "1-ply"),
        (4, 0.1, "2-ply"),
        (5, -0.5, "3-ply"),
    ]
    assert [each.made for each in row.choices] == [False] * 4 + [True]
    assert [each.loss for each in row.choices] == pytest.approx([0, 0, 0.05, 0.2, 0.8])


def test_a_double_counts_among_the_choices_with_the_better_answer() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    waited, doubled, passed = [row.choices for row in analysis.decisions if row.kind != "checker play"]
    assert [(each.rank, each.choice, each.made) for each in waited] == [
        (1, "No double", True),
        (2, "Double, take", False),
        (3, "Double, pass", False),
    ]
    assert [each.made for each in doubled] == [False, True, False]
    assert [(each.choice, each.made) for each in passed] == [("Take", False), ("Pass", True)]


@pytest.mark.parametrize("answer", [Take(player=1), Drop(player=1)])
def test_the_xgid_of_an_answer_holds_the_double(answer: Take | Drop) -> None:
    rows = _analyse(OPENING, REPLY, Double(player=0), answer, length=3).decisions
    doubled, answered = (
        next(row.xgid for row in rows if row.kind in kinds) for kinds in (("double",), ("take", "pass"))
    )
    assert ":00:" in doubled
    assert answered == doubled.replace(":00:", ":D:")


def test_on_a_board_that_the_record_sets_no_roll_opens_the_game() -> None:
    engine = FakeEngine()
    analysis = _analyse(SetBoard(player=0, position=START), OPENING, length=3, engine=engine)
    assert _kinds(analysis) == [(0, "no double"), (0, "checker play")]
    assert [row.opening for row in analysis.turns] == [False, False]
    assert [asked.opening for asked in engine.asked if isinstance(asked, LuckQuestion)] == [False]
    assert analysis.dice is not None
    assert analysis.dice.rolls == 1


def test_where_the_winner_starts_with_two_dice_the_first_roll_is_one_of_thirty_six() -> None:
    engine = FakeEngine()
    six = _roll(0, (6, 6), (24, 18), (24, 18), (13, 7), (13, 7))
    match = replace(_match(six, length=3), rules=Ruleset(winner_starts=True))
    analysis = analyse(match, engine)
    assert _kinds(analysis) == [(0, "no double"), (0, "checker play")]
    assert [row.opening for row in analysis.turns] == [True]
    assert [asked.opening for asked in engine.asked if isinstance(asked, LuckQuestion)] == [False]


def test_a_double_is_called_the_same_whether_it_is_played_or_best() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    cube = [(row.kind, row.played, row.best) for row in analysis.decisions if row.kind in ("no double", "double")]
    assert cube == [("no double", "No double", "No double"), ("double", "Double", "No double")]
    assert {choice.choice.partition(",")[0] for choice in analysis.decisions[-2].choices} == {"No double", "Double"}


def test_after_a_take_the_doubler_has_no_cube_decision() -> None:
    following = _roll(0, (6, 5), (24, 18), (18, 13))
    analysis = _analyse(OPENING, REPLY, Double(player=0), Take(player=1), following, length=5)
    assert _kinds(analysis)[-3:] == [(0, "double"), (1, "take"), (0, "checker play")]
    rolls = [turn for turn in analysis.turns if turn.action == "roll"]
    assert (rolls[-1].cube, rolls[-1].cube_owner) == (2, "theirs")


def test_a_dead_cube_gives_no_decision() -> None:
    assert _kinds(_analyse(OPENING, REPLY, length=1)) == [(0, "checker play"), (1, "checker play")]


def test_an_illegal_play_is_listed_and_not_counted() -> None:
    analysis = _analyse(OPENING, REPLY, ILLEGAL)
    row = analysis.decisions[-1]
    assert not row.legal
    assert row.loss is None
    assert not row.counted_by["xg"].counted
    assert not row.counted_by["gnubg"].counted
    assert analysis.notes == ("1 decision not analysed: illegal, or not recorded.",)
    assert analysis.players[0].errors is not None
    assert analysis.players[0].errors.not_analysed == 1


def test_turns_written_twice_and_after_the_end_are_no_part_of_the_game() -> None:
    text = """ 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 65: 24/13                   42: 8/4 6/4
  3) 65: 24/13                   33: 8/5(2) 6/3(2)
  4) 61: 13/7 8/7                64: 13/7 13/9
  5)  Doubles => 2                Drops
      Wins 1 point
  6) 61: 13/7 8/7                64: 24/14
"""
    analysis = analyse(read_source(text.encode(), "a.mat")[0], FakeEngine())
    outside = [row.entry for row in analysis.turns if not row.in_game]
    assert outside == [4, 5, 11, 12]
    assert not [row for row in analysis.decisions if row.entry in outside]
    (game,) = analysis.games
    assert game.rolls == 6
    assert [total.luck.rolls for total in analysis.players if total.luck] == [3, 3]
    assert [total.luck.missing for total in analysis.players if total.luck] == [0, 0]
    assert len(analysis.pips) == 1 + 6
    assert analysis.players[0].luck_adjusted_result is not None


def test_a_game_that_nobody_knows_the_worth_of_leaves_the_adjusted_result_out() -> None:
    match = _match(OPENING, REPLY, Resign(player=0), length=3)
    (game,) = replay(match)
    assert analyse(match, FakeEngine()).players[0].luck_adjusted_result is not None
    analysis = analyse(match, FakeEngine(), games=[replace(game, points=None)])
    assert [total.luck_adjusted_result for total in analysis.players] == [None, None]


def test_totals_are_the_sums_of_the_rows() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    for total in analysis.players:
        own = [row for row in analysis.decisions if row.player == total.player]
        assert total.errors is not None
        assert total.ratings is not None
        assert total.errors.loss == pytest.approx(sum(row.loss or 0 for row in own))
        counted = [row.loss or 0 for row in own if row.counted_by["xg"].counted]
        assert total.ratings["xg_pr"].value == pytest.approx(500 * sum(counted) / len(counted))
        in_games = [game.players[total.player].errors for game in analysis.games]
        assert sum(errors.loss for errors in in_games if errors) == pytest.approx(total.errors.loss)
    assert sum(turn.loss or 0 for turn in analysis.turns) == pytest.approx(
        sum(row.loss or 0 for row in analysis.decisions)
    )


@pytest.mark.parametrize("length", [0, 5])
def test_the_rows_of_decisions_add_up_to_the_luck_of_the_player(length: int) -> None:
    # Bob rolls and gives the game up without a play: nothing was decided, but the roll was lucky or not.
    unplayed = CheckerPlay(player=1, dice=(6, 6), text=PlayText("nothing"))
    analysis = _analyse(OPENING, unplayed, Resign(player=1, level=1), length=length)
    assert [row.kind for row in analysis.decisions if row.luck is not None] == ["checker play", "unplayed roll"]
    for player in analysis.players:
        assert player.luck is not None
        assert not player.luck.missing
        rows = [row for row in analysis.decisions if row.player == player.player]
        assert sum(row.luck or 0.0 for row in rows) == pytest.approx(player.luck.emg)
        by_phase = [row for row in analysis.breakdowns if row.player == player.player and row.dimension == "phase"]
        assert sum(row.luck or 0.0 for row in by_phase) == pytest.approx(player.luck.emg)
    bob = analysis.players[1]
    assert bob.errors is not None
    (roll,) = [row for row in analysis.decisions if row.kind == "unplayed roll"]
    assert (roll.dice, roll.loss, roll.best) == ("66", None, "")
    assert not any(count.counted for count in roll.counted_by.values())
    assert not any("not analysed: the game was given up" in note for note in analysis.notes)
    decided = sum(row.decisions for row in analysis.breakdowns if row.player == 1 and row.dimension == "decision")
    assert decided == len([row for row in analysis.decisions if row.player == 1]) - 1


def test_luck_and_the_luck_adjusted_result_of_a_match() -> None:
    more = _roll(0, (6, 5), (24, 18), (18, 13))
    analysis = _analyse(OPENING, REPLY, more, REPLY_2, Double(player=0), Drop(player=1), length=1)
    ann, bob = analysis.players
    assert ann.luck is not None
    assert ann.luck.rolls == 2
    assert ann.luck.emg == pytest.approx(0.4)
    assert ann.luck.mwc == pytest.approx(0.04)
    assert ann.luck.points is None
    # A drop ends the 1-point match 1-0; two rolls each of the same luck cancel.
    assert ann.luck_adjusted_result is not None
    assert bob.luck_adjusted_result is not None
    assert ann.luck_adjusted_result.actual == 1.0
    assert ann.luck_adjusted_result.by_rolls == pytest.approx(1.0)
    assert bob.luck_adjusted_result.by_rolls == pytest.approx(0.0)


REPLY_2 = _roll(1, (5, 3), (8, 3), (6, 3))


def test_the_luckier_loser_lost_for_other_reasons() -> None:
    more = _roll(0, (6, 5), (24, 18), (18, 13))
    analysis = _analyse(OPENING, REPLY, more, Double(player=1), Drop(player=0), length=1)
    ann, bob = (player.luck_adjusted_result for player in analysis.players)
    assert ann is not None
    assert bob is not None
    assert (ann.actual, bob.actual) == (0.0, 1.0)
    # Ann had two rolls of +0.02, Bob one.
    assert ann.by_rolls == pytest.approx(-0.02)
    assert bob.by_rolls == pytest.approx(1.02)
    assert 0 <= ann.adjusted <= 1
    assert ann.adjusted + bob.adjusted == pytest.approx(1)


def test_where_luck_is_not_known_the_errors_alone_adjust_the_result() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3, engine=FakeEngine(refuse_luck=True))
    result = analysis.players[0].luck_adjusted_result
    assert result is not None
    assert result.by_rolls is None
    assert result.adjusted == pytest.approx(result.by_errors)
    assert "Luck of 2 rolls not known: no reason." in analysis.notes


def test_money_luck_counts_the_cube() -> None:
    following = _roll(0, (6, 5), (24, 18), (18, 13))
    entries = (OPENING, REPLY, Double(player=0), Take(player=1), following, Double(player=1), Drop(player=0))
    analysis = _analyse(*entries, length=0)
    ann, bob = analysis.players
    assert ann.luck is not None
    assert bob.luck is not None
    assert ann.luck.points == pytest.approx(0.2 * 1 + 0.2 * 2)
    assert bob.luck.points == pytest.approx(0.2)
    # Ann drops a redouble at 2: she lost two points, and was 0.4 points the luckier.
    assert ann.luck_adjusted_result is not None
    assert ann.luck_adjusted_result.actual == -2
    assert ann.luck_adjusted_result.by_rolls == pytest.approx(-2.4)
    assert ann.luck_adjusted_result.low is None


def test_identical_questions_are_asked_once() -> None:
    game = Game(number=1, score=(0, 0), entries=(OPENING, REPLY, Double(player=0), Drop(player=1)))
    engine = FakeEngine()
    analyse(Match(players=("Ann", "Bob"), length=0, games=(game, game)), engine)
    assert len(engine.asked) == len(set(engine.asked))
    # Two plays, the double with its answer as one, a double not made, two rolls.
    # Errors are asked again at other scores.
    assert sum(each.state.is_money for each in engine.asked) == 6


def test_without_an_engine_the_rows_are_there_less_their_values() -> None:
    match = _match(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    bare, full = analyse(match), analyse(match, FakeEngine())
    assert bare.players[0].ratings is None
    assert [row.kind for row in bare.decisions] == [row.kind for row in full.decisions]
    assert [turn.pips_after for turn in bare.turns] == [turn.pips_after for turn in full.turns] == [163, 160, 163, 160]
    assert all(row.loss is None for row in bare.decisions)
    assert bare.games[0].points == 1


def test_pip_counts_follow_the_players_not_the_turns() -> None:
    points = analyse(_match(OPENING, REPLY)).pips
    assert [point.pips for point in points] == [(167, 167), (163, 167), (163, 160)]


def test_the_report_is_plain_json() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    report = json.loads(json.dumps(analysis.as_report()))
    assert set(report) == {"match", "conventions", "players", "games", "breakdowns", "dice", "notes"}
    assert set(report["players"][0]) >= {"name", "ratings", "luck", "luck_adjusted_result", "errors"}
    rating = report["players"][0]["ratings"]["xg_pr"]
    assert set(rating) == {"value", "value_mwc", "loss", "counted", "divided_by", "label", "low", "high"}
    assert report["conventions"]["thresholds"] == {
        "name": "XG",
        "steps": [{"name": "error", "loss": 0.02}, {"name": "blunder", "loss": 0.08}],
    }
    assert report["conventions"]["engine"] == "fake"


@pytest.mark.parametrize(
    ("rules", "length", "note"),
    [
        (Ruleset(cube_limit=4), 5, "The cube may not go beyond 4; equities know no such limit."),
        (Ruleset(cube_limit=64, jacoby=False), 0, "The cube may not go beyond 64; equities know no such limit."),
        (Ruleset(cube_limit=1), 5, "Played without a cube; equities assume one that may be turned."),
        (Ruleset(quadruple=True), 0, "A backgammon on the bar counts four times; equities count it three times."),
        (
            Ruleset(crawford=False),
            5,
            "Played without the Crawford rule; the match equity table assumes it for scores b",
        ),
        (
            Ruleset(jacoby=None, beavers=None),
            0,
            "The record does not say whether the Jacoby rule and beavers were in f",
        ),
        (Ruleset(beavers=None), 0, "The record does not say whether beavers were in force; it is judged without."),
        (Ruleset(holland=True), 5, "Played with the Holland rule; equities let a player double at once after the Cr"),
    ],
)
def test_rules_that_equities_do_not_know_are_named(rules: Ruleset, length: int, note: str) -> None:
    match = replace(_match(OPENING, REPLY, length=length), rules=rules)
    assert [found for found in analyse(match, FakeEngine()).notes if found.startswith(note)]
    usual = replace(match, rules=Ruleset())
    assert not [found for found in analyse(usual, FakeEngine()).notes if found.startswith(note)]


def test_an_analysis_beyond_the_table_has_no_match_winning_chance_and_no_adjusted_result() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=30)
    assert {row.loss_mwc for row in analysis.decisions} == {None}
    for total in analysis.players:
        assert total.errors is not None
        assert total.errors.mwc is None
        assert total.luck_adjusted_result is None
        assert total.ratings is not None
        assert total.ratings["gnubg_er"].value is not None
        assert total.ratings["gnubg_er"].value_mwc is None


def test_errors_are_added_up_by_kind_and_by_where_they_lie_in_the_window() -> None:
    analysis = _analyse(OPENING, REPLY, Double(player=0), Drop(player=1), length=3)
    ann, bob = (total.errors for total in analysis.players)
    assert ann is not None
    assert bob is not None
    wrong = ann.kinds["wrong double, below the doubling point"]
    assert (wrong.count, wrong.classed, wrong.points) == (1, 1, None)
    assert wrong.emg == pytest.approx(0.1)
    # From 3-away each losing one point leaves 2/5 and winning one 3/5, so an EMG of 1 is a tenth.
    assert wrong.mwc == pytest.approx(0.01)
    assert bob.kinds["wrong pass"].emg == pytest.approx(0.4)
    assert bob.cube == pytest.approx(sum(kind.emg for name, kind in bob.kinds.items() if name != "checker play"))


def test_estimates_of_fibs_ratings_are_for_matches() -> None:
    entries = (OPENING, REPLY, Double(player=0), Drop(player=1))
    fibs = _analyse(*entries, length=3).players[0].fibs
    assert fibs is not None
    assert fibs.cube_loss == pytest.approx(0.1 * (863 - 519 / 3))
    assert _analyse(*entries, length=0).players[0].fibs is None


def test_a_match_without_games_is_no_accident() -> None:
    empty = analyse(Match(players=("", ""), length=5, games=()), FakeEngine())
    assert empty.match.players == ("Player 1", "Player 2")
    assert empty.players[0].luck_adjusted_result is None
    assert empty.decisions == ()


def test_a_session_without_a_cube_asks_for_no_doubles() -> None:
    text = (
        '; [CubeLimit "{}"]\n\n 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n'
        "  1) 31: 8/5 6/5                52: 13/8 24/22\n  2) 43: 13/10 13/9\n      Wins 1 point\n"
    )
    kinds = {
        limit: [row.kind for row in analyse(read_source(text.format(limit).encode(), "x")[0]).decisions]
        for limit in (1, 64)
    }
    assert "no double" in kinds[64]
    assert "no double" not in kinds[1]


@pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
@pytest.mark.parametrize(
    ("start", "length", "why"),
    [
        (VARIANTS["hypergammon"], 5, "the engine plays with 15 checkers a side, here are 3 and 3"),
        (Board(checkers({6: 15}), checkers({19: 15})), 5, "both players have checkers on one point"),
        (None, 30, "30 points away is beyond the match equity table, which ends at 25"),
    ],
)
def test_what_the_engine_cannot_value_is_named_and_not_guessed(start: Board | None, length: int, why: str) -> None:
    plays = (_roll(0, (6, 5), (24, 18), (18, 13)), _roll(1, (6, 5), (24, 18), (18, 13)))
    if start is not None and start.mine[6]:
        plays = (_roll(0, (2, 1), (6, 4), (6, 5)), _roll(1, (2, 1), (19, 17), (19, 18)))
    game = Game(number=1, score=(0, 0), entries=plays, start=start)
    match = Match(players=("Ann", "Bob"), length=length, games=(game,))
    analysis = analyse(match, create("sage", "quick"))
    assert analysis.decisions
    assert all(row.loss is None and row.note for row in analysis.decisions)
    assert any(why in note for note in analysis.notes)
    for total in analysis.players:
        assert total.ratings is not None
        assert all(rating.value is None for rating in total.ratings.values())
        assert total.luck is not None
        assert (total.luck.emg, total.luck.mwc) == (None, None)
        assert total.luck_adjusted_result is None
        assert total.fibs is not None
        assert total.fibs.rating is None


@pytest.mark.parametrize(("limit", "length"), [(1, 7), (2, 7), (8, 7), (64, 0), (1024, 0)])
def test_nothing_is_said_of_a_cube_limit_that_the_engine_knows(limit: int, length: int) -> None:
    rules = Ruleset(cube_limit=limit, jacoby=True, beavers=True)
    assert unknown_rules(rules, length, cube_limit=True) == ()


def test_a_cube_limit_that_no_match_reaches_is_not_worth_a_word() -> None:
    match = replace(_match(OPENING, REPLY, length=5), rules=Ruleset(cube_limit=64))
    assert not [note for note in analyse(match, FakeEngine()).notes if "no such limit" in note]
