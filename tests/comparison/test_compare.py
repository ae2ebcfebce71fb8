"""Two records of one match: one slip is one difference, at its place, and what follows it is none."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.board.perspective import other
from bgtools.comparison import comparing
from bgtools.comparison.alignment import align
from bgtools.comparison.comparing import compare
from bgtools.comparison.entries import swap_players
from bgtools.conversion.conversion import Target, convert
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read, read_source
from bgtools.formats.registry import formats
from bgtools.replayer import match as match_of_replays
from slips import KINDS, LATER, Library, Slip, kind_named, planted
from slips.core import varied_sources
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from bgtools.comparison.difference import Comparison
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LIBRARY = Library(3, limit=40)
VARIED = Library(3, 40, varied_sources)

NO_DIFFERENCE = frozenset(
    {
        "garbage row",  # a row too many that is read as nothing
        "name misspelt",  # on a later score line, which no record keeps
        "letter in a play",  # read without the letter
        "letter in a roll",
        "letter in a result",
        "letter in a score",
        "word misspelt",  # read as the word that is meant
    }
)


def sample(name: str = "seven-point.mat") -> Match:
    return read(SAMPLES / name)


def text(match: Match) -> bytes:
    return write(match).encode()


def reread(data: bytes, name: str = "b.mat") -> Match:
    return read_source(data, name)[0]


def beside(slip: Slip, library: Library) -> Comparison:
    source = next(each for each in library if each.name == slip.source)
    sound = slip.sound or write(source.match)
    return compare(reread(sound.encode(), "a.mat"), reread(slip.text.encode()))


@cache
def slips_of(name: str) -> list[Slip]:
    kind = kind_named(name)
    return planted(kind, "misread", VARIED if kind.varied else LIBRARY, seed=3, each=2)


SEVERAL = frozenset({"game in the other columns", "rest in the other columns", "rest but result in other columns"})
"""The cells of each row stand in each other's place: so does their order, and there are several differences."""
POSITIONS = frozenset({"xgp", "pos", "bgblitz"})
MATCHES = [each.name for each in formats() if each.reader and each.writer and each.name not in POSITIONS]
SLIPS = [kind.name for kind in (*KINDS, *LATER) if kind.name not in SEVERAL]


@pytest.mark.quick(one_in=30)
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_one_difference(name: str) -> None:
    library = VARIED if kind_named(name).varied else LIBRARY
    for slip in slips_of(name):
        found = beside(slip, library).differences
        if name not in NO_DIFFERENCE or found:
            told = [(each.kind, each.message, each.a.says, each.b.says) for each in found]
            assert len(found) == 1, (slip.note, slip.line, told)


@pytest.mark.parametrize("name", ["blocked point", "other roll and play", "turn missing", "wrong cube value"])
def test_what_the_record_goes_on_with_is_supported(name: str) -> None:
    for slip in slips_of(name):
        (found,) = beside(slip, LIBRARY).differences
        assert found.supported == "a"
        assert found.b.location is not None
        assert abs(found.b.location.line - slip.line) <= 1
        back = compare(
            reread(slip.text.encode()),
            reread((slip.sound or write(next(e for e in LIBRARY if e.name == slip.source).match)).encode()),
        )
        assert [each.supported for each in back.differences] == ["b"]


def test_a_record_is_the_same_as_itself_with_its_players_in_the_other_columns() -> None:
    match = sample()
    done = compare(match, swap_players(match))
    assert done.is_exchanged
    assert done.differences == ()
    assert done.same == done.of


def test_plays_are_compared_without_replaying_whole_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """What costs most is to look for the readings of what cannot be, which only scores and results may need."""
    match = sample()
    lines = text(match).decode().split("\n")
    rows = [at for at, line in enumerate(lines) if ") " in line and ": " in line[:9]]
    for at in rows[5::12]:
        start = lines[at].index(")") + 2
        lines[at] = (
            lines[at][:start] + ("65" if lines[at][start : start + 2] != "65" else "31") + lines[at][start + 2 :]
        )
    usual = match_of_replays.replay

    def alone(one: Match) -> tuple[GameReplay, ...]:
        return usual(one) if len(one.games) == 1 else pytest.fail("a whole record was replayed")

    monkeypatch.setattr(comparing, "replay", alone)
    found = compare(match, reread("\n".join(lines).encode())).differences
    assert [each.kind for each in found] == ["die"] * len(rows[5::12])


def test_names_spelled_otherwise_are_one_difference() -> None:
    match = sample()
    (found,) = compare(match, replace(swap_players(match), players=("P. Marsh", "N. Lindholm"))).differences
    assert (found.kind, found.message) == ("header", "the names of the players")
    assert found.b.says == "N. Lindholm - P. Marsh"


def test_records_of_two_matches_are_told_so() -> None:
    done = compare(sample(), sample("money.mat"))
    assert not done.is_one_match
    assert [each.kind for each in done.differences] == ["match"]


def test_a_record_that_breaks_off_is_one_difference() -> None:
    match = sample()
    for games, entries in ((3, 12), (5, 1), (8, 5), (2, 100)):
        kept = list(match.games[:games])
        kept[-1] = replace(kept[-1], entries=kept[-1].entries[:entries], results=())
        (found,) = compare(match, replace(match, games=tuple(kept))).differences
        assert found.kind in ("turn", "game"), (games, entries)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("name", MATCHES)
def test_a_conversion_gives_no_difference(name: str) -> None:
    match = sample()
    done = convert((match,), Target(find_format(name)))
    found = [each for other in read_source(done.data, "b", name) for each in compare(match, other).differences]
    assert found == []


def counted(one: list[Any], two: list[Any]) -> int:
    """How many elements are compared to align two sequences."""
    calls = 0

    def cost(left: Any, right: Any) -> int:
        nonlocal calls
        calls += 1
        return 0 if left == right else 3

    pairs = align(one, two, cost, 2)
    assert [x for x, _ in pairs if x is not None] == [*range(len(one))]
    assert [y for _, y in pairs if y is not None] == [*range(len(two))]
    return calls


@pytest.mark.thorough
def test_long_sequences_take_no_more_than_their_length() -> None:
    rng = random.Random(1)
    for count in (5_000, 20_000):
        one = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(count)]
        two = list(one)
        for at in range(0, count, 50):
            two[at] = (7, 7)
        del two[count // 3]
        assert counted(one, two) <= 4 * count
        assert counted(one, [(0, 0)] * count) <= 100 * count
        assert counted(one, one[:10]) <= 100 * count


@needs_corpus
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("kevung__gbf__test.mat", "kevung__gbf__test.txt"),
        ("lassehjorthmadsen__gnubg-scripts__test-match01.mat", "lassehjorthmadsen__gnubg-scripts__test-match01.txt"),
    ],
)
def test_two_spellings_of_a_real_match_are_the_same(first: str, second: str) -> None:
    assert compare(read(CORPUS / "mat" / first), read(CORPUS / "mat" / second)).differences == ()


def test_the_other_player_of_the_turned_match_is_meant() -> None:
    match = sample()
    assert [entry.player for entry in swap_players(match).games[0].entries] == [
        other(entry.player) for entry in match.games[0].entries
    ]
