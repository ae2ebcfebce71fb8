"""The page as HTML: its head made here, the rest drawn in the browser from the data that it carries.

A page without a script has a policy as well: it runs, loads and sends nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import asdict, fields
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from bgtools.drawing.board import Viewpoint, field, geometry
from bgtools.drawing.shapes import THEMES, Box, ColourTheme
from bgtools.drawing.svg import elements, svg
from bgtools.reports.decision_text import board_of, decision_text, worst
from bgtools.reports.page.data import page_data
from bgtools.reports.summary import INTERVAL_ROW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.totals import Analysis
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match


PAGE: Final = "report.html"
"""The name of the page in the folder of a report."""

_WORST: Final = 5
"""How many decisions stand at the top, each with its board."""

_FIRST: Final = (
    "XG PR", "errors, blunders", "checker play, EMG lost", "cube, EMG lost", "luck, EMG", "luck, MWC", "luck, points",
    "luck-adjusted result",
)  # fmt: skip
"""The rows of the totals that are shown at once, each with its interval; all rows unfold below them."""

_CLOCKS: Final = ("ClockType", "TimeControl")
"""Tags of the header whose values need the word "clock" before them."""

BY_STYLE: Final = ColourTheme(**{each.name: f"var(--board-{each.name})" for each in fields(ColourTheme)})
"""A theme whose colours are variables of the page's style, which follows a light or dark screen."""


def page_of(
    analysis: Analysis,
    match: Match | None = None,
    findings: Sequence[Finding] = (),
    comparison: EngineComparison | None = None,
    *,
    file: str = "",
) -> str:
    """The page of a match; the arguments are those of `page_data`.

    The page holds what the record says only as text and as data, and may load nothing and send nothing.
    """
    data = page_data(analysis, match, findings, comparison, file=file)
    script, lay = _lean(_part("page.js")), geometry()
    parts = {
        "title": _isolate_names(escape(data["heading"]), data["players"]),
        "policy": escape(_policy(script)),
        "style": page_style(),
        "head": _isolate_names("".join(_head(data)), data["players"]),
        "worst": _isolate_names("".join(_worst(analysis, data["players"])), data["players"]),
        "field": elements([Box(0, 0, lay["width"], lay["height"], "frame", corner=8), *field(Viewpoint())], BY_STYLE),
        "view": f"0 0 {lay['width']} {lay['height']}",
        "conventions": "<br>".join(escape(_by(each, each["conventions"])) for each in _by_engine(data)),
        "version": escape(data["version"]),
        "notes": "".join(f"<li>{escape(_by(each, note))}</li>" for each in _by_engine(data) for note in each["notes"]),
        "findings": "".join(_findings(data)),
        "remarks": "".join(f"<blockquote>{escape(text)}</blockquote>" for text in data["remarks"]),
        "data": _as_script({**data, "drawing": lay}),
        "script": script,
    }
    return _filled(_part("page.html"), parts)


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _lean(script: str) -> str:
    """A script without its comments and its indentation, which hold a tenth of its length."""
    return re.sub(r"^(?:[ \t]+|//.*\n)+", "", script, flags=re.MULTILINE)


def _filled(text: str, parts: dict[str, str]) -> str:
    """A text with each ``@name@`` of a part replaced; a ``@name@`` inside a part is left alone."""
    return re.sub(r"@([a-z]+)@", lambda found: parts.get(found[1], found[0]), text)


def page_style() -> str:
    """The style sheet of our pages."""
    sides = {name: _colours(THEMES[name]) for name in ("light", "dark")}
    return _filled(_part("page.css"), sides)


def _colours(theme: ColourTheme) -> str:
    return " ".join(f"--board-{name}: {colour};" for name, colour in asdict(theme).items())


