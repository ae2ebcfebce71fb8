"""A cluster on this machine: the same files whoever does the work, and whoever is killed at it."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from records import files_of, put

from bgtools.library import adding
from bgtools.library.analysing import Valuing
from bgtools.library.library import Library
from bgtools.library.manifest import read_state
from bgtools.library.storage import LibraryError, open_storage

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed")

ROOT = str(Path(__file__).parents[2])
PATIENCE = 90
"""Seconds that one wait may take: on a busy machine a process takes long to start, or to see that all is lost."""


@dataclass
class Machines:
    """A scheduler and workers, each a process."""

    address: str
    folder: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self) -> None:
        options = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(self.folder))
        self.workers.append(started("worker", self.address, *options))

    def kill_worker(self, which: int) -> None:
        """End a worker without warning, and let another one come in its place."""
        self.workers.pop(which).send_signal(signal.SIGKILL)
        self.add_worker()


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": ROOT, "OPENBLAS_NUM_THREADS": "1"},
        start_new_session=True,
    )


@contextmanager
def machines(folder: Path, workers: int) -> Iterator[Machines]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    found = Machines(f"tcp://127.0.0.1:{port}", folder, scheduler)
    try:
        for _ in range(workers):
            found.add_worker()
        yield found
    finally:
        for process in (*found.workers, scheduler):
            process.kill()
            process.wait()


def client(machines: Machines, folder: Path) -> subprocess.Popen[bytes]:
    """A client as a process of its own: it adds what is in ``in`` to ``library``, two files a batch."""
    code = (
        "import sys; from bgtools.library import adding; from bgtools.library.runners import DaskRunner;"
        "from bgtools.library.library import Library; adding.FILES = 2\n"
        "with DaskRunner(sys.argv[1]) as cluster: Library(sys.argv[2]).add([sys.argv[3]], run=cluster)"
    )
    return process(code, machines.address, folder / "library", folder / "in")


def process(code: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": ROOT},
    )


def wait_for(folder: Path, commits: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the library that a process writes has so many commits; fail at once where the process has failed."""
    end = time.monotonic() + PATIENCE
    while read_state(open_storage(str(folder / "library"))).number < commits:
        assert process.poll() in (None, 0), "the program that was to write the library has ended; see its messages"
        assert time.monotonic() < end, f"no {commits} commits in {PATIENCE} seconds"
        time.sleep(0.01)


def test_a_library_is_the_same_file_for_file_whoever_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "FILES", 2)
    put(tmp_path / "in", *range(24), length=1)
    Library(tmp_path / "one").add([tmp_path / "in"])
    with machines(tmp_path, 2) as cluster:
        first = client(cluster, tmp_path)
        wait_for(tmp_path, 2, first)
        cluster.kill_worker(0)
        wait_for(tmp_path, 4, first)
        first.kill()
        first.wait(PATIENCE)
        second = client(cluster, tmp_path)
        cluster.kill_worker(0)
        assert second.wait(PATIENCE) == 0
    whole = Library(tmp_path / "library")
    assert whole.check().damaged == []
    whole.check(clean=True)
    expected = Library(tmp_path / "one")
    expected.check(clean=True)
    assert files_of(tmp_path / "library") == files_of(tmp_path / "one")
    assert whole.state.files == expected.state.files


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_killed_at_whatever_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Workers, the client and the scheduler are killed at random, again and again, until all is done."""
    monkeypatch.setattr(adding, "FILES", 2)
    rng = random.Random(seed)
    put(tmp_path / "in", *range(40), length=1)
    Library(tmp_path / "one").add([tmp_path / "in"])
    killed = {"worker": 0, "client": 0, "scheduler": 0}
    for _ in range(50):
        with machines(tmp_path, 3) as cluster:
            running = client(cluster, tmp_path)
            while running.poll() is None:
                time.sleep(rng.uniform(0.1, 2.0))
                victim = rng.choices([*killed], (6, 2, 1))[0]
                killed[victim] += 1
                if victim == "worker":
                    cluster.kill_worker(rng.randrange(3))
                elif victim == "client":
                    running.kill()
                else:
                    cluster.scheduler.kill()
                    running.wait(PATIENCE)
            if running.returncode == 0:
                break
    assert running.returncode == 0, killed
    whole, expected = Library(tmp_path / "library"), Library(tmp_path / "one")
    assert whole.check(clean=True).damaged == []
    expected.check(clean=True)
    assert files_of(tmp_path / "library") == files_of(tmp_path / "one"), killed


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.skipif(importlib.util.find_spec("bgsage") is None, reason="the engine is not installed")
@pytest.mark.parametrize("seed", range(3))
def test_an_analysis_is_the_same_file_for_file_whoever_is_killed(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    put(tmp_path / "in", *range(16), length=1)
    valuing = Valuing("sage", "quick")
    for name in ("one", "library"):
        Library(tmp_path / name).add([tmp_path / "in"])
    Library(tmp_path / "one").analyse(valuing)
    code = (
        "import sys; from bgtools.library import analysing; from bgtools.library.runners import DaskRunner;"
        "from bgtools.library.library import Library; analysing.MATCHES = 1\n"
        "valuing = analysing.Valuing('sage', 'quick')\n"
        "with DaskRunner(sys.argv[1]) as cluster: Library(sys.argv[2]).analyse(valuing, run=cluster)"
    )
    with machines(tmp_path, 2) as cluster:
        for killed in ("client", "client", "worker"):
            running = process(code, cluster.address, tmp_path / "library")
            wait_for(tmp_path, Library(tmp_path / "library").state.number + rng.randrange(1, 4), running)
            if killed == "client":
                running.kill()
                assert running.wait(PATIENCE) < 0
            else:
                cluster.kill_worker(rng.randrange(2))
                assert running.wait(4 * PATIENCE) == 0
    whole, expected = Library(tmp_path / "library"), Library(tmp_path / "one")
    assert whole.check(clean=True).damaged == []
    expected.check(clean=True)
    assert files_of(tmp_path / "library") == files_of(tmp_path / "one")


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools.library import runners as cluster
    from bgtools.library.runners import DaskRunner

    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    with pytest.raises(LibraryError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        DaskRunner("tcp://127.0.0.1:1")


def test_no_address_is_told() -> None:
    from bgtools.library.runners import DaskRunner

    with pytest.raises(LibraryError, match="no Dask scheduler answers at nonsense"):
        DaskRunner("nonsense://place")
