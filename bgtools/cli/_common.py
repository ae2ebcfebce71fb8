"""What the commands share: reading files with messages for people, and colours."""

from __future__ import annotations

import gc
import warnings
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn, TextIO, TypeVar

import typer

from bgtools._disk import is_taken, why
from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bgtools._disk import StrPath
    from bgtools.engines.cache import Store
    from bgtools.record.record import Match

Found = TypeVar("Found")

INTERRUPTED = 130
"""The exit status after Ctrl-C, as a shell reports it."""

_COLOURS = {
    "error": "red",
    "warning": "yellow",
    "hint": "cyan",
    "rule": "blue",
    "quiet": "bright_black",
    "good": "green",
}

# Records are trees without cycles; looking for cycles among them costs a third of a check. The objects remembered for
# cells that recur are fewer than this.
_GC_THRESHOLD = 500_000


def tune_garbage_collector() -> None:
    """Let the garbage collector look for cycles more rarely than it does by default."""
    gc.set_threshold(_GC_THRESHOLD, 20, 20)


def paint(text: str, role: str) -> str:
    """Colour a stretch of a finding."""
    return typer.style(text, fg=_COLOURS.get(role), bold=role in ("error", "warning", "hint"))


def print_error(message: str) -> None:
    """Say on standard error why something could not be done."""
    from bgtools.findings.finding import printable

    _terminal.say(f"bgtools: {printable(message)}", err=True)


def fail(message: str, status: int = 2) -> NoReturn:
    """Say on standard error why something could not be done, and end with an exit status."""
    print_error(message)
    raise typer.Exit(status)


def exit_if_exists(output: StrPath, *, force: bool, also: str = "") -> None:
    """End where a file is to be written that is there already; ``also`` is what more there is to say of it."""
    if not force and is_taken(output):
        fail(f"{output} exists{also}; --force writes over it")


@contextmanager
def exit_if_unwritable(target: Path) -> Iterator[None]:
    """Write a file, or say why it cannot be written and end."""
    try:
        yield
    except FileExistsError as error:
        fail(f"{error}; --force writes over it")
    except OSError as error:
        fail(f"{target}: cannot be written: {why(error)}")


@contextmanager
def exit_if_interrupted(undone: str) -> Iterator[None]:
    """Work until Ctrl-C, and say then what is ``undone`` and end."""
    try:
        yield
    except KeyboardInterrupt:
        fail(f"interrupted; {undone}", INTERRUPTED)


def report_crash(error: Exception) -> int:
    """Say what has ended the command that nobody has dealt with; the exit status, which is never that of findings."""
    if isinstance(error, BrokenPipeError):
        _terminal.exit_on_output_error(error)
    if isinstance(error, OSError):
        print_error(": ".join(str(each) for each in (error.filename, why(error)) if each))
    elif isinstance(error, MemoryError):
        print_error("there is not enough memory for this")
    else:
        from bgtools.formats.searching import fault

        print_error(f"ended by {fault(error)}")
    return 2


printed_plugin_warnings: set[str] = set()
"""The messages about plug-ins that this process, or the one that started it, has printed already."""


def print_plugin_warnings() -> None:
    """Let warnings of plug-ins be printed on standard error, each once. Other warnings are shown as usual."""
    usual = warnings.showwarning

    def show(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
        line: str | None = None,
    ) -> None:  # fmt: skip
        from bgtools.plugins import PluginWarning

        if not issubclass(category, PluginWarning):
            usual(message, category, filename, lineno, file, line)
        elif str(message) not in printed_plugin_warnings:
            printed_plugin_warnings.add(str(message))
            print_error(str(message))

    warnings.showwarning = show


def process_initializer() -> Callable[[], None]:
    """What a process that this one starts has to call first."""
    return partial(_begin_as_this_one, frozenset(printed_plugin_warnings))


def _begin_as_this_one(printed: frozenset[str]) -> None:
    tune_garbage_collector()
    printed_plugin_warnings.update(printed)
    print_plugin_warnings()


def matches_or_report(path: str, format_name: str | None = None) -> tuple[Match, ...] | None:
    """The matches in a file; None, with a message printed, if it cannot be read."""
    from bgtools.formats.reading import read_all

    return read_or_report(path, lambda: read_all(path, format_name))


def read_or_report(path: str, read: Callable[[], Found]) -> Found | None:
    """What ``read`` gives; None, with a message about ``path`` printed, if the file cannot be read."""
    from bgtools.formats.content import FormatError

    try:
        return read()
    except IsADirectoryError:
        print_error(f"{path}: this is a folder; give files")
    except OSError as error:
        print_error(f"{path}: cannot be read: {why(error)}")
    except FormatError as error:
        print_error(f"{path}: {error}")
    return None


def store() -> Store:
    """The file that keeps engines' answers. If it cannot be used, a message is printed and nothing is kept."""
    from bgtools.engines.cache import Store

    return Store(on_fault=lambda fault: print_error(f"the cache is not used from here on: {fault}"))


BOTH: Final = "both"
"""The name by which everybody's decisions are asked for."""


def me_among(names: Sequence[str], files: Sequence[str], asked: Sequence[str]) -> tuple[str, ...]:
    """The names of the user that the settings give, as far as they are among those of players; says so.

    Args:
        names: of the players of some records.
        files: the records; the settings are those of the first.
        asked: which players are asked for; the settings count only where none is.
    """
    from bgtools.checks.settings import SettingsError
    from bgtools.checks.settings_files import settings_for
    from bgtools.findings.finding import printable

    if asked:
        return ()
    try:
        me = {each.casefold() for each in settings_for(files[0]).me}
    except SettingsError as error:
        print_error(str(error))
        return ()
    found = tuple(name for name in names if name.casefold() in me)
    if found:
        print_error(f"of {printable(found[0])} only, as bgtools.toml names you; --player {BOTH} shows all")
    return found
