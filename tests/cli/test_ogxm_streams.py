"""Streams of OGXM, which ``bgtools convert`` and ``check`` take record by record: one is in memory at a time."""

from __future__ import annotations

import io
import tracemalloc
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from bgtools.cli import app
from bgtools.formats.mat.writer import write as write_mat
from bgtools.formats.ogxm.stream import records_of
from bgtools.formats.ogxm.writer import write
from bgtools.formats.reading import read_all
from bgtools.replayer.match import replay
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

COUNT = 6


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["convert", "--jobs", "1", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with match text."""
    made = tmp_path / "matches"
    made.mkdir()
    for seed in range(COUNT):
        (made / f"{seed}.mat").write_text(write_mat(random_match(seed, 3)), "utf-8")
    return made


@pytest.mark.parametrize("ending", [".ogxms", ".ogxms.zst"])
def test_a_folder_becomes_a_stream_and_a_folder_again(folder: Path, tmp_path: Path, ending: str) -> None:
    if ending.endswith("zst"):
        pytest.importorskip("zstandard")
    stream = tmp_path / f"all{ending}"
    done = run(folder, stream)
    assert (done.exit_code, done.stderr.strip()) == (0, f"{COUNT} files converted")
    assert len(read_all(stream)) == COUNT
    done = run(stream, f"{tmp_path / 'out'}/", "--to", "mat")
    assert (done.exit_code, done.stderr.strip()) == (0, f"{COUNT} files converted")
    for seed in range(COUNT):
        (before,), (after,) = read_all(folder / f"{seed}.mat"), read_all(tmp_path / "out" / f"all-{seed + 1}.mat")
        boards = [[game.turns[-1].after for game in replay(match)] for match in (before, after)]
        assert boards[0] == boards[1]


def test_the_codec_reads_every_member_of_a_stream(folder: Path, tmp_path: Path) -> None:
    ogxm = pytest.importorskip("ogxm", reason="there is no wheel of the codec of OGXM here")
    assert run(folder, tmp_path / "all.ogxms").exit_code == 0
    with (tmp_path / "all.ogxms").open("rb") as stream:
        members = list(ogxm.iter_stream(stream))
    assert len({ogxm.match_digest(each) for each in members}) == COUNT


@pytest.mark.parametrize("target", ["out/", "again.ogxms"])
def test_a_damaged_member_costs_only_itself(tmp_path: Path, target: str) -> None:
    records = [write((random_match(seed, 3),)) for seed in range(COUNT)]
    at = sum(map(len, records[:2]))
    records[2] = records[2][:90] + bytes([records[2][90] ^ 1]) + records[2][91:]
    (tmp_path / "all.ogxms").write_bytes(b"".join(records))
    done = run(tmp_path / "all.ogxms", f"{tmp_path}/{target}", "--to", "mat" if target == "out/" else "ogxm")
    assert done.exit_code == 2
    assert f"all.ogxms/3, from byte {at} on: this OGXM file is damaged: its checksum is another" in done.stderr
    if target == "out/":
        found = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert found == [f"all-{number}.mat" for number in (1, 2, 4, 5, 6)]
    else:
        assert (tmp_path / target).read_bytes() == b"".join([*records[:2], *records[3:]])


def test_a_stream_that_is_cut_off_while_packed(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    whole = b"".join(write((random_match(seed, 3),)) for seed in range(30))
    packed = b"".join(zstandard.ZstdCompressor().compress(whole[at : at + 2000]) for at in range(0, len(whole), 2000))
    (tmp_path / "all.ogxms.zst").write_bytes(packed[: len(packed) // 2])
    done = run(tmp_path / "all.ogxms.zst", tmp_path / "half.ogxms")
    assert done.exit_code == 2
    assert 5 < len(read_all(tmp_path / "half.ogxms")) < 30


class Endless(io.RawIOBase):
    """A stream of one record over and over."""

    def __init__(self, record: bytes) -> None:
        self.record, self.rest = record, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.rest = self.rest or self.record
        count = min(len(buffer), len(self.rest))
        buffer[:count], self.rest = self.rest[:count], self.rest[count:]
        return count


def test_a_stream_of_any_length_takes_the_memory_of_a_few_records() -> None:
    record = write((random_match(1, 1),))
    tracemalloc.start()
    for found in islice(records_of(io.BufferedReader(Endless(record))), 1000):
        assert found.data == record
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_a_large_stream_is_checked_record_by_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgtools.cli._files.LARGE_STREAM", 1)
    records = [write((random_match(seed, 3),)) for seed in range(COUNT)]
    at = sum(map(len, records[:2]))
    records[2] = records[2][:90] + bytes([records[2][90] ^ 1]) + records[2][91:]
    (tmp_path / "all.ogxms").write_bytes(b"".join(records))
    done = CliRunner().invoke(app, ["check", "--jobs", "1", "--summary", str(tmp_path / "all.ogxms")])
    assert done.exit_code == 2
    verdicts = [line.split()[0] for line in done.stdout.splitlines()]
    assert verdicts == ["accept", "accept", "unreadable", "accept", "accept", "accept"]
    assert f"all.ogxms/3, from byte {at} on: this OGXM file is damaged: its checksum is another" in done.stdout


def test_what_is_no_stream_is_refused(folder: Path, tmp_path: Path) -> None:
    assert "a stream holds OGXM, not mat" in run(folder, tmp_path / "all.ogxms", "--to", "mat").stderr
    assert "of what packs a stream only .zst is written" in run(folder, tmp_path / "all.ogxms.gz").stderr
    assert run(folder, tmp_path / "all.ogxms").exit_code == 0
    assert "--force" in run(folder, tmp_path / "all.ogxms").stderr
    (tmp_path / "empty.ogxms").write_bytes(b"")
    done = run(tmp_path / "empty.ogxms", f"{tmp_path / 'out'}/", "--to", "mat")
    assert (done.exit_code, "the file is empty" in done.stderr) == (2, True)
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "a.mat").write_text("nothing\n")
    done = run(tmp_path / "none" / "a.mat", tmp_path / "none.ogxms")
    assert done.exit_code == 2
    assert not (tmp_path / "none.ogxms").exists()


def test_a_record_that_is_named_twice_is_converted_twice(folder: Path, tmp_path: Path) -> None:
    done = run(folder / "0.mat", folder / "0.mat", f"{tmp_path / 'out'}/", "--to", "json", "--force")
    assert (done.exit_code, done.exception is None or isinstance(done.exception, SystemExit)) == (0, True)
    assert "2 files converted" in done.stderr
