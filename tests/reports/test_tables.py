"""Tables as frames and files: every format gives back what was written, and the same bytes every time."""

from __future__ import annotations

import csv
import datetime
import gc
import io
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from jsonschema import Draft202012Validator

from bgtools.analysis.match_analysis import analyse
from bgtools.formats.reading import read_source
from bgtools.reports import table_files
from bgtools.reports.columns import Column
from bgtools.reports.table_files import TableError, encode, format_of, require, write_table, writer
from bgtools.reports.table_kinds import ORIGIN, TABLES, TABLES_VERSION, Origin, rows_of
from bgtools.reports.tables import DTYPES, frame, read
from program import SOUND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.reports.columns import Cell
    from bgtools.reports.table_files import FileFormat
    from bgtools.reports.table_kinds import TableName

FORMATS: tuple[FileFormat, ...] = ("csv", "json", "jsonl", "parquet", "xlsx")
NASTY = (
    'a,"b"',
    "x\ry",
    "x\r\ny",
    "\n",
    "=1+1",
    "NA",
    "None",
    "nan",
    "True",
    "31",
    # pandas 2 ends a cell of CSV at a NUL when it reads one; the file holds all of it.
    "\x00\x1f" if pd.__version__ >= "3" else "\x1f",
    "\ud800",
    "\uffff",
    "  ",
    "é😀",
)

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "tables.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(read_source(SOUND.encode(), "x")[0])


def written(
    file_format: FileFormat, name: TableName, rows: Sequence[Sequence[Cell]], path: Path, pieces: int = 1
) -> Path:
    """A file with some rows, put in as several pieces."""
    columns = (*ORIGIN, *TABLES[name].columns)
    with path.open("w+b") as stream:
        file = writer(file_format, name, columns, stream)
        for piece in range(pieces):
            file.add(encode(file_format, columns, rows[piece::pieces]))
        file.close()
    return path


CELLS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-(2**53), 2**53),
    "float": st.floats(-1e6, 1e6),
    "bool": st.booleans(),
    "text": st.text(max_size=5) | st.sampled_from(NASTY),
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[TableName, list[tuple[Cell, ...]]]:
    """A table, and what its rows could be: every column from a few cells, so that it takes no time."""
    name = draw(st.sampled_from(sorted(TABLES)))
    count = draw(st.integers(0, 3))
    few: dict[str, list[Cell]] = {kind: draw(st.lists(cells, min_size=3, max_size=3)) for kind, cells in CELLS.items()}
    few["text"] = [str(text).encode("utf-8", "replace").decode() for text in few["text"]]
    columns = (*ORIGIN, *TABLES[name].columns)
    rows = [
        tuple(
            None if column.nullable and (row + at) % 4 == 0 else few[column.type][(row + at) % 3]
            for at, column in enumerate(columns)
        )
        for row in range(count)
    ]
    for row, column in enumerate(columns):
        if column.values and rows:
            rows[0] = (*rows[0][:row], column.values[-1], *rows[0][row + 1 :])
    return name, rows


def all_rows(name: TableName, analysis: Analysis) -> list[tuple[Cell, ...]]:
    return list(rows_of(name, analysis, (*ORIGIN, *TABLES[name].columns), Origin("a.mat", 1, "")))


def expected(name: TableName, rows: Sequence[Sequence[Cell]]) -> pd.DataFrame:
    names = [column.name for column in (*ORIGIN, *TABLES[name].columns)]
    columns = {
        column: pd.array([row[at] for row in rows], dtype=DTYPES[column])  # type: ignore[call-overload]
        for at, column in enumerate(names)
    }
    return pd.DataFrame(
        {key: column.round(5) if column.dtype == "Float64" else column for key, column in columns.items()}
    )


def in_xml(text: str) -> str:
    """What is left of a text in Excel: no control characters, and no two that are none."""
    return "".join("\ufffd" if (char < " " and char not in "\t\n") or char in "\ufffe\uffff" else char for char in text)


# --- frames ---------------------------------------------------------------------------------


def test_columns_are_typed_even_where_all_is_empty(analysis: Analysis) -> None:
    decisions, turns = frame("decisions", analysis), frame("turns", analysis)
    assert decisions["loss"].dtype == pd.Float64Dtype()
    assert decisions["loss"].isna().all()
    assert turns["pips"].dtype == pd.Int64Dtype()
    assert turns["opening"].tolist() == [True, False, False, False]
    assert turns["pips_after"].tolist()[:2] == [163, 160]
    choices = frame("choices", analysis)
    assert len(choices) == 0
    assert choices["made"].dtype == pd.BooleanDtype()
    assert decisions.attrs == {"table": "decisions", "version": TABLES_VERSION}


