"""Positions of Jellyfish, ``.pos``: 16-bit numbers and two names, little end first."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.board import START
from bgtools.board.hopping import are_dice
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.format import Format
from bgtools.positions.position import signed_board, to_signed
from bgtools.record.builder import MatchBuilder
from bgtools.record.record import CheckerPlay, Double, Match, SetBoard, is_position
from bgtools.replayer.match import replay
from bgtools.rules.options import OPTIONS, Ruleset
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.content import Content
    from bgtools.replayer.turn import GameReplay

NEWEST: Final = 126
"""The version that is written: Jellyfish 3.0."""
VERSIONS: Final = (124, 125, NEWEST)

Kind = Literal["number", "text"]

# The fields in their order, and the version that brought each.
LAYOUT: Final[tuple[tuple[str, int, Kind], ...]] = (
    ("version", 124, "number"),
    ("caution", 126, "number"),
    ("not used", 126, "number"),
    ("cube in use", 125, "number"),
    ("Jacoby rule", 125, "number"),
    ("beavers", 125, "number"),
    ("cube", 124, "number"),
    ("owner of the cube", 124, "number"),  # 0 nobody, else the player
    ("on roll", 124, "number"),  # 0 at the start; else the player, 1 or 2, plus 2 before the roll
    ("moves left", 124, "number"),
    ("moves right", 124, "number"),
    ("not used either", 124, "number"),
    ("kind", 124, "number"),  # 1 a match, 3 a game
    ("opponent", 124, "number"),  # 1 two players, 2 Jellyfish plays
    ("level", 124, "number"),
    ("length", 124, "number"),
    ("points of player 1", 124, "number"),
    ("points of player 2", 124, "number"),
    ("player 1", 124, "text"),  # a byte with the length, then as many characters
    ("player 2", 124, "text"),
    ("lower die left", 124, "number"),
    ("Crawford", 124, "number"),  # 2 the Crawford game, 3 after it
    ("Jellyfish played last", 124, "number"),
    ("last move", 124, "text"),
    ("die 1", 124, "number"),
    ("die 2", 124, "number"),
)
# Then the board: for each place its count now, and its count before the last move. The places run from player 2's
# bar through player 1's points 1 to 24 to player 1's bar. Player 1's checkers count below zero; every count is 20 too
# high.
PLACES: Final = 26
_BIAS: Final = 20
_GAME, _MATCH = 3, 1
_CRAWFORD, _POST_CRAWFORD = 2, 3
_NUMBER = struct.Struct("<h")
_TEXT_CODING = "cp1252"


@dataclass(slots=True)
class _PosListing:
    """The bytes of a file as they are read, and a text that lists its fields, one on a line."""

    data: bytes
    at: int = 0
    text: str = ""
    values: dict[str, int | str] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)

    def number(self) -> int:
        (value,) = _NUMBER.unpack(self._take(_NUMBER.size))
        return int(value)

    def string(self) -> str:
        (length,) = self._take(1)
        return self._take(length).decode(_TEXT_CODING, "replace").replace("\n", " ").replace("\r", " ")

    def _take(self, count: int) -> bytes:
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise FormatError("this position of Jellyfish is cut off")
        self.at += count
        return taken

    def note(self, name: str, at: int, value: int | str) -> None:
        line = f"byte {at}: {name}: {value}"
        self.spans[name] = Span(len(self.text), len(self.text) + len(line))
        self.values[name] = value
        self.text += f"{line}\n"

    def __getitem__(self, name: str) -> int:
        value = self.values.get(name, 0)
        return value if isinstance(value, int) else 0

    def name(self, name: str) -> str:
        return " ".join(str(self.values[name]).split())


def read(content: Content) -> tuple[Match, ...]:
    """Read a position as a match that sets the board.

    Raises:
        FormatError: its version is not known, or it is cut off.
    """
    listing = _PosListing(content.data)
    version = listing.number()
    if version not in VERSIONS:
        raise FormatError("this is not a position of Jellyfish: it begins with none of 124, 125 and 126")
    listing.at = 0
    for name, since, kind in LAYOUT:
        if version >= since:
            at = listing.at
            listing.note(name, at, listing.number() if kind == "number" else listing.string())
    at = listing.at
    pairs = [(listing.number() - _BIAS, listing.number() - _BIAS) for _ in range(PLACES)]
    listing.note("board", at, " ".join(str(now) for now, _ in pairs))
    return (_match(listing, [now for now, _ in pairs], Source(content.name, listing.text)),)


def _match(listing: _PosListing, board: list[int], source: Source) -> Match:
    length = 0 if listing["kind"] == _GAME else max(listing["length"], 0)
    old = "Jacoby rule" not in listing.values
    to = MatchBuilder(
        source=source,
        players=(listing.name("player 1"), listing.name("player 2")),
        length=length,
        length_span=listing.spans["length"],
        rules=Ruleset(
            crawford=bool(length) and listing["Crawford"] != _POST_CRAWFORD,
            jacoby=(None if old else bool(listing["Jacoby rule"])) if not length else False,
            beavers=(None if old else int(listing["beavers"] != 0)) if not length else 0,
            cube_limit=1 if not old and not listing["cube in use"] else None,
        ),
    )
    game = to.game(1, (listing["points of player 1"], listing["points of player 2"]), listing.spans["version"])
    game.score_span = listing.spans["points of player 1"]
    position = signed_board([-count for count in board])
    on_roll = listing["on roll"]
    if position is None:
        to.report(codes.BAD_SET_POSITION, listing.spans["board"], "the checkers of this position cannot stand so")
    elif on_roll or position != START:
        player: Player = 1 if on_roll in (2, 4) else 0
        owner: Player | None = {1: 0, 2: 1}.get(listing["owner of the cube"])  # type: ignore[assignment]
        game.set(player, position, listing.spans["board"], cube=max(listing["cube"], 1), owner=owner)
        dice = (abs(listing["die 1"]), abs(listing["die 2"]))
        if on_roll in (1, 2) and are_dice(dice):
            game.roll(player, dice, listing.spans["die 1"])
    return to.build()


# --- writing --------------------------------------------------------------------------------


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one position.

    Raises:
        FormatError: the match is not just one position with somebody on roll, holds a double, or holds a number above
            32767.
    """
    (match,) = matches
    board, dice = _board_and_dice(match)
    values = _values(match, replay(match)[0], board, dice)
    try:
        head = b"".join(_field(values.get(name, 0 if kind == "number" else "")) for name, _, kind in LAYOUT)
        places = b"".join(2 * _NUMBER.pack(_BIAS - count) for count in to_signed(board.position))
    except struct.error:
        raise FormatError("a .pos file of Jellyfish holds no number above 32767") from None
    return head + places


