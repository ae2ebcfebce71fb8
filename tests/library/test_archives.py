"""Large archives and streams: taken file by file, by all processes, as if their files lay in a folder."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from records import made, put
from typer.testing import CliRunner

import bgtools
from bgtools.cli import app
from bgtools.formats.archives import members
from bgtools.formats.content import FormatError
from bgtools.formats.reading import load
from bgtools.library import adding
from bgtools.library.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable

SEEDS = range(7)


def zipped(paths: list[Path], target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.write(path, f"inner/{path.name}")


def tarred(mode: str) -> Callable[[list[Path], Path], None]:
    def write(paths: list[Path], target: Path) -> None:
        with tarfile.open(target, mode) as archive:  # type: ignore[call-overload]
            for path in paths:
                archive.add(path, f"inner/{path.name}")

    return write


def stream(pack: Callable[[bytes], bytes]) -> Callable[[list[Path], Path], None]:
    def write(paths: list[Path], target: Path) -> None:
        records = [bgtools.convert(path, to="ogxm", verify=False).data for path in paths]
        # A packed file may have several parts, which end anywhere.
        whole = b"".join(records)
        target.write_bytes(pack(whole[:5000]) + pack(whole[5000:]))

    return write


def zstd(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    packed: bytes = zstandard.ZstdCompressor().compress(data)
    return packed


ARCHIVES = {
    "all.zip": zipped,
    "all.tar": tarred("w"),
    "all.tar.gz": tarred("w:gz"),
    "all.tgz": tarred("w:gz"),
    "all.tar.bz2": tarred("w:bz2"),
    "all.tar.xz": tarred("w:xz"),
    "all.ogxms": stream(bytes),
    "all.ogxms.gz": stream(gzip.compress),
    "all.ogxms.bz2": stream(bz2.compress),
    "all.ogxms.xz": stream(lzma.compress),
    "all.ogxms.zst": stream(zstd),
}


@pytest.fixture(autouse=True)
def every_archive_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "LARGE", 1)
    monkeypatch.setattr(adding, "FILES", 2)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return put(tmp_path_factory.mktemp("records"), *SEEDS, length=1)


@pytest.mark.quick(one_in=11)
@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_gives_what_its_files_give(tmp_path: Path, paths: list[Path], name: str) -> None:
    ARCHIVES[name](paths, tmp_path / name)
    library = Library(tmp_path / "library")
    # In a folder it is found by its name.
    added = library.add([tmp_path], jobs=2 if name == "all.zip" else 1)
    assert (added.read, added.matches, added.problems, added.skipped) == (len(SEEDS), len(SEEDS), [], [])
    assert library.sql("SELECT count(DISTINCT source), max(number) FROM matches").fetchall() == [(len(SEEDS), 1)]
    told = library.sql("SELECT path FROM sources ORDER BY path").fetchall()
    inner = [str(number + 1) for number in SEEDS] if "ogxms" in name else [f"inner/{path.name}" for path in paths]
    assert [path for (path,) in told] == [f"{tmp_path / name}/{each}" for each in inner]
    whole = Library(tmp_path / "whole")
    whole.add(paths)
    rolls = "SELECT game, entry, action, dice, player FROM turns ORDER BY ALL"
    assert library.sql(rolls).fetchall() == whole.sql(rolls).fetchall()
    again = library.add([tmp_path / name])
    assert (again.read, again.known) == (0, len(SEEDS))


@pytest.mark.thorough
def test_files_that_lie_in_an_archive_and_beside_it_are_known(tmp_path: Path, paths: list[Path]) -> None:
    library = Library(tmp_path / "library")
    library.add(paths[:3])
    zipped(paths, tmp_path / "all.zip")
    added = library.add([tmp_path / "all.zip"])
    assert (added.read, added.known) == (4, 3)
    assert library.count == len(SEEDS)


def test_what_is_no_record_in_an_archive_is_told_or_passed_over(tmp_path: Path, paths: list[Path]) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("README", "about these matches")
        archive.writestr("__MACOSX/._a.mat", "junk")
        archive.writestr("empty.mat", "")
        archive.writestr("bad.sgf", "(;GM[1])")
        archive.write(paths[0], "no-ending")
    library = Library(tmp_path / "library")
    added = library.add([tmp_path / "all.zip"])
    assert added.matches == 1
    ((skipped, reason),) = added.skipped
    assert (skipped, bool(reason)) == (f"{tmp_path}/all.zip/README", True)
    assert [path for path, _ in added.problems] == [f"{tmp_path}/all.zip/bad.sgf"]


def test_of_a_damaged_archive_the_files_before_the_damage_are_added(tmp_path: Path, paths: list[Path]) -> None:
    tarred("w:gz")(paths, tmp_path / "all.tar.gz")
    data = (tmp_path / "all.tar.gz").read_bytes()
    (tmp_path / "all.tar.gz").write_bytes(data[: len(data) // 2])
    library = Library(tmp_path / "library")
    added = library.add([tmp_path / "all.tar.gz"])
    assert 0 < added.matches < len(SEEDS)
    ((path, problem),) = added.problems
    assert path == str(tmp_path / "all.tar.gz")
    assert "ends too soon" in problem or "cannot be read" in problem


@pytest.mark.parametrize("is_large", [True, False])
def test_of_a_damaged_stream_all_other_records_are_added(
    tmp_path: Path, paths: list[Path], is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large stream is taken apart; a small one is read as a whole, and its finding is kept with it."""
    if not is_large:
        monkeypatch.setattr(adding, "LARGE", 1 << 20)
    records = [bgtools.convert(path, to="ogxm", verify=False).data for path in paths]
    at = sum(map(len, records[:2]))
    records[2] = records[2][:90] + bytes([records[2][90] ^ 1]) + records[2][91:]
    (tmp_path / "all.ogxms").write_bytes(b"".join(records))
    library = Library(tmp_path / "library")
    added = library.add([tmp_path / "all.ogxms"])
    assert added.matches == len(SEEDS) - 1
    if is_large:
        told = f"{tmp_path}/all.ogxms/3, from byte {at} on", "this OGXM file is damaged: its checksum is another"
        assert added.problems == [told]
    else:
        found = library.sql("SELECT message FROM findings WHERE code = 'BG007'").fetchall()
        assert [f"record 3 of this stream, from byte {at} on" in message for (message,) in found] == [True]


