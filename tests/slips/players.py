"""Players quick enough to make matches by the dozen, and play that goes on from any board.

Unlike `selfplay.play_match`, a game can be taken up in the middle: that is how the rest of a game is
made after an illegal play that stood.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, Board
from bgtools.board.generation import legal_plays
from bgtools.board.perspective import mirrored
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Entry, Game, Match, ResultClaim, Tag, Take
from bgtools.rules.cube import explain_double
from bgtools.rules.options import Ruleset
from bgtools.rules.worth import points_won, winning_level
from selfplay import Table, other, random_position, roll, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play

NAMES = ("Ada Quill", "Ben Ortega")


@dataclass(slots=True)
class Club:
    """Two club players: they make points, hit, avoid blots, double when ahead in the race.

    ``boldness`` is how readily they turn the cube; 0 leaves it in the middle, so that games are
    played to their end and gammons are won.
    """

    rng: random.Random
    boldness: float = 0.5

    def play(self, plays: Sequence[Play]) -> Play:
        """The play that looks best, seen a little differently every time."""
        if len(plays) == 1:
            return plays[0]
        return max(plays, key=lambda play: self._worth(play.result) + self.rng.random())

    def _worth(self, after: Board) -> float:
        mine, theirs = after.mine, after.theirs
        worth = 3.0 * theirs[BAR] + 2.0 * mine[OFF] - 0.04 * sum(point * mine[point] for point in range(13, 25))
        for point in range(1, BAR):
            if mine[point] >= 2:
                worth += 1.2 if point <= 8 else 0.5
                worth -= 0.3 * max(mine[point] - 3, 0)
            elif mine[point] and any(theirs[at] for at in range(mirrored(point) + 1, BAR + 1)):
                worth -= 0.6 + 0.03 * mirrored(point)
        return worth

    def doubles(self, board: Board) -> bool:
        mine, theirs = board.pips
        return theirs - mine > 0.08 * mine and self.rng.random() < self.boldness

    def takes(self, board: Board) -> bool:
        """Whether the other player, who is at ``board.theirs``, keeps the game going."""
        mine, theirs = board.pips
        return theirs - mine < 0.18 * mine or self.rng.random() < 0.3

    def beavers(self) -> bool:
        return self.rng.random() < 0.25


def play_on(club: Club, table: Table, entries: list[Entry], *, dice: Dice | None = None) -> tuple[Player, int]:
    """Play a game to its end from where the table stands; the entries are added as they happen.

    Args:
        club: decides for both players.
        table: the board, the cube and who is on roll.
        entries: what has happened so far.
        dice: the roll that is due, where it is known already; nobody may double before it.

    Returns:
        The winner and their points.
    """
    rng = club.rng
    while True:
        player = table.on_roll
        if dice is None:
            state = table.state(player)
            may = explain_double(state) is None and not state.is_cube_dead and table.cube < 64
            may = may and not _is_too_soon(table, entries)
            if may and club.doubles(table.view(player)):
                entries.append(Double(player=player, value=2 * table.cube))
                if not club.takes(table.view(player)):
                    entries.append(Drop(player=other(player)))
                    return player, table.cube
                table.cube, table.owner = 2 * table.cube, other(player)
                if not table.length and table.rules.beavers and club.beavers():
                    table.cube *= 2
                    entries.append(Beaver(player=other(player), value=table.cube))
                else:
                    entries.append(Take(player=other(player)))
            dice = roll(rng)
        play = club.play(legal_plays(table.view(player), dice))
        entries.append(CheckerPlay(player=player, dice=dice, text=text_of(play)))
        table.board = play.result if player == 0 else play.result.flipped()
        if (won := winning_level(table.board)) is not None:
            return player, points_won(won, table.state(player))
        table.on_roll = other(player)
        dice = None


def _is_too_soon(table: Table, entries: Sequence[Entry]) -> bool:
    """Whether the Holland rule forbids to double yet (R43)."""
    if not table.rules.holland or table.crawford or not table.crawford_over:
        return False
    rollers = [entry.player for entry in entries if isinstance(entry, CheckerPlay)]
    return min(rollers.count(0), rollers.count(1)) < 2


def games_on(
    club: Club, table: Table, before: Sequence[Game], games: int, starts: Sequence[Board | None] = ()
) -> tuple[Game, ...]:
    """Play the games of a match that are still to come, with ``table.score`` as it stands."""
    played = list(before)
    while (max(table.score) < table.length) if table.length else (len(played) < games):
        start = starts[len(played)] if len(played) < len(starts) else None
        set_up(table, start)
        table.on_roll = 0 if club.rng.random() < 0.5 else 1
        dice = roll(club.rng)
        while dice[0] == dice[1]:
            dice = roll(club.rng)
        score = (table.score[0], table.score[1])
        entries: list[Entry] = []
        winner, points = play_on(club, table, entries, dice=dice)
        played.append(finished(table, len(played) + 1, score, entries, winner, points, start))
    return tuple(played)


def set_up(table: Table, start: Board | None = None) -> None:
    """The board of a new game, the cube in the middle."""
    table.board = start or table.rules.start
    table.cube, table.owner = 1, None
    at_last = table.length > 1 and table.rules.crawford and max(table.score) == table.length - 1
    table.crawford = at_last and not table.crawford_over
    table.crawford_over = table.crawford_over or table.crawford


def finished(
    table: Table,
    number: int,
    score: tuple[int, int],
    entries: Sequence[Entry],
    winner: Player,
    points: int,
    start: Board | None = None,
) -> Game:
    """The record of a game that is over; its points are added to the score of the table."""
    table.score[winner] += points
    over = bool(table.length) and table.score[winner] >= table.length
    claim = ResultClaim(player=winner, points=points, match=over)
    return Game(number=number, score=score, entries=tuple(entries), results=(claim,), start=start)


def club_match(
    seed: int,
    length: int,
    *,
    games: int = 4,
    rules: Ruleset | None = None,
    boldness: float = 0.5,
    set_positions: bool = False,
) -> Match:
    """A sound match of two club players, the same for the same seed.

    Args:
        seed: of dice and decisions.
        length: points to win; 0 for a money session.
        games: how many games a money session has.
        rules: the options; None for the usual ones.
        boldness: how readily the cube is turned.
        set_positions: let every other game begin from a late position.
    """
    rng = random.Random(seed)
    rules = rules or Ruleset(crawford=bool(length))
    starts = [random_position(rng) if set_positions and number % 2 == 0 else None for number in range(30)]
    played = games_on(Club(rng, boldness), Table(length, rules), (), games, starts)
    tags = [Tag(key="Event", value=f"Club match {seed}")]
    if rules.jacoby:
        tags.append(Tag(key="Jacoby", value="On"))
    if rules.beavers:
        tags.append(Tag(key="Beaver", value="On"))
    if rules.holland:
        tags.append(Tag(key="Holland", value="On"))
    return Match(players=NAMES, length=length, games=played, tags=tuple(tags), rules=rules)
