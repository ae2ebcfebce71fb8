"""Match text: what each cell and line says. The grammar is ``grammars/mat.lark``.

Its terminals are read from there as patterns. A cell or a line is a few of them in a row, and needs no parser. Lark
says of a cell that cannot be read what could stand there. A test holds both to the same answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools.board.board import BAR, OFF
from bgtools.board.play import HopText, PlayText, moves
from bgtools.formats.shared.grammar import make_parser, terminals

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Lark, UnexpectedInput

    from bgtools.board.board import Dice

STARTS = ("cell", "length_line", "game_line", "score_line", "tag_line", "set_position_line")


class RollCell(NamedTuple):
    """Dice, and what was played; ``conceded`` when the game was given up after the roll."""

    dice: Dice
    text: PlayText
    conceded: bool = False


@dataclass(frozen=True, slots=True)
class CubeCell:
    """A cube action; ``value`` is the value of the cube that it claims, if any."""

    action: Literal["double", "beaver", "raccoon", "automatic", "take", "drop"]
    value: int | None = None


@dataclass(frozen=True, slots=True)
class ResignCell:
    """The game, or with ``match`` the whole match, is given up."""

    match: bool = False
    vanished: bool = False
    """True for question marks: somebody left, or nobody saw the roll."""


@dataclass(frozen=True, slots=True)
class ResultCell:
    """A claim about the result; ``won`` is False for "Losses"."""

    won: bool
    points: int | None
    match: bool


Cell = RollCell | CubeCell | ResignCell | ResultCell


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A cell that breaks the grammar: the offset where it does, the word there, and what could stand there."""

    at: int
    found: str
    expected: tuple[str, ...]


class ScoreText(NamedTuple):
    """A name on a score line, with its points if any; ``start`` and ``end`` are offsets in the line."""

    name: str
    rating: str
    points: int | None
    start: int
    end: int


# --- patterns -------------------------------------------------------------------------------

TERMINALS: Final = terminals("mat")
"""The terminals of the grammar, as regular expressions without groups."""
# As to Lark, a terminal that is found is not tried again with fewer characters.
_T: Final = {name: f"(?>{pattern})" for name, pattern in TERMINALS.items()}
_BLANKS: Final = f"{_T['BLANKS']}?"
_EDGE: Final = r"(?:(?<!\w)|(?!\w))"
"""The end of a whole word."""
_ROLL: Final = f"(?:{_T['DICE']}|{_T['BARE_DICE']})"
_NUMBER: Final = f"(?P<number>{_T['NUMBER']})"
_VALUE: Final = f"(?:{_T['ARROW']}?{_BLANKS}{_NUMBER})?"
_WHOLE: Final = f"(?P<whole>{_T['WHOLE_MATCH']})?"
_POINTS: Final = f"(?:{_NUMBER}{_BLANKS}{_T['POINTS']}?)?{_BLANKS}{_T['KIND']}?{_BLANKS}{_WHOLE}"
FIRST_WORDS: Final = (
    "DICE", "BARE_DICE", "DOUBLES", "BEAVERS", "RACCOONS", "AUTOMATIC", "TAKES", "DROPS", "CONCEDES", "FORFEITS",
    "UNKNOWN", "WINS", "LOSES",
)  # fmt: skip
"""The terminals that a cell can begin with."""
CELL: Final = f"(?:{'|'.join(_T[each] for each in FIRST_WORDS)}){_EDGE}"
"""What a cell can begin with, as whole words."""
PLAY: Final = f"(?:{'|'.join((_T['HOPS'], _T['DANCE'], _T['UNKNOWN'], '(?i:illegal play)', _T['CONCEDES']))}){_EDGE}"
"""What a play can begin with, as whole words."""
FIRST_WORD: Final = re.compile(CELL)
DICE: Final = re.compile(f"{_ROLL}{_EDGE}")
"""The beginning of a roll."""
_BETWEEN: Final = re.compile(_BLANKS)
_GROUP: Final = re.compile(f"(?P<hops>{_T['HOPS']})(?:{_BLANKS}(?P<repeat>{_T['REPEAT']}))?")
_RATED = re.compile(r"^(?P<name>.*),\s*(?P<rating>\d{2,4}(?:[.,]\d+)?)$")
_REMEMBERED = 100  # characters of a cell or line; longer ones are odd, and would fill the memory


