"""The match logs of the server GamesGrid, ``.sgg``. The grammar is ``grammars/sgg.lark``."""

from __future__ import annotations

import calendar
import datetime
import re
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import other
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, lines_of
from bgtools.formats.shared.spelling import (
    NO_BLANK,
    NO_NAME,
    Spelling,
    as_recorded,
    in_rows,
    name_of,
    numbered,
    points_word,
    results,
)
from bgtools.formats.shared.tags import DAY
from bgtools.record.builder import GameBuilder, MatchBuilder, number_of
from bgtools.record.producers import rating_of
from bgtools.record.record import (
    NOWHERE,
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Match,
    Resign,
    SetBoard,
    Take,
    places_of_comments,
)
from bgtools.rules.options import VARIANTS, Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Source

OPTIONS: Final = frozenset(
    (
        "jacoby", "automatic doubles", "crawford", "beavers", "raccoons", "doubling cube", "rated", "match length",
        "variant",
    )
)  # fmt: skip
"""The known options of the header, in small letters."""


class _Cell(NamedTuple):
    kind: str
    dice: Dice | None = None
    text: PlayText | None = None
    value: int | None = None


class _SggHeading(NamedTuple):
    number: int
    score: tuple[int, int]
    length: int


class _SggResult(NamedTuple):
    name: str
    points: int


def _value(number: Token | None) -> int | None:
    return None if number is None else int(number)


class _SggBuilder(PlayBuilder):
    def names_line(self, one: Token, two: Token) -> tuple[str, str]:
        return name_of(one), name_of(two)

    def date_line(self, _weekday: Token, month: Token, day: Token, year: Token) -> str:
        return f"{year}.{MONTHS.index(month.capitalize()) + 1:02}.{int(day):02}"

    def elo_line(self, *ratings: Token) -> tuple[str, str]:
        values = [" ".join(rating.split()) for rating in ratings]
        one, two = ("/".join(part for part in pair if part != NOT_KNOWN) for pair in (values[:2], values[2:]))
        return one, two

    def option_line(self, key: Token, value: Token | None) -> tuple[str, str]:
        return key[:-1].strip().casefold(), (value or "").strip()

    def game_line(self, _word: Token, number: Token, *rest: Token | None) -> _SggHeading:
        points = [int(token) for token in rest if token is not None and token.type == "NUMBER"]
        return _SggHeading(int(number), (points[0], points[1]), points[2] if len(points) > 2 else 0)

    def cell(self, cell: _Cell) -> _Cell:
        return cell

    def roll(self, dice: Dice | str | None, text: PlayText | str | None) -> _Cell:
        if isinstance(dice, str):
            return _Cell("closed out")
        if isinstance(text, str):
            return _Cell("resigned", dice)
        return _Cell("roll", dice, text)

    def closed_out(self) -> str:
        return "closed out"

    def resigned(self, _word: Token) -> str:
        return "resigned"

    def double(self, _word: Token, value: Token | None) -> _Cell:
        return _Cell("double", value=_value(value))

    def beaver(self, _word: Token, value: Token | None) -> _Cell:
        return _Cell("beaver", value=_value(value))

    def raccoon(self, _word: Token, value: Token | None) -> _Cell:
        return _Cell("raccoon", value=_value(value))

    def take(self, _word: Token) -> _Cell:
        return _Cell("take")

    def drop(self, _word: Token) -> _Cell:
        return _Cell("drop")

    def resign(self, _word: Token) -> _Cell:
        return _Cell("resign")

    def wins_line(self, name: Token, points: Token, *_rest: Token) -> _SggResult:
        return _SggResult(" ".join(name.split()), int(points))

    def automatic_line(self, _dice: Token, _words: Token) -> bool:
        return True


PARSER = LineParser(
    "sgg",
    ("names_line", "date_line", "elo_line", "option_line", "game_line", "cell", "wins_line", "automatic_line"),
    _SggBuilder,
)

_NAMES = re.compile(r"\bvs\.")
_GAME = re.compile(r"game +\d+\.", re.IGNORECASE)
_DATE = re.compile(r"(mon|tues|wednes|thurs|fri|satur|sun)day,", re.IGNORECASE)
_ELO = re.compile(r"elo:", re.IGNORECASE)
_OPTION = re.compile(r"([A-Za-z][A-Za-z ]*?) *:")
_ROW = re.compile(r"(\d{1,9})\t(\t?)[ ]*")
_WINS = re.compile(r"\S.*?\s+wins\s", re.IGNORECASE)
_AUTOMATIC = re.compile(r"\d\d:?\s*automatic", re.IGNORECASE)
_ROLL = re.compile(r"(\d)(\d):?\s*")


def read(content: Content) -> tuple[Match, ...]:
    """Read the match in a log of GamesGrid.

    Raises:
        FormatError: no line names the players, and no line begins a game.
    """
    return (_SggReader(content.source).match(),)


