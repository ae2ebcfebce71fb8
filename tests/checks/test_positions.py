"""A single position is not an unfinished game."""

from __future__ import annotations

from bgtools.board.board import START
from bgtools.board.play import PlayText
from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.record.record import CheckerPlay, Entry, Game, Match, SetBoard
from support import mat as match_text, read_text, row


def of(*entries: Entry) -> list[str]:
    game = Game(number=1, score=(0, 0), entries=entries)
    return [each.code.id for each in check(Match(players=("A", "B"), length=7, games=(game,)))]


SET = SetBoard(player=0, position=START)


def test_a_position_with_or_without_a_roll_has_no_end() -> None:
    assert of(SET) == []
    assert of(SET, CheckerPlay(player=0, dice=(3, 1), text=PlayText("unknown"))) == []


def test_a_game_that_goes_on_from_a_set_board_has_one() -> None:
    played = CheckerPlay(player=0, dice=(6, 5), text=read_play("24/18 18/13"))
    assert of(SET, played) == [codes.UNFINISHED_GAME.id]


def read_play(text: str) -> PlayText:
    match = read_text(match_text(row(1, f"65: {text}")))
    entry = match.games[0].entries[0]
    assert isinstance(entry, CheckerPlay)
    return entry.text