def _board_and_dice(match: Match) -> tuple[SetBoard, Dice | None]:
    """The position that a match consists of, and the roll, if there is one."""
    if len(match.games) != 1 or not is_position(match.games[0]):
        raise FormatError("a .pos file of Jellyfish holds one position with somebody on roll, not a match")
    board, *rest = match.games[0].entries
    if any(isinstance(entry, Double) for entry in rest):
        raise FormatError("a .pos file of Jellyfish cannot hold a double")
    assert isinstance(board, SetBoard)
    return board, next((entry.dice for entry in rest if isinstance(entry, CheckerPlay)), None)


def _values(match: Match, game: GameReplay, board: SetBoard, dice: Dice | None) -> dict[str, int | str]:
    """The values of the fields of the file, by their names; all other fields are 0 or empty."""
    length = match.length or 0
    is_after = bool(length) and length - 1 in game.score and not game.crawford
    return {
        "version": NEWEST,
        "cube in use": int(match.rules.cube_limit != 1),
        "Jacoby rule": int(bool(match.rules.jacoby)),
        "beavers": int(bool(match.rules.beavers)),
        "cube": board.cube,
        "owner of the cube": 0 if board.owner is None else board.owner + 1,
        "on roll": board.player + (1 if dice else 3),
        "kind": _MATCH if length else _GAME,
        "opponent": 1,
        "length": length,
        "points of player 1": game.score[0],
        "points of player 2": game.score[1],
        "player 1": match.players[0],
        "player 2": match.players[1],
        "Crawford": _CRAWFORD if game.crawford else _POST_CRAWFORD if is_after else 1,
        "die 1": dice[0] if dice else 0,
        "die 2": dice[1] if dice else 0,
    }


def _field(value: int | str) -> bytes:
    if isinstance(value, int):
        return _NUMBER.pack(value)
    text = " ".join(value.split()).encode(_TEXT_CODING, "replace")[:255]
    return bytes([len(text)]) + text


# --- the format -----------------------------------------------------------------------------

_POS_VERSIONS = (b"\x7c\0", b"\x7d\0", b"\x7e\0")
_POS_BOARD = 104  # bytes
_POS_COUNTS = range(5, 36)


def _sniff(content: Content) -> float:
    """A position of Jellyfish: one of three versions, and at the end a board whose counts are all 20 too high."""
    data = content.data
    if data[:2] not in _POS_VERSIONS or len(data) < _POS_BOARD or len(data) > 8 * _POS_BOARD:
        return 0.0
    board = data[-_POS_BOARD:]
    return 1.0 if all(count in _POS_COUNTS for count in board[::2]) and not any(board[1::2]) else 0.0


POS: Final = Format(
    name="pos",
    title="Jellyfish position",
    extensions=(".pos",),
    sniff=_sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"start", "comments", *OPTIONS}),
    is_text=False,
    holds_matches=False,
)

FORMATS: Final = (POS,)
