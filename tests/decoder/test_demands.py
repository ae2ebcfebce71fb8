"""What the rest of a game asks of a board: a board that is refused never fits, and most that do not fit are refused."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from bgtools.board.generation import legal_plays
from bgtools.board.movement import find_play
from bgtools.board.perspective import other, view
from bgtools.board.play import PlayText
from bgtools.decoder.demands import NOTHING, Demands, allows, is_near, may_do
from bgtools.decoder.lane import Terms, run
from bgtools.record.record import CheckerPlay
from bgtools.record.state import GameState
from bgtools.replayer.match import replay
from bgtools.rules.cube import MatchState
from bgtools.rules.options import Ruleset
from selfplay import random_match
from support import ROLLS, random_groups, spellings, spread, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.decoder.demands import Asked
    from bgtools.record.record import Entry


class Played(NamedTuple):
    """A sound game, its plays spelled in every way, and the board before each entry, seen by player 0."""

    entries: tuple[Entry, ...]
    boards: tuple[Board, ...]


@cache
def games() -> tuple[Played, ...]:
    rng = random.Random(4)
    return tuple(
        Played(
            tuple(_spelled(rng, turn.entry, turn.before, turn.play) for turn in game.turns),
            tuple(view(turn.before, turn.player) for turn in game.turns),
        )
        for seed in range(4)
        for game in replay(random_match(seed, 3))
    )


def _spelled(rng: random.Random, entry: Entry, before: Board, play: Play | None) -> Entry:
    """An entry in another spelling; a forced play now and then left out."""
    if not isinstance(entry, CheckerPlay) or entry.dice is None or play is None or not play.hops:
        return entry
    if rng.random() < 0.5 and len(legal_plays(before, entry.dice)) == 1:
        return replace(entry, text=PlayText("nothing"))
    return replace(entry, text=PlayText("moves", written(rng.choice(spellings(play, rng)))))


def turns(count: int, more: int) -> Iterator[tuple[Played, int]]:
    """Turns of these games, with so many more behind them."""
    rng = random.Random(5)
    long = [game for game in games() if len(game.entries) > 40]
    for game in (rng.choice(long) for _ in range(count)):
        rolls = [at for at, entry in enumerate(game.entries[: -more - 1]) if isinstance(entry, CheckerPlay)]
        yield game, rng.choice(rolls)


def any_turn(board: Board, player: Player, asked: Asked = NOTHING, answer: int = 0) -> set[Board]:
    """The boards that a turn can leave after which a board may do, seen by player 0."""
    seen = view(board, player)
    rolls = [dice for dice in ROLLS if may_do(asked, board, player, dice, answer)]
    boards = {view(play.result, player) for dice in rolls for play in legal_plays(seen, dice)}
    return {each for each in boards if (is_near(asked, each, player, 0, answer) if answer else allows(asked, each))}


def fits(board: Board, last: Player, entries: tuple[Entry, ...]) -> bool:
    """Whether all plays of the rest of a game can be from a board on, whatever becomes of the cube."""
    s = GameState(MatchState(), board)
    s.last, terms = last, Terms(Ruleset(), 0, (0, 0), False, None, False, False)
    plays = [each for each in entries if isinstance(each, CheckerPlay)]
    return run(s, plays, 0, terms)[0] == len(plays)


@pytest.mark.parametrize("ahead", [1, 2, 7, 30, 1000])
def test_every_board_of_a_sound_game_does(ahead: int) -> None:
    for game in games():
        for at in range(0, len(game.entries), 1 if ahead > 30 else 5):
            asked = Demands(game.entries, min(at + ahead, len(game.entries)), at).at(at)
            assert allows(asked, game.boards[at]), (at, game.entries[at])


def test_a_game_asks_of_the_other_player_what_it_would_ask_with_the_columns_exchanged() -> None:
    game = games()[0]
    exchanged = tuple(replace(each, player=other(each.player)) for each in game.entries)
    there = Demands(exchanged, len(game.entries))
    here = Demands(game.entries, len(game.entries))
    assert [here.at(at, swapped=True) for at in range(len(game.entries))] == [
        there.at(at) for at in range(len(game.entries))
    ]


def test_no_turn_with_which_the_rest_of_a_game_fits_is_refused() -> None:
    made = passed = fitting = 0
    for game, at in turns(12, 8):
        rest, player = game.entries[at + 1 :], game.entries[at].player
        left = any_turn(game.boards[at], player, Demands(rest, len(rest)).at(0))
        for board in any_turn(game.boards[at], player):
            made += 1
            passed += board in left
            if fits(board, player, rest):
                fitting += 1
                assert board in left
    assert fitting >= 12
    assert passed < 0.1 * made


def test_of_two_turns_that_are_gone_neither_is_refused() -> None:
    made = passed = 0
    for game, at in turns(20, 12):
        first, second = game.entries[at], game.entries[at + 1]
        if not isinstance(second, CheckerPlay) or first.player == second.player:
            continue
        rest = game.entries[at + 2 :]
        asked = Demands(rest, len(rest)).at(0)
        left = any_turn(game.boards[at], first.player, asked, 4)
        assert game.boards[at + 1] in left
        passed += len(left)
        made += len(any_turn(game.boards[at], first.player))
        assert game.boards[at + 2] in any_turn(game.boards[at + 1], second.player, asked)
    assert passed < 0.5 * made


def test_a_board_on_which_a_play_is_legal_does_however_it_is_written() -> None:
    rng = random.Random(6)
    refused = legal = 0
    for position in spread(6, 100):
        for dice in rng.sample(ROLLS, 5):
            groups = [random_groups(rng, position, dice) for _ in range(4)]
            groups += [
                written(text) for play in legal_plays(position, dice)[:2] for text in spellings(play, rng) if text
            ]
            for hops in groups:
                entry = CheckerPlay(player=1, dice=dice, text=PlayText("moves", hops))
                does = allows(Demands([entry], 1).at(0), view(position, 1))
                refused += not does
                if find_play(position, dice, hops) is not None:
                    legal += 1
                    assert does, (position, dice, list(map(str, hops)))
    assert legal > 1000
    assert refused > 1000


def test_nothing_is_asked_before_a_play_that_nobody_knows() -> None:
    game = games()[0]
    unknown = CheckerPlay(player=0, dice=(6, 5), text=PlayText("unknown"))
    rolled = CheckerPlay(player=0, dice=None, text=PlayText("moves", written("8/5")))
    for entry in (unknown, rolled):
        assert Demands((entry, *game.entries), len(game.entries) + 1).at(0) == NOTHING


def test_whoever_rolls_twice_running_has_shut_the_other_player_out() -> None:
    game = games()[0]
    before, twice = game.entries[0], game.entries[0]
    asked = Demands((before, twice), 2).at(0)
    assert not allows(asked, game.boards[0])
    assert allows(Demands((before, replace(twice, player=other(twice.player))), 1).at(0), game.boards[0])
