"""A cluster on this machine: the same files whoever does the work, and whoever is killed at it."""

from __future__ import annotations

import importlib.util
import os
import random
import shlex
import shutil
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
import test_confirming
import typer
from records import files_of, made, put

import annotated
import bgtools
import program
from bgtools.cli.blunders import blunders_command
from bgtools.cli.library.add import add_command
from bgtools.cli.report import report_command
from bgtools.library import adding, runners
from bgtools.library.analysing import Valuing
from bgtools.library.confirming import ConfirmSummary, confirm
from bgtools.library.library import Library
from bgtools.library.manifest import read_state
from bgtools.library.runners import DaskRunner, SchedulerGone
from bgtools.library.storage import LibraryError, open_storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed")

ROOT = str(Path(__file__).parents[2])
TESTED = os.pathsep.join((ROOT, *map(str, Path(__file__).parents[:2])))
"""From where workers import bgtools and what the tests give them to do."""
PATIENCE = 90
"""Seconds that one wait may take: on a busy machine a process takes long to start, or to see that all is lost."""


@dataclass
class Machines:
    """A scheduler and workers, each a process."""

    address: str
    folder: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    secured: tuple[str, ...] = ()

    def add_worker(self, path: Path | None = None) -> None:
        """Start another worker; ``path`` is the folder from which it imports bgtools."""
        options = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(self.folder))
        self.workers.append(started("worker", self.address, *options, *self.secured, path=path))

    def kill_worker(self, which: int) -> None:
        """End a worker without warning, and let another one come in its place."""
        self.workers.pop(which).send_signal(signal.SIGKILL)
        self.add_worker()


def started(*arguments: str, path: Path | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(path or TESTED), "OPENBLAS_NUM_THREADS": "1"},
        start_new_session=True,
        cwd=path,
    )


@contextmanager
def machines(folder: Path, workers: int, secured: tuple[str, ...] = ()) -> Iterator[Machines]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    protocol = "tls" if secured else "tcp"
    scheduler = started(
        "scheduler", "--protocol", protocol, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", *secured
    )
    found = Machines(f"{protocol}://127.0.0.1:{port}", folder, scheduler, secured=secured)
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