# --- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TABLES))
def test_duckdb_and_polars_read_the_same_rows_of_parquet(name: TableName, analysis: Analysis, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    rows = all_rows(name, analysis)
    path = written("parquet", name, rows, tmp_path / "t.parquet")
    ours = [[round(cell, 5) if isinstance(cell, float) else cell for cell in row] for row in rows]
    for found in (polars.read_parquet(path).rows(), duckdb.read_parquet(str(path)).fetchall()):
        assert [[round(cell, 5) if isinstance(cell, float) else cell for cell in row] for row in found] == ours


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("file_format", FORMATS)
@given(table=tables())
@settings(max_examples=25)
def test_what_is_written_is_read_back_with_its_types(
    file_format: FileFormat, table: tuple[TableName, list[tuple[Cell, ...]]]
) -> None:
    name, rows = table
    with TemporaryDirectory() as folder:
        path = written(file_format, name, rows, Path(folder) / f"t.{file_format}")
        if not rows and file_format == "jsonl":
            assert path.read_bytes() == b""
            return
        back = read(path)
    wanted = expected(name, rows)
    for column in wanted.columns[wanted.dtypes == "string"]:
        wanted[column] = wanted[column].replace("", pd.NA)  # what is not known
    if file_format == "xlsx":
        for column in wanted.columns[wanted.dtypes == "string"]:
            wanted[column] = pd.array(
                [text if pd.isna(text) else in_xml(text) or None for text in wanted[column]], dtype="string"
            )
    pd.testing.assert_frame_equal(back, wanted, check_exact=file_format != "xlsx")


@pytest.mark.parametrize("file_format", FORMATS)
def test_what_is_known_of_some_rows_only_is_read_back(
    file_format: FileFormat, analysis: Analysis, tmp_path: Path
) -> None:
    row = dict(
        zip(
            (column.name for column in (*ORIGIN, *TABLES["players"].columns)),
            all_rows("players", analysis)[0],
            strict=True,
        )
    )
    won = (None, True, None, False)
    rows = [tuple({**row, "won": each}.values()) for each in won]
    back = read(written(file_format, "players", rows, tmp_path / f"t.{file_format}"))
    assert back["won"].dtype == pd.BooleanDtype()
    assert [None if pd.isna(each) else bool(each) for each in back["won"]] == list(won)


@pytest.mark.parametrize("file_format", FORMATS)
def test_no_text_can_break_a_file(file_format: FileFormat, analysis: Analysis, tmp_path: Path) -> None:
    turns = tuple(replace(analysis.turns[0], name=text, note=text) for text in NASTY)
    rows = all_rows("turns", replace(analysis, turns=turns))
    back = read(written(file_format, "turns", rows, tmp_path / f"t.{file_format}"))
    whole = [text.replace("\ud800", "?") for text in NASTY]
    if file_format == "xlsx":
        whole = [in_xml(text) for text in whole]
    assert back["name"].tolist() == back["note"].tolist() == whole


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("name", TABLES)
def test_a_file_is_the_same_twice(file_format: FileFormat, name: TableName, analysis: Analysis, tmp_path: Path) -> None:
    rows = all_rows(name, analysis)
    first = written(file_format, name, rows, tmp_path / f"a.{file_format}", pieces=2).read_bytes()
    assert first == written(file_format, name, rows, tmp_path / f"b.{file_format}", pieces=2).read_bytes()
    if file_format == "csv":
        assert b"\r" not in first


@pytest.mark.parametrize("name", TABLES)
def test_documents_and_lines_fit_the_schema(name: TableName, analysis: Analysis) -> None:
    rows, columns = all_rows(name, analysis), (*ORIGIN, *TABLES[name].columns)
    fit(name, rows)
    # Where something can be missing, all of it is, and where not, nothing.
    full: dict[str, Cell] = {"int": 1, "float": 0.5, "bool": True, "text": "x"}
    fit(name, [tuple(each.values[0] if each.values else full[each.type] for each in columns)])
    fit(
        name, [tuple(None if each.nullable else each.values[0] if each.values else full[each.type] for each in columns)]
    )


def fit(name: TableName, rows: Sequence[Sequence[Cell]]) -> None:
    columns = (*ORIGIN, *TABLES[name].columns)
    stream = io.BytesIO()
    file = writer("json", name, columns, stream)
    file.add(encode("json", columns, rows))
    file.close()
    Draft202012Validator(SCHEMA).validate(json.loads(stream.getvalue()))
    lines = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
    for line in encode("jsonl", columns, rows).split("\n")[:-1]:
        lines.validate(json.loads(line))


def test_the_schema_finds_what_is_wrong(analysis: Analysis) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    row: dict[str, Any] = dict(
        zip((c.name for c in TABLES["turns"].columns), next(rows_of("turns", analysis)), strict=True)
    )
    lines = Draft202012Validator({"$ref": "#/$defs/turns", "$defs": SCHEMA["$defs"]})
    assert lines.is_valid(row)
    for name, wrong in (("pips", "167"), ("pips", None), ("luck", ""), ("opening", 1), ("dice", 31), ("new", 1)):
        assert not lines.is_valid({**row, name: wrong})


def test_floats_are_as_fine_as_any_engine_knows_them(analysis: Analysis) -> None:
    column = next(column for column in TABLES["turns"].columns if column.name == "luck")
    rows: list[tuple[Cell]] = [(0.1234567,), (-0.0000001,), (0.1 + 0.2,)]
    assert encode("csv", [column], rows) == "0.12346\n0.0\n0.3\n"


def test_pandas_alone_reads_the_types_of_parquet(analysis: Analysis, tmp_path: Path) -> None:
    write_table("turns", analysis, tmp_path / "t.parquet")
    back = pd.read_parquet(tmp_path / "t.parquet")
    types = {name: str(back[name].dtype) for name in ("pips", "luck", "opening", "dice")}
    assert types == {"pips": "Int64", "luck": "Float64", "opening": "boolean", "dice": "string"}


def test_a_parquet_file_says_which_columns_it_holds(analysis: Analysis, tmp_path: Path) -> None:
    from pyarrow import parquet

    write_table("games", analysis, tmp_path / "t.parquet")
    metadata = parquet.read_schema(tmp_path / "t.parquet").metadata
    assert json.loads(metadata[b"bgtools.table"]) == {"version": TABLES_VERSION, "table": "games"}


def test_parquet_keeps_only_a_group_of_rows_in_memory(
    analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyarrow import parquet

    monkeypatch.setattr(table_files, "_ROW_GROUP", 10)
    rows = all_rows("turns", analysis) * 12  # 48
    path = written("parquet", "turns", rows, tmp_path / "t.parquet", pieces=12)
    meta = parquet.ParquetFile(path).metadata
    groups = [meta.row_group(number).num_rows for number in range(meta.num_row_groups)]
    assert sum(groups) == 48
    assert max(groups) <= 10


def test_excel_says_what_the_columns_mean_and_takes_dice_for_text(analysis: Analysis, tmp_path: Path) -> None:
    write_table("turns", analysis, tmp_path / "t.xlsx")
    sheets = pd.read_excel(tmp_path / "t.xlsx", sheet_name=None, header=None, dtype=object)
    assert list(sheets) == ["turns", "columns"]
    about = sheets["columns"]
    assert about.iloc[1:, 0].dropna().tolist() == ["column", *(column.name for column in TABLES["turns"].columns)]
    dice = [column.name for column in TABLES["turns"].columns].index("dice")
    assert sheets["turns"].iloc[1, dice] == "31"


def test_more_rows_than_a_sheet_holds_are_refused(
    analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "_SHEET_ROWS", 4)
    with pytest.raises(TableError, match="ends at 4 rows"):
        written("xlsx", "turns", all_rows("turns", analysis), tmp_path / "t.xlsx")


@pytest.fixture
def _new_objects_only() -> Iterator[None]:
    """Collecting garbage looks at what the test has made, not at all that the process holds, which takes a second."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.quick(one_in=6)
@pytest.mark.usefixtures("_new_objects_only")
@pytest.mark.parametrize("file_format", [*FORMATS, "answer"])
def test_a_file_that_ctrl_c_ends_leaves_no_drafts_and_prints_nothing_later(
    file_format: FileFormat | Literal["answer"], analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts, rows, columns = tmp_path / "drafts", all_rows("turns", analysis), (*ORIGIN, *TABLES["turns"].columns)
    drafts.mkdir()
    printed: list[object] = []
    monkeypatch.setattr(tempfile, "tempdir", str(drafts))
    monkeypatch.setattr(sys, "unraisablehook", printed.append)

    def write(stream: BinaryIO) -> None:
        layout: FileFormat = "xlsx" if file_format == "answer" else file_format
        file = writer(layout, None if file_format == "answer" else "turns", columns, stream)
        file.add(encode(layout, columns, rows))
        file.close()

    ended = 0
    while ended < 1000:
        try:
            with Interrupted(ended) as stream:
                write(stream)
        except KeyboardInterrupt:
            ended += 1
        else:
            break
        gc.collect()
        assert not printed
        assert not list(drafts.iterdir())
    assert 1 <= ended < 1000


def test_answers_of_any_kind_are_written_to_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = (True, 3, 2**60, float("nan"), None, "a\x01\ufffe", datetime.date(2024, 2, 3), [1, 2], "=1+1")
    with (tmp_path / "t.xlsx").open("w+b") as stream:
        write_sheet([f"c{at}" for at in range(len(row))], [row], stream)
    (back,) = pd.read_excel(tmp_path / "t.xlsx", dtype=object).itertuples(index=False, name=None)
    text = "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    assert [each for each in back if not pd.isna(each)] == [
        True, 3, str(2**60), text, "2024-02-03", "[1, 2]", "=1+1",
    ]  # fmt: skip
    monkeypatch.setattr(table_files, "_SHEET_ROWS", 4)
    with pytest.raises(TableError, match="ends at 4 rows"):
        write_sheet(["one"], [(1,)] * 4, io.BytesIO())


def write_sheet(names: list[str], rows: list[Any], stream: BinaryIO) -> None:
    """Write rows of anything as a sheet."""
    columns = [Column(name, "text") for name in names]
    file = writer("xlsx", None, columns, stream)
    file.add(encode("xlsx", columns, rows))
    file.close()


class Interrupted(io.BytesIO):
    """A stream that is interrupted as it is written to, after so many times that it is not."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._left = after

    def write(self, data: Any) -> int:
        self._left -= 1
        if self._left == -1:
            raise KeyboardInterrupt
        return super().write(data)


@pytest.mark.parametrize(
    ("module", "extra", "file_format"), [("pyarrow", "parquet", "parquet"), ("xlsxwriter", "excel", "xlsx")]
)
def test_what_is_missing_is_named(
    module: str, extra: str, file_format: FileFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "find_spec", lambda name: None)
    with pytest.raises(TableError, match=rf"{module} is not installed.*pip install 'bgtools-backgammon\[{extra}\]'"):
        require(file_format)


def test_an_ending_tells_the_format() -> None:
    assert [format_of(f"A.B{ending}") for ending in (".csv", ".JSON", ".ndjson", ".parquet")] == [
        "csv",
        "json",
        "jsonl",
        "parquet",
    ]
    with pytest.raises(TableError, match=r"a\.ods: its ending tells no format; there are \.csv, "):
        format_of("a.ods")


def test_rows_need_no_pandas(tmp_path: Path) -> None:
    import subprocess

    code = (
        "import sys; from bgtools.reports.table_files import write_table;"
        "from bgtools.analysis.match_analysis import analyse;"
        "from bgtools import read; from pathlib import Path;"
        f"write_table('turns', analyse(read({str(Path(__file__).parents[2] / 'samples' / 'one-point.mat')!r})),"
        f" Path({str(tmp_path / 't.csv')!r})); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


FORMULAS = (
    *('=HYPERLINK("http://x","y")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1"),
    *("\uff201", "'=1", "''=1", "-", "=", "-0.5", "=1,2", '=";"'),
)
HARMLESS = ("Ann", "'Ann", "' =1", "8/5 6/5", "NA", "", "1-0", "a=b", " =1", "'")


@pytest.mark.parametrize("text", [*FORMULAS, *HARMLESS])
def test_no_text_in_a_csv_file_is_a_formula_and_every_one_comes_back(
    text: str, analysis: Analysis, tmp_path: Path
) -> None:
    named = replace(analysis, turns=tuple(replace(row, name=text) for row in analysis.turns[:2]))
    write_table("turns", named, tmp_path / "turns.csv")
    with (tmp_path / "turns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    cells = {row[rows[0].index("name")] for row in rows[1:]}
    assert cells == {f"'{text}" if text in FORMULAS else text}
    assert list(read(tmp_path / "turns.csv")["name"].fillna("")) == [text] * 2


def test_numbers_below_zero_stay_numbers(analysis: Analysis) -> None:
    column = next(each for each in TABLES["turns"].columns if each.type == "float")
    assert encode("csv", [column], [[-0.25]]) == "-0.25\n"


@pytest.mark.thorough
def test_a_file_that_cannot_be_begun_is_one_error_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)

    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        writer("parquet", "games", TABLES["games"].columns, Full())
    gc.collect()
    assert dropped == []
