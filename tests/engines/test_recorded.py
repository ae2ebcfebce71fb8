"""The engine file: what a record says comes out as it stands, and what it does not say is refused."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import gnubg_sgf
from annotated import CHANCES, RECORD, candidate, cube, noted, plays
from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START
from bgtools.engines.protocol import (
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    EngineUnavailable,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
)
from bgtools.engines.recorded import RecordedEngine, holds_analysis
from bgtools.formats.xg import layout as xg_layout
from bgtools.formats.xg.archive import open_archive
from bgtools.met.finding import default
from bgtools.record.record import SetBoard
from bgtools.replayer.match import replay
from gnubg_judge import needs_gnubg
from support import CORPUS, read_text
from xg_files import dtype_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bgtools.engines.protocol import LuckConvention
    from bgtools.record.annotation import Annotation
    from bgtools.record.record import Match
    from bgtools.replayer.turn import Turn


def turn_of(match: Match, at: int) -> Turn:
    return replay(match)[0].turns[at]


def play(notes: Mapping[int, Annotation], at: int = 0, *, is_asked: bool = True) -> CheckerAnswer | Refused:
    """The answer to a roll of the record."""
    match = noted(notes)
    turn = turn_of(match, at)
    assert turn.play is not None
    dice: tuple[int, int] = turn.entry.dice  # type: ignore[union-attr,assignment]
    question = CheckerQuestion(turn.before, dice, turn.state, turn.play.result if is_asked else None)
    return RecordedEngine(match).checker([question])[0]


def answered(notes: Mapping[int, Annotation], at: int = 0) -> CheckerAnswer:
    answer = play(notes, at)
    assert isinstance(answer, CheckerAnswer), answer
    return answer


def names(answer: CheckerAnswer) -> list[str]:
    return [str(each.play) for each in answer.candidates]


# --- plays ------------------------------------------------------------------------------------


def test_the_plays_come_out_as_they_stand() -> None:
    answer = answered({0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05))})
    assert names(answer) == ["8/5 6/5", "24/21 6/5"]
    assert (answer.played_index, answer.loss, answer.best.depth) == (0, 0.0, "2-ply")
    assert answer.best.probabilities == Probabilities(*CHANCES)
    assert answer.stamp == RecordedEngine(noted({0: plays(candidate("8/5 6/5", 0.2))})).stamp


def test_the_stamp_is_what_the_file_states() -> None:
    notes = {0: plays(candidate("8/5 6/5", 0.2)), 2: plays(candidate("24/18 13/9", 0.0, "rollout"))}
    stamp = RecordedEngine(noted(notes)).stamp
    assert (stamp.engine, stamp.version, stamp.level) == ("GNU Backgammon", "1.07", "rollout, 2-ply")
    assert (stamp.met, stamp.is_recorded) == ("Kazaross-XG2", True)


@pytest.mark.parametrize(
    ("program", "name", "version"),
    [
        ("BGBlitz", "BGBlitz", ""),
        ("bgsage v2.0.1", "bgsage", "2.0.1"),
        ("Some Program 2 : 1.2 beta", "Some Program 2", "1.2 beta"),
        ("a" + " " * 100_000, "a" + " " * 100_000, ""),
        (" " * 100_000, " " * 100_000, ""),
    ],
    ids=["no version", "v", "words", "blanks behind", "blanks"],
)
def test_a_programs_version_is_told_from_its_name(program: str, name: str, version: str) -> None:
    stamp = RecordedEngine(noted({0: plays(candidate("8/5 6/5", 0.2), program=program)})).stamp
    assert (stamp.engine, stamp.version) == (name, version)


def test_the_loss_is_taken_from_plays_seen_equally_deep() -> None:
    deep = (candidate("24/18 13/9", 0.1), candidate("24/20 13/7", 0.05), candidate("24/14", 0.3, "0-ply"))
    answer = answered({2: plays(*deep)}, 2)
    assert (answer.loss, names(answer)[0]) == (0.0, "24/18 13/9")
    shallow = (candidate("24/20 13/7", 0.1), candidate("24/18 13/9", 0.05, "0-ply"))
    assert play({2: plays(*shallow)}, 2) == Refused(
        "the file has looked at the play that was made and at the best one unequally deep"
    )


@pytest.mark.parametrize("listed", [(), (candidate("24/18 13/9", 0.05, "0-ply"),)])
def test_a_stated_error_counts_where_the_plays_do_not_tell_it(listed: tuple[Any, ...]) -> None:
    answer = answered({2: plays(candidate("24/20 13/7", 0.1), *listed, error=-0.07)}, 2)
    assert answer.loss == pytest.approx(0.07)
    assert answer.played is not None
    assert (str(answer.played.play), answer.played.rank) == ("24/18 13/9", answer.best.rank)


def test_the_plays_tell_it_where_they_can() -> None:
    note = plays(candidate("24/20 13/7", 0.1), candidate("24/18 13/9", 0.05), error=-0.0504)
    assert answered({2: note}, 2).loss == pytest.approx(0.05)


def test_a_play_that_is_not_valued_is_refused() -> None:
    assert play({2: plays(candidate("24/20 13/7", 0.1), candidate("24/14", 0.05))}, 2) == Refused(
        "the file does not value the play that was made"
    )
    assert isinstance(play({2: plays(candidate("24/20 13/7", 0.1))}, 2, is_asked=False), CheckerAnswer)


def test_one_of_several_plays_tells_nothing() -> None:
    assert play({2: plays(candidate("24/18 13/9", 0.1))}, 2) == Refused("the file values one of several plays")


def test_plays_that_are_illegal_or_without_an_equity_are_passed_over() -> None:
    note = plays(
        candidate("24/13", 0.9), candidate("24/20 13/7", None), candidate("24/18 13/9", 0.1), candidate("8/4 24/18", 0)
    )
    assert names(answered({2: note}, 2)) == ["24/18 13/9", "24/18 8/4"]


def test_what_the_file_is_silent_about_is_refused() -> None:
    assert play({2: plays(candidate("24/18 13/9", 0.1))}, 0) == Refused("the file says nothing of this")
    text = RECORD.replace("  2) 64: 24/14", "  2) 11: 6/5(2) 8/7(2)")
    match = noted({0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05))}, text)
    turn = turn_of(match, 0)
    bar = replace(turn.before, mine=(0, 0, 0, 0, 0, 0, *turn.before.mine[6:24], 0, 7))
    forced = CheckerQuestion(bar, (6, 5), turn.state)
    assert RecordedEngine(match).checker([forced]) == (Refused("forced, and the file says nothing of it"),)


def test_match_winning_chances_become_equities() -> None:
    notes = {0: plays(candidate("8/5 6/5", 0.53, unit="mwc"), candidate("24/21 6/5", 0.51, unit="mwc"))}
    state = turn_of(noted(notes), 0).state
    answer = answered(notes)
    assert answer.best.equity == pytest.approx(default().emg(state, 0.53))
    assert answer.candidates[1].equity == pytest.approx(default().emg(state, 0.51))


def test_of_two_looks_at_one_position_the_deeper_counts() -> None:
    text = RECORD.replace(" 3 point match", " 0 point match") + RECORD.split("match\n")[1].replace("Game 1", "Game 2")
    shallow = plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05))
    deep = plays(candidate("8/5 6/5", 0.15, "rollout"), candidate("24/21 6/5", 0.05, "rollout"))
    match = noted({0: shallow}, text)
    second = match.games[1]
    entries = (replace(second.entries[0], annotation=deep), *second.entries[1:])
    match = replace(match, games=(match.games[0], replace(second, entries=entries)))
    turn = turn_of(match, 0)
    assert turn.play is not None
    (answer,) = RecordedEngine(match).checker([CheckerQuestion(turn.before, (3, 1), turn.state, turn.play.result)])
    assert isinstance(answer, CheckerAnswer)
    assert (answer.best.depth, answer.best.equity) == ("rollout", 0.15)


def test_a_record_without_analysis_is_no_engine() -> None:
    assert not holds_analysis(read_text(RECORD))
    with pytest.raises(EngineUnavailable, match="holds no analysis"):
        RecordedEngine(read_text(RECORD))


def test_what_is_said_of_a_board_that_the_record_sets_is_no_analysis_of_the_match() -> None:
    match = read_text(RECORD)
    board = SetBoard(player=0, position=START, annotation=cube(0.5, 0.6))
    match = replace(match, games=(replace(match.games[0], entries=(board, *match.games[0].entries)),))
    assert not holds_analysis(match)
    with pytest.raises(EngineUnavailable, match="holds no analysis"):
        RecordedEngine(match)


def test_figures_beyond_the_match_equity_table_are_told_where_they_need_none() -> None:
    text = RECORD.replace(" 3 point match", " 31 point match")
    match = noted({0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), luck=0.1)}, text)
    rows = analyse(match, RecordedEngine(match))
    assert (rows.decisions[0].loss, rows.decisions[0].loss_mwc) == (0.0, None)
    assert "31 points away is beyond the match equity table" in rows.turns[0].note


# --- cube -------------------------------------------------------------------------------------


def cube_answer(notes: Mapping[int, Annotation], at: int) -> CubeAnswer | Refused:
    match = noted(notes)
    turn = turn_of(match, at)
    flip = at == 5
    position, state = (turn.before.flipped(), turn.state.flipped()) if flip else (turn.before, turn.state)
    return RecordedEngine(match).cube([CubeQuestion(position, state)])[0]


@pytest.mark.parametrize("at", [4, 5])
@pytest.mark.parametrize("stands", [4, 5])
def test_a_double_and_its_answer_are_one_decision(at: int, stands: int) -> None:
    answer = cube_answer({stands: cube(0.4, 0.6)}, at)
    assert isinstance(answer, CubeAnswer)
    assert (answer.no_double, answer.double_take, answer.double_pass) == (0.4, 0.6, 1.0)
    assert (answer.depth, answer.probabilities) == ("2-ply", Probabilities(*CHANCES))


def test_a_cube_decision_before_a_roll_is_told() -> None:
    answer = cube_answer({2: cube(0.1, -0.2)}, 2)
    assert isinstance(answer, CubeAnswer)
    assert answer.action == "No double, take"
    assert cube_answer({2: cube(None, -0.2)}, 2) == Refused("the file says nothing of this")
    assert cube_answer({2: cube(0.1, -0.2)}, 3) == Refused("the file says nothing of this")


def test_match_winning_chances_of_the_cube_become_equities() -> None:
    state = turn_of(noted({}), 2).state
    lose, win = default().anchors(state)
    answer = cube_answer({2: cube((lose + win) / 2, lose, win, unit="mwc")}, 2)
    assert isinstance(answer, CubeAnswer)
    assert answer.no_double == pytest.approx(0.0, abs=1e-12)
    assert answer.double_take == pytest.approx(-1.0)
    assert answer.double_pass == pytest.approx(1.0)


# --- luck -------------------------------------------------------------------------------------


def luck(program: str, convention: LuckConvention, at: int = 0) -> LuckAnswer | Refused:
    note = plays(candidate("8/5 6/5", 0.2), program=program, luck=0.25)
    match = noted({at: note})
    turn = turn_of(match, at)
    dice: tuple[int, int] = turn.entry.dice  # type: ignore[union-attr,assignment]
    question = LuckQuestion(turn.before, dice, turn.state, at == 0, convention)
    return RecordedEngine(match).luck([question])[0]


def test_luck_comes_out_as_it_stands() -> None:
    answer = luck("GNU Backgammon 1.07", "gnubg30")
    assert isinstance(answer, LuckAnswer)
    assert answer.luck == pytest.approx(0.25)
    lose, win = default().anchors(turn_of(noted({}), 0).state)
    assert answer.mwc == pytest.approx(0.25 * (win - lose) / 2)


@pytest.mark.parametrize(
    ("program", "own"),
    [("GNU Backgammon 1.08", "gnubg30"), ("eXtreme Gammon", "match-equity"), ("BGBlitz", "recorded"), ("", "recorded")],
)
def test_opening_rolls_are_compared_as_the_program_did(program: str, own: LuckConvention) -> None:
    assert isinstance(luck(program, own), LuckAnswer)
    assert luck(program, "naive36") == Refused(f"the file compares opening rolls by the convention {own}")
    assert isinstance(luck(program, "naive36", at=6), LuckAnswer | Refused)


def test_a_report_takes_the_convention_of_the_file() -> None:
    match = noted({0: plays(candidate("8/5 6/5", 0.2), program="eXtreme Gammon", luck=0.25)})
    analysis = analyse(match, RecordedEngine(match))
    assert analysis.conventions.luck == "match-equity"
    assert analysis.turns[0].luck == pytest.approx(0.25)


# --- against the owners: eXtreme Gammon -------------------------------------------------------

XG_FILES = [
    path
    for path in sorted((CORPUS / "xg").glob("*.xg"))
    if path.stem.endswith(("_2025-11-08-2305", "_match_with_comment", "_test"))
]
needs_xg = pytest.mark.needs(XG_FILES, "the corpus")


def stated_pr(path: Path) -> list[float]:
    """The PR of both players by the errors that XG's records state, and by its flags "does not count as a decision".

    A cube decision has no flag; the published rule stands for it. The records are taken as they lie in the file.
    """
    raw = open_archive(path.read_bytes())["temp.xg"]
    kinds = np.frombuffer(raw, np.uint8).reshape(-1, xg_layout.RECORD_SIZE)[:, xg_layout.KIND_AT]
    lost: tuple[list[float], list[float]] = ([], [])
    for each in np.frombuffer(raw, dtype_of(xg_layout.MOVE))[kinds == xg_layout.RecordKind.MOVE]:
        if each["played"] and each["error"] > xg_layout.NO_ANALYSIS and not each["analysis"]["irrelevant"]:
            lost[int(each["player"] != 1)].append(abs(float(each["error"])))
    for each in np.frombuffer(raw, dtype_of(xg_layout.CUBE))[kinds == xg_layout.RecordKind.CUBE]:
        found = each["analysis"]
        if found["advice"] == -100 or each["error"] <= xg_layout.NO_ANALYSIS:
            continue
        player, error = int(each["player"] != 1), abs(float(each["error"]))
        nd, dt, dp = (float(found[name]) for name in ("equity_no_double", "equity_take", "equity_drop"))
        trivial = abs(nd - min(dt, dp)) < 0.001 or nd - dt > 0.2 or nd - dp > 0.2 or (nd < -0.9 and dt < -0.9)
        if each["double"] == 1 or error >= 0.001 or not trivial:
            lost[player].append(error)
        if each["double"] == 1 and abs(dt - dp) >= 0.001:
            lost[1 - player].append(abs(float(each["take_error"])))
    return [500 * sum(losses) / len(losses) for losses in lost]


@needs_xg
@pytest.mark.parametrize("path", XG_FILES, ids=lambda path: path.stem[-20:])
def test_xgs_own_pr_comes_out(path: Path) -> None:
    match = read(path)
    analysis = analyse(match, RecordedEngine(match))
    for total, stated in zip(analysis.players, stated_pr(path), strict=True):
        assert total.ratings is not None
        assert total.ratings["xg_pr"].value == pytest.approx(stated, abs=0.005)


@needs_xg
@pytest.mark.parametrize("path", XG_FILES, ids=lambda path: path.stem[-20:])
def test_gammonviews_pr_differs_only_in_the_decisions_that_say_so(path: Path, tmp_path: Path) -> None:
    stats = pytest.importorskip("gvformat.stats")
    made = tmp_path / "x.gva"
    command = "import sys; from gvformat.xg import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", command, str(path), str(made)], capture_output=True, check=False)
    if done.returncode or not made.is_file():
        pytest.skip("this gammonview converts no .xg files")
    document = json.loads(made.read_text(encoding="utf-8"))
    theirs = stats.compute_aggregates(document)["match"]
    match = read(path)
    analysis = analyse(match, RecordedEngine(match))
    by_name = {"white": document["player_white"], "black": document["player_black"]}
    for colour, name in by_name.items():
        total = next(each for each in analysis.players if each.name == name)
        rows = [row for row in analysis.decisions if row.name == name and row.counted_by["xg"].why.startswith("XG ")]
        by_rule = sum(1 if not row.counted_by["xg"].counted else -1 for row in rows)
        assert total.ratings is not None
        assert theirs[colour]["total_decisions"] == total.ratings["xg_pr"].counted + by_rule
        assert theirs[colour]["total_error"] == pytest.approx(total.ratings["xg_pr"].loss, abs=6e-4)
        assert total.luck is not None
        assert theirs[colour]["total_luck"] == pytest.approx(total.luck.emg, abs=6e-4)


# --- against the owners: GNU Backgammon -------------------------------------------------------

SGF_FILES = [path for path in sorted((CORPUS / "sgf").glob("*.sgf")) if re.search(r"gbf|gnubg", path.name)]


def printed_rates(statistics: str) -> list[list[float | None]]:
    """The error rates, mEMG, that GNU Backgammon prints: of plays, of the cube and overall, for both players."""
    found: list[list[float | None]] = []
    for line in statistics.splitlines():
        if line.startswith("Error rate mEMG"):
            figures = re.sub(r"\([^)]*\)", "", line).split()[-2:]
            found.append([None if figure == "n/a" else -float(figure) for figure in figures])
    return found


def our_rates(match: Match) -> list[list[float | None]]:
    """The same by the engine file, by what the convention counts."""
    analysis = analyse(match, RecordedEngine(match))
    rates: list[list[float | None]] = []
    for kinds in ("plays", "cube", "all"):
        rates.append([])
        for player in (0, 1):
            losses = [
                row.loss
                for row in analysis.decisions
                if row.player == player
                and row.counted_by["gnubg"].counted
                and row.loss is not None
                and kinds in ("all", "plays" if row.kind == "checker play" else "cube")
            ]
            rates[-1].append(1000 * math.fsum(losses) / len(losses) if losses else None)
    overall = [total.ratings["gnubg_er"].value for total in analysis.players if total.ratings is not None]
    assert rates[2] == pytest.approx(overall)
    return rates


def assert_printed_alike(match: Match, sgf: bytes) -> None:
    theirs, ours = printed_rates(gnubg_sgf.load(sgf).statistics), our_rates(match)
    assert len(theirs) == 3
    for printed, figures in zip(theirs, ours, strict=True):
        for rate, figure in zip(printed, figures, strict=True):
            # Where nothing counts GNU Backgammon prints n/a, or 0.
            assert abs(round(figure or 0.0, 1) - (rate or 0.0)) < 0.01, (theirs, ours)


@needs_gnubg
@pytest.mark.needs(SGF_FILES, "the corpus")
@pytest.mark.parametrize("path", SGF_FILES, ids=lambda path: path.stem[-20:])
def test_gnubgs_own_error_rates_come_out_of_its_files(path: Path) -> None:
    try:
        match = read(path)
    except ValueError:
        pytest.skip("not of backgammon")
    assert_printed_alike(match, path.read_bytes())


@needs_gnubg
@pytest.mark.parametrize("start", ["new match 5", "new session"])
def test_gnubgs_own_error_rates_come_out_of_a_match_that_it_plays_and_analyses(start: str, tmp_path: Path) -> None:
    noise = [
        f"set player {player} {what} evaluation noise 0.15"
        for player in (0, 1)
        for what in ("chequerplay", "cubedecision")
    ]
    settings = (*noise, "set seed 5", "set automatic doubles 0", "set beavers 0", "set jacoby off")
    shallow = [f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")]
    settings += ("set automatic game on" if "match" in start else "set automatic game off",)
    games = () if "match" in start else ("new game",) * 2
    file = gnubg_sgf.play(tmp_path, "m", *settings, start=start, then=(*games, *shallow, "analyse match"))
    match = read(file)
    assert any(rate for rates in our_rates(match) for rate in rates)
    assert_printed_alike(match, file.read_bytes())
