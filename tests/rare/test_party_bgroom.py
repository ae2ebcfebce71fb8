"""Records of PartyGammon and BackGammonRoom: what they say, and random matches put in their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.board.play import format_play
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_source, recognise
from bgtools.record.record import CheckerPlay, Double, Drop, Match, Take
from bgtools.replayer.match import replay
from gnubg_judge import course
from ruin import read_ruins
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.replayer.turn import Turn

PARTY = """MATCHLENGTH=3
GAMETYPE=BACKGAMMON
GAME_1_PLAYER_1=Ann Marsh
GAME_1_PLAYER_2=Bob
GAME_1_GAMEPLAY=1 0 0 31 8/5 6/5#2 0 0 64 24/18 13/9#1 Double#2 Take#1 0 0 66#
GAME_1_SCORE1=2
GAME_1_SCORE2=0
GAME_2_GAMEPLAY=2 0 0 64 bar/18 13/9#1 Double#2 Drop#
GAME_2_SCORE1=3
GAME_2_SCORE2=0
"""
BGROOM = """BGF version 1.2
some words
Game 1 - Ann (X) vs. Bob (0)
Single game
1.X:(3 1)8/5 6/5
2.0:(6 4)24/18 13/9
3.X:Double
4.X:(5 5)can't move
5.0:Double

Game 2 - Ann (0) vs. Bob (X)
Single game
1.X:(3 1)8/5 6/5
2.0:(6 4)24/18 13/9

Ann Win the Match
"""


def read(text: str) -> Match:
    return read_source(text.encode(), "x")[0]


def kinds(match: Match, game: int = 0) -> list[str]:
    return [f"{type(entry).__name__} {entry.player}" for entry in match.games[game].entries]


def plays(match: Match, game: int = 0) -> list[str]:
    return [str(entry.text) for entry in match.games[game].entries if isinstance(entry, CheckerPlay)]


def test_the_keys_of_party_are_read() -> None:
    match = read(PARTY)
    assert (match.players, match.length) == (("Ann Marsh", "Bob"), 3)
    assert kinds(match) == ["CheckerPlay 0", "CheckerPlay 1", "Double 0", "Take 1", "CheckerPlay 0"]
    assert plays(match) == ["8/5 6/5", "24/18 13/9", ""]
    assert [game.score for game in match.games] == [(0, 0), (2, 0)]
    assert [(claim.player, claim.points) for game in match.games for claim in game.results] == [(0, 2), (0, 1)]
    assert plays(match, 1) == ["bar/18 13/9"]
    assert isinstance(match.games[1].entries[-1], Drop)
    assert match.findings == ()


def test_what_party_has_wrong_is_told_at_its_place() -> None:
    text = (
        PARTY.replace("24/18 13/9#1", "24/18;13/9#1", 1).replace("2 Take", "2 Shrug").replace("GAMETYPE=", "GAMETYPE ")
    )
    match = read(text)
    assert [each.code for each in match.findings] == [
        codes.UNREADABLE_LINE, codes.UNREADABLE_CELL, codes.UNREADABLE_LINE,
    ]  # fmt: skip
    assert [text[slice(*each.span)] for each in match.findings][1:] == [";13/9", "2 Shrug"]


def test_the_actions_of_bgroom_are_read() -> None:
    match = read(BGROOM)
    assert (match.players, match.length) == (("Ann", "Bob"), 0)
    assert kinds(match) == [
        "CheckerPlay 0", "CheckerPlay 1", "Double 0", "Take 1", "CheckerPlay 0", "Double 1", "Drop 0",
    ]  # fmt: skip
    assert plays(match) == ["8/5 6/5", "24/18 13/9", "Cannot Move"]
    assert kinds(match, 1) == ["CheckerPlay 1", "CheckerPlay 0"]
    assert match.findings == ()


def test_what_bgroom_has_wrong_is_told_at_its_place() -> None:
    text = BGROOM.replace("24/18 13/9", "24/18;13/9", 1).replace("3.X:Double", "3.X:Shrug")
    match = read(text)
    assert [each.code for each in match.findings] == [codes.UNREADABLE_CELL, codes.UNREADABLE_LINE]
    assert [text[slice(*each.span)] for each in match.findings] == [";13/9", "3.X:Shrug"]


@pytest.mark.parametrize("name", ["party", "bgroom"])
def test_both_are_recognised_and_other_text_is_refused(name: str) -> None:
    text = PARTY if name == "party" else BGROOM
    assert recognise(Content(text.encode(), "x.gam")).name == name
    with pytest.raises(FormatError, match="not a record of"):
        read_source(b"hello", "x", name)
    # A dance that was none makes the search for what was meant long.
    assert read_ruins(text.replace("(5 5)can't move", "(5 5)13/3(2)").encode(), name) > 50


# --- matches in their words -----------------------------------------------------------------


def _play(turn: Turn) -> str:
    return format_play(turn.play, merge=False) if turn.play is not None else ""


def party(match: Match) -> str:
    """A match as PartyGammon would have recorded it."""
    one, two = match.players
    lines = [f"MATCHLENGTH={match.length}"]
    for number, game in enumerate(replay(match), 1):
        actions = []
        for turn in game.turns:
            match turn.entry:
                case CheckerPlay(dice=(first, second)):
                    actions.append(f"{turn.player + 1} 0 0 {first}{second} {_play(turn)}".rstrip())
                case Double() | Take() | Drop():
                    actions.append(f"{turn.player + 1} {type(turn.entry).__name__}")
        lines += [f"GAME_{number}_PLAYER_1={one}", f"GAME_{number}_PLAYER_2={two}"]
        lines.append(f"GAME_{number}_GAMEPLAY={'#'.join(actions)}#")
        lines += [f"GAME_{number}_SCORE{side + 1}={game.score_after[side]}" for side in (0, 1)]
    return "\n".join([*lines, ""])


def bgroom(match: Match) -> str:
    """A session as BackGammonRoom would have recorded it."""
    one, two = match.players
    lines = ["BGF version 1.2"]
    for number, game in enumerate(replay(match), 1):
        lines += [f"Game {number} - {one} (X) vs. {two} (0)", "Single game"]
        row = 0
        for turn in game.turns:
            side = "X0"[turn.player]
            match turn.entry:
                case CheckerPlay(dice=(first, second)):
                    words = f"({first} {second}){_play(turn) or 'can' + chr(39) + 't move'}"
                case Double():
                    words = "Double"
                case _:
                    continue
            row += 1
            lines.append(f"{row}.{side}:{words}")
        lines.append("")
    return "\n".join([*lines, f"{one} Win the Match", ""])


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("length", [0, 1, 5])
def test_a_match_as_party_would_have_it_is_that_match(seed: int, length: int) -> None:
    match = random_match(seed, length, resigning=0)
    assert course(read(party(match))) == course(match)


@pytest.mark.parametrize("seed", range(4))
def test_a_session_as_bgroom_would_have_it_is_that_session(seed: int) -> None:
    # Whoever resigns just stops, and who won then is not told.
    match = random_match(seed, 0, resigning=0)
    assert course(read(bgroom(match))) == course(match)
