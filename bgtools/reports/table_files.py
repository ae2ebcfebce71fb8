"""Tables as files: CSV, JSON, JSON Lines, Parquet, Excel, each written as the rows come.

`encode` turns rows into pieces, in any process; a `Writer` puts the pieces one after the other. The same
rows in the same pieces give the same bytes. Floats are rounded to 5 digits behind the point: engines know
an equity less exactly, and further digits differ from machine to machine.
"""

from __future__ import annotations

import datetime
import json
import re
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, Protocol, TypeVar

from bgtools._extras import install_hint
from bgtools._signals import signals_deferred
from bgtools.reports.columns import arrow_schema_of
from bgtools.reports.table_kinds import TABLES, TABLES_VERSION, about_table, rows_of
from bgtools.reports.values import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from bgtools.analysis.totals import Analysis
    from bgtools.reports.columns import Cell, Column, ColumnType
    from bgtools.reports.table_kinds import AnyTableName, TableName

T = TypeVar("T")

FileFormat = Literal["csv", "json", "jsonl", "parquet", "xlsx"]
Chunk = Any
"""Some rows as the format wants them: text, a list of rows, or an Arrow batch. It can be sent between processes."""

ENDINGS: Final[Mapping[str, FileFormat]] = MappingProxyType(
    {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".xlsx": "xlsx"}
)
"""Endings of file names, and the formats that they ask for."""

BINARY: Final[frozenset[FileFormat]] = frozenset({"parquet", "xlsx"})
"""Formats that are not for a terminal."""

SCHEMA_NAME: Final = "bgtools.table"
"""What a JSON document and a Parquet file call themselves."""

