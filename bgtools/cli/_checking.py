"""Checking each of many files: the layouts of findings, a report of every file, and verdicts."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from bgtools._disk import size
from bgtools._shell import shell_path
from bgtools.checks.settings import Policy, Settings, SettingsError, effect_of, resolve_settings
from bgtools.checks.settings_files import settings_for
from bgtools.cli import _common
from bgtools.cli._files import results_in_order
from bgtools.cli._signing import knowing, with_changes_told
from bgtools.findings import codes
from bgtools.findings.finding import Severity, printable
from bgtools.formats.content import NoRecord
from bgtools.formats.reading import about_file
from bgtools.formats.searching import FileCandidate, is_no_record, require_record, trouble
from bgtools.reports import findings
from bgtools.reports.findings import severities

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.cli._fixing import FixOptions, FixResult
    from bgtools.findings.finding import Finding
    from bgtools.formats.ogxm.signatures import SigningKey
    from bgtools.record.record import Match
    from bgtools.repair.verdicts import FileVerdict


Layout = Literal["full", "concise", "json", "csv", "sarif", "github", "gitlab", "junit"]
"""How findings are printed."""
_SHOW_FIXES: Final = ("full", "json", "sarif")
"""Layouts that show fixes. For others nobody looks for any."""


def render(
    layout: Layout,
    finding: Finding,
    match: Match,
    paint: Callable[[str, str], str],
    see: str = "",
    columns: int | None = None,
) -> str:
    """One finding; ``see`` is the command that draws its board, if there is one, ``columns`` the width of a line."""
    assert match.source is not None
    match layout:
        case "full":
            if columns is None:
                return findings.full(finding, match.source, paint, see) + "\n"
            return findings.full(finding, match.source, paint, see, partial(_wrapped, columns)) + "\n"
        case "concise":
            return findings.concise(finding, match.source)
    from bgtools.reports import findings_data

    if layout == "json":
        return findings_data.as_json(finding, match)
    if layout == "gitlab":
        return findings_data.as_gitlab(finding, match)
    return findings_data.as_sarif(finding, match) if layout == "sarif" else findings_data.as_github(finding, match)


def _wrapped(columns: int, text: str, indent: str) -> list[str]:
    from bgtools.cli._terminal import wrap_words

    return wrap_words(text, columns, indent)


def board_of(path: str, matches: Sequence[Match], number: int, finding: Finding) -> str:
    """The command that draws the board of a finding; "" where none would.

    Args:
        path: the file, as the user named it.
        matches: all that are in it.
        number: the index of the match that the finding is in.
        finding: what is found.
    """
    # The board can be drawn if the file can be read again and only one game has the number.
    if path == "-" or not finding.game or not finding.entry or printable(path) != path:
        return ""
    if [game.number for game in matches[number].games].count(finding.game) != 1:
        return ""
    which = f" --match {number + 1}" if len(matches) > 1 else ""
    return f"bgtools show {shell_path(path)}{which} -g {finding.game} -e {finding.entry}"


@dataclass(slots=True)
class Printer:
    """Prints findings one after the other, so that no more than one file's are held."""

    layout: Layout
    write: Callable[[str], object]
    printed: int = 0

    def open(self, heading: str = "") -> None:
        """Print what is before all findings; ``heading`` is the first line of a table, with its line end."""
        self.write(heading)
        if self.layout in ("json", "gitlab"):
            self.write("[")
        elif self.layout == "junit":
            from bgtools.reports import findings_data

            self.write(findings_data.JUNIT_OPENING)
        elif self.layout == "sarif":
            from bgtools.reports.findings_data import sarif_opening

            self.write(sarif_opening())

    def add(self, rendered: Sequence[str]) -> None:
        """Print findings."""
        if not rendered:
            return
        if self.layout in ("json", "sarif", "gitlab"):
            before = ",\n" if self.printed else "\n"
            self.write(before + ",\n".join(rendered))
        else:
            self.write("\n".join(rendered) + "\n")
        self.printed += len(rendered)

    def close(self, problems: Sequence[tuple[str, str]]) -> None:
        """Print what stands after all findings; ``problems`` are the files that could not be read, with reasons."""
        end = "\n" if self.printed else ""
        if self.layout in ("json", "gitlab"):
            self.write(f"{end}]\n")
        elif self.layout == "junit":
            from bgtools.reports import findings_data

            self.write(findings_data.JUNIT_CLOSING)
        elif self.layout == "sarif":
            from bgtools.reports.findings_data import sarif_closing

            self.write(f"{end}{sarif_closing(problems)}\n")


