"""The columns of the tables: each documented, typed, of one name, and made of the row classes alone."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.formats.reading import read_source
from bgtools.reports.columns import _ColumnPath, _Maker, cells_of, meanings
from bgtools.reports.table_kinds import ORIGIN, TABLES, Origin, origin, rows_of
from program import SOUND

if TYPE_CHECKING:
    from types import ModuleType

    from bgtools.analysis.totals import Analysis

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(read_source(SOUND.encode(), "x")[0])


@pytest.fixture(scope="module")
def make_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_tables", DOCS / "make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_field_says_what_it_means(table: Any) -> None:
    silent = sorted({column.field for column in (*ORIGIN, *table.columns) if not column.meaning})
    assert not silent, f"say what these mean under 'Attributes:' of their class, as 'name[, name]: text.': {silent}"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_no_two_columns_have_one_name(table: Any) -> None:
    names = Counter(column.name for column in (*ORIGIN, *table.columns))
    assert [name for name, count in names.items() if count > 1] == []
    assert all(name.isidentifier() for name in names)


def test_a_name_means_one_type_in_every_table() -> None:
    types: dict[str, set[str]] = {}
    for table in TABLES.values():
        for column in (*ORIGIN, *table.columns):
            types.setdefault(column.name, set()).add(column.type)
    assert {name: found for name, found in types.items() if len(found) > 1} == {}


def test_the_dictionary_and_the_schema_are_up_to_date(make_tables: ModuleType) -> None:
    text = make_tables.PAGE.read_text(encoding="utf-8")
    assert make_tables.page(text) == text, "run python docs/make_tables.py"
    assert make_tables.SCHEMA.read_text(encoding="utf-8") == make_tables.schema_text(), "run python docs/make_tables.py"


def test_a_column_that_goes_or_changes_its_type_takes_a_new_version(make_tables: ModuleType) -> None:
    old = json.loads(make_tables.SCHEMA.read_text(encoding="utf-8"))
    new = json.loads(json.dumps(old))
    rows = new["$defs"]["turns"]["properties"]
    assert make_tables.broken(old, new) == []
    rows["more"] = {"type": "integer"}
    rows["luck"]["type"] = "number"  # never null any more: nobody minds
    assert make_tables.broken(old, new) == []
    del rows["dice"]
    rows["pips"] = {"type": "string"}
    assert make_tables.broken(old, new) == [
        "turns has no column dice any more",
        "turns: pips was integer and is string",
    ]
    for each in new["oneOf"]:
        each["properties"]["version"]["const"] += 1
    assert make_tables.broken(old, new) == []


# --- from classes to columns ----------------------------------------------------------------


@dataclass(frozen=True)
class Inner:
    """Something inside.

    Attributes:
        value: the figure, which is
            told on two lines.
        label: its name.
    """

    value: float
    label: str


@dataclass(frozen=True)
class Outer:
    """A row.

    Attributes:
        one, other: two of a kind.
        pair: both.
        inner: as in `Inner`.
        ratings: what there is.
        counts: how often.
        silent_too: said here, for a field that is not there.

    Not an attribute: at all.
    """

    one: int
    other: int | None
    pair: tuple[int, int]
    inner: Inner | None
    ratings: Annotated[dict[str, Inner], ("my pr",)] | None
    counts: Annotated[dict[str, int], ("a", "b")]
    rows: tuple[Inner, ...]
    silent: bool = False


def test_columns_come_from_hints_and_docstrings() -> None:
    columns = list(_Maker(("{}", "opponent_{}")).of(Outer, _ColumnPath(0)))
    assert [(column.name, column.type, column.nullable) for column in columns] == [
        ("one", "int", False),
        ("other", "int", True),
        ("pair", "int", False),
        ("opponent_pair", "int", False),
        ("inner", "float", True),
        ("inner_label", "text", False),
        ("my_pr", "float", True),
        ("my_pr_label", "text", False),
        ("counts_a", "int", True),
        ("counts_b", "int", True),
        ("silent", "bool", False),
    ]
    texts = {column.name: column.meaning for column in columns}
    assert texts["other"] == "two of a kind"
    assert texts["inner"] == "the figure, which is told on two lines"
    assert texts["my_pr_label"] == "my pr: its name"
    assert texts["silent"] == ""
    assert "Not" not in "".join(meanings(Outer))
    full = Outer(1, None, (2, 3), None, {"my pr": Inner(float("nan"), "x")}, {"b": 2**70}, (), True)
    one, two = cells_of(columns, ([full], [replace(full, ratings=None)]))
    assert one == (1, None, 2, 3, None, "", None, "x", None, None, True)
    assert two[6:8] == (None, "")


def test_a_dictionary_of_unknown_keys_is_refused_by_name() -> None:
    @dataclass
    class Loose:
        held: dict[str, int]

    Loose.__annotations__["held"] = dict[str, int]
    with pytest.raises(TypeError, match=r"Loose\.held: .* lists the keys"):
        list(_Maker(("", "")).of(Loose, _ColumnPath(0)))


def test_both_players_have_their_columns_in_a_game(analysis: Analysis) -> None:
    names = [column.name for column in TABLES["games"].columns]
    row = dict(zip(names, next(rows_of("games", analysis)), strict=True))
    assert (row["player0_name"], row["player1_name"], row["winner"], row["points"]) == ("Ann", "Bob", 0, 1)
    assert (row["player0_score"], row["rolls"], row["ending"]) == (0, 2, "drop")
    assert row["player0_luck_emg"] is None


def test_a_player_sees_the_match_from_his_side(analysis: Analysis) -> None:
    names = [column.name for column in TABLES["players"].columns]
    rows = [dict(zip(names, row, strict=True)) for row in rows_of("players", analysis)]
    told = [(row["name"], row["opponent"], row["points"], row["opponent_points"], row["won"]) for row in rows]
    assert told == [("Ann", "Bob", 1, 0, None), ("Bob", "Ann", 0, 1, None)]


def test_a_row_says_where_it_comes_from(analysis: Analysis) -> None:
    used = replace(analysis.conventions, engine="sage", engine_version="2.0", level="quick", met="Kazaross-XG2")
    place = origin("a.mat", 2, replace(analysis, conventions=used))
    assert place == Origin("a.mat", 2, "sage 2.0 quick Kazaross-XG2")
    assert origin("a.mat", 2, analysis).engine == ""
    dice = next(column for column in TABLES["turns"].columns if column.name == "dice")
    assert next(rows_of("turns", analysis, (*ORIGIN, dice), place)) == ("a.mat", 2, place.engine, "", "", "", "31")
