"""Smart Game Format of any game: trees of nodes with properties.

The grammar is ``grammars/sgf.lark``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lark.lark import PostLex

from bgtools.formats.limits import most_pieces, refuse_more
from bgtools.formats.shared.grammar import make_parser, terminals
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Lark, Token

_VALUE: Final = re.compile(terminals("sgf")["VALUE"])
_NAME: Final = re.compile(terminals("sgf")["IDENTIFIER"])
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
        return [value[1:-1] for value in _VALUE.findall(self.text)]

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
    return text != "" and "".join(_VALUE.findall(text)) == text


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


_FEN: Final = re.compile(r"IP\[[\dSs,]{1,60}/[\dSs,]{1,60}(\[[\dSs,]{0,12}\])(?=[ \w/-]{1,60}\])")
"""The position of PlayStrategy, whose brackets for the bar would end the value."""


# --- parsing --------------------------------------------------------------------------------


class _KeepAll(PostLex):
    """Makes Lark keep terminals that no rule uses: the reader needs them for text that fits nowhere."""

    always_accept = ("STRAY", "BROKEN")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


@cache
def _parser() -> Lark:
    return make_parser("sgf", ("collection",), lexer="basic", postlex=_KeepAll())


def _property(token: Token, at: int = 0) -> Property:
    """The property that begins ``at`` characters behind the beginning of a token and ends with it."""
    found = _NAME.match(token, at)
    assert found
    name = found[0]
    if not name.isupper():
        # Before FF[4] a name could hold small letters, which have no meaning.
        name = re.sub("[a-z]", "", name) or name
    return Property(name, str(token)[at:], Span((token.start_pos or 0) + at, token.end_pos or 0))


@dataclass(slots=True)
class _OpenTree:
    """A tree that is being read."""

    start: int
    nodes: list[Node] = field(default_factory=list)
    children: list[Tree] = field(default_factory=list)


def parse(text: str) -> Collection:
    """Read a text of SGF. Text that breaks the grammar does not raise; it is in the fields of `Collection`.

    Raises:
        FormatError: the text has more trees, nodes, properties or values than a file may hold.
    """
    if "IP[" in text:
        text = _FEN.sub(lambda found: found[0].replace(found[1], f"({found[1][1:-1]})"), text)
    refuse_more(text.count(";") + _A_TREE * text.count("("), most_pieces(), "nodes and trees")
    refuse_more(text.count("["), _VALUES_A_PIECE * most_pieces(), "values")
    refuse_more(text.count("[") - text.count("]["), most_pieces(), "properties")
    trees, stray, open_trees = list[Tree](), list[Span](), list[_OpenTree]()
    broken: Span | None = None
    properties: list[Property] | None = None  # of the node that is being read
    node_at = node_end = 0

    def finish_node() -> None:
        nonlocal properties
        if properties is not None:
            open_trees[-1].nodes.append(Node(tuple(properties), Span(node_at, node_end)))
            properties = None

    def close_tree(end: int) -> None:
        finish_node()
        tree = open_trees.pop()
        siblings = open_trees[-1].children if open_trees else trees
        siblings.append(Tree(tuple(tree.nodes), tuple(tree.children), Span(tree.start, end)))

    parser: Any = _parser().parse_interactive(text)  # `Lark.lex` would make its lexer anew each time
    for token in parser.lexer_thread.lex(parser.parser_state):
        kind, start, end = token.type, token.start_pos or 0, token.end_pos or 0
        if kind == "PROPERTY" and properties is not None:
            properties.append(_property(token))
            node_end = end
        elif kind in ("NODE", "MOVE") and open_trees and not open_trees[-1].children:
            finish_node()
            node_at, node_end = start, end
            properties = [_property(token, len(";"))] if kind == "MOVE" else []
        elif kind == "OPEN":
            finish_node()
            open_trees.append(_OpenTree(start))
        elif kind == "CLOSE" and open_trees:
            close_tree(end)
        elif kind == "BROKEN":
            finish_node()
            broken = Span(start, end)
        else:
            stray.append(Span(start, end))
            if kind != "STRAY":
                finish_node()
    unclosed = len(open_trees)
    while open_trees:
        close_tree(len(text))
    return Collection(tuple(trees), tuple(stray), broken, unclosed)
