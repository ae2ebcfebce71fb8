"""The same format in and out: the bytes stay as they are unless something else is asked for."""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.conversion.conversion import Target, convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.mat import dialects, writer
from bgtools.formats.reading import find_format, load, read_all, read_source, recognise
from bgtools.formats.registry import our_formats
from bgtools.formats.xg.archive import Titles, open_archive, pack_archive
from bgtools.formats.xg.layout import MOVE
from bgtools.record.annotation import Annotation
from bgtools.record.record import CheckerPlay, Tag
from program import bgtools as program
from selfplay import random_match
from support import CORPUS, mat, needs_corpus, row

if TYPE_CHECKING:
    from bgtools.formats.format import Format

SAMPLES = Path(__file__).parents[2] / "samples"
WRITTEN = [each for each in our_formats() if each.writer and each.reader]
FOLDERS = ("mat", "sgf", "xg", "xgp", "fibs-board", "bgblitz-position-txt", "xg-position-txt", "gnubg-analysis-txt")
ODD = mat(
    "; written by hand", row(1, "31:8/5  6/5", "64: 24/14"), " 2)  Doubles =>  2       Passes ", "   time out",
    "                     Wins 1 points",
).replace("\n", "\r\n").encode("utf-8-sig")  # fmt: skip


def kept_files(step: int) -> dict[str, int]:
    """How many real files, every ``step``-th of a folder, each format gives back as they are: all, or it fails."""
    kept: dict[str, int] = {}
    for path in (each for folder in FOLDERS for each in sorted((CORPUS / folder).iterdir())[::step]):
        data = path.read_bytes()
        try:
            chosen = recognise(Content(data, str(path)))
            matches = read_all(path)
        except FormatError:
            continue
        if chosen in WRITTEN:
            done = convert(matches, Target(chosen), strict=True)
            assert (done.data, done.losses) == (data, ()), path
            kept[chosen.name] = kept.get(chosen.name, 0) + 1
    return kept


@needs_corpus
def test_real_files_stay_as_they_are() -> None:
    assert kept_files(12).keys() >= {"mat", "sgf", "xgp", "bgblitz"}


@pytest.mark.thorough
@needs_corpus
def test_every_real_file_stays_as_it_is() -> None:
    kept = kept_files(1)
    assert kept["mat"] > 80
    assert kept.keys() >= {"mat", "sgf", "xg", "xgp", "bgblitz"}


@pytest.mark.parametrize("chosen", WRITTEN, ids=lambda each: each.name)
def test_what_a_format_writes_it_keeps(chosen: Format) -> None:
    match = random_match(3, 1)
    if not chosen.holds_matches:
        pytest.skip("a position, for which the real files stand")
    data = convert((match,), Target(chosen)).data
    assert convert(read_source(data, f"a{chosen.extensions[0]}", chosen.name), Target(chosen)).data == data


