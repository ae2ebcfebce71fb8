"""The matches of one large file are shared among processes, and what comes of them is the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
from functools import partial
from typing import TYPE_CHECKING

import pytest

from bgtools.cli import _converting, _files, table
from bgtools.cli._decision_options import AnalysisOfFile
from bgtools.cli._engine_options import RolloutOptions
from bgtools.cli._files import split_matches
from bgtools.conversion.conversion import parse_target
from bgtools.engines.registry import parse_specs
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.formats.searching import FileCandidate
from bgtools.reports.table_kinds import ORIGIN, TABLES
from fuzz.hostile import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match
    from bgtools.reports.table_files import FileFormat

pytestmark = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="a process of its own does not see what a test changes"
)

(ENGINE,) = parse_specs("none")
OPTIONS = table.Options(
    ENGINE, "standard", None, "xg", None, keep=False, confirming=RolloutOptions.asked(False, None, ())
)
ROWS = table.TableRows("decisions", (*ORIGIN, *TABLES["decisions"].columns), "csv", OPTIONS)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a dozen matches, which is shared as if it were large."""
    monkeypatch.setattr(_files, "SHARED_FROM_ENTRIES", 100)
    monkeypatch.setattr(_files, "SHARE", 50)
    path = tmp_path / "x.mat"
    path.write_bytes(KINDS["sound matches"](20_000))
    return path


def numbered(matches: Sequence[Match], share: range) -> list[tuple[int, int]]:
    return [(at, os.getpid()) for at in share if matches[at].players]


def ends_at_the_third(share: range) -> int:
    if 3 in share:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(share)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_match_is_worked_on_once_and_in_order(jobs: int, file: Path) -> None:
    matches = read_source(file.read_bytes(), "x")
    found = [each for share in split_matches(matches, partial(numbered, matches), jobs) for each in share]
    assert [at for at, _ in found] == [*range(len(matches))]
    assert len(matches) > 5
    assert len({process for _, process in found} - {os.getpid()}) in ((0,) if jobs == 1 else (2, 3))


def test_a_small_file_is_not_shared(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_files, "SHARED_FROM_ENTRIES", 20_000)
    matches = read_source(file.read_bytes(), "x")
    assert {process for share in split_matches(matches, partial(numbered, matches), 3) for _, process in share} == {
        os.getpid()
    }


def test_a_process_that_is_killed_ends_the_work_on_the_file(file: Path) -> None:
    matches = read_source(file.read_bytes(), "x")
    with pytest.raises(FormatError, match="the process that read it was ended, by want of memory"):
        split_matches(matches, ends_at_the_third, 2)


def test_a_killed_process_is_told_and_writes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(_converting, "convert", killed)
    task = _converting.ConversionTask(parse_target("sgf"), "", False, frozenset(), True, False, True)
    done = _converting.ConversionWork(task, 2)(FileCandidate(str(file)))
    assert (done.status, done.data) == (2, ())
    assert "was ended, by want of memory" in done.messages[0]
    monkeypatch.setattr(table, "analysed", killed)
    rows = table.TableRows("games", ROWS.columns, "csv", OPTIONS, jobs=2)(FileCandidate(str(file)))
    assert "was ended, by want of memory" in rows.problem
    assert rows.chunks == ()


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("file_format", ["csv", "jsonl", "xlsx"])
def test_rows_are_the_same_whoever_makes_them(file_format: FileFormat, file: Path) -> None:
    alone, shared = (
        table.TableRows("decisions", ROWS.columns, file_format, OPTIONS, jobs=jobs)(FileCandidate(str(file)))
        for jobs in (1, 3)
    )
    assert shared == alone
    assert alone.rows > 100
    assert len(alone.chunks) > 3


def first_play(analysis: Analysis, _match: Match, path: str, number: int) -> list[tuple[str, int, str]]:
    return [(path, number, analysis.decisions[0].played)]


@pytest.mark.thorough
def test_what_is_gathered_is_the_same_whoever_gathers_it(file: Path) -> None:
    alone, shared = (AnalysisOfFile(OPTIONS, first_play, jobs=jobs)(FileCandidate(str(file))) for jobs in (1, 3))
    assert shared == alone
    assert [number for _, number, _ in alone.found] == [*range(1, len(alone.found) + 1)]


def test_matches_that_get_a_file_each_are_the_same_whoever_writes_them(file: Path) -> None:
    task = _converting.ConversionTask(parse_target("sgf"), "", False, frozenset(), True, False, True)
    alone, shared = (_converting.ConversionWork(task, jobs)(FileCandidate(str(file))) for jobs in (1, 3))
    assert shared == alone
    assert len(alone.data) > 5
    assert all(data and data.startswith(b"(;") for data in alone.data)