_DIGITS: Final = 5
_ROW_GROUP: Final = 50_000
"""Rows that a Parquet file keeps together, and that wait in memory until then."""
_SHEET_ROWS: Final = 1_048_576
_LARGEST: Final = 2**53  # whole numbers from here on are not held exactly
_CELL_LENGTH: Final = 32_767
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""Limits of Excel; a longer text is cut."""
_LONG_AGO: Final = datetime.datetime(1980, 1, 1)

_NEEDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"parquet": ("pyarrow", "parquet"), "xlsx": ("xlsxwriter", "excel")}
)
"""The module that a format needs, and the extra that installs it."""


class TableError(Exception):
    """A table cannot be written as asked. The message says why, and what would help."""


def format_of(path: str) -> FileFormat:
    """The format that the ending of a file name asks for.

    Raises:
        TableError: no format has that ending.
    """
    for ending, found in ENDINGS.items():
        if path.lower().endswith(ending):
            return found
    raise TableError(f"{path}: its ending tells no format; there are {', '.join(ENDINGS)}")


def require(file_format: FileFormat) -> None:
    """Make sure that what a format needs is installed.

    Raises:
        TableError: it is not; the message says how to install it.
    """
    module, extra = _NEEDS.get(file_format, ("", ""))
    if module:
        ensure_installed(module, f".{file_format}", extra)


def ensure_installed(module: str, ending: str, extra: str) -> None:
    """Make sure that a package is installed that only some files need.

    Args:
        module: the package.
        ending: the ending of the files that it writes.
        extra: the extra of bgtools that installs it.

    Raises:
        TableError: it is not; the message says how to install it.
    """
    if find_spec(module) is None:
        raise TableError(f"{module} is not installed, which writes {ending}; {install_hint(extra)}")


class Writer(Protocol):
    """Writes encoded rows to a stream, with what the format needs before and after them."""

    def add(self, chunk: Chunk) -> None:
        """Write some more rows.

        Raises:
            TableError: the file would hold more than its format has room for.
        """
        ...

    def close(self) -> None:
        """Write the end of the file. The stream stays open."""
        ...


def encode(file_format: FileFormat, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Chunk:
    """Rows as `Writer.add` of the format takes them."""
    rounded = [
        [round(cell, _DIGITS) + 0.0 if type(cell) is float else cell for cell in row]  # no minus zero
        for row in rows
    ]
    return _ENCODERS[file_format](columns, rounded)


def writer(file_format: FileFormat, name: AnyTableName | None, columns: Sequence[Column], stream: BinaryIO) -> Writer:
    """Begin a file.

    Args:
        file_format: how to write.
        name: which table it is; None for rows of anything, whose columns then need no type, except for Parquet.
        columns: what the rows hold.
        stream: where to write; for the binary formats it must be open for reading too.

    Raises:
        TableError: what the format needs is not installed.
    """
    require(file_format)
    return _WRITERS[file_format](name, columns, stream)


def write_table(name: TableName, analysis: Analysis, path: Path) -> None:
    """Write a table of one analysis, in the format that the name of the file asks for.

    Raises:
        TableError: the ending of the name tells no format, or what the format needs is not installed.
        OSError: the disk refuses.
    """
    file_format, columns = format_of(path.name), TABLES[name].columns
    with path.open("w+b") as stream:
        file = writer(file_format, name, columns, stream)
        file.add(encode(file_format, columns, rows_of(name, analysis)))
        file.close()


# --- text -----------------------------------------------------------------------------------


class _Text:
    """A text: what is before the first piece and before each other one, and the end without a piece and with some."""

    def __init__(
        self, stream: BinaryIO, head: str = "", before: Sequence[str] = ("", ""), end: Sequence[str] = ("", "")
    ) -> None:
        self._stream, self._before, self._end, self._some = stream, before, end, False
        self._put(head)

    def _put(self, text: str) -> None:
        self._stream.write(text.encode())

    def add(self, chunk: Chunk) -> None:
        if chunk:
            self._put(self._before[self._some] + chunk)
            self._some = True

    def close(self) -> None:
        self._put(self._end[self._some])


def _csv_file(_name: AnyTableName | None, columns: Sequence[Column], stream: BinaryIO) -> _Text:
    return _Text(stream, csv_text([[column.name for column in columns]]))


def _json_lines_file(_name: AnyTableName | None, _columns: Sequence[Column], stream: BinaryIO) -> _Text:
    return _Text(stream)


def _json_file(name: AnyTableName | None, columns: Sequence[Column], stream: BinaryIO) -> _Text:
    """One document, a line per row; without the name of a table an array alone."""
    if name is None:
        return _Text(stream, "[", ("", ",\n"), ("]\n", "\n]\n"))
    names = [column.name for column in columns]
    head = {"format": SCHEMA_NAME, "version": TABLES_VERSION, "table": name, "columns": names}
    opening = json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": ['
    return _Text(stream, opening, ("\n", ",\n"), ("]}\n", "\n]}\n"))


def _csv(_columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> str:
    return csv_text(rows)


def _json_lines(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> str:
    names = [column.name for column in columns]
    dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode
    return "".join([f"{dump(dict(zip(names, row, strict=True)))}\n" for row in rows])


def _json(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> str:
    return _json_lines(columns, rows).removesuffix("\n").replace("\n", ",\n")


# --- Parquet --------------------------------------------------------------------------------

_PANDAS_TYPES: Final[Mapping[ColumnType, tuple[str, str]]] = MappingProxyType(
    {
        "int": ("int64", "Int64"),
        "float": ("float64", "Float64"),
        "bool": ("bool", "boolean"),
        "text": ("unicode", "string"),
    }
)


class _Parquet:
    def __init__(self, name: AnyTableName | None, columns: Sequence[Column], stream: BinaryIO) -> None:
        from pyarrow import parquet

        metadata = {
            "pandas": json.dumps(_pandas_metadata(columns)),
            SCHEMA_NAME: json.dumps({"version": TABLES_VERSION, "table": name}),
        }
        self._schema = arrow_schema_of(columns, metadata)
        self._writer: Any = None  # where it cannot even begin
        self._writer = parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self._batches: list[Any] = []
        self._rows = 0

    def add(self, chunk: Chunk) -> None:
        self._batches.append(chunk)
        self._rows += chunk.num_rows
        if self._rows >= _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches([batch.cast(self._schema) for batch in self._batches], self._schema)
        if table.num_rows:
            self._writer.write_table(table, row_group_size=_ROW_GROUP)
        self._batches, self._rows = [], 0

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def __del__(self) -> None:
        # Where a signal has ended the command, its stream is closed, and nothing is left to be written.
        if self._writer is not None:
            self._writer.is_open = False


def _record_batch(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Any:
    import pyarrow as pa

    schema = arrow_schema_of(columns)
    listed = list(rows)
    arrays = [pa.array([row[at] for row in listed], field.type) for at, field in enumerate(schema)]
    return pa.record_batch(arrays, schema)


def _pandas_metadata(columns: Sequence[Column]) -> dict[str, Any]:
    """Metadata by which pandas reads integers with gaps as integers, and not as floats."""
    return {
        "index_columns": [],
        "column_indexes": [],
        "columns": [
            {
                "name": column.name,
                "field_name": column.name,
                "pandas_type": _PANDAS_TYPES[column.type][0],
                "numpy_type": _PANDAS_TYPES[column.type][1],
                "metadata": None,
            }
            for column in columns
        ],
        "pandas_version": "2.2.0",
    }


# --- Excel ----------------------------------------------------------------------------------


class _Patient:
    """A stream that takes everything, and tells at the end why it could not.

    A zip that an error or a signal leaves unfinished is finished when it is collected, and Python prints what goes
    wrong there. By then the stream may be closed, which is a `ValueError`.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._taken = 0  # bytes
        self._error: OSError | ValueError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, data: bytes) -> int:
        self._taken += len(data)
        return self._tried(lambda: self._stream.write(data), len(data))

    def seek(self, *where: int) -> int:
        return self._tried(lambda: self._stream.seek(*where), 0)

    def tell(self) -> int:
        return self._tried(self._stream.tell, self._taken)

    def flush(self) -> None:
        self._tried(self._stream.flush, None)

    def _tried(self, do: Callable[[], T], otherwise: T) -> T:
        if self._error is None:
            try:
                return do()
            except (OSError, ValueError) as error:
                self._error = error
        return otherwise

    def end(self) -> None:
        self.flush()
        if self._error is not None:
            raise self._error


