"""``bgtools diff`` and ``bgtools same`` as a user meets them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
import typer

from bgtools.cli.same import same_command
from bgtools.comparison import grouping
from program import SOUND, bgtools

ROOT = Path(__file__).resolve().parents[2]
SAME = json.loads((ROOT / "docs" / "same.schema.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "docs" / "diff.schema.json").read_text(encoding="utf-8"))
SLIP = SOUND.replace("52: 13/8 24/22", "52: 13/8 13/11")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    one, two = tmp_path / "a.mat", tmp_path / "b.mat"
    one.write_text(SOUND)
    two.write_text(SLIP)
    return one, two


def diff(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    return bgtools("diff", *map(str, arguments), stdin=stdin)


def test_the_status_says_whether_they_are_the_same(pair: tuple[Path, Path]) -> None:
    assert diff(pair[0], pair[0]).returncode == 0
    assert diff(*pair).returncode == 1
    assert diff(pair[0], pair[0].with_name("none.mat")).returncode == 2
    assert diff("-", "-").returncode == 2


def test_both_stand_side_by_side(pair: tuple[Path, Path]) -> None:
    done = diff(*pair)
    lines = done.stdout.splitlines()
    assert lines[0] == "game 1, row 1, Bob: play: another play"
    assert "52: 13/8 24/22" in lines[2]
    assert lines[2].endswith("| 52: 13/8 13/11")
    assert "1 difference (1 play)" in done.stderr
    assert "\x1b" not in done.stdout


def test_one_line_each(pair: tuple[Path, Path]) -> None:
    (line,) = diff(*pair, "--format", "concise").stdout.splitlines()
    assert line.startswith(f"{pair[0]}:6:33: {pair[1]}:6:33: play: another play: a: 52: 13/8 24/22; b: 52: 13/8 13/11")


def test_json_follows_its_schema(pair: tuple[Path, Path]) -> None:
    found = json.loads(diff(*pair, "--format", "json").stdout)
    jsonschema.validate(found, SCHEMA)
    assert [(each["kind"], each["player"], each["a"]["line"], each["b"]["turn"]) for each in found] == [
        ("play", "Bob", 6, 2)
    ]
    assert found[0]["board"].startswith("XGID=")
    assert json.loads(diff(pair[0], pair[0], "--format", "json").stdout) == []


def test_a_page_has_boards(pair: tuple[Path, Path]) -> None:
    page = diff(*pair, "--format", "html").stdout
    assert page.startswith("<!doctype html>")
    assert page.index("Content-Security-Policy\" content=\"default-src 'none'; style-src") < page.index("<title>")
    assert page.count("<svg") == 1
    assert 'name="viewport"' in page
    assert page.count("the rules and the rest of the record support this") == page.count('class="good"')


def test_the_board_names_who_is_on_roll_also_where_he_waits_for_an_answer(tmp_path: Path) -> None:
    head = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
    rows = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 53: 8/3 6/3                 61: 13/7 8/7\n"
    paths = tmp_path / "take.mat", tmp_path / "drop.mat"
    for path, answer in zip(paths, ("Takes", "Drops\n      Wins 1 point"), strict=True):
        path.write_text(f"{head}{rows}  3)  Doubles => 2               {answer}\n")
    board = diff(*paths, "--boards").stdout
    assert "X  Ann" in board
    assert "O  Bob" in board
    assert "has doubled" in board


def test_stat_counts(pair: tuple[Path, Path]) -> None:
    assert diff(*pair, "--stat").stdout == "1 difference (1 play); 3 of 4 entries agree\n"


def test_standard_input_is_a_record(pair: tuple[Path, Path]) -> None:
    assert diff("-", pair[0], stdin=SOUND.encode()).returncode == 0


def test_same_groups_files(pair: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("seven-point.mat", "money.mat"):
        (tmp_path / name).write_bytes((ROOT / "samples" / name).read_bytes())
    (tmp_path / "twin.txt").write_bytes((ROOT / "samples" / "money.mat").read_bytes())
    done = bgtools("same", str(tmp_path), "--format", "json")
    jsonschema.validate(json.loads(done.stdout), SAME)
    groups = json.loads(done.stdout)
    assert [[Path(each["file"]).name for each in records] for records in groups] == [["money.mat", "twin.txt"]]
    assert bgtools("same", str(tmp_path / "none.mat")).returncode == 2


def test_ctrl_c_while_records_are_grouped_ends_with_a_sentence(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(records: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(grouping, "group", interrupted)
    with pytest.raises(typer.Exit) as ended:
        same_command([*map(str, pair)])
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "bgtools: interrupted; nothing was grouped\n"
