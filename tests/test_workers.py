"""Several processes work on files, and however they end, or the one that started them, nobody is left waiting."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bgtools._workers import run_in_processes
from bgtools.formats.searching import FileCandidate
from program import SOUND

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or multiprocessing.get_start_method() != "fork", reason="signals and processes of POSIX"
)


@dataclass(frozen=True)
class Doing:
    """Work that answers with the name of a file and much else, and ends its process at some files."""

    size: int = 0
    deadly: frozenset[str] = frozenset()
    raising: frozenset[str] = frozenset()
    full: frozenset[str] = frozenset()

    def __call__(self, candidate: FileCandidate) -> tuple[str, bytes]:
        if candidate.path in self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if candidate.path in self.raising:
            raise ValueError(candidate.path)
        if candidate.path in self.full:
            raise OSError(28, "No space left on device", candidate.path)
        return candidate.path, bytes(self.size)

    def lost(self, candidate: FileCandidate, problem: str) -> tuple[str, bytes]:
        return candidate.path, problem.encode()


def files(count: int) -> list[FileCandidate]:
    return [FileCandidate(str(number)) for number in range(count)]


@pytest.mark.thorough
def test_answers_come_in_order_and_only_the_deadly_files_are_lost() -> None:
    deadly = frozenset({"3", "4", "40", "99"})
    found = list(run_in_processes(iter(files(100)), Doing(1, deadly), 3))
    assert [name for name, _ in found] == [each.path for each in files(100)]
    assert {name for name, said in found if said != b"\0"} == deadly
    assert all(b"want of memory" in said for name, said in found if name in deadly)


def test_what_work_raises_is_raised_here_and_ends_the_processes() -> None:
    before = set(multiprocessing.active_children())
    with pytest.raises(RuntimeError, match="ValueError: 30"):
        list(run_in_processes(iter(files(100)), Doing(raising=frozenset({"30"})), 2))
    assert set(multiprocessing.active_children()) == before


def test_a_full_disk_is_told_as_what_it_is() -> None:
    with pytest.raises(OSError, match="No space left on device") as caught:
        list(run_in_processes(iter(files(10)), Doing(full=frozenset({"5"})), 2))
    assert (caught.value.errno, caught.value.filename) == (28, "5")


@pytest.mark.thorough
def test_a_process_that_is_killed_in_the_middle_of_an_answer_leaves_nobody_waiting() -> None:
    threads = threading.active_count()
    for _ in range(4):
        found = run_in_processes(iter(files(100)), Doing(400_000), 3)
        next(found)
        found.close()
    assert threading.active_count() == threads


INTERRUPTED_AT_BIRTH = """
import os, signal, sys
from bgtools._workers import run_in_processes
from bgtools._signals import end_on_signals
from test_workers import Doing, files

def main():
    end_on_signals(main.__code__)
    os.register_at_fork(after_in_child=lambda: signal.raise_signal(signal.SIGINT))
    found = list(run_in_processes(iter(files(40)), Doing(), 3))
    print(os.getpid(), len(found), flush=True)

try:
    main()
except BaseException as error:
    print("a second command", repr(error), flush=True)
"""


def test_a_new_process_that_ctrl_c_reaches_does_not_go_on_as_a_second_command() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_BIRTH], capture_output=True, text=True, timeout=60, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
    )  # fmt: skip
    (line,) = done.stdout.splitlines()
    assert line.split()[1] == "40"
    assert done.stderr == ""


@pytest.mark.thorough
def test_ctrl_c_at_any_moment_ends_a_table_and_all_its_processes(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.mat").write_text(SOUND)
    started = (
        "print(flush=True); from bgtools.cli import main; main()"  # Python's own start answers a signal as it likes
    )
    output = tmp_path / "t.csv"
    command = [sys.executable, "-c", started, "table", "turns", str(tmp_path), "-j", "3", "-o", str(output)]
    chance = random.Random(3)
    for _ in range(3):
        output.unlink(missing_ok=True)
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.8))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)  # whoever is left holds the pipe, so this waits for all of them
        assert process.returncode in (0, 130, -signal.SIGINT), said.decode()
        assert b"Traceback" not in said or process.returncode < 0
        if process.returncode >= 0:  # below, the interpreter was starting or ending
            assert (process.returncode == 0) is output.exists()


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"{number}.mat").write_text(SOUND)
    process = subprocess.Popen(
        [sys.executable, "-m", "bgtools", "check", str(tmp_path), "-j", "3"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    time.sleep(0.8)
    process.kill()
    process.communicate(timeout=60)


POISON = ("multiprocessing", "pickle", "signal", "random", "struct", "os", "bgtools")
SPAWNS = """
import multiprocessing, sys
if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    from bgtools.cli import main
    sys.argv = ["bgtools", *sys.argv[1:]]
    main()
"""


@pytest.mark.quick(one_in=3)
@pytest.mark.skipif(sys.platform == "win32", reason="what is tried is the start of Python everywhere")
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_new_process_imports_nothing_from_a_folder_of_records(method: str, tmp_path: Path) -> None:
    """A Python that is started by ``-c`` looks into the present folder first."""
    records = tmp_path / "records"
    records.mkdir()
    for name in POISON:
        (records / f"{name}.py").write_text("open('pwned', 'w').close()\n")
    for number in range(40):
        (records / f"{number}.mat").write_text(SOUND)
    script = tmp_path / "elsewhere" / "program.py"
    script.parent.mkdir()
    script.write_text(SPAWNS.format(method=method))
    done = subprocess.run(
        [sys.executable, str(script), "check", "-j", "2", "."], cwd=records, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}, timeout=100, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    assert "40 files" in done.stderr
    assert not (records / "pwned").exists()
