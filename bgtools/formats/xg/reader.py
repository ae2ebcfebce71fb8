"""Reading eXtreme Gammon's files, matches (.xg) and positions (.xgp) alike.

These files are not text, so a listing with a line for each record is made; findings give places in
that listing.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.limits import PieceBudget, largest_file
from bgtools.formats.shared.listing import Listing, dump, shown
from bgtools.formats.shared.signed import board_of, position, swap_sides
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, QUICK_LOOK, RECORDS, ROLLOUTS, open_archive
from bgtools.formats.xg.comments import read_comments
from bgtools.formats.xg.decode import cube_analyses, hops_of, play_annotations, played_out
from bgtools.formats.xg.draft import Pending, XgGameDraft, cube_note, cube_of, joined, record_label, roll_text
from bgtools.formats.xg.encode import DOUBTFUL, YES
from bgtools.formats.xg.fields import header_extras, header_tags, rules_of_header, split_tag_lines, text_of
from bgtools.formats.xg.game import ACCEPTED, BEAVERED, REFUSED, RESIGNED, WHOLE_MATCH
from bgtools.formats.xg.layout import RECORD_SIZE, RecordKind
from bgtools.record.record import (
    UNREAD,
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Dice
    from bgtools.board.play import HopText
    from bgtools.formats.content import Content
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
    header = np.frombuffer(stream, layout.MATCH, 1)[0]
    if int(header["magic"]) != layout.MATCH_MAGIC:
        raise FormatError("this file of eXtreme Gammon holds no match: its match header is damaged")
    if int(header["version"]) > NEWEST:
        raise FormatError(
            f"this file was written by a later eXtreme Gammon (version {int(header['version'])} of its records; "
            f"up to {NEWEST} are known)"
        )
    rest = len(files[RECORDS]) - len(stream)
    comments = read_comments(files.get(COMMENTS, b""))
    with _no_collections(), np.errstate(all="ignore"):
        match = _XgReader(content.name, stream, header, comments, files.get(ROLLOUTS, b""), rest).match()
    return (replace(match, extras=match.extras + tuple(_unread(content.data, files, match.length_span))),)


def _unread(data: bytes, files: dict[str, bytes], span: Span) -> Iterator[Tag]:
    """Extras for those parts of a file that are not read. They are lost when its match is written in another file."""
    count = len(files.get(ROLLOUTS, b"")) // layout.ROLLOUT.itemsize
    picture = int(np.frombuffer(data, layout.RICH_HEADER, 1)[0]["thumbnail_size"])
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


class _XgReader(Listing):
    """Reads a match or a position into drafts of its games, and lists the records as it goes."""

    def __init__(
        self, name: str, stream: bytes, header: Any, comments: tuple[str, ...], rollouts: bytes, rest: int
    ) -> None:
        super().__init__(name)
        self.header = header
        self.texts = comments
        self.used: set[int] = set()
        self.room = PieceBudget("characters in comments that are told again and again", largest_file())
        self.rollouts = rollouts
        self.rest = rest
        self.drafts: list[XgGameDraft] = []
        self.strays: list[Tag] = []
        self.kinds = np.frombuffer(stream, np.uint8)[layout.KIND_AT :: RECORD_SIZE]
        self.of_kind = {
            kind: np.frombuffer(stream, dtype)[self.kinds == kind]
            for kind, dtype in (
                (RecordKind.GAME, layout.GAME),
                (RecordKind.CUBE, layout.CUBE),
                (RecordKind.MOVE, layout.MOVE),
                (RecordKind.GAME_END, layout.GAME_END),
            )
        }
        self.tags, self.match_comments = self._header_texts()
        self.rules: Ruleset = rules_of_header(header, self.tags)

    # --- the match --------------------------------------------------------------------------

    def match(self) -> Match:
        header = self.header
        players = text_of(header, "player1"), text_of(header, "player2")
        length: int | None = int(header["length"])
        assert length is not None
        length = 0 if length == layout.UNLIMITED else length if 0 < length <= _MOST_LENGTH else None
        said = "unlimited" if not length else f"{length} points"
        span = self.line(f"record 0, byte 0: match, {said}, {shown(players[0])} - {shown(players[1])}")
        if length is None:
            self.report(codes.NO_LENGTH, span, "the match header states no match length that can be")
        self._records()
        for draft in self.drafts:
            self._finish_cube_decision(draft)
        games = tuple(map(self._game, self.drafts))
        if not games:
            self.report(codes.NO_GAME, span, "no game was found: there is no game header")
        self._tail(span)
        tags = tuple(replace(tag, span=span) for tag in self.tags)
        return Match(
            players=players,
            length=length,
            games=games,
            tags=tags,
            rules=self.rules,
            comments=tuple(Comment(text=text, span=span, at=0) for text in self.match_comments),
            findings=tuple(self.findings),
            source=self.source,
            length_span=span,
            extras=(*(replace(tag, span=span) for tag in header_extras(header)), *self.strays),
        )

    def _header_texts(self) -> tuple[tuple[Tag, ...], tuple[str, ...]]:
        tags = list(header_tags(self.header))
        comments = []
        for where in ("comment_before", "comment_after"):
            text = self._text(int(self.header[where]))
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
        for index in range(len(self.rollouts) // layout.ROLLOUT.itemsize):
            rollout = np.frombuffer(self.rollouts, layout.ROLLOUT, 1, index * layout.ROLLOUT.itemsize)[0]
            self.line(
                f"rollout {index}: {int(rollout['rolled'])} games, 95% within {float(rollout['error1']):.4f}; "
                f"with a double: {int(rollout['rolled2'])} games, 95% within {float(rollout['error2']):.4f}"
            )
        for index, text in enumerate(self.texts):
            if index not in self.used and text:
                place = self.line(f"comment {index}: {shown(text)}")
                self.report(codes.STRAY_TEXT, place, "this comment belongs to no record; it is left out")
                self.strays.append(Tag(key=f"{UNREAD}comment", value="a comment that belongs to no record", span=place))
        if self.rest:
            self.report(codes.UNREADABLE_LINE, span, f"{self.rest} bytes at the end are not a whole record")

    # --- records ----------------------------------------------------------------------------

    def _records(self) -> None:
        games, ends = iter(self.of_kind[RecordKind.GAME]), iter(self.of_kind[RecordKind.GAME_END])
        cubes, moves = self._cubes(), self._moves()
        jumps = self._jumps()
        for index, kind in enumerate(self.kinds.tolist()):
            draft = self.drafts[-1] if self.drafts else None
            if index == 0:
                continue
            if kind == RecordKind.GAME:
                self._game_header(index, next(games))
            elif kind == RecordKind.MATCH_END:
                self.line(f"{record_label(index)}: end of the match")
            elif kind not in (RecordKind.CUBE, RecordKind.MOVE, RecordKind.GAME_END):
                span = self.line(f"{record_label(index)}: of kind {kind}")
                self.report(codes.UNREADABLE_LINE, span, f"a record of kind {kind} has no place here; it is left out")
            else:
                if draft is None:
                    self._game_header(index, None)
                    draft = self.drafts[-1]
                if kind == RecordKind.CUBE:
                    self._cube(index, draft, next(cubes), jumps[index])
                elif kind == RecordKind.MOVE:
                    self._move(index, draft, next(moves), jumps[index])
                else:
                    self._game_end(index, draft, next(ends))

    def _game_header(self, index: int, header: Any) -> None:
        if header is None:
            header = np.zeros(1, layout.GAME)[0]
            header["comment_before"] = header["comment_after"] = -1
            told = "a game without a header"
        else:
            told = f"game {int(header['number'])}, {int(header['score'][0])}-{int(header['score'][1])}"
        span = self.line(f"{record_label(index)}: {told}")
        automatic = min(max(int(header["automatic"]), 0), _MOST_AUTOMATIC)
        is_set = bool(header["start"].any() and (header["start"] != board_of(self.rules.start)).any())
        draft = XgGameDraft(header, span, automatic, cube=None if is_set else 0)
        draft.entries += [AutomaticDouble(player=0, value=2 << turn, span=span) for turn in range(automatic)]
        draft.comments.append((int(header["comment_before"]), 0, span))
        self.drafts.append(draft)

    def _cubes(self) -> Any:
        records = self.of_kind[RecordKind.CUBE]
        columns = [records[name].tolist() for name in _CUBE_COLUMNS]
        return zip(records["board"], cube_analyses(records), *columns, strict=True)

    def _moves(self) -> Any:
        records = self.of_kind[RecordKind.MOVE]
        mover = records["player"] == 1
        before = np.where(mover[:, None], records["board"], swap_sides(records["board"]))
        as_written = (played_out(before, records["moves"]) == records["board_after"]).all(axis=1)
        columns = [records[name].tolist() for name in _MOVE_COLUMNS]
        return zip(
            records["board"], records["board_after"], play_annotations(records), as_written.tolist(),
            *columns, strict=True,
        )  # fmt: skip

    def _jumps(self) -> list[bool]:
        """For every record, whether its board differs from the board after the records before it."""
        kinds = self.kinds
        cubes, moves, games = (
            self.of_kind[RecordKind.CUBE],
            self.of_kind[RecordKind.MOVE],
            self.of_kind[RecordKind.GAME],
        )
        usual = board_of(self.rules.start)
        # The boards before and after every record, all seen by player 1 of the file.
        before = np.zeros((len(kinds), 26), np.int8)
        after = np.zeros((len(kinds), 26), np.int8)
        before[kinds == RecordKind.CUBE], before[kinds == RecordKind.MOVE] = cubes["board"], moves["board"]
        starts = games["start"]
        after[kinds == RecordKind.GAME] = np.where(starts.any(axis=1)[:, None], starts, usual)
        mover = moves["player"] == 1
        after[kinds == RecordKind.MOVE] = np.where(
            mover[:, None], moves["board_after"], swap_sides(moves["board_after"])
        )
        after[kinds == RecordKind.CUBE] = cubes["board"]
        # After an unknown or an illegal play any board may follow; the replay finds it.
        leaves = (kinds == RecordKind.GAME) | (kinds == RecordKind.CUBE) | (kinds == RecordKind.MOVE)
        known = leaves.copy()
        known[kinds == RecordKind.MOVE] = (moves["played"] != 0) & (moves["invalid"] == 0)
        last = np.maximum.accumulate(np.where(leaves, np.arange(len(kinds)), 0))
        last = np.concatenate(([0], last[:-1]))
        jumps = (before != after[last]).any(axis=1) & known[last]
        found: list[bool] = jumps.tolist()
        return found

    # --- decisions --------------------------------------------------------------------------

    def _player(self, number: int, span: Span) -> Player | None:
        if number == 1:
            return 0
        if number in (-1, 2):
            return 1
        self.report(codes.UNREADABLE_LINE, span, f"there is no player {number}; the record is left out")
        return None

    def _set(self, draft: XgGameDraft, board: Any, cube: int, player: Player, span: Span) -> bool:
        """Add an entry that sets a board or a cube to which no record leads; False for an impossible board."""
        draft.cube = cube
        seen = position(board, self.rules)
        if seen is None:
            self.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
            return False
        value, owner = cube_of(cube)
        draft.entries.append(
            SetBoard(position=seen, cube=value << draft.automatic, owner=owner, player=player, span=span)
        )
        return True

    def _cube(self, index: int, draft: XgGameDraft, columns: Any, jumps: bool) -> None:
        (board, analysis, number, double, take, beaver, raccoon, cube, edited, flagged, comment) = columns
        told = "double" if double == YES else "cube"
        span = self.line(f"{record_label(index)}: player {number if number > 0 else 2}, {told}")
        player = self._player(number, span)
        if player is None:
            return
        self._finish_cube_decision(draft)
        note = cube_note(analysis, flagged)
        if draft.cube is None and not draft.entries[draft.automatic :]:
            draft.cube = draft.start_cube = cube
        is_set = bool(jumps or edited or draft.cube not in (None, cube)) and self._set(draft, board, cube, player, span)
        if double == YES:
            value = cube_of(cube)[0] << draft.automatic + 1
            draft.entries.append(Double(player=player, value=value, span=span, annotation=note))
        if take >= REFUSED:
            # Without a double, the answer gets the annotation of the decision.
            self._answers(draft, player, (take, beaver, raccoon), span, None if double == YES else note)
        if double == YES or take >= REFUSED:
            draft.cube = None
        else:
            draft.cube = cube
            draft.pending = Pending(board, cube, player, note, span, is_set)
        if comment >= 0:
            draft.comments.append((comment, len(draft.entries) + (draft.pending is not None), span))

    def _answers(
        self,
        draft: XgGameDraft,
        doubler: Player,
        answers: tuple[int, int, int],
        span: Span,
        note: Annotation | None,
    ) -> None:
        """Add a take, a drop, or a beaver and its answers, by the players in turn. The first gets the annotation."""
        player = other(doubler)
        value = getattr(draft.entries[-1], "value", None) if draft.entries else None
        for answer in answers:
            if answer < REFUSED:
                return
            if answer != BEAVERED:
                draft.entries.append((Take if answer == ACCEPTED else Drop)(player=player, span=span, annotation=note))
                return
            value = 2 * value if value else None
            raccoon = player == doubler
            draft.entries.append(Beaver(player=player, value=value, raccoon=raccoon, span=span, annotation=note))
            player, note = other(player), None

    def _move(self, index: int, draft: XgGameDraft, columns: Any, jumps: bool) -> None:
        (board, after, note, as_written, number, steps, dice, cube, played, invalid, edited, comment) = columns
        hops, written = hops_of(tuple(steps)) if played else ((), "????")
        rolled = _roll(dice)
        start = f"{record_label(index)}: player {number if number > 0 else 2}, {roll_text(rolled)}"
        span = self.line(f"{start}{written}")
        player = self._player(number, span)
        if player is None:
            return
        decision = self._decided(draft, player)
        edited = edited and self.kinds[index - 1] != RecordKind.CUBE
        self._go_on(draft, board, cube, player, span, is_set=bool(jumps or edited))
        text = _play_text(hops, invalid, after, as_written=as_written) if played else PlayText("unknown")
        if rolled is None and dice != [0, 0]:
            self.report(codes.UNREADABLE_CELL, span, f"{dice[0]} and {dice[1]} are not a roll")
        if hops is None and text.kind == "illegal":
            self.report(codes.UNREADABLE_CELL, span, "the play has points that do not exist; its board counts")
        if decision is not None:
            note = joined(note, decision)
        dice = (0, 0) if rolled is None and text.kind == "moves" else rolled
        at = span.start + len(start)
        draft.entries.append(CheckerPlay(dice=dice, text=text, text_at=at, player=player, span=span, annotation=note))
        if comment >= 0:
            draft.comments.append((comment, len(draft.entries), span))

    def _go_on(self, draft: XgGameDraft, board: Any, cube: int, player: Player, span: Span, *, is_set: bool) -> None:
        """Go on to the board and the cube of a move record. An entry sets them where they differ from those before.

        If the header sets a position, the cube of the first record is the cube of that position.
        """
        if draft.cube is None and not draft.entries[draft.automatic :]:
            draft.start_cube = cube
        if is_set or draft.cube not in (None, cube):
            self._set(draft, board, cube, player, span)
        draft.cube = cube

    def _decided(self, draft: XgGameDraft, player: Player) -> Annotation | None:
        """The annotation of the cube decision before a player's roll, or None."""
        if draft.pending is None or draft.pending.player != player:
            self._finish_cube_decision(draft)
            return None
        decision, draft.pending = draft.pending.note, None
        return decision

    def _finish_cube_decision(self, draft: XgGameDraft) -> None:
        """Finish a cube decision that no roll of the same player follows: it becomes a set position if it needs one."""
        pending, draft.pending = draft.pending, None
        if pending is None:
            return
        first = not draft.entries[draft.automatic :]
        if not pending.is_set and (first or pending.note is not None):
            self._set(draft, pending.board, pending.cube, pending.player, pending.span)
        if pending.note is not None and draft.entries and isinstance(draft.entries[-1], SetBoard):
            draft.entries[-1] = replace(draft.entries[-1], annotation=pending.note)

    # --- the end of a game ------------------------------------------------------------------

    def _game_end(self, index: int, draft: XgGameDraft, record: Any) -> None:
        number, points, ending = int(record["winner"]), int(record["points"]), int(record["ending"])
        span = self.line(f"{record_label(index)}: player {number if number > 0 else 2} wins {points}")
        winner = self._player(number, span)
        if winner is None:
            return
        if ending >= RESIGNED:
            pending, draft.pending = draft.pending, None
            kind = ending % RESIGNED
            level: Level | None = kind if ending < 2 * RESIGNED and kind in (1, 2, 3) else None  # type: ignore[assignment]
            whole = ending == RESIGNED + WHOLE_MATCH
            note = pending.note if pending is not None else None
            draft.entries.append(Resign(player=other(winner), level=level, match=whole, span=span, annotation=note))
        self._finish_cube_decision(draft)
        draft.results.append(ResultClaim(player=winner, points=points if points > 0 else None, span=span))

    def _game(self, draft: XgGameDraft) -> Game:
        header = draft.header
        draft.comments.append((int(header["comment_after"]), len(draft.entries), draft.span))
        start = None
        known = True
        if header["start"].any():
            start = position(header["start"], self.rules)
            known = start is not None
            if not known:
                self.report(codes.BAD_SET_POSITION, draft.span, "the start has more checkers than the game")
            first = draft.entries[draft.automatic] if draft.entries[draft.automatic :] else None
            if start == self.rules.start or (isinstance(first, SetBoard) and first.position == start):
                start = None
        value, owner = cube_of(draft.start_cube if start is not None else 0)
        found = ((self._text(number), at, span) for number, at, span in draft.comments)
        number, score = int(header["number"]), (int(header["score"][0]), int(header["score"][1]))
        return Game(
            number=number if number > 0 else None,
            score=score if min(score) >= 0 else None,
            entries=tuple(draft.entries),
            results=tuple(draft.results),
            start=start,
            start_known=known,
            start_cube=value,
            start_owner=owner,
            comments=tuple(
                Comment(text=text, at=min(at, len(draft.entries)), span=span) for text, at, span in found if text
            ),
            heading=draft.span,
            score_span=draft.span,
        )


_CUBE_COLUMNS: Final = ("player", "double", "take", "beaver", "raccoon", "cube", "edited", "flagged", "comment")
_MOVE_COLUMNS: Final = ("player", "moves", "dice", "cube", "played", "invalid", "edited", "comment")


def _roll(dice: list[int]) -> Dice | None:
    """A roll, possible or not; None where a die is not a digit from 0 to 9, or nothing was rolled."""
    return (dice[0], dice[1]) if any(dice) and min(dice) >= 0 and max(dice) <= _MOST_DIE else None


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
