"""What records say of an event: who met whom, who won, and which form that has, as far as it follows from them.

A form is never supposed. It is said where the pairings can hardly come about otherwise, with what supports it, or where
the director states it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import ceil, log2, perm
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Form = Literal["round robin", "knock-out", "Swiss", "league", "title matches", "one player's", ""]
"""How the pairings of an event come about; empty where the records do not tell."""

PLAYED_BY_ROUND: Final[tuple[Form, ...]] = ("round robin", "Swiss", "league")
"""The forms in which the number of matches won makes an order."""

_BY_CHANCE: Final = 0.01
"""A form is claimed of incomplete pairings where so few events without a plan would look like it."""
_MOST_MISSING: Final = 0.2
_LEAST_MATCHES: Final = 9
_STAYS: Final = 0.5
"""The winner plays the next match in more than this share of them: said as a number."""
_EVEN: Final = 0.55
"""In a Swiss the players of a match are less than this share as far apart as those of any match would be."""
_LEAST_ROUNDS: Final = 3
_LEAST_LATER: Final = 12
_LEAST_PLAYERS: Final = 4
_SURE_BRACKET: Final = 8
_TOLD: Final = 12
"""So many pairs are told by name."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match of an event, or a forfeit.

    Attributes:
        players: who met.
        winner: 0 or 1; None where nobody has won.
        points: of both at the end.
        date: the day, such as 2026-08-31; empty where it is not known.
        round: the round as the record or the director names it; empty where neither does.
        length: points to win; 0 for money.
        is_sound: whether the record follows the rules and is whole.
        is_forfeit: whether nothing was played.
    """

    players: tuple[str, str]
    winner: int | None
    points: tuple[int, int] = (0, 0)
    date: str = ""
    round: str = ""
    length: int = 0
    is_sound: bool = True
    is_forfeit: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """Who met, in an order that does not depend on the record."""
        first, second = sorted(self.players)
        return first, second


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of an event.

    Attributes:
        name: both.
        matches: how many they played against each other.
        matches_won: how many of them each won.
        is_missing: whether the form asks for a match that is not there.
        is_double: whether it asks for fewer than there are.
    """

    name: tuple[str, str]
    matches: int
    matches_won: tuple[int, int]
    is_missing: bool = False
    is_double: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in an event.

    Attributes:
        rank: by matches won, players with as many share it; None where the form makes no order.
        name: of the player.
        matches, matches_won, matches_lost: how many they played, won and lost; an unfinished one is neither.
        points, points_against: points they made and gave, over all matches.
        forfeits: how many of the matches were not played.
        unsound: how many of the records need a look.
    """

    rank: int | None
    name: str
    matches: int
    matches_won: int
    matches_lost: int
    points: int
    points_against: int
    forfeits: int
    unsound: int


@dataclass(frozen=True, slots=True)
class Event:
    """What the records of an event say.

    Attributes:
        form: see `Form`.
        sentence: the form in words, with what supports it.
        is_stated: whether the director states the form.
        results: the matches, in the order of days and rounds as far as these are known.
        players: who took part, in the order of their standing.
    """

    form: Form
    sentence: str
    is_stated: bool
    results: tuple[Result, ...]
    players: tuple[str, ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The players by matches won; where the form makes an order, ties are ties."""
        found = []
        for player in self.players:
            own = [each for each in self.results if player in each.players]
            at = [each.players.index(player) for each in own]
            won = sum(each.winner == side for each, side in zip(own, at, strict=True))
            lost = sum(each.winner == 1 - side for each, side in zip(own, at, strict=True))
            points = [sum(each.points[abs(side - turn)] for each, side in zip(own, at, strict=True)) for turn in (0, 1)]
            forfeits, unsound = sum(each.is_forfeit for each in own), sum(not each.is_sound for each in own)
            found.append(Standing(None, player, len(own), won, lost, points[0], points[1], forfeits, unsound))
        if self.form not in PLAYED_BY_ROUND:
            return tuple(found)
        wins = [each.matches_won for each in found]
        return tuple(replace(each, rank=1 + sum(other > each.matches_won for other in wins)) for each in found)

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairs that met, and in a round robin or a league those that should have."""
        counts = Counter(each.pair for each in self.results)
        should = _usual(counts) if self.form in ("round robin", "league") else None
        pairs = combinations(sorted(self.players), 2) if should else sorted(counts)
        return tuple(
            Pairing(
                pair,
                counts[pair],
                (_wins(self.results, pair, pair[0]), _wins(self.results, pair, pair[1])),
                is_missing=should is not None and counts[pair] < should,
                is_double=should is not None and counts[pair] > should,
            )
            for pair in pairs
        )


def _wins(results: Iterable[Result], pair: tuple[str, str], player: str) -> int:
    return sum(
        each.winner is not None and each.pair == pair and each.players[each.winner] == player for each in results
    )


def _usual(counts: Mapping[tuple[str, str], int]) -> int:
    """How often most pairs met."""
    return max(Counter(counts.values()).most_common(1)[0][0], 1) if counts else 1


def event_of(results: Sequence[Result], stated: Form | None = None, names: str = "") -> Event:
    """What some matches say as an event.

    Args:
        results: its matches and forfeits.
        stated: the form, where the director states it: it holds, whatever the pairings look like.
        names: what the records call the event; a league is believed to be one by its name.
    """
    ordered = tuple(sorted(results, key=lambda each: (each.date or "9", _number(each.round) or 0, each.pair)))
    players = sorted({name for each in ordered for name in each.players})
    form, sentence = _form(ordered, players, names)
    is_stated = stated is not None
    if stated is not None and stated != form:
        form, sentence = stated, f"{_TITLES[stated]}, as event.toml says. {_met(ordered, players)}"
    if form in ("round robin", "league"):
        counts = Counter(each.pair for each in ordered)
        sentence += _odd_pairings(counts, players, _usual(counts))
    event = Event(form, sentence, is_stated, ordered, tuple(players))
    order = sorted(
        event.standings,
        key=lambda each: (-each.matches_won, each.matches_lost, each.points_against - each.points, each.name),
    )
    return Event(form, sentence, is_stated, ordered, tuple(each.name for each in order))


_TITLES: Final[dict[Form, str]] = {
    "round robin": "A round robin",
    "knock-out": "A knock-out",
    "Swiss": "A Swiss",
    "league": "A league",
    "title matches": "Title matches",
    "one player's": "Matches of one player",
    "": "Matches",
}


def _met(results: Sequence[Result], players: Sequence[str]) -> str:
    """How many of the possible pairs met."""
    pairs = len({each.pair for each in results})
    possible = len(players) * (len(players) - 1) // 2
    rounds = sorted({each.round for each in results if each.round}, key=lambda each: (_number(each) or 0, each))
    named = f", rounds as written: {', '.join(rounds)}" if rounds else ", no rounds are written"
    return f"{len(players)} players, {pairs} of {possible} possible pairings{named}."


def _form(results: Sequence[Result], players: Sequence[str], names: str) -> tuple[Form, str]:
    """The form that follows from the pairings, and the sentence that supports it."""
    played = Counter(name for each in results for name in each.players)
    if not results:
        return "", "No match is recorded."
    busiest, most = played.most_common(1)[0]
    # The chance that one of the players is in every match of as many that are drawn at random.
    by_chance = len(players) * (2 / len(players)) ** len(results)
    if most == len(results) and len(players) > 2 and by_chance < _BY_CHANCE:
        return "one player's", f"Every match is one of {busiest}'s, so that no table of an event follows from them."
    for found in (_round_robin(results, players, names), _knock_out(results, players), _swiss(results, players)):
        if found is not None:
            return found
    sentence = f"No form follows from the records: {_met(results, players)}"
    dated = [each for each in results if each.date]
    stays = sum(one.winner is not None and one.players[one.winner] in two.players for one, two in pairwise(dated))
    if len(dated) >= _LEAST_MATCHES and len(players) > 2 and stays > _STAYS * (len(dated) - 1):
        sentence += (
            f" The winner of a match plays in the next one in {stays} of {len(dated) - 1}: like a title that is "
            "challenged, which the records do not state."
        )
    return "", sentence


def _round_robin(results: Sequence[Result], players: Sequence[str], names: str) -> tuple[Form, str] | None:
    """Whether all pairs met equally often, or nearly all, which by chance would hardly happen."""
    counts = Counter(each.pair for each in results)
    possible = len(players) * (len(players) - 1) // 2
    if len(players) < 3:
        return None
    is_league = any(word in names.casefold() for word in ("league", "liga", "ligue", "lega"))
    form: Form = "league" if is_league else "round robin"
    times = set(counts.values())
    if len(counts) == possible and len(times) == 1:
        often = {1: "once", 2: "twice"}.get(min(times), f"{min(times)} times")
        return form, f"{_TITLES[form]}: each of {possible} pairings was played {often}."
    usual = _usual(counts)
    total = usual * possible
    off = sum(abs(usual - counts[pair]) for pair in combinations(players, 2))
    if usual > 1 or off > _MOST_MISSING * total or len(players) < _LEAST_PLAYERS:
        return None
    doubles = sum(count - 1 for count in counts.values())
    # The chance that so many matches between pairs drawn at random would repeat no more of them.
    chance = perm(possible, len(counts)) / possible ** len(counts) * (len(results) ** 2 / 2) ** doubles
    if chance >= _BY_CHANCE:
        return None
    return form, f"{_TITLES[form]}: {len(counts)} of {possible} pairings were played."


def _odd_pairings(counts: Mapping[tuple[str, str], int], players: Sequence[str], usual: int) -> str:
    """The pairings that are missing, or played more often than the others."""
    pairs = [*combinations(players, 2)]
    missing = [f"{one} and {two}" for one, two in pairs if counts.get((one, two), 0) < usual]
    double = [f"{one} and {two}" for one, two in pairs if counts.get((one, two), 0) > usual]
    text = f" Missing: {_some(missing)}." if missing else ""
    return text + (f" More than the others: {_some(double)}." if double else "")


def _some(pairs: Sequence[str]) -> str:
    """The first pairs by name, and how many more there are."""
    more = f"; {len(pairs) - _TOLD} more" if len(pairs) > _TOLD else ""
    return "; ".join(pairs[:_TOLD]) + more


def _knock_out(results: Sequence[Result], players: Sequence[str]) -> tuple[Form, str] | None:
    """Whether everybody but one lost exactly once and did not play again, in as few rounds as can be."""
    if len(players) < _LEAST_PLAYERS or len(results) != len(players) - 1:
        return None
    if any(each.winner is None for each in results):
        return None
    losers = Counter(each.players[1 - (each.winner or 0)] for each in results)
    if len(losers) != len(results):
        return None
    depth = _depths(results)
    rounds = ceil(log2(len(players)))
    if depth is None or max(depth.values()) != rounds:
        return None
    # A round has half of the players that are left, but for those who pass into the next without a match.
    sizes = [sum(each == number for each in depth.values()) for number in range(1, rounds + 1)]
    left = len(players)
    for number, size in enumerate(sizes):
        if size > left // 2 or (number and size != left // 2 and left % 2 == 0):
            return None
        left -= size
    is_dated = all(each.date for each in results) and len({each.date for each in results}) > 1
    if is_dated and any(
        one.date > two.date
        for one in results for two in results
        if one.players[one.winner or 0] in two.players and depth[one] < depth[two]
    ):  # fmt: skip
        return None
    numbers = [_number(each.round) for each in results]
    fits = [number is not None and number >= depth[each] for number, each in zip(numbers, results, strict=True)]
    finals = [each for each in results if "final" in each.round.casefold()]
    is_named = (all(fits) and max(filter(None, numbers)) == rounds) or any(depth[each] == rounds for each in finals)
    # Few matches fit by chance: it takes the rounds that the records name.
    if not is_named and (len(players) < _SURE_BRACKET or any(number is not None for number in numbers)):
        return None
    champion = next(name for name in players if name not in losers)
    return (
        "knock-out",
        f"A knock-out in {rounds} rounds: everybody but {champion} lost exactly once.",
    )


def _depths(results: Sequence[Result]) -> dict[Result, int] | None:
    """Of each match of a tree, in which round it can be at the earliest."""
    found: dict[Result, int] = {}
    lost = {each.players[1 - (each.winner or 0)]: each for each in results}
    won: dict[str, list[Result]] = {}
    for each in results:
        won.setdefault(each.players[each.winner or 0], []).append(each)

    def depth_of(player: str, seen: frozenset[str]) -> int:
        """How many rounds a player has played with the last match that they won."""
        if player in seen:
            raise RecursionError
        met = {each: depth_of(each.players[1 - (each.winner or 0)], seen | {player}) for each in won.get(player, ())}
        depth = 0
        for each in sorted(met, key=lambda each: (_number(each.round) or 0, met[each])):
            depth = found[each] = max(depth, met[each]) + 1
        return depth

    champions = [name for each in results for name in each.players if name not in lost]
    try:
        depth_of(champions[0], frozenset())
    except (IndexError, RecursionError):
        return None
    return found if len(found) == len(results) else None


def _swiss(results: Sequence[Result], players: Sequence[str]) -> tuple[Form, str] | None:
    """Whether rounds are numbered, everybody plays at most once in each, and players of like standing meet."""
    rounds: dict[int, list[Result]] = {}
    for each in results:
        number = _number(each.round)
        if number is None:
            return None
        rounds.setdefault(number, []).append(each)
    if len(rounds) < _LEAST_ROUNDS or len(players) < _LEAST_PLAYERS or len({e.pair for e in results}) < len(results):
        return None
    full = sum(len(some) >= len(players) // 2 for some in rounds.values())
    won: Counter[str] = Counter()
    apart = expected = 0.0
    like = later = 0
    for number in sorted(rounds):
        names = [name for each in rounds[number] for name in each.players]
        if len(names) != len(set(names)):
            return None
        distances = [abs(won[one] - won[two]) for one, two in combinations(names, 2)]
        if number > min(rounds):
            own = [abs(won[each.players[0]] - won[each.players[1]]) for each in rounds[number]]
            apart, expected = apart + sum(own), expected + len(own) * sum(distances) / len(distances)
            like, later = like + sum(each <= 1 for each in own), later + len(own)
        for each in rounds[number]:
            if each.winner is not None:
                won[each.players[each.winner]] += 1
    if full < len(rounds) or later < _LEAST_LATER or apart > _EVEN * expected:
        return None
    return "Swiss", (
        f"A Swiss of {len(rounds)} rounds: nobody played twice in one, nobody met twice, and {like} of {later} "
        "matches after the first round were between players at most one win apart."
    )


def _number(text: str) -> int | None:
    """The number of a round; None where it is no number."""
    words = "".join(each if each.isdigit() else " " for each in text).split()
    has_name = any(word in text.casefold() for word in ("final", "semi", "quarter", "last"))
    return int(words[0]) if len(words) == 1 and not has_name and len(words[0]) < 4 else None
