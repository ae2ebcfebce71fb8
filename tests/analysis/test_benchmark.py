"""Engines are compared with what a record says, on the decisions that both judge."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from annotated import candidate, noted, plays
from bgtools.analysis import benchmarks as module
from bgtools.analysis.benchmarks import Missing, benchmark
from bgtools.analysis.match_analysis import analyse
from bgtools.board.notation import read_play
from bgtools.engines import registry
from bgtools.engines.protocol import EngineUnavailable, LuckQuestion
from bgtools.engines.recorded import RecordedEngine
from bgtools.engines.registration import EngineKind
from bgtools.formats.reading import read
from bgtools.record.annotation import Annotation, Candidate, Evaluation, Level, PlayAnalysis
from bgtools.record.record import CheckerPlay, Match
from entry_points import offer
from fixed_engine import FixedEngine
from program import bgtools as program
from support import CORPUS, needs_corpus, read_text

ODDS = (0.5, 0.1, 0.01, 0.1, 0.005)
TEXT = """
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/8 24/22
  2) 64: 24/14                  Doubles => 2
  3)  Drops
                                 Wins 1 point
"""


def judged(loss: float) -> Match:
    """A record whose file says of every play that another one was better by so much."""
    match = read_text(TEXT)
    better_ones = {"31": "13/10 24/23", "52": "13/11 13/8", "64": "8/2 6/2"}

    def said(entry: object) -> object:
        if not isinstance(entry, CheckerPlay) or entry.dice is None:
            return entry
        better = read_play(better_ones["".join(map(str, sorted(entry.dice, reverse=True)))])
        candidates = tuple(
            Candidate(hops=hops, evaluation=Evaluation(probabilities=ODDS, equity=equity), level=Level(name="3-ply"))
            for hops, equity in ((better.hops, 0.1), (entry.text.hops, 0.1 - loss))
        )
        return replace(entry, annotation=Annotation(program="X", plays=PlayAnalysis(candidates=candidates, chosen=1)))

    games = tuple(replace(game, entries=tuple(said(entry) for entry in game.entries)) for game in match.games)  # type: ignore[misc]
    return replace(match, games=games)


def test_an_engine_of_another_package_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "all_engines", registry.all_engines.__wrapped__)
    offer(monkeypatch, "engines", it=EngineKind(name="example", title="Example", start=lambda *a, **b: FixedEngine()))
    (result,), missing = benchmark([judged(0.05)], ["example"])
    assert (result.contender, result.version, missing) == ("example", "fixed 1.0", ())


def test_the_distance_is_that_of_the_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = judged(0.05), judged(0.03)
    monkeypatch.setattr(module, "create", lambda spec, **options: RecordedEngine(other))
    (result,), missing = benchmark([match], ["sage"])
    assert missing == ()
    assert (result.matches, result.checker_plays) == (1, 3)
    assert result.pr == result.pr_most == pytest.approx(500 * 0.02)
    assert result.pr_bias == pytest.approx(-500 * 0.02)
    assert result.loss == pytest.approx(0.02)


def test_an_engine_that_says_the_same_is_no_distance_away(monkeypatch: pytest.MonkeyPatch) -> None:
    match = judged(0.05)
    monkeypatch.setattr(module, "create", lambda spec, **options: RecordedEngine(match))
    (result,), _ = benchmark([match], ["sage"])
    assert (result.pr, result.loss) == (0, 0)
    assert (result.cube, result.luck) == (None, None)


def test_luck_is_compared_by_the_records_own_convention(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = {
        0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.1), program="eXtreme Gammon", luck=0.25),
        1: plays(candidate("13/11 13/8", 0.0), candidate("24/22 13/8", -0.1), program="eXtreme Gammon", luck=-0.05),
    }
    engine = FixedEngine()
    monkeypatch.setattr(module, "create", lambda spec, **options: engine)
    (result,), _ = benchmark([noted(notes)], ["sage"])
    rolls = [question for question in engine.asked if isinstance(question, LuckQuestion)]
    assert {question.convention for question in rolls} == {"match-equity"}
    assert result.luck == pytest.approx((0.25 + 0.05) / 2)


def test_a_contender_that_values_nothing_is_no_perfect_one(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = RecordedEngine(noted({6: plays(candidate("13/8 9/8", 0.2), candidate("13/7", 0.1))}))
    monkeypatch.setattr(module, "create", lambda spec, **options: engine)
    results, missing = benchmark([noted({0: plays(candidate("8/5 6/5", 0.2), candidate("13/9", 0.1))})], ["sage"])
    assert results == ()
    assert missing == (Missing("sage", "it values none of the decisions that the records value"),)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the time of programs")
def test_the_time_of_a_program_counts_in_every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system tells it once the program has ended, so it has to end within the time of its match.

    It tells it in hundredths of a second, cut off, so a tenth is left for that.
    """
    work = "import time\nwhile time.process_time() < 0.4: pass"

    class Running(FixedEngine):
        def close(self) -> None:
            subprocess.run([sys.executable, "-c", work], check=True)

    monkeypatch.setattr(module, "create", lambda spec, **options: Running())
    for many in (1, 2):
        (result,), _ = benchmark([judged(0.05)] * many, ["sage"])
        assert result.seconds >= 0.3


