"""OGXM, both binary versions: every construct, damage of every kind, and what GammonView makes of the same files."""

from __future__ import annotations

import contextlib
import io
import random
import zlib
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.board.board import START
from bgtools.board.play import PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.bgf.plies import ActionCode
from bgtools.formats.content import Content, FormatError
from bgtools.formats.json.match import write as in_json
from bgtools.formats.ogxm import codec, layout
from bgtools.formats.ogxm.codec import Cursor, ValueKind, number_bytes
from bgtools.formats.ogxm.layout import MATCH
from bgtools.formats.ogxm.reader import _DERIVED, OgxmReader, _read_decisions, read
from bgtools.formats.ogxm.remarks import play_of_text
from bgtools.formats.ogxm.stream import records_of
from bgtools.formats.ogxm.writer import write
from bgtools.formats.reading import read_all, read_source
from bgtools.met.finding import default
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from ogxm_judge import unjudged
from selfplay import random_match
from support import CORPUS, board, needs_corpus, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.record import Entry

SAMPLES = Path(__file__).parents[2] / "samples"
OPENING = CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", written("8/5 6/5")))
REPLY = CheckerPlay(player=1, dice=(6, 4), text=PlayText("moves", written("24/14")))


def back(match: Match) -> Match:
    return read(Content(write((match,)), "x.ogxm"))[0]


def of(*entries: Entry, length: int = 7, **more: Any) -> Match:
    return Match(players=("Ann", "Bob"), length=length, games=(Game(number=1, score=(0, 0), entries=entries, **more),))


def entries_of(match: Match) -> list[str]:
    return [type(entry).__name__ for entry in match.games[0].entries]


def test_a_stream_holds_several_files_one_after_the_other() -> None:
    one, two = (write((random_match(seed, 3),)) for seed in (1, 2))
    matches = read_source(one + two + one, "x.ogxms")
    assert [match.games for match in matches] == [read_source(data, "x.ogxm")[0].games for data in (one, two, one)]
    assert [finding.code for finding in matches[1].findings] == [codes.SEVERAL_MATCHES]


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        (lambda data: data[:-1], "is cut off"),
        (lambda data: b"junk" + data, "does not begin with OGXM"),
        (lambda data: data[:9], "it has 9 bytes"),
        (lambda data: data[:90] + bytes([data[90] ^ 1]) + data[91:], "its checksum is another"),
        (lambda data: data[:12] + b"\xff\xff\xff\x00" + data[16:], "is cut off"),
        (lambda data: data[:8] + b"\x09" + data[9:], "a reader of version 9"),
    ],
)
@pytest.mark.parametrize("at", [0, 2, 5])
def test_what_is_damaged_in_a_stream_costs_only_itself(at: int, spoiled: Any, reason: str) -> None:
    records = [write((random_match(seed, 3),)) for seed in range(6)]
    bad = spoiled(records[at])
    stream = b"".join([*records[:at], bad, *records[at + 1 :]])
    matches = read_source(stream, "x.ogxms")
    left = [data for number, data in enumerate(records) if number != at or bad.endswith(data)]
    assert [match.games for match in matches] == [read_source(data, "x.ogxm")[0].games for data in left]
    (found,) = (each for each in matches[0].findings if each.code is codes.UNREADABLE_FILE)
    assert f"record {at + 1} of this stream, from byte {sum(map(len, records[:at])):,} on" in found.message
    assert reason in found.message


