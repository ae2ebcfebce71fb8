"""The output of the command ``oldmoves`` of the server FIBS. The grammar is ``grammars/oldmoves.lark``.

Player 0 is X in every game that is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.notation import ascends, mirrored_hop
from bgtools.board.perspective import Player, other
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, lines_of
from bgtools.formats.shared.spelling import (
    NO_NAME,
    Spelling,
    as_recorded,
    name_of,
    points_word,
    stated_results,
    winner_of,
)
from bgtools.record.builder import GameBuilder, MatchBuilder, several_matches
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.replayer.match import replay
from bgtools.rules.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

    from bgtools.board.board import Dice
    from bgtools.board.play import PlayText
    from bgtools.formats.content import Content
    from bgtools.record.record import Entry
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Source


class _Score(NamedTuple):
    points: tuple[int, int]
    length: int


class _OldmovesTurn(NamedTuple):
    side: str
    kind: str
    dice: Dice | None = None
    text: PlayText | None = None
    points: int | None = None


class _OldmovesBuilder(PlayBuilder):
    def score_line(self, one: Token, two: Token, *rest: Token | None) -> _Score:
        length = next((int(token) for token in rest if token is not None and token.type == "NUMBER"), 0)
        return _Score((int(one), int(two)), length)

    def names_line(self, first: Token, side: Token, second: Token, _other: Token) -> tuple[str, str]:
        """The names of X and of O."""
        one, two = name_of(first), name_of(second)
        return (one, two) if side.endswith("X") else (two, one)

    def turn_line(self, player: Token, turn: _OldmovesTurn) -> _OldmovesTurn:
        return turn._replace(side=player[0])

    def roll(self, dice: Dice | None, text: PlayText | None) -> _OldmovesTurn:
        return _OldmovesTurn("", "roll", dice, text)

    def double(self, _word: Token) -> _OldmovesTurn:
        return _OldmovesTurn("", "double")

    def take(self, _word: Token) -> _OldmovesTurn:
        return _OldmovesTurn("", "take")

    def drop(self, _word: Token) -> _OldmovesTurn:
        return _OldmovesTurn("", "drop")

    def resign(self, *_words: Token) -> _OldmovesTurn:
        return _OldmovesTurn("", "resign")

    def wins(self, _word: Token, points: Token | None, *_rest: Token) -> _OldmovesTurn:
        return _OldmovesTurn("", "wins", points=None if points is None else int(points))


PARSER = LineParser("oldmoves", ("score_line", "names_line", "turn_line"), _OldmovesBuilder)

_SCORE = re.compile(r"score is\b", re.IGNORECASE)
_NAMES = re.compile(r"\s+is +[XO]\b.*-.*\bis +[XO]\b")
_TURN = re.compile(r"[XO]:")
_ROLL = re.compile(r"[XO]:\s*\(\s*(\d)\s*(\d)\s*\)")


@dataclass(slots=True)
class _OldmovesHead:
    """What the head of a game states: the length of the match, the points of X and of O, and their names."""

    length: int
    points: tuple[int, int]
    names: tuple[str, str] | None = None


@dataclass(slots=True)
class _OldmovesMatch(MatchBuilder):
    """Games of the same players to the same length, with the head of each."""

    heads: list[_OldmovesHead] = field(default_factory=list)


def read(content: Content) -> tuple[Match, ...]:
    """Read every match in the output of ``oldmoves``. Other players or another length begin a new match.

    Raises:
        FormatError: no line states a score as FIBS does.
    """
    return _OldmovesReader(content.source).matches()


class _OldmovesReader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.drafts = [_OldmovesMatch(source=source)]

    @property
    def game(self) -> GameBuilder | None:
        return self.drafts[-1].games[-1] if self.drafts[-1].games else None

    def matches(self) -> tuple[Match, ...]:
        for line in lines_of(self.source):
            self._line(line)
        if not any(draft.games for draft in self.drafts):
            raise FormatError('this is not an output of oldmoves: no line begins with "Score is"')
        x_ascends, o_ascends = self._direction("X", upwards=True), self._direction("O", upwards=False)
        if len(self.drafts) > 1:
            note = several_matches(len(self.drafts), self.drafts[1].games[0].score_span)
            self.drafts[1].findings.append(note)
        return tuple(_finish(draft, (x_ascends, o_ascends)) for draft in self.drafts)

    # --- lines ------------------------------------------------------------------------------

    def _line(self, line: Line) -> None:
        text = line.text
        if _TURN.match(text) and self.game is not None:
            self._turn(line, self.game)
        elif at := _SCORE.search(text):
            found = PARSER.parse(text[at.start() :], "score_line")
            if isinstance(found, Stop):
                self._strange(line)
            else:
                self._score(found, line)
        elif _NAMES.search(text) and self.game is not None and self.drafts[-1].heads[-1].names is None:
            found = PARSER.parse(text, "names_line")
            if isinstance(found, Stop):
                self._strange(line)
            else:
                self._names(found, line)
        else:
            self._strange(line)

    def _strange(self, line: Line) -> None:
        (self.game or self.drafts[-1]).unreadable(line.text, line.span, "line of oldmoves")

    def _score(self, score: _Score, line: Line) -> None:
        draft = self.drafts[-1]
        if draft.games and draft.heads[0].length != score.length:
            draft = _OldmovesMatch(source=self.source)
            self.drafts.append(draft)
        draft.game(None, None, line.span)
        draft.heads.append(_OldmovesHead(score.length, score.points))

    def _names(self, names: tuple[str, str], line: Line) -> None:
        draft = self.drafts[-1]
        game, head = draft.games[-1], draft.heads[-1]
        head.names = names
        game.mark(line.span)
        first = draft.heads[0].names
        if first is not None and sorted(first) != sorted(names):
            game.match = _OldmovesMatch(source=self.source, games=[draft.games.pop()], heads=[draft.heads.pop()])
            self.drafts.append(game.match)

    def _turn(self, line: Line, game: GameBuilder) -> None:
        side: Player = 0 if line.text[0] == "X" else 1
        found, line = PARSER.parse_entry(line, "turn_line", game)
        match found:
            case Stop(at):
                if roll := _ROLL.match(line.text):
                    dice = (int(roll[1]), int(roll[2]))
                    game.unreadable_play(side, line.text, at, line.span, dice=dice, behind=roll.end())
                else:
                    self._strange(line)
            case _OldmovesTurn(kind="roll", dice=dice, text=text):
                game.play(side, text, line.span, dice=dice)
            case _OldmovesTurn(kind="double"):
                game.double(side, line.span)
            case _OldmovesTurn(kind="take"):
                game.take(side, line.span)
            case _OldmovesTurn(kind="drop"):
                if game.entries and isinstance(game.entries[-1], Resign):
                    # The resignation is rejected, so the game goes on without it.
                    game.mark(game.entries.pop().span)
                    game.mark(line.span)
                else:
                    game.drop(side, line.span)
            case _OldmovesTurn(kind="resign"):
                game.resign(side, line.span)
            case _OldmovesTurn(kind="wins", points=points):
                game.result(side, points, line.span)

    # --- matches ----------------------------------------------------------------------------

    def _direction(self, side: str, *, upwards: bool) -> bool:
        """Whether a side's plays go to higher points: as ``upwards`` says, unless most of its hops contradict that."""
        player = 0 if side == "X" else 1
        up = down = 0
        for draft in self.drafts:
            for game in draft.games:
                for entry in game.entries:
                    if entry.player == player and isinstance(entry, CheckerPlay):
                        for hop in entry.text.hops:
                            up += ascends(hop)
                            down += not ascends(hop)
        return up >= down if upwards else up > down


