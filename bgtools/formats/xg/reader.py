"""Reading eXtreme Gammon's files, matches (.xg) and positions (.xgp) alike.

These files are not text, so a listing with a line for each record is made; findings give places in
that listing.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.limits import PieceBudget, largest_file
from bgtools.formats.shared.listing import dump, shown
from bgtools.formats.shared.signed import board_of, position, swap_sides
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, QUICK_LOOK, RECORDS, ROLLOUTS, get_wide, open_archive
from bgtools.formats.xg.comments import read_comments
from bgtools.formats.xg.decode import cube_analysis, hops_of, play_annotation, played_out
from bgtools.formats.xg.draft import Pending, XgGame, cube_note, cube_of, joined, record_label, roll_text
from bgtools.formats.xg.encode import DOUBTFUL, YES
from bgtools.formats.xg.fields import VARIATIONS, header_tags, rules_of_header, split_tag_lines, text_of
from bgtools.formats.xg.game import ACCEPTED, BEAVERED, REFUSED, RESIGNED, WHOLE_MATCH
from bgtools.formats.xg.kept import EXTRA, kept_fields
from bgtools.formats.xg.layout import RECORD_SIZE, RecordKind
from bgtools.record.builder import MatchBuilder
from bgtools.record.record import UNREAD, CheckerPlay, Comment, Double, Drop, Match, SetBoard, Tag, Take

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Dice
    from bgtools.board.play import HopText
    from bgtools.formats.content import Content
    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.annotation import Annotation
    from bgtools.rules.options import Ruleset
    from bgtools.rules.worth import Level
    from bgtools.source import Span

NEWEST: Final = 40
"""The highest version of the records that any eXtreme Gammon 2 reads."""
_MOST_LENGTH: Final = 9999
_MOST_AUTOMATIC: Final = 16
_MOST_DIE: Final = 9
"""The highest number of a die that a record may show, legal or not: a digit."""


def read(content: Content) -> tuple[Match, ...]:
    """Read a file of eXtreme Gammon: one match, or one position as a match of its own.

    Raises:
        FormatError: the archive is damaged or cut off, or holds no records of a match.
    """
    files = open_archive(content.data)
    stream = files.get(RECORDS, b"")
    count = len(stream) // RECORD_SIZE
    if not count or stream[layout.KIND_AT] != RecordKind.MATCH:
        raise FormatError("this file of eXtreme Gammon holds no match: its records do not begin with a match header")
    stream = stream[: count * RECORD_SIZE]
    header = layout.MATCH.at(stream)
    if header["magic"] != layout.MATCH_MAGIC:
        raise FormatError("this file of eXtreme Gammon holds no match: its match header is damaged")
    if header["version"] > NEWEST:
        raise FormatError(
            f"this file was written by a later eXtreme Gammon (version {header['version']} of its records; "
            f"up to {NEWEST} are known)"
        )
    rest = len(files[RECORDS]) - len(stream)
    comments = read_comments(files.get(COMMENTS, b""))
    with _no_collections():
        reader = _XgReader(content.name, stream, header, comments, files.get(ROLLOUTS, b""), rest)
        outer = layout.RICH_HEADER.at(content.data)
        match = reader.match(get_wide(outer["comments"]))
    unread = _unread(outer["thumbnail_size"], files, match.length_span)
    return (replace(match, extras=(*match.extras, *unread)),)


def _unread(picture: int, files: dict[str, bytes], span: Span) -> Iterator[Tag]:
    """Extras for those parts of a file that are not read. They are lost when its match is written in another file."""
    count = len(files.get(ROLLOUTS, b"")) // layout.ROLLOUT.size
    if count:
        yield Tag(key=f"{UNREAD}rollouts", value=f"the details of {count} rollout{'s' * (count > 1)}", span=span)
    if picture:
        yield Tag(key=f"{UNREAD}picture", value=f"a picture of {picture:,} bytes", span=span)
    for name in sorted(files.keys() - {RECORDS, QUICK_LOOK, ROLLOUTS, COMMENTS}):
        yield Tag(key=f"{UNREAD}{name}", value=f"the stream {shown(name)}", span=span)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Switch off the search for reference cycles: with a hundred thousand values it takes half the time, in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _XgReader:
    """Reads a match or a position, and lists the records as it goes."""

    def __init__(
        self, name: str, stream: bytes, header: BinaryRecord, comments: tuple[str, ...], rollouts: bytes, rest: int
    ) -> None:
        self.to = MatchBuilder(source=name)
        self.header = header
        self.texts = comments
        self.used: set[int] = set()
        self.room = PieceBudget("characters in comments that are told again and again", largest_file())
        self.rollouts = rollouts
        self.rest = rest
        self.games: list[XgGame] = []
        self.kinds = stream[layout.KIND_AT :: RECORD_SIZE]
        self.stream = stream
        self.plays = PieceBudget("valued plays")
        self.left: tuple[int, ...] | None = None
        """The board after the last record, seen by player 1 of the file; None where it is not known."""
        self.tags, self.match_comments = self._header_texts()
        self.rules: Ruleset = rules_of_header(header, self.tags)

    # --- the match --------------------------------------------------------------------------

    def match(self, outer: str) -> Match:
        """The match; ``outer`` is the comment in the header of the file."""
        header = self.header
        players = text_of(header, "player1"), text_of(header, "player2")
        points = header["length"]
        length = 0 if points == layout.UNLIMITED else points if 0 < points <= _MOST_LENGTH else None
        stated = "unlimited" if not length else f"{length} points"
        to = self.to
        span = to.line(f"record 0, byte 0: match, {stated}, {shown(players[0])} - {shown(players[1])}")
        to.players, to.length, to.length_span, to.rules = players, length, span, self.rules
        for key, value in kept_fields(header, RecordKind.MATCH):
            to.extra(key, value, span)
        if length is None:
            to.report(codes.NO_LENGTH, span, "the match header states no match length that can be")
        if not 0 <= (number := header["variation"]) < len(VARIATIONS):
            message = f"there is no variation {number} of backgammon; it is read as backgammon"
            to.report(codes.UNREADABLE_LINE, span, message)
        self._records()
        for game in self.games:
            self._finish_cube_decision(game)
        for game in self.games:
            self._finish(game)
        if not self.games:
            to.report(codes.NO_GAME, span, "no game was found: there is no game header")
        self._tail(span)
        for tag in self.tags:
            to.tag(tag.key, tag.value, span)
        texts = self.match_comments if outer in ("", *self.match_comments) else (*self.match_comments, outer)
        to.comments = [Comment(text=text, span=span, at=0) for text in texts]
        to.games = [*self.games]
        return to.build()

    def _header_texts(self) -> tuple[tuple[Tag, ...], tuple[str, ...]]:
        tags = list(header_tags(self.header))
        comments = []
        for where in ("comment_before", "comment_after"):
            text = self._text(self.header[where])
            if where == "comment_before" and text:
                more, text = split_tag_lines(text)
                tags += more
            if text:
                comments.append(text)
        return tuple(Tag(key=key, value=value) for key, value in tags), tuple(comments)

    def _text(self, index: int) -> str:
        """A comment by its index; "" where there is none."""
        if not 0 <= index < len(self.texts):
            return ""
        if index in self.used:
            # Usually one record names a comment. A file in which a thousand records do would fill the memory.
            self.room.take(len(self.texts[index]))
        self.used.add(index)
        return self.texts[index]

    def _tail(self, span: Span) -> None:
        for index in range(len(self.rollouts) // layout.ROLLOUT.size):
            rollout = layout.ROLLOUT.at(self.rollouts, index * layout.ROLLOUT.size)
            self.to.line(
                f"rollout {index}: {rollout['rolled']} games, 95% within {rollout['error1']:.4f}; "
                f"with a double: {rollout['rolled2']} games, 95% within {rollout['error2']:.4f}"
            )
        for index, text in enumerate(self.texts):
            if index not in self.used and text:
                place = self.to.line(f"comment {index}: {shown(text)}")
                self.to.report(codes.STRAY_TEXT, place, "this comment belongs to no record; it is left out")
                self.to.extra(f"{UNREAD}comment", "a comment that belongs to no record", place)
        if self.rest:
            self.to.report(codes.UNREADABLE_LINE, span, f"{self.rest} bytes at the end are not a whole record")

    # --- records ----------------------------------------------------------------------------

    def _records(self) -> None:
        for index, kind in enumerate(self.kinds):
            if index == 0:
                continue
            record = layout.RECORDS.get(kind, layout.GAME).at(self.stream, index * RECORD_SIZE)
            if kind == RecordKind.GAME:
                self._game_header(index, record)
            elif kind == RecordKind.MATCH_END:
                span = self.to.line(f"{record_label(index)}: end of the match")
                for key, value in kept_fields(record, RecordKind.MATCH_END):
                    self.to.extra(key, value, span)
            elif kind not in (RecordKind.CUBE, RecordKind.MOVE, RecordKind.GAME_END):
                span = self.to.line(f"{record_label(index)}: of kind {kind}")
                self.to.report(
                    codes.UNREADABLE_LINE, span, f"a record of kind {kind} has no place here; it is left out"
                )
            else:
                if not self.games:
                    self._game_header(index, None)
                game = self.games[-1]
                if kind == RecordKind.CUBE:
                    self._cube(index, game, record)
                elif kind == RecordKind.MOVE:
                    self._move(index, game, record)
                else:
                    self._game_end(index, game, record)

    def _game_header(self, index: int, header: BinaryRecord | None) -> None:
        usual = board_of(self.rules.start)
        if header is None:
            header = layout.GAME.new(comment_before=-1, comment_after=-1)
            label = "a game without a header"
        else:
            label = f"game {header['number']}, {header['score'][0]}-{header['score'][1]}"
            self.left = header["start"] if any(header["start"]) else usual
        span = self.to.line(f"{record_label(index)}: {label}")
        ties = min(max(header["automatic"], 0), _MOST_AUTOMATIC)
        is_set = any(header["start"]) and header["start"] != usual
        number, score = header["number"], header["score"]
        game = XgGame(
            match=self.to, number=number if number > 0 else None, score=score if min(score) >= 0 else None,
            heading=span, score_span=span, header=header, ties=ties,
            expected_cube=None if is_set else 0,
        )  # fmt: skip
        for each in range(ties):
            game.automatic(0, span, 2 << each)
        game.texts.append((header["comment_before"], 0, span))
        self.games.append(game)

    # --- decisions --------------------------------------------------------------------------

    def _player(self, number: int, span: Span) -> Player | None:
        if number == 1:
            return 0
        if number in (-1, 2):
            return 1
        self.to.report(codes.UNREADABLE_LINE, span, f"there is no player {number}; the record is left out")
        return None

    def _set(self, game: XgGame, board: Any, cube: int, player: Player, span: Span) -> bool:
        """Add an entry that sets a board or a cube to which no record leads; False for an impossible board."""
        game.expected_cube = cube
        seen = position(board, self.rules)
        if seen is None:
            self.to.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
            return False
        value, owner = cube_of(cube)
        game.set(player, seen, span, cube=value << game.ties, owner=owner)
        return True

    def _jumps(self, board: tuple[int, ...]) -> bool:
        """Whether a board differs from the one after the records before it."""
        return self.left is not None and board != self.left

    def _cube(self, index: int, game: XgGame, record: BinaryRecord) -> None:
        board, cube, number, clock = record["board"], record["cube"], record["player"], record["clock"]
        analysis, double, take = cube_analysis(record), record["double"], record["take"]
        is_set = self._jumps(board)
        self.left = board
        what = "double" if double == YES else "cube"
        span = self.to.line(f"{record_label(index)}: player {number if number > 0 else 2}, {what}")
        player = self._player(number, span)
        if player is None:
            return
        self._finish_cube_decision(game)
        left = (clock[player], clock[1 - player]) if any(clock) else None
        note = cube_note(analysis, record["flagged"], left, kept_fields(record, RecordKind.CUBE))
        if game.expected_cube is None and game.is_at_start:
            game.expected_cube = game.first_cube = cube
        is_set = bool(is_set or record["edited"] or game.expected_cube not in (None, cube)) and self._set(
            game, board, cube, player, span
        )
        if double == YES:
            value = cube_of(cube)[0] << game.ties + 1
            game.add(Double(player=player, value=value, span=span, annotation=note))
        if take >= REFUSED:
            # Without a double, the answer gets the annotation of the decision.
            answers = take, record["beaver"], record["raccoon"]
            self._answers(game, player, answers, span, None if double == YES else note)
        if double == YES or take >= REFUSED:
            game.expected_cube = None
        else:
            game.expected_cube = cube
            game.pending = Pending(board, cube, player, note, span, is_set)
        if record["comment"] >= 0:
            game.texts.append((record["comment"], len(game.entries) + (game.pending is not None), span))

    def _answers(
        self,
        game: XgGame,
        doubler: Player,
        answers: tuple[int, int, int],
        span: Span,
        note: Annotation | None,
    ) -> None:
        """Add a take, a drop, or a beaver and its answers, by the players in turn. The first gets the annotation."""
        player = other(doubler)
        value = getattr(game.entries[-1], "value", None) if game.entries else None
        for answer in answers:
            if answer < REFUSED:
                return
            if answer != BEAVERED:
                game.add((Take if answer == ACCEPTED else Drop)(player=player, span=span, annotation=note))
                return
            value = 2 * value if value else None
            game.beaver(player, span, value, raccoon=player == doubler, note=note)
            player, note = other(player), None

    def _move(self, index: int, game: XgGame, record: BinaryRecord) -> None:
        board, after, number, cube = record["board"], record["board_after"], record["player"], record["cube"]
        note, dice = play_annotation(record, self.plays), record["dice"]
        played, invalid = record["played"], record["invalid"]
        is_set = self._jumps(board)
        # After an unknown or an illegal play any board may follow; the replay finds it.
        self.left = None if not played or invalid else after if number == 1 else swap_sides(after)
        hops, written = hops_of(record["moves"]) if played else ((), "????")
        rolled = _roll(dice)
        start = f"{record_label(index)}: player {number if number > 0 else 2}, {roll_text(rolled)}"
        span = self.to.line(f"{start}{written}")
        player = self._player(number, span)
        if player is None:
            return
        decision = self._decided(game, player)
        edited = record["edited"] and self.kinds[index - 1] != RecordKind.CUBE
        self._go_on(game, board, cube, player, span, is_set=bool(is_set or edited))
        before = board if number == 1 else swap_sides(board)
        as_written = played_out(before, record["moves"]) == after
        text = _play_text(hops, invalid, after, as_written=as_written) if played else PlayText("unknown")
        if rolled is None and dice != (0, 0):
            self.to.report(codes.UNREADABLE_CELL, span, f"{dice[0]} and {dice[1]} are not a roll")
        if hops is None and text.kind == "illegal":
            self.to.report(codes.UNREADABLE_CELL, span, "the play has points that do not exist; its board counts")
        if decision is not None:
            note = joined(note, decision)
        dice = (0, 0) if rolled is None and text.kind == "moves" else rolled
        at = span.start + len(start)
        game.add(CheckerPlay(dice=dice, text=text, text_at=at, player=player, span=span, annotation=note))
        if record["comment"] >= 0:
            game.texts.append((record["comment"], len(game.entries), span))

    def _go_on(self, game: XgGame, board: Any, cube: int, player: Player, span: Span, *, is_set: bool) -> None:
        """Go on to the board and the cube of a move record. An entry sets them where they differ from those before.

        If the header sets a position, the cube of the first record is the cube of that position.
        """
        if game.expected_cube is None and game.is_at_start:
            game.first_cube = cube
        if is_set or game.expected_cube not in (None, cube):
            self._set(game, board, cube, player, span)
        game.expected_cube = cube

    def _decided(self, game: XgGame, player: Player) -> Annotation | None:
        """The annotation of the cube decision before a player's roll, or None."""
        if game.pending is None or game.pending.player != player:
            self._finish_cube_decision(game)
            return None
        decision, game.pending = game.pending.note, None
        return decision

    def _finish_cube_decision(self, game: XgGame) -> None:
        """Finish a cube decision that no roll of the same player follows: it becomes a set position if it needs one."""
        pending, game.pending = game.pending, None
        if pending is None:
            return
        first = game.is_at_start
        if not pending.is_set and (first or pending.note is not None):
            self._set(game, pending.board, pending.cube, pending.player, pending.span)
        if pending.note is not None and game.entries and isinstance(game.entries[-1], SetBoard):
            game.annotate(pending.note)

    # --- the end of a game ------------------------------------------------------------------

    def _game_end(self, index: int, game: XgGame, record: BinaryRecord) -> None:
        number, points, ending = record["winner"], record["points"], record["ending"]
        span = self.to.line(f"{record_label(index)}: player {number if number > 0 else 2} wins {points}")
        winner = self._player(number, span)
        if winner is None:
            return
        if ending >= RESIGNED:
            pending, game.pending = game.pending, None
            kind = ending % RESIGNED
            level: Level | None = kind if ending < 2 * RESIGNED and kind in (1, 2, 3) else None
            whole = ending == RESIGNED + WHOLE_MATCH
            note = pending.note if pending is not None else None
            game.resign(other(winner), span, level, match=whole, note=note)
        self._finish_cube_decision(game)
        game.result(winner, points if points > 0 else None, span)
        for key, value in kept_fields(record, RecordKind.GAME_END):
            game.extra(key, value, span)

    def _finish(self, game: XgGame) -> None:
        """Give a game its start and its comments."""
        header = game.header
        if header["in_progress"] and game.results:
            game.extra(f"{EXTRA}in-progress", "1", game.heading)
        game.texts.append((header["comment_after"], len(game.entries), game.heading))
        if any(header["start"]):
            start = position(header["start"], self.rules)
            if start is None:
                self.to.report(codes.BAD_SET_POSITION, game.heading, "the start has more checkers than the game")
            first = None if game.is_at_start else game.entries[game.ties]
            is_usual = start == self.rules.start or (isinstance(first, SetBoard) and first.position == start)
            game.start, game.start_known = None if is_usual else start, start is not None
        if game.start is not None:
            game.start_cube, game.start_owner = cube_of(game.first_cube)
        for number, at, span in game.texts:
            if text := self._text(number):
                game.comments.append(Comment(text=text, at=min(at, len(game.entries)), span=span))


def _roll(dice: tuple[int, int]) -> Dice | None:
    """A roll, possible or not; None where a die is not a digit from 0 to 9, or nothing was rolled."""
    return dice if any(dice) and min(dice) >= 0 and max(dice) <= _MOST_DIE else None


def _play_text(hops: tuple[HopText, ...] | None, invalid: int, after: Any, *, as_written: bool) -> PlayText:
    """The play of a move record.

    Args:
        hops: the hops of the record; None where they name points that do not exist.
        invalid: 0, or XG's mark for an illegal play: `DOUBTFUL` or `ILLEGAL`.
        after: the board after the play, by the record.
        as_written: whether the hops lead to that board.
    """
    if hops and (as_written or invalid):
        return PlayText("moves", hops)
    if not hops and (invalid == DOUBTFUL or (as_written and not invalid)):
        return PlayText("dance")
    return PlayText("illegal", dump=dump(after))
