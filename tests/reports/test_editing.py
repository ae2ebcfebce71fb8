"""A position that is set up by hand: on the page of a report, and on a page by itself."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.positions.position import Position
from bgtools.reports.page.writing import editor_page, page_of
from bgtools.rules.cube import Cube, MatchState
from browsers import in_a_browser, quiet_page
from marionette import FIREFOX, Firefox
from program import bgtools
from support import walk
from varied_engine import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page by itself, with the position that a game begins with."""
    file = tmp_path / "edit.html"
    file.write_bytes(editor_page(Position()))
    with quiet_page(browser, file.as_uri(), 1280) as shown:
        yield shown


def xgid(shown: Any) -> str:
    found: str = shown.locator("#edit input[readonly]").input_value()
    return found


def put_up(shown: Any, text: str) -> None:
    shown.get_by_label("ID or picture").fill(text)
    shown.keyboard.press("Enter")


def told(shown: Any) -> str:
    text: str = shown.locator("#edit [role=status]").inner_text()
    return text


def drag(shown: Any, start: object, end: object) -> None:
    shown.drag_and_drop(f'#edit [data-point="{start}"]', f'#edit [data-point="{end}"]')


@in_a_browser
def test_checkers_are_dragged_put_and_taken_away(opened: Any) -> None:
    assert xgid(opened) == START
    drag(opened, 6, 5)
    drag(opened, 8, 5)
    board = Position.from_id(xgid(opened)).board
    assert (board.mine[5], board.mine[6], board.mine[8]) == (2, 4, 2)
    drag(opened, 5, "off")
    board = Position.from_id(xgid(opened)).board
    assert (board.mine[5], board.mine[0]) == (1, 1)
    opened.get_by_role("button", name="The other player", exact=True).click()
    opened.locator('#edit [data-point="5"]').click()
    assert told(opened) == "The other player has 16 checkers, 1 too many."
    assert xgid(opened) == ""
    opened.get_by_role("button", name="take away").click()
    opened.locator('#edit [data-point="5"]').click()
    assert told(opened) == ""
    assert Position.from_id(xgid(opened)).board.mine[0] == 2
    opened.get_by_role("button", name="As it was").click()
    assert xgid(opened) == START


@in_a_browser
def test_a_board_is_set_up_by_keys_alone(opened: Any) -> None:
    opened.get_by_role("button", name="Clear").click()
    assert "has no checker left" in told(opened)
    opened.locator(".editor-board").focus()
    # The cursor begins on the 6-point.
    for key in ("+", "+", "ArrowRight", "+", "-", "ArrowLeft", "ArrowLeft", "+"):
        opened.keyboard.press(key)
    opened.get_by_role("button", name="The other player", exact=True).focus()
    opened.keyboard.press("Enter")
    opened.locator(".editor-board").focus()
    for _ in range(20):
        opened.keyboard.press("ArrowRight")
    opened.keyboard.press("+")
    assert "bar: 0 of Who is on roll, 1 of The other player." in opened.locator("#live").inner_text()
    board = Position.from_id(xgid(opened)).board
    assert (board.mine[5], board.mine[6], board.mine[7], board.theirs[25]) == (1, 2, 0, 1)


@in_a_browser
def test_what_cannot_be_is_told_as_it_arises(opened: Any) -> None:
    for label, text, words in (
        ("Roll", "37", "two digits from 1 to 6"), ("Roll", "3", "two digits"), ("Roll", "31", ""),
        ("Match to", "7", ""), ("Who is on roll", "7", "a match to 7 is over"), ("Who is on roll", "6", ""),
    ):  # fmt: skip
        opened.get_by_label(label, exact=True).fill(text)
        assert words in told(opened), (label, text)
        assert bool(xgid(opened)) == (not words)
    opened.get_by_label("Crawford").check()
    assert told(opened) == ""
    assert Position.from_id(xgid(opened)).state.crawford
    opened.get_by_label("Cube").select_option("2")
    assert "In the Crawford game the cube is at 1" in told(opened)
    opened.get_by_label("Crawford").uncheck()
    assert "it belongs to one of the players" in told(opened)
    opened.locator("#edit select").nth(1).select_option("-1")
    assert told(opened) == ""
    position = Position.from_id(xgid(opened))
    assert position.state == MatchState(7, (6, 0), Cube(2, "theirs"))
    assert position.dice == (3, 1)
    put_up(opened, "nonsense")
    assert "This is no XGID" in told(opened)


