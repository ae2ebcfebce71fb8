"""The lines of GNU Backgammon's analysis text, one by one. The grammar is ``grammars/gnubg_text.lark``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from bgtools.formats.shared.grammar import terminals
from bgtools.formats.shared.lines import LineKinds, LineParser, Stop

if TYPE_CHECKING:
    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.record.annotation import Unit


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score before the game, by player, and the number of games before it."""

    names: tuple[str, str]
    score: tuple[int, int]
    games: int
    length: int
    jacoby: bool


@dataclass(frozen=True, slots=True)
class DecisionHeading:
    """What a decision is about: a roll, a double to offer, or one to answer."""

    kind: Literal["to_play", "on_roll", "doubled"]
    dice: Dice | None = None
    value: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerAction:
    """What a player did; ``play_at`` is the offset of the play in its line."""

    kind: str
    actor: str
    play: str = ""
    play_at: int = 0


@dataclass(frozen=True, slots=True)
class CandidateLine:
    """A candidate; ``difference`` is that to the best play, 0 or less."""

    chosen: bool
    level: str
    play: str
    value: float
    unit: Unit
    difference: float


@dataclass(frozen=True, slots=True)
class CubeChoice:
    """A cube action with its value; ``difference`` is that to the best action."""

    name: Literal["no double", "take", "pass", "beaver"]
    value: float
    unit: Unit
    difference: float


def _number(text: str) -> tuple[float, Unit]:
    """A figure with its unit: with a per cent sign, a match winning chance, or else an equity."""
    plain = text.strip("() ")
    if plain.endswith("%"):
        return float(plain[:-1]) / 100, "mwc"
    return float(plain), "emg"


def _difference(text: str | None) -> float:
    return 0.0 if text is None else _number(text)[0]


class _GnubgLinesBuilder:
    def points(self, number: Token, _points: Token) -> tuple[int, bool]:
        return int(number), False

    def money(self, jacoby: Token | None = None) -> tuple[int, bool]:
        return 0, jacoby is not None and "without" not in jacoby

    def to_play(self, dice: Token) -> DecisionHeading:
        return DecisionHeading("to_play", dice=(int(dice[0]), int(dice[1])))

    def on_roll(self) -> DecisionHeading:
        return DecisionHeading("on_roll")

    def doubled(self, value: Token) -> DecisionHeading:
        return DecisionHeading("doubled", value=int(value))

    def moves(self, written: Token) -> PlayerAction:
        return PlayerAction("moves", "", str(written), written.start_pos or 0)

    def dances(self) -> PlayerAction:
        return PlayerAction("dances", "")

    def doubles(self) -> PlayerAction:
        return PlayerAction("doubles", "")

    def beavers(self) -> PlayerAction:
        return PlayerAction("beavers", "")

    def raccoons(self) -> PlayerAction:
        return PlayerAction("raccoons", "")

    def accepts(self) -> PlayerAction:
        return PlayerAction("accepts", "")

    def rejects(self) -> PlayerAction:
        return PlayerAction("rejects", "")

    def resigns(self, how: Token | None = None) -> PlayerAction:
        return PlayerAction("resigns", "", str(how or ""))

    def cubeless(self, equity: Token, _money: Token | None = None) -> tuple[float, Unit]:
        return _number(equity)

    def choice(self, choice: Token, equity: Token, difference: Token | None = None) -> CubeChoice:
        words = choice.casefold()
        name = "no double" if words.startswith("no") else words.split(", ")[1]
        value, unit = _number(equity)
        return CubeChoice(
            cast('Literal["no double", "take", "pass", "beaver"]', name), value, unit, _difference(difference)
        )

    def alert(self, alert: Token, difference: Token | None = None) -> tuple[str, float | None]:
        return alert.strip(" !"), None if difference is None else _difference(difference)

    def rolled(self, _dice: Token, luck: Token | None = None) -> float | None:
        return None if luck is None else _difference(luck)


