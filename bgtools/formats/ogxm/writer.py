"""Writing OGXM 2. Boards, cube and plays come from the replay.

What OGXM has no field for stands in remarks under keys of our own, as its specification provides: tags, scores
that the games do not add up to, and plays as the record before had them.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bgtools.board import other
from bgtools.formats.content import FormatError
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import MOST_TEXT
from bgtools.formats.ogxm.draft import action_of, steps_of, turned_back
from bgtools.formats.ogxm.layout import Action, Currency, Decision, Scope
from bgtools.formats.ogxm.reader import DOUBLED, NEWEST, PLAY, SCORE, SITE, TAG
from bgtools.formats.shared.signed import board_of
from bgtools.formats.shared.tags import missing_tags, restates, settled_rules
from bgtools.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Take,
    places_of_comments,
)
from bgtools.replayer import is_claimed, replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.board import Player
    from bgtools.record import Annotation, Candidate, CubeAnalysis, Evaluation, Game, Level, Match, Tag
    from bgtools.replayer import GameReplay, Turn

_MOST_EVENT: Final = 120
_MOST_AUTOMATIC: Final = 16
_READER: Final = (2, 0)
_DAY: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")
_TIME: Final = re.compile(r"(\d\d)\.(\d\d)(?:\.(\d\d))?")
_WHOLE_DAY: Final = 0
_PLY: Final = re.compile(r"(\d{1,2})-ply")
_VERDICTS: Final = {"no double": 0, "double": 1, "take": 2, "drop": 3}
_ANSWERS: Final = (Take, Drop, Beaver)


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match.

    Raises:
        FormatError: the match holds what OGXM has no place for.
    """
    (match,) = matches
    return _OgxmWriter(match).file()


@dataclass(slots=True)
class _Block:
    """What one program says."""

    decisions: list[bytes] = field(default_factory=list)


