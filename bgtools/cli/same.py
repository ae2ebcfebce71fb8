"""``bgtools same``: which records are of one match."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.grouping import Recorded
    from bgtools.formats.searching import FileCandidate


def same_command(
    paths: Annotated[list[str], typer.Argument(help="Records, or folders that are searched for them.", metavar="PATH")],
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print groups.")] = "text",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes to work with; by default one per core.", metavar="N"),
    ] = None,
) -> None:
    """Group the records that are of one match.

    Records of one match are known by their dice and plays, whatever a file is called, in whatever format it is and
    whichever player is in which column; also where a record has slips, or breaks off early. Each match that
    several records hold is printed with them.

    Exit status: 0, or 2 where a file could not be read, or 130 interrupted.
    """
    from bgtools.comparison.grouping import group

    problems: list[str] = []
    try:
        groups = group(_records(paths, jobs, problems))
    except KeyboardInterrupt:
        _common.print_error("interrupted; nothing was grouped")
        raise typer.Exit(_common.INTERRUPTED) from None
    several = [each for each in groups if len(each) > 1]
    _print(several, layout)
    count = sum(map(len, groups))
    told = f"{count:,} record{'s' * (count != 1)} of {len(groups):,} match{'es' * (len(groups) != 1)}"
    _terminal.say(f"{told}; {len(several):,} in several records", err=True)
    raise typer.Exit(2 if problems else 0)


@dataclass(frozen=True, slots=True)
class FileRecords:
    """The matches of one file.

    Attributes:
        path: the file.
        records: what grouping needs of each.
        problem: why it could not be read; "" where it could, or is not a record.
    """

    path: str
    records: tuple[Recorded, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FileGrouping:
    """Reading what a file is grouped by, in a form that other processes can do."""

    def __call__(self, candidate: FileCandidate) -> FileRecords:
        """The matches of one file. Never raises on what is in it."""
        from bgtools.comparison.grouping import Recorded
        from bgtools.formats.reading import read_all
        from bgtools.formats.searching import is_no_record, trouble

        try:
            matches = read_all(candidate.path)
        except Exception as error:  # a fault of ours must not cost all other files
            return FileRecords(candidate.path, problem="" if is_no_record(candidate, error) else trouble(error))
        several = len(matches) > 1
        return FileRecords(
            candidate.path,
            tuple(Recorded.of(match, candidate.path, several * number) for number, match in enumerate(matches, 1)),
        )

    def lost(self, candidate: FileCandidate, problem: str) -> FileRecords:
        """The result for a file whose process was killed."""
        return FileRecords(candidate.path, problem=problem)


def _records(paths: list[str], jobs: int | None, problems: list[str]) -> Iterator[Recorded]:
    """Every match in the files; what cannot be read is told, and noted."""
    from bgtools.cli._files import cores, results_in_order
    from bgtools.cli._progress import file_bar
    from bgtools.formats.searching import candidates

    with file_bar(paths) as bar, closing(results_in_order(candidates(paths), FileGrouping(), jobs or cores())) as done:
        for found in done:
            if found.problem:
                problems.append(found.path)
                with bar.paused():
                    _common.print_error(f"{found.path}: {found.problem}")
            yield from found.records
            bar.advance()


def _print(groups: Sequence[Sequence[Recorded]], layout: str) -> None:
    from bgtools.findings.finding import printable

    if layout == "json":
        data = [
            [
                {
                    "file": each.file,
                    "match": each.number or 1,
                    "format": each.format or None,
                    "players": list(each.players),
                    "length": each.length,
                    "games": each.fingerprint.games,
                    "rolls": len(each.fingerprint),
                }
                for each in records
            ]
            for records in groups
        ]
        _terminal.say(_terminal.as_json(data))
        return
    for records in groups:
        first = records[0]
        length = f"{first.length} points" if first.length else "money"
        _terminal.say(f"{printable(' - '.join(first.players))}, {length}: {len(records)} records")
        for each in records:
            which = f", match {each.number}" if each.number else ""
            _terminal.say(f"  {printable(each.file)}{which} ({each.format}, {len(each.fingerprint)} rolls)")
