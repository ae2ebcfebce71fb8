"""Positions of Jellyfish: the fields of all versions, and that what is written is read again."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_snowie import position_match

from bgtools.board.board import BAR, OFF, START
from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.record.record import CheckerPlay, Match, SetBoard
from bgtools.replayer.match import replay
from gnubg_judge import needs_gnubg, run_gnubg
from ruin import read_ruins
from support import spread

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

SAMPLES = Path(__file__).parents[2] / "samples"


def number(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}h", *values)


def text(value: str) -> bytes:
    return bytes([len(value)]) + value.encode("cp1252")


def jellyfish(
    version: int = 126, *, on_roll: int = 2, length: int = 7, crawford: int = 1, dice: tuple[int, int] = (6, 4)
) -> bytes:
    """A file, field by field: player 2 on roll at 2-3 with their own cube on 2; player 1 has one checker on the bar."""
    options = {124: b"", 125: number(1, 1, 1), 126: number(0, 0, 1, 1, 1)}[version]
    board = [0, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -1, -1]
    return b"".join(
        (
            number(version), options, number(2, 2, on_roll, 1, 1, 0, 1 if length else 3, 1, 7, length, 2, 3),
            text("Søren"), text("Bob"), number(0, crawford, 0), text("24/18"), number(*dice),
            b"".join(number(count + 20, 20) for count in board),
        )
    )  # fmt: skip


def read(data: bytes) -> Match:
    return read_source(data, "x.pos")[0]


def test_the_points_of_a_money_session_come_back() -> None:
    match = read(jellyfish(length=0))
    assert match.games[0].score == (2, 3)
    done = convert((replace(match, source=None),), parse_target("pos"))
    assert (done.changed, read(done.data).games[0].score) == ("", (2, 3))


@pytest.mark.parametrize("version", [124, 125, 126])
def test_all_versions_are_read(version: int) -> None:
    match = read(jellyfish(version))
    assert (match.players, match.length, match.games[0].score) == (("Søren", "Bob"), 7, (2, 3))
    board, roll = match.games[0].entries
    assert isinstance(board, SetBoard)
    assert (board.player, board.cube, board.owner) == (1, 2, 1)
    assert (board.position.mine[BAR], board.position.mine[24], board.position.theirs[24]) == (1, 1, 2)
    assert isinstance(roll, CheckerPlay)
    assert (roll.player, roll.dice) == (1, (6, 4))
    assert check(match) == ()


def test_before_the_roll_there_is_none() -> None:
    (board,) = read(jellyfish(on_roll=3)).games[0].entries
    assert board.player == 0


def test_money_play_tells_its_rules_since_version_125() -> None:
    assert (read(jellyfish(length=0)).rules.jacoby, read(jellyfish(length=0)).rules.beavers) == (True, 1)
    assert (read(jellyfish(124, length=0)).rules.jacoby, read(jellyfish(124, length=0)).rules.beavers) == (None, None)


@pytest.mark.parametrize(("flag", "crawford"), [(1, True), (2, True), (3, False)])
def test_the_crawford_game_is_told_from_those_after_it(flag: int, crawford: bool) -> None:
    assert replay(read(jellyfish(length=4, crawford=flag)))[0].crawford is crawford


def test_a_game_not_begun_has_no_entries() -> None:
    written = convert((position_match(START),), parse_target("pos")).data
    at = written.index(number(3, 0, 0, 0, 3))
    assert read(written[:at] + number(0) + written[at + 2 :]).games[0].entries == ()


def test_findings_point_into_the_listing() -> None:
    data = bytearray(jellyfish())
    data[-4:-2] = number(10)  # ten checkers of player 1 on the bar
    match = read(bytes(data))
    (finding,) = match.findings
    assert finding.code is codes.BAD_SET_POSITION
    assert match.source is not None
    assert match.source.text[slice(*finding.span)].startswith("byte ")
    assert " board: 0 2 0 " in match.source.text


def test_random_positions_come_back() -> None:
    for index, position in enumerate(spread(5, 60)):
        player: Player = 1 if index % 2 else 0
        owner: Player | None = (None, 0, 1)[index % 3]
        dice = (3, 1) if index % 4 == 0 else None
        match = position_match(
            position, player, dice, length=index % 5, cube=2 if owner is not None else 1, owner=owner
        )
        assert sum(position.mine) - position.mine[OFF] <= 15
        done = convert((match,), parse_target("pos"))
        assert done.changed == ""
        assert recognise(Content(done.data, "x")).name == "pos"


def test_matches_are_refused() -> None:
    with pytest.raises(FormatError, match="one position"):
        convert(read_all(SAMPLES / "one-point.mat"), parse_target("pos"))
    with pytest.raises(FormatError, match="no game"):
        convert((replace(position_match(START), games=()),), parse_target("pos"))
    with pytest.raises(FormatError, match="32767"):
        convert((position_match(START, cube=65536, owner=0),), parse_target("pos"))


def test_cut_and_bent_files_are_refused_or_read() -> None:
    with pytest.raises(FormatError, match="cut off"):
        read_source(jellyfish()[:-1], "x.pos", "pos")
    with pytest.raises(FormatError, match="124, 125 and 126"):
        read_source(number(123, 0), "x.pos", "pos")
    assert read_ruins(jellyfish(), "pos") > 40


@needs_gnubg
def test_gnu_backgammon_reads_and_writes_the_same_position(tmp_path: Path) -> None:
    for index, position in enumerate([START, *spread(9, 12)]):
        player: Player = 1 if index % 2 else 0
        match = position_match(position, player, (6, 4) if index % 3 else None, length=5 * (index % 2))
        (tmp_path / "given.pos").write_bytes(convert((match,), parse_target("pos")).data)
        (tmp_path / "found.pos").unlink(missing_ok=True)
        (tmp_path / "found.txt").unlink(missing_ok=True)
        said = run_gnubg(
            tmp_path, "import pos given.pos", "export position pos found.pos", "export position snowietxt found.txt"
        )
        assert (tmp_path / "found.pos").is_file(), said
        for name in ("found.pos", "found.txt"):
            (found,) = read_all(tmp_path / name)
            board = found.games[0].entries[0]
            assert isinstance(board, SetBoard)
            assert (board.player, board.position) == (player, position), (index, name)
            assert found.players == match.players
