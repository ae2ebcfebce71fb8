"""What the writers of text formats share: plays hop by hop, names, numbers of games and rows, results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import mirrored, other
from bgtools.record.record import CheckerPlay, Resign, ResultClaim
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn

NO_BLANK = "\N{NO-BREAK SPACE}"
"""The sign for a blank in a name, where a blank would end the name. Readers take it for a blank."""

NO_NAME = "-"
"""The sign for an empty name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How a format writes a play.

    Attributes:
        bar, off: the words for bar and off.
        joint: the sign between the points of a hop.
        between: the sign between hops.
        dance: the words for a dance.
    """

    bar: str = "bar"
    off: str = "off"
    joint: str = "/"
    between: str = " "
    dance: str = ""

    def play(self, turn: Turn, *, fixed: bool = False) -> str:
        """The text of a play, with every hop by itself. An illegal play is copied from the record.

        Args:
            turn: a checker play.
            fixed: whether to write points in the other player's numbering.
        """
        entry = turn.entry
        assert isinstance(entry, CheckerPlay)
        text = entry.text
        if turn.play is not None and text.kind in ("nothing", "dance", "moves"):
            ways: list[tuple[int, ...]] = [(hop.start, hop.end) for hop in turn.play.hops]
        elif text.kind == "moves":
            ways = [hop.points for hop in text.hops for _ in range(hop.count)]
        else:
            return self._words(text)
        hops = [self.joint.join(self._point(point, fixed=fixed) for point in way) for way in ways]
        return self.between.join(hops) or self.dance

    def _words(self, text: PlayText) -> str:
        if text.kind == "dance":
            return self.dance
        return " ".join(str(text).split())

    def _point(self, point: int, *, fixed: bool) -> str:
        if point == BAR:
            return self.bar
        if point == OFF:
            return self.off
        return str(mirrored(point) if fixed else point)


def name_without_blanks(name: str) -> str:
    """A name for a format in which a blank ends names."""
    return NO_BLANK.join(name.split()) or NO_NAME


def name_of(text: str) -> str:
    """The name that a file writes with `NO_BLANK` and `NO_NAME`."""
    return "" if text == NO_NAME else " ".join(text.split())


def points_word(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point{'' if points == 1 else 's'}"


def numbered(match: Match) -> Iterator[tuple[int, GameReplay]]:
    """The games of a match with their numbers. A game without a number gets the next one after the game before it."""
    number = 0
    for game in replay(match):
        number = game.game.number if game.game.number is not None else number + 1
        yield number, game


def as_recorded(game: GameReplay) -> tuple[Turn, ...]:
    """The turns in the order and columns of the record, without the replay's readings: writers correct no slips."""
    if game.is_sound:
        return game.turns
    return tuple(
        turn if turn.entry == (entry := game.game.entries[turn.index]) else _standing(turn, entry)
        for turn in sorted(game.turns, key=lambda each: each.index)
    )


def _standing(turn: Turn, entry: Entry) -> Turn:
    """A turn with the entry of the record, in place of the one that the replay reads."""
    same = replace(turn.entry, player=entry.player) == entry
    return turn._replace(player=entry.player, entry=entry, play=turn.play if same else None)


def in_rows(turns: Iterable[Turn]) -> Iterator[tuple[int, Turn]]:
    """Turns with the numbers of their rows. In a row, player 0 comes before player 1."""
    row, before = 1, -1
    for turn in turns:
        row += turn.player == 0 and before == 1
        before = turn.player
        yield row, turn


def column_of(claim: ResultClaim, game: GameReplay) -> Player:
    """The player in whose column a result belongs: by the record, or by the replay where its layout does not say."""
    if claim.won and not claim.column_speaks and game.winner is not None:
        return game.winner
    return claim.player


def winner_of(claim: ResultClaim, game: GameReplay) -> Player:
    """The winner that a result states."""
    player = column_of(claim, game)
    return player if claim.won else other(player)


def stated_results(game: GameReplay) -> tuple[ResultClaim, ...]:
    """The results that the record states, with points where only the level of a resignation gives them."""
    record = game.game
    last = record.entries[-1] if record.entries else None
    if game.winner is None or game.points is None or not isinstance(last, Resign) or last.level in (None, 1):
        return record.results
    if not record.results:
        return (ResultClaim(player=game.winner, points=game.points),)
    return tuple(replace(each, points=game.points) if each.points is None else each for each in record.results)


def results(game: GameReplay) -> Iterator[tuple[Player, int]]:
    """Winners and points: as the record states them, or else as the replay finds them."""
    for claim in game.game.results:
        yield winner_of(claim, game), claim.points or game.points or game.cube
    if not game.game.results and game.winner is not None:
        yield game.winner, game.points or game.cube
