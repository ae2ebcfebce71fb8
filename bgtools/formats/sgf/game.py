"""Reading SGF of backgammon: from the nodes of a game tree to a game."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from bgtools.board.board import OFF
from bgtools.board.notation import parse_hop
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayKind, PlayText
from bgtools.findings import codes
from bgtools.formats.sgf import words
from bgtools.formats.sgf.notes import NoteReader, clock_properties
from bgtools.record.annotation import Annotation
from bgtools.record.record import (
    AutomaticDouble,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Resign,
    Take,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bgtools.board.board import Board
    from bgtools.formats.sgf.tree import Node, Property, Tree
    from bgtools.record.builder import GameBuilder
    from bgtools.record.state import GameState
    from bgtools.rules.worth import Level
    from bgtools.source import Span

_MOST_HOPS: Final = 100
"""The most hops of one roll that are read as a play. No play has as many."""
_ROLL: Final = re.compile(rf"(\d)(\d)((?:[a-z]{{2}}){{0,{_MOST_HOPS}}})")
_RESULT: Final = re.compile(r"([BW])\+(\d{1,9})?(R|Resign|T|Time|F|Forfeit)?", re.IGNORECASE)
_SCORES: Final = {"1-0": "W+", "0-1": "B+"}
"""How PlayStrategy says who has won; it does not say by how much."""
_NO_RESULT: Final = frozenset({"", "?", "0", "draw", "void"})
_OWNERS: Final[dict[str, Player | None]] = {"w": 0, "b": 1, "c": None, "n": None}
_KINDS: Final = frozenset({"moves", "nothing", "dance", "unknown", "illegal", "unreadable"})
_RESIGNS: Final = re.compile(r"([BW]) resigns( the match)?(?: (\d))?")
_CLAIMS: Final = re.compile(r"=> (\d{1,9})")
_OWNER: Final = re.compile(r"\s*(?:w(?:hite)?|b(?:lack)?|c(?:ent(?:er|re))?|n(?:one)?|)\s*", re.IGNORECASE)
_CUBE: Final = re.compile(r"\d{1,9}")
_POINTS: Final = re.compile(r"([a-z])(?::([a-z]))?")
"""A point, or the first and the last point of a range."""
SETUP: Final = frozenset({"AE", "AB", "AW", "CV", "CP", "CO", "PL"})
"""Properties that set up a position."""
_READ: Final = frozenset({*SETUP, *words.COLOURS, "C", words.OWN})
"""Properties of a node that are read here, besides dice; all others are analyses, marks and extras."""
ROOT: Final = frozenset({"RE", "C", "DI", "B", "W", words.OWN}) | SETUP
"""Properties of the first node that belong to the game; all others belong to the match."""


@dataclass(slots=True)
class _Setup:
    """The position that nodes have set up since the last entry.

    Attributes:
        state: its board and cube.
        span: of the first node.
        sets: whether a node sets board or cube.
        player: the player on roll; None where no node names them.
        kind: ``start`` or ``set`` by bgtools' own property; "" where there is none.
        comments: remarks on the position.
        annotation: its analysis.
    """

    state: GameState
    span: Span
    sets: bool = False
    player: Player | None = None
    kind: str = ""
    comments: list[Property] = field(default_factory=list)
    annotation: Annotation | None = None


class GameReader:
    """Reads one game tree into a builder.

    Args:
        to: the game.
        tree: the tree.
        usual: where the game starts if no node sets a position.
        notes: reads annotations.
    """

    def __init__(self, to: GameBuilder, tree: Tree, usual: Board, notes: NoteReader) -> None:
        self.to, self.tree, self.usual, self.notes = to, tree, usual, notes
        self.kinds_stated: set[Span] = set()  # plays whose kind the file states, such as a dance
        self.setup: _Setup | None = None
        self.accepted_at = -1  # the number of entries before a take that is none of the record's

    def read(self) -> None:
        """Read the tree. The number and the score of the game are read with the match."""
        self.to.mark(self.tree.span)
        line = self.tree.main_line()
        root = next(line)
        self.to.mark(root.span)
        automatic = self._automatic(root)
        # The remark of the first node comes before its entries.
        self._comments([each for each in root.properties if each.name == "C"], 0)
        left = ("C", "RE", "CV") if automatic else ("C", "RE")
        own = [each for each in root.properties if each.name in ROOT and not is_copyright(each)]
        self._node(root, [each for each in own if each.name not in left])
        for node in line:
            self.to.mark(node.span)
            self._node(node, node.properties)
        self.to.add_waiting()
        self._set_up(None)
        self._result(root)
        self._end()

    # --- nodes ------------------------------------------------------------------------------

    def _automatic(self, root: Node) -> bool:
        """Read the cube of the first node as automatic doubles, unless the node also sets a position."""
        found = root.get("CV")
        sets = any(each.name in ("AE", "CP", "CO") and not is_copyright(each) for each in root.properties)
        if found is None or sets:
            return False
        cube, value = 1, _number(found)
        while value is not None and cube < value and value % (2 * cube) == 0:
            cube *= 2
            self.to.automatic(0, found.span, cube)
        return bool(self.to.entries)

    def _node(self, node: Node, properties: Sequence[Property]) -> None:
        """Read the entries, the dice or the position of a node; anything else becomes an extra."""
        own = node.get(words.OWN)
        stated = own.values[0] if own is not None else ""
        moves = [each for each in properties if each.name in words.COLOURS]
        setup = [each for each in properties if each.name in SETUP and not is_copyright(each)]
        comments = [each for each in properties if each.name == "C"]
        dice = next((each for each in properties if each.name == "DI"), None)
        notes = [each for each in properties if (each.name not in _READ and each is not dice) or is_copyright(each)]
        if stated == "automatic":
            value = _number(setup[0]) if setup else None
            self._add(AutomaticDouble(player=0, value=value, span=node.span), notes)
        elif resigned := _RESIGNS.fullmatch(stated):
            level = cast("Level", int(resigned[3])) if resigned[3] in ("1", "2", "3", "4") else None
            player: Player = 0 if resigned[1] == "W" else 1
            self._add(Resign(player=player, level=level, match=bool(resigned[2]), span=node.span), notes)
        elif moves:
            if setup:
                self._set(setup, stated, node.span, ())
            for each in moves:
                self._move(each, stated, notes)
                notes = []
        elif dice is not None or stated.partition(":")[0] in _KINDS:
            self._roll(node, dice, setup, stated, notes)
        elif stated == "implied":
            for each in setup:
                self._put_checkers(self.to.state, each)
        elif setup:
            self._set(setup, stated, node.span, notes, comments)
            comments = []
        else:
            for each in notes:
                self.to.extra(f"sgf:{each.name}", each.joined, each.span)
        self._comments(comments, self.to.at)

    def _comments(self, found: Sequence[Property], at: int) -> None:
        for each in found:
            text = re.sub(r"\r\n|\n\r|\r", "\n", each.values[0])
            self.to.comments.append(Comment(text=text, span=each.span, at=at))

    # --- entries ----------------------------------------------------------------------------

    def _add(self, entry: Entry, notes: Collection[Property] = ()) -> None:
        rolled = self._rolled(entry)
        note = self.notes.annotation(entry.player, notes)
        self._set_up(entry)
        if rolled is not None:
            # The node of the roll came before that of the play, and holds the luck and the clocks.
            note = (
                rolled
                if note is None
                else replace(note, luck=note.luck or rolled.luck, clock=note.clock or rolled.clock)
            )
        self.to.add(replace(entry, annotation=note) if note is not None else entry)

    def _rolled(self, following: Entry) -> Annotation | None:
        """The annotation of a waiting roll whose play is the next entry; any other waiting roll is added."""
        rolled = self.to.waiting
        if (
            rolled is not None
            and isinstance(following, CheckerPlay)
            and following.player == rolled.player
            and following.dice is not None
            and sorted(following.dice) == sorted(rolled.dice or ())
        ):
            self.to.waiting = None
            return rolled.annotation
        self.to.add_waiting()
        return None

    def _move(self, each: Property, stated: str, notes: Collection[Property]) -> None:
        player: Player = 0 if each.name == "W" else 1
        value = each.values[0].strip()
        if found := _ROLL.match(value):
            at = each.text.find(value) + 2
            text = self._text(player, value, found, at, stated, each.span)
            dice = int(found[1]), int(found[2])
            self._add(CheckerPlay(player=player, dice=dice, text=text, text_at=each.span.start, span=each.span), notes)
            return
        match value.lower():
            case "double":
                self._double(player, stated, each.span, notes)
            case "take":
                if stated == "implied":
                    self.accepted_at = len(self.to.entries)
                else:
                    self._add(Take(player=player, span=each.span), notes)
            case "drop":
                self._add(Drop(player=player, span=each.span), notes)
            case "":
                self.to.report(codes.STRAY_TEXT, each.span, "a move that says nothing; it is left out")
            case _:
                self.to.report(
                    codes.UNREADABLE_CELL, each.span, "neither a roll, as in 31hefe, nor double, take or drop"
                )

    def _text(self, player: Player, value: str, found: re.Match[str], at: int, stated: str, span: Span) -> PlayText:
        kind, _, dump = stated.partition(":")
        if found.end() < len(value):
            message = "two dice are followed by pairs of the letters a to z, from point to point"
            most = f", {_MOST_HOPS} pairs at most" if len(found[3]) == 2 * _MOST_HOPS else ""
            self.to.report(codes.UNREADABLE_CELL, span, message + most)
            return PlayText("unreadable", dump=value[2:])
        if kind in _KINDS:
            self.kinds_stated.add(span)
        if kind in _KINDS and kind != "moves":
            return PlayText(cast("PlayKind", kind), dump=dump)
        if found[3] or kind == "moves":
            return PlayText("moves", words.hops(found[3], player, at))
        return PlayText("dance")

    def _double(self, player: Player, stated: str, span: Span, notes: Collection[Property]) -> None:
        claim = _CLAIMS.fullmatch(stated)
        self.to.add_waiting()
        self._set_up(Double(player=player))
        note = self.notes.annotation(player, notes)
        if stated in ("beaver", "raccoon"):
            self.to.beaver(player, span, raccoon=stated == "raccoon", note=note)
        elif stated == "double" or claim or self.accepted_at == len(self.to.entries):
            self.to.add(Double(player=player, value=int(claim[1]) if claim else None, span=span, annotation=note))
        else:
            self.to.double(player, span, note=note)

    def _roll(
        self, node: Node, dice: Property | None, setup: list[Property], stated: str, notes: list[Property]
    ) -> None:
        """Read dice without a play. The play is in a later node, is not known, or was never made."""
        if position := [each for each in setup if each.name != "PL"]:
            self._set(position, "", node.span, ())
        player = next((_player(each) for each in setup if each.name == "PL"), None)
        if player is None:
            player = other(self.to.entries[-1].player) if self.to.entries else 0
        kind, _, dump = stated.partition(":")
        value = dice.values[0].strip() if dice is not None else ""
        entry = CheckerPlay(
            player=player, dice=(int(value[0]), int(value[1])) if re.fullmatch(r"\d\d", value) else None,
            text=_text(kind, dump), text_at=node.span.start, span=dice.span if dice is not None else node.span,
        )  # fmt: skip
        if kind in _KINDS:
            self.kinds_stated.add(entry.span)
            self._add(entry, notes)
        elif entry.dice is not None:
            self.to.add_waiting()
            self._set_up(entry)
            self.to.waiting = replace(entry, annotation=self.notes.annotation(player, notes))
        elif dice is not None:
            self.to.report(codes.STRAY_TEXT, dice.span, "these are not dice; they are left out")

    # --- set positions ----------------------------------------------------------------------

    def _set(
        self, found: list[Property], stated: str, span: Span, notes: Collection[Property],
        comments: Sequence[Property] = (),
    ) -> None:  # fmt: skip
        kind = stated if stated in ("set", "start") else ""
        if self.to.waiting is not None or (kind and self.setup is not None and self.setup.sets):
            self.to.add_waiting()
            self._set_up(None)
        if self.setup is None:
            self.setup = _Setup(self.to.state.copy(), span)
        setup, state = self.setup, self.setup.state
        setup.kind = kind or setup.kind
        setup.comments += comments
        if notes:
            setup.annotation = self.notes.annotation(setup.player or 0, notes)
        for each in found:
            setup.sets = setup.sets or each.name not in ("PL", "CV")
            match each.name:
                case "PL":
                    setup.player = _player(each)
                case "CV":
                    if (value := _number(each)) is not None:
                        setup.sets, state.cube = True, value
                        if value.bit_count() != 1:
                            message = f"no cube shows {value}; it is read as it stands"
                            self.to.report(codes.BAD_SET_POSITION, each.span, message)
                case "CP" | "CO":
                    state.owner = _OWNERS.get(each.values[0].strip().lower()[:1])
                case _:
                    self._put_checkers(state, each)

    def _put_checkers(self, state: GameState, each: Property) -> None:
        """Put or clear checkers by an ``AE``, ``AB`` or ``AW``."""
        points: Counter[str] = Counter()
        for value in each.values:
            if (found := _POINTS.fullmatch(value.strip())) is None:
                self.to.report(codes.BAD_SET_POSITION, each.span, "a point is a letter from a to y")
                return
            points.update(map(chr, range(ord(found[1]), ord(found[2] or found[1]) + 1)))
        clears = each.name == "AE"  # the checkers of both players
        players: tuple[Player, ...] = (0, 1) if clears else (0,) if each.name == "AW" else (1,)
        for letter, count in points.items():
            for player in players:
                side, point = state.sides[player], words.point(letter, player)
                side[point] = 0 if clears else side[point] + count

    def _set_up(self, following: Entry | None) -> None:
        """Add the position that was set up before the next entry."""
        setup, self.setup = self.setup, None
        if setup is None:
            return
        to, at = self.to, len(self.to.entries)
        if setup.sets:
            state, note = setup.state, setup.annotation or Annotation()
            for side in state.sides:
                side[OFF] = sum(self.usual.mine) - sum(side[1:])
            player = following.player if following is not None else setup.player
            if setup.player is not None and setup.kind == "set":
                player = setup.player
            begins = not to.entries and to.start is None and to.start_known
            begins = begins and (setup.kind == "start" or (setup.kind != "set" and following is not None))
            position = state.board(0)
            if not state.is_possible:
                message = "a side has too many checkers, or both hold one point"
                to.report(codes.BAD_SET_POSITION, setup.span, message)
                to.start_known = False
            elif begins:
                if setup.kind == "start" or (position, state.cube, state.owner) != (self.usual, 1, None):
                    to.begin(position, state.cube, state.owner)
                for key, value in (*clock_properties(note.clock, setup.player or 0), *note.extras):
                    to.extra(key, value, setup.span)
            else:
                to.set(player or 0, position, setup.span, cube=state.cube, owner=state.owner, note=setup.annotation)
                at += 1
        self._comments(setup.comments, at)

    # --- the end ----------------------------------------------------------------------------

    def _result(self, root: Node) -> None:
        stated = root.get("RE")
        if stated is None:
            return
        value, own = stated.values[0].strip(), root.get(words.OWN)
        if own is not None and own.values[0].startswith(f"{value} is "):
            value = own.values[0].removeprefix(f"{value} is ")
        value = _SCORES.get(value, value)
        if (found := _RESULT.fullmatch(value)) is None:
            if value.casefold() not in _NO_RESULT:
                message = "this is not a result such as W+2 or B+1R; it is left out"
                self.to.report(codes.STRAY_TEXT, stated.span, message)
            return
        winner: Player = 0 if found[1].upper() == "W" else 1
        points, entries, cube = int(found[2]) if found[2] else None, self.to.entries, self.to.state.cube
        has_ended = any(isinstance(entry, Resign) for entry in entries) or (entries and isinstance(entries[-1], Drop))
        if found[3] and not has_ended:
            level = points // cube if points and points % cube == 0 else None
            self.to.resign(other(winner), stated.span, cast("Level", level) if level in (1, 2, 3) else None)
        self.to.result(winner, points, stated.span)

    def _end(self) -> None:
        """Read a last roll without hops as a roll that was not played, unless the file says otherwise."""
        for index, entry in reversed([*enumerate(self.to.entries)]):
            if isinstance(entry, Double):
                return
            if isinstance(entry, CheckerPlay):
                if entry.text.kind in ("dance", "unknown") and entry.span not in self.kinds_stated:
                    self.to.entries[index] = replace(entry, text=PlayText("nothing"))
                return


def _text(kind: str, dump: str) -> PlayText:
    """The play of a roll by our own property, which for "moves" holds the hops of a play whose dice are not known."""
    if kind == "moves":
        return PlayText("moves", tuple(hop for part in dump.split() if (hop := parse_hop(part)) is not None))
    return PlayText(cast("PlayKind", kind) if kind in _KINDS else "unknown", dump=dump)


def is_copyright(each: Property) -> bool:
    """Whether a property is SGF's ``CP`` with the copyright of a file; in backgammon ``CP`` names who owns the cube."""
    return each.name == "CP" and _OWNER.fullmatch(each.values[0]) is None


def _player(each: Property) -> Player | None:
    """The player that a property names by a colour; None where it names none."""
    return {"w": 0, "b": 1}.get(each.values[0].strip().lower()[:1])  # type: ignore[return-value]


def _number(each: Property) -> int | None:
    """The value of a cube, from 1 to 2 to the power of 30; None where the property has no such value."""
    value = each.values[0].strip()
    number = int(value) if _CUBE.fullmatch(value) else 0
    return number if 0 < number <= 1 << 30 else None