@pytest.mark.parametrize("count", [8, pytest.param(150, marks=pytest.mark.thorough)])
def test_a_stream_is_read_as_the_codec_reads_it(count: int) -> None:
    ogxm = pytest.importorskip("ogxm", reason="there is no wheel of the codec of OGXM here")
    rng = random.Random(6)
    records = [write((random_match(seed, 3),)) for seed in range(6)]
    compared = 0
    for _ in range(count):
        spoiled = [bytearray(data) for data in records]
        data = rng.choice(spoiled)
        at = rng.randrange(len(data) - 30)
        ways = (
            lambda data=data, at=at: data.__delitem__(slice(at, None)),
            lambda data=data, at=at: data.__setitem__(slice(at, at), rng.randbytes(rng.randrange(1, 50))),
            lambda data=data, at=at: data.__setitem__(slice(at, at + 4), b"OGXM"),
            lambda data=data, at=at: data.__setitem__(at, data[at] ^ 1 << rng.randrange(8)),
        )
        rng.choice(ways)()
        stream = b"".join(spoiled)
        skipped: list[tuple[int, int]] = []
        theirs: list[bytes] = []
        reading = ogxm.iter_stream(
            io.BytesIO(stream), strict=False, on_skip=lambda *range, to=skipped: to.append(range)
        )
        try:
            theirs.extend(reading)
        except ogxm.StreamTruncated as error:
            skipped.append((error.offset, error.length))
        ours = list(records_of(io.BytesIO(stream)))
        assert [each.data for each in ours if not each.fault] == theirs
        assert [(each.offset, len(each.data)) for each in ours if each.fault] == skipped
        assert b"".join(each.data for each in ours) == stream
        compared += len(skipped)
    assert compared > count / 2


# --- what is read ---------------------------------------------------------------------------


def test_plays_keep_their_boards_for_both_players() -> None:
    turns = replay(back(of(OPENING, REPLY)))[0].turns
    assert [str(turn.play) for turn in turns] == ["8/5 6/5", "24/14"]


def test_the_bar_and_bearing_off_come_back() -> None:
    position = board({25: 1, 3: 2}, {25: 1, 6: 2})
    entering = CheckerPlay(player=0, dice=(6, 3), text=PlayText("moves", written("bar/22 22/16")))
    match = of(SetBoard(player=0, position=position), entering)
    assert replay(back(match))[0].turns[1].play == replay(match)[0].turns[1].play
    off = board({1: 2, 3: 1}, {1: 3})
    bearing = CheckerPlay(player=1, dice=(6, 5), text=PlayText("moves", written("1/off(2)")))
    match = of(SetBoard(player=1, position=off), bearing)
    assert replay(back(match))[0].turns[1].play == replay(match)[0].turns[1].play


def test_the_cube_with_beaver_and_raccoon() -> None:
    match = of(
        OPENING, Double(player=1), Beaver(player=0), Beaver(player=1, raccoon=True), REPLY, length=0,
    )  # fmt: skip
    match = replace(match, rules=Ruleset(crawford=False, beavers=2))
    assert entries_of(back(match)) == ["CheckerPlay", "Double", "Beaver", "Beaver", "CheckerPlay"]
    assert replay(back(match))[0].cube == replay(match)[0].cube == 8
    assert back(match).rules.beavers == 2


def test_a_drop_and_its_points() -> None:
    match = back(of(OPENING, Double(player=1), Drop(player=0)))
    assert entries_of(match) == ["CheckerPlay", "Double", "Drop"]
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(1, 1)]


@pytest.mark.parametrize(("level", "whole"), [(1, False), (2, False), (3, False), (None, True)])
def test_resignations_keep_their_level(level: Any, whole: bool) -> None:
    found = back(of(OPENING, Resign(player=1, level=level, match=whole))).games[0].entries[-1]
    assert isinstance(found, Resign)
    assert (found.level, found.match) == (level or 1, whole)  # what the game is worth tells it


def test_a_set_board_comes_back_with_its_cube() -> None:
    position = board({6: 3, 5: 2}, {4: 5})
    match = of(OPENING, SetBoard(player=1, position=position, cube=4, owner=0), REPLY)
    found = back(match).games[0].entries[1]
    assert isinstance(found, SetBoard)
    assert (found.player, found.position, found.cube, found.owner) == (1, position, 4, 0)


def test_a_game_from_a_set_position() -> None:
    position = board({6: 3, 5: 2}, {4: 5})
    game = back(of(OPENING, start=position, start_cube=2, start_owner=1)).games[0]
    assert (game.start, game.start_cube, game.start_owner) == (position, 2, 1)