def test_an_archive_that_holds_more_than_it_honestly_can_is_refused(tmp_path: Path) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.mat", b" " * (9 << 20))
    (tmp_path / "bomb.zip").write_bytes(bomb.getvalue())
    inner = members(str(tmp_path / "bomb.zip"))
    assert inner is not None
    with pytest.raises(FormatError, match="more than 16 MB come out"):
        list(inner)


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("name", ["all.zip", "all.tar.gz", "all.ogxms"])
def test_a_file_in_an_archive_is_found_by_the_path_that_is_told(tmp_path: Path, paths: list[Path], name: str) -> None:
    ARCHIVES[name](paths, tmp_path / name)
    library = Library(tmp_path / "library")
    library.add([tmp_path / name])
    hit = library.find(dice="64", limit=1).hits[0]
    assert load(hit.path)[0]
    done = CliRunner().invoke(app, hit.show.removeprefix("bgtools ").replace("'", "").split())
    assert done.exit_code == 0, done.output
    assert hit.played in done.output or "64" in done.output
    with pytest.raises(FileNotFoundError):
        load(f"{tmp_path / name}/none.mat")
    with pytest.raises(FileNotFoundError):
        load(f"{tmp_path / 'none.zip'}/none.mat")


def test_what_is_no_archive_has_no_members(tmp_path: Path) -> None:
    (path,) = put(tmp_path, 1)
    assert members(str(path)) is None
    assert made(1).games
