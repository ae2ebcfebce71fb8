"""Checking each of many files, and a report of every one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.checks import Policy, Settings, SettingsError, resolve_settings, settings_for
from bgtools.cli import _common
from bgtools.cli._files import in_order
from bgtools.cli._layouts import Layout, board_of, render
from bgtools.findings import Severity
from bgtools.formats import Candidate, is_no_record, read_all, trouble, unreadable
from bgtools.reports import findings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from bgtools.cli._fixing import Fixing, Outcome
    from bgtools.findings import Finding
    from bgtools.record import Match


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
        verdicts: whether a verdict on the file is rendered, in place of its findings.
    """

    settings: Settings
    layout: Layout | None = "full"
    errors_only: bool = False
    colour: bool = False
    tell_rules: bool = False
    fixing: Fixing | None = None
    verdicts: bool = False


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
    verdict: str = ""


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
        match = unreadable(name, problem)
        rendered = tuple(render(task.layout, finding, match, findings.plain) for finding in match.findings)
    return FileReport(path, rendered, problem=problem)


def _check(path: str, task: Task, policy: Policy) -> FileReport:
    from bgtools.checks import check

    fixed = None
    verdict = ""
    rendered: tuple[str, ...] = ()
    if task.verdicts:
        from bgtools.cli import _verdicts

        assert task.layout is not None
        told, matches, judged = _verdicts.verdict(path, policy)
        verdict = told.verdict
        if not (task.errors_only and verdict == "accept"):
            rendered = (_verdicts.rendered(told, task.layout),)
    else:
        if task.fixing is None:
            matches = tuple(map(policy.complete, read_all(path)))
            judged = tuple(policy.apply(check(match)) for match in matches)
        else:
            from bgtools.cli._fixing import fix

            matches, judged, fixed = fix(path, task.fixing, policy, task.layout)
        if task.layout is not None:
            rendered = _rendered(path, matches, judged, task, policy)
    found = [finding for each in judged for finding in each]
    return FileReport(
        path,
        rendered,
        Counter((finding.code.id, finding.severity) for finding in found),
        tuple(str(match.rules) for match in matches) if task.tell_rules else (),
        failed=policy.fails(found),
        fixed=fixed,
        fixable=Counter(finding.fix.applicability for finding in found if finding.fix is not None),
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
