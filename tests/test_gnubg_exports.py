"""GNU Backgammon deals, plays, judges, scores and exports; not one of its records may have an error here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.mat.writer import write_content
from bgtools.formats.reading import read_all
from bgtools.positions.gnubg import encode_position_id
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop
from bgtools.replayer.match import replay
from gnubg_export import EVALUATED, PROGRAM, RANDOM, Export, export, findings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gnubg_export import Setting

pytestmark = pytest.mark.needs(PROGRAM, "GNU Backgammon")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Export]:
    """Every setting of random players once, and some evaluated ones, which take time."""
    quick = [one for one in EVALUATED if one.name in ("match-3", "money-raccoons-noise", "money-everything")]
    return export(tmp_path_factory.mktemp("gnubg"), seed=1, settings=[*quick, *RANDOM])


def errors(exports: Iterable[Export]) -> list[str]:
    """What is wrong in the records as they are, and once more when told the rules that they do not state.

    The Crawford rule and automatic doubles are told in any case: no export says that the one was off or the others
    on, and without them the score does not follow from the results.
    """
    wanted = list(exports)
    silent = [done for done in wanted if not done.is_bent]
    spoken = [done for done in wanted if done.setting.rules]
    assert all(match.games and all(game.entries for game in match.games) for done in wanted for match in done.matches())
    return [
        f"{file.name}: game {one.game}: {one.code.id} {one.message}"
        for told, some in ((False, silent), (True, spoken))
        for file, one in findings(some, told=told)
        if one.severity is Severity.ERROR
    ]


def strays(done: Export) -> list[str]:
    """Where our boards are not those that GNU Backgammon had when its random players played."""
    (match,) = done.matches(told=True)
    found = []
    for number, (game, logged) in enumerate(zip(replay(match), done.boards(), strict=True), 1):
        # The log has no dances. An automatic double is not in the record.
        turns = [turn for turn in game.turns if turn.play is not None and turn.play.hops]
        halved = "automatic" in done.setting.rules
        if len(turns) != len(logged):
            found.append(f"{done.mat.name} game {number}: {len(turns)} plays, not {len(logged)}")
        for turn, told in zip(turns, logged, strict=False):
            mine, theirs = tuple(turn.before.mine[1:]), tuple(turn.before.theirs[1:])
            assert isinstance(turn.entry, CheckerPlay)
            assert turn.entry.dice is not None
            ours = (mine, theirs, sorted(turn.entry.dice), turn.player, encode_position_id(turn.before))
            real = (tuple(told["mine"]), tuple(told["theirs"]), sorted(told["dice"]), told["turn"], told["id"])
            cube = (
                turn.state.cube.value,
                {"centre": -1, "mine": turn.player}.get(turn.state.cube.owner, 1 - turn.player),
            )
            # In a money session the log has no score.
            score = list(game.score) if match.length else [0, 0]
            state = (score, int(game.crawford), *(() if halved else cube))
            other = (told["score"], told["crawford"], *(() if halved else (told["cube"], told["cubeowner"])))
            if ours != real or state != other:
                found.append(f"{done.mat.name} game {number} turn {turn.index}: {ours} {state}, not {real} {other}")
    return found


def test_self_played_matches_and_sessions_have_no_error(played: list[Export]) -> None:
    assert errors(played) == []


def test_every_board_cube_and_score_is_the_one_that_was_played(played: list[Export]) -> None:
    assert [stray for done in played if done.setting.at_random for stray in strays(done)] == []


def test_the_sample_holds_what_it_is_for(played: list[Export]) -> None:
    entries = [entry for done in played for match in done.matches() for game in match.games for entry in game.entries]
    kinds = [type(entry) for entry in entries]
    assert min(kinds.count(kind) for kind in (Beaver, Double, Drop)) > 10
    assert kinds.count(CheckerPlay) > 4000
    assert "resigned" in {game.ending for done in played for match in done.matches() for game in replay(match)}


def test_automatic_doubles_are_left_to_the_score(played: list[Export]) -> None:
    # They are not written, and a result is what it would be without them.
    automatic = [done for done in played if "automatic" in done.setting.rules]
    assert automatic
    assert not any("utomatic" in done.mat.read_text(encoding="utf-8") for done in automatic)
    assert codes.LEFT_TO_SCORE in {one.code for _, one in findings(automatic, told=True)}


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(100, 104))
def test_thousands_of_self_played_games_have_no_error(seed: int, tmp_path: Path) -> None:
    assert errors(export(tmp_path, seed=seed, rounds=4, settings=EVALUATED)) == []


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("setting", RANDOM, ids=str)
def test_hundreds_of_random_games_replay_as_they_were_played(setting: Setting, tmp_path: Path) -> None:
    done = export(tmp_path, seed=200, rounds=60, settings=[setting])
    assert errors(done) == []
    assert [stray for one in done for stray in strays(one)] == []


def test_an_export_is_written_again_to_the_byte(tmp_path: Path) -> None:
    for one in export(tmp_path, seed=77, settings=EVALUATED[:5]):
        assert write_content(read_all(one.mat), "gnubg") == one.mat.read_bytes(), one.mat.name
