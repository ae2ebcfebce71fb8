"""The text of a position with its analysis as BGBlitz writes it. The grammar is ``grammars/bgblitz_text.lark``."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.printed.extras import ACTION, CUBEFUL, DEVIATION, WINNING
from bgtools.formats.printed.position_text import PlayDraft, PositionBuilder
from bgtools.formats.shared.lines import Line, LineKinds, LineParser, Stop, lines_of

if TYPE_CHECKING:
    from lark import Token

    from bgtools.formats.content import Content
    from bgtools.positions.pictures import Letter
    from bgtools.record.record import Match

PROGRAM: Final = "BGBlitz"
STARTS: Final = ("value", "figures", "chances", "action")


def _digits(text: str | None) -> str:
    return (text or "").strip("() ").replace(",", ".")


def _float(text: str) -> float:
    return float(_digits(text))


class _BgblitzBuilder:
    def value(self, chance: Token | None, equity: Token, _difference: Token | None = None) -> tuple[float, str]:
        return _float(equity), _digits(chance)

    def figures(self, *figures: Token) -> tuple[float, ...]:
        return tuple(map(_float, figures))

    def chances(self, *percent: Token) -> tuple[float, ...]:
        return tuple(round(_float(each) / 100, 6) for each in percent)

    def action(self, first: Token, one: Token, second: Token | None, _two: Token | None) -> tuple[float, str]:
        return (_float(first), "") if second is None else (_float(second), f"{_digits(first)} {_digits(one)}")


PARSER: Final = LineParser("bgblitz_text", STARTS, _BgblitzBuilder)


_NUMBER = r"-?\d+[.,]\d+"
# BGBlitz writes the standard deviation behind the cubeless equity; bgtools leaves out one that is not known.
_CUBELESS: Final = r"(?:cubeless|ohne Doppler|sans videau|キューブなし)"
_LAYOUTS: Final = LineKinds(
    ("rim", r"\+[-\d]+\+\s+(?P<letter>[XO]): (?P<name>.*?)\s+\d+"),
    ("", r"\+[-\d]+\+|v?\|.*\|(?:\s*(?:\+-+\+|\|\s*\d+\s*\|))?"),
    ("", r"Position-ID:.*"),
    ("xgid", r"(?P<field>XGID=\S+)"),
    ("play", rf"\d+\.\s+(?P<field>{_NUMBER}[^,]*?)\s\s+(?P<play>(?:\d+/|[Bb]ar|b/|-(?!\d)).*)"),
    ("figures", rf"(?P<field>{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}\s+-\s.*)"),
    ("action", rf"(?P<words>\S.*?)\s*[:：]\s*(?P<field>{_NUMBER}\s+\(.*\))"),
    ("chances", rf"(?:\S.*?\s+)?(?P<field>{_NUMBER}\s+{_NUMBER}\s+{_NUMBER})"),
    ("cubeless", rf"\S.*?\)\s*[:：]\s*(?P<number>{_NUMBER})\s+\S.*?[:：]\s*(?P<more>{_NUMBER})"),
    ("cubeless", rf"\S.*?{_CUBELESS}\)\s*[:：]\s*(?P<number>{_NUMBER})"),
    ("cubeful", rf"\S.*?\)\s*[:：]\s*(?P<number>{_NUMBER})"),
    ("dice", r"(?P<name>.*?)\s*\bto move(?: (?P<dice>[1-6]-[1-6]))?\.?"),
    ("", r".*?- \d+ .*?- \d+ in an? .*|\S.* game\.?|=+|.*\(EMG\)|.*\bEMG|\S+\s+G\S*\+\S*\s+BG|.*:\s*:.*"),
)
_NO_DOUBLE: Final = re.compile(r"no (re)?double|kein|pas de|せず|ノー", re.IGNORECASE)
_PASS: Final = re.compile(r"pass|drop|ablehn|refus|降り|パス", re.IGNORECASE)


def read(content: Content) -> tuple[Match, ...]:
    """Read a position.

    Raises:
        FormatError: there is no XGID in it.
    """
    source = content.source
    builder = PositionBuilder(source=source, rows=list(lines_of(source)), program=PROGRAM)
    for line, following in zip_longest(builder.rows, builder.rows[1:]):
        _take(builder, line, following)
    if not builder.xgid:
        raise FormatError("this is not a position of BGBlitz: no line begins with XGID=")
    if any(each.chance for each in builder.plays):
        builder.note_extras.append(
            (WINNING, " ".join(each.chance or "-" for each in builder.plays if each.play is not None))
        )
    if builder.roller == "X":
        builder.chances.reverse()  # the file lists the upper player first; the builder the one who may double
    builder.add_position(rest=True)
    return (builder.build(),)


def _take(builder: PositionBuilder, line: Line, following: Line | None) -> None:
    kind, found = _LAYOUTS.of(line.text)
    told: Any = None if found is None else _field_value(kind, found)
    if found is None:
        # A line without digits above the table of chances is its heading, in any language.
        is_above = following is not None and _LAYOUTS.of(following.text)[0] == "chances"
        if builder.xgid and is_above and not builder.chances and not re.search(r"\d", line.text):
            builder.marks.append(line.span)
        else:
            builder.unreadable_row(line, PROGRAM)
        return
    if isinstance(told, Stop):
        builder.unreadable_row(line, PROGRAM)
        return
    if kind != "xgid":
        builder.marks.append(line.span)
    match kind:
        case "rim":
            builder.name(0 if found["letter"] == "X" else 1, found["name"])
        case "xgid":
            builder.xgid, builder.xgid_span = told, line.span
        case "dice":
            builder.roller = _roller(builder, found["name"])
        case "play":
            builder.plays.append(PlayDraft(line, found["play"], "", told[0], chance=told[1]))
        case "figures" if builder.plays:
            builder.plays[-1].chances = [told[:3], told[3:]]
        case "chances":
            builder.chances.append(told)
        case "cubeless":
            builder.cubeless = _float(found["number"])
            if deviation := found.groupdict().get("more"):
                builder.note_extras.append((DEVIATION, _digits(deviation)))
        case "cubeful":
            builder.note_extras.append((CUBEFUL, _digits(found["number"])))
        case "action":
            value, chance = told
            name = _action(found["words"])
            builder.cube[name] = value
            if chance:
                builder.note_extras.append((ACTION + name.replace(" ", "-"), chance))


def _field_value(kind: str, found: re.Match[str]) -> Any:
    """The value of the field of a line by the grammar; the field itself where the grammar has no rule for it."""
    field: Any = found.groupdict().get("field")
    start = "value" if kind == "play" else kind
    return PARSER.parse(field, start) if start in STARTS else field


def _action(words: str) -> str:
    return "no double" if _NO_DOUBLE.search(words) else "pass" if _PASS.search(words) else "take"


def _roller(builder: PositionBuilder, name: str) -> Letter:
    """The letter of the player to move, by their name; where both or neither have that name, by the XGID."""
    if builder.players.count(name) == 1:
        return "X" if builder.players[0] == name else "O"
    return "O" if builder.xgid.split(":")[3:4] == ["-1"] else "X"
