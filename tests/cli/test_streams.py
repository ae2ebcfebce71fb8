"""Standard streams that are closed, full or a terminal: the work is done, and nothing acts on the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from program import SOUND, WRONG_DIE, on_terminal

REPOSITORY = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams are closed otherwise there")

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY), "BGTOOLS_CACHE": os.environ.get("BGTOOLS_CACHE", "")}
JOBS = {
    "check": (("check", "m.mat"), 0),
    "a check that finds errors": (("check", "wrong.mat"), 1),
    "report": (("report", "m.mat", "--engine", "none", "-o", "out"), 0),
    "report of errors": (("report", "wrong.mat", "--engine", "none", "-o", "out"), 1),
    "table": (("table", "turns", "m.mat", "-o", "out.csv"), 0),
    "convert": (("convert", "m.mat", "out.json"), 0),
    "show": (("show", "m.mat"), 0),
    "a file that is not there": (("check", "none.mat"), 2),
}


def run_closed(arguments: tuple[str, ...], folder: Path, redirections: str) -> int:
    """The exit status of a command run by a shell with these redirections; it prints into ``printed`` what is left."""
    command = f'exec "$@" {redirections}'
    done = subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", "bgtools", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "Error" not in done.stderr
    return done.returncode


@pytest.mark.quick(one_in=9)
@pytest.mark.parametrize("redirections", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"])
@pytest.mark.parametrize("job", ["a check that finds errors", "report of errors", "convert"])
def test_with_closed_streams_the_work_is_done_and_the_status_is_the_same(
    job: str, redirections: str, tmp_path: Path
) -> None:
    if "full" in redirections and not Path("/dev/full").is_char_device():
        pytest.skip("there is no disk that is always full")
    (tmp_path / "m.mat").write_text(SOUND)
    (tmp_path / "wrong.mat").write_text(WRONG_DIE)
    arguments, status = JOBS[job]
    assert run_closed(arguments, tmp_path, redirections) == status
    if job.startswith("report"):
        # No message has found its way into a file that took the number of a stream.
        assert (tmp_path / "out" / "report.json").read_text().startswith("{")
        assert (tmp_path / "out" / "decisions.csv").read_text().startswith("game,")
    if job == "convert":
        assert (tmp_path / "out.json").read_text().startswith('{\n "format": "bgtools.match"')


@pytest.mark.thorough
@pytest.mark.parametrize("redirections", [">&-", "2>&-", "<&-", "<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("job", JOBS)
def test_whatever_streams_are_closed_every_command_does_its_work(job: str, redirections: str, tmp_path: Path) -> None:
    test_with_closed_streams_the_work_is_done_and_the_status_is_the_same(job, redirections, tmp_path)


@pytest.mark.thorough
def test_a_report_whose_output_finds_a_full_disk_is_written_all_the_same(tmp_path: Path) -> None:
    if not Path("/dev/full").is_char_device():
        pytest.skip("there is no disk that is always full")
    (tmp_path / "m.mat").write_text(SOUND)
    assert run_closed(JOBS["report"][0], tmp_path, ">/dev/full") == 2
    assert (tmp_path / "out" / "report.json").exists()


@pytest.mark.parametrize(
    "command", [("check", "-"), ("convert", "--positions", "--to", "gnubg"), ("show", "-")], ids=" ".join
)
def test_standard_input_that_is_closed_is_said(command: tuple[str, ...], tmp_path: Path) -> None:
    assert run_closed(command, tmp_path, "<&-") == 2


# --- colours ----------------------------------------------------------------------------------


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}], ids=str)
@pytest.mark.parametrize("job", ["a check that finds errors", "report of errors", "help"])
def test_a_terminal_without_colours_gets_none(job: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "wrong.mat").write_text(WRONG_DIE)
    arguments = ("check", "--help") if job == "help" else JOBS[job][0]
    assert "\x1b[" in on_terminal(arguments, tmp_path)
    plain = on_terminal(arguments, tmp_path, **environment)
    assert plain
    assert "\N{REPLACEMENT CHARACTER}" not in plain
    # What draws progress may move the cursor, where there is one.
    assert not re.search(r"\x1b\[[\d;]*m", plain)
    if environment.get("TERM") == "dumb":
        assert "\x1b" not in plain
