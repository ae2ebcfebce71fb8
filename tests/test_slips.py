"""One slip, one finding: every kind of slip, planted alone in sound matches, is found where it stands.

The table of `python tests/bench_slips.py`, asserted for one seed.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from bench_slips import story
from bgtools.checks import check
from bgtools.diagnostics import Severity
from bgtools.formats import read_source
from bgtools.formats.mat_write import write
from slips import KINDS, Flavour, Library, Slip, Verdict, judge, kind_named, planted
from slips.sheet import sheet_of

SEED, EACH, EACH_OF_THE_HARD = 1, 4, 16
LIBRARY = Library(SEED, limit=75)

NOT_YET: dict[tuple[str, Flavour], str] = {
    ("turn doubled", "misread"): "a row copied as a whole, whose copies are legal by chance, is noticed only later",
    ("columns swapped", "misread"): "two turns that are legal by chance in each other's column are noticed only later",
}
"""Kinds that are not always located with one finding and a right code, each with the reason."""

NOT_TOLD: dict[tuple[str, Flavour], str] = {
    ("larger die not played", "misread"): "the rest fits long on the board as written, and to its end on the true one",
    ("double in the Crawford game", "stood"): "a drop that ended the game is called annulled",
}
"""Kinds whose finding does not always tell an illegal play that stood from one misread, with the reason."""

ALL = [(kind.name, flavour) for kind in KINDS for flavour in kind.flavours]


@cache
def verdicts(name: str, flavour: Flavour) -> tuple[tuple[Slip, Verdict], ...]:
    each = EACH_OF_THE_HARD if (name, flavour) in NOT_YET or (name, flavour) in NOT_TOLD else EACH
    return tuple((slip, judge(slip)) for slip in planted(kind_named(name), flavour, LIBRARY, seed=SEED, each=each))


def failures(name: str, flavour: Flavour) -> list[str]:
    return [story(slip, verdict) for slip, verdict in verdicts(name, flavour) if not verdict.is_right]


def untold(name: str, flavour: Flavour) -> list[str]:
    return [story(slip, verdict) for slip, verdict in verdicts(name, flavour) if verdict.reading is False]


@pytest.mark.parametrize(("name", "flavour"), ALL)
def test_every_kind_is_planted_in_several_matches_and_both_columns(name: str, flavour: Flavour) -> None:
    slips = [slip for slip, _ in verdicts(name, flavour)]
    assert len({slip.source for slip in slips}) >= 2
    assert {slip.side for slip in slips} == {0, 1}


@pytest.mark.parametrize(("name", "flavour"), [kind for kind in ALL if kind not in NOT_YET])
def test_a_slip_gives_one_finding_on_its_own_place_with_a_right_code(name: str, flavour: Flavour) -> None:
    assert failures(name, flavour) == []


@pytest.mark.parametrize(("name", "flavour"), [kind for kind in ALL if kind not in NOT_TOLD])
def test_a_finding_tells_a_play_that_stood_from_one_misread(name: str, flavour: Flavour) -> None:
    assert untold(name, flavour) == []


@pytest.mark.parametrize(("name", "flavour"), sorted(NOT_YET))
def test_a_kind_that_is_always_located_is_no_longer_excused(name: str, flavour: Flavour) -> None:
    assert failures(name, flavour), f"{name} ({flavour}) is perfect now: take it out of NOT_YET"


@pytest.mark.parametrize(("name", "flavour"), sorted(NOT_TOLD))
def test_a_kind_that_is_always_told_is_no_longer_excused(name: str, flavour: Flavour) -> None:
    assert untold(name, flavour), f"{name} ({flavour}) is always told now: take it out of NOT_TOLD"


@pytest.mark.parametrize(("name", "flavour"), ALL)
def test_no_slip_is_missed_and_none_ends_the_program(name: str, flavour: Flavour) -> None:
    lost = [story(*pair) for pair in verdicts(name, flavour) if pair[1].outcome in ("missed", "crashed")]
    assert lost == []


def test_sound_matches_have_no_findings_worth_a_warning() -> None:
    for source in islice(LIBRARY, 40):
        text = source.sheet.page().text
        found = [one for match in read_source(text.encode(), "sound.mat") for one in check(match)]
        assert [one for one in found if one.severity > Severity.HINT] == [], source.name


def test_a_sheet_prints_a_sound_match_as_the_writer_does() -> None:
    for source in islice(LIBRARY, 40):
        assert sheet_of(source.match).page().text == write(source.match), source.name


def test_a_slip_changes_its_match() -> None:
    sound = {source.name: source.sheet.page().text for source in islice(LIBRARY, 40)}
    for name, flavour in ALL:
        for slip, _ in verdicts(name, flavour):
            assert slip.text != sound.get(slip.source), (name, slip.source)
