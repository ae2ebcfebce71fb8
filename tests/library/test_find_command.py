"""``bgtools library find``, ``openings`` and ``dice`` as people use them."""

from __future__ import annotations

import csv
import io
import json
import shlex
from typing import TYPE_CHECKING

import pytest
import typer
from records import made, put

import bgtools as package
from annotated import analysed
from bgtools.cli.library._common import away_of, dice_of, named, range_of
from bgtools.positions.notations import decode_id
from bgtools.positions.position import to_signed
from browsers import data_of
from program import bgtools

if TYPE_CHECKING:
    from pathlib import Path

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:3:10"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("command")
    put(folder / "in files", 1, 2, 3)
    judged = folder / "in files" / "judged.sgf"
    judged.write_bytes(package.convert(analysed(made(9), 1), to="sgf", verify=False).data)
    package.Library(folder / "library").add([folder / "in files"])
    return folder


def library(folder: Path, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    done = bgtools(
        "library", *arguments, stdin=typed.encode(), environment={"BGTOOLS_LIBRARY": str(folder / "library"),
                                                         "BGTOOLS_DATA": str(folder)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_each_hit_comes_with_the_command_that_shows_it(folder: Path) -> None:
    code, out, err = library(folder, "find", "--pips", "..160", "--limit", "3")
    assert (code, err) == (0, "")
    summary, _, *lines = out.splitlines()
    assert " positions in 4 matches; 3 listed, one per game" in summary
    assert len(lines) == 6
    ids = library(folder, "find", "--pips", "..160", "--limit", "3", "--format", "ids")[1]
    for line, xgid in zip(lines[1::2], ids.splitlines(), strict=True):
        program, *arguments = shlex.split(line)
        assert program == "bgtools"
        shown = json.loads(bgtools(*arguments, "--format", "json").stdout)
        assert shown["board"] == list(to_signed(decode_id(xgid).board))


def test_how_a_position_was_played_is_told(folder: Path) -> None:
    code, out, _ = library(folder, "find", START, "--format", "boards", "--limit", "1")
    assert code == 0
    assert "100.0%" in out
    assert "cube 1, centred" in out
    data = json.loads(library(folder, "find", START, "--format", "json", "--limit", "0")[1])
    assert data["positions"] == len(data["hits"]) == sum(play["times"] for play in data["plays"])
    assert {hit["distance"] for hit in data["hits"]} == {0}
    rows = [*csv.DictReader(io.StringIO(library(folder, "find", START, "--format", "csv", "--limit", "0")[1]))]
    assert [row["show"] for row in rows if row["path"]] == [hit["show"] for hit in data["hits"]]
    assert library(folder, "find", "-", "--format", "json", "--limit", "0", typed=START)[1] == json.dumps(
        data, ensure_ascii=False, indent=2
    ) + "\n"  # fmt: skip


def test_hits_are_written_as_sheets_and_not_over_what_is_there(folder: Path) -> None:
    sheet = folder / "sheet.html"
    code, out, err = library(folder, "find", "--prime", "3", "--limit", "2", "-o", str(sheet))
    assert (code, err) == (0, "")
    assert out.startswith(f"written to {sheet}: 2 of ")
    text = sheet.read_text(encoding="utf-8")
    assert text.count("<h3>") == 2
    assert ", best " not in text, "nobody judged them"
    for arguments, said in (
        (("-o", str(sheet)), f"{sheet} exists; --force writes over it"),
        (("-o", str(folder / "sheet.doc")), "the name of a sheet ends with one of"),
    ):
        code, out, err = library(folder, "find", "--prime", "3", *arguments)
        assert (code, out) == (2, "")
        assert said in err
    assert (
        library(folder, "find", "--loss", ".05..", "--limit", "2", "--per", "position", "-o", str(sheet), "--force")[0]
        == 0
    )
    assert len(data_of(sheet.read_text(encoding="utf-8"))["questions"]) == 2


def test_hits_are_asked_as_a_quiz(folder: Path) -> None:
    code, out, _ = library(
        folder, "find", "--loss", ".05..", "--dice", "21", "--per", "position", "--limit", "1", "--quiz", typed="q\n"
    )
    assert code == 0
    assert "1 of 1. " in out
    assert "; play 21" in out
    code, out, err = library(folder, "find", START, "--player", "Dan", "--limit", "1", "--quiz")
    assert (code, out) == (2, "")
    assert "nothing of it can be asked" in err


def test_nothing_found_is_told(folder: Path) -> None:
    assert library(folder, "find", "--prime", "6", "--opponent-prime", "6") == (1, "no position is like that\n", "")
    code, _, err = library(folder, "find", "--loss", "9..")
    assert (code, err) == (1, "1 of 4 matches are analysed; others have no loss and no theme\n")
    assert library(folder, "openings", "--dice", "66")[0] == 1
    assert library(folder, "dice")[:2] == (1, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--prime", "abc"), "is not a range, such as 20..40, 20.. or ..40"),
        (("--point", "25"), "it must be 24 or less"),
        (("--board", "--similar", START), "the same board, or similar ones"),
        (("nonsense",), "'nonsense' is not a position"),
        (("--player", "Zoe"), "no player is named Zoe"),
    ],
)
def test_mistakes_are_told_with_what_would_be_right(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = library(folder, "find", *arguments)
    assert (code, out) == (2, "")
    assert said in " ".join(err.replace("│", "").split())
    assert "Traceback" not in err


def test_ranges_are_read() -> None:
    for text, expected in (
        ("20..40", (20, 40)),
        ("20..", (20, None)),
        ("..40", (None, 40)),
        (" -30..-20 ", (-30, -20)),
        (".05..", (0.05, None)),
        ("5", (5, 5)),
        ("+5..5", (5, 5)),
    ):
        assert range_of(text, "--lead") == expected
    assert range_of("5", "--prime", least=True) == (5, None)
    assert range_of(None, "--prime") is None
    for text in ("", "..", "40..20", "a..b", "5...6", "1e3", "5-6", "٣..٤"):
        with pytest.raises(typer.BadParameter, match="is not a range, such as"):
            range_of(text, "--lead")


def test_scores_rolls_and_names_are_read() -> None:
    for text in ("2-away,4-away", "2a4a", "2-away/4-away", "2 away 4 away"):
        assert away_of(text) == (2, 4)
    assert (away_of("DMP"), away_of("money"), away_of(None)) == ((1, 1), (0, 0), None)
    for text in ("3-2", "0-away,2-away", "2-away", ""):
        with pytest.raises(typer.BadParameter, match="is not a score, such as 2-away,4-away"):
            away_of(text)
    assert [dice_of(text) for text in ("46", "6-4", "6,4", None)] == ["64", "64", "64", ""]
    for text in ("70", "6", "", "666"):
        with pytest.raises(typer.BadParameter, match="is not a roll, such as 64"):
            dice_of(text)
    known = ("back game", "bear-off")
    assert named(["backgame", "Bear Off", "back-game"], known, "--phase") == ("back game", "bear-off", "back game")
    with pytest.raises(typer.BadParameter, match="choose from: back game, bear-off"):
        named(["endgame"], known, "--phase")


def test_openings_are_a_table(folder: Path) -> None:
    code, out, _ = library(folder, "openings")
    assert code == 0
    assert out.splitlines()[0].split()[:5] == ["roll", "play", "name", "times", "share"]
    rows = json.loads(library(folder, "openings", "--format", "json")[1])
    assert len(rows) == len(out.splitlines()) - 2
    replies = json.loads(library(folder, "openings", "--replies", "--format", "json")[1])
    assert {reply["to"] for reply in replies} <= {f"{row['dice']}: {row['played']}" for row in rows}
    assert "others" in library(folder, "openings", "--player", "Bob")[1].splitlines()[0]


def test_dice_are_tested_and_what_could_be_seen_is_told(folder: Path) -> None:
    code, out, _ = library(folder, "dice", "--by", "player", "--least", "1")
    assert code == 0
    players = sum(line.split()[0] in ("Ann", "Bob", "Cara", "Dan") for line in out.splitlines() if line[:1].isalpha())
    assert players >= 3
    assert f"{4 * players} tests on " in out
    assert "found nothing unusual" in out
    rows = json.loads(library(folder, "dice", "--least", "1", "--format", "json")[1])
    assert [row["test"] for row in rows] == ["faces", "pairs", "doubles", "serial"]


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    put(tmp_path / "in", 1, length=1)
    package.Library(tmp_path / "library").add([tmp_path / "in"])
    for table in ("turns", "positions"):
        (path,) = (tmp_path / "library" / table).iterdir()
        path.write_bytes(path.read_bytes()[:-40])
    for arguments in (("find", "--dice", "64"), ("openings",), ("dice", "--least", "1")):
        code, out, err = library(tmp_path, *arguments)
        assert (code, out) == (2, "")
        assert ".parquet" in err
        assert "library check says what can be rebuilt" in err
        assert "Traceback" not in err
