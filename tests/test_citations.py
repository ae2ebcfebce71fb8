"""Every rule of the game has a test that is named as its sentence and ends with its id, as in ``…_R08``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from bgtools.findings.manual.rules import RULES

TESTS = Path(__file__).parent
LIST = TESTS.parent / "docs" / "rules.md"


CITED = re.compile(r"^def (test_\w+?((?:_R\d\d)+))\(", re.MULTILINE)


def listed() -> set[str]:
    """The ids in the table of rules; a range stands for all in it."""
    ids: set[str] = set()
    for first, last in re.findall(r"^\| (R\d\d)(?:–(R\d\d))? \|", LIST.read_text(encoding="utf-8"), re.MULTILINE):
        ids.update(f"R{number:02}" for number in range(int(first[1:]), int((last or first)[1:]) + 1))
    return ids


@cache
def cited() -> dict[str, list[str]]:
    """The tests of every id, by the ids at the end of their names."""
    tests: dict[str, list[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for name, at_end in CITED.findall(path.read_text(encoding="utf-8")):
            for rule in re.findall(r"R\d\d", at_end):
                tests.setdefault(rule, []).append(name)
    return tests


def test_every_rule_of_the_list_has_a_test_and_every_test_a_rule_of_the_list() -> None:
    assert listed() == set(cited())


def test_the_list_and_the_manual_tell_the_same_rules() -> None:
    assert len(listed()) > 30
    assert set(RULES) <= listed()
    assert {rule for rule in listed() - set(RULES) if rule < "R50"} == set()


def test_the_name_of_a_test_is_a_sentence() -> None:
    for names in cited().values():
        for name in names:
            words = re.sub(r"(_R\d\d)+$", "", name).removeprefix("test_").split("_")
            assert len(words) > 3, name
