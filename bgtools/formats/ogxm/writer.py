"""Writing OGXM 2. Boards, cube and plays come from the replay.

What OGXM has no field for is written in remarks under keys of our own, as its specification provides: tags, scores
that the games do not add up to, plays as the record writes them, and parts of analyses.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.board import START
from bgtools.board.perspective import other
from bgtools.board.play import changes
from bgtools.formats.bgf.plies import ROLLS, ActionCode, Counts, action_of, finish, steps_of, turned_back
from bgtools.formats.content import FormatError
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import MOST_TEXT
from bgtools.formats.ogxm.layout import Currency, DecisionCode, Scope
from bgtools.formats.ogxm.order import PlyOrder
from bgtools.formats.ogxm.reader import OgxmReader
from bgtools.formats.ogxm.remarks import NEWEST, NO_TURN, PLAY, ROLL, SCORE, SITE, Remarks, roll_text
from bgtools.formats.ogxm.signatures import MATCH, signature_of, signatures_in
from bgtools.formats.shared.leftover import leftover
from bgtools.formats.shared.signed import board_of
from bgtools.formats.shared.tags import DAY, missing_tags, restates, settled_rules
from bgtools.positions.position import OFFERS
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Tag,
    Take,
    places_of_comments,
)
from bgtools.replayer.match import replay
from bgtools.replayer.turn import is_claimed
from bgtools.replayer.valued import cube_in, cube_state, in_unit, plays_in, plies, with_every_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Annotation, Candidate, Level, Unit
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay, Turn

_MOST_EVENT: Final = 120
_MOST_AUTOMATIC: Final = 16
_READER: Final = (2, 0)
_TIME: Final = re.compile(r"(\d\d)\.(\d\d)(?:\.(\d\d))?")
_WHOLE_DAY: Final = 0
_MOST_PIPS: Final = 6
_VERDICTS: Final = {"no double": 0, "double": 1, "take": 2, "drop": 3}
_ANSWERS: Final = (Take, Drop, Beaver)
_CUBE: Final = (DecisionCode.CUBE,)
_MOST_PLIES: Final = 1500
_MOST_TOGETHER: Final = 100_000
_MOST_GAMES: Final = 1000
_MOST_BLOCKS: Final = 64
_MOST_ALTERNATIVES: Final = 1024
"""The most plies of a game and of a match, games of a match, analyses of a match, and plays of a decision."""


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match.

    Raises:
        FormatError: the match holds what OGXM cannot hold.
    """
    (match,) = matches
    return _OgxmWriter(match).file()


class _Ply(NamedTuple):
    """A ply.

    Attributes:
        action, player: what is done, and by whom.
        extras: the fields of the record behind it.
        steps: the steps of a roll, with the zero that ends them where there are fewer than there may be.
        kinds: the decisions that OGXM takes here.
        is_turn: whether an entry of the record is meant; else it only lets the next ply follow.
        board: the board that it leads to, seen by player 0; None where it changes none.
    """

    action: int
    player: Player
    extras: Mapping[str, Any] = MappingProxyType({})
    steps: bytes = b""
    kinds: tuple[DecisionCode, ...] = ()
    is_turn: bool = True
    board: Board | None = None

    def data(self) -> bytes:
        """Its bytes."""
        extras = {name: value for name, value in self.extras.items() if value is not None}
        first = self.action | self.player << 6 | (0x80 if extras else 0)
        return bytes([first]) + (layout.EXTRAS.write(extras) if extras else b"") + self.steps


def _placed(error: FormatError, game: GameReplay, turn: Turn | None = None) -> FormatError:
    """The same error with the game, and the row, in which stands what OGXM cannot hold."""
    row = None if turn is None else game.row_of(turn)
    return FormatError(f"{error}: game {game.index + 1}" + (f", row {row}" if row is not None else ""))


