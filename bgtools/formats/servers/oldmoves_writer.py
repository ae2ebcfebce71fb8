"""Writing games as the command ``oldmoves`` of the server FIBS prints them. Player 0 is X in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.formats.shared.spelling import NO_NAME, Spelling, as_recorded, points_word, stated_results, winner_of
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.replayer.turn import GameReplay, Turn

_SPELLING = Spelling(joint="-", dance="can't move")
_SIDES = "XO"


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds some matches."""
    lines = [line for match in matches for line in _match(match)]
    return "\n".join([*lines, ""]).encode()


def _match(match: Match) -> Iterator[str]:
    one, two = (" ".join(name.split()) or NO_NAME for name in match.players)
    for game in replay(match):
        if game.game.start is not None:
            raise FormatError("oldmoves cannot hold a game that begins from a set position")
        kind = f"{match.length} point match" if match.length else "money game"
        yield f"Score is {game.score[0]}-{game.score[1]} in a {kind}."
        yield f"{one} is X - {two} is O"
        for turn in as_recorded(game):
            _refuse_own_beaver(turn, game)
            if words := _words(turn):
                yield f"{_SIDES[turn.player]}: {words}"
        yield from _result(game)
        yield ""


def _refuse_own_beaver(turn: Turn, game: GameReplay) -> None:
    """Refuse two offers by one player in a row: "doubles" stands for both, and would be read as two doubles."""
    before = game.game.entries[turn.index - 1] if turn.index else None
    own = isinstance(before, Double | Beaver) and before.player == turn.entry.player
    if own and isinstance(turn.entry, Beaver):
        raise FormatError("oldmoves cannot hold a beaver by the player who has just doubled")


def _words(turn: Turn) -> str:
    match turn.entry:
        case CheckerPlay(dice=dice):
            one, two = dice or (0, 0)
            # The plays of X are written in O's numbering, so they go to higher points.
            return f"({one} {two}) {_SPELLING.play(turn, fixed=turn.player == 0)}".rstrip()
        case Double() | Beaver():
            return "doubles"
        case Take():
            return "accepts"
        case Drop():
            return "rejects"
        case Resign():
            return "wants to resign"
        case AutomaticDouble():
            return ""  # not written; a conversion reports it as lost
        case SetBoard():
            raise FormatError("oldmoves cannot hold a position that is set in the middle of a game")


def _result(game: GameReplay) -> Iterator[str]:
    for claim in stated_results(game):
        yield f"{_SIDES[winner_of(claim, game)]}: wins{'' if claim.points is None else f' {points_word(claim.points)}'}"
    if not game.game.results and game.winner is not None and game.points is not None:
        yield f"{_SIDES[game.winner]}: wins {points_word(game.points)}"
