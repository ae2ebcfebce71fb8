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
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import other
from bgtools.formats.bgf.plies import ROLLS, ActionCode, action_of, steps_of, turned_back
from bgtools.formats.content import FormatError
from bgtools.formats.rare.ogxm import layout
from bgtools.formats.rare.ogxm.codec import MOST_TEXT
from bgtools.formats.rare.ogxm.layout import Currency, DecisionCode, Scope
from bgtools.formats.rare.ogxm.reader import OgxmReader
from bgtools.formats.rare.ogxm.remarks import NEWEST, NOTE, PLAY, SCORE, SITE, TAG
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
    Take,
    places_of_comments,
)
from bgtools.replayer.match import replay
from bgtools.replayer.turn import is_claimed
from bgtools.replayer.valued import cube_in, cube_state, in_unit, plays_in, plies, with_every_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Annotation, Candidate, Level, Unit
    from bgtools.record.record import Game, Match, Tag
    from bgtools.replayer.turn import GameReplay, Turn

_MOST_EVENT: Final = 120
_MOST_AUTOMATIC: Final = 16
_READER: Final = (2, 0)
_TIME: Final = re.compile(r"(\d\d)\.(\d\d)(?:\.(\d\d))?")
_WHOLE_DAY: Final = 0
_MOST_PIPS: Final = 6
_VERDICTS: Final = {"no double": 0, "double": 1, "take": 2, "drop": 3}
_ANSWERS: Final = (Take, Drop, Beaver)


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match.

    Raises:
        FormatError: the match holds what OGXM cannot hold.
    """
    (match,) = matches
    return _OgxmWriter(match).file()


class _OgxmWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.replays = replay(match)
        self.rules = settled_rules(match, self.replays)
        self.remarks: list[tuple[int, int, str, str]] = []
        self.blocks: dict[str, list[bytes]] = {}
        """The decisions that each program has analysed, by its name."""
        self.notes: dict[int, Annotation] = {}
        """The analysis of each ply that has one, by its number."""
        self.plies = 0
        self.score = (0, 0)
        """Points after the games written so far, as a reader adds them up."""
        # Whether the points of the games may add up to another score when the file is read. They may where the record
        # leaves the Jacoby rule open, and some of its results need the rule while others exclude it.
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
        data = self._packed(sections)
        if not self.notes:
            return data
        # Parts of an analysis fit into no field. Reading the bytes back shows which; they become remarks.
        reader = OgxmReader(data)
        reader.match()
        for ref, note in self.notes.items():
            if rest := leftover(note, reader.plies[ref].note, reader.form(ref)):
                self._remark(Scope.PLY, ref, NOTE, rest)
        return self._packed(sections)

    def _packed(self, sections: Sequence[bytes]) -> bytes:
        """The bytes of a file with these sections and the remarks made so far."""
        body = b"".join(sections)
        if self.remarks:
            ordered = sorted(self.remarks, key=lambda remark: remark[:2])
            data = b"".join(
                layout.REMARK.write({"scope": scope, "ref": ref, "key": key or None, "value": value})
                for scope, ref, key, value in ordered
            )
            body += _section(b"ANNO", data)
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
            "cube_limit": limit if says_option("cube_limit", match) else None,
        }
        if self.replays and any(self.replays[0].score):
            values["score_start"] = self.replays[0].score
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
            self._remark(Scope.MATCH, 0, SITE, f"1:{site}")
            told.add(("site", site))
        for tag in (*(tag for tag in match.tags if not restates(tag, match)), *self._rule_tags()):
            if (tag.key.casefold(), tag.value) not in told:
                self._remark(Scope.MATCH, 0, TAG + tag.key, tag.value)
        return fields

    def _rule_tags(self) -> Iterator[Tag]:
        """Tags for options whose number is too high for OGXM, which has only bits for them."""
        rules, said = self.rules, set()
        if (rules.beavers or 0) > 2:
            said.add("Beaver")
        if (rules.automatic_doubles or 0) > 1:
            said.add("AutomaticDoubles")
        if said:
            bare = type(self.match)(players=self.match.players, length=self.match.length, games=(), rules=rules)
            yield from (tag for tag in missing_tags(bare) if tag.key in said)

    def _remark(self, scope: Scope, ref: int, key: str, text: str) -> None:
        """Add a remark, in several pieces if its text is too long for one."""
        for number, piece in enumerate(_pieces(text, words=not key)):
            self.remarks.append((scope, ref, f"{key}~{number}" if key and number else key, piece))

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> bytes:
        record = game.game
        if not record.start_known:
            raise FormatError("OGXM cannot hold a set position that cannot be")
        if game.index and (self.is_odd or not self.score == game.score == game.added_up):
            self._remark(Scope.GAME, game.index, SCORE, f"{game.score[0]}-{game.score[1]}")
            self.is_odd = True  # the scores that follow tell which of a score and a result is wrong
        # OGXM does not keep the value that a double states; without it, the points may come out differently.
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
                    self._note(turn)
                self.plies += 1
            offered = isinstance(turn.entry, Double) or (offered and isinstance(turn.entry, Resign))
        if offered:
            self.reader = NEWEST  # only the newest readers know a game that ends with a cube in the air
        self._comments(game, places)
        return data

    def _head_of(self, game: GameReplay, automatic: int) -> bytes:
        """The bytes before the plies of a game. Also adds the points of the game to `score`."""
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
                head["board"] = turned_back(board_of(record.start), 0)
            head["cube"] = record.start_cube if record.start_cube > 1 else None
            head["cube_owner"] = record.start_owner
        return layout.GAME.write(head)

    def _comments(self, game: GameReplay, positions: Mapping[int, int]) -> None:
        record = game.game
        for at, comment in zip(places_of_comments(record), record.comments, strict=True):
            ref = next((positions[index] for index in range(at - 1, -1, -1) if index in positions), None)
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
                yield _ply(ActionCode.DOUBLE, player)
            case Take():
                # A take of a beaver needs no ply: the next roll shows it. Behind a beaver that cannot be it may answer
                # the double.
                after_beaver = turn.index > 0 and isinstance(game.game.entries[turn.index - 1], Beaver)
                if not after_beaver or turn.offer == OFFERS[0] or turn.entry.annotation is not None:
                    yield _ply(ActionCode.TAKE, player)
            case Drop():
                yield _ply(ActionCode.DROP, player)
            case Beaver(raccoon=raccoon):
                yield _ply(ActionCode.RACCOON if raccoon else ActionCode.BEAVER, player)
            case Resign(level=level, match=whole):
                told = level or (game.level if game.ending == "resigned" else None)
                yield _ply(ActionCode.RESIGN_MATCH if whole else ActionCode.RESIGN_GAME, player, resign_value=told)
            case SetBoard(position=position, cube=cube, owner=owner):
                yield _ply(ActionCode.SET_POSITION, player, board=turned_back(board_of(position), 0))
                before = turn.state.cube
                if (cube, owner) != (before.value, before.player(player)):
                    if cube.bit_count() != 1:
                        raise FormatError(f"OGXM cannot hold a cube that shows {cube}")
                    yield _ply(ActionCode.CUBE_SET, player, cube=cube, cube_owner=owner)
            case AutomaticDouble():
                raise FormatError("OGXM cannot hold an automatic double in the middle of a game")

    def _roll(self, turn: Turn, entry: CheckerPlay) -> bytes:
        text, play = entry.text, turn.play
        plain = text.kind in ("nothing", "dance")
        is_set = play is None and turn.after != turn.before
        if is_set or not (plain or (text.kind == "moves" and play is not None)):
            self._remark(Scope.PLY, self.plies, PLAY, str(text))
        if entry.dice is None:
            return _ply(ActionCode.PASS, entry.player)
        try:
            action = action_of(entry.dice)
        except ValueError:
            raise FormatError(f"OGXM cannot hold a roll of {entry.dice[0]} and {entry.dice[1]}") from None
        if is_set:
            board = turned_back(board_of(turn.after), turn.player)
            dice = (min(entry.dice), max(entry.dice))
            return _ply(ActionCode.SET_POSITION, other(entry.player), dice=dice, illegal=True, board=board)
        hops = () if play is None else play.hops
        steps = _packed(steps_of([(hop.start, hop.end) for hop in hops], entry.player))
        low, high = ROLLS[action]
        room = 4 if low == high else 2
        return _ply(action, entry.player) + steps + bytes(len(steps) < room)

    # --- analyses ---------------------------------------------------------------------------

    def _note(self, turn: Turn) -> None:
        note = turn.entry.annotation
        if note is None:
            return
        if note.plays is not None:
            note = replace(note, plays=with_every_play(note.plays, turn))
        self.notes[self.plies] = note
        for each in (note, *note.others):
            decisions = (_play_decision(each, turn), _cube_decision(each, turn), _roll_decision(each, turn))
            made = [layout.DECISIONS[one["kind"]].write({"ply": self.plies, **one}) for one in decisions if one]
            self.blocks.setdefault(each.program, []).extend(made)

    def _analyses(self, match: bytes) -> Iterator[bytes]:
        for program, decisions in self.blocks.items():
            if not decisions:
                continue
            # The identity is a hash, so that the same match and program always give the same file.
            identity = bytearray(hashlib.sha256(match + program.encode()).digest()[:16])
            identity[6], identity[8] = identity[6] & 0x0F | 0x80, identity[8] & 0x3F | 0x80
            head = {
                "identity": identity,
                "model_name": program or None,
                "currency": Currency.MATCH if self.match.length else Currency.MONEY,
            }
            yield _section(b"ANAL", layout.ANALYSIS.write(head))
            yield _section(b"DECS", b"".join(decisions))


def _automatic(record: Game) -> int:
    """How many automatic doubles a game begins with."""
    count = len(list(takewhile(lambda entry: isinstance(entry, AutomaticDouble), record.entries)))
    if count > _MOST_AUTOMATIC:
        raise FormatError(f"the cube cannot have turned by itself {count} times")
    return count


def _plus(score: tuple[int, int], winner: Player | None, points: int | None) -> tuple[int, int]:
    return (score[0] + (points or 0) * (winner == 0), score[1] + (points or 0) * (winner == 1))


# --- analyses -------------------------------------------------------------------------------


def says_option(option: str, match: Match) -> bool:
    """Whether OGXM can state an option with the value that a match gives it: a limit of the cube is a power of two."""
    limit = match.rules.cube_limit
    return option != "cube_limit" or limit is None or limit.bit_count() == 1


def _unit(turn: Turn) -> Unit:
    """The unit of equities: points for money, match winning chance in a match."""
    return "emg" if turn.state.is_money else "mwc"


def _play_decision(note: Annotation, turn: Turn) -> dict[str, Any]:
    """The plays of a roll that have an equity; {} where the best one, or the one that was made, has none."""
    plays = plays_in(with_every_play(note.plays, turn), _unit(turn), turn.state) if note.plays is not None else None
    if plays is None or not plays.candidates or not isinstance(turn.entry, CheckerPlay):
        return {}
    made = [_alternative(each, note.program, turn.entry.player) for each in plays.candidates]
    needed = (0, plays.chosen) if plays.chosen is not None else (0,)
    if not all(made[number] for number in needed):
        return {}
    if plays.chosen is not None:
        made[plays.chosen]["is_played"] = True
    found = {"kind": DecisionCode.PLAY, "alternatives": [each for each in made if each]}
    if plays.chosen is None and plays.error is not None:
        found["loss"] = -plays.error
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


def _ply(action: int, player: Player, **extras: Any) -> bytes:
    given = {name: value for name, value in extras.items() if value is not None}
    first = action | player << 6 | (0x80 if given else 0)
    return bytes([first]) + (layout.EXTRAS.write(given) if given else b"")


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


def _pieces(text: str, *, words: bool) -> Iterator[str]:
    """A text in pieces of at most `MOST_TEXT` bytes, cut between words if ``words``."""
    data = text.encode()
    while len(data) > MOST_TEXT:
        at = data.rfind(b" ", 1, MOST_TEXT) if words else MOST_TEXT
        while not words and data[at] & 0xC0 == 0x80:
            at -= 1
        if at < 1:
            raise FormatError(f"OGXM cannot hold a word of more than {MOST_TEXT} bytes")
        yield data[:at].decode()
        data = data[at:].lstrip() if words else data[at:]
    yield data.decode()
