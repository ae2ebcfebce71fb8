"""Positions as short texts: known pairs, both ways, and texts that are no IDs."""

from __future__ import annotations

import csv
import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bgtools.board.board import BAR, START, Board
from bgtools.positions.gnubg import decode_match_id, decode_position_id, encode_match_id, encode_position_id
from bgtools.positions.notations import decode_id
from bgtools.positions.position import IdError, Position, complete
from bgtools.positions.snowie import decode_snowie_dump
from bgtools.positions.xgid import decode_xgid, encode_xgid
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from support import CORPUS, ROLLS, board, spread

_CONTRACT = CORPUS / "position-contract-json"
_PREFIX = "backgammonsimplified__backgammon-engine-kit__"
needs_contract = pytest.mark.needs(_CONTRACT.is_dir(), "the corpus")
needs_reference = pytest.mark.needs((CORPUS / "reference").is_dir(), "the corpus")

START_ID = "4HPwATDgc/ABMA"
START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def states(seed: int, count: int) -> list[MatchState]:
    """Random states of matches and money sessions that an ID can hold."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        length = rng.choice((0, 1, 3, 7, 25))
        top = max(length - 1, 0)
        score = (rng.randint(0, top), rng.randint(0, top)) if length else (0, 0)
        crawford = length > 1 and top in score and rng.random() < 0.5
        value = 1 if crawford else 2 ** rng.randint(0, 6)
        owner = rng.choice(("centre", "mine", "theirs")) if value > 1 else "centre"
        rules = Ruleset(crawford=bool(length), jacoby=not length and rng.random() < 0.5)
        made.append(MatchState(length, score, Cube(value, owner), crawford, rules))  # type: ignore[arg-type]
    return made


# --- known values ---------------------------------------------------------------------------


def test_the_start_has_its_well_known_ids() -> None:
    assert encode_position_id(START) == START_ID
    assert decode_position_id(START_ID) == START
    assert encode_xgid(START, MatchState(rules=Ruleset(crawford=False))) == START_XGID
    assert decode_xgid(START_XGID).board == START


def test_an_xgid_gives_score_cube_dice_and_crawford_seen_by_the_player_on_roll() -> None:
    told = decode_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:52:3:6:0:9:10")
    assert told.state.score == (3, 6)
    assert told.state.length == 9
    assert told.state.cube == Cube(2, "mine")
    assert told.dice == (5, 2)
    assert not told.offered
    other = decode_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:3:6:0:9:10")
    assert other.state.score == (6, 3)
    assert other.state.cube == Cube(2, "theirs")


def test_an_xgid_with_the_other_player_on_roll_turns_the_board_round() -> None:
    lower = decode_xgid("XGID=a-B--BC---------------cb-A:0:0:1:00:0:0:0:7:10").board
    upper = decode_xgid("XGID=a-B--BC---------------cb-A:0:0:-1:00:0:0:0:7:10").board
    assert lower == board({BAR: 1, 2: 2, 5: 2, 6: 3}, {BAR: 1, 3: 3, 2: 2})
    assert upper == lower.flipped()


def test_the_flags_of_an_xgid_mean_crawford_in_a_match_and_jacoby_or_beaver_in_a_session() -> None:
    assert decode_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:0:1:5:10").state.crawford
    session = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:{}:0:10"
    rules = [decode_xgid(session.format(flags)).state.rules for flags in range(4)]
    assert [rule.jacoby for rule in rules] == [False, True, False, True]
    assert [rule.beavers for rule in rules] == [0, 0, 1, 1]


def test_a_double_on_the_table_is_told() -> None:
    assert decode_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10").offered
    state = MatchState(7)
    assert decode_match_id(encode_match_id(state, offered=True))[2] is True
    assert decode_match_id(encode_match_id(state))[2] is False


@needs_contract
def test_xgids_and_gnu_ids_of_one_position_agree() -> None:
    seen = 0
    with (_CONTRACT / f"{_PREFIX}cases.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            _agree(decode_xgid(row["xgid"]), decode_id(row["gnuid"]))
            seen += 1
    for name in ("position-a", "position-b"):
        sources = json.loads((_CONTRACT / f"{_PREFIX}{name}.cross-format-parity.json").read_text("utf-8"))["sources"]
        texts = {kind: source["raw_source"]["value"] for kind, source in sources.items()}
        _agree(decode_xgid(texts["xgid"]), decode_id(texts["gnuid"]))
        seen += 1
    assert seen == 14


def _agree(first: Position, second: Position) -> None:
    assert first.board == second.board
    assert first.state.length == second.state.length
    assert first.state.score == second.state.score
    assert first.state.cube == second.state.cube
    assert first.state.crawford == second.state.crawford
    assert sorted(first.dice or ()) == sorted(second.dice or ())
    assert first.offered == second.offered
    # Both write the other's text again, as far as it tells the same.
    assert encode_position_id(first.board) == encode_position_id(second.board)
    assert decode_match_id(encode_match_id(first.state, first.dice))[0].cube == first.state.cube


# Two of the published IDs were never positions: their checkers share a point.
_IMPOSSIBLE = {"3AQYkqASAAIAAA", "d5sBIQJurwcAQA"}


@needs_reference
def test_published_position_ids_read_and_write_back_to_themselves() -> None:
    seen = 0
    with (CORPUS / "reference" / "position_ids_from_tests.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["kind"] != "gnu-position-id" or row["id"] in _IMPOSSIBLE:
                continue
            assert encode_position_id(decode_position_id(row["id"])) == row["id"]
            seen += 1
    assert seen == 3_661


@needs_reference
@pytest.mark.parametrize("text", sorted(_IMPOSSIBLE))
def test_two_players_on_one_point_is_no_position(text: str) -> None:
    with pytest.raises(IdError, match=r"both players have checkers on the [35]-point"):
        decode_position_id(text)


@needs_reference
def test_published_xgids_and_pairs_of_gnu_ids_are_read() -> None:
    seen = 0
    with (CORPUS / "reference" / "position_ids_from_tests.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            # One of them leaves out who is on roll.
            if row["kind"] == "gnu-position-id" or row["id"] == f"{'-' * 26}:0:0:0:00:0:0:0:0:10":
                continue
            told = decode_id(row["id"])
            assert decode_position_id(encode_position_id(told.board)) == told.board
            seen += 1
    assert seen == 163


@needs_reference
def test_real_xgids_round_trip() -> None:
    cases = json.loads((CORPUS / "reference" / "kevung__blunderDB__ogid_corpus.json").read_text("utf-8"))["cases"]
    for case in cases:
        told = decode_xgid(case["xgid"])
        again = decode_xgid(encode_xgid(told.board, told.state, told.dice))
        assert (again.board, again.dice) == (told.board, told.dice)
        assert (again.state.score, again.state.cube) == (told.state.score, told.state.cube)
    assert len(cases) > 20


# --- both ways ------------------------------------------------------------------------------


def test_every_id_reads_back_as_the_position_it_was_written_from() -> None:
    for position in spread(21, 2_000):
        assert decode_position_id(encode_position_id(position)) == position
        xgid = encode_xgid(position, MatchState())
        assert decode_xgid(xgid).board == position
        assert decode_xgid(xgid.removeprefix("XGID=")).board == position


def test_score_cube_and_dice_survive_both_ids() -> None:
    rng = random.Random(22)
    for state in states(22, 1_000):
        dice = rng.choice([None, *ROLLS])
        told = decode_xgid(encode_xgid(START, state, dice))
        assert told.dice == dice
        assert told.state == state
        again, rolled, offered = decode_match_id(encode_match_id(state, dice))
        assert rolled == dice
        assert not offered
        assert again == state


def test_a_side_of_a_finished_game_is_read_too() -> None:
    position = board({}, {6: 2})
    assert decode_position_id(encode_position_id(position)) == position
    assert decode_xgid(encode_xgid(position, MatchState())).board == position


@pytest.mark.parametrize(
    "text",
    [START_ID, f"  {START_ID}\n", START_ID + "==", f"{START_ID}:cAkAAAAAAAAE", START_XGID, START_XGID[5:]],
)
def test_any_id_is_recognised_by_its_form(text: str) -> None:
    assert decode_id(text).board == START


# --- no IDs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "14 characters, this has 0"),
        ("4HPwATDgc/ABM", "14 characters, this has 13"),
        ("4HPwATDgc/AB!A", "characters outside"),
        ("//////////////", "all there are|both players"),
        (f"{START_ID}:cAkAAAAAAAA", "12 characters, this has 11"),
        ("XGID=-b----E-C---eE---c-e----B-", "26 letters or dashes and nine numbers"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:7:10", "dice 7 and 0"),
        ("XGID=-b----E-C---eE---c-e----B-:31:0:1:00:0:0:0:7:10", "power of two"),
        ("XGID=-b----E-C---eE---c-e----BO:0:0:1:00:0:0:0:7:10", "checkers, 15 is all there are"),
        ("XGID=A-----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "upper player's bar"),
    ],
)
def test_a_text_that_is_no_id_says_why(text: str, message: str) -> None:
    with pytest.raises(IdError, match=message):
        decode_id(text)


def test_a_match_id_with_half_a_roll_or_a_cube_of_nobody_is_refused() -> None:
    value = bytearray(9)
    value[0] = 0b0010_0000  # the cube's owner is neither player nor the middle
    import base64

    with pytest.raises(IdError, match="cube to nobody"):
        decode_match_id(base64.b64encode(bytes(value)).decode())


_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@given(st.text(max_size=60) | st.text(alphabet=_BASE64 + ":=", min_size=12, max_size=28))
def test_any_text_gives_a_position_or_an_id_error(text: str) -> None:
    _position_or_error(text)


@given(st.text(alphabet=_BASE64, min_size=14, max_size=14), st.text(alphabet=_BASE64, min_size=12, max_size=12))
def test_any_pair_of_gnu_ids_gives_a_possible_position_or_an_id_error(position: str, match: str) -> None:
    _position_or_error(f"{position}:{match}")


@given(
    st.text(alphabet="-ABCabcOo", min_size=24, max_size=28),
    st.lists(st.integers(-2, 12) | st.sampled_from(["D", "B", "R", "66", "07", ""]), min_size=7, max_size=10),
)
def test_anything_like_an_xgid_gives_a_possible_position_or_an_id_error(board: str, fields: list[object]) -> None:
    _position_or_error(f"XGID={board}:{':'.join(map(str, fields))}")


def _position_or_error(text: str) -> None:
    try:
        told = decode_id(text)
    except IdError as error:
        message = str(error)
    else:
        message = "it is one"
        for side in (told.board.mine, told.board.theirs):
            assert sum(side) == 15
            assert min(side) >= 0
    assert re.search(r"\w+ \w+", message)


def test_completing_a_side_bears_off_what_is_missing() -> None:
    mine, theirs = [0] * 26, [0] * 26
    mine[6], theirs[1] = 3, 2
    assert complete(mine, theirs) == board({6: 3}, {1: 2})
    mine[24] = 1
    with pytest.raises(IdError, match="24-point"):
        complete(mine, theirs)


# --- Snowie's dump --------------------------------------------------------------------------


def dump(position: Board) -> str:
    """The board as the mark of an illegal play gives it: 26 numbers, the other player's bar first."""
    points = [-position.theirs[BAR]]
    points += [position.mine[point] - position.theirs[BAR - point] for point in range(1, BAR)]
    points.append(position.mine[BAR])
    return ";".join(map(str, [7, 0, 1, 0, 1, "ann", "bob", 0, 2, 3, 1, 0, *points, 0, 0])) + ";"


def test_a_dump_from_either_side_gives_the_board_that_is_nearest_to_the_one_before() -> None:
    for position in spread(23, 300):
        if position.mine == position.theirs:
            continue
        assert decode_snowie_dump(dump(position), position) == position
        assert decode_snowie_dump(dump(position.flipped()), position) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1;2;3",
        dump(START).replace("5", "x"),
        dump(START).replace("-5", "-15"),
        dump(replace(START, mine=(*START.mine[:6], 9, *START.mine[7:]))),
    ],
)
def test_a_dump_that_is_no_board_gives_none(text: str) -> None:
    assert decode_snowie_dump(text, START) is None
