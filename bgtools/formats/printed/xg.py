"""The text of a position with its analysis as eXtreme Gammon copies it. The grammar is ``grammars/xg_text.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.printed.position_text import PlayDraft, PositionDraft, finish, roller_of
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
    drafts: list[PositionDraft] = []
    stray: list[Line] = []
    for line in lines_of(source):
        if line.text.startswith("XGID="):
            drafts.append(PositionDraft())
        if drafts:
            drafts[-1].lines.append(line)
        else:
            stray.append(line)
    if not drafts:
        raise FormatError("this is not a position of eXtreme Gammon: no line begins with XGID=")
    for line in stray:
        drafts[0].unreadable(line, PROGRAM)
    for draft in drafts:
        _fill(draft)
    return tuple(finish(draft, source, rest=False) for draft in drafts)


def _fill(draft: PositionDraft) -> None:
    draft.program = PROGRAM
    above = True
    last = _last_equity(draft)
    for number, line in enumerate(draft.lines):
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
                draft.unreadable(line, PROGRAM)
            else:
                draft.marks.append(line.span)
            continue
        if kind != "xgid":
            draft.marks.append(line.span)
        above = above and kind != "board"
        _take(draft, kind, found, told, line)


def _last_equity(draft: PositionDraft) -> int:
    """The index of the last line with an equity; lines of words may follow it. -1 where there is none."""
    return max((n for n, line in enumerate(draft.lines) if re.search(r"[-+]\d+[.,]\d{3}\b", line.text)), default=-1)


def _take(draft: PositionDraft, kind: str, found: re.Match[str], value: Any, line: Line) -> None:
    match kind:
        case "xgid":
            draft.xgid, draft.xgid_span = value, line.span
            draft.roller = roller_of(value)
        case "names":
            draft.names = {"X": found["x"].strip(), "O": found["o"].strip()}
        case "on_roll":
            draft.roller = "X" if found["letter"] == "X" else "O"
        case "play":
            draft.plays.append(PlayDraft(line, found["play"], found["level"], value))
        case "chances":
            (draft.plays[-1].chances if draft.plays else draft.chances).append(value)
        case "cubeless":
            draft.cubeless, draft.cubeless_taken = value
        case "equity" if len(draft.cube) < len(_ACTIONS):
            draft.cube[_ACTIONS[len(draft.cube)]] = value
        case "level":
            draft.level = draft.level or found["level"]
        case "program":
            draft.program = f"{PROGRAM} {found['version']}"
