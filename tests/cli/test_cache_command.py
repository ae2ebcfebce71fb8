"""The cache command says what is kept, and forgets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bgtools.bearoff.disk_cache import cached_arrays
from bgtools.engines.cache import Store
from program import bgtools

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("BGTOOLS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_says_where_answers_are_kept_and_how_many(folder: Path) -> None:
    store = Store()
    assert store.path.parent == folder
    store.put([(b"one", b"answer"), (b"two", b"answer")])
    done = bgtools("cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{store.path}: 2 answers, 0.0 MB\n"


def test_it_forgets_when_told_to(folder: Path) -> None:
    store = Store()
    store.put([(b"one", b"answer")])
    assert "0 answers" in bgtools("cache", "--clear").stdout
    assert not store.get([b"one"])


def test_the_tables_beside_it_are_told_and_forgotten_too(folder: Path) -> None:
    table = folder / "bear-off-1.npz"
    store = Store()
    cached_arrays("bear-off-1", {"numbers": ((4,), "<i8")}, lambda: {"numbers": np.arange(4)})
    assert table.is_file()
    assert bgtools("cache").stdout.splitlines()[1:] == [f"{table}: a table of bear-offs, 0.0 MB"]
    assert bgtools("cache", "--clear").stdout == f"{store.path}: 0 answers, 0.0 MB\n"
    assert not table.exists()


def test_a_damaged_file_is_told_and_replaced(folder: Path) -> None:
    store = Store()
    store.put([(number.to_bytes(16, "big"), bytes(500)) for number in range(3000)])
    store.close()
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[: 3 * 4096] + b"\xa5" * (len(whole) - 3 * 4096))
    done = bgtools("cache")
    assert done.returncode == 2
    assert done.stderr.startswith("bgtools: the cache cannot be used: ")
    assert "0 answers" in bgtools("cache").stdout


def test_a_folder_that_cannot_be_written_is_told(folder: Path) -> None:
    folder.write_text("in the way")
    for arguments in (["cache"], ["cache", "--clear"]):
        done = bgtools(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("bgtools: the cache cannot be used: ")