class _OgxmWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.replays = replay(match)
        self.rules = settled_rules(match, self.replays)
        self.remarks = Remarks()
        self.blocks: dict[tuple[str, int], dict[tuple[int, int], bytes]] = {}
        """The decisions that each program has analysed, by its name. What it has analysed twice is in a second block,
        and so on."""
        self.notes: dict[int, Annotation] = {}
        """The analysis of each ply that has one, by its number."""
        self.signatures: list[bytes] = []
        """The signatures of the match that it still has."""
        self.plies = 0
        self.reader = _READER
        self.score = (0, 0)
        """Points after the games written so far, as a reader adds them up."""
        self.crawford_game = self._crawford_game()
        """The index of the Crawford game, as programs find it that add up the points; None where there is none."""
        game = None if self.crawford_game is None else self.replays[self.crawford_game]
        is_other = game and not game.crawford and any(isinstance(turn.entry, Double) for turn in game.turns)
        self.states_crawford = bool(match.length and self.rules.crawford) and not is_other
        """Whether the file states the Crawford rule. Where wrong scores would make a doubled game the Crawford game, a
        tag states it."""
        self.board = START
        """The board that the plies written so far lead to, seen by player 0."""
        # Whether the points of the games may add up to another score when the file is read. They may where the record
        # leaves the Jacoby rule open, and some of its results need the rule while others exclude it.
        self.is_odd = match.rules.jacoby is None

    def _crawford_game(self) -> int | None:
        length, rules = self.match.length, self.rules
        if not (length and rules.crawford and self.replays) or self._is_past_crawford():
            return None
        score = self.replays[0].score
        for game in self.replays:
            if max(score) == length - 1:
                return game.index
            score = _plus(score, game.winner, _points(game), length)
        return None

    def _is_past_crawford(self) -> bool:
        """Whether the Crawford game was before the first one of the record."""
        first, length = self.replays[0], self.match.length or 0
        return length > 1 and max(first.score) == length - 1 and not first.crawford

    def file(self) -> bytes:
        """The whole file."""
        parts = self._parts()
        analyses = {key: self._analysis(key, parts) for key in self.blocks}
        parts, sections = self._as_signed(parts, analyses)
        for comment in self.match.comments:
            self.remarks.add(Scope.MATCH, 0, "", comment.text)
        sections = [_section(name, part, critical=True) for name, part in parts] + sections
        data = self._packed(sections)
        if not self.notes:
            return data
        # Parts of an analysis fit into no field. Reading the bytes back shows which; they become a remark.
        reader = OgxmReader(data)
        reader.match()
        for ref, note in self.notes.items():
            if rest := leftover(note, reader.plies[ref].note, reader.form(ref)):
                self.remarks.notes.append((ref, rest))
        return self._packed(sections)

    def _parts(self) -> list[tuple[bytes, bytes]]:
        """Name and content of the sections of the match."""
        if len(self.replays) > _MOST_GAMES:
            raise FormatError(f"OGXM cannot hold more than {_MOST_GAMES:,} games")
        head = self._head()
        return [(b"MTCH", head), *((b"GAME", self._game(game)) for game in self.replays)]

    def _as_signed(
        self, parts: list[tuple[bytes, bytes]], analyses: Mapping[tuple[str, int], bytes]
    ) -> tuple[list[tuple[bytes, bytes]], list[bytes]]:
        """The parts of the match, and the sections of its analyses, with the bytes that were signed where they say the
        same. Keeps the signatures of the match that they still are."""
        source = self.match.source
        signatures = [each for each in signatures_in(self.match.extras) if each.of == MATCH]
        # Of a stream of several nothing says which one this is.
        is_known = source is not None and source.format == "ogxm" and any(signatures_in(self.match.extras))
        if source is None or not is_known or int(layout.HEADER.at(source.data)["size"]) != len(source.data):
            return parts, list(analyses.values())
        signed = OgxmReader(source.data)
        before = _OgxmWriter(finish(signed.match(), ""))
        if before._parts() != parts or len(signed.plies) != before.plies:
            return parts, list(analyses.values())
        parts = [(name, data) for name, data in signed.contents() if name in (b"MTCH", b"GAME")]
        contents = [data for _, data in parts]
        self.signatures = [
            each.record
            for each in signatures
            if signature_of(MATCH, each.record, contents, (), b"").payload == each.payload
        ]
        if any(self.blocks.get(key) != block for key, block in before.blocks.items()):
            return parts, list(analyses.values())
        kept = [_section(name, data) for name, data in signed.contents() if name in (b"ANAL", b"DECS", b"SIGN")]
        return parts, kept + [data for key, data in analyses.items() if key not in before.blocks]

    def _packed(self, sections: Sequence[bytes]) -> bytes:
        """The bytes of a file with these sections and the remarks made so far."""
        body = b"".join(sections)
        if remarks := self.remarks.section(self.plies):
            body += _section(b"ANNO", remarks)
        body += b"".join(_section(b"MSIG", each) for each in self.signatures)
        empty = _section(b"CSUM", layout.CHECKSUM.write({"algorithm": 0, "digest": bytes(4)}), critical=True)
        size = layout.HEADER.size + len(body) + len(empty) + len(layout.END)
        header = layout.HEADER.new(magic=layout.MAGIC, size=size)
        header["major"], header["minor"] = NEWEST
        header["reader_major"], header["reader_minor"] = self.reader
        body = header.tobytes() + body
        check = {"algorithm": 0, "digest": zlib.crc32(body).to_bytes(4, "little")}
        return body + _section(b"CSUM", layout.CHECKSUM.write(check), critical=True) + layout.END

    # --- the match --------------------------------------------------------------------------

    def _head(self) -> bytes:
        match, rules = self.match, self.rules
        if rules.variant not in layout.VARIANTS:
            raise FormatError(f"OGXM has no {rules.variant}")
        beavers = rules.beavers or 0
        bits = (
            (layout.CRAWFORD if self.states_crawford else 0)
            | (layout.JACOBY if rules.jacoby else 0)
            | (layout.BEAVERS if beavers else 0)
            | (layout.RACCOONS if beavers > 1 else 0)
            | (layout.AUTOMATIC if rules.automatic_doubles else 0)
        )
        limit = rules.cube_limit
        values: dict[str, Any] = {
            "length": match.length or 0,
            "variant": layout.VARIANTS.index(rules.variant),
            "white": match.players[0] or None,
            "black": match.players[1] or None,
            "rules": bits or None,
            "cube_limit": limit if says_option("cube_limit", match) else None,
        }
        if self.replays and any(self.replays[0].score):
            values["score_start"] = self.replays[0].score
        values["crawford_before_start"] = self.states_crawford and bool(self.replays) and self._is_past_crawford()
        values.update(self._tags())
        return layout.MATCH.write(values)

    def _tags(self) -> dict[str, Any]:
        """The fields of the header that tags fill. All other tags become remarks."""
        match = self.match
        fields: dict[str, Any] = {}
        event, day, time = (match.tag(key) for key in ("Event", "EventDate", "EventTime"))
        told: set[tuple[str, str]] = set()
        if event and len(event.encode()) <= _MOST_EVENT:
            fields["event"] = event
            told.add(("event", event))
        moment = _moment(day or "", time)
        if moment:
            fields["started_at"] = moment * 1000
            if time is None:
                fields["date_precision"] = _WHOLE_DAY
            told.add(("eventdate", day or ""))
            if time:
                told.add(("eventtime", time))
        site = match.tag("Site")
        if site:
            self.remarks.add(Scope.MATCH, 0, SITE, f"1:{site}")
            told.add(("site", site))
        for tag in (*(tag for tag in match.tags if not restates(tag, match)), *self._rule_tags()):
            if (tag.key.casefold(), tag.value) not in told:
                self.remarks.tags.append((tag.key, tag.value))
        return fields

    def _rule_tags(self) -> Iterator[Tag]:
        """Tags for options whose number is too high for OGXM, which has only bits for them."""
        rules, said = self.rules, set()
        if (rules.beavers or 0) > 2:
            said.add("Beaver")
        if (rules.automatic_doubles or 0) > 1:
            said.add("AutomaticDoubles")
        if self.match.length and rules.crawford and not self.states_crawford:
            yield Tag(key="Crawford", value="On")
        if said:
            bare = type(self.match)(players=self.match.players, length=self.match.length, games=(), rules=rules)
            yield from (tag for tag in missing_tags(bare) if tag.key in said)

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> bytes:
        record = game.game
        if not record.start_known:
            raise FormatError("OGXM cannot hold a set position that cannot be")
        if game.index and (self.is_odd or not self.score == game.score == game.added_up):
            self.remarks.add(Scope.GAME, game.index, SCORE, f"{game.score[0]}-{game.score[1]}")
            self.is_odd = True  # the scores that follow tell which of a score and a result is wrong
        # OGXM does not keep the value that a double states; without it, the points may come out differently.
        self.is_odd = self.is_odd or any(is_claimed(turn) for turn in game.turns)
        automatic = _automatic(record)
        order = self._order(game, automatic)
        self.board = game.game.start or game.rules.start
        data = self._head_of(game, automatic)
        places: dict[int, int] = {}
        first = self.plies
        for turn in game.turns[automatic:]:
            for ply in self._plies(turn, game, order):
                if order.is_refused_by(ply.action):
                    self.reader = NEWEST
                try:
                    order.put(ply.action, ply.player, cube=ply.extras.get("cube"), owner=ply.extras.get("cube_owner"))
                except FormatError as error:
                    raise _placed(error, game, turn) from None
                data += ply.data()
                if turn.index not in places and ply.is_turn:
                    places[turn.index] = self.plies
                    self._note(turn, ply)
                self.plies += 1
                self.board = ply.board or self.board
            if turn.after.is_over:
                order.ended = "the end of a game"
        if self.plies - first > _MOST_PLIES or self.plies > _MOST_TOGETHER:
            most = f"{_MOST_PLIES:,} plies in a game, and {_MOST_TOGETHER:,} in a match"
            raise FormatError(f"OGXM cannot hold more than {most}: game {game.index + 1}")
        self._comments(game, places)
        return data

    def _order(self, game: GameReplay, automatic: int) -> PlyOrder:
        """The order that a game's plies must have."""
        record, rules = game.game, self.rules
        try:
            return PlyOrder(
                cube=(record.start_cube if record.start is not None else 1) << automatic,
                owner=record.start_owner,
                limit=rules.cube_limit if says_option("cube_limit", self.match) else None,
                beavers=min(rules.beavers or 0, 2),
                doubles=not (self.states_crawford and game.index == self.crawford_game),
                winner=game.winner,
            )
        except FormatError as error:
            raise _placed(error, game) from None

    def _head_of(self, game: GameReplay, automatic: int) -> bytes:
        """The bytes before the plies of a game. Also adds the points of the game to `score`."""
        record, points = game.game, _points(game)
        self.score = _plus(game.score, game.winner, points)
        length = self.match.length
        head: dict[str, Any] = {
            "winner": game.winner,
            "points": points if game.winner is not None else None,
            "is_last": bool(length) and game.index == len(self.replays) - 1 and max(game.score_after) >= (length or 0),
            "automatic": automatic or None,
        }
        if record.start is not None:
            if record.start != game.rules.start:
                head["board"] = _counts(record.start)
            if record.start_cube.bit_count() != 1:
                raise FormatError(f"OGXM cannot hold a cube that shows {record.start_cube}")
            head["cube"] = record.start_cube if record.start_cube > 1 else None
            head["cube_owner"] = record.start_owner
        return layout.GAME.write(head)

    def _comments(self, game: GameReplay, positions: Mapping[int, int]) -> None:
        record = game.game
        for at, comment in zip(places_of_comments(record), record.comments, strict=True):
            ref = next((positions[index] for index in range(at - 1, -1, -1) if index in positions), None)
            if ref is None:
                self.remarks.add(Scope.GAME, game.index, "", comment.text)
            else:
                self.remarks.add(Scope.PLY, ref, "", comment.text)

    def _plies(self, turn: Turn, game: GameReplay, order: PlyOrder) -> Iterator[_Ply]:
        player = turn.entry.player
        if isinstance(turn.entry, CheckerPlay | Double):
            yield from self._until(player, order, needs_turn=isinstance(turn.entry, Double))
        match turn.entry:
            case CheckerPlay():
                yield self._roll(turn, turn.entry, game)
            case Double():
                yield _Ply(ActionCode.DOUBLE, player, kinds=_CUBE)
            case Take():
                # A take of a beaver needs no ply: the next roll shows it. Behind a beaver that cannot be it may answer
                # the double.
                after_beaver = turn.index > 0 and isinstance(game.game.entries[turn.index - 1], Beaver)
                if not after_beaver or turn.offer == OFFERS[0]:
                    yield _Ply(ActionCode.TAKE, player, kinds=_CUBE)
            case Drop():
                yield _Ply(ActionCode.DROP, player, kinds=_CUBE)
            case Beaver(raccoon=raccoon):
                yield _Ply(ActionCode.RACCOON if raccoon else ActionCode.BEAVER, player, kinds=_CUBE)
            case Resign(level=level, match=whole):
                told = level or (game.level if game.ending == "resigned" else None) or _level_for(game)
                action = ActionCode.RESIGN_MATCH if whole else ActionCode.RESIGN_GAME
                yield _Ply(action, player, {"resign_value": told})
            case SetBoard(position=position, cube=cube, owner=owner):
                yield _Ply(ActionCode.SET_POSITION, player, {"board": _counts(position)}, board=position)
                before = turn.state.cube
                if (cube, owner) != (before.value, before.player(player)):
                    if cube.bit_count() != 1:
                        raise FormatError(f"OGXM cannot hold a cube that shows {cube}")
                    yield _Ply(ActionCode.CUBE_SET, player, {"cube": cube, "cube_owner": owner})
            case AutomaticDouble():
                raise FormatError("OGXM cannot hold an automatic double in the middle of a game")

    def _until(self, player: Player, order: PlyOrder, *, needs_turn: bool) -> Iterator[_Ply]:
        """The plies without which OGXM does not let a player act: the record misses a turn, or begins with a double.

        The same board, set again, gives the turn to a player; a pass is the turn that a double needs before it.
        """
        passes = needs_turn and not order.begun
        first = other(player) if passes else player
        made = []
        if not order.may_go_on(first):
            made.append(_Ply(ActionCode.SET_POSITION, first, {"board": _counts(self.board)}, is_turn=False))
        if passes:
            made.append(_Ply(ActionCode.PASS, first, is_turn=False))
        for ply in made:
            self.remarks.add(Scope.PLY, self.plies, ROLL, NO_TURN)
            yield ply

    def _roll(self, turn: Turn, entry: CheckerPlay, game: GameReplay) -> _Ply:
        text, player, dice = entry.text, entry.player, entry.dice
        # Behind a turn that is missing, a legal play does not start from the board that the file has.
        play = turn.play if _by_first(turn.before, turn.player) == self.board else None
        try:
            action = ActionCode.PASS if dice is None else action_of(dice)
        except ValueError:
            assert dice is not None
            raise FormatError(f"OGXM cannot hold a roll of {dice[0]} and {dice[1]}") from None
        following = game.game.entries[turn.index + 1 : turn.index + 2]
        board = _by_first(turn.after, turn.player)
        is_open = play is None and turn.after == turn.before  # nobody has played the roll
        if text.kind not in ("nothing", "dance", "moves") or (play is None and text.kind != "nothing"):
            self.remarks.add(Scope.PLY, self.plies, PLAY, str(text))
        if play is None and (dice is None or (is_open and not following)):
            # Without a play a roll would be a dance, and a play needs a roll: a set position stands for either.
            self.remarks.add(Scope.PLY, self.plies, ROLL, roll_text(player, dice))
            seat = player if is_open and not following else other(player)
            return _Ply(ActionCode.SET_POSITION, seat, {"board": _counts(board)}, board=board)
        is_given_up = bool(following) and isinstance(following[0], Resign)
        if play is None and not (is_open and is_given_up):
            if text.kind == "nothing":
                self.remarks.add(Scope.PLY, self.plies, PLAY, str(text))
            extras = {"dice": tuple(sorted(dice or ())), "illegal": True, "board": _counts(board)}
            # Decisions here need a reader of 2.3.
            return _Ply(ActionCode.SET_POSITION, other(player), extras, board=board)
        steps = _packed(steps_of([(hop.start, hop.end) for hop in play.hops], player)) if play else b""
        # Before a resignation a roll without steps counts as one that nobody played.
        kinds = tuple(DecisionCode) if steps or not is_given_up else (DecisionCode.CUBE, DecisionCode.ROLL)
        low, high = ROLLS[action]
        room = 4 if low == high else 2
        return _Ply(action, player, steps=steps + bytes(len(steps) < room), kinds=kinds, board=board)

    # --- analyses ---------------------------------------------------------------------------

    def _note(self, turn: Turn, ply: _Ply) -> None:
        note = turn.entry.annotation
        if note is None:
            return
        if note.plays is not None:
            note = replace(note, plays=with_every_play(note.plays, turn))
        self.notes[self.plies] = note
        for each in (note, *note.others):
            for decision in (_play_decision(each, turn), _cube_decision(each, turn), _roll_decision(each, turn)):
                if decision and decision["kind"] in ply.kinds:
                    self._put_decision(each.program, decision)

    def _put_decision(self, program: str, decision: Mapping[str, Any]) -> None:
        """Put a decision into the first block of its program that has none of this kind at this ply."""
        place = self.plies, decision["kind"]
        number = 0
        while place in self.blocks.get((program, number), ()):
            number += 1
        if (program, number) in self.blocks or len(self.blocks) < _MOST_BLOCKS:
            made = layout.DECISIONS[decision["kind"]].write({"ply": self.plies, **decision})
            self.blocks.setdefault((program, number), {})[place] = made

    def _analysis(self, key: tuple[str, int], parts: Sequence[tuple[bytes, bytes]]) -> bytes:
        """The sections of an analysis."""
        program, number = key
        decisions = self.blocks[key]
        # The identity is a hash, so that the same match and program always give the same file.
        match = b"".join(_section(name, part, critical=True) for name, part in parts)
        identity = bytearray(hashlib.sha256(match + program.encode() + b"\0" * number).digest()[:16])
        identity[6], identity[8] = identity[6] & 0x0F | 0x80, identity[8] & 0x3F | 0x80
        head = {
            "identity": identity,
            "model_name": (program or None) if len(program.encode()) <= MOST_TEXT else None,
            "currency": Currency.MATCH if self.match.length else Currency.MONEY,
        }
        content = b"".join(decisions[place] for place in sorted(decisions))
        return _section(b"ANAL", layout.ANALYSIS.write(head)) + _section(b"DECS", content)


