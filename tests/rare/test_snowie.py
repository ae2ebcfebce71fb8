"""Snowie's text: the fields of a position, and its matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, Board, Dice, checkers
from bgtools.board.play import PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.record.record import CheckerPlay, Game, Match, SetBoard
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from gnubg_judge import needs_gnubg, run_gnubg
from ruin import read_ruins
from support import CORPUS, needs_corpus, spread

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

SAMPLES = Path(__file__).parents[2] / "samples"
LINE = "7;0;1;0;1;Bob Low;Ann;0;3;2;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;6;4;"


def read(text: str) -> Match:
    return read_source(text.encode(), "x.txt")[0]


def position_match(
    position: Board,
    player: Player = 0,
    dice: Dice | None = None,
    *,
    length: int = 0,
    cube: int = 1,
    owner: Player | None = None,
) -> Match:
    """A match that is a position with somebody on roll; the position is seen by player 0."""
    entries: list[SetBoard | CheckerPlay] = [SetBoard(player=player, position=position, cube=cube, owner=owner)]
    if dice:
        entries.append(CheckerPlay(player=player, dice=dice, text=PlayText("nothing")))
    rules = Ruleset(crawford=bool(length))
    game = Game(number=1, score=(0, 0), entries=tuple(entries))
    return Match(players=("Ann", "Bob"), length=length, games=(game,), rules=rules)


def test_the_fields_of_a_position_are_read() -> None:
    match = read(LINE)
    assert (match.players, match.length, match.games[0].score) == (("Ann", "Bob Low"), 7, (2, 3))
    board, roll = match.games[0].entries
    assert isinstance(board, SetBoard)
    assert (board.player, board.cube, board.owner) == (1, 2, 1)
    assert board.position.theirs[24] == 2
    assert isinstance(roll, CheckerPlay)
    assert (roll.player, roll.dice) == (1, (6, 4))
    assert match.findings == ()


def test_checkers_on_the_bar_stand_at_either_end() -> None:
    fields = LINE.split(";")
    fields[12], fields[13], fields[36], fields[37] = "-1", "-1", "1", "1"
    (board, _) = read(";".join(fields)).games[0].entries
    assert isinstance(board, SetBoard)
    seen = board.position.flipped()
    assert (seen.mine[BAR], seen.theirs[BAR], seen.mine[24], seen.theirs[24]) == (1, 1, 1, 1)


@pytest.mark.parametrize(("flag", "crawford"), [("1", True), ("0", False)])
def test_the_crawford_game_is_told_from_those_after_it(flag: str, crawford: bool) -> None:
    fields = LINE.split(";")
    fields[7], fields[8] = flag, "6"
    assert replay(read(";".join(fields)))[0].crawford is crawford


def test_money_play_has_its_jacoby_rule() -> None:
    match = read(LINE.replace("7;0;1;0;", "0;1;0;1;"))
    assert (match.length, match.rules.jacoby, match.rules.crawford) == (0, True, False)


def test_several_lines_are_several_positions() -> None:
    found = read_source(f"{LINE}\n\n{LINE}\n".encode(), "x.txt")
    assert len(found) == 2
    assert [finding.code for match in found for finding in match.findings] == [codes.SEVERAL_MATCHES]


def test_what_cannot_be_is_told() -> None:
    match = read(LINE.replace("-5;5;0", "-9;5;0"))
    assert [finding.code for finding in match.findings] == [codes.BAD_SET_POSITION]
    found = read(f"hello\n{LINE}")
    assert [finding.code for finding in found.findings] == [codes.UNREADABLE_LINE]
    with pytest.raises(FormatError, match="40 fields"):
        read_source(b"1;2;3;", "x.txt", "snowie")


def test_a_position_is_recognised_and_match_text_stays_match_text() -> None:
    assert recognise(Content(LINE.encode(), "x")).name == "snowie"
    data = convert(read_all(SAMPLES / "one-point.mat"), parse_target("snowie")).data
    assert recognise(Content(data, "x.txt")).name == "mat"
    assert len(read_source(data, "x.txt", "snowie")[0].games) == 1


def test_random_positions_come_back() -> None:
    for number, position in enumerate(spread(5, 60)):
        player: Player = 1 if number % 2 else 0
        owner: Player | None = (None, 0, 1)[number % 3]
        dice = (3, 1) if number % 4 == 0 else None
        match = position_match(
            position, player, dice, length=number % 5, cube=2 if owner is not None else 1, owner=owner
        )
        done = convert((match,), parse_target("snowie"))
        assert done.changed == ""
        assert done.data.count(b";") == 40


def test_a_position_with_a_play_is_no_position_of_snowie() -> None:
    match = position_match(next(iter(spread(1, 1))), 0, (3, 1))
    game = match.games[0]
    played = CheckerPlay(player=0, dice=(3, 1), text=PlayText("dance"))
    with pytest.raises(FormatError, match="set in the middle"):
        convert((replace(match, games=(replace(game, entries=(game.entries[0], played)),)),), parse_target("snowie"))


@needs_corpus
def test_illegal_plays_of_snowie_survive() -> None:
    for path in sorted((CORPUS / "mat").glob("*king2004final3.txt")):
        match = read_all(path)[0]
        assert convert((match,), parse_target("snowie")).changed == ""


def test_ruined_lines_are_read_as_far_as_they_go() -> None:
    assert read_ruins(LINE.encode(), "snowie", 200) > 5


@needs_gnubg
def test_gnu_backgammon_reads_and_writes_the_same_line(tmp_path: Path) -> None:
    plain = [
        position for position in spread(9, 60) if not position.mine[BAR] and not position.theirs[BAR]
    ][:12]  # fmt: skip
    start = Board(checkers({24: 2, 13: 5, 8: 3, 6: 5}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
    for number, position in enumerate([start, *plain]):
        player: Player = 1 if number % 2 else 0
        match = position_match(position, player, (6, 4) if number % 3 else None, length=5 * (number % 2))
        data = convert((match,), parse_target("snowie")).data
        (tmp_path / "given").write_bytes(data)
        (tmp_path / "found").unlink(missing_ok=True)
        said = run_gnubg(tmp_path, "import snowietxt given", "export position snowietxt found")
        assert (tmp_path / "found").is_file(), said
        found = read_source((tmp_path / "found").read_bytes(), "found")[0]
        assert [(type(entry), entry.player) for entry in found.games[0].entries] == [
            (type(entry), entry.player) for entry in match.games[0].entries
        ]
        board = found.games[0].entries[0]
        assert isinstance(board, SetBoard)
        assert board.position == position
        assert (found.players, found.length) == (match.players, match.length)
