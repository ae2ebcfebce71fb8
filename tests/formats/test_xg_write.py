"""Writing eXtreme Gammon's files: what is written is what it saves itself, and says the same when read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from test_match_json import FULL

from bgtools.board.board import START
from bgtools.board.play import HopText, PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import QUICK_LOOK, RECORDS, get_wide, open_archive
from bgtools.formats.xg.fields import date_of, date_tags, level_numbers
from bgtools.formats.xg.layout import RECORD_SIZE, RecordKind
from bgtools.formats.xg.writer import write
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Match,
    Resign,
    SetBoard,
    Tag,
    Take,
    is_position,
)
from bgtools.rules.options import Ruleset
from selfplay import random_match
from xg_files import ANALYSED, CUBE_NOTE, game, match_of, play, ranked, read_back, tampered

XG, XGP = parse_target("xg"), parse_target("xgp")
SET = SetBoard(player=1, position=replace(START, mine=(0, 0, 0, 0, 2, 0, 3, *START.mine[7:])), cube=2, owner=1)


def records(match: Match) -> list[Any]:
    found: list[Any] = []
    tampered(match, found.extend)
    return found


def survives(match: Match) -> None:
    done = convert((match,), XG)
    assert done.changed == ""
    assert done.data


# --- round trips ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_a_match_played_by_the_rules_survives(seed: int) -> None:
    survives(random_match(seed, (0, 1, 3, 7)[seed % 4], set_positions=seed % 3 == 0))


def test_nothing_is_lost_but_what_there_is_no_place_for() -> None:
    assert convert((ANALYSED,), XG).losses == ()
    hop = CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", (HopText((24, 18, 14), (True, False), 2),)))
    first = replace(hop, annotation=FULL.games[0].entries[0].annotation)
    full = replace(FULL, games=(replace(FULL.games[0], entries=(first, *FULL.games[0].entries[1:])),))
    done = convert((full,), XG)
    assert done.changed == ""
    assert {each.code for each in done.losses} == {codes.TAG_LOST, codes.ANALYSIS_LOST, codes.EXTRA_LOST}
    with pytest.raises(FormatError, match="more than 4 hops"):
        convert((FULL,), XG)


@pytest.mark.parametrize(
    "entries",
    [
        (play(0, (3, 1), "8/5 6/5"), Take(player=1), play(1, (6, 4), "24/14")),
        (play(0, (3, 1), "8/5 6/5"), play(0, (6, 4), "24/14")),
        (play(0, (3, 1), "8/5 6/5"), Double(player=1), play(1, (6, 4), "24/14")),
        (play(0, (3, 1), "?"), play(1, (6, 4), "24/14")),
        (play(0, (3, 1), ""), play(1, (6, 4), "24/14"), play(0, (2, 1), "13/11 6/5")),
        (CheckerPlay(player=0, dice=None, text=PlayText("unknown")), play(1, (6, 4), "24/14")),
        (play(0, (3, 1), "8/5 6/5"), SET, play(1, (6, 4), "24/14")),
        (play(0, (3, 1), "8/5 6/5"), SET, play(0, (6, 4), "24/14")),
        (play(0, (3, 1), "8/5 6/5"), play(1, (6, 4), "24/14"), Resign(player=0, level=2)),
    ],
)
def test_what_is_against_the_rules_survives_as_it_stands(entries: tuple[Any, ...]) -> None:
    survives(match_of(game(*entries, winner=None)))


@pytest.mark.parametrize(
    "entries",
    [
        (play(0, (3, 1), "8/5 6/5"), Beaver(player=1)),
        (play(0, (3, 1), "8/5 6/5"), AutomaticDouble(player=0)),
        (SetBoard(player=0, position=START, cube=4),),
    ],
)
def test_what_no_record_can_say_is_refused(entries: tuple[Any, ...]) -> None:
    with pytest.raises(FormatError, match="eXtreme Gammon cannot hold"):
        convert((match_of(game(*entries, winner=None), length=0),), XG)


def test_remarks_anywhere_survive() -> None:
    entries = ANALYSED.games[0].entries
    remarks = tuple(Comment(text=f"remark {at}", at=at) for at in range(len(entries) + 1))
    survives(replace(ANALYSED, comments=(Comment(text="one"), Comment(text="two\nlines")),
                     games=(replace(ANALYSED.games[0], comments=remarks),)))  # fmt: skip


# --- the header -----------------------------------------------------------------------------

TAGS = {
    "Event": "Nordic Open", "Site": "København", "Round": "Final", "Transcriber": "日本", "EventDate": "2023.11.26",
    "EventTime": "09.30", "Match ID": "-755933700", "Player 1 Elo": "1712.25/340", "Video": "none", "Empty": "",
}  # fmt: skip


def test_tags_go_into_their_fields_and_the_others_into_the_comment() -> None:
    tags = tuple(Tag(key=key, value=value) for key, value in TAGS.items())
    match = replace(ANALYSED, tags=tags, comments=(Comment(text="a fine match"),))
    assert convert((match,), XG).losses == ()
    found = read_back(match)
    # An empty one tells nothing.
    assert {tag.key: tag.value for tag in found.tags} == {key: value for key, value in TAGS.items() if value}
    assert [comment.text for comment in found.comments] == ["a fine match"]
    header = records(match)[0]
    assert (get_wide(header["location"].tolist()), int(header["game_id"])) == ("København", -755933700)
    assert float(header["date"]) == pytest.approx(45256.395833333336, abs=1e-9)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("EventDate", "26.11.2023"),
        ("EventTime", "9h30"),
        ("Match ID", "A7"),
        ("Player 2 Elo", "1500"),
        ("Event", "x" * 200),
    ],
)
def test_a_tag_written_otherwise_than_its_field_holds_it_survives_too(key: str, value: str) -> None:
    tags = (Tag(key="EventDate", value="2020.01.01"), Tag(key=key, value=value))[-2 if key == "EventTime" else -1 :]
    match = replace(ANALYSED, tags=tags)
    assert convert((match,), XG).changed == ""
    assert read_back(match).tag(key) == value


@pytest.mark.parametrize(
    "rules",
    [
        Ruleset(crawford=False, jacoby=True, beavers=2, cube_limit=64),
        Ruleset(crawford=False, jacoby=None, beavers=None),
        Ruleset(crawford=False, jacoby=False, beavers=1, holland=True, quadruple=True, winner_starts=True),
        Ruleset(crawford=False, jacoby=False, beavers=5, cube_limit=100),
        Ruleset(crawford=False, jacoby=False, automatic_doubles=3, variant="nackgammon"),
        Ruleset(crawford=False, jacoby=False, variant="hypergammon"),
    ],
)
def test_options_survive_whether_there_is_a_field_for_them_or_not(rules: Ruleset) -> None:
    match = match_of(game(winner=None), length=0, rules=rules)
    assert convert((match,), XG).changed == ""
    found = read_back(match).rules
    assert (found.variant, found.holland, found.winner_starts) == (rules.variant, rules.holland, rules.winner_starts)
    assert rules.beavers in (None, found.beavers)


def test_extras_of_its_own_come_back() -> None:
    match = replace(ANALYSED, extras=(Tag(key="xg:mode", value="4"), Tag(key="xg:site", value="18")))
    assert [(tag.key, tag.value) for tag in read_back(match).extras] == [("xg:mode", "4"), ("xg:site", "18")]


def test_a_die_that_shows_nothing_comes_back() -> None:
    match = match_of(game(play(0, (3, 1), "8/5 6/5"), play(1, (0, 4), "6/2"), winner=None))
    assert read_back(match).games[0].entries[1].dice == (0, 4)  # type: ignore[union-attr]


def test_numbers_that_do_not_fit_are_refused() -> None:
    rolled = match_of(game(play(0, (10**40, 1), "8/5 6/5"), winner=None))
    scored = replace(rolled, games=(replace(game(), score=(10**40, 0)),))
    for match, problem in ((rolled, "a number as large"), (scored, "a score of more than nine digits")):
        with pytest.raises(FormatError, match=problem):
            convert((match,), XG)


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FormatError, match="128 characters"):
        write((replace(ANALYSED, players=("x" * 129, "y")),))


@pytest.mark.parametrize("day", ["1999.12.31", "2023.11.26", "2100.02.28"])
@pytest.mark.parametrize("time", ["", "00.01", "23.59", "12.34.56"])
def test_dates_come_back(day: str, time: str) -> None:
    days = date_of(day, time)
    assert days is not None
    assert dict(date_tags(days)) == {"EventDate": day} | ({"EventTime": time} if time else {})


# --- as XG does -----------------------------------------------------------------------------


def test_a_cube_record_stands_before_every_roll_and_says_whether_there_was_a_decision() -> None:
    crawford = replace(game(play(0, (3, 1), "8/5 6/5"), play(1, (6, 4), "24/14"), winner=None), score=(6, 2))
    asked = [int(each["double"]) for each in records(match_of(crawford)) if each["kind"] == RecordKind.CUBE]
    assert asked == [-2, -2]
    kinds = [int(each["kind"]) for each in records(ANALYSED)]
    assert kinds == [0, 1, 2, 3, 2, 3, 2, 3, 2, 4, 5]
    asked = [int(each["double"]) for each in records(ANALYSED) if each["kind"] == RecordKind.CUBE]
    assert asked == [-2, 0, 1, 1]


def test_boards_are_seen_by_the_first_player_and_the_board_after_a_play_by_the_mover() -> None:
    made = records(ANALYSED)
    second = made[5]
    assert int(second["player"]) == -1
    assert second["board"][5] == 2
    assert (second["board_after"][[18, 7]] == [2, 2]).all()
    assert second["moves"].tolist() == [23, 17, 23, 17, 12, 6, 12, 6]
    assert (made[6]["board"] == -second["board_after"][::-1]).all()


def test_the_cube_is_a_power_of_two_whose_sign_says_who_owns_it() -> None:
    cubes = [int(each["cube"]) for each in records(ANALYSED) if each["kind"] in (RecordKind.CUBE, RecordKind.MOVE)]
    assert cubes == [0, 0, 0, 0, 0, -1, -1]


def test_errors_have_the_signs_that_xg_gives_them() -> None:
    double = records(ANALYSED)[6]
    assert (float(double["error"]), float(double["take_error"])) == (0.25, -0.125)
    assert float(records(ANALYSED)[5]["error"]) == -0.0625
    assert float(records(ANALYSED)[8]["error"]) == layout.NO_ANALYSIS


def test_the_quick_look_holds_the_first_and_the_last_record() -> None:
    files = open_archive(write((ANALYSED,)))
    assert files[QUICK_LOOK] == files[RECORDS][:RECORD_SIZE] + files[RECORDS][-RECORD_SIZE:]


def test_a_match_without_analysis_asks_for_one() -> None:
    plain = match_of(game(play(0, (3, 1), "8/5 6/5"), winner=None))
    cube, move = records(plain)[2:4]
    assert (int(cube["analysis"]["advice"]), int(cube["level"])) == (-100, -1)
    assert (int(move["level"]), float(move["luck"])) == (-1, layout.NO_ANALYSIS)
    # The play is the only candidate, of no level and without figures.
    analysis = move["analysis"]
    assert (int(move["count"]), int(analysis["count"]), int(analysis["levels"]["level"][0])) == (1, 1, -1)
    assert (analysis["moves"][0] == move["moves"]).all()
    assert (analysis["boards"][0] == move["board_after"]).all()
    assert not analysis["results"].any()
    assert (move["rollouts"] == -1).all()
    assert (move["analysis"]["board"] == move["board"]).all()
    assert read_back(plain).games[0].entries[0].annotation is None


@pytest.mark.parametrize(
    "entry",
    [play(0, (3, 1), "?"), play(0, (3, 1), ""), play(0, (3, 1), "8/5 6/5", annotation=ranked("8/5 6/5"))],
)
def test_what_has_no_play_or_an_analysis_gets_no_candidate_more(entry: CheckerPlay) -> None:
    match = match_of(game(entry, play(1, (6, 2), "24/16"), winner=None))
    move = records(match)[3]
    assert int(move["analysis"]["count"]) == (entry.annotation is not None)
    assert read_back(match).games[0].entries[0].annotation == entry.annotation


# --- analyses of others ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "program", "number"),
    [("2-ply", "GNU Backgammon 1.08", 2), ("2-ply", "eXtreme Gammon", 1), ("0-ply", "gnubg", 0), ("rollout", "", 100),
     ("XG Roller+", "", 1001), ("level 7", "", 7)],
)  # fmt: skip
def test_levels_are_counted_as_xg_counts_them(name: str, program: str, number: int) -> None:
    assert level_numbers(Level(name=name), program) == (number, number, False)


def test_chances_of_winning_the_match_are_no_points() -> None:
    mwc = Evaluation(probabilities=(0.5, 0, 0, 0, 0), equity=0.5, unit="mwc")
    note = Annotation(cube=CubeAnalysis(no_double=mwc, double_take=mwc))
    match = match_of(game(play(0, (3, 1), "8/5 6/5"), play(1, (6, 4), "24/14", annotation=note), winner=None))
    done = convert((match,), XG)
    assert [each.code for each in done.losses] == [codes.ANALYSIS_LOST, codes.ANALYSIS_RESTATED]
    assert done.losses[0].message.endswith("an analysis without a level")
    assert done.changed == ""


def test_no_more_than_thirty_two_plays_of_a_roll_have_room() -> None:
    one = Candidate(
        hops=(HopText((8, 5), (False,)), HopText((6, 5), (False,))), evaluation=Evaluation(equity=0.0),
        level=Level(name="3-ply"),
    )  # fmt: skip
    note = Annotation(plays=PlayAnalysis(candidates=(one,) * 40, chosen=0))
    match = match_of(game(play(0, (3, 1), "8/5 6/5", annotation=note), winner=None))
    done = convert((match,), XG)
    assert [each.code for each in done.losses] == [codes.ANALYSIS_LOST]
    assert done.changed == ""


def test_hops_of_one_checker_are_taken_apart() -> None:
    note = ranked("24/14")
    match = match_of(game(play(0, (6, 4), "24/14", annotation=note), winner=None))
    move = records(match)[3]
    assert move["analysis"]["moves"][0].tolist()[:4] in ([23, 17, 17, 13], [23, 19, 19, 13])
    survives(match)


# --- positions ------------------------------------------------------------------------------


def position(*entries: Any, **more: Any) -> Match:
    return match_of(game(*entries, winner=None, score=(3, 1)), length=5, **more)


@pytest.mark.parametrize(
    "match",
    [
        position(SET),
        position(replace(SET, annotation=CUBE_NOTE)),
        position(SET, play(1, (6, 5), "?")),
        position(SET, play(1, (6, 5), "24/13")),
        position(SetBoard(player=0, position=START)),
        position(SetBoard(player=1, position=START), play(1, (3, 1), "?")),
        position(SET, Double(player=1, annotation=CUBE_NOTE), Take(player=0)),
    ],
)
def test_a_position_comes_back(match: Match) -> None:
    done = convert((match,), XGP)
    assert done.changed == ""
    assert [type(each) for each in read_back(match, position=True).games[0].entries] == [
        type(each) for each in match.games[0].entries
    ]


@pytest.mark.parametrize("position_file", [True, False])
def test_a_roll_that_waits_for_its_play_is_no_dance(position_file: bool) -> None:
    roll = CheckerPlay(player=1, dice=(6, 5), text=PlayText("nothing"))
    found = read_back(position(SET, roll), position=position_file).games[0]
    assert is_position(found)
    # What is not played at the end of a match waits too.
    found = read_back(match_of(game(play(0, (6, 5), "24/13"), replace(roll, dice=(6, 6)), winner=None))).games[0]
    assert found.entries[1].text.kind == "unknown"  # type: ignore[union-attr]


def test_a_position_file_has_no_end_and_says_that_the_game_goes_on() -> None:
    from bgtools.formats.xg.writer import write_position

    stream = open_archive(write_position((position(SET, play(1, (6, 5), "?")),)))[RECORDS]
    assert [stream[at + 8] for at in range(0, len(stream), RECORD_SIZE)] == [0, 1, 2, 3]
    assert layout.GAME.at(stream, RECORD_SIZE)["in_progress"]


@pytest.mark.parametrize(
    "match",
    [
        ANALYSED,
        match_of(game(winner=None), game(winner=None)),
        position(SET, SET),
        position(SET, Resign(player=1)),
        match_of(game(play(0, (6, 5), "24/13"), points=7)),
    ],
)
def test_more_than_one_position_is_refused(match: Match) -> None:
    with pytest.raises(FormatError, match="a position file holds one position"):
        convert((match,), XGP)
