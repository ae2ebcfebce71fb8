"""The decoder: what it makes of sound records, of slips, and of what cannot be known; and its edits as text."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from bench_repair import GONE, is_same, with_several
from bgtools.board.play import PlayText
from bgtools.checks.checking import check
from bgtools.decoder.interpretation import Effort, decode
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.formats.rendering import render
from bgtools.record.record import CheckerPlay, Match
from bgtools.repair.states import edited
from same_match import differences
from slips import KINDS, LATER, kind_named, plant_all
from slips.core import sources, varied_sources
from support import CORPUS, mat, needs_corpus, row, some_or_all

SEED = 511


def read(text: str) -> Match:
    return read_source(text.encode(), "m.mat")[0]


def told(match: Match) -> Match:
    """A match without its remarks and tags, which no slip touches."""
    games = tuple(replace(game, comments=()) for game in match.games)
    return replace(match, tags=(), comments=(), games=games)


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("many", [sources, varied_sources], ids=["usual", "varied"])
def test_a_sound_record_is_what_it_says(many) -> None:  # type: ignore[no-untyped-def]
    looked = 0
    for source in itertools.islice(many(SEED), 12):
        meant = decode(source.match)
        assert meant.corrections == (), source.name
        assert meant.right().games == source.match.games
        assert meant.course.effort.spent == 0
        looked += len(source.match.games)
    assert looked > 12


@needs_corpus
def test_no_game_of_the_corpus_that_replays_soundly_is_read_otherwise() -> None:
    paths = random.Random(SEED).sample(sorted((CORPUS / "mat").iterdir()), 25)
    sound = 0
    for path in paths:
        try:
            matches = read_source(path.read_bytes(), path.name)
        except FormatError:
            continue
        for match in matches:
            if match.games and not any(each.severity is Severity.ERROR for each in check(match)):
                sound += 1
                assert decode(match).corrections == (), path.name
    assert sound > 10


@some_or_all(5)
def test_most_slips_are_taken_back_and_what_is_sure_is_right(step: int) -> None:
    right = wrong = sure = 0
    kinds = [kind for kind in (*KINDS, *LATER) if kind.name not in GONE]
    chosen = random.Random(SEED).sample(kinds, 30)
    for _, flavour, some in plant_all(SEED, 1, chosen[::step]):
        for slip in some:
            if flavour != "misread" or not slip.sound or len(read_source(slip.text.encode(), "m.mat")) > 1:
                continue
            match, sound = read(slip.text), told(read(slip.sound))
            meant = decode(match)
            is_right = not differences(told(meant.right()), sound)
            right, wrong = right + is_right, wrong + (not is_right)
            if meant.corrections and len(meant.sure()) == len({each.game for each in meant.corrections}):
                sure += 1
                assert is_right, (slip.kind, slip.note)
    assert right + wrong > 20 // step
    assert right > 0.8 * (right + wrong)
    assert sure > 5 // step**2


@pytest.mark.thorough
def test_two_slips_are_taken_back_too() -> None:
    kinds = random.Random(SEED).sample([*KINDS, *LATER], 24)
    done = [*itertools.islice(with_several(kinds, SEED, 2), 8)]
    restored = sum(not differences(told(decode(read(text)).right()), told(read(sound))) for text, sound, _ in done)
    assert len(done) == 8
    assert restored >= 5


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("part", range(3))
def test_what_the_decoder_means_is_what_the_text_says_after_its_edits(part: int) -> None:
    compared = 0
    kinds = random.Random(SEED).sample([*KINDS, *LATER], 30)
    for _, _, some in plant_all(SEED + 1, 1, kinds[part::3]):
        for slip in some:
            match = read(slip.text)
            meant = decode(match)
            fixes = render(match, meant.right())
            if not meant.corrections or fixes is None or len(read_source(slip.text.encode(), "m.mat")) > 1:
                continue
            compared += 1
            again = read(edited(slip.text, fixes))
            assert not differences(told(meant.right()), told(again)), (slip.kind, slip.note)
            assert [each.code.id for each in again.findings].count("BG106") <= [
                each.code.id for each in match.findings
            ].count("BG106")
    assert compared > 4


def test_an_edit_leaves_every_other_sign_alone() -> None:
    right = mat(row(1, "31: 8/5 6/5", "42: 8/4 6/4"), row(2, "64: 24/14", "52: 13/11 13/8"), row(3, "11: 8/7*", ""))
    match = read(right)
    game = match.games[0]
    first = game.entries[0]
    assert isinstance(first, CheckerPlay)
    other = replace(first, text=PlayText("moves", (first.text.hops[0],)))
    entries = (other, *game.entries[1:])
    fixes = render(match, replace(match, games=(replace(game, entries=entries),)))
    assert fixes is not None
    made = edited(right, fixes)
    lines = zip(right.splitlines(), made.splitlines(), strict=True)
    changed = [(one, two) for one, two in lines if one != two]
    assert [two.split() for _, two in changed] == [["1)", "31:", "8/5", "42:", "8/4", "6/4"]]
    assert changed[0][0].index("42:") == changed[0][1].index("42:")


def test_the_same_record_is_the_same_everywhere_and_effort_ends_the_search() -> None:
    (slip,) = itertools.islice(
        (slip for _, _, some in plant_all(SEED, 1, [kind_named("blocked point")]) for slip in some), 1
    )
    match = read(slip.text)
    assert decode(match).corrections == decode(match).corrections
    assert decode(match, Effort(0)).corrections == ()


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("name", ["turn missing", "row gone", "first turn gone"])
def test_what_is_put_in_is_never_sure(name: str) -> None:
    looked = 0
    for _, _, some in plant_all(SEED, 3, [kind_named(name)]):
        for slip in some:
            match = read(slip.text)
            meant = decode(match)
            assert meant.right(meant.sure()).games == match.games or is_same(
                edited(slip.text, render(match, meant.right(meant.sure())) or ()), slip.sound or ""
            )
            looked += 1
    assert looked > 1
