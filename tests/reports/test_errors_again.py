"""The errors of a player, asked again on the page of a report: nothing is given away, every answer has its value."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools import read
from bgtools.analysis.blunders import NEAR, question_key
from bgtools.analysis.breakdowns import PARTS
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.repetition import Progress
from bgtools.reports.page.writing import page_of
from browsers import data_of, in_a_browser, quiet_page
from fixed_engine import FixedEngine
from marionette import FIREFOX, Firefox
from varied_engine import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.analysis.rows import DecisionRow

ROOT = Path(__file__).parents[2]
ASKED = ("checker play", "no double", "double", "take", "pass")


@cache
def made(name: str = "one-point.mat", player: int = 0, *, doubles: bool = False) -> tuple[str, tuple[DecisionRow, ...]]:
    """The page of a match, and the errors of a player that can be asked, in the order of the match.

    With ``doubles`` every double is wrong, else some are missed.
    """
    match = read(ROOT / "samples" / name)
    engine = FixedEngine(0.3, 0.1, play=0.2) if doubles else Varied(0.1, 0.2)
    analysis = analyse(match, engine, parts=PARTS | {"plays"})
    rows = [row for row in analysis.decisions if row.error and row.player == player and row.kind in ASKED]
    return page_of(analysis, match).decode(), tuple(rows)


@pytest.fixture
def address(tmp_path: Path) -> str:
    file = tmp_path / "report.html"
    file.write_text(made()[0], encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Any]:
    with quiet_page(browser, address, 1280) as shown:
        shown.get_by_role("button", name="of Sam Okoro again").click()
        yield shown


def text_of(shown: Any, name: str) -> str:
    found: str = shown.locator(f"#{name}").inner_text()
    return found


def answer(shown: Any, text: str) -> str:
    shown.fill("#try", text)
    shown.keyboard.press("Enter")
    return text_of(shown, "result")


@in_a_browser
def test_every_error_is_asked_in_order_and_what_was_missed_once_more(opened: Any) -> None:
    rows = made()[1]
    assert len(rows) > 5
    lost = 0.0
    for number, row in enumerate(rows, 1):
        assert text_of(opened, "asked") == f"{number} of {len(rows)}"
        assert opened.locator("main").get_attribute("data-xgid") == row.xgid
        if number % 2:
            assert answer(opened, row.best).startswith("Right ")
            assert opened.locator("#alternatives .choice").count() == len(row.choices)
            assert "The plan: " in text_of(opened, "why") or not row.sentence.startswith("the plan: ")
        else:
            assert answer(opened, row.played).startswith(
                f"Wrong {row.played} loses {row.loss:.3f}, as much as what was"
            )
            lost += row.loss or 0
            assert opened.evaluate("() => document.activeElement.id") == "again"
            opened.keyboard.press("Enter")
            # A second try is answered, and does not count.
            assert answer(opened, row.best).startswith("Right ")
        opened.locator("#next").click()
    missed = rows[1::2]
    opened.wait_for_timeout(1100)  # answers are told apart by their seconds
    for number, row in enumerate(missed, 1):
        assert text_of(opened, "asked") == f"Once more: {number} of {len(missed)}"
        assert opened.locator("main").get_attribute("data-xgid") == row.xgid
        answer(opened, row.best)
        opened.keyboard.press("n")
    all_lost = sum(row.loss or 0 for row in rows)
    found = len(rows) - len(missed)
    assert text_of(opened, "question") == (
        f"Found {found} of {len(rows)}, {len(missed)} more at the second try; "
        f"{lost:.3f} lost instead of {all_lost:.3f}."
    )
    assert opened.evaluate("() => document.activeElement.id") == "leave"
    kept = json.loads(opened.evaluate("() => localStorage.getItem('bgtools-train')"))
    progress = Progress.read(json.dumps(kept))
    for number, row in enumerate(rows, 1):
        grades = [review.grade for review in progress.reviews[question_key(row)]]
        assert grades == ([3] if number % 2 else [1, 3])
    opened.locator("#again").click()
    assert text_of(opened, "asked") == f"1 of {len(rows)}"
    opened.keyboard.press("Escape")
    assert opened.locator("#errors tbody tr").first.is_visible()


GIVEN_AWAY = """() => {
  const seen = (id) => document.getElementById(id).checkVisibility();
  const text = (id) => document.getElementById(id).textContent;
  return {
    text: document.body.innerText, address: location.hash, arrows: document.querySelectorAll("#board .arrow").length,
    told: ["why", "alternatives", "tried", "list", "strip", "errors"].filter(seen), live: text("live"),
    label: document.getElementById("board").getAttribute("aria-label"), why: text("why") + text("alternatives"),
    cubes: [...document.querySelectorAll("#board text.cube")].map((each) => each.textContent),
  };
}"""


@in_a_browser
@pytest.mark.parametrize(("player", "doubles"), [(0, False), (1, True)])
def test_nothing_is_given_away_before_the_answer(browser: Any, tmp_path: Path, player: int, doubles: bool) -> None:
    text, rows = made("seven-point.mat", player, doubles=doubles)
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    kinds = set()
    with quiet_page(browser, file.as_uri(), 1280) as shown:
        shown.locator(".round").nth(player).click()
        for row in rows:
            seen = shown.evaluate(GIVEN_AWAY)
            assert shown.locator("main").get_attribute("data-xgid") == row.xgid
            assert (seen["address"], seen["arrows"], seen["told"], seen["why"]) == (f"#again={player}", 0, [], "")
            kinds.add(row.kind)
            if row.kind == "checker play":
                for each in (row.best, row.played):
                    assert each not in seen["text"] + seen["live"] + seen["label"], row
            elif row.kind in ("double", "no double"):
                # Whether it was doubled is told neither by the question nor by the cube on the board.
                assert seen["live"].endswith("roll or double?")
                assert str(2 * row.cube) not in seen["cubes"]
            else:
                assert seen["live"].endswith("take or pass?")
            assert f"{row.loss:.3f}" not in seen["text"]
            shown.locator("#next").click()
    assert kinds >= ({"double"} if doubles else {"checker play", "no double", "pass"})
    assert data_of(text)["nearly"] == NEAR


@in_a_browser
def test_a_link_asks_and_the_way_back_leaves(opened: Any, address: str) -> None:
    opened.go_back()
    assert opened.locator("#strip").is_visible()
    assert not opened.locator("#asking").is_visible()
    opened.goto("about:blank")
    opened.goto(f"{address}#again=0")
    assert text_of(opened, "asked").startswith("1 of ")
    opened.locator("#show-answer").click()
    assert text_of(opened, "result").startswith("Shown: best ")
    opened.get_by_role("link", name="See it in the match").click()
    row = made()[1][0]
    assert opened.locator("main").get_attribute("data-entry").rstrip("ac") == str(row.entry)
    assert opened.url.endswith(f"#g{row.game}e{opened.locator('main').get_attribute('data-entry')}")
    assert opened.locator("#whatif").is_visible() == (row.kind == "checker play")


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_too_wide(opened: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.emulate_media(color_scheme=scheme)
    for width in (1440, 1024, 390, 320):
        opened.set_viewport_size({"width": width, "height": 800})
        opened.locator("#next").click()
        for action in ("", "#show-answer"):
            if action:
                opened.locator(action).click()
            assert opened.evaluate("() => document.documentElement.scrollWidth") <= width, (width, action)
            box = opened.locator("#board").bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 800
        found = Axe().run(opened).response["violations"]
        assert [(width, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


@pytest.mark.needs(FIREFOX, "Firefox")
def test_firefox_asks_as_well(address: str) -> None:
    row = made()[1][0]
    firefox = Firefox(500, dark=True)
    try:
        firefox.open(f"{address}#again=0")
        firefox.press(*row.best, "\ue007")
        assert firefox.evaluate("() => document.getElementById('result').textContent").startswith("Right ")
        assert firefox.evaluate("() => document.getElementById('why').hidden") is False
        firefox.press("n")
        assert firefox.evaluate("() => document.getElementById('asked').textContent").startswith("2 of ")
        assert firefox.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        firefox.close()
