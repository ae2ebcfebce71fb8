"""Records of one match are found, whatever they are called and however much of them there is."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bgtools.board.board import START
from bgtools.board.generation import legal_plays
from bgtools.comparison.comparing import compare
from bgtools.comparison.entries import swap_players
from bgtools.comparison.fingerprint import Fingerprint
from bgtools.comparison.grouping import Recorded, group
from bgtools.formats.reading import read
from bgtools.record.record import CheckerPlay, Game, Match
from selfplay import random_match, text_of
from support import CORPUS, needs_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def test_records_of_one_match_are_one_group() -> None:
    match = read(SAMPLES / "seven-point.mat")
    short = replace(match, games=match.games[:2])
    late = replace(match, games=match.games[3:])
    others = [random_match(number, 5, games=3) for number in range(6)]
    records = [
        *others[:3],
        match,
        swap_players(match),
        *others[3:],
        short,
        replace(others[0], players=("x", "y")),
        late,
    ]
    found = group(Recorded.of(each, f"{number}.mat") for number, each in enumerate(records))
    assert [[each.file for each in records] for records in found if len(records) > 1] == [
        ["0.mat", "9.mat"],
        ["3.mat", "4.mat", "8.mat", "10.mat"],
    ]
    assert len(found) == 7


def test_a_record_with_a_slip_in_every_tenth_roll_is_of_the_same_match() -> None:
    one = Recorded.of(read(SAMPLES / "seven-point.mat"), "a.mat")
    games = (re.findall("..", game) for game in one.fingerprint.text.split(".")[:-1])
    slips = ("".join("U?" if at % 10 == 5 else roll for at, roll in enumerate(game)) + "." for game in games)
    assert len(group([one, Recorded("b.mat", 1, Fingerprint("".join(slips)))])) == 1


def test_records_of_fewer_than_three_rolls_are_no_group() -> None:
    for text in ("", ".", "B1B2."):
        assert len(group([Recorded("a.mat", 1, Fingerprint(text)), Recorded("b.mat", 1, Fingerprint(text))])) == 2
    for text in ("B1B2B3.", "B1B2..B3."):
        assert len(group([Recorded("a.mat", 1, Fingerprint(text)), Recorded("b.mat", 1, Fingerprint(text))])) == 1


def test_matches_with_the_same_dice_are_two_where_they_were_played_otherwise() -> None:
    one = Fingerprint.of(random_match(3, 7))
    assert len(one) > 40
    few = iter("?" if at % 3 else play for at, play in enumerate(one.plays))
    two = Fingerprint(re.sub("([A-U])[^.]", lambda roll: roll[1] + next(few), one.text))
    assert one.agreement(two) == 1
    assert one.is_of(two)
    others = iter(random.Random(1).choices("0123456789", k=len(one)))
    two = Fingerprint(re.sub("([A-U])[^.]", lambda roll: roll[1] + next(others), one.text))
    assert one.agreement(two) == 1
    assert not one.is_of(two)
    assert len(group([Recorded("a.mat", 1, one), Recorded("b.mat", 1, two)])) == 2


def test_a_fingerprint_is_kept_as_a_text_of_two_letters_a_roll() -> None:
    match = read(SAMPLES / "seven-point.mat")
    one = Fingerprint.of(match)
    rolls = [entry for game in match.games for entry in game.entries if isinstance(entry, CheckerPlay)]
    assert (len(one), one.games, len(one.text)) == (len(rolls), len(match.games), 2 * len(rolls) + len(match.games))
    assert Fingerprint(one.text).keys() == one.keys()
    assert max(one.keys()) < 2**27
    for text in ("A", "V1.", "A1", "A-."):
        with pytest.raises(ValueError, match="no fingerprint"):
            Fingerprint(text)


def test_every_thirteen_rolls_in_a_row_hold_a_key_of_the_record() -> None:
    rng = random.Random(7)
    rolls = rng.choices("ABCDEFGHIJKLMNOPQRSTU", k=600)
    one = Fingerprint("".join(roll + "?" for roll in rolls) + ".").keys()
    for at in range(0, 580):
        part = Fingerprint("".join(roll + "?" for roll in rolls[at : at + 13]) + ".").keys()
        assert part & one, at
    assert len(one) < 600 / 4


def test_plays_of_the_same_roll_have_other_letters() -> None:
    for dice in ((2, 1), (6, 5), (3, 3)):
        rolled = [
            CheckerPlay(player=0, dice=dice, text=text_of(play))
            for play in {play.result: play for play in legal_plays(START, dice)}.values()
        ]
        told = Fingerprint.of(
            Match(players=("a", "b"), length=1, games=(Game(number=1, score=(0, 0), entries=tuple(rolled)),))
        ).plays
        assert len(set(told)) > 0.6 * len(rolled)


def test_grouping_looks_at_few_pairs_however_many_records_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    true = Fingerprint.is_of

    def counted(one: Fingerprint, two: Fingerprint) -> bool:
        nonlocal looked
        looked += 1
        return true(one, two)

    monkeypatch.setattr(Fingerprint, "is_of", counted)
    rng = random.Random(3)
    prints = [
        Fingerprint("".join(rng.choice("ABCDEFGHIJKLMNOPQRSTU") + "?" for _ in range(120)) + ".") for _ in range(500)
    ]
    shorter = [Fingerprint(each.text[:80] + ".") for each in prints]
    records = [Recorded(str(number), 1, each) for number, each in enumerate((*prints, *shorter, *prints))]
    found = group(records)
    assert [len(each) for each in found] == [3] * 500
    assert looked < 2 * 500


def test_single_games_belong_together_by_a_record_of_the_whole_match() -> None:
    match = read(SAMPLES / "seven-point.mat")
    match = replace(match, players=("", ""))
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
