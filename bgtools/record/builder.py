"""Building a record while a file is read. Every reader builds its matches with these.

A builder keeps what the file says, in its order, and checks nothing. It knows four things that all readers need: a
roll waits for its play; a double that answers a double is a beaver; the acceptance of a resignation is no take; and
what lies on the board. The board is followed only when a reader asks for `GameBuilder.state`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.findings.finding import Finding, quoted
from bgtools.record.record import (
    NOWHERE,
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
    checker_play,
)
from bgtools.record.state import GameState
from bgtools.rules.cube import MatchState
from bgtools.rules.options import Ruleset
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.findings.finding import Code
    from bgtools.record.annotation import Annotation
    from bgtools.rules.worth import Level

_MOST_DIGITS: Final = 9
"""How many digits a number may have that a record can mean."""

_MOST_FINDINGS: Final = 20_000
"""The most findings of a reader about one match: twice as many as a check tells. Each takes near a kilobyte."""


def number_of(text: str) -> int | None:
    """The number that a text is; None where it is none, or has more than nine digits."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def several_matches(count: int, span: Span) -> Finding:
    """The finding that a file holds more than one match."""
    return Finding(codes.SEVERAL_MATCHES, span, f"the file holds {count} matches; another begins here")


@dataclass(slots=True)
class _Parts:
    """What a match and a game have in common: remarks, layout, and what only the format understands."""

    comments: list[Comment] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    extras: list[Tag] = field(default_factory=list)

    def mark(self, span: Span) -> None:
        """Count a stretch of the file as layout."""
        self.marks.append(span)

    def extra(self, key: str, value: str, span: Span) -> None:
        """Keep something that only the format understands."""
        self.extras.append(Tag(key=key, value=value, span=span))


