"""The command line: every command a thin face of a library call, in a file of its own.

Exit status: 0 clean, 1 findings, 2 could not run. What was asked for goes to standard output, talk
and progress to standard error.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from bgtools._version import __version__
from bgtools.cli import _common, _terminal
from bgtools.cli._commands import MARKUP, Commands
from bgtools.cli._signals import end_on_signals

__all__ = ["app", "main"]

app = typer.Typer(
    name="bgtools",
    cls=Commands,
    help="Read recorded backgammon matches, check every play and cube action, report luck and errors.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        _terminal.say(f"bgtools {__version__}")
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
    _terminal.open_doors()
    _common.tell_of_plugins()
    end_on_signals(main.__code__)
    _common.relax_collector()
    # The matrices of endings are small: threads to multiply them take twice the time, and wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app()
    finally:
        sys.stdout.flush()  # when the interpreter does it, it is too late to tell of a full disk
