"""Replaying a record: what its entries mean on the board, turn by turn.

Every entry becomes a `Turn`, whatever is wrong with it; the faults ride along as violations. After
an entry that cannot be, the replay goes on in the reading with which the rest of the game fits best;
`bgtools.recovery` says which readings there are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.game import is_sentinel, replay_game
from bgtools.position import BAR, OFF
from bgtools.record import CheckerPlay, Double
from bgtools.recovery import other
from bgtools.rules import Cube, MatchState
from bgtools.turn import AnyViolation, Ending, GameReplay, OrderViolation, Turn, TurnFault

if TYPE_CHECKING:
    from bgtools.play import HopText
    from bgtools.record import Entry, Game, Match

__all__ = [
    "AnyViolation",
    "Ending",
    "GameReplay",
    "OrderViolation",
    "Turn",
    "TurnFault",
    "is_fixed",
    "is_sentinel",
    "other",
    "replay",
]


def replay(match: Match) -> tuple[GameReplay, ...]:
    """Replay every game of a match. Never raises on content; each game is judged on its own header."""
    length = match.length or 0
    if is_fixed(match):
        match = _in_own_numbering(match)
    replays: list[GameReplay] = []
    score: tuple[int, int] | None = None
    crawford_over = False
    too_many = 0
    for index, game in enumerate(match.games):
        previous = replays[-1] if replays else None
        added_up = previous.score_after if previous and not _is_gap(previous.game, game) else None
        if previous and (previous.winner is None or previous.points is None):
            added_up = None
        score = game.score or added_up or score or (0, 0)
        crawford = False
        if length > 1 and match.rules.crawford and not crawford_over and max(score) == length - 1:
            crawford_over = True
            # A record that begins here may lack the Crawford game itself: a double tells (R41).
            crawford = index > 0 or not any(isinstance(entry, Double) for entry in game.entries)
        following = match.games[index + 1].score if index + 1 < len(match.games) else None
        starter = previous.winner if previous and match.rules.winner_starts else None
        state = MatchState(length, score, Cube(), crawford, match.rules)
        replayed = replay_game(game, index, state, added_up, following, starter)
        if length and added_up and max(added_up) >= length:
            too_many += 1
            replayed = replace(replayed, games_too_many=too_many)
        replays.append(replayed)
    return tuple(replays)


def _is_gap(before: Game, after: Game) -> bool:
    return before.number is not None and after.number is not None and after.number != before.number + 1


# --- fixed numbering ------------------------------------------------------------------------

_FEW_HOPS = 6


def is_fixed(match: Match) -> bool:
    """R02: whether player 1's plays are written in the numbering of player 0.

    As the rules of the match say; where they are silent, when nearly all of his checkers would move
    backwards otherwise.
    """
    if match.rules.fixed is not None:
        return match.rules.fixed
    forwards = backwards = 0
    for game in match.games:
        for entry in game.entries:
            if isinstance(entry, CheckerPlay) and entry.player == 1:
                for hop in entry.text.hops:
                    forwards += hop.points[0] > hop.points[-1]
                    backwards += hop.points[0] < hop.points[-1]
    return backwards >= _FEW_HOPS and backwards > 3 * forwards


def _in_own_numbering(match: Match) -> Match:
    """The match with player 1's plays in his own numbering."""

    def own(entry: Entry) -> Entry:
        if not isinstance(entry, CheckerPlay) or entry.player == 0:
            return entry
        return replace(entry, text=replace(entry.text, hops=tuple(map(_mirrored, entry.text.hops))))

    return replace(match, games=tuple(replace(game, entries=tuple(map(own, game.entries))) for game in match.games))


def _mirrored(hop: HopText) -> HopText:
    first, *between, last = hop.points
    # The bar stands at either end in such records, and so does off.
    start = BAR if first in (OFF, BAR) else BAR - first
    end = OFF if last in (OFF, BAR) else BAR - last
    return replace(hop, points=(start, *(BAR - point for point in between), end))
