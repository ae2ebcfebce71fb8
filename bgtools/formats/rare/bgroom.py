"""Reading the records of BackGammonRoom. The grammar is ``grammars/bgroom.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import Player, other
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, cube_action, lines_of
from bgtools.record.builder import GameBuilder, MatchBuilder
from bgtools.record.record import NOWHERE, Match
from bgtools.source import Span

if TYPE_CHECKING:
    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
    from bgtools.source import Source


class _BgroomHeading(NamedTuple):
    number: int
    names: tuple[str, str]
    """The names of X and of 0."""


class _BgroomAction(NamedTuple):
    row: int
    is_x: bool
    word: str = ""
    dice: Dice | None = None
    text: PlayText | None = None


class _BgroomBuilder(PlayBuilder):
    def game_line(
        self, _word: Token, number: Token, one: Token, side: Token, two: Token, _side: Token
    ) -> _BgroomHeading:
        names = (str(one), str(two))
        return _BgroomHeading(int(number), names if side == "(X)" else (names[1], names[0]))

    def action(self, number: Token, player: Token, action: _BgroomAction) -> _BgroomAction:
        return action._replace(row=int(number), is_x=player == "X:")

    def roll(self, dice: Dice | None, text: PlayText | None) -> _BgroomAction:
        return _BgroomAction(0, False, "", dice, text)

    def cube(self, word: Token) -> _BgroomAction:
        return _BgroomAction(0, False, str(word))


PARSER = LineParser("bgroom", ("game_line", "action"), _BgroomBuilder)

_KNOWN = re.compile(r"BGF version\b.*|\w+ game|\S.*\bwins? +(?:the +)?(?:match|game)\b.*", re.IGNORECASE)
"""The version, the kind of game, who has won."""
_GAME = re.compile(r"game +\d+ *-", re.IGNORECASE)
_ACTION = re.compile(r"\d{1,9} *\. *([X0O]):")
_ROLL = re.compile(r"\d{1,9} *\. *[X0O]: *\( *(\d) *(\d) *\) *")


def read(content: Content) -> tuple[Match, ...]:
    """Read the session in a record of BackGammonRoom.

    Raises:
        FormatError: no game begins in it.
    """
    return (_BgroomReader(content.source).match(),)


class _BgroomReader:
    """Reads a session. Its length is 0."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.to = MatchBuilder(source=source, length=0)
        self.x: Player = 0
        self.is_open = False

    def match(self) -> Match:
        following = 0
        for line in lines_of(self.source):
            self._blank_before(line.number, following)
            self._line(line)
            following = line.number + 1
        self._blank_before(len(self.source.lines), following)
        if not self.to.games:
            raise FormatError('this is not a record of BackGammonRoom: no line is like "Game 1 - Ann (X) vs. Bob (0)"')
        return self.to.build()

    def _blank_before(self, number: int, following: int) -> None:
        """End the game if blank lines stand before a line; ``following`` is the number after the last line read."""
        if number > following and self.is_open and self.to.games[-1].entries:
            start = self.source.lines[following].start
            self._end(Span(start, start))

    def _line(self, line: Line) -> None:
        if _GAME.match(line.text) and not isinstance(found := PARSER.parse(line.text, "game_line"), Stop):
            self._heading(found, line)
        elif self.is_open and (action := _ACTION.match(line.text)):
            self._action(line, action[1] == "X", self.to.games[-1])
        elif _KNOWN.fullmatch(line.text):
            self.to.mark(line.span)
        elif self.to.games:
            self.to.games[-1].comment(line.text, line.span)
        else:
            self.to.comment(line.text, line.span)

    def _heading(self, heading: _BgroomHeading, line: Line) -> None:
        if self.is_open:
            self._end(Span(line.span.start, line.span.start))
        if not self.to.games:
            self.to.players = heading.names
        self.x = 0 if heading.names[0] == self.to.players[0] else 1
        self.to.game(heading.number, None, line.span).score_span = NOWHERE
        self.is_open = True

    def _action(self, line: Line, is_x: bool, game: GameBuilder) -> None:
        player = self.x if is_x else other(self.x)
        found, line = PARSER.parse_entry(line, "action", game)
        if isinstance(found, Stop):
            if roll := _ROLL.match(line.text):
                dice = (int(roll[1]), int(roll[2]))
                self._taken(game, line)
                game.unreadable_play(player, line.text, found.at, line.span, dice=dice, behind=roll.end())
            else:
                game.unreadable(line.text, line.span, "roll or cube action")
        elif found.word:
            cube_action(found.word, player, line.span, game, found.row)
        else:
            self._taken(game, line)
            game.play(player, found.text, line.span, dice=found.dice, row=found.row)

    def _taken(self, game: GameBuilder, line: Line) -> None:
        """Add the take that a roll behind a double shows."""
        if (offered := game.offered()) is not None:
            at = line.span.start
            game.take(other(offered.player), Span(at, at))

    def _end(self, span: Span) -> None:
        game = self.to.games[-1]
        if (offered := game.offered()) is not None:
            game.drop(other(offered.player), span)
        self.is_open = False


# --- the format -----------------------------------------------------------------------------

_BGROOM = Sign(re.compile(r"^game +\d+ - \S+ \([X0O]\) vs\. \S+ \([X0O]\)", re.MULTILINE | re.IGNORECASE), ") vs. ")


def _sniff(content: Content) -> float:
    """BackGammonRoom: a heading that says who is X and who is 0."""
    return float(content.shows(_BGROOM))


BGROOM: Final = Format(
    name="bgroom",
    title="BackGammonRoom record",
    extensions=(".bgf", ".txt"),
    sniff=_sniff,
    reader=read,
    leaves_out=EVERYTHING,
)

FORMATS: Final = (BGROOM,)
