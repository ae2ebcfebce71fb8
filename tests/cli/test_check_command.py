"""The check command as a user meets it: exit status, what goes where, nonsense as input."""

from __future__ import annotations

from pathlib import Path

import pytest

from program import SOUND, WRONG_DIE, bgtools


def test_a_sound_record_prints_nothing_and_exits_with_0(tmp_path: Path) -> None:
    file = tmp_path / "sound.mat"
    file.write_text(SOUND)
    done = bgtools("check", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "no findings in 1 file\n"


def test_an_error_shows_its_place_its_row_a_caret_and_the_proof(tmp_path: Path) -> None:
    file = tmp_path / "wrong.mat"
    file.write_text(WRONG_DIE)
    done = bgtools("check", str(file))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{file}:6:37: error BG205 Bob cannot play 13/9 with 52")
    assert lines[2] == "6 |   1) 31: 8/5 6/5                52: 13/9 24/22"
    assert lines[3] == "  |                                     ^^^^"
    assert "  = the dice show 5 and 2" in lines
    assert "Traceback" not in done.stderr


def test_concise_prints_one_line_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "wrong.mat"
    file.write_text(WRONG_DIE)
    done = bgtools("check", "--concise", str(file))
    assert done.stdout.count("\n") == 1
    assert done.stdout.endswith("[number-not-rolled]\n")


def test_a_blocked_point_names_who_holds_it(tmp_path: Path) -> None:
    file = tmp_path / "blocked.mat"
    file.write_text(SOUND.replace("31: 8/5 6/5 ", "61: 13/7 8/7").replace("52: 13/8 24/22", "66: 24/18(2) 13/7(2)"))
    done = bgtools("check", str(file))
    assert done.returncode == 1
    assert "error BG203 Bob cannot play 24/18(2): the 18-point is blocked" in done.stdout
    assert "Ann holds it with 2 checkers, as the 7-point of Ann" in done.stdout


def test_standard_input_is_read_for_a_dash() -> None:
    done = bgtools("check", "-", stdin=WRONG_DIE.encode())
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>:6:37: error BG205")


def test_several_files_are_all_checked_and_one_that_cannot_be_read_makes_it_2(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.mat", tmp_path / "bad.mat", tmp_path / "missing.mat"
    good.write_text(SOUND)
    bad.write_text(WRONG_DIE)
    done = bgtools("check", str(missing), str(good), str(bad))
    assert done.returncode == 2
    assert f"{missing}: cannot be read: No such file or directory" in done.stderr
    assert "BG205" in done.stdout
    assert done.stderr.endswith("1 error in 2 files\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"RGMH\x01\x00\x00\x00", "an eXtreme Gammon binary file"),
        (b"(;FF[4]GM[6])", "an SGF file"),
        (b"PK\x03\x04abc", "a ZIP archive"),
        (b"\x00\x01\x02\xff\xfe", "a binary file"),
        (b"Dear Ann, see you at the club.\n", "this is no match text"),
    ],
)
def test_what_is_no_match_text_is_named_and_exits_with_2(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "strange.mat"
    file.write_bytes(content)
    done = bgtools("check", str(file))
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_is_named_as_such(tmp_path: Path) -> None:
    done = bgtools("check", str(tmp_path))
    assert done.returncode == 2
    assert "this is a folder" in done.stderr


def test_escapes_in_names_never_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "escape.mat"
    file.write_text(WRONG_DIE.replace("Bob", "\x1b[31mBob\x07"))
    done = bgtools("check", str(file))
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "[31mBob" in done.stdout


def test_the_version_is_printed() -> None:
    done = bgtools("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("bgtools ")


def test_without_a_command_the_help_is_shown() -> None:
    done = bgtools("--help")
    assert done.returncode == 0
    for command in ("check", "report", "show"):
        assert command in done.stdout
