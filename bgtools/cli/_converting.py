"""Converting many records: several processes read and convert them, and this one saves the results."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools._disk import is_file, is_taken, make_folders, save, why
from bgtools.cli import _common, _terminal
from bgtools.cli._files import results_in_order, split_matches, stream_records
from bgtools.conversion.conversion import changed_finding, convert, refused_finding, safe_name
from bgtools.findings.finding import Severity, printable
from bgtools.formats.archives import is_stream_name, stream_writer
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.formats.searching import FileCandidate, candidates, is_no_record, is_report, require_record, trouble
from bgtools.reports.findings import concise, count_files, skipped_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.cli._progress import Bar
    from bgtools.conversion.conversion import Converted, Target
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match

_TOLD_OF_A_KIND: Final = 3
_PACKED: Final = (".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz")


@dataclass(frozen=True, slots=True)
class ConversionTask:
    """How every record is converted.

    Attributes:
        target: the format and dialect to write.
        source_format: the name of the format of the records; "" to find it out.
        strict, allow, verify: as `bgtools.conversion.conversion.convert` takes them.
        quiet: whether losses are not told.
        is_file_per_match: whether every match gets a file of its own where the format holds but one.
    """

    target: Target
    source_format: str
    strict: bool
    allow: frozenset[str]
    verify: bool
    quiet: bool
    is_file_per_match: bool


@dataclass(frozen=True, slots=True)
class ConversionResult:
    """The result of one record.

    Attributes:
        path: the record.
        data: the bytes of each file to write; None for one that is not to be written.
        messages: what is said of it on standard error.
        status: the exit status that this record asks for.
        skipped: whether it is not a record, found in a folder.
        proved: what was proved of the file that was written; "" where nothing was.
        is_copied: whether the bytes are those of the record.
    """

    path: str
    data: tuple[bytes | None, ...] = ()
    messages: tuple[str, ...] = ()
    status: int = 0
    skipped: bool = False
    proved: str = ""
    is_copied: bool = False


@dataclass(frozen=True, slots=True)
class ConversionWork:
    """Converting a record, in a form that other processes can do.

    Attributes:
        task: how it is converted.
        jobs: how many processes share the matches of a record, where each gets a file of its own.
    """

    task: ConversionTask
    jobs: int = 1

    def __call__(self, candidate: FileCandidate) -> ConversionResult:
        try:
            if not self.task.source_format:
                require_record(candidate)
            matches = read_source(*candidate.content(), self.task.source_format or None)
        except Exception as error:  # a fault of ours must not end the conversion of all other files
            if is_no_record(candidate, error):
                return ConversionResult(candidate.path, skipped=True)
            return self.lost(candidate, trouble(error))
        single = self.task.is_file_per_match and len(matches) > 1 and not self.task.target.format.holds_several
        if single:
            try:
                shares = split_matches(matches, partial(self._each, candidate.path, matches), self.jobs)
            except FormatError as error:
                return self.lost(candidate, str(error))
            done = [each for share in shares for each in share]
        else:
            done = [self.converted(candidate.path, matches)]
        return ConversionResult(
            candidate.path,
            tuple(each.data[0] for each in done),
            tuple(line for each in done for line in each.messages),
            max(each.status for each in done),
            proved=done[0].proved,
            is_copied=all(each.is_copied for each in done),
        )

    def lost(self, candidate: FileCandidate, problem: str) -> ConversionResult:
        return ConversionResult(candidate.path, messages=(_complaint(f"{candidate.path}: {problem}"),), status=2)

    def _each(self, path: str, matches: tuple[Match, ...], share: range) -> list[ConversionResult]:
        """What comes of some matches, each for a file of its own."""
        return [self.converted(path, (matches[at],)) for at in share]

    def converted(self, path: str, matches: tuple[Match, ...]) -> ConversionResult:
        """What comes of some matches for one file.

        Args:
            path: what to call them in messages.
            matches: what to write.
        """
        task = self.task
        try:
            done = convert(matches, task.target, strict=task.strict, allow=task.allow, verify=task.verify)
        except FormatError as error:
            return ConversionResult(path, (None,), (_without_place(path, refused_finding(error)),), 2)
        told = list(_losses(path, matches, done.losses)) if done.refused or not task.quiet else []
        if done.changed:
            told.append(_without_place(path, changed_finding(done.changed)))
        elif done.refused:
            told.append(_complaint(f"{path}: not converted to {task.target}; --allow accepts a loss"))
        else:
            proved = _proved(matches, done, lossless=not (done.losses or task.allow)) if done.verified else ""
            source = matches[0].source if matches else None
            is_copied = source is not None and bool(source.data) and done.data == source.data
            if is_copied:
                proved = f"copied unchanged, as the record is {task.target.format.title} already"
            return ConversionResult(path, (done.data,), tuple(told), proved=proved, is_copied=is_copied)
        return ConversionResult(path, (None,), tuple(told), 1)


def _proved(matches: tuple[Match, ...], done: Converted, *, lossless: bool) -> str:
    """What reading the output back has proved, as a sentence."""
    games = sum(len(match.games) for match in matches)
    entries = sum(len(game.entries) for match in matches for game in match.games)
    counted = f"{games:,} game{'s' * (games != 1)}, {entries:,} {'entry' if entries == 1 else 'entries'}"
    faulty = done.faulty or any(each.severity is Severity.ERROR for match in matches for each in match.findings)
    faults = "; its faults came along, bgtools check tells them" * faulty
    if lossless:
        return f"read back, and the same: {counted}{faults}"
    return f"read back, and the same but for what this format cannot hold: {counted}{faults}"


def _complaint(message: str) -> str:
    return f"bgtools: {printable(message)}"


def _losses(path: str, matches: tuple[Match, ...], found: tuple[Finding, ...]) -> Iterator[str]:
    """What is lost: the first few of a kind, and how many more there are."""
    told: Counter[tuple[str, str]] = Counter()
    for loss in found:
        kind = (loss.code.id, loss.message)
        told[kind] += 1
        if told[kind] <= _TOLD_OF_A_KIND:
            yield _line(path, matches, loss)
    for (code, message), count in told.items():
        if count > _TOLD_OF_A_KIND:
            yield f"{printable(path)}: {code} {printable(message)}: {count - _TOLD_OF_A_KIND:,} more"


def _line(path: str, matches: tuple[Match, ...], loss: Finding) -> str:
    source = matches[0].source if len(matches) == 1 else None
    if source is not None:
        return concise(loss, source)
    return _without_place(path, loss)


def _without_place(path: str, found: Finding) -> str:
    """A finding about a whole record, or about what was made of it, on one line without a place."""
    return f"{printable(path)}: {found.severity} {found.code.id} {printable(found.message)}"


# --- many files -------------------------------------------------------------------------------


def convert_files(
    inputs: list[str], output: str, task: ConversionTask, *, jobs: int, force: bool, skip_existing: bool
) -> int:
    """Convert records and save what comes of them; the exit status.

    Args:
        inputs: records and folders.
        output: the file or folder to write, or ``-``.
        task: how each is converted.
        jobs: processes to work with.
        force: whether what is there is written over.
        skip_existing: whether a record whose output is there is left out.
    """
    if is_stream_name(output):
        return _convert_into_stream(inputs, Path(output), task, jobs=jobs, force=force, skip_existing=skip_existing)
    if not task.is_file_per_match:
        return _convert_one(inputs[0], output, task, force=force, skip_existing=skip_existing)
    from bgtools.cli._progress import file_bar

    run = _ConversionRun(task, Path(output), force, skip_existing)
    try:
        named = list(run.named(inputs))
        files = (record for each in named for record in run.records(each))
        work = results_in_order(
            run.without_existing(files), ConversionWork(task), jobs, here=ConversionWork(task, jobs)
        )
        with file_bar(inputs) as bar, closing(work) as outcomes:
            for outcome in outcomes:
                run.save(outcome, bar)
                bar.advance()
    except KeyboardInterrupt:
        _common.print_error(f"interrupted: {run.summary()}; --skip-existing goes on from here")
        return _common.INTERRUPTED
    if run.files > 1:
        _terminal.say(run.summary(), err=True)
    return run.status


def _convert_into_stream(
    inputs: list[str], output: Path, task: ConversionTask, *, jobs: int, force: bool, skip_existing: bool
) -> int:
    """Convert records into one stream, one after the other; the exit status."""
    from bgtools.cli._progress import file_bar

    if skip_existing and is_taken(output):
        return 0
    _common.exit_if_exists(output, force=force)
    run = _ConversionRun(task, output, force, skip_existing)
    out = os.path.realpath(output)
    files = (each for found in candidates(inputs) if os.path.realpath(found.path) != out for each in run.records(found))
    proved = ""
    try:
        make_folders(output.parent)
        with stream_writer(output, force=force) as stream, file_bar(inputs) as bar:
            work = results_in_order(files, ConversionWork(task), jobs, here=ConversionWork(task, jobs))
            with closing(work) as outcomes:
                for outcome in outcomes:
                    for data in outcome.data:
                        stream.write(data or b"")
                    run.count(outcome, outcome.messages, outcome.status, bar)
                    proved = outcome.proved
                    bar.advance()
            if not run.written:
                raise FormatError("nothing was converted")
    except KeyboardInterrupt:
        _common.print_error(f"interrupted: {run.summary()}; {output} was not written")
        return _common.INTERRUPTED
    except FormatError as error:
        _common.print_error(f"{output}: {error}; it was not written")
        return run.status or 2
    except OSError as error:
        _common.print_error(f"{output}: cannot be written: {why(error)}")
        return 2
    if run.files > 1:
        _terminal.say(run.summary(), err=True)
    elif proved and not task.quiet:
        _terminal.say(f"{printable(str(output))}: {proved}", err=True)
    return run.status


def _convert_one(path: str, output: str, task: ConversionTask, *, force: bool, skip_existing: bool) -> int:
    """Convert one record to one file, or to standard output; the exit status."""
    where = None if output == "-" else Path(output)
    if where is not None:
        if skip_existing and is_taken(where):
            return 0
        _common.exit_if_exists(where, force=force)
    return _deliver(ConversionWork(task)(FileCandidate(path, named=True)), where, task, force=force)


def save_matches(matches: tuple[Match, ...], output: str, task: ConversionTask, *, force: bool) -> int:
    """Write matches that no single file holds to a file, or to standard output; the exit status."""
    where = None if output == "-" else Path(output)
    return _deliver(ConversionWork(task).converted(output, matches), where, task, force=force)


def _deliver(outcome: ConversionResult, where: Path | None, task: ConversionTask, *, force: bool) -> int:
    """Write the result of one record, and say what is to be said of it; the exit status."""
    for line in outcome.messages:
        _terminal.say(line, err=True)
    (data,) = outcome.data or (None,)
    if data is None:
        return outcome.status
    if where is None:
        try:
            out = _terminal.data_stream()
            out.write(data)
            out.flush()
        except OSError as error:
            _terminal.exit_on_output_error(error)
    elif problem := _write(data, where, force=force):
        _terminal.say(problem, err=True)
        return 2
    elif outcome.proved and not task.quiet:
        _terminal.say(f"{printable(str(where))}: {outcome.proved}", err=True)
    return outcome.status


def _write(data: bytes, where: Path, *, force: bool) -> str:
    """Save a file; the message that says why it could not be saved, or ""."""
    try:
        make_folders(where.parent)
        save(data, where, force=force)
    except FileExistsError:
        return _complaint(f"{where} exists; --force writes over it")
    except OSError as error:
        return _complaint(f"{where}: cannot be written: {why(error)}")
    return ""


@dataclass(slots=True)
class _ConversionRun:
    """A conversion of many files: where each goes, and how many are done."""

    task: ConversionTask
    output: Path
    force: bool
    skip_existing: bool
    outputs: dict[str, Path] = field(default_factory=dict)
    """The file that is written for each record, by the path of the record; without its ending."""
    owners: dict[str, str] = field(default_factory=dict)
    written: int = 0
    copied: int = 0
    there: int = 0
    failed: int = 0
    strangers: list[str] = field(default_factory=list)
    status: int = 0
    files: int = 0

    def named(self, inputs: list[str]) -> Iterator[FileCandidate]:
        """The records, each with a place in the output folder. Files that were found in that folder are left out."""
        out = os.path.realpath(self.output)
        for path in inputs:
            for each in candidates([path]):
                if not each.named and os.path.realpath(each.path).startswith(out + os.sep):
                    continue
                # A folder below the one that is named stays below the output.
                below = Path() if each.named else Path(os.path.relpath(each.path, path)).parent
                folder, stem = self.output / below, _stem(each.path)
                if is_report(each):
                    self.outputs[each.path] = folder / f"{stem}{self._ending}"  # it is not written
                else:
                    self.outputs[each.path] = self._output_path(folder, stem, each.path)
                yield each

    def _output_of(self, path: str) -> Path:
        """The file that is written for a record, without its ending; for one of a stream, beside that of the stream."""
        if path in self.outputs:
            return self.outputs[path]
        stream, _, number = path.rpartition("/")
        place = self.outputs[stream]
        return place.with_name(f"{place.name}-{number}")

    def records(self, candidate: FileCandidate) -> Iterator[FileCandidate]:
        """The record itself, or those of a stream, of which one is in memory at a time."""
        before = self.files
        try:
            records = stream_records(candidate)
            for each in [candidate] if records is None else records:
                self.files += 1
                yield each
            if self.files == before:
                raise FormatError("the file is empty")
        except (OSError, FormatError) as error:
            left = "; what follows in it is left out" * (self.files > before)
            _common.print_error(f"{candidate.path}: {trouble(error)}{left}")
            self.failed += 1
            self.status = 2

    def _output_path(self, folder: Path, stem: str, owner: str) -> Path:
        """A file of this name. Where another record has the name, it gets a number, and a message says so."""
        name, again = stem, 1
        while (first := self.owners.get(f"{folder}/{name}".casefold())) is not None:
            again += 1
            name = f"{stem}-{again}"
        self.owners[f"{folder}/{name}".casefold()] = owner
        if name != stem:
            first = self.owners[f"{folder}/{stem}".casefold()]
            _common.print_error(
                f"{owner}: is written as {name}{self._ending}, for {stem}{self._ending} is that of {first}"
            )
        return folder / name

    @property
    def _ending(self) -> str:
        return self.task.target.format.extensions[0]

    def _file(self, path: Path) -> Path:
        return path.with_name(path.name + self._ending)

    def without_existing(self, files: Iterable[FileCandidate]) -> Iterator[FileCandidate]:
        """The records, without those that --skip-existing leaves out because their output is there."""
        for each in files:
            if self.skip_existing and is_file(self._file(self._output_of(each.path))):
                self.there += 1
            else:
                yield each

    def save(self, outcome: ConversionResult, bar: Bar) -> None:
        """Write the result of a record, and say what is to be said of it."""
        problems = list(outcome.messages)
        place, status = self._output_of(outcome.path), outcome.status
        several = len(outcome.data) > 1
        for number, data in enumerate(outcome.data, 1):
            if data is None:
                continue
            where = self._output_path(place.parent, f"{place.name}-{number}", outcome.path) if several else place
            if self.skip_existing and is_file(self._file(where)):
                continue
            if problem := _write(data, self._file(where), force=self.force):
                problems.append(problem)
                status = 2
        self.count(outcome, problems, status, bar)

    def count(self, outcome: ConversionResult, problems: Sequence[str], status: int, bar: Bar) -> None:
        """Count a record, and say what is to be said of it."""
        if outcome.skipped:
            self.strangers.append(outcome.path)
            return
        if problems:
            with bar.paused():
                for line in problems:
                    _terminal.say(line, err=True)
        self.written += not status
        self.copied += outcome.is_copied and not status
        self.failed += bool(status)
        self.status = max(self.status, status)

    def summary(self) -> str:
        """How many files are done, in words."""
        text = f"{count_files(self.written - self.copied)} converted"
        if self.copied:
            text += f"; {count_files(self.copied)} copied unchanged, as they are in that format already"
        if self.there:
            text += f"; {count_files(self.there)} left, whose output is there"
        if self.failed:
            text += f"; {count_files(self.failed)} not converted"
        return text + skipped_files(self.strangers)


def _stem(path: str) -> str:
    """What the output of a record is called, without its ending."""
    name = "match" if path == "-" else Path(path).name
    while (ending := Path(name).suffix).casefold() in _PACKED:
        name = name.removesuffix(ending)
    return safe_name(name.removesuffix(Path(name).suffix))
