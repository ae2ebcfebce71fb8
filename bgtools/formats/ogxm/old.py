"""Reading OGXM version 1, whose records have fixed sizes, into the same draft as version 2."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.bgf.notes import (
    PlayFigures,
    chances_of,
    cube_analysis,
    date_tags,
    joined,
    level_of,
    play_analysis,
)
from bgtools.formats.bgf.plies import ROLLS, ActionCode, OgxmGameDraft, OgxmMatchDraft, PlyDraft
from bgtools.formats.content import FormatError
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import Cursor
from bgtools.formats.ogxm.layout import OLD_SCALE
from bgtools.formats.ogxm.sections import sections, unread_parts
from bgtools.formats.shared.tags import BEAVERS_ON
from bgtools.record.annotation import Annotation
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.perspective import Player
    from bgtools.formats.shared.binary import BinaryRecord, RecordType
    from bgtools.record.annotation import Unit

_KNOWN: Final = (b"MHDR", b"GAME", b"ANAL", b"EVAL", b"ALTS", b"CUBE", b"GVAN", b"CSUM", b"SIGN", b"CLCK", b"VIDO")
_TAGS: Final = ("Event", "Site")
_CRC_BYTES: Final = 4


def read_old(data: bytes) -> OgxmMatchDraft:
    """The match of a file of version 1.

    Raises:
        FormatError: it is damaged or cut off.
    """
    return _OldOgxmReader(data).match()


def require_whole_old(data: bytes) -> None:
    """Check the parts and the checksum of a file of version 1.

    Raises:
        FormatError: it is damaged or cut off.
    """
    list(_OldOgxmReader(data)._sections())


def _take(cursor: Cursor, kind: RecordType) -> BinaryRecord:
    return kind.at(cursor.take(kind.size))


_BOARD: Final = struct.Struct(f"{layout.OLD_BOARD}b")


def _text(cursor: Cursor) -> str:
    return cursor.take(cursor.byte()).decode("utf-8", "replace")


class _Block:
    """An analysis whose sections are being collected."""

    def __init__(self, cursor: Cursor) -> None:
        self.head = _take(cursor, layout.OLD_ANALYSIS)
        self.program = _text(cursor)
        self.plays: Any = ()
        self.alternatives: Any = ()
        self.cubes: Any = ()
        self.luck: list[float | None] = []
        self.is_normalized = False
        """Whether its equities are in points, as those of GammonView, and not match winning chances."""


class _OldOgxmReader:
    """Reads a file of version 1."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.room = Cursor(data).room
        self.faults: list[str] = []
        self.blocks: list[_Block] = []
        self.plies: dict[tuple[int, int], PlyDraft] = {}

    def match(self) -> OgxmMatchDraft:
        """The match of the file."""
        sections = list(self._sections())
        if not sections or sections[0][0] != b"MHDR":
            raise FormatError("this OGXM file holds no match: it has no match header")
        draft = self._head(sections[0][1])
        for name, cursor in sections[1:]:
            if name == b"GAME":
                draft.games.append(self._game(cursor, draft))
            elif name == b"ANAL":
                self.blocks.append(_Block(cursor))
            elif self.blocks:
                self._analysis(name, cursor, self.blocks[-1])
        for block in self.blocks:
            self._notes(block, money=not draft.length)
        draft.unread = unread_parts((name for name, _ in sections), b"SIGN")
        return draft

    def _sections(self) -> Iterator[tuple[bytes, Cursor]]:
        """Every section: its name and a cursor over it. Verifies the checksum."""
        at, end = layout.OLD_HEADER.size, len(self.data) - layout.OLD_END.size
        for name, start, stop in sections(self.data, at, end, layout.OLD_SECTION, _KNOWN, self.faults):
            if name == b"CSUM":
                self._verify(start - layout.OLD_SECTION.size, self.data[start:stop])
            yield name, Cursor(self.data, start, stop, self.room)

    def _verify(self, before: int, check: bytes) -> None:
        # The checksum is the last four bytes, behind its kind. A longer section holds one of another kind.
        if len(check) <= 2 * _CRC_BYTES and check[-_CRC_BYTES:] != zlib.crc32(self.data[:before]).to_bytes(4, "little"):
            raise FormatError("this OGXM file is damaged: its checksum is another")

    # --- the match --------------------------------------------------------------------------

    def _head(self, cursor: Cursor) -> OgxmMatchDraft:
        where = f"byte {cursor.at}"
        head = _take(cursor, layout.OLD_MATCH)
        players = (_text(cursor), _text(cursor))
        tags = []
        for key in _TAGS:
            text = "" if cursor.is_done else _text(cursor)
            if text:
                tags.append((key, text))
        tags += date_tags(head["timestamp"] * 1000, whole_days=False)
        bits, money = head["flags"], not head["length"]
        rules = Ruleset(
            crawford=bool(bits & layout.CRAWFORD) and not money,
            jacoby=bool(bits & layout.JACOBY) and money,
            beavers=(BEAVERS_ON if bits & layout.RACCOONS else int(bool(bits & layout.BEAVERS))) * money,
            automatic_doubles=None if money else 0,
            cube_limit=head["cube_limit"] or None,
        )
        return OgxmMatchDraft(
            where=where, players=players, length=head["length"], rules=rules, tags=tags, faults=self.faults
        )

    def _game(self, cursor: Cursor, draft: OgxmMatchDraft) -> OgxmGameDraft:
        where = f"byte {cursor.at}"
        head = _take(cursor, layout.OLD_GAME)
        game = OgxmGameDraft(where=where, winner=head["winner"], points=head["points"])
        if cursor.data[cursor.at : cursor.at + 1] == bytes([layout.OLD_USUAL_BOARD]):
            cursor.take(2)
        else:
            game.board = self._board(cursor)
            cursor.take(1)
        index = head["index"]
        for number in range(head["plies"]):
            self.room.take(4)
            ply = self._ply(cursor)
            game.plies.append(ply)
            self.plies.setdefault((index, number), ply)
        if not cursor.is_done:
            draft.faults.append(f"{cursor.end - cursor.at} bytes behind the plies of game {len(draft.games) + 1}")
        return game

    @staticmethod
    def _board(cursor: Cursor) -> tuple[int, ...]:
        return _BOARD.unpack(cursor.take(_BOARD.size))

    def _ply(self, cursor: Cursor) -> PlyDraft:
        where, first = f"byte {cursor.at}", cursor.byte()
        player: Player = 0 if first & layout.OLD_WHITE else 1
        ply = PlyDraft(action=first & layout.OLD_ACTION_BITS, player=player, where=where)
        if ply.action < len(ROLLS):
            low, high = ROLLS[ply.action]
            ply.steps = tuple((step & 0x1F, step >> 5) for step in cursor.take(4 if low == high else 2) if step)
        elif ply.action == ActionCode.SET_POSITION:
            if first & layout.OLD_WITH_DICE:
                dice = cursor.byte()
                ply.dice = (dice & 0x0F, dice >> 4)
            ply.board = self._board(cursor)
        return ply

    # --- analyses ---------------------------------------------------------------------------

    def _analysis(self, name: bytes, cursor: Cursor, block: _Block) -> None:
        kinds = {b"EVAL": layout.OLD_PLAY, b"ALTS": layout.OLD_ALTERNATIVE, b"CUBE": layout.OLD_CUBE}
        if name in kinds:
            count = (cursor.end - cursor.at) // kinds[name].size
            cursor.room.take(count)
            found = kinds[name].rows(cursor.data, count, cursor.at)
            setattr(block, {b"EVAL": "plays", b"ALTS": "alternatives", b"CUBE": "cubes"}[name], found)
        elif name == b"GVAN":
            head = _take(cursor, layout.OLD_MORE)
            kind = layout.OLD_MORE_PLAY.get(head["version"])
            block.is_normalized = True
            if kind is None or not head["sections"] & 1:
                return
            count = min((cursor.end - cursor.at) // kind.size, len(block.plays))
            block.luck = [
                row["luck"] / OLD_SCALE if row["flags"] & layout.OLD_HAS_LUCK else None
                for row in kind.rows(cursor.data, count, cursor.at)
            ]

    def _notes(self, block: _Block, *, money: bool) -> None:
        at, depth = 0, block.head["ply"]
        for number, row in enumerate(block.plays):
            count = row["alternatives"]
            rows, at = block.alternatives[at : at + count], at + count
            ply = self.plies.get((row["game"], row["ply"]))
            if ply is None:
                self.faults.append("an analysis belongs to nothing in the match; it is left out")
                continue
            level = level_of(None, row["depth"] or depth)
            valued = [
                PlayFigures(
                    tuple((step & 0x1F, step >> 5) for step in each["steps"] if step),
                    each["equity"] / OLD_SCALE,
                    chances_of([part / OLD_SCALE for part in each["chances"]]), level, None, bool(each["flags"] & 1),
                )
                for each in rows
            ]  # fmt: skip
            plays = play_analysis(valued, ply.player, "emg", row["loss"] / OLD_SCALE)
            luck = block.luck[number] if number < len(block.luck) else None
            if plays is not None or luck is not None:
                ply.note = joined(ply.note, Annotation(program=block.program, plays=plays, luck=luck))
        unit: Unit = "emg" if money or block.is_normalized else "mwc"
        for row in block.cubes:
            ply = self.plies.get((row["game"], row["ply"]))
            if ply is None or row["kind"] == layout.OLD_RESIGNATION:
                continue
            equities = [row[name] / OLD_SCALE for name in ("no_double", "double_take", "double_drop")]
            cube = cube_analysis(
                equities, chances_of([part / OLD_SCALE for part in row["chances"]]), unit,
                level_of(None, row["depth"] or depth), row["loss"] / OLD_SCALE,
                answers=ply.action in (ActionCode.TAKE, ActionCode.DROP),
            )  # fmt: skip
            ply.note = joined(ply.note, Annotation(program=block.program, cube=cube))