def _policy(script: str) -> str:
    """What the page may do: run its own script and nothing else, and reach no network."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    script_only = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    return f"{script_only}; form-action 'none'; base-uri 'none'"


def _as_script(data: dict[str, Any]) -> str:
    """Data that can stand in a script element: nothing in it ends the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _head(data: dict[str, Any]) -> Iterator[str]:
    """The head of the page: who won, by how much luck, and how well both played."""
    yield f"<h1>{escape(data['heading'])}</h1>"
    facts = [f"clock {value}" if name in _CLOCKS else value for name, value in data["header"]]
    facts += [data["file"]] if data["file"] else []
    if facts:
        yield f'<p class="quiet">{escape(" · ".join(facts))}</p>'
    told = _by_engine(data)
    for each in told:
        if each["sentence"]:
            yield f'<p class="lead">{escape(_by(each, each["sentence"]))}</p>'
    for each in told if data["engine"] else ():
        name, rows = "Strength and luck" + (f" by {each['engine']}" if data["compared"] else ""), each["totals"]
        if data["compared"]:
            yield f"<h2>{escape(name)}</h2>"
        yield _totals(name, _first(rows), data["players"])
        all_of_them = name.replace("Strength and luck", "All figures")
        yield f"<details><summary>{escape(all_of_them)}</summary>"
        yield _totals(all_of_them, rows, data["players"])
        yield "</details>"


def _first(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """The rows that are shown at once. An interval belongs to the row above it."""
    shown: list[Sequence[str]] = []
    with_interval = False
    for row in rows:
        with_interval = row[0].strip() in _FIRST or (with_interval and row[0] == INTERVAL_ROW)
        if with_interval:
            shown.append(row)
    return shown


def _by_engine(data: dict[str, Any]) -> list[dict[str, Any]]:
    """What each engine says of the whole match; a single engine has no name there."""
    return data["compared"] or [{**data, "engine": ""}]


def _by(each: dict[str, Any], text: str) -> str:
    """What an engine says, with its name where there are several."""
    return f"{each['engine']}: {text}" if each["engine"] else text


def _totals(name: str, rows: Iterable[Sequence[str]], players: Sequence[str]) -> str:
    """A table of totals; an indented title belongs to the row above it."""
    names = "".join(f'<th scope="col">{escape(name) or f"player {n}"}</th>' for n, name in enumerate(players, 1))
    lines = []
    for title, *cells in rows:
        values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        under = ' class="under"' if title.startswith(" ") else ""
        lines.append(f'<tr{under}><th scope="row">{escape(title.strip())}</th>{values}</tr>')
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}"><table>'
        f"<thead><tr><td></td>{names}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _worst(analysis: Analysis, players: Sequence[str]) -> Iterator[str]:
    """The decisions worth most, as boards with the reason."""
    rows = worst(analysis.decisions)
    if not rows:
        return
    count = f"The {_WORST} decisions worth most" if len(rows) > _WORST else "The decisions worth most"
    yield f'<section id="worst" aria-labelledby="worst-title"><h2 id="worst-title">{count}</h2><ol>'
    for row in rows[:_WORST]:
        number = analysis.games[row.game - 1].number or row.game
        roll = f" {row.dice}" if row.dice else ""
        title = f"Game {number}, turn {row.turn}: {players[row.player] or row.name}{roll}"
        reason = f"{row.sentence[:1].upper()}{row.sentence[1:]}." if row.sentence else ""
        board = svg(board_of(row, (players[0], players[1])), BY_STYLE)
        yield (
            f'<li><h3><a href="#g{row.game}t{row.turn}">{escape(title)}</a></h3>{board}'
            f"<p>{escape(decision_text(row))}</p><p>{escape(reason)}</p></li>"
        )
    yield "</ol></section>"


_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def _isolate_names(text: str, players: Sequence[str]) -> str:
    """Text of the page with names written from right to left isolated, so that they do not turn what is beside them."""
    for name in filter(_RIGHT_TO_LEFT.search, map(escape, players)):
        text = text.replace(name, f"\u2068{name}\u2069")
    return text


def _findings(data: dict[str, Any]) -> Iterator[str]:
    for finding in data["findings"]:
        places = [f"{name} {finding[name]}" for name in ("game", "turn") if finding[name] is not None]
        where = ", ".join(places)
        link = f'<a href="#g{finding["game"]}t{finding["turn"]}">{where}</a>: ' if len(places) == 2 else ""
        said = f"{finding['code']} ({finding['severity']}): {finding['message']}"
        yield f"<li>{link}{escape(said)}</li>"


POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
POLICY_TAG: Final = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
