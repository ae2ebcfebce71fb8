"""How much sense a play makes, as readings that fit alike are told apart by it."""

from __future__ import annotations

from bgtools.board.generation import legal_plays
from bgtools.replayer.match import replay
from bgtools.replayer.plausibility import implausibility
from support import mat, read_text


def made(*rows: str) -> list[int]:
    (game,) = replay(read_text(mat(*rows)))
    return [implausibility(turn) for turn in game.turns]


def test_a_point_is_made_where_one_can_be() -> None:
    assert made("  1) 31: 8/5 6/5") == [0]
    assert made("  1) 31: 24/23 6/3")[0] > 2


def test_a_blot_is_hit() -> None:
    found = [made(f"  1) 62: 24/18 13/11            42: {play}")[1] for play in ("13/7*", "6/4 6/2")]
    assert found[0] < found[1]


def test_it_is_between_none_and_five_bits_for_every_opening_play() -> None:
    board = replay(read_text(mat("  1) 31: 8/5 6/5")))[0].turns[0].before
    for dice in ((2, 1), (6, 5), (4, 3)):
        for play in legal_plays(board, dice):
            text = " ".join(f"{hop.start}/{hop.end}" for hop in play.hops)
            assert 0 <= made(f"  1) {dice[0]}{dice[1]}: {text}")[0] <= 5


def test_a_roll_that_nothing_is_known_of_counts_nothing() -> None:
    assert made("  1) 31: 8/5 6/5                ????", "      Wins 1 point")[1:] in ([], [0])
