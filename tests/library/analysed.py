"""Libraries of analysed matches: a few records that bring an analysis along, and many made of their rows."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from records import made

import bgtools
from annotated import STYLES, analysed
from bgtools.library.grouping import grouped_table
from bgtools.library.library import Library
from bgtools.library.manifest import Commit, commit, read_state, read_table, write_tables
from bgtools.library.storage import open_storage
from bgtools.library.tables import arrow_schema
from bgtools.record.record import Tag

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bgtools.library.tables import StoredName
    from bgtools.record.record import Match

_STYLE = STYLES[3]
"""One that SGF holds whole."""


def judged(seed: int, names: tuple[str, str], *, length: int = 1, date: str = "", event: str = "") -> Match:
    """An analysed match of two players."""
    match = analysed(replace(made(seed, length), players=names), seed, _STYLE)
    told = {"Date": date, "Event": event}
    kept = tuple(tag for tag in match.tags if not told.get(tag.key))
    return replace(match, tags=(*kept, *(Tag(key=key, value=value) for key, value in told.items() if value)))


def put_judged(path: Path, match: Match) -> Path:
    """Write an analysed match into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bgtools.convert(match, to="sgf", verify=False).data)
    return path


PLAYED = [
    judged(1, ("Ann", "Bob"), date="2024-03-01", event="Open"),
    judged(4, ("Bob", "Ann"), date="2024-04-02", event="Open"),
    judged(3, ("Cara", "Ann")),
]


# --- many matches -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """A match that is made of the rows of another.

    Attributes:
        players: of it.
        date, event: when and where it was played.
        worse: what the losses of each player are multiplied with.
        phases: of decisions in which phases; none for all.
    """

    players: tuple[str, str]
    date: str = ""
    event: str = ""
    worse: tuple[float, float] = (1.0, 1.0)
    phases: frozenset[str] = frozenset()


_COPIED: tuple[StoredName, ...] = ("matches", "decisions", "choices", "totals")


def multiplied(template: Library, location: Path, matches: Iterable[Made], seed: int = 5) -> Library:
    """A library of matches that have the decisions of those of another one, some of them left out, by turns.

    Of each decision the loss varies, and whether it was a mistake, as PR and luck do in the table of totals.
    """
    import pyarrow as pa

    rng = random.Random(seed)
    source, target = open_storage(template.location), open_storage(str(location))
    rows: dict[str, list[dict[str, Any]]] = {
        name: [row for file in read_state(source).of(name) for row in read_table(source, file).to_pylist()]
        for name in _COPIED
    }
    records = sorted({row["record"] for row in rows["matches"]})
    found: dict[StoredName, list[dict[str, Any]]] = {name: [] for name in _COPIED}
    for number, match in enumerate(matches, 1):
        own = records[number % len(records)]
        copied = {name: [dict(row) for row in rows[name] if row["record"] == own] for name in _COPIED}
        (head,) = copied["matches"]
        head |= {"player0": match.players[0], "player1": match.players[1], "rolls": [], "number": 1}
        head |= {"date": match.date, "date_from": "header" if match.date else "", "event": match.event}
        for row in copied["decisions"]:
            if row["loss"] is not None:
                touched = not match.phases or row["phase"] in match.phases
                row["loss"] *= rng.choice((0.0, 0.0, 1.0, 0.5)) * (match.worse[row["player"]] if touched else 1.0)
        for row in copied["totals"]:
            decisions = [each for each in copied["decisions"] if each["player"] == row["player"] and each["xg_counted"]]
            row["xg_pr_divided_by"] = row["xg_pr_counted"] = len(decisions)
            row["xg_pr_loss"] = sum(each["loss"] for each in decisions)
            factor = 750 if row["length"] == 1 else 500
            row["xg_pr"] = factor * row["xg_pr_loss"] / len(decisions) if decisions else None
        for name in _COPIED:
            for row in copied[name]:
                row["record"] = number
                if "name" in row:
                    row["name"] = match.players[row["player"]]
                if "opponent" in row:
                    row["opponent"] = match.players[1 - row["player"]]
            found[name] += copied[name]
    tables = [(name, pa.Table.from_pylist(cells, arrow_schema(name))) for name, cells in found.items()]
    state = commit(target, read_state(target), Commit(add=write_tables(target, tables)))
    assert state is not None
    assert commit(target, state, Commit(groups=write_tables(target, [("groups", grouped_table([]))])[0])) is not None
    return Library(location)


def course(rng: random.Random, count: int, *, worse: float = 1.0, phases: frozenset[str] = frozenset()) -> list[Made]:
    """Matches of a player against nine others, in which they lose more in some phases. They sit on either side."""
    found = []
    for number in range(count):
        other = f"Opponent {rng.randrange(9)}"
        date = f"20{10 + number * 10 // count}-0{1 + number % 9}-11"
        left = Made(("Zed", other), date, f"Event {number % 3}", (worse, 1.0), phases)
        right = replace(left, players=(other, "Zed"), worse=(1.0, worse))
        found.append(rng.choice((left, right)))
    return found


@cache
def _small(folder: Path) -> tuple[list[Path], Library]:
    paths = [put_judged(folder / "judged" / f"{number}.sgf", match) for number, match in enumerate(PLAYED)]
    library = Library(folder / "small")
    library.add(paths)
    return paths, library


@cache
def _many(folder: Path) -> Library:
    matches = course(random.Random(2), 60, worse=4.0, phases=frozenset({"opening"}))
    return multiplied(_small(folder)[1], folder / "many", matches)


@pytest.fixture
def judged_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of `PLAYED`."""
    return _small(tmp_path_factory.getbasetemp())[0]


@pytest.fixture
def small(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library of them."""
    return _small(tmp_path_factory.getbasetemp())[1]


@pytest.fixture
def many(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library of sixty matches of Zed, who plays openings badly, against nine others."""
    return _many(tmp_path_factory.getbasetemp())
