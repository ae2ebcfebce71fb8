"""``bgtools library add``: records into a library."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bgtools._shell import shell_path
from bgtools._signals import signals_deferred
from bgtools.cli import _common, _terminal
from bgtools.cli._files import DaskOption, JobsOption
from bgtools.cli._progress import counting
from bgtools.cli.library._common import LibraryOption, has, opened, runner

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

DateOption = Annotated[
    str | None,
    typer.Option(
        help="When the matches were played, such as 2026-08-31, for those of which neither the record nor the name of "
        "its file says it.",
        metavar="DAY",
        show_default=False,
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
    date: DateOption = None,
) -> None:
    """Add what is new of some files and folders to a library.

    Every format is read, through archives too. A file is new where no file of the library has its content; what is
    known already is skipped. Each record is checked: one with errors is added with its findings, a file that cannot
    be read is named, and listed in the table of sources; so is one in a folder that is not a record, with the reason.
    Records of one match, however named and written, are recognised by their rolls. The best of them stands for the
    match; where none has all of it, the match is put together from the best record of each game. An analysis that a
    record contains is kept.

    Stopping this loses the files in work and nothing else; the same command goes on from there. Exit status:
    0 done, 1 done but some file could not be read, 2 the library cannot be written, 130 interrupted.
    """
    from bgtools.findings.finding import printable

    part, given = parse_shard(shard), parse_day(date)
    added: AddSummary | None = None

    with opened(library) as kept, runner(dask, jobs) as run, counting("record") as show:

        def tell(now: AddSummary) -> None:
            nonlocal added
            added = now
            show(now.matches, None)

        try:
            added = kept.add(files, run=run, progress=tell, shard=part, day=given)
        except KeyboardInterrupt:
            _terminal.say(f"interrupted after {summary(added)}; what was added is kept", err=True)
            raise typer.Exit(_common.INTERRUPTED) from None
        for path, problem in added.problems:
            _common.print_error(f"{path}: {problem}")
        for path, reason in added.skipped:
            _terminal.say(f"{printable(path)}: skipped, since {printable(reason)}", err=True)
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


def parse_day(text: str | None) -> str:
    """A day as 2026-08-31; "" for None."""
    if text is None:
        return ""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a day, such as 2026-08-31", param_hint="--date") from None


_SHARD: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def summary(added: AddSummary | None) -> str:
    """What an addition has brought, in words."""
    if added is None:
        return "nothing"
    from bgtools.reports.findings import count_files, few

    text = f"{few(added.matches, 'record')} of {count_files(added.read)} added"
    if added.errors:
        text += f", {added.errors:,} with errors"
    if added.known:
        text += f"; {count_files(added.known)} known already"
    if added.problems:
        text += f"; {count_files(len(added.problems))} could not be read"
    if added.skipped:
        text += f"; {count_files(len(added.skipped))} skipped"
    return text
