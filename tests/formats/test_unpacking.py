"""Archives are read through, and what is wrong with one, or too much, is refused with the reason."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import lzma
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.limits import VARIABLE
from bgtools.formats.reading import read_all, read_source
from program import SOUND

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DATA = SOUND.encode()


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in (members or {"a.mat": DATA}).items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_archive_is_read_however_it_is_packed(pack: Callable[[bytes], bytes]) -> None:
    matches = read_source(pack(tarred(**{"club/b.mat": DATA, "a.mat.gz": gzip.compress(DATA)})), "x.tar")
    assert [match.source and match.source.name for match in matches] == ["x.tar/a.mat", "x.tar/club/b.mat"]


def test_a_stranger_among_records_is_named_and_the_rest_is_read() -> None:
    first, second = read_source(zipped(**{"a.mat": DATA, "b.mat": DATA, "readme.txt": b"hello"}), "x.zip")
    (finding,) = first.findings
    assert finding.message.startswith("readme.txt in this archive is left out: this is not match text")
    assert (finding.code, finding.severity) == (codes.UNREADABLE_FILE, Severity.WARNING)
    assert not second.findings
    (match,) = read_source(zipped(**{"a.mat": DATA, "broken.xg": b"RGMH", "c.zip": zipped(a=DATA)}), "x.zip")
    assert [(each.severity, each.message.partition(":")[0]) for each in match.findings] == [
        (Severity.ERROR, "broken.xg in this archive is left out"),
        (Severity.WARNING, "c.zip in this archive is left out"),
    ]  # fmt: skip
    assert "this is a ZIP archive in another; unpack that first" in match.findings[1].message


def test_zstandard_is_read_through_or_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "zstandard", None)
        with pytest.raises(FormatError, match=r"packed by Zstandard; install bgtools-backgammon\[zstd\]"):
            read_source(b"\x28\xb5\x2f\xfd", "x.zst")
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.compress(DATA)
    (match,) = read_source(packed + packed[:0], "x.mat.zst")
    assert match.source is not None
    assert match.source.name == "x.mat"
    with pytest.raises(FormatError, match=r"Zstandard file cannot be read|no match text|the file is empty"):
        read_source(packed[:20], "x.zst")
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(FormatError, match="more than 1 MB come out of this Zstandard file"):
        read_source(zstandard.compress(bytes(64 << 20)), "x.zst")


def test_gzip_is_read_through_and_named_without_its_ending(tmp_path: Path) -> None:
    (tmp_path / "x.mat.gz").write_bytes(gzip.compress(DATA))
    (match,) = read_all(tmp_path / "x.mat.gz")
    assert match.source is not None
    assert match.source.name == str(tmp_path / "x.mat")


def test_several_parts_of_a_gzip_file_are_one_text() -> None:
    middle = len(DATA) // 2
    (match,) = read_source(gzip.compress(DATA[:middle]) + gzip.compress(DATA[middle:]), "x.gz")
    assert match.games == read_source(DATA, "x")[0].games


def test_every_file_of_a_zip_is_read_in_the_order_of_names() -> None:
    matches = read_source(zipped(b=DATA, a=DATA, empty=b" "), "x.zip")
    assert [match.source and match.source.name for match in matches] == ["x.zip/a", "x.zip/b"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(DATA)[:-9], "ends too soon"),
        (gzip.compress(DATA)[:12] + b"\xff" * 30, "cannot be read"),
        (zipped(), "^this ZIP archive is empty"),
        (zipped(readme=b"hello"), "^this is not match text"),
        (zipped(a=b"hello", b=b"hello"), "^a in it: this is not match text"),
        (bz2.compress(DATA)[:-9], "this bzip2 file ends too soon"),
        (lzma.compress(DATA)[:40] + bytes(40), "this xz file cannot be read"),
        (b"7z\xbc\xaf", "an archive of 7-Zip; bgtools reads through .zip, .tar"),
        (tarred()[:600], "this tar archive cannot be read"),
        (gzip.compress(gzip.compress(DATA)), "a gzip file in another; unpack that first"),
        (zipped(a=DATA)[:-5], "cannot be read"),
        (zipped(a=b"hello"), "not match text"),
    ],
    ids=itertools.count(),  # the archives hold the time of day: no name for a test
)
def test_what_is_wrong_with_an_archive_is_said(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_source(data, "x")


@pytest.mark.parametrize(
    "bomb",
    [
        gzip.compress(bytes(2 << 20)),
        zipped(a=bytes(2 << 20)),
        zipped(a=DATA, b=bytes(2 << 20)),
        bz2.compress(bytes(2 << 20)),
        lzma.compress(bytes(2 << 20)),
        tarred(a=DATA, b=gzip.compress(bytes(2 << 20))),
    ],
    ids=("gzip", "zip", "zip of two", "bzip2", "xz", "gzip in tar"),
)
def test_no_more_than_the_limit_comes_out(bomb: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(FormatError, match="1 MB"):
        read_source(bomb, "x")


@pytest.mark.parametrize("at", range(0, 400, 7))
def test_a_damaged_archive_is_read_or_refused(at: int) -> None:
    for data in (gzip.compress(DATA, mtime=0), zipped(a=DATA)):
        ruined = bytearray(data)
        ruined[at % len(ruined)] ^= 0x55
        try:
            read_source(bytes(ruined), "x")
        except FormatError:
            continue
