"""Reading the match logs of the server TrueMoneyGames, ``.tmg``. The grammar is ``grammars/tmg.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lark import Token, v_args

from bgtools.board.play import PlayText
from bgtools.formats.content import FormatError
from bgtools.formats.servers.words import TMG_VARIANTS, LineKind
from bgtools.formats.shared.lines import (
    GameDraft,
    Line,
    LineParser,
    MatchDraft,
    PlayBuilder,
    Roll,
    Stop,
    lines_of,
)
from bgtools.formats.shared.spelling import name_of
from bgtools.formats.shared.tags import number_of
from bgtools.record.record import AutomaticDouble, Beaver, Match, ResultClaim
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.content import Content
    from bgtools.source import Source


class _Player(NamedTuple):
    player: Player
    name: str


class _TmgHeading(NamedTuple):
    number: int
    score: tuple[int, int]


@v_args(inline=True)
class _TmgBuilder(PlayBuilder):
    def option_line(self, key: Token, value: Token | None) -> tuple[str, str]:
        return key[:-1].strip().casefold(), (value or "").strip()

    def player_line(self, word: Token, _number: Token, name: Token, *_stake: Token) -> _Player:
        return _Player(0 if word[6] == "1" else 1, name_of(name))

    def game_line(self, _word: Token, number: Token, one: Token, two: Token) -> _TmgHeading:
        return _TmgHeading(int(number), (int(one), int(two)))

    def roll(self, dice: Dice | None) -> Dice | None:
        return dice

    def unrolled(self, *_marks: Token) -> str:
        return "unrolled"

    def cube(self, _word: Token, value: Token | None) -> int | None:
        return None if value is None else int(value)

    def wins(self, points: Token, *_rest: Token) -> int:
        return int(points)


PARSER = LineParser("tmg", ("option_line", "player_line", "game_line", "roll", "move", "cube", "wins"), _TmgBuilder)

_ODD: Final = {"eventdate": "EventDate", "eventtime": "EventTime"}
"""Our own keys for a date or a time that ``Startdate`` cannot hold, and their tags."""
_NUMBERS: Final = frozenset(
    ("length", "crawford", "jacoby", "beavers", "raccoons", "automatics", "cube", "maxcube", "variant")
)
"""The options whose values are numbers."""
_RECORD = re.compile(r"(-?)(\d{1,9})[ \t]+(\d{1,4})(?:[ \t]+|$)")
_GAME = re.compile(r"game +\d+ *:", re.IGNORECASE)
_PLAYER = re.compile(r"player[12]:", re.IGNORECASE)
_OPTION = re.compile(r"([A-Za-z][A-Za-z0-9 ]*) *:")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\S+))?")


def read(content: Content) -> tuple[Match, ...]:
    """Read the match in a log of TrueMoneyGames.

    Raises:
        FormatError: no line names a player, and no line begins a game.
    """
    return (_TmgReader(content.source).match(),)


class _TmgReader(MatchDraft):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.has_names = False
        self.options: dict[str, str] = {}

    def match(self) -> Match:
        for line in lines_of(self.source):
            self._line(line)
        if not self.has_names and not self.games:
            raise FormatError('this is not a log of TrueMoneyGames: it has neither "Player1: …" nor "Game 1: …"')
        self.finish_pending()
        self.length = self._number("length")
        return self.finish(self._rules(money=not self.length))

    # --- options ----------------------------------------------------------------------------

    def _number(self, key: str) -> int | None:
        return number_of(self.options.get(key, ""))

    def _rules(self, *, money: bool) -> Ruleset:
        beavers, raccoons = self._number("beavers"), self._number("raccoons")
        jacoby, variant = self._number("jacoby"), self._number("variant") or 1
        automatic = self._number("automatics") or 0
        if money and not automatic:
            automatic = max((_automatic(game) for game in self.games), default=0)
        return Ruleset(
            crawford=not money and self._number("crawford") != 0,
            jacoby=(None if jacoby is None else bool(jacoby)) if money else False,
            beavers=(None if beavers is None else beavers + (raccoons or 0)) if money else 0,
            automatic_doubles=automatic if money else 0,
            cube_limit=1 if self._number("cube") == 0 else self._number("maxcube") or None,
            variant=TMG_VARIANTS[variant - 1] if variant <= len(TMG_VARIANTS) else TMG_VARIANTS[0],
        )

    def _option(self, key: str, value: str, line: Line) -> None:
        self.options[key] = value
        self.marks.append(line.span)
        if key in _NUMBERS and value.isdecimal():
            self.number(value, line)
        if key == "startdate" and value:
            found = _DATE.fullmatch(value)
            self.tag("EventDate", f"{found[1]}.{found[2]}.{found[3]}" if found else value, line)
            if found and found[4]:
                self.tag("EventTime", found[4], line)
        elif key in _ODD and value:
            self.tag(_ODD[key], value, line)
        elif key == "matchid" and value:
            self.tag("Match ID", value, line)
        elif key == "length":
            self.length_span = line.span

    # --- lines ------------------------------------------------------------------------------

    def _line(self, line: Line) -> None:
        text = line.text
        game = self.games[-1] if self.games else None
        if game is not None and (record := _RECORD.match(text)):
            self._record(line, record, game)
        elif _GAME.match(text) and not isinstance(found := PARSER.parse(text, "game_line"), Stop):
            self._heading(found, line)
        elif _PLAYER.match(text) and not isinstance(found := PARSER.parse(text, "player_line"), Stop):
            self.has_names = True
            self.name(found.player, found.name)
            self.marks.append(line.span)
        elif _OPTION.match(text) and not isinstance(found := PARSER.parse(text, "option_line"), Stop):
            key, value = found
            self._option(key, value, line)
        else:
            self.unreadable(line, "line of a TrueMoneyGames log", game)

    def _heading(self, heading: _TmgHeading, line: Line) -> None:
        self.finish_pending()
        self.games.append(
            GameDraft(number=heading.number, score=heading.score, heading=line.span, score_span=line.span)
        )

    def _record(self, line: Line, record: re.Match[str], game: GameDraft) -> None:
        player: Player = 1 if record[1] else 0
        row, kind, at = int(record[2]), int(record[3]), record.end()
        rest = line.behind(at)
        game.marks.append(Span(line.span.start, rest.span.start))
        match kind:
            case LineKind.ROLL:
                self._roll(rest, player, row, game)
            case LineKind.MOVE:
                self._move(rest, player, row, game)
            case LineKind.OUT_OF_TIME | LineKind.TIMED_OUT | LineKind.SETTLEMENT:
                game.marks.append(line.span)
            case LineKind.SINGLE | LineKind.GAMMON | LineKind.BACKGAMMON:
                self.finish_pending()
                self._result(rest, player, row, game)
            case LineKind.AUTOMATIC | LineKind.DOUBLE | LineKind.BEAVER | LineKind.TAKE | LineKind.PASS:
                self.finish_pending()
                self._cube(kind, rest, player, row, game)
            case _:
                self.unreadable(line, "kind of record that is known", game)

    def _roll(self, rest: Line, player: Player, row: int, game: GameDraft) -> None:
        self.finish_pending()
        found = PARSER.parse(rest.text, "roll")
        if isinstance(found, Stop):
            self.unreadable(rest, "roll", game)
        elif found == "unrolled":
            game.marks.append(rest.span)  # the time ran out before the roll
        else:
            self.pending = Roll(player, found, rest, row)

    def _move(self, rest: Line, player: Player, row: int, game: GameDraft) -> None:
        dice: Dice | None = None
        if self.pending is not None and self.pending.player == player:
            dice = self.rolled()
        self.finish_pending()
        found = PARSER.parse(rest.text, "move")
        if isinstance(found, Stop):
            self.unreadable_play(rest, found.at, game, player, dice, row=row)
            return
        is_dance = found.kind == "moves" and not found.hops
        game.play(player, dice, PlayText("dance") if is_dance else found, rest, row)

    def _cube(self, kind: int, rest: Line, player: Player, row: int, game: GameDraft) -> None:
        found = PARSER.parse(rest.text, "cube")
        value = None if isinstance(found, Stop) else found
        if isinstance(found, Stop):
            self.unreadable(rest, "cube action", game)
        if kind == LineKind.AUTOMATIC:
            game.entries.append(AutomaticDouble(player=player, value=value, span=rest.span, row=row))
        elif kind == LineKind.BEAVER and (offered := game.offered()) is not None and offered.player == player:
            # By the rules nobody can beaver their own double, but this log claims it.
            game.entries.append(Beaver(player=player, value=value, span=rest.span, row=row))
        elif kind in (LineKind.DOUBLE, LineKind.BEAVER):
            game.double(player, rest, value, row)
        elif kind == LineKind.TAKE:
            game.take(player, rest, row)
        else:
            game.drop(player, rest, row)

    def _result(self, rest: Line, player: Player, row: int, game: GameDraft) -> None:
        found = PARSER.parse(rest.text, "wins")
        if isinstance(found, Stop):
            self.unreadable(rest, "result", game)
            return
        game.results.append(ResultClaim(player=player, points=found, span=rest.span, row=row))


def _automatic(game: GameDraft) -> int:
    return sum(isinstance(entry, AutomaticDouble) for entry in game.entries)


__all__ = ["PARSER", "read"]