def _by_first(board: Board, player: Player) -> Board:
    """A board that a player sees, seen by player 0."""
    return board.flipped() if player else board


def _counts(board: Board) -> Counts:
    """A board seen by player 0 as OGXM has it."""
    return turned_back(board_of(board), 0)


def _automatic(record: Game) -> int:
    """How many automatic doubles a game begins with."""
    count = len(list(takewhile(lambda entry: isinstance(entry, AutomaticDouble), record.entries)))
    if count > _MOST_AUTOMATIC:
        raise FormatError(f"the cube cannot have turned by itself {count} times")
    return count


def _points(game: GameReplay) -> int | None:
    """The points of a game, as its record claims them, or else as it was played."""
    return game.points if game.claim is None or game.claim.points is None else game.claim.points


def _level_for(game: GameReplay) -> int:
    """The least level of a resignation that gives the points of a game; a match cuts what is above its length."""
    return next((level for level in (1, 2) if level * game.cube >= (game.points or 0)), 3)


def _plus(
    score: tuple[int, int], winner: Player | None, points: int | None, length: int | None = None
) -> tuple[int, int]:
    """A score with the points of a game, in a match of ``length`` no more than are needed."""
    one, two = (score[player] + (points or 0) * (winner == player) for player in (0, 1))
    return (min(one, length), min(two, length)) if length else (one, two)