@dataclass(slots=True)
class GameBuilder(_Parts):
    """A game while it is read. Number, score and start are plain attributes, as in `bgtools.record.record.Game`.

    Every method that adds something takes its span in the file, and where its format has rows, the number of its row.
    """

    match: MatchBuilder = field(kw_only=True)
    number: int | None = None
    score: tuple[int, int] | None = None
    heading: Span = NOWHERE
    score_span: Span = NOWHERE
    left: Player = 0
    start: Board | None = None
    start_known: bool = True
    start_cube: int = 1
    start_owner: Player | None = None
    entries: list[Entry] = field(default_factory=list)
    results: list[ResultClaim] = field(default_factory=list)
    waiting: CheckerPlay | None = None
    """A roll whose play has not been read yet."""
    _state: GameState | None = None
    _followed: int = 0

    # --- what lies on the board -------------------------------------------------------------

    @property
    def state(self) -> GameState:
        """The game after the last entry. It is followed only as far and as often as a reader asks."""
        if self._state is None or self._followed > len(self.entries):  # a reader may take an entry back
            rules = self.match.rules or Ruleset()
            self._state = GameState(MatchState(rules=rules), self.start, self.start_cube, self.start_owner)
            self._followed = 0
        for entry in self.entries[self._followed :]:
            self._state.follow(entry)
        self._followed = len(self.entries)
        return self._state

    @property
    def at(self) -> int:
        """How many entries stand before what is read next; the waiting roll counts."""
        return len(self.entries) + (self.waiting is not None)

    def begin(self, board: Board | None, cube: int = 1, owner: Player | None = None, *, known: bool = True) -> None:
        """Begin from a set position, seen by player 0; ``known`` is False where the record sets one that cannot be."""
        self.start, self.start_cube, self.start_owner, self.start_known = board, cube, owner, known
        self._state, self._followed = None, 0

    # --- entries ----------------------------------------------------------------------------

    def add(self, entry: Entry) -> None:
        """Add an entry. A roll that waits for its play comes before it."""
        self.add_waiting()
        self.entries.append(entry)

    def add_waiting(self) -> None:
        """Add the waiting roll, whose play is missing or was never made."""
        if self.waiting is not None:
            self.entries.append(self.waiting)
            self.waiting = None

    def roll(self, player: Player, dice: Dice | None, span: Span, *, row: int | None = None) -> None:
        """Read a roll whose play may follow."""
        self.add_waiting()
        self.waiting = checker_play(player, dice, PlayText("nothing"), span, row)

    def rolled(self, player: Player) -> Dice | None:
        """Take the waiting roll of a player for the play that holds it; the roll's own span becomes layout.

        Returns:
            The roll; None where none of this player waits.
        """
        rolled = self.waiting
        if rolled is None or rolled.player != player:
            return None
        self.waiting = None
        self.marks.append(rolled.span)
        return rolled.dice

    def play(
        self, player: Player, text: PlayText | None, span: Span, *, dice: Dice | None = None, row: int | None = None
    ) -> None:
        """Add a play: with its dice, or with the waiting roll of its player."""
        if dice is None:
            dice = self.rolled(player)
        self.add(checker_play(player, dice, text or PlayText("nothing"), span, row))

    def unreadable_play(
        self, player: Player, line: str, at: int, span: Span, *, dice: Dice | None = None, behind: int = 0,
        row: int | None = None,
    ) -> None:  # fmt: skip
        """Add a roll whose play breaks the grammar, with a finding. So the turns keep their order.

        Args:
            player: who rolled.
            line: the text of the line.
            at: the offset at which it breaks the grammar.
            span: the span of the line.
            dice: the roll; None for the waiting one.
            behind: the offset at which the roll ends.
            row: the number of the row; None if the format numbers none.
        """
        self.play(player, PlayText("unreadable", dump=line[behind:].strip()), span, dice=dice, row=row)
        at = max(at, behind)
        broken = Span(span.start + min(at, len(line) - 1), span.end)
        self.report(codes.UNREADABLE_CELL, broken, f"{quoted(line[at:])} is not a move", player)

    def double(
        self, player: Player, span: Span, value: int | None = None, *, row: int | None = None,
        note: Annotation | None = None,
    ) -> None:  # fmt: skip
        """Add a double. If it answers one it is a beaver, and if it answers a beaver a raccoon (R32, R33)."""
        offered = self.offered()
        if offered is not None and offered.player != player:
            raccoon = isinstance(offered, Beaver) and not offered.raccoon
            self.beaver(player, span, value, raccoon=raccoon, row=row, note=note)
        else:
            self.add(Double(player=player, value=value, span=span, row=row, annotation=note))

    def offered(self) -> Double | Beaver | None:
        """The double or beaver that waits for an answer; None where none does."""
        last = self.entries[-1] if self.entries and self.waiting is None else None
        return last if isinstance(last, Double | Beaver) else None

    def beaver(
        self, player: Player, span: Span, value: int | None = None, *, raccoon: bool = False, row: int | None = None,
        note: Annotation | None = None,
    ) -> None:  # fmt: skip
        """Add a beaver or a raccoon."""
        self.add(Beaver(player=player, value=value, raccoon=raccoon, span=span, row=row, annotation=note))

    def automatic(self, player: Player, span: Span, value: int | None = None, *, row: int | None = None) -> None:
        """Add an automatic double."""
        self.add(AutomaticDouble(player=player, value=value, span=span, row=row))

    def take(self, player: Player, span: Span, *, row: int | None = None, note: Annotation | None = None) -> None:
        """Add a take. The acceptance of a resignation is no entry, and counts as layout."""
        self.add_waiting()
        if self.entries and isinstance(self.entries[-1], Resign):
            self.mark(span)
        else:
            self.add(Take(player=player, span=span, row=row, annotation=note))

    def drop(self, player: Player, span: Span, *, row: int | None = None, note: Annotation | None = None) -> None:
        """Add a drop."""
        self.add(Drop(player=player, span=span, row=row, annotation=note))

    def resign(
        self, player: Player, span: Span, level: Level | None = None, *, match: bool = False, row: int | None = None,
        note: Annotation | None = None,
    ) -> None:  # fmt: skip
        """Add a resignation."""
        self.add(Resign(player=player, level=level, match=match, span=span, row=row, annotation=note))

    def set(
        self, player: Player, board: Board, span: Span, *, cube: int = 1, owner: Player | None = None,
        note: Annotation | None = None,
    ) -> None:  # fmt: skip
        """Add a board that the record sets, seen by player 0; ``player`` is on roll."""
        self.add(SetBoard(player=player, position=board, cube=cube, owner=owner, span=span, annotation=note))

    def annotate(self, note: Annotation | None) -> None:
        """Give the last entry an annotation."""
        if note is not None and self.entries:
            self.entries[-1] = replace(self.entries[-1], annotation=note)

    def comment(self, text: str, span: Span) -> None:
        """Add a remark after what has been read."""
        self.comments.append(Comment(text=text, span=span, at=self.at))

    def result(self, player: Player, points: int | None, span: Span, *, row: int | None = None) -> None:
        """Add a result that the record states: a player wins points."""
        self.add_waiting()
        self.results.append(ResultClaim(player=player, points=points, row=row, span=span))

    def report(self, code: Code, span: Span, message: str, player: Player | None = None, *, hint: str = "") -> None:
        """Add a finding about the game."""
        self.match.add_finding(Finding(code, span, message, hint=hint, game=self.number, player=player))

    def unreadable(self, text: str, span: Span, what: str) -> None:
        """Report a line of the game that the format does not know."""
        self.report(codes.UNREADABLE_LINE, span, f"this line is not a {what}: {quoted(text)}")

    def build(self) -> Game:
        """The game as the record model has it."""
        self.add_waiting()
        return Game(
            number=self.number, score=self.score, entries=tuple(self.entries), results=tuple(self.results),
            left=self.left, start=self.start, start_known=self.start_known, start_cube=self.start_cube,
            start_owner=self.start_owner, comments=tuple(self.comments), heading=self.heading,
            score_span=self.score_span, marks=tuple(self.marks), extras=tuple(self.extras),
        )  # fmt: skip


