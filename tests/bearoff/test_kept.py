"""Tables on disk: read where they are sound, made where they are not, and done without where nothing can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgtools.bearoff.disk_cache import cached_arrays

LAYOUT = {"squares": ((4,), "<i8"), "halves": ((2, 2), "<f4")}
MADE: dict[str, Any] = {"squares": np.arange(4) ** 2, "halves": np.full((2, 2), 0.5, dtype="<f4")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv("BGTOOLS_CACHE", str(place))
    return place


def made() -> tuple[dict[str, Any], list[int]]:
    """What is found, and whether it had to be made."""
    calls: list[int] = []

    def make() -> dict[str, Any]:
        calls.append(1)
        return dict(MADE)

    return cached_arrays("table", LAYOUT, make), calls


def same(found: dict[str, Any]) -> bool:
    return found.keys() == MADE.keys() and all(np.array_equal(found[key], MADE[key]) for key in MADE)


def test_what_was_made_is_read_the_next_time(folder: Path) -> None:
    for times in (1, 0, 0):
        found, calls = made()
        assert same(found)
        assert len(calls) == times
    assert [path.name for path in folder.iterdir()] == ["table.npz"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "other shape", "other type", "missing"])
def test_a_damaged_file_is_written_anew(damage: str, folder: Path) -> None:
    made()
    path = folder / "table.npz"
    data = path.read_bytes()
    if damage in ("other shape", "other type", "missing"):
        other: dict[str, Any] = {"squares": np.arange(5), "halves": MADE["halves"]}
        if damage == "other type":
            other["squares"] = np.arange(4.0)
        elif damage == "missing":
            del other["squares"]
        np.savez(path, **other)
    else:
        at = data.index(MADE["squares"].tobytes())
        flipped = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        path.write_bytes({"cut": data[: len(data) // 2], "flipped": flipped, "empty": b"", "text": b"no"}[damage])
    for times in (1, 0):
        found, calls = made()
        assert same(found)
        assert len(calls) == times


def test_a_folder_that_cannot_be_written_is_done_without(folder: Path) -> None:
    folder.write_text("a file is in the way")
    for _ in range(2):
        found, calls = made()
        assert same(found)
        assert len(calls) == 1
    assert [*folder.parent.iterdir()] == [folder]