# --- analyses -------------------------------------------------------------------------------


def says_option(option: str, match: Match) -> bool:
    """Whether OGXM can state an option with the value that a match gives it: a limit of the cube is a power of two."""
    limit = match.rules.cube_limit
    return option != "cube_limit" or limit is None or limit.bit_count() == 1


def _unit(turn: Turn) -> Unit:
    """The unit of equities: points for money, match winning chance in a match."""
    return "emg" if turn.state.is_money else "mwc"


def _play_decision(note: Annotation, turn: Turn) -> dict[str, Any]:
    """The plays of a roll that have an equity; {} where the best one, or the one that was made, has none.

    OGXM takes the plays of each level together, the best first, and the one that was made only at the level of the
    first; at another one, only what it loses is said.
    """
    plays = plays_in(with_every_play(note.plays, turn), _unit(turn), turn.state) if note.plays is not None else None
    if plays is None or not plays.candidates or not isinstance(turn.entry, CheckerPlay):
        return {}
    made = [_alternative(each, note.program, turn.entry.player) for each in plays.candidates]
    needed = (0, plays.chosen) if plays.chosen is not None else (0,)
    if not all(made[number] for number in needed):
        return {}
    levels = [each.get("level") for each in made]
    chosen, error = plays.chosen, plays.error
    if chosen is not None and levels[chosen] == levels[0]:
        made[chosen]["is_played"] = True
        error = None  # it follows from the equities
    same = changes(plays.candidates[chosen].hops) if chosen is not None else None
    kept = [
        number
        for number, each in enumerate(plays.candidates)
        if made[number] and (made[number].get("is_played") or changes(each.hops) != same)
    ]
    kept.sort(key=lambda number: (levels.index(levels[number]), -made[number]["equity"]))
    if not kept:
        return {}
    found = {"kind": DecisionCode.PLAY, "alternatives": [made[number] for number in kept[:_MOST_ALTERNATIVES]]}
    if error is not None:
        found["loss"] = -error
    return found


