"""Writing match logs in the form of the server GamesGrid, ``.sgg``."""

from __future__ import annotations

import calendar
import datetime
import re
from collections import deque
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.formats.content import FormatError
from bgtools.formats.servers.words import MONTHS, NOT_KNOWN
from bgtools.formats.shared.spelling import (
    NO_BLANK,
    NO_NAME,
    Spelling,
    as_recorded,
    in_rows,
    numbered,
    points_word,
    results,
)
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Match,
    Resign,
    SetBoard,
    Take,
    places_of_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.options import Ruleset

_SPELLING = Spelling(between=", ", dance="O-O")
_VARIANTS: Final = {"backgammon": "Backgammon", "nackgammon": "Nackgammon", "hypergammon": "HyperGammon"}
_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds one match."""
    (match,) = matches
    return "\n".join([*_SggWriter(match).lines(), ""]).encode()


class _SggWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [" ".join(name.split()) or NO_NAME for name in match.players]
        # A result names the winner, whom nothing but the name tells apart.
        if len({name.replace(" ", "_").casefold() for name in self.names}) == 1:
            self.names[1] += " 2"

    def lines(self) -> Iterator[str]:
        match = self.match
        yield " vs. ".join(self.names)
        yield from self._date(match.tag("EventDate"))
        yield from self._elo(match.tag("Player 1 Elo"), match.tag("Player 2 Elo"))
        yield from self._options(match.rules)
        for number, game in numbered(match):
            length = f"/{match.length}" if match.length else ""
            one, two = (
                f"{points}{'*' if game.crawford and points + 1 == match.length else ''}" for points in game.score
            )
            if game.index:
                # Only between games: GNU Backgammon breaks down over an empty line, or a site, in the header.
                yield ""
            yield f"Game {number}. {one}-{two}{length}"
            yield from self._game(game)

    # --- the header -------------------------------------------------------------------------

    def _date(self, date: str | None) -> Iterator[str]:
        if not date:
            return
        found = _DATE.fullmatch(date)
        try:
            day = datetime.date(int(found[1]), int(found[2]), int(found[3])) if found else None
        except ValueError:
            day = None
        if day is None:
            # A date without a day needs some weekday before it. Readers find no complete date in such a line.
            yield f"{calendar.day_name[0]}, {' '.join(date.split())}"
        else:
            yield f"{calendar.day_name[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}, {day.year:04}"

    def _elo(self, *ratings: str | None) -> Iterator[str]:
        if any(ratings):
            parts = [NO_BLANK.join((rating or "").split()).partition("/") for rating in ratings]
            yield "ELO: " + " ".join(f"{one or NOT_KNOWN} {two or NOT_KNOWN}" for one, _, two in parts)

    def _options(self, rules: Ruleset) -> Iterator[str]:
        if rules.variant not in _VARIANTS:
            raise FormatError(f"GamesGrid has no {rules.variant}")
        if self.match.length:
            yield f"Crawford: {_yes(rules.crawford)}"
        else:
            if rules.jacoby is not None:
                yield f"Jacoby: {_yes(rules.jacoby)}"
            yield f"Automatic Doubles: {_yes(rules.automatic_doubles)}"
            if rules.beavers is not None:
                yield f"Beavers: {_yes(rules.beavers if rules.beavers < 2 else rules.beavers - 1)}"
                yield f"Raccoons: {_yes(rules.beavers > 1)}"
        yield f"Doubling Cube: {_yes(rules.cube_limit != 1)}"
        yield f"Match Length: {self.match.length or 0}"
        yield f"Variant: {_VARIANTS[rules.variant]}"

    # --- games ------------------------------------------------------------------------------

    def _game(self, game: GameReplay) -> Iterator[str]:
        record = game.game
        if record.start is not None:
            raise FormatError("a GamesGrid log cannot hold a game that begins from a set position")
        comments = deque(zip(places_of_comments(record), record.comments, strict=True))
        # A resignation takes a line of its own. Without it, readers take the game for unfinished.
        loser = other(game.winner) if game.ending == "resigned" and game.winner is not None else None
        told = False
        row = 1
        turns = as_recorded(game)
        for row, turn in in_rows(turns):
            while comments and comments[0][0] <= turn.index:
                yield from _remark(comments.popleft()[1].text)
            if isinstance(turn.entry, Resign) and turn.player == loser:
                if not told:
                    yield _row(row, turn.player, "Resign")
                told = True
                continue
            is_last = turn.player == loser and _gives_up_after(turn, turns)
            for cell in _cells(turn, resigns=is_last):
                yield cell if isinstance(turn.entry, AutomaticDouble) else _row(row, turn.player, cell)
            told = told or (is_last and isinstance(turn.entry, CheckerPlay) and not _play(turn))
        for _, comment in comments:
            yield from _remark(comment.text)
        if loser is not None and not told:
            yield _row(row, loser, "Resign")
        for winner, points in results(game):
            yield f"{self.names[winner].replace(' ', '_')}  wins {points_word(points)}."


def _gives_up_after(turn: Turn, turns: Sequence[Turn]) -> bool:
    """Whether only resignations follow a turn, or nothing."""
    return all(isinstance(each.entry, Resign) for each in turns[turn.index + 1 :])


def _yes(value: int | bool | None) -> str:
    """``Yes`` for 1, ``No`` for 0 and None, and any higher number as it is."""
    return str(value) if value is not None and value > 1 else "Yes" if value else "No"


def _row(number: int, player: int, cell: str) -> str:
    return f"{number}\t{chr(9) * player}{cell}"


def _play(turn: Turn) -> str:
    entry = turn.entry
    return _SPELLING.play(turn) if isinstance(entry, CheckerPlay) else ""


def _cells(turn: Turn, *, resigns: bool) -> Iterator[str]:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            play = _play(turn)
            if not play and resigns:
                yield f"{one}{two}: Resign"
                return
            if play != _SPELLING.dance:
                yield f"{one}{two}: "
            if play:
                yield f"{one}{two}: {play}"
        case Double(value=value):
            yield f"Double to {value}" if value is not None else "Double"
        case Beaver(value=value, raccoon=raccoon):
            word = "Raccoon" if raccoon else "Beaver"
            yield f"{word} to {value}" if value is not None else word
        case Take():
            yield "Accept"
        case Drop():
            yield "Pass"
        case Resign():
            yield "Resign"
        case AutomaticDouble():
            yield "11: Automatic double"
        case SetBoard():
            raise FormatError("a GamesGrid log cannot hold a position that is set in the middle of a game")


def _remark(text: str) -> Iterator[str]:
    # A line that begins with a blank is neither a row, a result nor a heading.
    for line in text.splitlines():
        if line.strip():
            yield " " + " ".join(line.split())
