"""Writing match text: the two-column transcript, in one of several spellings.

The writer copies what the record claims: scores, results, the value of the cube, plays that are not legal. Legal
plays come from the replay, in the spelling of the dialect: where it wants every hop by itself, a play such as
``24/13`` is taken apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.formats.mat.dialects import DIALECTS, GNUBG, JELLYFISH, cube_cell
from bgtools.formats.shared.spelling import as_recorded, column_of, numbered, stated_results
from bgtools.formats.shared.tags import missing_tags
from bgtools.positions.position import to_letters
from bgtools.record.producers import session_of
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Game,
    Match,
    Resign,
    SetBoard,
    Take,
    places_of_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play, PlayText
    from bgtools.formats.mat.dialects import Dialect
    from bgtools.record.record import ResultClaim
    from bgtools.replayer.turn import GameReplay, Turn


def write(match: Match, dialect: Dialect = JELLYFISH) -> str:
    """Write a match as text that any reader of ``.mat`` takes.

    `bgtools.formats.mat.reader` reads the same match back, with its plays in the spelling of the dialect. Match text
    does not keep: the sides of the columns (player 0 always is on the left), a missing length, score line or game
    number (those of the replay are written), the level of a resignation, the value of a centred cube in a set position,
    and more than one beaver in the rules.
    """
    end = ["", ""] if dialect.blanks else [""]
    return dialect.line_end.join([*MatWriter(match, dialect).lines(), *end])


def rows(match: Match, game: GameReplay, dialect: Dialect = GNUBG) -> list[str]:
    """The rows of one game of a match, its result below them, without heading and score line."""
    return list(MatWriter(match, dialect)._game(game))


def write_content(matches: tuple[Match, ...], dialect: str = GNUBG.name) -> bytes:
    """The bytes of a file of match text: the matches one below the other, in the dialect with a name."""
    chosen = next(each for each in DIALECTS if each.name == dialect)
    return chosen.line_end.join(write(match, chosen) for match in matches).encode(chosen.encoding)


# Beginnings of a name that a reader takes for a remark or a row, and parts of one that it takes for a score.
_NO_NAME_START = re.compile(r"[;#]|(?=\d*\*?\))")
_NAME_END = re.compile(r":(?=\s*\d+(?:\s|$))")
# GNU Backgammon breaks down over a score line without a name; readers strip this blank like any other.
_NO_NAME = "\N{NO-BREAK SPACE}"
# GNU Backgammon leaves four places for the hops of a roll.
_FULL_ROW = 4
# A result below the rows stands one further in than a left cell.
_INDENT = "      "


class MatWriter:
    """Writes the lines of a match; formats with the same frame extend it."""

    def __init__(self, match: Match, dialect: Dialect) -> None:
        self.match = match
        self.dialect = dialect
        self.offered = 1  # the value of the cube if the last double is taken

    def lines(self) -> Iterator[str]:
        """All lines of the match."""
        match = self.match
        if producer := session_of(match.tag("Site") or "", match.length, len(match.games)):
            raise FormatError(
                f"in match text a match to {match.length} of one game at {producer.name} is a money game; this is none"
            )
        head = [f'; [{tag.key} "{_one_line(tag.value)}"]' for tag in (*match.tags, *missing_tags(match))]
        if head:
            yield from (*head, "")
        comments = [line for comment in match.comments for line in comment_lines(comment)]
        if comments:
            yield from (*comments, "")
        yield f"{self.dialect.indent}{match.length or 0} point match"
        for number, game in numbered(match):
            yield ""
            yield f" Game {number}"
            yield self._score_line(game)
            yield from self._game(game)

    def _score_line(self, game: GameReplay) -> str:
        left, right = (
            f"{_name(name)}{f',{rating}' if rating else ''} : {points}"
            for name, rating, points in zip(self.match.players, self.match.ratings, game.score, strict=True)
        )
        return f" {left:<{self.dialect.names - 1}} {right}"

    def _game(self, game: GameReplay) -> Iterator[str]:
        record = game.game
        yield from self._start(record)
        rows = self._buffer(record)
        comments = list(zip(places_of_comments(record), record.comments, strict=True))
        for turn in as_recorded(game):
            while comments and comments[0][0] <= turn.index:
                rows.remark(comments.pop(0)[1])
            rows.cell(turn.player, self._cell(turn))
        for _, comment in comments:
            rows.remark(comment)
        for claim in stated_results(game):
            rows.result(column_of(claim, game), claim)
        yield from rows.lines()

    def _start(self, record: Game) -> Iterator[str]:
        """The line of a set position, if any."""
        if record.start is not None:
            yield _set_position(record.start, record)

    def _buffer(self, _record: Game) -> RowBuffer:
        """The rows of a game, still empty."""
        return RowBuffer(self.dialect)

    # --- cells ------------------------------------------------------------------------------

    def _cell(self, turn: Turn) -> str:
        match turn.entry:
            case CheckerPlay(dice=dice):
                roll = f"{dice[0]}{dice[1]}:" if dice else "00:"
                return self._roll(roll, self._play(turn))
            case Double(value=value):
                self.offered = 2 * turn.state.cube.value
                return f" {cube_cell(turn.entry, value or self.offered)}"
            case Beaver(value=value):
                self.offered *= 2
                return f" {cube_cell(turn.entry, value or self.offered)}"
            case AutomaticDouble() | Take() | Drop():
                return f" {cube_cell(turn.entry, getattr(turn.entry, 'value', None))}"
            case Resign(match=whole):
                return " Resigns the match" if whole else " Resigns"
            case SetBoard():
                raise FormatError("match text cannot hold a position that is set in the middle of a game")

    def _roll(self, roll: str, play: str) -> str:
        text = f"{roll} {play}".rstrip()
        return f"{text} " if self.dialect.blanks and text.count("/") < _FULL_ROW else text

    def _play(self, turn: Turn) -> str:
        entry, play = turn.entry, turn.play
        assert isinstance(entry, CheckerPlay)
        text = entry.text
        if play is not None and not play.hops:
            return self.dialect.dance if text.kind in ("nothing", "dance", "moves") else str(text)
        if text.kind != "moves":
            return _one_line(str(text))
        if not text.hops:
            return f"{self.dialect.off}/{self.dialect.off}"
        if play is None or _has_false_star(text, play):
            return self.dialect.words(str(text))
        return self.dialect.play(play)


def _has_false_star(text: PlayText, play: Play) -> bool:
    """Whether a play has a star where nothing was hit, so that the writer copies the record's text.

    A star behind several numbers of one checker may mean a point on the way.
    """
    hits = {hop.end for hop in play.hops if hop.hit}
    return any(
        star and point not in hits and not any(group.points[0] > point > group.points[-1] for point in hits)
        for group in text.hops
        for point, star in zip(group.points[1:], group.stars, strict=True)
    )


@dataclass(slots=True)
class RowBuffer:
    """The rows of a game while they fill."""

    dialect: Dialect
    done: list[str] = field(default_factory=list)
    left: str | None = None
    right: str | None = None
    number: int = 0
    can_take_result: bool = False
    """Whether a result can stand in the right cell. Beside a roll in the left cell, it would not say whose it is."""

    def cell(self, player: Player, text: str) -> None:
        """Add a cell, in a new row where it does not go into the last one."""
        if self.right is not None or (player == 0 and self.left is not None):
            self._end_row()
        if self.left is None and self.right is None:
            self.number += 1
        if player == 0:
            self.left = text
            self.can_take_result = text.startswith(" ")
        else:
            self.right = text

    def remark(self, comment: Comment) -> None:
        """Add a remark below the last cell."""
        self._end_row()
        self.done += comment_lines(comment)

    def result(self, player: Player, claim: ResultClaim) -> None:
        """Add a result in a player's column."""
        text = result_words(claim, self.dialect)
        if player == 1 and self.can_take_result and self.right is None:
            self.right = f" {text} " if self.dialect.blanks else f" {text}"
            self._end_row()
            return
        self._end_row()
        if self.dialect.result_row:
            self.cell(player, f" {text}")
            self._end_row()
        elif player == 1:
            self.done.append(f"{' ' * (self.dialect.width + 7)}{text}")
        else:
            self.done.append(_INDENT + text)

    def lines(self) -> list[str]:
        """All lines of the game."""
        self._end_row()
        return self.done

    def _end_row(self) -> None:
        if self.left is None and self.right is None:
            return
        row = f"{self.number:3d}) {self.left or '':<{self.dialect.width}} {self.right or ''}"
        # GNU Backgammon fills rows up to the right cell with blanks; others leave them out.
        self.done.append(row if self.dialect.blanks else row.rstrip())
        self.left = self.right = None
        self.can_take_result = False


# --- lines ----------------------------------------------------------------------------------


def result_words(claim: ResultClaim, dialect: Dialect) -> str:
    """A result as match text has it, without a name."""
    points = "" if claim.points is None else f" {dialect.points(claim.points)}"
    return f"{'Wins' if claim.won else 'Losses'}{points}{' and the match' * claim.match}"


def comment_lines(comment: Comment) -> list[str]:
    """A remark as lines that begin with a semicolon."""
    return [f"; {line}".rstrip() for line in comment.text.splitlines() or [""]]


def _one_line(text: str) -> str:
    return " ".join(text.splitlines()) if "\n" in text or "\r" in text else text


def _name(name: str) -> str:
    """A name for the score line, changed where a reader would take it for a remark, a row or a score."""
    name = _NAME_END.sub("_", " ".join(name.split()))
    if _NO_NAME_START.match(name):
        return "_" + name.lstrip(";#")
    return name or _NO_NAME


def _set_position(start: Board, game: Game) -> str:
    """The board as 26 letters, capitals for the left player, and the cube as a power of two."""
    exponent = 0 if game.start_owner is None else game.start_cube.bit_length() - 1
    return f"; Set Pos={to_letters(start)}/{-exponent if game.start_owner == 1 else exponent}"