class _SggReader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.to = MatchBuilder(source=source)
        self.has_names = False
        self.options: dict[str, str] = {}
        self.last_row = ""

    def match(self) -> Match:
        for line in lines_of(self.source):
            if not self.to.games:
                self._header(line)
            elif _GAME.match(line.text) and not self._is_remark(line):
                self._heading(line)
            else:
                self._line(line, self.to.games[-1])
        if not self.has_names and not self.to.games:
            raise FormatError('this is not a log of GamesGrid: no line names the players ("Ann vs. Bob")')
        self.to.rules = self._rules()
        return self.to.build()

    # --- the header -------------------------------------------------------------------------

    def _header(self, line: Line) -> None:
        text = line.text
        if _GAME.match(text):
            self._heading(line)
            return
        self.to.mark(line.span)
        if not self.has_names and _NAMES.search(text):
            found = PARSER.parse(text, "names_line")
            if not isinstance(found, Stop):
                self.to.players, self.has_names = found, True
                return
        if day := _DATE.match(text):
            found = PARSER.parse(text, "date_line")
            value = text[day.end() :].strip() if isinstance(found, Stop) else found
            self.to.tag("EventDate", value, line.span)
        elif _ELO.match(text) and not isinstance(found := PARSER.parse(text, "elo_line"), Stop):
            for number, value in enumerate(found, 1):
                if value:
                    self.to.tag(f"Player {number} Elo", value, line.span)
        elif (
            (at := _OPTION.match(text))
            and at[1].casefold() in OPTIONS
            and not isinstance(found := PARSER.parse(text, "option_line"), Stop)
        ):
            key, value = found
            self.options[key] = value
            if key == "match length" and value.isdecimal():
                self.to.length, self.to.length_span = self.to.number(value, line.span), line.span
        else:
            # The last line of other words is the site.
            for tag in [tag for tag in self.to.tags if tag.key == "Site"]:
                self.to.tags.remove(tag)
                self.to.comment(tag.value, tag.span)
            self.to.tag("Site", text, line.span)

    def _rules(self) -> Ruleset:
        money = not self.to.length
        variant = self.options.get("variant", "").casefold()
        beavers, raccoons = self._option("beavers"), self._option("raccoons")
        return Ruleset(
            crawford=not money and self._option("crawford") != 0,
            jacoby=None if money and self._option("jacoby") is None else money and bool(self._option("jacoby")),
            beavers=(None if beavers is None else beavers + bool(beavers and raccoons)) if money else 0,
            automatic_doubles=(self._option("automatic doubles") or 0) if money else 0,
            cube_limit=1 if self._option("doubling cube") == 0 else None,
            variant=variant if variant in VARIANTS else "backgammon",
        )

    def _option(self, key: str) -> int | None:
        """The value of an option: ``Yes`` is 1, ``No`` is 0, a number is itself; None where the header has none."""
        value = self.options.get(key, "").casefold()
        said = number_of(value)
        return {"yes": 1, "no": 0}.get(value) if said is None else said

    # --- games ------------------------------------------------------------------------------

    def _heading(self, line: Line) -> None:
        found = PARSER.parse(line.text, "game_line")
        game = self.to.game(None, None, line.span)
        self.last_row = ""
        if isinstance(found, Stop):
            game.score_span = NOWHERE
            game.unreadable(line.text, line.span, "heading of a game")
        else:
            game.number, game.score = found.number, found.score
            if found.length or self.to.length is None:
                self.to.length, self.to.length_span = found.length, line.span

    def _line(self, line: Line, game: GameBuilder) -> None:
        text = line.text
        if row := _ROW.match(text):
            self._row(line, row, game)
        elif not self._is_remark(line) and _AUTOMATIC.match(text):
            if isinstance(PARSER.parse(text, "automatic_line"), Stop):
                game.unreadable(text, line.span, "line of a GamesGrid log")
            else:
                game.automatic(0, line.span)
        elif (
            not self._is_remark(line)
            and _WINS.match(text)
            and not isinstance(found := PARSER.parse(text, "wins_line"), Stop)
        ):
            self._result(found, line, game)
        else:
            game.comment(text, line.span)

    def _is_remark(self, line: Line) -> bool:
        """Whether a line begins with a blank; only remarks do."""
        return line.span.start > 0 and self.source.text[line.span.start - 1] in " \t"

    def _result(self, result: _SggResult, line: Line, game: GameBuilder) -> None:
        names = [_plain(name) for name in self.to.players]
        if _plain(result.name) in names:
            game.result(0 if names[0] == _plain(result.name) else 1, result.points, line.span)
        else:
            game.unreadable(line.text, line.span, "result of one of the players")

    def _row(self, line: Line, row: re.Match[str], game: GameBuilder) -> None:
        number, player = int(row[1]), _side(row)
        cell = line.behind(row.end())
        game.mark(Span(line.span.start, cell.span.start))
        found, cell = PARSER.parse_entry(cell, "cell", game)
        twice = line.text == self.last_row
        self.last_row = line.text
        if isinstance(found, Stop):
            _trouble(cell, found.at, game, player, number)
        elif found.kind == "roll" and found.text is None:
            if _waits(game, player, found.dice):
                game.mark(line.span)  # the same roll again
            else:
                game.roll(player, found.dice, cell.span, row=number)
        elif twice and found.kind != "resign":
            game.mark(line.span)
        else:
            _add(found, cell.span, game, player, number)


