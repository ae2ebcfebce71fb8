"""Slips planted alone in sound matches are found where they stand, and put right as the record proves it.

Each slip is planted once and repaired once; every law of `slips.trials` is asked of it. `python tests/bench_slips.py`
and `bench_repair.py` print the tables.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Final

import pytest

from bench_repair import GONE, is_same
from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.json.match import write as write_json
from bgtools.formats.mat.dialects import JELLYFISH, XG_TEXT, Dialect
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from selfplay import random_match
from slips import COPIED, KINDS, LATER, judge, plant_all
from slips.sheet import sheet_of
from slips.trials import OF_FINDINGS, OF_FIXES, Trial, errors_of, library, sorts, trials
from support import some_or_all

if TYPE_CHECKING:
    from collections.abc import Callable

SEED: Final = 1
SPELLED: Final = (JELLYFISH, XG_TEXT)
"""The dialects that a sheet prints: with hops apart and points in numbers, or joined and in words."""

every_sort = pytest.mark.parametrize("sort", sorts())
few_or_many = pytest.mark.parametrize(
    ("each", "step", "dialect"),
    [
        pytest.param(2, 3, JELLYFISH, id="few"),
        pytest.param(2, 1, XG_TEXT, id="few in the spelling of XG", marks=pytest.mark.thorough),
        pytest.param(4, 1, JELLYFISH, id="many", marks=pytest.mark.thorough),
    ],
)
"""Two of every kind in the quick suite, one in each column, of which two in three kinds are repaired."""


@few_or_many
@every_sort
def test_a_slip_is_found_where_it_stands_and_put_right_as_the_record_proves(
    sort: str, each: int, step: int, dialect: Dialect, subtests: pytest.Subtests
) -> None:
    made = trials(sort, SEED, each, dialect)
    for laws, shares, some in ((OF_FINDINGS, OF_MANY, made), (OF_FIXES, OF_MANY_FIXES, made[::step])):
        for law in laws:
            with subtests.test(law.__name__):
                none(f"{law.__doc__}", [trial.story() for trial in some if not law(trial)])
        for problems in shares:
            if problems is fixed_in_other_words and dialect is not JELLYFISH:
                continue  # a fix is written as the record is, but where XG joins hops
            with subtests.test(problems.__name__):
                none(f"{problems.__doc__}", problems(some))


def none(law: str, broken: list[str]) -> None:
    """Fail with the law that is broken, and by what."""
    if broken:
        pytest.fail("\n".join([f"not so of {len(broken)}: {law}", *broken]), pytrace=False)


# --- laws of many: what is true of most slips of a kind ---------------------------------------

MENDED: Final[dict[str, float]] = {
    "wrong die": 0.75, "wrong number of pips": 0.75, "blocked point": 0.75, "no checker there": 0.75,
    "bar ignored": 0.75, "die left unplayed": 0.75, "larger die not played": 0.75, "dance claimed": 0.75,
    "bear-off too early": 0.75, "bear-off needs higher checker": 0.5, "backwards hop": 0.5, "five hops": 0.75,
    "three hops": 0.75, "die 0 or 7": 0.75, "turn doubled": 0.75, "columns swapped": 1, "play after fifteen off": 1,
    "wrong cube value": 1, "beaver in a match": 1, "wrong points: Jacoby": 1, "wrong points: gammon": 1,
    "wrong points: backgammon": 1, "wrong points: cube": 1, "wrong score line": 0.5, "wrong winner": 1,
    "garbage row": 0.5,
}  # fmt: skip
"""Misread kinds for which a fix is offered, and for which share of them at least."""

NOT_EXACT: Final = frozenset({"turn doubled", "play after fifteen off", "garbage row"})
"""Kinds after whose fix an empty cell stays."""

NOT_TOLD: Final = frozenset(
    {"row gone", "other legal play", "like legal play", "late legal play", "other roll and play"}
)
"""Kinds that other places explain as well as their own: of these a share is located."""


def by_kind(made: tuple[Trial, ...], is_asked: Callable[[Trial], bool]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = defaultdict(list)
    for trial in made:
        if is_asked(trial):
            found[f"{trial.kind.name}, {trial.slip.flavour}"].append(trial)
    return found


def planted_in_one_match_or_column(made: tuple[Trial, ...]) -> list[str]:
    """Slips of a kind stand in several matches, and in both columns."""
    kinds = by_kind(made, lambda trial: trial.kind in KINDS and not trial.kind.varied)
    return [
        name
        for name, some in kinds.items()
        if len({trial.slip.source for trial in some}) < len(some) / 2 or {trial.slip.side for trial in some} != {0, 1}
    ]


def without_a_fix(made: tuple[Trial, ...]) -> list[str]:
    """What the record itself puts right has a fix."""
    kinds = by_kind(made, lambda trial: trial.slip.flavour == "misread" and trial.kind.name in MENDED)
    return [
        name
        for name, some in kinds.items()
        if sum(trial.mended is not None for trial in some) < math.floor(MENDED[some[0].kind.name] * len(some))
    ]


def fixed_in_other_words(made: tuple[Trial, ...]) -> list[str]:
    """Of kinds whose text comes back, all but one in ten do."""
    some = [trial for trial in made if trial.slip.flavour == "misread" and trial.kind.name in {*MENDED} - NOT_EXACT]
    mended = [(trial, trial.mended) for trial in some if trial.mended is not None]
    other = [trial.story() for trial, done in mended if not done.exact]
    return other if len(other) > max(0.1 * len(mended), 2) else []


def told_twice_or_elsewhere(made: tuple[Trial, ...]) -> list[str]:
    """Of what shows only later one of each kind may stand elsewhere: some is played on unseen."""
    kinds = by_kind(made, lambda trial: trial.kind in LATER)
    lost = []
    for some in kinds.values():
        elsewhere = {"multiple", "missed", "crashed"} | (set() if some[0].kind.name in NOT_TOLD else {"elsewhere"})
        several = [trial.story() for trial in some if trial.verdict.outcome in elsewhere]
        lost += several if len(several) > 1 else []
    return lost


def legal_plays_not_found(made: tuple[Trial, ...]) -> list[str]:
    """Half of the legal plays that were not made are found where they stand."""
    some = [trial for trial in made if trial.kind.name in ("other legal play", "like legal play")]
    lost = [trial.story() for trial in some if not trial.verdict.is_right]
    return lost if len(lost) > 0.5 * len(some) else []


def told_elsewhere(made: tuple[Trial, ...]) -> list[str]:
    """Of answers, results, headers, names and games all but three in a hundred are told where they stand."""
    varied = [trial for trial in made if trial.kind.varied]
    lost = [trial.story() for trial in varied if trial.verdict.outcome != "located"]
    return lost if len(lost) > max(0.03 * len(varied), 1) else []


def not_put_right(made: tuple[Trial, ...]) -> list[str]:
    """Of answers, results, headers, names and games seven in ten come back where the text still tells them."""
    varied = [trial for trial in made if trial.kind.varied and trial.kind.name not in GONE]
    lost = [trial.story() for trial in varied if not is_put_right(trial)]
    return lost if len(lost) > 0.3 * len(varied) else []


SAFE: Final[dict[str, float]] = {
    "plays": 0.6, "cube": 0.7, "score": 0.63, "answers": 0.68, "header": 0.57, "rows": 0.5, "typos": 0.55,
}  # fmt: skip
"""What share of the slips of a sort comes back by safe fixes: it may only rise."""


def not_given_back_safely(made: tuple[Trial, ...]) -> list[str]:
    """Of the slips that a text still tells a share comes back by fixes that are safe."""
    kept = [each for each in made if each.slip.flavour == "misread" and each.kind.name not in GONE]
    known = [each for each in kept if each.slip.sound and each.kind not in COPIED]  # of a copy nothing is proved
    lost = [each for each in known if not is_same(each.safe.after.decode(), each.slip.sound)]
    least = SAFE[made[0].kind.plant.__module__.rpartition(".")[2]] * len(known)
    return [each.story() for each in lost] if len(known) - len(lost) < math.floor(least) else []


def is_put_right(trial: Trial) -> bool:
    return trial.mended is not None and (trial.mended.same or not trial.slip.sound)


OF_MANY: Final = (planted_in_one_match_or_column, told_twice_or_elsewhere, legal_plays_not_found, told_elsewhere)
OF_MANY_FIXES: Final = (without_a_fix, fixed_in_other_words, not_put_right, not_given_back_safely)


# --- other ways ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "gone"), [(10, (4, 9)), (26, (3, 11)), (31, (3, 11))])
def test_rows_that_are_gone_are_told_in_json_as_in_the_text(seed: int, gone: tuple[int, int]) -> None:
    lines = write(random_match(seed, 1, games=1)).splitlines()
    rows = [at for at, line in enumerate(lines) if ")" in line[:5]]
    text = "\n".join(line for at, line in enumerate(lines) if at not in [rows[each] for each in gone])
    matches = read_source(text.encode(), "gone.mat")
    assert errors_of(matches)
    assert errors_of(matches) == errors_of(read_source(write_json(matches), "gone.json"))


@pytest.mark.thorough
@pytest.mark.parametrize("dialect", SPELLED, ids=lambda dialect: dialect.name)
def test_over_all_sorts_nearly_all_are_located_and_most_come_back_as_they_were(dialect: Dialect) -> None:
    made = [trial for sort in sorts() for trial in trials(sort, SEED, 2, dialect)]
    varied = [trial for trial in made if trial.kind.varied]
    assert sum(trial.verdict.outcome == "located" for trial in varied) >= 0.97 * len(varied) > 0
    assert sum(map(is_put_right, varied)) >= 0.8 * len(varied)
    some = [each for each in made if each.slip.flavour == "misread" and each.kind.name in {*MENDED} - NOT_EXACT]
    mended = [done for trial in some if (done := trial.mended) is not None]
    assert dialect is not JELLYFISH or sum(done.exact for done in mended) >= 0.9 * len(mended) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(40, 43))
def test_of_many_answers_headers_names_and_games_nearly_all_are_located(seed: int) -> None:
    kinds = [kind for kind in KINDS if kind.varied]
    made = [Trial(kind, slip) for kind, _, some in plant_all(seed, 12, kinds, 60) for slip in some]
    assert sum(trial.verdict.outcome == "located" for trial in made) >= 0.97 * len(made) > 0
    assert sum(map(is_put_right, made)) >= 0.8 * len(made)


@pytest.mark.thorough
@pytest.mark.parametrize("dialect", SPELLED, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("seed", range(2, 6))
def test_of_many_slips_of_other_matches_nearly_all_are_located(seed: int, dialect: Dialect) -> None:
    verdicts = [
        judge(slip)
        for _, _, slips in plant_all(seed, 16, [kind for kind in KINDS if not kind.varied], dialect=dialect)
        for slip in slips
    ]
    assert len(verdicts) > 1000
    assert not {verdict.outcome for verdict in verdicts} & {"missed", "crashed"}
    assert sum(verdict.is_right for verdict in verdicts) >= 0.995 * len(verdicts)
    told = [verdict.reading for verdict in verdicts if verdict.reading is not None]
    assert sum(told) >= 0.995 * len(told)


@some_or_all(5)
def test_sound_matches_are_printed_as_the_writer_does_and_have_no_findings_worth_a_warning(step: int) -> None:
    for source in islice(library(SEED, is_varied=False), 40 // step):
        for dialect in SPELLED:
            text = sheet_of(source.match).page(dialect).text
            assert text == write(source.match, dialect), source.name
            found = [one for match in read_source(text.encode(), "sound.mat") for one in check(match)]
            assert [one for one in found if one.severity > Severity.HINT] == [], source.name
