"""Reading the replays of bgammon.org. The grammar is ``grammars/bgammon.lark``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.notation import mirrored_hop
from bgtools.board.perspective import Player, other
from bgtools.formats.content import FormatError
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, lines_of
from bgtools.record.builder import MatchBuilder, several_matches
from bgtools.record.record import Take

if TYPE_CHECKING:
    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
    from bgtools.record.record import Match


class _BgammonEvent(NamedTuple):
    player: Player
    dice: Dice | None = None
    text: PlayText | None = None
    value: int | None = None
    taken: bool = False


class _BgammonBuilder(PlayBuilder):
    def event(self, player: Token, event: _BgammonEvent) -> _BgammonEvent:
        return event._replace(player=0 if player == "1" else 1)

    def roll(self, dice: Dice | None, text: PlayText | None) -> _BgammonEvent:
        return _BgammonEvent(0, dice, text)

    def double(self, value: Token, answer: Token) -> _BgammonEvent:
        return _BgammonEvent(0, value=int(value), taken=answer == "1")

    def given_up(self) -> _BgammonEvent:
        return _BgammonEvent(0)


PARSER = LineParser("bgammon", ("event",), _BgammonBuilder)

_TABLE = re.compile(r"bgammon-replay \d+")
_HEAD = re.compile(
    r"i (?:\d+ )?(?P<one>\S+) (?P<two>\S+) (?P<length>\d{1,9}) (?P<score>\d{1,9} \d{1,9}) "
    r"(?P<winner>[0-2]) (?P<points>\d{1,9}) (?P<kind>\d)"
)
_ROLL = re.compile(r"([12]) r (\d)-(\d)(?!-) *")
_KINDS = {"1": "acey-deucey", "2": "tabula"}


def read(content: Content) -> tuple[Match, ...]:
    """Read the matches of a replay. A new one begins with other players or another length, or with a new score of 0-0.

    Raises:
        FormatError: no game begins in it, or the game is not backgammon.
    """
    drafts: list[MatchBuilder] = []
    source = content.source
    table, remarks = [], []
    for line in lines_of(source):
        if _TABLE.fullmatch(line.text):
            table.append(line.span)
        elif head := _HEAD.fullmatch(line.text):
            _heading(drafts, head, line, content)
        elif drafts:
            _event(drafts[-1], line)
        else:
            remarks.append(line)
    if not drafts:
        raise FormatError('this is not a replay of bgammon.org: no line is like "i Ann Bob 3 0 0 1 1 0"')
    drafts[0].marks += table
    for line in remarks:
        drafts[0].comment(line.text, line.span)
    if len(drafts) > 1:
        drafts[1].findings.append(several_matches(len(drafts), drafts[1].length_span))
    return tuple(draft.build() for draft in drafts)


def _heading(drafts: list[MatchBuilder], head: re.Match[str], line: Line, content: Content) -> None:
    if head["kind"] != "0":
        raise FormatError(f"this is a game of {_KINDS.get(head['kind'], 'another kind')}, which bgtools does not know")
    names, length = (head["one"], head["two"]), int(head["length"])
    first, second = map(int, head["score"].split())
    last = drafts[-1] if drafts else None
    anew = (first, second) == (0, 0) and last is not None and any(game.results for game in last.games)
    if last is None or (last.players, last.length) != (names, length) or anew:
        drafts.append(MatchBuilder(source=content.source, players=names, length=length, length_span=line.span))
    draft = drafts[-1]
    game = draft.game(len(draft.games) + 1, (first, second), line.span)
    if head["winner"] != "0":
        winner: Player = 0 if head["winner"] == "1" else 1
        game.result(winner, int(head["points"]), line.span)


def _event(draft: MatchBuilder, line: Line) -> None:
    game = draft.games[-1]
    found, line = PARSER.parse_entry(line, "event", game)
    if isinstance(found, Stop):
        if roll := _ROLL.match(line.text):
            dice = (int(roll[2]), int(roll[3]))
            player: Player = 0 if roll[1] == "1" else 1
            game.unreadable_play(player, line.text, found.at, line.span, dice=dice, behind=roll.end())
        else:
            game.unreadable(line.text, line.span, "roll or cube action")
    elif found.dice is not None:
        text = found.text
        if text is not None and found.player == 1:
            text = replace(text, hops=tuple(map(mirrored_hop, text.hops)))
        game.play(found.player, text, line.span, dice=found.dice)
    elif found.value is None:
        game.resign(found.player, line.span)
    else:
        game.double(found.player, line.span, found.value)
        if found.taken:
            game.add(Take(player=other(found.player), span=line.span))
        else:
            game.drop(other(found.player), line.span)


# --- the format -----------------------------------------------------------------------------


def _sniff(content: Content) -> float:
    """A replay of bgammon.org, which begins with "bgammon-replay"."""
    return 1.0 if content.data.startswith(b"bgammon-replay ") else 0.0


BGAMMON: Final = Format(
    name="bgammon",
    title="bgammon.org replay",
    extensions=(".match",),
    sniff=_sniff,
    reader=read,
    leaves_out=EVERYTHING,
)

FORMATS: Final = (BGAMMON,)
