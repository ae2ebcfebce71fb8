"""The language server, asked by an editor over pipes."""

from __future__ import annotations

import asyncio
import importlib.util
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bgtools.editor.document import Document
from bgtools.formats.reading import read_source
from editor_client import WAIT, Editor, edited

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pygls") is None, reason="pygls is not installed")

SEVEN = (Path(__file__).parents[2] / "samples" / "seven-point.mat").read_text(encoding="utf-8")
SLIP = SEVEN.replace("63: 24/18 24/21", "63: 24/18 24/20", 1)
LINES = SEVEN.splitlines()
FIRST = next(number for number, line in enumerate(LINES) if line.startswith("  1)"))
"""The number of the first row, from 0."""


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    editor = Editor({"dialect": "galaxy"})
    yield editor
    assert editor.close() == 0


@pytest.fixture
def uri(editor: Editor, tmp_path: Path) -> str:
    """A sound record that is shown."""
    name = editor.open(tmp_path / "typed.mat", SEVEN)
    assert editor.findings() == []
    return name


def only(editor: Editor, uri: str, text: str) -> dict[str, Any]:
    """The one finding of a text."""
    (found,) = editor.findings(editor.change(uri, text))
    return found


def test_a_slip_is_told_and_told_to_be_gone(editor: Editor, uri: str) -> None:
    found = only(editor, uri, SLIP)
    assert (found["code"], found["source"], found["severity"]) == ("BG205", "bgtools", 1)
    start, end = found["range"]["start"], found["range"]["end"]
    assert SLIP.splitlines()[start["line"]][start["character"] : end["character"]] == "24/20"
    assert editor.findings(editor.change(uri, SEVEN)) == []


def test_of_what_is_typed_fast_the_last_is_what_is_told(editor: Editor, uri: str) -> None:
    editor.judged.clear()
    typed = [editor.change(uri, SLIP.replace("24/20", "24/20"[:length])) for length in range(1, 6)]
    assert len(editor.findings()) == 1
    # How many of the others were judged on the way depends on how busy the machine is.
    assert editor.judged[-1] == typed[-1]
    assert editor.judged == [version for version in typed if version in editor.judged]


def test_columns_count_pairs_of_bytes_where_names_are_in_another_script(editor: Editor, uri: str) -> None:
    name = "\N{CJK UNIFIED IDEOGRAPH-56F2}\N{GRINNING FACE}\N{GRINNING FACE}"
    row = "  1)                             63: 24/18 24/21"
    text = SEVEN.replace("Nora Lindholm", name).replace(row, f"  1)   {name} 63: 24/18 24/20", 1)
    codes = {each["code"]: each["range"]["start"]["character"] for each in editor.findings(editor.change(uri, text))}
    assert codes["BG102"] == len("  1)   ")
    assert codes["BG205"] == len(f"  1)   {name} 63: 24/18 ") + 2


def test_the_board_is_shown_under_the_pointer(editor: Editor, uri: str) -> None:
    column = LINES[FIRST].index("63:")
    shown = editor.at(uri, "hover", FIRST, column + 2)
    assert shown["contents"]["value"].startswith("```text\nPeter Marsh: 63: 24/18 24/21 (game 1, row 1)\n")
    assert "X  Peter Marsh, 167 pips" in shown["contents"]["value"]
    assert shown["range"]["start"] == {"line": FIRST, "character": column}
    assert editor.at(uri, "hover", FIRST, 8) is None


def test_the_games_are_an_outline_and_fold(editor: Editor, uri: str) -> None:
    document = {"textDocument": {"uri": uri}}
    games = editor.ask("textDocument/documentSymbol", document)
    assert [game["name"] for game in games][:2] == ["Game 1 at 0-0", "Game 2 at 0-2"]
    assert len(games) == 8
    folds = [each for each in editor.ask("textDocument/foldingRange", document) if each["kind"] == "region"]
    assert [fold["startLine"] for fold in folds] == [game["range"]["start"]["line"] for game in games]


def test_an_answer_leads_to_its_double(editor: Editor, uri: str) -> None:
    line = next(number for number, text in enumerate(LINES) if "Takes" in text)
    (double,) = editor.at(uri, "definition", line, LINES[line].index("Takes") + 1)
    start, end = double["range"]["start"], double["range"]["end"]
    assert LINES[start["line"]][start["character"] : end["character"]] == "Doubles => 2"


def test_legal_plays_complete_a_roll(editor: Editor, uri: str) -> None:
    text = SEVEN.replace("63: 24/18 24/21", "63: 24/1", 1)
    editor.findings(editor.change(uri, text))
    column = text.splitlines()[FIRST].index("63: 24/1") + len("63: 24/1")
    items = editor.at(uri, "completion", FIRST, column)["items"]
    assert "24/18 24/21" in [item["label"] for item in items]
    item = next(item for item in items if item["label"] == "24/18 24/21")
    assert edited(text, [item["textEdit"]]) == SEVEN