@in_a_browser
def test_ids_are_read_and_written_as_by_the_package(opened: Any) -> None:
    rng = Random(76)
    boards = [board for _ in range(4) for board in walk(rng)]
    compared = 0
    for board in rng.sample(boards, 25):
        if board.is_over:
            continue
        length = rng.choice((0, 5, 7))
        cube = rng.choice((Cube(), Cube(2, "mine"), Cube(2, "theirs"), Cube(4, "mine"), Cube(4, "theirs")))
        score = (rng.randint(0, length - 2), rng.randint(0, length - 2)) if length else (0, 0)
        position = Position(board, MatchState(length, score, cube), dice=rng.choice((None, (6, 2), (3, 3))))
        for text in (position.xgid, position.gnubg_id):
            put_up(opened, text)
            found = Position.from_id(xgid(opened))
            assert (found.board, found.dice, found.state.score) == (board, position.dice, score), text
            assert (found.state.length, found.state.cube) == (length, cube), text
            compared += 1
    assert compared > 30


@in_a_browser
def test_a_position_of_a_report_is_edited_and_left_again(browser: Any, tmp_path: Path) -> None:
    match = read(ROOT / "samples" / "one-point.mat")
    file = tmp_path / "report.html"
    file.write_bytes(page_of(analyse(match, Varied(0.1, 0.2)), match))
    with quiet_page(browser, file.as_uri(), 1280) as shown:
        before = shown.locator("main").get_attribute("data-xgid")
        shown.get_by_role("button", name="Edit this position").click()
        assert xgid(shown) == before
        assert shown.url.endswith(f"#edit={quote(before, safe='')}")
        assert not shown.locator("#board").is_visible()
        drag(shown, 8, 7)
        assert xgid(shown) != before
        shown.keyboard.press("n")
        assert shown.locator("#edit").is_visible()
        shown.get_by_role("button", name="Back", exact=True).click()
        shown.locator("#board").wait_for()
        assert shown.locator("main").get_attribute("data-xgid") == before
        shown.go_back()
        shown.locator("#edit").wait_for()
        assert xgid(shown) == before
        # A link leads back as well.
        address = shown.url
        shown.goto("about:blank")
        shown.goto(address)
        assert xgid(shown) == before
        shown.get_by_role("button", name="Back", exact=True).click()
        assert shown.locator("#board").is_visible()


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_too_wide(opened: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.emulate_media(color_scheme=scheme)
    opened.get_by_role("button", name="The other player", exact=True).click()
    opened.locator('#edit [data-point="5"]').click()
    for width in (1440, 1024, 390, 320):
        opened.set_viewport_size({"width": width, "height": 800})
        assert opened.evaluate("() => document.documentElement.scrollWidth") <= width
        found = Axe().run(opened).response["violations"]
        assert [(width, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


@pytest.mark.needs(FIREFOX, "Firefox")
def test_firefox_edits_as_well(tmp_path: Path) -> None:
    file = tmp_path / "edit.html"
    file.write_bytes(editor_page(Position()))
    firefox = Firefox(500)
    try:
        firefox.open(file.as_uri())
        middle = """() => {
          const box = document.querySelector('#edit [data-point="%s"]').getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }"""
        start, end = (tuple(firefox.evaluate(middle % point)) for point in (6, 4))
        firefox.drag(start, end)
        found = firefox.evaluate("() => document.querySelector('#edit input[readonly]').value")
        assert Position.from_id(found).board.mine[4] == 1
    finally:
        firefox.close()


def test_the_command_writes_a_page_that_begins_with_the_position(tmp_path: Path) -> None:
    page = tmp_path / "set up.html"
    done = bgtools("show", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "--edit", "-o", str(page))
    assert done.returncode == 0, done.stderr
    assert START in page.read_text(encoding="utf-8")
    assert "written to " in done.stdout + done.stderr
    again = bgtools("show", START, "--edit", "-o", str(page))
    assert again.returncode == 2
    assert "--force" in again.stderr
    for arguments, words in (
        (("show", START, "--edit", "-o", str(tmp_path / "a.png")), "is an .html file"),
        (("show", START, START, "--edit", "-o", str(tmp_path / "b.html")), "edits one position"),
        (("show", "nonsense", "--edit", "-o", str(tmp_path / "c.html")), "nonsense"),
    ):
        refused = bgtools(*arguments)
        assert refused.returncode == 2
        assert words in refused.stderr
    assert not (tmp_path / "c.html").exists()
