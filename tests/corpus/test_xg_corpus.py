"""eXtreme Gammon's own files: they say what their text twins say, and other readers see the same in what we write."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import RECORDS, open_archive
from bgtools.formats.xg.layout import RECORD_SIZE, RecordKind
from bgtools.formats.xg.reader import read
from bgtools.record.record import CheckerPlay, Double, Match, Resign
from bgtools.replayer.match import replay
from strangers import in_gammonview, said
from support import CORPUS
from xg_files import DTYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.needs((CORPUS / "xg").is_dir(), "the corpus")

MATCHES = sorted((CORPUS / "xg").glob("kevung*.xg")) if (CORPUS / "xg").is_dir() else []
POSITIONS = sorted((CORPUS / "xgp").glob("*.xgp")) if (CORPUS / "xgp").is_dir() else []
STUBS = sorted((CORPUS / "xg").glob("Insti*")) if (CORPUS / "xg").is_dir() else []
TWINS = [
    ("kevung__gbf__test.xg", "kevung__gbf__test.mat"),
    ("kevung__gbf__test.xg", "kevung__gbf__test.txt"),
    ("kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305.xg", "kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305.mat"),
]


@cache
def match_in(path: Path) -> Match:
    (match,) = read_all(path)
    return match


@cache
def rewritten(path: Path) -> bytes:
    done = convert((match_in(path),), parse_target("xg" if path.suffix == ".xg" else "xgp"))
    assert done.changed == ""
    assert done.losses == ()
    return done.data


def stream_of(data: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(open_archive(data)[RECORDS], np.uint8).reshape(-1, RECORD_SIZE)


def told(match: Match) -> Iterator[Any]:
    for game in replay(match):
        yield game.score, game.crawford
        for turn in game.turns:
            entry = turn.entry
            if isinstance(entry, CheckerPlay):
                yield entry.player, entry.dice, turn.play.result if turn.play is not None else entry.text.kind
            elif not isinstance(entry, Resign):
                # Match text says nothing of it but the result.
                yield entry.player, type(entry)
        yield game.winner, game.points, game.cube


@pytest.mark.parametrize(("xg", "text"), TWINS)
def test_a_match_is_the_same_as_in_its_text(xg: str, text: str) -> None:
    twin = read_all(CORPUS / "mat" / text)[0]
    found = match_in(CORPUS / "xg" / xg)
    assert found.players == twin.players
    assert list(told(found)) == list(told(twin))
    for key in ("Event", "Site", "Round", "Transcriber", "EventDate", "Player 1 Elo", "Player 2 Elo"):
        assert twin.tag(key) in (None, found.tag(key))


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_of_xg_has_nothing_against_the_rules(path: Path) -> None:
    assert not check(match_in(path))
    assert match_in(path).findings == ()


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_a_file_made_up_by_a_machine_is_refused(path: Path) -> None:
    with pytest.raises(FormatError, match="eXtreme Gammon"):
        read_all(path)


def test_comments_belong_to_the_plays_they_were_made_on() -> None:
    found = match_in(CORPUS / "xg" / "kevung__gbf__match_with_comment.xg").games[0]
    assert [(comment.at, comment.text) for comment in found.comments] == [
        (3, "coup assez difficile"),
        (5, "les double 66 sont toujpurs difficiles à trouver"),
    ]


# --- figures --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_the_figures_of_every_decision_agree_with_each_other(path: Path) -> None:
    seen = 0
    for game in match_in(path).games:
        for entry in game.entries:
            note = entry.annotation
            if note is not None and note.plays is not None and note.plays.error is not None:
                candidates, chosen = note.plays.candidates, note.plays.chosen
                assert chosen is not None
                best, played = candidates[0].evaluation.equity, candidates[chosen].evaluation.equity
                assert best is not None
                assert played is not None
                assert note.plays.error == pytest.approx(min(played - best, 0), abs=1e-4)
                seen += 1
            if note is not None and note.cube is not None and note.cube.error is not None:
                cube = note.cube
                stay, take = cube.no_double.equity, cube.double_take.equity
                assert stay is not None
                assert take is not None
                assert cube.double_drop == 1
                gain = min(take, 1.0) - stay
                lost = max(-gain, 0) if isinstance(entry, Double) else max(gain, 0)
                assert cube.error == pytest.approx(-lost, abs=0.02)
                seen += 1
    assert seen > 250


@pytest.mark.parametrize("path", [*MATCHES, *POSITIONS], ids=lambda path: path.stem)
def test_rewriting_leaves_every_field_that_the_record_tells(path: Path) -> None:
    ours, theirs = stream_of(rewritten(path)), stream_of(path.read_bytes())
    assert ours.shape == theirs.shape
    assert (ours[:, layout.KIND_AT] == theirs[:, layout.KIND_AT]).all()
    kept = {
        RecordKind.MATCH: ("length", "variation", "jacoby", "elo1", "elo2", "game_id", "site", "mode", "cube_limit"),
        RecordKind.GAME: ("score", "crawford", "number"),
        RecordKind.CUBE: ("player", "double", "take", "beaver", "raccoon", "cube", "board", "flagged"),
        RecordKind.MOVE: (
            "player",
            "board",
            "board_after",
            "dice",
            "cube",
            "count",
            "played",
            "error",
            "luck",
            "level",
        ),
        RecordKind.GAME_END: ("score", "crawford", "winner", "points", "ending"),
        RecordKind.MATCH_END: ("score", "winner"),
    }
    for kind, names in kept.items():
        one, two = (np.frombuffer(data.tobytes(), DTYPES[kind])[data[:, 8] == kind] for data in (ours, theirs))
        for name in names:
            assert one[name].tobytes() == two[name].tobytes(), (kind, name)
    # Pointers apart, next to nothing else is different: what was left over in memory, and what is said twice.
    assert ((ours != theirs)[:, 8:]).mean() < (0.007 if path.suffix == ".xg" else 0.09)


# --- other readers --------------------------------------------------------------------------


def test_bgsage_reads_what_we_write(tmp_path: Path) -> None:
    xg_file = pytest.importorskip("bgsage.xg_file", reason="bgsage is not installed")
    xg_compare = pytest.importorskip("bgsage.xg_compare", reason="bgsage is not installed")
    for path in MATCHES:
        ours, theirs = tmp_path / "ours.xg", tmp_path / "theirs.xg"
        ours.write_bytes(rewritten(path))
        theirs.write_bytes(path.read_bytes())
        archives = [xg_file.XgArchive.load(each) for each in (ours, theirs)]
        assert [each.name for each in archives[0].entries] == [each.name for each in archives[1].entries]
        one, two = (xg_compare._parse_records(archive.get("temp.xg")) for archive in archives)
        assert len(one) == len(two)
        for mine, its in zip(one[1:], two[1:], strict=True):
            for key in (
                "actif",
                "doubled",
                "take",
                "cube_b",
                "die1",
                "position_i",
                "position_end",
                "winner",
                "err_move",
            ):
                assert mine.get(key) == its.get(key)
            for key in ("best_move", "double_action"):
                assert (mine.get(key) is None) == (its.get(key) is None)
            if mine.get("best_move"):
                assert mine["best_move"]["positions"] == its["best_move"]["positions"]
                assert np.allclose(mine["best_move"]["evals"], its["best_move"]["evals"], atol=1e-6)
            if mine.get("double_action"):
                assert np.allclose(mine["double_action"]["probs"], its["double_action"]["probs"], atol=1e-6)
                if mine["err_cube"] is not None:
                    assert mine["double_action"]["should_double"] == its["double_action"]["should_double"]


def converted_by_gammonview(data: bytes, folder: Path) -> Any:
    converter = pytest.importorskip("gvformat.xg", reason="gammonview is not installed")
    path = folder / "match.xg"
    path.write_bytes(data)
    return json.loads(json.dumps(converter.convert_xg(path), default=str))


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_gammonview_sees_the_same_match_in_what_we_write(path: Path, tmp_path: Path) -> None:
    assert converted_by_gammonview(rewritten(path), tmp_path) == converted_by_gammonview(path.read_bytes(), tmp_path)


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_we_read_the_plays_and_the_equities_that_gammonview_reads(path: Path, tmp_path: Path) -> None:
    whole = converted_by_gammonview(path.read_bytes(), tmp_path)
    compared = 0
    for game, theirs in zip(match_in(path).games, whole["games"], strict=True):
        entries = [entry for entry in game.entries if isinstance(entry, CheckerPlay) and entry.text.kind != "unknown"]
        plies = [ply for ply in theirs["plies"] if ply.get("d1") and "played_equity" in ply.get("analysis", {})]
        for entry, ply in zip(entries, plies, strict=False):
            assert entry.dice == (ply["d1"], ply["d2"])
            assert entry.annotation is not None
            assert entry.annotation.plays is not None
            ours = [round(each.evaluation.equity or 0, 4) for each in entry.annotation.plays.candidates]
            others = [each["equity"] for each in ply["analysis"]["alternatives"]]
            assert ours[: len(others)] == pytest.approx(others, abs=1e-4)
            wins = [
                each.evaluation.probabilities[0]
                for each in entry.annotation.plays.candidates
                if each.evaluation.probabilities
            ]
            assert wins[: len(others)] == pytest.approx(
                [each["eval"]["win"] for each in ply["analysis"]["alternatives"]]
            )
            compared += len(others)
    assert compared > 500


@pytest.mark.parametrize("name", ["kevung__gbf__test.mat", "kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305.mat"])
def test_gammonview_follows_a_match_that_was_never_analysed(name: str) -> None:
    match = read_all(CORPUS / "mat" / name)[0]
    done = convert((match,), parse_target("xg"))
    assert done.changed == ""
    ours = list(said(match, match.length))
    assert list(said(in_gammonview("xg", done.data), match.length)) == ours
    # Names, scores, plays, cube actions and results.
    assert min(Counter(what for what, _ in ours).values()) > 0
    assert sum(what == "plays" for what, _ in ours) > 100


# --- positions ------------------------------------------------------------------------------


def test_positions_and_what_is_said_of_them() -> None:
    found = {path.stem.split("__")[-1]: match_in(path).games[0].entries for path in POSITIONS}
    assert {name: [type(entry).__name__ for entry in entries] for name, entries in found.items()} == {
        "BothAnalysis": ["SetBoard"],
        "Opening 32 65 64 31 65": ["SetBoard", "CheckerPlay"],
        "TooGoodAndTake": ["SetBoard"],
        "match35253054_2_37": ["SetBoard"],
    }
    note = found["TooGoodAndTake"][0].annotation
    assert note is not None
    assert note.cube is not None
    assert note.cube.no_double.equity == pytest.approx(1.171, abs=1e-3)
    assert note.cube.double_take.equity == pytest.approx(0.600, abs=1e-3)
    assert note.cube.level.name == "rollout"


def test_a_position_is_told_from_a_match_by_its_name_only() -> None:
    data = POSITIONS[0].read_bytes()
    assert read(Content(data, "<stdin>"))[0].games == match_in(POSITIONS[0]).games
