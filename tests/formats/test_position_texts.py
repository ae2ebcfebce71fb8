"""The position texts of eXtreme Gammon and BGBlitz in their languages: positions, analyses, and faults."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.printed import bgblitz as bgblitz_text, xg as xg_text
from bgtools.formats.reading import read_all, recognise
from bgtools.formats.shared.grammar import make_parser
from bgtools.positions.notations import encode_id
from bgtools.positions.position import Position
from bgtools.positions.xgid import decode_xgid
from bgtools.record.record import CheckerPlay, Double, Match, SetBoard
from bgtools.replayer.match import replay
from bgtools.rules.cube import MatchState
from printed_texts import BGBLITZ_CUBE, BGBLITZ_PLAYS, CUBE, POSITION, ROLLED, XG_CUBE, XG_PLAYS, xg
from support import CORPUS

if TYPE_CHECKING:
    from bgtools.findings.finding import Code
    from bgtools.record.annotation import CubeAnalysis

SAMPLES = {
    "xg plays": XG_PLAYS, "xg cube": XG_CUBE, "bgblitz plays": BGBLITZ_PLAYS, "bgblitz cube": BGBLITZ_CUBE,
}  # fmt: skip
FORMAT = {"xg plays": "xg-text", "xg cube": "xg-text", "bgblitz plays": "bgblitz", "bgblitz cube": "bgblitz"}
by_sample = pytest.mark.parametrize("name", SAMPLES)


def of(text: str) -> Match:
    content = Content(text.encode(), "x.txt")
    return recognise(content).read(content)[0]


@pytest.mark.parametrize(
    ("name", "starts"), [("xg_text", xg_text.STARTS), ("bgblitz_text", bgblitz_text.STARTS)]
)  # fmt: skip
def test_the_grammars_have_no_conflict(name: str, starts: tuple[str, ...]) -> None:
    pytest.importorskip("interegular", reason="a strict build needs interegular")
    assert make_parser(name, starts, strict=True)


@by_sample
def test_a_position_is_set_and_nothing_is_wrong_with_it(name: str) -> None:
    text = SAMPLES[name]
    content = Content(text.encode(), "x.txt")
    assert recognise(content).name == FORMAT[name]
    match = of(text)
    assert match.findings == ()
    assert not check(match)
    assert (match.length, match.games[0].score) == (7, (2, 4))
    assert match.players == (("Ann", "Bob") if name.startswith("xg") else ("Red", "Green"))
    first = match.games[0].entries[0]
    assert isinstance(first, SetBoard)
    assert (first.player, first.position) == (0, POSITION)
    if name.endswith("plays"):
        assert (first.cube, first.owner) == (2, 1)


@by_sample
def test_every_character_belongs_to_something(name: str) -> None:
    text = SAMPLES[name]
    match = of(text)
    spans = [*match.marks, *(entry.span for entry in match.games[0].entries)]
    covered = {at for span in spans for at in range(*span)}
    assert "".join(char for at, char in enumerate(text) if at not in covered).strip() == ""


def test_candidates_of_extreme_gammon() -> None:
    _, played = of(XG_PLAYS).games[0].entries
    assert isinstance(played, CheckerPlay)
    assert (played.dice, played.text.kind) == ((6, 1), "unknown")
    assert played.annotation is not None
    assert played.annotation.program == "eXtreme Gammon 2.10"
    assert played.annotation.plays is not None
    first, second = played.annotation.plays.candidates
    assert [hop.points for hop in first.hops] == [(13, 7), (8, 7)]
    assert first.evaluation.probabilities == (0.7946, 0.1705, 0.0067, 0.0222, 0.0006)
    assert (first.evaluation.equity, second.evaluation.equity) == (0.589, 0.528)
    assert (first.level.name, second.level.name) == ("XG Roller+", "3-ply")
    assert played.annotation.plays.chosen is None


def test_candidates_of_bgblitz() -> None:
    _, played = of(BGBLITZ_PLAYS).games[0].entries
    assert played.annotation is not None
    assert played.annotation.plays is not None
    first, second = played.annotation.plays.candidates
    assert [hop.points for hop in second.hops] == [(24, 18), (6, 5)]
    assert (first.evaluation.equity, second.evaluation.equity) == (-0.492, -0.545)
    assert first.evaluation.probabilities == (0.254, 0.1, 0.01, 0.338, 0.004)


def cube(text: str) -> CubeAnalysis:
    (entry,) = of(text).games[0].entries
    assert entry.annotation is not None
    assert entry.annotation.cube is not None
    return entry.annotation.cube


def test_cube_decisions() -> None:
    ours = cube(XG_CUBE)
    assert ours.no_double.probabilities == (0.544, 0.1822, 0.0053, 0.1271, 0.0051)
    assert (ours.no_double.equity, ours.no_double.cubeless) == (0.337, 0.103)
    assert ours.double_take.cubeless == 0.259
    assert (ours.double_take.equity, ours.double_drop, ours.level.name) == (0.215, 1.0, "XG Roller++")
    theirs = cube(BGBLITZ_CUBE)
    assert theirs.no_double.probabilities == (0.659, 0.153, 0.003, 0.093, 0.002)
    assert (theirs.no_double.equity, theirs.no_double.cubeless) == (0.685, 0.377)
    assert (theirs.double_take.equity, theirs.double_drop) == (0.76, 1.0)


def test_a_double_on_the_table_is_an_entry() -> None:
    text = XG_CUBE.replace(":1:00:", ":1:D:")
    first, second = of(text).games[0].entries
    assert isinstance(first, SetBoard)
    assert isinstance(second, Double)
    assert second.value == 2
    assert second.annotation is not None


def test_the_other_player_may_be_on_roll() -> None:
    # The XGID turns the board; the picture does not.
    text = xg(Position(POSITION, MatchState(7, (4, 2)), (6, 1), upper=True, names=("Bob", "Ann")))
    match = of(text)
    assert match.findings == ()
    first, second = match.games[0].entries
    assert isinstance(first, SetBoard)
    assert (first.player, second.player, first.position) == (1, 1, POSITION.flipped())
    assert match.games[0].score == (2, 4)


def test_at_match_point_without_the_crawford_flag_there_is_no_crawford_game() -> None:
    for crawford in (False, True):
        state = MatchState(7, (2, 6), crawford=crawford)
        match = of(xg(Position(POSITION, state, (6, 1))))
        assert match.rules.crawford is crawford
        assert replay(match)[0].turns[-1].state.crawford is crawford


def test_a_text_may_hold_several_positions_and_a_list_of_xgids_is_one() -> None:
    matches = xg_text.read(Content((XG_PLAYS + "\n\n" + XG_CUBE).encode(), "x.txt"))
    assert [len(match.games[0].entries) for match in matches] == [2, 1]
    assert all(match.findings == () for match in matches)
    xgids = f"{encode_id(ROLLED, 'xgid')}\n{encode_id(CUBE, 'xgid')}\n"
    content = Content(xgids.encode(), "list.txt")
    assert recognise(content).name == "xg-text"
    assert len(xg_text.read(content)) == 2


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (XG_PLAYS.replace("XGID=-b", "XGID=-c"), codes.BAD_SET_POSITION, "the XGID is wrong: a side has 16"),
        (XG_PLAYS.replace(" | X           O  ", " | X        O     ", 1), codes.BAD_SET_POSITION, "drawn otherwise"),
        (XG_PLAYS.replace("|BAR|", "|   |"), codes.BAD_SET_POSITION, "the board cannot be read"),
        (XG_PLAYS.replace("eq:+0.589", "eq:+0.5x9"), codes.UNREADABLE_LINE, "writes no such line"),
        (XG_CUBE.replace("18.22%", "18,22,1%"), codes.UNREADABLE_LINE, "writes no such line"),
        (BGBLITZ_PLAYS.replace("0.338  0.004", "0.338"), codes.UNREADABLE_LINE, "writes no such line"),
        (XG_PLAYS.replace("24/18 6/5", "24/18 6/x"), codes.UNREADABLE_LINE, "writes no such line"),
        (BGBLITZ_PLAYS.replace("24/18, 6/5", "24/18, 6/x"), codes.UNREADABLE_LINE, "writes no such line"),
        (BGBLITZ_PLAYS.replace("Red to move", "Red 7 moves"), codes.UNREADABLE_LINE, "writes no such line"),
    ],
)
def test_faults_are_told(text: str, code: Code, message: str) -> None:
    (finding,) = of(text).findings
    assert finding.code is code
    assert message in finding.message


def test_a_wrong_xgid_leaves_the_drawn_board() -> None:
    match = of(XG_PLAYS.replace("XGID=-b", "XGID=-c"))
    first = match.games[0].entries[0]
    assert isinstance(first, SetBoard)
    assert (first.position, match.length, match.games[0].score) == (POSITION, 7, (2, 4))


def test_texts_without_an_xgid_are_refused() -> None:
    for module in (xg_text, bgblitz_text):
        with pytest.raises(FormatError, match="no line begins with XGID="):
            module.read(Content(b"hello\n", "x.txt"))


@by_sample
def test_cut_or_stained_they_never_fail(name: str) -> None:
    rng = random.Random(name)
    module = xg_text if name.startswith("xg") else bgblitz_text
    for _ in range(100):
        text = SAMPLES[name]
        text = text[: rng.randrange(len(text))] if rng.random() < 0.5 else text
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice("\0 |XO:%-9é\n") + text[at + rng.randint(0, 3) :]
        try:
            matches = module.read(Content(text.encode(), "x.txt"))
        except FormatError:
            continue
        for match in matches:
            check(match)


@by_sample
def test_they_convert_to_json_without_a_loss(name: str) -> None:
    done = convert((of(SAMPLES[name]),), parse_target("json"))
    assert (done.losses, done.changed) == ((), "")


# --- what the programs have written ---------------------------------------------------------

_FOLDERS = {"xg-text": CORPUS / "xg-position-txt", "bgblitz": CORPUS / "bgblitz-position-txt"}
_FILES = [(kind, path) for kind, folder in _FOLDERS.items() if folder.is_dir() for path in sorted(folder.iterdir())]
needs_texts = pytest.mark.needs(not (len(_FILES) < 2), "the corpus")


@needs_texts
def test_every_text_is_read_and_its_board_is_the_one_of_its_xgid() -> None:
    seen = 0
    for kind, path in _FILES:
        assert recognise(Content(path.read_bytes(), path.name)).name == kind
        match = read_all(path)[0]
        assert match.findings == (), path.name
        assert match.source is not None
        told = decode_xgid(re.findall(r"XGID=\S+", match.source.text)[0])
        first = match.games[0].entries[0]
        assert isinstance(first, SetBoard)
        assert (first.position if first.player == 0 else first.position.flipped()) == told.board
        assert not check(match), path.name
        seen += 1
    assert seen == 44


@needs_texts
def test_the_second_position_of_one_text_was_made_up_by_hand() -> None:
    first, second = read_all(_FOLDERS["xg-text"] / "Deinonychus999__AnkiGammon__example_xg_export.txt")
    assert first.games
    assert [each.message for each in second.findings] == [
        "the XGID is wrong: a side has 18 checkers, 15 is all there are",
        "the board cannot be read: a side has 16 checkers, 15 is all there are",
    ]


@needs_texts
def test_every_candidate_has_the_equity_of_the_text() -> None:
    seen = 0
    for kind, path in _FILES:
        match = read_all(path)[0]
        assert match.source is not None
        note = match.games[0].entries[-1].annotation
        if note is None or note.plays is None:
            continue
        first = match.source.text.split("\nXGID=")[0]
        pattern = r"eq:([-+]\d\.\d+)" if kind == "xg-text" else r"mwp / +(-?\d\.\d+)"
        assert [each.evaluation.equity for each in note.plays.candidates] == list(
            map(float, re.findall(pattern, first))
        )
        assert len(note.plays.candidates) == 5
        equities = [each.evaluation.equity or 0 for each in note.plays.candidates]
        seen += sorted(equities, reverse=True)[0] == equities[0]
    assert seen == 5


@needs_texts
def test_one_position_has_one_analysis_in_every_language() -> None:
    told: dict[tuple[str, str], set[tuple[object, ...]]] = defaultdict(set)
    texts = 0
    for kind, path in _FILES:
        note = read_all(path)[0].games[0].entries[-1].annotation
        if note is None or note.cube is None:
            continue
        number = re.search(r"__(\d\d_[A-Z]+)_[A-Z]{2}\.txt", path.name)
        assert number
        each = note.cube
        told[kind, number[1]].add(
            (each.no_double.probabilities, each.no_double.equity, each.double_take.equity, each.double_drop)
        )
        texts += 1
        assert each.no_double.equity is not None
        assert each.double_take.equity is not None
        # The names of the files tell the right action: no double, take or pass.
        if number[1][-1] == "P":
            assert each.double_take.equity > (each.double_drop or 0)
        else:
            assert each.double_take.equity < (each.double_drop or 0)
            assert (each.no_double.equity > each.double_take.equity) is ("N" in number[1])
    assert texts == 39
    assert all(len(analyses) == 1 for analyses in told.values()), told
