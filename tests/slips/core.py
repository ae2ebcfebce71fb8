"""What every planted slip needs: the sound match, the slip with its right answer, and how a game goes on."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import explain, resolve
from bgtools.board.violation import Violation
from bgtools.formats.mat.dialects import JELLYFISH, Dialect
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay, Double, Game, Match
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from selfplay import Table, other, random_match
from slips.players import Club, club_match, finished, games_on, play_on
from slips.sheet import Cell, GameSheet, Page, Place, Sheet, game_sheet, sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText
    from bgtools.record.record import Entry
    from bgtools.replayer.turn import GameReplay, Turn

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"

Flavour = Literal["misread", "stood"]
"""Whether the rest of the record follows from what truly happened, or from the slip."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A match text with one slip in it, and what a referee should say.

    Attributes:
        kind: a name of `slips.KINDS`.
        flavour: ``misread`` or ``stood``.
        source: the sound match.
        side: whose entry is wrong.
        text: the match text.
        spans: the places in it that a finding may point at.
        codes: the codes that say what is wrong.
        reading: ``stood`` or ``misread`` where the rest of the game tells; else empty.
        note: what was done, for whoever looks into it.
        sound: the text without the slip; empty where the rest of the match follows from it.
    """

    kind: str
    flavour: Flavour
    source: str
    side: Player
    text: str
    spans: tuple[tuple[int, int], ...]
    codes: frozenset[str]
    reading: str = ""
    note: str = ""
    sound: str = ""

    @property
    def line(self) -> int:
        """The line where the slip stands, from 1."""
        return self.text.count("\n", 0, self.spans[0][0]) + 1


@dataclass(frozen=True)
class Source:
    """A sound match, as it reads back from its own text."""

    name: str
    match: Match

    @cached_property
    def sheet(self) -> Sheet:
        return sheet_of(self.match)

    @cached_property
    def games(self) -> tuple[GameReplay, ...]:
        return replay(self.match)

    @cached_property
    def scores(self) -> list[tuple[int, int]]:
        return [game.score for game in self.games]


def sound(name: str, match: Match) -> Source:
    """A source whose record is what is in its text."""
    back = read_source(write(match).encode(), f"{name}.mat")[0]
    source = Source(name, back)
    assert not any(turn.violations for game in source.games for turn in game.turns), name
    return source


def sources(seed: int, variant: str = "backgammon") -> Iterator[Source]:
    """Sound matches without end: the samples, then generated ones from ``seed`` on; of a variation only the latter."""
    for file in ("seven-point.mat", "money.mat", "one-point.mat") if variant == "backgammon" else ():
        yield sound(file.removesuffix(".mat"), read_source((SAMPLES / file).read_bytes(), file)[0])
    for number in range(seed * 1000, seed * 1000 + 1000):
        length = (7, 0, 5, 0, 3, 0, 9, 0)[number % 8]
        rules = Ruleset(crawford=bool(length), holland=number % 4 == 2, variant=variant)
        if not length:
            rules = Ruleset(crawford=False, jacoby=number % 4 == 1, beavers=number // 2 % 2, variant=variant)
        quiet = rules.holland or (rules.jacoby and number % 3 != 0)
        match = club_match(
            number,
            length,
            games=9 if quiet else 3 + number % 4,
            rules=rules,
            boldness=0.01 if quiet else (0.5, 0.15, 0.02)[number % 3],
            set_positions=number % 8 == 7,
        )
        yield sound(f"club-{number}", match)


def _without_last_roll(game: Game) -> Game:
    """A game without the roll after which somebody gave up."""
    entries = tuple(
        entry
        for at, entry in enumerate(game.entries)
        if not isinstance(entry, CheckerPlay)
        or entry.text.hops
        or any(isinstance(each, CheckerPlay | Double) for each in game.entries[at + 1 :])
    )
    return replace(game, entries=entries)


def varied_sources(seed: int) -> Iterator[Source]:
    """Sound matches with all that the usual ones lack: resignations, variations, no Crawford rule, many cubes."""
    for file in ("seven-point.mat", "money.mat"):
        yield sound(file.removesuffix(".mat"), read_source((SAMPLES / file).read_bytes(), file)[0])
    variants = ("backgammon", "nackgammon", "backgammon", "hypergammon", "backgammon", "longgammon")
    for number in range(seed * 1000, seed * 1000 + 1000):
        length = (7, 0, 5, 0, 11, 3, 0)[number % 7]
        variant = variants[number % 6]
        rules = Ruleset(crawford=bool(length) and number % 4 != 0, variant=variant)
        if not length:
            jacoby, beavers = number % 3 == 1, number // 2 % 2
            rules = Ruleset(crawford=False, jacoby=jacoby, beavers=beavers, variant=variant)
        if number % 2:
            match = club_match(number, length, games=6, rules=rules, boldness=(0.5, 0.2)[number % 4 > 1])
        else:
            resigning = 0.02 if variant != "hypergammon" else 0.1
            match = random_match(number, length, games=6, rules=rules, resigning=resigning)
            # A last roll that nothing was played with is not a dance, as other dialects would have it.
            match = replace(match, games=tuple(map(_without_last_roll, match.games)))
        yield sound(f"varied-{number}", match)


@dataclass
class Bench:
    """Where one slip is planted: a source, the side that errs, the flavour, the dice for it, the dialect."""

    kind: str
    codes: frozenset[str]
    source: Source
    side: Player
    flavour: Flavour
    rng: random.Random
    dialect: Dialect = JELLYFISH
    sheet: Sheet = field(init=False)

    def __post_init__(self) -> None:
        self.sheet = self.source.sheet.copy()

    @property
    def stood(self) -> bool:
        return self.flavour == "stood"

    # --- finding a place --------------------------------------------------------------------

    def turns(self, *, either: bool = False) -> list[tuple[int, Turn]]:
        """The rolls of this side, with the number of their game, in random order."""
        found = [
            (at, turn)
            for at, game in enumerate(self.source.games)
            for turn in game.turns
            if isinstance(turn.entry, CheckerPlay) and (either or turn.player == self.side)
        ]
        self.rng.shuffle(found)
        return found

    def entries(self, game: int) -> tuple[Entry, ...]:
        return self.source.match.games[game].entries

    def replays(self, board: Board, entries: Sequence[Entry]) -> bool:
        """Whether every roll of ``entries`` is legal from this board, seen by player 0."""
        for entry in entries:
            if not isinstance(entry, CheckerPlay) or entry.dice is None:
                continue
            if board.is_over or not are_dice(entry.dice):
                return False
            view = board if entry.player == 0 else board.flipped()
            if entry.text.hops:
                found = resolve(view, entry.dice, entry.text.hops)
                if isinstance(found, Violation):
                    return False
                view = found.result
            elif legal_plays(view, entry.dice)[0].hops:
                return False
            board = view if entry.player == 0 else view.flipped()
        return True

    # --- making the slip --------------------------------------------------------------------

    def slip(
        self, sheet: Sheet, *places: Place, note: str, reading: str = "", codes: Sequence[str] = (), apart: bool = False
    ) -> Slip:
        """The slip that a sheet shows at these places; ``apart`` where the hops in them are not to be joined."""
        page = sheet.page(self.dialect, places if apart else ())
        return self.printed(page, *places, note=note, reading=reading, codes=codes)

    def printed(self, page: Page, *places: Place, note: str, reading: str = "", codes: Sequence[str] = ()) -> Slip:
        spans = tuple(page.places[place] for place in places)
        return Slip(
            self.kind, self.flavour, self.source.name, self.side, page.text, spans,
            frozenset(codes) or self.codes, reading, note, "" if self.stood else self.sheet.page(self.dialect).text,
        )  # fmt: skip

    def rewrite(self, game: int, index: int, text: str, *, reading: str = "") -> Slip:
        """One cell written wrongly, all else as it was."""
        sheet = self.sheet.copy()
        cell = sheet.games[game].cells[index]
        note = f"{cell.text.strip()} became {text.strip()}"
        cell.text = text
        return self.slip(sheet, (game, "cell", index), note=note, reading=reading, apart=True)

    def table(self, game: int, turn: Turn) -> Table:
        """The table before an entry, its player on roll."""
        before = self.source.games[game]
        state = turn.state
        owner = None
        if state.cube.owner != "centre":
            owner = turn.player if state.cube.owner == "mine" else other(turn.player)
        return Table(
            length=self.source.match.length or 0,
            rules=self.source.match.rules,
            score=list(before.score),
            crawford=before.crawford,
            crawford_over=any(one.crawford for one in self.source.games[: game + 1]),
            board=turn.before if turn.player == 0 else turn.before.flipped(),
            on_roll=turn.player,
            cube=state.cube.value,
            owner=owner,
        )

    def go_on(
        self,
        game: int,
        table: Table,
        entries: Sequence[Entry],
        *,
        ended: tuple[Player, int] | None = None,
        change: Callable[[GameSheet], None] | None = None,
    ) -> Sheet:
        """The sheet of a match whose game goes on from the table after ``entries``, by the rules from there.

        Args:
            game: which game.
            table: as it stands after the entries.
            entries: what has happened in the game so far, slip included.
            ended: winner and points, when the entries end the game.
            change: what to do to the sheet of this game.
        """
        club = Club(self.rng)
        record = self.source.match.games[game]
        now = list(entries)
        winner, points = ended or play_on(club, table, now)
        score = self.source.games[game].score
        done = finished(table, game + 1, score, now, winner, points, record.start)
        total = len(self.source.match.games)
        played = games_on(club, table, (*self.source.match.games[:game], done), total)
        sheet = self.sheet.copy()
        sheet.games[game:] = [game_sheet(one) for one in played[game:]]
        sheet.games[game].start = self.sheet.games[game].start
        if change:
            change(sheet.games[game])
        return sheet

    def stand(self, game: int, turn: Turn, entry: CheckerPlay, result: Board, note: str) -> Iterator[Slip]:
        """The slip of an illegal play that stood: the rest of the match is played from the board it left."""
        if result.is_over:
            return
        table = self.table(game, turn)
        table.board = result if turn.player == 0 else result.flipped()
        table.on_roll = other(turn.player)
        entries = [*self.entries(game)[: turn.index], entry]
        sheet = self.go_on(game, table, entries)
        # A last roll that nothing follows tells nothing of how the game went on.
        goes_on = any(cell.text[:1].isdigit() for cell in sheet.games[game].cells[len(entries) :])
        reading = "stood" if goes_on else ""
        yield self.slip(sheet, (game, "cell", turn.index), note=note, reading=reading, apart=True)

    def written_reading(self, game: int, turn: Turn, result: Board | None) -> str:
        """What the rest of the game tells of a misread play that, as written, leaves this board."""
        rest = self.entries(game)[turn.index + 1 :]
        if not any(isinstance(entry, CheckerPlay) for entry in rest):
            return ""
        if result is None:
            return "misread"
        board = result if turn.player == 0 else result.flipped()
        return "" if self.replays(board, rest) else "misread"


def is_illegal(turn: Turn, dice: Dice, hops: Sequence[HopText]) -> bool:
    """Whether the rules forbid what is written; a play of no hops is judged by the plays there are."""
    if not hops:
        return bool(legal_plays(turn.before, dice)[0].hops)
    return explain(turn.before, dice, hops) is not None


__all__ = ["Bench", "Cell", "Flavour", "Slip", "Source", "is_illegal", "sources"]
