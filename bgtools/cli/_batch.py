"""Checking each of many files, and a report of every one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.checks import Policy, Settings, SettingsError, resolve_settings, settings_for
from bgtools.cli import _common
from bgtools.cli._files import Candidate, in_order, is_no_record, trouble
from bgtools.cli._layouts import Layout, render
from bgtools.findings import Severity
from bgtools.formats import read_all, unreadable
from bgtools.reports import findings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from bgtools.cli._fixing import Fixing, Outcome


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with every file.

    Attributes:
        settings: those of the command line.
        layout: how findings are rendered; None for counting only.
        errors_only: whether warnings and hints are left out of what is rendered.
        colour: whether the terminal shows colours.
        tell_rules: whether to tell the rules that each match is judged by.
        fixing: how the file is fixed; None where it is only checked.
    """

    settings: Settings
    layout: Layout | None = "full"
    errors_only: bool = False
    colour: bool = False
    tell_rules: bool = False
    fixing: Fixing | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking one file.

    Attributes:
        path: the file.
        rendered: its findings as they are to be printed.
        counts: how many there are of each code and severity.
        rules: the rules of each match, where they were asked for.
        problem: why it could not be checked; empty when it could.
        skipped: whether it is no record, found in a folder and not named by the user.
        failed: whether a finding is bad enough to fail the check.
        fixed: what was done to the file, where it was to be fixed.
        fixable: how many findings offer a fix of each applicability.
    """

    path: str
    rendered: tuple[str, ...] = ()
    counts: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    rules: tuple[str, ...] = ()
    problem: str = ""
    skipped: bool = False
    failed: bool = False
    fixed: Outcome | None = None
    fixable: Counter[str] = field(default_factory=Counter)


def check_files(files: Iterable[Candidate], task: Task, jobs: int) -> Generator[FileReport, None, None]:
    """Check files with ``jobs`` processes; the reports come in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    return in_order(files, _Check(task), jobs)


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
    try:
        return _check(path, task, resolve_settings(task.settings, settings_for(path)))
    except SettingsError as error:
        return _unread(path, f"not checked: {error}", task)
    except Exception as error:  # a fault of ours must not end the check of all other files
        if is_no_record(candidate, error):
            return FileReport(path, skipped=True)
        return _unread(path, trouble(error), task)


def _unread(path: str, problem: str, task: Task) -> FileReport:
    """The report of a file that could not be checked. In layouts for programs the problem is a finding too."""
    rendered: tuple[str, ...] = ()
    if task.layout not in (None, "full"):
        match = unreadable("<stdin>" if path == "-" else path, problem)
        rendered = tuple(render(task.layout, finding, match, findings.plain) for finding in match.findings)
    return FileReport(path, rendered, problem=problem)


def _check(path: str, task: Task, policy: Policy) -> FileReport:
    from bgtools.checks import check

    paint = _common.paint if task.colour else findings.plain
    counts: Counter[tuple[str, Severity]] = Counter()
    rendered: list[str] = []
    failed = False
    fixed = None
    if task.fixing is None:
        matches = tuple(map(policy.complete, read_all(path)))
        judged = tuple(policy.apply(check(match)) for match in matches)
    else:
        from bgtools.cli._fixing import fix

        matches, judged, fixed = fix(path, task.fixing, policy, task.layout)
    fixable: Counter[str] = Counter()
    for match, found in zip(matches, judged, strict=True):
        failed = failed or policy.fails(found)
        for finding in found:
            counts[finding.code.id, finding.severity] += 1
            if finding.fix is not None:
                fixable[finding.fix.applicability] += 1
            if task.layout is not None and not (task.errors_only and finding.severity is not Severity.ERROR):
                rendered.append(render(task.layout, finding, match, paint))
    rules = tuple(str(match.rules) for match in matches) if task.tell_rules else ()
    return FileReport(path, tuple(rendered), counts, rules, failed=failed, fixed=fixed, fixable=fixable)
