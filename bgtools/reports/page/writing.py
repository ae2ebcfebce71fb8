"""The page of a report as HTML, and what all our pages share: their style, their policy, their frame.

The board and all that belongs to a decision is drawn in the browser from the data that the page carries. A page without
a script has a policy as well: it runs, loads and sends nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import asdict, dataclass, fields
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from bgtools._version import __version__
from bgtools.board import words
from bgtools.drawing.board import Viewpoint, field, geometry
from bgtools.drawing.shapes import THEMES, Box, ColourTheme
from bgtools.drawing.svg import elements
from bgtools.findings.finding import isolate_names
from bgtools.reports.document import DataTable, html_of, html_table
from bgtools.reports.page.data import page_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.totals import Analysis
    from bgtools.findings.finding import Finding
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.reports.document import Block


PAGE: Final = "report.html"
"""The name of the page in the folder of a report."""

_CLOCKS: Final = ("ClockType", "TimeControl")
"""Tags of the header whose values need the word "clock" before them."""

BY_STYLE: Final = ColourTheme(**{each.name: f"var(--board-{each.name})" for each in fields(ColourTheme)})
"""A theme whose colours are variables of the page's style, which follows a light or dark screen."""

_FORCED: Final = {
    "frame": "Canvas", "on_frame": "CanvasText", "line": "CanvasText", "field": "Canvas", "dark_point": "GrayText",
    "light_point": "Canvas", "tray": "Canvas", "mine": "Canvas", "mine_rim": "CanvasText", "mine_ink": "CanvasText",
    "theirs": "CanvasText", "theirs_rim": "Canvas", "theirs_ink": "Canvas", "die": "Canvas", "die_ink": "CanvasText",
    "cube": "Canvas", "cube_ink": "CanvasText", "played": "LinkText", "best": "Highlight", "both": "CanvasText",
    "halo": "Canvas",
}  # fmt: skip
"""The colours of the system for a board, where it forces its own."""


def page_of(
    analysis: Analysis,
    match: Match | None = None,
    findings: Sequence[Finding] = (),
    comparison: EngineComparison | None = None,
    *,
    file: str = "",
    player: int | None = None,
) -> bytes:
    """The page of a match; the arguments are those of `page_data`.

    The page holds what the record says only as text and as data, and may load nothing and send nothing.
    """
    data = page_data(analysis, match, findings, comparison, file=file, player=player)
    return filled_page("page.html", {**data, "drawing": geometry()}, PAGE_SCRIPTS, page_parts(data))


def page_parts(data: dict[str, Any]) -> dict[str, str]:
    """The HTML of the page of a match that needs no script, by the names that page.html has; of `page_data`."""
    is_empty = not any(game["steps"] for game in data["games"])
    tabs = dict(_panels(data))
    names = {"errors": f"Errors {len(data['errors'])}", "games": "Games", "breakdown": "Break-down", "charts": "Charts"}
    shown = [] if is_empty else [name for name in names if name != "errors" or data["engine"]]
    parts = {
        "title": escape(data["heading"]),
        "names": "".join(_names(data)),
        "lead": "<p>The record holds no moves.</p>" if is_empty else "".join(_lead(data)),
        "hide": " hidden" if is_empty else "",
        "empty": " empty" if is_empty else "",
        "tabs": "".join(
            [*(_tab(name, names[name]) for name in shown), *(_tab(name, text) for name, (text, _) in tabs.items())]
        ),
        "panels": "".join(_panel(name, body) for name, (_, body) in tabs.items()),
        "sheet": f"<h1>{escape(data['heading'])}</h1><p>{escape(_facts(data))}</p>",
    }
    return {key: isolate_names(text, map(escape, data["players"])) for key, text in parts.items()}