class _Book:
    """A file of Excel with a sheet whose rows are written as they come. They wait in drafts until it is closed."""

    def __init__(self, stream: BinaryIO, sheet: str) -> None:
        import xlsxwriter

        self._stream = _Patient(stream)
        with signals_deferred():
            self._drafts = TemporaryDirectory(prefix="bgtools-", ignore_cleanup_errors=True)
        self.book = xlsxwriter.Workbook(self._stream, {"constant_memory": True, "tmpdir": self._drafts.name})
        self.book.use_zip64()  # if it is needed
        self.sheet = self.book.add_worksheet(sheet)
        self.sheet.freeze_panes(1, 0)
        self.rows = 0  # without the head

    def begin_row(self) -> int:
        """The number of the next row of the sheet.

        Raises:
            TableError: a sheet has no room for it.
        """
        self.rows += 1
        if self.rows >= _SHEET_ROWS:
            raise TableError(
                f"a sheet of Excel ends at {_SHEET_ROWS:,} rows, and there are more; "
                "write .csv or .parquet, or less at once"
            )
        return self.rows

    def close(self) -> None:
        from xlsxwriter.exceptions import FileCreateError

        try:
            self.book.close()
        except FileCreateError as error:  # of its drafts
            raise OSError(str(error)) from error
        self._stream.end()
        self._drafts.cleanup()

    def __del__(self) -> None:
        # Where a signal or an error has ended the command, the drafts are still there; Windows removes no open file.
        if hasattr(self, "book"):
            for sheet in self.book.worksheets():
                sheet.row_data_fh.close()
            self._drafts.cleanup()


class _Excel:
    """A sheet with the rows, and for a table of ours one that says what the columns mean."""

    def __init__(self, name: AnyTableName | None, columns: Sequence[Column], stream: BinaryIO) -> None:
        self._file = _Book(stream, name or "Sheet1")
        self._columns, self._name = columns, name
        self._bold = self._file.book.add_format({"bold": True})
        sheet = self._file.sheet
        for at, column in enumerate(columns):
            sheet.write_string(0, at, _fitting(column.name), self._bold)
            sheet.set_column(at, at, max(len(column.name) + 2, 8))
        if name is not None:
            self._file.book.set_properties({"created": _LONG_AGO, "title": f"bgtools {name}"})
            sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{_SHEET_ROWS}"})  # dice, such as 31

    def add(self, chunk: Chunk) -> None:
        for row in chunk:
            line = self._file.begin_row()
            for at, cell in enumerate(row):
                if cell is not None and cell != "" and cell == cell:
                    self._put(line, at, cell)

    def _put(self, line: int, at: int, cell: Any) -> None:
        """Write a cell; what is neither a truth value nor a number that Excel holds becomes text."""
        if isinstance(cell, bool):
            self._file.sheet.write_boolean(line, at, cell)
        elif isinstance(cell, int | float) and abs(cell) < _LARGEST:
            self._file.sheet.write_number(line, at, cell)
        else:
            self._file.sheet.write_string(line, at, _fitting(str(cell)))

    def close(self) -> None:
        if self._name is not None:
            self._explain(about_table(self._name)[0])
        self._file.close()

    def _explain(self, title: str) -> None:
        if self._columns:
            self._file.sheet.autofilter(0, 0, self._file.rows, len(self._columns) - 1)
        about = self._file.book.add_worksheet("columns")
        about.set_column(0, 0, 30)
        about.set_column(2, 2, 100)
        lines = [("column", "type", "meaning"), *((each.name, each.type, each.meaning) for each in self._columns)]
        about.write_string(0, 0, f"{title} bgtools, version {TABLES_VERSION} of the columns.")
        for number, line in enumerate(lines, 2):
            for at, text in enumerate(line):
                about.write_string(number, at, text, self._bold if number == 2 else None)


def _sheet_rows(_columns: Sequence[Column], rows: list[list[Cell]]) -> list[list[Cell]]:
    return rows


def _fitting(text: str) -> str:
    text = _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    # Excel counts in units of two bytes.
    return text if len(text) <= _CELL_LENGTH // 2 else _cut(text)


def _cut(text: str) -> str:
    return text.encode("utf-16-le")[: 2 * _CELL_LENGTH].decode("utf-16-le", "ignore")


_ENCODERS: Final[Mapping[FileFormat, Callable[[Sequence[Column], list[list[Cell]]], Chunk]]] = MappingProxyType(
    {"csv": _csv, "json": _json, "jsonl": _json_lines, "parquet": _record_batch, "xlsx": _sheet_rows}
)
_WRITERS: Final[Mapping[FileFormat, Callable[[AnyTableName | None, Sequence[Column], BinaryIO], Writer]]] = (
    MappingProxyType(
        {"csv": _csv_file, "json": _json_file, "jsonl": _json_lines_file, "parquet": _Parquet, "xlsx": _Excel}
    )
)