@dataclass(slots=True)
class MatchBuilder(_Parts):
    """A match while it is read: names, length, options and ratings are plain attributes.

    The reader of a text gives its ``source``. The reader of a binary file gives its name, and lists each record on a
    line (`line`), so that findings can point at it.
    """

    source: Source | str = ""
    players: tuple[str, str] = ("", "")
    length: int | None = None
    length_span: Span = NOWHERE
    rules: Ruleset | None = None
    ratings: tuple[str, str] = ("", "")
    tags: list[Tag] = field(default_factory=list)
    games: list[GameBuilder] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    _end: int = 0
    _leaves_out: bool = False

    def game(
        self, number: int | None = None, score: tuple[int, int] | None = None, span: Span = NOWHERE
    ) -> GameBuilder:
        """Begin a game; ``span`` is that of its heading and of its score."""
        self.add_waiting()
        self.games.append(GameBuilder(match=self, number=number, score=score, heading=span, score_span=span))
        return self.games[-1]

    def line(self, text: str) -> Span:
        """Add a line to the listing of a binary file. Returns its span."""
        self.lines.append(text)
        start, self._end = self._end, self._end + len(text) + 1
        return Span(start, self._end - 1)

    def name(self, player: Player, name: str) -> None:
        """Set the name of a player."""
        self.players = (name, self.players[1]) if player == 0 else (self.players[0], name)

    def tag(self, key: str, value: str, span: Span) -> None:
        """Add a tag."""
        self.tags.append(Tag(key=key, value=value, span=span))

    def comment(self, text: str, span: Span) -> None:
        """Add a remark outside the games."""
        self.comments.append(Comment(text=text, span=span))

    def report(self, code: Code, span: Span, message: str, hint: str = "") -> None:
        """Add a finding of that kind."""
        self.add_finding(Finding(code, span, message, hint=hint))

    def add_finding(self, finding: Finding) -> None:
        """Add a finding, while there are not too many; the last one says that the others are left out."""
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(finding)
        elif not self._leaves_out:
            self._leaves_out = True
            message = f"the record has more than {_MOST_FINDINGS:,} faults: what follows from here on is not told"
            self.findings.append(Finding(codes.UNREADABLE_LINE, finding.span, message))

    def unreadable(self, text: str, span: Span, what: str) -> None:
        """Report a line outside the games that the format does not know."""
        self.report(codes.UNREADABLE_LINE, span, f"this line is not a {what}: {quoted(text)}")

    def add_waiting(self) -> None:
        """Add the roll that waits in the last game."""
        if self.games:
            self.games[-1].add_waiting()

    def number(self, digits: str, span: Span) -> int | None:
        """A number that the record states; None, with a finding, where it has more digits than any that is meant."""
        found = number_of(digits)
        if found is None:
            self.report(codes.UNREADABLE_LINE, span, f"a number of more than nine digits is left out: {quoted(digits)}")
        return found

    def build(self) -> Match:
        """The match as the record model has it; with the usual rules where the reader has set none."""
        usual = Ruleset() if self.length else Ruleset(crawford=False, jacoby=None, beavers=None)
        source = self.source if isinstance(self.source, Source) else Source(self.source, "\n".join(self.lines))
        return Match(
            players=self.players, length=self.length, games=tuple(game.build() for game in self.games),
            tags=tuple(self.tags), rules=self.rules or usual, ratings=self.ratings, comments=tuple(self.comments),
            findings=tuple(self.findings), source=source, length_span=self.length_span, marks=tuple(self.marks),
            extras=tuple(self.extras),
        )  # fmt: skip
