"""Reading the records of PartyGammon, ``.gam``. The grammar is ``grammars/party.lark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, cube_action, lines_of
from bgtools.record.builder import GameBuilder, MatchBuilder
from bgtools.source import Span

if TYPE_CHECKING:
    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
    from bgtools.record.record import Match
    from bgtools.source import Source


class _PartyAction(NamedTuple):
    player: Player
    word: str = ""
    dice: Dice | None = None
    text: PlayText | None = None


class _PartyBuilder(PlayBuilder):
    def key_line(self, key: Token, value: Token | None) -> tuple[str, str]:
        return key.upper(), (value or "").strip()

    def action(self, side: Token, action: _PartyAction) -> _PartyAction:
        return action._replace(player=0 if side == "1" else 1)

    def roll(self, _one: Token, _two: Token, dice: Token, text: PlayText | None) -> _PartyAction:
        return _PartyAction(0, "", self.dice(dice), text)

    def cube(self, word: Token) -> _PartyAction:
        return _PartyAction(0, str(word))


PARSER = LineParser("party", ("key_line", "action"), _PartyBuilder)

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_]*) *= *")
_GAME = re.compile(r"GAME_(\d{1,9})_(.+)")
_ROLL = re.compile(r"([12]) +\d+ +\d+ +(\d)(\d) *")


def read(content: Content) -> tuple[Match, ...]:
    """Read the match in a record of PartyGammon.

    Raises:
        FormatError: it holds no game.
    """
    return (_PartyReader(content.source).match(),)


class _PartyReader:
    """Reads a match, whose lines may stand in any order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.to = MatchBuilder(source=source)
        self.by_number: dict[int, GameBuilder] = {}
        self.scores: dict[int, dict[int, tuple[int, Line]]] = {}

    def match(self) -> Match:
        for line in lines_of(self.source):
            self._line(line)
        if not self.by_number:
            raise FormatError('this is not a record of PartyGammon: no line begins with "GAME_1_GAMEPLAY="')
        self.to.games = [self.by_number[number] for number in sorted(self.by_number)]
        self._results()
        return self.to.build()

    def _line(self, line: Line) -> None:
        key = _KEY.match(line.text)
        found = PARSER.parse(line.text, "key_line") if key else None
        if key is None or found is None or isinstance(found, Stop):
            self.to.unreadable(line.text, line.span, "key with a value")
            return
        name, value = found
        game = _GAME.fullmatch(name)
        if game and game[2] == "GAMEPLAY":
            self._game(int(game[1]), line.behind(key.end()), line)
            return
        self.to.mark(line.span)
        if game and game[2] in ("PLAYER_1", "PLAYER_2"):
            player: Player = 0 if game[2] == "PLAYER_1" else 1
            self.to.name(player, self.to.players[player] or " ".join(value.split()))
        elif game and game[2] in ("SCORE1", "SCORE2") and value.isdecimal():
            if (score := self.to.number(value, line.span)) is not None:
                self.scores.setdefault(int(game[1]), {})[int(name[-1]) - 1] = (score, line)
        elif name == "MATCHLENGTH" and value.isdecimal():
            self.to.length, self.to.length_span = self.to.number(value, line.span), line.span

    def _game(self, number: int, play: Line, line: Line) -> None:
        draft = GameBuilder(match=self.to, number=number, heading=Span(line.span.start, play.span.start))
        self.by_number[number] = draft
        self.to.mark(line.span)  # also the hashes between the actions
        at = play.span.start
        for part in play.text.split("#"):
            text = part.strip()
            if text:
                start = at + len(part) - len(part.lstrip())
                self._action(Line(text, Span(start, start + len(text))), draft)
            at += len(part) + 1

    def _action(self, action: Line, draft: GameBuilder) -> None:
        found, action = PARSER.parse_entry(action, "action", draft)
        if isinstance(found, Stop):
            roll = _ROLL.match(action.text)
            if roll:
                player: Player = 0 if roll[1] == "1" else 1
                dice = (int(roll[2]), int(roll[3]))
                draft.unreadable_play(player, action.text, found.at, action.span, dice=dice, behind=roll.end())
            else:
                draft.unreadable(action.text, action.span, "roll or cube action")
        elif found.word:
            cube_action(found.word, found.player, action.span, draft)
        else:
            draft.play(found.player, found.text, action.span, dice=found.dice)

    def _results(self) -> None:
        """Set the score and the result of each game, by the points that are stated after each game."""
        before = (0, 0)
        for draft in self.to.games:
            draft.score = before
            stated = self.scores.get(draft.number or 0, {})
            after = tuple(stated[side][0] if side in stated else before[side] for side in (0, 1))
            gains = [after[side] - before[side] for side in (0, 1)]
            if sum(gain > 0 for gain in gains) == 1 and min(gains) == 0:
                winner: Player = 0 if gains[0] else 1
                draft.result(winner, gains[winner], stated[winner][1].span)
            before = (after[0], after[1])


# --- the format -----------------------------------------------------------------------------

_PARTY = Sign(re.compile(r"^game_\d+_gameplay *=", re.MULTILINE | re.IGNORECASE), "_gameplay")


def _sniff(content: Content) -> float:
    """PartyGammon: a key that holds the play of a game."""
    return float(content.shows(_PARTY))


PARTY: Final = Format(
    name="party",
    title="PartyGammon record",
    extensions=(".gam",),
    sniff=_sniff,
    reader=read,
    leaves_out=EVERYTHING,
)

FORMATS: Final = (PARTY,)
