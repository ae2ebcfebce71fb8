"""The ratings command."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from annotated import candidate, cube, noted, plays
from bgtools import write
from program import SOUND, bgtools

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = {
        0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), luck=0.21),
        2: plays(candidate("24/14", 0.1), candidate("24/18 13/9", -0.15)),
        4: cube(0.6, 0.5),
    }
    target = tmp_path / "matches"
    target.mkdir()
    for number in range(3):
        write(noted(notes), target / f"{number}.json")
    (target / "plain.mat").write_text(SOUND)
    return target


def test_decisions_of_all_matches_are_pooled(folder: Path) -> None:
    done = bgtools("ratings", str(folder), "--engine", "file")
    assert done.returncode == 0
    assert done.stderr == "bgtools: 1 match has no figures to pool\n"
    row = next(line for line in done.stdout.splitlines() if line.startswith("Ann"))
    assert row.split()[1:4] == ["3", "9", "58.33"]
    assert "(too few)" in row


def test_the_same_as_json(folder: Path) -> None:
    done = bgtools("ratings", str(folder), "--engine", "file", "--format", "json")
    ann = next(each for each in json.loads(done.stdout)["players"] if each["name"] == "Ann")
    assert (ann["matches"], ann["ratings"]["xg_pr"]["counted"]) == (3, 9)
    assert ann["ratings"]["xg_pr"]["value"] == pytest.approx(500 * 0.35 / 3)
    assert ann["ratings"]["xg_pr"]["low"] is None


def test_a_file_that_cannot_be_read_is_told_and_the_rest_rated(folder: Path) -> None:
    (folder / "broken.xg").write_bytes(b"no file of eXtreme Gammon")
    done = bgtools("ratings", str(folder), "--engine", "file")
    assert done.returncode == 1
    assert "broken.xg" in done.stderr
    assert "Ann" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "none"), "ratings need an engine"),
        (("--engine", "file,sage"), "one engine"),
    ],
)
def test_what_cannot_be_rated_ends_the_command(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = bgtools("ratings", str(folder), *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_where_no_match_has_figures_there_is_nothing_to_rate(folder: Path) -> None:
    done = bgtools("ratings", str(folder / "plain.mat"), "--engine", "file")
    assert done.returncode == 2
    assert "no match was found that could be rated" in done.stderr


def test_players_are_sorted_and_written_in_every_form(folder: Path, tmp_path: Path) -> None:
    base = ("ratings", str(folder), "--engine", "file")
    players = json.loads(bgtools(*base, "--format", "json", "--sort", "name").stdout)["players"]
    names = [each["name"] for each in players]
    assert names == sorted(names)
    assert len(names) > 1
    known = [
        each["ratings"]["xg_pr"]["value"] for each in json.loads(bgtools(*base, "--format", "json").stdout)["players"]
    ]
    values = [value for value in known if value is not None]
    assert values == sorted(values)
    rows = list(csv.DictReader(io.StringIO(bgtools(*base, "--format", "csv", "--sort", "name").stdout)))
    assert [row["name"] for row in rows] == names
    assert [float(row["xg_pr"]) if row["xg_pr"] else None for row in rows] == [
        each["ratings"]["xg_pr"]["value"] for each in players
    ]
    for ending in ("html", "md", "csv", "json"):
        target = tmp_path / f"ratings.{ending}"
        done = bgtools(*base, "-o", str(target))
        assert (done.returncode, f"written to {target}" in done.stderr) == (0, True), done.stderr
        assert all(name in target.read_text(encoding="utf-8") for name in names)
        assert bgtools(*base, "-o", str(target)).returncode == 2
    assert "ends with one of" in bgtools(*base, "-o", str(tmp_path / "r.pdf")).stderr
