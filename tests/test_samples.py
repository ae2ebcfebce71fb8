"""The samples: what they are there to show, and that they can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import make_samples
from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.mat.reader import read
from bgtools.record.record import CheckerPlay, Drop, Take
from bgtools.replayer.match import replay
from bgtools.source import Source, decode

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match

FOLDER = make_samples.SAMPLES
CLEAN = ("seven-point.mat", "money.mat", "one-point.mat")
needs_engine = pytest.mark.skipif(bool(make_samples.unavailable()), reason=make_samples.unavailable() or "-")


def sample(name: str) -> tuple[Source, Match]:
    source = decode((FOLDER / name).read_bytes(), name)
    (match,) = read(source)
    return source, match


@pytest.mark.parametrize("name", CLEAN)
def test_clean_samples_have_no_finding(name: str) -> None:
    _, match = sample(name)
    assert check(match) == ()


def test_the_seven_point_match_has_all_that_a_report_shows() -> None:
    _, match = sample("seven-point.mat")
    games = replay(match)
    entries = [turn.entry for game in games for turn in game.turns]
    assert match.length == 7
    assert 8 <= len(games) <= 12
    assert 200 <= sum(isinstance(entry, CheckerPlay) for entry in entries) <= 300
    assert any(isinstance(entry, Take) for entry in entries)
    assert any(isinstance(entry, Drop) for entry in entries)
    assert sum(game.crawford for game in games) == 1
    assert any(game.level == 2 for game in games)
    assert max(games[-1].score_after) >= 7


def test_the_money_session_has_jacoby_a_take_and_a_drop() -> None:
    _, match = sample("money.mat")
    entries = [entry for game in match.games for entry in game.entries]
    assert match.is_money
    assert match.rules.jacoby
    assert 3 <= len(match.games) <= 6
    assert any(isinstance(entry, Take) for entry in entries)
    assert any(isinstance(entry, Drop) for entry in entries)


def test_the_one_pointer_is_one_game() -> None:
    _, match = sample("one-point.mat")
    assert (match.length, len(match.games)) == (1, 1)


def test_five_slips_give_five_errors_each_on_its_own_line() -> None:
    source, match = sample("five-slips.mat")
    findings = check(match)
    assert [finding.code.name for finding in findings] == [
        "no-checker-there",
        "wrong-cube-value",
        "blocked-point",
        "wrong-points",
        "die-left-unplayed",
    ]
    assert {finding.severity for finding in findings} == {Severity.ERROR}
    assert len({source.location(finding.span.start).line for finding in findings}) == 5


@needs_engine
def test_every_slip_is_read_as_what_was_played() -> None:
    engine = make_samples.Engine()
    (recipe,) = (recipe for recipe in make_samples.RECIPES if recipe.slips)
    clean = replay(make_samples.make(recipe, engine))
    (match,) = read(Source(recipe.file, make_samples.text(recipe, engine)))
    for before, after in zip(clean, replay(match), strict=True):
        assert [turn.before for turn in after.turns] == [turn.before for turn in before.turns]
        for true, slipped in zip(before.turns, after.turns, strict=True):
            if slipped.guess is not None:
                assert slipped.guess == true.play or slipped.guess.result == slipped.after == true.after


@needs_engine
def test_the_samples_can_be_made_again_byte_for_byte(tmp_path: Path) -> None:
    assert make_samples.main([str(tmp_path)]) == 0
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.glob("*.mat")}


@pytest.mark.thorough
@needs_engine
def test_the_script_tells_a_changed_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_samples.main([str(tmp_path)]) == 0
    assert make_samples.main(["--check", str(tmp_path)]) == 0
    (tmp_path / "money.mat").write_bytes(b"changed")
    assert make_samples.main(["--check", str(tmp_path)]) == 1
    assert "money.mat: differs" in capsys.readouterr().out


@pytest.mark.parametrize("name", [recipe.file for recipe in make_samples.RECIPES])
def test_every_sample_says_how_it_was_made(name: str) -> None:
    assert "made by tests/make_samples.py" in (FOLDER / name).read_text(encoding="utf-8")
    assert name in (FOLDER / "README.md").read_text(encoding="utf-8")
