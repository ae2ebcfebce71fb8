"""Finding positions: what a search gives is what a look at every position gives."""

from __future__ import annotations

import random
import re
from dataclasses import fields, replace
from functools import partial
from inspect import signature
from itertools import chain, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from records import made, put

import bgtools
from annotated import analysed
from bgtools.board.board import BAR, Board, checkers
from bgtools.cli.library.find import find_command
from bgtools.library import likeness, searching
from bgtools.library.library import Library
from bgtools.library.likeness import distances, pips_apart
from bgtools.library.recording import figures_of
from bgtools.library.results import decisions_at
from bgtools.library.search import Search, board_columns
from bgtools.library.storage import LibraryError
from bgtools.positions.notations import decode_id
from bgtools.positions.position import Position, to_signed
from bgtools.record.record import CheckerPlay, Double
from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bgtools.analysis.rows import DecisionRow
    from bgtools.library.results import DecisionKey, Hit, SearchResult

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = ("seven-point.mat", "money.mat")
SEEDS = range(4)


class Seen(NamedTuple):
    """A position of the library, as a replay of its record shows it."""

    file: str
    game: int
    entry: int
    turn: int
    name: str
    opponent: str
    position: Position
    action: str
    played: str
    phase: str

    @property
    def board(self) -> Board:
        return self.position.board


def seen_in(path: Path) -> list[Seen]:
    match = bgtools.read(path)
    found = []
    analysis = bgtools.analyse(match, engine=None)
    rows = iter(analysis.analysis.turns)
    for game in bgtools.replay(match):
        for turn in game.turns:
            row = next(rows)
            if turn.is_surplus or not isinstance(turn.entry, CheckerPlay | Double):
                continue
            dice = (int(row.dice[0]), int(row.dice[1])) if row.dice else None
            found.append(
                Seen(
                    str(path),
                    row.game,
                    row.entry,
                    row.turn,
                    row.name,
                    match.players[1 - turn.player],
                    Position(turn.before, turn.state, dice),
                    row.action,
                    row.played,
                    row.phase,
                )
            )
    return found


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("found")
    paths = [SAMPLES / name for name in NAMES] + put(folder / "in", *SEEDS)
    judged = folder / "judged.sgf"
    judged.write_bytes(bgtools.convert(analysed(made(9), 1), to="sgf", verify=False).data)
    library = Library(folder / "library")
    library.add([*paths, judged])
    return library


@pytest.fixture(scope="module")
def seen(library: Library) -> list[Seen]:
    paths = [Path(path) for (path,) in library.sql("SELECT path FROM sources").fetchall()]
    return [*chain.from_iterable(map(seen_in, paths))]


def places(hits: Sequence[Hit]) -> set[tuple[str, int, int]]:
    return {(hit.path, hit.game, hit.entry) for hit in hits}


def every(library: Library, **asked: object) -> SearchResult:
    return library.find(limit=None, per="position", **asked)


def assert_finds(found: SearchResult, seen: Sequence[Seen], fits: Callable[[Seen], bool], least: int = 1) -> None:
    expected = {(each.file, each.game, each.entry) for each in seen if fits(each)}
    assert len(expected) >= least
    assert places(found.hits) == expected
    assert found.positions == len(found.hits) == len(expected)
    assert found.matches == len({file for file, _, _ in expected})


# --- by an ID -------------------------------------------------------------------------------


def state_of(position: Position) -> tuple[object, ...]:
    state = position.state
    return (position.board, state.away, state.crawford, state.cube)


def is_same(position: Position, other: Seen) -> bool:
    return state_of(other.position) == state_of(position) and other.position.dice == position.dice


def sample_of(seen: Sequence[Seen], count: int) -> list[Seen]:
    return random.Random(1).sample([each for each in seen if each.action == "roll"], count)


def test_an_xgid_finds_its_board_score_cube_and_dice(library: Library, seen: list[Seen]) -> None:
    for each in sample_of(seen, 8):
        assert_finds(
            every(library, position=each.position.xgid),
            seen,
            partial(is_same, each.position),
        )
        hit = every(library, position=each.position.xgid).hits[0]
        assert hit.distance == 0
        again, wanted = decode_id(hit.xgid), each.position
        assert (*state_of(again), again.dice) == (*state_of(wanted), wanted.dice)


