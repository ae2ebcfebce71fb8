"""Writing match logs in the form of the server TrueMoneyGames, ``.tmg``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.formats.servers.words import TMG_VARIANTS, LineKind
from bgtools.formats.shared.spelling import (
    Spelling,
    as_recorded,
    in_rows,
    name_without_blanks,
    numbered,
    points_word,
    results,
)
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.perspective import Player
    from bgtools.replayer.turn import GameReplay, Turn

_SPELLING = Spelling(bar="25", off="0", dance="0/0")
_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match."""
    (match,) = matches
    return "\n".join([*_TmgWriter(match).lines(), ""]).encode()


class _TmgWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [name_without_blanks(name) for name in match.players]

    def lines(self) -> Iterator[str]:
        if identity := self.match.tag("Match ID"):
            yield f"MatchID: {' '.join(identity.split())}"
        for index, name in enumerate(self.names, 1):
            yield f"Player{index}: {index} {name} 0.00"
        yield from self._date()
        yield from self._options()
        for number, game in numbered(self.match):
            yield f"Game {number}: {game.score[0]}-{game.score[1]}"
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
        if rules.variant not in TMG_VARIANTS:
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
        yield f"Variant: {TMG_VARIANTS.index(rules.variant) + 1}"

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> Iterator[str]:
        if game.game.start is not None:
            raise FormatError("a TrueMoneyGames log cannot hold a game that begins from a set position")
        row = 1
        for row, turn in in_rows(as_recorded(game)):
            for kind, words in _records(turn):
                yield _record(0 if kind == LineKind.AUTOMATIC else row, turn.player, kind, words)
        for winner, points in results(game):
            yield self._wins(row, winner, points, game)

    def _wins(self, row: int, winner: Player, points: int, game: GameReplay) -> str:
        level = game.level or -(-points // game.cube)
        kind = (LineKind.SINGLE, LineKind.GAMMON, LineKind.BACKGAMMON)[min(level, 3) - 1]
        return _record(row, winner, kind, f"{points} {self.names[winner]} wins {points_word(points)}")


def _record(row: int, player: Player, kind: LineKind, words: str) -> str:
    return f"{'-' if player else ' '}{row} {kind.value} {words}".rstrip()


def _records(turn: Turn) -> Iterator[tuple[LineKind, str]]:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            yield LineKind.ROLL, f"{one}{two}:"
            if play := _SPELLING.play(turn):
                yield LineKind.MOVE, play
        case Double(value=value):
            yield LineKind.DOUBLE, f"Double to {2 * turn.state.cube.value if value is None else value}"
        case Beaver(value=value):
            yield LineKind.BEAVER, "Beaver" if value is None else f"Beaver to {value}"
        case AutomaticDouble():
            yield LineKind.AUTOMATIC, f"Automatic to {2 * turn.state.cube.value}"
        case Take():
            yield LineKind.TAKE, "Take"
        case Drop():
            yield LineKind.PASS, "Pass"
        case Resign():
            return  # the result shows the resignation
        case SetBoard():
            raise FormatError("a TrueMoneyGames log cannot hold a position that is set in the middle of a game")
