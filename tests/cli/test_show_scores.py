"""``bgtools show --scores`` and ``--cubes``, the table of scores, and errors for a reason."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from lesson_rows import without_plan
from program import bgtools

SAMPLE = str(Path(__file__).parents[2] / "samples" / "one-point.mat")
RACE = "XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10"
PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:41:0:0:0:7:10"
QUICK = ("--level", "quick")


def test_a_grid_is_printed_with_its_verdicts_in_words() -> None:
    shown = bgtools("show", RACE, "--scores", "--to", "3", *QUICK)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Points that the player on roll needs"))
    assert lines[at + 1].split() == ["1", "1C", "2", "3"]
    assert [line.split()[0] for line in lines[at + 2 : at + 7]] == ["1", "1C", "2", "3", "money"]
    assert lines[at + 6].split() == ["money", "DT"]
    assert any(line.startswith("DT  Double, take: money") for line in lines)
    assert all(len(line) <= 80 for line in lines[at + 1 : at + 7])


def test_json_holds_what_is_printed() -> None:
    found = json.loads(bgtools("show", PLAY, "--scores", "--to", "2", *QUICK, "--format", "json").stdout)
    (grid,) = found["grids"]
    assert grid["about"] == "scores"
    assert {(cell["row"], cell["column"]) for cell in grid["cells"]} == {
        ("money", "money"), ("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("1C", "2"), ("2", "1C"),
    }  # fmt: skip
    assert all(cell["best"] for cell in grid["cells"])
    assert found["evaluation"]["best_action"]


@pytest.mark.parametrize("option", ["--scores", "--cubes"])
def test_a_picture_has_a_mark_in_every_cell(option: str, tmp_path: Path) -> None:
    picture = tmp_path / "grid.svg"
    more = ("--to", "3") if option == "--scores" else ()
    done = bgtools("show", RACE, option, *more, *QUICK, "-o", str(picture))
    assert done.returncode == 0, done.stderr
    texts = [each.text for each in Xml.fromstring(picture.read_bytes()).iter() if each.tag.endswith("text")]
    assert texts.count("DT") + texts.count("DT~") >= 2
    assert "Double, take" in texts
    assert len([text for text in texts if text in ("ND", "DT", "DP")]) >= 3


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((RACE, "--scores", "--cubes"), "give one of them"),
        ((RACE, "--to", "3"), "give --scores with it"),
        ((RACE, "--scores", "--to", "40"), "not 40"),
        ((RACE.replace(":0:0:1:", ":1:-1:1:"), "--scores"), "the other player owns the cube"),
        ((RACE.replace(":0:0:0:7:", ":0:0:1:7:"), "--cubes"), "in the Crawford game the cube stays in the middle"),
        ((RACE, "--scores", "--engine", "none"), "only an engine can value a position"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(options: tuple[str, ...], why: str) -> None:
    refused = bgtools("show", *options, *QUICK)
    assert refused.returncode == 2
    assert why in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.thorough
def test_the_table_of_scores_has_a_row_for_every_error_and_score(tmp_path: Path) -> None:
    done = bgtools("table", "scores", SAMPLE, "--engine", "sage", *QUICK)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    errors = {row["entry"] for row in rows}
    assert len(errors) > 3
    assert len(rows) == 62 * len(errors)
    assert all(row["best"] for row in rows if row["kind"] == "checker play")
    refused = bgtools("table", "scores", SAMPLE, "--engine", "none")
    assert "scores are what an engine finds" in refused.stderr


def test_errors_for_a_reason_can_be_asked_for(tmp_path: Path) -> None:
    found = bgtools("blunders", SAMPLE, *QUICK, "--reason", "score", "-o", str(tmp_path / "score.json"))
    assert found.returncode == 0, found.stderr
    errors = json.loads((tmp_path / "score.json").read_text(encoding="utf-8"))
    assert errors
    assert all("money" in each["right_at"] and each["loss_at_money"] < 0.02 for each in errors)
    assert all(without_plan(each["sentence"]).startswith("right for money") for each in errors)
    both = bgtools("blunders", SAMPLE, *QUICK, "--reason", "score", "--theme", "race")
    assert "give it or --theme" in both.stderr
    vain = bgtools("blunders", SAMPLE, *QUICK, "--scores")
    assert "--scores has a use for -o FILE" in vain.stderr


@pytest.mark.thorough
def test_cards_and_pages_to_train_with_have_grids(tmp_path: Path) -> None:
    page = tmp_path / "train.html"
    done = bgtools("blunders", SAMPLE, *QUICK, "--top", "1", "--scores", "-o", str(page))
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert '"scores":{"heading":' in text
    assert "another choice loses less than 0.020" in text or '"words":["A' in text
