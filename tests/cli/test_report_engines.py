"""The report command with the record's own analysis, and with several engines side by side."""

from __future__ import annotations

import csv
import json
import shlex
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from annotated import candidate, cube, noted, plays
from bgtools import write
from program import SOUND, bgtools
from support import CORPUS

if TYPE_CHECKING:
    from pathlib import Path

needs_engine = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
XG = CORPUS / "xg" / "kevung__gbf__match_with_comment.xg"


@pytest.fixture
def analysed(tmp_path: Path) -> Path:
    """A record that a program has analysed in part."""
    notes = {
        0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), luck=0.21),
        2: plays(candidate("24/14", 0.1), candidate("24/18 13/9", -0.15)),
        4: cube(0.6, 0.5),
    }
    file = tmp_path / "ann-bob.json"
    write(noted(notes), file)
    return file


def test_a_report_of_the_records_own_analysis_takes_no_engine(analysed: Path, tmp_path: Path) -> None:
    done = bgtools("report", str(analysed), "-o", str(tmp_path / "out"), "--engine", "file")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    used = report["conventions"]
    assert (used["engine"], used["engine_version"], used["level"]) == ("GNU Backgammon", "1.07", "2-ply")
    assert (used["is_recorded"], used["luck"]) == (True, "gnubg30")
    ann = report["players"][0]
    assert ann["ratings"]["xg_pr"]["loss"] == pytest.approx(0.35)
    assert ann["ratings"]["xg_pr"]["counted"] == 3
    assert "engines" not in report
    assert "the record's own analysis by GNU Backgammon 1.07, level 2-ply" in done.stdout
    assert "the file says nothing of this" in done.stdout
    assert "errors.png" in report["files"]


def test_a_record_without_analysis_says_so(tmp_path: Path) -> None:
    file = tmp_path / "plain.mat"
    file.write_text(SOUND)
    done = bgtools("report", str(file), "-o", str(tmp_path / "out"), "--engine", "file")
    assert done.returncode == 2
    assert done.stderr == (
        "bgtools: the record holds no analysis of its own\n"
        "bgtools: nothing is written, as luck, errors and ratings need an engine; --engine none leaves them out\n"
    )
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("wrong", ["fruit", "sage:2", "file,file"])
def test_what_names_no_engine_ends_the_command(analysed: Path, tmp_path: Path, wrong: str) -> None:
    done = bgtools("report", str(analysed), "-o", str(tmp_path / "out"), "--engine", wrong)
    assert done.returncode == 2
    assert "--engine" in done.stderr
    assert not (tmp_path / "out").exists()


@needs_engine
def test_without_being_asked_the_analysis_of_the_record_is_only_pointed_out(analysed: Path, tmp_path: Path) -> None:
    done = bgtools("report", str(analysed), "-o", str(tmp_path / "out"), "--level", "quick")
    assert "The record holds an analysis of its own: --engine file" in done.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (report["conventions"]["engine"], report["conventions"]["is_recorded"]) == ("sage", False)


