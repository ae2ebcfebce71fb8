"""``bgtools check --fix`` as a user meets it: what is written, what is told, what is refused."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from bgtools.checks.settings import parse_settings, resolve_settings
from bgtools.cli import _fixing, app
from bgtools.cli._checking import CheckTask, check_file
from bgtools.cli._fixing import FixOptions
from bgtools.formats.searching import FileCandidate
from bgtools.repair.repairing import repaired
from program import SOUND

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
SLIPS = ROOT / "samples" / "five-slips.mat"


def check(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = CliRunner().invoke(app, ["check", *map(str, arguments)], input=stdin)
    assert not isinstance(done.exception, Exception), done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout_bytes, done.stderr_bytes)


@pytest.fixture
def slips(tmp_path: Path) -> Path:
    return Path(shutil.copy(SLIPS, tmp_path / "five.mat"))


@pytest.fixture
def two_slips(tmp_path: Path) -> Path:
    """The first game alone, which takes a third of the time."""
    path = tmp_path / "five.mat"
    path.write_bytes(SLIPS.read_bytes().partition(b" Game 2")[0])
    return path


def test_every_fix_is_told_in_a_line_at_its_place(slips: Path) -> None:
    done = check("--fix", slips)
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert f'{slips}:15:16: fixed BG202 write "13/11" in place of "14/12" [no-checker-there]' in lines
    assert len(lines) == 5
    assert done.stderr.decode().splitlines() == ["5 fixes made in 1 file", "no findings in 1 file"]
    assert check(slips).stderr == b"no findings in 1 file\n"
    assert [path.name for path in slips.parent.iterdir()] == ["five.mat"]


def test_a_difference_is_shown_and_nothing_is_changed(slips: Path) -> None:
    before = slips.read_bytes()
    done = check("--diff", slips)
    assert done.returncode == 1
    text = done.stdout.decode()
    assert text.startswith(f"--- {slips}\n+++ {slips}\n@@ ")
    assert "-  2) 32: 13/10 14/12             54: 13/8 13/9\n+  2) 32: 13/10 13/11             54: 13/8 13/9\n" in text
    assert done.stderr == b"5 fixes would be made in 1 file\n"
    assert slips.read_bytes() == before
    check("--fix", slips)
    assert (check("--diff", slips).returncode, check("--diff", slips).stdout) == (0, b"")


def test_standard_input_goes_to_standard_output(two_slips: Path) -> None:
    done = check("--fix", "-", stdin=two_slips.read_bytes())
    check("--fix", two_slips)
    assert done.stdout == two_slips.read_bytes()
    assert b"<stdin>:15:16: fixed BG202" in done.stderr
    assert done.returncode == 0


def test_a_sound_record_goes_through_as_it_is() -> None:
    done = check("--fix", "-", stdin=SOUND.encode())
    assert done.stdout == SOUND.encode()


def test_the_old_file_is_kept_when_asked_for(two_slips: Path) -> None:
    before = two_slips.read_bytes()
    check("--fix", "--backup", two_slips)
    assert two_slips.with_name("five.mat.bak").read_bytes() == before
    two_slips.write_bytes(before)
    check("--fix", "--backup", two_slips)
    assert two_slips.with_name("five.mat.bak2").read_bytes() == before


def test_what_is_left_makes_the_exit_status(two_slips: Path) -> None:
    two_slips.write_text(two_slips.read_text().replace("52: 9/4 6/4 ", "99: 9/4 6/4 "))
    done = check("--fix", two_slips)
    assert done.returncode == 1
    assert b"error BG201" in done.stdout
    assert check("--fix-only", two_slips).returncode == 0


@pytest.mark.thorough
def test_a_folder_is_fixed(tmp_path: Path) -> None:
    for number in range(3):
        shutil.copy(SLIPS, tmp_path / f"{number}.mat")
    (tmp_path / "notes.txt").write_text("no record\n")
    done = check("--fix", "--jobs", "2", tmp_path)
    assert done.returncode == 0
    assert b"15 fixes made in 3 files\n" in done.stderr


def test_the_board_is_drawn_on_request(slips: Path) -> None:
    text = check("--diff", "--format", "json", slips).stdout
    assert len(json.loads(text)) == 5
    text = check("--fix", "--boards", slips).stdout
    assert text.count(b"+13-14-15-16-17-18") == 4  # the points of a game are on no board
    refused = check("--diff", "--boards", slips)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"--diff changes nothing" in refused.stderr


def test_json_says_what_was_fixed_and_what_is_left(slips: Path) -> None:
    slips.write_text(slips.read_text().replace("52: 9/4 6/4 ", "99: 9/4 6/4 "))
    done = check("--fix", "--format", "json", slips)
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    assert {each["code"] for each in found if not each.get("fixed")} >= {"BG201"}
    assert any(each.get("fixed") for each in found)


def test_a_file_that_is_protected_stays(slips: Path) -> None:
    slips.chmod(0o444)
    before = slips.read_bytes()
    done = check("--fix", slips)
    assert (done.returncode, slips.read_bytes()) == (2, before)
    assert b"not fixed: it is read-only" in done.stderr
    assert done.stdout.count(b": error ") == 5


def test_a_file_that_is_protected_is_refused(slips: Path) -> None:
    slips.chmod(0o444)
    before = slips.read_bytes()
    _, left, outcome = _fixing.fix(str(slips), _fixing.FixOptions(), resolve_settings(), None)
    assert outcome.refused == "it is read-only"
    assert sum(map(len, left)) >= 5
    assert slips.read_bytes() == before


def test_the_rights_of_a_file_stay(two_slips: Path) -> None:
    two_slips.chmod(0o640)
    check("--fix", two_slips)
    assert two_slips.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_whose_a_file_is_and_what_is_noted_of_it_stays(two_slips: Path) -> None:
    os.chown(two_slips, 1000, 1001)
    two_slips.chmod(0o2664)
    noted = True
    try:
        os.setxattr(two_slips, "user.club", b"North")
    except OSError:
        noted = False
    done = check("--fix", "--backup", two_slips)
    assert b"but" not in done.stderr
    for path in (two_slips, two_slips.with_name("five.mat.bak")):
        about = path.stat()
        assert (about.st_uid, about.st_gid, about.st_mode & 0o7777) == (1000, 1001, 0o2664)
        assert not noted or os.getxattr(path, "user.club") == b"North"


def test_what_cannot_stay_is_said(two_slips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As another user, who may write a file in a folder of their own, but not give it away."""
    if not hasattr(os, "geteuid") or os.geteuid():
        pytest.skip("only root gives files away")
    os.chown(two_slips, 1000, 1001)
    two_slips.chmod(0o664)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    candidate = FileCandidate(str(two_slips), named=True)
    report = check_file(candidate, CheckTask(parse_settings(), fixing=FixOptions()))
    assert report.fixed is not None
    assert report.fixed.notes == ("its owner is now the user 0, not 1000", "its group is now 0, not 1001")
    assert two_slips.stat().st_mode & 0o777 == 0o644  # the new group may do what everybody may


