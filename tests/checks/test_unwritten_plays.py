"""Plays that a record leaves out, inferred from the boards, IDs and lists of plays in its remarks."""

from __future__ import annotations

import pytest

import bgtools
from bgtools.board.generation import legal_plays
from bgtools.checks.unwritten import UnwrittenPlays
from bgtools.formats.reading import read_source
from bgtools.positions.position import Position
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay
from selfplay import random_match

COLOURS = ("Red", "White")


def _list_of_positions(seed: int, shown: str) -> tuple[str, list[str]]:
    """A list of positions as books and columns print it, and the plays that were made, which it does not give."""
    match = random_match(seed, 5, games=5)
    game = max(replay(match), key=lambda game: next((turn.index for turn in game.turns if turn.play is None), 99))
    lines = ["Game 1", "Ann is playing Red.", "Bob is playing White.", ""]
    made: list[str] = []
    for number, turn in enumerate(game.turns[:24], 1):
        entry = turn.entry
        if not isinstance(entry, CheckerPlay) or turn.play is None:
            break
        assert entry.dice is not None
        lines.append(f"Position {number}: {COLOURS[turn.player]} to play {entry.dice[0]}{entry.dice[1]}.")
        position = Position(board=turn.before, dice=entry.dice)
        if shown == "id":
            lines.append(position.xgid)
        elif shown == "board":
            lines.append(str(position))
        else:
            plays = [play for play in legal_plays(turn.before, entry.dice) if play != turn.play][:2]
            lines += [f"    {each}       +.{100 - at}0" for at, each in enumerate((turn.play, *plays)) if str(each)]
        lines.append("")
        made.append(str(turn.play))
    return "\n".join(lines), made


def _inferred(text: str) -> list[str]:
    (match,) = read_source(text.encode(), "x.txt")
    (game,) = replay(match)
    unwritten = UnwrittenPlays(game)
    found = [unwritten.at(turn.index) for turn in game.turns]
    return ["" if each is None else str(each.plays[0]) for each in found]


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("shown", "least"), [("id", 0.95), ("board", 0.9), ("list", 0.7)])
def test_plays_are_inferred_from_what_the_remarks_show(shown: str, least: float, seed: int) -> None:
    text, made = _list_of_positions(seed, shown)
    found = _inferred(text)
    assert len(found) == len(made) > 5
    right = sum(one == two for one, two in zip(found[:-1], made[:-1], strict=True))
    assert right >= least * (len(made) - 1), [*zip(found, made, strict=True)]


def test_an_inferred_play_is_offered_and_never_taken_as_written() -> None:
    text, made = _list_of_positions(1, "id")
    (match,) = read_source(text.encode(), "x.txt")
    assert all(entry.text.kind == "unknown" for entry in match.games[0].entries if isinstance(entry, CheckerPlay))
    found = [each for each in bgtools.check(match) if each.code.id == "BG217"]
    assert len(found) >= len(made) - 1
    assert "inferred: " in found[0].hint
    assert found[0].fix is None or found[0].fix.applicability != "safe"


def test_nothing_is_inferred_where_the_remarks_show_nothing() -> None:
    text, _ = _list_of_positions(2, "id")
    bare = "\n".join(line for line in text.splitlines() if "XGID" not in line)
    assert not any(_inferred(bare))


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("roll", ["77", "00", "3", "????", "31: zz", "31: 8/5 6/6"])
def test_a_damaged_roll_between_them_ends_what_is_inferred(roll: str) -> None:
    text, _ = _list_of_positions(1, "list")
    rows = [f"  {number}) {each}" for number, each in enumerate(("31: ????", "62: ????", roll, "41: 24/20 24/23"), 1)]
    listed = "; 8/5, 6/5     +.100\n; 24/23, 13/10   -.020"
    mixed = " 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n" + f"\n{listed}\n".join(rows) + "\n"
    for each in (mixed, text.replace("42", "77").replace("31", "07")):
        (match,) = read_source(each.encode(), "x.txt")
        assert bgtools.check(match)
