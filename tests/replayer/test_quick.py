"""The quick way through a sound game clears nothing in which the full replay finds a fault."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest

from bgtools.board import movement
from bgtools.board.board import BAR, Board
from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.play import Play, PlayText
from bgtools.checks.checking import check
from bgtools.findings.codes import UNMARKED_HIT
from bgtools.formats.reading import read_all, read_source
from bgtools.record.record import CheckerPlay
from bgtools.replayer import game, quick
from bgtools.replayer.match import replay
from selfplay import random_match
from slips import KINDS, plant_all
from support import CORPUS, ROLLS, mat, needs_corpus, random_groups, read_text, row, rows, spellings, spread, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import MatchState

OPENING = rows(("31: 8/5 6/5", "43: 13/10 13/9"), ("52: 13/8 13/11", "63: 10/4 9/6"))
LEFT_WINS = "      Wins 1 point"


def first(*lines: str) -> GameReplay:
    """The replay of a record's only game."""
    return replay(read_text(mat(*lines)))[0]


def cleared(matches: Iterable[Match]) -> tuple[int, int]:
    """Games, and those that the quick way has cleared, each compared with its full replay."""
    games = sound = 0
    for match in matches:
        # The last replay is remembered by the match.
        by_halves = replay(match), check(match)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(game, "sound_arrival", lambda *_: None)
            again = replace(match)
            in_full = replay(again), check(again)
        # A star that is missing is looked for in a game without a fault, and only the quick way knows one.
        assert tuple(each for each in by_halves[1] if each.code is not UNMARKED_HIT) == in_full[1]
        for one, other in zip(by_halves[0], in_full[0], strict=True):
            games += 1
            sound += one.is_sound
            assert not other.is_sound
            if one.is_sound:
                assert not any(turn.violations for turn in other.turns)
            assert one.turns == other.turns
            for field in fields(one):
                if field.name not in ("is_sound", "turns_held", "unmarked"):
                    assert getattr(one, field.name) == getattr(other, field.name), field.name
    return games, sound


# --- what is cleared ------------------------------------------------------------------------


def test_a_game_without_a_fault_is_sound() -> None:
    assert first(*OPENING, LEFT_WINS).is_sound
    doubled = first(OPENING[0], row(2, " Doubles => 2", " Takes"), row(3, "52 13/8 13/11"), "      Wins 2 points")
    assert doubled.is_sound
    assert doubled.cube == 2


@pytest.mark.parametrize(
    "lines",
    [
        (*rows(("31: 8/5 6/4", "43: 13/10 13/9")), LEFT_WINS),
        (*rows(("31: 8/5 6/5", "43: 13/10")), LEFT_WINS),
        (*rows(("31: 8/5* 6/5", "43: 13/10 13/9")), LEFT_WINS),
        (*rows(("33: 8/5(2) 6/3(2)", "43: 13/10 13/9")), LEFT_WINS),
        (*rows(("31: 8/5 6/5", "43: 13/10 13/9"), ("52: Cannot Move", "63: 10/4 9/6")), LEFT_WINS),
        (*rows(("31: 8/5 6/5", "43: ????"), ("52: 13/8 13/11", "63: 24/18 9/6")), LEFT_WINS),
        (*OPENING, row(3, " Takes"), LEFT_WINS),
        (OPENING[0], row(2, " Doubles => 4", " Takes"), row(3, "52 13/8 13/11"), LEFT_WINS),
        (OPENING[0], row(2, " Doubles => 2", "52 13/8 13/11"), LEFT_WINS),
        (OPENING[0], row(2, " Doubles => 2", " Drops"), row(3, "52: 13/8 13/11"), LEFT_WINS),
        (OPENING[0], row(2, " Doubles => 2", " Drops"), "      Wins 2 points"),
    ],
)
def test_a_game_with_a_fault_is_not(lines: tuple[str, ...]) -> None:
    assert not first(*lines).is_sound


