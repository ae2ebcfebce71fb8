"""Smart Game Format of any game: trees of nodes with properties.

The grammar is ``grammars/sgf.lark``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from lark import Token, Transformer, UnexpectedInput, v_args
from lark.lark import PostLex

from bgtools.formats.limits import most_pieces, refuse_more
from bgtools.formats.shared.grammar import Grammar
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lark import Lark

_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_A_TREE: Final = 4
_VALUES_A_PIECE: Final = 4
"""`_A_TREE` nodes take as much memory as a tree, and `_VALUES_A_PIECE` values as much as a node."""
_LINE_ENDS: Final = ("\n", "\r", "\r\n", "\n\r")


class Property(NamedTuple):
    """A property: its name in capitals, its values with their brackets as the file writes them, and its place."""

    name: str
    text: str
    span: Span

    @property
    def raw(self) -> list[str]:
        """The values with their backslashes."""
        return [value[1:-1] for value in _GRAMMAR.pattern("VALUE").findall(self.text)]

    @property
    def values(self) -> list[str]:
        """The values as text, without backslashes."""
        return [unescape(value) for value in self.raw]

    @property
    def joined(self) -> str:
        """All values in one text: one value as text, several in brackets. `brackets` is the way back."""
        values = self.raw
        text = unescape(values[0])
        if len(values) == 1 and not _is_in_brackets(text):
            return text
        return "".join(f"[{value}]" for value in values)


def brackets(text: str) -> str:
    """The values in brackets, from the text that `Property.told` makes of them."""
    return text if _is_in_brackets(text) else f"[{escape(text)}]"


def _is_in_brackets(text: str) -> bool:
    """Whether a text consists of values in brackets."""
    return text != "" and "".join(_GRAMMAR.pattern("VALUE").findall(text)) == text


class Node(NamedTuple):
    """A node: its properties in the order of the file, and its place."""

    properties: tuple[Property, ...]
    span: Span

    def get(self, name: str) -> Property | None:
        """The first property with a name, or None."""
        return next((each for each in self.properties if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Tree:
    """A game tree.

    Attributes:
        nodes: the nodes before it branches.
        children: the trees it branches into, the main line first.
        span: its place, with its brackets.
    """

    nodes: tuple[Node, ...]
    children: tuple[Tree, ...]
    span: Span

    def main_line(self) -> Iterator[Node]:
        """The nodes of the main line."""
        tree: Tree | None = self
        while tree is not None:
            yield from tree.nodes
            tree = tree.children[0] if tree.children else None

    def variations(self) -> Iterator[Tree]:
        """The trees that branch off the main line."""
        tree: Tree | None = self
        while tree is not None:
            yield from tree.children[1:]
            tree = tree.children[0] if tree.children else None


@dataclass(frozen=True, slots=True)
class Collection:
    """The content of a file of SGF.

    Attributes:
        trees: the game trees.
        stray: text that belongs to no node.
        broken: the place of a value that the end of the file cuts off, or None.
        unclosed: how many trees the end of the file leaves open.
    """

    trees: tuple[Tree, ...]
    stray: tuple[Span, ...] = ()
    broken: Span | None = None
    unclosed: int = 0


def unescape(value: str) -> str:
    """A value as text: an escaped line end is left out, and any other escaped character loses its backslash."""
    if "\\" not in value:
        return value
    return _ESCAPE.sub(lambda found: "" if found[1] in _LINE_ENDS else found[1], value)


def escape(text: str) -> str:
    """A text as a value: with backslashes where SGF needs them."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


