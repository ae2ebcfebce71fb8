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
    ("play", r"\d+\. +(?P<level>XG Roller\++|\S.*?(?=  )) +(?P<play>\S.*?) +\w+\s*[:：]\s*(?P<field>[-+]\d.*)"),
    ("chances", r"\S.*?[:：]\s*(?P<field>\d+[.,]\d+%\s*\(.*)"),
    ("cubeless", r"\S.*?[:：][^=]*=(?P<field>[-+]\d.*)"),
    ("equity", r"\S.*?[:：]\s*(?P<field>[-+]\d+[.,]\d+.*)"),
    ("program", r"eXtreme Gammon Version:\s*(?P<version>[^,\s]+).*"),
    ("level", r".*?\b(?P<level>XG Roller\+*|\d-ply(?: red)?|Rollout|Opening Book).*"),
    ("cube", r"\w+\s*[:：]\s*\d+(?:\s*,.*)?"),
    ("on_roll", r"(?P<letter>[XO])\b(?!-).*"),
)
_ANSWER: Final = re.compile(r"[:\uff1a]\s*\S|\S\s*/\s*\S")
"""The right action behind the figures of a cube decision, in any language."""
_SCORE: Final = re.compile(r"\bX\s*[:\uff1a]\s*\d")
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
    builder.rows, builder.remarks, last = _parted(builder.rows)
    for number, line in enumerate(builder.rows):
        kind, found = _LAYOUTS.of(line.text)
        told: Any = found.groupdict().get("field") if found else None
        if told is not None and kind != "xgid":
            told = PARSER.parse(told, "equity" if kind == "play" else kind)
            if isinstance(told, Stop):
                found = None
        if found is None:
            # Lines in the user's language stand above the board (the score), above figures, and behind them.
            wordy = above or number > last or not re.search(r"\d", line.text)
            following = builder.rows[number + 1 : number + 2]
            is_heading = any(_LAYOUTS.of(each.text)[0] in ("equity", "cubeless") for each in following)
            if kind or not wordy:
                builder.unreadable_row(line, PROGRAM)
            elif number > last or is_heading or _SCORE.search(line.text):
                builder.marks.append(line.span)
            else:
                builder.remarks.append([line])
            continue
        if kind != "xgid":
            builder.marks.append(line.span)
        above = above and kind != "board"
        _take(builder, kind, found, told, line)


def _parted(rows: list[Line]) -> tuple[list[Line], list[list[Line]], int]:
    """The lines that the program writes, and the paragraphs that the player has written: behind the last figure of the
    analysis, or without one behind who is on roll; and where that is. The right cube action follows its figures.
    """
    kinds = [_LAYOUTS.of(line.text)[0] for line in rows]
    begin = kinds.index("on_roll") if "on_roll" in kinds else len(kinds)
    end = next((at for at in range(len(kinds) - 1, begin, -1) if kinds[at] == "program"), len(kinds))
    last = max((at for at in range(begin, end) if _is_figure(rows[at])), default=begin)
    paragraphs: list[list[Line]] = []
    for at in range(last + 1, len(rows)):
        if at == end:
            continue
        if at in (last + 1, end + 1) or rows[at].number > rows[at - 1].number + 1:
            paragraphs.append([])
        paragraphs[-1].append(rows[at])
    if paragraphs and kinds[last] == "equity" and _ANSWER.search(paragraphs[0][0].text):
        has_share = len(paragraphs[0]) > 1 and "%" in paragraphs[0][1].text
        paragraphs[0] = paragraphs[0][1 + has_share :]
        paragraphs = [each for each in paragraphs if each]
    written = {line.number for paragraph in paragraphs for line in paragraph}
    return [line for line in rows if line.number not in written], paragraphs, last


def _is_figure(line: Line) -> bool:
    """Whether a line holds a figure of an analysis and nothing else."""
    kind, found = _LAYOUTS.of(line.text)
    if found is None or kind not in ("play", "chances", "cubeless", "equity"):
        return False
    return not isinstance(PARSER.parse(found["field"], "equity" if kind == "play" else kind), Stop)


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
