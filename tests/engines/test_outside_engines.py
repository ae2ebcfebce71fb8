"""Engines that other packages add, found by their entry points."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import bgtools
from bgtools.board.board import START
from bgtools.cli import app
from bgtools.engines import registry
from bgtools.engines.cache import Store
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, EngineUnavailable, LuckQuestion, Refused
from bgtools.engines.registration import EngineKind
from bgtools.engines.registry import create, parse_specs
from bgtools.plugins import PluginWarning
from bgtools.rules.cube import MatchState
from entry_points import offer
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from bgtools.engines.protocol import Engine, LevelName

SAMPLE = Path(__file__).parents[2] / "samples" / "one-point.mat"
CHECKER = CheckerQuestion(START, (3, 1), MatchState())
CUBE, LUCK = CubeQuestion(START, MatchState()), LuckQuestion(START, (3, 1), MatchState())


def start(argument: str, level: LevelName, *, met: Any, **options: Any) -> Engine:
    """An engine that doubles and takes at the equity after the colon."""
    return FixedEngine(0.1, float(argument or 0))


EXAMPLE = SimpleNamespace(name="example", title="Example", start=start)
"""What a package has to give, and no more."""


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """So that the registry looks anew each time."""
    monkeypatch.setattr(registry, "all_engines", registry.all_engines.__wrapped__)
    return monkeypatch


@pytest.fixture
def example(offers: pytest.MonkeyPatch) -> None:
    offer(offers, "engines", example=EXAMPLE)


def failing(**parts: Any) -> SimpleNamespace:
    """A kind whose engine is sound but for some of its parts."""

    def begin(*arguments: Any, **options: Any) -> Any:
        engine = SimpleNamespace(**{name: getattr(FixedEngine(), name) for name in ("stamp", "met")})
        for name in ("checker", "cube", "luck"):
            setattr(engine, name, getattr(FixedEngine(), name))
        for name, part in parts.items():
            delattr(engine, name) if part is None else setattr(engine, name, part)
        return engine

    return SimpleNamespace(name="example", title="Example", start=begin)


@pytest.mark.usefixtures("example")
def test_an_engine_of_another_package_is_asked_for_by_its_name() -> None:
    assert [tuple(spec) for spec in parse_specs("example:0.5,file")] == [("example", "0.5"), ("file", "")]
    engine = create("example:0.5")
    assert engine is not None
    (answer,) = engine.cube([CUBE])
    assert not isinstance(answer, Refused)
    assert (answer.no_double, answer.double_take) == (0.1, 0.5)
    with pytest.raises(ValueError, match="there are: sage, gnubg, ubgi, mean, file, none, example"):
        parse_specs("fruit")


@pytest.mark.usefixtures("example")
def test_a_comma_before_its_name_ends_the_command_of_a_ubgi_program() -> None:
    assert [spec.name for spec in parse_specs("ubgi:bot --net a,b,example")] == ["ubgi", "example"]


@pytest.mark.usefixtures("example")
def test_its_answers_are_kept_by_its_fingerprint(tmp_path: Path) -> None:
    store = Store(tmp_path / "a.sqlite")
    first, second = (create("example", store=store) for _ in range(2))
    assert first is not None
    assert second is not None
    answers = first.cube([CUBE])
    inner = second._engine._engine  # type: ignore[attr-defined]
    assert (second.cube([CUBE]), inner.asked) == (answers, [])


@pytest.mark.usefixtures("example")
def test_a_match_is_analysed_with_it() -> None:
    assert bgtools.analyse(SAMPLE, engine="example").analysis.conventions.engine == "fixed"


@pytest.mark.thorough
@pytest.mark.usefixtures("example")
def test_reports_and_tables_are_made_with_it(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(SAMPLE), "--engine", "example", "-o", str(tmp_path / "one")])
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "one" / "report.json").read_text("utf-8"))
    assert report["conventions"]["engine"] == "fixed"
    done = CliRunner().invoke(
        app, ["report", str(SAMPLE), "--engine", "example,example:1", "-o", str(tmp_path / "two")]
    )
    report = json.loads((tmp_path / "two" / "report.json").read_text("utf-8"))
    assert [each["engine"] for each in report["engines"]] == ["example", "example:1"]
    table = CliRunner().invoke(app, ["table", "players", str(SAMPLE), "--engine", "example"])
    assert (table.exit_code, table.stdout.count("fixed 1.0")) == (0, 2)


def test_a_kind_says_what_it_takes_behind_the_colon(offers: pytest.MonkeyPatch) -> None:
    def read(argument: str | None) -> str:
        if argument == "odd":
            raise KeyError("a fault")
        return (argument or "3").zfill(2)

    offer(offers, "engines", it=EngineKind(name="example", title="Example", start=start, read=read))
    assert [str(spec) for spec in parse_specs("example,example:7")] == ["example:03", "example:07"]
    with pytest.raises(ValueError, match="a fault"):
        parse_specs("example:odd")


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (ImportError("no module named c"), "broken .* is left out: no module named c"),
        (SimpleNamespace(title="Example", start=start), "no attribute 'name'"),
        (SimpleNamespace(name="a,b", title="Example", start=start), "'a,b' cannot be the name of an engine"),
        (SimpleNamespace(name="sage", title="Example", start=start), "there is an engine sage already"),
        (SimpleNamespace(name="other", title="Example", start=None), "its start cannot be called"),
    ],
)
def test_what_is_no_engine_is_named_and_left_out(offers: pytest.MonkeyPatch, thing: object, words: str) -> None:
    offer(offers, "engines", broken=thing, example=EXAMPLE)
    with pytest.warns(PluginWarning, match=words):
        assert list(registry.all_engines()) == ["sage", "gnubg", "ubgi", "mean", "file", "none", "example"]


def fault(*arguments: object) -> Any:
    raise ZeroDivisionError("a fault")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (SimpleNamespace(name="example", title="Example", start=lambda *a, **b: fault()), "a fault"),
        (SimpleNamespace(name="example", title="Example", start=lambda *a, **b: None), "it has no stamp, no met"),
        (failing(luck=None), "it has no luck"),
        (failing(stamp="me"), "its stamp is 'me'"),
    ],
)
def test_an_engine_that_does_not_start_is_unavailable(offers: pytest.MonkeyPatch, kind: object, words: str) -> None:
    offer(offers, "engines", example=kind)
    with pytest.raises(EngineUnavailable, match=f"the engine example fails: {words}"):
        create("example")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (failing(checker=fault, cube=fault, luck=fault), "a fault"),
        (failing(**dict.fromkeys(("checker", "cube", "luck"), lambda asked, told=None: ())), "1 questions with 0"),
        (failing(**dict.fromkeys(("checker", "cube", "luck"), lambda asked, told=None: [1])), "answers with int"),
    ],
)
def test_an_engine_that_fails_later_is_unavailable_then(offers: pytest.MonkeyPatch, kind: object, words: str) -> None:
    offer(offers, "engines", example=kind)
    engine = create("example")
    assert engine is not None
    for ask in (lambda: engine.checker([CHECKER]), lambda: engine.cube([CUBE]), lambda: engine.luck([LUCK])):
        with pytest.raises(EngineUnavailable, match=f"the engine example fails: .*{words}"):
            ask()


def test_a_report_by_it_alone_is_not_written(offers: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offer(offers, "engines", example=failing(cube=fault, checker=fault))
    done = CliRunner().invoke(app, ["report", str(SAMPLE), "--engine", "example", "-o", str(tmp_path / "it")])
    assert done.exit_code == 2
    assert "the engine example fails: a fault" in done.stderr
    assert "nothing is written" in done.stderr
    assert not (tmp_path / "it").exists()
