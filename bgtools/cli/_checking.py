"""Checking each of many files, and a report of every one."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bgtools.checks.settings import Policy, Settings, SettingsError, effect_of, resolve_settings
from bgtools.checks.settings_files import settings_for
from bgtools.cli import _common
from bgtools.cli._files import results_in_order
from bgtools.cli._layouts import Layout, board_of, render
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.reading import about_file, read_all
from bgtools.formats.searching import Candidate, is_no_record, trouble
from bgtools.reports import findings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from bgtools.cli._fixing import FixOptions, FixResult
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with every file.

    Attributes:
        settings: those of the command line.
        where: where the settings file is looked for, as `bgtools.checks.settings_files.settings_for` takes it.
        layout: how findings are rendered; None for counting only.
        errors_only: whether warnings and hints are left out of what is rendered.
        colour: whether the terminal shows colours.
        tell_rules: whether to tell the rules that each match is judged by.
        fixing: how the file is fixed; None where it is only checked.
        verdicts: whether a verdict on the file is rendered, in place of its findings.
    """

    settings: Settings
    layout: Layout | None = "full"
    errors_only: bool = False
    colour: bool = False
    tell_rules: bool = False
    fixing: FixOptions | None = None
    verdicts: bool = False
    where: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking one file.

    Attributes:
        path: the file.
        rendered: its findings, or the verdict on it, as they are to be printed.
        counts: how many there are of each code and severity.
        rules: the rules of each match, where they were asked for.
        problem: why it could not be checked; empty when it could.
        skipped: whether it is no record, found in a folder and not named by the user.
        failed: whether a finding is bad enough to fail the check.
        fixed: what was done to the file, where it was to be fixed.
        fixable: how many findings offer a fix of each applicability.
        verdict: the verdict on the file, where it was asked for.
        settings: those of the settings file that held for it.
    """

    path: str
    rendered: tuple[str, ...] = ()
    counts: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    rules: tuple[str, ...] = ()
    problem: str = ""
    skipped: bool = False
    failed: bool = False
    fixed: FixResult | None = None
    fixable: Counter[str] = field(default_factory=Counter)
    verdict: str = ""
    settings: Settings = field(default_factory=Settings)


def check_files(files: Iterable[Candidate], task: Task, jobs: int) -> Generator[FileReport, None, None]:
    """Check files with ``jobs`` processes; the reports come in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    return results_in_order(files, _Check(task), jobs)


@dataclass(frozen=True, slots=True)
class _Check:
    """Checking a file, in a form that other processes can do."""

    task: Task

    def __call__(self, candidate: Candidate) -> FileReport:
        return check_file(candidate, self.task)

    def lost(self, candidate: Candidate, problem: str) -> FileReport:
        return _unread(candidate.path, problem, self.task)


def check_file(candidate: Candidate, task: Task) -> FileReport:
    """Read and check one file. Never raises on what is in it."""
    path = candidate.path
    settings = Settings()
    try:
        settings = settings_for(path, task.where)
        report = _check(path, task, resolve_settings(task.settings, settings), settings_text(task.settings, settings))
    except SettingsError as error:
        report = _unread(path, f"not checked: {error}", task)
    except Exception as error:  # a fault of ours must not end the check of all other files
        if is_no_record(candidate, error):
            return FileReport(path, skipped=True)
        report = _unread(path, trouble(error), task)
    return replace(report, settings=settings)


def settings_text(given: Settings, found: Settings) -> str:
    """What the settings of a file change beside those of the command line, in words; "" where there is no file."""
    if not found.file:
        return ""
    return f"{short_path(found.file)}: {'; '.join(effect_of(given, found)) or 'nothing is off'}"