def test_without_dice_any_roll_is_found(library: Library, seen: list[Seen]) -> None:
    start = Position(state=MatchState(3))
    assert_finds(every(library, position=start.xgid), seen, lambda each: state_of(each.position) == state_of(start), 5)


@pytest.mark.parametrize("notation", ["list", "simple", "set-pos", "gnubg"])
def test_what_an_id_does_not_tell_is_not_asked(library: Library, seen: list[Seen], notation: str) -> None:
    position = next(
        each.position for each in seen if each.position.state.cube.value == 2 and each.position.state.length
    )
    text = position.id(notation)
    if notation == "gnubg":
        text = text.partition(":")[0]
    cube = notation == "set-pos"
    assert_finds(
        every(library, position=text),
        seen,
        lambda each: each.board == position.board and (not cube or each.position.state.cube == position.state.cube),
    )


def test_a_board_is_found_at_any_score_and_cube(library: Library, seen: list[Seen]) -> None:
    text = Position(dice=(3, 1), state=MatchState(11, (4, 2), Cube(4, "mine"))).xgid
    assert not every(library, position=text).hits
    assert_finds(
        every(library, position=text, how="board"),
        seen,
        lambda each: each.board == Position().board and each.position.dice == (3, 1),
        2,
    )


def test_the_other_side_is_found_only_where_it_is_asked_for_and_told_apart(library: Library, seen: list[Seen]) -> None:
    boards = {each.board for each in seen}
    there = next(each for each in seen if each.board.flipped() in boards and each.board != each.board.flipped())
    text = Position(there.board).id("list")
    straight, both = every(library, position=text), every(library, position=text, mirrored=True)
    assert_finds(straight, seen, lambda each: each.board == there.board)
    assert_finds(both, seen, lambda each: each.board in (there.board, there.board.flipped()))
    turned = [hit for hit in both.hits if hit.mirrored]
    assert both.mirrored == len(turned) == both.positions - straight.positions > 0
    assert all(hit.position.board == there.board.flipped() for hit in turned)
    assert both.plays == straight.plays


def test_a_doubled_position_finds_doubles_and_their_answers(library: Library, seen: list[Seen]) -> None:
    doubled = next(each for each in seen if each.action == "double")
    position = Position(doubled.board, doubled.position.state, offer="double")
    found = every(library, position=position.xgid)
    assert_finds(found, seen, lambda each: each.action == "double" and state_of(each.position) == state_of(position))
    assert [each.played for each in found.plays] in (["Take"], ["Pass"])
    assert found.hits[0].show.endswith(f"-g {doubled.game} -e {doubled.entry}")


def test_how_a_board_was_played_is_counted_by_roll(library: Library, seen: list[Seen]) -> None:
    found = library.find(position=Position().id("list"))
    there = [each for each in seen if each.board == Position().board]
    plays = [each for each in found.plays if each.dice]
    assert len(plays) > 10
    for play in plays:
        rolled = [each for each in there if each.position.dice == (int(play.dice[0]), int(play.dice[1]))]
        assert play.times == sum(each.played == play.played for each in rolled)
        assert play.share == play.times / len(rolled)
    assert sum(play.times for play in plays) == len(there)
    assert not [each for each in found.plays if not each.dice], "nobody can double before the first roll"