def test_a_record_with_all_its_oddities_is_copied(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_bytes(ODD)
    done = program("convert", "--strict", str(tmp_path / "a.mat"), str(tmp_path / "b.mat"))
    told = f"{tmp_path / 'b.mat'}: copied unchanged, as the record is match text already\n"
    assert (done.returncode, done.stderr) == (0, told)
    assert (tmp_path / "b.mat").read_bytes() == ODD


def test_a_dialect_that_is_asked_for_is_written() -> None:
    (match,) = read_source(ODD, "odd.mat")
    data = convert((match,), parse_target("mat:gnubg")).data
    assert data not in (ODD, b"")
    assert not data.startswith(b"\xef\xbb\xbf")


def test_what_is_packed_stays_as_it_is() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.mat", ODD)
    assert convert(read_source(out.getvalue(), "a.zip"), parse_target("mat")).data == ODD


@pytest.mark.parametrize("dialect", dialects.DIALECTS, ids=lambda each: each.name)
def test_a_match_that_was_changed_keeps_its_dialect(dialect: dialects.Dialect) -> None:
    whole = random_match(5, 7)
    (match,) = read_source(writer.write_content((whole,), dialect.name), "a.mat")
    changed = replace(match, players=("Anna", "Bob"))
    assert convert((changed,), parse_target("mat")).data == writer.write_content((changed,), dialect.name)


def test_several_files_of_one_archive_become_one_in_their_dialect() -> None:
    texts = [writer.write_content((random_match(seed, 3),), "galaxy") for seed in (1, 2)]
    matches = tuple(match for text in texts for match in read_source(text, "a.mat"))
    assert convert(matches, parse_target("mat")).data == b"\n".join(texts)


# --- what is not read --------------------------------------------------------------------------


def full_xg() -> bytes:
    """A match with a picture, a rollout and a stream that nobody knows."""
    data = convert((random_match(2, 3),), parse_target("xg")).data
    files = {**open_archive(data), "temp.xgr": bytes(2184), "temp.new": b"of a later version"}
    packed = bytearray(pack_archive(files, Titles()))
    picture = b"\xff\xd8 a picture"
    struct.pack_into("<qI", packed, 12, 8232, len(picture))
    return bytes(packed[:8232]) + picture + bytes(packed[8232:])


def test_a_file_of_extreme_gammon_keeps_rollouts_and_picture() -> None:
    data = full_xg()
    done = convert(read_source(data, "a.xg"), parse_target("xg"), strict=True)
    assert (done.data, done.losses) == (data, ())


def test_what_is_not_read_travels_along_with_a_match_that_was_changed() -> None:
    data = full_xg()
    (match,) = read_source(data, "a.xg")
    changed = replace(match, players=("Anna", "Zoe"), tags=(*match.tags, Tag(key="Round", value="Final")))
    done = convert((changed,), parse_target("xg"), strict=True)
    assert done.losses == ()
    assert done.data == convert((changed,), parse_target("xg")).data
    (back,) = read_source(done.data, "b.xg")
    assert (back.players, back.tag("Round")) == (("Anna", "Zoe"), "Final")
    assert [tag.value for tag in back.extras] == [tag.value for tag in match.extras]
    old, new = open_archive(data), open_archive(done.data)
    assert [new[name] for name in ("temp.xgr", "temp.new")] == [old[name] for name in ("temp.xgr", "temp.new")]
    assert b"\xff\xd8 a picture" in done.data


def test_a_decision_that_was_changed_loses_its_rollouts_and_no_other_does() -> None:
    files = open_archive(full_xg())
    stream = bytearray(files["temp.xg"])
    moves = [at for at in range(0, len(stream), 2560) if stream[at + 8] == 3]
    rollout = MOVE.fields["rollouts"].offset
    for at in moves:
        struct.pack_into("<i", stream, at + rollout, 0)
    (match,) = read_source(pack_archive({**files, "temp.xg": bytes(stream)}, Titles()), "a.xg")
    entries = list(match.games[0].entries)
    index = next(at for at, each in enumerate(entries) if isinstance(each, CheckerPlay) and each.text.hops)
    entries[index] = replace(entries[index], annotation=Annotation(luck=0.25))
    changed = replace(match, games=(replace(match.games[0], entries=tuple(entries)), *match.games[1:]))
    made = open_archive(convert((changed,), parse_target("xg"), strict=True).data)["temp.xg"]
    assert [struct.unpack_from("<i", made, at + rollout)[0] for at in moves].count(-1) == 1


@pytest.mark.parametrize("to", ["json", "sgf", "mat"])
def test_where_it_is_written_anew_what_is_not_read_is_told(to: str) -> None:
    (match,) = read_source(full_xg(), "a.xg")
    changed = replace(match, tags=(*match.tags, Tag(key="Event", value="Club night")))
    done = convert((changed,), parse_target(to))
    told = [loss.message.split("cannot hold ")[1] for loss in done.losses if loss.code is codes.EXTRA_LOST]
    assert [each for each in told if each.endswith(", not read")] == [
        "the details of 1 rollout, not read", "a picture of 12 bytes, not read", "the stream temp.new, not read",
    ]  # fmt: skip
    assert convert((changed,), parse_target(to), strict=True).refused


@needs_corpus
def test_a_comment_without_a_record_is_told_as_lost() -> None:
    path = next((CORPUS / "xgp").glob("*TooGood*"))
    data, name = load(path)
    found = find_format("xgp").read(Content(data, name))
    strays = [each for match in found for each in match.findings if each.code is codes.STRAY_TEXT]
    done = convert(found, parse_target("json"))
    assert sum("a comment that belongs to no record" in loss.message for loss in done.losses) == len(strays)
