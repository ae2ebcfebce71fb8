"""Findings for programs: JSON, SARIF 2.1.0, JUnit, the workflow commands of GitHub and the report of GitLab.

JSON and SARIF keep the true text of the record; everything beyond ASCII and every control character
in it is escaped, so that nothing of it acts on a terminal.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from xml.sax.saxutils import escape

from bgtools._version import __version__
from bgtools.checks.registry import known_codes
from bgtools.findings.finding import Severity, printable
from bgtools.reports.findings import concise, in_words, region, region_data, severities
from bgtools.reports.values import values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.findings.finding import Finding, Fix
    from bgtools.record.record import Match
    from bgtools.repair.states import Change
    from bgtools.source import Source, Span

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVEL: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
_GITLAB_SEVERITY: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.HINT: "info"}
_GITHUB_COMMAND: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def dumps(value: object) -> str:
    """JSON on one line, in printable ASCII only."""
    # json does not escape DEL, which can only stand in a string.
    return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")


# --- JSON -----------------------------------------------------------------------------------


def as_data(finding: Finding, match: Match) -> dict[str, Any]:
    """A finding as plain values; docs/findings.schema.json describes them."""
    source = _source(match)
    fix = None
    if finding.fix is not None:
        fix = _edit(source, finding.fix) | {
            "applicability": finding.fix.applicability,
            "alternatives": [_edit(source, other) for other in finding.fix.alternatives],
        }
    return {
        "file": source.name,
        **region_data(source, finding.span),
        "code": finding.code.id,
        "name": finding.code.name,
        "severity": str(finding.severity),
        **values_of(finding, "message facts hint game turn row entry"),
        "player": _player(finding, match),
        "related": [
            {**source.location(each.span.start)._asdict(), "message": each.message} for each in finding.related
        ],
        "fix": fix,
    }


def change_data(change: Change) -> dict[str, Any]:
    """A fix that was made as plain values: its finding, at its place in the file as it was, with ``fixed`` true."""
    return as_data(change.finding, change.match) | {"fixed": True}


def _edit(source: Source, fix: Fix) -> dict[str, Any]:
    return {**region_data(source, fix.span), "text": fix.text, "words": in_words(fix, source)}


def as_json(finding: Finding, match: Match) -> str:
    """A finding as a JSON object on one line."""
    return dumps(as_data(finding, match))


def _source(match: Match) -> Source:
    if match.source is None:
        raise ValueError("findings are placed in the file they were read from; this match was read from none")
    return match.source


def _player(finding: Finding, match: Match) -> str | None:
    if finding.player is None:
        return None
    return match.players[finding.player] or f"player {finding.player + 1}"


# --- GitHub ---------------------------------------------------------------------------------


def as_github(finding: Finding, match: Match) -> str:
    """A workflow command that marks the place of a finding in a pull request."""
    source = _source(match)
    line, column, end_line, end_column = region(source, finding.span)
    place = {"line": line, "endLine": end_line}
    if line == end_line:
        # GitHub takes columns only for a place within one line; its end column is that of the last character.
        place |= {"col": column, "endColumn": max(column, end_column - 1)}
    title = f"{finding.code.id} {finding.code.name}"
    return _command(_GITHUB_COMMAND[finding.severity], source.name, place, title, _sentences(finding))


def _command(command: str, file: str, location: dict[str, int], title: str, sentences: Iterable[str]) -> str:
    values = {"file": file, **{key: str(value) for key, value in location.items()}, "title": title}
    properties = ",".join(
        f"{key}={_escaped(printable(value)).replace(':', '%3A').replace(',', '%2C')}" for key, value in values.items()
    )
    return f"::{command} {properties}::{_escaped(chr(10).join(printable(text) for text in sentences))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _sentences(finding: Finding) -> list[str]:
    return [finding.message, *finding.facts, *([f"hint: {finding.hint}"] if finding.hint else [])]


# --- GitLab ---------------------------------------------------------------------------------


def as_gitlab(finding: Finding, match: Match) -> str:
    """A finding as an object of GitLab's code quality report, on one line.

    Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
    """
    source = _source(match)
    line, column, end_line, _ = region(source, finding.span)
    told = [source.name, finding.code.id, str(line), str(column), finding.message]
    return dumps(
        {
            "description": " ".join(f"{text.rstrip('.')}." for text in _sentences(finding)),
            "check_name": f"{finding.code.id} {finding.code.name}",
            "fingerprint": sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest(),
            "severity": _GITLAB_SEVERITY[finding.severity],
            # GitLab knows a file by its path from the root of the repository, without a dot before it.
            "location": {"path": Path(source.name).as_posix(), "lines": {"begin": line, "end": end_line}},
        }
    )


# --- JUnit ----------------------------------------------------------------------------------

JUNIT_OPENING: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bgtools check">\n'
JUNIT_CLOSING: Final = "</testsuites>\n"


def as_junit(name: str, found: Sequence[tuple[Finding, Match]], *, failed: bool = False, problem: str = "") -> str:
    """A file as a test suite of JUnit with one test: that it is sound.

    Args:
        name: the file.
        found: what is found in it, with the match it is found in.
        failed: whether a finding is bad enough to fail.
        problem: why it could not be checked; "" where it could.
    """
    lines = "\n".join(concise(finding, _source(match)) for finding, match in found)
    inside = ""
    if problem:
        inside = f'<error type="unreadable" message={_attribute(problem)}/>'
    elif failed:
        counted = severities(Counter(finding.severity for finding, _ in found))
        inside = f'<failure type="findings" message={_attribute(counted)}>{_xml(lines)}</failure>'
    elif found:
        inside = f"<system-out>{_xml(lines)}</system-out>"
    counts = f'tests="1" failures="{int(failed)}" errors="{int(bool(problem))}"'
    return (
        f"<testsuite name={_attribute(name)} {counts}>"
        f'<testcase classname="bgtools" name={_attribute(name)}>{inside}</testcase></testsuite>'
    )


def _xml(text: str) -> str:
    """A text as XML in ASCII; what is not a character of XML becomes a question mark."""
    clean = "\n".join(map(printable, text.split("\n")))
    return escape(clean).encode("ascii", "xmlcharrefreplace").decode()


def _attribute(text: str) -> str:
    return '"' + _xml(text).replace('"', "&quot;").replace("\n", "&#10;") + '"'


# --- SARIF ----------------------------------------------------------------------------------


def sarif_opening() -> str:
    """All of a SARIF log before its results."""
    from bgtools.findings.manual import as_markdown, as_text

    rules = [
        {
            "id": code.id,
            "name": code.name,
            "shortDescription": {"text": code.name.replace("-", " ")},
            "fullDescription": {"text": code.page},
            "help": {"text": as_text(code), "markdown": as_markdown(code)},
            "defaultConfiguration": {"level": _SARIF_LEVEL[code.severity]},
        }
        for code in known_codes().values()
    ]
    driver = {"name": "bgtools", "semanticVersion": __version__, "rules": rules}
    return (
        f'{{"$schema": "{SARIF_SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {dumps({"driver": driver})}, '
        '"columnKind": "unicodeCodePoints", "results": ['
    )


def sarif_closing(problems: Iterable[tuple[str, str]]) -> str:
    """All of a SARIF log behind its results.

    Args:
        problems: the files that could not be read, each with the reason.
    """
    notes = [
        {"level": "error", "message": {"text": reason}, "locations": [{"physicalLocation": _artifact(name)}]}
        for name, reason in problems
    ]
    invocation = {"executionSuccessful": not notes, "toolExecutionNotifications": notes}
    return f'], "invocations": {dumps([invocation])}}}]}}'


def as_sarif(finding: Finding, match: Match) -> str:
    """A finding as a SARIF result on one line."""
    source = _source(match)
    result: dict[str, Any] = {
        "ruleId": finding.code.id,
        "ruleIndex": _indices().get(finding.code.id, -1),  # which SARIF takes for an unknown rule
        "level": _SARIF_LEVEL[finding.severity],
        "message": {"text": "\n".join(_sentences(finding))},
        "locations": [_location(source, finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(source, related.span), "message": {"text": related.message}}
            for number, related in enumerate(finding.related, 1)
        ]
    if finding.fix is not None:
        result["fixes"] = [_sarif_fix(source, fix) for fix in (finding.fix, *finding.fix.alternatives)]
    facts = {
        "game": finding.game,
        "turn": finding.turn,
        "row": finding.row,
        "entry": finding.entry,
        "player": _player(finding, match),
    }
    result["properties"] = {key: value for key, value in facts.items() if value is not None}
    return dumps(result)


@cache
def _indices() -> dict[str, int]:
    return {code: index for index, code in enumerate(known_codes())}


def _sarif_fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _sarif_region(source, fix.span), "insertedContent": {"text": fix.text}}
    return {
        "description": {"text": in_words(fix, source)},
        "artifactChanges": [{**_artifact(source.name), "replacements": [replacement]}],
        "properties": {"applicability": fix.applicability},
    }


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {**_artifact(source.name), "region": _sarif_region(source, span)}}


def _sarif_region(source: Source, span: Span) -> dict[str, int]:
    return dict(zip(("startLine", "startColumn", "endLine", "endColumn"), region(source, span), strict=True))


def _artifact(name: str) -> dict[str, Any]:
    path = Path(name)
    # Bytes of a file name that are not text become percent codes, so that none is lost.
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix().encode("utf-8", "surrogateescape"))
    return {"artifactLocation": {"uri": uri}}
