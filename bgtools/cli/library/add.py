"""``bgtools library add``: records into a library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bgtools._shell import shell_path
from bgtools._signals import signals_deferred
from bgtools.cli import _common, _terminal
from bgtools.cli._files import JobsOption
from bgtools.cli._progress import counting
from bgtools.cli.library._common import DaskOption, LibraryOption, has, opened, runner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.library.adding import AddSummary
    from bgtools.library.library import Library

ShardOption = Annotated[
    str | None,
    typer.Option(
        help="Do one of several equal parts of the work, such as 3/16, for a queue of batch jobs.", metavar="PART/PARTS"
    ),
]


def add_command(
    files: Annotated[
        list[str], typer.Argument(help="Records, archives, or folders that are searched for them.", metavar="PATH")
    ],
    library: LibraryOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    shard: ShardOption = None,
) -> None:
    """Add what is new of some files and folders to a library.

    Every format is read, through archives too. A file is new where no file of the library has its content; what is
    known already is skipped. Each record is checked: one with errors is added with its findings, a file that cannot
    be read is told, and listed in the table of sources. Records of one match, however named and written, are recognised
    by their rolls, and the best of them stands for the match. An analysis that a record contains is kept.

    Stopping this loses the files in work and nothing else; the same command goes on from there. Exit status:
    0 done, 1 done but some file could not be read, 2 the library cannot be written, 130 interrupted.
    """
    part = parse_shard(shard)
    added: AddSummary | None = None

    with opened(library) as kept, runner(dask, jobs) as run, counting("record") as show:

        def tell(now: AddSummary) -> None:
            nonlocal added
            added = now
            show(now.matches, None)

        try:
            added = kept.add(files, run=run, progress=tell, shard=part)
        except KeyboardInterrupt:
            _terminal.say(f"interrupted after {summary(added)}; what was added is kept", err=True)
            raise typer.Exit(_common.INTERRUPTED) from None
        for path, problem in added.problems:
            _common.print_error(f"{path}: {problem}")
        _terminal.say(f"{summary(added)}; {has(kept)}", err=True)
        for line in _what_next(kept, library):
            _terminal.say(line, err=True)
        raise typer.Exit(1 if added.problems else 0)


def _what_next(kept: Library, library: str | None) -> Iterator[str]:
    """What has not been done with the matches of a library, and the commands that do it."""
    from bgtools.findings.finding import printable
    from bgtools.reports.findings import few

    option = "" if library is None else f" --library {printable(shell_path(library))}"
    with signals_deferred():
        ((matches, analysed, errors),) = kept.sql(
            "SELECT count(*), count(*) FILTER (record IN (SELECT match FROM analyses)), count(*) FILTER (errors > 0) "
            "FROM matches"
        ).fetchall()
    if analysed < matches:
        yield f"{analysed:,} of {few(matches, 'match', 'matches')} analysed: bgtools library analyse{option}"
    if errors:
        yield f"{errors:,} with errors: bgtools library info --errors{option}"


def parse_shard(shard: str | None) -> tuple[int, int]:
    """The part of the work, and of how many, both from 1."""
    if shard is None:
        return 1, 1
    found = _SHARD.fullmatch(shard)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise typer.BadParameter("give a part and the number of parts, such as 3/16", param_hint="--shard")
    return int(found[1]), int(found[2])


_SHARD: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def summary(added: AddSummary | None) -> str:
    """What an addition has brought, in words."""
    if added is None:
        return "nothing"
    from bgtools.reports.findings import count_files, few, skipped_files

    text = f"{few(added.matches, 'record')} of {count_files(added.read)} added"
    if added.errors:
        text += f", {added.errors:,} with errors"
    if added.known:
        text += f"; {count_files(added.known)} known already"
    if added.problems:
        text += f"; {count_files(len(added.problems))} could not be read"
    return text + skipped_files(added.skipped)
