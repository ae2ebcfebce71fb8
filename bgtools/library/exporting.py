"""Records out of a library."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import atomic_writer, make_folders
from bgtools.conversion.conversion import made, parse_target
from bgtools.formats.archives import is_stream_name, stream_writer
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.searching import trouble
from bgtools.library.connecting import answered
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.conversion.conversion import Target

_LONGEST: Final = 60
_UNFIT: Final = re.compile(r"[^\w .,()'-]+")


@dataclass(slots=True)
class Exported:
    """What an export has written.

    Attributes:
        records: how many records were written; how many files, where they are written as they were added.
        problems: the paths of those that could not be written, and why.
        losses: by the name of each finding of a loss, in how many records it was made.
    """

    records: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    losses: Counter[str] = field(default_factory=Counter)


# --- records --------------------------------------------------------------------------------


def export_records(connection: Any, output: Path, to: str = "", *, where: str = "", force: bool = False) -> Exported:
    """Write the record of each match.

    Args:
        connection: one of DuckDB that sees the library, as `bgtools.library.connecting.connect` gives it.
        output: a folder, or a file: ``.zip``, or ``.ogxms`` (packed as ``.ogxms.zst``) for a stream of OGXM.
        to: the format to write, and perhaps its dialect, such as ``mat:xg-text``; empty for the files as they were
            added, which are written whole even where one of several records was chosen.
        where: a condition of SQL on the table of matches.
        force: whether a file of that name is written over.

    Raises:
        FormatError: there is no such format, or it is not written, or what packs a stream is not installed.
        LibraryError: the condition is wrong.
        FileExistsError: there is such a file, and ``force`` is not given.
        OSError: it cannot be written.
    """
    is_stream = is_stream_name(output.name)
    target = parse_target("ogxm" if is_stream else to) if to or is_stream else None
    if is_stream and to not in ("", "ogxm"):
        raise LibraryError(f"{output}: a stream holds OGXM, not {to}")
    exported = Exported()
    files = _files(connection, target, where, exported)
    if is_stream:
        with stream_writer(output, force=force) as stream:
            for _, content in files:
                stream.write(content)
    elif output.suffix.lower() == ".zip":
        with atomic_writer(output, force=force) as out, zipfile.ZipFile(out, "w") as archive:
            for name, content in files:
                # The same records give the same file: no time is kept.
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    else:
        make_folders(output)
        for name, content in files:
            _save(output / name, content, force=force)
    return exported


def _save(path: Path, data: bytes, *, force: bool) -> None:
    with atomic_writer(path, force=force) as stream:
        stream.write(data)


def _files(connection: Any, target: Target | None, where: str, exported: Exported) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file to write, in the order of the matches' dates and players."""
    condition = f"WHERE ({where})" if where else ""
    listed = answered(
        connection,
        "SELECT record, source, number, player0, player1, coalesce(date_text, ''), length FROM matches "
        f"{condition} ORDER BY coalesce(date_text, ''), player0, player1, record",
    ).fetchall()
    taken: set[str] = set()
    seen: set[int] = set()
    for record, source, number, *about in listed:
        if target is None and source in seen:
            continue
        seen.add(source)
        path, content = _source(connection, source)
        if content is None:
            exported.problems.append((path or str(record), "its file is lost; add it again"))
            continue
        if target is None:
            exported.records += 1
            yield _unused(PurePath(path.replace("\\", "/")).name, taken), content
            continue
        try:
            done = made((read_source(content, path)[number - 1],), target)
        except Exception as error:  # a fault of ours must not cost all other records
            exported.problems.append((path, trouble(error)))
            continue
        exported.records += 1
        exported.losses.update({each.code.name for each in done.losses})
        ending = find_format(target.format.name).extensions[0]
        yield _unused(f"{_title(*about)}{ending}", taken), done.data


def _source(connection: Any, source: int) -> tuple[str, bytes | None]:
    rows = connection.execute(
        "SELECT path, content FROM stored.sources WHERE source = ? ORDER BY content IS NULL LIMIT 1", [source]
    ).fetchall()
    return rows[0] if rows else ("", None)


def _title(player0: str, player1: str, date: str, length: int) -> str:
    kind = f"{length} points" if length else "money"
    text = f"{date} {player0 or 'unknown'} - {player1 or 'unknown'} ({kind})".strip()
    return _UNFIT.sub("_", text)[:_LONGEST].strip(" .") or "match"


def _unused(name: str, taken: set[str]) -> str:
    """A name that no file has yet, also on a system that does not tell capitals from small letters."""
    stem, dot, ending = name.partition(".")
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        found = f"{stem} {number}{dot}{ending}"
    taken.add(found.casefold())
    return found
