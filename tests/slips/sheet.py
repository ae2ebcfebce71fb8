"""A sheet of match text whose every cell can be rewritten, and that knows where it prints each.

A sheet prints a sound match letter for letter as `bgtools.formats.mat.writer` does, in any of its
dialects. Cells that break the rules are printed as they stand here, whatever a replay would make of
them.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.board.play import Hop, format_play
from bgtools.formats.mat.dialects import JELLYFISH, Dialect
from bgtools.formats.mat.writer import write
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Entry, Game, Match, Resign, Take

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText

Place = tuple[int, str, int]
"""A game from 0, what is meant there (heading, score, start, cell, result), and its number."""


@dataclass(slots=True)
class Cell:
    player: Player
    text: str


@dataclass(slots=True)
class GameSheet:
    number: int
    score: tuple[int, int]
    cells: list[Cell]
    results: list[Cell]
    start: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A printed sheet: its text, and from which to which character each place stands."""

    text: str
    places: dict[Place, tuple[int, int]]

    def line(self, place: Place) -> int:
        """The line of a place, from 1."""
        return self.text.count("\n", 0, self.places[place][0]) + 1


@dataclass(slots=True)
class Sheet:
    head: list[str]
    players: tuple[str, str]
    games: list[GameSheet] = field(default_factory=list)

    def copy(self) -> Sheet:
        return deepcopy(self)

    def page(self, dialect: Dialect = JELLYFISH, apart: Collection[Place] = ()) -> Page:
        """The text, with the place of every cell; in cells ``apart`` no hops are joined."""
        printer = _Printer(dialect, apart)
        for line in self.head:
            printer.line(line)
        for index, game in enumerate(self.games):
            printer.line("")
            indent = dialect.indent
            printer.line(f"{indent}Game {game.number}", (index, "heading", 0), len(indent))
            left, right = (f"{name} : {points}" for name, points in zip(self.players, game.score, strict=True))
            printer.line(f"{indent}{left:<{dialect.names - len(indent)}} {right}", (index, "score", 0), len(indent))
            if game.start:
                printer.line(game.start, (index, "start", 0))
            printer.game(index, game)
        return Page(dialect.line_end.join([*printer.lines, ""]), printer.places)


class _Printer:
    def __init__(self, dialect: Dialect, apart: Collection[Place]) -> None:
        self.dialect = dialect
        self.apart = apart
        self.lines: list[str] = []
        self.places: dict[Place, tuple[int, int]] = {}
        self.at = 0

    def line(self, text: str, place: Place | None = None, indent: int = 0) -> None:
        if place is not None:
            self.places[place] = (self.at + indent, self.at + len(text))
        self.lines.append(text)
        self.at += len(text) + len(self.dialect.line_end)

    def game(self, index: int, game: GameSheet) -> None:
        rows: list[list[tuple[Place, Cell] | None]] = []
        for number, cell in enumerate(game.cells):
            if not rows or rows[-1][1] is not None or (cell.player == 0 and rows[-1][0] is not None):
                rows.append([None, None])
            rows[-1][cell.player] = ((index, "cell", number), cell)
        below = list(enumerate(game.results))
        for number, result in enumerate(game.results):
            left = rows[-1][0] if rows else None
            # Behind a cube action on the left, a result finds a free cell on the right.
            if result.player == 1 and left is not None and rows[-1][1] is None and left[1].text.startswith(" "):
                rows[-1][1] = ((index, "result", number), Cell(1, f" {self._result(result.text)}"))
                below.remove((number, result))
            break
        for number, (left_cell, right_cell) in enumerate(rows, 1):
            self._row(number, self._spelled(left_cell), self._spelled(right_cell))
        for number, result in below:
            margin = " " * (6 if result.player == 0 else self.dialect.width + 7)
            self.line(margin + self._result(result.text), (index, "result", number), len(margin))

    def _spelled(self, cell: tuple[Place, Cell] | None) -> tuple[Place, Cell] | None:
        if cell is None or self.dialect == JELLYFISH:
            return cell
        place, written = cell
        return place, Cell(written.player, in_dialect(written.text, self.dialect, apart=place in self.apart))

    def _result(self, text: str) -> str:
        return text if self.dialect.plural else text.replace("points", "point")

    def _row(self, number: int, left: tuple[Place, Cell] | None, right: tuple[Place, Cell] | None) -> None:
        text = f"{number:3d}) "
        if left:
            self.places[left[0]] = self._span(len(text), left[1].text)
            text += left[1].text
        text = f"{text:<{self.dialect.width + 5}} "
        if right:
            self.places[right[0]] = self._span(len(text), right[1].text)
            text += right[1].text
        self.line(text.rstrip())

    def _span(self, column: int, text: str) -> tuple[int, int]:
        return self.at + column + len(text) - len(text.lstrip()), self.at + column + len(text)