def test_another_board_with_the_same_key_is_not_found(
    library: Library, seen: list[Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgtools.library.search.some_positions", lambda _connection, _keys: "positions")
    blind = Library(library.location)
    for each in sample_of(seen, 3):
        for mirrored in (False, True):
            boards = (each.board, each.board.flipped()) if mirrored else (each.board,)
            found = every(blind, position=Position(each.board), how="board", mirrored=mirrored)
            assert places(found.hits) == {(one.file, one.game, one.entry) for one in seen if one.board in boards}


def test_checkers_elsewhere_or_off_make_another_board() -> None:
    few, many = (Board(checkers({6: 2, 4: 1}, total=most), checkers({5: 3}, total=most)) for most in (3, 15))
    uneven = replace(few, mine=many.mine)
    more = Board(checkers({6: 2, 4: 1, 1: 1}), checkers({5: 3}))
    other = Board(checkers({6: 1, 5: 2}), checkers({6: 1, 5: 1, 4: 1}))
    for one, two in permutations((few, many, uneven, more, other, few.flipped()), 2):
        assert all(figures_of([one])[name][0] == value for name, value in board_columns(one))
        assert not all(figures_of([two])[name][0] == value for name, value in board_columns(one))


def test_a_text_that_is_no_position_is_refused_with_the_reason(library: Library) -> None:
    with pytest.raises(LibraryError, match=r"'nonsense' is not a position: a GNU Position ID has 14 characters"):
        library.find(position="nonsense")


# --- similar boards -------------------------------------------------------------------------


def pips_of(side: Sequence[int]) -> list[int]:
    return sorted(chain.from_iterable([point] * count for point, count in enumerate(side)))


def test_distance_is_that_of_the_best_pairing_of_checkers(seen: list[Seen]) -> None:
    import numpy as np

    boards = [each.board for each in sample_of(seen, 20)]
    for one in boards:
        for two in boards[:5]:
            # On a line the cheapest pairing keeps the order.
            expected = sum(
                abs(a - b)
                for mine, theirs in ((one.mine, two.mine), (one.theirs, two.theirs))
                for a, b in zip(pips_of(mine), pips_of(theirs), strict=True)
            )
            (apart,) = pips_apart(np.array([to_signed(one)], np.int16), two).tolist()
            assert apart == expected >= abs(one.pips[0] - two.pips[0]) + abs(one.pips[1] - two.pips[1])


def rows_of(positions: Sequence[Position]) -> dict[str, Any]:
    """Positions as columns of the table of positions."""
    import numpy as np

    cells = [likeness._cells(each) for each in positions]
    return {name: np.array([row[name] for row in cells]) for name in cells[0]}


@pytest.mark.parametrize("mirrored", [False, True])
def test_similar_positions_are_the_nearest_of_each_match(library: Library, seen: list[Seen], mirrored: bool) -> None:
    board = Board(checkers({24: 2, 13: 4, 8: 3, 6: 4, 5: 2}), checkers({24: 1, 20: 1, 13: 5, 8: 3, 6: 5}))
    wanted = Position(board)
    faces = [wanted, wanted.flipped()] if mirrored else [wanted]
    apart = [distances(rows_of([each.position for each in seen]), face) for face in faces]
    nearest: dict[str, float] = {}
    for at, each in enumerate(seen):
        here = float(min(some[at] for some in apart))
        nearest[each.file] = min(nearest.get(each.file, here), here)
    found = library.find(position=wanted, how="similar", mirrored=mirrored, limit=None)
    assert {hit.path for hit in found.hits} <= set(nearest)
    assert len(found.hits) > 1
    for hit in found.hits:
        assert hit.distance == pytest.approx(nearest[hit.path], abs=0.006)
    assert [hit.distance for hit in found.hits] == sorted(hit.distance or 0 for hit in found.hits)
    few = library.find(position=wanted, how="similar", mirrored=mirrored, limit=2)
    assert few.hits == found.hits[:2]
    within = found.hits[1].distance
    close = library.find(position=wanted, how="similar", mirrored=mirrored, within=within)
    assert {hit.distance for hit in close.hits} <= {found.hits[0].distance, within}


def test_the_position_itself_is_the_most_like_it(library: Library, seen: list[Seen]) -> None:
    for each in sample_of(seen, 6):
        found = library.find(position=each.position, how="similar", limit=1)
        assert found.hits[0].distance == 0
        assert found.hits[0].position.board == each.board


def test_likeness_is_by_structure_race_cube_and_score(seen: list[Seen]) -> None:
    home = Board(checkers({24: 2, 13: 5, 8: 3, 6: 5}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
    five = Board(checkers({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
    blot = Board(checkers({24: 2, 13: 5, 8: 3, 6: 4, 5: 1}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
    bar = Board(checkers({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
    base = Position(home)
    many = [base, Position(five), Position(blot), Position(bar)]
    far = distances(rows_of(many), base)
    assert far[0] == 0
    assert all(each > 0.5 for each in far[1:])
    cubes = [replace(base, state=replace(base.state, cube=Cube(2, owner))) for owner in ("mine", "theirs")]
    owned = distances(rows_of([*cubes]), cubes[0])
    assert owned[0] == 0 < owned[1]
    scores = [replace(base, state=replace(base.state, length=7, score=score)) for score in ((0, 0), (1, 0), (5, 0))]
    told = distances(rows_of(scores), scores[0])
    assert 0 == told[0] < told[1] < told[2]
    for one in sample_of(seen, 5):
        for two in sample_of(seen, 7):
            there, back = (distances(rows_of([a.position]), b.position)[0] for a, b in ((one, two), (two, one)))
            assert there == pytest.approx(back, abs=1e-4)


def test_how_similar_positions_were_played_adds_up(library: Library, seen: list[Seen]) -> None:
    """By play and in words alike; with dice only that roll."""
    ((name, *_),) = library.sql("SELECT person, count(*) FROM players GROUP BY 1 ORDER BY 2 DESC LIMIT 1").fetchall()
    library.say_me(name)
    each = next(each for each in seen if each.position.dice is not None and each.board == Position().board)
    found = library.find(position=each.position, how="similar", limit=3)
    assert found.alike > 2
    assert found.position == each.position
    rolls = [play for play in found.plays if play.dice]
    dice = each.position.dice or (0, 0)
    assert {play.dice for play in rolls} == {f"{max(dice)}{min(dice)}"}
    assert sum(play.times for play in rolls) == found.alike
    for some in (found.plays, found.answer.kinds):
        assert sum(play.times for play in some) == found.alike
        assert sum(play.share for play in some) == pytest.approx(1)
        assert 0 < sum(play.by_me for play in some) < found.alike
        assert all(play.judged >= play.best for play in some)
    words = {play.played for play in found.answer.kinds}
    assert words == {play.kind for play in found.plays}


# --- by structure ---------------------------------------------------------------------------


def longest(side: Sequence[int]) -> int:
    return max(map(len, "".join("x" if count >= 2 else " " for count in side[1:BAR]).split()), default=0)


ASKED: list[tuple[dict[str, object], Callable[[Seen], bool]]] = [
    ({"prime": (4, None)}, lambda each: longest(each.board.mine) >= 4),
    ({"opponent_prime": (3, 4)}, lambda each: 3 <= longest(each.board.theirs) <= 4),
    ({"lead": (20, 40)}, lambda each: 20 <= each.board.pips[1] - each.board.pips[0] <= 40),
    ({"lead": (None, -30)}, lambda each: each.board.pips[1] - each.board.pips[0] <= -30),
    ({"pips": (100, 110)}, lambda each: 100 <= each.board.pips[0] <= 110),
    ({"opponent_pips": (None, 60)}, lambda each: each.board.pips[1] <= 60),
    ({"on_bar": ("own",)}, lambda each: each.board.mine[BAR] > 0),
    ({"on_bar": ("opponent",)}, lambda each: each.board.theirs[BAR] > 0),
    ({"off": (1, None)}, lambda each: each.board.mine[0] >= 1),
    ({"opponent_off": (3, 8)}, lambda each: 3 <= each.board.theirs[0] <= 8),
    ({"back": (3, None)}, lambda each: sum(each.board.mine[19:]) >= 3),
    ({"points": (5, 4)}, lambda each: each.board.mine[5] >= 2 and each.board.mine[4] >= 2),
    ({"opponent_points": (20,)}, lambda each: each.board.theirs[5] >= 2),
    ({"blots": (5,)}, lambda each: each.board.mine[5] == 1),
    ({"opponent_blots": (5,)}, lambda each: each.board.theirs[20] == 1),
    ({"phases": ("race", "bear-off")}, lambda each: each.phase in ("race", "bear-off")),
    ({"cube": "own"}, lambda each: each.position.state.cube.owner == "mine"),
    ({"cube": "opponent's", "cube_value": 2}, lambda each: each.position.state.cube == Cube(2, "theirs")),
    ({"away": (3, 3)}, lambda each: each.position.state.away == (3, 3)),
    ({"away": (0, 0)}, lambda each: each.position.state.is_money),
    ({"crawford": True}, lambda each: each.position.state.crawford),
    ({"dice": "64"}, lambda each: each.position.dice == (6, 4)),
    ({"action": "double"}, lambda each: each.action == "double"),
    ({"player": "ann"}, lambda each: each.name == "Ann"),
    ({"opponent": "BOB"}, lambda each: each.opponent == "Bob"),
    ({"where": "m.length = 7 AND p.turn = 3"}, lambda each: each.position.state.length == 7 and each.turn == 3),
    (
        {"prime": (3, None), "on_bar": ("opponent",), "cube": "centred", "lead": (10, None)},
        lambda each: (
            longest(each.board.mine) >= 3
            and each.board.theirs[BAR] > 0
            and each.position.state.cube.owner == "centre"
            and each.board.pips[1] - each.board.pips[0] >= 10
        ),
    ),
]


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize(("asked", "fits"), ASKED, ids=[" ".join(asked) for asked, _ in ASKED])
def test_a_structure_finds_what_a_look_at_every_board_finds(
    library: Library, seen: list[Seen], asked: dict[str, object], fits: Callable[[Seen], bool]
) -> None:
    assert_finds(every(library, **asked), seen, fits)


def after(position: Position, play: str) -> Board | None:
    try:
        return position.play(play).board
    except ValueError:
        return None


def test_a_play_is_found_in_any_spelling_by_what_it_does(library: Library, seen: list[Seen]) -> None:
    rolls = [each for each in seen if each.action == "roll" and each.played != "Cannot Move"]
    twofold = [each.played for each in rolls if each.played.count("/") == 2 and not {"*", "("} & set(each.played)]
    first, second = max(twofold, key=twofold.count).split()
    expected = {
        (each.file, each.game, each.entry)
        for each in rolls
        if (result := after(each.position, f"{first} {second}")) and result == after(each.position, each.played)
    }
    assert len(expected) > 1
    for spelling in (f"{second} {first}", f"{first.replace('/', '-')}, {second}"):
        assert places(every(library, played=spelling).hits) == expected


def test_a_star_asks_for_a_hit(library: Library) -> None:
    written = next(hit.played for hit in every(library, action="roll").hits if "*" in hit.played)
    with_star, without = every(library, played=written), every(library, played=written.replace("*", ""))
    assert with_star.hits
    assert all("*" in hit.played for hit in with_star.hits)
    assert places(with_star.hits) <= places(without.hits)
    with pytest.raises(LibraryError, match="this is not a play"):
        library.find(played="whatever")


def test_one_a_game_is_its_first_and_one_a_match_too(library: Library) -> None:
    asked = {"pips": (None, 120)}
    searching = every(library, **asked).hits
    for per, group in (("game", lambda hit: (hit.record, hit.game)), ("match", lambda hit: hit.record)):
        first: dict[object, tuple[int, int]] = {}
        for hit in searching:
            place = (hit.game, hit.entry)
            first[group(hit)] = min(first.get(group(hit), place), place)
        listed = library.find(per=per, limit=None, **asked)
        assert {group(hit): (hit.game, hit.entry) for hit in listed.hits} == first
        assert listed.positions == len(searching)
        assert library.find(per=per, limit=2, **asked).hits == listed.hits[:2]


# --- what was analysed ----------------------------------------------------------------------


def test_losses_and_themes_are_those_of_the_decisions(library: Library) -> None:
    rows = library.sql(
        "SELECT game, entry - (kind IN ('take', 'pass'))::INTEGER, kind, loss, themes FROM decisions "
        "WHERE kind IN ('checker play', 'no double', 'double') AND loss IS NOT NULL"
    ).fetchall()
    assert len(rows) > 50
    found = every(library, loss=(0.05, None), by="loss")
    costly = {(game, entry) for game, entry, _, loss, _ in rows if loss >= 0.05}
    assert {(hit.game, hit.entry) for hit in found.hits} == costly
    losses = [hit.loss or 0.0 for hit in found.hits]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] >= 0.05
    assert found.judged == len(costly)
    assert found.loss == pytest.approx(sum(losses) / len(losses))
    theme = max({name for *_, themes in rows for name in themes.split(", ") if name})
    named = every(library, themes=(theme,))
    assert {(hit.game, hit.entry) for hit in named.hits} == {
        (game, entry) for game, entry, *_, themes in rows if theme in themes.split(", ")
    }
    assert all(hit.decision is not None and theme in hit.decision.themes for hit in named.hits)


def test_a_hit_has_the_decision_with_its_choices(library: Library) -> None:
    hit = every(library, loss=(0.001, None), dice="64").hits[0]
    row = hit.decision
    assert row is not None
    assert (row.kind, row.dice, row.played, row.xgid) == ("checker play", "64", hit.played, hit.xgid)
    assert [each.rank for each in row.choices] == sorted(each.rank for each in row.choices)
    made, best = (
        next(each for each in row.choices if each.made),
        row.choices[0],
    )
    assert (made.choice, best.choice) == (row.played, row.best)
    assert best.equity - made.equity == pytest.approx(row.loss)


def test_decisions_of_hits_are_read_when_one_is_asked_for_and_all_at_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(connection: Any, places: Collection[DecisionKey]) -> dict[DecisionKey, DecisionRow]:
        asked.append(len(places))
        return decisions_at(connection, places)

    monkeypatch.setattr(searching, "decisions_at", counted)
    found = every(library, loss=(0.01, None))
    assert len(found.hits) > 1
    assert all(hit.loss is not None and hit.loss >= 0.01 for hit in found.hits)
    assert asked == []
    library.find(dice="31")
    for hit in found.hits:
        row, verdict = hit.decision, hit.verdict
        assert row is not None
        assert verdict is not None
        assert verdict.key == (hit.record, row.game, row.entry, row.kind)
        assert (verdict.best, verdict.loss) == (row.best, row.loss)
    assert asked == [len(found.hits)]


def test_what_a_board_cost_is_the_mean_of_its_plays(library: Library) -> None:
    plays = library.find(position=Position().id("list")).plays
    known = {
        (dice, played): (count, mean)
        for dice, played, count, mean in library.sql(
            "SELECT dice, played, count(loss), avg(loss) FROM decisions "
            "WHERE kind = 'checker play' AND turn = 1 GROUP BY ALL"
        ).fetchall()
    }
    assert known
    told = {(each.dice, each.played): (each.judged, each.loss) for each in plays if each.judged}
    assert told.keys() == known.keys()
    assert all(told[play] == pytest.approx(known[play]) for play in known)


# --- what cannot be asked -------------------------------------------------------------------


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"where": "1 = 1; DROP VIEW turns"}, "syntax error"),
    ({"where": "1 = 1) ; (SELECT 1"}, "give one condition"),
    ({"where": "nonsense(p)"}, "nonsense"),
    ({"where": "EXISTS (SELECT 1 FROM read_csv('/etc/passwd'))"}, "disabled by configuration"),
    ({"player": "Zoe"}, "no player is named Zoe; there are: "),
    ({"points": (0,)}, "points run from 1 to 24, not 0"),
    ({"how": "similar"}, "a search for similar boards needs a position"),
    ({"how": "board", "dice": "31"}, "a search for the same board needs a position"),
    ({"mirrored": True}, "a search for a mirrored position needs a position"),
    ({"within": 3.0, "position": Position()}, "goes with a search for similar boards"),
]


@pytest.mark.parametrize(("asked", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_cannot_be_asked_is_refused_in_a_line(library: Library, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(LibraryError, match=said) as caught:
        library.find(**asked)
    assert "\n" not in str(caught.value)
    assert library.find(dice="64").hits, "the next question is answered"


def test_a_search_is_a_plain_value(library: Library) -> None:
    search = Search(dice="64")
    assert library.find(search, limit=3) == library.find(dice="64", limit=3)
    assert library.find(search, dice="31", limit=3) == library.find(dice="31", limit=3)


def test_sql_writes_positions_as_xgids(library: Library, seen: list[Seen]) -> None:
    told = library.sql("SELECT xgid_of(p), can_double(p), path, p.game, p.entry FROM positions p "
                       "JOIN matches USING (record) JOIN sources USING (source)").fetchall()  # fmt: skip
    there = {(each.file, each.game, each.entry): each for each in seen}
    assert len(told) == len(there)
    for xgid, can_double, *place in told:
        each, position = there[tuple(place)], decode_id(xgid)
        assert state_of(position) == state_of(each.position)
        assert (position.dice, position.offer == "double") == (each.position.dice, each.action == "double")
        state = each.position.state
        assert can_double == (each.turn > 1 and state.may_double and not state.is_cube_dead)


def test_every_attribute_of_a_search_is_described_and_is_an_option() -> None:
    text = (Path(__file__).parents[2] / "docs" / "library-find.md").read_text(encoding="utf-8")
    command = signature(find_command).parameters
    for each in fields(Search):
        assert f"`{each.name}`" in text
    named = set(re.findall(r"`--([a-z-]+)`", text.partition("## What comes of it")[0]))
    assert named - {"board", "similar"} <= {name.replace("_", "-") for name in command}
    others = {"position", "library", "limit", "layout", "output", "quiz", "force", "engine", "level", "reason"}
    assert {name.replace("_", "-") for name in command} - named <= others
