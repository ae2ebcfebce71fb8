"""The order of the games of a match: one missing, one written twice, two in each other's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.decoder.entries import says
from bgtools.record.points import plus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Game

_FEW_ENTRIES: Final = 4
"""Fewer entries than this may be the same by chance."""


def repeats(game: Game, before: Game) -> bool:
    """Whether the score line and all entries of two games are the same."""
    if len(game.entries) < _FEW_ENTRIES or len(game.entries) != len(before.entries) or game.score != before.score:
        return False
    return all(says(one) == says(two) for one, two in zip(game.entries, before.entries, strict=True))


def is_gap(before: Game, after: Game) -> bool:
    """Whether the numbers of two games tell that one is missing between them."""
    return before.number is not None and after.number is not None and after.number != before.number + 1


def stands_late(games: Sequence[Game], index: int) -> bool:
    """Whether a game and the one before it stand in each other's place, by their numbers or by their scores."""
    number, before = games[index].number, games[index - 1].number
    earlier = games[index - 2].number if index > 1 else 0
    if number is not None and before == number + 1 and earlier == number - 1:
        return True
    is_told = index + 1 < len(games) and games[index + 1].score is not None
    return is_told and fits_exchanged(games, index)


def fits_exchanged(games: Sequence[Game], index: int) -> bool:
    """Whether the score lines are the sums of the results if a game and the one before it change places."""
    late, early = games[index], games[index - 1]
    if early.score is None or late.score in (None, early.score):
        return False
    last = games[index + 1].score if index + 1 < len(games) else None
    return (
        late.score == _stated_after(games, index - 2)
        and early.score == _plus_result(late.score, late)
        and last in (None, _plus_result(early.score, early))
    )


def _stated_after(games: Sequence[Game], index: int) -> tuple[int, int] | None:
    """The score after a game by what is written: the last score line, and the results since."""
    since = index
    while since >= 0 and games[since].score is None:
        since -= 1
    score = games[since].score if since >= 0 else (0, 0)
    for at in range(max(since, 0), index + 1):
        score = _plus_result(score, games[at])
    return score


def _plus_result(score: tuple[int, int] | None, game: Game) -> tuple[int, int] | None:
    """A score and the result that a game states."""
    claim = next((each for each in game.results if each.won), None)
    if score is None or claim is None or claim.points is None:
        return None
    return plus(score, claim.player, claim.points)
