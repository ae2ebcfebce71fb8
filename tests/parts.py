"""Records of which a part is missing, foreign, glued to another one or out of place, made from sound matches."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.formats.mat.writer import write_content
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.record.record import Match


class Part(NamedTuple):
    """A record that does not hold just one whole match.

    Attributes:
        kind: what is wrong with it.
        text: its text, in which every line is right: it stands in a sound match.
    """

    kind: str
    text: str


def text_of(match: Match) -> str:
    """A match in match text."""
    return write_content((match,)).decode()


def games_of(text: str) -> tuple[str, list[str]]:
    """The lines above the first game, and the text of each game."""
    head, *games = re.split(r"(?m)^(?= ?Game \d+\s*$)", text)
    return head, games


def _renumbered(games: list[str]) -> list[str]:
    return [re.sub(r"^( ?Game )\d+", rf"\g<1>{at}", game) for at, game in enumerate(games, 1)]


def _names(text: str) -> tuple[str, str]:
    found = re.search(r"(?m)^ (\w+) : \d+ +(\w+) : \d+", text)
    assert found is not None
    return found[1], found[2]


def _renamed(
    make: Callable[[random.Random, str, str], str],
) -> Callable[[random.Random, str, str], str]:
    """The same with the names of the first match in the second one."""

    def made(rng: random.Random, one: str, two: str) -> str:
        for old, new in zip(_names(two), _names(one), strict=True):
            two = two.replace(f" {old} :", f" {new} :")
        return make(rng, one, two)

    return made


def _lacks_first(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    return head + "".join(games[rng.randint(1, len(games) - 1) :])


def _lacks_middle(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    del games[rng.randint(1, len(games) - 2)]
    return head + "".join(games)


def _lacks_last(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    return head + "".join(games[:-1])


def _foreign(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    _, others = games_of(two)
    games[rng.randrange(1, len(games))] = rng.choice(others)
    return head + "".join(games)


def _inserted(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    _, others = games_of(two)
    games.insert(rng.randrange(1, len(games)), rng.choice(others))
    return head + "".join(games)


def _glued(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    _, others = games_of(two)
    return head + "".join(games[: rng.randint(1, len(games) - 1)] + others[rng.randint(0, len(others) - 1) :])


def _reordered(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    shuffled = games[:]
    while shuffled == games:
        rng.shuffle(shuffled)
    return head + "".join(shuffled)


def _halves(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    _, others = games_of(two)
    at = rng.randrange(len(games))
    first, second = games[at].splitlines(True), rng.choice(others).splitlines(True)
    games[at] = "".join(first[: rng.randint(3, len(first) - 2)] + second[rng.randint(3, len(second) - 2) :])
    return head + "".join(games)


def _without_heading(rng: random.Random, one: str, two: str) -> str:
    head, games = games_of(one)
    at = rng.randrange(1, len(games))
    games[at] = "".join(games[at].splitlines(True)[2:])
    return head + "".join(games)


KINDS: Final[dict[str, Callable[[random.Random, str, str], str]]] = {
    "first games missing": _lacks_first,
    "middle game missing": _lacks_middle,
    "last game missing": _lacks_last,
    "foreign game": _foreign,
    "foreign game under the same names": _renamed(_foreign),
    "foreign game between": _inserted,
    "two matches glued": _glued,
    "two matches glued under the same names": _renamed(_glued),
    "games in another order": _reordered,
    "halves of two games": _halves,
    "heading lost": _without_heading,
}
"""What may be wrong with a part, each as it is made from two sound matches."""


def parts(seed: int, count: int) -> Iterator[Part]:
    """Parts of random matches, of each kind in turn, every second one with its games numbered anew."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        one, two = (text_of(random_match(rng.randrange(10**6), 7)) for _ in range(2))
        two = two.replace("Ann", "Eva").replace("Bob", "Kai")
        if min(len(games_of(each)[1]) for each in (one, two)) < 4:
            continue
        kind = [*KINDS][made % len(KINDS)]
        head, games = games_of(KINDS[kind](rng, one, two))
        if (made // len(KINDS)) % 2:
            games = _renumbered(games)
        yield Part(kind, head + "".join(games))
        made += 1