def _finish(draft: _OldmovesMatch, upwards: tuple[bool, bool]) -> Match:
    draft.players = next((head.names for head in draft.heads if head.names), ("", ""))
    for number, (game, head) in enumerate(zip(draft.games, draft.heads, strict=True), 1):
        game.number = number  # the server writes no numbers
        game.entries = [_in_own_numbering(entry) if upwards[entry.player] else entry for entry in game.entries]
        if _has_changed_sides(head, draft):
            game.entries = [replace(entry, player=other(entry.player)) for entry in game.entries]
            game.results = [replace(claim, player=other(claim.player)) for claim in game.results]
    _set_scores(draft)
    if draft.games:
        draft.length, draft.length_span = draft.heads[0].length, draft.games[0].heading
    return draft.build()


def _has_changed_sides(head: _OldmovesHead, draft: _OldmovesMatch) -> bool:
    """Whether X is the player who was O in the first game."""
    return head.names is not None and head.names != draft.players


def _set_scores(draft: _OldmovesMatch) -> None:
    """Set the score before each game, by player. When the players change sides, FIBS may leave the points in place."""
    expected: tuple[int, int] | None = None
    have_changed = False
    for game, head in zip(draft.games, draft.heads, strict=True):
        has_changed = _has_changed_sides(head, draft)
        have_changed = have_changed or has_changed
        game.score = head.points[::-1] if has_changed else head.points
        if have_changed and expected is not None and game.score[::-1] == expected:
            game.score = expected
        expected = game.score
        for claim in game.results:
            if claim.points is not None:
                one, two = expected
                expected = (one + claim.points, two) if claim.player == 0 else (one, two + claim.points)


