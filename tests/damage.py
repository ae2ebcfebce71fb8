"""Damaged records: sound ones in which something is wrong, in their text or in what was read of it."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

from bgtools.board.play import HopText, PlayText
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.formats.registry import our_formats
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)
from fuzz.mutations import mutate
from selfplay import random_match
from support import random_groups, scatter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.record.record import Entry, Game

TEXTS = ("mat", "mat", "mat", "mat", "sgf", "sgg", "tmg", "oldmoves", "snowie", "gam", "json")
"""The formats whose texts are damaged; match text most of all, which people write by hand."""


def damaged(number: int, seed: int = 0) -> Iterator[Match]:
    """So many damaged records that are still read, each with a game: by turns of text and of what was read."""
    rng = random.Random(seed)
    made = 0
    for kind in cycle(range(3)):
        if made >= number:
            return
        found = _text(rng) if kind else _model(rng)
        if found is not None and found.games:
            made += 1
            yield found


@cache
def _sound(index: int) -> Match:
    return random_match(index, (0, 1, 3, 7)[index % 4], set_positions=index % 5 == 0)


@cache
def _bytes(index: int, name: str) -> bytes:
    chosen = next(each for each in our_formats() if each.name == name)
    try:
        return chosen.write((_sound(index),))
    except FormatError:
        return b""


_SOUND = 40


def _text(rng: random.Random) -> Match | None:
    name = rng.choice(TEXTS)
    data = _bytes(rng.randrange(_SOUND), name)
    if not data:
        return None
    others = [other for index in range(3) if (other := _bytes(index, name))]
    try:
        return read_source(mutate(rng, data, others, largest=1 << 15), f"damaged.{name}", name)[0]
    except FormatError:
        return None


# --- what was read ----------------------------------------------------------------------------


def _model(rng: random.Random) -> Match | None:
    match = replace(_sound(rng.randrange(_SOUND)), source=None)
    for _ in range(rng.choice((1, 1, 2, 4))):
        if match.games:
            match = rng.choice(_MATCH + _GAME)(rng, match)
    return match


def _name(rng: random.Random, match: Match) -> Match:
    name = rng.choice((
        "", "A" * 170, "B" * 1000, "東京", "a:b : 3", "1) 31:", "; x", "[x]", "\x1b[2J", "Ann", " ", "a\nb", "a\tb",
        "X and Y", "O", "wins", "=1+1", "a;b", "(a)", "a,1600", "\N{NO-BREAK SPACE}", "é" * 64,
    ))  # fmt: skip
    return replace(match, players=rng.choice(((name, "Bob"), ("Ann", name), (name, name))))


def _length(rng: random.Random, match: Match) -> Match:
    return replace(match, length=rng.choice((None, 0, 1, 2, 16, 99, 9999, 99999, 10**9)))


def _rules(rng: random.Random, match: Match) -> Match:
    change: dict[str, Any] = rng.choice((
        {"crawford": False}, {"jacoby": True}, {"beavers": 1}, {"beavers": 9}, {"cube_limit": 1}, {"holland": True},
        {"automatic_doubles": 3}, {"quadruple": True}, {"winner_starts": True}, {"variant": "nackgammon"},
        {"variant": "hypergammon"}, {"jacoby": None},
    ))  # fmt: skip
    return replace(match, rules=replace(match.rules, **change))


def _tag(rng: random.Random, match: Match) -> Match:
    key = rng.choice(("Event", "Site", "Variation", "Crawford", "Player 1", "EventDate", "a]b", "", "Jacoby", "Beaver"))
    value = rng.choice(("", "On", "x" * 500, '"', "]", "\n", "Nackgammon", "2020.13.45", "東京", "0", "\\"))
    return replace(match, tags=(*match.tags, Tag(key=key, value=value)))


def _games(rng: random.Random, match: Match) -> Match:
    games = list(match.games)
    at = rng.randrange(len(games))
    rng.choice((lambda: games.pop(at), lambda: games.insert(at, games[at]), lambda: rng.shuffle(games)))()
    return replace(match, games=tuple(games))


def _comment(rng: random.Random, match: Match) -> Match:
    text = rng.choice(
        ("", "x", "a\nb", "\n", "] (;", "31: 8/5", "Game 2", "x" * 3000, "東京", "\x00", "; y", '"', "Wins 2 points")
    )
    remark = Comment(text=text, at=rng.choice((None, 0, 3, 1000)))
    if rng.random() < 0.3:
        return replace(match, comments=(*match.comments, remark))
    return _of_game(lambda rng, game: replace(game, comments=(*game.comments, remark)))(rng, match)


_MATCH = (_name, _length, _rules, _tag, _games, _comment)


def _of_game(change: Callable[[random.Random, Game], Game]) -> Callable[[random.Random, Match], Match]:
    def changed(rng: random.Random, match: Match) -> Match:
        at = rng.randrange(len(match.games))
        games = (change(rng, game) if index == at else game for index, game in enumerate(match.games))
        return replace(match, games=tuple(games))

    return changed


def _entries(change: Callable[[random.Random, list[Any]], None]) -> Callable[[random.Random, Match], Match]:
    def changed(rng: random.Random, game: Game) -> Game:
        entries = list(game.entries)
        if entries:
            change(rng, entries)
        return replace(game, entries=tuple(entries))

    return _of_game(changed)


def _at(entries: Sequence[Entry], rng: random.Random) -> int:
    return rng.choice((0, len(entries) - 1, rng.randrange(len(entries)), rng.randrange(len(entries))))


def _dropped(rng: random.Random, entries: list[Any]) -> None:
    at = _at(entries, rng)
    del entries[at : at + rng.choice((1, 1, 2, 7, len(entries)))]


def _twice(rng: random.Random, entries: list[Any]) -> None:
    at = _at(entries, rng)
    entries.insert(rng.choice((at, _at(entries, rng))), entries[at])


def _swapped(rng: random.Random, entries: list[Any]) -> None:
    one, two = _at(entries, rng), _at(entries, rng)
    entries[one], entries[two] = entries[two], entries[one]


def _other_player(rng: random.Random, entries: list[Any]) -> None:
    at = _at(entries, rng)
    for index in range(at, rng.choice((at + 1, at + 2, len(entries)))):
        if index < len(entries):
            entries[index] = replace(entries[index], player=1 - entries[index].player)


def _played(rng: random.Random, entries: list[Any]) -> None:
    at = _at(entries, rng)
    board = scatter(rng)
    dice = rng.choice((None, (0, 0), (6, 6), (3, 1), (9, 9), (0, 7), (rng.randint(1, 6), rng.randint(1, 6))))
    text = rng.choice((
        PlayText("moves", random_groups(rng, board, (rng.randint(1, 6), rng.randint(1, 6)))),
        PlayText("moves", random_groups(rng, board, (rng.randint(1, 6), rng.randint(1, 6)))),
        PlayText("moves", (HopText((24, 18), (False,)), HopText((24, 18), (False,)), HopText((13, 7), (False,), 2))),
        PlayText("moves", (HopText((13, 8, 3), (True, False), 4),)), PlayText("moves", ()),
        PlayText("moves", (HopText((8, 13), (False,)),)), PlayText("moves", (HopText((25, 24), (True,), 9),)),
        PlayText("nothing"), PlayText("dance"), PlayText("unknown"), PlayText("unreadable", dump="xyz"),
        PlayText("illegal", dump=""), PlayText("illegal", dump="1;2;3"), PlayText("unreadable", dump="x\n] y"),
    ))  # fmt: skip
    old = entries[at]
    if isinstance(old, CheckerPlay) and rng.random() < 0.7:
        old = replace(old, text=text) if rng.random() < 0.6 else replace(old, dice=dice)
        entries[at] = old
    else:
        entries[at] = CheckerPlay(player=old.player, dice=dice, text=text)


def _act(rng: random.Random, entries: list[Any]) -> None:
    player: Any = rng.randrange(2)
    value = rng.choice((None, 0, 1, 2, 4, 8, 64, 3, 10**9))
    level: Any = rng.choice((None, 1, 2, 3))
    entry = rng.choice((
        Double(player=player, value=value), Beaver(player=player, value=value), Take(player=player),
        Drop(player=player),
        Beaver(player=player, raccoon=True), AutomaticDouble(player=player, value=value),
        Resign(player=player, level=level), Resign(player=player, match=True),
        SetBoard(player=player, position=scatter(rng), cube=rng.choice((1, 2, 64)), owner=rng.choice((None, 0, 1))),
    ))  # fmt: skip
    at = rng.choice((_at(entries, rng), len(entries)))
    entries[at : at + rng.randrange(2)] = [entry]


def _results(rng: random.Random, game: Game) -> Game:
    player: Any = rng.randrange(2)
    claim = ResultClaim(
        player=player, won=rng.random() < 0.8, points=rng.choice((None, 0, 1, 2, 3, 5, 100, 10**8)),
        match=rng.random() < 0.3, column_speaks=rng.random() < 0.8,
    )  # fmt: skip
    return replace(game, results=rng.choice(((), (claim,), (*game.results, claim))))


def _score(rng: random.Random, game: Game) -> Game:
    return replace(
        game,
        score=rng.choice((None, (0, 0), (2, 2), (5, 1), (100, 7), (0, 10**8))),
        number=rng.choice((None, game.number, 1, 0, 7, 10**8)),
    )


def _start(rng: random.Random, game: Game) -> Game:
    owner: Any = rng.choice((None, 0, 1))
    return replace(game, start=scatter(rng), start_cube=rng.choice((1, 2, 4, 3, 2**20)), start_owner=owner)


_GAME = (
    *map(_entries, (_dropped, _twice, _swapped, _other_player, _played, _played, _act, _act)),
    *map(_of_game, (_results, _score, _start)),
)  # fmt: skip
