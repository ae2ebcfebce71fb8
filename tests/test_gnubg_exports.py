"""GNU Backgammon plays, scores and exports; not one of its records may have an error here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.checks import check
from bgtools.diagnostics import Severity
from bgtools.formats import read_all
from bgtools.formats.mat_write import write_content
from gnubg_export import PROGRAM, SETTINGS, export

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed")


def errors(files: Iterable[Path]) -> list[str]:
    """What is wrong in the files, with the one thing taken for granted that the exporter does not write."""
    found: list[str] = []
    for file in files:
        for match in read_all(file):
            assert match.games, file.name
            assert all(game.entries for game in match.games), file.name
            if "no-crawford" in file.name:
                match = replace(match, rules=replace(match.rules, crawford=False))
            found += [
                f"{file.name}: game {one.game}: {one.code.id} {one.message}"
                for one in check(match)
                if one.severity is Severity.ERROR
            ]
    return found


def test_self_played_matches_and_sessions_have_no_error(tmp_path: Path) -> None:
    # Every other setting, so that it takes seconds; all of them, many times over, in the one below.
    assert errors(export(tmp_path, seed=1, settings=SETTINGS[::2])) == []


def test_automatic_doubles_are_lost_in_the_export(tmp_path: Path) -> None:
    # The cube of such a game begins at 1 again there, and its results and scores are halved to fit.
    (setting,) = [one for one in SETTINGS if one.name == "money-automatic"]
    (file,) = export(tmp_path, seed=2, settings=[setting])
    text = file.read_text(encoding="utf-8")
    assert "utomatic" not in text
    assert errors([file]) == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100, 110))
def test_thousands_of_self_played_games_have_no_error(seed: int, tmp_path: Path) -> None:
    assert errors(export(tmp_path, seed=seed, rounds=16)) == []


def test_an_export_is_written_again_to_the_byte(tmp_path: Path) -> None:
    for file in export(tmp_path, seed=77, settings=SETTINGS[:5]):
        assert write_content(read_all(file), "gnubg") == file.read_bytes(), file.name
