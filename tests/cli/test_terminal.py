"""One door leads to the terminal: whatever any string of a record or of an engine holds, nothing of it acts there."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.board.play import HopText
from bgtools.cli import _terminal
from bgtools.formats.content import FormatError
from bgtools.formats.registry import our_formats
from bgtools.record.record import Comment, Tag
from fuzz.targets import analysed
from program import SOUND, bgtools, on_terminal

if TYPE_CHECKING:
    from bgtools.record.record import Match

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file names are others there")

ESCAPES = "a\x1b[31m\x1b[58;5;123m\x1b]0;pwned\x07\x9b2J\x84\x08\x7f\u202eb\u2066c\u200f\u2028d"
"""Colours, a title of the window, a cleared screen, backspaces, text turned round, and the end of a line."""
PROGRAM = Path(__file__).parents[1] / "engines" / "ubgi_program.py"
WRITTEN = [each.name for each in our_formats() if each.writer and each.reader and each.holds_matches]


def hostile(value: Any) -> Any:
    """A part of a match in which every text is `ESCAPES`, plays and kinds aside."""
    if isinstance(value, tuple) and value:
        return tuple(hostile(each) for each in value) if not hasattr(value, "_fields") else value
    if not is_dataclass(value) or isinstance(value, type | HopText):
        return value
    kept = ("text", "kind", "dump", "unit", "variant", "convention")
    changed = {
        each.name: ESCAPES if isinstance(old, str) else hostile(old)
        for each in fields(value)
        if each.name not in kept or type(value).__name__ in ("Comment", "Tag")
        if isinstance(old := getattr(value, each.name), str | tuple) or is_dataclass(old)
    }
    return replace(value, **changed)


def records() -> list[Match]:
    found = []
    for match in analysed():
        tags = (*match.tags, Tag(key="Event", value=ESCAPES), Tag(key=ESCAPES, value=ESCAPES))
        game = replace(match.games[0], comments=(Comment(text=ESCAPES, at=1),))
        game = replace(game, entries=tuple(map(_annotated, game.entries)))
        remark = Comment(text=ESCAPES, at=0)
        players = (ESCAPES, f"{ESCAPES}2")
        found.append(replace(match, players=players, tags=tags, games=(game, *match.games[1:]), comments=(remark,)))
    return found


def _annotated(entry: Any) -> Any:
    return entry if entry.annotation is None else replace(entry, annotation=hostile(entry.annotation))


def is_plain(text: str) -> bool:
    return all(char.isprintable() or char in "\n\t" for char in text)


@pytest.mark.quick(one_in=11)
@pytest.mark.parametrize("name", WRITTEN)
def test_no_command_prints_anything_raw_of_a_record_in_any_format(name: str, tmp_path: Path) -> None:
    chosen = next(each for each in our_formats() if each.name == name)
    written = 0
    for number, match in enumerate(records()):
        file = tmp_path / f"{number}{ESCAPES.replace('/', '')}{chosen.extensions[0]}"
        try:
            file.write_bytes(chosen.write((match,)))
        except FormatError:
            continue  # it cannot hold such texts
        written += 1
        out = str(tmp_path / "out\x1b[31m")
        for arguments in (
            ("check", str(file), "--show-rules"),
            ("check", str(file), "--format", "github"),
            ("check", str(file), "--format", "sarif"),
            ("show", str(file), "--row", "1"),
            ("show", str(file), "--entry", "5", "--format", "json"),
            ("report", str(file), "--engine", "file", "--details", "-o", out, "--force"),
            ("convert", str(file), "-", "--to", "mat", "--strict"),
            ("convert", str(file), str(tmp_path / "\x1b[31m.gam"), "--force"),
        ):
            done = bgtools(*arguments)
            assert "-" in arguments or is_plain(done.stdout), (arguments[0], ascii(done.stdout))
            assert is_plain(done.stderr), (arguments[0], ascii(done.stderr))
            assert "Traceback" not in done.stderr
            if arguments[-1] in ("json", "sarif"):
                json.loads(done.stdout or "{}")
        if name not in ("json", "sgf", "xg"):
            break
    assert written or name not in ("json", "mat", "sgf", "xg")


def test_what_an_engine_calls_itself_is_printed_plain(tmp_path: Path) -> None:
    (tmp_path / "m.mat").write_text(SOUND)
    engine = f"ubgi:{sys.executable} {PROGRAM} escapes"
    for arguments in (
        ("report", str(tmp_path / "m.mat"), "--engine", engine, "-o", str(tmp_path / "out"), "--no-cache"),
        ("report", str(tmp_path / "m.mat"), "--engine", f"{engine},file", "-o", str(tmp_path / "out"), "--no-cache"),
        ("show", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "--engine", engine),
    ):
        done = bgtools(*arguments)
        assert "pwned" in done.stdout + done.stderr
        assert is_plain(done.stdout + done.stderr), ascii(done.stdout + done.stderr)


@pytest.mark.thorough
def test_on_a_terminal_only_our_own_colours_pass(tmp_path: Path) -> None:
    match = records()[0]
    (tmp_path / "m.json").write_bytes(next(each for each in our_formats() if each.name == "json").write((match,)))
    for arguments in (
        ("check", "m.json"),
        ("show", "m.json", "--row", "1"),
        ("report", "m.json", "--engine", "file", "-o", "out"),
        ("convert", "m.json", "-", "--to", "json"),
        ("table", "turns", "m.json"),
        ("check", f"{ESCAPES}.mat"),
        ("show", "m.json", ESCAPES),
    ):
        shown = on_terminal(arguments, tmp_path)
        # What draws progress moves the cursor.
        rest = re.sub(r"\x1b\[(?:2K|\?25[lh])", "", _terminal._STYLE.sub("", shown))
        assert all(char.isprintable() or char in "\r\n\t" for char in rest), (arguments[0], ascii(rest))
        assert "pwned" in rest or arguments == ("check", "m.json")
        assert "\x1b[31ma" not in shown
        if arguments[0] in ("convert", "table"):
            assert "\x1b" not in rest + shown


def test_data_stays_as_it_is_in_a_pipe(tmp_path: Path) -> None:
    match = records()[0]
    (tmp_path / "m.json").write_bytes(next(each for each in our_formats() if each.name == "json").write((match,)))
    done = bgtools("convert", str(tmp_path / "m.json"), "-", "--to", "json")
    assert json.loads(done.stdout)["matches"][0]["players"][0] == ESCAPES
    line = bgtools("table", "turns", str(tmp_path / "m.json"), "--format", "jsonl").stdout.split("\n")[0]
    assert ESCAPES in json.loads(line)["name"]


@pytest.mark.parametrize("colour", [False, True])
def test_colours_pass_where_they_are_wanted_and_nothing_else_does(*, colour: bool) -> None:
    text = "\x1b[1;31mred\x1b[0m \x1b[8mhidden\x1b[30;40mblack \x1b[2J\x1b[31"
    wanted = "\x1b[1;31mred\x1b[0m" if colour else "red"
    shown = _terminal.cleaned(text, colour=colour)
    assert shown == f"{wanted} \ufffd[8mhidden\ufffd[30;40mblack \ufffd[2J\ufffd[31"
    assert _terminal.cleaned("one\ttwo\nthree") == "one\ttwo\nthree"


def test_json_holds_what_it_is_given_and_nothing_raw() -> None:
    text = _terminal.as_json({"a": [ESCAPES, "é", "\U000e0041"]})
    assert json.loads(text) == {"a": [ESCAPES, "é", "\U000e0041"]}
    assert is_plain(text)
    assert "é" in text


@pytest.mark.parametrize("path", sorted(Path(_terminal.__file__).parent.glob("*.py")), ids=lambda path: path.name)
def test_nothing_in_the_command_line_goes_round_the_door(path: Path) -> None:
    if path.name == "_terminal.py":
        return
    text = path.read_text(encoding="utf-8")
    for way in ("typer.echo", "click.echo", "print(", "stdout.buffer", "Console(", "sys.__std"):
        assert way not in text.replace("_print(", "").replace(".print(", ""), way
