"""The match logs of the server TrueMoneyGames, ``.tmg``. The grammar is ``grammars/tmg.lark``."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from bgtools.board.play import PlayText
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, lines_of
from bgtools.formats.shared.spelling import (
    Spelling,
    as_recorded,
    in_rows,
    name_of,
    name_without_blanks,
    numbered,
    points_word,
    results,
)  # fmt: skip
from bgtools.formats.shared.tags import DAY
from bgtools.record.builder import GameBuilder, MatchBuilder, number_of
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.content import Content
    from bgtools.replayer.turn import GameReplay, Turn


class Kind(IntEnum):
    """The kinds of lines in a game, with their numbers."""

    ROLL = 1
    AUTOMATIC = 2
    MOVE = 4
    DOUBLE = 5
    TAKE = 7
    BEAVER = 8
    PASS = 10
    SINGLE = 14
    GAMMON = 15
    BACKGAMMON = 16
    OUT_OF_TIME = 17
    SETTLEMENT = 19
    TIMED_OUT = 22


VARIANTS: Final = ("backgammon", "nackgammon")
"""The variants, numbered from 1."""
_ODD: Final = {"eventdate": "EventDate", "eventtime": "EventTime"}
"""Our own keys for a date or a time that ``Startdate`` cannot hold, and their tags."""
_NUMBERS: Final = frozenset(
    ("length", "crawford", "jacoby", "beavers", "raccoons", "automatics", "cube", "maxcube", "variant")
)
_KEYS: Final = _NUMBERS | _ODD.keys() | {"matchid", "stake", "startdate", "enddate", "maxgames", "site"}
_RECORD = re.compile(r"(-?)(\d{1,9})[ \t]+(\d{1,4})(?:[ \t]+|$)")
_KINDS = (
    ("game_line", re.compile(r"game +\d+ *:", re.IGNORECASE)),
    ("player_line", re.compile(r"player[12]:", re.IGNORECASE)),
    ("option_line", re.compile(r"([A-Za-z][A-Za-z0-9 ]*) *:")),
)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\S+))?")

# --- reading --------------------------------------------------------------------------------


class _TmgBuilder(PlayBuilder):
    def option_line(self, key: Token, value: Token | None) -> tuple[str, str]:
        return key[:-1].strip().casefold(), (value or "").strip()

    def player_line(self, word: Token, _number: Token, name: Token, *_stake: Token) -> tuple[Player, str]:
        return 0 if word[6] == "1" else 1, name_of(name)

    def game_line(self, _word: Token, number: Token, one: Token, two: Token) -> tuple[int, tuple[int, int]]:
        return int(number), (int(one), int(two))

    def roll(self, dice: Dice | None) -> Dice | None:
        return dice

    def unrolled(self, *_marks: Token) -> str:
        return "unrolled"

    def cube(self, _word: Token, value: Token | None) -> int | None:
        return None if value is None else int(value)

    def wins(self, points: Token, *_rest: Token) -> int:
        return int(points)


PARSER = LineParser("tmg", ("option_line", "player_line", "game_line", "roll", "move", "cube", "wins"), _TmgBuilder)


def read(content: Content) -> tuple[Match, ...]:
    """Read the match in a log.

    Raises:
        FormatError: no line names a player, and no line begins a game.
    """
    reader = _Reader(content)
    return (reader.match(),)


class _Reader:
    def __init__(self, content: Content) -> None:
        self.source = content.source
        self.to = MatchBuilder(source=content.source)
        self.options: dict[str, str] = {}
        self.has_names = False

    def match(self) -> Match:
        for line in lines_of(self.source):
            self._line(line)
        if not self.has_names and not self.to.games:
            raise FormatError('this is not a log of TrueMoneyGames: it has neither "Player1: …" nor "Game 1: …"')
        self.to.length = self._number("length")
        self.to.rules = self._rules(money=not self.to.length)
        return self.to.build()

    def _number(self, key: str) -> int | None:
        return number_of(self.options.get(key, ""))

    def _rules(self, *, money: bool) -> Ruleset:
        beavers, jacoby, variant = self._number("beavers"), self._number("jacoby"), self._number("variant") or 1
        automatic = self._number("automatics") or 0
        if money and not automatic:
            automatic = max(map(_count_automatic, self.to.games), default=0)
        return Ruleset(
            crawford=not money and self._number("crawford") != 0,
            jacoby=(None if jacoby is None else bool(jacoby)) if money else False,
            beavers=(None if beavers is None else beavers + (self._number("raccoons") or 0)) if money else 0,
            automatic_doubles=automatic if money else 0,
            cube_limit=1 if self._number("cube") == 0 else self._number("maxcube") or None,
            variant=VARIANTS[variant - 1] if variant <= len(VARIANTS) else VARIANTS[0],
        )

    def _line(self, line: Line) -> None:
        game = self.to.games[-1] if self.to.games else None
        if game is not None and (record := _RECORD.match(line.text)):
            self._record(line, record, game)
            return
        for kind, pattern in _KINDS:
            if pattern.match(line.text) and not isinstance(found := PARSER.parse(line.text, kind), Stop):
                getattr(self, f"_{kind}")(found, line.span)
                return
        (game or self.to).unreadable(line.text, line.span, "line of a TrueMoneyGames log")

    def _game_line(self, found: tuple[int, tuple[int, int]], span: Span) -> None:
        self.to.game(*found, span)

    def _player_line(self, found: tuple[Player, str], span: Span) -> None:
        self.has_names = True
        self.to.name(*found)
        self.to.mark(span)

    def _option_line(self, found: tuple[str, str], span: Span) -> None:
        key, value = found
        if key not in _KEYS:
            # Between the records too: nothing that the server writes.
            (self.to.games[-1] if self.to.games else self.to).comment(self.source.text[slice(*span)], span)
            return
        self.options[key] = value
        self.to.mark(span)
        if key in _NUMBERS and value.isdecimal():
            self.to.number(value, span)
        if key == "startdate" and value:
            date = _DATE.fullmatch(value)
            self.to.tag("EventDate", f"{date[1]}.{date[2]}.{date[3]}" if date else value, span)
            if date and date[4]:
                self.to.tag("EventTime", date[4], span)
        elif key in _ODD and value:
            self.to.tag(_ODD[key], value, span)
        elif key == "matchid" and value:
            self.to.tag("Match ID", value, span)
        elif key == "length":
            self.to.length_span = span

    def _record(self, line: Line, record: re.Match[str], game: GameBuilder) -> None:
        player: Player = 1 if record[1] else 0
        row, kind, rest = int(record[2]), int(record[3]), line.behind(record.end())
        game.mark(Span(line.span.start, rest.span.start))
        if kind in (Kind.OUT_OF_TIME, Kind.TIMED_OUT, Kind.SETTLEMENT):
            game.mark(line.span)
        elif kind not in _RULES:
            game.unreadable(line.text, line.span, "kind of record that is known")
        else:
            if kind != Kind.MOVE:
                game.add_waiting()
            self._entry(player, row, kind, rest, game)

    def _entry(self, player: Player, row: int, kind: int, rest: Line, game: GameBuilder) -> None:
        rule, what = _RULES[kind]
        found, rest = PARSER.parse_entry(rest, rule, game)
        if isinstance(found, Stop):
            if kind == Kind.MOVE:
                game.unreadable_play(player, rest.text, found.at, rest.span, row=row)
                return
            game.unreadable(rest.text, rest.span, what)
            if rule != "cube":
                return
            found = None  # the action is known by its kind, only its value is not
        match kind:
            case Kind.ROLL if found == "unrolled":
                game.mark(rest.span)  # the time ran out before the roll
            case Kind.ROLL:
                game.roll(player, found, rest.span, row=row)
            case Kind.MOVE:
                is_dance = found.kind == "moves" and not found.hops
                game.play(player, PlayText("dance") if is_dance else found, rest.span, row=row)
            case Kind.SINGLE | Kind.GAMMON | Kind.BACKGAMMON:
                game.result(player, found, rest.span, row=row)
            case Kind.AUTOMATIC:
                game.automatic(player, rest.span, found, row=row)
            case Kind.BEAVER if (offered := game.offered()) is not None and offered.player == player:
                # By the rules nobody can beaver their own double, but this log claims it.
                game.beaver(player, rest.span, found, row=row)
            case Kind.DOUBLE | Kind.BEAVER:
                game.double(player, rest.span, found, row=row)
            case Kind.TAKE:
                game.take(player, rest.span, row=row)
            case _:
                game.drop(player, rest.span, row=row)


def _count_automatic(game: GameBuilder) -> int:
    return sum(isinstance(entry, AutomaticDouble) for entry in game.entries)


_RULES: Final[dict[int, tuple[str, str]]] = {
    Kind.ROLL: ("roll", "roll"), Kind.MOVE: ("move", "move"),
    **dict.fromkeys((Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON), ("wins", "result")),
    **dict.fromkeys((Kind.AUTOMATIC, Kind.DOUBLE, Kind.BEAVER, Kind.TAKE, Kind.PASS), ("cube", "cube action")),
}  # fmt: skip
"""The rule of the grammar for a kind of record, and what it is called in a finding."""

# --- writing --------------------------------------------------------------------------------

_SPELLING = Spelling(bar="25", off="0", dance="0/0")


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match."""
    (match,) = matches
    return "\n".join([*_lines(match), ""]).encode()


