"""Which player a name means: in any case, whole, or a part that only one player has."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEAR: Final = 3
_LISTED: Final = 5
_ALIKE: Final = 0.6
"""How alike a name must be to be suggested, from 0 to 1."""


class UnknownName(ValueError):
    """No player, or more than one, is meant by a name. The message says who could be."""


def may_mean(given: str, name: str) -> bool:
    """Whether a name is meant, in any case: it has the words that are given, or words that begin so, in their order."""
    words = iter(name.casefold().split())
    return all(any(word.startswith(part) for word in words) for part in given.casefold().split())


def find_name(given: str, names: Iterable[str]) -> str:
    """The one name that is meant.

    A name in any case comes first, then the only one that has the words that are given: ``torsten`` means Torsten
    Schoop where no other Torsten plays.

    Args:
        given: what a user has written.
        names: of the players, who plays most first.

    Raises:
        UnknownName: nobody is meant, or several are.
    """
    known = {name.casefold(): name for name in reversed(list(names)) if name}
    if given.casefold() in known:
        return known[given.casefold()]
    found = [name for name in reversed(known.values()) if may_mean(given, name)] if given.split() else []
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(f"{given!r} may be {listed_names(found)}; give more of the name")
    words = {word: name for folded, name in known.items() for word in (folded, *folded.split())}
    near = dict.fromkeys(words[each] for each in get_close_matches(given.casefold(), words, _NEAR, _ALIKE))
    if near:
        raise UnknownName(f"no player is named {given}; did you mean {listed_names([*near])}?")
    shown = ", ".join([*reversed(known.values())][:_LISTED])
    raise UnknownName(f"no player is named {given}; there are: {shown or 'no players'}")


def listed_names(names: list[str]) -> str:
    """A few names in words: ``Ann, Bob or Cid``."""
    shown = names[:_LISTED]
    more = ["others"] if len(names) > _LISTED else []
    *first, last = [*shown, *more]
    return f"{', '.join(first)} or {last}" if first else last
