"""BGBlitz's matches and Smile, in which they are written: made-up files, damage, and GammonView as a judge."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from smile_encoder import encode
from test_ogxm import told

from bgtools.board.board import BAR
from bgtools.formats.bgf.reader import read
from bgtools.formats.bgf.smile import decode
from bgtools.formats.content import Content, FormatError
from bgtools.formats.ogxm.gva import read as read_gva
from bgtools.formats.reading import read_source
from only_read import BGF_HEAD, BGF_START, bgf_document
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.record.record import Match


def packed(document: Any, shared: int = 3) -> bytes:
    return BGF_HEAD + gzip.compress(encode(document, shared=shared), mtime=0)


def of(document: Any) -> Match:
    return read(Content(packed(document), "x.bgf"))[0]


# --- matches --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_made_up_matches_come_out_turn_by_turn(seed: int) -> None:
    match = random_match(seed, (0, 3, 7)[seed % 3])
    found = of(bgf_document(match))
    # A roll that nobody has played before they resigned has no place.
    played = [([each for each in turns if each[1] != "CheckerPlay"], *rest) for turns, *rest in told(match)]
    assert told(found) == played
    assert (found.players, found.length, found.tag("EventDate")) == (match.players, match.length, "2025.11.02")


@pytest.mark.parametrize("seed", range(10))
def test_gammonview_reads_the_same(seed: int) -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    match = random_match(seed, (1, 3, 7)[seed % 3])
    data = packed(bgf_document(match), shared=1)  # it knows no texts that are referred to
    theirs = gammonview.convert_bgf(data)
    if theirs["player_white"] != match.players[0]:
        pytest.skip("GammonView puts the players the other way round")
    document = json.loads(json.dumps(theirs))
    assert told(read_gva(Content(json.dumps(document).encode(), "x"))[0]) == told(read(Content(data, "x"))[0])


@pytest.mark.parametrize("seed", range(3))
def test_a_member_that_nobody_reads_is_named(seed: int) -> None:
    document = bgf_document(random_match(seed, (0, 3, 7)[seed]))
    assert of(document).extras == ()
    document |= {"comment": "a fine match", "netVersion": 0}
    document["games"][0]["moves"][0]["clock"] = {"left": 12}
    assert [tag.key for tag in of(document).extras] == ["unread:comment", "unread:games.moves.clock"]


def test_a_set_position_and_its_cube() -> None:
    points = [0] * 26
    points[5], points[18], points[24], points[25] = -3, 2, 1, 2  # red's 6-point, green's 6-point, both bars
    document = {"matchlen": 5, "games": [{"initial": {"points": points, "cube": 2, "cubeOwner": 1}, "moves": []}]}
    game = of(document).games[0]
    assert game.start is not None
    assert (game.start.mine[6], game.start.mine[BAR], game.start.theirs[6], game.start.theirs[BAR]) == (2, 1, 3, 2)
    assert (game.start_cube, game.start_owner) == (2, 1)


def test_analyses_and_luck() -> None:
    eq = {"emg": "0.25", "myWins": 0.5, "myGammon": 0.125, "oppGammon": 0.25, "matchEquity": 0.5}
    cube = {"stateOnMove": "NO_DOUBLE", "eqNoDouble": 0.5, "eqDoubleTake": 0.25, "eqDoublePass": 0.75}
    move = {
        "player": -1, "red": 3, "green": 1, "from": [8, 6, -1, -1], "to": [5, 5, -1, -1], "ply": 2,
        "equity": {**eq, "cubeDecision": cube}, "luck": {"luckWeighted": 0.5, "mode": "Match"},
        "moveAnalysis": [{"move": {"from": [8, 6, -1, -1], "to": [5, 5, -1, -1]}, "eq": eq, "played": True, "ply": 2}],
    }  # fmt: skip
    document = {"matchlen": 5, "games": [{"initial": {"points": BGF_START}, "moves": [move]}]}
    note = of(document).games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    assert note.cube is not None
    best = note.plays.candidates[0]
    assert (str(best.hops[0]), best.evaluation.equity, best.level.name, note.plays.chosen) == ("8/5", 0.25, "2-ply", 0)
    assert note.cube.no_double.unit == "mwc"
    assert note.cube.double_drop == 0.75
    assert note.luck == 0.5


@pytest.mark.parametrize(
    "data",
    [
        BGF_HEAD + zlib.compress(encode({"games": []})),
        BGF_HEAD + encode({"games": []}),
        b'{"version":"1","compression":"none","encoding":"json"}\n{"games":[]}',
        b'{"version":"1","compression":"gzip","encoding":"json"}\n' + gzip.compress(b'{"games":[]}', mtime=0),
    ],
    ids=("zlib", "none", "version 1", "gzip"),
)
def test_every_packing(data: bytes) -> None:
    assert read_source(data, "none")[0].games == ()


# --- damage ---------------------------------------------------------------------------------


def test_cut_at_every_byte() -> None:
    data = packed(bgf_document(random_match(1, 1)))
    for end in range(len(data)):
        with pytest.raises(FormatError):
            read(Content(data[:end], "cut"))


def test_a_bomb_is_refused() -> None:
    with pytest.raises(FormatError, match="16 MB"):
        read(Content(BGF_HEAD + gzip.compress(bytes(65 << 20), 9), "bomb"))


@pytest.mark.thorough
def test_damage_inside_the_packing() -> None:
    document = bgf_document(random_match(2, 1))
    document["games"][0]["moves"] = document["games"][0]["moves"][:6]
    plain, rng = encode(document), random.Random(3)
    for end in range(len(plain)):
        with contextlib.suppress(FormatError):
            read(Content(BGF_HEAD + plain[:end], "cut"))
    for bit in range(8 * len(plain)):
        changed = bytearray(plain)
        changed[bit // 8] ^= 1 << bit % 8
        with contextlib.suppress(FormatError):
            read(Content(BGF_HEAD + bytes(changed), "turned"))
    for _ in range(500):
        with contextlib.suppress(FormatError):
            read(Content(BGF_HEAD + plain[:4] + rng.randbytes(rng.randrange(80)), "chance"))


# --- Smile ----------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 90), 1 << 90) | st.floats(allow_nan=False) | st.binary(max_size=30)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=70), inner, max_size=6),
    max_leaves=30,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(VALUES, st.sampled_from([0, 1, 2, 3]))
def test_smile_comes_back(value: Any, shared: int) -> None:
    assert decode(encode(value, shared=shared)) == value


def test_more_texts_than_can_be_referred_to() -> None:
    values = [{f"name {at % 1500}": f"text {at % 1500}"} for at in range(4000)]
    assert decode(encode(values)) == values


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x28\x04\x0f\x3e\x37\x26", 29.9510),
        (b"\x2a\x84\x81\x0d\x40", 0.27),
        (b"\xfd\x82\xff\x00", b"\xff\x00"),
        (b"\x24\x84", 2),
        (b"\xe0abc\xfc", "abc"),
    ],
)
def test_tokens_by_hand(data: bytes, value: Any) -> None:
    found = decode(b":)\n\x04" + data)
    assert found == (pytest.approx(value, rel=1e-3) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    "data", [b"", b":)\n", b":)\n\x10\x21", b":)\n\0\x01", b":)\n\2\x01", b":)\n\0" + b"\xf8" * 5000, b":)\n\0\x00"]
)
def test_no_smile(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode(data)
