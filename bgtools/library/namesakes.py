"""Names that may be of one person: what a library can guess."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from bgtools.library.placeholder_names import is_nobody

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bgtools.library.careers import Careers


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two names that may be of one person.

    Attributes:
        name: the name with fewer matches.
        person: the other name.
        reason: why, in words.
        matches: the number of matches of each.
        weight: how much speaks for it; likelier pairs have a higher one.
    """

    name: str
    person: str
    reason: str
    matches: tuple[int, int]
    weight: float


_ONE_MATCH: Final = 4.0
"""The weight of a pair of names that records of one match give one player; more than that of any spelling."""
_SPELLED: Final = 3.0
_INITIAL: Final = 1.5
_TYPED: Final = 1.0
_SHARED: Final = 0.25
_LEAST: Final = 6
"""Names with fewer letters are not alike if they differ in one."""
_CROWD: Final = 30
"""A surname that more names share makes no two of them alike."""


def suggestions(careers: Careers) -> list[Suggestion]:
    """Names that may be of one person, the likeliest first.

    Names are alike if they differ only in case, accents, signs or the order of their words; in a first name of which
    one has only the initial; or in one letter. Two names that records of one match give one player are suggested too.
    Names that have played each other are never suggested.
    """
    counts = careers.people()
    names = [name for name in counts if not is_nobody(name)]
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for first, second, weight, reason in (*_named_differently(careers), *_alike(names)):
        if not (is_nobody(first) or is_nobody(second)):
            found[_pair(first, second)].append((weight, reason))
    met, shared = _acquaintance(careers, list(found))
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


def _named_differently(careers: Careers) -> list[tuple[str, str, float, str]]:
    """Pairs of names for one player in different records of one match, each with its weight and its reason."""
    found = careers.rows(
        "SELECT m.person0, m.person1, r.person0, r.person1 FROM records r JOIN records m ON m.record = r.match "
        "WHERE r.record <> r.match AND (m.person0, m.person1) <> (r.person0, r.person1)"
    )
    times: Counter[tuple[str, str]] = Counter()
    for *own, left, right in found:
        # If no name is the same in both records, nobody knows who is who.
        for one, other in ((left, right), (right, left)):
            pairs = list(zip(own, (one, other), strict=True))
            unlike = [pair for pair in pairs if pair[0] != pair[1]]
            if len(unlike) == 1:
                times[min(unlike[0]), max(unlike[0])] += 1
    return [
        (*pair, _ONE_MATCH, f"records of {_matches(count)} name the same player so") for pair, count in times.items()
    ]


def _acquaintance(
    careers: Careers, pairs: Sequence[tuple[str, str]]
) -> tuple[set[tuple[str, str]], dict[tuple[str, str], tuple[int, int]]]:
    """The pairs of players who have met, and for each pair how many events and opponents both have had."""
    if not pairs:
        return set(), {}
    careers.rows(
        "CREATE OR REPLACE TABLE careers.pairs AS SELECT unnest(?) AS one, unnest(?) AS other",
        [one for one, _ in pairs],
        [other for _, other in pairs],
    )
    met = careers.rows(
        "SELECT DISTINCT one, other FROM careers.pairs p "
        "JOIN careers.sides s ON s.person = p.one AND s.opponent = p.other"
    )
    shared: dict[tuple[str, str], list[int]] = {pair: [0, 0] for pair in pairs}
    for at, column in enumerate(("event", "opponent")):
        for one, other, count in careers.rows(
            f"SELECT one, other, count(DISTINCT a.{column}) FROM careers.pairs "
            "JOIN (SELECT DISTINCT person, event, opponent FROM careers.sides) a ON a.person = one "
            f"JOIN (SELECT DISTINCT person, {column} FROM careers.sides) b "
            f"ON b.person = other AND b.{column} = a.{column} "
            f"WHERE a.{column} <> '' GROUP BY one, other"
        ):
            shared[one, other][at] = count
    return set(met), {pair: (events, opponents) for pair, (events, opponents) in shared.items()}


def _matches(count: int) -> str:
    return "one match" if count == 1 else f"{count} matches"


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)


def _alike(names: Iterable[str]) -> Iterator[tuple[str, str, float, str]]:
    """Pairs of names that are alike, each once, with its weight and its reason."""
    words = {name: _words(name) for name in names}
    seen: set[tuple[str, str]] = set()
    for pairs, weight, reason in (
        (_spelled_alike(words), _SPELLED, "spelled the same but for case, accents, signs or the order of words"),
        (_with_an_initial(words), _INITIAL, "one has the initial of the other's first name"),
        (_slipped(words), _TYPED, "they differ in one letter"),
    ):
        for pair in pairs:
            if pair not in seen:
                seen.add(pair)
                yield *pair, weight, reason


def _spelled_alike(words: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, parts in words.items():
        if parts:
            same[tuple(sorted(parts))].append(name)
    for group in same.values():
        yield from combinations(sorted(group), 2)


def _with_an_initial(words: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    by_surname: dict[str, list[str]] = defaultdict(list)
    for name, parts in words.items():
        for part in set(parts) if len(parts) > 1 else ():
            if len(part) > 1:
                by_surname[part].append(name)
    for surname, group in by_surname.items():
        for first, second in combinations(sorted(group), 2) if len(group) <= _CROWD else ():
            if _abbreviates(words[first], words[second], surname):
                yield first, second


def _slipped(words: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
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
            if _is_slip(one, other):
                yield from (_pair(first, second) for first in joined[one] for second in joined[other])


def _words(name: str) -> tuple[str, ...]:
    """The words of a name without case, accents and signs."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(each if each.isalnum() else " " for each in plain if not unicodedata.combining(each))
    return tuple(letters.split())


def _abbreviates(first: Sequence[str], second: Sequence[str], surname: str) -> bool:
    """Whether two names are the same, except that one has only the initial of a word of the other."""
    rest = [sorted(each for each in words if each != surname) for words in (first, second)]
    if len(rest[0]) != len(rest[1]) or not rest[0]:
        return False
    pairs = list(zip(*rest, strict=True))
    alike = all(one == other or (one[0] == other[0] and 1 in (len(one), len(other))) for one, other in pairs)
    return alike and any(one != other for one, other in pairs)


def _is_slip(one: str, other: str) -> bool:
    """Whether two texts differ in one letter that is wrong or missing, or in two neighbours that are exchanged."""
    # Names with different numbers at the end are different people: player7 and player8.
    if any(text[-1:].isdigit() for text in (one, other)):
        return False
    if len(one) == len(other):
        off = [at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        if len(off) == 1:
            return True
        return len(off) == 2 and off[1] == off[0] + 1 and one[off[0]] == other[off[1]] and one[off[1]] == other[off[0]]
    long, short = (one, other) if len(one) > len(other) else (other, one)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