def test_fixes_are_offered_safe_and_unsafe_apart(editor: Editor, uri: str) -> None:
    assert only(editor, uri, SLIP)["code"] == "BG205"
    (safe,) = editor.actions(uri, FIRST, FIRST + 1, ["quickfix"])
    assert (safe["kind"], safe["isPreferred"]) == ("quickfix", True)
    assert edited(SLIP, safe["edit"]["changes"][uri]) == SEVEN
    (everything,) = editor.actions(uri, 0, 0, ["source.fixAll"])
    assert everything["kind"] == "source.fixAll.bgtools"
    assert edited(SLIP, everything["edit"]["changes"][uri]) == SEVEN
    # With the last roll nothing follows that would prove one play.
    text = SEVEN.replace("52: 5/0 2/0  ", "52: 5/3 2/0  ")
    editor.findings(editor.change(uri, text))
    line = next(number for number, row in enumerate(text.splitlines()) if "52: 5/3 2/0" in row)
    unsafe = editor.actions(uri, line, line + 1)
    assert unsafe
    assert {(each["kind"], each.get("isPreferred")) for each in unsafe} == {("quickfix.unsafe", None)}
    assert editor.actions(uri, 0, len(LINES), ["source.fixAll.bgtools"]) == []


def test_a_record_is_laid_out_in_the_dialect_that_is_set(editor: Editor, uri: str) -> None:
    question = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    after = edited(SEVEN, editor.ask("textDocument/formatting", question))
    assert "*" in SEVEN
    assert "*" not in after  # Backgammon Galaxy writes no stars
    assert read_source(after.encode(), "a.mat")[0].games[3].results[0].points is not None
    editor.findings(editor.change(uri, SEVEN.replace(" Game 2", "clock 12:31\n Game 2")))
    assert editor.ask("textDocument/formatting", question) is None
    assert "something would be lost" in editor.messages.pop()


def test_a_record_is_rewritten_in_another_dialect_on_request(editor: Editor, uri: str) -> None:
    offered = editor.actions(uri, 0, 0, ["refactor"])
    chosen = next(each["command"] for each in offered if each["title"] == "rewrite in the dialect xg-text")
    editor.ask("workspace/executeCommand", {"command": chosen["command"], "arguments": chosen["arguments"]})
    after = edited(SEVEN, editor.edits.get(timeout=WAIT)["changes"][uri])
    assert "Bar/" in after
    assert read_source(after.encode(), "a.mat")[0].players == ("Nora Lindholm", "Peter Marsh")


def test_what_is_no_record_is_said_to_be_none_where_its_name_is_a_record_s(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "m.mat", "")
    assert editor.findings() == []
    assert "this is not match text" in only(editor, uri, "Dear diary")["message"]
    assert editor.hide(uri) == []
    for name in ("untitled:Untitled-1", (tmp_path / "notes.txt").as_uri()):
        editor.open(name, "Dear diary")
        assert editor.findings() == []


def test_a_fault_of_ours_is_told_to_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools.editor.server import make_server

    told: list[Any] = []
    server = make_server()
    monkeypatch.setattr(Document, "judged_in_full", lambda *_: 1 / 0)
    monkeypatch.setattr(server, "window_show_message", told.append)
    server.documents["u"] = Document("m.mat", SEVEN, is_file=False)
    asyncio.run(server._judge("u", 0))
    server.end()
    assert [each.message for each in told] == [
        "m.mat: not checked, by a fault of bgtools; please report it: ZeroDivisionError: division by zero"
    ]


def test_without_pygls_a_sentence_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['bgtools', 'lsp']; from bgtools.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "bgtools: this needs pygls; python -m pip install 'bgtools-backgammon[lsp]' installs it\n"


def test_an_editor_that_goes_without_a_word_leaves_no_process() -> None:
    editor = Editor()
    assert editor.process.stdin is not None
    editor.process.stdin.close()
    assert editor.process.wait(WAIT) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["shutdown", "goes away", "SIGTERM", "SIGINT"])
def test_a_server_with_work_pending_ends_all_the_same(how: str) -> None:
    sample = (Path(__file__).parents[2] / "samples" / "five-slips.mat").read_text()
    game = sample[sample.index(" Game 1") + 7 : sample.index(" Game 2")]
    large = " 99 point match\n\n" + "".join(f" Game {number}{game}" for number in range(1, 80))
    editor = Editor()
    uri = editor.open("file:///large.mat", large)
    for number in range(5):
        editor.change(uri, f"{large}\n; {number}")
    if how == "shutdown":
        editor.ask("shutdown", None)
        editor.tell("exit", None)
    elif how == "goes away":
        assert editor.process.stdin is not None
        editor.process.stdin.close()
    else:
        editor.process.send_signal(getattr(signal, how))
    status = editor.process.wait(WAIT)
    assert status == 0 if how == "shutdown" else status != 0
