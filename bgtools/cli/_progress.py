"""A progress bar over files."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """A progress bar on standard error; nothing where that is no terminal, or for a few files."""
    console = _terminal.terminal()
    if console is None:
        yield Bar()
        return
    from bgtools.cli._files import FEW
    from bgtools.formats import candidates

    total = sum(1 for _ in candidates(paths))
    if total <= FEW:
        yield Bar()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    # Refreshed by hand: a thread would be copied into the processes that check. What is printed on
    # standard output stays there; the bar makes room for it where both are one terminal.
    bars = Progress(
        *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False,
        redirect_stderr=False,
    )  # fmt: skip

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
