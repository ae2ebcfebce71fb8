"""Another program, spoken to in lines over its standard input and output, with a time limit on every answer.

A program that is missing, ends, hangs or never stops talking becomes an `EngineUnavailable` within the limit. No
process is left behind: it is stopped when its `Program` is closed or forgotten, and at the latest when Python ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import weakref
from collections import deque
from threading import Condition, Thread
from typing import IO, TYPE_CHECKING, Final

from bgtools.engines.protocol import EngineUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_KEPT: Final = 10_000
"""Lines of output that wait to be read. Beyond that the oldest are dropped."""
_MOST: Final = 100_000
"""Lines of one answer; a longer one is not an answer."""
_LONGEST: Final = 1 << 16
"""Bytes after which a line is cut."""
_GRACE: Final = 0.5
"""Seconds that a program has to end by itself once its input is closed."""


class Program:
    """A running program.

    Args:
        name: what messages call it.
        command: the program and its arguments; no shell sees them.
        timeout: seconds that it may take over an answer, unless a call says otherwise.
        folder: where it is started; None for here.
        environment: its environment variables; None for ours.

    Raises:
        EngineUnavailable: it cannot be started.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        timeout: float,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.timeout = name, timeout
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                cwd=folder,
                env=environment,
                # A group of its own, so that what it has started can be stopped with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise EngineUnavailable(f"{name} cannot be started: {reason} ({command[0]})") from None
        self._lines: deque[str | None] = deque(maxlen=_KEPT)
        self._last_lines: deque[str] = deque(maxlen=3)
        self._news = Condition()
        output = self._process.stdout
        assert output is not None
        self._listener = Thread(target=_listen, args=(output, self._lines, self._news), daemon=True)
        self._listener.start()
        self._end = weakref.finalize(self, _stop, self._process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has neither ended nor been stopped."""
        return self._end.alive and self._process.poll() is None

    def send(self, *lines: str) -> None:
        """Write lines to it.

        Raises:
            EngineUnavailable: it has ended.
        """
        pipe = self._process.stdin
        assert pipe is not None
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            while data:
                data = data[pipe.write(data) :]
        except (OSError, ValueError):
            raise self._ended() from None

    def wait(self, is_last: Callable[[str], bool], *, timeout: float | None = None) -> list[str]:
        """Its lines up to and including the first one that is wanted, without line ends.

        Args:
            is_last: tells whether a line ends the answer.
            timeout: seconds for the whole answer; None for the usual limit.

        Raises:
            EngineUnavailable: it ends before, takes too long, or says too much. It is stopped then.
        """
        limit = self.timeout if timeout is None else timeout
        end = time.monotonic() + limit
        lines: list[str] = []
        while len(lines) < _MOST:
            with self._news:
                while not self._lines:
                    left = end - time.monotonic()
                    if left <= 0 or not self._news.wait(left):
                        break
                line = self._lines.popleft() if self._lines and time.monotonic() < end else ""
                late = time.monotonic() >= end
            if line is None:
                raise self._ended()
            if late:
                self.close()
                raise EngineUnavailable(f"{self.name} has not answered within {limit:g} seconds and was stopped")
            lines.append(line)
            if line.strip():
                self._last_lines.append(line.strip())
            if is_last(line):
                return lines
        self.close()
        raise self.garbage(f"{_MOST} lines without an answer")

    def garbage(self, what: str) -> EngineUnavailable:
        """The error for an answer that makes no sense; the program is stopped."""
        self.close()
        return EngineUnavailable(f"{self.name} gives no answer that can be understood: {_short(what)}")

    def close(self) -> None:
        """Stop it; nothing happens if it has ended."""
        self._end()

    def _ended(self) -> EngineUnavailable:
        self.close()
        self._listener.join(_GRACE)
        with self._news:
            self._last_lines.extend(line.strip() for line in self._lines if line and line.strip())
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code is not None and code < 0 else f"has ended with code {code}"
        words = f'; its last words: "{_short(" / ".join(self._last_lines))}"' if self._last_lines else " without a word"
        return EngineUnavailable(f"{self.name} {how}{words}")


def _short(text: str) -> str:
    """Text of another program, fit for a message."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return plain if len(plain) <= 200 else f"{plain[:197]}..."


def _listen(output: IO[bytes], lines: deque[str | None], news: Condition) -> None:
    """Collect lines until the program ends; None is the last of them."""
    rest = b""
    with contextlib.suppress(OSError, ValueError), output:
        while data := output.read(_LONGEST):
            *whole, rest = (rest + data).split(b"\n")
            if len(rest) > _LONGEST:
                whole, rest = [*whole, rest], b""
            if whole:
                with news:
                    lines.extend(line.decode("utf-8", "replace").rstrip("\r") for line in whole)
                    news.notify()
    with news:
        if rest:
            lines.append(rest.decode("utf-8", "replace"))
        lines.append(None)
        news.notify()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program and everything that it has started, and collect what is left of it."""
    pipe = process.stdin
    with contextlib.suppress(OSError):
        if pipe is not None:
            pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    if process.poll() is None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    process.wait()
