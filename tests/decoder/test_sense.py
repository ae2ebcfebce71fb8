"""How much sense a play makes, as readings that fit alike are told apart by it."""

from __future__ import annotations

from bgtools.board.generation import legal_plays
from bgtools.decoder.slips import Sense
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay
from support import mat, read_text


def made(*rows: str) -> list[float]:
    (game,) = replay(read_text(mat(*rows)))
    sense = Sense()
    return [
        sense.implausibility(turn.before, turn.entry.dice, turn.after)
        for turn in game.turns
        if isinstance(turn.entry, CheckerPlay) and turn.entry.dice is not None
    ]


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


def test_the_first_plays_that_everybody_makes_cost_nothing_and_others_all_that_a_play_can() -> None:
    assert [made(f"  1) {each}") for each in ("65: 24/13", "21: 13/11 6/5", "41: 24/23 13/9")] == [[0], [0], [0]]
    assert [made(f"  1) {each}") for each in ("65: 24/18 8/3", "31: 8/4")] == [[5], [5]]
