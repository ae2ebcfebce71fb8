"""Checking many files: what one of them does to the others."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given, settings, strategies as st

from bgtools.checks.checking import check
from bgtools.checks.settings import Settings
from bgtools.cli._checking import CheckTask, FileReport, Layout, check_file, check_files, render
from bgtools.cli._files import SERIAL_FILES
from bgtools.formats.content import FormatError
from bgtools.formats.reading import load, read_source
from bgtools.formats.searching import FileCandidate, candidates
from bgtools.reports.findings import plain
from program import SOUND, WRONG_DIE

if TYPE_CHECKING:
    from bgtools.record.record import Match

TASK = CheckTask(Settings(), "concise")
forks = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="a process of its own does not see what a test changes"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(2 * SERIAL_FILES):
        (tmp_path / f"{number:02}.mat").write_text(WRONG_DIE if number % 2 else SOUND)
    return tmp_path


def names(reports: list[FileReport]) -> list[str]:
    return [Path(report.path).name for report in reports]


def test_no_process_is_started_for_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(SERIAL_FILES):
        (tmp_path / f"{number:02}.mat").write_text(SOUND)
    monkeypatch.setitem(sys.modules, "bgtools._workers", None)
    assert len(list(check_files(candidates([str(tmp_path)]), TASK, 4))) == SERIAL_FILES


def test_reports_come_in_the_order_of_the_files(folder: Path) -> None:
    reports = list(check_files(candidates([str(folder)]), TASK, 3))
    assert names(reports) == [f"{number:02}.mat" for number in range(2 * SERIAL_FILES)]
    assert [report.failed for report in reports] == [False, True] * SERIAL_FILES


def test_a_fault_of_ours_is_told_with_its_place_and_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: str) -> tuple[bytes, str]:
        raise RuntimeError("what now")

    monkeypatch.setattr("bgtools.formats.searching.load", broken)
    report = check_file(FileCandidate("a.mat"), TASK)
    assert report.problem.startswith("left out, by a fault of bgtools; please report it: RuntimeError: what now in ")
    assert "test_batch.py, line " in report.problem


@forks
def test_a_process_that_is_killed_costs_only_its_own_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deadly = f"{SERIAL_FILES + 3:02}.mat"
    first = os.getpid()

    def read(path: str) -> tuple[bytes, str]:
        if Path(path).name == deadly:
            assert os.getpid() != first
            os.kill(os.getpid(), signal.SIGKILL)
        return load(path)

    monkeypatch.setattr("bgtools.formats.searching.load", read)
    reports = list(check_files(candidates([str(folder)]), TASK, 2))
    assert names(reports) == [f"{number:02}.mat" for number in range(2 * SERIAL_FILES)]
    assert [Path(report.path).name for report in reports if report.problem] == [deadly]
    assert "was ended" in next(report.problem for report in reports if report.problem)


_NASTY = (
    "\x00",
    "\x07",
    "\x08",
    "\x1b[2J",
    "\x7f",
    "\x85",
    "\x9b",
    "\u2028",
    "\u202e",
    "\r",
    "\xad",
    "%0A::error::",
    "\ufeff",
)


@pytest.mark.thorough
@given(st.lists(st.tuples(st.integers(0, len(WRONG_DIE)), st.sampled_from(_NASTY)), min_size=1, max_size=5))
@settings(max_examples=60)
def test_nothing_of_a_record_acts_on_a_terminal(inserted: list[tuple[int, str]]) -> None:
    text = WRONG_DIE
    for at, nasty in inserted:
        text = text[:at] + nasty + text[at:]
    data = text.encode()
    for layout in get_args(Layout):
        for match in _matches(data):
            for finding in check(match):
                shown = render(layout, finding, match, plain)
                assert all(line.isprintable() for line in shown.split("\n"))
                if layout != "full":
                    assert "\n" not in shown
                if layout in ("json", "sarif"):
                    assert shown.isascii()
                    assert json.loads(shown)


def _matches(data: bytes) -> tuple[Match, ...]:
    try:
        return read_source(data, "a\x1bb\n.mat")
    except FormatError:
        return ()


def test_stopping_early_ends_the_processes(folder: Path) -> None:
    before = set(multiprocessing.active_children())
    reports = check_files(candidates([str(folder)] * 5), TASK, 2)
    for _ in range(SERIAL_FILES + 1):
        next(reports)
    assert set(multiprocessing.active_children()) - before
    reports.close()
    assert set(multiprocessing.active_children()) == before
