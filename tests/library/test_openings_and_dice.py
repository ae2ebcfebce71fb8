"""Openings and dice of a library: the same figures as from the records, one by one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from records import NAMES, made, put

import bgtools
from annotated import analysed
from bgtools.analysis.dice import RollCounts, dice_report, dice_tests, rolls_of
from bgtools.library.library import Library
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from bgtools.library.openings import Opening
    from bgtools.replayer.turn import GameReplay, Turn

SEEDS = range(12)
SAMPLE = Path(__file__).parents[2] / "samples" / "seven-point.mat"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("openings")
    paths = put(folder / "in", *SEEDS)
    judged = folder / "judged.sgf"
    judged.write_bytes(bgtools.convert(analysed(made(50), 1), to="sgf", verify=False).data)
    library = Library(folder / "library")
    library.add([*paths, judged])
    return library


@pytest.fixture(scope="module")
def games(library: Library) -> list[tuple[tuple[str, str], GameReplay]]:
    paths = library.sql("SELECT path FROM sources").fetchall()
    return [(bgtools.read(path).players, game) for (path,) in paths for game in bgtools.replay(path)]


def first_rolls(game: GameReplay) -> list[Turn]:
    return [turn for turn in game.turns if turn.play is not None and str(turn.entry).startswith("CheckerPlay")][:2]


def dice_of(turn: Turn) -> str:
    dice = turn.entry.dice  # type: ignore[union-attr]
    assert dice is not None
    return f"{max(dice)}{min(dice)}"


def test_openings_are_counted_with_what_became_of_them(
    library: Library, games: list[tuple[tuple[str, str], GameReplay]]
) -> None:
    points: dict[tuple[str, str], list[int]] = defaultdict(list)
    gammons: Counter[tuple[str, str]] = Counter()
    for _, game in games:
        turn = first_rolls(game)[0]
        play = (dice_of(turn), str(turn.play))
        assert game.points is not None
        won = game.winner == turn.player
        points[play].append(game.points if won else -game.points)
        gammons[play] += won and (game.level or 1) > 1
    found = library.openings()
    assert {(each.dice, each.played): each.times for each in found} == {
        play: len(all_) for play, all_ in points.items()
    }
    rolls = Counter(dice for dice, _ in points for _ in points[dice, _])
    for each in found:
        results = points[each.dice, each.played]
        assert each.share == each.times / rolls[each.dice]
        assert (each.finished, each.to, each.field) == (each.times, "", None)
        assert each.won == sum(point > 0 for point in results) / len(results)
        assert each.gammons == gammons[each.dice, each.played] / len(results)
        assert each.points == pytest.approx(sum(results) / len(results))
        if each.error is not None:
            mean = sum(results) / len(results)
            variance = sum((point - mean) ** 2 for point in results) / (len(results) - 1)
            assert each.error == pytest.approx((variance / len(results)) ** 0.5)
    assert [*map(order_of, found)] == sorted(map(order_of, found))


def order_of(each: Opening) -> tuple[str, str, int, str]:
    return each.to, each.dice, -each.times, each.played


def test_replies_are_told_by_the_opening_that_they_answer(
    library: Library, games: list[tuple[tuple[str, str], GameReplay]]
) -> None:
    expected: Counter[tuple[str, str, str]] = Counter()
    for _, game in games:
        rolls = first_rolls(game)
        if len(rolls) == 2:
            opening, reply = rolls
            expected[f"{dice_of(opening)}: {opening.play}", dice_of(reply), str(reply.play)] += 1
    # A double that was passed, or a dance, is not a reply.
    found = {(each.to, each.dice, each.played): each.times for each in library.openings(replies=True)}
    assert found == expected
    to = next(iter(found))[0]
    dice, _, played = to.partition(": ")
    some = library.openings(replies=True, dice=dice, played=" ".join(reversed(played.split())))
    assert {each.to for each in some} == {to}
    assert {(each.to, each.dice, each.played): each.times for each in some} == {
        play: times for play, times in expected.items() if play[0] == to
    }


def test_a_player_stands_beside_everybody_else(
    library: Library, games: list[tuple[tuple[str, str], GameReplay]]
) -> None:
    own: Counter[tuple[str, str]] = Counter()
    others: Counter[tuple[str, str]] = Counter()
    for names, game in games:
        turn = first_rolls(game)[0]
        (own if names[turn.player] == NAMES[0] else others)[dice_of(turn), str(turn.play)] += 1
    found = library.openings(player=NAMES[0].upper())
    assert {(each.dice, each.played): each.times for each in found} == own
    for each in found:
        rolled = sum(times for (dice, _), times in others.items() if dice == each.dice)
        assert each.field == (others[each.dice, each.played] / rolled if rolled else None)


def test_what_openings_lost_is_told_where_it_was_analysed(library: Library) -> None:
    known = library.sql(
        "SELECT dice, played, loss FROM decisions WHERE turn = 1 AND kind = 'checker play' AND loss IS NOT NULL"
    ).fetchall()
    assert known
    found = {(each.dice, each.played): each for each in library.openings()}
    for dice, played, _ in known:
        losses = [loss for *play, loss in known if play == [dice, played]]
        assert found[dice, played].judged == len(losses)
        assert found[dice, played].loss == pytest.approx(sum(losses) / len(losses))
    assert sum(each.judged for each in found.values()) == len(known)


def test_nobody_and_no_play_are_refused(library: Library) -> None:
    with pytest.raises(LibraryError, match="no player is named Zoe"):
        library.openings(player="Zoe")
    with pytest.raises(LibraryError, match="this is not a play"):
        library.openings(played="dance")


# --- dice -----------------------------------------------------------------------------------


def test_the_dice_of_one_match_are_tested_as_its_report_does(tmp_path: Path) -> None:
    library = Library(tmp_path)
    library.add([SAMPLE])
    match = bgtools.read(SAMPLE)
    rolled = rolls_of(bgtools.replay(match))
    report = dice_report(rolled, match.players)
    for by, name, player in (("all", "", None), ("player", match.players[0], 0), ("player", match.players[1], 1)):
        found = library.fairness(by, least=1)  # type: ignore[arg-type]
        ours = [row for row in found.tests if row.name == name]
        theirs = [row for row in report.tests if row.player == player]
        figures = ("test", "rolls", "statistic", "expected", "chance", "method")
        assert [[getattr(row, each) for each in figures] for row in ours] == [
            [getattr(row, each) for each in figures] for row in theirs
        ]
    assert found.rolls == len(rolled)


def test_the_dice_of_many_matches_are_those_of_each_one_after_the_other(
    library: Library, games: list[tuple[tuple[str, str], GameReplay]]
) -> None:
    paths = library.sql("SELECT path FROM sources").fetchall()
    times: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    products: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for (path,) in paths:
        names = bgtools.read(path).players
        rolled = rolls_of(bgtools.replay(path))
        for player in (0, 1):
            counted = RollCounts.of([dice for who, dice in rolled if who == player])
            times[names[player]].update(counted.times)
            products[names[player]] += counted.products
            pairs[names[player]] += counted.pairs
    order = sorted(times, key=lambda name: (-times[name].total(), name))
    expected = dice_tests([(None, name, RollCounts(times[name], products[name], pairs[name])) for name in order])
    found = library.fairness("player", least=1)
    assert found.tests == expected
    assert found.groups == len(NAMES)
    assert {name: dict(counts) for name, counts in found.times.items()} == {
        name: {roll: times[name][roll] for roll in found.times[name]} for name in order
    }


def test_groups_of_few_rolls_are_left_out_and_the_rest_corrected_for_what_is_tested(library: Library) -> None:
    every = library.fairness("player", least=1)
    rolls = sorted({row.name: row.rolls for row in every.tests}.values())
    most = library.fairness("player", least=rolls[1])
    assert (most.groups, most.left_out) == (len(rolls) - 1, 1)
    assert most.rolls == sum(rolls[1:])
    least = min(most.tests, key=lambda row: row.chance or 1.0)
    assert least.chance is not None
    assert least.corrected == pytest.approx(min(least.chance * len(most.tests), 1.0))
    assert library.fairness("player", least=10**9).tests == ()


def test_dice_that_are_loaded_are_found_out(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    folder = tmp_path / "in"
    folder.mkdir()
    text = SAMPLE.read_text(encoding="utf-8")
    (folder / "fair.mat").write_text(text, encoding="utf-8")
    library.add([folder])
    assert not significant(library)
    # Every roll that could be a 66 is one, whatever is played with it.
    lines = [
        "".join(f"66:{part[3:]}" if part[:1].isdigit() and part[2:3] == ":" else part for part in pieces(line))
        for line in text.splitlines(keepends=True)
    ]
    loaded = Library(tmp_path / "loaded")
    (tmp_path / "loaded.mat").write_text("".join(lines), encoding="utf-8")
    loaded.add([tmp_path / "loaded.mat"])
    assert significant(loaded) >= {"faces", "pairs", "doubles"}


def significant(library: Library) -> set[str]:
    return {row.test for row in library.fairness(least=1).tests if row.corrected is not None and row.corrected < 0.05}


def pieces(line: str) -> list[str]:
    return re.split(r"(?<= )(?=[1-6][1-6]:)", line)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("by", ["place", "event", "source", "folder"])
def test_rolls_are_told_apart_by_where_they_come_from(library: Library, by: str) -> None:
    found = library.fairness(by, least=1)  # type: ignore[arg-type]
    names = {row.name for row in found.tests}
    assert found.rolls == library.fairness(least=1).rolls
    if by == "source":
        assert names == {"mat", "sgf"}
    if by == "folder":
        folders = {str(Path(path).parent) + "/" for (path,) in library.sql("SELECT path FROM sources").fetchall()}
        assert names == folders
