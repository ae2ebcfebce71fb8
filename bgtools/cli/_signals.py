"""Ctrl-C, SIGTERM and SIGHUP end a command as an error would, so that files which are not finished are removed.

Python raises what ends the command wherever it happens to be, and at two places that is lost: in the callback of a
weak reference or a ``__del__``, where Python prints and drops any exception, and in an import, which has such callbacks
and whose extension modules may drop one too. There the signal is put off and sent again.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import CodeType, FrameType

_LATER: Final = 0.02  # seconds until a signal is sent again
_STATUS: Final = 128  # and the number of the signal, as a shell reports it
_IMPORTING: Final = "<frozen importlib._bootstrap>"


def end_on_signals(body: CodeType) -> None:
    """Let signals end what the main thread does.

    Args:
        body: the function that runs the command; an import that called it is not waited for.
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
        if _imports(frame, body):
            send_later(number)
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            raise SystemExit(_STATUS + number)

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


def _imports(frame: FrameType | None, body: CodeType) -> bool:
    """Whether a module is being imported, as far as the function ``body`` goes."""
    while frame is not None and frame.f_code is not body:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False