def test_automatic_doubles_open_the_game() -> None:
    found = back(of(AutomaticDouble(player=0), AutomaticDouble(player=0), OPENING, length=0))
    assert entries_of(found) == ["AutomaticDouble", "AutomaticDouble", "CheckerPlay"]


def test_an_illegal_play_keeps_its_words_and_shows_others_its_board() -> None:
    wrong = CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", written("8/4 6/5")))
    match = of(wrong, REPLY)
    assert b"x-bgtools-play" in write((match,))
    entry = back(match).games[0].entries[0]
    assert isinstance(entry, CheckerPlay)
    assert str(entry.text) == "8/4 6/5"
    # Without our remark the board alone tells what was played.
    bare = write((match,)).replace(b"x-bgtools-play", b"x-nobody--play")
    entry = read(Content(sealed(bare), "x"))[0].games[0].entries[0]
    assert isinstance(entry, CheckerPlay)
    assert entry.text.kind == "illegal"
    assert replay(read(Content(sealed(bare), "x"))[0])[0].turns[0].after == replay(match)[0].turns[0].after


@pytest.mark.parametrize("text", ["", "Cannot Move", "????", "Illegal play (1;2)", "bar/20 13/7*(2)", "so what"])
def test_the_words_of_a_play_are_read_again(text: str) -> None:
    assert str(play_of_text(text)) == text


def test_tags_remarks_and_rules() -> None:
    tags = (
        Tag(key="Event", value="Nordic Öpen"), Tag(key="EventDate", value="2024.05.06"),
        Tag(key="EventTime", value="13.45"), Tag(key="Site", value="København"), Tag(key="Annotator", value="x" * 9000),
        Tag(key="Player 1 Elo", value="1650.23/99"),
    )  # fmt: skip
    match = replace(
        of(OPENING, REPLY, length=0, comments=(Comment(text="before", at=0), Comment(text="after", at=2))),
        tags=tags, comments=(Comment(text="long words " * 900),),
        rules=Ruleset(crawford=False, jacoby=True, beavers=3, automatic_doubles=4, cube_limit=64),
    )  # fmt: skip
    done = convert((match,), parse_target("ogxm"))
    assert done.data
    assert not done.losses
    found = back(match)
    assert {(tag.key, tag.value) for tag in found.tags} >= {(tag.key, tag.value) for tag in tags}
    assert found.rules == match.rules
    assert [(comment.text, comment.at) for comment in found.games[0].comments] == [("before", 0), ("after", 2)]


def test_what_was_played_settles_options_that_nobody_states() -> None:
    unsaid = Ruleset(crawford=False, jacoby=None, beavers=None, automatic_doubles=None)
    beaver = replace(of(OPENING, Double(player=1), Beaver(player=0), REPLY, length=0), rules=unsaid)
    assert (back(beaver).rules.beavers, replay(back(beaver))[0].cube) == (2, 4)
    assert back(replace(of(OPENING, length=0), rules=unsaid)).rules.beavers == 0


def test_a_score_stays_behind_a_cube_that_cannot_show_what_it_is_said_to() -> None:
    # The cube is read as 4 again, and so the game counts no 32.
    first = of(
        OPENING, Double(player=1, value=16), Take(player=0), Resign(player=0), length=0,
        results=(ResultClaim(player=1, points=16),),
    )  # fmt: skip
    second = replace(of(OPENING).games[0], number=2, score=(0, 16))
    match = replace(first, games=(first.games[0], second), rules=Ruleset(crawford=False))
    assert [game.score for game in replay(match)] == [(0, 0), (0, 16)]
    done = convert((match,), parse_target("ogxm"))
    assert (done.changed, back(match).games[1].score) == ("", (0, 16))


