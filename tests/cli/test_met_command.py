"""The met command: tables and scores as text and as data, and what it refuses."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from bgtools.met.finding import default
from bgtools.met.reading import read_table
from program import bgtools

if TYPE_CHECKING:
    from pathlib import Path


def test_a_table_is_printed_whole_with_its_notice() -> None:
    done = bgtools("met")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Kazaross-XG2: Kazaross XG2 25 point MET"
    rows = {line.split()[0]: line.split()[1:] for line in lines if line[:4].strip().isdecimal() and "." in line}
    assert len(rows) == 25
    assert rows["2"][:4] == ["32.3", "50.0", "59.9", "66.9"]
    assert len(rows["25"]) == 25
    assert "Copyright (C) 2011 Neil Kazaross" in done.stdout
    assert "without any warranty." in lines[-1]


def test_every_chance_is_in_the_csv_once_and_its_notice_before_it() -> None:
    done = bgtools("met", "--format", "csv")
    remarks = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert remarks[0] == "# Copyright (C) 2011 Neil Kazaross"
    rows = list(csv.DictReader(done.stdout.splitlines()[len(remarks) :]))
    keys = [(row["game"], row["own_away"], row["other_away"]) for row in rows]
    assert len(keys) == len(set(keys)) == 25 * 25 + 2 * 24
    met = default()
    for row in rows:
        score = int(row["own_away"]), int(row["other_away"])
        assert float(row["mwc"]) == met.equity(score, post_crawford=row["game"] == "after")
        assert (row["game"] != "") == (score.count(1) == 1)


def test_the_json_has_all_that_the_table_has() -> None:
    data = json.loads(bgtools("met", "--format", "json").stdout)
    met = default()
    assert (data["name"], data["size"], data["digest"], data["notice"]) == (met.name, 25, met.digest, met.notice)
    assert data["pre_crawford"] == [list(row) for row in met.pre_crawford]
    assert data["post_crawford"] == list(met.post_crawford)


@pytest.mark.parametrize("layout", ["xml", "met"])
def test_a_table_is_written_for_other_programs(layout: str, tmp_path: Path) -> None:
    done = bgtools("met", "--format", layout)
    back = read_table(done.stdout.encode(), "x")
    assert (back.digest, back.notice) == (default().digest, default().notice)
    file = tmp_path / f"again.{layout}"
    file.write_text(done.stdout, encoding="utf-8")
    assert bgtools("met", str(file), "--at", "5,3").stdout == bgtools("met", "--at", "5,3").stdout


def test_one_score_tells_what_the_game_is_played_for() -> None:
    facts = json.loads(bgtools("met", "--at", "5, 3", "--format", "json").stdout)
    assert facts == {
        "table": "Kazaross-XG2",
        "own_away": 5,
        "other_away": 3,
        "game": "",
        "cube": 1,
        "mwc": 0.35205,
        "lose_backgammon": 0.0,
        "lose_gammon": 0.15821,
        "lose": 0.25641,
        "win": 0.4285,
        "win_gammon": 0.5,
        "win_backgammon": 0.59947,
        "gammon_value": pytest.approx(0.41548, abs=5e-6),
        "other_gammon_value": pytest.approx(0.57063, abs=5e-6),
        "take_point_dead_cube": pytest.approx(0.28731, abs=5e-6),
        "take_point_live_cube": pytest.approx(0.19135, abs=5e-6),
    }
    text = bgtools("met", "--at", "5,3").stdout
    assert text.startswith("5 away, 3 away, cube at 1, by Kazaross-XG2\n")
    assert "take point, live cube, no gammons           19.135%" in text
    (row,) = csv.DictReader(bgtools("met", "--at", "5,3", "--format", "csv").stdout.splitlines())
    assert {name: str(value) for name, value in facts.items()} == row


def test_the_crawford_game_and_the_games_after_it_are_two_scores() -> None:
    crawford = json.loads(bgtools("met", "--at", "1,2", "--format", "json").stdout)
    after = json.loads(bgtools("met", "--at", "1,2", "--game", "after", "--format", "json").stdout)
    assert (crawford["game"], crawford["mwc"]) == ("crawford", 0.67736)
    assert (after["game"], after["mwc"]) == ("after", pytest.approx(0.51197))
    assert crawford["take_point_dead_cube"] is None
    assert "The player is not doubled: the Crawford game." in bgtools("met", "--at", "1,2").stdout
    assert after["take_point_dead_cube"] == pytest.approx(0.5)
    level = json.loads(bgtools("met", "--at", "1,1", "--format", "json").stdout)
    assert (level["game"], level["mwc"], level["take_point_dead_cube"]) == ("", 0.5, None)


def test_the_known_tables_are_listed() -> None:
    assert bgtools("met", "--list").stdout.startswith("Kazaross-XG2         comes with bgtools\n")
    assert json.loads(bgtools("met", "--list", "--format", "json").stdout)[0] == {"name": "Kazaross-XG2", "file": ""}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("no-such-table",), "there is no match equity table 'no-such-table'; there are: Kazaross-XG2"),
        (("no/such.xml",), "no/such.xml: cannot be read: No such file or directory"),
        (("--at", "26,3"), "Kazaross-XG2: 26 points away is beyond the match equity table, which ends at 25"),
        (("--at", "0,3"), "not '0,3'"),
        (("--at", "5"), "--at takes the points that both need, as in 5,3; not '5'"),
        (("--at", "5,3", "--cube", "3"), "--cube takes a power of two, not 3"),
        (("--at", "5,3", "--format", "xml"), "--format xml is for a whole table"),
        (("--list", "--format", "met"), "--format met is for a table"),
        (("--cube", "2"), "--cube goes with a score, as in --at 1,5"),
        (("zadeh", "--game", "after"), "--game goes with a score, as in --at 1,5"),
        (("--list", "--at", "5,3"), "--list goes without a table and a score"),
    ],
)
def test_what_cannot_be_printed_is_told(arguments: tuple[str, ...], reason: str) -> None:
    done = bgtools("met", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
