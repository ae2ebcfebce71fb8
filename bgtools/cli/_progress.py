"""A progress bar over files."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import size
from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console
    from rich.progress import Progress

    from bgtools.formats.searching import FileCandidate

_REFRESH = 0.1  # seconds between two looks


class Bar:
    """A progress bar that shows nothing."""

    def advance(self) -> None:
        """Count another file as done."""

    def at(self, candidate: FileCandidate) -> FileCandidate:
        """The file, which is worked on from here on."""
        return candidate

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while something is printed."""
        yield


@contextmanager
def file_bar(
    paths: list[str], *, is_slow: bool = False, chosen: Sequence[FileCandidate] | None = None
) -> Iterator[Bar]:
    """A progress bar on standard error; nothing where that is not a terminal, or for a few small files.

    Args:
        paths: files and folders.
        is_slow: whether even one file may take seconds, as where an engine looks at it; then the file is named too.
        chosen: the files, where not all that are found are worked on.
    """
    console = _terminal.terminal()
    if console is None:
        yield Bar()
        return
    from bgtools.cli._files import SERIAL_FILES
    from bgtools.formats.searching import candidates

    found = [*(candidates(paths) if chosen is None else chosen)]
    total = len(found)
    if total <= SERIAL_FILES and not is_slow and sum(size(each.path) or 0 for each in found) < _MANY_BYTES:
        yield Bar()
        return
    bars = _bars(console)

    class Shown(Bar):
        def __init__(self) -> None:
            self.begun = self.looked = time.monotonic()
            self.done = 0
            self.task = bars.add_task("", total=total, rate="", name="")

        def advance(self) -> None:
            self.done += 1
            now = time.monotonic()
            if now - self.looked >= _REFRESH:
                self.looked = now
                bars.update(self.task, completed=self.done, rate=rate_text(self.done, now - self.begun, "file"))
                bars.refresh()

        def at(self, candidate: FileCandidate) -> FileCandidate:
            if is_slow:
                bars.update(self.task, name=_terminal.cleaned(PurePath(candidate.path).name)[:_NAMED])
                bars.refresh()
            return candidate

        @contextmanager
        def paused(self) -> Iterator[None]:
            bars.stop()
            try:
                yield
                sys.stdout.flush()
            finally:
                bars.start()

    with bars:
        shown = Shown()
        bars.refresh()
        yield shown


_NAMED: Final = 30
"""So many letters of the name of a file are shown beside the bar."""
_MANY_BYTES: Final = 1 << 20
"""So many bytes of records take a second or two to check."""


def rate_text(done: int, seconds: float, unit: str) -> str:
    """How fast it goes: ``12 files/s``, ``3 files/min``; empty before there is enough to tell.

    Args:
        done: how much is done.
        seconds: in how many.
        unit: what is counted, in the singular.
    """
    if not done or seconds < _FIRST_RATE:
        return ""
    for span, name in ((1, "s"), (60, "min"), (3600, "h")):
        rate = done / seconds * span
        if rate >= 1 or name == "h":
            break
    return f"{rate:,.0f} {unit if round(rate) == 1 else f'{unit}es' if unit.endswith('ch') else f'{unit}s'}/{name}"


_FIRST_RATE: Final = 0.2
_FIRST_ESTIMATE: Final = 5.0
"""Seconds before which a rate, and the time left, would be made of nothing."""


def time_left(done: float, total: float | None, seconds: float) -> str:
    """How long it will take from here, by the mean so far: ``0:01:20``; ``-`` before there is enough to tell."""
    if not done or not total or seconds < _FIRST_ESTIMATE:
        return "-:--:--"
    left = int(max(0.0, seconds / done * (total - done)))
    return f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"


@contextmanager
def counting(unit: str) -> Iterator[Callable[[int, int | None], None]]:
    """A function that shows how much is done, and of how much; without a terminal it shows nothing.

    Args:
        unit: what is counted, in the singular, such as ``match``.
    """
    console = _terminal.terminal()
    if console is None:
        yield lambda _done, _total: None
        return
    begun = time.monotonic()
    with _bars(console) as bars:
        at = bars.add_task("", total=None, rate="", name="")

        def show(done: int, total: int | None) -> None:
            bars.update(at, completed=done, total=total, rate=rate_text(done, time.monotonic() - begun, unit))
            bars.refresh()

        yield show


def left_column() -> Any:
    """The column of a progress bar that tells the time left."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Left(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(time_left(task.completed, task.total, task.elapsed or 0.0), style="progress.remaining")

    return Left()


def _bars(console: Console) -> Progress:
    """A bar with its count, rate and time left.

    It is refreshed by hand: a thread would be copied into the processes that work. Standard output and standard error
    are not redirected through it.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), left_column(),
        TextColumn("{task.fields[name]}", markup=False),
    )  # fmt: skip
    return Progress(
        *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False,
        redirect_stderr=False,
    )  # fmt: skip