def _alternative(candidate: Candidate, program: str, player: Player) -> dict[str, Any]:
    legs = [leg for hop in candidate.hops for leg in hop.legs]
    if candidate.evaluation.equity is None or not all(0 < start - end <= _MOST_PIPS for start, end in legs):
        return {}
    return {
        "steps": _packed(steps_of(legs, player)),
        "equity": candidate.evaluation.equity,
        "chances": candidate.evaluation.probabilities,
        "level": _level(candidate.level, program),
        "cubeless": candidate.evaluation.cubeless,
    }


def _cube_decision(note: Annotation, turn: Turn) -> dict[str, Any]:
    """A cube decision; {} where no double, or double and take, has no equity."""
    cube = cube_in(note.cube, _unit(turn), cube_state(turn)) if note.cube is not None else None
    if cube is None or cube.no_double.equity is None or cube.double_take.equity is None:
        return {}
    answers = isinstance(turn.entry, _ANSWERS)
    no_double, take = cube.no_double.equity, cube.double_take.equity
    drop = cube.double_drop
    if drop is None:
        # A drop is worth a point; in a match, the match winning chance after one.
        drop = in_unit(1.0, "emg", _unit(turn), cube_state(turn))
    drop_at = 1.0 if drop is None else drop
    best = ("drop" if take > drop_at else "take") if answers else (
        "double" if min(take, drop_at) > no_double else "no double"
    )  # fmt: skip
    error = cube.answer_error if answers else cube.error
    return {
        "kind": DecisionCode.CUBE, "verdict": _VERDICTS[best], "no_double": no_double, "double_take": take,
        "double_drop": cube.double_drop, "chances": cube.no_double.probabilities,
        "loss": None if error is None else -error, "level": _level(cube.level, note.program),
    }  # fmt: skip