def test_scores_that_do_not_add_up_are_kept() -> None:
    won = (ResultClaim(player=0, points=1),)
    games = tuple(Game(number=at + 1, score=score, entries=(OPENING,), results=won)
                  for at, score in enumerate([(3, 2), (5, 2), (6, 2)]))  # fmt: skip
    match = Match(players=("A", "B"), length=9, games=games)
    assert [game.score for game in replay(back(match))] == [(3, 2), (5, 2), (6, 2)]


@pytest.mark.parametrize("length", [0, 5])
def test_analyses_come_back(length: int) -> None:
    unit: Any = "mwc" if length else "emg"
    figures = Evaluation(probabilities=(0.55, 0.15, 0.01, 0.12, 0.005), equity=0.123456, unit=unit)
    plays = PlayAnalysis(
        candidates=(
            Candidate(hops=written("8/5 6/5"), evaluation=figures, level=Level(name="3-ply")),
            Candidate(hops=written("24/20"), evaluation=replace(figures, equity=0.05), level=Level(name="rollout")),
        ),
        chosen=0,
    )  # fmt: skip
    cube = CubeAnalysis(no_double=figures, double_take=replace(figures, equity=-0.2), double_drop=1.0)
    note = Annotation(program="eXtreme Gammon", plays=plays, cube=cube)
    done = convert((of(replace(OPENING, annotation=note), REPLY, length=length),), parse_target("ogxm"))
    assert done.data
    assert not done.losses
    found = read(Content(done.data, "x"))[0].games[0].entries[0].annotation
    assert found is not None
    assert found.plays is not None
    assert found.program == "eXtreme Gammon"
    assert [each.level.name for each in found.plays.candidates] == ["3-ply", "rollout"]
    assert found.plays.chosen == 0
    assert found.cube is not None
    assert found.cube.no_double.equity == pytest.approx(0.123456)


def test_points_in_a_match_become_chances_and_come_back() -> None:
    figures = Evaluation(equity=0.1)
    plays = PlayAnalysis(candidates=(Candidate(hops=written("8/5 6/5"), evaluation=figures),))
    match = of(replace(OPENING, annotation=Annotation(plays=plays)))
    done = convert((match,), parse_target("ogxm"))
    assert (done.losses, done.changed) == ((), "")
    reader = OgxmReader(done.data)
    reader.match()
    (decision,) = (made for made, _ in _read_decisions(next(reader._all(b"DECS"))))
    state = replay(match)[0].turns[0].state
    assert decision["alternatives"][0]["equity"] == pytest.approx(default().mwc(state, 0.1), abs=1e-6)
    note = back(match).games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    assert (note.plays.candidates[0].evaluation, note.plays.chosen, note.plays.error) == (figures, 0, None)


def test_findings_point_into_the_listing() -> None:
    found = back(of(OPENING, REPLY))
    assert found.source is not None
    spans = [found.source.text[slice(*entry.span)] for entry in found.games[0].entries]
    assert [text.split(", ")[-1] for text in spans] == ["31: 8/5 6/5", "64: 24/18 18/14"]


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "match",
    [
        of(replace(OPENING, dice=(7, 8))),
        replace(of(OPENING), games=(replace(of(OPENING).games[0], score=(-1, 0)),)),
        of(OPENING, AutomaticDouble(player=0)),
        replace(of(OPENING), rules=Ruleset(variant="hypergammon1")),
    ],
)
def test_what_has_no_place_is_refused(match: Match) -> None:
    with pytest.raises(FormatError):
        write((match,))


def test_a_reader_of_a_later_version_is_asked_for() -> None:
    data = bytearray(write((of(OPENING),)))
    data[8] = 3
    with pytest.raises(FormatError, match=r"version 3\.0"):
        read(Content(bytes(data), "x"))


def test_a_changed_byte_is_noticed() -> None:
    data = bytearray(write((of(OPENING, REPLY),)))
    data[60] ^= 4
    with pytest.raises(FormatError):
        read(Content(bytes(data), "x"))


# --- damage ---------------------------------------------------------------------------------


