"""bgsage, which reads the records of ``.xg`` and ``.xgp`` byte by byte, finds in what is written the match it is of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format, read_all
from bgtools.record.record import CheckerPlay, Double
from bgtools.replayer.match import replay
from selfplay import random_match
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bgtools.board.board import Board
    from bgtools.record.record import Match

xg_file = pytest.importorskip("bgsage.xg_file", reason="there is no wheel of bgsage here")


def records_of(match: Match, folder: Path, name: str = "xg") -> list[tuple[int, Any]]:
    """The records that bgsage finds in the file of a match, each with its kind."""
    chosen = find_format(name)
    path = folder / f"match{chosen.extensions[0]}"
    path.write_bytes(chosen.write((match,), ""))
    data = xg_file.XgArchive.load(path).get("temp.xg")
    parse = {
        xg_file.TS_HEADER_MATCH: xg_file.parse_header, xg_file.TS_HEADER_GAME: xg_file.parse_game_header,
        xg_file.TS_CUBE: xg_file.parse_cube_record, xg_file.TS_MOVE: xg_file.parse_move_record,
    }  # fmt: skip
    return [(kind, parse[kind](data, at)) for at, kind in xg_file.iter_records(data) if kind in parse]


def board_of(board: Board) -> tuple[int, ...]:
    """A board as bgsage has it: from the opponent's bar over the mover's points to the mover's bar."""
    mine, theirs = board.mine, board.theirs
    return (theirs[25], *(mine[at] - theirs[25 - at] for at in range(1, 25)), mine[25])


def compared(matches: Iterable[Match], folder: Path) -> Counter[str]:
    """How much of each sort bgsage sees as we do."""
    counted: Counter[str] = Counter()
    for match in matches:
        records = records_of(match, folder)
        heads = [record for kind, record in records if kind == xg_file.TS_HEADER_MATCH]
        assert [head["match_length"] for head in heads] == [match.length or 99999]
        games = replay(match)
        found = [record for kind, record in records if kind == xg_file.TS_HEADER_GAME]
        assert [(each["score1"], each["score2"], each["crawford"]) for each in found] == [
            (*game.score, game.crawford) for game in games
        ]
        rolls = [record for kind, record in records if kind == xg_file.TS_MOVE]
        played = [
            (board_of(turn.before), sorted(turn.entry.dice or ()))
            for game in games
            for turn in game.turns
            if isinstance(turn.entry, CheckerPlay)
        ]
        assert [(each["mover_board"], sorted(each["dice"])) for each in rolls] == played
        cubes = [record for kind, record in records if kind == xg_file.TS_CUBE and record["double"] == 1]
        doubles = [turn for game in games for turn in game.turns if isinstance(turn.entry, Double)]
        assert [each["mover_board"] for each in cubes] == [board_of(turn.before) for turn in doubles]
        counted.update(games=len(games), rolls=len(rolls), doubles=len(doubles))
    return counted


def test_bgsage_sees_the_match_that_was_written(tmp_path: Path) -> None:
    counted = compared((random_match(seed, (1, 3, 5, 7, 0)[seed % 5]) for seed in range(6)), tmp_path)
    assert counted["rolls"] > 300
    assert counted["doubles"] > 10
    assert counted["games"] > 10


@needs_corpus
def test_bgsage_sees_real_matches(tmp_path: Path) -> None:
    def real() -> Iterable[Match]:
        for path in sorted((CORPUS / "mat").iterdir())[::25]:
            try:
                matches = read_all(path)
            except FormatError:
                continue
            for match in matches:
                if match.games and all(game.is_sound for game in replay(match)):
                    yield replace(match, source=None)

    counted = compared(real(), tmp_path)
    assert counted["rolls"] > 1000


def test_bgsage_sees_the_position_that_was_written(tmp_path: Path) -> None:
    seen = 0
    for seed in range(8):
        for turn in replay(random_match(seed, 5))[0].turns[3:6]:
            if not isinstance(turn.entry, CheckerPlay):
                continue
            match = random_match(seed, 5)
            game = replace(
                match.games[0],
                start=turn.before if turn.player == 0 else turn.before.flipped(),
                entries=(turn.entry,),
                results=(),
            )
            try:
                records = records_of(replace(match, games=(game,)), tmp_path, "xgp")
            except FormatError:
                continue
            rolls = [record for kind, record in records if kind == xg_file.TS_MOVE]
            assert [each["mover_board"] for each in rolls] == [board_of(turn.before)]
            seen += 1
    assert seen > 10