def _lines(match: Match) -> Iterator[str]:
    names = [name_without_blanks(name) for name in match.players]
    if identity := match.tag("Match ID"):
        yield f"MatchID: {' '.join(identity.split())}"
    for index, name in enumerate(names, 1):
        yield f"Player{index}: {index} {name} 0.00"
    yield from _date_lines(match)
    yield from _option_lines(match)
    for number, game in numbered(match):
        yield f"Game {number}: {game.score[0]}-{game.score[1]}"
        yield from _game_lines(game, names)


def _date_lines(match: Match) -> Iterator[str]:
    date, time = match.tag("EventDate"), match.tag("EventTime")
    if date and (found := DAY.fullmatch(date)):
        together = time and " " not in time and time.isprintable()
        yield f"Startdate: {'-'.join(found.groups())}{f' {time}' if together else ''}"
        date, time = None, None if together else time
    if date:
        yield f"EventDate: {' '.join(date.split())}"
    if time:
        yield f"EventTime: {' '.join(time.split())}"


def _option_lines(match: Match) -> Iterator[str]:
    rules = match.rules
    if rules.variant not in VARIANTS:
        raise FormatError(f"TrueMoneyGames has no {rules.variant}")
    if match.length:
        yield f"Crawford: {int(rules.crawford)}"
    else:
        if rules.jacoby is not None:
            yield f"Jacoby: {int(rules.jacoby)}"
        yield f"Automatics: {rules.automatic_doubles or 0}"
        if rules.beavers is not None:
            raccoons = int(rules.beavers > 1)
            yield f"Beavers: {rules.beavers - raccoons}"
            yield f"Raccoons: {raccoons}"
    yield f"Cube: {int(rules.cube_limit != 1)}"
    if rules.cube_limit is not None and rules.cube_limit != 1:
        yield f"MaxCube: {rules.cube_limit}"
    yield f"Length: {match.length or 0}"
    yield f"Variant: {VARIANTS.index(rules.variant) + 1}"


