"""Matches played by the rules, for tests: the play itself, and players who choose at random.

`play_match` deals the dice, keeps score and cube, and writes the record as it goes; a `Chooser`
decides. `random_match` needs no engine and takes milliseconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from bgtools.board.board import BAR, OFF, START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.board.play import HopText, PlayText
from bgtools.record.record import (
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
    Tag,
    Take,
)
from bgtools.rules.cube import Cube, MatchState, explain_double
from bgtools.rules.options import Ruleset
from bgtools.rules.worth import Level, points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play

Answer = Literal["take", "drop", "beaver"]
_LEVELS: tuple[Level, ...] = (1, 2, 3)


@dataclass(slots=True)
class Table:
    """A match while it is played. ``board`` is seen by player 0."""

    length: int
    rules: Ruleset
    score: list[int] = field(default_factory=lambda: [0, 0])
    crawford: bool = False
    crawford_over: bool = False
    board: Board = START
    on_roll: Player = 0
    cube: int = 1
    owner: Player | None = None

    def view(self, player: Player) -> Board:
        """The board as a player sees it."""
        return self.board if player == 0 else self.board.flipped()

    def state(self, player: Player) -> MatchState:
        """Score and cube as a player sees them."""
        owner: Literal["centre", "mine", "theirs"] = "centre"
        if self.owner is not None:
            owner = "mine" if self.owner == player else "theirs"
        score = (self.score[player], self.score[1 - player])
        return MatchState(self.length, score, Cube(self.cube, owner), self.crawford, self.rules)


class Chooser(Protocol):
    """Whoever decides for the players. Each question is about ``player`` and the board of the table."""

    def double(self, table: Table, player: Player) -> bool: ...

    def answer(self, table: Table, player: Player) -> Answer: ...

    def play(self, table: Table, player: Player, dice: Dice, plays: Sequence[Play]) -> Play: ...

    def resign(self, table: Table, player: Player) -> Level | None: ...


def other(player: Player) -> Player:
    return 1 if player == 0 else 0


def roll(rng: random.Random) -> Dice:
    """Two dice, the higher number first."""
    one, two = rng.randint(1, 6), rng.randint(1, 6)
    return max(one, two), min(one, two)


def play_match(
    chooser: Chooser,
    rng: random.Random,
    length: int,
    *,
    players: tuple[str, str] = ("Ann", "Bob"),
    games: int = 3,
    rules: Ruleset | None = None,
    tags: tuple[Tag, ...] = (),
    comments: tuple[Comment, ...] = (),
    starts: Sequence[Board | None] = (),
) -> Match:
    """Play a match to its end.

    Args:
        chooser: decides for both players.
        rng: deals the dice.
        length: points to win; 0 for a money session.
        players: their names.
        games: how many games a money session has.
        rules: the options; None for the usual ones.
        tags: the header.
        comments: remarks above the match.
        starts: set positions that the first games begin from, seen by player 0; None for the start.
    """
    if rules is None:
        rules = Ruleset() if length else Ruleset(crawford=False, jacoby=None, beavers=None, automatic_doubles=None)
    table = Table(length, rules)
    played: list[Game] = []
    while (max(table.score) < length) if length else (len(played) < games):
        number = len(played) + 1
        start = starts[number - 1] if number <= len(starts) else None
        score = (table.score[0], table.score[1])
        entries, winner, points = _play_game(chooser, rng, table, start)
        table.score[winner] += points
        over = bool(length) and table.score[winner] >= length
        claim = ResultClaim(player=winner, points=points, match=over)
        played.append(Game(number=number, score=score, entries=tuple(entries), results=(claim,), start=start))
    return Match(
        players=players, length=length, games=tuple(played), tags=tags, rules=rules, comments=comments
    )  # fmt: skip


def _play_game(
    chooser: Chooser, rng: random.Random, table: Table, start: Board | None
) -> tuple[list[Entry], Player, int]:
    """One game: its entries, the winner and their points."""
    table.board = start or table.rules.start
    table.cube, table.owner = 1, None
    table.crawford = (
        table.length > 1 and table.rules.crawford and not table.crawford_over and max(table.score) == table.length - 1
    )
    table.crawford_over = table.crawford_over or table.crawford
    entries: list[Entry] = []
    dice = roll(rng)
    while dice[0] == dice[1]:
        dice = roll(rng)
    table.on_roll = 0 if rng.random() < 0.5 else 1
    first = True
    while True:
        player = table.on_roll
        if not first:
            level = chooser.resign(table, player)
            if level is not None:
                return _resigned(rng, entries, table, player, level)
            if explain_double(table.state(player)) is None and chooser.double(table, player):
                entries.append(Double(player=player, value=2 * table.cube))
                answer = chooser.answer(table, other(player))
                if answer == "drop":
                    entries.append(Drop(player=other(player)))
                    return entries, player, table.cube
                table.cube, table.owner = 2 * table.cube, other(player)
                if answer == "beaver":
                    table.cube *= 2
                    entries.append(Beaver(player=other(player), value=table.cube))
                else:
                    entries.append(Take(player=other(player)))
            dice = roll(rng)
        first = False
        plays = legal_plays(table.view(player), dice)
        play = chooser.play(table, player, dice, plays)
        entries.append(CheckerPlay(player=player, dice=dice, text=text_of(play)))
        table.board = play.result if player == 0 else play.result.flipped()
        if (won := winning_level(table.board)) is not None:
            return entries, player, points_won(won, table.state(player))
        table.on_roll = other(player)


def _resigned(
    rng: random.Random, entries: list[Entry], table: Table, player: Player, level: Level
) -> tuple[list[Entry], Player, int]:
    """A resignation as records show them: marked or not, before the roll or after it."""
    if rng.random() < 0.5:
        entries.append(CheckerPlay(player=player, dice=roll(rng), text=PlayText("nothing")))
    if rng.random() < 0.5:
        entries.append(Resign(player=player, level=level))
    return entries, other(player), points_won(level, table.state(other(player)))


def text_of(play: Play) -> PlayText:
    """A play as our own writer has it: every hop by itself, hits marked; nothing for a dance."""
    if not play.hops:
        return PlayText("nothing")
    return PlayText("moves", tuple(HopText((hop.start, hop.end), (hop.hit,)) for hop in play.hops))


# --- players who choose at random -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RandomChooser:
    """Random legal plays and cube actions, so frequent that games stay short."""

    rng: random.Random
    doubling: float = 0.06
    dropping: float = 0.4
    resigning: float = 0.02

    def double(self, table: Table, player: Player) -> bool:
        # A cube that wins the match already gains nothing by being turned.
        is_dead = table.length and table.length - table.score[player] <= table.cube
        return not is_dead and table.cube < 64 and self.rng.random() < self.doubling

    def answer(self, table: Table, player: Player) -> Answer:
        if self.rng.random() < self.dropping:
            return "drop"
        if table.rules.beavers and not table.length and self.rng.random() < 0.3:
            return "beaver"
        return "take"

    def play(self, table: Table, player: Player, dice: Dice, plays: Sequence[Play]) -> Play:
        return self.rng.choice(plays)

    def resign(self, table: Table, player: Player) -> Level | None:
        if self.rng.random() >= self.resigning:
            return None
        # Whoever has borne off a checker cannot lose a gammon (R20).
        return 1 if table.view(player).mine[OFF] else self.rng.choice(_LEVELS)


def random_position(rng: random.Random) -> Board:
    """A position late in a game: few checkers, mostly in the home boards, possibly in contact."""
    mine: dict[int, int] = {}
    for _ in range(rng.randint(1, 6)):
        point = rng.choice((1, 2, 3, 4, 5, 6, rng.randint(7, 24), BAR if rng.random() < 0.1 else 6))
        mine[point] = mine.get(point, 0) + 1
    theirs: dict[int, int] = {}
    free = [point for point in range(1, 19) if BAR - point not in mine]
    for _ in range(rng.randint(1, 15)):
        point = rng.choice(free)
        theirs[point] = theirs.get(point, 0) + 1
    return Board(checkers(mine), checkers(theirs))


def random_match(
    seed: int,
    length: int,
    *,
    games: int = 3,
    rules: Ruleset | None = None,
    set_positions: bool = False,
    resigning: float = 0.02,
    doubling: float = 0.06,
) -> Match:
    """A match of random legal plays and cube actions: no engine, and nothing in it against the rules.

    Args:
        seed: the same seed gives the same match.
        length: points to win; 0 for a money session.
        games: how many games a money session has.
        rules: the options; None for Crawford in a match, and beavers or Jacoby by chance in money.
        set_positions: let every other game begin from a late position (a ``Set Pos`` line in match
            text), so that games are borne off and gammons won within few rolls.
        resigning: how often a player gives up before their roll.
        doubling: how often a player doubles when they may.
    """
    rng = random.Random(seed)
    if rules is None:
        rules = Ruleset(crawford=bool(length))
        if not length:
            # None where the record is to be silent.
            jacoby, beavers = rng.random() < 0.5 or None, 2 if rng.random() < 0.5 else None
            rules = replace(rules, jacoby=jacoby, beavers=beavers, automatic_doubles=None)
    tags = [Tag(key="Event", value=f"Random match {seed}")]
    if rules.jacoby:
        tags.append(Tag(key="Jacoby", value="On"))
    if rules.beavers:
        tags.append(Tag(key="Beaver", value="On"))
    if length and not rules.crawford:
        tags.append(Tag(key="Crawford", value="Off"))
    if rules.cube_limit:
        tags.append(Tag(key="CubeLimit", value=str(rules.cube_limit)))
    starts = [random_position(rng) if set_positions and number % 2 else None for number in range(2 * (length or games))]
    chooser = RandomChooser(rng, doubling=doubling, resigning=resigning)
    return play_match(chooser, rng, length, games=games, rules=rules, tags=tuple(tags), starts=starts)
