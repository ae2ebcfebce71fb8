"""``bgtools convert`` over folders: where the files go, what is there already, and how far it came."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest

from bgtools._disk import save
from bgtools.cli import _converting
from bgtools.cli._converting import ConversionTask, convert_files
from bgtools.conversion.conversion import parse_target
from bgtools.formats.mat import writer
from bgtools.formats.reading import read_all
from program import SOUND, bgtools
from selfplay import random_match

ONE, TWO = (writer.write(random_match(seed, 1)) for seed in (1, 2))


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A folder with a folder in it, two records of one name, two that are none, and one that is damaged."""
    folder = tmp_path / "in"
    (folder / "club" / "may").mkdir(parents=True)
    for name, text in {
        "a.mat": ONE, "A.txt": TWO, "club/a.mat": TWO, "club/may/b.mat": ONE, "notes.txt": "buy milk",
        "picture.png": "x", "club/broken.xg": "RGMH",
    }.items():  # fmt: skip
        (folder / name).write_text(text)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("jobs", [(), ("-j", "2")])
def test_a_folder_is_mirrored_and_names_are_kept_apart(records: Path, tmp_path: Path, jobs: tuple[str, ...]) -> None:
    done = bgtools("convert", str(records), str(tmp_path / "out"), "--to", "json", *jobs)
    assert names(tmp_path / "out") == ["A.json", "a-2.json", "club/a.json", "club/may/b.json"]
    assert done.returncode == 2
    told = done.stderr.splitlines()
    assert f"bgtools: {records}/a.mat: is written as a-2.json, for a.json is that of {records}/A.txt" in told
    last = "4 files converted; 1 file not converted; 1 file skipped that is not a record: "
    assert told[-1] == f"{last}{records}/notes.txt"
    assert any("broken.xg: this file of eXtreme Gammon is cut off" in line for line in told)
    assert read_all(tmp_path / "out" / "a-2.json")[0].players == ("Ann", "Bob")


def test_what_is_there_is_left_or_told_or_replaced(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "club").mkdir(parents=True)
    (out / "club" / "a.json").write_text("mine")
    arguments = ("convert", str(records / "club"), str(out / "club"), "--to", "json")
    done = bgtools(*arguments)
    assert done.returncode == 2
    assert f"{out}/club/a.json exists; --force writes over it" in done.stderr
    assert names(out) == ["club/a.json", "club/may/b.json"]
    done = bgtools(*arguments, "--skip-existing")
    assert done.stderr.splitlines()[-1] == (
        "0 files converted; 2 files left, whose output is there; 1 file not converted"
    )
    assert (out / "club" / "a.json").read_text() == "mine"
    bgtools(*arguments, "--force")
    assert read_all(out / "club" / "a.json")
    done = bgtools("convert", str(records / "a.mat"), str(out / "club" / "a.json"), "--skip-existing")
    assert (done.returncode, done.stderr) == (0, "")
    assert bgtools(*arguments, "--force", "--skip-existing").returncode == 2


def test_the_output_may_lie_in_the_folder_that_is_read(records: Path) -> None:
    arguments = ("convert", str(records), str(records / "out"), "--to", "mat:xg")
    for _ in range(2):
        bgtools(*arguments, "--skip-existing")
    assert names(records / "out") == ["A.mat", "a-2.mat", "club/a.mat", "club/may/b.mat"]


