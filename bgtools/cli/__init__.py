"""The command line: every command a thin face of a library call, in a file of its own.

Exit status: 0 clean, 1 findings, 2 could not run. What was asked for goes to standard output, messages
and progress to standard error.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._signals import end_again, end_on_signals
from bgtools._version import __version__
from bgtools.cli import _common, _terminal
from bgtools.cli._commands import MARKUP, Commands

if TYPE_CHECKING:
    from collections.abc import Callable


app = typer.Typer(
    name="bgtools",
    cls=Commands,
    help="Read recorded backgammon matches, check every play and cube action, report luck and errors.\n\n"
    '"bgtools report match.mat" says who played how well and who had the luck; "bgtools COMMAND --help" tells more.',
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(is_asked: bool) -> None:
    if is_asked:
        _terminal.say(f"bgtools {__version__}")
        raise typer.Exit


def _later(name: str) -> Callable[[bool], None]:
    """A callback that runs a function of `_completion`, and imports it only if its option is given."""

    def run(is_asked: bool) -> None:
        if is_asked:
            from bgtools.cli import _completion

            getattr(_completion, name)(is_asked)

    return run


@app.callback()
def _options(
    _version_wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    _install_wanted: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=_later("install_script"),
            is_eager=True,
            help="Let the shell that runs complete commands, options, formats, codes and engines.",
        ),
    ] = False,
    _show_wanted: Annotated[
        bool,
        typer.Option(
            "--show-completion",
            callback=_later("show_script"),
            is_eager=True,
            help="Print what that installs, for the shell that runs.",
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; ends the process."""
    _terminal.install_safe_streams()
    _common.print_plugin_warnings()
    try:
        end_on_signals(main.__code__)
        _run()
    except KeyboardInterrupt:  # outside of what typer guards: before a command runs, or after its end
        _common.print_error("interrupted")
        raise SystemExit(_common.INTERRUPTED) from None


def _run() -> None:
    if "_BGTOOLS_COMPLETE" in os.environ:
        from bgtools.cli import _completion

        _completion.begin()
    _common.tune_garbage_collector()
    # The matrices of endings are small: threads to multiply them take twice the time, and wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app(prog_name="bgtools")
    except Exception as error:
        end_again()  # a library may have put an error of its own in the place of a signal
        raise SystemExit(_common.report_crash(error)) from None
    finally:
        sys.stdout.flush()  # the interpreter flushes too late to tell of a full disk