def _in_own_numbering(entry: Entry) -> Entry:
    if not isinstance(entry, CheckerPlay):
        return entry
    return replace(entry, text=replace(entry.text, hops=tuple(map(mirrored_hop, entry.text.hops))))


# --- writing --------------------------------------------------------------------------------

_SPELLING = Spelling(joint="-", dance="can't move")
_SIDES = "XO"


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds some matches."""
    lines = [line for match in matches for line in _match(match)]
    return "\n".join([*lines, ""]).encode()


def _match(match: Match) -> Iterator[str]:
    one, two = (" ".join(name.split()) or NO_NAME for name in match.players)
    for game in replay(match):
        if game.game.start is not None:
            raise FormatError("oldmoves cannot hold a game that begins from a set position")
        kind = f"{match.length} point match" if match.length else "money game"
        yield f"Score is {game.score[0]}-{game.score[1]} in a {kind}."
        yield f"{one} is X - {two} is O"
        for turn in as_recorded(game):
            _refuse_own_beaver(turn, game)
            if words := _words(turn):
                yield f"{_SIDES[turn.player]}: {words}"
        yield from _result(game)
        yield ""


def _refuse_own_beaver(turn: Turn, game: GameReplay) -> None:
    """Refuse two offers by one player in a row: "doubles" stands for both, and would be read as two doubles."""
    before = game.game.entries[turn.index - 1] if turn.index else None
    own = isinstance(before, Double | Beaver) and before.player == turn.entry.player
    if own and isinstance(turn.entry, Beaver):
        raise FormatError("oldmoves cannot hold a beaver by the player who has just doubled")


def _words(turn: Turn) -> str:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            # The plays of X are written in O's numbering, so they go to higher points.
            return f"({one} {two}) {_SPELLING.play(turn, fixed=turn.player == 0)}".rstrip()
        case Double() | Beaver():
            return "doubles"
        case Take():
            return "accepts"
        case Drop():
            return "rejects"
        case Resign():
            return "wants to resign"
        case AutomaticDouble():
            return ""  # not written; a conversion reports it as lost
        case SetBoard():
            raise FormatError("oldmoves cannot hold a position that is set in the middle of a game")


def _result(game: GameReplay) -> Iterator[str]:
    for claim in stated_results(game):
        yield f"{_SIDES[winner_of(claim, game)]}: wins{'' if claim.points is None else f' {points_word(claim.points)}'}"
    if not game.game.results and game.winner is not None and game.points is not None:
        yield f"{_SIDES[game.winner]}: wins {points_word(game.points)}"


# --- the format -----------------------------------------------------------------------------

_OLDMOVES_SIGNS = (
    Sign(re.compile(r"\bscore is \d+-\d+", re.MULTILINE | re.IGNORECASE), "score is "),
    Sign(re.compile(r"\S\s+is +[XO] +- +\S.*\s+is +[XO]\b"), "is "),
    Sign(re.compile(r"^[XO]: ", re.MULTILINE), ": "),
)


def _sniff(content: Content) -> float:
    """FIBS oldmoves: the score in words, a line that says who is X and who is O, and lines that begin with X or O."""
    return content.share(_OLDMOVES_SIGNS)


OLDMOVES: Final = Format(
    name="oldmoves",
    title="FIBS oldmoves",
    extensions=(".fibs", ".txt"),
    sniff=_sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"start", "comments", *OPTIONS}),
    holds_several=True,
)

FORMATS: Final = (OLDMOVES,)
