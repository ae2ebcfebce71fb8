"""Reading SGF of backgammon: from trees to matches.

A game tree is a game. Games in a row with the same players and the same length are a match.
Only the main line is read; a finding reports each variation. Properties that bgtools does not know
are kept as extras.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.findings import codes
from bgtools.findings.finding import Finding, clipped
from bgtools.formats.content import FormatError
from bgtools.formats.sgf import words
from bgtools.formats.sgf.game import ROOT, GameReader, is_copyright
from bgtools.formats.sgf.notes import NoteReader
from bgtools.formats.sgf.respelling import respelled
from bgtools.formats.sgf.tree import Collection, Node, Property, Tree, parse
from bgtools.record.builder import MatchBuilder, several_matches
from bgtools.record.record import AutomaticDouble, Comment, Match, ResultClaim, Tag
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content

_CHARSET: Final = re.compile(rb"\bCA\s*\[([^\]]*)\]")
_BACKGAMMON: Final = "6"
_GAMES: Final = {"1": "Go", "2": "Othello", "3": "chess", "7": "Chinese chess", "11": "Hex"}
_INFO: Final = re.compile(r"\s*(\w+)\s*:\s*(-?\d{1,9})\s*")
_TAG: Final = re.compile(r'\[([^"\]]*[^"\]\s])\s+"(.*)"\]')
_SKIPPED: Final = frozenset({"FF", "GM", "CA", "AP", "MI", "PW", "PB", "WR", "BR", "GC", "RU", words.PROGRAM})
"""Properties of the first node that are read in this module, or that hold nothing to keep."""


def read(content: Content) -> tuple[Match, ...]:
    """Read a file of SGF that holds games of backgammon.

    Raises:
        FormatError: it is not valid SGF, or SGF of another game.
    """
    source = replace(_source(content), respelled=respelled)
    collection = parse(source.text)
    trees = [(tree, root) for tree in collection.trees if (root := next(tree.main_line(), None)) is not None]
    games = [(tree, root) for tree, root in trees if _is_backgammon(root)]
    if not games:
        raise FormatError(_what_it_is([root for _, root in trees]))
    others = [tree.span for tree, root in trees if not _is_backgammon(root)]
    return _SgfReader(source, collection, games, others).matches()


def _source(content: Content) -> Source:
    """The text, decoded by the character set that CA names, if there is one and it fits."""
    found = _CHARSET.search(content.data[:4096])
    if found:
        try:
            name = codecs.lookup(found[1].decode("ascii").strip()).name
            if name not in ("utf-8", "ascii", "iso8859-1") and not content.data.startswith(codecs.BOM_UTF8):
                return Source(content.name, content.data.decode(name), name)
        except (LookupError, UnicodeError, ValueError):
            pass
    return content.source


def _is_backgammon(root: Node) -> bool:
    kind = root.get("GM")
    return (kind is not None and kind.values[0].strip() == _BACKGAMMON) or (kind is None and root.get("MI") is not None)


def _what_it_is(roots: list[Node]) -> str:
    if not roots:
        return "this is not valid SGF: it holds no game tree such as (;GM[6];W[31hefe])"
    kind = roots[0].get("GM")
    number = kind.values[0].strip() if kind is not None else "1"
    name = _GAMES.get(number)
    return f"this is SGF of {name or 'another game'} (GM[{number}]), not of backgammon (GM[6])"


class _Header(NamedTuple):
    """The facts about the match in the first node of a game."""

    players: tuple[str, str]
    length: int
    number: int
    score: tuple[int, int]
    info: Span


def _header(root: Node) -> _Header:
    values = {"length": 0, "game": 0, "ws": 0, "bs": 0}
    info = root.get("MI")
    for value in info.values if info is not None else ():
        found = _INFO.fullmatch(value)
        if found and found[1].lower() in values:
            values[found[1].lower()] = int(found[2])
    return _Header(
        (_text(root, "PW"), _text(root, "PB")),
        max(values["length"], 0),
        values["game"],
        (max(values["ws"], 0), max(values["bs"], 0)),
        info.span if info is not None else root.span,
    )


def _impossible(root: Node) -> Iterator[Finding]:
    """A finding for each length or score in the match information that is below 0, or no number."""
    info = root.get("MI")
    for value in info.values if info is not None else ():
        key, _, stated = value.strip().partition(":")
        found = _INFO.fullmatch(value)
        if info is not None and key.strip().lower() in _NUMBERS and (found is None or int(found[2]) < 0):
            named = clipped(stated.strip(), 20)
            message = f'"{named}" is not a {_NUMBERS[key.strip().lower()]}; it is read as 0'
            yield Finding(codes.STRAY_TEXT, info.span, message)


_NUMBERS: Final = {"length": "length of a match", "ws": "number of points", "bs": "number of points"}


def _text(root: Node, name: str) -> str:
    found = root.get(name)
    return " ".join(found.values[0].split()) if found is not None else ""


class _SgfReader:
    def __init__(
        self, source: Source, collection: Collection, games: list[tuple[Tree, Node]], others: list[Span]
    ) -> None:
        self.source = source
        self.collection = collection
        self.games = games
        self.others = others

    def matches(self) -> tuple[Match, ...]:
        drafts: list[_SgfMatch] = []
        for tree, root in self.games:
            header = _header(root)
            match = drafts[-1] if drafts else None
            if match is None or (match.players, match.length) != (header.players, header.length):
                match = _match(self.source, header, root)
                drafts.append(match)
            _read_game(match, header, tree, root)
        drafts[0].findings[:0] = self._faults()
        if len(drafts) > 1:
            drafts[1].findings.append(several_matches(len(drafts), drafts[1].games[0].heading))
        return tuple(draft.build() for draft in drafts)

    def _faults(self) -> Iterator[Finding]:
        """The findings about the text as SGF."""
        for span in self.collection.stray:
            yield Finding(codes.STRAY_TEXT, span, "this belongs to no node; it is left out")
        if self.collection.broken is not None:
            yield Finding(codes.UNREADABLE_CELL, self.collection.broken, "the file ends inside this value")
        elif self.collection.unclosed:
            end = len(self.source.text.rstrip())
            yield Finding(codes.STRAY_TEXT, Span(max(end - 1, 0), end), "the file ends inside a game")
        for span in self.others:
            yield Finding(codes.STRAY_TEXT, span, "this is a game tree of another game; it is left out")


@dataclass(slots=True)
class _SgfMatch(MatchBuilder):
    """Games of the same players to the same length.

    Attributes:
        root: the first node of the first game.
        from_one: whether the first game has the number 1; it has 0 in most files.
        options: the rules that no option of ours stands for.
    """

    root: Node = field(kw_only=True)
    from_one: bool = False
    options: tuple[str, ...] = ()


def _match(source: Source, header: _Header, root: Node) -> _SgfMatch:
    to = _SgfMatch(source=source, players=header.players, length=header.length, length_span=header.info, root=root)
    for each in root.properties:
        value = " ".join(each.values[0].split())
        if each.name in words.TAGS:
            to.tag(words.TAGS[each.name], words.tag_of_date(value) if each.name == "DT" else value, each.span)
        elif is_copyright(each):
            to.tag("Copyright", value, each.span)
        elif each.name == "GC":
            _notes(each, to.tags, to.comments)
    to.ratings = (_rating(root, "WR", "Player 1 Elo", to.tags), _rating(root, "BR", "Player 2 Elo", to.tags))
    found, program = root.get("RU"), _text(root, "AP")
    stated = ":".join(found.values) if found is not None else None
    to.rules, to.options = words.read_rules(stated, money=not header.length, program=program)
    # The specification of the format counts games from 1; GNU Backgammon and most others count from 0.
    by_gnubg = program.startswith((words.GNUBG, "bgtools"))
    to.from_one = header.number == 1 and header.score == (0, 0) and not by_gnubg
    return to


def _read_game(to: _SgfMatch, header: _Header, tree: Tree, root: Node) -> None:
    game = to.game(header.number + (not to.from_one), header.score, root.span)
    game.score_span = header.info
    assert to.rules is not None
    short = words.short_start(to.options)
    if short is not None:
        game.begin(short)
    notes = NoteReader(not to.length, _text(root, words.PROGRAM) or _author(root))
    GameReader(game, tree, short or to.rules.start, notes).read()
    game.results = [_with_match(claim, header) for claim in game.results]
    to.findings += _impossible(root)
    for each in tree.variations():
        game.report(codes.STRAY_TEXT, each.span, "a variation; only the main line is read")
    game.extras += _extras(root, to.root)
    if to.options and len(to.games) == 1:
        game.extra("sgf:RU", ":".join(to.options), root.span)
    if not _text(to.root, "AP").startswith("bgtools"):
        # GNU Backgammon does not state the option, so the most that a game has counts.
        automatic = sum(isinstance(entry, AutomaticDouble) for entry in game.entries)
        if automatic > (to.rules.automatic_doubles or 0):
            to.rules = replace(to.rules, automatic_doubles=automatic)


def _author(root: Node) -> str:
    """The program that wrote the file, with its version; "" for bgtools, which makes no analysis."""
    program = _text(root, "AP")
    return "" if program.startswith("bgtools") else program.replace(":", " ")


def _with_match(claim: ResultClaim, head: _Header) -> ResultClaim:
    """The result, marked if it also wins the match."""
    wins = bool(head.length) and head.score[claim.player] + (claim.points or 0) >= head.length
    return replace(claim, match=wins)


def _rating(root: Node, name: str, key: str, tags: list[Tag]) -> str:
    """A rating, unless it only repeats a tag."""
    value = _text(root, name)
    return "" if any(tag.key == key and " ".join(tag.value.split()) == value for tag in tags) else value


def _notes(each: Property, tags: list[Tag], comments: list[Comment]) -> None:
    """Read the comment on the match: a remark on each line, or a tag that GNU Backgammon cannot hold.

    A line that begins with two blanks continues the remark before it; one blank shows that a line is not
    a tag.
    """
    text = re.sub(r"\r\n|\n\r|\r", "\n", each.values[0])
    for line in text.removesuffix("\n").split("\n") if text else ():
        tag = _TAG.fullmatch(line.removeprefix("; "))
        if tag:
            tags.append(Tag(key=tag[1].strip(), value=tag[2], span=each.span))
        elif line.startswith("  ") and comments:
            before = comments.pop()
            comments.append(replace(before, text=f"{before.text}\n{line[2:]}"))
        else:
            comments.append(Comment(text=line.removeprefix(" "), span=each.span))


def _extras(root: Node, first: Node) -> Iterator[Tag]:
    """Properties of a game's first node that no reader reads, and tags in it that differ from those of the match.

    Args:
        root: the first node of the game.
        first: the first node of the match.
    """
    seen = set()
    for each in root.properties:
        known = each.name in _SKIPPED or each.name in ROOT
        if each.name in words.TAGS or is_copyright(each):
            told = first.get(each.name)
            known = told is not None and told.text == each.text
        if not known or each.name in seen:
            yield Tag(key=f"sgf:{each.name}", value=each.joined, span=each.span)
        seen.add(each.name)