def _waits(game: GameBuilder, player: Player, dice: Dice | None) -> bool:
    """Whether a roll waits for its play that is the same."""
    return game.waiting is not None and (game.waiting.player, game.waiting.dice) == (player, dice)


def _add(found: _Cell, span: Span, game: GameBuilder, player: Player, row: int) -> None:
    """Add what a cell holds. It states the roll again that waits for its play."""
    if found.kind in ("roll", "resigned"):
        game.rolled(player)
    game.add_waiting()
    match found.kind:
        case "roll":
            game.play(player, found.text, span, dice=found.dice, row=row)
        case "closed out":
            game.mark(span)
        case "resigned":
            game.play(player, None, span, dice=found.dice, row=row)
            game.resign(player, span, row=row)
        case "resign":
            game.resign(player, span, row=row)
        case "double":
            game.add(Double(player=player, value=found.value, span=span, row=row))
        case "beaver" | "raccoon":
            game.beaver(player, span, found.value, raccoon=found.kind == "raccoon", row=row)
        case "take":
            game.take(player, span, row=row)
        case _:
            game.drop(player, span, row=row)


def _trouble(cell: Line, at: int, game: GameBuilder, player: Player, row: int) -> None:
    roll = _ROLL.match(cell.text)
    if not roll:
        game.unreadable(cell.text, cell.span, "roll, play or cube action")
        return
    dice = (int(roll[1]), int(roll[2]))
    if _waits(game, player, dice):
        game.rolled(player)
    game.unreadable_play(player, cell.text, at, cell.span, dice=dice, behind=roll.end(), row=row)


def _side(row: re.Match[str]) -> Player:
    return 1 if row[2] else 0


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold() or NO_NAME


MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOT_KNOWN: Final = "-"
"""The sign for a rating that is not known."""


# --- writing --------------------------------------------------------------------------------