def sealed(data: bytes) -> bytes:
    """A damaged file with the size and the checksum that it would have, so that the damage is met further in."""
    body = data[: data.rfind(b"CSUM")]
    tail = data[len(body) :]
    body = body[:12] + (len(body) + len(tail)).to_bytes(4, "little") + body[16:]
    return body + tail[:-8] + zlib.crc32(body).to_bytes(4, "little") + tail[-4:]


def full() -> bytes:
    figures = Evaluation(probabilities=(0.5, 0.1, 0.0, 0.1, 0.0), equity=0.1)
    note = Annotation(
        program="gnubg", plays=PlayAnalysis(candidates=(Candidate(hops=written("8/5 6/5"), evaluation=figures),)),
        cube=CubeAnalysis(no_double=figures, double_take=figures), luck=0.1,
    )  # fmt: skip
    match = of(
        replace(OPENING, annotation=note), Double(player=1), Take(player=0), REPLY,
        SetBoard(player=0, position=board({6: 3}), cube=8, owner=1), Resign(player=0, level=2), length=0,
        comments=(Comment(text="well", at=1),), start=board({6: 3, 8: 2}, {7: 2}),
    )  # fmt: skip
    return write((replace(match, tags=(Tag(key="Annotator", value="me"), Tag(key="Event", value="here"))),))


def read_or_refused(data: bytes) -> None:
    """Nothing but a refusal may come out of damage."""
    with contextlib.suppress(FormatError):
        read(Content(data, "damaged"))


def old() -> bytes:
    """The same kind of file in version 1, made by GammonView."""
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    made: bytes = gammonview.write_gvab_v1(
        gammonview.read_gvab(write((of(OPENING, Double(player=1), Take(player=0)),)))
    )
    return made


def old_sealed(data: bytes) -> bytes:
    body = data[: data.rfind(b"CSUM")]
    tail = data[len(body) :]
    return body + tail[:-12] + zlib.crc32(body).to_bytes(4, "little") + tail[-8:]


def test_cut_at_every_byte() -> None:
    data = full()
    for end in range(len(data)):
        with pytest.raises(FormatError):
            read(Content(data[:end], "cut"))


def test_cut_at_every_byte_in_the_old_version() -> None:
    data = old()
    for end in range(len(data)):
        with pytest.raises(FormatError):
            read(Content(data[:end], "cut"))


@pytest.mark.thorough
@pytest.mark.parametrize("seal", [False, True])
def test_every_bit_turned(seal: bool) -> None:
    data = full()
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        read_or_refused(sealed(bytes(changed)) if seal else bytes(changed))


def test_every_bit_turned_in_the_old_version() -> None:
    data = old()
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        read_or_refused(bytes(changed))
        read_or_refused(old_sealed(bytes(changed)))


def test_bytes_by_chance() -> None:
    data, rng = full(), random.Random(2)
    for _ in range(1500):
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 8)):
            changed[rng.randrange(16, len(data) - 30)] = rng.randrange(256)
        read_or_refused(sealed(bytes(changed)))


def test_lying_sizes_end_where_the_bytes_do() -> None:
    for lie in (b"\xff\xff\xff\xff\x0f", number_bytes(1 << 31), b"\x80" * 12, b""):
        with pytest.raises(FormatError):
            MATCH.read(Cursor(lie))


# --- GammonView -----------------------------------------------------------------------------


def course(document: Any) -> list[Any]:
    """What GammonView makes of a match: every action with the board after it, and who won how much."""
    markers = (ActionCode.GAME_OVER, ActionCode.MATCH_OVER, ActionCode.FINAL, ActionCode.NOTHING)
    return [
        (
            [
                (ply["color"], ply["action_id"], *ply["ogid_after"].split(":")[:2])
                for ply in game["plies"]
                if ply["action_id"] not in markers
            ],
            game["winner"],
            game["points_won"],
        )
        for game in document["games"]
    ]


def told(match: Match) -> list[Any]:
    """Every turn with its board, and who won how much."""
    return [
        (
            [
                (turn.player, turn.play.result if turn.play else type(turn.entry).__name__)
                for turn in game.turns
                if not isinstance(turn.entry, Resign)
            ],
            game.winner,
            game.points,
        )
        for game in replay(match)
    ]


