"""The site is built whole, asks no other host, and every link in it leads somewhere."""

from __future__ import annotations

import html
import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from wasm_engine import module_of
from wasm_page import built_page, needs_page

ROOT = Path(__file__).parents[2]


def builder() -> Any:
    return module_of(ROOT / "docs" / "site" / "build.py")


@needs_page
@pytest.mark.timeout(600)  # it runs every command of the tutorials
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("zensical", "bgsage")), reason="zensical is not installed"
)
def test_the_site_is_whole_and_asks_no_other_host(tmp_path: Path) -> None:
    out = tmp_path / "site"
    builder().build(out, built_page())
    for name in ("index", "faq", "glossary", "gallery", "tutorials/player", "reference/commands", "reference/api"):
        assert (out / f"{name}.html").is_file()
    assert "tutorials/player.html" in (out / "llms.txt").read_text(encoding="utf-8")
    assert_tutorials_show_what_commands_print(out)
    pages = [path for path in out.rglob("*.html") if "example" not in path.parts]
    assert len(pages) > 40
    loads = re.compile(r"<(?:script|img|iframe)[^>]*src=[\"']https?:|<link[^>]*(?:stylesheet|preconnect)[^>]*https?:")
    assert [path.name for path in pages if loads.search(path.read_text(encoding="utf-8"))] == []
    assert_clean(out)


def assert_tutorials_show_what_commands_print(out: Path) -> None:
    """Below each command stands what it prints; a page has pictures, and leads to the pages before and after it."""
    shown = {path.stem: path.read_text(encoding="utf-8") for path in (out / "tutorials").glob("*.html")}
    assert len(shown) == 8
    plain = {name: " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split()) for name, text in shown.items()}
    for name, words in {
        "player": ("XG PR", "95% interval"),
        "director": (
            "fixable samples/five-slips.mat: 5 errors; 5 safe fixes leave nothing that fails",
            "-  2) 32: 13/10",
        ),
        "coach": ("Nora Lindholm", "written to lessons.html: 10 decisions"),
        "transcriber": ("samples/five-slips.mat",),
        "data-scientist": ("rows of", "engine none"),
        "programmer": ("XGID",),
        "score": ("right for money, where it costs", "1C is the Crawford game, 1 after it", "written to scores.png"),
    }.items():
        assert [word for word in words if " ".join(word.split()) not in plain[name]] == [], name
        assert "md-footer__link--prev" in shown[name]
        assert "md-footer__link--next" in shown[name]
    assert "gallery/player-chance.png" in shown["player"]
    assert (out / "gallery" / "player-chance.png").is_file()


def assert_clean(out: Path) -> None:
    """Nothing for axe to find, on a screen and on a phone, and no page wider than a phone."""
    if not (browser := shutil.which("chromium")) or importlib.util.find_spec("axe_playwright_python") is None:
        return
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for width in (1280, 1200, 390):
            for name in ("index", "tutorials/player", "gallery", "reference/commands", "how-to/install"):
                page = chromium.new_page(viewport={"width": width, "height": 900})
                page.goto((out / f"{name}.html").as_uri())
                found = Axe().run(page).response["violations"]
                assert [each["id"] for each in found] == [], (name, width)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
                page.close()
        chromium.close()


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#there">x</a><a href="b.html#not">x</a><img src="no.png">')
    (tmp_path / "b.html").write_text('<h1 id="there">x</h1><a href="https://example.invalid/">x</a>')
    assert builder().broken_links(tmp_path) == ["a.html: b.html#not", "a.html: no.png"]


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SystemExit):
        builder().build(tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"
