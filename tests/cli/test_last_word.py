"""Whatever ends a command, it is a sentence and the exit status 2: 1 means that errors were found in a record."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotated import RECORD, analysed
from bgtools.conversion.conversion import write
from program import SOUND, bgtools
from support import read_text

FAILING = """
import sys, bgtools.engines.cache
from bgtools.cli import main
def fail(*_, **__):
    raise {error}
bgtools.engines.cache.Store = fail
sys.argv[1:] = ["cache"]
main()
"""
FAULT = "bgtools: ended by a fault of bgtools; please report it"
MORE = "BGTOOLS_TRACEBACK=1 shows all of it"


def failing(error: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", FAILING.format(error=error)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("OSError(28, 'No space left on device', 'a.csv')", "bgtools: a.csv: No space left on device\n"),
        ("OSError(5, 'Input/output error')", "bgtools: Input/output error\n"),
        ("MemoryError", "bgtools: there is not enough memory for this\n"),
        ("RecursionError('too deep')", f"{FAULT}: RecursionError: too deep in <string>, line 5; {MORE}\n"),
        ("EOFError('no more')", f"{FAULT}: EOFError: no more in <string>, line 5; {MORE}\n"),
    ],
)
def test_what_nobody_has_dealt_with_is_a_sentence(error: str, said: str) -> None:
    done = failing(error)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_reader_that_has_gone_away_is_no_finding() -> None:
    assert failing("BrokenPipeError(32, 'Broken pipe')").returncode == 0


def test_the_traceback_is_there_for_whoever_reports_a_fault() -> None:
    done = failing("KeyError('x')", BGTOOLS_TRACEBACK="1")
    assert done.returncode == 2
    assert done.stderr.startswith("Traceback (most recent call last)")
    assert done.stderr.endswith("please report it: KeyError: 'x' in <string>, line 5\n")


@pytest.mark.quick(one_in=2)
@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed otherwise there")
@pytest.mark.parametrize("stdin", ["<&-", "</dev/null"])
def test_a_quiz_that_nobody_can_answer_ends_with_a_sentence(stdin: str, tmp_path: Path) -> None:
    write(analysed(read_text(RECORD), 1), tmp_path / "valued.json")
    command = [sys.executable, "-m", "bgtools", "quiz", str(tmp_path / "valued.json"), "--engine", "file"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {stdin}', "sh", *command],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "BGTOOLS_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if stdin == "<&-" else 0)
    assert ("bgtools: standard input: cannot be read: " in done.stderr) == (stdin == "<&-")


def test_answers_kept_in_a_pipe_are_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes with names")
    (tmp_path / "m.mat").write_text(SOUND)
    os.mkfifo(tmp_path / "quiz.json")
    done = bgtools("quiz", str(tmp_path / "m.mat"), "--progress", str(tmp_path / "quiz.json"))
    assert done.returncode == 2
    assert "quiz.json: cannot be read: it is not a regular file" in done.stderr
