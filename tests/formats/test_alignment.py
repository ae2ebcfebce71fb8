"""Aligning two sequences."""

from __future__ import annotations

import random
from difflib import SequenceMatcher

from bgtools.record.alignment import align


def rebuilt(one: str, two: str) -> str:
    """The second of two texts, of what both share in the first, and the rest in the second."""
    parts = []
    at = other_at = 0
    for kind, start, end, first, last in align(one, two):
        assert (start, first) == (at, other_at)
        assert (one[start:end] == two[first:last]) is (kind == "equal")
        parts.append(one[start:end] if kind == "equal" else two[first:last])
        at, other_at = end, last
    assert (at, other_at) == (len(one), len(two))
    return "".join(parts)


def test_what_has_few_pairs_is_aligned_as_difflib_does() -> None:
    one, two = "a lazy brown dog", "the crazy down dogs"
    assert [*align(one, two)] == SequenceMatcher(None, one, two, autojunk=False).get_opcodes()


def test_four_thousand_of_two_kinds_are_aligned_at_once() -> None:
    rng = random.Random(5)
    for _ in range(20):
        one = "".join(rng.choices("ab", k=rng.choice((3999, 4000))))
        at, size = rng.randrange(3000), rng.randrange(5)
        two = one[:at] + "c" * rng.randrange(5) + one[at + size :]
        assert rebuilt(one, two) == two
        assert rebuilt(two, one) == one


def test_only_what_changed_is_told_between_the_same_beginning_and_the_same_end() -> None:
    one = "a" * 4000
    assert [each for each in align(one, one[:1000] + "b" + one[1001:]) if each[0] != "equal"] == [
        ("replace", 1000, 1001, 1000, 1001)
    ]
    assert [each[0] for each in align(one, one)] == ["equal"]
    assert [*align("", one)] == [("insert", 0, 0, 0, 4000)]