def editor_page(position: Position) -> bytes:
    """A page by itself on which a position is set up by hand, beginning with this one."""
    data = {"drawing": geometry(), "players": ["Who is on roll", "The other player"], "xgid": position.xgid}
    return filled_page("edit.html", data, EDITOR_SCRIPTS, {"title": "A position"})


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What is around a page of a site, which has its style and its script in files that all pages share.

    Attributes:
        up: what its links to the folder of the site begin with: ``""`` or ``"../"``.
        top: HTML above the page.
        script: the file of its script; empty for none.
        is_listed: whether search engines may list it.
    """

    up: str = ""
    top: str = ""
    script: str = ""
    is_listed: bool = True


def filled_page(
    name: str, data: dict[str, Any], scripts: Iterable[str], parts: dict[str, str], frame: SiteFrame | None = None
) -> bytes:
    """A page with a script: its HTML with the parts, the style, the data and the script in it, or beside it in a site.

    What cannot be written, such as half of a character, is a question mark. The data may be large, so they are copied
    no more often than they must be.

    Args:
        name: the file of the HTML, beside this module.
        data: what the script draws, ``drawing`` among it.
        scripts: the files of the script, in order.
        parts: HTML by the name that the file has between two ``@``.
        frame: what is around it in a site; None for a page that stands by itself.
    """
    held = b'<script type="application/json" id="bgtools-data">%b</script>' % _as_script(data) if frame is None else b""
    return framed_parts(name, held or held_data(packed(data)), scripts, parts, frame)


def framed_parts(
    name: str, held: bytes, scripts: Iterable[str], parts: dict[str, str], frame: SiteFrame | None
) -> bytes:
    """As `filled_page`, with the element that holds the data."""
    script = "" if frame else page_script(scripts)
    ran = f'<script src="{frame.up}{frame.script}"></script>' if frame else f"<script>{script}</script>"
    top = frame.top if frame else ""
    shell = {"field": page_field(), "view": " ".join(map(str, geometry()["view"])), "script": ran, "top": top}
    written = {key: _encoded(text) for key, text in {**parts, **shell}.items()} | {"data": held}
    policy = SITE_POLICY if frame else escape(_policy(script))
    before, after = map(_encoded, _frame(parts["title"], policy, frame))
    body = [written[piece] if at % 2 else _encoded(piece) for at, piece in enumerate(_PART.split(_part(name)))]
    return b"".join((before, *body, after))


def packed(data: dict[str, Any]) -> bytes:
    """The data of a page as a site keeps them: JSON, compressed by zlib; a fifth of their length."""
    return zlib.compress(_encoded(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)), 9)


def held_data(content: bytes) -> bytes:
    """The element that holds what `packed` made."""
    return b'<script type="text/plain" id="bgtools-data">%b</script>' % base64.b64encode(content)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


PAGE_SCRIPTS: Final = ("rules.js", "board.js", "decision.js", "asking.js", "edit.js", "page.js")
"""The files of the script of a report."""
EDITOR_SCRIPTS: Final = ("rules.js", "board.js", "edit.js", "ids.js", "edit_page.js")
"""The files of the script of a page that edits a position."""


def page_script(names: Iterable[str], start: str = "", end: str = "", *, waits: bool = False) -> str:
    """The script of a page, by the names of its files.

    Args:
        names: the files, in order.
        start: what it begins with in place of reading the data of the page.
        end: what it ends with.
        waits: whether the start may wait for something.
    """
    before = "async " if waits else ""
    return f"({before}() => {{\n{start or _SCRIPT_HEAD}{script_text(names)}{end}}})();\n"


def script_text(names: Iterable[str]) -> str:
    """The text of some files of scripts, without what a browser can do without."""
    return "".join(lean_script(_part(each)) for each in names)


_SCRIPT_HEAD: Final = '"use strict";\nconst data = JSON.parse(document.getElementById("bgtools-data").textContent);\n'


def page_field() -> str:
    """What lies beneath the checkers of every board, as SVG."""
    return elements(_field(), BY_STYLE)


def _field() -> Iterator[Any]:
    """What lies beneath the checkers of every board."""
    left, top, width, height = geometry()["view"]
    yield Box(left, top, width, height, "frame")
    yield from field(Viewpoint())


def framed_page(title: str, blocks: Iterable[Block]) -> str:
    """A page without a script: it runs, loads and sends nothing, and shows all that it holds as text."""
    made_by = f'<p class="q">made by bgtools {__version__}</p>'
    return whole_page(title, f'<main class="sheet">{html_of(blocks, BY_STYLE)}{made_by}</main>')


def whole_page(title: str, body: str, script: str = "", frame: SiteFrame | None = None, style: str = "") -> str:
    """A page of some HTML.

    Args:
        title: of the page, as text.
        body: what is in it; in a site with what is above every page.
        script: that it runs, where it stands by itself.
        frame: what is around it in a site; None for a page that stands by itself.
        style: what it adds to the style of all pages, where it stands by itself.
    """
    policy = SITE_POLICY if frame else escape(_policy(script)) if script else _POLICY
    before, after = _frame(escape(title), policy, frame, style)
    ran = f'<script src="{frame.up}{frame.script}"></script>' if frame and frame.script else ""
    return _encoded(f"{before}{body}{ran or (f'<script>{script}</script>' if script else '')}{after}").decode()


def _frame(title: str, policy: str, frame: SiteFrame | None = None, style: str = "") -> tuple[str, str]:
    """What stands before and after the body of every page; title and policy are HTML."""
    shown = (
        f'<link rel="stylesheet" href="{frame.up}site.css">'
        if frame
        else f"<style>{page_style()}{lean_style(style)}</style>"
    )
    robots = '<meta name="robots" content="noindex">\n' if frame and not frame.is_listed else ""
    before = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="bgtools {__version__}">\n{robots}'
        f"<title>{title}</title>{shown}</head>\n<body>\n"
    )
    return before, "</body></html>\n"


_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
SITE_POLICY: Final = "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'none'; base-uri 'none'"
"""What a page of a site may do: use the files beside it."""


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def lean_script(script: str) -> str:
    """A script without its comments, its indentation, and what blanks and ends of lines no browser needs: a fifth."""
    bare = re.sub(r"^(?:[ \t]+|//.*\n)+", "", script, flags=re.MULTILINE)
    close = _SIGNS_AND_TEXTS.sub(lambda found: found["text"] or found["binary"] or found["sign"] or "let", bare)
    return _SIGNS_AND_TEXTS.sub(lambda found: found["text"] or found[0].replace(";}", "}"), close)


_SIGNS_AND_TEXTS: Final = re.compile(
    r"""(?P<text> "(?:[^"\\\n]|\\.)*"
      | `(?:[^`\\$] | \\. | \$(?!\{) | \$\{(?:[^{}`"] | "[^"\n]*" | `(?:[^`$] | \$\{[^{}`]*\})*` | \{[^{}]*\})*\})*`
      | (?<=[(=,!:&|?\[ ])/(?![ *])(?:[^/\\\n\[] | \\. | \[(?:[^\]\\\n]|\\.)*\])+/[a-z]*)
      | \bconst\b
      | [ ](?P<binary>[-+*/%])[ ](?![-+*/])
      | [ ]?(?P<sign>[=,;:{}()?<>|&]+)(?:[ ]|(?<=[;{}(),])\n)?""",
    re.VERBOSE,
)
"""Texts, templates and patterns of a script, whose blanks count, and signs, round which none does. Every statement of
ours ends with a semicolon or a brace, so that no end of a line is needed after one; ``let`` does for ``const``."""


_PART: Final = re.compile("@([a-z]+)@")
"""Where a part comes to stand in a text; such a sign inside a part is left alone."""


@cache
def page_style() -> str:
    """The style sheet of our pages."""
    light, dark = asdict(THEMES["light"]), asdict(THEMES["dark"])
    board = {
        name: colour if colour == dark[name] else f"light-dark({colour},{dark[name]})" for name, colour in light.items()
    }
    sides = {"board": board, "forced": _FORCED, "print": asdict(THEMES["print"])}
    text = _PART.sub(lambda found: _colours(sides[found[1]]), _part("page.css"))
    return lean_style(text)


def lean_style(style: str) -> str:
    """A style sheet without the blanks that it can do without."""
    return re.sub(r"\s*([{};>])\s*|([:,]) ", r"\1\2", style)


def _colours(colours: dict[str, str]) -> str:
    return " ".join(f"--board-{name}: {colour};" for name, colour in colours.items())


def _policy(script: str) -> str:
    """What the page may do: run its own script and nothing else, and reach no network."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    script_only = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    return f"{script_only}; form-action 'none'; base-uri 'none'"


def _as_script(data: dict[str, Any]) -> bytes:
    """Data that can stand in a script element: nothing in it ends the element."""
    text = _encoded(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    for sign in ("<", "\u2028", "\u2029"):
        text = text.replace(sign.encode(), b"\\u%04x" % ord(sign))
    return text


def _disc(player: int) -> str:
    return f'<span class="disc p{player}" aria-hidden="true"></span>'


def _names(data: dict[str, Any]) -> Iterator[str]:
    """Who played, the result, and what they played for."""
    first, second = (escape(name) or f"player {number}" for number, name in enumerate(data["players"], 1))
    score = "\u2009–\u2009".join(map(str, data["score"]))
    left, right = (f" <small>{escape(real)}</small>" if real else "" for real in data["real_names"])
    yield f'<h1>{_disc(0)}<span class="name">{first}</span>{left}<span class="score"> {score} </span>'
    yield f'<span class="name">{second}</span>{right}{_disc(1)}</h1>'
    length = f"{data['length']}-point match" if data["length"] else "money session"
    event = [value for _, value in data["header"][:1] if value != length]
    yield f'<span class="meta q">{escape(" · ".join([length, *event]))}</span>'


def _lead(data: dict[str, Any]) -> Iterator[str]:
    """Who played how well, in the order of the heading, and who had the luck, in a line each."""
    for player, each in enumerate(data["strength"]):
        if each["text"]:
            name, (text, between, interval) = (
                data["players"][player] or f"player {player + 1}",
                each["text"].partition(" ("),
            )
            told = f'{escape(text)}<span class="opt">{escape(between + interval)}</span>'
            yield f"<p>{_disc(player)} <b>{escape(name)}</b> {told}</p>"
    if data["favoured"]:
        yield f'<p><span class="lucky">●</span> {escape(data["favoured"])}</p>'
    if data["findings"]:
        errors = sum(each["severity"] == "error" for each in data["findings"])
        among = f"{words.times(errors, 'error') if errors else 'no error'} among them; see Findings"
        told = f"The record has {words.times(len(data['findings']), 'finding')}, {among}"
        yield f'<p class="{"bad" if errors else "q"}">{told}</p>'


def _facts(data: dict[str, Any]) -> str:
    """The header of the record in a line."""
    facts = [f"clock {value}" if name in _CLOCKS else value for name, value in data["header"]]
    return " · ".join(
        [*facts, *([data["file"]] if data["file"] else []), *([data["engine"]] if data["engine"] else [])]
    )


def _tab(name: str, text: str) -> str:
    return (
        f'<button type="button" role="tab" id="tab-{name}" aria-controls="panel-{name}" aria-selected="false" '
        f'tabindex="-1">{escape(text)}</button>'
    )


def _panel(name: str, body: str) -> str:
    return f'<div role="tabpanel" id="panel-{name}" aria-labelledby="tab-{name}" hidden>{body}</div>'


def _panels(data: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The tabs that need no script: their names, titles and HTML."""
    engines = data["compared"] or [{**data, "engine": ""}]
    if data["engine"]:
        yield "all", ("All figures", "".join(_all_figures(engines, data["players"])))
    if data["findings"]:
        yield "findings", (f"Findings {len(data['findings'])}", f"<ul>{''.join(_findings(data))}</ul>")
    notes = "".join(_notes(data))
    if notes:
        yield "notes", ("Notes", notes)
    real = [[name, told] for name, told in zip(data["players"], data["real_names"], strict=True) if told]
    header = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in [*real, *data["header"]])
    lines = "".join(
        f'<p class="q">{escape(_by(each, text))}</p>'
        for each in engines
        for text in (each["conventions"], *each["notes"])
    )
    checked = "" if data["findings"] else "<p>The record follows the rules: no findings.</p>"
    record = (
        f'<p>{escape(data["file"])}</p><dl class="facts">{header}</dl>{checked}{lines}'
        '<p><button type="button" id="download">Download the data</button></p>'
        f'<p class="q">made by bgtools {escape(data["version"])}</p>'
    )
    yield "record", ("Record", record)


def _all_figures(engines: Sequence[dict[str, Any]], players: Sequence[str]) -> Iterator[str]:
    for each in engines:
        title = "Strength and luck" + (f" by {each['engine']}" if each["engine"] else "")
        if each["sentence"]:
            yield f"<p>{escape(_by(each, each['sentence']))}</p>"
        yield html_table(DataTable(title, ("", *players), each["totals"], text_at=(0, 1, 2)))


def _by(each: dict[str, Any], text: str) -> str:
    """What an engine finds, with its name where there are several."""
    return f"{each['engine']}: {text}" if each["engine"] else text


def _notes(data: dict[str, Any]) -> Iterator[str]:
    """The remarks of the record, each at the decision that it belongs to."""
    for text in data["remarks"]:
        yield f"<blockquote>{escape(text)}</blockquote>"
    for game in data["games"]:
        for step in game["steps"]:
            for text in step["remarks"]:
                where = f"Game {game['number'] or game['game']}, row {step['row']}"
                yield f'<p><a href="#g{game["game"]}e{step["entry"]}">{where}</a></p>'
                yield f"<blockquote>{escape(text)}</blockquote>"


def _findings(data: dict[str, Any]) -> Iterator[str]:
    for finding in data["findings"]:
        places = [f"{name} {finding[name]}" for name in ("game", "row") if finding[name] is not None]
        at = f"e{finding['entry']}" if finding["entry"] is not None else f"t{finding['turn']}"
        link = f'<a href="#g{finding["game"]}{at}">{", ".join(places)}</a>: ' if len(places) == 2 else ""
        hint = f" {finding['hint'][:1].upper()}{finding['hint'][1:]}." if finding["hint"] else ""
        text = f"{finding['code']} ({finding['severity']}): {finding['message']}{hint}"
        yield f"<li>{link}{escape(text)}</li>"
