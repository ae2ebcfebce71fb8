"""The command that collects the worst decisions of many records."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from bgtools.reports.sheets.writing import ensure_sheet
from bgtools.reports.table_files import TableError
from program import SOUND, bgtools

pytestmark = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")

BAD = SOUND.replace("8/5 6/5", "24/23 6/3").replace("13/8 24/22", "6/1 3/1")
LEVEL = ("--level", "quick")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("matches")
    (made / "bad.mat").write_text(BAD.replace("6/1 3/1", "24/22 6/1"))
    (made / "again.mat").write_text(BAD.replace("6/1 3/1", "24/22 6/1").replace("Ann", "Zoe"))
    (made / "sound.mat").write_text(SOUND)
    return made


def test_the_worst_are_printed_once_each_with_where_and_why(folder: Path) -> None:
    done = bgtools("blunders", str(folder), *LEVEL)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    first = [line for line in lines if line[:1].isdigit()]
    assert sum("to play 31: 24/23 6/3, best 8/5 6/5 (-" in line for line in first) == 1
    losses = [float(line.rpartition("(-")[2].rstrip(")")) for line in first]
    assert losses == sorted(losses, reverse=True)
    assert any("bad.mat, game 1, row 1" in line or "again.mat, game 1, row 1" in line for line in lines)


def test_one_players_are_taken_and_a_wrong_name_is_told(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "zoe.json"
    done = bgtools("blunders", str(folder), *LEVEL, "--player", "zoe", "-o", str(file))
    assert done.returncode == 0, done.stderr
    assert {each["name"] for each in json.loads(file.read_text(encoding="utf-8"))} == {"Zoe"}
    nobody = bgtools("blunders", str(folder), *LEVEL, "--player", "Nobody")
    assert nobody.returncode == 2
    assert "no player is named Nobody; there are: Bob" in nobody.stderr


def test_each_ending_gives_its_file(folder: Path, tmp_path: Path) -> None:
    made = {}
    endings = ["html", "pdf", "csv", "json", "txt", "zip", *(["apkg"] if find_spec("genanki") else [])]
    for ending in endings:
        file = tmp_path / f"out.{ending}"
        done = bgtools("blunders", str(folder), *LEVEL, "--top", "2", "-o", str(file))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"written to {file}: 2 decisions of ")
        made[ending] = file.read_bytes()
    data = json.loads(made["json"])
    assert len(data) == 2
    assert {"file", "match", "game", "turn", "name", "played", "best", "loss", "avoidable", "sentence"} <= set(data[0])
    assert 0 <= data[0]["avoidable"] <= data[0]["loss"]
    rows = list(csv.DictReader(io.StringIO(made["csv"].decode())))
    assert [row["xgid"] for row in rows] == [each["xgid"] for each in data] == made["txt"].decode().splitlines()
    page = made["html"].decode()
    assert page.count("</script>") == 2
    assert "script-src &#x27;sha256-" in page
    assert all(each["xgid"] in page for each in data)
    assert made["pdf"].startswith(b"%PDF-")
    # A page of questions, a page of answers.
    assert made["pdf"].count(b"/Type /Page ") == 2
    if "apkg" in made:
        assert {"collection.anki2", "media", "0"} <= set(zipfile.ZipFile(io.BytesIO(made["apkg"])).namelist())
    names = zipfile.ZipFile(io.BytesIO(made["zip"])).namelist()
    assert names == ["1-question.png", "1-answer.png", "2-question.png", "2-answer.png", "blunders.csv"]


def test_what_makes_no_sense_is_refused_before_any_work(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "there.html").write_text("mine")
    for arguments, said in (
        (("-o", str(tmp_path / "out.doc")), "ends with one of .html, .pdf, .csv, .json, .txt, .zip, .apkg"),
        (("-o", str(tmp_path / "there.html")), "exists; --force writes over it"),
        (("--theme", "nonsense"), "'nonsense' is unknown; choose from: "),
        (("--phase", "midgame"), "'midgame' is unknown; choose from: opening, contact"),
        (("--engine", "none"), "blunders need an engine"),
    ):
        done = bgtools("blunders", str(folder), *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in " ".join(done.stderr.replace("│", " ").split())
    assert (tmp_path / "there.html").read_text() == "mine"
    none = bgtools("blunders", str(folder / "sound.mat"), *LEVEL, "--min-loss", "1.5")
    assert none.returncode == 2
    assert "no such decision was found in 1 match" in none.stderr


def test_a_deck_needs_a_package_that_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgtools.reports.table_files.find_spec", lambda name: None)
    with pytest.raises(
        TableError, match=r"^genanki is not installed, which writes \.apkg; .*bgtools-backgammon\[anki\]"
    ):
        ensure_sheet(".apkg")
    ensure_sheet(".html")