@dataclass(frozen=True, slots=True)
class CheckTask:
    """What to do with every file.

    Attributes:
        settings: those of the command line.
        where: where the settings file is looked for, as `bgtools.checks.settings_files.settings_for` takes it.
        layout: how findings are rendered; None for counting only.
        errors_only: whether warnings and hints are left out of what is rendered.
        colour: whether the terminal shows colours.
        tell_rules: whether to tell the rules that each match is judged by.
        fixing: how the file is fixed; None where it is only checked.
        columns: how many a line may have; None for any number.
        verdicts: whether a verdict on the file is rendered, in place of its findings.
        account: whether what is known of each match is rendered, in place of the findings.
        keys: keys that have signed records.
        originals: matches as they were when they were signed.
    """

    settings: Settings
    layout: Layout | None = "full"
    errors_only: bool = False
    colour: bool = False
    tell_rules: bool = False
    fixing: FixOptions | None = None
    verdicts: bool = False
    account: bool = False
    keys: tuple[SigningKey, ...] = ()
    originals: tuple[Match, ...] = ()
    where: str = ""
    columns: int | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking one file.

    Attributes:
        path: the file.
        rendered: its findings, or the verdict on it, as they are to be printed.
        counts: how many there are of each code and severity.
        rules: the rules of each match, where they were asked for.
        problem: why it could not be checked; empty when it could.
        skipped: whether it is not a record, found in a folder and not named by the user.
        failed: whether a finding is bad enough to fail the check.
        fixed: what was done to the file, where it was to be fixed.
        fixable: how many of the findings that are left after safe fixes offer another; 0 where the file was refused.
        verdict: the verdict on the file, where it was asked for.
        cut_short: from which match and game on, counted from 1, not every fix was looked for.
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
    fixable: int = 0
    verdict: FileVerdict | None = None
    cut_short: tuple[int, int] | None = None
    settings: Settings = field(default_factory=Settings)


def check_files(files: Iterable[FileCandidate], task: CheckTask, jobs: int) -> Generator[FileReport, None, None]:
    """Check files with ``jobs`` processes; the reports come in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    return results_in_order(files, _Check(task), jobs)


@dataclass(frozen=True, slots=True)
class _Check:
    """Checking a file, in a form that other processes can do."""

    task: CheckTask

    def __call__(self, candidate: FileCandidate) -> FileReport:
        return check_file(candidate, self.task)

    def lost(self, candidate: FileCandidate, problem: str) -> FileReport:
        return _unread(candidate.path, problem, self.task)


def check_file(candidate: FileCandidate, task: CheckTask) -> FileReport:
    """Read and check one file. Never raises on what is in it."""
    path = candidate.path
    settings = Settings()
    try:
        require_record(candidate)
        settings = settings_for(path, task.where)
        policy, message = resolve_settings(task.settings, settings), settings_text(task.settings, settings)
        with knowing(task.keys, settings):
            report = _check(candidate, task, policy, message)
    except SettingsError as error:
        report = _unread(path, f"not checked: {error}", task)
    except Exception as error:  # a fault of ours must not end the check of all other files
        if is_no_record(candidate, error) and not (task.verdicts and size(path) == 0):
            return FileReport(path, skipped=True)
        report = _unread(path, trouble(error), task, is_record=not isinstance(error, NoRecord))
    return replace(report, settings=settings)


def settings_text(given: Settings, found: Settings) -> str:
    """What the settings of a file change beside those of the command line, in words; "" where there is no file."""
    if not found.file:
        return ""
    return f"{short_path(found.file)}: {'; '.join(effect_of(given, found)) or 'nothing is off'}"


def short_path(path: str) -> str:
    """A path as it is told: from the present folder, if it leads down from it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))  # noqa: PTH109, PTH118 - a path may not be one of this system