class _OgxmWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.replays = replay(match)
        self.rules = settled_rules(match, self.replays)
        self.remarks: list[tuple[int, int, str, str]] = []
        self.blocks: dict[str, _Block] = {}
        self.plies = 0
        self.score = (0, 0)
        """Points after the games written so far, as a reader adds them up."""
        # Whether the points may add up to something else when they are read: where the rule was open in the record,
        # and some of its results tell that it was on and others that it was off.
        self.is_odd = match.rules.jacoby is None
        self.reader = _READER

    def file(self) -> bytes:
        """The whole file."""
        games = [self._game(game) for game in self.replays]
        sections = [_section(b"MTCH", self._head(), critical=True)]
        sections += [_section(b"GAME", game, critical=True) for game in games]
        sections += self._analyses(b"".join(sections))
        for comment in self.match.comments:
            self._remark(Scope.MATCH, 0, "", comment.text)
        if self.remarks:
            ordered = sorted(self.remarks, key=lambda remark: remark[:2])
            data = b"".join(
                layout.REMARK.write({"scope": scope, "ref": ref, "key": key or None, "value": value})
                for scope, ref, key, value in ordered
            )
            sections.append(_section(b"ANNO", data))
        body = b"".join(sections)
        empty = _section(b"CSUM", layout.CHECKSUM.write({"algorithm": 0, "digest": bytes(4)}), critical=True)
        size = layout.HEADER.itemsize + len(body) + len(empty) + len(layout.END)
        body = np.array((layout.MAGIC, *NEWEST, *self.reader, size), layout.HEADER).tobytes() + body
        check = {"algorithm": 0, "digest": zlib.crc32(body).to_bytes(4, "little")}
        return body + _section(b"CSUM", layout.CHECKSUM.write(check), critical=True) + layout.END

    # --- the match --------------------------------------------------------------------------

    def _head(self) -> bytes:
        match, rules = self.match, self.rules
        if rules.variant not in layout.VARIANTS:
            raise FormatError(f"OGXM has no {rules.variant}")
        beavers = rules.beavers or 0
        bits = (
            (layout.CRAWFORD if rules.crawford and match.length else 0)
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
            "cube_limit": limit if limit is not None and limit.bit_count() == 1 else None,
        }
        if self.replays and any(self.replays[0].score):
            values["score_start"] = self.replays[0].score
        values.update(self._tags())
        return layout.MATCH.write(values)

    def _tags(self) -> dict[str, Any]:
        """Fields of the header for the tags that have one; remarks for all others."""
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
            self._remark(Scope.MATCH, 0, SITE, f"1:{site}")
            told.add(("site", site))
        for tag in (*(tag for tag in match.tags if not restates(tag, match)), *self._rule_tags()):
            if (tag.key.casefold(), tag.value) not in told:
                self._remark(Scope.MATCH, 0, TAG + tag.key, tag.value)
        return fields

    def _rule_tags(self) -> Iterator[Tag]:
        """Tags for options that are a number where OGXM has a bit."""
        rules, said = self.rules, set()
        if (rules.beavers or 0) > 2:
            said.add("Beaver")
        if (rules.automatic_doubles or 0) > 1:
            said.add("AutomaticDoubles")
        if said:
            bare = type(self.match)(players=self.match.players, length=self.match.length, games=(), rules=rules)
            yield from (tag for tag in missing_tags(bare) if tag.key in said)

    def _remark(self, scope: Scope, ref: int, key: str, text: str) -> None:
        """A remark, in several pieces where it is too long for one."""
        for number, piece in enumerate(_pieces(text, words=not key)):
            self.remarks.append((scope, ref, f"{key}~{number}" if key and number else key, piece))

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> bytes:
        record = game.game
        if not record.start_known:
            raise FormatError("OGXM has no place for a set position that cannot be")
        if game.index and (self.is_odd or not self.score == game.score == game.added_up):
            self._remark(Scope.GAME, game.index, SCORE, f"{game.score[0]}-{game.score[1]}")
        # What the cube is said to show has no place, and what it counts may be something else.
        self.is_odd = self.is_odd or any(is_claimed(turn) for turn in game.turns)
        automatic = _automatic(record)
        data = self._head_of(game, automatic)
        places: dict[int, int] = {}
        offered = False
        for turn in game.turns[automatic:]:
            for ply in self._plies(turn, game):
                data += ply
                if turn.index not in places:
                    places[turn.index] = self.plies
                    self._note(turn, game)
                self.plies += 1
            offered = isinstance(turn.entry, Double) or (offered and isinstance(turn.entry, Resign))
        if offered:
            self.reader = NEWEST  # only the newest readers know a game that ends with a cube in the air
        self._comments(game, places)
        return data

    def _head_of(self, game: GameReplay, automatic: int) -> bytes:
        """What stands before the plies of a game."""
        record, claim = game.game, game.claim
        points = game.points if claim is None or claim.points is None else claim.points
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
                head["board"] = turned_back(board_of(record.start).tolist(), 0)
            head["cube"] = record.start_cube if record.start_cube > 1 else None
            head["cube_owner"] = record.start_owner
        return layout.GAME.write(head)

    def _comments(self, game: GameReplay, places: Mapping[int, int]) -> None:
        record = game.game
        for at, comment in zip(places_of_comments(record), record.comments, strict=True):
            ref = next((places[index] for index in range(at - 1, -1, -1) if index in places), None)
            if ref is None:
                self._remark(Scope.GAME, game.index, "", comment.text)
            else:
                self._remark(Scope.PLY, ref, "", comment.text)

    def _plies(self, turn: Turn, game: GameReplay) -> Iterator[bytes]:
        player = turn.entry.player
        match turn.entry:
            case CheckerPlay():
                yield self._roll(turn, turn.entry)
            case Double():
                yield _ply(Action.DOUBLE, player)
            case Take():
                # That a beaver is taken is told by the play that goes on.
                if not turn.index or not isinstance(game.game.entries[turn.index - 1], Beaver):
                    yield _ply(Action.TAKE, player)
            case Drop():
                yield _ply(Action.DROP, player)
            case Beaver(raccoon=raccoon):
                yield _ply(Action.RACCOON if raccoon else Action.BEAVER, player)
            case Resign(level=level, match=whole):
                told = level or (game.level if game.ending == "resigned" else None)
                yield _ply(Action.RESIGN_MATCH if whole else Action.RESIGN_GAME, player, resign_value=told)
            case SetBoard(position=position, cube=cube, owner=owner):
                yield _ply(Action.SET_POSITION, player, board=turned_back(board_of(position).tolist(), 0))
                before = turn.state.cube
                if (cube, owner) != (before.value, before.player(player)):
                    if cube.bit_count() != 1:
                        raise FormatError(f"OGXM has no place for a cube that shows {cube}")
                    yield _ply(Action.CUBE_SET, player, cube=cube, cube_owner=owner)
            case AutomaticDouble():
                raise FormatError("OGXM has no place for an automatic double in the middle of a game")

    def _roll(self, turn: Turn, entry: CheckerPlay) -> bytes:
        text, play = entry.text, turn.play
        plain = text.kind in ("nothing", "dance")
        is_set = play is None and turn.after != turn.before
        if is_set or not (plain or (text.kind == "moves" and play is not None)):
            self._remark(Scope.PLY, self.plies, PLAY, str(text))
        if entry.dice is None:
            return _ply(Action.PASS, entry.player)
        try:
            action = action_of(entry.dice)
        except ValueError:
            raise FormatError(f"OGXM has no place for a roll of {entry.dice[0]} and {entry.dice[1]}") from None
        if is_set:
            board = turned_back(board_of(turn.after).tolist(), turn.player)
            dice = (min(entry.dice), max(entry.dice))
            return _ply(Action.SET_POSITION, other(entry.player), dice=dice, illegal=True, board=board)
        hops = () if play is None else play.hops
        steps = _packed(steps_of([(hop.start, hop.end) for hop in hops], entry.player))
        low, high = layout.ROLLS[action]
        room = 4 if low == high else 2
        return _ply(action, entry.player) + steps + bytes(len(steps) < room)

    # --- analyses ---------------------------------------------------------------------------

    def _note(self, turn: Turn, game: GameReplay) -> None:
        note = turn.entry.annotation
        if note is None:
            return
        block = self.blocks.setdefault(note.program, _Block())
        unit = "mwc" if self.match.length else "emg"
        entry = turn.entry
        if isinstance(entry, CheckerPlay) and note.plays is not None:
            kept = [
                (number, each)
                for number, each in enumerate(note.plays.candidates)
                if each.evaluation.unit == unit and each.evaluation.equity is not None
            ]
            if kept:
                block.decisions.append(self._play_decision(kept, note, entry.player))
        cube = note.cube
        if cube is not None and has_place(cube.no_double, unit) and has_place(cube.double_take, unit):
            block.decisions.append(self._cube_decision(cube, turn))
            if doubled := cube.double_take.probabilities:
                self._remark(Scope.PLY, self.plies, DOUBLED, " ".join(f"{chance:.5f}" for chance in doubled))
        if note.luck is not None and isinstance(entry, CheckerPlay) and unit == "emg":
            block.decisions.append(
                layout.ROLL_DECISION.write({"ply": self.plies, "kind": Decision.ROLL, "luck": note.luck})
            )

    def _play_decision(self, kept: Sequence[tuple[int, Candidate]], note: Annotation, player: Player) -> bytes:
        plays = note.plays
        assert plays is not None
        alternatives = []
        for number, each in kept:
            legs = [leg for hop in each.hops for leg in hop.legs]
            alternatives.append(
                {
                    "steps": _packed(steps_of(legs, player)),
                    "equity": each.evaluation.equity,
                    "chances": each.evaluation.probabilities,
                    "level": _level(each.level, note.program),
                    "is_played": number == plays.chosen,
                    "cubeless": each.evaluation.cubeless,
                }
            )
        is_stated = not any(each["is_played"] for each in alternatives) and plays.error is not None
        values = {"ply": self.plies, "kind": Decision.PLAY, "alternatives": alternatives}
        if is_stated and plays.error is not None:
            values["loss"] = -plays.error
        return layout.PLAY_DECISION.write(values)

    def _cube_decision(self, cube: CubeAnalysis, turn: Turn) -> bytes:
        answers = isinstance(turn.entry, _ANSWERS)
        no_double, take = cube.no_double.equity or 0.0, cube.double_take.equity or 0.0
        drop = cube.double_drop
        drop_at = drop if drop is not None else 1.0
        best = ("drop" if take > drop_at else "take") if answers else (
            "double" if min(take, drop_at) > no_double else "no double"
        )  # fmt: skip
        error = cube.answer_error if answers else cube.error
        return layout.CUBE_DECISION.write(
            {
                "ply": self.plies, "kind": Decision.CUBE, "verdict": _VERDICTS[best], "no_double": no_double,
                "double_take": take, "double_drop": drop, "chances": cube.no_double.probabilities,
                "loss": None if error is None else -error, "level": _level(cube.level, ""),
            }
        )  # fmt: skip

    def _analyses(self, match: bytes) -> Iterator[bytes]:
        for program, block in self.blocks.items():
            if not block.decisions:
                continue
            # The same match and program give the same file.
            identity = bytearray(hashlib.sha256(match + program.encode()).digest()[:16])
            identity[6], identity[8] = identity[6] & 0x0F | 0x80, identity[8] & 0x3F | 0x80
            head = {
                "identity": identity,
                "model_name": program or None,
                "currency": Currency.MATCH if self.match.length else Currency.MONEY,
            }
            yield _section(b"ANAL", layout.ANALYSIS.write(head))
            yield _section(b"DECS", b"".join(block.decisions))