def _in_a_row(*parts: str) -> re.Pattern[str]:
    """A pattern of a whole cell or line: parts with blanks between them."""
    return re.compile(f"{_BLANKS}{_BLANKS.join(parts)}{_BLANKS}")


def _number(found: re.Match[str]) -> int | None:
    number = found.groupdict().get("number")
    return None if number is None else int(number)


def _is_of_match(found: re.Match[str]) -> bool:
    """Whether the words speak of the whole match, as in "Wins 2 points and the match"."""
    return (found["whole"] or "").casefold().endswith("match")


def _dice(found: re.Match[str]) -> Dice:
    return int(found["dice"][0]), int(found["dice"][1])


def _roll(kind: Literal["nothing", "dance", "unknown"], *, conceded: bool = False) -> Callable[[re.Match[str]], Cell]:
    return lambda found: RollCell(_dice(found), PlayText(kind), conceded)


def _cube(
    action: Literal["double", "beaver", "raccoon", "automatic", "take", "drop"],
) -> Callable[[re.Match[str]], Cell]:
    return lambda found: CubeCell(action, _number(found))


_ROLLED: Final = f"(?P<dice>{_ROLL})"
_CELLS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Cell]], ...]] = (
    (_in_a_row(_ROLLED), _roll("nothing")),
    (_in_a_row(_ROLLED, _T["DANCE"]), _roll("dance")),
    (_in_a_row(_ROLLED, _T["UNKNOWN"]), _roll("unknown")),
    (_in_a_row(_ROLLED, _T["CONCEDES"]), _roll("nothing", conceded=True)),
    (
        _in_a_row(_ROLLED, "(?i:illegal play)", f"(?P<dump>{_T['DUMP']})"),
        lambda found: RollCell(_dice(found), PlayText("illegal", dump=found["dump"][1:-1])),
    ),
    (_in_a_row(_T["DOUBLES"], _VALUE), _cube("double")),
    (_in_a_row(_T["BEAVERS"], _VALUE), _cube("beaver")),
    (_in_a_row(_T["RACCOONS"], _VALUE), _cube("raccoon")),
    (_in_a_row(_T["AUTOMATIC"], f"(?:{_T['ARROW']}{_BLANKS}{_NUMBER})?"), _cube("automatic")),
    (_in_a_row(_T["TAKES"]), _cube("take")),
    (_in_a_row(_T["DROPS"]), _cube("drop")),
    (
        _in_a_row(f"(?:{_T['CONCEDES']}|{_T['FORFEITS']})", _WHOLE),
        lambda found: ResignCell(match=_is_of_match(found)),
    ),
    (_in_a_row(_T["UNKNOWN"]), lambda found: ResignCell(vanished=True)),
    (_in_a_row(_T["WINS"], _POINTS), lambda found: ResultCell(True, _number(found), _is_of_match(found))),
    (_in_a_row(_T["LOSES"], _POINTS), lambda found: ResultCell(False, _number(found), _is_of_match(found))),
)
"""The kinds of cells without hops: a pattern of the whole cell, and what it says."""

