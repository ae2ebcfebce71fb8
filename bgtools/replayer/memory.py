"""Remembering games that have been replayed, for a record that is replayed after every change of its text."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from bgtools.record.record import NOWHERE, CheckerPlay, places_of_comments
from bgtools.replayer import game as games
from bgtools.replayer.turn import Turns

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Game, ResultClaim
    from bgtools.replayer.budget import Budget
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import MatchState

_MOST: Final = 256
"""How many games are remembered. A record that is being typed has fewer games that are not sound."""


class Memory:
    """Replays of games in which something is wrong, for the same game in a later version of the record.

    A sound game takes a fraction of a millisecond, one with a slip up to a second. The game may have moved in the text:
    its replay gets the new places.
    """

    def __init__(self, most: int = _MOST) -> None:
        """Remember nothing yet, and never more than so many games."""
        self.most = most
        self._known: dict[object, list[tuple[tuple[int, int], tuple[int, int], GameReplay]]] = {}

    def replay_game(
        self,
        game: Game,
        index: int,
        state: MatchState,
        added_up: tuple[int, int] | None,
        following: tuple[int, int] | None,
        starter: Player | None,
        budget: Budget,
        *,
        exact: bool = True,
    ) -> GameReplay:
        """Replay a game as `bgtools.replayer.game.replay_game` does, or give the replay that is remembered.

        Args:
            game, index, state, added_up, following, starter, budget: as there.
            exact: use a remembered replay only if it was made with the same budget, so that the match is replayed just
                as without a memory. Otherwise a game keeps the reading that was found with the largest budget.
        """
        asked = (_content(game), state, added_up, following, starter)
        before = budget.left, budget.allowance
        for had, left, known in self._known.get(asked, ()):
            if had == before or not exact:
                if exact:
                    budget.left, budget.allowance = left
                return _moved(known, game, index)
        made = games.replay_game(game, index, state, added_up, following, starter, budget)
        if not made.is_sound:
            while len(self._known) >= self.most:
                del self._known[next(iter(self._known))]
            kept = [each for each in self._known.pop(asked, ()) if each[0] != before]
            self._known[asked] = sorted([*kept, (before, (budget.left, budget.allowance), made)], reverse=True,
                                        key=lambda each: each[0])[:_WAYS]  # fmt: skip
        return made


_WAYS: Final = 3
"""For how many budgets the replay of a game is remembered."""


def _content(game: Game) -> tuple[object, ...]:
    """All that a game says, without the places where it says so."""
    return (
        game.number, game.score, game.left, game.start, game.start_known, game.start_cube, game.start_owner,
        tuple(map(_values, game.entries)), tuple(map(_values, game.results)),
        tuple(comment.text for comment in game.comments), places_of_comments(game),
        tuple((tag.key, tag.value) for tag in game.extras),
    )  # fmt: skip


def _values(part: Entry | ResultClaim) -> tuple[object, ...]:
    """What an entry or a result says, without its place, and without its analysis, which changes no board."""
    kind: Any = type(part)
    return (kind, *(getattr(part, name) for name in _names(kind)))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "text_at", "annotation"))


def _moved(known: GameReplay, game: Game, index: int) -> GameReplay:
    """The replay of a game, turned into that of another game that says the same."""
    before = known.game
    if before is game and known.index == index:
        return known
    turns = tuple(_there(turn, before, game) for turn in known.turns)
    claim = known.claim
    if claim is not None:
        claim = next(
            (now for was, now in zip(before.results, game.results, strict=True) if was is claim or was == claim),
            _shifted(claim, before, game),
        )
    return replace(known, game=game, index=index, turns_held=Turns(turns), claim=claim)


def _there(turn: Turn, before: Game, game: Game) -> Turn:
    entry, at = turn.entry, turn.index
    if 0 <= at < len(before.entries) and (entry is before.entries[at] or entry == before.entries[at]):
        return turn._replace(entry=game.entries[at])
    return turn._replace(entry=_shifted(entry, before, game))


def _shifted(part: Any, before: Game, game: Game) -> Any:
    """An entry or a result that is read otherwise than it is written, at its new place."""
    at = next((at for at, each in enumerate((*before.entries, *before.results)) if each.span == part.span), None)
    if part.span == NOWHERE or at is None:
        return part
    span = (*game.entries, *game.results)[at].span
    if isinstance(part, CheckerPlay):
        return replace(part, span=span, text_at=part.text_at + span.start - part.span.start)
    return replace(part, span=span)
