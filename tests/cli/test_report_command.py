"""The report command: files, exit status, what it never overwrites, what Ctrl-C leaves."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.met.finding import default
from bgtools.met.table import MatchEquityTable
from bgtools.met.writing import as_met, as_xml
from bgtools.reports.summary import games_table
from program import SOUND, WRONG_DIE, bgtools

needs_engine = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
ALL_FILES = {
    *(
        "report.html",
        "report.json",
        "decisions.csv",
        "turns.csv",
        "choices.csv",
        "breakdown.csv",
        "races.csv",
        "dice.csv",
    ),
    *("pips.png", "luck.png", "chance.png", "errors.png"),
}
ENGINE_FILES = {"choices.csv", "luck.png", "chance.png", "errors.png"}
SAMPLE = Path(__file__).parents[2] / "samples" / "seven-point.mat"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "ann-bob.mat"
    file.write_text(SOUND)
    return file


@needs_engine
def test_the_match_equity_table_is_chosen_or_refused_and_named(record: Path, tmp_path: Path) -> None:
    small = MatchEquityTable("small", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.48))
    other, same = tmp_path / "two points.xml", tmp_path / "the same.met"
    other.write_text(as_xml(small), encoding="utf-8")
    same.write_text(as_met(default()), encoding="utf-8")
    target = tmp_path / "out"
    arguments = ("report", str(record), "-o", str(target), "--level", "quick", "--met")
    refused = bgtools(*arguments, str(other))
    assert refused.returncode == 2
    assert "the engine sage plays by Kazaross-XG2" in refused.stderr
    assert "two points.xml" in refused.stderr
    assert not target.exists()
    done = bgtools(*arguments, str(same))
    assert done.returncode == 0, done.stderr
    assert json.loads((target / "report.json").read_text(encoding="utf-8"))["conventions"]["met"] == "Kazaross-XG2"
    assert "match equity table Kazaross-XG2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--met", "no-such-table"), "there is no match equity table 'no-such-table'"),
        (("--met", "Kazaross-XG2", "--engine", "none"), "--met has no use with --engine none"),
    ],
)
def test_a_table_that_cannot_be_used_stops_the_report(record: Path, arguments: tuple[str, ...], reason: str) -> None:
    done = bgtools("report", str(record), *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


@needs_engine
def test_a_report_holds_every_file_and_figure(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    done = bgtools("report", str(record), "-o", str(target), "--level", "quick")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in target.iterdir()} == ALL_FILES
    report = json.loads((target / "report.json").read_text(encoding="utf-8"))
    assert set(report["files"]) == ALL_FILES
    assert report["conventions"]["engine"] == "sage"
    assert report["conventions"]["met"] == "Kazaross-XG2"
    assert [player["name"] for player in report["players"]] == ["Ann", "Bob"]
    for player in report["players"]:
        assert list(player["ratings"]) == [
            "xg_pr",
            "bmab_pr",
            "gnubg_er",
            "gnubg_checker_er",
            "gnubg_cube_er",
            "snowie_er",
            "opengammon_er",
        ]
        assert {"value", "loss", "counted", "label"} <= set(player["ratings"]["xg_pr"])
        assert {"emg", "mwc", "per_roll"} <= set(player["luck"])
        assert {"checker", "cube", "classes"} <= set(player["errors"])
        assert player["luck_adjusted_result"]["sentence"]
    assert report["findings"] == []
    for name in ("pips.png", "luck.png", "chance.png", "errors.png"):
        assert (target / name).read_bytes().startswith(b"\x89PNG")
    assert "XG PR" in done.stdout
    assert done.stderr == ""


@needs_engine
def test_thresholds_and_the_luck_of_first_rolls_can_be_chosen(record: Path, tmp_path: Path) -> None:
    luck: dict[str, float] = {}
    for convention in ("gnubg30", "roller15", "naive36", "match-equity"):
        target = tmp_path / convention
        options = ("--luck", convention, "--thresholds", "gnubg", "--level", "quick")
        done = bgtools("report", str(record), "-o", str(target), *options)
        assert done.returncode == 0, done.stderr
        assert "doubtful, bad, very bad" in done.stdout
        assert f"opening rolls: {convention}" in " ".join(done.stdout.split())
        report = json.loads((target / "report.json").read_text(encoding="utf-8"))
        assert report["conventions"]["luck"] == convention
        assert [step["name"] for step in report["conventions"]["thresholds"]["steps"]] == [
            "doubtful",
            "bad",
            "very bad",
        ]
        assert list(report["players"][0]["errors"]["classes"]) == ["doubtful", "bad", "very bad"]
        luck[convention] = report["players"][0]["luck"]["emg"]
    # The starter is better off than before the game, and may not roll a double.
    assert luck["gnubg30"] > luck["roller15"] > luck["naive36"]
    # At an even score neither player is, before the game.
    assert luck["match-equity"] == pytest.approx(luck["gnubg30"], abs=1e-6)
    assert bgtools("report", str(record), "--thresholds", "own").returncode == 2


def test_without_an_engine_the_rest_is_written(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    done = bgtools("report", str(record), "-o", str(target), "--engine", "none")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in target.iterdir()} == ALL_FILES - ENGINE_FILES
    with (target / "turns.csv").open(encoding="utf-8", newline="") as file:
        turns = list(csv.DictReader(file))
    assert [(turn["player"], turn["action"], turn["played"]) for turn in turns[:2]] == [
        ("0", "roll", "8/5 6/5"),
        ("1", "roll", "24/22 13/8"),
    ]
    assert (turns[0]["pips"], turns[0]["pips_after"], turns[0]["opponent_pips_after"]) == ("167", "163", "167")
    assert turns[0]["luck"] == ""
    assert "no engine: luck, errors and ratings are left out" in done.stdout
    assert "XG PR" not in done.stdout


def test_a_second_run_replaces_its_own_output(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    assert bgtools("report", str(record), "-o", str(target), "--engine", "none").returncode == 0
    (target / "report.json").write_text((target / "report.json").read_text().replace('"Ann"', '"Eve"'))
    assert bgtools("report", str(record), "-o", str(target), "--engine", "none").returncode == 0
    assert '"Ann"' in (target / "report.json").read_text()


@needs_engine
def test_figures_that_are_not_known_are_not_nought(record: Path, tmp_path: Path) -> None:
    record.write_text(SOUND.replace("3 point match", "30 point match"))
    done = bgtools("report", str(record), "-o", str(tmp_path / "out"), "--level", "quick")
    assert "30 points away is beyond the match equity table" in done.stdout
    assert re.search(r"^luck, EMG +- +- *$", done.stdout, re.MULTILINE)
    assert re.search(r"^checker play, EMG lost +- +- *$", done.stdout, re.MULTILINE)


def test_a_match_that_the_file_does_not_hold_is_refused(record: Path) -> None:
    done = bgtools("report", str(record), "--match", "2")
    assert (done.returncode, done.stderr) == (2, f"bgtools: {record}: there is only 1 match in it\n")


def test_the_games_keep_their_figures_where_it_is_narrow() -> None:
    analysis = analyse(read(SAMPLE))
    console = Console(width=40, file=StringIO(), color_system=None)
    console.print(games_table(analysis))
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert "game 7\n  score   6-5*\n  rolls   51\n  cube    1\n  result  " in text
    assert "* Crawford game" in text


def test_a_folder_with_other_files_is_refused_without_force(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "thesis.txt").write_text("mine")
    done = bgtools("report", str(record), "-o", str(target), "--engine", "none")
    assert done.returncode == 2
    assert "thesis.txt" in done.stderr
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]
    done = bgtools("report", str(record), "-o", str(target), "--engine", "none", "--force")
    assert done.returncode == 0
    assert (target / "thesis.txt").read_text() == "mine"


def test_by_default_the_folder_is_named_after_the_match(record: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bgtools", "report", record.name, "--engine", "none"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ann-bob-report" / "report.json").is_file()


def test_errors_in_the_record_are_told_and_exit_with_1(tmp_path: Path) -> None:
    # A long path with blanks is still one line, and one word to a shell.
    file = tmp_path / ("a long name " * 8 + "$.mat")
    file.write_text(WRONG_DIE)
    done = bgtools("report", str(file), "-o", str(tmp_path / "out"), "--engine", "none")
    assert done.returncode == 1
    assert f"\nThe record has 1 error; see bgtools check {shlex.quote(str(file))}\n" in done.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [finding["code"] for finding in report["findings"]] == ["BG205"]
    assert (report["findings"][0]["line"], report["findings"][0]["column"]) == (6, 37)


def test_a_place_that_cannot_be_written_is_said(record: Path, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    done = bgtools("report", str(record), "-o", str(blocker / "out"), "--engine", "none")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.quick(one_in=3)
@needs_engine
@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
@pytest.mark.parametrize("delay", [0.4, 1.2, 2.0])
def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path, delay: float) -> None:
    target = tmp_path / "out"
    # The clock runs from when the program is loaded, which on a busy machine takes longer than any delay.
    start = "import runpy, bgtools.cli; print('loaded', flush=True); runpy.run_module('bgtools', run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-c", start, "report", str(SAMPLE), "-o", str(target), "--level", "deep"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"loaded\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the report was done before the interrupt")
    assert process.returncode != 0
    assert not target.exists()
    assert list(tmp_path.iterdir()) == []
    assert b"Traceback" not in errors


def test_details_print_counts_phases_and_dice(record: Path, tmp_path: Path) -> None:
    done = bgtools("report", str(record), "-o", str(tmp_path / "out"), "--engine", "none", "--details")
    assert done.returncode == 0, done.stderr
    for word in ("pips lost to hits", "phase", "opening play", "Dice: "):
        assert word in done.stdout


def test_without_an_engine_the_counts_are_printed(record: Path, tmp_path: Path) -> None:
    done = bgtools("report", str(record), "-o", str(tmp_path / "out"), "--engine", "none")
    assert "pips rolled" in done.stdout
    assert "opening play" not in done.stdout


def test_a_position_without_a_play_is_for_show(tmp_path: Path) -> None:
    match = tmp_path / "set.json"
    assert bgtools("convert", str(SAMPLE), str(match)).returncode == 0
    data = json.loads(match.read_text(encoding="utf-8"))
    board = [[0] * 6 + [3] + [0] * 19, [0, 2] + [0] * 24]
    entries = [{"type": "set board", "player": 0, "position": board}]
    data["matches"][0]["games"] = [{"number": 1, "score": [0, 0], "entries": entries}]
    match.write_text(json.dumps(data), encoding="utf-8")
    done = bgtools("report", str(match), "--engine", "none", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "holds a position and no play" in done.stderr
    assert f"bgtools show {shlex.quote(str(match))}" in done.stderr
    assert not (tmp_path / "out").exists()


# --- errors judged again --------------------------------------------------------------------


@pytest.mark.thorough
@needs_engine
def test_errors_are_judged_again_in_the_time_that_is_given(tmp_path: Path) -> None:
    # Too short for a verdict: what was begun is kept, and the report says what was not reached.
    verdicts = _judged_again(tmp_path, "--confirm-time", "0.01s")
    assert verdicts == [""] * len(verdicts)


@needs_engine
@pytest.mark.thorough
def test_every_error_is_judged_again_where_there_is_time(tmp_path: Path) -> None:
    assert all(_judged_again(tmp_path, "--confirm"))


def _judged_again(tmp_path: Path, *options: str) -> list[str]:
    """The verdicts of a small record, after seeing that all that is written agrees on them."""
    target, record = tmp_path / "out", tmp_path / "sound.mat"
    record.write_text(SOUND)
    done = bgtools("report", str(record), "-o", str(target), "--level", "quick", "--no-cache", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads((target / "report.json").read_text(encoding="utf-8"))
    verdicts = [error["verdict"] for error in report["errors"]]
    assert verdicts
    assert set(verdicts) <= {"", "confirmed", "smaller", "too close to call", "overturned"}
    assert report["conventions"]["rollouts"].startswith("sage ")
    (note,) = (each for each in report["notes"] if each.startswith("Errors judged again by rollout: "))
    assert note in done.stdout
    counted = [f"{verdicts.count(verdict)} {verdict or 'not rolled out'}" for verdict in dict.fromkeys(verdicts)]
    assert sorted(note.removeprefix("Errors judged again by rollout: ").rstrip(".").split(", ")) == sorted(counted)
    with (target / "decisions.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["sentence"]]
    assert sorted(row["verdict"] for row in rows) == sorted(verdicts)
    return verdicts


def test_a_time_that_is_none_is_refused(tmp_path: Path) -> None:
    for wrong in ("soon", "0", "-5m", "5 days", ""):
        done = bgtools("report", str(SAMPLE), "-o", str(tmp_path / "out"), f"--confirm-time={wrong}")
        assert done.returncode == 2, wrong
        assert "5m" in done.stderr
    done = bgtools("report", str(SAMPLE), "-o", str(tmp_path / "out"), "--engine", "none", "--confirm")
    assert done.returncode == 2
    assert "--confirm has no use with --engine none" in done.stderr
    assert not (tmp_path / "out").exists()


def report_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return bgtools("report", *arguments, "-o", str(folder / "m-report"), "--engine", "none")


def test_the_report_of_another_match_is_not_written_over_without_force(tmp_path: Path) -> None:
    """Two tables of a club night, each with a file of the same name."""
    for name, text in (
        ("t1", SOUND),
        ("t2", SOUND.replace("Ann", "Eve")),
        ("t3", SOUND.replace("52: 13/8", "62: 14/8")),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.mat").write_text(text)
    first, second, third = (str(tmp_path / name / "m.mat") for name in ("t1", "t2", "t3"))
    assert report_in(tmp_path, first).returncode == 0
    before = (tmp_path / "m-report" / "report.json").read_bytes()
    for other in (second, third):  # other players; or the same ones with other dice
        done = report_in(tmp_path, other)
        assert done.returncode == 2
        assert f"holds the report of another match: Ann - Bob, {first}; " in done.stderr
        assert "use --force" in done.stderr
        assert (tmp_path / "m-report" / "report.json").read_bytes() == before
    assert report_in(tmp_path, second, "--force").returncode == 0
    assert json.loads((tmp_path / "m-report" / "report.json").read_text())["match"]["players"] == ["Eve", "Bob"]


def test_a_record_that_was_corrected_or_moved_is_still_that_record(tmp_path: Path) -> None:
    record = tmp_path / "m.mat"
    for text in (SOUND, SOUND.replace("Ann", "Anne"), SOUND.replace("Ann", "Anne").replace("31: 8/5", "41: 9/5")):
        record.write_text(text)
        assert report_in(tmp_path, str(record)).returncode in (0, 1)
    moved = record.rename(tmp_path / "n.mat")
    assert report_in(tmp_path, str(moved)).returncode in (0, 1)


def test_matches_of_one_file_or_of_standard_input_are_others(tmp_path: Path) -> None:
    both = tmp_path / "both.zip"
    with zipfile.ZipFile(both, "w") as archive:
        archive.write(SAMPLE, "a.mat")
        archive.writestr("b.mat", SOUND)
    assert report_in(tmp_path, str(both)).returncode == 0
    done = report_in(tmp_path, str(both), "--match", "2")
    assert (done.returncode, "another match" in done.stderr) == (2, True)
    shutil.rmtree(tmp_path / "m-report")
    for text, code in ((SOUND, 0), (SOUND, 0), (SAMPLE.read_text(), 2)):
        done = bgtools("report", "-", "-o", str(tmp_path / "m-report"), "--engine", "none", stdin=text.encode())
        assert done.returncode == code


def test_a_report_without_what_tells_its_match_is_replaced(record: Path, tmp_path: Path) -> None:
    for content in (
        "{}",
        '{"files": ["report.json"], "match": [], "games": 3}',
        '{"files": ["report.json"], "match": {"players": [1, "x"]}}',
    ):
        (tmp_path / "m-report").mkdir(exist_ok=True)
        for old in (tmp_path / "m-report").iterdir():
            old.unlink()
        (tmp_path / "m-report" / "report.json").write_text(content)
        done = report_in(tmp_path, str(record))
        assert "Traceback" not in done.stderr
        assert done.returncode == (2 if content == "{}" else 0)  # a stranger's file, or a report of ours


@pytest.mark.thorough
@needs_engine
def test_a_report_with_less_analysis_does_not_replace_one_with_more(record: Path, tmp_path: Path) -> None:
    def report(*arguments: str) -> subprocess.CompletedProcess[str]:
        return bgtools("report", str(record), "-o", str(tmp_path / "r"), "--no-page", *arguments)

    index = tmp_path / "r" / "report.json"
    assert report("--engine", "none").returncode == 0
    assert report("--level", "standard").returncode == 0
    before = index.read_bytes()
    for arguments, what in (
        (("--engine", "none"), "an analysis by sage, level standard; this one has none"),
        (("--level", "quick"), "level standard; this one is by sage, level quick"),
        (("--engine", "sage:quick,sage:standard"), "level standard; this one is by sage, level quick"),
    ):
        done = report(*arguments)
        assert (done.returncode, what in done.stderr, "use --force" in done.stderr) == (2, True, True), done.stderr
        assert index.read_bytes() == before
    assert report("--engine", "sage:standard,sage:quick").returncode == 0
    done = report("--level", "standard")
    assert "holds a comparison of sage:standard, sage:quick; this one has sage" in done.stderr
    assert report("--engine", "none", "--force").returncode == 0
    assert json.loads(index.read_text())["conventions"]["engine"] == ""


@pytest.mark.thorough
@needs_engine
def test_the_worst_of_each_is_shown_or_mine_where_the_settings_say_who_i_am(tmp_path: Path) -> None:
    record = tmp_path / "seven.mat"
    shutil.copy(SAMPLE, record)

    def shown(*arguments: str) -> tuple[str, str]:
        output = ("-o", str(tmp_path / "r"), "--level", "quick", "--no-page")
        done = bgtools("report", str(record), *output, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    both, _ = shown()
    heads = re.findall(r"^(.*), 5 worst of \d+ errors:$", both, re.MULTILINE)
    assert heads == ["Nora Lindholm", "Peter Marsh"]
    (tmp_path / "bgtools.toml").write_text('me = ["Somebody", "PETER MARSH"]\n')
    mine, message = shown()
    assert re.findall(r"^(.*), 5 worst of", mine, re.MULTILINE) == ["Peter Marsh"]
    assert "of Peter Marsh only, as bgtools.toml names you; --player both shows all" in message
    assert shown("--player", "both")[0] == both
    assert re.findall(r"^(.*), 5 worst of", shown("-p", "nora")[0], re.MULTILINE) == ["Nora Lindholm"]
    (tmp_path / "bgtools.toml").write_text('me = "Somebody"\n')
    assert shown() == (both, "")
    bad = bgtools("report", str(record), "-p", "petr", "--no-page", "-o", str(tmp_path / "r"))
    assert (bad.returncode, "did you mean Peter Marsh?" in bad.stderr) == (2, True)


def test_tables_of_each_match_are_written_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club" / "May").mkdir(parents=True)
    (tmp_path / "club" / "one.mat").write_text(SOUND)
    (tmp_path / "club" / "May" / "both.mat").write_text(SOUND + SOUND.replace("Ann", "Cara").replace("31:", "42:"))
    (tmp_path / "club" / "notes.txt").write_text("nothing here\n")
    for _ in range(2):
        done = bgtools("report", "club", "--engine", "none", "--tables")
        assert done.returncode == 1
        tables = tmp_path / "club-report" / "tables"
        folders = [tables / name for name in ("one-mat-report", "May/both-mat-1-report", "May/both-mat-2-report")]
        for folder in folders:
            alone = json.loads((folder / "report.json").read_text(encoding="utf-8"))
            assert {*alone["files"]} == {each.name for each in folder.iterdir()}
            assert {"turns.csv", "pips.png"} <= {*alone["files"]}
            assert "report.html" not in alone["files"]
        shutil.rmtree(folders[0])
        (tmp_path / "club" / "one.mat").touch()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("club", "--match", "2"), "go with one record"),
        (("club", "--details"), "go with one record"),
        (("club", "--format", "md"), "go with one record"),
        (("club", "--tables", "--names", "initials"), "it goes with --names full"),
        (("club",), "no match was found in it"),
        (("one.mat", "--jobs", "2"), "go with a folder of records"),
        (("one.mat", "--watch"), "go with a folder of records"),
        (("one.mat", "--dask", "tcp://127.0.0.1:1"), "go with a folder of records"),
        (("club", "--dask", "tcp://127.0.0.1:1", "--jobs", "2"), "the workers say how many"),
    ],
)
def test_what_goes_with_a_folder_and_what_with_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club").mkdir()
    (tmp_path / "one.mat").write_text(SOUND)
    done = bgtools("report", *arguments, "--engine", "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in " ".join(done.stderr.split())
    assert not [*tmp_path.glob("*report*")]
