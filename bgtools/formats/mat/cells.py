"""Match text: what the single cells and lines say. The grammar is ``grammars/mat.lark``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from lark import Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.grammar import Terminal

from bgtools.board import BAR, OFF, HopText, PlayText
from bgtools.formats.shared.grammar import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lark import Lark

    from bgtools.board import Dice


@dataclass(frozen=True, slots=True)
class RollCell:
    """Dice, and what was played; ``conceded`` when the game was given up after the roll."""

    dice: Dice
    text: PlayText
    conceded: bool = False


@dataclass(frozen=True, slots=True)
class CubeCell:
    """A cube action; ``value`` is the cube it claims, if it does."""

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
    """A cell that the grammar does not know: where it stops making sense, and what could stand there."""

    at: int
    found: str
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreText:
    """A name with its points, where they are told, on a score line; columns are offsets in the line."""

    name: str
    rating: str
    points: int | None
    start: int
    end: int


_RATED = re.compile(r"^(?P<name>.*),\s*(?P<rating>\d{2,4}(?:[.,]\d+)?)$")


@v_args(inline=True)
class _Build(Transformer[Token, "Cell"]):
    """Builds cells while the parser runs."""

    def group(self, hops: Token, repeat: Token | None = None) -> HopText:
        end = hops.end_pos if repeat is None else repeat.end_pos
        return _hop_text(hops, repeat, hops.start_pos or 0, end or 0)

    def play(self, *groups: HopText) -> PlayText:
        return _moves(groups)

    def dance(self, _words: Token) -> PlayText:
        return PlayText("dance")

    def unknown(self, _marks: Token) -> PlayText:
        return PlayText("unknown")

    def illegal(self, dump: Token) -> PlayText:
        return PlayText("illegal", dump=dump[1:-1])

    def conceded(self, word: Token) -> Token:
        return word

    def roll(self, dice: Token, text: PlayText | Token | None) -> RollCell:
        if isinstance(text, PlayText):
            return RollCell((int(dice[0]), int(dice[1])), text)
        return RollCell((int(dice[0]), int(dice[1])), PlayText("nothing"), conceded=text is not None)

    def double(self, _word: Token, _arrow: Token | None, value: Token | None) -> CubeCell:
        return CubeCell("double", None if value is None else int(value))

    def beaver(self, _word: Token, _arrow: Token | None, value: Token | None) -> CubeCell:
        return CubeCell("beaver", None if value is None else int(value))

    def raccoon(self, _word: Token, _arrow: Token | None, value: Token | None) -> CubeCell:
        return CubeCell("raccoon", None if value is None else int(value))

    def automatic(self, _word: Token, _arrow: Token | None, value: Token | None) -> CubeCell:
        return CubeCell("automatic", None if value is None else int(value))

    def take(self, _word: Token) -> CubeCell:
        return CubeCell("take")

    def drop(self, _word: Token) -> CubeCell:
        return CubeCell("drop")

    def resignation(self, _word: Token, whole: Token | None = None) -> ResignCell:
        return ResignCell(match=whole is not None and whole.casefold().endswith("match"))

    def vanished(self, _marks: Token) -> ResignCell:
        return ResignCell(vanished=True)

    def wins(self, _word: Token, *rest: Token | None) -> ResultCell:
        return _result(True, rest)

    def loses(self, _word: Token, *rest: Token | None) -> ResultCell:
        return _result(False, rest)

    def points(self, number: Token, *_rest: Token) -> int:
        return int(number)

    def money(self, _words: Token) -> int:
        return 0

    def game_line(self, _word: Token, number: Token) -> int:
        return int(number)

    def score_line(self, left: Token, right: Token) -> tuple[ScoreText, ScoreText]:
        return _score(left), _score(right)

    def tag_line(self, _mark: Token, key: Token, quoted: Token) -> tuple[str, str]:
        return key.strip(), quoted[1:-1]

    def set_position_line(self, _mark: Token, board: Token, cube: Token) -> tuple[str, int]:
        return str(board), int(cube)


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


def _moves(groups: Iterable[HopText]) -> PlayText:
    # "0/0" fills the place of a number that could not be played.
    return PlayText("moves", tuple(group for group in groups if group.points != (OFF, OFF)))


def _result(won: bool, rest: tuple[Token | None, ...]) -> ResultCell:
    points, match = None, False
    for token in rest:
        if token is None:
            continue
        if token.type == "NUMBER":
            points = int(token)
        elif token.type == "WHOLE_MATCH":
            match = token.casefold().endswith("match")
    return ResultCell(won, points, match)


def _score(token: Token) -> ScoreText:
    before, _, points = token.rpartition(":")
    name, rating = before.strip(), ""
    if rated := _RATED.match(name):
        name, rating = rated["name"].strip(), rated["rating"]
    start = token.start_pos or 0
    return ScoreText(name, rating, int(points), start, start + len(token))


_BUILD = _Build()

STARTS = ("cell", "length_line", "game_line", "score_line", "tag_line", "set_position_line")


@cache
def parser() -> Lark:
    """The parser of match text, built once a process."""
    return load("mat", STARTS, _BUILD)


def parse_cell(text: str) -> Cell | Unreadable:
    """Parse one cell. Equal texts are parsed once: a few thousand rolls recur in every match."""
    return _remembered(text) if len(text) <= _REMEMBERED else _parse_cell(text)


def _parse_cell(text: str) -> Cell | Unreadable:
    return plain_roll(text) or parse_by_grammar(text)


_REMEMBERED = 100  # characters of a cell; longer ones are odd, and would fill the memory
_remembered = lru_cache(maxsize=1 << 14)(_parse_cell)


def parse_by_grammar(text: str) -> Cell | Unreadable:
    """Parse one cell of any kind."""
    try:
        return parser().parse(text, start="cell")  # type: ignore[return-value]
    except UnexpectedInput as error:
        return _unreadable(error, text)


# --- plain rolls ----------------------------------------------------------------------------


def plain_roll(text: str) -> RollCell | None:
    """A cell of dice and groups with single blanks between them, as nearly all are; None for any other.

    The parser would find the same, in six times the time. What dice and a group are the grammar
    says here too.
    """
    dice, *words = text.split(" ")
    if not words or not _terminals("DICE").fullmatch(dice):
        return None
    groups = []
    at = len(dice) + 1
    for word in words:
        group = _plain_group(word, at)
        if group is None:
            return None
        groups.append(group)
        at += len(word) + 1
    return RollCell((int(dice[0]), int(dice[1])), _moves(groups))


@lru_cache(maxsize=1 << 14)
def _plain_group(word: str, at: int) -> HopText | None:
    """One group that begins ``at`` characters behind the beginning of its cell."""
    match = _terminals("HOPS", "REPEAT?").fullmatch(word)
    return None if match is None else _hop_text(match["HOPS"], match["REPEAT"], at, at + len(word))


@cache
def _terminals(*names: str) -> re.Pattern[str]:
    """Terminals of the grammar one behind the other, each a group; with ``?`` one that may be missing."""
    parts = []
    for name in names:
        plain = name.rstrip("?")
        parts.append(f"(?P<{plain}>{parser().get_terminal(plain).pattern.to_regexp()}){name[len(plain) :]}")
    return re.compile("".join(parts))


# --- lines ----------------------------------------------------------------------------------


def parse_line(text: str, start: str) -> object | None:
    """Parse one line with a start rule of the grammar; None when it is no such line."""
    sequence = _sequence(start)
    if sequence is not None:
        tokens = _in_sequence(text, sequence)
        return None if tokens is None else _builder(start)(*tokens)
    return parse_line_by_grammar(text, start)


def parse_line_by_grammar(text: str, start: str) -> object | None:
    """Parse one line of any kind."""
    try:
        return parser().parse(text, start=start)
    except UnexpectedInput:
        return None


@cache
def _sequence(start: str) -> tuple[tuple[re.Pattern[str], bool], ...] | None:
    """The terminals that a start rule is made of, and whether it keeps them; None where it leaves a choice.

    A rule of one sequence of terminals needs no parser: every text of it has the same tokens.
    """
    rules = [rule for rule in parser().rules if rule.origin.name == start]
    symbols = [symbol for symbol in rules[0].expansion if isinstance(symbol, Terminal)]
    if len(rules) != 1 or len(symbols) != len(rules[0].expansion):
        return None
    return tuple((_terminals(symbol.name), not symbol.filter_out) for symbol in symbols)


@cache
def _builder(start: str) -> Callable[..., object]:
    """What makes a value of the tokens of a rule."""
    build: Callable[..., object] = getattr(_BUILD, start)
    return build


def _in_sequence(text: str, sequence: Iterable[tuple[re.Pattern[str], bool]]) -> list[Token] | None:
    """The tokens that are kept of a text with these terminals and blanks between them; None for another text."""
    tokens: list[Token] = []
    at = _behind_blanks(text, 0)
    for terminal, is_kept in sequence:
        match = terminal.match(text, at)
        if match is None:
            return None
        if is_kept:
            tokens.append(Token("", match[0], start_pos=at, end_pos=match.end()))
        at = _behind_blanks(text, match.end())
    return tokens if at == len(text) else None


def _behind_blanks(text: str, at: int) -> int:
    blanks = _terminals("BLANKS").match(text, at)
    return blanks.end() if blanks else at


# What the grammar calls its terminals, for people.
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
