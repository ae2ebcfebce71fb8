"""Names that are one person's: what people say of them, and what a library can guess."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from bgtools.library.fault import LibraryError
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.nobody import is_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.library.careers import Careers
    from bgtools.library.manifest import State
    from bgtools.library.storage import Storage


def alias(storage: Storage, known: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Let names be those of one person, who goes by the last one.

    Whoever goes by one of them already goes by the last one as well.

    Args:
        storage: where the library lies.
        known: the names in its records; the last name need not be one of them.
        names: two or more.

    Raises:
        LibraryError: a name is not known, or nobody's; or the names are fewer than two. Nothing is changed.
        OSError: the place refuses.
    """
    *others, person = (name.strip() for name in names)
    if not others or set(others) == {person}:
        raise LibraryError("give two names or more that are one person; he goes by the last one")
    for name in (*others, person):
        if is_nobody(name):
            raise LibraryError(f"{name!r} is nobody's name: many share it, or it is a program's; it stays as it is")
    for name in others:
        if name not in known:
            near = [each for each in known if each.casefold() == name.casefold()]
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise LibraryError(f"no record of this library names {name!r}{hint}")

    def changes(state: State) -> dict[str, str]:
        """The whole group of each name goes by the last one."""
        heads = {state.aliases.get(name, name) for name in (*others, person)}
        members = heads | {name for name, goes_by in state.aliases.items() if goes_by in heads} | set(others)
        told = {name: person for name in sorted(members) if name != person}
        # Who goes by himself has no alias.
        return {**told, **({person: ""} if person in state.aliases else {})}

    return {name: goes_by for name, goes_by in _committed(storage, changes).items() if goes_by}


def unalias(storage: Storage, names: Sequence[str]) -> dict[str, str]:
    """Let names stand for themselves again, and those that went by one of them; what they went by before.

    Raises:
        LibraryError: a name is no alias, and none goes by it. Nothing is changed.
        OSError: the place refuses.
    """
    before: dict[str, str] = {}

    def changes(state: State) -> dict[str, str]:
        before.clear()
        for name in names:
            own = {each: person for each, person in state.aliases.items() if name in (each, person)}
            if not own:
                raise LibraryError(f"{name!r} is no alias, and no name goes by it")
            before.update(own)
        return dict.fromkeys(before, "")

    _committed(storage, changes)
    return before


def _committed(storage: Storage, changes: Callable[[State], dict[str, str]]) -> dict[str, str]:
    """Commit changes of aliases to what the library holds when its turn comes."""
    state = read_state(storage)
    while True:
        told = changes(state)
        if all(state.aliases.get(name, "") == person for name, person in told.items()):
            return told
        if commit(storage, state, Commit(aliases=told)) is not None:
            return told
        state = read_state(storage, state)


