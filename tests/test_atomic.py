"""Files that several programs write into one folder at once."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

import pytest

from bgtools._atomic import clear, temporary_file, temporary_folder
from bgtools._disk import save

FILES, WRITERS = 150, 3


def write(folder: Path, writer: int) -> None:
    for number in range(FILES):
        save(b"whole", folder / f"{writer}-{number}.mat")


@pytest.mark.skipif(sys.platform == "win32", reason="processes that are forked")
def test_no_writer_takes_a_draft_of_another_for_abandoned(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(WRITERS) as pool:
        pool.starmap(write, [(tmp_path, writer) for writer in range(WRITERS)], chunksize=1)
    assert len([*tmp_path.iterdir()]) == FILES * WRITERS


@pytest.mark.skipif(sys.platform == "win32", reason="there a draft counts as held by its time")
def test_what_was_abandoned_before_it_was_held_is_cleared_away(tmp_path: Path) -> None:
    for name in (".x.mat.bgtools-abcdefgh.part", ".y.bgtools-abcdefgh"):
        (tmp_path / name).touch()
    clear(tmp_path)
    assert [*tmp_path.iterdir()] == []


def test_a_draft_lies_beside_what_it_shall_become(tmp_path: Path) -> None:
    with temporary_file(tmp_path / "a.mat") as (stream, draft), temporary_folder(tmp_path / "b") as folder:
        stream.write(b"x")
        assert {draft, folder} == set(tmp_path.iterdir())
        assert folder.is_dir()
        clear(tmp_path)
        assert {draft, folder} == set(tmp_path.iterdir())
    assert [*tmp_path.iterdir()] == []


def test_where_there_is_no_folder_nothing_is_tried_for_ever(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), temporary_file(tmp_path / "none" / "a.mat"):
        pass
    with pytest.raises(FileNotFoundError), temporary_folder(tmp_path / "none" / "b"):
        pass