def test_a_link_stays_and_other_names_of_a_file_are_told(two_slips: Path) -> None:
    old = two_slips.read_bytes()
    (two_slips.parent / "link.mat").symlink_to(two_slips.name)
    (two_slips.parent / "name.mat").hardlink_to(two_slips)
    done = check("--fix", two_slips.parent / "link.mat")
    assert b"link.mat: fixed, but another name of it (a hard link) keeps the old bytes" in done.stderr
    assert (two_slips.parent / "link.mat").is_symlink()
    assert (two_slips.read_bytes() != old, (two_slips.parent / "name.mat").read_bytes() == old) == (True, True)


def test_what_has_changed_since_it_was_read_stays(two_slips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(*given: Any, **more: Any) -> Any:
        two_slips.write_text("another record")
        return repaired(*given, **more)

    monkeypatch.setattr(_fixing, "repaired", changed)
    report = check_file(FileCandidate(str(two_slips), named=True), CheckTask(parse_settings(), fixing=FixOptions()))
    assert report.fixed is not None
    assert report.fixed.refused == "it has changed since it was read"
    assert two_slips.read_text() == "another record"


def test_a_record_in_an_archive_stays(tmp_path: Path) -> None:
    packed = tmp_path / "five.mat.gz"
    packed.write_bytes(gzip.compress(SLIPS.read_bytes()))
    before = packed.read_bytes()
    done = check("--fix", packed)
    assert (done.returncode, packed.read_bytes()) == (2, before)
    assert b"not fixed: the record lies in an archive; unpack that first" in done.stderr


def test_how_to_fix_goes_with_fixing(two_slips: Path) -> None:
    assert check("--unsafe-fixes", two_slips).returncode == 2
    assert check("--backup", two_slips).returncode == 2
