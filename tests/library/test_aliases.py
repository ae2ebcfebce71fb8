"""Names that are one person's: what is said of them, and what is suggested."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from records import made, put

import bgtools
from bgtools.library import aliases
from bgtools.library.library import Library
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.storage import LibraryError, open_storage

if TYPE_CHECKING:
    from pathlib import Path


def of(folder: Path, *pairs: tuple[str, str]) -> Library:
    """A library of matches between these."""
    paths = []
    for number, players in enumerate(pairs):
        path = folder / f"{number}.mat"
        match = replace(made(number, 1), players=players)
        path.write_bytes(bgtools.convert(match, to="mat", verify=False).data)
        paths.append(path)
    library = Library(folder / "library")
    library.add(paths)
    return library


def people(library: Library) -> dict[str, tuple[str, ...]]:
    return {each.name: each.names for each in library.players_table(everybody=True)}


def test_names_go_by_the_last_one(tmp_path: Path) -> None:
    library = of(tmp_path, ("J. Smith", "Ann"), ("Smith John", "Bob"), ("John Smith", "Ann"), ("Ann", "Bob"))
    assert library.alias("J. Smith", "Smith John", "John Smith") == {
        "J. Smith": "John Smith", "Smith John": "John Smith",
    }  # fmt: skip
    assert people(library) == {
        "Ann": ("Ann",), "Bob": ("Bob",), "John Smith": ("J. Smith", "John Smith", "Smith John"),
    }  # fmt: skip
    assert library.player("J. Smith").summary.matches == 3
    assert library.versus("Smith John", "Ann").matches == 2
    assert Library(library.location).aliases == library.aliases


def test_who_goes_by_a_name_goes_with_it(tmp_path: Path) -> None:
    library = of(tmp_path, ("A", "Z."), ("Ab", "Z."), ("Abc", "Z."), ("Abcd", "Z."))
    library.alias("Abc", "Abcd")
    library.alias("Ab", "Abc")  # Abc goes by Abcd so far, and shall now be what all three go by.
    assert library.aliases == {"Ab": "Abc", "Abcd": "Abc"}
    library.alias("Abcd", "Abigail")  # No record has this name; it is a better one.
    assert library.aliases == {"Ab": "Abigail", "Abc": "Abigail", "Abcd": "Abigail"}
    assert people(library)["Abigail"] == ("Ab", "Abc", "Abcd")
    before = library.state.number
    library.alias("Abcd", "Abigail")
    assert library.state.number == before


def test_an_alias_is_taken_away(tmp_path: Path) -> None:
    library = of(tmp_path, ("Abe", "Z."), ("Abel", "Z."), ("Abelard", "Z."))
    library.alias("Abe", "Abel", "Abelard")
    assert library.unalias("Abe") == {"Abe": "Abelard"}
    assert library.aliases == {"Abel": "Abelard"}
    library.alias("Abe", "Abelard")
    assert library.unalias("Abelard") == {"Abe": "Abelard", "Abel": "Abelard"}
    assert library.aliases == {}
    with pytest.raises(LibraryError, match="'Abelard' is not an alias, and no name goes by it"):
        library.unalias("Abelard")


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Ann",), "give two names or more"),
        (("Ann", "Ann "), "give two names or more"),
        (("Player 1", "Ann"), "'Player 1' is nobody's name"),
        (("Ann", "gnubg"), "'gnubg' is nobody's name"),
        (("", "Ann"), "'' is nobody's name"),
        (("ann", "Bob"), "no record of this library names 'ann'; did you mean 'Ann'"),
        (("Zoë", "Bob"), "no record of this library names 'Zoë'$"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    library = of(tmp_path, ("Ann", "Player 1"), ("gnubg", "Bob"))
    with pytest.raises(LibraryError, match=said):
        library.alias(*names)
    assert library.aliases == {}


def test_what_another_says_at_the_same_time_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = of(tmp_path, ("Ab", "Z."), ("Abel", "Y."), ("Zed", "Ab"))
    real = commit
    begun: list[bool] = []

    def late(*arguments: object) -> object:
        if not begun:
            begun.append(True)
            storage = open_storage(library.location)
            assert real(storage, read_state(storage), Commit(aliases={"Z.": "Zed", "Abel": "Abelard"})) is not None
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(aliases, "commit", late)
    library.alias("Ab", "Abel")
    assert library.aliases == {"Ab": "Abel", "Abelard": "Abel", "Z.": "Zed"}


# --- suggestions ------------------------------------------------------------------------------


def suggested(library: Library) -> dict[frozenset[str], str]:
    return {frozenset((each.name, each.person)): each.reason for each in library.alias_suggestions()}


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("John Smith", "john smith", "spelled the same"),
        ("Smith, John", "John Smith", "spelled the same"),
        ("Kévin Unger", "Kevin UNGER", "spelled the same"),
        ("Hans_Liby", "Hans Liby", "spelled the same"),
        ("J. Smith", "John Smith", "the initial"),
        ("Smith J", "John Smith", "the initial"),
        ("Yuki Takahashi", "Yuuki Takahashi", "one letter"),
        ("Jonh Smith", "John Smith", "one letter"),
        ("mperor", "emperor", "one letter"),
    ],
)
def test_names_that_are_alike_are_suggested(tmp_path: Path, one: str, other: str, why: str) -> None:
    library = of(tmp_path, (one, "Ann"), (other, "Ann"), (other, "Bob"))
    (found,) = library.alias_suggestions()
    assert (found.name, found.person, found.matches) == (one, other, (1, 2))
    assert why in found.reason
    assert "they met the same opponent" in found.reason
    assert library.aliases == {}
    library.alias(one, other)
    assert library.alias_suggestions() == []


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Smith", "Joan Smithers"), ("J. Smith", "Mary Smith"), ("player7x", "Player 1"), ("Guest 1", "Guest 2"),
        ("Mochy", "Michy"), ("zed1234", "zed1235"), ("A. B. Smith", "John Smith"), ("Ann", "Bob"),
    ],
)  # fmt: skip
def test_names_that_are_not_alike_are_not(tmp_path: Path, one: str, other: str) -> None:
    assert suggested(of(tmp_path, (one, "Cara"), (other, "Cara"))) == {}


def test_who_has_played_each_other_is_two(tmp_path: Path) -> None:
    library = of(tmp_path, ("John Smith", "john smith"), ("John Smith", "Ann"), ("JOHN SMITH", "Bob"))
    assert suggested(library).keys() == {
        frozenset(("John Smith", "JOHN SMITH")), frozenset(("john smith", "JOHN SMITH")),
    }  # fmt: skip


def test_records_of_one_match_tell_whose_other_name_it_is(tmp_path: Path) -> None:
    (first,) = put(tmp_path / "a", 1, length=3)
    second = tmp_path / "b.mat"
    second.write_text(first.read_text().replace("Cara", "Mouse"))
    library = Library(tmp_path / "library")
    library.add([first, second])
    assert suggested(library) == {
        frozenset(("Cara", "Mouse")): "records of one match name the same player so; they never met each other"
    }
