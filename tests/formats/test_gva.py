"""The JSON of OGXM: plies and analyses, anything in place of anything, and GammonView's own files."""

from __future__ import annotations

import contextlib
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from test_ogxm import full, texts, told

from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.ogxm.gva import read
from bgtools.formats.ogxm.reader import read as read_binary
from bgtools.formats.ogxm.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay, Resign, SetBoard
from bgtools.replayer.match import replay
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match

CUBE = {"no_double_equity": 0.1, "double_take_equity": -0.2, "double_pass_equity": 1.0, "eval": {"win": 0.6}}
DOCUMENT: dict[str, Any] = {
    "match_length": 5, "player_white": "Ann", "player_black": "Bob", "crawford": True, "event": "Open",
    "timestamp": 1710500000, "score_start": [1, 0], "analysis_info": {"model_id": "bgsage", "eval_level": "3ply"},
    "games": [{"winner": 1, "points_won": 2, "plies": [
        {"color": 1, "action_id": 2, "d1": 1, "d2": 3, "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
         "analysis": {"luck": 0.2, "equity_loss": 0.0, "cube_decision": CUBE, "alternatives": [
             {"move": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}], "equity": 0.15, "is_played": True}]}},
        {"color": 0, "action_id": 31, "set_position": [0, 2, *[0] * 22, -3, 0]},
        {"color": 0, "action_id": 21, "analysis": CUBE},
        {"color": 1, "action_id": 22},
        {"color": 1, "action_id": 27, "resign_value": 1},
        {"color": 0, "action_id": 26},
    ]}],
}  # fmt: skip


def of(document: Any) -> Match:
    return read(Content(json.dumps(document).encode(), "x.gva"))[0]


def test_plies_become_entries() -> None:
    match = of(DOCUMENT)
    names = [type(entry).__name__ for entry in match.games[0].entries]
    assert names == ["CheckerPlay", "SetBoard", "Double", "Take", "Resign"]
    play, board, *_, resign = match.games[0].entries
    assert isinstance(play, CheckerPlay)
    assert isinstance(board, SetBoard)
    assert isinstance(resign, Resign)
    assert (str(play.text), board.player, board.position.theirs[24], resign.level) == ("8/5 6/5", 1, 3, 1)
    assert match.games[0].score == (1, 0)
    assert (match.tag("Event"), match.tag("EventDate"), match.tag("EventTime")) == ("Open", "2024.03.15", "10.53.20")


def test_analyses_are_read() -> None:
    note = of(DOCUMENT).games[0].entries[0].annotation
    assert note is not None
    assert note.plays
    assert note.cube
    assert (note.program, note.luck, note.plays.chosen, note.plays.candidates[0].level.name) == (
        "bgsage", 0.2, 0, "3-ply",
    )  # fmt: skip
    assert list(note.cube.no_double.probabilities or ()) == [0.6, 0, 0, 0, 0]
    assert note.cube.double_take.equity == -0.2


def test_what_nobody_knows_is_told() -> None:
    plies = [{"color": 0, "action_id": 34, "settle_value": 1.0}, {"color": 0, "action_id": 50}]
    match = of({"match_length": 0, "variant": 9, "games": [{"plies": plies}]})
    assert [each.code for each in match.findings] == [codes.UNREADABLE_LINE] * 3


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"match_length": 3}', "[" * 100_000, '{"games": 1e999}'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read(Content(text.encode(), "x"))


def test_anything_in_place_of_anything() -> None:
    rng = random.Random(5)
    odd: list[Any] = [None, True, "x", -1, 1e308, 10**40, [], {}, [1], {"from": 3}, float("nan"), 2.5]

    def spoil(value: Any) -> Any:
        if rng.random() < 0.04:
            return rng.choice(odd)
        if isinstance(value, dict):
            return {key: spoil(each) for key, each in value.items()}
        return [spoil(each) for each in value] if isinstance(value, list) else value

    for _ in range(600):
        with contextlib.suppress(FormatError):
            of(spoil(DOCUMENT))


def test_cut_at_every_byte() -> None:
    data = json.dumps(DOCUMENT).encode()
    for end in range(len(data)):
        with pytest.raises(FormatError):
            read(Content(data[:end], "cut"))


def test_known_by_its_content() -> None:
    assert read_source(json.dumps(DOCUMENT).encode(), "none")[0].players == ("Ann", "Bob")


def test_the_json_and_the_binary_of_gammonview_say_the_same() -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    for data in (full(), *(write((random_match(seed, 5 * (seed % 2)),)) for seed in range(6))):
        document = json.loads(json.dumps(gammonview.read_gvab(data)))
        assert told(of(document)) == told(read_binary(Content(data, "x"))[0])


@pytest.mark.thorough
@pytest.mark.parametrize("path", texts()[::3], ids=lambda path: path.stem[:40])
def test_what_gammonview_makes_of_match_text(path: Path) -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    document = gammonview.mat_to_ogxm(path.read_text("utf-8", "replace"))
    assert told(of(document)) == told(read_binary(Content(gammonview.write_gvab_v1(document), "x"))[0])
    assert len(replay(of(document))) == len(document["games"])


def test_a_member_that_nobody_reads_is_named_wherever_it_stands() -> None:
    """Of our own file no member vanishes. Each new one is named with the objects around it, once for all of a kind."""
    assert of(DOCUMENT).extras == ()
    compared = 0

    def slip(value: Any) -> Any:
        nonlocal compared
        if isinstance(value, list):
            return [slip(each) for each in value]
        if not isinstance(value, dict):
            return value
        compared += 1
        return {name: slip(each) for name, each in value.items()} | {"brand_new": [{"x": compared}]}

    found = {tag.key.removeprefix("unread:"): tag.value for tag in of(slip(DOCUMENT)).extras}
    assert {name.rpartition(".")[2] for name in found} == {"brand_new"}
    times = [int(value.split()[-2]) if value.endswith("times") else 1 for value in found.values()]
    assert len(found) > 8
    assert sum(times) == compared > 15
    assert told(of(slip(DOCUMENT))) == told(of(DOCUMENT))
