"""A site in browsers: what is seen at every width, in light and dark, by keyboard, and by Firefox too."""

from __future__ import annotations

import random
import re
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from bgtools import fix
from bgtools.record.record import CheckerPlay
from browsers import CHROMIUM, in_a_browser, quiet_page
from club import heap, put, round_robin
from marionette import FIREFOX, Firefox
from program import SOUND, WRONG_DIE, bgtools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIDTHS = (1440, 1024, 390, 320)
_UNDRAWN = """() => [...document.querySelectorAll("svg.bd")]
  .filter((one) => one.getBoundingClientRect().top < 900 && !one.childElementCount).length"""
_BOTTOMS = "(where) => [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect().bottom)"
_AT = "() => [document.querySelector('main').dataset.game, document.querySelector('main').dataset.entry]"
PAGES = ("index", "players", "matches", "attention", "errors", "train")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    put(folder / "season" / "Spring", round_robin(5, random.Random(5)), event="Spring", has_analysis=True)
    put(folder / "season" / "Autumn", heap(10, random.Random(6)), has_analysis=True, first=50)
    (folder / "season" / "Autumn" / "bad.mat").write_text(WRONG_DIE)
    done = bgtools("report", str(folder / "season"), "-o", str(folder / "site"), "--engine", "file")
    assert done.returncode == 1, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


def addresses(site: Path) -> list[str]:
    """A page of each sort."""
    some = [min((site / sort).glob("*.html")) for sort in ("match", "player", "event")]
    return [path.as_uri() for path in (*(site / f"{name}.html" for name in PAGES), *some)]


@in_a_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_the_window_or_complains(site: Path, browser: Any, width: int) -> None:
    for address in addresses(site):
        with quiet_page(browser, address, width) as shown:
            shown.wait_for_timeout(300)
            assert shown.evaluate("() => document.documentElement.scrollWidth") <= width, address
            assert shown.evaluate(_UNDRAWN) == 0, address


@in_a_browser
def test_the_front_page_fits_a_screen(site: Path, browser: Any) -> None:
    with quiet_page(browser, (site / "index.html").as_uri(), 1440) as shown:
        shown.wait_for_timeout(300)
        for where, least in (
            ('[aria-label="Players"] tbody tr', 8), ('[aria-label="Matches"] tbody tr', 5),
            ('[aria-label="What needs attention"] li', 2), ('[aria-label="Moments"] svg.bd', 2),
        ):  # fmt: skip
            ends = shown.evaluate(_BOTTOMS, where)
            assert len(ends) >= least, where
            assert max(ends) <= 900, where


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(site: Path, browser: Any, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    for address in addresses(site):
        shown = context.new_page()
        shown.goto(address)
        shown.wait_for_timeout(300)
        found = Axe().run(shown).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], address
        shown.close()
    context.close()


@in_a_browser
def test_filters_are_the_address_and_cards_lead_to_their_decision(site: Path, browser: Any) -> None:
    with quiet_page(browser, (site / "errors.html").as_uri(), 1440) as shown:
        shown.wait_for_selector("#found li")
        everything = shown.locator("#count").text_content()
        shown.focus("select[name=kind]")
        shown.keyboard.type("cube")  # the keyboard alone
        shown.wait_for_function("() => location.hash.includes('kind=cube')")
        cubes = shown.locator("#count").text_content()
        assert cubes != everything
        kept = shown.url
        shown.goto("about:blank")
        shown.goto(kept)
        shown.wait_for_selector("#found li")
        assert shown.locator("#count").text_content() == cubes
        assert shown.locator("select[name=kind]").input_value() == "cube"
        links = shown.locator("#found a").evaluate_all("(all) => all.slice(0, 4).map((one) => one.href)")
        for link in links:
            game, entry = re.findall(r"#g(\d+)e(\w+)", link)[0]
            shown.goto(link)
            shown.wait_for_function("() => document.querySelector('main').dataset.entry")
            main = shown.evaluate(_AT)
            assert main == [game, entry]
        assert len(links) == 4


@in_a_browser
def test_the_first_key_leads_past_the_links_and_a_head_sorts(site: Path, browser: Any) -> None:
    with quiet_page(browser, (site / "players.html").as_uri(), 1440) as shown:
        shown.keyboard.press("Tab")
        assert shown.evaluate("() => document.activeElement.className") == "skip"
        shown.keyboard.press("Enter")
        shown.locator("th button").first.focus()
        shown.keyboard.press("Enter")
        names = shown.locator("tbody th[scope=row]").all_text_contents()
        assert names == sorted(names)
        assert shown.locator("th[aria-sort=ascending]").count() == 1


@in_a_browser
def test_arrows_of_a_case_end_on_the_board_of_the_repaired_record(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "club").mkdir()
    slip = SOUND.replace("31: 8/5 6/5", "31: 8/5 6/4")
    (tmp_path / "club" / "slip.mat").write_text(slip)
    bgtools("report", str(tmp_path / "club"), "-o", str(tmp_path / "site"), "--engine", "none")
    right = fix(str(tmp_path / "club" / "slip.mat"), unsafe=True).matches[0].games[0].entries[0]
    assert isinstance(right, CheckerPlay)
    with quiet_page(browser, (tmp_path / "site" / "attention.html").as_uri(), 1440) as shown:
        held = shown.evaluate("() => JSON.parse(document.querySelector('.case svg[data-b]').dataset.b)")
        assert held["r"] == str(right.text)
        assert shown.locator(".case del").count() == shown.locator(".case ins").count() == 1


@in_a_browser
def test_without_a_script_the_results_are_there(site: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto((site / "index.html").as_uri())
    assert shown.locator("[aria-label=Players] tbody tr").count() >= 8
    shown.goto((site / "event" / "spring.html").as_uri())
    assert shown.locator(".cross td a").count() == 20
    context.close()


@pytest.mark.needs(FIREFOX, "Firefox")
@pytest.mark.parametrize(("width", "dark"), [(1440, False), (500, True)])
def test_firefox_shows_a_site(site: Path, width: int, dark: bool) -> None:
    firefox = Firefox(width, dark=dark)
    try:
        for address in addresses(site):
            firefox.open(address)
            assert firefox.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, address
        firefox.open((site / "errors.html").as_uri())
        assert firefox.evaluate("() => document.querySelector('#found svg').childElementCount") > 10
        firefox.open(min((site / "match").glob("*.html")).as_uri())
        end = time.monotonic() + 20
        while firefox.evaluate("() => document.querySelector('#board').childElementCount") <= 10:
            assert time.monotonic() < end
    finally:
        firefox.close()
