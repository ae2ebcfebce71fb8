"""Transcripts of lazyBG, histories of OpenSpiel, episodes of Kaggle, and games of PlayStrategy."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import bgtools
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay, Double, Drop, Match, Resign, Take
from bgtools.replayer.match import replay
from dressed import same_entries
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.replayer.turn import GameReplay, Turn

MIXED = [(one, two) for one in range(1, 7) for two in range(one + 1, 7)]
DOUBLETS = [(number, number) for number in range(1, 7)]
ROLLS = {
    "new": [*(dice for one, two in MIXED for dice in ((one, two), (two, one))), *DOUBLETS],
    "old": [*MIXED, *DOUBLETS],
}


def _errors(match: Match) -> list[str]:
    return [str(each) for each in bgtools.check(match) if each.severity is Severity.ERROR]


# --- lazyBG ---------------------------------------------------------------------------------


def _cell(turn: Turn) -> dict[str, Any]:
    match turn.entry:
        case CheckerPlay(dice=dice) if dice:
            shown: dict[str, Any] = {"move": str(turn.play or "")}
            if turn.play is not None and not turn.play.hops:
                shown["isGala"] = True
            return {"dice": f"{dice[0]}{dice[1]}", "isIllegal": False, **shown}
        case Double(value=value):
            return {"cubeAction": "doubles", "cubeValue": value or 0}
        case Take():
            return {"cubeAction": "takes"}
        case Drop():
            return {"cubeAction": "drops"}
        case Resign():
            return {"resignAction": "normal"}
    raise AssertionError(turn.entry)


def lazybg(match: Match) -> str:
    """A match as lazyBG saves it."""
    games = []
    for number, game in enumerate(replay(match), 1):
        rows: list[dict[str, Any]] = []
        last = 1
        for turn in game.turns:
            if turn.player <= last:
                rows.append({"moveNumber": len(rows) + 1})
            last = turn.player
            rows[-1][f"player{turn.player + 1}Move"] = _cell(turn)
        won = None if game.winner is None else {"player": game.winner + 1, "points": game.points}
        games.append(
            {
                "gameNumber": number,
                "player1Score": game.score[0],
                "player2Score": game.score[1],
                "winner": won,
                "moves": rows,
            }
        )
    one, two = match.players
    head = {"player1": one, "player2": two, "eventDate": "2026-02-03", "crawford": "On", "matchLength": match.length}
    return json.dumps({"version": "1.0.0", "metadata": head, "games": games})


@pytest.mark.parametrize("seed", range(4))
def test_a_transcript_of_lazybg(seed: int) -> None:
    (match,) = read_source(write(random_match(seed, 5, games=3)).encode(), "x.mat")
    (found,) = read_source(lazybg(match).encode(), "x.lbg")
    assert (found.players, found.length, found.tag("EventDate")) == (match.players, match.length, "2026.02.03")
    assert same_entries(match, found)
    assert [game.score for game in found.games] == [game.score for game in match.games]
    assert not _errors(found)


def test_an_older_transcript_keeps_the_cube_beside_its_moves() -> None:
    rows = [
        {
            "moveNumber": 1,
            "player1Move": {"dice": "31", "move": "8/5 6/5"},
            "player2Move": {"dice": "64", "move": "24/14"},
        },
        {"moveNumber": 2, "cubeAction": {"player": 1, "action": "doubles", "value": 2, "response": "drops"}},
    ]
    game = {"gameNumber": 1, "player1Score": 0, "player2Score": 0, "winner": {"player": 1, "points": 1}, "moves": rows}
    text = json.dumps({"metadata": {"player1": "Ann", "player2": "Bob", "matchLength": 3}, "games": [game]})
    (match,) = read_source(text.encode(), "x.lbg")
    assert [type(each) for each in match.games[0].entries] == [CheckerPlay, CheckerPlay, Double, Drop]
    assert not _errors(match)


# --- OpenSpiel ------------------------------------------------------------------------------


def _number(player: int, hops: list[tuple[int, int]], dice: tuple[int, int]) -> int:
    """The number of a move: hops with their points, the die of each by trying both orders."""
    for order in (sorted(dice, reverse=True), sorted(dice)):
        if all(end == max(start - die, 0) for (start, end), die in zip(hops, order, strict=False)):
            break
    else:
        raise AssertionError(hops)
    digits = [24 if start == 25 else 24 - start if player == 0 else start - 1 for start, _ in hops]
    digits += [25] * (2 - len(digits))
    return digits[0] + 26 * digits[1] + 676 * (order[0] < order[1])


def history(game: GameReplay, rolls: str) -> list[tuple[int, int]]:
    """The actions of a game as OpenSpiel numbers them, each with its player, -1 for dice."""
    table, found = ROLLS[rolls], list[tuple[int, int]]()
    for turn in game.turns:
        assert isinstance(turn.entry, CheckerPlay)
        assert turn.entry.dice is not None
        assert turn.play is not None
        dice = turn.entry.dice
        number = table.index((min(dice), max(dice)))
        if not found:
            number += turn.player * (1 if rolls == "new" else 15)
        found.append((-1, number))
        hops = [(hop.start, hop.end) for hop in turn.play.hops]
        found.append((turn.player, _number(turn.player, hops[:2], dice)))
        if dice[0] == dice[1] and len(hops) > 1 and (hops[2:] or turn.play.result.mine[0] < 15):
            found.append((turn.player, _number(turn.player, hops[2:], dice)))
    return found


def _game(seed: int) -> tuple[Match, GameReplay]:
    (match,) = read_source(write(random_match(seed, 0, games=1, resigning=0, doubling=0)).encode(), "x.mat")
    (game,) = replay(match)
    assert game.ending == "borne off"
    return match, game


STATE = "[Meta]\nVersion: 1\n\n[Game]\nbackgammon()\n[State]\n"


@pytest.mark.parametrize("rolls", ROLLS)
@pytest.mark.parametrize("seed", range(6))
def test_a_history_of_openspiel(rolls: str, seed: int) -> None:
    match, game = _game(seed)
    numbers = [str(number) for _, number in history(game, rolls)]
    (found,) = read_source((STATE + "\n".join(numbers)).encode(), "x.txt")
    assert same_plays(match, found)
    (again,) = read_source(", ".join(numbers).encode(), "x.txt", "openspiel")
    assert same_plays(match, again)
    assert not _errors(found)


def same_plays(one: Match, two: Match) -> bool:
    """Whether two games have the same boards, rolls in any order of the dice."""
    first, second = (
        [(turn.player, sorted(turn.entry.dice or ()), turn.play and turn.play.result) for turn in replay(each)[0].turns]  # type: ignore[union-attr]
        for each in (one, two)
    )
    return first == second


def test_the_example_of_the_numbers() -> None:
    (match,) = read_source(b"2, 484, 13, 137", "x", "openspiel")
    assert [f"{each.dice}: {each.text}" for each in match.games[0].entries if isinstance(each, CheckerPlay)] == [
        "(1, 3): 8/5 6/5", "(4, 2): 8/4 6/4",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_an_episode_of_kaggle_keeps_its_thoughts(seed: int) -> None:
    match, game = _game(seed)
    actions = history(game, "new")
    chain = ",".join(f"{player}:{number}" for player, number in actions)
    steps: list[list[dict[str, Any]]] = [[{"action": {"submission": -1}, "observation": {}, "reward": None}] * 2]
    for player, number in actions:
        if player >= 0:
            step: list[dict[str, Any]] = [{"action": {"submission": -1}}, {"action": {"submission": -1}}]
            step[player]["action"] = {"submission": number, "thoughts": f"thought {len(steps)}"}
            steps.append(step)
    winner = 1 if game.winner == 0 else -1
    for each, reward in zip(steps[-1], (winner, -winner), strict=True):
        each |= {"reward": reward, "observation": {"serializedGameAndState": f"[State]\\nhistory={chain}"}}
    text = json.dumps({"name": "open_spiel_backgammon", "info": {"TeamNames": ["a", "b"]}, "steps": steps})
    (found,) = read_source(text.encode(), "x.json")
    assert found.players == ("a", "b")
    assert same_plays(match, found)
    assert [each.text for each in found.games[0].comments] == [f"thought {number}" for number in range(1, len(steps))]
    assert not _errors(found)


def test_what_is_no_history_is_told() -> None:
    for text in ("hello", "1 2 3 x", ""):
        with pytest.raises(FormatError):
            read_source(text.encode(), "x", "openspiel")
    (match,) = read_source(b"2, 484, 13, 1351, 99999", "x", "openspiel")
    assert len(match.games[0].entries) == 1
    assert any("is no legal roll or move here" in each.message for each in match.findings)
    rng = random.Random(5)
    for _ in range(300):
        read_source(" ".join(str(rng.randrange(1400)) for _ in range(rng.randint(1, 9))).encode(), "x", "openspiel")


# --- PlayStrategy ---------------------------------------------------------------------------


def test_a_game_of_playstrategy_has_its_position_and_its_result() -> None:
    text = """(;FF[4]CA[UTF-8]GM[6]PC[PlayStrategy: https://example.org/abcd]GN[ann vs. bob]PB[bob]PW[ann]RE[0-1]
IP[5S,3,3s,1,5s,4,2S/5s,3,3S,1,5S,4,2s[] - - w 0 0 - 1]CV[1]CO[n]MI[length:1][game:1][ws:0][bs:0]SU[Standard]
;W[31hefe]
;B[42qusu]
)"""
    (match,) = read_source(text.encode(), "x.sgf")
    assert [(claim.player, claim.won) for claim in match.games[0].results] == [(1, True)]
    assert not [each for each in bgtools.check(match) if each.severity is not Severity.HINT]


DAILYGAMMON = """<html><head><title>DailyGammon</title></head><body>
<table><tr><td><a href="/top">Top</a></td><td>Help</td></tr></table>
<h3>Ann vs. Bob (5 point match)</h3>
<table>
<tr><th colspan="5">Game 1</th></tr>
<tr><td>&nbsp;</td><td colspan=2>Ann : 0</td><td colspan=2>Bob : 0</td></tr>
<tr><td>1)</td><td>31:</td><td><a href="/1">8/5 6/5</a></td><td>64:</td><td><a href="/2">24/14</a></td></tr>
<tr><td>2)</td><td>52:</td><td><a href="/3">13/8 13/11*</a></td><td>21:</td><td><a href="/4">bar/24 13/11</a></td></tr>
<tr><td>3)</td><td colspan=2><a href="/5">Doubles => 2</a></td><td colspan=2><a href="/6">Drops</a></td></tr>
<tr><td>&nbsp;</td><td colspan=2><a href="/7">Wins 1 point</a></td></tr>
<tr><th colspan="5">Game 2</th></tr>
<tr><td>&nbsp;</td><td colspan=2>Ann : 1</td><td colspan=2>Bob : 0</td></tr>
<tr><td>1)</td><td colspan=2>&nbsp;</td><td>64:</td><td><a href="/2">24/14</a></td></tr>
<tr><td>2)</td><td>52:</td><td><a href="/3">13/11* 13/8</a></td><td colspan=2>Doubles => 2</td></tr>
<tr><td>3)</td><td colspan=2><a href="/3">Drops</a></td><td colspan=2>Wins 1 point</td></tr>
</table></body></html>
"""


def test_a_page_of_dailygammon_that_lists_the_plays_of_a_match() -> None:
    (match,) = read_source(DAILYGAMMON.encode(), "match.html")
    assert (match.players, match.length) == (("Ann", "Bob"), 5)
    one, two = replay(match)
    assert [each.player for each in one.game.entries] == [0, 1, 0, 1, 0, 1]
    assert [each.player for each in two.game.entries] == [1, 0, 1, 0]
    assert (one.winner, one.points, two.winner, two.points, two.score) == (0, 1, 1, 1, (1, 0))
    assert not bgtools.check(match)