@pytest.mark.thorough
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


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_killed_at_whatever_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Workers, the client and the scheduler are killed at random, again and again, until all is done."""
    monkeypatch.setattr(adding, "FILES", 2)
    rng = random.Random(seed)
    put(tmp_path / "in", *range(40), length=1)
    Library(tmp_path / "one").add([tmp_path / "in"])
    killed = {"worker": 0, "client": 0, "scheduler": 0}
    for tried in range(50):
        with machines(tmp_path, 3) as cluster:
            running = client(cluster, tmp_path)
            while running.poll() is None:
                # On a busy machine a program may need longer than that to begin: each is given more time than the last.
                time.sleep(rng.uniform(0.1, 2.0 + tried / 2))
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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_rollouts_are_the_same_whoever_is_killed(tmp_path: Path) -> None:
    with machines(tmp_path, 2) as cluster:
        for name in ("one", "library"):
            Library(tmp_path / name).add(annotated_records(tmp_path / "in"))

        def kill(now: ConfirmSummary) -> None:
            if now.done in (5, 20):
                cluster.kill_worker(0)

        rolling = test_confirming.Faked()
        expected = confirm(open_storage(str(tmp_path / "one")), rolling)
        with DaskRunner(cluster.address) as run:
            found = confirm(open_storage(str(tmp_path / "library")), rolling, run, progress=kill)
    assert (found.missing, found.done, found.verdicts) == (expected.missing, expected.done, expected.verdicts)
    assert found.done > 30
    for name in ("one", "library"):
        Library(tmp_path / name).check(clean=True)
    assert files_of(tmp_path / "library") == files_of(tmp_path / "one")


def annotated_records(folder: Path) -> list[Path]:
    """Records with analyses of their own, in two folders, two of one name."""
    paths = [folder / "7.sgf", folder / "below" / "7.sgf", folder / "7.txt", folder / "below" / "8.sgf"]
    (folder / "below").mkdir(parents=True, exist_ok=True)
    for seed, path in enumerate(paths, 7):
        match = annotated.analysed(made(seed, 1), seed)
        path.write_bytes(bgtools.convert(match, to="sgf", verify=False).data)
    return paths


@pytest.mark.thorough
def test_blunders_and_reports_of_a_folder_are_those_of_one_machine(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    paths = annotated_records(folder)
    (folder / "nonsense.mat").write_text("nonsense\n")
    (folder / "broken.sgf").write_bytes(b"(;GM[6]MI[length:5]")
    before = program.bgtools("blunders", str(folder), "--engine", "file", "-o", str(tmp_path / "one.json"))
    alone = {"BGTOOLS_CACHE": str(tmp_path / "kept")}
    one = program.bgtools("report", str(folder), "--engine", "file", "-o", str(tmp_path / "one"), environment=alone)
    with machines(tmp_path, 2) as cluster:
        where = ("--dask", cluster.address)
        after = program.bgtools("blunders", str(folder), "--engine", "file", *where, "-o", str(tmp_path / "two.json"))
        two = program.bgtools("report", str(folder), "--engine", "file", *where, "-o", str(tmp_path / "two"))
        both = program.bgtools("report", str(folder), "--engine", "file", *where, "--jobs", "2")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert after.stdout.replace("two.json", "one.json") == before.stdout
    assert (one.returncode, two.returncode) == (before.returncode, after.returncode)
    matches = len([*(tmp_path / "one" / "match").iterdir()])
    assert len(paths) == matches
    assert two.stdout == one.stdout.replace(str(tmp_path / "one"), str(tmp_path / "two"))
    written = sorted(each.relative_to(tmp_path / "one") for each in (tmp_path / "one").rglob("*") if each.is_file())
    assert len(written) > 15
    for each in written:
        assert (tmp_path / "one" / each).read_bytes() == (tmp_path / "two" / each).read_bytes(), each
    assert "the workers say how many" in both.stderr
    gone = program.bgtools("blunders", str(folder), "--engine", "file", "--dask", "tcp://127.0.0.1:1")
    assert (gone.returncode, gone.stdout) == (2, "")
    assert "no Dask scheduler answers" in gone.stderr


class GoneRunner:
    """A cluster that goes away."""

    has_workers = True

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> GoneRunner:
        return self

    def __exit__(self, *_: object) -> None: ...

    def __call__(self, *_: object) -> Iterator[object]:
        raise SchedulerGone(f"the Dask scheduler at {self.address} is gone")


def test_what_is_undone_is_said_where_the_scheduler_goes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runners, "DaskRunner", GoneRunner)
    annotated_records(tmp_path / "in")
    folder, library = str(tmp_path / "in"), str(tmp_path / "library")
    commands: tuple[tuple[Callable[[], None], str], ...] = (
        (lambda: blunders_command([folder], engine="file", dask="tcp://head"), "nothing was written"),
        (
            lambda: report_command(folder, tmp_path / "out", engine="file", dask="tcp://head"),
            "the matches so far are kept",
        ),
        (
            lambda: add_command([folder], library, dask="tcp://head"),
            "what was committed is kept, and the same command goes on from there",
        ),
    )
    for command, undone in commands:
        with pytest.raises(typer.Exit) as ended:
            command()
        assert ended.value.exit_code == 2
        assert capsys.readouterr().err == f"bgtools: the Dask scheduler at tcp://head is gone; {undone}\n"
    assert not (tmp_path / "out").exists()


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "_PATIENCE", 0.2)
    with pytest.raises(LibraryError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        DaskRunner("tcp://127.0.0.1:1")


def test_no_address_is_told() -> None:
    with pytest.raises(LibraryError, match="no Dask scheduler answers at nonsense"):
        DaskRunner("nonsense://place")


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("kind", ["none", "other version", "other sources"])
def test_a_worker_with_another_bgtools_is_refused_and_nobody_waits(kind: str, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    package = theirs / "bgtools"
    if kind == "none":
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    else:
        for name in ("bgtools", "grammars"):
            shutil.copytree(Path(ROOT) / name, theirs / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(Path(ROOT) / "pyproject.toml", theirs)
        changed = package / ("_version.py" if kind == "other version" else "library/adding.py")
        text = changed.read_text()
        changed.write_text(
            '__version__ = "9.9"\n' if kind == "other version" else text.replace("class AddTask", "class OtherTask")
        )
    records = put(tmp_path / "records", 6)
    with machines(tmp_path, 0) as here:
        here.add_worker(theirs)
        with DaskRunner(here.address) as run:
            wait_until(lambda: run.has_workers)
            with pytest.raises(LibraryError, match="install the same on all machines") as refused:
                Library(tmp_path / "library").add(records, run=run)
    expected = {"none": "has no bgtools", "other version": "has bgtools 9.9", "other sources": "from other sources"}
    assert expected[kind] in str(refused.value)


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(10 * PATIENCE):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("waited in vain")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and a certificate by it, as docs/cluster.md makes them, and those of a stranger."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    for who in ("ours", "theirs"):
        (folder / who).mkdir()
        for command in commands_of("openssl"):
            subprocess.run(shlex.split(command), cwd=folder / who, check=True, capture_output=True)
    return folder


def commands_of(program: str) -> list[str]:
    """The commands of a program that docs/cluster.md tells readers to type."""
    page = (Path(ROOT) / "docs" / "cluster.md").read_text(encoding="utf-8")
    found = [line.strip() for line in page.replace("\\\n", " ").splitlines() if line.startswith(f"{program} ")]
    assert found
    return found


@pytest.mark.thorough
def test_a_cluster_with_certificates_lets_nobody_else_in(
    certificates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = certificates / "ours"
    files = {"ca-file": "ca.pem", "cert": "cluster.pem", "key": "cluster.key"}
    secured = tuple(word for name, file in files.items() for word in (f"--tls-{name}", str(ours / file)))
    records = put(tmp_path / "records", 6)
    with machines(tmp_path, 1, secured) as here:
        with with_certificates(ours), DaskRunner(here.address) as run:
            assert Library(tmp_path / "library").add(records, run=run).matches == 1
        monkeypatch.setattr(runners, "_PATIENCE", 5)
        for address, who in ((here.address, "theirs"), (here.address.replace("tls", "tcp"), "ours")):
            with with_certificates(certificates / who), pytest.raises(LibraryError, match="no Dask scheduler answers"):
                DaskRunner(address)


@contextmanager
def with_certificates(folder: Path) -> Iterator[None]:
    import dask

    given = {
        "distributed.comm.tls.ca-file": str(folder / "ca.pem"),
        "distributed.comm.tls.client.cert": str(folder / "cluster.pem"),
        "distributed.comm.tls.client.key": str(folder / "cluster.key"),
    }
    with dask.config.set(given):
        yield
