"""The remarks that programs keep in an OGXM file for themselves: their keys, how they are packed, and how many fit.

OGXM takes remarks in one order only: by what they are about, those with a key first, by their keys, and no key of one
thing twice. All of them together are at most `MOST_BYTES` and `MOST_REMARKS`.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.notation import parse_hop
from bgtools.board.play import PlayText
from bgtools.formats.bgf.plies import ROLLS, ActionCode, action_of
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import MOST_TEXT
from bgtools.formats.ogxm.layout import Scope
from bgtools.formats.shared.json_values import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayKind
    from bgtools.formats.bgf.plies import PlyDraft, Steps

NEWEST: Final = (2, 2)
"""The newest version of OGXM that is read and written. A file states the version of reader that it needs."""
OURS: Final = "x-bgtools-"
"""The beginning of the keys of our remarks, which hold what OGXM has no field for."""
TAGS: Final = f"{OURS}tags"
"""The key of a remark with all tags that no field holds: a list in JSON of keys and values."""
SCORE: Final = f"{OURS}score"
PLAY: Final = f"{OURS}play"
ROLL: Final = f"{OURS}roll"
"""The key of a remark that a set position stands for a roll without a play, or for a play without a roll (see
`roll_text`)."""
NO_TURN: Final = "none"
"""The value of `ROLL` at a pass, or a set position, that stands for nothing."""
NOTES: Final = f"{OURS}notes"
"""The key of a remark with the parts of all analyses that their decisions leave out (see `leftover`), packed."""
OF_GAME: Final = re.compile(rf"{OURS}game/(\d{{1,6}})/\d+/(.*)", re.DOTALL)
"""The key of a remark on a game for which a file has too few plies: its index, a number, and its own key."""
OLD_TAG: Final = f"{OURS}tag/"
OLD_NOTE: Final = f"{OURS}note"
"""Keys of remarks of one tag, and of the parts of one analysis, which bgtools wrote before."""
GAMMONVIEW: Final = "x-gammonview-"
EXACT: Final = f"{GAMMONVIEW}decisions/"
GAMMONVIEW_VALUE: Final = "1:"
SITE: Final = f"{GAMMONVIEW}site"
ILLEGAL: Final = f"{GAMMONVIEW}illegal-ply"

MOST_BYTES: Final = (256 << 10) - 1
"""The most bytes of all remarks of a match together."""
MOST_REMARKS: Final = 4096
_LARGEST_NOTES: Final = 16 << 20
"""The most bytes that the notes are unpacked to; packed ones of a match are a quarter of a megabyte at most."""


_ROLL_TEXT: Final = re.compile(r"([12])(?: ([1-6])([1-6]))?")


def roll_text(player: Player, dice: Dice | None) -> str:
    """The value of `ROLL`: the number of the player, and the dice where they are known, such as ``1 64``."""
    return str(player + 1) if dice is None else f"{player + 1} {dice[0]}{dice[1]}"


def roll_in(text: str) -> tuple[Player, Dice | None] | None:
    """The player and the dice in a text by `roll_text`; None where it is another text."""
    found = _ROLL_TEXT.fullmatch(text)
    if found is None:
        return None
    return (0 if found[1] == "1" else 1), ((int(found[2]), int(found[3])) if found[2] else None)


class OgxmRemark(NamedTuple):
    """A remark: what it is about, its key, which is empty for the words of a person, and its text."""

    scope: Scope
    ref: int
    key: str
    text: str

    def records(self) -> list[_RemarkRecord]:
        """Its records: several where its text is too long for one."""
        found = []
        for number, piece in enumerate(_pieces(self.text, words=not self.key)):
            key = f"{self.key}~{number}" if self.key and number else self.key
            data = layout.REMARK.write({"scope": self.scope, "ref": self.ref, "key": key or None, "value": piece})
            found.append(_RemarkRecord((self.scope, self.ref, not key, key), data))
        return found


class _RemarkRecord(NamedTuple):
    """The bytes of a remark, and its place among the others."""

    rank: tuple[int, int, bool, str]
    data: bytes


class Remarks:
    """The remarks of a match that is being written."""

    def __init__(self) -> None:
        self.added: list[OgxmRemark] = []
        self.tags: list[tuple[str, str]] = []
        self.notes: list[tuple[int, str]] = []
        """The parts of analyses by `leftover`, each with the number of its ply."""

    def add(self, scope: Scope, ref: int, key: str, text: str) -> None:
        """Add a remark."""
        self.added.append(OgxmRemark(scope, ref, key, text))

    def section(self, plies: int) -> bytes:
        """The bytes of the section. What has no room is left out: analyses first, then words, then tags.

        Args:
            plies: how many the match has. OGXM takes remarks on no more games than that.
        """
        room = _Room()
        added = [
            each
            if each.scope != Scope.GAME or each.ref < plies
            else OgxmRemark(Scope.MATCH, 0, f"{OURS}game/{each.ref}/{number}/{each.key}", each.text)
            for number, each in enumerate(self.added)
        ]
        room.put(each for each in added if each.key)
        room.put_most(len(self.tags), lambda count: _tag_remark(self.tags[:count]))
        room.put(each for each in added if not each.key)
        room.put_most(len(self.notes), lambda count: _note_remark(self.notes[:count]))
        return b"".join(record.data for record in sorted(room.records, key=lambda record: record.rank))


class _Room:
    """The records that are kept, and how many bytes still fit."""

    def __init__(self) -> None:
        self.records: list[_RemarkRecord] = []
        self.left = MOST_BYTES

    def has(self, records: Sequence[_RemarkRecord]) -> bool:
        """Whether records fit."""
        size = sum(len(record.data) for record in records)
        return size <= self.left and len(self.records) + len(records) <= MOST_REMARKS

    def put(self, remarks: Iterable[OgxmRemark]) -> None:
        """Keep those remarks that fit."""
        for each in remarks:
            records = each.records()
            if self.has(records):
                self.records += records
                self.left -= sum(len(record.data) for record in records)

    def put_most(self, count: int, remark_of: Callable[[int], OgxmRemark]) -> None:
        """Keep a remark of as many of the first things as fit, of ``count`` that there are."""
        if count and not self.has(remark_of(count).records()):
            count = bisect_right(range(1, count), 0, key=lambda few: not self.has(remark_of(few).records()))
        if count:
            self.put([remark_of(count)])


def _tag_remark(tags: Sequence[tuple[str, str]]) -> OgxmRemark:
    return OgxmRemark(Scope.MATCH, 0, TAGS, json.dumps(tags, ensure_ascii=False, separators=(",", ":")))


def _note_remark(notes: Sequence[tuple[int, str]]) -> OgxmRemark:
    packed = zlib.compress(json.dumps(notes, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return OgxmRemark(Scope.MATCH, 0, NOTES, base64.b64encode(packed).decode())


def tags_in(text: str) -> list[tuple[str, str]]:
    """The tags in the text of a remark with the key `TAGS`; none where it is damaged."""
    return [(key, value) for key, value in _pairs(text) if isinstance(key, str) and isinstance(value, str)]


def notes_in(text: str) -> list[tuple[int, str]]:
    """The parts of analyses in the text of a remark with the key `NOTES`; none where it is damaged."""
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), _LARGEST_NOTES).decode()
    except (binascii.Error, zlib.error, ValueError):
        return []
    return [(ref, note) for ref, note in _pairs(unpacked) if isinstance(ref, int) and isinstance(note, str)]


def _pairs(text: str) -> Iterator[tuple[Any, Any]]:
    """The pairs in a list in JSON."""
    try:
        found = parse(text)
    except ValueError:
        return
    for each in found if isinstance(found, list) else ():
        if isinstance(each, list) and len(each) == 2:
            yield each[0], each[1]


def _pieces(text: str, *, words: bool) -> Iterator[str]:
    """A text in pieces of at most `MOST_TEXT` bytes, cut between words if ``words`` and there are such.

    A word of more bytes is cut as well.
    """
    data = text.encode("utf-8", "replace")
    while len(data) > MOST_TEXT:
        at = data.rfind(b" ", 1, MOST_TEXT) if words else -1
        if at < 1:
            at = MOST_TEXT
            while data[at] & 0xC0 == 0x80:
                at -= 1
        yield data[:at].decode()
        data = data[at:].lstrip() if data[at : at + 1] == b" " and words else data[at:]
    yield data.decode()


# --- what they say of a ply -----------------------------------------------------------------


def restate(ply: PlyDraft, remark: Callable[[str], str | None]) -> None:
    """Give a ply what the remarks say that it stands for.

    Args:
        ply: the ply as the file has it.
        remark: the text of the ply's remark with a key, or None.
    """
    written, roll = remark(PLAY), remark(ROLL)
    if ply.action in (ActionCode.PASS, ActionCode.SET_POSITION) and roll == NO_TURN:
        ply.action = ActionCode.NOTHING
    elif ply.action == ActionCode.SET_POSITION and (found := roll_in(roll or "")):
        ply.action, (ply.player, dice), written = ActionCode.PASS, found, written or ""
        if dice is not None:
            ply.action, ply.board = action_of(dice), None
    steps = remark(ILLEGAL)
    if written is not None:
        ply.written = play_of_text(written)
    elif steps and ply.dice is not None:
        # GammonView keeps the steps of an illegal play.
        ply.steps, ply.board = _steps_of_text(steps), None
        low, high = sorted(ply.dice)
        ply.action = ROLLS.index((low, high)) if low > 0 and high <= 6 else ActionCode.SET_POSITION


def _steps_of_text(text: str) -> Steps:
    pairs = [pair.partition("/") for pair in text.split(",")[:8]]
    return tuple((int(one), int(two)) for one, _, two in pairs if (one + two).isdecimal() and len(one + two) < 8)


def play_of_text(text: str) -> PlayText:
    """The play whose `str` is this text."""
    kinds: tuple[PlayKind, ...] = ("unknown", "dance", "nothing")
    for kind in kinds:
        plain = PlayText(kind)
        if text == str(plain):
            return plain
    if text.startswith("Illegal play (") and text.endswith(")"):
        return PlayText("illegal", dump=text[len("Illegal play (") : -1])
    hops = [parse_hop(word) for word in text.split()]
    if all(hop is not None for hop in hops):
        return PlayText("moves", tuple(hop for hop in hops if hop is not None))
    return PlayText("unreadable", dump=text)
