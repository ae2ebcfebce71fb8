"""Writing SGF: whatever a record holds is read back the same, and what GNU Backgammon knows is in its own words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_match_json import FULL

from bgtools.board.board import START, Board, Dice, checkers
from bgtools.board.notation import parse_hop
from bgtools.board.play import PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all
from bgtools.formats.sgf.reader import read
from bgtools.formats.sgf.writer import write
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)
from bgtools.rules.options import Ruleset
from slips.core import sources
from support import mat, read_text, row

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

SGF = parse_target("sgf")


def play(player: Player, dice: Dice | None, text: str, note: Annotation | None = None) -> CheckerPlay:
    hops = tuple(hop for part in text.split() if (hop := parse_hop(part)) is not None)
    return CheckerPlay(player=player, dice=dice, text=PlayText("moves", hops), annotation=note)


def roll(player: Player, dice: Dice | None, said: PlayText) -> CheckerPlay:
    return CheckerPlay(player=player, dice=dice, text=said)


OPENING = play(0, (3, 1), "8/5 6/5")
REPLY = play(1, (5, 2), "13/8 24/22")


def match_of(*entries: Entry, length: int = 5, rules: Ruleset | None = None, **more: object) -> Match:
    told: dict[str, object] = {"number": 1, "score": (0, 0), "entries": entries, **more}
    rules = rules or Ruleset(crawford=bool(length), jacoby=False, beavers=None if not length else 0)
    return Match(players=("Ann", "Bob"), length=length, games=(Game(**told),), rules=rules)  # type: ignore[arg-type]


def written(match: Match) -> str:
    """The text of a match, after making sure that it says the same."""
    done = convert((match,), SGF)
    assert done.changed == ""
    assert done.losses == ()
    return done.data.decode()


def nodes(match: Match) -> list[str]:
    return written(match).rstrip(")\n").split("\n;")[1:]


def back(match: Match) -> Match:
    (found,) = read(Content(write((match,)), "x.sgf"))
    return found


def kinds(match: Match) -> list[tuple[str, str]]:
    return [(type(each).__name__, each.text.kind if isinstance(each, CheckerPlay) else "") for each in
            back(match).games[0].entries]  # fmt: skip


@pytest.mark.parametrize(
    "entries",
    [
        (OPENING, roll(1, (5, 2), PlayText("unknown")), play(0, (2, 1), "13/11 6/5")),
        (OPENING, roll(1, (5, 2), PlayText("nothing")), play(0, (2, 1), "13/11 6/5")),
        (OPENING, roll(1, (5, 2), PlayText("dance")), play(0, (2, 1), "13/11 6/5")),
        (OPENING, roll(1, (5, 2), PlayText("unreadable", dump="13\\8] x:y")), play(0, (2, 1), "13/11 6/5")),
        (OPENING, roll(1, None, PlayText("unknown")), play(0, (2, 1), "13/11 6/5")),
        (OPENING, play(1, None, "bar/20* 13/off(2)"), play(0, (2, 1), "13/11 6/5")),
        (OPENING, roll(1, (5, 2), PlayText("moves"))),
        (OPENING, roll(1, (5, 2), PlayText("dance"))),
        (OPENING, roll(1, (5, 2), PlayText("unknown"))),
        (OPENING, roll(1, (5, 2), PlayText("nothing"))),
        (OPENING, roll(1, (0, 0), PlayText("unknown"))),
        (OPENING, roll(1, (6, 6), PlayText("dance")), roll(1, (6, 6), PlayText("unknown")), REPLY),
    ],
    ids=lambda entries: " ".join(str(each.text) or "-" for each in entries[1:]),
)
def test_a_play_that_nobody_knows_stays_what_it_is(entries: tuple[CheckerPlay, ...]) -> None:
    match = match_of(*entries)
    written(match)
    assert [kind for _, kind in kinds(match)] == [each.text.kind for each in entries]


@pytest.mark.parametrize(
    "entries",
    [
        (OPENING, play(1, (5, 2), "8/13 6/8 24/22(3)"), play(0, (6, 6), "24/12 bar/off"), OPENING),
        (OPENING, OPENING, OPENING),
        (OPENING, REPLY, Double(player=0), Take(player=1), play(0, (6, 4), "24/14"), Double(player=0), Take(player=1)),
        (OPENING, Double(player=1, value=8), Take(player=0), REPLY),
        (OPENING, Take(player=1), Drop(player=0)),
        (OPENING, Double(player=1), Double(player=0), Take(player=1)),
        (OPENING, Double(player=1), REPLY, play(0, (2, 1), "13/11 6/5")),
        (OPENING, Double(player=1), Drop(player=0), REPLY, Resign(player=0, level=2)),
        (OPENING, Resign(player=1, level=3), REPLY, Resign(player=0)),
        (OPENING, Resign(player=1, match=True)),
        (AutomaticDouble(player=0), OPENING, AutomaticDouble(player=1, value=4)),
        (OPENING, Beaver(player=1), REPLY),
    ],
)
def test_what_is_against_the_rules_is_written_all_the_same(entries: tuple[Entry, ...]) -> None:
    for length in (0, 5):
        match = match_of(*entries, length=length)
        written(match)
        assert [kind for kind, _ in kinds(match)] == [type(each).__name__ for each in entries]


def test_a_beaver_is_a_double_and_its_acceptance_is_told_to_gnubg() -> None:
    match = match_of(
        OPENING, Double(player=1), Beaver(player=0), Beaver(player=1, raccoon=True), REPLY, length=0,
        rules=Ruleset(crawford=False, jacoby=True, beavers=2),
    )  # fmt: skip
    assert nodes(match)[1:-1] == ["B[double]", "W[double]", "B[double]", "W[take]XB[implied]"]
    assert "RU[Jacoby:beavers=2]" in written(match)


def test_automatic_doubles_turn_the_cube_of_the_first_node() -> None:
    match = match_of(
        AutomaticDouble(player=0), AutomaticDouble(player=0), OPENING, length=0,
        rules=Ruleset(crawford=False, jacoby=False, beavers=None, automatic_doubles=3),
    )  # fmt: skip
    assert "CV[4]" in written(match)
    assert len(nodes(match)) == 1


def test_a_resignation_stands_in_the_result() -> None:
    claim = ResultClaim(player=0, points=2)
    match = match_of(OPENING, REPLY, Resign(player=1), results=(claim,))
    assert "RE[W+2R]" in written(match)
    assert len(nodes(match)) == 2
    assert [each.level for each in back(match).games[0].entries if isinstance(each, Resign)] == [2]


@pytest.mark.parametrize(
    ("entries", "points", "length", "told"),
    [
        ((), 2, 5, "RE[W+2R]XB[W+2R is W+2]"),  # nobody wrote the resignation, but without it GNU Backgammon plays on
        ((Resign(player=1),), 2, 5, "RE[W+2R]"),
        ((Double(player=0), Take(player=1)), 4, 5, "RE[W+4R]XB[W+4R is W+4]"),
        ((Double(player=0), Take(player=1), Resign(player=1)), 3, 3, "RE[W+4R]XB[W+4R is W+3R]"),  # all they needed
        ((Double(player=0), Take(player=1)), 3, 5, "RE[W+3R]XB[W+3R is W+3]"),  # nothing wins three
        ((Double(player=0), Drop(player=1)), 1, 5, "RE[W+1]"),
    ],
)
def test_a_result_is_told_as_gnubg_understands_it_and_read_as_the_record_has_it(
    entries: tuple[Entry, ...], points: int, length: int, told: str
) -> None:
    claim = ResultClaim(player=0, points=points)
    match = match_of(OPENING, REPLY, *entries, length=length, results=(claim,))
    assert re.search(r"RE[^\n]*(?=\n)", written(match))[0] == told  # type: ignore[index]
    (game,) = back(match).games
    assert [each.points for each in game.results] == [points]
    assert [type(each) for each in game.entries[2:]] == [type(each) for each in entries]


def test_a_result_that_was_changed_since_is_taken_as_it_stands() -> None:
    match = match_of(OPENING, REPLY, results=(ResultClaim(player=0, points=2),))
    (game,) = read(Content(written(match).replace("RE[W+2R]", "RE[W+3R]").encode(), "x.sgf"))[0].games
    assert [each.points for each in game.results] == [3]
    assert isinstance(game.entries[-1], Resign)


@pytest.mark.parametrize("cube", [(1, None), (4, 0), (2, 1)])
@pytest.mark.parametrize("entries", [(OPENING,), (), (SetBoard(player=1, position=START, cube=2, owner=0), REPLY)])
@pytest.mark.parametrize("start", [START, Board(checkers({6: 3, 25: 2}), checkers({1: 4}))])
def test_a_set_start_is_not_a_position_set_later(
    start: Board, entries: tuple[Entry, ...], cube: tuple[int, Player | None]
) -> None:
    match = match_of(*entries, start=start, start_cube=cube[0], start_owner=cube[1])
    written(match)
    found = back(match).games[0]
    assert (found.start, found.start_cube, found.start_owner) == (start, *cube)
    assert [type(each) for each in found.entries] == [type(each) for each in entries]


def test_an_illegal_play_that_is_told_by_its_board_is_set_up_for_others() -> None:
    dump = "5;0;0;0;1;Ann;Bob;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;1;1;0;0;0;"
    match = match_of(roll(0, (3, 1), PlayText("illegal", dump=dump)), REPLY)
    first, second, *_ = nodes(match)
    assert first.startswith("PL[W]DI[31]XB[illegal:")
    assert second.startswith("AE[a:y]AW[")
    assert kinds(match) == [("CheckerPlay", "illegal"), ("CheckerPlay", "moves")]


@pytest.mark.parametrize(
    ("length", "rules"),
    [
        (0, Ruleset(crawford=False, jacoby=None, beavers=None)),
        (0, Ruleset(crawford=True, jacoby=True, beavers=0, cube_limit=64)),
        (0, Ruleset(crawford=False, jacoby=False, beavers=1, automatic_doubles=2, quadruple=True)),
        (5, Ruleset(crawford=False, variant="nackgammon")),
        (5, Ruleset(holland=True, cube_limit=1, variant="hypergammon")),
        (5, Ruleset(winner_starts=True, variant="longgammon")),
    ],
)
def test_every_option_is_stated(length: int, rules: Ruleset) -> None:
    match = match_of(length=length, rules=rules)
    written(match)
    assert back(match).rules == replace(rules, fixed=False)


def test_tags_and_comments_of_the_match() -> None:
    match = replace(
        match_of(OPENING),
        tags=(
            Tag(key="Event", value="A ] b \\"), Tag(key="Event", value="again"),
            Tag(key="EventDate", value="2025.11.08"), Tag(key="ClockType", value='so "called"'),
            Tag(key="Player 1 Elo", value="1700/500"),
        ),
        comments=(Comment(text=""), Comment(text='[not "a tag"]'), Comment(text="  two\nlines"), Comment(text="end")),
        ratings=("", "1650"),
    )  # fmt: skip
    text = written(match)
    assert "EV[A \\] b \\\\]" in text
    assert "DT[2025-11-08]" in text
    assert "WR[1700/500]BR[1650]" in text
    assert back(match).ratings == ("", "1650")


@pytest.mark.parametrize("value", ["2025-11-08", "last week", "2025"])
def test_a_date_of_any_form_comes_back(value: str) -> None:
    match = replace(match_of(OPENING), tags=(Tag(key="EventDate", value=value),))
    written(match)
    assert [(tag.key, tag.value) for tag in back(match).tags] == [("EventDate", value)]


def test_comments_keep_their_places() -> None:
    comments = [Comment(text=f"number {at} ] \\", at=at) for at in (0, 1, 1, 3, 4)]
    match = match_of(
        AutomaticDouble(player=0), OPENING, SetBoard(player=1, position=START.flipped()), Resign(player=1),
        comments=tuple(comments), results=(ResultClaim(player=0, points=2),), length=0,
        rules=Ruleset(crawford=False, jacoby=False, beavers=None, automatic_doubles=1),
    )  # fmt: skip
    written(match)
    assert [each.at for each in back(match).games[0].comments] == [0, 1, 3, 4]


# --- analysis -------------------------------------------------------------------------------

CHANCES = (0.55, 0.17, 0.01, 0.12, 0.005)
ROLLOUT = "X ver 3 Score * * Trials 36 Output * * * * * 0.1 0.55 StdDev 0 0 0 0 0 0 0 SK 0 RC 1"


def candidate(text: str, level: Level, **figures: object) -> Candidate:
    hops = tuple(hop for part in text.split() if (hop := parse_hop(part)) is not None)
    told = {"probabilities": CHANCES, "equity": 0.163, **figures}
    return Candidate(hops=hops, evaluation=Evaluation(**told), level=level)  # type: ignore[arg-type]


def analysed(
    *candidates: Candidate, chosen: int | None = 0, cube: CubeAnalysis | None = None, length: int = 5
) -> Match:
    plays = PlayAnalysis(candidates=candidates, chosen=chosen) if candidates else None
    note = Annotation(program="some program", plays=plays, cube=cube)
    return match_of(replace(OPENING, annotation=note), length=length)


def test_the_level_of_another_program_is_written_as_the_nearest_of_gnubg_and_kept_beside_it() -> None:
    match = analysed(
        candidate("24/23 24/21", Level(name="XG Roller+")), candidate("8/5 6/5", Level(name="3-ply", code="2")),
        candidate("24/20", Level(name="2-ply"), probabilities=None), chosen=1,
    )  # fmt: skip
    done = convert((match,), SGF)
    assert (done.changed, done.losses) == ("", ())
    chances = "0.550000 0.170000 0.010000 0.120000 0.005000 0.163000"
    assert (
        f"A[1][xwxu E ver 3 {chances} 5C 0 1 0.000000 1][hefe E ver 3 {chances} 2C 0 1 0.000000 1]MR[]XN[{{"
        in done.data.decode()
    )
    assert "XA[some program]" in done.data.decode()
    assert back(match).games[0].entries[0].annotation == match.games[0].entries[0].annotation


@pytest.mark.parametrize("plays", [("24/23 24/21",), ("8/5 6/5",)])
def test_an_analysis_that_would_make_gnubg_change_the_play_is_kept_from_it_and_told(plays: tuple[str, ...]) -> None:
    # The play that was made is not among them, or has no chances.
    level = Level(name="2-ply")
    match = analysed(*(candidate(play, level, probabilities=None) for play in plays), chosen=None)
    done = convert((match,), SGF)
    assert done.changed == ""
    assert [loss.code for loss in done.losses] == [codes.ANALYSIS_RESTATED]
    assert "]A[" not in done.data.decode()
    note = back(match).games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    assert [each.level for each in note.plays.candidates] == [level]


def test_chances_too_small_for_six_decimals_are_kept_as_none_at_all() -> None:
    tiny = (4.8e-7, 0.0, 0.0, 0.0, 0.0)
    match = analysed(candidate("8/5 6/5", Level(name="3-ply", code="2"), probabilities=tiny, equity=-0.999999))
    assert convert((match,), SGF).changed == ""


def test_a_rollout_keeps_its_settings() -> None:
    match = analysed(candidate("8/5 6/5", Level(name="rollout", code=ROLLOUT), cubeless=0.15), chosen=None)
    assert f"A[0][hefe {ROLLOUT.replace('* *', '0.163 0.15', 1)}" in written(match).replace(
        "0.55 0.17 0.01 0.12 0.005 0.1", "* * * * * 0.1"
    )
    note = back(match).games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    assert note.plays.candidates[0].level == Level(name="rollout", code=ROLLOUT)
    assert note.plays.chosen == 0


@pytest.mark.parametrize(
    ("length", "unit", "kept"), [(0, "emg", True), (5, "emg", True), (5, "mwc", True), (0, "mwc", False)]
)
def test_a_cube_decision_of_another_program_takes_the_unit_of_gnubg(length: int, unit: str, kept: bool) -> None:
    side = Evaluation(probabilities=CHANCES, equity=0.3, unit=unit)  # type: ignore[arg-type]
    cube = CubeAnalysis(no_double=side, double_take=side, level=Level(name="2-ply"))
    done = convert((analysed(cube=cube, length=length),), SGF)
    assert done.changed == ""
    assert bool(done.losses) != kept
    assert ("DA[E ver 3 1C" in done.data.decode()) == kept
    told = back(analysed(cube=cube, length=length)).games[0].entries[0].annotation
    assert told is not None
    assert told.cube == cube


def test_a_file_of_gnubg_is_written_as_it_was() -> None:
    text = (
        "(;FF[4]GM[6]CA[UTF-8]AP[bgtools]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]DT[2025-11-08]RU[Crawford]"
        "RE[W+2R]GS[M:1 2][D:-inf]\n"
        ";W[31hefe]A[0][hefe E ver 3 0.550000 0.170000 0.010000 0.120000 0.005000 0.163000 2 0 0 0.030000 1]MR[]"
        "LU[-0.12345]GB[1]BM[2]BC[1]C[what\\]]\n"
        ";B[double]DA[E ver 3 2C 1 0.000000 1 0.5 0.1 0.0 0.1 0.0 -0.006797 0.49 0.5 0.1 0.0 0.1 0.0 -0.006 0.47]DO[]\n"
        ";W[take]IT[]TE[1]\n;PL[B]DI[52])\n"
    )
    (match,) = read(Content(text.encode(), "x.sgf"))
    again = write((match,)).decode()
    figure = re.compile(r"\d+\.\d+")
    assert re.sub(r"AP\[.*?\]|XA\[.*?\]", "", figure.sub(lambda found: f"{float(found[0]):g}", again)) == re.sub(
        r"AP\[.*?\]", "", figure.sub(lambda found: f"{float(found[0]):g}", text)
    )


# --- whole matches --------------------------------------------------------------------------


def test_all_that_a_record_can_hold_survives_but_for_what_is_told() -> None:
    done = convert((FULL,), SGF)
    assert done.changed == ""
    assert {loss.code for loss in done.losses} == {codes.EXTRA_LOST, codes.ANALYSIS_RESTATED}


def test_matches_of_every_kind_survive() -> None:
    for source, _ in zip(sources(3), range(12), strict=False):
        written_match = convert((source.match,), SGF)
        assert written_match.changed == "", source.name


def test_several_matches_are_refused() -> None:
    with pytest.raises(FormatError, match="holds one match"):
        convert((match_of(OPENING), match_of(OPENING)), SGF)


def test_match_text_with_slips_survives() -> None:
    text = mat(
        row(1, "", "31: 8/5 6/5"), row(2, "52: 13/8 24/22 6/1", "64: ????"), row(3, " Doubles => 8", " Takes"),
        row(4, "66: Illegal play (1;2)", "11:"), "      Wins 9 points", length=7,
    )  # fmt: skip
    done = convert((read_text(text),), SGF)
    assert done.changed == ""


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "samples").glob("*.mat")), ids=lambda path: path.stem
)
def test_a_sample_goes_to_sgf_and_back_to_the_same_text(path: Path) -> None:
    matches = read_all(path)
    there = convert(matches, SGF)
    again = convert(read(Content(there.data, "x.sgf")), parse_target("mat:gnubg"))
    assert (there.changed, again.changed) == ("", "")
    if path.stem != "five-slips":
        # The header may come in another order.
        one, two = (
            data.decode().splitlines() for data in (again.data, convert(matches, parse_target("mat:gnubg")).data)
        )
        # An SGF file tells its automatic doubles, so that there are none is known then.
        assert sorted(line for line in one if "AutomaticDoubles" not in line) == sorted(two)
        assert [line for line in one if line[:1] != ";"] == [line for line in two if line[:1] != ";"]
