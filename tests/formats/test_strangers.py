"""GNU Backgammon and gammonview see in what is written the plays, cube actions, scores, results and names of the match.

Every format that they read is written from the samples, from matches that are made up, and from real ones.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_all
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay
from gnubg_judge import needs_gnubg
from selfplay import random_match
from strangers import in_gammonview, in_gnubg, said
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

SAMPLES = Path(__file__).parents[2] / "samples"
GNUBG = {
    "sgf": "load match", "gam": "import empire", **{name: f"import {name}" for name in ("sgg", "tmg", "oldmoves")},
    **{f"mat:{dialect}": "import mat" for dialect in ("gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio")},
}  # fmt: skip
"""The command by which GNU Backgammon reads each format."""
UNRULED = tuple(each for each in GNUBG if each != "sgf")
"""The formats that do not tell GNU Backgammon the rules."""
GAMMONVIEW = ("xg", "ogxm", "mat:gnubg", "mat:jellyfish", "mat:xg")
LEAST = {"names": 3, "scores": 10, "plays": 200, "cube actions": 10, "results": 10}
"""How many of each must have been compared."""


def sound(matches: Iterable[Match]) -> Iterator[Match]:
    """Those that begin at the start and have no error, so that all programs read them alike."""
    for match in matches:
        begins = bool(match.games) and match.games[0].score in (None, (0, 0)) and all(match.players)
        if begins and all(found.severity is not Severity.ERROR for found in check(match)):
            yield replace(match, source=None)


@cache
def made() -> tuple[Match, ...]:
    """The samples and matches that are made up: of all lengths, for money, one that breaks off."""
    samples = [match for path in sorted(SAMPLES.glob("*.mat")) for match in read_all(path)]
    played = [random_match(seed, (0, 1, 3, 5, 7)[seed % 5]) for seed in range(10)]
    return tuple(sound((*samples, *played)))


@cache
def real(step: int) -> tuple[Match, ...]:
    """Every so-many-th real record of match text."""
    return tuple(sound(match for path in sorted((CORPUS / "mat").iterdir())[::step] for match in readable(path)))


def readable(path: Path) -> tuple[Match, ...]:
    try:
        return read_all(path)
    except FormatError:
        return ()


def differences(pairs: Iterable[tuple[Match, Match]], counted: Counter[str]) -> Iterator[str]:
    """The first thing in each match that another program sees differently; counts all that was compared."""
    for match, found in pairs:
        ours, theirs = list(said(match, match.length)), list(said(found, match.length))
        apart = next((pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]), None)
        counted.update(what for what, _ in ours)
        if apart or len(ours) != len(theirs):
            yield f"{match.players}: {apart}, {len(ours)}, {len(theirs)}"


def written(matches: Iterable[Match], target: str, stranger: str) -> Iterator[tuple[Match, bytes]]:
    """Each match with its file, but for what the other program reads in a way of its own."""
    for match in matches:
        games = replay(match)
        ends = {game.ending for game in games}
        if target in ("oldmoves", "gam") and "resigned" in ends:
            continue  # it takes a resignation for a single game, or plays on where a play is forced
        if target.startswith("mat") and any(map(_leaves_a_roll, games)):
            continue  # it makes a forced play of a roll after which somebody resigned
        if target in UNRULED and any(map(_needs_less, games)):
            continue  # it counts full cubes
        if target in UNRULED and match.is_money and not match.rules.jacoby:
            continue  # it plays by the Jacoby rule, whatever the file says
        if target == "xg" and "unfinished" in ends:
            continue  # gammonview gives an unfinished game the result of the one before it
        with suppress(FormatError):
            data = convert((match,), parse_target(target)).data
            if stranger != "gammonview" or not re.search(rb"\d  Doubles", data):  # it wants three blanks there
                yield match, data


def _needs_less(game: GameReplay) -> bool:
    """Whether a game that was given up counts what the match still needed, and the cube says otherwise."""
    return game.ending == "resigned" and (game.points or 0) % game.cube != 0


def _leaves_a_roll(game: GameReplay) -> bool:
    return any(isinstance(turn.entry, CheckerPlay) and turn.play is None for turn in game.turns)


def judge(matches: Iterable[Match], target: str, folder: Path | None) -> None:
    """Let a program load what is written, GNU Backgammon in the folder or gammonview, and compare enough of all."""
    pairs = [*written(matches, target, "gammonview" if folder is None else "gnubg")]
    files = [data for _, data in pairs]
    if folder is None:
        found = [in_gammonview(target.partition(":")[0], data) for data in files]
    else:
        found = in_gnubg(folder, GNUBG[target], files)
    counted: Counter[str] = Counter()
    assert [*differences(zip((match for match, _ in pairs), found, strict=True), counted)] == []
    assert all(counted[what] >= least for what, least in LEAST.items()), counted


@needs_gnubg
@pytest.mark.parametrize("target", GNUBG)
def test_gnu_backgammon_sees_the_match_that_was_written(target: str, tmp_path: Path) -> None:
    judge(made(), target, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("target", GAMMONVIEW)
def test_gammonview_sees_the_match_that_was_written(target: str) -> None:
    judge(made(), target, None)


@pytest.mark.thorough
@needs_corpus
@needs_gnubg
@pytest.mark.parametrize("target", [each for each in GNUBG if each not in ("mat:xg-text", "mat:studio")])
def test_gnu_backgammon_sees_real_matches(target: str, tmp_path: Path) -> None:
    judge(real(40), target, tmp_path)


@pytest.mark.thorough
@needs_corpus
@pytest.mark.parametrize("target", ["xg", "ogxm"])
def test_gammonview_sees_real_matches(target: str) -> None:
    judge(real(40), target, None)


@pytest.mark.thorough
@needs_corpus
@needs_gnubg
@pytest.mark.parametrize("part", range(8))
def test_gnu_backgammon_counts_every_result_of_sgf(part: int, tmp_path: Path) -> None:
    """Of all real records, the sound and the others, but for games that were given up for more than a backgammon at
    their cube: it counts those as a backgammon, whatever the file says."""
    pairs = []
    for path in sorted((CORPUS / "mat").iterdir())[part::8]:
        for match in readable(path):
            if match.games and all(
                game.score is None or max(game.score) < (match.length or 99) for game in match.games
            ):
                with suppress(FormatError):
                    pairs.append((match, convert((match,), parse_target("sgf"), verify=False).data))
    compared = 0
    for (match, _), found in zip(pairs, in_gnubg(tmp_path, GNUBG["sgf"], [data for _, data in pairs]), strict=True):
        for game, theirs in zip(replay(match), replay(found), strict=True):
            if game.winner is None or (game.points or 0) > 3 * game.cube:
                continue
            assert theirs.winner is not None, (match.players, game.index)
            names = match.players[game.winner], found.players[theirs.winner]
            needed = (match.length or 10**6) - game.score[game.winner]
            points = [None if each is None else min(each, needed) for each in (game.points, theirs.points)]
            assert (names[0], points[0]) == (names[1], points[1]), (match.players, game.index)
            compared += 1
    assert compared > 100
