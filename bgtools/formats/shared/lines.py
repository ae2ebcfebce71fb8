"""What the readers of line formats share: formats that write one entry or fact on each line.

Each format has a grammar with a start rule for every kind of line; the beginning of a line shows its kind. A
transformer makes values of lines, and a reader puts these in order. A line that fits no rule becomes a
finding, and the reader goes on with the next line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lark import Token, Transformer, UnexpectedInput, v_args

from bgtools.board.notation import parse_hop
from bgtools.board.play import HopText, PlayText
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.limits import PieceBudget, most_pieces
from bgtools.formats.shared.grammar import make_parser
from bgtools.formats.shared.listing import clipped
from bgtools.formats.shared.tags import number_of
from bgtools.record.record import (
    NOWHERE,
    Beaver,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    Tag,
    Take,
    checker_play,
)
from bgtools.rules.options import Ruleset
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player


_PIECES_A_LINE: Final = 4
"""How many cells of match text can be read in the time of one line of such a format."""


class Line(NamedTuple):
    """A line, or a part of one: its text without the blanks around it, its place, and its number."""

    text: str
    span: Span
    number: int = 0
    """The number of the line, from 0."""

    def behind(self, at: int) -> Line:
        """The rest of the line from a column on."""
        return Line(self.text[at:], Span(self.span.start + at, self.span.end), self.number)


def lines_of(source: Source) -> Iterator[Line]:
    """The lines of a source that are not blank.

    Raises:
        FormatError: there are too many lines.
    """
    room = PieceBudget("lines", most_pieces() // _PIECES_A_LINE)
    for number, (start, end) in enumerate(source.lines):
        line = source.text[start:end]
        text = line.strip()
        if text:
            room.take()
            at = start + len(line) - len(line.lstrip())
            yield Line(text, Span(at, at + len(text)), number)


class Stop(NamedTuple):
    """The offset at which a line breaks the grammar."""

    at: int


class LineParser:
    """The parser of one format's lines, built when first used.

    Args:
        name: the name of the grammar.
        starts: its start rules.
        transformer: makes a transformer, which makes values of lines.
    """

    def __init__(self, name: str, starts: tuple[str, ...], transformer: Callable[[], Transformer[Token, Any]]) -> None:
        self.name = name
        self.starts = starts
        self.parser = cache(lambda: make_parser(name, starts, transformer=transformer()))

    def parse(self, text: str, start: str) -> Any:
        """The value of a line by a start rule, or a `Stop` where the line breaks the rule."""
        try:
            return self.parser().parse(text, start=start)
        except UnexpectedInput as error:
            at: Any = error.pos_in_stream  # None at the end of the line
            return Stop(at if at is not None and 0 <= at < len(text) else len(text))


class LineKinds:
    """The kinds of lines of a printed text, each with a pattern. The patterns are tried in their order."""

    def __init__(self, *kinds: tuple[str, str]) -> None:
        self.kinds = tuple((kind, re.compile(pattern)) for kind, pattern in kinds)

    def of(self, text: str) -> tuple[str, re.Match[str] | None]:
        """The kind of a line and the match of its pattern; "" and None where no pattern fits."""
        for kind, pattern in self.kinds:
            if found := pattern.fullmatch(text):
                return kind, found
        return "", None


@v_args(inline=True)
class PlayBuilder(Transformer[Token, Any]):
    """Builds plays; the transformers of all line formats extend it."""

    def group(self, hops: Token, repeat: Token | None = None) -> HopText:
        """One group of hops. The grammar allows only points that `parse_hop` knows."""
        end = (hops.start_pos or 0) + len(hops)
        text = hops.replace("-", "/")
        stars = 0
        if repeat is not None:
            end = (repeat.start_pos or 0) + len(repeat)
            stars = repeat.endswith("*") and not text.endswith("*")
            text += "*" * stars + repeat.rstrip("*")
        found = parse_hop(text)
        assert found is not None
        return HopText(found.points, found.stars, found.count, hops.start_pos or 0, end)

    def play(self, *groups: HopText) -> PlayText:
        """A play; a group ``0/0`` stands for a number that could not be played, and is left out."""
        return PlayText("moves", tuple(group for group in groups if set(group.points) != {0}))

    def dance(self, *_words: Token) -> PlayText:
        """Words for a dance."""
        return PlayText("dance")

    def unknown(self, _marks: Token) -> PlayText:
        """Question marks."""
        return PlayText("unknown")

    def illegal(self, dump: Token) -> PlayText:
        """A position in brackets, in place of a play."""
        return PlayText("illegal", dump=dump[1:-1])

    def dice(self, *numbers: Token) -> Dice | None:
        """A roll, ``(3 1)`` or ``31:``; None for zeros, which mean that there is none."""
        digits = [int(char) for token in numbers for char in token if char.isdecimal()]
        return None if digits == [0, 0] or len(digits) != 2 else (digits[0], digits[1])


def shown(text: str, width: int = 40) -> str:
    """A stretch of the file fit to be quoted in a message: no control characters, no great length."""
    return f'"{clipped(text.strip(), width)}"'


@dataclass(slots=True)
class GameDraft:
    """One game while it is read."""

    number: int | None = None
    score: tuple[int, int] | None = None
    heading: Span = NOWHERE
    score_span: Span = NOWHERE
    start: Board | None = None
    start_cube: int = 1
    start_owner: Player | None = None
    entries: list[Entry] = field(default_factory=list)
    results: list[ResultClaim] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)

    def finish(self) -> Game:
        """The game as the record model has it."""
        return Game(
            number=self.number,
            score=self.score,
            entries=tuple(self.entries),
            results=tuple(self.results),
            comments=tuple(self.comments),
            heading=self.heading,
            score_span=self.score_span,
            start=self.start,
            start_cube=self.start_cube,
            start_owner=self.start_owner,
            marks=tuple(self.marks),
        )

    def play(
        self, player: Player, dice: Dice | None, text: PlayText | None, line: Line, row: int | None = None
    ) -> None:
        """Add a roll with its play."""
        self.entries.append(checker_play(player, dice, text or PlayText("nothing"), line.span, row))

    def double(self, player: Player, line: Line, value: int | None = None, row: int | None = None) -> None:
        """Add a double. If it answers one it is a beaver, and if it answers a beaver a raccoon (R32, R33)."""
        offered = self.offered()
        if offered is None or offered.player == player:
            self.entries.append(Double(player=player, value=value, span=line.span, row=row))
            return
        first = next(entry for entry in reversed(self.entries) if isinstance(entry, Double))
        raccoon = first.player == player
        self.entries.append(Beaver(player=player, value=value, raccoon=raccoon, span=line.span, row=row))

    def offered(self) -> Double | Beaver | None:
        """The double or beaver that waits for an answer; None where none does."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, Double | Beaver) else None

    def drop(self, player: Player, line: Line, row: int | None = None) -> None:
        """Add a drop."""
        self.entries.append(Drop(player=player, span=line.span, row=row))

    def resign(self, player: Player, line: Line, row: int | None = None) -> None:
        """Add a resignation."""
        self.entries.append(Resign(player=player, span=line.span, row=row))

    def take(self, player: Player, line: Line, row: int | None = None) -> None:
        """Add a take. The acceptance of a resignation is not an entry, and counts as layout."""
        if self.entries and isinstance(self.entries[-1], Resign):
            self.marks.append(line.span)
        else:
            self.entries.append(Take(player=player, span=line.span, row=row))


