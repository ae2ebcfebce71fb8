"""Findings for programs: JSON by its schema, SARIF by the standard's, GitHub's commands escaped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attr
import jsonschema
import pytest
import sarif_om

from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, Related, Severity
from bgtools.record.record import Match
from bgtools.reports import findings_data as data
from bgtools.reports.findings import full
from bgtools.source import Source, Span
from program import WRONG_DIE
from support import read_text

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
SARIF = json.loads(Path(__file__).with_name("sarif_subset.json").read_text(encoding="utf-8"))

TEXT = "one\ntwo: t\x1b[31m, 100%\nthr\u00e9e"


def record(text: str = TEXT, name: str = "club, night:1/a b%.mat") -> Match:
    return Match(players=("An\x1bn", ""), length=3, games=(), source=Source(name, text))


@dataclass(frozen=True)
class OneFix:
    """A plan in which every finding has the same fix."""

    fix: Fix
    cut_short: tuple[int, int] | None = None

    def fix_of(self, _finding: Finding) -> Fix:
        return self.fix


FINDING = Finding(
    codes.BLOCKED,
    Span(4, 7),
    "a,b: 100%\x1b",
    ("a\nfact",),
    "a hint",
    (Related(Span(0, 1), "before"), Related(Span(len(TEXT), len(TEXT)), "the end")),
    game=2,
    turn=5,
    entry=8,
    player=0,
    plan=OneFix(Fix(Span(4, 21), "zw\u00f6lf", alternatives=(Fix(Span(4, 7), "2"),))),
)
BARE = Finding(codes.ROW_NUMBERS, Span(0, 0), "bare", player=1, set_severity=Severity.WARNING)


def sarif(*results: str, problems: tuple[tuple[str, str], ...] = ()) -> Any:
    return json.loads(data.sarif_opening() + ",".join(results) + data.sarif_closing(problems))


_OBJECTS = {
    "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor", "results": "Result",
    "shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
    "help": "MultiformatMessageString", "defaultConfiguration": "ReportingConfiguration", "message": "Message",
    "locations": "Location", "relatedLocations": "Location", "physicalLocation": "PhysicalLocation",
    "artifactLocation": "ArtifactLocation", "region": "Region", "deletedRegion": "Region", "fixes": "Fix",
    "description": "Message",
    "artifactChanges": "ArtifactChange", "replacements": "Replacement", "insertedContent": "ArtifactContent",
    "invocations": "Invocation", "toolExecutionNotifications": "Notification", "runs": "Run",
}  # fmt: skip
"""Which object of the standard has a name."""


def conform(value: Any, kind: str = "SarifLog") -> set[str]:
    """Hold names and duties against the classes that the standard's editors generate from its own schema.

    Returns the kinds that were met. Types and values are held against our part of the schema.
    """
    if isinstance(value, list):
        return set().union(*(conform(each, kind) for each in value))
    fields = {field.metadata["schema_property_name"]: field for field in attr.fields(getattr(sarif_om, kind))}
    assert value.keys() - {"$schema"} <= fields.keys(), kind
    required = {name for name, field in fields.items() if field.default is attr.NOTHING}
    assert required <= value.keys(), kind
    met = {kind}
    for name, inner in value.items():
        if name != "properties" and isinstance(inner, dict | list):
            met |= conform(inner, _OBJECTS[name])
    return met


def test_the_objects_of_a_sarif_log_are_those_of_the_standard() -> None:
    log = sarif(data.as_sarif(FINDING, record()), problems=(("x.mat", "why"),))
    assert conform(log) == {*_OBJECTS.values(), "SarifLog"}
    for change in ({"colour": "red"}, {"message": {}, "ruleID": "BG203"}):
        with pytest.raises(AssertionError):
            conform({"version": "2.1.0", "runs": [{"tool": log["runs"][0]["tool"], "results": [change]}]})


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SARIF)


def test_json_keeps_the_true_text_and_prints_ascii_only() -> None:
    line = data.as_json(FINDING, record())
    assert line.isascii()
    assert line.isprintable()
    value = json.loads(line)
    jsonschema.validate([value, json.loads(data.as_json(BARE, record()))], SCHEMA)
    assert value == {
        "file": "club, night:1/a b%.mat",
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 4,
        "code": "BG203",
        "name": "blocked-point",
        "severity": "error",
        "message": "a,b: 100%\x1b",
        "facts": ["a\nfact"],
        "hint": "a hint",
        "game": 2,
        "turn": 5,
        "row": None,
        "entry": 8,
        "player": "An\x1bn",
        "related": [{"line": 1, "column": 1, "message": "before"}, {"line": 3, "column": 6, "message": "the end"}],
        "fix": {
            "line": 2,
            "column": 1,
            "end_line": 2,
            "end_column": 18,
            "text": "zw\u00f6lf",
            "words": 'write "zw\xf6lf" in place of "two: t\x1b[31m, 100%"',
            "applicability": "unsafe",
            "alternatives": [
                {
                    "line": 2,
                    "column": 1,
                    "end_line": 2,
                    "end_column": 4,
                    "text": "2",
                    "words": 'write "2" in place of "two"',
                }
            ],
        },
    }
    assert "\x7f" not in data.dumps("\x7f")
    assert json.loads(data.dumps("\x7f\\")) == "\x7f\\"


def test_a_finding_without_a_turn_has_nulls_and_a_player_without_a_name_his_place() -> None:
    value = data.as_data(BARE, record())
    assert (value["game"], value["turn"], value["fix"], value["player"]) == (None, None, None, "player 2")
    assert value["severity"] == "warning"
    assert data.as_data(Finding(codes.NO_GAME, Span(0, 1), "m"), record())["player"] is None


@pytest.mark.parametrize("change", [{"line": 0}, {"severity": "bad"}, {"extra": 1}, {"player": 1}, {"fix": {}}])
def test_the_schema_is_strict(change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([data.as_data(FINDING, record()) | change], SCHEMA)


def test_what_a_real_check_finds_fits_all_schemas() -> None:
    match = read_text(WRONG_DIE)
    found = check(match)
    assert found
    jsonschema.validate([data.as_data(finding, match) for finding in found], SCHEMA)
    jsonschema.validate(sarif(*(data.as_sarif(finding, match) for finding in found)), SARIF)


def test_sarif_is_valid_and_points_at_its_rules() -> None:
    log = sarif(data.as_sarif(FINDING, record()), data.as_sarif(BARE, record()), problems=(("x\x1b.mat", "why"),))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [code.id for code in codes.ALL]
    first, second = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "BG203"
    assert (first["level"], second["level"]) == ("error", "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "club%2C%20night%3A1/a%20b%25.mat"
    assert place["region"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4}
    assert first["message"]["text"].split("\n")[0] == "a,b: 100%\x1b"
    assert [related["message"]["text"] for related in first["relatedLocations"]] == ["before", "the end"]
    texts = [fix["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] for fix in first["fixes"]]
    assert texts == ["zw\u00f6lf", "2"]
    assert [fix["properties"] for fix in first["fixes"]] == [{"applicability": "unsafe"}] * 2
    assert first["fixes"][1]["description"] == {"text": 'write "2" in place of "two"'}
    assert first["properties"] == {"game": 2, "turn": 5, "entry": 8, "player": "An\x1bn"}
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"] == {"text": "why"}


def test_sarif_without_results_is_valid_too() -> None:
    log = sarif()
    jsonschema.validate(log, SARIF)
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("name", "uri"),
    [("/tmp/a b.mat", "file:///tmp/a%20b.mat"), ("a\udcff.mat", "a%FF.mat"), ("<stdin>", "%3Cstdin%3E")],
)
def test_a_path_becomes_a_uri(name: str, uri: str) -> None:
    log = sarif(data.as_sarif(BARE, record(name=name)))
    jsonschema.validate(log, SARIF)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_github_commands_are_escaped() -> None:
    assert data.as_github(FINDING, record()) == (
        "::error file=club%2C night%3A1/a b%25.mat,line=2,endLine=2,col=1,endColumn=3,title=BG203 blocked-point::"
        "a,b: 100%25\N{REPLACEMENT CHARACTER}%0Aa\N{REPLACEMENT CHARACTER}fact%0Ahint: a hint"
    )
    assert data.as_github(BARE, record()).startswith("::warning file=")
    long = Finding(codes.FORCED_PLAY, Span(0, 6), "two lines")
    assert data.as_github(long, record()) == (
        "::notice file=club%2C night%3A1/a b%25.mat,line=1,endLine=2,title=BG218 forced-play-not-written::two lines"
    )


@pytest.mark.parametrize(
    ("span", "text", "line"),
    [
        ((4, 7), "zw\u00f6lf", 'fix: write "zw\u00f6lf" in place of "two"'),
        ((4, 7), "   ", 'fix: delete "two"'),
        ((7, 9), "; 1  2  ", 'fix: write "; 1 2" in place of ":"'),
        ((4, 4), "; ", 'fix: insert ";"'),
        ((4, 7), "  two", 'fix: move "two" to column 3'),
    ],
)
def test_a_fix_is_shown_as_text_too(span: tuple[int, int], text: str, line: str) -> None:
    source = record().source
    assert source is not None
    finding = Finding(codes.STRAY_TEXT, Span(0, 3), "m", plan=OneFix(Fix(Span(*span), text, "safe")))
    assert full(finding, source).splitlines()[-1] == f"  = {line}"


def test_an_unsafe_fix_says_so_and_what_else_could_be_meant() -> None:
    source = record().source
    assert source is not None
    others = tuple(Fix(Span(4, 7), text) for text in "bcd")
    finding = Finding(codes.STRAY_TEXT, Span(0, 3), "m", plan=OneFix(Fix(Span(4, 7), "a", alternatives=others)))
    assert full(finding, source).splitlines()[-4:] == [
        '  = unsafe fix: write "a" in place of "two"',
        '  = or: write "b" in place of "two"',
        '  = or: write "c" in place of "two"',
        "  = and 1 more would do",
    ]


def test_a_match_made_by_a_program_has_no_places() -> None:
    with pytest.raises(ValueError, match="read from none"):
        data.as_data(FINDING, Match(players=("a", "b"), length=1, games=()))
