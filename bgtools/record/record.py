"""The record of a match, one model for all formats: what the file says, and where it says it.

Nothing here is derived. Positions, winners and scores are found by `bgtools.replayer.match`; what the file
claims about them is kept as a claim.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools._notebooks import shown_html
from bgtools.board.perspective import other
from bgtools.rules.options import Ruleset
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.findings.finding import Finding
    from bgtools.record.annotation import Annotation
    from bgtools.rules.worth import Level

NOWHERE = Span(0, 0)
"""The span of what is in no file, as in a match that a program has made."""
UNREAD = "unread:"
"""The beginning of the keys of extras that a reader leaves unread. No format has a place for such an extra."""
SIGNATURE = "ogxm:signature"
"""The key of an extra with a signature of an OGXM file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """What every entry has: who acted, the row it stands in, its place in the file, and what the file says of it."""

    player: Player
    row: int | None = None
    span: Span = NOWHERE
    annotation: Annotation | None = None


@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class CheckerPlay(_Entry):
    """A roll and what was played with it.

    ``dice`` is None where the record gives none (``????`` alone). ``text_at`` is the offset in the
    source that the columns of ``text.hops`` count from.
    """

    dice: Dice | None
    text: PlayText
    text_at: int = 0

    def __init__(
        self,
        *,
        player: Player,
        dice: Dice | None,
        text: PlayText,
        text_at: int = 0,
        row: int | None = None,
        span: Span = NOWHERE,
        annotation: Annotation | None = None,
    ) -> None:
        # A match has hundreds of plays. The usual ``__init__`` of a frozen class sets each attribute by a call, and
        # takes ten times as long.
        object.__setattr__(self, "__class__", _ThawedCheckerPlay)
        made: Any = self
        made.player, made.dice, made.text, made.text_at = player, dice, text, text_at
        made.row, made.span, made.annotation = row, span, annotation
        made.__class__ = CheckerPlay


class _ThawedCheckerPlay(CheckerPlay):
    """A `CheckerPlay` whose attributes can be set."""

    __slots__ = ()
    __new__ = object.__new__
    __init__ = object.__init__
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


def checker_play(player: Player, dice: Dice | None, text: PlayText, span: Span, row: int | None = None) -> CheckerPlay:
    """A `CheckerPlay` whose text begins where its span does.

    A match has hundreds of plays, and this takes a third of the time that `CheckerPlay` does.
    """
    made: Any = _ThawedCheckerPlay()
    made.player, made.dice, made.text, made.text_at = player, dice, text, span.start
    made.row, made.span, made.annotation = row, span, None
    made.__class__ = CheckerPlay
    play: CheckerPlay = made
    return play


@dataclass(frozen=True, slots=True, kw_only=True)
class Double(_Entry):
    """A double or redouble is offered; ``value`` is the cube as the record claims it, if it does."""

    value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaver(_Entry):
    """The double is taken and doubled at once (R32); ``raccoon`` for the doubler's own answer to that (R33)."""

    value: int | None = None
    raccoon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomaticDouble(_Entry):
    """The cube turned by tied opening rolls (R34); ``player`` tells only in whose column that is written."""

    value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(_Entry):
    """The double is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(_Entry):
    """The double is refused and the game lost (R22)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(_Entry):
    """The game (or the whole match) is given up; ``level`` only where the record states it (R23)."""

    level: Level | None = None
    match: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBoard(_Entry):
    """The record sets board and cube in the middle of a game. ``player`` is on roll afterwards; perhaps they were
    before.

    ``position`` is seen by player 0; ``owner`` is None while the cube is centred; a cube at 1 always is.
    """

    position: Board
    cube: int = 1
    owner: Player | None = None

    def __post_init__(self) -> None:
        if self.owner is not None and self.cube <= 1:
            object.__setattr__(self, "owner", None)


