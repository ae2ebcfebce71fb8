"""Settings: what each layer may say, which one wins, and what is not a setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgtools.checks.settings import (
    PROFILES,
    Settings,
    SettingsError,
    from_table,
    near,
    parse_settings,
    resolve_settings,
)
from bgtools.checks.settings_files import settings_for
from bgtools.findings import codes
from bgtools.findings.finding import Code, Finding, Severity
from bgtools.record.record import Match
from bgtools.source import Span


def level(code: Code, *layers: Settings) -> Severity | None:
    return resolve_settings(*layers).severities[code.id]


def test_the_tournament_profile_is_the_default_and_leaves_every_code_as_its_page_says() -> None:
    for layers in ((), (parse_settings(profile="tournament"),)):
        assert resolve_settings(*layers).severities == {code.id: code.severity for code in codes.ALL}


def test_strict_makes_errors_of_warnings_and_leaves_hints() -> None:
    strict = parse_settings(profile="strict")
    for code in codes.ALL:
        assert level(code, strict) is (Severity.HINT if code.severity is Severity.HINT else Severity.ERROR)


def test_lenient_leaves_only_what_cannot_have_happened_as_errors() -> None:
    lenient = parse_settings(profile="lenient")
    assert level(codes.BLOCKED, lenient) is Severity.ERROR
    assert level(codes.STRAY_TEXT, lenient) is Severity.HINT
    assert level(codes.SCORE_LINE, lenient) is Severity.HINT
    assert Severity.WARNING not in resolve_settings(lenient).severities.values()


def test_select_leaves_out_all_others_and_the_longer_prefix_wins() -> None:
    chosen = parse_settings(select=["BG2,bg401"], ignore=["BG21", "no-checker-there"])
    assert level(codes.BLOCKED, chosen) is Severity.ERROR
    assert level(codes.SCORE_LINE, chosen) is Severity.ERROR
    assert level(codes.NO_CHECKER, chosen) is None
    assert level(codes.DIE_UNPLAYED, chosen) is None
    assert level(codes.WRONG_POINTS, chosen) is None
    assert level(codes.DIE_UNPLAYED, parse_settings(select=["BG210"], ignore=["BG2"])) is Severity.ERROR
    assert level(codes.DIE_UNPLAYED, parse_settings(select=["BG210"], ignore=["BG210"])) is None


def test_the_command_line_beats_the_file_and_the_file_beats_the_profile() -> None:
    file = parse_settings(profile="strict", severity=["BG220=hint"], ignore=["BG203"], fail_on="hint")
    assert level(codes.FALSE_STAR, Settings(), file) is Severity.HINT
    assert level(codes.FALSE_STAR, parse_settings(severity=["no-hit=warning"]), file) is Severity.WARNING
    assert level(codes.FALSE_STAR, parse_settings(profile="tournament"), file) is Severity.HINT
    assert level(codes.STRAY_TEXT, parse_settings(profile="tournament"), file) is Severity.WARNING
    assert level(codes.STRAY_TEXT, Settings(), file) is Severity.ERROR
    assert level(codes.BLOCKED, Settings(), file) is None
    assert level(codes.BLOCKED, parse_settings(select=["BG203"]), file) is Severity.ERROR
    assert level(codes.BLOCKED, parse_settings(ignore=["BG4"]), file) is None
    assert resolve_settings(Settings(), file).fail_on is Severity.HINT
    assert resolve_settings(parse_settings(fail_on="error"), file).fail_on is Severity.ERROR


def test_the_more_exact_severity_wins_and_of_two_the_later() -> None:
    assert level(codes.BLOCKED, parse_settings(severity=["BG203=hint", "BG2=warning"])) is Severity.HINT
    assert level(codes.NO_CHECKER, parse_settings(severity=["BG203=hint", "BG2=warning"])) is Severity.WARNING
    assert level(codes.BLOCKED, parse_settings(severity=["BG203=hint,BG203=off"])) is None
    assert level(codes.BLOCKED, parse_settings(severity=["all=hint"])) is Severity.HINT


def test_findings_are_judged_and_what_is_off_is_left_out() -> None:
    star, blocked = (Finding(code, Span(0, 1), "m") for code in (codes.FALSE_STAR, codes.BLOCKED))
    policy = resolve_settings(parse_settings(profile="strict", ignore=["BG203"]))
    (kept,) = policy.apply([star, blocked])
    assert (kept.code, kept.severity) == (codes.FALSE_STAR, Severity.ERROR)
    assert policy.fails([kept])
    assert not resolve_settings().fails(resolve_settings().apply([star]))
    assert resolve_settings(parse_settings(fail_on="warning")).fails([star])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"select": ["BG9999"]}, 'there is no code "BG9999"'),
        ({"ignore": ["blocked-pont"]}, r'there is no code "blocked-pont"; did you mean BG203 \(blocked-point\)'),
        ({"severity": ["BG203"]}, "write CODE=LEVEL"),
        ({"severity": ["BG203=eror"]}, 'there is no severity "eror"; did you mean "error"'),
        ({"profile": "nice"}, 'there is no profile "nice"; known are strict, tournament, lenient'),
        ({"fail_on": "off"}, 'there is no severity "off"'),
    ],
)
def test_what_is_unknown_is_named_with_what_is_like_it(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse_settings(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"sevrity": {}}, 'there is no key "sevrity"; did you mean "severity"'),
        ({"severity": "error"}, "severity must be a table"),
        ({"severity": {"BG203": 1}}, 'there is no severity "1"'),
        ({"select": [1]}, "select must be a list, as in"),
        ({"profile": 1}, "profile must be a text"),
    ],
)
def test_what_a_file_may_not_hold_is_named(table: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        from_table(table)


def test_near_matches_are_told_by_part_of_a_name_too() -> None:
    assert "BG204 (bar-first)" in near("bar")
    assert near("zzzzzz") == ""


def test_the_nearest_settings_file_upwards_holds(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.bgtools]\nprofile = "strict"\nseverity = { BG220 = "off" }\n')
    inner = tmp_path / "club" / "2026"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text("[tool.other]\nx = 1\n")  # says nothing about bgtools
    assert settings_for(inner / "a.mat") == Settings(profile="strict", severity=(("BG220", None),))
    nearer = tmp_path / "society"
    nearer.mkdir()
    (nearer / "bgtools.toml").write_text('select = ["BG2"]\nignore = "bar-first"\nfail-on = "warning"\n')
    assert settings_for(nearer / "2025" / "b.mat") == Settings(
        select=("BG2",), ignore=("BG204",), fail_on=Severity.WARNING
    )


def test_bgtools_toml_comes_before_pyproject_in_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.bgtools]\nprofile = "strict"\n')
    (tmp_path / "bgtools.toml").write_text('profile = "lenient"\n')
    assert settings_for(tmp_path / "a.mat").profile == "lenient"


@pytest.mark.parametrize("content", ["profile = [", 'profile = "strct"', "\x00", 'select = ["BG777"]'])
def test_a_settings_file_that_cannot_be_followed_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "bgtools.toml").write_text(content)
    with pytest.raises(SettingsError, match=r"bgtools\.toml: "):
        settings_for(tmp_path / "a.mat")


def test_a_broken_project_file_of_others_is_none_of_our_business(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other\n")
    assert settings_for(tmp_path / "a.mat") == Settings()


def test_rules_complete_those_of_a_record_and_the_command_line_has_the_last_word() -> None:
    match = Match(players=("a", "b"), length=7, games=())
    policy = resolve_settings(parse_settings(rules="no-crawford"), from_table({"rules": ["crawford", "holland"]}))
    completed = policy.complete(match).rules
    assert (completed.crawford, completed.holland) == (False, True)
    assert resolve_settings().complete(match) is match
    with pytest.raises(SettingsError, match="'jacobi' is not a rule"):
        parse_settings(rules="jacobi")


def test_every_profile_can_be_resolved() -> None:
    assert all(resolve_settings(parse_settings(profile=profile)).severities for profile in PROFILES)
