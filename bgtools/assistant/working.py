"""The process that carries tools out.

Cancelling a call ends it, whatever it is busy with, and the next call starts another. It ends with the server, however
that ends, and so do the programs that it has started.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from anyio import Lock, to_thread
from mcp.server.mcpserver.exceptions import ToolError

from bgtools._workers import leave_start, safe_path, start_safely
from bgtools.assistant.folders import Folders

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.connection import Connection

    from mcp_types import CallToolResult

_GRACE: Final = 0.5
"""Seconds that a process has to remove what it has not finished."""


class ToolProcess:
    """Carries out one tool at a time, since an engine takes every core; the others wait, and can be cancelled too.

    Args:
        folders: what may be read, and whether new files may be written there.
        library: the location of a library; None for none.
    """

    def __init__(self, folders: Folders, library: str | None = None) -> None:
        self.folders, self.library = folders, library
        self._one: Lock | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    async def call(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        """The answer of a tool.

        Raises:
            ToolError: it has none; the message says why.
        """
        self._one = self._one or Lock()  # belongs to the loop that runs now
        async with self._one:
            pipe = self._started()
            is_done = False
            try:
                pipe.send((tool, arguments))
                answer, problem = await to_thread.run_sync(pipe.recv, abandon_on_cancel=True)
                is_done = True
            except (EOFError, OSError):
                raise ToolError("the process that worked on this has ended, perhaps for want of memory") from None
            finally:
                if not is_done:
                    self.end()
        if problem:
            raise ToolError(problem)
        found: CallToolResult = answer
        return found

    def end(self) -> None:
        """End the process and all that it has started. A thread that waits for its answer is woken."""
        process, self._process, self._pipe = self._process, None, None
        if process is None:
            return
        for number in ("SIGTERM", "SIGKILL"):
            _signal(process, getattr(signal, number, signal.SIGTERM))
            process.join(_GRACE)
        process.join()

    def _started(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.end()
            # A process that is forked would have the locks that threads of the server hold just now.
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            folders = self.folders
            given = (theirs, folders.roots, folders.identities, folders.write, self.library, safe_path())
            self._process = context.Process(target=_work, args=given, name="bgtools mcp")
            start_safely(self._process)
            theirs.close()
        return self._pipe


def _signal(process: multiprocessing.process.BaseProcess, number: int) -> None:
    """Send a signal to a process and to all that it has started; Windows ends the process alone."""
    with suppress(OSError):
        if hasattr(os, "killpg") and process.pid is not None:
            os.killpg(process.pid, number)
        else:
            process.terminate()
    with suppress(OSError):  # before it has a group of its own
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, number)


# --- in the new process -----------------------------------------------------------------------


def _work(
    pipe: Connection,
    roots: list[str],
    identities: list[tuple[int, int]],
    write: bool,
    library: str | None,
    safe: str | None,
) -> None:
    """Carry tools out until the server has gone."""
    leave_start(safe)
    if hasattr(os, "setsid"):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    from bgtools._signals import end_on_signals
    from bgtools.assistant.tools import Tools

    end_on_signals(_work.__code__)
    with suppress(EOFError, OSError):
        tools: Any = None
        while True:
            name, arguments = pipe.recv()
            try:
                tools = tools or Tools(Folders(roots, write=write, identities=identities), library)
                answer = getattr(tools, name)(**arguments), ""
            except ToolError as error:
                answer = None, str(error)
            except Exception as error:
                from bgtools.formats.searching import trouble

                answer = None, trouble(error)
            pipe.send(answer)


def _end_with_server() -> None:
    """End this process and all that it has started as soon as the server has ended."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
