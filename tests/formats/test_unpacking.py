"""Archives are read through, and what is wrong with one, or too much, is refused with the reason."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import lzma
import zipfile
from typing import TYPE_CHECKING

import pytest

from bgtools.formats import FormatError, read_all, read_source
from bgtools.formats.limits import VARIABLE
from program import SOUND

if TYPE_CHECKING:
    from pathlib import Path

DATA = SOUND.encode()


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


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
        (zipped(a=DATA, readme=b"hello"), "^readme in it: this is no match text"),
        (bz2.compress(DATA), "archive of bzip2"),
        (lzma.compress(DATA), "archive of xz"),
        (zipped(a=DATA)[:-5], "cannot be read"),
        (zipped(a=b"hello"), "no match text"),
    ],
    ids=itertools.count(),  # the archives hold the time of day: no name for a test
)
def test_what_is_wrong_with_an_archive_is_said(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_source(data, "x")


@pytest.mark.parametrize(
    "bomb",
    [gzip.compress(bytes(2 << 20)), zipped(a=bytes(2 << 20)), zipped(a=DATA, b=bytes(2 << 20))],
    ids=("gzip", "zip", "zip of two"),
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
