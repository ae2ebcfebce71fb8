"""Reading files: recognising the format, reading through archives, and the matches that come out."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools._disk import opened
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Severity
from bgtools.formats.archives import is_tar, unpack
from bgtools.formats.content import SNIFFED, Content, FormatError, NoRecord
from bgtools.formats.evidence import NAMED, NEEDED, evidence
from bgtools.formats.limits import first_matches, read_bytes, within
from bgtools.formats.registry import formats
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from bgtools.findings.finding import Code
    from bgtools.formats.format import Format
    from bgtools.record.record import Match

AMBIGUOUS: Final = (".eml", ".htm", ".html", ".json", ".log", ".txt")
"""Endings of names that many files have which are not records."""

# Files that people take for records, by what they begin with.
_KNOWN_STRANGERS = (
    (b"%PDF", "a PDF document"),
    (b"<", "an HTML or XML page"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    # Archives have been unpacked by now; one that is left was packed in another.
    (b"PK\x03\x04", "a ZIP archive in another; unpack that first"),
    (b"\x1f\x8b", "a gzip file in another; unpack that first"),
    (b"BZh", "a bzip2 file in another; unpack that first"),
    (b"\xfd7zXZ", "an xz file in another; unpack that first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file in another; unpack that first"),
    (b"7z\xbc\xaf", "an archive of 7-Zip; bgtools reads through .zip, .tar, .gz, .bz2, .xz and .zst"),
    (b"Rar!", "an archive of RAR; bgtools reads through .zip, .tar, .gz, .bz2, .xz and .zst"),
)


_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*["\[\]{\d])')


def find_format(name: str) -> Format:
    """The format of that name.

    Raises:
        FormatError: there is no such format; the message lists the formats.
    """
    for each in formats():
        if each.name == name:
            return each
    raise FormatError(f"there is no format {name!r}; there are {', '.join(each.name for each in formats())}")


def recognise(content: Content) -> Format:
    """The format of a file, recognised by its content; where several formats fit, by the ending of its name.

    Raises:
        FormatError: bgtools reads no such format, or several fit; the message names them.
    """
    return next(_likely_formats(content))


def _likely_formats(content: Content) -> Iterator[Format]:
    """The formats that a file may be in, the likeliest first.

    Raises:
        FormatError: bgtools reads no such format, or several fit; the message names them.
    """
    scores: list[tuple[float, Format]] = []
    # Text may hold a zero byte by mistake. Binary formats, which use them on purpose, are tried first.
    for each in formats(binary_first=b"\0" in content.data[:SNIFFED]):
        score = each.sniff(content) if each.reader else 0
        if score == 1 and content.ending in each.extensions:
            yield each  # name and content agree, and the other formats need not be asked
            return
        scores.append((score, each))
    if not any(score for score, _ in scores):
        raise FormatError(_what_it_is(content))
    for best in sorted({score for score, _ in scores if score}, reverse=True):
        found = [each for score, each in scores if score == best]
        if len(found) > 1:
            found = [each for each in found if content.ending in each.extensions] or found
        if len(found) > 1:
            raise FormatError(f"this may be {' or '.join(each.name for each in found)}; say which with --from")
        yield found[0]


def _what_it_is(content: Content) -> str:
    for beginning, title in _KNOWN_STRANGERS:
        if content.data.lstrip()[: len(beginning)] == beginning:
            return f"this is {title}"
    if is_tar(content.data):
        return "this is a tar archive in another; unpack that first"
    if b"\0" in content.data:
        return "this is a binary file of no known format"
    if _JSON.match(content.head):
        return (
            'this is JSON, but neither a match as bgtools writes it, which begins with "format": "bgtools.match", '
            "nor one of GammonView"
        )
    return (
        'this is not match text: it has no match length ("7 point match"), no "Game 1" '
        'and no row such as "1) 31: 8/5 6/5"; nor is it in another format that bgtools reads'
    )


_OURS: Final = (
    (
        re.compile(rb'<meta name="generator" content="bgtools '),
        "page",
        "; convert --from xg-html reads the positions in it",
    ),
    (re.compile(rb'"made_by":\s*"bgtools"'), "file", ""),
)
"""The marks of what bgtools writes besides records, with what it is and how it is read all the same."""
MARKED: Final = 1 << 12
"""How many bytes at the beginning of such a file hold its mark."""


def require_foreign(content: Content) -> None:
    """Refuse a report or another page that bgtools wrote.

    Raises:
        FormatError: it is one.
    """
    head = content.data[:MARKED].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] in (b"<", b"{"):
        for mark, what, how in _OURS:
            if mark.search(head):
                raise FormatError(f"bgtools wrote this {what} about records; it is none itself{how}")


def read_source(data: bytes, name: str, format_name: str | None = None) -> tuple[Match, ...]:
    """Read every match in ``data``; archives are read through (`bgtools.formats.archives.unpack`).

    Files of an archive that cannot be read are left out; findings of the first match name them.

    Args:
        data: the bytes of a file.
        name: what to call it in messages.
        format_name: the name of a format; None to recognise the format by the content.

    Raises:
        FormatError: the content is in no known format.
    """
    if not data.strip():
        raise FormatError("the file is empty")
    contents = unpack(Content(data, name))
    if len(contents) == 1:
        return _read_one(contents[0], format_name)
    matches: list[Match] = []
    strangers: list[tuple[Content, str, FormatError]] = []
    for content in contents:
        try:
            matches += _read_one(content, format_name)
        except FormatError as error:
            strangers.append((content, _member_name(content, name), error))
    if not matches:
        _, member, reason = strangers[0]
        raise FormatError(f"{member} in it: {reason}")
    found = tuple(_left_out(*stranger) for stranger in strangers)
    return (replace(matches[0], findings=matches[0].findings + found), *matches[1:])


def _member_name(content: Content, archive: str) -> str:
    """The name that a file has inside its archive."""
    name = content.name
    while archive and not name.startswith(f"{archive}/"):
        archive = archive.rpartition(".")[0]
    return name.removeprefix(archive).lstrip("/")


def _left_out(content: Content, member: str, error: FormatError) -> Finding:
    """The finding that a file of an archive cannot be read: a warning, unless its name says that it is a record."""
    is_record = any(content.ending in each.extensions for each in formats()) and content.ending not in AMBIGUOUS
    judged = None if is_record else Severity.WARNING
    return Finding(
        codes.UNREADABLE_FILE, Span(0, 0), f"{member} in this archive is left out: {error}", set_severity=judged
    )


def _read_one(content: Content, format_name: str | None) -> tuple[Match, ...]:
    if not content.data.strip():
        raise FormatError("the file is empty")
    if format_name is None:
        require_foreign(content)
        chosen, matches = _recognised(content)
    else:
        chosen = find_format(format_name)
        if not chosen.reader:
            raise FormatError(f"{chosen.title} is only written, not read")
        matches = first_matches(chosen.read(content))
    sources = {id(match.source): match.source for match in matches if match.source is not None}
    known = {key: replace(each, data=content.data, format=chosen.name) for key, each in sources.items()}
    return tuple(within(replace(match, source=known.get(id(match.source)))) for match in matches)


def _recognised(content: Content) -> tuple[Format, tuple[Match, ...]]:
    """The matches in a file, in the likeliest format in which it is a record.

    Raises:
        FormatError: it is a record in no format; the message says what it lacks.
    """
    refused: FormatError | None = None
    for chosen in _likely_formats(content):
        try:
            matches = first_matches(chosen.read(content))
        except FormatError as error:
            refused = refused or error
            continue
        is_syntax = not chosen.is_text or chosen.maker or chosen.name == "sgf"  # nobody writes that by chance
        if is_syntax or _is_record(matches, content, chosen):
            return chosen, matches
        refused = refused or NoRecord(_NO_RECORD)
    assert refused is not None
    raise refused


_NO_RECORD: Final = (
    "this is not a record: some of it looks like one, but it holds no game that can be followed, no decided game "
    "and no position; convert --from FORMAT reads it all the same"
)


def _is_record(matches: tuple[Match, ...], content: Content, chosen: Format) -> bool:
    """Whether what was read from a text is a record; its name may be evidence as well."""
    named = NAMED * (content.ending in chosen.extensions and content.ending not in AMBIGUOUS)
    text = content.source.text
    return any(evidence(match, text) + named >= NEEDED for match in matches)


def about_file(name: str, message: str, code: Code = codes.UNREADABLE_FILE) -> Match:
    """A match without games. Its one finding is about the file: as a rule, why it cannot be read."""
    from bgtools.record.record import Match

    finding = Finding(code, Span(0, 0), message)
    return Match(players=("", ""), length=None, games=(), findings=(finding,), source=Source(name, ""))


def load(path: str | PathLike[str]) -> tuple[bytes, str]:
    """The bytes of a file, and what to call it in messages; ``-`` is standard input.

    The path of a file in an archive is that of the archive, a slash and the file's name in it, as messages write it.

    Raises:
        OSError: the file cannot be read.
        FormatError: it is more than `limits.largest_file` allows.
    """
    if str(path) == "-":
        return read_bytes(sys.stdin.buffer), "<stdin>"
    try:
        with opened(path) as stream:
            return read_bytes(stream), str(path)
    except (FileNotFoundError, NotADirectoryError):
        pass  # what is raised below stands alone, not "during handling" of this
    from bgtools.formats.archives import member  # few ask for it

    return member(str(path)), str(path)


def read_all(path: str | PathLike[str], format_name: str | None = None) -> tuple[Match, ...]:
    """Read every match in a file; ``-`` is standard input.

    >>> len(bgtools.read_all("samples/money.mat"))
    1

    Args:
        path: the file.
        format_name: its format, by the name that ``bgtools formats`` lists; None to go by its content.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format, or it is larger than 16 MB (or ``BGTOOLS_LARGEST_FILE``).
    """
    return read_source(*load(path), format_name)


def read(path: str | PathLike[str], format_name: str | None = None) -> Match:
    """Read a file that holds one match; of several, the first.

    What is wrong with its text is in `Match.findings`; nothing in the content raises.

    >>> bgtools.read("samples/seven-point.mat")
    <Match 'Nora Lindholm' - 'Peter Marsh': 7 points, 8 games, 'samples/seven-point.mat'>

    Args:
        path: the file; ``-`` is standard input.
        format_name: its format, by the name that ``bgtools formats`` lists; None to go by its content.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format, or it is larger than 16 MB (or ``BGTOOLS_LARGEST_FILE``).
    """
    return read_all(path, format_name)[0]


def match_of(match: Match | str | PathLike[str]) -> Match:
    """The match itself, or the first one in the file at a path.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
        TypeError: ``match`` is neither a match nor a path.
    """
    from bgtools.record.record import Match

    return match if isinstance(match, Match) else read(_path(match))


def matches_of(match: Match | tuple[Match, ...] | str | PathLike[str]) -> tuple[Match, ...]:
    """The matches themselves, or all matches in the file at a path.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
        TypeError: ``match`` is neither a match, nor matches, nor a path.
    """
    from bgtools.record.record import Match

    if isinstance(match, Match):
        return (match,)
    if isinstance(match, (tuple, list)):
        return tuple(map(match_of, match))
    return read_all(_path(match))


def _path(path: object) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"this takes a match or the path of a file, not {type(path).__name__}")
    return os.fspath(path)