def _roll_decision(note: Annotation, turn: Turn) -> dict[str, Any]:
    """The luck of a roll; {} where there is none, or in a match."""
    if note.luck is None or not isinstance(turn.entry, CheckerPlay) or not turn.state.is_money:
        return {}
    return {"kind": DecisionCode.ROLL, "luck": note.luck}


def _level(level: Level, program: str) -> dict[str, Any] | None:
    """A level: its name, and its depth where the name states one, in plies counted from 0."""
    if not level.name or len(level.name.encode()) > MOST_TEXT:
        return None
    depth = plies(level, program)
    return {"preset": level.name, **({} if depth is None else {"checker_ply": depth})}


def _section(name: bytes, data: bytes, *, critical: bool = False) -> bytes:
    return layout.SECTION.new(name=name, size=len(data), flags=layout.CRITICAL * critical).tobytes() + data


def _packed(steps: Sequence[tuple[int, int]]) -> bytes:
    for start, pips in steps:
        if not 0 <= start <= 25 or not 0 < pips <= 6:
            raise FormatError(f"OGXM cannot hold a checker that goes {pips} pips at once")
    return bytes(start | pips << 5 for start, pips in steps)


def _moment(day: str, time: str | None) -> int:
    """Seconds since the beginning of 1970; 0 for an earlier moment, or one in another form."""
    found, clock = DAY.fullmatch(day), _TIME.fullmatch("00.00" if time is None else time)
    if not found or not clock or (time is not None and not any(int(part or 0) for part in clock.groups())):
        return 0
    numbers = [int(part or 0) for part in (*found.groups(), *clock.groups())]
    try:
        moment = datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return 0
    return max(int(moment.timestamp()), 0)
