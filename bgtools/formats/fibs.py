"""Reading logs of sessions on the server FIBS, and its ``board:`` lines. The grammar is ``grammars/fibs.lark``.

A log holds everything that the server said. Lines about the current match become its entries, chat of its players
becomes remarks, and all other lines count as layout.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.hopping import are_dice
from bgtools.board.notation import in_own_numbering
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, lines_of
from bgtools.positions.fibs import FIBS_NUMBERS, FIBS_UNLIMITED, fibs_places
from bgtools.positions.position import signed_board
from bgtools.record.builder import GameBuilder, MatchBuilder, several_matches
from bgtools.record.record import NOWHERE, Match
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lark import Token

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText
    from bgtools.formats.content import Content
    from bgtools.source import Source


class _FibsEvent(NamedTuple):
    name: str
    kind: str
    dice: Dice | None = None
    hops: tuple[HopText, ...] = ()
    other: str = ""
    points: int | None = None


def _points(tokens: tuple[Token | None, ...]) -> int | None:
    return next((int(token) for token in tokens if token is not None and token.type == "NUMBER"), None)


class _FibsBuilder(PlayBuilder):
    def event(self, name: Token, event: _FibsEvent) -> _FibsEvent:
        return event._replace(name=str(name))

    def opening(self, _word: Token, one: Token, second: Token, _word2: Token, two: Token) -> _FibsEvent:
        return _FibsEvent("", "opening", (int(one), int(two)), other=str(second))

    def first(self, _word: Token) -> _FibsEvent:
        return _FibsEvent("", "first")

    def roll(self, _word: Token, one: Token, two: Token) -> _FibsEvent:
        return _FibsEvent("", "roll", (int(one), int(two)))

    def moves(self, _word: Token, *groups: HopText) -> _FibsEvent:
        return _FibsEvent("", "moves", hops=groups)

    def cannot(self, _word: Token) -> _FibsEvent:
        return _FibsEvent("", "cannot")

    def double(self, *_words: Token) -> _FibsEvent:
        return _FibsEvent("", "double")

    beaver = raccoon = double

    def take(self, *_words: Token) -> _FibsEvent:
        return _FibsEvent("", "take")

    def drop(self, _word: Token, *rest: Token | None) -> _FibsEvent:
        return _FibsEvent("", "drop", points=_points(rest))

    def resign(self, *_words: Token | None) -> _FibsEvent:
        return _FibsEvent("", "resign")

    def accept(self, *words: Token) -> _FibsEvent:
        return _FibsEvent("", "accept", points=_points(words))

    def reject(self, *_words: Token) -> _FibsEvent:
        return _FibsEvent("", "reject")

    def wins_game(self, *words: Token | None) -> _FibsEvent:
        return _FibsEvent("", "wins game", points=_points(words))

    def wins_match(self, *_words: Token | None) -> _FibsEvent:
        return _FibsEvent("", "wins match")

    def board(self, one: Token, two: Token, *numbers: Token) -> BoardLine | None:
        return board_line((str(one), str(two)), [int(number) for number in numbers])


PARSER = LineParser("fibs", ("event", "board"), _FibsBuilder)

BOARD = re.compile(r"board:[^:\s]+:[^:\s]+(?::-?\d{1,9}){20,}")
_EVENT = re.compile(
    r"[A-Za-z0-9_<>]+ (?:rolled|rolls?|makes? the|moves?|can't|doubles?\.|beavers?|rac?coons?|accepts?|rejects?\.|"
    r"gives? up|wants? to resign|wins? the)(?!\w)",
)
# Chat: "12 Ann hello", as the client protocol CLIP writes it, or in words, as in "Ann kibitzes: hello".
_CHAT = re.compile(r"(?:1[245]|1[679]) (\S+) (\S.*)|([A-Za-z0-9_<>]+) (?:kibitzes|says|whispers): (.*)")
_WELCOME = re.compile(r"1 ([A-Za-z0-9_<>]+) \d+ \S+$")
_START = re.compile(r"(\S+) and (\S+) start an? (?:(\d+) point|unlimited) match\.")
_NEW_GAME = re.compile(r"Starting a new game with (\S+)\.")


def read(content: Content) -> tuple[Match, ...]:
    """Read every match in a log. In a log without rolls and plays, every ``board:`` line is a position.

    Raises:
        FormatError: no line of it belongs to a game of backgammon.
    """
    return _FibsReader(content.source).matches()


class _FibsReader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.drafts: list[MatchBuilder] = []
        self.marks: list[Span] = []
        self.me = "You"
        self.opening: tuple[str, str, Dice, Line] | None = None
        self.resigning: tuple[Player, Line] | None = None
        self.fresh = True  # whether the next board or roll begins a game
        self.followed = False  # whether the board of the game is known
        self.after_crawford: set[int] = set()  # matches, by number, that began before the log and after that game
        self.only_boards = not any(_EVENT.match(line.text) for line in lines_of(source))

    @property
    def draft(self) -> MatchBuilder | None:
        return self.drafts[-1] if self.drafts else None

    @property
    def game(self) -> GameBuilder | None:
        return self.drafts[-1].games[-1] if self.drafts and self.drafts[-1].games and not self.fresh else None

    def _begin_match(
        self, players: tuple[str, str] = ("", ""), length: int | None = None, span: Span = NOWHERE
    ) -> None:
        self.drafts.append(MatchBuilder(source=self.source, players=players, length=length, length_span=span))

    def matches(self) -> tuple[Match, ...]:
        for line in lines_of(self.source):
            self._line(line)
        self._add_waiting()
        found = [(number, draft) for number, draft in enumerate(self.drafts) if draft.games]
        if not found:
            raise FormatError("this is not a log of FIBS: it has no board and nobody rolls")
        for number, draft in found:
            draft.players = (self._name(draft.players[0]), self._name(draft.players[1]))
            draft.marks = self.marks
            draft.rules = Ruleset(crawford=False) if draft.length and number in self.after_crawford else None
        if len(found) > 1:
            draft = found[1][1]
            draft.findings.append(several_matches(len(found), draft.games[0].heading))
        return tuple(draft.build() for _, draft in found)

    def _name(self, name: str) -> str:
        return self.me if name == "You" else name

    # --- lines ------------------------------------------------------------------------------

    def _line(self, line: Line) -> None:
        text = line.text
        if board := BOARD.search(text):
            span = Span(line.span.start + board.start(), line.span.start + board.end())
            self._board(Line(board[0], span))
            if board[0] != text:
                self.marks.append(line.span)
        elif _EVENT.match(text) and not isinstance(found := PARSER.parse(text, "event"), Stop):
            self._event(found, line)
        elif chat := _CHAT.match(text):
            self._chat(chat[1] or chat[3], chat[2] or chat[4], line)
        elif start := _START.match(text):
            self._start((start[1], start[2]), start[3] or "0", line)
        elif _NEW_GAME.match(text):
            self._add_waiting()
            self.fresh, self.opening = True, None
            self.marks.append(line.span)
        else:
            if (welcome := _WELCOME.match(text)) and self.me == "You":
                self.me = welcome[1]
            self.marks.append(line.span)

    def _chat(self, name: str, words: str, line: Line) -> None:
        game, draft = self.game, self.draft
        if game is None or draft is None or name not in draft.players:
            self.marks.append(line.span)
        else:
            game.comment(f"{name}: {words}", line.span)

    def _start(self, players: tuple[str, str], length: str, line: Line) -> None:
        """Begin a match where the log says that its own players start one; other players on the server do so too."""
        self.marks.append(line.span)
        draft = self.draft
        if draft is not None and set(draft.players) == set(players):
            self._add_waiting()
            self.fresh = True
            self._begin_match(players, span=line.span)
            self.drafts[-1].length = self.drafts[-1].number(length, line.span)

    # --- boards -----------------------------------------------------------------------------

    def _board(self, line: Line) -> None:
        found = PARSER.parse(line.text, "board")
        if not isinstance(found, BoardLine):
            if self.draft is None:
                self._begin_match()
            (self.game or self.drafts[-1]).unreadable(line.text, line.span, "board of FIBS, which has 50 numbers")
            return
        draft = self._match_of(found, line)
        first: Player = 0 if draft.players[0] == found.names[0] else 1
        if self.fresh:
            self._begin(line)
        game = draft.games[-1]
        if game.score is None:
            game.score, game.score_span = (found.score if first == 0 else found.score[::-1]), line.span
        self._compare(found, first, game, line)

    def _match_of(self, found: BoardLine, line: Line) -> MatchBuilder:
        """The match that a board belongs to; a new one for other players or another length."""
        draft = self.draft
        same = draft is not None and set(draft.players) == set(found.names)
        if draft is None or not same or draft.length not in (None, found.length) or self.only_boards:
            self._add_waiting()
            self._begin_match(found.names, found.length, line.span)
            draft, self.fresh = self.drafts[-1], True
        if draft.length is None:
            draft.length, draft.length_span = found.length, line.span
        if not draft.games and found.after_crawford and found.length - 1 in found.score:
            self.after_crawford.add(len(self.drafts) - 1)
        return draft

    def _compare(self, found: BoardLine, first: Player, game: GameBuilder, line: Line) -> None:
        """Count a board as layout if the plays lead to it; otherwise add an entry that sets it."""
        if found.position is None:
            message = "the checkers of this board cannot stand so"
            self.drafts[-1].report(codes.BAD_SET_POSITION, line.span, message)
            return
        position = found.position if first == 0 else found.position.flipped()
        if found.turn is None or (self.followed and game.state.board(0) == position):
            game.mark(line.span)
            return
        self._add_waiting()
        player: Player = found.turn if first == 0 else other(found.turn)
        owner: Player | None = found.owner if found.owner is None or first == 0 else other(found.owner)
        game.set(player, position, line.span, cube=found.cube, owner=owner)
        self.followed = True
        if found.dice is not None:
            game.roll(player, found.dice, line.span)

    # --- events -----------------------------------------------------------------------------

    def _begin(self, line: Line) -> None:
        """Begin a game of the current match."""
        game = self.drafts[-1].game(len(self.drafts[-1].games) + 1, None, line.span)
        game.score_span, self.fresh = NOWHERE, False
        self.followed = not self.only_boards and self.opening is not None

    def _event(self, event: _FibsEvent, line: Line) -> None:
        if event.kind == "opening":
            self._opening(event, line)
            return
        draft = self.draft
        names = draft.players if draft is not None else ("", "")
        name = "You" if event.name == self.me and "You" in names else event.name
        if event.kind == "first" and self.opening is not None:
            self._first(name, line)
            return
        game = self.game
        if game is None or draft is None or name not in draft.players:
            self.marks.append(line.span)
            return
        self._turn(event, 0 if name == names[0] else 1, game, line)

    def _opening(self, event: _FibsEvent, line: Line) -> None:
        assert event.dice is not None
        self._add_waiting()
        self.marks.append(line.span)
        self.opening = (event.name, event.other, event.dice, line)
        draft, players = self.draft, {event.name, event.other}
        if draft is None or set(draft.players) != players:
            self._begin_match((event.name, event.other))
        self.fresh = True

    def _first(self, name: str, line: Line) -> None:
        assert self.opening is not None
        one, _, dice, rolled = self.opening
        self._begin(rolled)
        self.opening = None
        self.marks.append(line.span)
        draft = self.drafts[-1]
        if name in draft.players and are_dice(dice):
            player: Player = 0 if name == draft.players[0] else 1
            # Each player rolled one die; the first play uses both.
            draft.games[-1].roll(player, dice if name == one else dice[::-1], rolled.span)

    def _turn(self, event: _FibsEvent, player: Player, game: GameBuilder, line: Line) -> None:
        if event.kind not in ("accept", "reject", "wins game", "wins match"):
            self._go_on(game)
        match event.kind:
            case "roll":
                self._add_waiting()
                game.roll(player, event.dice, line.span)
            case "moves":
                game.play(player, PlayText("moves", in_own_numbering(event.hops)), line.span)
            case "cannot":
                game.play(player, PlayText("dance"), line.span)
            case "double":
                self._add_waiting()
                game.double(player, line.span)
            case "take":
                game.take(player, line.span)
            case "drop":
                self._add_waiting()
                game.drop(player, line.span)
                self._result(other(player), event.points, game, line)
            case "resign":
                # The answer shows whether the game ends here; if not, the roll before it is still played.
                self.resigning = (player, line)
            case "accept" | "wins game":
                self._add_waiting()
                self._result(player, event.points, game, line)
            case "reject":
                game.mark(line.span)
                self._go_on(game)
            case _:
                game.mark(line.span)
                game.results = [replace(claim, match=True) for claim in game.results]

    def _go_on(self, game: GameBuilder) -> None:
        """Leave out a resignation that nobody has accepted."""
        if self.resigning is not None:
            game.mark(self.resigning[1].span)
            self.resigning = None

    def _result(self, player: Player, points: int | None, game: GameBuilder, line: Line) -> None:
        if game.results or points is None:
            game.mark(line.span)
        else:
            game.result(player, points, line.span)

    def _add_waiting(self) -> None:
        """Add a pending roll, whose play is missing or was never made, and a pending resignation to the game."""
        if self.drafts and self.drafts[-1].games:
            game = self.drafts[-1].games[-1]
            game.add_waiting()
            if self.resigning is not None:
                game.resign(self.resigning[0], self.resigning[1].span)
        self.resigning = None


# --- boards ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The content of a ``board:`` line. The line shows the board to one player, the viewer, who always comes first.

    Attributes:
        names: the viewer and their opponent.
        length: the length of the match; 0 for unlimited play.
        score: the points of both.
        position: the board seen by the viewer; None where the checkers cannot stand so.
        turn: 0 when the viewer is on roll, 1 when their opponent is; None when nobody is.
        dice: the roll of the player on roll; None before they roll.
        cube, owner: the cube's value, and its owner, 0 or 1; None while it is centred.
        doubled: whether a double waits for an answer.
        after_crawford: whether the Crawford game is over.
    """

    names: tuple[str, str]
    length: int
    score: tuple[int, int]
    position: Board | None
    turn: Player | None
    dice: Dice | None
    cube: int
    owner: Player | None
    doubled: bool
    after_crawford: bool


