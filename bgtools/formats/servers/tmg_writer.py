"""Writing match logs as the server TrueMoneyGames did, ``.tmg``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bgtools.board import other
from bgtools.formats.content import FormatError
from bgtools.formats.servers.tmg import VARIANTS, Kind
from bgtools.formats.shared.spelling import Spelling, name_without_blanks, points_word
from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.replayer import replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board import Player
    from bgtools.replayer import GameReplay, Turn

_SPELLING = Spelling(bar="25", off="0", dance="0/0")
_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match."""
    (match,) = matches
    return "\n".join([*_Writer(match).lines(), ""]).encode()


class _Writer:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [name_without_blanks(name) for name in match.players]

    def lines(self) -> Iterator[str]:
        if number := self.match.tag("Match ID"):
            yield f"MatchID: {' '.join(number.split())}"
        for index, name in enumerate(self.names, 1):
            yield f"Player{index}: {index} {name} 0.00"
        yield from self._date()
        yield from self._options()
        number_of_game = 0
        for game in replay(self.match):
            stated = game.game.number
            number_of_game = stated if stated is not None else number_of_game + 1
            yield f"Game {number_of_game}: {game.score[0]}-{game.score[1]}"
            yield from self._game(game)

    def _date(self) -> Iterator[str]:
        date, time = self.match.tag("EventDate"), self.match.tag("EventTime")
        if date and (found := _DATE.fullmatch(date)):
            together = time and " " not in time and time.isprintable()
            yield f"Startdate: {'-'.join(found.groups())}{f' {time}' if together else ''}"
            date, time = None, None if together else time
        if date:
            yield f"EventDate: {' '.join(date.split())}"
        if time:
            yield f"EventTime: {' '.join(time.split())}"

    def _options(self) -> Iterator[str]:
        rules = self.match.rules
        if rules.variant not in VARIANTS:
            raise FormatError(f"TrueMoneyGames has no {rules.variant}")
        if self.match.length:
            yield f"Crawford: {int(rules.crawford)}"
        else:
            if rules.jacoby is not None:
                yield f"Jacoby: {int(rules.jacoby)}"
            yield f"Automatics: {rules.automatic_doubles or 0}"
            if rules.beavers is not None:
                raccoons = int(rules.beavers > 1)
                yield f"Beavers: {rules.beavers - raccoons}"
                yield f"Raccoons: {raccoons}"
        yield f"Cube: {int(rules.cube_limit != 1)}"
        if rules.cube_limit is not None and rules.cube_limit != 1:
            yield f"MaxCube: {rules.cube_limit}"
        yield f"Length: {self.match.length or 0}"
        yield f"Variant: {VARIANTS.index(rules.variant) + 1}"

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> Iterator[str]:
        if game.game.start is not None:
            raise FormatError("a TrueMoneyGames log has no place for a game that begins from a set position")
        row, before = 1, -1
        for turn in game.turns:
            if turn.player == 0 and before == 1:
                row += 1
            before = turn.player
            for kind, words in _records(turn):
                number = 0 if kind == Kind.AUTOMATIC else row
                yield _record(number, turn.player, kind, words)
        for claim in game.game.results:
            winner = claim.player if claim.won else other(claim.player)
            if claim.won and not claim.column_speaks and game.winner is not None:
                winner = game.winner
            yield self._wins(row, winner, claim.points or game.points or game.cube, game)
        if not game.game.results and game.winner is not None:
            yield self._wins(row, game.winner, game.points or game.cube, game)

    def _wins(self, row: int, winner: Player, points: int, game: GameReplay) -> str:
        level = game.level or -(-points // game.cube)
        kind = (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)[min(level, 3) - 1]
        return _record(row, winner, kind, f"{points} {self.names[winner]} wins {points_word(points)}")


def _record(row: int, player: Player, kind: Kind, words: str) -> str:
    return f"{'-' if player else ' '}{row} {kind.value} {words}".rstrip()


def _records(turn: Turn) -> Iterator[tuple[Kind, str]]:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            yield Kind.ROLL, f"{one}{two}:"
            if play := _SPELLING.play(turn):
                yield Kind.MOVE, play
        case Double(value=value):
            yield Kind.DOUBLE, f"Double to {2 * turn.state.cube.value if value is None else value}"
        case Beaver(value=value):
            yield Kind.BEAVER, "Beaver" if value is None else f"Beaver to {value}"
        case AutomaticDouble():
            yield Kind.AUTOMATIC, f"Automatic to {2 * turn.state.cube.value}"
        case Take():
            yield Kind.TAKE, "Take"
        case Drop():
            yield Kind.PASS, "Pass"
        case Resign():
            return  # the result tells it
        case SetBoard():
            raise FormatError("a TrueMoneyGames log has no place for a position that is set in the middle of a game")
