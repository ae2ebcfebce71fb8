"""The command line: every command a thin face of a library call, in a file of its own.

Exit status: 0 clean, 1 findings, 2 could not run. What was asked for goes to standard output, talk
and progress to standard error.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bgtools._version import __version__
from bgtools.cli import check, report, rule, show

app = typer.Typer(
    name="bgtools",
    help="Read recorded backgammon matches, check every play and cube action, report luck and errors.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # paragraphs flow, and brackets are brackets
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.check_command)
app.command("report")(report.report_command)
app.command("rule")(rule.rule_command)
app.command("show")(show.show_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bgtools {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version_wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; ends the process."""
    # A file name or a player's name may hold what the terminal's encoding has not.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except BrokenPipeError:
        # The reader of our output has gone, as with "| head". That is no fault of anybody.
        sys.stderr.close()
        raise SystemExit(0) from None
