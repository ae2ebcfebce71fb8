"""Our own JSON: everything comes back, and what is wrong with a text is said with its place."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings, strategies as st

from bgtools.board.board import START
from bgtools.board.play import HopText, PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import Content, FormatError
from bgtools.formats.json.match import read, schema, write
from bgtools.formats.reading import read_all, read_source
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import NOWHERE, CheckerPlay, Comment, Double, Game, Match, SetBoard, Tag, Take
from bgtools.rules.options import Ruleset
from selfplay import random_match

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "match.schema.json"

EQUAL = Evaluation(probabilities=(0.5, 0.1, 0.01, 0.1, 0.01), equity=0.0, cubeless=-0.01)
TAKEN = Evaluation(equity=0.4, unit="mwc")
CANDIDATE = Candidate(hops=(HopText((8, 5), (False,)),), evaluation=EQUAL, level=Level(name="2-ply"))
FULL = Match(
    players=("Ann", "Bjørn"),
    length=None,
    ratings=("1600", ""),
    rules=Ruleset(crawford=False, jacoby=True, beavers=None, cube_limit=64, variant="nackgammon"),
    tags=(Tag(key="Event", value='The "big" one'),),
    extras=(Tag(key="xg:site", value="7"),),
    comments=(Comment(text="before"),),
    games=(
        Game(
            number=4,
            score=(2, 0),
            start=START,
            start_cube=4,
            start_owner=1,
            comments=(Comment(text="a remark\nin two lines", at=2),),
            entries=(
                CheckerPlay(
                    player=0,
                    dice=(3, 1),
                    text=PlayText("moves", (HopText((24, 18, 14), (True, False), 2), HopText((25, 0), (False,)))),
                    annotation=Annotation(
                        program="gnubg",
                        plays=PlayAnalysis(
                            candidates=(CANDIDATE,),
                            chosen=0,
                            error=-0.02,
                        ),
                        luck=-0.25,
                        mark="very bad",
                        extras=(("sgf:X", "1"),),
                    ),
                ),
                SetBoard(player=1, position=START.flipped(), cube=2, owner=0),
                Double(
                    player=1,
                    value=4,
                    annotation=Annotation(
                        cube=CubeAnalysis(no_double=EQUAL, double_take=TAKEN, double_drop=1.0)
                    ),
                ),
                Take(player=0),
            ),
        ),
    ),
)  # fmt: skip


def back(match: Match) -> Match:
    (found,) = read(Content(write((match,)), "x.json"))
    return replace(found, source=None)


def test_everything_that_a_record_can_hold_comes_back() -> None:
    assert back(FULL) == FULL


@pytest.mark.parametrize("path", sorted((ROOT / "samples").glob("*.mat")), ids=lambda path: path.stem)
def test_a_sample_comes_back_but_for_its_layout(path: Path) -> None:
    (match,) = read_all(path)
    once = back(match)
    assert back(once) == once
    assert write((once,)) == write((match,))


def test_what_is_written_fits_the_schema_and_the_schema_is_the_published_one() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == schema(), "run python docs/make_schemas.py"
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    assert list(validator.iter_errors(json.loads(write((FULL,))))) == []
    assert list(validator.iter_errors({"format": "bgtools.match", "version": 1, "matches": [{}]}))


def test_it_is_told_from_other_json() -> None:
    assert read_source(write((FULL,)), "x")[0].players == FULL.players


def without(key: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(write((FULL,)))
    del data["matches"][0]["games"][0]["entries"][0][key]
    return data


def with_entry(**more: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(write((FULL,)))
    data["matches"][0]["games"][0]["entries"][0].update(more)
    return data


ENTRY = r"matches\[0\].games\[0\].entries\[0\]"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (with_entry(dice=[3]), ENTRY + r"\.dice: 2 values belong here, there are 1"),
        (with_entry(dice=[3, "1"]), ENTRY + r'\.dice\[1\]: "1" is not a whole number'),
        (with_entry(player=2), ENTRY + r"\.player: 2 is none of 0, 1"),
        (with_entry(player=True), ENTRY + r"\.player: true is none of 0, 1"),
        (with_entry(type="roll"), ENTRY + r': an entry has a "type"'),
        (with_entry(text={"kind": "moves", "hops": ["8-5"]}), r'hops\[0\]: "8-5" is not a hop'),
        (without("player"), ENTRY + ": it has no 'player'"),
        ({"format": "bgtools.match", "version": 99}, "version 99 of bgtools.match"),
        ({"format": "bgtools.match", "version": 1}, "matches: null is not a list"),
        ({"format": "bgtools.match", "version": 1, "matches": [7]}, r"matches\[0\]: 7 is not an object"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(Content(json.dumps(data).encode(), "x.json"))


@pytest.mark.parametrize(
    "text", [b"{", b'{"format": "bgtools.match", ', b"[" * 100_000, b'{"a": 1' + b"0" * 9999 + b"}"]
)
def test_what_is_no_json_is_refused_with_a_reason(text: bytes) -> None:
    with pytest.raises(FormatError, match="JSON"):
        read(Content(text, "x.json"))


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (r"\ud83d\ude00", "\U0001f600"),
        (r"a\ud800", "a\ufffd"),
        (r"\uDE00\ud83D", "\ufffd\ufffd"),
        (r"\\ud800", r"\ud800"),
    ],
)
def test_half_a_character_is_none(written: str, found: str) -> None:
    text = write((replace(FULL, players=("Ann", "NAME")),)).decode().replace("NAME", written)
    (match,) = read_source(text.encode(), "x")
    assert match.players[1] == found
    assert convert((match,), parse_target("sgf"), verify=False).data


def test_places_in_the_file_are_not_kept() -> None:
    assert back(replace(FULL, length_span=NOWHERE)).length_span == NOWHERE


@pytest.mark.parametrize("text", ['{"format": "other"}', '{"matches": [{"players": 3}]}', '[{"a": 1}]', "[1, 2]", "{}"])
def test_other_json_is_told_so(text: str) -> None:
    with pytest.raises(FormatError, match=r'this is JSON, but neither .* "format": "bgtools.match"'):
        read_source(text.encode(), "x.json")


# --- members that no record has -------------------------------------------------------------


def test_members_that_no_record_has_are_named_where_they_stand() -> None:
    data = json.loads(write((random_match(3, 5),)))
    data["taste"] = 1
    data["matches"][0]["coments"] = []
    for entry in data["matches"][0]["games"][0]["entries"][:3]:
        entry["clock_left"] = 3
    text = json.dumps(data)
    (match,) = read(Content(text.encode(), "x.json"))
    found = {tag.key: (tag.value, text[slice(*tag.span)]) for tag in match.extras}
    assert found == {
        "unread:matches.coments": ("matches.coments", '"coments"'),
        "unread:matches.games.entries.clock_left": ("matches.games.entries.clock_left, 3 times", '"clock_left"'),
        "unread:taste": ("taste", '"taste"'),
    }


@given(st.dictionaries(st.text(), st.integers() | st.lists(st.integers()), min_size=1, max_size=80), st.integers(0, 3))
@settings(max_examples=30, deadline=None)
def test_whatever_stands_in_an_object_is_read_or_named(more: dict[str, Any], seed: int) -> None:
    match = random_match(seed, 3)
    data = json.loads(write((match,)))
    known = {*data["matches"][0], "extras", *(each.name for each in fields(match))}
    data["matches"][0] = {name: value for name, value in more.items() if name not in known} | data["matches"][0]
    extra = len({*more} - known)
    (found,) = read(Content(json.dumps(data).encode(), "x.json"))
    assert len(found.extras) == min(extra, 51)
    assert replace(found, extras=(), source=None) == replace(read(Content(write((match,)), "x"))[0], source=None)
