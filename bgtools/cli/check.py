"""``bgtools check``: is the record sound?"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from bgtools.cli import _common


def check_command(
    files: Annotated[list[str], typer.Argument(help="Records to check; - is standard input.", metavar="FILE...")],
    concise: Annotated[bool, typer.Option("--concise", help="One line a finding.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Check records: every play, every cube action, every score.

    Prints each finding with its place, the row and what the board proves. Exit status: 0 no errors,
    1 errors found, 2 a file could not be read.
    """
    from bgtools.checks import check
    from bgtools.diagnostics import Severity
    from bgtools.reports import findings

    _common.relax_collector()
    paint = _common.paint if _common.wants_colour() else findings.plain
    counts: Counter[Severity] = Counter()
    unread = 0
    for path in files:
        matches = _common.read_or_complain(path)
        if matches is None:
            unread += 1
            continue
        for match in matches:
            assert match.source is not None
            for finding in check(match):
                counts[finding.severity] += 1
                if quiet and finding.severity is not Severity.ERROR:
                    continue
                if concise:
                    typer.echo(findings.concise(finding, match.source))
                else:
                    typer.echo(findings.full(finding, match.source, paint) + "\n")
    typer.echo(findings.summary(counts, len(files) - unread), err=True)
    if unread:
        raise typer.Exit(2)
    if counts[Severity.ERROR]:
        raise typer.Exit(1)
