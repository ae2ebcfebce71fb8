"""Writing eXtreme Gammon's files: the records that the program itself would save, and its archive around them.

Boards, cube and plays come from the replay. A match that the records have no room for is refused with a
`FormatError`, unless the conversion has reported the loss before.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError, TooMuch
from bgtools.formats.shared.tags import restates, settled_rules
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, QUICK_LOOK, RECORDS, Titles, most_of, pack_archive, put_ansi, put_wide
from bgtools.formats.xg.comments import CommentList, write_comments
from bgtools.formats.xg.fields import ELO, TEXTS, date_of, header_tags, option_tags, put_rules, tag_lines
from bgtools.formats.xg.game import final_score, game_records
from bgtools.formats.xg.kept import pairs_of, put_kept
from bgtools.formats.xg.layout import RecordKind
from bgtools.record.producers import rating_of
from bgtools.record.record import AutomaticDouble, CheckerPlay, Double, Resign, SetBoard
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

_MOST_NAME: Final = 128


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a match file (.xg).

    Raises:
        FormatError: the match holds what the records have no room for.
    """
    with _within_fields():
        return _XgWriter(_only(matches)).match()


def write_position(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a position file (.xgp): one position, with the decision in it, if any.

    Raises:
        FormatError: the match holds more than one position.
    """
    with _within_fields():
        return _XgWriter(_only(matches)).position()


@contextmanager
def _within_fields() -> Iterator[None]:
    try:
        yield
    except OverflowError as error:
        raise FormatError("eXtreme Gammon cannot hold a number as large as one of this record") from error


def _only(matches: tuple[Match, ...]) -> Match:
    if len(matches) != 1:
        raise FormatError(f"a file of eXtreme Gammon holds one match, not {len(matches)}")
    return matches[0]


class _XgWriter:
    def __init__(self, match: Match) -> None:
        self.match_record = match
        self.replays = replay(match)
        self.comments = CommentList()
        self.rules = settled_rules(match, self.replays)
        self.header = self._header()

    def match(self) -> bytes:
        """The file of a whole match."""
        records, most = [self.header], most_of(RECORDS) // layout.RECORD_SIZE
        for game in self.replays:
            records += game_records(game, self.comments, crawford_follows=self._crawford_follows(game))
            if len(records) > most:
                raise TooMuch(
                    f"an eXtreme Gammon match of {len(self.replays):,} games could not be read again: bgtools takes no "
                    f"more than {most:,} records"
                )
        records.append(self._match_end())
        names = " vs. ".join(self.match_record.players)
        score = final_score(self.replays[-1]) if self.replays else (0, 0)
        titles = Titles(
            game=self._played_on(), save=f"{names}, {self._kind()}{score[0]}-{score[1]}", level=self._event()
        )
        return self._pack(records, records[-1], titles)

    def position(self) -> bytes:
        """The file of a single position."""
        if len(self.replays) != 1:
            raise FormatError(f"a position file holds one position, and there are {len(self.replays)} games")
        game = self.replays[0]
        if not game.turns:
            raise FormatError("a position file holds one position, and here is none")
        decisions = [turn for turn in game.turns if not isinstance(turn.entry, SetBoard | AutomaticDouble)]
        rolls = sum(isinstance(turn.entry, CheckerPlay) for turn in decisions)
        doubles = sum(isinstance(turn.entry, Double) for turn in decisions)
        sets = len(game.turns) - len(decisions)
        if rolls + doubles > 1 or sets > 1 or any(isinstance(turn.entry, Resign) for turn in decisions):
            raise FormatError("a position file holds one position, and here more than one decision is taken")
        told = game.claim is None or game.claim.points in (None, game.earned)
        if game.ending == "resigned" or not told:
            raise FormatError("a position file holds one position, and this game ends with a result of its own")
        records = game_records(game, self.comments, is_position=True)
        title = f"Position: {self._kind()}"
        if not self.match_record.is_money:
            title += f" {game.score[0]}-{game.score[1]}"
        return self._pack([self.header, *records], self._match_end(), Titles(save=title))

    def _pack(self, records: Sequence[BinaryRecord], last: BinaryRecord, titles: Titles) -> bytes:
        stream = b"".join(record.tobytes() for record in records)
        files = {RECORDS: stream, QUICK_LOOK: self.header.tobytes() + last.tobytes()}
        if self.comments.texts:
            files[COMMENTS] = write_comments(self.comments.texts)
        return pack_archive(files, titles)

    # --- titles -----------------------------------------------------------------------------

    def _kind(self) -> str:
        if self.match_record.length:
            return f"{self.match_record.length} point match"
        return " Unlimited Game" + (", Jacoby" if self.rules.jacoby else "")

    def _played_on(self) -> str:
        site = self.match_record.tag("Site")
        return f"Played on {site}" if site else ""

    def _event(self) -> str:
        event, round_ = self.match_record.tag("Event"), self.match_record.tag("Round")
        return (f"Event: {event} " if event else "") + (f"Round: {round_}" if round_ else "")

    # --- the match --------------------------------------------------------------------------

    def _header(self) -> BinaryRecord:
        match = self.match_record
        header = layout.MATCH.new(version=layout.VERSION, magic=layout.MATCH_MAGIC)
        header["comment_before"] = header["comment_after"] = -1
        header["length"] = match.length or layout.UNLIMITED
        if match.length and match.length >= layout.UNLIMITED:
            raise FormatError(f"eXtreme Gammon cannot hold a match of {match.length} points")
        for field, name in zip(("player1", "player2"), match.players, strict=True):
            self._put_text(header, field, name)
        put_rules(header, self.rules, money=match.is_money)
        put_kept(header, RecordKind.MATCH, pairs_of(match.extras))
        self._put_tags(header)
        stated = {(key, value) for key, value in header_tags(header)}
        lines = [(tag.key, tag.value) for tag in match.tags if not restates(tag, match)]
        lines = [line for line in lines if line not in stated] + list(option_tags(header, self.rules))
        text = "\n".join(comment.text for comment in match.comments)
        header["comment_before"] = self.comments.add("\n".join(filter(None, (tag_lines(lines), text))))
        return header

    def _put_text(self, header: BinaryRecord, field: str, text: str) -> None:
        if len(text.encode("utf-16-le", "replace")) > 2 * _MOST_NAME or "\0" in text:
            raise FormatError(f"eXtreme Gammon cannot hold a text of more than {_MOST_NAME} characters: {text!r}")
        put_wide(header, field, text)
        if f"ansi_{field}" in header.type.fields:
            put_ansi(header, f"ansi_{field}", text)

    def _put_tags(self, header: BinaryRecord) -> None:
        match = self.match_record
        for key, field in TEXTS.items():
            text = match.tag(key)
            if text and len(text) <= _MOST_NAME // 2 and "\0" not in text:
                self._put_text(header, field, text)
        identity = match.tag("Match ID") or ""
        if re.fullmatch(r"-?\d{1,9}|-?1\d{9}", identity):
            header["game_id"] = int(identity)
        date = date_of(match.tag("EventDate") or "", match.tag("EventTime") or "")
        if date is not None:
            header["date"] = date
        for number in (1, 2):
            if elo := ELO.fullmatch(rating_of(match, number)):
                header[f"elo{number}"], header[f"experience{number}"] = float(elo[1]), int(elo[2])

    def _crawford_follows(self, game: GameReplay) -> bool:
        following = game.index + 1
        if following < len(self.replays):
            return self.replays[following].crawford
        length = self.match_record.length or 0
        before = any(each.crawford for each in self.replays)
        return bool(self.rules.crawford and length > 1 and not before and max(game.score_after) == length - 1)

    def _match_end(self) -> BinaryRecord:
        end = layout.MATCH_END.new(kind=RecordKind.MATCH_END)
        put_kept(end, RecordKind.MATCH_END, pairs_of(self.match_record.extras))
        if self.replays:
            score = final_score(self.replays[-1])
            end["score"] = score
            length = self.match_record.length
            if length and max(score) >= length:
                end["winner"] = 1 if score[0] > score[1] else -1
        return end
