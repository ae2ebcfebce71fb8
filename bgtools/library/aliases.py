"""Names: those that are one person's, those that may be, and those that are nobody's."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.library.careers import Careers
    from bgtools.library.manifest import LibraryState
    from bgtools.library.storage import Storage


_NUMBERED: Final = (
    r"(player|spieler|joueur|jugador|jogador|giocatore|speler|spiller|spelare|pelaaja|gracz|hráč|játékos|игрок|oyuncu|"
    r"プレーヤー|プレイヤー|选手|玩家|guest|user)[ _#-]*[0-9]*"
)
_SIDES: Final = (
    "red green blue white black brown yellow rot grün blau weiß weiss schwarz rouge vert bleu blanc noir rojo verde "
    "azul blanco negro rosso bianco nero 赤 緑 青 白 黒 红 绿 蓝 x o me you human opponent computer bot cpu robot "
    "anonymous anon unknown unnamed nobody none name noname null nil n/a na tbd"
)
"""Colours and letters by which programs call the two sides, and words that say that nobody is named."""
_PROGRAM: Final = (
    r"(gnu ?bg|gnu ?backgammon|gnu ?bot|extreme ?gammon|xg|bg ?blitz|snowie|jelly ?fish|bg ?sage|wild ?bg|"
    r"open ?gammon ?bot|gammon ?bot|td[ -]?gammon|mloner|palamedes)([^a-z].*)?"
)
NOBODY: Final = rf"[^\pL\pN]*|{_NUMBERED}|{'|'.join(_SIDES.split())}|{_PROGRAM}"
"""The names that are nobody's, in small letters without blanks around them, as a pattern of RE2."""
_IS_PROGRAM, _IS_NUMBERED = re.compile(_PROGRAM, re.DOTALL), re.compile(_NUMBERED)


def is_program(name: str) -> bool:
    """Whether a name is that of a program, with whatever it says of a version or a level."""
    return _IS_PROGRAM.fullmatch(name.strip().casefold()) is not None


def is_nobody(name: str) -> bool:
    """Whether a name does not say who played: an empty one, ``Player 1``, a colour, or the name of a program."""
    bare = name.strip().casefold()
    is_bare = not any(character.isalnum() for character in bare)
    return is_bare or bare in _SIDES.split() or _IS_NUMBERED.fullmatch(bare) is not None or is_program(name)


def alias(storage: Storage, known: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Let names be those of one person, who goes by the last one.

    A name that goes by one of them already goes by the last one as well.

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
        raise LibraryError("give two names or more that are one person; they go by the last one")
    for name in (*others, person):
        if is_nobody(name):
            raise LibraryError(f"{name!r} is nobody's name: many share it, or it is a program's; it stays as it is")
    for name in others:
        if name not in known:
            raise LibraryError(f"no record of this library names {name!r}{_hint(name, known)}")

    def changes(state: LibraryState) -> dict[str, str]:
        """The whole group of each name goes by the last one."""
        heads = {state.aliases.get(name, name) for name in (*others, person)}
        members = heads | {name for name, goes_by in state.aliases.items() if goes_by in heads} | set(others)
        told = {name: person for name in sorted(members) if name != person}
        # Who goes by themselves has no alias.
        return {**told, **({person: ""} if person in state.aliases else {})}

    return {name: goes_by for name, goes_by in _committed(storage, changes).items() if goes_by}


def say_me(storage: Storage, known: Mapping[str, str], names: Sequence[str]) -> str:
    """Say whose library it is: somebody who goes by the last name; that name.

    Args:
        storage: where the library lies.
        known: the names in its records, each with the name that its player goes by.
        names: one name, or several that are all theirs.

    Raises:
        LibraryError: a name is not known, or nobody's. Nothing is changed.
        OSError: the place refuses.
    """
    name = names[-1].strip()
    if len(names) > 1:
        alias(storage, known, names)
    elif is_nobody(name):
        raise LibraryError(f"{name!r} is nobody's name: many share it, or it is a program's")
    elif name not in known and name not in known.values():
        raise LibraryError(f"no record of this library names {name!r}{_hint(name, known)}")
    me = known.get(name, name)
    state = read_state(storage)
    while state.me != me and commit(storage, state, Commit(me=me)) is None:
        state = read_state(storage, state)
    return me


def _hint(name: str, known: Iterable[str]) -> str:
    near = [each for each in known if each.casefold() == name.casefold()]
    return f"; did you mean {near[0]!r}?" if near else ""


def unalias(storage: Storage, names: Sequence[str]) -> dict[str, str]:
    """Let names, and all that went by one of them, stand for themselves again; each with what it went by before.

    Raises:
        LibraryError: a name is not an alias, and no other name goes by it. Nothing is changed.
        OSError: the place refuses.
    """
    before: dict[str, str] = {}

    def changes(state: LibraryState) -> dict[str, str]:
        before.clear()
        for name in names:
            own = {each: person for each, person in state.aliases.items() if name in (each, person)}
            if not own:
                raise LibraryError(f"{name!r} is not an alias, and no name goes by it")
            before.update(own)
        return dict.fromkeys(before, "")

    _committed(storage, changes)
    return before


def _committed(storage: Storage, changes: Callable[[LibraryState], dict[str, str]]) -> dict[str, str]:
    """Commit changes of aliases. Where another process has committed first, they are rebuilt on what it left."""
    state = read_state(storage)
    while True:
        told = changes(state)
        if all(state.aliases.get(name, "") == person for name, person in told.items()):
            return told
        if commit(storage, state, Commit(aliases=told)) is not None:
            return told
        state = read_state(storage, state)


@dataclass(frozen=True, slots=True)
class AliasSuggestion:
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


def suggestions(careers: Careers) -> list[AliasSuggestion]:
    """Names that may be of one person, the likeliest first.

    Names are alike if they differ only in case, accents, signs or the order of their words; in a first name of which
    one has only the initial; or in one letter. Two names that records of one match give one player are suggested too.
    Names that have played each other are never suggested.
    """
    counts = careers.people()
    names = [name for name in counts if not is_nobody(name)]
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for first, second, weight, reason in (*_named_differently(careers), *alike(names)):
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
        told.append(
            AliasSuggestion(name, person, "; ".join(words), (counts.get(name, 0), counts.get(person, 0)), weight)
        )
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


def alike(names: Iterable[str]) -> Iterator[tuple[str, str, float, str]]:
    """Pairs of names that are alike, each once, with its weight and its reason."""
    words = {name: words_of(name) for name in names}
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


def words_of(name: str) -> tuple[str, ...]:
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