def board_line(names: tuple[str, str], numbers: Sequence[int]) -> BoardLine | None:
    """Read the numbers of a line; None where some are missing."""
    if len(numbers) < len(FIBS_NUMBERS):
        return None
    told = dict(zip(FIBS_NUMBERS, numbers, strict=False))
    turn: Player | None = None if not told["turn"] else 0 if told["turn"] == (1 if told["colour"] > 0 else -1) else 1
    whose = "his" if turn == 1 else "your"
    dice = (told[f"{whose}_die1"], told[f"{whose}_die2"])
    owner: Player | None = None
    if told["cube"] > 1 and told["you_may_double"] != told["he_may_double"]:
        owner = 0 if told["you_may_double"] else 1
    length = max(told["length"], 0)
    return BoardLine(
        names=names,
        length=0 if length >= FIBS_UNLIMITED else length,
        score=(max(told["your_score"], 0), max(told["his_score"], 0)),
        position=signed_board(fibs_places(told)),
        turn=turn,
        dice=dice if turn is not None and are_dice(dice) else None,
        cube=max(told["cube"], 1),
        owner=owner,
        doubled=bool(told["was_doubled"]),
        after_crawford=bool(told["did_crawford"]),
    )


# --- the format -----------------------------------------------------------------------------

_FIBS = Sign(re.compile(r"\bboard:[^:\s]+:[^:\s]+(?::-?\d{1,9}){50}"), "board:")


def _sniff(content: Content) -> float:
    """A session on FIBS: a line with two names and 50 numbers."""
    return float(content.shows(_FIBS))


FIBS: Final = Format(
    name="fibs",
    title="FIBS session",
    extensions=(".txt", ".log"),
    sniff=_sniff,
    reader=read,
    leaves_out=EVERYTHING,
)

FORMATS: Final = (FIBS,)
