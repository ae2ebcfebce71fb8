"""What the readers of line formats share: formats that write one entry or fact on each line.

Each format has a grammar with a start rule for every kind of line; the beginning of a line shows its kind. A
transformer makes values of lines, and a reader puts these in order. A line that fits no rule becomes a
finding, and the reader goes on with the next line.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.notation import parse_hop
from bgtools.board.play import HopText, PlayText
from bgtools.formats.limits import PieceBudget, most_pieces
from bgtools.formats.shared.behind import is_known, keep_behind
from bgtools.formats.shared.grammar import make_parser
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.record.builder import GameBuilder
    from bgtools.source import Source


_BEHIND: Final = re.compile(r"(?<=\S)(?=[ \t?!({\[;,])")
"""Where something may begin that is said of an entry."""
_ENDS_TRIED: Final = 4
_PIECES_A_LINE: Final = 4
"""How many cells of match text can be read in the time of one line of such a format."""


class Line(NamedTuple):
    """A line, or a part of one: its text without the blanks around it, its place, and its number."""

    text: str
    span: Span
    number: int = 0
    """The number of the line, from 0."""

    def behind(self, at: int) -> Line:
        """The rest of the line from a column on."""
        return Line(self.text[at:], Span(self.span.start + at, self.span.end), self.number)


def lines_of(source: Source) -> Iterator[Line]:
    """The lines of a source that are not blank.

    Raises:
        FormatError: there are too many lines.
    """
    room = PieceBudget("lines", most_pieces() // _PIECES_A_LINE)
    for number, (start, end) in enumerate(source.lines):
        line = source.text[start:end]
        text = line.strip()
        if text:
            room.take()
            at = start + len(line) - len(line.lstrip())
            yield Line(text, Span(at, at + len(text)), number)


class Stop(NamedTuple):
    """The offset at which a line breaks the grammar."""

    at: int


def make_transformer(values: type) -> Any:
    """A transformer for Lark from a class whose methods make values, one for each rule of a grammar.

    The class itself knows nothing of Lark: importing that takes longer than to read a small record.
    """
    from lark import Transformer, v_args

    kinds = reversed(values.__mro__[:-1])
    methods = {name: each for kind in kinds for name, each in vars(kind).items() if callable(each)}
    return v_args(inline=True)(type(values.__name__, (Transformer,), methods))()


class LineParser:
    """The parser of one format's lines, built when first used.

    Args:
        name: the name of the grammar.
        starts: its start rules.
        values: a class whose methods make the values: one for each rule of the grammar, named after it, which gets
            the values of the parts of the rule.
    """

    def __init__(self, name: str, starts: tuple[str, ...], values: type) -> None:
        self.name = name
        self.starts = starts
        self.values = values

    @cached_property
    def _parser(self) -> Any:
        return make_parser(self.name, self.starts, transformer=make_transformer(self.values))

    def parse(self, text: str, start: str) -> Any:
        """The value of a line by a start rule, or a `Stop` where the line breaks the rule."""
        from lark import UnexpectedInput

        try:
            return self._parser.parse(text, start=start)
        except UnexpectedInput as error:
            at: Any = error.pos_in_stream  # None at the end of the line
            return Stop(at if at is not None and 0 <= at < len(text) else len(text))

    def parse_entry(self, line: Line, start: str, game: GameBuilder) -> tuple[Any, Line]:
        """The value of an entry by a start rule, and its line without what is said behind it.

        Marks, clocks, equities and words behind the longest beginning that fits the rule become a remark of the game.
        Where nothing fits, the value is the `Stop` of the whole line.
        """
        found = self.parse(line.text, start)
        if not isinstance(found, Stop):
            return found, line
        ends = [*_BEHIND.finditer(line.text[: found.at + 1])][-_ENDS_TRIED:]
        for end in (each.start() for each in reversed(ends)):
            words = line.text[end:].strip()
            if end and is_known(words) and not isinstance(shorter := self.parse(line.text[:end], start), Stop):
                entry = line._replace(text=line.text[:end], span=Span(line.span.start, line.span.start + end))
                keep_behind(game, words, Span(line.span.end - len(words), line.span.end))
                return shorter, entry
        return found, line


class LineKinds:
    """The kinds of lines of a printed text, each with a pattern. The patterns are tried in their order."""

    def __init__(self, *kinds: tuple[str, str]) -> None:
        self.kinds = tuple((kind, re.compile(pattern)) for kind, pattern in kinds)

    def of(self, text: str) -> tuple[str, re.Match[str] | None]:
        """The kind of a line and the match of its pattern; "" and None where no pattern fits."""
        for kind, pattern in self.kinds:
            if found := pattern.fullmatch(text):
                return kind, found
        return "", None


class PlayBuilder:
    """Builds plays; the transformers of all line formats extend it."""

    def group(self, hops: Token, repeat: Token | None = None) -> HopText:
        """One group of hops. The grammar allows only points that `parse_hop` knows."""
        end = (hops.start_pos or 0) + len(hops)
        text = hops.replace("-", "/")
        stars = 0
        if repeat is not None:
            end = (repeat.start_pos or 0) + len(repeat)
            stars = repeat.endswith("*") and not text.endswith("*")
            text += "*" * stars + repeat.rstrip("*")
        found = parse_hop(text)
        assert found is not None
        return HopText(found.points, found.stars, found.count, hops.start_pos or 0, end)

    def play(self, *groups: HopText) -> PlayText:
        """A play; a group ``0/0`` stands for a number that could not be played, and is left out."""
        return PlayText("moves", tuple(group for group in groups if set(group.points) != {0}))

    def dance(self, *_words: Token) -> PlayText:
        """Words for a dance."""
        return PlayText("dance")

    def unknown(self, _marks: Token) -> PlayText:
        """Question marks."""
        return PlayText("unknown")

    def illegal(self, dump: Token) -> PlayText:
        """A position in brackets, in place of a play."""
        return PlayText("illegal", dump=dump[1:-1])

    def dice(self, *numbers: Token) -> Dice | None:
        """A roll, ``(3 1)`` or ``31:``; None for zeros, which mean that there is none."""
        digits = [int(char) for token in numbers for char in token if char.isdecimal()]
        return None if digits == [0, 0] or len(digits) != 2 else (digits[0], digits[1])


def cube_action(word: str, player: Player, span: Span, game: GameBuilder, row: int | None = None) -> None:
    """Add a cube action or a resignation, known by the first letters of its word. Any other word is a drop."""
    word = word.casefold()
    if word.startswith("double"):
        game.double(player, span, row=row)
    elif word.startswith(("take", "accept")):
        game.take(player, span, row=row)
    elif word.startswith("resign"):
        game.resign(player, span, row=row)
    else:
        game.drop(player, span, row=row)
