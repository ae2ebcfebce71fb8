"""Ctrl-C, SIGTERM and SIGHUP end a command as an error would, so that files which are not finished are removed.

The exception that ends the command may be raised anywhere, and in two places it is lost: in the callback of a weak
reference or a ``__del__``, where Python prints and drops any exception; and in an import, which runs such callbacks,
and whose extension modules may drop exceptions too. There the signal is sent again a moment later.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

_LATER: Final = 0.02  # seconds until a signal is sent again
_STATUS: Final = 128  # plus the number of the signal is the exit status, as a shell reports it
_IMPORTING: Final = "<frozen importlib._bootstrap>"


def end_again() -> None:
    """Raise once more what a signal has raised; where no signal has ended anything, do nothing.

    Libraries in other languages may put an error of their own in its place.
    """
    if _held.ended:
        _raise(_held.ended)


def _raise(number: int) -> None:
    _held.ended = number
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(_STATUS + number)


def end_on_signals(body: CodeType) -> None:
    """Let signals end what the main thread does.

    Args:
        body: the function that runs the command; an import that has called it does not delay signals.
    """
    main = _thread.get_ident()

    def send_later(number: int) -> None:
        def send() -> None:
            time.sleep(_LATER)
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main, number)  # also ends a wait of the main thread
            else:
                signal.raise_signal(number)

        _thread.start_new_thread(send, ())

    def end(number: int, frame: FrameType | None) -> None:
        if _held.depth:
            _held.waiting = _held.waiting or number
        elif _imports(frame, body):
            send_later(number)
        else:
            _raise(number)

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if isinstance(what.exc_value, KeyboardInterrupt):
            send_later(signal.SIGINT)
        elif isinstance(what.exc_value, SystemExit) and type(code := what.exc_value.code) is int and code > _STATUS:
            send_later(code - _STATUS)
        else:
            sys.__unraisablehook__(what)

    sys.unraisablehook = dropped
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end)


@dataclass(slots=True)
class _Held:
    """What is known of signals.

    Attributes:
        depth: how many blocks of `signals_deferred` run.
        waiting: the signal that waits for the end of the last one; 0 for none.
        ended: the last signal that has ended what the main thread did; 0 for none.
    """

    depth: int = 0
    waiting: int = 0
    ended: int = 0


_held: Final = _Held()


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Put signals off: the first one that comes is dealt with at the end of the block.

    A process that is forked in the block does not deal with a signal before it has set its own ways with them.
    """
    _held.depth += 1
    try:
        yield
    finally:
        _held.depth -= 1
        if not _held.depth and _held.waiting:
            number, _held.waiting = _held.waiting, 0
            signal.raise_signal(number)


def _imports(frame: FrameType | None, body: CodeType) -> bool:
    """Whether a frame is inside an import that the function ``body`` has begun."""
    while frame is not None and frame.f_code is not body:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False
