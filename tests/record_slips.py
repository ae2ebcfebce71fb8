"""Slips planted in records, whatever the format: one thing is written wrongly, and the rest tells what truly happened.

`SLIPS` are functions from a sound record to one with a slip, by chance; None where the record has no place for it.
`tests/slips` plants in the text of match text what a typist does; these know nothing of a text, so that they can be
planted in every format that is written.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from zlib import crc32

from bgtools.board.board import BAR, OFF
from bgtools.board.play import HopText, PlayText
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, ResultClaim, Take
from selfplay import other

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.record.record import Entry, Game, Match

    RecordSlip = Callable[[Match, random.Random], Match | None]
    GameSlip = Callable[[list[Entry], random.Random], list[Entry] | None]
    PlaySlip = Callable[[CheckerPlay, random.Random], CheckerPlay | None]

SLIPS: Final[dict[str, RecordSlip]] = {}
GONE: Final = frozenset(
    {"turn left out", "row left out", "two turns left out", "game left out", "last turns left out", "row over the next",
     "result left out", "play over another", "turn over another", "two turns in one"}
)  # fmt: skip
"""After these the record does not tell what stood there."""


def is_kept_back(name: str) -> bool:
    """Whether a kind is of the half by which nothing was chosen."""
    return crc32(name.encode()) % 2 == 1


def plant(name: str, match: Match, rng: random.Random) -> Match | None:
    """A record with a slip of a kind; None where it has no place for one."""
    made = SLIPS[name](match, rng)
    return None if made is None or made == match else made


def _in_game(name: str) -> Callable[[GameSlip], GameSlip]:
    def add(slip: GameSlip) -> GameSlip:
        def planted(match: Match, rng: random.Random) -> Match | None:
            for at in rng.sample(range(len(match.games)), len(match.games)):
                made = slip(list(match.games[at].entries), rng)
                if made is not None and tuple(made) != match.games[at].entries:
                    return with_game(match, at, replace(match.games[at], entries=tuple(made)))
            return None

        SLIPS[name] = planted
        return slip

    return add


def _in_play(name: str, *, dances: bool = False) -> Callable[[PlaySlip], PlaySlip]:
    def add(slip: PlaySlip) -> PlaySlip:
        @_in_game(name)
        def planted(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
            for at in rng.sample(range(len(entries)), len(entries)):
                entry = entries[at]
                if not isinstance(entry, CheckerPlay) or entry.dice is None or bool(entry.text.hops) == dances:
                    continue
                made = slip(entry, rng)
                if made is not None and made != entry:
                    return [*entries[:at], made, *entries[at + 1 :]]
            return None

        return slip

    return add


def _on_match(name: str) -> Callable[[RecordSlip], RecordSlip]:
    def add(slip: RecordSlip) -> RecordSlip:
        SLIPS[name] = slip
        return slip

    return add


def with_game(match: Match, at: int, game: Game) -> Match:
    """A record with another game in a place."""
    return replace(match, games=(*match.games[:at], game, *match.games[at + 1 :]))


# --- a play ---------------------------------------------------------------------------------


def _with_hop(entry: CheckerPlay, at: int, *numbers: int) -> CheckerPlay:
    hops = list(entry.text.hops)
    hops[at] = HopText(numbers, (False,) * (len(numbers) - 1))
    return replace(entry, text=PlayText("moves", tuple(hops)))


def _any_hop(entry: CheckerPlay, rng: random.Random) -> tuple[int, int, int]:
    at = rng.randrange(len(entry.text.hops))
    numbers = entry.text.hops[at].points
    return at, numbers[0], numbers[-1]


def _is_point(number: int) -> bool:
    return OFF <= number <= BAR


def _of_die(entry: CheckerPlay, at: int, die: int) -> CheckerPlay:
    assert entry.dice is not None
    one, two = entry.dice
    return replace(entry, dice=(die, two) if at == 0 else (one, die))


@_in_play("die misread")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return _of_die(entry, rng.randrange(2), rng.randint(1, 6))


@_in_play("die one off")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at = rng.randrange(2)
    assert entry.dice is not None
    die = entry.dice[at] + rng.choice((-1, 1))
    return _of_die(entry, at, die) if 1 <= die <= 6 else None


@_in_play("roll misread")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return replace(entry, dice=(rng.randint(1, 6), rng.randint(1, 6)))


@_in_play("die over the other")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    at = rng.randrange(2)
    assert entry.dice is not None
    return _of_die(entry, at, entry.dice[1 - at])


@_in_play("hop ends one off")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at, start, end = _any_hop(entry, rng)
    end += rng.choice((-1, 1))
    return _with_hop(entry, at, start, end) if _is_point(end) else None


@_in_play("hop starts one off")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at, start, end = _any_hop(entry, rng)
    start += rng.choice((-1, 1))
    return _with_hop(entry, at, start, end) if _is_point(start) else None


@_in_play("hop ends elsewhere")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    at, start, _ = _any_hop(entry, rng)
    return _with_hop(entry, at, start, rng.randint(1, 24))


@_in_play("hop starts elsewhere")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    at, _, end = _any_hop(entry, rng)
    return _with_hop(entry, at, rng.randint(1, 24), end)


@_in_play("hop dropped")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    hops = list(entry.text.hops)
    del hops[rng.randrange(len(hops))]
    return replace(entry, text=PlayText("moves", tuple(hops))) if hops else None


@_in_play("hop twice more")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    hops = entry.text.hops
    return replace(entry, text=PlayText("moves", (*hops, rng.choice(hops))))


@_in_play("play backwards")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    at, start, end = _any_hop(entry, rng)
    return _with_hop(entry, at, end, start)


@_in_play("play in the other numbering")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    hops = tuple(HopText(tuple(25 - each for each in hop.points), hop.stars, hop.count) for hop in entry.text.hops)
    return replace(entry, text=PlayText("moves", hops))


@_in_play("tens left out")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at, start, end = _any_hop(entry, rng)
    start, end = rng.choice(((start % 10, end), (start, end % 10)))
    return _with_hop(entry, at, start, end) if start else None


@_in_play("ends exchanged between hops")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    if len(entry.text.hops) < 2:
        return None
    one, two = entry.text.hops[:2]
    made = _with_hop(entry, 0, one.points[0], two.points[-1])
    return _with_hop(made, 1, two.points[0], one.points[-1])


@_in_play("bar for 24 or off for 1")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at, start, end = _any_hop(entry, rng)
    swaps = {24: BAR, BAR: 24, 1: OFF, OFF: 1}
    made = swaps.get(start, start), swaps.get(end, end)
    return _with_hop(entry, at, *made) if made[0] > made[1] else None


@_in_play("dance for a play")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return replace(entry, text=PlayText("dance"))


@_in_play("play for a dance", dances=True)
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    assert entry.dice is not None
    end = 25 - entry.dice[0]
    return replace(entry, text=PlayText("moves", (HopText((BAR, end), (False,)),)))


@_in_play("roll of a dance misread", dances=True)
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return replace(entry, dice=(rng.randint(1, 6), rng.randint(1, 6)))


@_in_play("double rolled for a single")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    if entry.dice is None or entry.dice[0] == entry.dice[1] or len(entry.text.hops) < 2:
        return None
    die = rng.choice(entry.dice)
    return replace(entry, dice=(die, die))


@_in_play("two hops wrong")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    if len(entry.text.hops) < 2:
        return None
    made = entry
    for at in (0, 1):
        numbers = entry.text.hops[at].points
        end = numbers[-1] + rng.choice((-2, -1, 1, 2))
        if not _is_point(end):
            return None
        made = _with_hop(made, at, numbers[0], end)
    return made


# --- turns ----------------------------------------------------------------------------------


def _plays(entries: list[Entry]) -> list[int]:
    return [at for at, entry in enumerate(entries) if isinstance(entry, CheckerPlay) and entry.dice is not None]


def _play(entry: Entry) -> CheckerPlay:
    assert isinstance(entry, CheckerPlay)
    return entry


def _some(entries: list[Entry], rng: random.Random, before: int = 0) -> int | None:
    plays = _plays(entries)
    plays = plays[: len(plays) - before]
    return rng.choice(plays) if plays else None


@_in_game("turn left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    return None if at is None else [*entries[:at], *entries[at + 1 :]]


@_in_game("row left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 2)
    return None if at is None else [*entries[:at], *entries[at + 2 :]]


@_in_game("two turns left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at, second = _some(entries, rng, 2), _some(entries, rng, 2)
    return None if at is None else [entry for number, entry in enumerate(entries) if number not in (at, second)]


@_in_game("last turns left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    return entries[: -rng.randint(1, 4)] if len(entries) > 8 else None


@_in_game("turn a second time")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng)
    return None if at is None else [*entries[: at + 1], entries[at], *entries[at + 1 :]]


@_in_game("row a second time")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    return None if at is None else [*entries[: at + 2], *entries[at : at + 2], *entries[at + 2 :]]


@_in_game("turns exchanged")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    return None if at is None else [*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]]


@_in_game("turns exchanged, columns kept")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if at is None or not isinstance(entries[at], CheckerPlay) or not isinstance(entries[at + 1], CheckerPlay):
        return None
    one, two = entries[at], entries[at + 1]
    return [*entries[:at], replace(two, player=one.player), replace(one, player=two.player), *entries[at + 2 :]]


@_in_game("rows exchanged whole")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    return None if at is None else [*entries[:at], *entries[at + 2 : at + 4], *entries[at : at + 2], *entries[at + 4 :]]


@_in_game("own turns exchanged")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 2)
    if at is None or entries[at].player != entries[at + 2].player:
        return None
    return [*entries[:at], entries[at + 2], entries[at + 1], entries[at], *entries[at + 3 :]]


@_in_game("turn of the wrong player")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng)
    if at is None:
        return None
    return [*entries[:at], replace(entries[at], player=other(entries[at].player)), *entries[at + 1 :]]


@_in_game("players exchanged from here")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    return None if at is None else [*entries[:at], *(replace(e, player=other(e.player)) for e in entries[at:])]


@_in_game("plays exchanged, rolls kept")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if at is None:
        return None
    one, two = entries[at : at + 2]
    if not isinstance(one, CheckerPlay) or not isinstance(two, CheckerPlay):
        return None
    return [*entries[:at], replace(one, text=two.text), replace(two, text=one.text), *entries[at + 2 :]]


@_in_game("rolls exchanged, plays kept")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 2)
    if at is None:
        return None
    one, two = entries[at], entries[at + 2]
    if not isinstance(one, CheckerPlay) or not isinstance(two, CheckerPlay):
        return None
    return [
        *entries[:at],
        replace(one, dice=two.dice),
        entries[at + 1],
        replace(two, dice=one.dice),
        *entries[at + 3 :],
    ]


@_in_game("turn over another")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 2)
    if at is None or entries[at].player != entries[at + 2].player:
        return None
    return [*entries[: at + 2], entries[at], *entries[at + 3 :]]


@_in_game("row over the next")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    return None if at is None else [*entries[: at + 2], *entries[at : at + 2], *entries[at + 4 :]]


@_in_game("play over another")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    one, two = _some(entries, rng), _some(entries, rng)
    if one is None or two is None:
        return None
    return [*entries[:two], replace(_play(entries[two]), text=_play(entries[one]).text), *entries[two + 1 :]]


@_in_game("roll of the turn before")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if at is None or not isinstance(entries[at + 1], CheckerPlay):
        return None
    return [*entries[: at + 1], replace(_play(entries[at + 1]), dice=_play(entries[at]).dice), *entries[at + 2 :]]


@_in_game("two turns in one")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if at is None or not isinstance(entries[at + 1], CheckerPlay):
        return None
    return [*entries[:at], replace(_play(entries[at]), text=_play(entries[at + 1]).text), *entries[at + 2 :]]


@_in_game("double to open")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    if not entries or not isinstance(entries[0], CheckerPlay) or entries[0].dice is None:
        return None
    die = rng.choice(entries[0].dice)
    return [replace(entries[0], dice=(die, die)), *entries[1:]]


@_in_game("turn after the end")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng)
    return None if at is None else [*entries, replace(entries[at], player=other(entries[-1].player))]


@_in_game("turn moved on")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    return None if at is None else [*entries[:at], *entries[at + 1 : at + 3], entries[at], *entries[at + 3 :]]


@_in_game("two plays wrong")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    made = list(entries)
    for at in rng.sample(_plays(entries), min(2, len(_plays(entries)))):
        entry = made[at]
        assert isinstance(entry, CheckerPlay)
        if not entry.text.hops:
            return None
        number, start, end = _any_hop(entry, rng)
        end += rng.choice((-1, 1))
        if not _is_point(end):
            return None
        made[at] = _with_hop(entry, number, start, end)
    return made


# --- the cube -------------------------------------------------------------------------------


def _of_kind(entries: list[Entry], rng: random.Random, *kinds: type) -> int | None:
    found = [at for at, entry in enumerate(entries) if isinstance(entry, kinds)]
    return rng.choice(found) if found else None


def _without(name: str, *kinds: type, following: int = 0) -> None:
    @_in_game(name)
    def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
        at = _of_kind(entries, rng, *kinds)
        return None if at is None else [*entries[:at], *entries[at + 1 + following :]]


_without("offer left out", Double)
_without("take left out", Take)
_without("pass left out", Drop)
_without("beaver left out", Beaver)
_without("offer and answer left out", Double, following=1)


def _with_other(name: str, kind: type, make: Callable[[Entry], tuple[Entry, ...]]) -> None:
    @_in_game(name)
    def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
        at = _of_kind(entries, rng, kind)
        return None if at is None else [*entries[:at], *make(entries[at]), *entries[at + 1 :]]


_with_other("pass for a take", Take, lambda entry: (Drop(player=entry.player),))
_with_other("take for a pass", Drop, lambda entry: (Take(player=entry.player),))
_with_other("take for a beaver", Beaver, lambda entry: (Take(player=entry.player),))
_with_other("beaver for a take", Take, lambda entry: (Beaver(player=entry.player, value=4),))
_with_other("take of the wrong player", Take, lambda entry: (replace(entry, player=other(entry.player)),))
_with_other("offer of the wrong player", Double, lambda entry: (replace(entry, player=other(entry.player)),))
_with_other("offer twice", Double, lambda entry: (entry, entry))
_with_other("take a second time", Take, lambda entry: (entry, entry))
_with_other(
    "redouble after the take", Take,
    lambda entry: (entry, Double(player=entry.player, value=4), Take(player=other(entry.player))),
)  # fmt: skip


@_in_game("wrong value")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None:
        return None
    entry = entries[at]
    assert isinstance(entry, Double)
    value = entry.value or 2
    return [
        *entries[:at],
        replace(entry, value=rng.choice((2 * value, value * 4, 3, 2, value + 1))),
        *entries[at + 1 :],
    ]


@_in_game("cube a turn later")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None or at + 2 >= len(entries):
        return None
    return [*entries[:at], entries[at + 2], entries[at], entries[at + 1], *entries[at + 3 :]]


@_in_game("cube a turn sooner")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None or at < 1:
        return None
    return [*entries[: at - 1], *entries[at : at + 2], entries[at - 1], *entries[at + 2 :]]


@_in_game("answer before the offer")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None or at + 1 >= len(entries):
        return None
    return [*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]]


@_in_game("cube made up")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 2)
    if not at:
        return None
    player, value = entries[at].player, rng.choice((2, 4))
    return [*entries[:at], Double(player=player, value=value), Take(player=other(player)), *entries[at:]]


# --- results, scores, header ---------------------------------------------------------------


def _in_result(name: str) -> Callable[[Callable[[ResultClaim, random.Random], ResultClaim | None]], None]:
    def add(slip: Callable[[ResultClaim, random.Random], ResultClaim | None]) -> None:
        @_on_match(name)
        def _(match: Match, rng: random.Random) -> Match | None:
            at = rng.randrange(len(match.games))
            game = match.games[at]
            if len(game.results) != 1 or (made := slip(game.results[0], rng)) is None:
                return None
            return with_game(match, at, replace(game, results=(made,)))

    return add


@_in_result("points one off")
def _(claim: ResultClaim, rng: random.Random) -> ResultClaim | None:
    points = (claim.points or 0) + rng.choice((-1, 1))
    return replace(claim, points=points) if points > 0 else None


@_in_result("points of a gammon or the cube")
def _(claim: ResultClaim, rng: random.Random) -> ResultClaim | None:
    points = claim.points or 0
    some = [each for each in (points // 2, points // 3, points * 2, points * 3) if each]
    return replace(claim, points=rng.choice(some)) if some else None


@_in_result("winner exchanged")
def _(claim: ResultClaim, rng: random.Random) -> ResultClaim:
    return replace(claim, player=other(claim.player))


@_on_match("result left out")
def _(match: Match, rng: random.Random) -> Match:
    at = rng.randrange(len(match.games))
    return with_game(match, at, replace(match.games[at], results=()))


@_on_match("result of the game before")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(1, len(match.games))
    before = [replace(each, match=False) for each in match.games[at - 1].results]
    return with_game(match, at, replace(match.games[at], results=tuple(before)))


@_on_match("scores exchanged")
def _(match: Match, rng: random.Random) -> Match | None:
    at = rng.randrange(len(match.games))
    score = match.games[at].score
    return None if score is None else with_game(match, at, replace(match.games[at], score=(score[1], score[0])))


@_on_match("score one off")
def _(match: Match, rng: random.Random) -> Match | None:
    at = rng.randrange(len(match.games))
    score = match.games[at].score
    if score is None:
        return None
    made = [*score]
    made[rng.randrange(2)] += rng.choice((-1, 1))
    return None if min(made) < 0 else with_game(match, at, replace(match.games[at], score=(made[0], made[1])))


@_on_match("score of the game before")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(1, len(match.games))
    return with_game(match, at, replace(match.games[at], score=match.games[at - 1].score))


@_on_match("game a second time")
def _(match: Match, rng: random.Random) -> Match:
    at = rng.randrange(len(match.games))
    games = (*match.games[: at + 1], *match.games[at:])
    return replace(match, games=tuple(replace(game, number=number) for number, game in enumerate(games, 1)))


@_on_match("game left out")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 3:
        return None
    at = rng.randrange(1, len(match.games) - 1)
    return replace(match, games=(*match.games[:at], *match.games[at + 1 :]))


@_on_match("games in each other's place")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(len(match.games) - 1)
    return replace(match, games=(*match.games[:at], match.games[at + 1], match.games[at], *match.games[at + 2 :]))


@_on_match("length one off")
def _(match: Match, rng: random.Random) -> Match | None:
    return replace(match, length=match.length + rng.choice((-1, 1, 2))) if match.length and match.length > 2 else None


@_on_match("length of another match")
def _(match: Match, rng: random.Random) -> Match | None:
    return replace(match, length=rng.choice((3, 5, 7, 9, 11, 13))) if match.length else None


@_on_match("money with a length")
def _(match: Match, rng: random.Random) -> Match | None:
    if match.length:
        return None
    return replace(
        match, length=rng.choice((5, 7, 9)), rules=replace(match.rules, crawford=True, jacoby=False, beavers=0)
    )


@_on_match("match as money")
def _(match: Match, rng: random.Random) -> Match | None:
    return replace(match, length=0) if match.length else None


@_on_match("Crawford rule the other way")
def _(match: Match, rng: random.Random) -> Match | None:
    return replace(match, rules=replace(match.rules, crawford=not match.rules.crawford)) if match.length else None


@_on_match("Jacoby rule the other way")
def _(match: Match, rng: random.Random) -> Match | None:
    return None if match.length else replace(match, rules=replace(match.rules, jacoby=not match.rules.jacoby))


@_on_match("beavers off")
def _(match: Match, rng: random.Random) -> Match | None:
    if match.length or not any(isinstance(entry, Beaver) for game in match.games for entry in game.entries):
        return None
    return replace(match, rules=replace(match.rules, beavers=0))


@_on_match("automatic doubles misstated")
def _(match: Match, rng: random.Random) -> Match | None:
    if match.length:
        return None
    count = 0 if match.rules.automatic_doubles else 1
    return replace(match, rules=replace(match.rules, automatic_doubles=count))


@_on_match("other variation")
def _(match: Match, rng: random.Random) -> Match:
    return replace(match, rules=replace(match.rules, variant=rng.choice(("nackgammon", "hypergammon", "backgammon"))))


def with_slips(match: Match, names: Iterator[str], rng: random.Random, count: int) -> tuple[Match, list[str]] | None:
    """A record with several slips, planted one after the other, and their kinds; None where there is no room."""
    made, done = match, []
    for name in names:
        following = plant(name, made, rng)
        if following is not None:
            made = following
            done.append(name)
        if len(done) == count:
            return made, done
    return None
