"""Two accounts of one match: luck by the rolls, and luck by what the errors leave for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.analysis.luck import GameBalance, errors_of, net_luck_by_games
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.result import match_sentence
from bgtools.board.play import HopText, PlayText
from bgtools.engines.cache import CachedEngine, Store
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, LuckAnswer, LuckQuestion, Traits
from bgtools.record.record import CheckerPlay, Double, Drop, Game, Match
from fixed_engine import FixedEngine

NAMES = ("Ann", "Bob")
ENTRIES = (
    CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))),
    CheckerPlay(player=1, dice=(6, 1), text=PlayText("moves", (HopText((13, 7), (False,)), HopText((8, 7), (False,))))),
    CheckerPlay(
        player=0, dice=(5, 2), text=PlayText("moves", (HopText((13, 8), (False,)), HopText((13, 11), (False,))))
    ),
    CheckerPlay(
        player=1, dice=(6, 5), text=PlayText("moves", (HopText((24, 18), (False,)), HopText((18, 13), (False,))))
    ),
    Double(player=0),
    Drop(player=1),
)
MATCH = Match(players=NAMES, length=5, games=(Game(number=1, score=(0, 0), entries=ENTRIES),))


class Deepening(FixedEngine):
    """Looks at luck again where it is told to, and then finds another mean."""

    traits = Traits(deeper_luck=0.5)

    def luck(self, questions, progress=None):  # type: ignore[no-untyped-def]
        answers = super().luck(questions, progress)
        return tuple(
            LuckAnswer(0.0, 0.3, -0.03, "2-ply", self.stamp) if question.deeper else answer
            for question, answer in zip(questions, answers, strict=True)
        )


def test_where_both_accounts_agree_net_luck_is_that_of_the_rolls() -> None:
    agreed = GameBalance(won=0.2, luck=0.15, errors=0.05, stakes=0.0)
    assert agreed.difference == pytest.approx(0.0)
    assert net_luck_by_games([agreed, agreed], both=True) == pytest.approx((0.3, 0.0))


def test_where_they_do_not_it_lies_midway_and_is_as_uncertain_as_they_are_apart() -> None:
    # The rolls say .25, while .2 was won and .05 of it by the opponent's errors.
    apart = GameBalance(won=0.2, luck=0.25, errors=0.05, stakes=0.0)
    net, interval = net_luck_by_games([apart], both=True)
    assert net == pytest.approx(0.2)
    assert interval == pytest.approx(1.96 * 0.05)
    # Midway each is half as wrong as they are apart; of one alone nothing takes the edge off.
    assert net_luck_by_games([apart], both=False) == pytest.approx((0.25, 1.96 * 0.1))
    # Games err by themselves: four times as many are twice as uncertain.
    assert net_luck_by_games([apart] * 4, both=True).interval == pytest.approx(2 * interval)


def test_a_roll_is_uncertain_by_what_is_at_stake() -> None:
    quiet = GameBalance(won=0.1, luck=0.1, errors=None, stakes=0.5)
    assert net_luck_by_games([quiet], both=True) == pytest.approx((0.1, 1.96 * 0.005))


def test_the_account_of_errors_takes_every_decision_and_an_end_that_was_judged() -> None:
    rows = analyse(MATCH, FixedEngine(0.1, 0.3, play=0.2)).decisions
    assert errors_of(rows, "drop", money=False) is not None
    assert errors_of(rows, "resigned", money=False) is None
    assert errors_of([*rows, replace(rows[0], loss=None, loss_mwc=None)], "drop", money=False) is None
    gave = [replace(row, loss_mwc=0.01 if row.player == 1 else 0.0) for row in rows]
    assert errors_of(gave, "drop", money=False) == pytest.approx(0.01 * sum(row.player for row in rows))


def test_luck_is_looked_at_again_where_the_values_around_a_roll_say_otherwise() -> None:
    class Uneven(Deepening):
        def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
            answer = super()._plays(question)
            if question.dice != (5, 2):
                return answer
            shifted = tuple(replace(each, equity=each.equity + 0.5) for each in answer.candidates)
            return replace(answer, candidates=shifted)

    engine = Uneven(mean=0.0)
    analysis = analyse(MATCH, engine)
    again = [asked for asked in engine.asked if isinstance(asked, LuckQuestion) and asked.deeper]
    # Ann's play was worth half a cube more than Bob's plays before and after make it.
    assert [asked.dice for asked in again] == [(5, 2), (6, 5)]
    assert [row.luck for row in analysis.turns if row.dice in ("52", "65")] == pytest.approx([-0.3, -0.3])
    assert analysis.conventions.luck_depth == "1-ply, 2-ply"


def test_an_engine_without_a_deeper_look_keeps_to_its_rolls() -> None:
    engine = FixedEngine(play=0.1, mean=0.05)
    analysis = analyse(MATCH, engine)
    ann, bob = analysis.players
    assert ann.luck is not None
    assert bob.luck is not None
    assert ann.luck_adjusted_result is not None
    assert ann.luck_adjusted_result.net_luck == pytest.approx((ann.luck.mwc or 0) - (bob.luck.mwc or 0))
    assert not any(asked.deeper for asked in engine.asked if isinstance(asked, LuckQuestion))


def test_a_deeper_answer_is_kept_beside_the_usual_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    engine = CachedEngine(Deepening(), Store(tmp_path / "answers"))
    fixed = FixedEngine()
    analyse(MATCH, fixed)
    question = next(asked for asked in fixed.asked if isinstance(asked, LuckQuestion))
    for _ in range(2):
        usual, deeper = engine.luck([question, replace(question, deeper=True)])
        assert isinstance(usual, LuckAnswer)
        assert isinstance(deeper, LuckAnswer)
        assert (usual.mean, deeper.mean) == (0.0, 0.3)


def test_the_sentence_says_how_sure_it_is() -> None:
    text = match_sentence(NAMES, 1.0, 0.6, 0.6, 0.043, over=True)
    assert "Ann would have won 40.0% of the time (95% interval 35.7 to 44.3). Ann won the match." in text
    for net, unsure in ((0.044, False), (-0.044, False), (0.042, True), (-0.042, True)):
        assert ("less than the engine can tell" in match_sentence(NAMES, 1.0, net, net, 0.043, over=True)) == unsure
