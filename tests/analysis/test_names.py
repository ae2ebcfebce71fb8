"""Which player a name means."""

from __future__ import annotations

import pytest

from bgtools.analysis.names import UnknownName, find_name, listed_names, may_mean

NAMES = ("Torsten Schoop", "Ann Lee", "Ann Ray", "ann", "José Ortega")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("torsten", "Torsten Schoop"),
        ("TORSTEN schoop", "Torsten Schoop"),
        ("schoop", "Torsten Schoop"),
        ("t s", "Torsten Schoop"),
        ("ann", "ann"),  # the whole name of somebody comes before parts of others
        ("ann l", "Ann Lee"),
        ("josé", "José Ortega"),
    ],
)
def test_a_part_that_one_player_has_is_enough(given: str, name: str) -> None:
    assert find_name(given, NAMES) == name


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("torstn", "no player is named torstn; did you mean Torsten Schoop?"),
        ("Zzyx", "no player is named Zzyx; there are: Torsten Schoop, Ann Lee, Ann Ray, ann, José Ortega"),
        ("", "no player is named ; there are: Torsten Schoop"),
        ("lee ann", "no player is named lee ann; did you mean Ann Lee"),
    ],
)
def test_nobody_is_meant(given: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        find_name(given, NAMES)
    assert str(caught.value).startswith(message)


def test_several_are_meant() -> None:
    with pytest.raises(UnknownName, match="'An' may be Ann Lee, Ann Ray or Annette; give more"):
        find_name("An", ("Ann Lee", "Ann Ray", "Annette"))
    assert listed_names(["Ann"]) == "Ann"
    assert listed_names([str(each) for each in range(9)]) == "0, 1, 2, 3, 4 or others"


def test_who_may_be_meant_includes_whoever_is() -> None:
    for given in ("torsten", "t s", "ann", "josé"):
        assert may_mean(given, find_name(given, NAMES))