def short_path(path: str) -> str:
    """A path as it is told: from the present folder, if it leads down from it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))  # noqa: PTH109, PTH118 - a path may not be one of this system


def _unread(path: str, problem: str, task: Task) -> FileReport:
    """The report of a file that could not be checked. In layouts for programs the problem is a finding too."""
    rendered: tuple[str, ...] = ()
    name = "<stdin>" if path == "-" else path
    if task.verdicts:
        from bgtools.cli import _verdicts

        assert task.layout is not None
        told = _verdicts.rendered(_verdicts.Verdict(name, "unreadable", reason=problem), task.layout)
        return FileReport(path, (told,), problem=problem, verdict="unreadable")
    if task.layout == "junit":
        from bgtools.reports import findings_data

        rendered = (findings_data.as_junit(name, (), problem=problem),)
    elif task.layout not in (None, "full"):
        match = about_file(name, problem)
        rendered = tuple(render(task.layout, finding, match, findings.plain) for finding in match.findings)
    return FileReport(path, rendered, problem=problem)


def _check(path: str, task: Task, policy: Policy, told: str) -> FileReport:
    from bgtools.checks.checking import check

    fixed = None
    verdict = ""
    rendered: tuple[str, ...] = ()
    if task.verdicts:
        from bgtools.cli import _verdicts

        assert task.layout is not None
        found, matches, judged = _verdicts.verdict(path, policy, told)
        verdict = found.verdict
        if not (task.errors_only and verdict == "accept"):
            rendered = (_verdicts.rendered(found, task.layout),)
    else:
        if task.fixing is None:
            matches = tuple(map(policy.complete, read_all(path)))
            judged = tuple(policy.apply(check(match)) for match in matches)
        else:
            from bgtools.cli._fixing import fix

            matches, judged, fixed = fix(path, task.fixing, policy, task.layout)
        if task.layout is not None:
            rendered = _rendered(path, matches, judged, task, policy)
    findings_left = [finding for each in judged for finding in each]
    return FileReport(
        path,
        rendered,
        Counter((finding.code.id, finding.severity) for finding in findings_left),
        tuple(str(match.rules) for match in matches) if task.tell_rules else (),
        failed=policy.fails(findings_left),
        fixed=fixed,
        fixable=Counter(finding.fix.applicability for finding in findings_left if finding.fix is not None),
        verdict=verdict,
    )


def _rendered(
    path: str, matches: Sequence[Match], judged: Sequence[Sequence[Finding]], task: Task, policy: Policy
) -> tuple[str, ...]:
    """The findings of a file as they are to be printed."""
    assert task.layout is not None
    paint = _common.paint if task.colour else findings.plain
    wanted = [
        (finding, number)
        for number, found in enumerate(judged)
        for finding in found
        if not (task.errors_only and finding.severity is not Severity.ERROR)
    ]
    if task.layout == "junit":
        from bgtools.reports import findings_data

        name = "<stdin>" if path == "-" else path
        return (
            findings_data.as_junit(
                name, [(finding, matches[at]) for finding, at in wanted], failed=any(map(policy.fails, judged))
            ),
        )
    # "bgtools show" goes by the record's own rules. Under other rules the boards may differ.
    see = "" if policy.rules or task.layout != "full" else path
    return tuple(
        render(task.layout, finding, matches[at], paint, board_of(see or "-", matches, at, finding))
        for finding, at in wanted
    )


def settings_finding(layout: Layout, file: str, told: str, count: int) -> str:
    """The finding (BG011) that a settings file held for some files, as programs get it."""
    said = f"these settings held for {findings.count_files(count)}; {told.removeprefix(f'{short_path(file)}: ')}"
    match = about_file(short_path(file), said, codes.SETTINGS_FILE)
    (finding,) = match.findings
    if layout == "junit":
        from bgtools.reports import findings_data

        return findings_data.as_junit(short_path(file), [(finding, match)])
    return render(layout, finding, match, findings.plain)


def settings_data(_: str, told: str, count: int) -> dict[str, str | int]:
    """The same among the counts of --statistics."""
    code = codes.SETTINGS_FILE
    return {"code": code.id, "name": code.name, "severity": "hint", "findings": 1, "files": count, "settings": told}