def both(path: Path) -> Iterator[tuple[Match, Any]]:
    """A match as we and as GammonView read it, where both begin with the same player and see as many turns."""
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    try:
        document = gammonview.mat_to_ogxm(path.read_text("utf-8", "replace"))
        (match,) = read_all(path)
    except Exception:  # GammonView has no error of its own for text that it cannot read
        return
    counts = [sum(not isinstance(entry, Resign) for entry in game.entries) for game in match.games]
    theirs = [sum(ply["action_id"] < ActionCode.GAME_OVER for ply in game["plies"]) for game in document["games"]]
    if document["player_white"] == match.players[0] and counts == theirs:
        yield match, document


def texts() -> list[Path]:
    corpus = sorted((CORPUS / "mat").glob("*")) if (CORPUS / "mat").is_dir() else []
    return [*sorted(SAMPLES.glob("*.mat")), *islice(corpus, 0, None, 15)]


@pytest.mark.quick(one_in=13)
@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem[:40])
def test_gammonview_and_we_read_each_other(path: Path) -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    for match, document in both(path):
        turns = [turn for game in replay(match) for turn in game.turns]
        if any(turn.violations or (isinstance(turn.entry, CheckerPlay) and turn.play is None) for turn in turns):
            continue  # each program has its own board after an illegal play, and GammonView dances where nobody played
        new, old = gammonview.write_gvab(document), gammonview.write_gvab_v1(document)
        assert told(read(Content(new, "new"))[0]) == told(match)
        assert told(read(Content(old, "old"))[0]) == told(match)
        assert course(gammonview.read_gvab(write((match,)))) == course(gammonview.read_gvab(new))


@pytest.mark.thorough
def test_gammonview_follows_made_up_matches() -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    for seed in range(12):
        match = random_match(seed, (0, 5)[seed % 2], set_positions=seed % 3 == 0)
        document = gammonview.read_gvab(write((match,)))
        assert [game["winner"] for game in document["games"]] == [
            255 if game.winner is None else game.winner for game in replay(match)
        ]
        assert told(read(Content(gammonview.write_gvab(document), "x"))[0]) == told(match)


def test_gammonview_sees_our_analysis() -> None:
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    ply = gammonview.read_gvab(full())["games"][0]["plies"][1]
    assert ply["analysis"]["alternatives"][0]["equity"] == pytest.approx(0.1)
    assert ply["analysis"]["luck"] == pytest.approx(0.1)


@needs_corpus
def test_the_analysis_of_an_xg_money_session_comes_back() -> None:
    for path in sorted((CORPUS / "xgp").glob("*"))[::20]:
        for match in read_all(path):
            assert not convert((match,), parse_target("ogxm")).changed


VALUES: dict[ValueKind, Any] = {
    codec.NUMBER: 3, codec.LONG: 1710500000000, codec.TEXT: "zz", codec.FLAG: True, codec.EQUITY: 0.25,
    codec.LOSS: 0.25, codec.CHANCE: 0.3, codec.CHANCES: (0.5, 0.1, 0.02, 0.1, 0.03), codec.DICE: (3, 1),
    codec.SCORE: (1, 1), codec.SEED: 7, codec.DIGEST: b"x" * 32, codec.BOARD: (0, 2, *[0] * 22, -3, 0),
}  # fmt: skip
RECORDS = {
    "match": layout.MATCH, "game": layout.GAME, "ply": layout.EXTRAS, "remark": layout.REMARK,
    "analysis": layout.ANALYSIS, "alternative": layout.ALTERNATIVE, "play": layout.PLAY_DECISION,
    "cube": layout.CUBE_DECISION, "roll": layout.ROLL_DECISION, "profile": layout.PROFILE,
}  # fmt: skip


