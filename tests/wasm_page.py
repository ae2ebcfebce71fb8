"""The page in which bgtools runs, built once for all tests of a machine, and a host for it on this machine."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import http.server
import tempfile
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

from wasm_engine import ROOT, built_engine, module_of, needs_compiler

if TYPE_CHECKING:
    from collections.abc import Iterator

_SOURCES = ("docs/try", "bgtools", "grammars")


def needs_page(test: Any) -> Any:
    """Mark a test of the page: it is built, which takes a compiler and npm."""
    return needs_compiler(pytest.mark.needs(which("npm"), "npm")(test))


@cache
def built_page() -> Path:
    """The folder of the page; it is built where its sources have changed."""
    digest = hashlib.sha256()
    for folder in _SOURCES:
        for each in sorted(path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"):
            digest.update(each.read_bytes())
    out = Path(tempfile.gettempdir()) / f"bgtools-page-{digest.hexdigest()[:16]}"
    with Path(f"{out}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers run tests
        if not (out / "service.js").is_file():
            module_of(ROOT / "docs" / "try" / "build.py").build(out, engine=built_engine(standard=False))
    return out


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        pass


class StaticHost(http.server.ThreadingHTTPServer):
    """A host of files, on this machine alone."""

    daemon_threads = True

    @property
    def address(self) -> str:
        """The address of its folder."""
        return f"http://127.0.0.1:{self.server_port}/"


@contextmanager
def hosted(folder: Path) -> Iterator[StaticHost]:
    """A host of the files in a folder."""
    host = StaticHost(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
