"""Names hidden: what stands for them, and records and texts without them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.library.aliases import is_nobody

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bgtools.record.record import Match

Shown = Literal["full", "initials", "given"]
"""How names are shown: as they are, as initials, or by the first word of a name that has several."""

_KEPT_TAGS: Final = ("Event", "Round", "EventDate", "Date")
_SHORTEST: Final = 3
"""A word of a name with fewer letters is not looked for in other texts."""


def hidden_names(names: Iterable[str], people: Mapping[str, str], shown: Shown) -> dict[str, str]:
    """What stands for each name: ``P. N.``, and ``P. N. 2`` for another person with these initials.

    Names that are nobody's stay. A name of one word becomes its initial, whichever is asked for.

    Args:
        names: all that are in records.
        people: by which name each goes; spellings of one person are replaced by the same.
        shown: how they are shown.
    """
    if shown == "full":
        return {}
    persons = sorted(
        {people.get(name, name) for name in names if not is_nobody(name)}, key=lambda each: (each.casefold(), each)
    )
    given: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for person in persons:
        words = re.findall(r"\w+", person) or [person]
        short = (
            words[0] if shown == "given" and len(words) > 1 else " ".join(f"{word[0].upper()}." for word in words[:3])
        )
        counts[short] += 1
        given[person] = short if counts[short] == 1 else f"{short} {counts[short]}"
    spellings = {name for name in names if not is_nobody(name)} | set(people)
    return {name: given[people.get(name, name)] for name in spellings if people.get(name, name) in given}


def without_names(match: Match, hidden: Mapping[str, str]) -> Match:
    """A record without the names of people: its players renamed, its remarks and most of its header left out."""
    tags = tuple(
        replace(each, value=without_words(each.value, hidden)) for each in match.tags if each.key in _KEPT_TAGS
    )
    first, second = (hidden.get(name, name) for name in match.players)
    games = tuple(replace(game, comments=(), extras=()) for game in match.games)
    return replace(match, players=(first, second), tags=tags, games=games, comments=(), ratings=("", ""), extras=())


def without_words(text: str, hidden: Mapping[str, str], *, whole: bool = False) -> str:
    """A text in which no hidden name stands, nor, unless only ``whole`` ones are looked for, a word of one."""
    pattern, instead = _pattern(tuple(sorted(hidden.items())), whole=whole)
    return pattern.sub(lambda found: instead[found[0].casefold()], text) if hidden else text


@cache
def _pattern(hidden: tuple[tuple[str, str], ...], *, whole: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds hidden names, and what stands for each, in small letters."""
    parts = {
        word: f"{word[0].upper()}." for name, _ in hidden for word in re.findall(r"\w+", name) if len(word) >= _SHORTEST
    }
    known = ({} if whole else parts) | dict(hidden)
    some = "|".join(re.escape(each) for each in sorted(known, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{some})(?!\w)", re.IGNORECASE), {
        name.casefold(): short for name, short in known.items()
    }


def without_names_in(value: Any, hidden: Mapping[str, str]) -> Any:
    """Plain values with no hidden name in any of their texts."""
    if isinstance(value, str):
        return without_words(value, hidden, whole=True)
    if isinstance(value, dict):
        return {key: without_names_in(item, hidden) for key, item in value.items()}
    return [without_names_in(item, hidden) for item in value] if isinstance(value, list | tuple) else value
