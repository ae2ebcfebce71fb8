"""What the command line says of itself: nothing of its insides, and nothing that an installation lacks."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import typer

from bgtools.cli import app
from bgtools.findings.finding import with_article
from program import SOUND, bgtools

GROUP: Any = typer.main.get_command(app)
NAMES = sorted(GROUP.commands)


@cache
def command(name: str) -> Any:
    return GROUP.commands[name]


def texts(name: str) -> list[str]:
    """The help of a command and of each of its options."""
    told = [parameter.help or "" for parameter in command(name).params]
    return [command(name).help or "", *told]


@pytest.mark.parametrize("name", NAMES)
def test_help_points_to_no_file_that_an_installation_lacks(name: str) -> None:
    for text in texts(name):
        assert not re.search(r"\bdocs/|\.md\b|\bCONTRIBUTING|\bREADME|\bsamples/", text), text


def takes_a_number(option: Any) -> bool:
    """Whether an option takes one; typer tells so in another way from version 0.27 on."""
    described = getattr(option, "type_descriptor", None)
    told = str(getattr(option.type, "name", "")) if described is None else str(described.annotation)
    return option.param_type_name == "option" and re.search(r"\b(int|float|integer)\b", told) is not None


NUMBERS = [(name, option.opts[-1]) for name in NAMES for option in command(name).params if takes_a_number(option)]


def test_options_that_take_numbers_are_found() -> None:
    assert ("check", "--jobs") in NUMBERS or ("check", "-j") in NUMBERS
    assert len(NUMBERS) >= 12


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(("name", "option"), NUMBERS, ids=[" ".join(each) for each in NUMBERS])
def test_a_wrong_number_is_refused_in_plain_words(name: str, option: str) -> None:
    needed = ["x"] * sum(each.param_type_name == "argument" and each.required for each in command(name).params)
    for value in ("seven", "-99999"):
        done = bgtools(name, *needed, option, value)
        if not done.returncode:
            continue
        assert done.returncode == 2
        assert not re.search(r"Value error|pydantic|Input should|type=|Traceback|<int|<float|range", done.stderr), (
            done.stderr
        )
        assert done.stdout == ""


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (7, "a 7"),
        (8, "an 8"),
        (11, "an 11"),
        (18, "an 18"),
        (81, "an 81"),
        (100, "a 100"),
        (110, "a 110"),
        (1100, "a 1100"),
    ],
)
def test_a_number_has_the_article_that_is_heard(length: int, told: str) -> None:
    assert with_article(length) == told


@pytest.mark.parametrize("length", [8, 11, 18])
def test_no_command_says_a_11_point_match(length: int, tmp_path: Any) -> None:
    record = tmp_path / "a.mat"
    record.write_text(SOUND.replace("3 point match", f"{length} point match"), encoding="utf-8")
    for arguments in (
        ("show", str(record)),
        ("check", str(record)),
        ("report", str(record), "--engine", "none", "-o", str(tmp_path / "r")),
    ):
        done = bgtools(*arguments)
        assert not re.search(rf"\ba {length}\b", done.stdout + done.stderr)
    page = (tmp_path / "r" / "index.html") if (tmp_path / "r" / "index.html").exists() else None
    if page is not None:
        assert not re.search(rf"\b[aA] {length}\b", page.read_text(encoding="utf-8"))