def test_matches_of_one_file_get_a_file_each_beside_others_of_such_names(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("1.mat", ONE)
        archive.writestr("2.mat", TWO)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "m-1.mat").write_text(ONE)
    (tmp_path / "m.zip").write_bytes(packed.getvalue())
    done = bgtools("convert", str(tmp_path / "in"), str(tmp_path / "m.zip"), str(tmp_path / "out"), "--to", "sgg", "-q")
    assert done.returncode == 0, done.stderr
    assert names(tmp_path / "out") == ["m-1-2.sgg", "m-1.sgg", "m-2.sgg"]
    assert "m.zip: is written as m-1-2.sgg, for m-1.sgg is that of" in done.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_after_an_interruption_it_says_how_far_it_came_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: int
) -> None:
    (tmp_path / "in").mkdir()
    for number in range(20):
        (tmp_path / "in" / f"{number:02}.mat").write_text(ONE)
    saved = save

    def interrupted(data: bytes, path: Path, *, force: bool = False) -> None:
        if path.name == "18.mat":
            raise KeyboardInterrupt
        saved(data, path, force=force)

    monkeypatch.setattr(_converting, "save", interrupted)
    task = ConversionTask(parse_target("mat:galaxy"), "", False, frozenset(), False, True, True)

    def run() -> int:
        inputs, output = [str(tmp_path / "in")], str(tmp_path / "out")
        return convert_files(inputs, output, task, jobs=jobs, force=False, skip_existing=True)

    assert run() == 130
    assert capsys.readouterr().err == ("bgtools: interrupted: 18 files converted; --skip-existing goes on from here\n")
    assert names(tmp_path / "out") == [f"{number:02}.mat" for number in range(18)]
    monkeypatch.setattr(_converting, "save", saved)
    assert run() == 0
    assert capsys.readouterr().err == "2 files converted; 18 files left, whose output is there\n"
    assert len(names(tmp_path / "out")) == 20


def test_what_a_format_cannot_say_is_a_finding_that_nobody_accepts(tmp_path: Path) -> None:
    record, out = tmp_path / "a.mat", tmp_path / "a.xg"
    record.write_text(ONE.replace("1 point match", "99999 point match"))
    done = bgtools("convert", str(record), str(out), "--strict")
    told = "eXtreme Gammon cannot hold a match of 99999 points"
    assert done.stderr.splitlines()[-1] == f"{record}: error BG515 nothing was written: {told}"
    assert (done.returncode, out.exists()) == (2, False)
    done = bgtools("convert", str(record), str(out), "--allow", "BG515")
    assert "there is no such loss; losses are BG501, BG502, " in done.stderr
    assert "BG514, BG516, see" in done.stderr


def test_a_conversion_says_what_it_proved(records: Path, tmp_path: Path) -> None:
    match = read_all(records / "a.mat")[0]
    counted = f"{len(match.games)} games, {sum(len(game.entries) for game in match.games)} entries"
    out = tmp_path / "a.json"
    done = bgtools("convert", str(records / "a.mat"), str(out))
    assert done.stderr.replace("1 games", "1 game") == f"{out}: read back, and the same: {counted}\n".replace(
        "1 games", "1 game"
    )
    faulty = tmp_path / "faulty.mat"
    faulty.write_text(re.sub(r"\d/\d", "9/9", (records / "a.mat").read_text(), count=1))
    assert "; its faults came along, bgtools check tells them" in bgtools(
        "convert", str(faulty), str(tmp_path / "faulty.json")
    ).stderr  # fmt: skip
    for option in ("--quiet", "--no-verify"):  # what was not proved is not said
        assert bgtools("convert", str(records / "a.mat"), str(out), "--force", option).stderr == ""
    # The bytes of the record itself: nothing was rewritten.
    copied = bgtools("convert", str(records / "a.mat"), str(tmp_path / "copy.mat")).stderr
    assert copied == f"{tmp_path / 'copy.mat'}: copied unchanged, as the record is match text already\n"


def test_a_record_in_the_same_format_is_said_to_be_copied(tmp_path: Path) -> None:
    record = tmp_path / "in" / "a.mat"
    record.parent.mkdir()
    record.write_text(SOUND)
    done = bgtools("convert", str(record), str(tmp_path / "b.mat"))
    assert done.returncode == 0
    assert f"{tmp_path / 'b.mat'}: copied unchanged, as the record is match text already" in done.stderr
    assert (tmp_path / "b.mat").read_bytes() == record.read_bytes()
    rewritten = bgtools("convert", str(record), str(tmp_path / "c.mat"), "--to", "mat:xg-text")
    assert "copied" not in rewritten.stderr
    (record.parent / "b.mat").write_text(SOUND)
    many = bgtools("convert", str(record.parent), str(tmp_path / "out"), "--to", "mat")
    assert "0 files converted; 2 files copied unchanged" in many.stderr
