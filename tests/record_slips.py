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
     "result left out", "play over another", "turn over another", "two turns in one",
     "first turn left out", "game cut in its middle", "turn of another game", "next own turn early", "dance left out",
     "rows of two games exchanged", "points one off, the score after it too"}
)  # fmt: skip
"""After these the record does not tell what stood there."""


def is_kept_back(name: str) -> bool:
    """Whether a kind is of those by which nothing was chosen: half of the ones at the end of this file."""
    return (
        name in list(SLIPS)[list(SLIPS).index(_LAST_KINDS) :]
        and crc32(name.encode()) % 2 == 0
        and name not in _LOOKED_AT
    )


_LAST_KINDS: Final = "hop of the next turn"
_LOOKED_AT: Final = frozenset({"next own turn early", "one hop in the other numbering"})


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


# --- the last kinds, of which half are kept back---------------------------------------------


def _own(entries: list[Entry], at: int, step: int) -> CheckerPlay | None:
    """The turn of the same player before or after a turn."""
    some = [each for each in _plays(entries) if entries[each].player == entries[at].player]
    number = some.index(at) + step
    return _play(entries[some[number]]) if 0 <= number < len(some) else None


def _over(name: str, make: Callable[[list[Entry], int, random.Random], CheckerPlay | None]) -> None:
    """A slip that puts another turn over one that has hops."""

    @_in_game(name)
    def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
        some = [at for at in _plays(entries) if _play(entries[at]).text.hops]
        for at in rng.sample(some, len(some)):
            made = make(entries, at, rng)
            if made is not None and made != entries[at]:
                return [*entries[:at], made, *entries[at + 1 :]]
        return None


def _hop_of(entries: list[Entry], at: int, step: int, rng: random.Random) -> CheckerPlay | None:
    near = _own(entries, at, step)
    if near is None or not near.text.hops:
        return None
    stands = _play(entries[at])
    _, start, end = _any_hop(near, rng)
    return _with_hop(stands, rng.randrange(len(stands.text.hops)), start, end)


def _text_of(entries: list[Entry], at: int, step: int, rng: random.Random) -> CheckerPlay | None:
    near = _own(entries, at, step)
    return None if near is None or not near.text.hops else replace(_play(entries[at]), text=near.text)


def _roll_of(entries: list[Entry], at: int, step: int) -> CheckerPlay | None:
    near = _own(entries, at, step)
    return None if near is None else replace(_play(entries[at]), dice=near.dice)


_over("hop of the next turn", lambda entries, at, rng: _hop_of(entries, at, 1, rng))
_over("hop of the turn before", lambda entries, at, rng: _hop_of(entries, at, -1, rng))
_over("play of the next turn", lambda entries, at, rng: _text_of(entries, at, 1, rng))
_over("roll of the next turn", lambda entries, at, rng: _roll_of(entries, at, 1))
_over("next own turn early", lambda entries, at, rng: _own(entries, at, 1))
_over("roll of the other player", lambda entries, at, rng: (
    replace(_play(entries[at]), dice=_play(entries[at - 1]).dice)
    if at and isinstance(entries[at - 1], CheckerPlay) else None
))  # fmt: skip


@_in_play("both hops one off")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    step = rng.choice((-1, 1))
    hops = [[number + step for number in hop.points] for hop in entry.text.hops]
    if not all(0 < number < BAR for hop in hops for number in hop):
        return None
    return replace(entry, text=PlayText("moves", tuple(HopText(tuple(hop), (False,) * (len(hop) - 1)) for hop in hops)))


@_in_play("one hop in the other numbering")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    at, start, end = _any_hop(entry, rng)
    return _with_hop(entry, at, 25 - start, 25 - end) if 0 < start < BAR and 0 < end < BAR else None


@_in_play("hop in place of the other")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    if len(entry.text.hops) < 2:
        return None
    one, two = rng.sample(range(len(entry.text.hops)), 2)
    hops = list(entry.text.hops)
    hops[one] = hops[two]
    return replace(entry, text=PlayText("moves", tuple(hops)))


@_in_play("hop made up")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    start = rng.randint(7, 24)
    hop = HopText((start, start - rng.randint(1, 6)), (False,))
    return replace(entry, text=PlayText("moves", (*entry.text.hops, hop)))


@_in_play("single rolled for a double")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    assert entry.dice is not None
    if entry.dice[0] != entry.dice[1]:
        return None
    return _of_die(entry, 1, rng.choice([die for die in range(1, 7) if die != entry.dice[0]]))


@_in_play("both dice misread")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return replace(entry, dice=(rng.randint(1, 6), rng.randint(1, 6)))


@_in_play("die over six")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return _of_die(entry, rng.randrange(2), rng.choice((7, 8, 9)))


@_in_play("play not written")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay:
    return replace(entry, text=PlayText(rng.choice(("unknown", "nothing", "dance"))))