def _game_lines(game: GameReplay, names: list[str]) -> Iterator[str]:
    if game.game.start is not None:
        raise FormatError("a TrueMoneyGames log cannot hold a game that begins from a set position")
    row = 1
    for row, turn in in_rows(as_recorded(game)):
        for kind, words in _records(turn):
            yield _record(0 if kind == Kind.AUTOMATIC else row, turn.player, kind, words)
    for winner, points in results(game):
        level = game.level or -(-points // game.cube)
        kind = (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)[min(level, 3) - 1]
        yield _record(row, winner, kind, f"{points} {names[winner]} wins {points_word(points)}")


def _record(row: int, player: Player, kind: Kind, words: str) -> str:
    return f"{'-' if player else ' '}{row} {kind.value} {words}".rstrip()


def _records(turn: Turn) -> Iterator[tuple[Kind, str]]:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            yield Kind.ROLL, f"{one}{two}:"
            if play := _SPELLING.play(turn):
                yield Kind.MOVE, play
        case Double(value=value):
            yield Kind.DOUBLE, f"Double to {2 * turn.state.cube.value if value is None else value}"
        case Beaver(value=value):
            yield Kind.BEAVER, "Beaver" if value is None else f"Beaver to {value}"
        case AutomaticDouble():
            yield Kind.AUTOMATIC, f"Automatic to {2 * turn.state.cube.value}"
        case Take():
            yield Kind.TAKE, "Take"
        case Drop():
            yield Kind.PASS, "Pass"
        case Resign():
            return  # the result shows the resignation
        case SetBoard():
            raise FormatError("a TrueMoneyGames log cannot hold a position that is set in the middle of a game")


# --- the format -----------------------------------------------------------------------------

_TMG_SIGNS = (
    Sign(re.compile(r"^player1:[ \t]*\d+[ \t]+\S", re.MULTILINE | re.IGNORECASE), "player1:"),
    Sign(re.compile(r"^Game +\d+: *\d+-\d+", re.MULTILINE | re.IGNORECASE), "game "),
    Sign(re.compile(r"^[ \t]*-?\d+ \d+ (\d\d:|settlement|automatic)", re.MULTILINE | re.IGNORECASE)),
)


def _sniff(content: Content) -> float:
    """TrueMoneyGames: "Player1: 10001 Ann", "Game 1: 0-0", two numbers and a roll."""
    return content.share(_TMG_SIGNS)


TMG: Final = Format(
    name="tmg",
    title="TrueMoneyGames log",
    extensions=(".tmg",),
    sniff=_sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"start", "comments", "holland", "quadruple", "winner_starts"}),
)

FORMATS: Final = (TMG,)
