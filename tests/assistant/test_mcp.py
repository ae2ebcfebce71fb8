"""`bgtools mcp`: tools answer a client of the SDK, in memory and over pipes, and touch nothing but their folders."""

from __future__ import annotations

import asyncio
import base64
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bgtools
from bgtools.assistant.folders import Folders, NotAllowed
from program import bgtools as command

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
ENGINE = importlib.util.find_spec("bgsage") is not None

needs_sdk = pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="mcp is not installed")
needs_engine = pytest.mark.skipif(not ENGINE, reason="bgsage is not installed")


def asked(folders: Folders, *calls: tuple[str, dict[str, Any]], library: str | None = None) -> list[Any]:
    """What a server in this process answers."""
    from mcp import Client

    from bgtools.assistant.serving import server
    from bgtools.assistant.working import ToolProcess

    worker = ToolProcess(folders, library)

    async def run() -> list[Any]:
        async with Client(server(worker)) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    try:
        return asyncio.run(run())
    finally:
        worker.end()


def values(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    found: dict[str, Any] = result.structured_content
    return found


def refused(result: Any) -> str:
    assert result.is_error
    said: str = result.content[0].text
    assert "Traceback" not in said
    return said


@needs_sdk
def test_about_ten_tools_say_what_they_answer_and_that_they_only_read() -> None:
    from mcp import Client

    from bgtools.assistant.serving import server
    from bgtools.assistant.working import ToolProcess

    async def listed(folders: Folders) -> list[Any]:
        async with Client(server(ToolProcess(folders))) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(listed(Folders([SAMPLES])))
    assert 8 <= len(tools) <= 12
    for tool in tools:
        assert "?" in tool.description.partition("\n")[0], tool.name
        assert tool.annotations.read_only_hint
        assert not tool.annotations.destructive_hint
    writing = asyncio.run(listed(Folders([SAMPLES], write=True)))
    assert [each.name for each in writing if not each.annotations.read_only_hint] == ["repair", "convert"]


@needs_sdk
def test_it_finds_what_check_finds_and_explains_it() -> None:
    sound, wrong, page = asked(
        Folders([SAMPLES]),
        ("is_it_sound", {"path": "seven-point.mat"}),
        ("is_it_sound", {"path": "five-slips.mat"}),
        ("what_does_it_mean", {"code": "bar-first"}),
    )
    assert values(sound)["sound"]
    findings = values(wrong)["findings"]["items"]
    assert [each["code"] for each in findings] == [each.code.id for each in bgtools.check(SAMPLES / "five-slips.mat")]
    assert values(page)["code"] == "BG204"


@needs_sdk
def test_a_cell_of_a_row_is_the_one_that_show_draws() -> None:
    from mcp.server.mcpserver.exceptions import ToolError

    from bgtools.assistant.tools import Tools

    record, show_turn = SAMPLES / "five-slips.mat", Tools(Folders([SAMPLES])).show_turn
    for row, column in ((1, None), (1, 2), (3, None), (3, 2)):
        cell = f"{row}:{column}" if column else str(row)
        done = command("show", str(record), "--game", "2", "--row", cell, "--format", "json")
        assert values(show_turn(record.name, 2, row, column))["position"] == json.loads(done.stdout)["xgid"]
    with pytest.raises(ToolError, match="row 1 of game 2 has nothing in column 1"):
        show_turn(record.name, 2, 1, 1)
    with pytest.raises(ToolError, match="game 2 has no row 99"):
        show_turn(record.name, 2, 99)


@pytest.mark.thorough
@needs_sdk
def test_lists_end_after_twenty_and_say_so(tmp_path: Path) -> None:
    text = (SAMPLES / "one-point.mat").read_bytes()
    for number in range(23):
        (tmp_path / f"{number:02}.mat").write_bytes(text)
    many, plays = asked(
        Folders([tmp_path]),
        ("which_records", {}),
        ("which_plays_are_legal", {"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:11:0:0:0:7:10"}),
    )
    records = values(many)["records"]
    assert (len(records["items"]), records["count"], records["is_cut"]) == (20, 23, True)
    assert "20 of 23" in records["note"]
    listed = values(plays)["plays"]
    legal = bgtools.Position.from_id(OPENING).legal_plays("11")
    assert listed["count"] == len(legal) > 20
    assert len(listed["items"]) == 20


@needs_sdk
def test_nothing_beside_the_folders_is_read(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for each in (inside, outside, tmp_path / "inside-too"):
        each.mkdir()
        (each / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    paths = ["../outside/a.mat", str(outside / "a.mat"), "../inside-too/a.mat", "/etc/passwd", "", "-", "a\0.mat", "~"]
    if hasattr(os, "symlink"):
        (inside / "link.mat").symlink_to(outside / "a.mat")
        (inside / "links").symlink_to(outside)
        paths += ["link.mat", "links/a.mat", "links/../outside/a.mat"]
    results = asked(Folders([inside]), *(("is_it_sound", {"path": each}) for each in paths))
    assert all(refused(each) for each in results)
    (listed,) = asked(Folders([inside]), ("which_records", {}))
    assert [each["path"] for each in values(listed)["records"]["items"]] == ["a.mat"]


@pytest.mark.thorough
@needs_sdk
def test_only_with_write_and_only_new_files(tmp_path: Path) -> None:
    record = tmp_path / "a.mat"
    record.write_bytes((SAMPLES / "five-slips.mat").read_bytes())
    calls = [
        ("repair", {"path": "a.mat", "save_as": "b.mat"}),
        ("convert", {"path": "a.mat", "to": "sgf", "save_as": "b.sgf"}),
    ]
    for result in asked(Folders([tmp_path]), *calls):
        assert "--write" in refused(result)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.mat"]
    repaired, converted, over, itself, out = asked(
        Folders([tmp_path], write=True),
        *calls,
        calls[0],
        ("repair", {"path": "a.mat", "save_as": "a.mat"}),
        ("repair", {"path": "a.mat", "save_as": "../b.mat"}),
    )
    assert values(repaired)["written"] == "b.mat"
    assert values(converted)["written"] == "b.sgf"
    assert "exists" in refused(over)
    assert "exists" in refused(itself)
    assert "not below" in refused(out)
    assert record.read_bytes() == (SAMPLES / "five-slips.mat").read_bytes()
    assert bgtools.check(tmp_path / "b.mat") == ()


@pytest.mark.thorough
@needs_sdk
def test_what_cannot_be_answered_is_said_in_a_sentence(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "bad"):
        folder.mkdir(exist_ok=True)
        (folder / "bad.mat").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "good.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("is_it_sound", {"path": "no.mat"}, "No such file"),
        ("is_it_sound", {"path": "bad.mat"}, "format"),
        ("what_does_it_mean", {"code": "BG9999"}, "no code"),
        ("what_is_best", {"position": "nonsense"}, ""),
        ("which_plays_are_legal", {"position": OPENING, "dice": "79"}, ""),
        ("what_is_best", {"position": OPENING, "engine": "ubgi:rm"}, "engine"),
        ("what_did_i_do_wrong", {"path": ".", "player": "Nobody"}, "Nobody"),
        ("what_did_i_do_wrong", {"path": "bad"}, "bad/bad.mat: this is a binary file"),
        ("ask_library", {"sql": "select 1"}, "--library"),
        ("convert", {"path": "bad.mat", "to": "klingon"}, ""),
    ]
    results = asked(Folders([tmp_path]), *((name, arguments) for name, arguments, _ in wrong))
    for result, (_, _, part) in zip(results, wrong, strict=True):
        assert part in refused(result)


@pytest.mark.thorough
@needs_sdk
@needs_engine
def test_values_are_those_of_the_library_and_boards_are_pictures() -> None:
    best, wrong, luck = asked(
        Folders([SAMPLES]),
        ("what_is_best", {"position": OPENING, "level": "quick"}),
        ("what_did_i_do_wrong", {"path": "one-point.mat", "player": "sam okoro"}),
        ("how_lucky", {"path": "one-point.mat"}),
    )
    found = bgtools.evaluate(OPENING, level="quick")
    assert values(best)["best_action"] == found.best_action == "8/5 6/5"
    decisions = values(wrong)["decisions"]["items"]
    blunders = bgtools.blunders(SAMPLES / "one-point.mat", player="Sam Okoro", level="quick", top=10)
    assert [each["loss"] for each in decisions] == [round(each.loss, 4) for each in blunders]
    assert decisions
    pictures = [each for result in (best, wrong) for each in result.content if each.type == "image"]
    assert len(pictures) >= 2
    assert all(base64.b64decode(each.data).startswith(b"\x89PNG") for each in pictures)
    assert len(values(luck)["players"]) == 2


@pytest.mark.thorough
@needs_sdk
def test_two_records_are_compared(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_bytes((SAMPLES / "five-slips.mat").read_bytes())
    (tmp_path / "b.mat").write_bytes(bgtools.fix(SAMPLES / "five-slips.mat").after)
    (result,) = asked(Folders([tmp_path]), ("compare", {"a": "a.mat", "b": "b.mat"}))
    differences = values(result)["differences"]["items"]
    assert len(differences) == 5
    assert {each["supported"] for each in differences} == {"b"}


@pytest.mark.thorough
@needs_sdk
@pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")
def test_the_library_can_only_be_read(tmp_path: Path) -> None:
    library = str(tmp_path / "library")
    bgtools.Library(library).add([SAMPLES / "seven-point.mat"])
    count, rows, drop, files = asked(
        Folders([SAMPLES]),
        ("ask_library", {"sql": "SELECT count(*) AS n FROM matches"}),
        ("ask_library", {"sql": "SELECT * FROM turns"}),
        ("ask_library", {"sql": "CREATE TABLE t (a INT)"}),
        ("ask_library", {"sql": "SELECT * FROM read_text('/etc/passwd')"}),
        library=library,
    )
    assert values(count)["rows"]["items"] == [{"n": 1}]
    assert values(rows)["rows"]["is_cut"]
    assert len(values(rows)["rows"]["items"]) == 20
    assert refused(drop)
    assert refused(files)


def test_without_the_sdk_a_sentence_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['mcp'] = None; sys.argv = ['bgtools', 'mcp']; from bgtools.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "bgtools-backgammon[mcp]" in done.stderr or "mcp" in done.stderr
    assert done.stderr.endswith("installs it\n")
    assert len(done.stderr.splitlines()) == 1


def test_folders_are_judged_by_where_paths_lead(tmp_path: Path) -> None:
    folders = Folders([tmp_path])
    (tmp_path / "a").mkdir()
    (tmp_path / "b.mat").write_bytes(b"b")
    assert folders.read("a/../b.mat") == folders.read(str(tmp_path / "b.mat")) == b"b"
    for each in ("..", "../b.mat", f"../{tmp_path.name}/b.mat"):
        with pytest.raises(NotAllowed):
            folders.read(each)
    with pytest.raises(NotAllowed):
        folders.new("c.mat", b"", "mat")


@pytest.mark.parametrize(
    ("prefix", "begins"),
    [
        ("/home/a/.local/share/pipx/venvs/bgtools-backgammon", "pipx inject bgtools-backgammon "),
        ("/home/a/.local/share/uv/tools/bgtools-backgammon", "uv pip install --python "),
        ("/usr", "python -m pip install 'bgtools-backgammon[mcp]'"),
    ],
)
def test_an_extra_is_had_as_bgtools_was_installed(prefix: str, begins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools import _extras

    known = ["lark>=1.2", 'mcp>=2; extra == "mcp"', 'bgtools-backgammon[mcp]; extra == "all"']
    requires: Callable[[str], list[str]] = lambda _: known  # noqa: E731
    monkeypatch.setattr("importlib.metadata.requires", requires)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert _extras.install_hint("mcp").startswith(begins)
    assert "mcp" in _extras.install_hint("all") or prefix == "/usr"
