"""The container of eXtreme Gammon's files: damage is refused, whatever it is."""

from __future__ import annotations

import random
import struct
import zlib

import pytest

from bgtools.checks.checking import check
from bgtools.formats.content import Content, FormatError
from bgtools.formats.json.match import write as write_json
from bgtools.formats.limits import VARIABLE
from bgtools.formats.xg.archive import RECORDS, Titles, open_archive, pack_archive
from bgtools.formats.xg.layout import RECORD_SIZE
from bgtools.formats.xg.reader import read
from bgtools.formats.xg.writer import write
from xg_files import ANALYSED

DATA = write((ANALYSED,))
FILES = open_archive(DATA)
END = 36


def opens(data: bytes) -> bool:
    try:
        read(Content(data, "x.xg"))
    except FormatError:
        return False
    return True


def with_end(**changes: int) -> bytes:
    """The file with other numbers at its end."""
    names = ("crc", "files", "version", "index_size", "data_size")
    numbers = dict(zip(names, struct.unpack("<Iiiii", DATA[-END:-16]), strict=True)) | changes
    return DATA[:-END] + struct.pack("<Iiiii", *numbers.values()) + DATA[-16:]


def test_the_same_files_come_out_that_went_in() -> None:
    assert open_archive(pack_archive(FILES, Titles(save="Ann vs. Bjørn"))) == FILES


def test_a_file_cut_off_anywhere_is_refused() -> None:
    assert opens(DATA)
    for length in range(len(DATA)):
        assert not opens(DATA[:length]), length


def test_a_flipped_bit_is_refused_or_changes_nothing_that_counts() -> None:
    rng = random.Random(5)
    (whole,) = read(Content(DATA, "x.xg"))
    for _ in range(1500):
        data = bytearray(DATA)
        # The header has 8,232 bytes, most of which say nothing: the rest is what is worth damaging.
        data[rng.randrange(8232 if rng.random() < 0.95 else 0, len(data))] ^= 1 << rng.randrange(8)
        if opens(bytes(data)):
            assert read(Content(bytes(data), "x.xg")) == (whole,)


@pytest.mark.parametrize(
    "changes",
    [
        {"files": 0},
        {"files": -1},
        {"files": 10_000},
        {"index_size": -1},
        {"index_size": 2**31 - 1},
        {"data_size": -5},
        {"data_size": 2**31 - 1},
        {"crc": 1},
    ],
)
def test_numbers_that_lie_are_refused(changes: dict[str, int]) -> None:
    assert not opens(with_end(**changes))


def test_more_than_the_limit_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    bomb = pack_archive({RECORDS: bytes(50_000_000)}, Titles())
    assert len(bomb) < 1 << 20
    with pytest.raises(FormatError, match="bgtools takes no more"):
        open_archive(bomb)


def test_a_file_full_of_nothing_is_no_match() -> None:
    assert not opens(pack_archive({RECORDS: bytes(1000 * RECORD_SIZE)}, Titles()))
    assert not opens(pack_archive({RECORDS: b""}, Titles()))
    assert not opens(pack_archive({"temp.xgi": FILES[RECORDS]}, Titles()))
    assert not opens(b"RGMH")
    assert not opens(b"RGMH" + bytes(20_000))


def test_a_name_that_lies_about_its_place_is_refused() -> None:
    packed_size, data_size = struct.unpack("<ii", DATA[-END + 12 : -END + 20])
    index = bytearray(zlib.decompress(DATA[-END - packed_size : -END]))
    struct.pack_into("<i", index, 520, 2**30)
    packed = zlib.compress(bytes(index))
    blobs = DATA[-END - packed_size - data_size : -END - packed_size]
    end = struct.pack("<Iiiii", zlib.crc32(blobs + packed), len(FILES), 1, len(packed), len(blobs)) + DATA[-16:]
    with pytest.raises(FormatError, match="does not lie within"):
        open_archive(DATA[:8232] + blobs + packed + end)


@pytest.mark.parametrize("times", [60, pytest.param(300, marks=pytest.mark.thorough)])
def test_whatever_stands_in_the_records_they_are_read(times: int) -> None:
    rng = random.Random(times)
    count = len(FILES[RECORDS]) // RECORD_SIZE
    for _ in range(times):
        stream = bytearray(FILES[RECORDS])
        for _ in range(rng.choice((1, 3, 40))):
            # The fields that decide are at the beginning of a record, and behind the analysis of a move.
            at = rng.choice((rng.randrange(8, 130), rng.randrange(8, 340), rng.randrange(2300, RECORD_SIZE)))
            stream[rng.randrange(count) * RECORD_SIZE + at] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        files = FILES | {RECORDS: bytes(stream)}
        try:
            found = read(Content(pack_archive(files, Titles()), "x.xg"))
        except FormatError:
            continue
        for match in found:
            check(match)
        write_json(found)
