"""Records of one match are found, whatever they are called and however much of them there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bgtools.comparison import Recorded, compare, group, turned
from bgtools.formats import read
from selfplay import random_match
from support import CORPUS, needs_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def test_records_of_one_match_are_one_group() -> None:
    match = read(SAMPLES / "seven-point.mat")
    short = replace(match, games=match.games[:2])
    late = replace(match, games=match.games[3:])
    others = [random_match(number, 5, games=3) for number in range(6)]
    records = [*others[:3], match, turned(match), *others[3:], short, replace(others[0], players=("x", "y")), late]
    found = group(Recorded.of(each, f"{number}.mat") for number, each in enumerate(records))
    assert [[each.file for each in records] for records in found if len(records) > 1] == [
        ["0.mat", "9.mat"],
        ["3.mat", "4.mat", "8.mat", "10.mat"],
    ]
    assert len(found) == 7


def test_a_record_with_a_slip_in_every_tenth_roll_is_of_the_same_match() -> None:
    one = Recorded.of(read(SAMPLES / "seven-point.mat"), "a.mat")
    slips = tuple(tuple((6, 6) if at % 10 == 5 else roll for at, roll in enumerate(game)) for game in one.rolls)
    assert len(group([one, Recorded("b.mat", 1, slips)])) == 1


def test_records_without_rolls_are_no_group() -> None:
    assert len(group([Recorded("a.mat", 1, ()), Recorded("b.mat", 1, ((),))])) == 2


def test_single_games_belong_together_by_a_record_of_the_whole_match() -> None:
    match = read(SAMPLES / "seven-point.mat")
    games = [replace(match, games=(game,)) for game in match.games if len(game.entries) > 20]
    assert len(group(Recorded.of(each, "game.mat") for each in games)) == len(games) > 2
    assert len(group(Recorded.of(each, "game.mat") for each in (*games, match))) == 1


@needs_corpus
def test_a_real_match_in_three_formats_is_one_group() -> None:
    paths = [CORPUS / "mat" / "kevung__gbf__test.txt", *CORPUS.glob("*/kevung__gbf__test.[sx]g*")]
    assert {path.suffix for path in paths} == {".txt", ".sgf", ".xg"}
    matches = [read(path) for path in paths]
    assert len(group(Recorded.of(each, path.name) for each, path in zip(matches, paths, strict=True))) == 1
    for each in matches[1:]:
        # The number that the program gave the match has a sign in one of them.
        assert [
            found.message for found in compare(matches[0], each).differences if "Match ID" not in found.message
        ] == []