def _unread(path: str, problem: str, task: CheckTask, *, is_record: bool = True) -> FileReport:
    """The report of a file that could not be checked. In layouts for programs the problem is a finding too."""
    rendered: tuple[str, ...] = ()
    name = "<stdin>" if path == "-" else path
    if task.verdicts:
        assert task.layout is not None
        from bgtools.repair.verdicts import FileVerdict

        found = FileVerdict(name, "unreadable" if is_record else "not a record", reason=problem)
        return FileReport(path, (verdict_text(found, task.layout),), problem=problem, verdict=found)
    if task.layout == "junit":
        from bgtools.reports import findings_data

        rendered = (findings_data.as_junit(name, (), problem=problem),)
    elif task.layout not in (None, "full"):
        match = about_file(name, problem)
        rendered = tuple(render(task.layout, finding, match, findings.plain) for finding in match.findings)
    return FileReport(path, rendered, problem=problem)


def _check(candidate: FileCandidate, task: CheckTask, policy: Policy, message: str) -> FileReport:
    from bgtools.decoder.memory import Memory
    from bgtools.repair.states import check_file

    path, fixed = candidate.path, None
    verdict: FileVerdict | None = None
    rendered: tuple[str, ...] = ()
    if task.verdicts:
        from bgtools.repair.verdicts import verdict_on

        assert task.layout is not None
        data, name = candidate.content()
        found, _, matches, judged = verdict_on(data, name, policy)
        verdict = found = replace(found, file="<stdin>" if path == "-" else path, settings=message)
        if not (task.errors_only and found.verdict == "accept"):
            rendered = (verdict_text(found, task.layout),)
    else:
        if task.fixing is None:
            data, name = candidate.content()
            shows_fixes = task.layout in _SHOW_FIXES
            memory = Memory() if shows_fixes else None
            state = check_file(data, name, policy, memory=memory)
            if shows_fixes and any(state.found):
                from bgtools.repair.planning import FilePlan  # a sound record needs none of it

                state = FilePlan(state, name, policy, memory=memory).state
            matches, judged = state.matches, tuple(map(policy.apply, state.found))
        else:
            from bgtools.cli._fixing import fix

            matches, judged, fixed = fix(path, task.fixing, policy, task.layout)
        judged = tuple(
            with_changes_told(match, found, task.originals) for match, found in zip(matches, judged, strict=True)
        )
        if task.account:
            rendered = tuple(_accounts(path, matches, judged, task.layout))
        elif task.layout is not None:
            rendered = _rendered(path, matches, judged, task, policy)
    findings_left = [finding for each in judged for finding in each]
    searched = fixed or next((each.plan for each in findings_left if each.plan is not None), None)
    return FileReport(
        path,
        rendered,
        Counter((finding.code.id, finding.severity) for finding in findings_left),
        tuple(str(match.rules) for match in matches) if task.tell_rules else (),
        failed=policy.fails(findings_left),
        fixed=fixed,
        fixable=_fixable(findings_left, fixed) if task.fixing and not task.fixing.unsafe else 0,
        verdict=verdict,
        cut_short=None if searched is None else searched.cut_short,
    )


def _fixable(found: Sequence[Finding], fixed: FixResult | None) -> int:
    """How many findings offer one fix that was not made. Of two that explain as much, neither ever is."""
    if fixed is None or fixed.refused:
        return 0
    return sum(each.fix is not None and not each.fix.alternatives for each in found)


def _rendered(
    path: str, matches: Sequence[Match], findings_of: Sequence[Sequence[Finding]], task: CheckTask, policy: Policy
) -> tuple[str, ...]:
    """The findings of a file as they are to be printed."""
    assert task.layout is not None
    paint = _common.paint if task.colour else findings.plain
    wanted = [
        (finding, number)
        for number, found in enumerate(findings_of)
        for finding in found
        if not (task.errors_only and finding.severity is not Severity.ERROR)
    ]
    if task.layout == "junit":
        from bgtools.reports import findings_data

        name = "<stdin>" if path == "-" else path
        return (
            findings_data.as_junit(
                name, [(finding, matches[at]) for finding, at in wanted], failed=any(map(policy.fails, findings_of))
            ),
        )
    # "bgtools show" goes by the record's own rules. Under other rules the boards may differ.
    see = "" if policy.rules or task.layout != "full" else path
    return tuple(
        render(task.layout, finding, matches[at], paint, board_of(see or "-", matches, at, finding), task.columns)
        for finding, at in wanted
    )


