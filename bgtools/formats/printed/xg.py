"""The text of a position with its analysis as eXtreme Gammon copies it. The grammar is ``grammars/xg_text.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.printed.position_text import PlayDraft, PositionBuilder, roller_of
from bgtools.formats.shared.lines import Line, LineKinds, LineParser, Stop, lines_of

if TYPE_CHECKING:
    from lark import Token

    from bgtools.formats.content import Content
    from bgtools.record.record import Match

PROGRAM: Final = "eXtreme Gammon"
STARTS: Final = ("equity", "chances", "cubeless")


def _float(text: str) -> float:
    return float(text.strip("()%").replace(",", "."))


class _XgTextBuilder:
    def equity(self, value: Token, _difference: Token | None = None) -> float:
        return _float(value)

    def chances(self, *percent: Token) -> tuple[float, ...]:
        return tuple(round(_float(each) / 100, 6) for each in percent)

    def cubeless(self, no_double: Token, _separator: Token, _words: Token, double: Token) -> tuple[float, float]:
        return _float(no_double), _float(double)


PARSER: Final = LineParser("xg_text", STARTS, _XgTextBuilder)


_LAYOUTS: Final = LineKinds(
    ("xgid", r"(?P<field>XGID=\S+)"),
    ("names", r"X:(?P<x>.*?)\s+O:(?P<o>.*)"),
    ("board", r"\|.*\||\|.*\|\s*(\+-+\+|\|\s*\d+\s*\|)|\+(?:13|12|24|1)-.*"),
    ("pips", r".*\bX-O:\s*\d+-\d+(?:/\d+)?"),
    ("play", r"\d+\. +(?P<level>\S.*?)  +(?P<play>\S.*?) +\w+\s*[:：]\s*(?P<field>[-+]\d.*)"),
    ("chances", r"\S.*?[:：]\s*(?P<field>\d+[.,]\d+%\s*\(.*)"),
    ("cubeless", r"\S.*?[:：][^=]*=(?P<field>[-+]\d.*)"),
    ("equity", r"\S.*?[:：]\s*(?P<field>[-+]\d+[.,]\d+.*)"),
    ("program", r"eXtreme Gammon Version:\s*(?P<version>[^,\s]+).*"),
    ("level", r".*?\b(?P<level>XG Roller\+*|\d-ply(?: red)?|Rollout|Opening Book).*"),
    ("cube", r"\w+\s*[:：]\s*\d+(?:\s*,.*)?"),
    ("on_roll", r"(?P<letter>[XO])\b(?!-).*"),
)
_ACTIONS: Final = ("no double", "take", "pass")


def read(content: Content) -> tuple[Match, ...]:
    """Read every position of a text, each as a match of its own.

    Raises:
        FormatError: there is no XGID in it.
    """
    source = content.source
    builders: list[PositionBuilder] = []
    stray: list[Line] = []
    for line in lines_of(source):
        if line.text.startswith("XGID="):
            builders.append(PositionBuilder(source=source))
        if builders:
            builders[-1].rows.append(line)
        else:
            stray.append(line)
    if not builders:
        raise FormatError("this is not a position of eXtreme Gammon: no line begins with XGID=")
    for line in stray:
        builders[0].unreadable_row(line, PROGRAM)
    for builder in builders:
        _fill(builder)
        builder.add_position(rest=False)
    return tuple(builder.build() for builder in builders)


def _fill(builder: PositionBuilder) -> None:
    builder.program = PROGRAM
    above = True
    last = _last_equity(builder)
    for number, line in enumerate(builder.rows):
        kind, found = _LAYOUTS.of(line.text)
        told: Any = found.groupdict().get("field") if found else None
        if told is not None and kind != "xgid":
            told = PARSER.parse(told, "equity" if kind == "play" else kind)
            if isinstance(told, Stop):
                found = None
        if found is None:
            # Lines in the user's language stand above the board (the score) and behind the figures (the right action).
            wordy = above or number > last or not re.search(r"\d", line.text)
            if kind or not wordy:
                builder.unreadable_row(line, PROGRAM)
            else:
                builder.marks.append(line.span)
            continue
        if kind != "xgid":
            builder.marks.append(line.span)
        above = above and kind != "board"
        _take(builder, kind, found, told, line)


def _last_equity(builder: PositionBuilder) -> int:
    """The index of the last line with an equity; lines of words may follow it. -1 where there is none."""
    return max((n for n, line in enumerate(builder.rows) if re.search(r"[-+]\d+[.,]\d{3}\b", line.text)), default=-1)


def _take(builder: PositionBuilder, kind: str, found: re.Match[str], value: Any, line: Line) -> None:
    match kind:
        case "xgid":
            builder.xgid, builder.xgid_span = value, line.span
            builder.roller = roller_of(value)
        case "names":
            builder.players = (found["x"].strip(), found["o"].strip())
        case "on_roll":
            builder.roller = "X" if found["letter"] == "X" else "O"
        case "play":
            builder.plays.append(PlayDraft(line, found["play"], found["level"], value))
        case "chances":
            (builder.plays[-1].chances if builder.plays else builder.chances).append(value)
        case "cubeless":
            builder.cubeless, builder.cubeless_taken = value
        case "equity" if len(builder.cube) < len(_ACTIONS):
            builder.cube[_ACTIONS[len(builder.cube)]] = value
        case "level":
            builder.level = builder.level or found["level"]
        case "program":
            builder.program = f"{PROGRAM} {found['version']}"
