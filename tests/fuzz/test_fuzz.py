"""Ruined records, in every run of the tests; `fuzz_check.py` looks for more of them as long as it is let."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from fuzz.hostile import HEAD, KINDS, ROW
from fuzz.mutations import MUTATIONS, WORDS, mutate
from fuzz.properties import Broken, examine
from fuzz.targets import SAMPLES, TARGETS, Target, made
from support import some_or_all

if TYPE_CHECKING:
    from bgtools.record.record import Match
    from fuzz.mutations import Mutation

ruins = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
few_ruins = settings(ruins, max_examples=10)
"""Nearly sound records are judged at length. `fuzz_check.py` ruins more of them in every run of the gate."""
LARGEST = 2000
every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@cache
def _seeds() -> tuple[bytes, ...]:
    return (*(path.read_bytes() for path in sorted(SAMPLES.glob("*.mat"))), *made(4))


@cache
def _own_seeds(target: Target) -> tuple[bytes, ...]:
    return (*target.seeds(ours=True),)


@pytest.mark.thorough
@every_target
@given(seed=st.integers(0, 1 << 32), record=st.integers(0, 7))
@few_ruins
def test_a_ruined_record_is_read_and_shown_or_refused(target: Target, seed: int, record: int) -> None:
    rng = random.Random(seed)
    target.examine(mutate(rng, _own_seeds(target)[record % len(_own_seeds(target))], _seeds(), largest=LARGEST))


@pytest.mark.quick(one_in=4)
@every_target
@given(
    pieces=st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from((HEAD, ROW)), st.binary(max_size=8)), max_size=60)
)
@ruins
def test_what_readers_look_for_in_any_order_is_read_or_refused(target: Target, pieces: list[bytes]) -> None:
    target.examine(b"".join(pieces))


@pytest.mark.quick(one_in=4)
@every_target
@given(data=st.binary(max_size=400))
@ruins
def test_any_bytes_are_read_or_refused(target: Target, data: bytes) -> None:
    target.examine(data)


@pytest.mark.quick(one_in=18)
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__.strip("_"))
def test_every_mutation_is_survived(mutation: Mutation) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        record = rng.choice(_seeds())[:LARGEST]
        examine(read_source, mutation(rng, record, rng.choice(_seeds())))


@some_or_all(4)
def test_every_kind_of_hostile_file_is_read_and_shown_or_refused(step: int) -> None:
    for kind in sorted(KINDS)[::step]:
        examine(read_source, KINDS[kind](4000))


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.mat")), ids=lambda path: path.stem)
def test_a_record_may_break_off_at_any_byte(path: Path) -> None:
    data = path.read_bytes()
    for end in range(len(data)):
        examine(read_source, data[:end], judged=end % 20 == 0)


def test_what_is_printed_raw_is_noticed() -> None:
    class Raw(FormatError):
        def __str__(self) -> str:
            return "\x1b[31m"

    def read_with_an_escape(_data: bytes, _name: str) -> tuple[()]:
        raise Raw("escaped")

    with pytest.raises(Broken, match="raw"):
        examine(read_with_an_escape, b"")


def test_a_reader_that_loses_text_is_noticed() -> None:
    def read_half(data: bytes, name: str) -> tuple[Match, ...]:
        return tuple(replace(match, games=()) for match in read_source(data, name))

    with pytest.raises(Broken, match="belongs to nothing"):
        examine(read_half, HEAD + ROW)


@pytest.mark.thorough
def test_the_fuzzer_runs_and_keeps_what_fails(tmp_path: Path) -> None:
    """With one target; `.ci/run` takes all of them."""
    program = Path(__file__).parent / "fuzz_check.py"
    done = subprocess.run(
        [sys.executable, str(program), "--blind", "--seconds", "2", "--target", "mat", "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failures" in done.stdout
    assert "\nmat: " in f"\n{done.stdout}"