def _automatic(record: Game) -> int:
    """How many automatic doubles a game begins with."""
    count = len(list(takewhile(lambda entry: isinstance(entry, AutomaticDouble), record.entries)))
    if count > _MOST_AUTOMATIC:
        raise FormatError(f"the cube cannot have turned by itself {count} times")
    return count


def _plus(score: tuple[int, int], winner: Player | None, points: int | None) -> tuple[int, int]:
    return (score[0] + (points or 0) * (winner == 0), score[1] + (points or 0) * (winner == 1))


def has_place(evaluation: Evaluation, unit: str) -> bool:
    """Whether OGXM has a place for a figure: it counts match winning chances in matches, points for money."""
    return evaluation.unit == unit and evaluation.equity is not None


def _section(name: bytes, data: bytes, *, critical: bool = False) -> bytes:
    return np.array((name, len(data), layout.CRITICAL if critical else 0), layout.SECTION).tobytes() + data


def _ply(action: int, player: Player, **extras: Any) -> bytes:
    given = {name: value for name, value in extras.items() if value is not None}
    first = action | player << 6 | (0x80 if given else 0)
    return bytes([first]) + (layout.EXTRAS.write(given) if given else b"")


def _packed(steps: Sequence[tuple[int, int]]) -> bytes:
    for start, pips in steps:
        if not 0 <= start <= 25 or not 0 < pips <= 6:
            raise FormatError(f"OGXM has no place for a checker that goes {pips} pips at once")
    return bytes(start | pips << 5 for start, pips in steps)