# --- what can be guessed --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two names that may be of one person.

    Attributes:
        name: the one with fewer matches.
        person: the other.
        reason: why, in words.
        matches: of each.
        weight: how much speaks for it; the likeliest have most.
    """

    name: str
    person: str
    reason: str
    matches: tuple[int, int]
    weight: float


_SPELLED: Final = 3.0
_INITIAL: Final = 1.5
_TYPED: Final = 1.0
_SHARED: Final = 0.25
_LEAST: Final = 6
"""Letters of a name from which on a slip of one letter tells something."""
_CROWD: Final = 30
"""A surname that more names share tells nothing."""


def suggestions(careers: Careers) -> list[Suggestion]:
    """Names that may be of one person, the likeliest first.

    Names are alike that differ in case, accents, signs or the order of their words; in a first name of which one has
    the initial only; or in one letter. Records of one match that name a seat differently tell it too. People who have
    played each other are two.
    """
    counts = careers.people()
    names = [name for name in counts if not is_nobody(name)]
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for first, second, weight, reason in (*careers.named_differently(), *_alike(names)):
        if not (is_nobody(first) or is_nobody(second)):
            found[_pair(first, second)].append((weight, reason))
    met, shared = careers.acquaintance(list(found))
    told = []
    for (first, second), reasons in found.items():
        if (first, second) in met:
            continue
        name, person = sorted((first, second), key=lambda each: (counts.get(each, 0), each))
        weight = sum(weight for weight, _ in reasons)
        words = [reason for _, reason in sorted(reasons, reverse=True)]
        events, opponents = shared.get((first, second), (0, 0))
        if events:
            words.append("both played in the same event" if events == 1 else f"both played in {events} events")
        if opponents:
            words.append(
                "they met the same opponent" if opponents == 1 else f"they met {opponents} of the same opponents"
            )
        weight += _SHARED * (min(events, 4) + min(opponents, 4))
        words.append("they never met each other")
        told.append(Suggestion(name, person, "; ".join(words), (counts.get(name, 0), counts.get(person, 0)), weight))
    return sorted(told, key=lambda each: (-each.weight, each.person, each.name))


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)


def _alike(names: Iterable[str]) -> Iterator[tuple[str, str, float, str]]:
    """Pairs of names that are alike, each with what speaks for it."""
    words = {name: _words(name) for name in names}
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, parts in words.items():
        if parts:
            same[tuple(sorted(parts))].append(name)
    seen = set()
    for group in same.values():
        for first, second in combinations(sorted(group), 2):
            seen.add((first, second))
            yield first, second, _SPELLED, "spelled the same but for case, accents, signs or the order of words"
    by_surname: dict[str, list[str]] = defaultdict(list)
    for name, parts in words.items():
        for part in set(parts) if len(parts) > 1 else ():
            if len(part) > 1:
                by_surname[part].append(name)
    for surname, group in by_surname.items():
        for first, second in combinations(sorted(group), 2) if len(group) <= _CROWD else ():
            if (first, second) not in seen and _abbreviates(words[first], words[second], surname):
                seen.add((first, second))
                yield first, second, _INITIAL, "one has the initial of the other's first name"
    joined: dict[str, list[str]] = defaultdict(list)
    for name, parts in words.items():
        joined["".join(parts)].append(name)
    shortened: dict[str, set[str]] = defaultdict(set)
    for text in joined:
        if len(text) >= _LEAST:
            for at in range(-1, len(text)):
                shortened[text[:at] + text[at + 1 :] if at >= 0 else text].add(text)
    for texts in shortened.values():
        for one, other in combinations(sorted(texts), 2) if len(texts) <= _CROWD else ():
            if not _is_slip(one, other):
                continue
            for first in joined[one]:
                for second in joined[other]:
                    pair = _pair(first, second)
                    if pair not in seen:
                        seen.add(pair)
                        yield *pair, _TYPED, "they differ in one letter"


def _words(name: str) -> tuple[str, ...]:
    """The words of a name without case, accents and signs."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(each if each.isalnum() else " " for each in plain if not unicodedata.combining(each))
    return tuple(letters.split())


def _abbreviates(first: Sequence[str], second: Sequence[str], surname: str) -> bool:
    """Whether two names are one but for a first name that one of them has by its initial."""
    rest = [sorted(each for each in words if each != surname) for words in (first, second)]
    if len(rest[0]) != len(rest[1]) or not rest[0]:
        return False
    pairs = list(zip(*rest, strict=True))
    alike = all(one == other or (one[0] == other[0] and 1 in (len(one), len(other))) for one, other in pairs)
    return alike and any(one != other for one, other in pairs)


def _is_slip(one: str, other: str) -> bool:
    """Whether two texts differ in one letter that is wrong, missing, or stands in its neighbour's place."""
    # Numbers at the end of a name tell apart: player7 and player8 are two.
    if any(text[-1:].isdigit() for text in (one, other)):
        return False
    if len(one) == len(other):
        off = [at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        if len(off) == 1:
            return True
        return len(off) == 2 and off[1] == off[0] + 1 and one[off[0]] == other[off[1]] and one[off[1]] == other[off[0]]
    long, short = (one, other) if len(one) > len(other) else (other, one)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
