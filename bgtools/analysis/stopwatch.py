"""What engines cost: processor time, that of the programs which they run included."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.engines.protocol import Engine

R = TypeVar("R")


def processor_time(work: Callable[[], R]) -> tuple[R, float]:
    """What some work gives, and the seconds of processor time that it took, on all processors together.

    The system counts the time of a program once it has ended, all of it at once. So the work has to end the programs of
    its engines (`close`), and their start counts too. On Windows only the time of this process is known.
    """
    begun = _spent()
    found = work()
    return found, _spent() - begun


def _spent() -> float:
    """Processor time of this process, and of the programs that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def close(engine: Engine) -> None:
    """End the program of an engine that runs one; it is started again when it is needed."""
    getattr(engine, "close", lambda: None)()