def test_a_wrong_name_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(module, "create", lambda spec, **options: begun.append(str(spec)))
    with pytest.raises(ValueError, match="no engine is called 'fruit'"):
        benchmark([judged(0.1)], ["sage", "fruit"])
    assert not begun


def test_what_cannot_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(spec: object, **options: object) -> None:
        raise EngineUnavailable("not here")

    monkeypatch.setattr(module, "create", absent)
    monkeypatch.setattr("bgtools.analysis.benchmarks.find_on_path", lambda name: None)
    results, missing = benchmark([judged(0.05)], ["gnubg:2", "gammonview:fast"])
    assert results == ()
    assert missing[0] == Missing("gnubg:2", "not here")
    assert "gvan-match" in missing[1].reason


def test_records_without_analysis_are_no_measure() -> None:
    with pytest.raises(ValueError, match="no record among them holds analysis"):
        benchmark([read_text(TEXT)])
    with pytest.raises(ValueError, match="file is not a contender"):
        benchmark([judged(0.1)], ["file"])


@needs_corpus
def test_the_command_measures_on_analysed_records() -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")
    path = CORPUS / "xg" / "kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305.xg"
    done = program("benchmark", str(path), "--engine", "sage:quick", "--format", "json")
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["results"]
    match = read(path)
    judged_plays = [row for row in analyse(match, RecordedEngine(match)).decisions if row.loss is not None]
    assert result["checker_plays"] == sum(row.kind == "checker play" for row in judged_plays)
    assert result["pr"] < 2
    assert result["cube"] > 0.9


@pytest.mark.thorough
def test_the_command_complains_like_a_person() -> None:
    done = program("benchmark", "samples/seven-point.mat", "--engine", "sage")
    assert done.returncode == 2
    assert done.stderr == "bgtools: no record among them holds analysis to compare with\n"
    done = program("benchmark", "samples/seven-point.mat", "--engine", "fruit")
    assert done.returncode == 2


def test_losses_have_an_interval_over_games(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [judged(0.05) for _ in range(8)]
    given = iter([judged(0.05 - 0.001 * (number % 4)) for number in range(8)])
    engines = {id(match): RecordedEngine(next(given)) for match in wanted}
    monkeypatch.setattr(module, "_contender", lambda *arguments: lambda match: engines[id(match)])
    (result,), _ = benchmark(wanted, ["sage"])
    assert (result.games, result.matches) == (8, 8)
    assert result.loss == pytest.approx(0.0015)
    assert result.loss_low is not None
    assert result.loss_high is not None
    assert 0.0005 < result.loss_low < 0.0015 < result.loss_high < 0.0025
    # Matches of one game are always drawn as they are.
    assert (result.pr_low, result.pr_high) == pytest.approx((result.pr, result.pr))
    (few,), _ = benchmark(wanted[:3], ["sage"])
    assert (few.loss_low, few.loss_high) == (few.pr_low, few.pr_high) == (None, None)