_STARTS: Final = ("length", "decision", "action", "cubeless", "choice", "alert", "rolled")
PARSER: Final = LineParser("gnubg_text", _STARTS, _GnubgLinesBuilder)
FIELDS: Final = (*_STARTS, "equity", "figures")
"""The kinds of lines whose fields are parsed."""
_TERMINALS: Final = terminals("gnubg_text")
# Candidates come by the thousand. Their figures are terminals in a row, and need no parser.
_EQUITY: Final = re.compile(rf"({_TERMINALS['EQUITY']})[ \t]*({_TERMINALS['DIFFERENCE']})?")
_FIGURES: Final = re.compile(r"[ \t]*-[ \t]*".join([r"[ \t]*".join([f"({_TERMINALS['FIGURE']})"] * 3)] * 2))


def parse_field(text: str, kind: str) -> Any:
    """The value of the field of a line; a `Stop` where it breaks the grammar."""
    if kind == "equity":
        found = _EQUITY.fullmatch(text)
        return Stop(0) if found is None else (*_number(found[1]), _difference(found[2]))
    if kind == "figures":
        found = _FIGURES.fullmatch(text)
        if found is None:
            return Stop(0)
        win, gammon, backgammon, _lose, lost_gammon, lost_backgammon = (abs(float(each)) for each in found.groups())
        return win, gammon, backgammon, lost_gammon, lost_backgammon
    return PARSER.parse(text, kind)


LAYOUTS: Final = LineKinds(
    (
        "length",
        (
            r"The score \(after (?P<games>\d{1,9}) games?\) is: (?P<one>\S.*?) (?P<mine>\d{1,9}), "
            r"(?P<two>\S.*?) (?P<theirs>\d{1,9}) \((?P<field>[^)]*)\).*"
        ),
    ),
    ("decision", r"Move number \d+: +(?P<name>\S.*?) (?P<field>to play|on roll|doubles to).*"),
    ("annotation", r"Annotation:"),
    ("id", r"GNU Backgammon +Position ID: (?P<position>\S+)|Match ID +: (?P<match>\S+)"),
    (
        "equity",
        r"(?P<chosen>\* +)?(?:\d+\.|\?\?) +(?P<level>\S.*?)  +(?P<play>\S.*?) +(?:Eq\.|MWC)\s*: *(?P<field>.*)",
    ),
    ("choice", r"\d+\. (?P<field>.*)"),
    ("figures", r"(?P<field>-?\d\.\d+ .*)"),
    ("cubeless", r"(?P<level>\S.*?) (?P<field>cubeless (?:equity|MWC).*)"),
    ("rolled", r"Rolled (?P<field>\d\d.*)"),
    ("alert", r"Alert: (?P<field>.*)"),
    ("marked", r"\[(?P<field>[a-z ]+)\]"),
    ("", r"\* +(?:Cannot move|(?:bar|\d{1,2})/[\w/*() ]+)"),
    (
        "action",
        (
            r"\* +(?P<name>\S.*?) "
            r"(?P<field>moves \S.*|cannot move|(?:re)?doubles|beavers|raccoons|accepts|rejects|resigns.*)"
        ),
    ),
    ("result", r"(?P<name>\S.*?) wins (?P<field>\d{1,9}) points?"),
    ("", r"(?:Match Information:|Cube analysis|Cubeful equities:|Proper cube action:|Pip counts:).*"),
    ("", r"(?:[v^]?\||\+(?:13|12|24|1)-).*"),
)
"""The kinds of lines, with a pattern for each. `parse_field` reads the group ``field``. Lines of kind "" are layout."""
INFORMATION: Final = re.compile(r"(?P<key>[A-Z][^:]*): *(?P<field>.*)")
"""A line below "Match Information:"."""
STATISTICS: Final = re.compile(r"(Game|Match|Session) statistics|Output generated|by GNU Backgammon")
"""The beginning of the end of the text, which is not read: statistics, and the name of the program."""
VERSION: Final = re.compile(r"^ by GNU Backgammon (\S+)", re.MULTILINE)
