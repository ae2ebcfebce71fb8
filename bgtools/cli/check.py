"""``bgtools check``: is the record sound?"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bgtools.cli import _common, _completion, _terminal
from bgtools.cli._checking import Layout
from bgtools.cli._files import FilesArgument, JobsOption, cores, of_large_streams
from bgtools.cli._signing import KeysOption, OriginalOption, keys_in_files, originals
from bgtools.findings.finding import printable
from bgtools.reports.findings import count_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks.settings import Settings
    from bgtools.cli._checking import CheckTask, FileReport, Printer
    from bgtools.cli._fixing import FixOptions, FixResult
    from bgtools.findings.finding import Severity
    from bgtools.repair.verdicts import FileVerdict


Profile = Literal["strict", "tournament", "lenient"]
"""How strict to be."""


Least = Literal["error", "warning", "hint"]
"""The least severity that makes a check fail."""


def check_command(
    files: FilesArgument,
    layout: Annotated[Layout, typer.Option("--format", help="How to print findings.")] = "full",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print how often each code was found, instead of the findings.")
    ] = False,
    summary: Annotated[
        bool,
        typer.Option(
            "--summary",
            help="Print a verdict per file, no findings: accept, reconstructed, incomplete, fixable (by safe "
            "fixes), likely fixable (by the likeliest), reject, not a record or unreadable; with --format json or csv "
            "too.",
        ),
    ] = False,
    account: Annotated[
        bool,
        typer.Option(
            "--account",
            help="Print what is known of each match, and how: stated, derived, contradicted or unknown; with --format "
            "json too.",
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="With --summary: write the list, with players, event, score and what is wrong; the ending html, csv, "
            "json or md says how.",
        ),
    ] = None,
    profile: Annotated[
        Profile | None,
        typer.Option(
            help="strict: warnings are errors. lenient: layout and claims beside the plays are hints. "
            "The default is tournament.",
            show_default=False,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            help="Report these only: codes, beginnings of codes or names, with commas.",
            metavar="CODES",
            autocompletion=_completion.selectors,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Leave these out.", metavar="CODES", autocompletion=_completion.selectors)
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            help="How much a code matters: error, warning, hint or off.",
            metavar="CODE=LEVEL",
            autocompletion=_completion.code_severities,
        ),
    ] = None,
    fail_on: Annotated[
        Least | None,
        typer.Option(help="The least severity that makes the exit status 1; error by default.", show_default=False),
    ] = None,
    settings: Annotated[
        str,
        typer.Option(
            help="Take settings from this file; none: from no file; git:COMMIT: from the files of a commit; base: from "
            "those of the branch that a change is to go into, where pre-commit, GitHub or GitLab tell it.",
            metavar="FILE",
            show_default=False,
        ),
    ] = "",
    keys: KeysOption = None,
    original: OriginalOption = None,
    rules: Annotated[
        str | None,
        typer.Option(
            help="Rules of the game that complete or correct those of the record, such as no-crawford, jacoby, "
            "beavers=2, holland, cube-limit=64, nackgammon; with commas.",
            metavar="RULES",
        ),
    ] = None,
    show_rules: Annotated[
        bool, typer.Option("--show-rules", help="Tell on standard error by which rules each match is judged.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put right what the record itself proves; - goes to standard output.")
    ] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix: also what is only the likeliest of several readings.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")] = False,
    fix_only: Annotated[bool, typer.Option("--fix-only", help="Fix, and do not report what is left.")] = False,
    backup: Annotated[
        bool, typer.Option("--backup", help="With --fix: keep the old file, with .bak after its name.")
    ] = False,
    boards: Annotated[
        bool, typer.Option("--boards", help="With --fix: draw the board of each turn put right.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="With -o: write over what is there.")] = False,
    jobs: JobsOption = None,
) -> None:
    """Check records: every play, every cube action, every score.

    Prints each finding with its place, the row and what the board proves; "bgtools rule CODE"
    explains it. Folders are searched for records by their endings, hidden ones left out; a .txt file in
    them that is not a record is skipped.

    What is reported can also be set in bgtools.toml or in the table [tool.bgtools] of pyproject.toml,
    looked for in the record's folder and upwards, to the root of its repository or your home: the keys are profile,
    select, ignore, severity, fail-on, rules, keys and, for reports, me. The last lines name each such file and what it
    switches off. A file that others may write, but not the owner of the record, is skipped.

    --summary prints a line per file, also for clean ones: accept where the record holds every game from the start of
    the match to its end, nothing in it denies another thing and the check does not fail; reconstructed where a remark
    says besides that a repair put something in; incomplete where a part of the match is missing, whatever else is
    wrong; fixable where --fix makes it pass, likely fixable where --unsafe-fixes does, reject, not a record, or
    unreadable; with the numbers of findings. With -o verdicts.html it also writes a list to publish; the endings csv,
    json and md (for Markdown) do too. --account prints what is known of each match, and from what.

    --fix makes the fixes that findings offer, at their places and nowhere else, until nothing more gets better; a
    change after which the record is no better is taken back. Without --unsafe-fixes an illegal play that may have
    stood at the table stays as it stands. A record in a binary format is rewritten where that loses nothing.

    A record that is signed, as OGXM may be, is verified: by the keys in --keys FILE and under keys in the settings,
    each a name and the key. --original FILE is the record as it was signed; then it is told what has changed since.

    Exit status, by what is left: 0 no errors, 1 errors found (or what --fail-on asks for), 2 a file could not be read,
    130 interrupted.
    """
    from bgtools.checks.settings import SettingsError, parse_settings
    from bgtools.checks.settings_files import settings_for
    from bgtools.cli._checking import CheckTask

    _refuse_mixture(layout, statistics=statistics, summary=summary, account=account, fixes=fix or fix_only or diff)
    if output is not None:
        _refuse_output(output, summary=summary, force=force)
    try:
        given = parse_settings(
            profile=profile, select=select, ignore=ignore or (), severity=severity or (), fail_on=fail_on, rules=rules
        )
        if settings not in ("", "base") and not settings.startswith("git:"):
            settings_for("-", settings)  # a file that cannot be followed is not a fault of any record
    except SettingsError as error:
        _common.fail(str(error))
    tally = _CheckTally(given, verdicts=summary)
    fixing = None
    if boards and diff:
        _common.fail("--boards draws the turns that were fixed, and --diff changes nothing; give one of them")
    if fix or fix_only or diff:
        from bgtools.cli._fixing import FixOptions

        fixing = FixOptions(
            unsafe=unsafe_fixes, diff=diff, only=fix_only or diff, backup=backup, boards=boards, width=_terminal.width()
        )
    elif unsafe_fixes or backup or boards:
        _common.fail("--unsafe-fixes, --backup and --boards say how to fix; they go with --fix or --diff")
    try:
        colour = layout == "full" and _terminal.shows_colour(sys.stdout)
        task = CheckTask(
            given,
            None if statistics else layout,
            quiet,
            colour,
            show_rules,
            fixing,
            verdicts=summary,
            account=account,
            keys=keys_in_files(keys or ()),
            originals=originals(original or ()),
            where=settings,
            columns=_terminal.width(),
        )
        status = _check(files, task, layout, tally, jobs or cores())
        if output is not None:
            _write_list(tally.listed, output, force=force)
    except KeyboardInterrupt:
        _common.print_error(f"interrupted after {tally.summary()}")
        status = _common.INTERRUPTED
    raise typer.Exit(status)


def _refuse_output(output: Path, *, summary: bool, force: bool) -> None:
    """End where a list of verdicts cannot be written, before any work is done."""
    from bgtools.reports.lists import ENDINGS

    if not summary:
        _common.fail("-o writes the list of verdicts; it goes with --summary")
    if output.suffix.lower() not in ENDINGS:
        _common.fail(f"{output}: the name of a list ends with one of {', '.join(ENDINGS)}")
    _common.exit_if_exists(output, force=force)


def _write_list(found: Sequence[FileVerdict], output: Path, *, force: bool) -> None:
    from bgtools._disk import atomic_writer
    from bgtools.reports.lists import verdict_bytes
    from bgtools.site.alone import verdicts_page

    ending = output.suffix.lower()
    content = verdicts_page(found) if ending == ".html" else verdict_bytes(found, ending)
    with _common.exit_if_unwritable(output), atomic_writer(output, force=force) as stream:
        stream.write(content)
    _terminal.say(f"written to {printable(str(output))}: {count_files(len(found))}", err=True)


def _refuse_mixture(layout: Layout, *, statistics: bool, summary: bool, account: bool, fixes: bool) -> None:
    """End with a message where options do not go together."""
    if account and (statistics or summary or fixes or layout not in ("full", "json")):
        why = "--account prints what is known of each match, or that as json; it goes with no other layout"
    elif summary and (statistics or fixes):
        other = "--statistics" if statistics else "--fix and --diff"
        why = f"--summary changes nothing and prints a verdict per file; it does not go with {other}"
    elif summary and layout not in _FOR_VERDICTS:
        why = f"--summary cannot be printed as {layout}; use full, json or csv"
    elif statistics and layout not in ("full", "concise", "json"):
        why = f"--statistics cannot be printed as {layout}; use full, concise or json"
    elif layout == "csv" and not summary:
        why = "--format csv goes with --summary; findings are printed as json"
    elif fixes and layout in ("junit", "gitlab"):
        why = f"--format {layout} cannot hold fixes; it goes without --fix and --diff"
    else:
        return
    _common.fail(why)


_FOR_VERDICTS: Final = ("full", "concise", "json", "csv")


class _CheckTally:
    """The totals over all files."""

    def __init__(self, given: Settings, *, verdicts: bool = False) -> None:
        self.given = given
        self.settings: dict[str, Settings] = {}
        self.under: Counter[str] = Counter()
        self.passed_over: dict[str, None] = {}
        self.verdicts: Counter[str] | None = Counter() if verdicts else None
        self.listed: list[FileVerdict] = []
        self.codes: Counter[tuple[str, Severity]] = Counter()
        self.files_with: Counter[tuple[str, Severity]] = Counter()
        self.files = 0
        self.skipped: list[str] = []
        self.problems: list[tuple[str, str]] = []
        self.failed = False
        self.fixed = 0
        self.changed = 0
        self.refused = 0
        self.fixable = 0

    def add(self, report: FileReport) -> None:
        self.passed_over |= dict.fromkeys(report.settings.passed_over)
        if (file := report.settings.file) and not report.skipped:
            self.settings[file] = report.settings
            self.under[file] += 1
        if self.verdicts is not None and report.verdict is not None:
            self.verdicts[report.verdict.verdict] += 1
            self.listed.append(report.verdict)
        if report.problem:
            self.problems.append((report.path, report.problem))
        elif report.skipped:
            self.skipped.append(report.path)
        else:
            self.files += 1
            self.codes += report.counts
            self.files_with.update(report.counts.keys())
            self.failed = self.failed or report.failed
            self.fixable += report.fixable
            if report.fixed is not None:
                self.fixed += report.fixed.made
                self.changed += report.fixed.made > 0
                self.refused += bool(report.fixed.refused)

    def summary(self) -> str:
        from bgtools.reports import findings

        if self.verdicts is not None:
            from bgtools.cli import _checking

            return _checking.verdicts_summary(self.verdicts) + findings.skipped_files(self.skipped)
        severities: Counter[Severity] = Counter()
        for (_, severity), count in self.codes.items():
            severities[severity] += count
        text = findings.summary(severities, self.files) if self.files else "no record was checked"
        if self.problems:
            text += f"; {findings.count_files(len(self.problems))} could not be checked"
        return text + findings.skipped_files(self.skipped)

    def settings_told(self) -> Iterator[tuple[str, str, int]]:
        """Each settings file that held for something, what it changes, and for how many files it held."""
        from bgtools.cli._checking import settings_text

        for file, settings in self.settings.items():
            yield file, settings_text(self.given, settings), self.under[file]

    def status(self, fixing: FixOptions | None) -> int:
        """The exit status."""
        if self.problems or self.refused:
            return 2
        if fixing is not None and fixing.only:
            return int(fixing.diff and self.fixed > 0)
        return int(self.failed)

    def fixes(self, fixing: FixOptions) -> str:
        """What was fixed, and what more could be."""
        from bgtools.reports.findings import count_files

        would = " would be" if fixing.diff else ""
        text = f"{self.fixed:,} fix{'es' * (self.fixed != 1)}{would} made in {count_files(self.changed)}"
        text += f"; up to {self.fixable:,} more with --unsafe-fixes" if self.fixable else ""
        return text + (f"; {count_files(self.refused)} not fixed" if self.refused else "")


def _heading(layout: Layout) -> str:
    """The heading of a table of verdicts; "" where they are printed in another way."""
    if layout != "csv":
        return ""
    from bgtools.cli import _checking

    return _checking.verdicts_opening()


def _check(paths: list[str], task: CheckTask, layout: Layout, tally: _CheckTally, jobs: int) -> int:
    """Check the files and print what is found; the exit status."""
    from bgtools.cli._checking import Printer, check_files
    from bgtools.cli._progress import file_bar
    from bgtools.formats.searching import candidates

    statistics = task.layout is None
    fixing = task.fixing
    # The record that --fix makes of standard input goes to standard output, and findings to standard error.
    data_out = fixing is not None and not fixing.diff and "-" in paths
    printer = Printer(layout, (sys.stderr if data_out else sys.stdout).write)
    shared = sys.stdout.isatty()  # findings and progress bar go to the same terminal
    if not statistics:
        printer.open(_heading(layout))
    files = candidates(paths)
    if task.fixing is None:
        files = of_large_streams(files)
    with file_bar(paths) as bar, closing(check_files(files, task, jobs)) as reports:
        for report in reports:
            tally.add(report)
            if report.rendered or report.problem or report.rules or report.fixed:
                with bar.paused() if report.problem or report.rules or report.fixed or shared else nullcontext():
                    _show(report, printer, fixing)
            bar.advance()
    if statistics:
        _print_statistics(tally, layout)
    else:
        if layout not in ("full", "concise") and not task.verdicts:
            from bgtools.cli._checking import settings_finding

            printer.add([settings_finding(layout, *each) for each in tally.settings_told()])
        printer.close(tally.problems)
    sys.stdout.flush()
    if fixing is not None:
        _terminal.say(tally.fixes(fixing), err=True)
    if fixing is None or not fixing.only:
        _terminal.say(tally.summary(), err=True)
    for _, told, count in tally.settings_told():
        _terminal.say(printable(f"settings for {count_files(count)}: {told}"), err=True)
    for each in tally.passed_over:
        _terminal.say(printable(f"settings passed over: {each}"), err=True)
    return tally.status(fixing)


def _show(report: FileReport, printer: Printer, fixing: FixOptions | None) -> None:
    """Print what there is to say of a file."""
    for number, told in enumerate(report.rules, 1):
        which = f" (match {number})" if len(report.rules) > 1 else ""
        _terminal.say(f"{printable(report.path)}{which}: {told}", err=True)
    if report.problem and not report.verdict:  # a verdict has it as its reason
        _common.print_error(f"{report.path}: {report.problem}")
    if report.fixed is not None:
        _show_fixes(report, report.fixed, printer)
    if fixing is None or not fixing.only:
        printer.add(report.rendered)
    if report.cut_short is not None:
        match, game = report.cut_short
        where = f"game {game}" if match == 1 else f"game {game} of match {match}"
        _common.print_error(f"{report.path}: not every fix was looked for, from {where} on; there are too many errors")


def _show_fixes(report: FileReport, fixed: FixResult, printer: Printer) -> None:
    """Print what was done to a file, and what could not be."""
    if fixed.diff and printer.layout != "json":
        printer.write(fixed.diff)
    elif printer.layout in ("full", "concise", "json"):
        printer.add(fixed.messages)
    if fixed.refused:
        _common.print_error(f"{report.path}: not fixed: {fixed.refused}")
    for note in fixed.notes:
        _common.print_error(f"{report.path}: fixed, but {note}")
    for line in fixed.undecided:
        _terminal.say(line, err=True)
    if fixed.data is not None:
        stream = _terminal.data_stream()
        stream.write(fixed.data)
        stream.flush()


def _print_statistics(tally: _CheckTally, layout: Layout) -> None:
    from bgtools.checks.registry import known_codes
    from bgtools.reports.findings import count_files

    names = {code.id: code.name for code in known_codes().values()}
    rows = sorted(tally.codes.items(), key=lambda item: (-item[1], item[0]))
    if layout == "json":
        from bgtools.cli._checking import settings_data
        from bgtools.reports.findings_data import dumps

        lines = [
            dumps({
                "code": code, "name": names.get(code, ""), "severity": str(severity), "findings": count,
                "files": tally.files_with[code, severity],
            })
            for (code, severity), count in rows
        ]  # fmt: skip
        lines += [dumps(settings_data(*each)) for each in tally.settings_told()]
        _terminal.say("[" + ",".join(f"\n{line}" for line in lines) + ("\n]" if lines else "]"))
        return
    width = max((len(f"{count:,}") for _, count in rows), default=0)
    for (code, severity), count in rows:
        where = count_files(tally.files_with[code, severity])
        _terminal.say(f"{count:>{width},}  {code} {names.get(code, '')} ({severity}) in {where}")