def settings_finding(layout: Layout, file: str, message: str, count: int) -> str:
    """The finding (BG011) that a settings file held for some files, as programs get it."""
    said = f"these settings held for {findings.count_files(count)}; {message.removeprefix(f'{short_path(file)}: ')}"
    match = about_file(short_path(file), said, codes.SETTINGS_FILE)
    (finding,) = match.findings
    if layout == "junit":
        from bgtools.reports import findings_data

        return findings_data.as_junit(short_path(file), [(finding, match)])
    return render(layout, finding, match, findings.plain)


def settings_data(_: str, message: str, count: int) -> dict[str, str | int]:
    """The same among the counts of --statistics."""
    code = codes.SETTINGS_FILE
    return {"code": code.id, "name": code.name, "severity": "hint", "findings": 1, "files": count, "settings": message}


def verdicts_opening() -> str:
    """The first line of verdicts as CSV."""
    from bgtools.repair.verdicts import FileVerdict

    return ",".join(each.name for each in fields(FileVerdict)) + "\n"


def verdict_text(found: FileVerdict, layout: Layout) -> str:
    """A verdict as it is printed."""
    if layout == "json":
        from bgtools.reports.findings_data import dumps

        return dumps(asdict(found))
    if layout == "csv":
        from bgtools.reports.values import csv_text

        cells = [printable(each) if isinstance(each, str) else each for each in asdict(found).values()]
        return csv_text([cells]).removesuffix("\n")
    counts = {Severity.ERROR: found.errors, Severity.WARNING: found.warnings, Severity.HINT: found.hints}
    said = [severities(counts)] if any(counts.values()) else []
    fixing = found.besides if found.verdict == "incomplete" else found.verdict
    if fixing in ("fixable", "likely fixable"):
        which = "safe fix" if fixing == "fixable" else "fix"
        said.append(f"{findings.few(found.fixes, which, f'{which}es')} {'leaves' if found.fixes == 1 else 'leave'}")
        said[-1] += f" nothing {'else ' * bool(found.besides)}that fails"
        said[-1] += ", with --unsafe-fixes" * (fixing == "likely fixable")
    if found.verdict in ("incomplete", "not a record") and found.wrong:
        said.insert(0, found.wrong)
    if found.repaired:
        said.append(f"reconstructed: {found.repaired}")
    if found.reason:
        said.append(found.reason)
    told = f": {'; '.join(said)}" if said else ""
    return f"{found.verdict:<14}  {printable(found.file)}{printable(told)}"


def _accounts(
    path: str, matches: Sequence[Match], findings_of: Sequence[Sequence[Finding]], layout: Layout | None
) -> Iterator[str]:
    """What is known of each match of a file, as it is printed."""
    from bgtools.checks.account import account_of

    for number, (match, found) in enumerate(zip(matches, findings_of, strict=True), 1):
        account = account_of(match, None, found)
        if layout == "json":
            from bgtools.reports.findings_data import dumps
            from bgtools.reports.values import values_of

            facts, games = ([each._asdict() for each in rows] for rows in (account.facts, account.games))
            known = values_of(account, "is_record is_whole lacks score winner")
            yield dumps({"file": path, "match": number, **known, "facts": facts, "games": games})
            continue
        rows = [(each.name, each.standing, each.value, each.source) for each in account.facts]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        title = path if len(matches) == 1 else f"{path}, match {number}"
        lines = [printable(title), *("  ".join(map(str.ljust, map(printable, row), widths)).rstrip() for row in rows)]
        yield "\n".join([*lines, *(f"not whole: {printable(each)}" for each in account.lacks), ""])


def verdicts_summary(counts: Counter[str]) -> str:
    """How many files have each verdict, in words."""
    told = {
        "accept": "to accept", "reconstructed": "reconstructed", "incomplete": "incomplete", "fixable": "fixable",
        "likely fixable": "likely fixable", "reject": "to reject", "not a record": "not a record",
        "unreadable": "unreadable",
    }  # fmt: skip
    rare = ("reconstructed", "incomplete", "likely fixable", "not a record")
    some = {name: words for name, words in told.items() if counts[name] or name not in rare}
    return ", ".join(f"{counts[name]:,} {words}" for name, words in some.items())
