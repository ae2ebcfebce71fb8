"""What is written is judged by the codec of OGXM's makers: records with everything in them, and damaged ones."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

import ogxm_judge
from bgtools.board.board import START
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.perspective import other
from bgtools.board.play import HopText, PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.conversion.facts import differences, is_sound
from bgtools.findings import codes
from bgtools.formats.bgf.plies import ActionCode
from bgtools.formats.content import Content, FormatError
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.order import PlyOrder
from bgtools.formats.ogxm.reader import read
from bgtools.formats.ogxm.remarks import MOST_BYTES, Remarks
from bgtools.formats.ogxm.writer import _OgxmWriter, _Ply, _section, write
from bgtools.formats.reading import read_all
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import AutomaticDouble, CheckerPlay, Comment, Game, Match, SetBoard, Tag
from bgtools.replayer.match import replay
from damage import damaged
from selfplay import random_match
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry

ogxm = pytest.importorskip("ogxm", reason="there is no wheel of the codec of OGXM here")

LEVELS = tuple(Level(name=name) for name in ("", "2-ply", "3-ply", "XG Roller++", "rollout", "Book", "é" * 40))
WORDS = ("", "well", "  two  blanks ", "line\nbreak", "x" * 5000, "long words " * 700, "\0\x7f\u2028", "😀é", "~1")
PROGRAMS = ("gnubg 1.08", "eXtreme Gammon", "", "é" * 3000)


# --- records with everything in them --------------------------------------------------------


def evaluation(rng: random.Random) -> Evaluation:
    win = rng.random()
    chances = (win, win * rng.random(), 0.0, (1 - win) * rng.random(), 0.0)
    return Evaluation(
        probabilities=rng.choice((None, chances)), equity=rng.choice((None, *[rng.uniform(-2, 2)] * 9)),
        cubeless=rng.choice((None, rng.uniform(-2, 2))), unit=rng.choice(("emg", "emg", "mwc")),
    )  # fmt: skip


def play_analysis(rng: random.Random, board: Board, dice: Dice) -> PlayAnalysis:
    plays = legal_plays(board, dice)
    chosen = rng.choices(plays, k=rng.randrange(1, 6))
    candidates = [
        Candidate(
            hops=tuple(HopText((hop.start, hop.end), (False,)) for hop in play.hops),
            evaluation=evaluation(rng), level=rng.choice(LEVELS[: rng.randrange(1, 8)]),
        )
        for play in chosen
    ]  # fmt: skip
    if rng.random() < 0.7:
        candidates.sort(key=lambda each: -(each.evaluation.equity or 0))
    return PlayAnalysis(
        candidates=tuple(candidates), chosen=rng.choice((None, *range(len(candidates)))),
        error=rng.choice((None, 0.0, -rng.random())), counted=rng.choice((None, True, False)),
    )  # fmt: skip


def note(rng: random.Random, entry: Entry, board: Board, *, others: bool = True) -> Annotation:
    plays = cube = None
    if isinstance(entry, CheckerPlay) and entry.dice is not None and are_dice(entry.dice) and rng.random() < 0.7:
        plays = play_analysis(rng, board, entry.dice)
    if rng.random() < 0.4:
        cube = CubeAnalysis(
            no_double=evaluation(rng), double_take=evaluation(rng), double_drop=rng.choice((None, 1.0)),
            level=rng.choice(LEVELS), error=rng.choice((None, -rng.random())), answer_error=rng.choice((None, -0.2)),
        )  # fmt: skip
    return Annotation(
        program=rng.choice(PROGRAMS), plays=plays, cube=cube, luck=rng.choice((None, rng.uniform(-1, 1))),
        mark=rng.choice((None, "bad")), clock=rng.choice((None, (100.5, -3.0), (None, 17.0))),
        others=tuple(note(rng, entry, board, others=False) for _ in range(rng.randrange(3)) if others),
    )  # fmt: skip


def with_everything(rng: random.Random) -> Match:
    """A match that was played, with analyses, clocks, tags and remarks at random, and perhaps cut off in a game."""
    match = random_match(rng.randrange(10**6), rng.choice((0, 1, 3, 7)), set_positions=rng.random() < 0.3)
    games = []
    for played in replay(match):
        entries = [
            replace(turn.entry, annotation=note(rng, turn.entry, turn.before))
            if rng.random() < 0.5 and not isinstance(turn.entry, AutomaticDouble)
            else turn.entry
            for turn in played.turns
        ]
        remarks = tuple(
            Comment(text=rng.choice(WORDS), at=rng.randrange(len(entries) + 1)) for _ in range(rng.randrange(4))
        )
        games.append(replace(played.game, entries=tuple(entries), comments=remarks))
    last = games[-1]
    if rng.random() < 0.5:
        count = rng.randrange(len(last.entries) + 1)
        cut = list(last.entries[:count])
        if cut and isinstance(cut[-1], CheckerPlay) and rng.random() < 0.7:
            cut[-1] = replace(cut[-1], text=PlayText(rng.choice(("nothing", "unknown", "dance"))))
        kept = tuple(each for each in last.comments if each.at is not None and each.at <= len(cut))
        games[-1] = replace(last, entries=tuple(cut), results=(), comments=kept)
    tags = tuple(
        Tag(key=rng.choice(("Event", "Site", "Match ID", "Foo", "Foo", "a~1", "é", "")), value=rng.choice(WORDS))
        for _ in range(rng.randrange(5))
    )
    return replace(
        match, games=tuple(games), tags=(*match.tags, *tags), source=None,
        comments=tuple(Comment(text=rng.choice(WORDS)) for _ in range(rng.randrange(3))),
    )  # fmt: skip


def taken(match: Match) -> bytes | None:
    """The bytes of a match, which the codec takes; None where the writer refuses it with a reason."""
    before = ogxm_judge.COUNTED["files"]
    try:
        data = write((match,))
    except FormatError as error:
        said = str(error)
    else:
        assert ogxm_judge.COUNTED["files"] == before + 1
        return data
    assert said.startswith(("OGXM cannot hold ", "OGXM has no ", "the cube cannot have turned"))
    return None


def take_with_everything(seed: int) -> None:
    match = with_everything(random.Random(seed))
    data = taken(match)
    assert data is not None or not is_sound(match)
    if data is not None:
        again = read(Content(data, "x"))[0]
        assert not [change for change in differences(match, again) if change.code is None]


@settings(max_examples=5)
@given(seed=st.integers(0, 10**9))
def test_the_codec_takes_records_with_everything_in_them(seed: int) -> None:
    take_with_everything(seed)


@pytest.mark.thorough
@settings(max_examples=250)
@given(seed=st.integers(0, 10**9))
def test_the_codec_takes_many_records_with_everything_in_them(seed: int) -> None:
    take_with_everything(seed)


@pytest.mark.parametrize("count", [4, pytest.param(400, marks=pytest.mark.thorough)])
def test_a_damaged_record_is_taken_by_the_codec_or_refused_by_us(count: int) -> None:
    made = Counter(taken(match) is not None for match in damaged(count, seed=count))
    assert made.total() == count
    assert made[True]
    assert count < 100 or (made[True] > count / 2 and made[False])


def corpus() -> list[Path]:
    return [path for path in sorted(CORPUS.rglob("*")) if path.is_file()] if CORPUS.is_dir() else []


@needs_corpus
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=() if part == 7 else pytest.mark.thorough) for part in range(40)]
)
def test_the_codec_takes_real_records(part: int) -> None:
    counted: Counter[bool] = Counter()
    for path in corpus()[part::40]:
        with suppress(FormatError, OSError):
            for match in read_all(path)[:3]:
                if match.games:
                    data = taken(match)
                    counted[data is not None] += 1
                    assert data is not None or not is_sound(match)
    assert counted[True] > counted[False]


# --- the order of plies ---------------------------------------------------------------------

BOARD = (0, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 4, 1, 0, 0, 0, -2, 0)
CUBES: tuple[tuple[int, Player | None], ...] = ((1, None), (1, None), (2, 0), (2, 1), (4, 0))
PLAYERS: tuple[Player, ...] = (0, 1)


def file_of(plies: list[_Ply], match: dict[str, Any], game: dict[str, Any]) -> bytes:
    """A file with one game of these plies."""
    writer = object.__new__(_OgxmWriter)
    writer.remarks, writer.plies, writer.reader, writer.signatures = Remarks(), len(plies), (2, 2), []
    data = layout.GAME.write(game) + b"".join(ply.data() for ply in plies)
    return writer._packed(
        [_section(b"MTCH", layout.MATCH.write(match), critical=True), _section(b"GAME", data, critical=True)]
    )


def any_ply(rng: random.Random, player: Player, before: list[_Ply]) -> _Ply:
    action = rng.choice((2, 2, 2, 21, 21, 22, 22, 23, 27, 28, 29, 31, 32, 32, 33, 36, 37))
    if before and before[-1].action in (21, 32) and rng.random() < 0.4:
        action = 32 if before[-1].action == 21 else 33  # a beaver, or a raccoon after one
    extras: dict[str, Any] = {}
    if action in (ActionCode.RESIGN_GAME, ActionCode.RESIGN_MATCH):
        extras["resign_value"] = 1
    elif action == ActionCode.SET_POSITION:
        extras["board"] = BOARD
    elif action == ActionCode.CUBE_SET:
        extras["cube"], extras["cube_owner"] = rng.choice(((2, 0), (2, 1), (1, None), (4, 1)))
    return _Ply(action, player, extras, steps=b"\0" if action == 2 else b"")


def test_the_order_of_plies_is_that_of_the_codec() -> None:
    rng, counted = random.Random(73), Counter[tuple[bool, int]]()
    for _ in range(3000):
        length, limit = rng.choice((0, 0, 7, 1)), rng.choice((None, None, 1, 2, 4))
        rules = rng.choice((0, layout.CRAWFORD) if length else (0, layout.BEAVERS, layout.BEAVERS | layout.RACCOONS))
        cube, owner = rng.choice(CUBES)
        plies: list[_Ply] = []
        refused = ""
        player: Player = rng.choice(PLAYERS)
        try:
            beavers = (rules & layout.BEAVERS > 0) + (rules & layout.RACCOONS > 0)
            order = PlyOrder(
                cube=cube, owner=owner, limit=limit, beavers=beavers, doubles=not (length == 1 and rules),
            )  # fmt: skip
            for _ in range(rng.randrange(1, 9)):
                seat = player if rng.random() < 0.85 else other(player)
                plies.append(any_ply(rng, seat, plies))
                extras = plies[-1].extras
                order.put(plies[-1].action, seat, cube=extras.get("cube"), owner=extras.get("cube_owner"))
                player = seat if plies[-1].action in (ActionCode.SET_POSITION, ActionCode.CUBE_SET) else other(seat)
        except FormatError as error:
            refused = str(error)
        head = {"length": length, "variant": 0, "rules": rules or None, "cube_limit": limit}
        game = {"cube": cube if cube > 1 else None, "cube_owner": owner}
        rule, _ = ogxm.verify(file_of(plies or [_Ply(2, 0, steps=b"\0")], head, game))
        assert bool(rule) == bool(refused), (head, game, plies, rule, refused)
        counted[not refused, plies[-1].action if plies else 0] += 1
    assert len([place for place in counted if place[0]]) > 8
    assert len([place for place in counted if not place[0]]) > 10


# --- how many remarks fit -------------------------------------------------------------------


def test_what_has_no_room_is_left_out_and_told() -> None:
    match = random_match(3, 5)
    words = tuple(Comment(text=f"{number}: " + "what a roll! " * 300, at=1) for number in range(90))
    games = (replace(match.games[0], comments=words), *match.games[1:])
    done = convert((replace(match, games=games),), parse_target("ogxm"))
    lost = [found for found in done.losses if found.code is codes.COMMENT_LOST]
    assert done.changed == ""
    assert 0 < len(lost) < 90
    assert ogxm_judge.problem(done.data) == ""
    assert len(done.data) > MOST_BYTES * 0.9


def test_analyses_give_way_to_words_and_words_to_tags() -> None:
    rng = random.Random(1)
    match = replace(with_everything(rng), comments=(), tags=())
    kept = {}
    for size in (100, 300):
        tags = tuple(Tag(key=f"T{number}", value="v" * 1000) for number in range(size))
        found = read(Content(write((replace(match, tags=tags),)), "x"))[0]
        kept[size] = len(found.tags), sum(len(game.comments) for game in found.games)
        assert kept[size][0] <= size
    assert kept[100][0] == 100
    assert 200 < kept[300][0] < 300


def test_remarks_on_games_without_a_ply() -> None:
    match = random_match(5, 7)
    games = tuple(replace(game, entries=(), comments=(Comment(text="no play is known", at=0),)) for game in match.games)
    found = read(Content(write((replace(match, games=games),)), "x"))[0]
    assert [[comment.text for comment in game.comments] for game in found.games] == [["no play is known"]] * len(games)
    assert [game.results[0].points for game in found.games] == [game.results[0].points for game in match.games]


@pytest.mark.thorough
def test_what_is_longer_than_the_codec_takes_is_refused() -> None:
    first = random_match(1, 0)
    one = SetBoard(player=0, position=START)
    for count in (1500, 1501):
        long = replace(first, games=(replace(first.games[0], entries=(one,) * count, results=(), comments=()),))
        assert (taken(long) is None) is (count > 1500)
    many = replace(first, games=tuple(Game(number=at, score=None, entries=(one,)) for at in range(1, 1002)))
    assert taken(many) is None
    assert taken(replace(many, games=many.games[:1000])) is not None


# --- what OGXM has no ply for ---------------------------------------------------------------


def test_a_roll_that_nobody_played_is_no_dance_for_others() -> None:
    whole = random_match(1, 5)
    count = max(at for at, entry in enumerate(whole.games[0].entries[:8]) if isinstance(entry, CheckerPlay))
    *before, roll = whole.games[0].entries[: count + 1]
    assert isinstance(roll, CheckerPlay)
    left = replace(roll, text=PlayText("nothing"))
    data = write((replace(whole, games=(replace(whole.games[0], entries=(*before, left), results=()),)),))
    (game,) = ogxm.binary_to_json(data)["games"]
    assert game["plies"][-1]["action_id"] == ActionCode.SET_POSITION
    assert game["plies"][-1]["color"] == (1 if roll.player == 0 else 0)
    found = read(Content(data, "x"))[0].games[0].entries[-1]
    assert isinstance(found, CheckerPlay)
    assert (found.player, set(found.dice or ()), found.text) == (roll.player, set(roll.dice or ()), left.text)