_LINES: Final[dict[str, tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], object]], ...]]] = {
    "length_line": (
        (_in_a_row(_NUMBER, _T["POINT_MATCH"]), _number),
        (_in_a_row("(?i:match of)", _NUMBER, f"{_T['POINTS']}?"), _number),
        (_in_a_row(_T["MONEY"]), lambda found: 0),
    ),
    "game_line": ((_in_a_row(_T["GAME"], _NUMBER), _number),),
    "score_line": (
        (
            _in_a_row(f"(?P<left>{_T['SCORE']})", f"(?P<right>{_T['SCORE']})"),
            lambda found: (_score(found, "left"), _score(found, "right")),
        ),
    ),
    "tag_line": (
        (
            _in_a_row(_T["MARK"], r"\[", f"(?P<key>{_T['KEY']})", f"(?P<quoted>{_T['QUOTED']})", r"\]"),
            lambda found: (found["key"].strip(), found["quoted"][1:-1]),
        ),
    ),
    "set_position_line": (
        (
            _in_a_row(_T["MARK"], "(?i:set pos)", "=", f"(?P<board>{_T['BOARD']})", "/", f"(?P<cube>{_T['CUBE']})"),
            lambda found: (found["board"], int(found["cube"])),
        ),
    ),
}
"""The kinds of lines, each with its forms."""


def _score(found: re.Match[str], group: str) -> ScoreText:
    before, _, points = found[group].rpartition(":")
    name, rating = before.strip(), ""
    if rated := _RATED.match(name):
        name, rating = rated["name"].strip(), rated["rating"]
    return ScoreText(name, rating, int(points), found.start(group), found.end(group))


# --- reading --------------------------------------------------------------------------------


def parse_cell(text: str) -> Cell | Unreadable:
    """Parse one cell."""
    return _any_cell(text) if len(text) > _REMEMBERED else _remembered_cell(text)


def _any_cell(text: str) -> Cell | Unreadable:
    return _readable_cell(text) or why_unreadable(text)


_remembered_cell = lru_cache(maxsize=1 << 15)(_any_cell)
"""Equal texts are parsed once, because the same few thousand rolls recur in every match."""


@lru_cache(maxsize=1 << 15)
def plain_cell(text: str) -> Cell | None:
    """A cell that can be read; None for any other, and for an illegal play.

    The brackets of a play that Snowie calls illegal may hold anything, even what looks like another cell.
    """
    cell = _readable_cell(text) if FIRST_WORD.match(text) else None
    return None if isinstance(cell, RollCell) and cell.text.kind == "illegal" else cell


def _readable_cell(text: str) -> Cell | None:
    dice = DICE.match(text)
    if dice is not None and (play := _hops(text, dice.end())):
        return RollCell((int(text[0]), int(text[1])), play)
    for pattern, meaning in _CELLS:
        if found := pattern.fullmatch(text):
            return meaning(found)
    return None


def beginning(text: str) -> tuple[Cell, str] | None:
    """The longest beginning of a cell that can be read, and what is left behind it; None where no beginning can."""
    best: tuple[Cell, int] | None = None
    dice = DICE.match(text)
    if dice is not None:
        groups = _groups(text, dice.end())
        while groups and not _is_parted(text, groups[-1].end):
            groups.pop()
        if (play := _play(groups)) is not None:
            best = RollCell((int(text[0]), int(text[1])), play), groups[-1].end
    for pattern, meaning in _CELLS if best is None else ():
        found = pattern.match(text)
        if found and (best is None or len(found[0].rstrip()) > best[1]) and _is_parted(text, len(found[0].rstrip())):
            best = meaning(found), len(found[0].rstrip())
    if best is None or (isinstance(best[0], RollCell) and best[0].text.kind not in ("moves", "dance")):
        return None
    return best[0], text[best[1] :]


def _is_parted(text: str, at: int) -> bool:
    """Whether what is behind a place begins a new word."""
    return text[at : at + 1] not in ("/", "*", "-") and not text[at : at + 1].isalnum()


_UNPLAYED: Final = (OFF, OFF)
"""The points of a group "0/0", which some write for a number that could not be played."""


def _hops(text: str, at: int) -> PlayText | None:
    """The hops that follow the dice; None where anything else does."""
    groups, begin = [], at
    for word in text[at:].split(" "):
        if word:  # there may be two blanks
            group = _plain_group(word, at)
            if group is None:
                return _odd_hops(text, begin)
            groups.append(group)
        at += len(word) + 1
    return _play(groups)