def sheet_of(match: Match) -> Sheet:
    """The sheet of a sound match."""
    lines = write(match).split("\n")
    end = next(at for at, line in enumerate(lines) if line.endswith(" point match"))
    starts: list[str] = []
    for line in lines:
        if line.startswith(" Game "):
            starts.append("")
        elif line.startswith("; Set Pos"):
            starts[-1] = line
    games = [game_sheet(game, start) for game, start in zip(match.games, starts, strict=True)]
    return Sheet(lines[: end + 1], match.players, games)


def game_sheet(game: Game, start: str = "") -> GameSheet:
    """The sheet of one game."""
    assert game.number is not None
    assert game.score is not None
    cells = [Cell(entry.player, cell_text(entry)) for entry in game.entries]
    results = [
        Cell(claim.player, result_text(claim.points or 0, match=claim.match)) for claim in game.results if claim.won
    ]
    return GameSheet(game.number, game.score, cells, results, start)


def cell_text(entry: Entry) -> str:
    """An entry in GNU Backgammon's spelling; the words stand one blank further in than a roll."""
    match entry:
        case CheckerPlay(dice=dice, text=text):
            assert dice is not None
            return roll_text(dice, text.hops)
        case Double(value=value):
            return f" Doubles => {value}"
        case Beaver(value=value, raccoon=raccoon):
            return f" {'Raccoons' if raccoon else 'Beavers'} => {value}"
        case Take():
            return " Takes"
        case Drop():
            return " Drops"
        case Resign():
            return " Resigns"
        case _:
            raise NotImplementedError(entry)


def roll_text(dice: Dice, hops: Iterable[HopText]) -> str:
    """A roll and what was played with it."""
    words = " ".join(map(str, hops)).replace("bar", JELLYFISH.bar).replace("off", JELLYFISH.off)
    return f"{dice[0]}{dice[1]}: {words}".rstrip()


_ROLL = re.compile(r"(\d\d:) ?(.*)")
_HOP = re.compile(r"(\d+)/(\d+)(\*?)")


def in_dialect(text: str, dialect: Dialect, *, apart: bool = False) -> str:
    """A cell as another program writes it; ``apart`` leaves every hop by itself, and a roll without a play as it is."""
    found = _ROLL.fullmatch(text)
    if not found:
        return text
    roll, written = found.groups()
    hops = [_HOP.fullmatch(word) for word in written.split()]
    if not hops:
        return text if apart else f"{roll} {dialect.dance}".rstrip()
    play = [Hop(int(hop[1]), int(hop[2]), bool(hop[3])) for hop in hops if hop]
    if len(play) < len(hops):
        return text
    words = format_play(play, merge=dialect.merge and not apart, stars=dialect.stars)
    return f"{roll} {words.replace('bar', dialect.bar).replace('off', dialect.off)}"


def result_text(points: int, *, match: bool = False) -> str:
    """A stated result."""
    return f"Wins {points} point{'' if points == 1 else 's'}{' and the match' if match else ''}"