@_in_play("points of a hop spelt alike")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    alike = {1: 7, 7: 1, 3: 8, 8: 3, 5: 6, 6: 5, 11: 17, 17: 11, 13: 18, 18: 13, 15: 16, 16: 15, 21: 24, 23: 22, 22: 23}
    at, start, end = _any_hop(entry, rng)
    made = (alike.get(start, start), end) if rng.random() < 0.5 else (start, alike.get(end, end))
    return _with_hop(entry, at, *made)


@_in_play("bar left out of a hop")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    found = [at for at, hop in enumerate(entry.text.hops) if hop.points[0] == BAR]
    if not found:
        return None
    end = entry.text.hops[found[0]].points[-1]
    return _with_hop(entry, found[0], rng.choice((24, 25 - end, 6)), end)


@_in_play("entry on the mirrored point")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    found = [at for at, hop in enumerate(entry.text.hops) if hop.points[0] == BAR]
    return _with_hop(entry, rng.choice(found), BAR, 25 - entry.text.hops[found[0]].points[-1]) if found else None


@_in_play("checker borne off from elsewhere")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    found = [at for at, hop in enumerate(entry.text.hops) if hop.points[-1] == OFF]
    return _with_hop(entry, rng.choice(found), rng.randint(1, 7), OFF) if found else None


@_in_play("bear-off written as a hop")
def _(entry: CheckerPlay, rng: random.Random) -> CheckerPlay | None:
    found = [at for at, hop in enumerate(entry.text.hops) if hop.points[-1] == OFF and hop.points[0] > 1]
    return _with_hop(entry, at := rng.choice(found), entry.text.hops[at].points[0], 1) if found else None


@_in_game("dance made up")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if not at:
        return None
    dice = (rng.randint(1, 6), rng.randint(1, 6))
    made = [CheckerPlay(player=player, dice=dice, text=PlayText("dance")) for player in (entries[at].player,)]
    return [*entries[:at], *made, *entries[at:]]


@_in_game("dance left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    dances = [at for at in _plays(entries)[:-1] if not _play(entries[at]).text.hops]
    return [*entries[: (at := rng.choice(dances))], *entries[at + 1 :]] if dances else None


@_in_game("turn of another game")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at, second = _some(entries, rng), _some(entries, rng)
    if at is None or second is None or abs(at - second) < 8 or not _play(entries[second]).text.hops:
        return None
    return [*entries[:at], replace(entries[second], player=entries[at].player), *entries[at + 1 :]]


@_in_game("three turns rotated")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    some = [at for at in _plays(entries) if at + 4 < len(entries)]
    if not some:
        return None
    at = rng.choice(some)
    if not all(isinstance(each, CheckerPlay) for each in entries[at : at + 5]):
        return None
    made = list(entries)
    made[at], made[at + 2], made[at + 4] = entries[at + 2], entries[at + 4], entries[at]
    return made


@_in_game("first turn left out")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    return entries[1:] if len(entries) > 8 else None


@_in_game("first two turns exchanged")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    return [entries[1], entries[0], *entries[2:]] if len(entries) > 8 else None


@_in_game("turn of both players over each other")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 1)
    if at is None or not isinstance(entries[at + 1], CheckerPlay):
        return None
    one, two = _play(entries[at]), _play(entries[at + 1])
    return [*entries[:at], replace(one, text=two.text), replace(two, text=one.text), *entries[at + 2 :]]


@_in_game("three turns of the wrong player")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    if at is None:
        return None
    moved = [replace(each, player=other(each.player)) for each in entries[at : at + 3]]
    return [*entries[:at], *moved, *entries[at + 3 :]]


@_in_game("game cut in its middle")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    if len(entries) < 30:
        return None
    at = rng.randint(8, len(entries) - 12)
    return [*entries[:at], *entries[at + rng.randint(3, 9) :]]


@_in_game("take and pass")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Take, Drop)
    if at is None:
        return None
    player = entries[at].player
    another: Entry = Drop(player=player) if isinstance(entries[at], Take) else Take(player=player)
    both = rng.sample((entries[at], another), 2)
    return [*entries[:at], *both, *entries[at + 1 :]]


@_in_game("pass by the doubler")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Drop)
    if at is None:
        return None
    return [*entries[:at], replace(entries[at], player=other(entries[at].player)), *entries[at + 1 :]]


@_in_game("offer again a turn later")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None or at + 4 > len(entries) or not isinstance(entries[at + 1], Take):
        return None
    return [*entries[: at + 3], *entries[at : at + 2], *entries[at + 3 :]]


@_in_game("offer between the dice and the next turn")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Double)
    if at is None or at + 2 >= len(entries):
        return None
    return [*entries[:at], *entries[at + 1 : at + 3], entries[at], *entries[at + 3 :]]


@_in_game("answer a turn later")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _of_kind(entries, rng, Take)
    return None if at is None or at + 1 >= len(entries) else [
        *entries[:at], entries[at + 1], entries[at], *entries[at + 2 :],
    ]  # fmt: skip