# --- parsing --------------------------------------------------------------------------------


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Collection]):
    """Builds trees while the parser runs."""

    def collection(self, *trees: Tree) -> tuple[Tree, ...]:
        return trees

    def tree(self, opening: Token, *inner: Node | Tree | Token) -> Tree:
        nodes = tuple(each for each in inner if isinstance(each, Node))
        children = tuple(each for each in inner if isinstance(each, Tree))
        end = inner[-1]
        assert isinstance(end, Token)
        return Tree(nodes, children, Span(opening.start_pos or 0, end.end_pos or 0))

    def node(self, mark: Token, *tokens: Token) -> Node:
        properties = tuple(map(_property, tokens))
        if mark.type == "MOVE":
            properties = (_property(mark, len(";")), *properties)
        end = tokens[-1] if tokens else mark
        return Node(properties, Span(mark.start_pos or 0, end.end_pos or 0))


def _property(token: Token, at: int = 0) -> Property:
    """The property that begins ``at`` characters behind the beginning of a token and ends with it."""
    found = _identifier().match(token, at)
    assert found
    name = found[0]
    if not name.isupper():
        # Before FF[4] a name could hold small letters, which have no meaning.
        name = re.sub("[a-z]", "", name) or name
    return Property(name, str(token)[at:], Span((token.start_pos or 0) + at, token.end_pos or 0))


class _KeepAll(PostLex):
    """Makes Lark keep two terminals that no rule uses: the reader needs them for text that fits nowhere."""

    always_accept = ("STRAY", "BROKEN")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


_GRAMMAR = Grammar("sgf", ("collection",), lexer="basic", postlex=_KeepAll())


@cache
def _identifier() -> re.Pattern[str]:
    return _GRAMMAR.pattern("IDENTIFIER")


@cache
def _parser() -> Lark:
    return _GRAMMAR.parser(_TreeBuilder())


@dataclass(slots=True)
class _TokenOrder:
    """Passes on only tokens that the grammar expects, so that no text stops the parser."""

    stray: list[Span] = field(default_factory=list)
    broken: Span | None = None
    open: list[str] = field(default_factory=list)
    """The last thing in each open tree: "node", "tree", or "" where it is empty."""

    def tidy(self, tokens: Iterable[Token]) -> Iterator[Token]:
        in_node = False
        for token in tokens:
            kind = token.type
            if kind == "PROPERTY" and in_node:
                yield token
            elif kind in ("NODE", "MOVE") and self.open and self.open[-1] != "tree":
                self.open[-1], in_node = "node", True
                yield token
            elif kind == "OPEN":
                if self.open:
                    self.open[-1] = "tree"
                self.open.append("")
                in_node = False
                yield token
            elif kind == "CLOSE" and self.open:
                self.open.pop()
                in_node = False
                yield token
            else:
                span = Span(token.start_pos or 0, token.end_pos or 0)
                if kind == "BROKEN":
                    self.broken = span
                else:
                    self.stray.append(span)
                in_node = in_node and kind == "STRAY"


def parse(text: str) -> Collection:
    """Read a text of SGF. Text that breaks the grammar does not raise; it is in the fields of `Collection`.

    Raises:
        FormatError: the text has more trees, nodes, properties or values than a file may hold.
    """
    refuse_more(text.count(";") + _A_TREE * text.count("("), most_pieces(), "nodes and trees")
    refuse_more(text.count("["), _VALUES_A_PIECE * most_pieces(), "values")
    refuse_more(text.count("[") - text.count("]["), most_pieces(), "properties")
    try:
        return Collection(cast("tuple[Tree, ...]", _parser().parse(text)))
    except UnexpectedInput:
        return _parse_what_can_be(text)


def _parse_what_can_be(text: str) -> Collection:
    order = _TokenOrder()
    parser: Any = _parser().parse_interactive(text)
    for token in order.tidy(parser.lexer_thread.lex(parser.parser_state)):
        parser.feed_token(token)
    unclosed = len(order.open)
    for _ in range(unclosed):
        parser.feed_token(Token("CLOSE", "", start_pos=len(text), end_pos=len(text)))
    trees: tuple[Tree, ...] = parser.feed_eof()
    return Collection(trees, tuple(order.stray), order.broken, unclosed)