_SPELLING = Spelling(between=", ", dance="O-O")
_VARIANTS: Final = {"backgammon": "Backgammon", "nackgammon": "Nackgammon", "hypergammon": "HyperGammon"}


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match."""
    (match,) = matches
    return "\n".join([*_SggWriter(match).lines(), ""]).encode()


class _SggWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [" ".join(name.split()) or NO_NAME for name in match.players]
        # A result names the winner, whom nothing but the name tells apart.
        if len({name.replace(" ", "_").casefold() for name in self.names}) == 1:
            self.names[1] += " 2"

    def lines(self) -> Iterator[str]:
        match = self.match
        yield " vs. ".join(self.names)
        yield from self._date(match.tag("EventDate"))
        yield from self._elo(rating_of(match, 1), rating_of(match, 2))
        yield from self._options(match.rules)
        for number, game in numbered(match):
            length = f"/{match.length}" if match.length else ""
            one, two = (
                f"{points}{'*' if game.crawford and points + 1 == match.length else ''}" for points in game.score
            )
            if game.index:
                # Only between games: GNU Backgammon breaks down over an empty line, or a site, in the header.
                yield ""
            yield f"Game {number}. {one}-{two}{length}"
            yield from self._game(game)

    # --- the header -------------------------------------------------------------------------

    def _date(self, date: str | None) -> Iterator[str]:
        if not date:
            return
        found = DAY.fullmatch(date)
        try:
            day = datetime.date(int(found[1]), int(found[2]), int(found[3])) if found else None
        except ValueError:
            day = None
        if day is None:
            # A date without a day needs some weekday before it. Readers find no complete date in such a line.
            yield f"{calendar.day_name[0]}, {' '.join(date.split())}"
        else:
            yield f"{calendar.day_name[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}, {day.year:04}"

    def _elo(self, *ratings: str | None) -> Iterator[str]:
        if any(ratings):
            parts = [NO_BLANK.join((rating or "").split()).partition("/") for rating in ratings]
            yield "ELO: " + " ".join(f"{one or NOT_KNOWN} {two or NOT_KNOWN}" for one, _, two in parts)

    def _options(self, rules: Ruleset) -> Iterator[str]:
        if rules.variant not in _VARIANTS:
            raise FormatError(f"GamesGrid has no {rules.variant}")
        if self.match.length:
            yield f"Crawford: {_yes(rules.crawford)}"
        else:
            if rules.jacoby is not None:
                yield f"Jacoby: {_yes(rules.jacoby)}"
            yield f"Automatic Doubles: {_yes(rules.automatic_doubles)}"
            if rules.beavers is not None:
                yield f"Beavers: {_yes(rules.beavers if rules.beavers < 2 else rules.beavers - 1)}"
                yield f"Raccoons: {_yes(rules.beavers > 1)}"
        yield f"Doubling Cube: {_yes(rules.cube_limit != 1)}"
        yield f"Match Length: {self.match.length or 0}"
        yield f"Variant: {_VARIANTS[rules.variant]}"

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> Iterator[str]:
        record = game.game
        if record.start is not None:
            raise FormatError("a GamesGrid log cannot hold a game that begins from a set position")
        comments = deque(zip(places_of_comments(record), record.comments, strict=True))
        # A resignation takes a line of its own. Without it, readers take the game for unfinished.
        loser = other(game.winner) if game.ending == "resigned" and game.winner is not None else None
        told = False
        row = 1
        turns = as_recorded(game)
        for row, turn in in_rows(turns):
            while comments and comments[0][0] <= turn.index:
                yield from _remark(comments.popleft()[1].text)
            if isinstance(turn.entry, Resign) and turn.player == loser:
                if not told:
                    yield _row(row, turn.player, "Resign")
                told = True
                continue
            is_last = turn.player == loser and _gives_up_after(turn, turns)
            for cell in _cells(turn, resigns=is_last):
                yield cell if isinstance(turn.entry, AutomaticDouble) else _row(row, turn.player, cell)
            told = told or (is_last and isinstance(turn.entry, CheckerPlay) and not _play(turn))
        for _, comment in comments:
            yield from _remark(comment.text)
        if loser is not None and not told:
            yield _row(row, loser, "Resign")
        for winner, points in results(game):
            yield f"{self.names[winner].replace(' ', '_')}  wins {points_word(points)}."


def _gives_up_after(turn: Turn, turns: Sequence[Turn]) -> bool:
    """Whether only resignations follow a turn, or nothing."""
    return all(isinstance(each.entry, Resign) for each in turns[turn.index + 1 :])


def _yes(value: int | bool | None) -> str:
    """``Yes`` for 1, ``No`` for 0 and None, and any higher number as it is."""
    return str(value) if value is not None and value > 1 else "Yes" if value else "No"


def _row(number: int, player: int, cell: str) -> str:
    return f"{number}\t{chr(9) * player}{cell}"


def _play(turn: Turn) -> str:
    entry = turn.entry
    return _SPELLING.play(turn) if isinstance(entry, CheckerPlay) else ""


def _cells(turn: Turn, *, resigns: bool) -> Iterator[str]:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            play = _play(turn)
            if not play and resigns:
                yield f"{one}{two}: Resign"
                return
            if play != _SPELLING.dance:
                yield f"{one}{two}: "
            if play:
                yield f"{one}{two}: {play}"
        case Double(value=value):
            yield f"Double to {value}" if value is not None else "Double"
        case Beaver(value=value, raccoon=raccoon):
            word = "Raccoon" if raccoon else "Beaver"
            yield f"{word} to {value}" if value is not None else word
        case Take():
            yield "Accept"
        case Drop():
            yield "Pass"
        case Resign():
            yield "Resign"
        case AutomaticDouble():
            yield "11: Automatic double"
        case SetBoard():
            raise FormatError("a GamesGrid log cannot hold a position that is set in the middle of a game")


def _remark(text: str) -> Iterator[str]:
    # A line that begins with a blank is neither a row, a result nor a heading.
    for line in text.splitlines():
        if line.strip():
            yield " " + " ".join(line.split())


# --- the format -----------------------------------------------------------------------------

_SGG_SIGNS = (
    Sign(re.compile(r"^[^\n]*\S\s+vs\.\s+\S", re.MULTILINE), "vs."),
    Sign(re.compile(r"^Game +\d+\. *\d+\*?-\d+", re.MULTILINE | re.IGNORECASE), "game "),
    Sign(re.compile(r"^\d+\t\t?(\d\d:| -|double|resign)", re.MULTILINE | re.IGNORECASE), "\t"),
)


def _sniff(content: Content) -> float:
    """GamesGrid: "Ann vs. Bob", "Game 1. 0-0/5", a number, a tab and a roll."""
    return content.share(_SGG_SIGNS)


SGG: Final = Format(
    name="sgg",
    title="GamesGrid log",
    extensions=(".sgg",),
    sniff=_sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"start", "holland", "quadruple", "winner_starts", "cube_limit"}),
)

FORMATS: Final = (SGG,)
