"""What every engine's answers promise, and how an engine is chosen."""

from __future__ import annotations

import sys

import pytest

from bgtools.engines.protocol import CubeAnswer, EngineUnavailable, Probabilities, Stamp
from bgtools.engines.registry import create, labels, parse_specs
from bgtools.engines.sage import native

STAMP = Stamp("test", "1", "quick", "none")
EVEN = Probabilities(0.6, 0.2, 0.01, 0.1, 0.005)


def test_probabilities_flip_and_keep_their_equity() -> None:
    assert EVEN.equity == pytest.approx(0.2 + 0.1 + 0.005)
    assert EVEN.flipped().equity == pytest.approx(-EVEN.equity)
    assert EVEN.flipped().lose_gammon == EVEN.win_gammon


@pytest.mark.parametrize(
    ("no_double", "double_take", "action"),
    [
        (0.3, 0.1, "No double, take"),
        (0.5, 0.6, "Double, take"),
        (0.9, 1.2, "Double, pass"),
        (1.0, 2.0, "Double, pass"),
        (1.1, 1.4, "Too good to double, pass"),
    ],
)
def test_the_best_cube_action_is_named(no_double: float, double_take: float, action: str) -> None:
    answer = CubeAnswer(no_double, double_take, 1.0, EVEN, "1-ply", STAMP)
    assert answer.action == action
    assert answer.best == max(no_double, min(double_take, 1.0))


def test_unknown_engines_and_levels_name_those_that_exist() -> None:
    with pytest.raises(ValueError, match="sage"):
        create("fruit")
    with pytest.raises(ValueError, match="quick, standard, deep"):
        create("sage", "slow")  # type: ignore[arg-type]


def test_networks_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")
    first, second = native.Native(1), native.Native(2)
    assert first._network is second._network
    assert first._averaging is second._averaging
    assert first._searched is not second._searched, "values of one engine are no other's"


def test_a_missing_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgbot_cpp", None)
    monkeypatch.setattr(native, "_load", native._load.__wrapped__)  # which another test may have called
    with pytest.raises(EngineUnavailable, match="needs the package bgsage"):
        create("sage", "quick")


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("sage", [("sage", "")]),
        ("file, gnubg:2", [("file", ""), ("gnubg", "2")]),
        ("gnubg:0,gnubg:02,gnubg", [("gnubg", "0"), ("gnubg", "2"), ("gnubg", "")]),
        ("ubgi:./bot --net a,b,sage", [("ubgi", "./bot --net a,b"), ("sage", "")]),
        ("ubgi:a --gnubg,ubgi:b", [("ubgi", "a --gnubg"), ("ubgi", "b")]),
        ("none", [("none", "")]),
    ],
)
def test_engines_are_named_with_commas_between_them(text: str, specs: list[tuple[str, str]]) -> None:
    assert [tuple(spec) for spec in parse_specs(text)] == specs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fruit", "no engine is called 'fruit'; there are: sage, gnubg, ubgi, mean, file, none"),
        ("", "no engine is called ''"),
        ("sage,", "no engine is called 'sage,'"),
        ("sage:3", "sage has the levels quick, standard, deep"),
        ("file:3", "file takes nothing behind a colon"),
        ("gnubg:", "not ''"),
        ("gnubg:deep", "gnubg looks 0 to 7 plies ahead"),
        ("gnubg:8", "gnubg looks 0 to 7 plies ahead"),
        ("ubgi", "takes the command that starts the program"),
        ("sage,file,sage", "sage is asked for twice"),
        ("sage,none", "none is not an engine"),
    ],
)
def test_what_names_no_engine_is_told(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_specs(text)


def test_a_ubgi_program_goes_by_the_name_of_its_file() -> None:
    specs = parse_specs("ubgi:/opt/bots/bot -x,sage,gnubg:1")
    assert labels(specs) == ("ubgi:bot", "sage", "gnubg:1")
    assert labels(parse_specs("ubgi:a/bot,ubgi:b/bot")) == ("ubgi:a/bot", "ubgi:b/bot")


def test_none_is_no_engine_and_file_takes_a_record() -> None:
    assert create("none") is None
    with pytest.raises(ValueError, match="takes a record"):
        create("file")
