"""References: files of decisions that were rolled out, and how engines are scored by them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.analysis.references import ReferenceScore, RolledDecision, read_reference, score
from bgtools.engines.protocol import Candidate, CheckerAnswer, CubeAnswer, EngineUnavailable
from bgtools.positions.position import Position
from fixed_engine import ODDS, FixedEngine
from program import bgtools
from support import CORPUS

if TYPE_CHECKING:
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion

OWN = Path(__file__).parents[1] / "reference" / "decisions.json"
TRUTH = CORPUS.parent / "reference" / "truth"
needs_truth = pytest.mark.needs(TRUTH.is_dir(), "the corpus")

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
BEFORE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
PLAYS = {
    "id": OPENING,
    "plays": [
        {"play": "24/23 13/10", "values": [[-0.012, 0.004], [-0.008, 0.003]]},
        {"play": "8/5 6/5", "values": [[0.157, 0.004], [0.163, 0.003]]},
        {"play": "24/21 24/23", "values": [[-0.05, 0.004], [-0.05, 0.003]]},
    ],
}
CUBE = {"id": BEFORE, "cube": {"no_double": [[0.05, 0.01]], "double_take": [[-0.25, 0.02]]}}


def written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "reference.json"
    path.write_text(json.dumps(content))
    return path


class Knowing(FixedEngine):
    """Knows a reference, and errs by a fixed amount: of every second play, and of doubling."""

    def __init__(self, decisions: tuple[RolledDecision, ...], error: float = 0.0) -> None:
        super().__init__()
        self._plays_of = {(each.position.board, each.position.dice): each.plays for each in decisions if each.plays}
        self._cubes = {each.position.board: each.cube for each in decisions if each.cube}
        self._error = error

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        plays = Position(question.position, question.state, question.dice).legal_plays()
        listed = self._plays_of[question.position, question.dice]
        values = {each.result: each.equity + self._error * (number % 2) for number, each in enumerate(listed)}
        found = sorted(
            (Candidate(play, values.get(play.result, -3.0), ODDS, "1-ply", 1) for play in plays),
            key=lambda each: -each.equity,
        )
        at = next((at for at, each in enumerate(found) if each.play.result == question.played), None)
        return CheckerAnswer(tuple(found), at, self.stamp)

    def cube(self, questions, progress=None):  # type: ignore[no-untyped-def]
        return tuple(self._cube(question) for question in questions)

    def _cube(self, question: CubeQuestion) -> CubeAnswer:
        known = self._cubes[question.position]
        return CubeAnswer(known.no_double, known.double_take + self._error, 1.0, ODDS, "1-ply", self.stamp)


def scored(decisions: tuple[RolledDecision, ...], *errors: float) -> tuple[ReferenceScore, ...]:
    contenders = {f"off by {error}": lambda error=error: Knowing(decisions, error) for error in errors}
    scores, missing = score(decisions, contenders)
    assert not missing
    return scores


def test_a_reference_is_the_mean_of_its_programs(tmp_path: Path) -> None:
    plays, cube = read_reference(written(tmp_path, {"about": {}, "decisions": [PLAYS, CUBE]}))
    assert [each.equity for each in plays.plays] == pytest.approx([0.16, -0.01, -0.05]), "the best first"
    assert plays.plays[0].error == pytest.approx(0.005 / 2)
    assert plays.position.dice == (3, 1)
    assert cube.cube is not None
    assert (cube.cube.no_double, cube.cube.double_take, cube.cube.double) == pytest.approx((0.05, -0.25, -0.25))


def test_an_engine_that_knows_the_reference_loses_nothing_by_it(tmp_path: Path) -> None:
    decisions = read_reference(written(tmp_path, [PLAYS, CUBE]))
    knowing, wrong = scored(decisions, 0.0, 0.5)
    assert (knowing.plays, knowing.cubes, knowing.unlisted, knowing.cube_right) == (1, 1, 0, 1.0)
    for mean in (knowing.play_loss, knowing.play_apart, knowing.cube_loss, knowing.cube_apart):
        assert mean is not None
        assert mean.value == pytest.approx(0)
    assert knowing.play_behind is None
    # It takes the second play for the best by .5 - .17, and doubles.
    assert wrong.play_loss is not None
    assert wrong.cube_loss is not None
    assert wrong.play_apart is not None
    assert wrong.play_behind is not None
    assert wrong.cube_apart is not None
    assert wrong.play_loss.value == pytest.approx(0.17)
    assert wrong.play_behind.value == pytest.approx(0.17)
    assert wrong.play_apart.value == pytest.approx(0.17), "it says that the second play loses nothing"
    assert wrong.cube_loss.value == pytest.approx(0.3)
    assert wrong.cube_apart.value == pytest.approx(0.5)
    assert wrong.cube_right == 0


def test_intervals_take_eight_decisions(tmp_path: Path) -> None:
    few, many = (read_reference(written(tmp_path, [PLAYS] * count)) for count in (7, 8))
    for decisions, has in ((few, False), (many, True)):
        (one,) = scored(decisions, 0.5)
        assert one.play_loss is not None
        assert (one.play_loss.low is not None) == has


def test_a_play_that_is_not_listed_counts_as_the_worst_that_is(tmp_path: Path) -> None:
    two = {**PLAYS, "plays": PLAYS["plays"][1:]}
    decisions = read_reference(written(tmp_path, [two]))
    contenders = {"all": lambda: Knowing(read_reference(written(tmp_path, [PLAYS])), 3.0)}
    ((one,), _) = score(decisions, contenders)
    assert one.unlisted == 1
    assert one.play_loss is not None
    assert one.play_loss.value == pytest.approx(0.21)


def test_an_engine_that_does_not_start_is_named(tmp_path: Path) -> None:
    def start() -> FixedEngine:
        raise EngineUnavailable("not here")

    scores, (missing,) = score(read_reference(written(tmp_path, [CUBE])), {"absent": start})
    assert not scores
    assert (missing.contender, missing.reason) == ("absent", "not here")


BAD = {
    "text": "this is not JSON",
    "{}": "a reference is a list of decisions",
    "[]": "a reference is a list of decisions",
    "[1]": "decision 1: it is not an object",
    '[{"id": 5}]': "decision 1: 5 is not a text",
    json.dumps([CUBE, {"plays": []}]): "decision 2: 'id' is missing",
    json.dumps([{**PLAYS, "id": BEFORE}]): "there is no roll to play",
    json.dumps([{**PLAYS, "id": "XGID=nonsense"}]): "an XGID has 26 letters",
    json.dumps([{**PLAYS, "plays": PLAYS["plays"][:1]}]): "fewer than two plays",
    json.dumps([{**PLAYS, "plays": [{"play": "13/7", "values": [[0, 0]]}] * 2}]): "decision 1: ",
    json.dumps([{**CUBE, "cube": {"no_double": [[float("nan"), 0]], "double_take": [[0, 0]]}}]): "out of range",
    json.dumps([{**CUBE, "cube": {"no_double": [], "double_take": [[0, 0]]}}]): "there are no values",
    json.dumps([{**CUBE, "cube": {"no_double": [[0, -1]], "double_take": [[0, 0]]}}]): "out of range",
    json.dumps([{"before": [0] * 25, "dice": [3, 1], "plays": []}]): "a board has 26 numbers, not 25",
    json.dumps([{"id": "4HPwATDgc/ABMA", "owner": "NOBODY", "columns": {"a": [0, 0, 0, 0]}}]): "decision 1: ",
    "[" * 100_000: "this is not JSON",
}


@pytest.mark.thorough
@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_is_no_reference_is_refused_by_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.json") as caught:
        read_reference(path)
    assert BAD[text] in str(caught.value)
    done = bgtools("benchmark", "--reference", str(path))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert BAD[text] in done.stderr.replace("\n", " ")


@pytest.mark.thorough
def test_the_command_scores_engines(tmp_path: Path) -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")
    path = written(tmp_path, [PLAYS, CUBE])
    arguments = ("benchmark", "--reference", str(path), "--engine", "sage:quick,sage:standard", "--threads", "1")
    done = bgtools(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert [each["contender"] for each in content["results"]] == ["sage:quick", "sage:standard"]
    for each in content["results"]:
        assert (each["plays"], each["cubes"], each["cube_right"]) == (1, 1, 1)
        assert each["play_loss"]["value"] == 0
        assert each["seconds"] > 0
    text = bgtools(*arguments).stdout
    assert "1 checker plays and 1 cube decisions" in " ".join(text.split())
    for wrong in ("fruit", "file", "none", "gammonview:fast"):
        done = bgtools("benchmark", "--reference", str(path), "--engine", wrong)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


@needs_truth
def test_references_of_others_are_read() -> None:
    plays = read_reference(TRUTH / "plays.json")
    cubes = read_reference(TRUTH / "cubes.json")
    assert (len(plays), len(cubes)) == (915, 64)
    for each in plays:
        assert each.position.state.cube.value == each.position.state.rules.cube_limit
        assert len(each.plays) > 1
    assert {each.position.state.cube.owner for each in cubes} == {"centre", "mine"}


def test_our_own_reference_holds_what_its_recipe_says() -> None:
    decisions = read_reference(OWN)
    plays, cubes = ([each for each in decisions if bool(each.plays) == kind] for kind in (True, False))
    assert len(plays) >= 60
    assert len(cubes) >= 40
    for kind in (plays, cubes):
        assert abs(sum(each.position.state.is_money for each in kind) * 2 - len(kind)) <= len(kind) / 10
    rows = json.loads(OWN.read_text())["decisions"]
    apart = []
    for row in rows:
        for pair in [each["values"] for each in row.get("plays", ())] + [*row.get("cube", {}).values()]:
            (one, error), (other, other_error) = pair
            assert 0 < error < 0.05
            assert 0 < other_error < 0.08
            apart.append(abs(one - other))
    # Two programs with different networks: they agree about most positions, and the means of both count.
    assert sorted(apart)[len(apart) // 2] < 0.02


def test_one_play_is_stated_of_each_decision(tmp_path: Path) -> None:
    engines: list[Knowing] = []
    decisions = read_reference(written(tmp_path, [PLAYS, {**PLAYS, "id": OPENING.replace(":31:", ":13:")}]))

    def start() -> Knowing:
        engines.append(Knowing(decisions))
        return engines[-1]

    score([replace(each) for each in decisions], {"one": start})
    asked = [question.played for engine in engines for question in engine.asked if question.played is not None]  # type: ignore[union-attr]
    assert len(set(asked)) == 2
