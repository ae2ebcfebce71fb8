"""Reading the match logs of the server GamesGrid, ``.sgg``. The grammar is ``grammars/sgg.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lark import Token, v_args

from bgtools.formats.content import FormatError
from bgtools.formats.servers.words import MONTHS, NOT_KNOWN
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
from bgtools.formats.shared.spelling import NO_NAME, name_of
from bgtools.formats.shared.tags import number_of
from bgtools.record.record import AutomaticDouble, Beaver, Comment, Double, Match, ResultClaim
from bgtools.rules.options import VARIANTS, Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
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


@v_args(inline=True)
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


class _SggReader(MatchDraft):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.has_names = False
        self.options: dict[str, str] = {}
        self.last_row = ""

    def match(self) -> Match:
        for line in lines_of(self.source):
            if not self.games:
                self._header(line)
            elif _GAME.match(line.text) and not self._is_remark(line):
                self._heading(line)
            else:
                self._line(line, self.games[-1])
        if not self.has_names and not self.games:
            raise FormatError('this is not a log of GamesGrid: no line names the players ("Ann vs. Bob")')
        self.finish_pending()
        return self.finish(self._rules())

    # --- the header -------------------------------------------------------------------------

    def _header(self, line: Line) -> None:
        text = line.text
        if _GAME.match(text):
            self._heading(line)
            return
        self.marks.append(line.span)
        if not self.has_names and _NAMES.search(text):
            found = PARSER.parse(text, "names_line")
            if not isinstance(found, Stop):
                self.players, self.has_names = found, True
                return
        if day := _DATE.match(text):
            found = PARSER.parse(text, "date_line")
            value = text[day.end() :].strip() if isinstance(found, Stop) else found
            self.tag("EventDate", value, line)
        elif _ELO.match(text) and not isinstance(found := PARSER.parse(text, "elo_line"), Stop):
            for number, value in enumerate(found, 1):
                if value:
                    self.tag(f"Player {number} Elo", value, line)
        elif (
            (at := _OPTION.match(text))
            and at[1].casefold() in OPTIONS
            and not isinstance(found := PARSER.parse(text, "option_line"), Stop)
        ):
            key, value = found
            self.options[key] = value
            if key == "match length" and value.isdecimal():
                self.length, self.length_span = self.number(value, line), line.span
        else:
            self.tags = [tag for tag in self.tags if tag.key != "Site"]
            self.tag("Site", text, line)

    def _rules(self) -> Ruleset:
        money = not self.length
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
        self.finish_pending()
        found = PARSER.parse(line.text, "game_line")
        draft = GameDraft(heading=line.span)
        self.last_row = ""
        if isinstance(found, Stop):
            self.unreadable(line, "heading of a game")
        else:
            draft.number, draft.score, draft.score_span = found.number, found.score, line.span
            if found.length or self.length is None:
                self.length, self.length_span = found.length, line.span
        self.games.append(draft)

    def _line(self, line: Line, game: GameDraft) -> None:
        text = line.text
        if row := _ROW.match(text):
            self._row(line, row, game)
        elif not self._is_remark(line) and _AUTOMATIC.match(text):
            found = PARSER.parse(text, "automatic_line")
            if isinstance(found, Stop):
                self.unreadable(line, "line of a GamesGrid log", game)
            else:
                game.entries.append(AutomaticDouble(player=0, span=line.span))
        elif (
            not self._is_remark(line)
            and _WINS.match(text)
            and not isinstance(found := PARSER.parse(text, "wins_line"), Stop)
        ):
            self.finish_pending()
            self._result(found, line, game)
        else:
            game.comments.append(Comment(text=text, span=line.span, at=len(game.entries) + (self.pending is not None)))

    def _is_remark(self, line: Line) -> bool:
        """Whether a line begins with a blank; only remarks do."""
        return line.span.start > 0 and self.source.text[line.span.start - 1] in " \t"

    def _result(self, result: _SggResult, line: Line, game: GameDraft) -> None:
        names = [_plain(name) for name in self.players]
        if _plain(result.name) not in names:
            self.unreadable(line, "result of one of the players", game)
            return
        winner: Player = 0 if names[0] == _plain(result.name) else 1
        game.results.append(ResultClaim(player=winner, points=result.points, span=line.span))

    def _row(self, line: Line, row: re.Match[str], game: GameDraft) -> None:
        number, player = int(row[1]), _side(row)
        cell = line.behind(row.end())
        game.marks.append(Span(line.span.start, cell.span.start))
        found = PARSER.parse(cell.text, "cell")
        twice = line.text == self.last_row
        self.last_row = line.text
        if isinstance(found, Stop):
            self._trouble(cell, found.at, game, player, number)
            return
        pending = self.pending
        if found.kind == "roll" and found.text is None:
            if pending is not None and (pending.player, pending.dice) == (player, found.dice):
                game.marks.append(line.span)  # the same roll again
                return
            self.finish_pending()
            self.pending = Roll(player, found.dice, cell, number)
            return
        if twice and found.kind != "resign":
            game.marks.append(line.span)
            return
        if pending is not None and found.kind in ("roll", "resigned") and pending.player == player:
            self.rolled()
        self.finish_pending()
        self._cell(found, cell, game, player, number)

    def _cell(self, found: _Cell, cell: Line, game: GameDraft, player: Player, row: int) -> None:
        match found.kind:
            case "roll":
                game.play(player, found.dice, found.text, cell, row)
            case "closed out":
                game.marks.append(cell.span)
            case "resigned":
                game.play(player, found.dice, None, cell, row)
                game.resign(player, cell, row)
            case "resign":
                game.resign(player, cell, row)
            case "double":
                game.entries.append(Double(player=player, value=found.value, span=cell.span, row=row))
            case "beaver" | "raccoon":
                game.entries.append(
                    Beaver(
                        player=player, value=found.value, raccoon=found.kind == "raccoon", span=cell.span, row=row
                    )
                )  # fmt: skip
            case "take":
                game.take(player, cell, row)
            case _:
                game.drop(player, cell, row)

    def _trouble(self, cell: Line, at: int, game: GameDraft, player: Player, row: int) -> None:
        roll = _ROLL.match(cell.text)
        if not roll:
            self.unreadable(cell, "roll, play or cube action", game)
            return
        dice = (int(roll[1]), int(roll[2]))
        if self.pending is not None and (self.pending.player, self.pending.dice) == (player, dice):
            self.rolled()
        self.finish_pending()
        self.unreadable_play(cell, at, game, player, dice, behind=roll.end(), row=row)


def _side(row: re.Match[str]) -> Player:
    return 1 if row[2] else 0


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold() or NO_NAME


__all__ = ["PARSER", "read"]