def _level(level: Level, program: str) -> dict[str, Any] | None:
    """A level: its name, and its depth where the name is one, counted from 0 as OGXM counts."""
    if not level.name:
        return None
    found = _PLY.fullmatch(level.name)
    if not found:
        return {"preset": level.name}
    depth = int(found[1])
    return {"preset": level.name, "checker_ply": depth if "gnu" in program.casefold() else max(depth - 1, 0)}


def _moment(day: str, time: str | None) -> int:
    """Seconds since the beginning of 1970; 0 for a date or a time that is written otherwise, or before."""
    found, clock = _DAY.fullmatch(day), _TIME.fullmatch("00.00" if time is None else time)
    if not found or not clock or (time is not None and not any(int(part or 0) for part in clock.groups())):
        return 0
    numbers = [int(part or 0) for part in (*found.groups(), *clock.groups())]
    try:
        moment = datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return 0
    return max(int(moment.timestamp()), 0)


def _pieces(text: str, *, words: bool) -> Iterator[str]:
    """A text in pieces that OGXM has room for, cut between words where it matters."""
    data = text.encode()
    while len(data) > MOST_TEXT:
        at = data.rfind(b" ", 1, MOST_TEXT) if words else MOST_TEXT
        while not words and data[at] & 0xC0 == 0x80:
            at -= 1
        if at < 1:
            raise FormatError(f"OGXM has no place for a word of more than {MOST_TEXT} bytes")
        yield data[:at].decode()
        data = data[at:].lstrip() if words else data[at:]
    yield data.decode()