def full_with(field: str, record: codec.Layout, name: str, value: Any) -> bytes:
    """The full file with a value in every record of a kind that lacks that field."""
    usual = codec.Layout.write

    def write_more(self: codec.Layout, values: Any) -> bytes:
        if self is layout.MATCH and field.startswith("profile"):
            values = {**values, "white_profile": {"rating": 150000}}
        more = {name: value} if self is record and values.get(name) is None else {}
        return usual(self, {**values, **more})

    with pytest.MonkeyPatch.context() as patch, unjudged():
        patch.setattr(codec.Layout, "write", write_more)
        return full()


def test_no_field_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each field that a file may have changes the record, is refused, is named as unread, or only repeats others."""
    monkeypatch.setattr("bgtools.formats.ogxm.writer.leftover", lambda *_: "")  # our own patch hides changes

    def seen(data: bytes) -> Any:
        (match,) = read(Content(data, "x"))
        return in_json((match,)), [each.message for each in match.findings]

    compared, vanished = 0, set()
    for what, record in RECORDS.items():
        for name, kind in record.fields:
            field = f"{what}.{name}"
            if kind not in VALUES or f".{field}".endswith(tuple(f".{each}" for each in _DERIVED)):
                continue
            data = full_with(field, record, name, 1 if name == "cube_owner" else VALUES[kind])
            if data == full():
                continue  # the field is there
            compared += 1
            with contextlib.suppress(FormatError):
                if seen(data) == seen(full()):
                    vanished.add(field)
    # The equities of money are points in either currency, and a cube at 1 is nobody's.
    assert not sorted(vanished - {"cube.currency", "game.cube_owner"})
    assert compared > 30


def test_clocks_and_videos_are_named() -> None:
    data = bytearray(write((random_match(1, 5),))[:-4])
    at = data.rindex(b"CSUM")
    parts = b"".join(name + (3).to_bytes(4, "little") + bytes(4) for name in (b"CLCK", b"CLCK", b"VIDO"))
    (match,) = read(Content(sealed(bytes(data[:at]) + parts + bytes(data[at:]) + b"END!"), "x"))
    assert [(tag.key, tag.value) for tag in match.extras] == [
        ("unread:part CLCK", "part CLCK, 2 times"), ("unread:part VIDO", "part VIDO")
    ]  # fmt: skip


def test_reading_by_name_and_by_content() -> None:
    data = write((of(OPENING, REPLY),))
    assert read_source(data, "x.gvab")[0].players == ("Ann", "Bob")
    assert replay(read_source(data, "none")[0])[0].turns[0].before == START


def test_steps_from_nowhere_are_told() -> None:
    data = write((of(OPENING),))
    at = data.find(b"GAME") + 9
    steps = data.find(bytes([17 | 3 << 5]), at)
    found = read(Content(sealed(data[:steps] + bytes([25 | 3 << 5]) + data[steps + 1 :]), "x"))[0]
    assert [each.code for each in found.findings] == [codes.UNREADABLE_CELL]


def test_a_last_roll_that_nobody_played_is_no_dance() -> None:
    # Whoever could have played it had won by then: the other had resigned.
    entries = (OPENING, REPLY, CheckerPlay(player=0, dice=(6, 6), text=PlayText("nothing")))
    match = of(*entries, results=(ResultClaim(player=0, points=1),))
    assert replay(match)[0].ending == replay(back(match))[0].ending == "resigned"


def test_the_scores_behind_one_that_contradicts_a_result_are_kept() -> None:
    # They are what tells which of the two is wrong.
    match = random_match(4, 5)
    games = list(match.games)
    assert len(games) > 3
    (claim,) = games[0].results
    games[0] = replace(games[0], results=(replace(claim, points=(claim.points or 0) + 2),))
    scored = [replace(played.game, score=played.score) for played in replay(match)]
    wrong = replace(match, games=(replace(games[0], score=(0, 0)), *scored[1:]))
    (back,) = read(Content(write((wrong,)), "x.ogxm"))
    assert [game.score for game in back.games[1:]] == [game.score for game in wrong.games[1:]]
