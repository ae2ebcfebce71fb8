"""What commands print and write is what it was: the digests that `outputs` keeps.

Where a change is meant, `python tests/outputs.py --accept` keeps what is there now.
"""

from __future__ import annotations

import pytest

import outputs
from support import some_or_all

GROUPS = {
    "check": ("check ", "rule", "formats", "--"),
    "convert": ("convert", "diff", "same", "merge"),
    "show": ("show", "met"),
    "report": ("report", "table", "ratings", "blunders", "quiz", "benchmark"),
    "library": ("library",),
}
"""Commands that are run together, by the words with which they begin; those of no group are run with the first."""


def group_of(command: str) -> str:
    return next((group for group, words in GROUPS.items() if command.startswith(words)), "check")


@some_or_all(16)
@pytest.mark.parametrize("group", GROUPS)
def test_commands_print_and_write_what_they_did(group: str, step: int) -> None:
    kept = {command: each for command, each in outputs.kept().items() if group_of(command) == group}
    # What an engine says may differ in the last digit from machine to machine.
    steady = [command for command in kept if "sage" not in command and "--level" not in command]
    known = {command: kept[command] for command in sorted(steady)[::step]}
    found = outputs.collect(known)
    assert len(steady) > 20
    assert known
    assert outputs.differences(found, known) == []


def test_every_command_is_kept() -> None:
    assert outputs.kept().keys() == {*outputs.commands()}
