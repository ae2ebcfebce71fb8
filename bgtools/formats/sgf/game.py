"""Reading SGF of backgammon: from the nodes of a game tree to a game."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from bgtools.board.notation import parse_hop
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayKind, PlayText
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.sgf import words
from bgtools.formats.sgf.notes import NoteReader, clock_properties
from bgtools.formats.sgf.properties import SETUP, NodeParts, is_copyright, number_of, parted, player_of
from bgtools.formats.sgf.setup import Setup, Stones
from bgtools.record.annotation import Annotation
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bgtools.board.board import Board
    from bgtools.findings.finding import Code
    from bgtools.formats.sgf.tree import Node, Property, Tree
    from bgtools.rules.options import Ruleset
    from bgtools.rules.worth import Level
    from bgtools.source import Span

_MOST_HOPS: Final = 100
"""The most hops of one roll that are read as a play. No play has as many."""
_ROLL: Final = re.compile(rf"(\d)(\d)((?:[a-z]{{2}}){{0,{_MOST_HOPS}}})")
_RESULT: Final = re.compile(r"([BW])\+(\d{1,9})?(R|Resign|T|Time|F|Forfeit)?", re.IGNORECASE)
_NO_RESULT: Final = frozenset({"", "?", "0", "draw", "void"})
_OWNERS: Final = {"w": 0, "b": 1, "c": None, "n": None}
_KINDS: Final = frozenset({"moves", "nothing", "dance", "unknown", "illegal", "unreadable"})
_RESIGNS: Final = re.compile(r"([BW]) resigns( the match)?(?: (\d))?")
_CLAIMS: Final = re.compile(r"=> (\d{1,9})")


class GameReader:
    """Reads one game tree.

    Attributes:
        findings: what is wrong with its text.
    """

    ROOT: Final = frozenset({"RE", "C", "DI", "B", "W", words.OWN}) | SETUP
    """Properties of the first node that belong to the game; all others belong to the match."""

    def __init__(
        self, tree: Tree, root: Node, rules: Ruleset, *, start: Board | None, money: bool, program: str
    ) -> None:
        """Prepare to read.

        Args:
            tree: the game.
            root: its first node.
            rules: the options of the match.
            start: the start of the game; None for the start of the rules.
            money: whether there is no match length.
            program: the program that made the analysis.
        """
        self.tree = tree
        self.root = root
        self.rules = rules
        self.notes = NoteReader(money, program)
        self.findings: list[Finding] = []
        self.entries: list[Entry] = []
        self.comments: list[Comment] = []
        self.marks: list[Span] = []
        self.extras: list[Tag] = []
        self.kinds_stated: set[Span] = set()  # plays whose kind the file states, such as a dance
        self.usual = start or rules.start
        self.setup = Setup()
        self.start = None if start is None else Setup(board=Stones.of(start))
        self.start_known = True
        self.rolled: CheckerPlay | None = None  # a roll whose play may be in a later node
        self.board = Stones.of(self.usual)
        self.cube = 1
        self.owner: Player | None = None
        self.offer: tuple[Player, int] | None = None  # who offered last, and how many beavers and raccoons there were

    def game(self) -> Game:
        """The game, without its number and its score, which belong to the match."""
        line = self.tree.main_line()
        root = next(line)
        self.marks.append(root.span)
        self._automatic(root)
        read = tuple(each for each in root.properties if each.name in self.ROOT and not is_copyright(each))
        self._node(root._replace(properties=read), root=True)
        for node in line:
            self.marks.append(node.span)
            self._node(node)
        self._finish_pending(None)
        results = self._result(root)
        self._end()
        start = self.start
        return Game(
            number=None,
            score=None,
            entries=tuple(self.entries),
            results=results,
            start=start.board.position() if start and start.board else None,
            start_known=self.start_known,
            start_cube=(start.cube or 1) if start else 1,
            start_owner=start.owner if start else None,
            comments=tuple(self.comments),
            marks=(self.tree.span, *self.marks),
            extras=tuple(self.extras),
        )

    # --- nodes ------------------------------------------------------------------------------

    def _automatic(self, root: Node) -> None:
        """Read the cube of the first node as automatic doubles, unless the node also sets a position."""
        found = root.get("CV")
        sets = any(each.name in ("AE", "CP", "CO") and not is_copyright(each) for each in root.properties)
        if found is None or sets:
            return
        value = number_of(found)
        while value is not None and self.cube < value and value % (2 * self.cube) == 0:
            self.cube *= 2
            self.entries.append(AutomaticDouble(player=0, value=self.cube, span=found.span))

    def _node(self, node: Node, *, root: bool = False) -> None:
        parts = parted(node, is_root=root, has_turned=bool(self.entries))
        if root:
            # The remark of the first node comes before its entries.
            self._comments(parts.comments, 0)
            parts.comments = []
        self._entries(node, parts)
        self._comments(parts.comments, len(self.entries) + (self.rolled is not None))

    def _entries(self, node: Node, parts: NodeParts) -> None:
        """Read the entries, the dice or the position of a node; anything else becomes an extra."""
        said, setup, notes = parts.own_property, parts.setup, parts.notes
        if said == "automatic":
            self._finish_pending(None)
            self._entry(AutomaticDouble(player=0, value=number_of(setup[0]) if setup else None, span=node.span), notes)
            self.cube *= 2
        elif resigned := _RESIGNS.fullmatch(said):
            level = cast("Level", int(resigned[3])) if resigned[3] in ("1", "2", "3", "4") else None
            player: Player = 0 if resigned[1] == "W" else 1
            self._entry(Resign(player=player, level=level, match=bool(resigned[2]), span=node.span), notes)
        elif parts.moves:
            if setup:
                self._set(setup, said, node.span, ())
            for each in parts.moves:
                self._move(each, said, notes)
                notes = []
        elif parts.dice is not None or said.partition(":")[0] in _KINDS:
            self._roll(node, parts.dice, setup, said, notes)
        elif said == "implied":
            for each in setup:
                self._put_checkers(self.board, each)
        elif setup:
            self._set(setup, said, node.span, notes, parts.comments)
            parts.comments = []
        else:
            self.extras += (Tag(key=f"sgf:{each.name}", value=each.joined, span=each.span) for each in notes)

    def _comments(self, found: Iterable[Property], at: int) -> None:
        for each in found:
            self.comments.append(Comment(text=_lines(each.values[0]), span=each.span, at=at))

    # --- entries ----------------------------------------------------------------------------

    def _entry(self, entry: Entry, notes: Collection[Property] = ()) -> None:
        rolled = self._finish_pending(entry)
        note = self.notes.annotation(entry.player, notes)
        if rolled is not None:
            # The node of the roll came before that of the play, and holds the luck and the clocks.
            note = (
                rolled
                if note is None
                else replace(note, luck=note.luck or rolled.luck, clock=note.clock or rolled.clock)
            )
        self.entries.append(replace(entry, annotation=note) if note is not None else entry)

    def _move(self, each: Property, letters: str, notes: Collection[Property]) -> None:
        player: Player = 0 if each.name == "W" else 1
        value = each.values[0].strip()
        found = _ROLL.match(value)
        if found:
            at = each.text.find(value) + 2
            text = self._text(player, value, found, at, letters, each.span)
            dice = int(found[1]), int(found[2])
            self.offer = None
            self._entry(
                CheckerPlay(player=player, dice=dice, text=text, text_at=each.span.start, span=each.span), notes
            )
            if text.kind == "moves":
                self.board.move(player, text.hops)
            return
        match value.lower():
            case "double":
                self._double(player, letters, each.span, notes)
            case "take":
                self._take()
                if letters != "implied":
                    self._entry(Take(player=player, span=each.span), notes)
            case "drop":
                self.offer = None
                self._entry(Drop(player=player, span=each.span), notes)
            case "":
                self._report(codes.STRAY_TEXT, each.span, "a move that says nothing; it is left out")
            case _:
                self._report(codes.UNREADABLE_CELL, each.span, "neither a roll, as in 31hefe, nor double, take or drop")

    def _text(self, player: Player, value: str, found: re.Match[str], at: int, text: str, span: Span) -> PlayText:
        kind, _, dump = text.partition(":")
        if found.end() < len(value):
            told = "two dice are followed by pairs of the letters a to z, from point to point"
            most = f", {_MOST_HOPS} pairs at most" if len(found[3]) == 2 * _MOST_HOPS else ""
            self._report(codes.UNREADABLE_CELL, span, told + most)
            return PlayText("unreadable", dump=value[2:])
        if kind in _KINDS:
            self.kinds_stated.add(span)
        if kind in _KINDS and kind != "moves":
            return PlayText(cast("PlayKind", kind), dump=dump)
        if found[3] or kind == "moves":
            return PlayText("moves", words.hops(found[3], player, at))
        return PlayText("dance")

    def _double(self, player: Player, text: str, span: Span, notes: Collection[Property]) -> None:
        claim = _CLAIMS.fullmatch(text)
        value = int(claim[1]) if claim else None
        is_answer = self.offer is not None and self.offer[0] != player
        if text in ("beaver", "raccoon") or (is_answer and text != "double" and value is None):
            counters = self.offer[1] + 1 if self.offer is not None else 1
            raccoon = counters % 2 == 0 if text not in ("beaver", "raccoon") else text == "raccoon"
            self._entry(Beaver(player=player, raccoon=raccoon, span=span), notes)
            self.offer = player, counters
        else:
            self._entry(Double(player=player, value=value, span=span), notes)
            self.offer = player, 0

    def _take(self) -> None:
        if self.offer is not None:
            by, counters = self.offer
            self.cube *= 2 ** (counters + 1)
            # The player who beavers keeps the cube; so does the one who answers a raccoon.
            self.owner = by if counters % 2 else other(by)
            self.offer = None

    def _roll(self, node: Node, dice: Property | None, setup: list[Property], text: str, notes: list[Property]) -> None:
        """Read dice without a play. The play is in a later node, is not known, or was never made."""
        places = [each for each in setup if each.name != "PL"]
        if places:
            self._set(places, "", node.span, ())
        player = next((player_of(each) for each in setup if each.name == "PL"), None)
        if player is None:
            player = other(self.entries[-1].player) if self.entries else 0
        kind, _, dump = text.partition(":")
        value = dice.values[0].strip() if dice is not None else ""
        entry = CheckerPlay(
            player=player,
            dice=(int(value[0]), int(value[1])) if re.fullmatch(r"\d\d", value) else None,
            text=_text(kind, dump),
            text_at=node.span.start,
            span=dice.span if dice is not None else node.span,
        )
        if kind in _KINDS:
            self.kinds_stated.add(entry.span)
            self._entry(entry, notes)
        elif entry.dice is not None:
            self._finish_pending(entry)
            self.rolled = replace(entry, annotation=self.notes.annotation(player, notes))
        elif dice is not None:
            self._report(codes.STRAY_TEXT, dice.span, "these are not dice; they are left out")

    # --- set positions ----------------------------------------------------------------------

    def _set(
        self,
        found: list[Property],
        text: str,
        span: Span,
        notes: Collection[Property],
        comments: Iterable[Property] = (),
    ) -> None:
        kind = text if text in ("set", "start") else ""
        if self.rolled is not None or (kind and self.setup.sets):
            self._finish_pending(None)
        setup = self.setup
        setup.kind = kind or setup.kind
        setup.span = setup.span or span
        setup.comments += comments
        extras = list(notes)
        if extras:
            setup.annotation = self.notes.annotation(setup.player or 0, extras)
        for each in found:
            match each.name:
                case "PL":
                    setup.player = player_of(each)
                case "CV":
                    setup.cube = number_of(each)
                    if setup.cube is not None and setup.cube.bit_count() != 1:
                        told = f"no cube shows {setup.cube}; it is read as it stands"
                        self._report(codes.BAD_SET_POSITION, each.span, told)
                case "CP" | "CO":
                    owner = _OWNERS.get(each.values[0].strip().lower()[:1])
                    setup.owner, setup.has_owner = cast("Player | None", owner), True
                case _:
                    if setup.board is None:
                        setup.board = self.board.copy()
                    self._put_checkers(setup.board, each)

    def _put_checkers(self, board: Stones, each: Property) -> None:
        if not board.put(each):
            self._report(codes.BAD_SET_POSITION, each.span, "a point is a letter from a to y")

    def _finish_pending(self, following: Entry | None) -> Annotation | None:
        """Add a position that was set up, and a roll that no play follows, before the next entry.

        Returns:
            The annotation of a roll whose play is the next entry; None for any other.
        """
        rolled, self.rolled = self.rolled, None
        if rolled is not None and not (
            isinstance(following, CheckerPlay)
            and following.player == rolled.player
            and following.dice is not None
            and rolled.dice is not None
            and sorted(following.dice) == sorted(rolled.dice)
        ):
            self._set_up(rolled)
            self.offer = None
            self.entries.append(rolled)
            rolled = None
        self._set_up(following)
        return rolled.annotation if rolled is not None else None

    def _begins(self, setup: Setup, following: Entry | None) -> bool:
        """Whether a position that was set up is the start of the game."""
        if self.entries or self.start is not None:
            return False
        return setup.kind == "start" or (setup.kind != "set" and following is not None)

    def _set_up(self, following: Entry | None) -> None:
        setup, self.setup = self.setup, Setup()
        comments, at = setup.comments, len(self.entries)
        if setup.sets:
            board = setup.board or self.board.copy()
            board.complete(sum(self.usual.mine))
            cube = setup.cube if setup.cube is not None else self.cube
            owner = setup.owner if setup.has_owner else self.owner
            player = following.player if following is not None else setup.player
            if setup.player is not None and setup.kind == "set":
                player = setup.player
            self.board, self.cube, self.owner, self.offer = board, cube, owner, None
            span = setup.span or self.root.span
            if not board.is_possible:
                self._report(codes.BAD_SET_POSITION, span, "a side has too many checkers, or both hold one point")
                self.start_known = False
            elif self._begins(setup, following):
                at_start = setup.kind != "start" and (board.position(), cube, owner) == (self.usual, 1, None)
                self.start = self.start if at_start else replace(setup, board=board.copy(), cube=cube, owner=owner)
                note = setup.annotation or Annotation()
                more = (*clock_properties(note.clock, setup.player or 0), *note.extras)
                self.extras += (Tag(key=key, value=value, span=span) for key, value in more)
            else:
                self.entries.append(
                    SetBoard(
                        player=player if player is not None else 0,
                        position=board.position(),
                        cube=cube,
                        owner=owner,
                        span=span,
                        annotation=setup.annotation,
                    )
                )
                at += 1
        self._comments(comments, at)

    # --- the end ----------------------------------------------------------------------------

    def _result(self, root: Node) -> tuple[ResultClaim, ...]:
        told = root.get("RE")
        if told is None:
            return ()
        value = told.values[0].strip()
        own = root.get(words.OWN)
        if own is not None and own.values[0].startswith(f"{value} is "):
            value = own.values[0].removeprefix(f"{value} is ")
        found = _RESULT.fullmatch(value)
        if found is None:
            if value.casefold() not in _NO_RESULT:
                self._report(codes.STRAY_TEXT, told.span, "this is not a result such as W+2 or B+1R; it is left out")
            return ()
        winner: Player = 0 if found[1].upper() == "W" else 1
        points = int(found[2]) if found[2] else None
        last = self.entries[-1] if self.entries else None
        told_already = any(isinstance(entry, Resign) for entry in self.entries) or isinstance(last, Drop)
        if found[3] and not told_already:
            level = points // self.cube if points and points % self.cube == 0 else None
            self.entries.append(
                Resign(player=other(winner), level=cast("Level", level) if level in (1, 2, 3) else None, span=told.span)
            )
        return (ResultClaim(player=winner, points=points, span=told.span),)

    def _end(self) -> None:
        """Read a last roll without hops as a roll that was not played, unless the file says otherwise."""
        for index in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[index]
            if isinstance(entry, Double):
                return
            if isinstance(entry, CheckerPlay):
                if entry.text.kind in ("dance", "unknown") and entry.span not in self.kinds_stated:
                    self.entries[index] = replace(entry, text=PlayText("nothing"))
                return

    def _report(self, code: Code, span: Span, message: str) -> None:
        self.findings.append(Finding(code, span, message))


def _text(kind: str, dump: str) -> PlayText:
    """The play of a roll by our own property, which for "moves" holds the hops of a play whose dice are not known."""
    if kind == "moves":
        return PlayText("moves", tuple(hop for part in dump.split() if (hop := parse_hop(part)) is not None))
    return PlayText(cast("PlayKind", kind) if kind in _KINDS else "unknown", dump=dump)


def _lines(text: str) -> str:
    return re.sub(r"\r\n|\n\r|\r", "\n", text)