Entry = CheckerPlay | Double | Beaver | AutomaticDouble | Take | Drop | Resign | SetBoard


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultClaim:
    """A stated result: ``player`` won or lost ``points``.

    ``column_speaks`` is False where the layout does not tell whose result it is, as for a "Wins" in the free cell
    beside the last play.
    """

    player: Player
    won: bool = True
    points: int | None = None
    match: bool = False
    column_speaks: bool = True
    row: int | None = None
    span: Span = NOWHERE

    @property
    def winner(self) -> Player:
        """Whom the result gives the game."""
        return self.player if self.won else other(self.player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A header such as ``; [Event "Nordic Open"]``."""

    key: str
    value: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """Free text that is not part of the play.

    ``at`` tells how many entries of its game stand before it; None where only its span does.
    """

    text: str
    span: Span = NOWHERE
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game as recorded; `bgtools.replay` tells what it means on the board.

    >>> game = bgtools.read("samples/seven-point.mat").games[0]
    >>> game
    <Game 1 at 0-0: 40 entries>
    >>> game.entries[0].dice, str(game.entries[0].text)
    ((6, 3), '24/18 24/21')

    Attributes:
        number: the number the record gives it.
        score: points before the game as the record claims them, by player; None where it gives none.
        left: the player whose entries stand in the left column.
        start: a set position that the game begins from, seen by player 0; None for the usual start.
        start_known: False where the record sets a position that cannot be; nothing can be judged then.
        start_cube: value of the cube in a set position.
        start_owner: who owns it there; None when it is centred. A cube at 1 always is, whatever the record says.
        entries: plays and cube actions in the order in which they happened.
        results: the claims about the result.
        comments: remarks inside the game.
        marks: places that carry layout only, such as row numbers, and cells of which nothing could be read.
        extras: what only the record's own format understands, under keys such as ``sgf:GS``.
    """

    number: int | None
    score: tuple[int, int] | None
    entries: tuple[Entry, ...]
    results: tuple[ResultClaim, ...] = ()
    left: Player = 0
    start: Board | None = None
    start_known: bool = True
    start_cube: int = 1
    start_owner: Player | None = None
    comments: tuple[Comment, ...] = ()
    heading: Span = NOWHERE
    score_span: Span = NOWHERE
    marks: tuple[Span, ...] = ()
    extras: tuple[Tag, ...] = ()

    def __post_init__(self) -> None:
        if self.start_owner is not None and self.start_cube <= 1:
            object.__setattr__(self, "start_owner", None)

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        score = "" if self.score is None else f" at {self.score[0]}-{self.score[1]}"
        return f"<Game{number}{score}: {_count(len(self.entries), 'entry', 'entries')}>"

    _repr_html_ = shown_html


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match or money session as recorded.

    >>> match = bgtools.read("samples/seven-point.mat")
    >>> match.players, match.length, len(match.games), match.tag("Event")
    (('Nora Lindholm', 'Peter Marsh'), 7, 8, '7-point match')

    Attributes:
        players: the two names; player 0 is in the left column of the first game.
        length: points to win; 0 for a money session; None where the record does not say.
        games: in the order of the record.
        tags: the header, in the order of the record.
        rules: the options the match was played under, where the record states them.
        ratings: the number behind each name, where the record gives one.
        comments: remarks outside the games.
        findings: what was wrong with the text itself.
        source: where it was read from; None for a match made by a program.
        marks: places that carry layout only.
        extras: what only the record's own format understands, under keys such as ``xg:site-id``.
    """

    players: tuple[str, str]
    length: int | None
    games: tuple[Game, ...]
    tags: tuple[Tag, ...] = ()
    rules: Ruleset = field(default_factory=Ruleset)
    ratings: tuple[str, str] = ("", "")
    comments: tuple[Comment, ...] = ()
    findings: tuple[Finding, ...] = ()
    source: Source | None = None
    length_span: Span = NOWHERE
    marks: tuple[Span, ...] = ()
    extras: tuple[Tag, ...] = ()

    def __repr__(self) -> str:
        names = " - ".join(_quoted(name, _LONGEST_NAME) for name in self.players)
        length = f"{_count(self.length, 'point')}" if self.length else "money"
        source = f", {_quoted(self.source.name, _LONGEST_PATH)}" if self.source else ""
        return f"<Match {names}: {length}, {_count(len(self.games), 'game')}{source}>"

    _repr_html_ = shown_html

    def tag(self, key: str) -> str | None:
        """The value of a header, whatever the case of its key; None where it is missing."""
        found = self.find_tag(key)
        return None if found is None else found.value

    def find_tag(self, key: str) -> Tag | None:
        """A header with its place, whatever the case of its key; None where it is missing."""
        wanted = key.casefold()
        return next((tag for tag in self.tags if tag.key.casefold() == wanted), None)

    @property
    def is_money(self) -> bool:
        """Whether no match length is stated, or 0."""
        return not self.length


_LONGEST_NAME = 30
_LONGEST_PATH = 80


def _quoted(text: str, width: int) -> str:
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def _count(count: int, noun: str, plural: str = "") -> str:
    return f"1 {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def places_of_comments(game: Game) -> tuple[int, ...]:
    """For each remark in a game, how many entries stand before it; 0 where the record gives it no place."""
    starts = [entry.span for entry in game.entries]

    def position(comment: Comment) -> int:
        if comment.at is not None:
            return min(max(comment.at, 0), len(starts))
        return 0 if comment.span == NOWHERE else bisect_left(starts, comment.span)

    return tuple(map(position, game.comments))


def places_of(match: Match) -> Iterator[Span]:
    """The places of all that a match holds: entries, results, remarks, headings, tags, layout and findings."""
    yield match.length_span
    yield from match.marks
    for kept in (match.tags, match.comments, match.findings):
        yield from (each.span for each in kept)
    for game in match.games:
        yield from (game.heading, game.score_span, *game.marks)
        for inside in (game.entries, game.results, game.comments):
            yield from (each.span for each in inside)


def is_position(game: Game) -> bool:
    """Whether a game holds one set position and nothing that was played, except perhaps a double or a roll."""
    if game.start is not None or game.results or not game.entries:
        return False
    first, *rest = game.entries
    return isinstance(first, SetBoard) and all(
        isinstance(each, Double)
        or (isinstance(each, CheckerPlay) and each.text.kind in ("nothing", "unknown") and each.player == first.player)
        for each in rest
    )


RECONSTRUCTED: Final = "reconstructed: "
"""How a remark begins that says what a repair put in or supposed; that follows."""


def reconstructions(match: Match) -> list[str]:
    """What remarks in a record say that a repair put in or supposed, with the game."""
    whole = [each.text.removeprefix(RECONSTRUCTED) for each in match.comments if each.text.startswith(RECONSTRUCTED)]
    return whole + [
        f"game {game.number or at}: {each.text.removeprefix(RECONSTRUCTED)}"
        for at, game in enumerate(match.games, 1)
        for each in game.comments
        if each.text.startswith(RECONSTRUCTED)
    ]
