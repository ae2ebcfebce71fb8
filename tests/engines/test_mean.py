"""The engine mean: the average of several engines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START
from bgtools.board.generation import legal_plays
from bgtools.engines.cache import Store
from bgtools.engines.mean import MeanEngine
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    EngineUnavailable,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
)
from bgtools.engines.registry import PluginEngine, create, parse_specs
from bgtools.engines.sage.engine import SageEngine
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from fixed_engine import EVEN, FixedEngine
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bgtools.board.board import Board
    from bgtools.board.play import Play

SEVEN = MatchState(7)
PLAYS = legal_plays(START, (3, 1))


class Opinion(FixedEngine):
    """Values plays as it is told; of those that it does not look at deeper it has a shallow value, 0.2 too high.

    The deeper ones are its best two, and the one that was made.
    """

    def __init__(self, values: Sequence[float], *, no_double: float = 0.0, double_take: float = 0.0) -> None:
        super().__init__(no_double, double_take)
        self.values = dict(zip((play.result for play in PLAYS), values, strict=False))

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        def value(play: Play) -> float:
            return self.values.get(play.result, -0.5)

        best = sorted(PLAYS, key=value, reverse=True)[:2]
        deep = {play.result for play in best} | {question.played}
        found = [
            Candidate(
                play,
                value(play) + (0.0 if play.result in deep else 0.2),
                None,
                "deep" if play.result in deep else "shallow",
                2 if play.result in deep else 1,
            )
            for play in PLAYS
        ]
        found.sort(key=lambda each: (-each.rank, -each.equity))
        made = next((at for at, each in enumerate(found) if each.play.result == question.played), None)
        return CheckerAnswer(tuple(found), made, self.stamp)


def _loss(engine: MeanEngine, played: Board) -> CheckerAnswer:
    (answer,) = engine.checker([CheckerQuestion(START, (3, 1), SEVEN, played)])
    assert isinstance(answer, CheckerAnswer)
    return answer


def test_a_play_is_behind_by_the_mean_of_what_each_engine_puts_it_behind() -> None:
    # The second engine likes the whole position better; that makes no play better.
    one, two = Opinion([0.3, 0.2, 0.1, 0.0]), Opinion([1.3, 1.26, 1.1, 1.0])
    answer = _loss(MeanEngine([one, two]), PLAYS[2].result)
    assert answer.best.play == PLAYS[0]
    assert answer.loss == pytest.approx((0.2 + 0.2) / 2)
    assert answer.best.equity == pytest.approx((0.3 + 1.3) / 2)
    assert _loss(MeanEngine([one, two]), PLAYS[1].result).loss == pytest.approx((0.1 + 0.04) / 2)


def test_the_best_play_of_one_engine_is_asked_of_the_other_one() -> None:
    # The first one's best play is the fourth of the second, which has only a shallow look at it.
    one, two = Opinion([0.3, 0.2, 0.1, 0.0]), Opinion([0.0, 0.2, 0.3, 0.25])
    answer = _loss(MeanEngine([one, two]), PLAYS[3].result)
    assert [each.dice for each in two.asked if isinstance(each, CheckerQuestion)] == [(3, 1), (3, 1)]
    # Behind the best: 0 and .3; .1 and .1; .2 and 0; .3 and .05.
    assert answer.best.play in (PLAYS[1], PLAYS[2])
    assert answer.loss == pytest.approx((0.3 + 0.05) / 2 - 0.1)
    first = next(each for each in answer.candidates if each.play == PLAYS[0])
    assert first.rank == answer.best.rank
    assert first.equity == pytest.approx(0.3 - 0.15)
    shallow = [each for each in answer.candidates if each.rank < answer.best.rank]
    assert shallow
    assert all("shallow" in each.depth for each in shallow)


def test_one_engine_twice_is_that_engine() -> None:
    match = random_match(5, 5)
    alone = analyse(match, FixedEngine(0.3, 0.45, play=0.2, mean=0.1))
    twice = analyse(match, MeanEngine([FixedEngine(0.3, 0.45, play=0.2, mean=0.1)] * 2))
    assert [row.loss for row in twice.decisions] == pytest.approx([row.loss for row in alone.decisions])
    assert [row.luck for row in twice.turns] == pytest.approx([row.luck for row in alone.turns])


def test_cube_luck_and_chances_are_averaged() -> None:
    class Lucky(FixedEngine):
        def luck(self, questions, progress=None):  # type: ignore[no-untyped-def]
            return tuple(LuckAnswer(self.play, self.mean, 0.0, "1-ply", self.stamp) for _ in questions)

    engine = MeanEngine([Lucky(0.2, 0.4, play=0.3, mean=0.1), Lucky(0.4, 0.8, play=0.5, mean=0.2)])
    (cube,) = engine.cube([CubeQuestion(START, SEVEN)])
    assert isinstance(cube, CubeAnswer)
    assert (cube.no_double, cube.double_take, cube.double_pass) == pytest.approx((0.3, 0.6, 1.0))
    assert isinstance(cube.probabilities, Probabilities)
    (luck,) = engine.luck([LuckQuestion(START, (3, 1), SEVEN, True)])
    assert isinstance(luck, LuckAnswer)
    assert luck.luck == pytest.approx((0.2 + 0.3) / 2)
    assert engine.stamp.engine == "mean of fixed and fixed"


def test_beavers_are_told_after_averaging_takes() -> None:
    money = MatchState(cube=Cube(), rules=Ruleset(jacoby=False, beavers=1))
    # Takes worth -.2 and +.1: the mean is -.05, which is beavered, though only one would beaver.
    engine = MeanEngine([FixedEngine(-0.1, -0.2), FixedEngine(-0.1, 0.1)])
    (cube,) = engine.cube([CubeQuestion(START, money)])
    assert isinstance(cube, CubeAnswer)
    assert cube.double_take == pytest.approx(-0.1)
    assert cube.is_beaver
    (cube,) = MeanEngine([FixedEngine(-0.1, -0.2), FixedEngine(-0.1, 0.5)]).cube([CubeQuestion(START, money)])
    assert isinstance(cube, CubeAnswer)
    assert cube.double_take == pytest.approx(0.15)
    assert not cube.is_beaver


def test_where_one_has_no_answer_there_is_none_and_it_says_whose_it_is() -> None:
    class Silent(FixedEngine):
        def checker(self, questions, progress=None):  # type: ignore[no-untyped-def]
            return tuple(Refused("it is silent") for _ in questions)

    (answer,) = MeanEngine([FixedEngine(), Silent()]).checker([CheckerQuestion(START, (3, 1), SEVEN)])
    assert answer == Refused("fixed: it is silent")


def test_engines_of_different_tables_are_not_averaged() -> None:
    other = FixedEngine()
    other.met = default()
    assert not EVEN.agrees_with(default())
    with pytest.raises(
        EngineUnavailable, match="cannot average by different match equity tables: fixed by even, fixed"
    ):
        MeanEngine([FixedEngine(), other])


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("mean:sage,gnubg:2", [("mean", "sage,gnubg:2")]),
        ("file, mean: sage:deep , gnubg", [("file", ""), ("mean", "sage:deep,gnubg")]),
        ("ubgi:./bot a,b,mean:sage,gnubg:0,gnubg:1", [("ubgi", "./bot a,b"), ("mean", "sage,gnubg:0,gnubg:1")]),
    ],
)
def test_what_follows_mean_is_averaged(text: str, specs: list[tuple[str, str]]) -> None:
    assert [tuple(spec) for spec in parse_specs(text)] == specs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mean", "takes at least two engines"),
        ("mean:sage", "takes at least two engines"),
        ("mean:", "takes at least two engines"),
        ("mean:sage,sage", "asked for twice"),
        ("mean:sage,file", "cannot average file, which searches nothing"),
        ("mean:sage,none", "none"),
        ("mean:sage,ubgi:bot", "cannot average ubgi, which gives no equities"),
        ("mean:sage,mean:gnubg,sage:deep", "cannot average mean, which is one already"),
        ("mean:sage,fruit", "no engine is called 'sage,fruit'"),
        ("mean:sage:2,gnubg", "sage has the levels"),
    ],
)
def test_what_cannot_be_averaged_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_specs(text)


def test_each_engine_keeps_its_own_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[FixedEngine] = []

    def start(argument: str, level: str, **options: object) -> FixedEngine:
        made.append(engine := FixedEngine())
        engine.fingerprint = argument
        return engine

    from bgtools.engines import registry

    kinds = dict(registry.all_engines())
    for name in ("sage", "gnubg"):
        kinds[name] = replace(kinds[name], start=start)
    monkeypatch.setattr(registry, "all_engines", lambda: kinds)
    store = Store(tmp_path / "answers")
    question = CubeQuestion(START, SEVEN)
    for _ in range(2):
        engine = create("mean:sage:quick,gnubg:1", store=store)
        assert engine is not None
        engine.cube([question])
    alone = create("sage:quick", store=store)
    assert alone is not None
    alone.cube([question])
    assert [len(engine.asked) for engine in made] == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("fails_at", [1, 2, 5])
def test_an_engine_that_fails_midway_ends_the_mean_and_keeps_what_was_answered(fails_at: int, tmp_path: Path) -> None:
    """What the others have answered by then is not asked again; no figure is a mean of fewer."""
    asked = 0

    class Failing(FixedEngine):
        def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
            nonlocal asked
            asked += 1
            if asked >= fails_at:
                raise EngineUnavailable("the other engine has ended")
            return super()._plays(question)

    match = random_match(seed=3, length=1)
    with pytest.raises(EngineUnavailable, match="the other engine has ended"):
        analyse(match, MeanEngine([FixedEngine(), Failing()]))
    assert asked == fails_at


def test_quick_engines_have_no_quicker_mean() -> None:
    quick = SageEngine("quick", threads=1)
    mean = MeanEngine([quick, quick])
    assert mean.quicker is mean
    assert MeanEngine([SageEngine("standard", threads=1)]).quicker.stamp.level == "quick"


def test_the_quicker_engine_of_another_package_is_watched_as_well() -> None:
    engine = SageEngine("standard", threads=1)
    quicker = PluginEngine("strange", engine).quicker
    assert isinstance(quicker, PluginEngine)
    assert quicker.stamp.level == "quick"
    assert quicker.quicker is quicker