@needs_engine
def test_several_engines_stand_side_by_side(analysed: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    arguments = ("--engine", "file,sage", "--level", "quick", "--disagree", "0.05")
    done = bgtools("report", str(analysed), "-o", str(target), *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads((target / "report.json").read_text(encoding="utf-8"))
    assert [each["engine"] for each in report["engines"]] == ["file", "sage"]
    file, sage = report["engines"]
    assert (file["players"], file["games"]) == (report["players"], report["games"])
    assert sage["conventions"]["engine"] == "sage"
    assert sage["players"][0]["ratings"]["xg_pr"]["value"] is not None
    # Opening rolls by one convention, so that the two can be compared.
    assert file["conventions"]["luck"] == sage["conventions"]["luck"] == "gnubg30"
    with (target / "disagreements.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert report["disagreements"] == {"threshold": 0.05, "compared": 4, "listed": len(rows)}
    assert rows
    for row in rows:
        assert float(row["difference"]) > 0.05
        assert row["file_best"]
        assert float(row["sage_loss"]) >= 0
    assert f"by more than 0.05 EMG on {len(rows)} of the 4 decisions" in done.stdout
    for row in rows:
        assert f"{float(row['difference']):.3f}" in done.stdout.partition("EMG on")[2], "why it is listed"
    assert "file: the record's own analysis by GNU Backgammon 1.07" in done.stdout
    assert "sage: sage" in done.stdout


@needs_engine
def test_an_opening_convention_that_the_record_keeps_to_itself_binds_no_other_engine(tmp_path: Path) -> None:
    file, target = tmp_path / "ann-bob.json", tmp_path / "out"
    write(noted({0: plays(candidate("8/5 6/5", 0.2), program="BGBlitz", luck=0.21)}), file)
    bgtools("report", str(file), "-o", str(target), "--engine", "file,sage", "--level", "quick")
    report = json.loads((target / "report.json").read_text(encoding="utf-8"))
    assert [each["conventions"]["luck"] for each in report["engines"]] == ["recorded", "gnubg30"]
    assert not report["engines"][1]["players"][0]["luck"]["missing"]


@needs_engine
def test_an_engine_that_cannot_run_leaves_the_others(tmp_path: Path) -> None:
    file = tmp_path / "plain.mat"
    file.write_text(SOUND)
    done = bgtools("report", str(file), "-o", str(tmp_path / "out"), "--engine", "file,sage", "--level", "quick")
    assert done.returncode == 0
    assert done.stderr == "bgtools: the record holds no analysis of its own; file is left out\n"
    assert "engines" not in json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))


@pytest.mark.needs(XG.is_file(), "the corpus")
def test_a_file_of_extreme_gammon_is_reported_by_its_own_figures(tmp_path: Path) -> None:
    done = bgtools("report", str(XG), "-o", str(tmp_path / "out"), "--engine", "file")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    values = [player["ratings"]["xg_pr"]["value"] for player in report["players"]]
    assert values == [pytest.approx(6.51, abs=0.01), pytest.approx(6.84, abs=0.01)]
    assert "the record's own analysis by eXtreme Gammon" in done.stdout
    with (tmp_path / "out" / "decisions.csv").open(encoding="utf-8", newline="") as lines:
        odd = [row for row in csv.DictReader(lines) if row["xg_why"].startswith("XG ")]
    assert [(row["game"], row["entry"], row["xg_counted"], row["xg_why"]) for row in odd] == [
        ("1", "32", "False", "XG does not count it, though by its rule: a choice of plays")
    ]


def test_a_program_that_ends_in_the_middle_is_left_out_and_the_rest_written(analysed: Path, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "replies = {'ubgi': 'ubgiok', 'isready': 'readyok'}\n"
        "while not (line := input()).startswith('go'):\n"
        "    print(replies.get(line, ''), flush=True)\n"
        "raise SystemExit('no more')\n"
    )
    program = shlex.join([sys.executable, str(script)])
    target = tmp_path / "out"
    done = bgtools("report", str(analysed), "-o", str(target), "--engine", f"file,ubgi:{program}")
    assert done.returncode == 0, done.stderr
    assert 'the engine ubgi has ended with code 1; its last words: "' in done.stderr
    assert "is left out" in done.stderr
    assert "XG PR" in done.stdout
    assert json.loads((target / "report.json").read_text(encoding="utf-8"))["match"]["games"] == 1
    # Alone it leaves nothing to report, and an earlier report stays as it was.
    before = (target / "report.json").read_bytes()
    done = bgtools("report", str(analysed), "-o", str(target), "--engine", f"ubgi:{program}")
    assert done.returncode == 2
    assert 'the engine ubgi has ended with code 1; its last words: "' in done.stderr
    assert "nothing is written" in done.stderr
    assert "Traceback" not in done.stderr
    assert (target / "report.json").read_bytes() == before