class Roll(NamedTuple):
    """A roll whose play has not been seen yet."""

    player: Player
    dice: Dice | None
    line: Line
    row: int | None = None


@dataclass(slots=True)
class MatchDraft:
    """One match while it is read."""

    source: Source
    players: tuple[str, str] = ("", "")
    length: int | None = None
    length_span: Span = NOWHERE
    games: list[GameDraft] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    pending: Roll | None = None

    def finish(self, rules: Ruleset | None = None) -> Match:
        """The match as the record model has it; with the usual rules where none are given."""
        usual = Ruleset() if self.length else Ruleset(crawford=False, jacoby=None, beavers=None)
        return Match(
            players=self.players,
            length=self.length,
            games=tuple(game.finish() for game in self.games),
            tags=tuple(self.tags),
            rules=rules or usual,
            findings=tuple(self.findings),
            source=self.source,
            length_span=self.length_span,
            marks=tuple(self.marks),
        )

    def tag(self, key: str, value: str, line: Line) -> None:
        """Add a tag."""
        self.tags.append(Tag(key=key, value=value, span=line.span))

    def name(self, player: Player, name: str) -> None:
        """Set the name of a player."""
        self.players = (name, self.players[1]) if player == 0 else (self.players[0], name)

    def number(self, digits: str, line: Line) -> int | None:
        """A number that the record states; None, with a finding, where it has more digits than any that is meant."""
        found = number_of(digits)
        if found is None:
            message = f"a number of more than nine digits is left out: {shown(digits)}"
            self.findings.append(Finding(codes.UNREADABLE_LINE, line.span, message))
        return found

    def unreadable(self, line: Line, what: str, game: GameDraft | None = None) -> None:
        """Add a finding for a line that the format does not know."""
        self.findings.append(unreadable_line(line, what, game))

    def unreadable_play(
        self,
        line: Line,
        at: int,
        game: GameDraft,
        player: Player,
        dice: Dice | None,
        *,
        behind: int = 0,
        row: int | None = None,
    ) -> None:
        """Add a finding for a play that cannot be read. The game gets the roll, so the order of turns stays right.

        Args:
            line: the line.
            at: the offset at which the line breaks the grammar.
            game: the game.
            player: who rolled.
            dice: the roll.
            behind: the offset at which the roll ends.
            row: the number of the row; None if the format numbers none.
        """  # fmt: skip
        game.play(player, dice, PlayText("unreadable", dump=line.text[behind:].strip()), line, row)
        at = max(at, behind)
        span = Span(line.span.start + min(at, len(line.text) - 1), line.span.end)
        message = f"{shown(line.text[at:])} is not a move"
        self.findings.append(Finding(codes.UNREADABLE_CELL, span, message, game=game.number, player=player))

    def finish_pending(self) -> None:
        """Add a pending roll, whose play is missing or was never made, to the game."""
        if self.pending is not None:
            player, dice, line, row = self.pending
            self.games[-1].play(player, dice, None, line, row)
            self.pending = None

    def rolled(self) -> Dice | None:
        """The roll that is played now. The play holds it, so the roll's own line becomes layout."""
        if self.pending is None:
            return None
        self.games[-1].marks.append(self.pending.line.span)
        dice, self.pending = self.pending.dice, None
        return dice


def unreadable_line(line: Line, what: str, draft: GameDraft | None = None) -> Finding:
    """The finding for a line that the format does not know."""
    return Finding(
        codes.UNREADABLE_LINE, line.span, f"this line is not a {what}: {shown(line.text)}",
        game=None if draft is None else draft.number,
    )  # fmt: skip


def several_matches(count: int, span: Span) -> Finding:
    """The finding that a file holds more than one match."""
    return Finding(codes.SEVERAL_MATCHES, span, f"the file holds {count} matches; another begins here")


def cube_action(word: str, player: Player, line: Line, draft: GameDraft, row: int | None = None) -> None:
    """Add a cube action or a resignation, known by the first letters of its word. Any other word is a drop."""
    word = word.casefold()
    if word.startswith("double"):
        draft.double(player, line, None, row)
    elif word.startswith(("take", "accept")):
        draft.take(player, line, row)
    elif word.startswith("resign"):
        draft.resign(player, line, row)
    else:
        draft.drop(player, line, row)
