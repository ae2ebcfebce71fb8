"""Match text: what each cell and line says. The grammar is ``grammars/mat.lark``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools.board.board import BAR, OFF
from bgtools.board.play import HopText, PlayText, moves
from bgtools.formats.shared.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lark import Lark, UnexpectedInput

    from bgtools.board.board import Dice
    from bgtools.formats.shared.grammar import Word

STARTS = ("cell", "length_line", "game_line", "score_line", "tag_line", "set_position_line")
GRAMMAR = Grammar("mat", STARTS)


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


_RATED = re.compile(r"^(?P<name>.*),\s*(?P<rating>\d{2,4}(?:[.,]\d+)?)$")


class _Meanings:
    """The meaning of each rule of the grammar: a method with the name of the rule takes the symbols of the rule.

    A symbol is the `Word` of a terminal or the value of a rule. A symbol that is missing is None, or left out.
    """

    def group(self, words: Sequence[Word]) -> HopText:
        return _hop_text(words[0], words[1] if len(words) > 1 else None, words[0].start_pos, words[-1].end_pos)

    def play(self, groups: Sequence[HopText]) -> PlayText:
        return _moves(groups)

    def dance(self, _words: Sequence[Word]) -> PlayText:
        return PlayText("dance")

    def unknown(self, _words: Sequence[Word]) -> PlayText:
        return PlayText("unknown")

    def illegal(self, words: Sequence[Word]) -> PlayText:
        return PlayText("illegal", dump=words[0][1:-1])

    def conceded(self, _words: Sequence[Word]) -> Literal["conceded"]:
        return "conceded"

    def roll(self, symbols: Sequence[Any]) -> RollCell:
        dice, *played = symbols
        text = played[0] if played else None
        if isinstance(text, PlayText):
            return RollCell((int(dice[0]), int(dice[1])), text)
        return RollCell((int(dice[0]), int(dice[1])), PlayText("nothing"), conceded=text is not None)

    def double(self, words: Sequence[Word | None]) -> CubeCell:
        return CubeCell("double", _number(words))

    def beaver(self, words: Sequence[Word | None]) -> CubeCell:
        return CubeCell("beaver", _number(words))

    def raccoon(self, words: Sequence[Word | None]) -> CubeCell:
        return CubeCell("raccoon", _number(words))

    def automatic(self, words: Sequence[Word | None]) -> CubeCell:
        return CubeCell("automatic", _number(words))

    def take(self, _words: Sequence[Word]) -> CubeCell:
        return CubeCell("take")

    def drop(self, _words: Sequence[Word]) -> CubeCell:
        return CubeCell("drop")

    def resignation(self, words: Sequence[Word | None]) -> ResignCell:
        return ResignCell(match=_is_of_match(words))

    def vanished(self, _words: Sequence[Word]) -> ResignCell:
        return ResignCell(vanished=True)

    def wins(self, words: Sequence[Word | None]) -> ResultCell:
        return ResultCell(True, _number(words), _is_of_match(words))

    def loses(self, words: Sequence[Word | None]) -> ResultCell:
        return ResultCell(False, _number(words), _is_of_match(words))

    def points(self, words: Sequence[Word]) -> int:
        return int(words[0])

    def money(self, _words: Sequence[Word]) -> int:
        return 0

    def game_line(self, words: Sequence[Word]) -> int:
        return int(words[1])

    def score_line(self, words: Sequence[Word]) -> tuple[ScoreText, ScoreText]:
        left, right = words
        return _score(left), _score(right)

    def tag_line(self, words: Sequence[Word]) -> tuple[str, str]:
        _mark, key, quoted = words
        return key.strip(), quoted[1:-1]

    def set_position_line(self, words: Sequence[Word]) -> tuple[str, int]:
        _mark, board, cube = words
        return str(board), int(cube)


_MEANINGS = _Meanings()


def _number(words: Iterable[Word | None]) -> int | None:
    """The number among the words of a rule."""
    return next((int(word) for word in words if word is not None and word.type == "NUMBER"), None)


def _is_of_match(words: Iterable[Word | None]) -> bool:
    """Whether the words of a rule speak of the whole match, as in "Wins 2 points and the match"."""
    return any(word is not None and word.type == "WHOLE_MATCH" and word.casefold().endswith("match") for word in words)


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


_UNPLAYED: Final = (OFF, OFF)
"""The points of a group "0/0", which some write for a number that could not be played."""


def _moves(groups: Sequence[HopText]) -> PlayText:
    return moves(tuple([group for group in groups if group.points != _UNPLAYED]))


def _score(word: Word) -> ScoreText:
    before, _, points = word.rpartition(":")
    name, rating = before.strip(), ""
    if rated := _RATED.match(name):
        name, rating = rated["name"].strip(), rated["rating"]
    return ScoreText(name, rating, int(points), word.start_pos, word.start_pos + len(word))


@cache
def parser() -> Lark:
    """The parser of match text. It is made once a process, when the first text needs it."""
    return GRAMMAR.parser(_MEANINGS)


def parse_cell(text: str) -> Cell | Unreadable:
    """Parse one cell."""
    if len(text) > _REMEMBERED:
        return _odd_cell(text)
    return plain_cell(text) or _remembered(text)


def parse_by_grammar(text: str, start: str = "cell") -> Any:
    """Parse a cell or line with Lark, by a start rule of the grammar; a text that breaks it becomes `Unreadable`."""
    from lark import UnexpectedInput

    try:
        return parser().parse(text, start=start)
    except UnexpectedInput as error:
        return _unreadable(error, text)


_REMEMBERED = 100  # characters of a cell or line; longer ones are odd, and would fill the memory


def _odd_cell(text: str) -> Cell | Unreadable:
    # Lark comes last: to import it takes as long as to read forty matches.
    return GRAMMAR.value(text, "cell", _MEANINGS) or parse_by_grammar(text)  # type: ignore[no-any-return]


_remembered = lru_cache(maxsize=1 << 10)(_odd_cell)

# --- without Lark ---------------------------------------------------------------------------


@lru_cache(maxsize=1 << 15)
def plain_cell(text: str) -> Cell | None:
    """A cell that needs no parser, as most do not: a plain roll, or words. None for any other.

    Equal texts are parsed once, because the same few thousand rolls recur in every match.
    """
    if roll := plain_roll(text):
        return roll
    if begin_pattern().match(text) is None:
        return None
    cell: Cell | None = GRAMMAR.value(text, "cell", _MEANINGS)
    # The brackets of a play that Snowie calls illegal may hold anything, even what looks like another cell.
    return None if isinstance(cell, RollCell) and cell.text.kind == "illegal" else cell


@cache
def begin_pattern() -> re.Pattern[str]:
    """A pattern of the beginning of a cell."""
    return re.compile(GRAMMAR.first_pattern("cell"))


def plain_roll(text: str) -> RollCell | None:
    """A cell of dice and groups with blanks between them; None for any other.

    The parser would find the same in six times the time. The patterns of dice and groups come from the grammar here
    too.
    """
    dice = dice_pattern().match(text)
    if dice is None or not text.startswith(" ", dice.end()):
        return None
    groups = []
    at = dice.end() + 1
    for word in text[at:].split(" "):
        if word:  # there may be two blanks
            group = _plain_group(word, at)
            if group is None:
                return None
            groups.append(group)
        at += len(word) + 1
    if not groups:
        return None
    return RollCell((int(text[0]), int(text[1])), _moves(groups))


@cache
def dice_pattern() -> re.Pattern[str]:
    """A pattern of the beginning of a roll."""
    return re.compile(GRAMMAR.first_pattern("roll"))


@lru_cache(maxsize=1 << 14)
def _plain_group(word: str, at: int) -> HopText | None:
    """One group that begins ``at`` characters behind the beginning of its cell."""
    match = GRAMMAR.pattern("HOPS", "REPEAT?").fullmatch(word)
    return None if match is None else _hop_text(match["HOPS"], match["REPEAT"], at, at + len(word))


def parse_line(text: str, start: str) -> Any:
    """The value of a line by a start rule of the grammar; None where the line does not fit the rule."""
    # Headings and tags recur, score lines do not.
    if len(text) > _REMEMBERED or start == "score_line":
        return GRAMMAR.value(text, start, _MEANINGS)
    return _plain_line(text, start)


@lru_cache(maxsize=1 << 10)
def _plain_line(text: str, start: str) -> Any:
    return GRAMMAR.value(text, start, _MEANINGS)


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