def test_a_sound_match_is_checked_without_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Turn, ...]] = []
    all_turns = game._all_turns

    def counted(record: Game, state: MatchState, starter: Player | None) -> tuple[Turn, ...]:
        made.append(all_turns(record, state, starter))
        return made[-1]

    monkeypatch.setattr(game, "_all_turns", counted)
    match = read_text(mat(*OPENING, LEFT_WINS))
    assert check(match) == ()
    assert not made
    only = replay(match)[0]
    assert only.turns is only.turns
    assert len(only.turns) == 4
    assert len(made) == 1


# --- beside the full replay -----------------------------------------------------------------


@needs_corpus
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.thorough), 6])
def test_a_recorded_game_that_is_cleared_replays_the_same_in_full(every: int) -> None:
    paths = sorted((CORPUS / "mat").iterdir())[::every]
    games, sound = cleared(match for path in paths for match in read_all(path))
    assert sound > 0.95 * games > 3000 / every


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(3))
def test_no_planted_slip_changes_what_is_found(part: int) -> None:
    texts = {slip.text for _, _, slips in plant_all(11, 1, KINDS[part::3], limit=40) for slip in slips}
    games, sound = cleared(match for text in sorted(texts) for match in read_source(text.encode(), "slip.mat"))
    assert 0 < sound < games


def test_every_game_of_a_match_played_by_the_rules_is_cleared() -> None:
    games, sound = cleared(
        random_match(seed, length, set_positions=seed % 2 == 0) for seed in range(8) for length in (0, 3, 7)
    )
    assert sound == games > 24


def _cases(seed: int, boards: int) -> Iterator[tuple[Board, Dice, tuple[HopText, ...]]]:
    """Plays that are written in many ways, legal and illegal."""
    rng = random.Random(seed)
    for number, position in enumerate(spread(seed, boards)):
        for high, low in rng.sample(ROLLS, 7):
            dice = rng.choice(((high, low), (low, high)))
            yield from ((position, dice, _starred(rng, random_groups(rng, position, dice))) for _ in range(4))
            if number % 8 == 0:
                plays = legal_plays(position, dice)
                for play in rng.sample(plays, min(len(plays), 4)):
                    yield from ((position, dice, written(text)) for text in spellings(play, rng) if text)


def _starred(rng: random.Random, groups: tuple[HopText, ...]) -> tuple[HopText, ...]:
    """The groups with a star here and there."""
    return tuple(replace(each, stars=(True,)) if rng.random() < 0.1 else each for each in groups)


def _compare(seed: int, boards: int) -> tuple[int, int]:
    """How many plays there were, and how many of them the quick way has cleared."""
    count = legal = 0
    for position, dice, groups in _cases(seed, boards):
        count += 1
        with pytest.MonkeyPatch.context() as patch:
            # This searches all orders of the hops.
            patch.setattr(movement, "play_in_order", lambda *_: None)
            found = resolve(position, dice, groups)
        mine, theirs = list(position.mine), list(position.theirs)
        entry = CheckerPlay(player=0, dice=dice, text=PlayText("moves", groups))
        if not quick._play(mine, theirs, entry, [entry], 0):
            assert not isinstance(found, Play) or any(any(group.stars) for group in groups)
            continue
        legal += 1
        case = position, dice, list(map(str, groups))
        assert isinstance(found, Play), case
        assert found.result == Board(tuple(mine), tuple(theirs)), case
        for group in groups:
            for point, star in zip(group.points[1:], group.stars, strict=True):
                hit = position.theirs[BAR - point] == 1 and not theirs[BAR - point]
                assert hit or not star, case
    return count, legal


def test_a_cleared_play_is_legal_and_leaves_the_board_that_a_search_finds() -> None:
    count, legal = _compare(5, 300)
    assert 0.1 * count < legal < 0.9 * count


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_million_plays_are_cleared_rightly() -> None:
    count, legal = 0, 0
    for seed in range(100, 155):
        more = _compare(seed, 400)
        count, legal = count + more[0], legal + more[1]
    assert count > 1_000_000
    assert 0.1 * count < legal < 0.9 * count
