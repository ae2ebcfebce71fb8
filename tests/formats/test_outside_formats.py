"""Formats that other packages add, found by their entry points."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bgtools import plugins
from bgtools.conversion.conversion import convert, parse_target, target_of_name
from bgtools.formats.content import Content, FormatError
from bgtools.formats.format import Format
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.registry import added_formats, formats, our_formats
from bgtools.plugins import PluginWarning
from bgtools.record.record import Game, Match
from entry_points import offer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def read(content: Content) -> tuple[Match, ...]:
    return (Match(players=("Ann", "Bob"), length=7, games=(), source=content.source),)


def write(matches: tuple[Match, ...], dialect: str) -> bytes:
    return f"EXAMPLE {dialect}".encode()


def fail(*given: Any) -> Any:
    raise RuntimeError("a fault")


EXAMPLE = Format(
    name="example",
    title="Example",
    extensions=(".example",),
    sniff=lambda content: float(content.data.startswith(b"EXAMPLE")),
    reader=read,
    writer=write,
    dialects=("one", "two"),
)


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Offers formats to a registry that looks anew each time."""
    added_formats.cache_clear()
    yield lambda **things: offer(monkeypatch, "formats", **things)
    added_formats.cache_clear()


def test_a_format_of_another_package_is_listed_found_recognised_and_read(offers: Callable[..., None]) -> None:
    offers(example=EXAMPLE)
    assert [each.name for each in formats()] == [*(each.name for each in our_formats()), "example"]
    assert find_format("example").title == target_of_name("a.EXAMPLE").format.title == "Example"
    assert str(parse_target("example:two")) == "example:two"
    (match,) = read_source(b"EXAMPLE", "without an ending")
    assert match.length == 7
    assert find_format("example").write((match,), "two") == b"EXAMPLE two"


def test_reader_and_writer_may_be_named_as_text(offers: Callable[..., None]) -> None:
    offers(example=replace(EXAMPLE, reader=f"{__name__}:read", writer=f"{__name__}:write"))
    assert read_source(b"EXAMPLE", "x.example")[0].players == ("Ann", "Bob")
    assert find_format("example").write(()) == b"EXAMPLE one"


def test_it_is_not_looked_for_where_ours_settle_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_entry_points", fail)
    added_formats.cache_clear()
    assert find_format("json").title == "bgtools JSON"
    assert target_of_name("x.sgf").format.name == "sgf"
    assert read_source(b" 7 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5\n", "x.mat")


@pytest.mark.parametrize(
    ("thing", "why"),
    [
        (ImportError("no module named c"), "no module named c"),
        (KeyError("enough"), "KeyError: .enough."),
        (None, "it is None, not a Format"),
        (replace(EXAMPLE, name="mat"), "there is a format 'mat' already"),
        (replace(EXAMPLE, name="a:b"), "'a:b' is not a name"),
        (replace(EXAMPLE, extensions=("mat",)), "are not endings"),
        (replace(EXAMPLE, extensions=()), "are not endings"),
        (replace(EXAMPLE, reader="", writer=""), "one of them must be there"),
        (replace(EXAMPLE, reader="nowhere"), "must be functions"),
    ],
)
def test_what_is_no_format_is_named_and_left_out(offers: Callable[..., None], thing: object, why: str) -> None:
    offers(broken=thing, example=EXAMPLE)
    with pytest.warns(PluginWarning, match=f"^broken of broken:it is left out: .*{why}"):
        assert [each.name for each in formats()] == [*(each.name for each in our_formats()), "example"]


def test_the_first_of_two_of_one_name_is_taken(offers: Callable[..., None]) -> None:
    offers(a=EXAMPLE, b=replace(EXAMPLE, title="Another"))
    with pytest.warns(PluginWarning, match="^b of b:it is left out: there is a format 'example' already"):
        assert find_format("example").title == "Example"


def test_one_that_cannot_tell_its_own_content_is_passed_over(offers: Callable[..., None]) -> None:
    offers(example=replace(EXAMPLE, sniff=fail))
    with (
        pytest.warns(PluginWarning, match="example of example:it is left out here: RuntimeError: a fault"),
        pytest.raises(FormatError, match="this is not match text"),
    ):
        read_source(b"EXAMPLE", "x")


@pytest.mark.parametrize("reader", [fail, lambda content: (), lambda content: [1], "no_such:module"])
def test_a_reader_that_fails_costs_its_file_and_nothing_else(offers: Callable[..., None], reader: Any) -> None:
    offers(example=replace(EXAMPLE, reader=reader))
    with pytest.raises(FormatError, match=r"^example of example:it fails: "):
        read_source(b"EXAMPLE", "x")


@pytest.mark.parametrize("writer", [fail, lambda matches, dialect: "text"])
def test_a_writer_that_fails_is_told_as_a_format_error(offers: Callable[..., None], writer: Any) -> None:
    offers(example=replace(EXAMPLE, writer=writer))
    match = Match(players=("Ann", "Bob"), length=1, games=(Game(number=1, score=(0, 0), entries=()),))
    with pytest.raises(FormatError, match=r"^example of example:it fails: "):
        convert((match,), parse_target("example"))


def test_metadata_that_names_a_group_is_found_and_other_metadata_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    (tmp_path / "other-1.0.dist-info").mkdir()
    (tmp_path / "other-1.0.dist-info" / "entry_points.txt").write_text("[console_scripts]\nbgtools = a:b\n")
    assert plugins._entry_points.__wrapped__() is None
    mine = tmp_path / "mine-1.0.dist-info"
    mine.mkdir()
    (mine / "METADATA").write_text("Name: mine\n")
    (mine / "entry_points.txt").write_text("[bgtools.formats]\nexample = a:b\n")
    found = plugins._entry_points.__wrapped__()
    assert found is not None
    assert [(each.name, each.value, each.dist.name if each.dist else "") for each in found] == [
        ("example", "a:b", "mine")
    ]
    (tmp_path / "archive.zip").write_bytes(b"")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "archive.zip")])
    assert plugins._may_be_some(), "what cannot be looked through is left to importlib.metadata"
