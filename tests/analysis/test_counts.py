"""Counts by hand, and the account of pips that has to balance in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.counts import Counts, add_up, count_game, dice_of, pips_spent
from bgtools.analysis.dice import rolls_of
from bgtools.analysis.match_analysis import analyse
from bgtools.board.play import Hop
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_all
from bgtools.record.record import SetBoard
from bgtools.replayer.match import replay
from selfplay import random_match
from support import CORPUS, mat, needs_corpus, read_text, rows

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.board.board import Dice
    from bgtools.replayer.turn import GameReplay


def _count(*cells: tuple[str, str]) -> tuple[Counts, Counts]:
    (game,) = replay(read_text(mat(*rows(*cells))))
    return count_game(game)


def test_a_short_game_counted_by_hand() -> None:
    ann, bob = _count(
        ("62: 24/18 13/11", "55: 8/3(2) 6/1*(2)"),
        ("61:", "31: 13/10 6/5"),
        ("66:", "Doubles => 2"),
        ("Drops", "Wins 1 point"),
    )
    # The second checker of Bob's 6/1(2) finds no blot any more. On their 1-point stood a checker of Ann's with 24 pips
    # to go; she has 25 from the bar, and they hold her 24-, 22- and 19-point: 6, 3 and 1 do not enter.
    assert (ann.rolls, ann.doubles_rolled, ann.dances, ann.blocked) == (3, 1, 2, 0)
    assert (ann.pips_rolled, ann.pips_moved, ann.pips_unused) == (8 + 7 + 24, 8, 7 + 24)
    assert (ann.times_hit, ann.pips_lost, ann.entries) == (1, 1, 0)
    assert (ann.pips_start, ann.pips_end) == (167, 167 - 8 + 1)
    assert (bob.hits, bob.pips_moved, bob.doubles, ann.passes) == (1, 24, 1, 1)
    assert (ann.started, bob.started, ann.won, bob.won, bob.points) == (1, 0, 0, 1, 1)


def test_a_roll_whose_play_is_left_out_was_rolled_all_the_same() -> None:
    cells = (("31: 8/5 6/5", "52: 13/11 13/8"), ("64: 24/18 13/9", "33: 8/5(2) 6/3(2)"), ("51: 20/15 3/2", ""))
    (game,) = replay(read_text(mat(*rows(*cells))))
    assert game.turns[-1].violations
    ann, _ = _balance(game)
    assert (ann.rolls, ann.pips_rolled, ann.pips_moved, ann.pips_not_played) == (3, 20, 14, 6)
    assert rolls_of([game])[-1] == (0, (5, 1))
    analysis = analyse(read_text(mat(*rows(*cells))))
    assert sum(total.counts.rolls for total in analysis.players) == analysis.games[0].rolls == 5


@pytest.mark.parametrize(
    ("dice", "hops", "spent"),
    [
        ((3, 1), ((8, 5), (6, 5)), 4),
        ((3, 1), (), 0),
        ((6, 5), ((13, 7),), 6),
        ((6, 5), ((13, 8),), 5),
        ((6, 5), ((3, 0),), 6),  # either would do, so the higher is played
        ((6, 3), ((3, 0),), 3),
        ((4, 4), ((4, 0), (2, 0)), 8),
    ],
)
def test_pips_that_a_play_has_used(dice: Dice, hops: tuple[tuple[int, int], ...], spent: int) -> None:
    assert pips_spent(dice, tuple(Hop(start, end) for start, end in hops)) == spent


def _balance(game: GameReplay) -> tuple[Counts, Counts]:
    ann, bob = counts = count_game(game)
    for own, other in ((ann, bob), (bob, ann)):
        assert own.pips_end == own.pips_start - own.pips_moved + own.pips_lost + own.pips_otherwise
        assert own.pips_rolled == own.pips_moved + own.pips_unused + own.pips_beyond + own.pips_not_played
        assert own.hits == other.times_hit
        assert min(own.pips_unused, own.pips_beyond, own.pips_lost, own.pips_not_played) >= 0
        assert own.dances + own.blocked <= own.rolls
    return counts


@pytest.mark.parametrize("set_positions", [False, True])
def test_the_pips_of_sound_games_balance_to_nothing(set_positions: bool) -> None:
    wasted = 0
    for seed in range(15):
        for length in (0, 3, 7):
            for game in replay(random_match(seed, length, set_positions=set_positions)):
                for own in _balance(game):
                    assert own.pips_otherwise == 0
                    assert not own.pips_not_played or game.ending == "resigned"
                    wasted += own.pips_beyond
    assert wasted > 50


@needs_corpus
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.thorough)])
def test_the_pips_of_recorded_games_balance(every: int) -> None:
    games = 0
    for file in sorted(path for path in CORPUS.rglob("*") if path.is_file())[::every]:
        for game in _replayed(file):
            games += 1
            counts = _balance(game)
            sound = all(turn.is_legal and not isinstance(turn.entry, SetBoard) for turn in game.turns)
            if sound:
                assert [own.pips_otherwise for own in counts] == [0, 0], (file.name, game.index)
            rolls = sum(dice_of(turn) is not None for turn in game.turns)
            assert sum(own.rolls for own in counts) == rolls
    assert games > 3000 / every


def _replayed(file: Path) -> tuple[GameReplay, ...]:
    try:
        matches = read_all(file)
    except (FormatError, OSError):
        return ()
    return tuple(game for match in matches for game in replay(match))


def test_games_add_up() -> None:
    match = random_match(3, 5)
    games = [count_game(game) for game in replay(match)]
    total = add_up(pair[0] for pair in games)
    assert total.games == len(games)
    assert total.rolls == sum(pair[0].rolls for pair in games)
    assert total.won + add_up(pair[1] for pair in games).won == len(games)