def _odd_hops(text: str, at: int) -> PlayText | None:
    """The same from a place on where no plain word begins: a count behind a blank, other blanks, or none."""
    groups = _groups(text, at)
    end = groups[-1].end if groups else at
    return _play(groups) if _BETWEEN.fullmatch(text, end) else None


def _groups(text: str, at: int) -> list[HopText]:
    """The groups that follow one another from a place on."""
    groups: list[HopText] = []
    while (found := _GROUP.match(text, _BETWEEN.match(text, at).end())) is not None:  # type: ignore[union-attr]
        at = found.end()
        groups.append(_hop_text(found["hops"], found["repeat"], found.start(), at))
    return groups


def _play(groups: list[HopText]) -> PlayText | None:
    return moves(tuple([group for group in groups if group.points != _UNPLAYED])) if groups else None


@lru_cache(maxsize=1 << 14)
def _plain_group(word: str, at: int) -> HopText | None:
    """One group that begins ``at`` characters behind the beginning of its cell."""
    found = _GROUP.fullmatch(word)
    return None if found is None else _hop_text(found["hops"], found["repeat"], at, at + len(word))


def _hop_text(hops: str, repeat: str | None, start: int, end: int) -> HopText:
    points: list[int] = []
    stars: list[bool] = []
    for part in hops.split("/"):
        plain = part.rstrip("*").casefold()
        points.append(BAR if plain == "bar" else OFF if plain == "off" else int(plain))
        stars.append(part.endswith("*"))
    if repeat is not None:
        stars[-1] = stars[-1] or repeat.endswith("*")
    return HopText(tuple(points), tuple(stars[1:]), 1 if repeat is None else int(repeat[1]), start, end)


def parse_line(text: str, start: str) -> Any:
    """The value of a line by a start rule of the grammar; None where the line does not fit the rule."""
    for pattern, meaning in _LINES[start]:
        if found := pattern.fullmatch(text):
            return meaning(found)
    return None


# --- what cannot be read --------------------------------------------------------------------

# The terminals of the grammar in words, for messages.
_NAMES = {
    "HOPS": "a move such as 8/5",
    "REPEAT": "a count such as (2)",
    "DICE": "dice such as 31:",
    "DANCE": "Cannot Move",
    "UNKNOWN": "????",
    "DUMP": "a position in brackets",
    "DOUBLES": "Doubles",
    "BEAVERS": "Beavers",
    "RACCOONS": "Raccoons",
    "AUTOMATIC": "Automatic",
    "TAKES": "Takes",
    "DROPS": "Drops",
    "CONCEDES": "Resigns",
    "FORFEITS": "Forfeits",
    "WINS": "Wins",
    "LOSES": "Losses",
    "POINTS": "points",
    "KIND": "gammon or backgammon",
    "WHOLE_MATCH": "and the match",
    "ARROW": "=>",
    "NUMBER": "a number",
    "$END": "the end of the cell",
}


@cache
def _parser() -> Lark:
    return make_parser("mat", STARTS)


def why_unreadable(text: str) -> Unreadable:
    """Where a cell breaks the grammar, and what could stand there."""
    from lark import UnexpectedInput

    try:
        _parser().parse(text, start="cell")
    except UnexpectedInput as error:
        return _unreadable(error, text)
    return Unreadable(0, text.split()[0], ())


def _unreadable(error: UnexpectedInput, text: str) -> Unreadable:
    from lark import UnexpectedCharacters, UnexpectedToken

    at = len(text)
    expected: set[str] = set()
    if isinstance(error, UnexpectedCharacters):
        at, expected = error.pos_in_stream or 0, set(error.allowed or ())
    elif isinstance(error, UnexpectedToken):
        if error.token.type != "$END":
            at = error.token.start_pos or 0
        expected = set(error.accepts or error.expected)
    words = text[at:].split()
    names = dict.fromkeys(_NAMES[name] for name in _NAMES if name in expected)
    return Unreadable(at, words[0] if words else "", tuple(names))
