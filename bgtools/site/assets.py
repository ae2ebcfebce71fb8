"""The style and the scripts of a site: those of the page of a match, and what lists of boards need besides."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from bgtools.drawing.board import geometry
from bgtools.reports.page.writing import (
    lean_script,
    lean_style,
    page_field,
    page_script,
    page_style,
    script_text,
)


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _lean_part(name: str) -> str:
    return lean_script(_part(name))


def site_style() -> str:
    """What the pages of a site add to the style of all pages."""
    return lean_style(_part("site.css"))


def lone_script() -> str:
    """The script of a page that stands by itself: boards that are drawn when they are seen, and tables that sort."""
    return page_script(
        ("rules.js", "board.js"), f'"use strict";\nconst data = {_bare_data()};\n', _lean_part("site.js")
    )


def _bare_data() -> str:
    """What boards are drawn by, where a page has no data of its own."""
    data = {
        "drawing": geometry(),
        "field": page_field(),
        "players": ["", ""],
        "length": 7,
        "classes": [],
        "findings": [],
    }
    return json.dumps(data, separators=(",", ":"))


_START: Final = """"use strict";
const held = document.getElementById("bgtools-data");
const inflated = (text) => new Response(new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))]).stream()
  .pipeThrough(new DecompressionStream("deflate"))).json();
const data = held ? await inflated(held.textContent) : @data@;
"""


def assets() -> dict[str, str]:
    """The style and the script that all pages share, by the names of their files."""
    # The script of a decision finds what it walks through beside it, so that each of the two has it.
    match, train = (script_text(("decision.js", "asking.js", name)) for name in ("page.js", "train.js"))
    lists = f'{_lean_part("site.js")}if (find("find")) {{\n{_lean_part("errors.js")}}}\n'
    ends = f'if (find("train")) {{\n{train}}} else if (held) {{\n{match}}} else {{\n{lists}}}\n'
    start = _START.replace("@data@", _bare_data())
    script = page_script(("rules.js", "board.js"), start, ends, waits=True)
    return {"site.css": page_style() + site_style(), "site.js": script}
