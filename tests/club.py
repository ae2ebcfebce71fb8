"""Folders of made-up records: who plays whom, who wins, when, in which round."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from annotated import analysed
from bgtools.analysis.events import Result
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format
from bgtools.record.record import Tag
from bgtools.replayer.match import final_of, replay
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bgtools.record.record import Match

_LAST = ("Quill", "Rowan", "Stone", "Tarn")
NAMES = tuple(f"{one} {two}" for one in ("Ruth", "Xaver", "Yusra", "Zoltan") for two in _LAST)


@cache
def _played(seed: int, length: int) -> tuple[Match, int]:
    """A random match and who won it."""
    match = random_match(seed, length, set_positions=True)
    _, winner = final_of(replay(match), length)
    assert winner is not None
    return match, winner


def played(seed: int, result: Result, event: str = "", length: int = 3) -> Match:
    """A random match with this result."""
    match, winner = _played(seed, length)
    players = result.players if winner == result.winner else result.players[::-1]
    tags = (("Event", event), ("Round", result.round), ("EventDate", result.date.replace("-", ".")))
    return replace(match, players=players, tags=tuple(Tag(key=key, value=value) for key, value in tags if value))


def put(
    folder: Path, results: Sequence[Result], *, event: str = "", has_analysis: bool = False, first: int = 0
) -> list[Path]:
    """Write a record of each result; the seeds of their dice begin with ``first``."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, result in enumerate(results, first):
        match = played(number, result, event)
        path = folder / f"{number:03}.{'sgf' if has_analysis else 'mat'}"
        if has_analysis:
            path.write_bytes(find_format("sgf").write((analysed(match, number),)))
        else:
            path.write_text(write(match), encoding="utf-8")
        paths.append(path)
    return paths


def round_robin(count: int, rng: random.Random) -> list[Result]:
    """Everybody against everybody."""
    return [Result(pair, rng.randrange(2)) for pair in combinations(NAMES[:count], 2)]


def knock_out(count: int, rng: random.Random) -> list[Result]:
    """Everybody but one loses once; who has nobody to meet waits."""
    left, found = rng.sample(NAMES, count), []
    while len(left) > 1:
        pairs = [(left[at], left[at + 1]) for at in range(0, len(left) - 1, 2)]
        waiting = left[len(pairs) * 2 :]
        for pair in pairs:
            winner = rng.randrange(2)
            found.append(Result(pair, winner))
            waiting.append(pair[winner])
        left = waiting[::-1]
    return found


def swiss(count: int, rounds: int, rng: random.Random) -> list[Result]:
    """Players with as many wins meet, nobody twice."""
    won = dict.fromkeys(NAMES[:count], 0)
    met: set[frozenset[str]] = set()
    found = []
    for number in range(1, rounds + 1):
        for _ in range(1000):
            left = sorted(won, key=lambda name: (-won[name], rng.random()))
            pairs = []
            while left:
                one = left.pop(0)
                two = next((each for each in left if frozenset((one, each)) not in met), None)
                if two is None:
                    break
                left.remove(two)
                pairs.append((one, two))
            if 2 * len(pairs) == count:
                break
        for pair in pairs:
            winner = rng.randrange(2)
            found.append(Result(pair, winner, round=f"Round {number}"))
            met.add(frozenset(pair))
            won[pair[winner]] += 1
    return found


def of_one_player(count: int, rng: random.Random) -> list[Result]:
    """The matches of one player against the others."""
    return [Result((NAMES[0], NAMES[1 + at % 12]), rng.randrange(2)) for at in range(count)]


def heap(count: int, rng: random.Random) -> list[Result]:
    """Any matches."""
    pairs = [rng.sample(NAMES, 2) for _ in range(count)]
    return [Result((one, two), rng.randrange(2)) for one, two in pairs]


def shuffled(results: Sequence[Result], rng: random.Random) -> list[Result]:
    """The same matches with the players dealt anew; nobody meets themselves."""
    names = [name for each in results for name in each.players]
    rng.shuffle(names)
    pairs = zip(names[::2], names[1::2], strict=True)
    return [replace(each, players=pair) for each, pair in zip(results, pairs, strict=True) if len(set(pair)) > 1]
