"""A progress bar over files."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.progress import Progress

_REFRESH = 0.1  # seconds between two looks


class Bar:
    """A progress bar that shows nothing."""

    def advance(self) -> None:
        """Count another file as done."""

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while something is printed."""
        yield


@contextmanager
def file_bar(paths: list[str]) -> Iterator[Bar]:
    """A progress bar on standard error; nothing where that is not a terminal, or for a few files."""
    console = _terminal.terminal()
    if console is None:
        yield Bar()
        return
    from bgtools.cli._files import SERIAL_FILES
    from bgtools.formats.searching import candidates

    total = sum(1 for _ in candidates(paths))
    if total <= SERIAL_FILES:
        yield Bar()
        return
    bars = _bars(console)

    class Shown(Bar):
        def __init__(self) -> None:
            self.begun = self.looked = time.monotonic()
            self.done = 0
            self.at = bars.add_task("", total=total, rate="")

        def advance(self) -> None:
            self.done += 1
            now = time.monotonic()
            if now - self.looked >= _REFRESH:
                self.looked = now
                rate = self.done / (now - self.begun)
                bars.update(self.at, completed=self.done, rate=f"{rate:,.0f} files/s")
                bars.refresh()

        @contextmanager
        def paused(self) -> Iterator[None]:
            bars.stop()
            try:
                yield
                sys.stdout.flush()
            finally:
                bars.start()

    with bars:
        yield Shown()


@contextmanager
def counting(unit: str) -> Iterator[Callable[[int, int | None], None]]:
    """A function that shows how much is done, and of how much; without a terminal it shows nothing.

    Args:
        unit: what is counted, such as ``matches``.
    """
    console = _terminal.terminal()
    if console is None:
        yield lambda _done, _total: None
        return
    begun = time.monotonic()
    with _bars(console) as bars:
        at = bars.add_task("", total=None, rate="")

        def show(done: int, total: int | None) -> None:
            rate = done / max(time.monotonic() - begun, _REFRESH)
            told = f"{rate:,.0f} {unit}/s" if rate >= 1 else f"{3600 * rate:,.0f} {unit}/h"
            bars.update(at, completed=done, total=total, rate=told)
            bars.refresh()

        yield show


def _bars(console: Console) -> Progress:
    """A bar with its count, rate and time left.

    It is refreshed by hand: a thread would be copied into the processes that work. Standard output and standard error
    are not redirected through it.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    return Progress(
        *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False,
        redirect_stderr=False,
    )  # fmt: skip
