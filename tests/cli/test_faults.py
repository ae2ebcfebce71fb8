"""Every command on a file system with faults: a sentence and a status, nothing half written, and no fault of ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import faults
from annotated import RECORD, analysed
from bgtools.conversion.conversion import write
from program import IS_WARM, SOUND, bgtools
from support import read_text

pytestmark = pytest.mark.skipif(not IS_WARM, reason="faults are planted in copies of a program that is kept ready")
SLIPS = Path(__file__).parents[2] / "samples" / "five-slips.mat"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n"
NONE = ("--engine", "none")

READERS = {
    "check": ("check", "in"),
    "check a file": ("check", "--format", "json", "in/a.mat"),
    "check with two": ("check", "-j", "2", "--summary", "in"),
    "check --fix": ("check", "--fix", "in"),
    "check --settings": ("check", "--settings", "in/bgtools.toml", "in"),
    "convert": ("convert", "in/a.mat", "out/a.json"),
    "convert all": ("convert", "in", "out/", "--to", "json"),
    "convert positions": ("convert", "--positions", "--to", "gnubg", "in/list.txt", "out/list.txt"),
    "table": ("table", "turns", "in", *NONE, "-o", "out/t.csv"),
    "blunders": ("blunders", "in/valued.json", "--engine", "file", "-o", "out/b.html"),
    "quiz": ("quiz", "in/valued.json", "--engine", "file", "--progress", "in/quiz.json"),
    "report": ("report", "in/a.mat", *NONE, "-o", "out/report"),
    "ratings": ("ratings", "in", "--engine", "file"),
    "show": ("show", "in/a.mat", "--row", "2"),
    "show a picture": ("show", "in/a.mat", "--row", "2", "-o", "out/a.svg"),
    "show by a theme": ("show", "in/a.mat", "--row", "2", "-o", "out/a.svg", "--theme", "in/theme.toml"),
    "diff": ("diff", "in/a.mat", "in/b.mat"),
    "merge": ("merge", "in/five.mat", "in/six.mat", "-o", "out/m.mat"),
    "same": ("same", "in"),
    "met": ("met", "in/table.xml"),
    "benchmark": ("benchmark", "in"),
    "library add": ("library", "add", "in", "--library", "out/new"),
    "library info": ("library", "info", "--library", "in/kept"),
    "library sql": ("library", "sql", "select * from matches", "--library", "in/kept"),
}
WRITERS = {
    "convert": READERS["convert"],
    "convert over": ("convert", "in/a.mat", "out/old.json", "--force"),
    "convert all": READERS["convert all"],
    "convert positions": READERS["convert positions"],
    "table": READERS["table"],
    "table over": ("table", "turns", "in", *NONE, "-o", "out/old.json", "--force"),
    "table xlsx": ("table", "turns", "in", *NONE, "-o", "out/t.xlsx"),
    "blunders": READERS["blunders"],
    "report": READERS["report"],
    "report deep": ("report", "in/a.mat", *NONE, "-o", "out/deep/report"),
    "report over": ("report", "in/a.mat", *NONE, "-o", "out/earlier"),
    "show a picture": READERS["show a picture"],
    "merge": READERS["merge"],
    "check --fix": ("check", "--fix", "--backup", "out"),
    "check --fix -": ("check", "--fix", "out/five.mat"),
    "library add": READERS["library add"],
    "library export": ("library", "export", "records", "-o", "out/all.zip", "--to", "mat", "--library", "in/kept"),
    "library export all": ("library", "export", "records", "-o", "out/new", "--to", "mat", "--library", "in/kept"),
    "library export turns": ("library", "export", "turns", "-o", "out/t.csv", "--library", "in/kept"),
    "cache": ("show", "in/a.mat", "--row", "2"),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records to read, and a folder to write into that holds a file, an earlier report and a record with slips."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    for name in ("a.mat", "b.mat", "c.txt"):
        (folder / "in" / name).write_text(SOUND)
    for name in ("in/five.mat", "in/six.mat", "out/five.mat"):
        shutil.copy(SLIPS, folder / name)
    write(analysed(read_text(RECORD), 1), folder / "in" / "valued.json")
    (folder / "in" / "bgtools.toml").write_text('profile = "strict"\n')
    (folder / "in" / "list.txt").write_text(XGID)
    (folder / "in" / "theme.toml").write_text("")
    (folder / "in" / "table.xml").write_text("<met>")
    (folder / "in" / "quiz.json").write_text('{"answered": {}}')
    kept = str(folder / "in" / "kept")
    assert bgtools("library", "add", str(folder / "in" / "five.mat"), "--library", kept).returncode == 0
    (folder / "out" / "old.json").write_text("old")
    assert bgtools("report", str(folder / "in" / "a.mat"), *NONE, "-o", str(folder / "out" / "earlier")).returncode == 0
    return folder


def run(
    kind: str, place: str, command: tuple[str, ...], prepared: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """A command that meets a fault."""
    here = Path(shutil.copytree(prepared, folder / "here"))
    monkeypatch.chdir(here)
    done = bgtools(*command, environment={faults.VARIABLE: f"{kind}:{here / place}"})
    assert "Traceback" not in done.stderr
    assert "fault of bgtools" not in done.stdout + done.stderr
    return done, here


@pytest.mark.quick(one_in=13)
@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("kind", faults.READING)
def test_what_cannot_be_read_is_a_sentence(
    kind: str, command: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, here = run(kind, "in", READERS[command], prepared, tmp_path, monkeypatch)
    if (kind, command) != ("empty", "convert positions"):  # a list may be empty
        assert done.returncode in (1, 2), done.stdout
        assert done.stderr
    assert not [name for name in faults.copied(here) if ".bgtools-" in name]


@pytest.mark.quick(one_in=13)
@pytest.mark.parametrize("command", WRITERS)
@pytest.mark.parametrize("kind", faults.WRITING)
def test_what_cannot_be_written_is_a_sentence_and_nothing_has_changed(
    kind: str, command: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, here = run(kind, "out", WRITERS[command], prepared, tmp_path, monkeypatch)
    assert done.returncode == (0 if command == "cache" else 2), (done.stdout, done.stderr)
    said = "what was committed before is kept" if command == "library add" else "cannot be written"
    assert command == "cache" or said in done.stderr
    assert faults.copied(here / "out") == faults.copied(prepared / "out")
