"""``bgtools library export``: records and tables out of a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _completion, _terminal
from bgtools.cli.library._common import ForceOption, LibraryOption, WhereOption, opened

if TYPE_CHECKING:
    from bgtools.library.library import Library


def export_command(
    what: Annotated[
        str, typer.Argument(help='"records", a table that "bgtools library info" lists, or a query.', metavar="WHAT")
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="Of a table: .csv, .json, .jsonl, .parquet or .xlsx. Of records: a folder, .zip, or .ogxms for a "
            "stream of OGXM, packed as .ogxms.zst.",
            metavar="OUT",
        ),
    ],
    library: LibraryOption = None,
    to: Annotated[
        str,
        typer.Option(
            help="Format of records, such as mat or sgf; by default the files as they were added.",
            metavar="FORMAT",
            autocompletion=_completion.targets,
        ),
    ] = "",
    where: WhereOption = "",
    force: ForceOption = False,
) -> None:
    """Write records, or a table, of a library to files.

    "bgtools library export records -o out/ --to sgf --where 'length = 7'" writes a file for each match, by date and
    players; "bgtools library export turns -o turns.parquet" a table. Each match is written once, as the record tells it
    that stands for it. Exit status: 0 done, 1 some record could not be written, 2 nothing was.
    """
    from bgtools.formats.content import FormatError
    from bgtools.reports.findings import few

    with opened(library) as kept, _common.exit_if_unwritable(Path(output)):
        if what != "records":
            if to or where:
                raise typer.BadParameter("--to and --where go with records; give a query instead", param_hint="WHAT")
            _export_table(kept, what, Path(output), force=force)
            return
        try:
            done = kept.export(output, to, where=where, force=force)
        except FormatError as error:
            _common.fail(str(error))
        for path, problem in done.problems:
            _common.print_error(f"{path}: {problem}")
        for name, count in sorted(done.losses.items()):
            _common.print_error(f"{count:,} of them lose something: {name}")
        counted = few(done.records, "record" if to or ".ogxms" in output else "file")
        _terminal.say(f"{counted} in {output}", err=True)
        raise typer.Exit(0 if not done.problems else 1 if done.records else 2)


def _export_table(kept: Library, what: str, output: Path, *, force: bool) -> None:
    """Write a table, or the answer to a query."""
    from bgtools.cli.library._output import write_answer
    from bgtools.reports.findings import few
    from bgtools.reports.table_files import TableError

    query = f"FROM {what}" if what in kept.tables else what
    try:
        rows = write_answer(kept.asked(query), output, force=force)
    except TableError as error:
        _common.fail(str(error))
    _terminal.say(f"{few(rows, 'row')} in {output}", err=True)
