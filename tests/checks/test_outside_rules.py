"""Rules that other packages add, found by their entry points."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from bgtools.checks.checking import check
from bgtools.checks.registry import RULES, added_rules, known_codes
from bgtools.checks.rule import Rule
from bgtools.checks.settings import effect_of, parse_settings, resolve_settings
from bgtools.checks.settings_files import forget_settings
from bgtools.cli import app
from bgtools.findings import codes
from bgtools.findings.finding import Code, Finding, Severity
from bgtools.formats.reading import read_source
from bgtools.plugins import PluginWarning
from bgtools.reports import findings_data
from bgtools.source import Span
from entry_points import offer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

TEXT = """ 7 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point
"""
CODE = Code("EX001", "has-a-game", Severity.HINT, "There is a game.", home="nowhere")
MATCH_CODE = Code("EX002", "has-players", Severity.WARNING, "There are players.")


def in_game(match: Match, game: GameReplay) -> Iterator[Finding]:
    yield Finding(CODE, game.game.heading, "here it is", game=game.game.number)


def in_match(match: Match) -> tuple[Finding, ...]:
    return (Finding(MATCH_CODE, Span(0, 1), "there they are"),)


def fail(*given: Any) -> Any:
    raise RuntimeError("a fault")


RULE = Rule(codes=(CODE, MATCH_CODE), in_match=in_match, in_game=in_game)


def clear() -> None:
    for each in (added_rules, known_codes, resolve_settings, effect_of, findings_data._indices):
        each.cache_clear()
    forget_settings()


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Offers rules to a registry that looks anew each time."""
    clear()
    yield lambda **things: offer(monkeypatch, "rules", **things)
    clear()


def found() -> list[str]:
    return [finding.code.id for finding in check(read_source(TEXT.encode(), "a.mat")[0])]


def test_every_kind_of_finding_of_a_check_is_made_by_one_rule_or_by_a_reader() -> None:
    made = [code for rule in RULES for code in rule.codes]
    assert len(set(made)) == len(made)
    of_readers = [code for code in codes.CHECKED if code not in made]
    assert all(code.id[2] in "01" for code in of_readers)


def test_a_rule_of_another_package_finds_in_matches_and_games(offers: Callable[..., None]) -> None:
    assert found() == []
    clear()
    offers(example=RULE)
    assert found() == ["EX002", "EX001"]


def test_its_codes_are_known_to_settings(offers: Callable[..., None]) -> None:
    offers(example=RULE)
    findings = check(read_source(TEXT.encode(), "a.mat")[0])

    def kept(**given: Any) -> list[tuple[str, Severity]]:
        policy = resolve_settings(parse_settings(**given))
        return [(each.code.id, each.severity) for each in policy.apply(findings)]

    assert kept(select=["EX001"]) == kept(select=["has-a-game"]) == [("EX001", Severity.HINT)]
    assert kept(ignore=["EX"]) == kept(select=["BG"]) == kept(ignore=["all"]) == []
    assert kept(select=["all"], ignore=["has-players"]) == [("EX001", Severity.HINT)]
    assert kept(select=["EX"], ignore=["all"], severity=["EX001=error", "EX=hint"]) == [
        ("EX002", Severity.HINT), ("EX001", Severity.ERROR),
    ]  # fmt: skip
    assert kept(profile="strict") == [("EX002", Severity.ERROR), ("EX001", Severity.HINT)]


def test_commands_know_its_codes(offers: Callable[..., None], tmp_path: Path) -> None:
    offers(example=RULE)
    record = tmp_path / "a.mat"
    record.write_text(TEXT)
    run = CliRunner().invoke
    assert run(app, ["rule", "has-a-game"]).stdout == "EX001 has-a-game (hint)\n\nThere is a game.\n"
    assert "EX002 has-players (warning)" in run(app, ["check", "--statistics", str(record)]).stdout
    (log,) = json.loads(run(app, ["check", "--format", "sarif", str(record)]).stdout)["runs"]
    listed = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert listed == [*(code.id for code in codes.ALL), "EX001", "EX002"]
    assert [listed[each["ruleIndex"]] for each in log["results"]] == ["EX002", "EX001"]


@pytest.mark.parametrize(
    ("thing", "why"),
    [
        (ImportError("no module named c"), "no module named c"),
        (in_game, "not a Rule"),
        (replace(RULE, codes=()), "not a tuple of Code"),
        (replace(RULE, in_game=3), "cannot be called"),  # type: ignore[arg-type]
        (replace(RULE, codes=(replace(CODE, id="BG999"),)), "BG999 is not a code of a plug-in"),
        (replace(RULE, codes=(replace(CODE, id="EX1"),)), "EX1 is not a code of a plug-in"),
        (replace(RULE, codes=(replace(CODE, name="bar-first"),)), "EX001 or bar-first already"),
        (replace(RULE, codes=(replace(CODE, name="Has_It"),)), "'Has_It' is not a name"),
        (replace(RULE, codes=(replace(CODE, severity=2),)), "not a Severity"),  # type: ignore[arg-type]
        (replace(RULE, codes=(CODE, CODE)), "EX001 or has-a-game already"),
    ],
)
def test_what_is_no_rule_is_named_and_left_out(offers: Callable[..., None], thing: object, why: str) -> None:
    offers(broken=thing)
    with pytest.warns(PluginWarning, match=f"^broken of broken:it is left out: .*{why}"):
        assert found() == []


@pytest.mark.parametrize(
    ("look", "why"),
    [
        (fail, "RuntimeError: a fault"),
        (lambda match, game: 3, "not iterable"),
        (lambda match, game: [3], "3 is not a finding of one of its codes"),
        (lambda match, game: [Finding(codes.BLOCKED, Span(0, 1), "")], "is not a finding of one of its codes"),
        (lambda match, game: [Finding(CODE, Span(0, 9999), "")], "is not a place in the record"),
    ],
)
def test_a_rule_that_fails_is_left_out_for_that_record(offers: Callable[..., None], look: Any, why: str) -> None:
    offers(broken=replace(RULE, in_game=look), sound=Rule(codes=(replace(CODE, id="EX003", name="sound"),)))
    with pytest.warns(PluginWarning, match=f"^broken of broken:it is left out for .*: .*{why}"):
        assert found() == []