@_in_game("pass made up before the end")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    at = _some(entries, rng, 3)
    if not at:
        return None
    player = entries[at].player
    return [*entries[:at], Double(player=player, value=2), Drop(player=other(player)), *entries[at:]]


_with_other("beaver for a pass", Drop, lambda entry: (Beaver(player=entry.player, value=4),))
_with_other("offer for a take", Take, lambda entry: (Double(player=entry.player, value=4),))
_with_other("take for an offer", Double, lambda entry: (Take(player=entry.player),))


@_in_game("values of all offers wrong")
def _(entries: list[Entry], rng: random.Random) -> list[Entry] | None:
    factor = rng.choice((2, 4))
    made = [
        replace(each, value=each.value * factor) if isinstance(each, Double) and each.value else each
        for each in entries
    ]
    return made if made != entries else None


@_on_match("result of the next game")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(len(match.games) - 1)
    after = [replace(each, match=False) for each in match.games[at + 1].results]
    return with_game(match, at, replace(match.games[at], results=tuple(after)))


@_on_match("score in place of the points")
def _(match: Match, rng: random.Random) -> Match | None:
    at = rng.randrange(len(match.games))
    game = match.games[at]
    if game.score is None or len(game.results) != 1:
        return None
    claim = game.results[0]
    points = game.score[claim.player] + (claim.points or 0)
    return None if points == claim.points else with_game(
        match, at, replace(game, results=(replace(claim, points=points),))
    )  # fmt: skip


@_on_match("scores wrong from a game on")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 3 or match.games[0].score is None:
        return None
    at, player = rng.randrange(1, len(match.games)), rng.randrange(2)
    games = []
    for number, game in enumerate(match.games):
        one, two = game.score or (0, 0)
        more = (one + 1, two) if player == 0 else (one, two + 1)
        games.append(game if number < at else replace(game, score=more))
    return replace(match, games=tuple(games))


@_on_match("winner and points wrong")
def _(match: Match, rng: random.Random) -> Match | None:
    at = rng.randrange(len(match.games))
    game = match.games[at]
    if len(game.results) != 1:
        return None
    claim = game.results[0]
    wrong = replace(claim, player=other(claim.player), points=rng.choice((1, 2, 3, 4)))
    return with_game(match, at, replace(game, results=(wrong,)))


@_on_match("points one off, the score after it too")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(len(match.games) - 1)
    game, after = match.games[at], match.games[at + 1]
    if len(game.results) != 1 or after.score is None or not game.results[0].points:
        return None
    claim, score = game.results[0], [*after.score]
    score[claim.player] += 1
    made = with_game(match, at, replace(game, results=(replace(claim, points=(claim.points or 0) + 1),)))
    return with_game(made, at + 1, replace(after, score=(score[0], score[1])))


@_on_match("games run together")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(len(match.games) - 1)
    one, two = match.games[at : at + 2]
    joined = replace(one, entries=(*one.entries, *two.entries), results=two.results)
    return replace(match, games=(*match.games[:at], joined, *match.games[at + 2 :]))


@_on_match("game torn in two")
def _(match: Match, rng: random.Random) -> Match | None:
    at = rng.randrange(len(match.games))
    game = match.games[at]
    if len(game.entries) < 20:
        return None
    cut = rng.randint(6, len(game.entries) - 6)
    one, two = replace(game, entries=game.entries[:cut], results=()), replace(game, entries=game.entries[cut:])
    games = (*match.games[:at], one, two, *match.games[at + 1 :])
    return replace(match, games=tuple(replace(each, number=number) for number, each in enumerate(games, 1)))


@_on_match("rows of two games exchanged")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(len(match.games) - 1)
    one, two = match.games[at : at + 2]
    places = _plays(list(one.entries))[2:6], _plays(list(two.entries))[2:6]
    if not all(places):
        return None
    first, second = rng.choice(places[0]), rng.choice(places[1])
    here = [
        *one.entries[:first],
        replace(two.entries[second], player=one.entries[first].player),
        *one.entries[first + 1 :],
    ]
    there = [*two.entries[:second], replace(one.entries[first], player=two.entries[second].player),
             *two.entries[second + 1 :]]  # fmt: skip
    made = with_game(match, at, replace(one, entries=tuple(here)))
    return with_game(made, at + 1, replace(two, entries=tuple(there)))


@_on_match("length with a digit more or less")
def _(match: Match, rng: random.Random) -> Match | None:
    if not match.length:
        return None
    length = match.length // 10 if match.length > 9 else match.length * 10 + rng.choice((1, 3, 5))
    return replace(match, length=length)


@_on_match("players exchanged in all games after one")
def _(match: Match, rng: random.Random) -> Match | None:
    if len(match.games) < 2:
        return None
    at = rng.randrange(1, len(match.games))
    games = [
        replace(game, entries=tuple(replace(each, player=other(each.player)) for each in game.entries))
        for game in match.games[at:]
    ]
    return replace(match, games=(*match.games[:at], *games))


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
