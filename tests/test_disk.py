"""Whatever lies in a folder, or is named: an entry that cannot be read costs that entry, and nothing waits or falls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotated import RECORD, analysed
from bgtools._disk import exists, is_file, is_folder, make_folders, read_regular, save, walk
from bgtools.conversion.conversion import write
from bgtools.formats.searching import candidates
from program import SOUND, bgtools
from support import read_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes as Unix has them")
LONG = "x" * 300
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def found(folder: Path) -> list[str]:
    return [str(Path(each.path).relative_to(folder)) for each in candidates([str(folder)])]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Three records; one lies deeper than Python nests calls."""
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "a.mat").write_text(SOUND)
    (folder / "z.mat").write_text(SOUND)
    (folder / "sub").mkdir()
    (folder / "sub" / "b.mat").write_text(SOUND)
    return folder


def test_a_link_to_itself_costs_no_other_file(records: Path) -> None:
    (records / "loop.mat").symlink_to("loop.mat")
    (records / "loop").symlink_to("loop")
    assert found(records) == ["a.mat", "loop.mat", "sub/b.mat", "z.mat"]
    done = bgtools("check", str(records))
    assert done.returncode == 2
    assert f"{records / 'loop.mat'}: cannot be read: Too many levels of symbolic links" in done.stderr
    assert "no findings in 3 files; 1 file could not be checked" in done.stderr


def test_what_leads_up_or_nowhere_and_what_is_no_file_is_passed_over(records: Path) -> None:
    (records / "sub" / "up").symlink_to(records)
    (records / "sub" / "up.mat").symlink_to(records)
    (records / "gone.mat").symlink_to("nowhere")
    (records / "folder.mat").mkdir()
    os.mkfifo(records / "pipe.mat")
    assert found(records) == ["a.mat", "sub/b.mat", "z.mat"]


@pytest.mark.thorough
def test_a_record_deeper_than_calls_nest_is_checked(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 1500)
    make_folders(deep)
    (deep / "a.mat").write_text(SOUND)
    try:
        assert [each.path for each in candidates([str(tmp_path)])] == [str(deep / "a.mat")]
        done = bgtools("check", str(tmp_path))
        assert (done.returncode, done.stderr) == (0, "no findings in 1 file\n")
        done = bgtools("convert", str(tmp_path), str(tmp_path / "o"), "--to", "json")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
        assert (tmp_path / "o" / deep.relative_to(tmp_path) / "a.json").is_file()
    finally:
        subprocess.run(["rm", "-rf", tmp_path / "d", tmp_path / "o"], check=True)  # what pytest has nests calls too


@pytest.mark.skipif(AS_ROOT, reason="root may list every folder")
def test_a_folder_that_cannot_be_listed_costs_no_other(records: Path) -> None:
    (records / "sub").chmod(0)
    try:
        assert found(records) == ["a.mat", "sub", "z.mat"]
    finally:
        (records / "sub").chmod(0o700)


def test_what_a_listing_gave_before_it_failed_counts(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    class Failing:
        def __init__(self, folder: str) -> None:
            self.entries = scandir(folder)

        def __enter__(self) -> Failing:
            return self

        def __exit__(self, *_: object) -> None:
            self.entries.close()

        def __iter__(self) -> Failing:
            return self

        def __next__(self) -> os.DirEntry[str]:
            for entry in self.entries:
                return entry
            raise OSError(5, os.strerror(5))

    monkeypatch.setattr(os, "scandir", Failing)
    assert sorted(walk(str(records), lambda name: name.endswith(".mat"))) == sorted(
        map(str, [records, records / "a.mat", records / "sub", records / "sub" / "b.mat", records / "z.mat"])
    )


def test_questions_have_an_answer_for_every_path(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / LONG, tmp_path / "loop", tmp_path / "loop" / "x", "a\0b"):
        assert {exists(path), is_file(path), is_folder(path)} == {False}


def test_only_a_regular_file_of_sensible_size_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * (1 << 20) + b"y")
    (tmp_path / "link").symlink_to("large")
    with pytest.raises(OSError, match="it is not a regular file"):
        read_regular(tmp_path / "pipe", 1 << 20)
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        read_regular(tmp_path / "large", 1 << 20)
    assert len(read_regular(tmp_path / "link", 2 << 20)) == (1 << 20) + 1
    with pytest.raises(PermissionError):
        read_regular(tmp_path / "large", 2 << 20, lambda about: about.st_size == 0)


# --- names that no file can have ----------------------------------------------------------------


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize(
    ("command", "ending"),
    [
        (("convert", "m.mat"), ".json"),
        (("table", "turns", "m.mat", "--engine", "none", "-o"), ".csv"),
        (("blunders", "valued.json", "--engine", "file", "-o"), ".html"),
        (("merge", "m.mat", "m.mat", "-o"), ".mat"),
        (("report", "m.mat", "--engine", "none", "-o"), ""),
        (("show", "m.mat", "--row", "1", "-o"), ".svg"),
        (("convert", "--positions", "--to", "gnubg", "list.txt"), ".txt"),
        (("convert", "m.mat", "--to", "json", "m.mat"), "/"),
        (("quiz", "m.mat", "--progress"), ".json"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else each,
)
@pytest.mark.parametrize("name", [LONG, "loop", f"{LONG}/x", "m.mat/x"], ids=["long", "loop", "deep", "below"])
def test_an_output_that_no_file_can_be_is_one_sentence(
    command: tuple[str, ...], ending: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mat").write_text(SOUND)
    write(analysed(read_text(RECORD), 1), Path("valued.json"))
    Path("list.txt").write_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n")
    Path(f"loop{ending.rstrip('/')}").symlink_to(f"loop{ending.rstrip('/')}")
    done = bgtools(*command, f"{name}{ending}")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
    assert "bgtools: " in done.stderr or "Usage" in done.stderr


def test_many_outputs_that_cannot_be_are_a_sentence_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mat").write_text(SOUND)
    Path("out").write_text("")
    done = bgtools("convert", "m.mat", "out/deep/", "--to", "json")
    assert (done.returncode, done.stderr) == (2, "bgtools: out/deep/m.json: cannot be written: Not a directory\n")


def test_a_pipe_among_the_files_of_a_report_keeps_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / "m.mat").write_text(SOUND)
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out" / "report.json")
    done = bgtools("report", str(tmp_path / "m.mat"), "--engine", "none", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "holds what no report has put there: report.json" in done.stderr


def test_a_file_is_saved_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    save(b"x", tmp_path / "link")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "file").read_bytes()) == (True, b"x")
