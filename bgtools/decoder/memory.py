"""Remembering games that were searched, for a record that is read again after a change of its text."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from bgtools.decoder.lane import SupposedTurn
from bgtools.record.record import NOWHERE, CheckerPlay

if TYPE_CHECKING:
    from bgtools.decoder.game import GameSearch
    from bgtools.decoder.slips import Item
    from bgtools.record.record import Entry, Game, ResultClaim

_MOST: Final = 500
"""How many games are remembered."""


class Memory:
    """Searches of games in which something is wrong, for the same game in a later version of the record.

    The game may have moved in the text: what was found gets the new places.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._known: dict[object, tuple[float, GameSearch]] = {}

    def find(self, search: GameSearch, doubted: bool, limit: float) -> GameSearch | None:
        """What was found in a game that says the same; None where nothing was looked for so far."""
        known = self._known.get(_asked(search, doubted))
        if known is None or known[0] < limit:
            return None
        return _moved(known[1], search)

    def keep(self, search: GameSearch, doubted: bool, limit: float) -> None:
        """Remember what was found in a game."""
        if search.effort.left <= 0:
            return  # another time more may be tried
        while len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[_asked(search, doubted)] = limit, search


def _asked(search: GameSearch, doubted: bool) -> tuple[object, ...]:
    """All that a search depends on but the score, without the places where the game says so."""
    game, terms = search.game, search.terms
    return (
        doubted, search.is_last, replace(terms, length=int(terms.length > 0), score=(0, 0)),
        game.start, game.start_known, game.start_cube, game.start_owner,
        tuple(map(_values, game.entries)), None if search.claim is None else _values(search.claim),
    )  # fmt: skip


def _values(part: Entry | ResultClaim) -> tuple[object, ...]:
    """What an entry or a result says, without its place, and without its analysis, which changes no board."""
    kind: Any = type(part)
    return (kind, *(getattr(part, name) for name in _names(kind)))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "text_at", "annotation"))


def _moved(known: GameSearch, search: GameSearch) -> GameSearch:
    """A search of a game, turned into that of another game that says the same; the other one is changed."""
    before, after = known.game, search.game
    if all(one is two for one, two in zip(before.entries, after.entries, strict=True)):
        return known
    own = {id(one): two for one, two in zip(before.entries, after.entries, strict=True)}
    known.hand_over(search, lambda item: _there(item, own, before, after))
    return search


def _there(item: Item, own: dict[int, Entry], before: Game, after: Game) -> Item:
    if isinstance(item, SupposedTurn):
        return item if item.of is None else item._replace(of=_of(item.of, own, before, after))
    return own.get(id(item)) or _shifted(item, before, after)


def _of(entry: CheckerPlay, own: dict[int, Entry], before: Game, after: Game) -> CheckerPlay:
    there = own.get(id(entry))
    return there if isinstance(there, CheckerPlay) else _shifted(entry, before, after)


def _shifted(part: Any, before: Game, game: Game) -> Any:
    """An entry that is read otherwise than it is written, at its new place."""
    at = next((at for at, each in enumerate(before.entries) if each.span == part.span), None)
    if part.span == NOWHERE or at is None:
        return part
    span = game.entries[at].span
    if isinstance(part, CheckerPlay):
        return replace(part, span=span, text_at=part.text_at + span.start - part.span.start)
    return replace(part, span=span)
