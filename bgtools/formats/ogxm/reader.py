"""Reading OGXM, the binary match format of OpenGammon and GammonView, in both its versions."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import other
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.bgf.notes import (
    PlayFigures,
    chances_of,
    cube_analysis,
    date_tags,
    joined,
    level_of,
    named,
    play_analysis,
)
from bgtools.formats.bgf.plies import (
    RESIGNATIONS,
    ROLLS,
    ActionCode,
    OgxmGameDraft,
    OgxmMatchDraft,
    PlyDraft,
    Steps,
    finish,
)
from bgtools.formats.content import FormatError
from bgtools.formats.limits import most_matches
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import Cursor, Layout
from bgtools.formats.ogxm.layout import Currency, DecisionCode, Scope
from bgtools.formats.ogxm.old import read_old, require_whole_old
from bgtools.formats.ogxm.remarks import (
    EXACT,
    GAMMONVIEW,
    GAMMONVIEW_VALUE,
    NEWEST,
    NOTES,
    OF_GAME,
    OLD_NOTE,
    OLD_TAG,
    OURS,
    SCORE,
    SITE,
    TAGS,
    notes_in,
    restate,
    tags_in,
)
from bgtools.formats.ogxm.sections import sections, unread_parts
from bgtools.formats.ogxm.signatures import ANALYSIS, MATCH, signature_findings, signature_of
from bgtools.formats.shared.json_values import Taken, unread
from bgtools.formats.shared.leftover import completed
from bgtools.formats.shared.tags import BEAVERS_ON, rules_of_tags
from bgtools.record.annotation import Annotation
from bgtools.record.builder import number_of, several_matches
from bgtools.record.record import SIGNATURE
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping

    from bgtools.board.perspective import Player
    from bgtools.formats.content import Content
    from bgtools.formats.ogxm.signatures import Signature
    from bgtools.formats.ogxm.stream import StreamRecord
    from bgtools.record.annotation import Level, Unit
    from bgtools.record.record import Match

_KNOWN: Final = (b"MTCH", b"GAME", b"ANAL", b"DECS", b"SIGN", b"CLCK", b"VIDO", b"ANNO", b"MSIG", b"CSUM")
_DIGESTS: Final = (lambda data: zlib.crc32(data).to_bytes(4, "little"), lambda data: hashlib.sha256(data).digest())
_WHOLE_DAY: Final = 0
_DERIVED: Final = (
    "match.score_final", "match.result", "match.source", "match.player_seat", "match.crawford_before_start",
    "match.date_precision", "game.is_last", "game.termination", "ply.illegal", "match_digest", "producer", "complete",
    "coverage", "model_digest", "model_id", "model_name", "engine_build", "alternatives_total", "best_equity",
    "verdict", "take_point", "window_searched", "is_optional", "is_free", "take_value",
)  # fmt: skip
"""What follows from the plays, the scores and the other figures, or says how the file or an analysis was made."""


def read(content: Content) -> tuple[Match, ...]:
    """Read a file of either version, which holds one match, or a stream of such files, one behind the other.

    Of a stream, what is damaged is left out; a finding of the first match names its number and place.

    Raises:
        FormatError: no part of it is whole, or its version is not known.
    """
    from bgtools.formats.ogxm.stream import records_of  # it asks `require_whole`

    found: list[Match] = []
    faults: list[StreamRecord] = []
    beyond = 0
    for record in records_of(io.BytesIO(content.data)):
        fault = record.fault
        if len(found) > most_matches() and not fault:
            beyond += 1  # `first_matches` leaves them out, and tells it
            continue
        if not fault:
            try:
                found.append(_read_one(record.data, content.name))
                continue
            except FormatError as error:
                fault = str(error)
        faults.append(record._replace(fault=fault))
    if not found:
        raise FormatError(faults[0].fault if faults else "this OGXM file is empty")
    if len(found) > 1:
        note = several_matches(len(found) + beyond, Span(0, 0))
        found[1] = replace(found[1], findings=(*found[1].findings, note))
    found[0] = replace(found[0], findings=(*found[0].findings, *map(_left_out, faults)))
    return tuple(found)


def _left_out(record: StreamRecord) -> Finding:
    """The finding that a record of a stream is damaged."""
    where = f"record {record.number:,} of this stream, from byte {record.offset:,} on"
    return Finding(codes.UNREADABLE_FILE, Span(0, 0), f"{where}, is left out: {record.fault}")


def require_whole(data: bytes) -> OgxmReader | None:
    """Check that these are the bytes of one whole file: its size, its parts and its checksum.

    Returns:
        What reads it; None for version 1.

    Raises:
        FormatError: they are not, or the version is not known.
    """
    if not data.startswith(layout.MAGIC):
        raise FormatError("this is not an OGXM file: it does not begin with OGXM")
    if len(data) < layout.HEADER.size:
        raise FormatError(f"this OGXM file is cut off: it has {len(data)} bytes")
    if len(data) > layout.MOST_BYTES:
        raise FormatError(f"this OGXM file has more than {layout.MOST_BYTES} bytes")
    header = layout.HEADER.at(data)
    wanted = header["reader_major"], header["reader_minor"]
    if wanted > NEWEST:
        raise FormatError(f"this OGXM file asks for a reader of version {wanted[0]}.{wanted[1]}; known is 2.2")
    if header["size"] != len(data):
        raise FormatError(f"this OGXM file is cut off: it has {len(data)} bytes instead of {header['size']}")
    if header["major"] < NEWEST[0]:
        require_whole_old(data)
        return None
    return OgxmReader(data)


def _read_one(data: bytes, name: str) -> Match:
    reader = require_whole(data)
    return finish(read_old(data) if reader is None else reader.match(), name)


class OgxmReader:
    """Version 2."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.room = Cursor(data).room
        self.faults: list[str] = []
        self.plies: list[PlyDraft] = []
        self.remarks: dict[tuple[int, int, str], str] = {}
        self.exact: dict[str, list[str]] = {}
        self.texts: list[tuple[int, int, str]] = []
        self.decisions: dict[int, list[bytes]] = {}
        self.taken: dict[str, list[Taken]] = {}
        self.sections = tuple(self._sections())
        self.head = self._head()

    # --- sections ---------------------------------------------------------------------------

    def _sections(self) -> Iterator[tuple[bytes, int, int]]:
        """Name, first byte and end of every section. Verifies the checksum."""
        at, end = layout.HEADER.size, len(self.data) - len(layout.END)
        for name, start, stop in sections(self.data, at, end, layout.SECTION, _KNOWN, self.faults):
            if name == b"CSUM":
                self._verify(start - layout.SECTION.size, start, stop)
            yield name, start, stop

    def _verify(self, before: int, start: int, stop: int) -> None:
        check = layout.CHECKSUM.read(Cursor(self.data, start, stop, self.room))
        if check["algorithm"] < len(_DIGESTS) and _DIGESTS[check["algorithm"]](self.data[:before]) != check["digest"]:
            raise FormatError("this OGXM file is damaged: its checksum is another")

    def _all(self, name: bytes) -> Iterator[Cursor]:
        return (Cursor(self.data, start, stop, self.room) for each, start, stop in self.sections if each == name)

    def _read(self, kind: str, record: Layout, cursor: Cursor) -> Taken:
        """A record, of which all is counted that nobody asks for."""
        found = record.read(cursor)
        self.taken.setdefault(kind, []).append(found)
        return found

    def _unread(self) -> Counter[str]:
        """What was not read, by name."""
        return unread(self.taken, _DERIVED) + unread_parts(name for name, *_ in self.sections)

    def _head(self) -> Taken:
        found = next(self._all(b"MTCH"), None)
        if found is None:
            raise FormatError("this OGXM file holds no match: it has no match header")
        return self._read("match", layout.MATCH, found)

    # --- the match --------------------------------------------------------------------------

    def match(self) -> OgxmMatchDraft:
        """The match of the file."""
        head = self.head
        for cursor in self._all(b"ANNO"):
            self._read_remarks(cursor)
        tags = list(self._tags())
        draft = OgxmMatchDraft(
            where=f"byte {layout.HEADER.size}",
            players=(head.get("white", ""), head.get("black", "")),
            length=head["length"],
            rules=self._rules(dict(tags)),
            tags=tags,
            faults=self.faults,
        )
        for number, cursor in enumerate(self._all(b"GAME")):
            draft.games.append(self._game(number, cursor))
        self._scores(draft)
        self._analyses()
        for scope, ref, text in self.texts:
            if scope == Scope.MATCH:
                draft.remarks.append(text)
            elif scope == Scope.GAME and ref < len(draft.games):
                draft.games[ref].remarks.append(text)
            elif scope == Scope.PLY and ref < len(self.plies):
                self.plies[ref].remarks.append(text)
            else:
                self.faults.append("a remark belongs to nothing in the match; it is left out")
        draft.unread = self._unread()
        signatures = list(self.signatures())
        draft.extras += [(SIGNATURE, each.as_text()) for each in signatures]
        draft.reports += signature_findings(signatures)
        return draft

    def contents(self) -> Iterator[tuple[bytes, bytes]]:
        """Name and content of every section."""
        return ((name, self.data[start:stop]) for name, start, stop in self.sections)

    def signatures(self) -> Iterator[Signature]:
        """The signatures of the file."""
        parts = [data for name, data in self.contents() if name in (b"MTCH", b"GAME")]
        clock = next((data for name, data in self.contents() if name == b"CLCK"), b"")
        analysis: list[bytes] = []
        for name, record in self.contents():
            if name == b"ANAL":
                analysis = [record]
            elif name == b"DECS":
                analysis.append(record)
            elif name in (b"SIGN", b"MSIG"):
                of = ANALYSIS if name == b"SIGN" else MATCH
                try:
                    yield signature_of(of, record, parts, analysis, clock)
                except FormatError:
                    self.faults.append("a signature is damaged; it is left out")

    def _read_remarks(self, cursor: Cursor) -> None:
        pieces: dict[tuple[int, int, str], list[tuple[int, str]]] = {}
        while not cursor.is_done:
            remark = self._read("remark", layout.REMARK, cursor)
            key = remark.get("key", "")
            if key.startswith((OURS, GAMMONVIEW)):
                name, _, part = key.rpartition("~")
                number = int(part[:6]) if name and part.isdecimal() else 0
                place = (remark["scope"], remark["ref"], name if name and part.isdecimal() else key)
                pieces.setdefault(place, []).append((number, remark["value"]))
            elif not key:
                self.texts.append((remark["scope"], remark["ref"], remark["value"]))
            else:
                self.faults.append(f"a remark “{key}” has no place in a record; it is left out")
        for place, parts in pieces.items():
            value = "".join(text for _, text in sorted(parts))
            if place[0] == Scope.MATCH and (of_game := OF_GAME.fullmatch(place[2])):
                place = (Scope.GAME, int(of_game[1]), of_game[2])
                if not place[2]:
                    self.texts.append((Scope.GAME, place[1], value))
                    continue
            if place[2].startswith(GAMMONVIEW):
                value = value.removeprefix(GAMMONVIEW_VALUE)
            self.remarks[place] = value
            if place[0] == Scope.PLY and place[2].startswith(EXACT):
                self.exact.setdefault(place[2], []).append(value)

    def _tags(self) -> Iterator[tuple[str, str]]:
        head = self.head
        if head.get("event"):
            year = f" {head['event_year']}" if "event_year" in head else ""
            yield "Event", head["event"] + year
        stage = " ".join(str(head[name]) for name in ("stage", "round") if name in head)
        if stage:
            yield "Round", stage
        place = (0, 0, SITE)
        site = self.remarks.get(place) or head.get("city") or head.get("platform")
        if site:
            yield "Site", site
        if head.get("match_ref"):
            yield "Match ID", head["match_ref"]
        yield from date_tags(head.get("started_at", 0), whole_days=head.get("date_precision") == _WHOLE_DAY)
        for number, name in enumerate(("white_profile", "black_profile"), 1):
            if "rating" in head.get(name, {}):
                yield f"Player {number} Elo", f"{head[name]['rating'] / 100:.2f}"
        for (scope, _, key), value in self.remarks.items():
            if scope == Scope.MATCH and key.startswith(OLD_TAG):
                yield key.removeprefix(OLD_TAG), value
        yield from tags_in(self.remarks.get((Scope.MATCH, 0, TAGS), ""))

    def _rules(self, tags: Mapping[str, str]) -> Ruleset:
        head, bits, money = self.head, self.head.get("rules", 0), not self.head["length"]
        number = head["variant"]
        if number >= len(layout.VARIANTS):
            self.faults.append(f"the variant {number} is not known; the match is judged by the rules of backgammon")
            number = 0
        told = rules_of_tags({key.casefold(): value for key, value in tags.items()}, money=money)
        return Ruleset(
            crawford=bool(bits & layout.CRAWFORD or ("Crawford" in tags and told.crawford)) and not money,
            jacoby=bool(bits & layout.JACOBY) and money,
            beavers=told.beavers
            if told.beavers
            else (BEAVERS_ON if bits & layout.RACCOONS else 1 if bits & layout.BEAVERS else 0) * money,
            automatic_doubles=(told.automatic_doubles or int(bool(bits & layout.AUTOMATIC))) * money,
            cube_limit=head.get("cube_limit") or None,
            variant=layout.VARIANTS[number],
        )

    def _scores(self, draft: OgxmMatchDraft) -> None:
        """Set the score before the first game, and those later scores that games before do not add up to."""
        if draft.games and "score_start" in self.head:
            draft.games[0].score = self.head["score_start"]
        for (scope, ref, key), value in self.remarks.items():
            if scope == Scope.GAME and key == SCORE and ref < len(draft.games):
                one, two = map(number_of, value.partition("-")[::2])
                if one is not None and two is not None:
                    draft.games[ref].score = (one, two)

    # --- games ------------------------------------------------------------------------------

    def _game(self, number: int, cursor: Cursor) -> OgxmGameDraft:
        where = f"byte {cursor.at}"
        head = self._read("game", layout.GAME, cursor)
        game = OgxmGameDraft(
            where=where,
            winner=head.get("winner"),
            points=head.get("points"),
            board=head.get("board"),
            cube=head.get("cube", 1),
            owner=head.get("cube_owner"),
            automatic=head.get("automatic", 0),
        )
        while not cursor.is_done:
            self.room.take(4)
            ply = self._ply(cursor)
            game.plies.append(ply)
            self.plies.append(ply)
        return game

    def _ply(self, cursor: Cursor) -> PlyDraft:
        where, first = f"byte {cursor.at}", cursor.byte()
        action, seat = first & 0x3F, first >> 6 & 1
        player: Player = 1 if seat else 0
        ply = PlyDraft(action=action, player=player, where=where)
        if action < len(ROLLS):
            ply.steps = _steps(_until_zero(cursor, 4 if ROLLS[action][0] == ROLLS[action][1] else 2))
        if first & 0x80:
            extras = self._read("ply", layout.EXTRAS, cursor)
            if action == ActionCode.ESCAPE:
                ply.action = extras.get("action", ActionCode.ESCAPE)
            if action < len(ROLLS) and "steps" in extras:
                ply.steps = _steps(extras["steps"])
            # What an action has no use for is not asked for, and so it is named.
            if ply.action == ActionCode.SET_POSITION or ply.action < len(ROLLS):
                ply.board = extras.get("board")
            if ply.action in RESIGNATIONS:
                ply.level = extras.get("resign_value")
            if ply.action == ActionCode.CUBE_SET:
                ply.cube, ply.owner = extras.get("cube"), extras.get("cube_owner")
            if "dice" in extras and action == ActionCode.SET_POSITION:
                # A play given by the board after it: the file names the player who is on roll then.
                ply.dice, ply.player = extras["dice"], other(player)
        ref = len(self.plies)
        restate(ply, lambda key: self.remarks.get((Scope.PLY, ref, key)))
        return ply

    # --- analyses ---------------------------------------------------------------------------

    def _analyses(self) -> None:
        head: dict[str, Any] = {}
        for name, start, stop in self.sections:
            cursor = Cursor(self.data, start, stop, self.room)
            if name == b"ANAL":
                head = self._read("analysis", layout.ANALYSIS, cursor)
            elif name == b"DECS" and head:
                self._decisions(head, cursor)
        notes = [
            (ref, text) for (scope, ref, key), text in self.remarks.items() if (scope, key) == (Scope.PLY, OLD_NOTE)
        ]
        for ref, text in (*notes, *notes_in(self.remarks.get((Scope.MATCH, 0, NOTES), ""))):
            if 0 <= ref < len(self.plies):
                self.plies[ref].note = completed(self.plies[ref].note, text, self.form(ref))

    def form(self, ref: int) -> bytes:
        """The bytes of a ply's decisions, sorted, so that their order in the file does not matter."""
        return b"".join(sorted(self.decisions.get(ref, ())))

    def _decisions(self, head: Mapping[str, Any], cursor: Cursor) -> None:
        found: dict[tuple[int, int], Taken] = {}
        for decision, data in _read_decisions(cursor):
            found[decision["ply"], decision["kind"]] = decision
            self.decisions.setdefault(decision["ply"], []).append(data)
        identity = head["identity"].hex()
        name = EXACT + "-".join(identity[start:stop] for start, stop in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
        for value in self.exact.pop(name, ()):
            try:
                exact = base64.b64decode(value, validate=True)
            except (binascii.Error, ValueError):
                continue
            # Where the record of a decision has no room for all figures, GammonView keeps it whole in a remark.
            for decision, _ in _read_decisions(Cursor(exact, room=self.room)):
                found[decision["ply"], decision["kind"]] = decision
        self.taken.setdefault("decision", []).extend(found.values())
        for decision in found.values():
            if decision["ply"] >= len(self.plies):
                self.faults.append("an analysis belongs to nothing in the match; it is left out")
                continue
            ply = self.plies[decision["ply"]]
            note = self._note(head, decision, ply)
            if note is not None:
                ply.note = joined(ply.note, note)

    def _note(self, head: Mapping[str, Any], decision: Mapping[str, Any], ply: PlyDraft) -> Annotation | None:
        tiers = [head.get("level", {}), decision.get("level", {})]
        currency = decision.get("currency", head.get("currency"))
        unit: Unit = "mwc" if self.head["length"] and currency == Currency.MATCH else "emg"
        match decision["kind"]:
            case DecisionCode.PLAY:
                valued = [
                    PlayFigures(
                        _steps(each["steps"]), each["equity"], chances_of(each.get("chances", ())),
                        _level([*tiers, each.get("level", {})], cube=False), each.get("cubeless"),
                        each.get("is_played", False),
                    )
                    for each in decision.get("alternatives", ())
                ]  # fmt: skip
                loss = decision.get("loss")
                played = next((each.equity for each in valued if each.is_played), None)
                if loss is None and played is not None and valued[0].equity is not None:
                    loss = max(valued[0].equity - played, 0.0)
                plays = play_analysis(valued, ply.player, unit, loss)
                return None if plays is None else Annotation(program=named(head), plays=plays)
            case DecisionCode.CUBE:
                equities = [decision.get(name) for name in ("no_double", "double_take", "double_drop")]
                cube = cube_analysis(
                    equities, chances_of(decision.get("chances", ())), unit, _level(tiers, cube=True),
                    decision.get("loss"), answers=ply.action in (ActionCode.TAKE, ActionCode.DROP, ActionCode.BEAVER),
                )  # fmt: skip
                return Annotation(program=named(head), cube=cube)
            case _:
                # Luck is a difference of equities in points; a record cannot hold one in match winning chances.
                return Annotation(program=named(head), luck=decision["luck"]) if unit == "emg" else None


def _read_decisions(cursor: Cursor) -> Iterator[tuple[Taken, bytes]]:
    """The decisions of known kinds, each with its bytes."""
    while not cursor.is_done:
        start = cursor.at
        kind = layout.DECISION.read(cursor)["kind"]
        if kind in layout.DECISIONS:
            cursor.at = start
            decision = layout.DECISIONS[kind].read(cursor)
            yield decision, cursor.data[start : cursor.at]


def _level(tiers: list[dict[str, Any]], *, cube: bool) -> Level:
    """The level that tiers make together: each states only what differs from the tier before."""
    level: dict[str, Any] = {}
    for tier in tiers:
        if tier.get("no_rollout"):
            level.pop("rollout", None)
        if "preset" not in tier and tier:
            level.pop("preset", None)
        level.update((name, tier[name]) for name in tier)  # so that each counts as read
    depth = level.get("cube_ply") if cube and "cube_ply" in level else level.get("checker_ply")
    return level_of(level.get("preset"), None if depth is None else depth + 1, is_rollout="rollout" in level)


def _until_zero(cursor: Cursor, most: int) -> Iterator[int]:
    for _ in range(most):
        step = cursor.byte()
        if not step:
            return
        yield step


def _steps(packed: Any) -> Steps:
    return tuple((step & 0x1F, step >> 5) for step in packed)
