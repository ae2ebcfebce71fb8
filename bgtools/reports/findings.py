"""Findings as text: with the source row and a caret, or one line each."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import Severity, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bgtools.findings.finding import Finding, Fix
    from bgtools.source import Source, Span

_WIDTH: Final = 160
_LEAD: Final = 60
_RELATED_SHOWN: Final = 3
_ALTERNATIVES_SHOWN: Final = 2
_SKIPPED_SHOWN: Final = 3


def plain(text: str, _role: str) -> str:
    """Paint nothing: for files and pipes."""
    return text


def concise(finding: Finding, source: Source) -> str:
    """``file:line:column: severity CODE message (game 1, row 3) [name]``, on one line."""
    return str(finding if finding.source is source else replace(finding, source=source))


def whole(text: str, indent: str) -> list[str]:
    """A sentence in one line."""
    return [text]


def full(
    finding: Finding,
    source: Source,
    paint: Callable[[str, str], str] = plain,
    see: str = "",
    wrap: Callable[[str, str], list[str]] = whole,
) -> str:
    """A finding with its row, a caret, the facts that prove it and a hint.

    Args:
        finding: what to show.
        source: the text that its spans belong to.
        paint: called with every stretch of text and its role, one of ``error``, ``warning``,
            ``hint``, ``code``, ``rule`` and ``quiet``; returns the text as it is to be printed.
        see: a command that draws the board; "" where there is none.
        wrap: breaks a sentence into lines that fit, of which all but the first begin with the blanks that are given.
    """
    line, column = source.location(finding.span.start)
    severity = str(finding.severity)
    gutter = len(str(line))
    bar = paint("|", "rule")
    where = f"{printable(source.name)}:{line}:{column}:"
    place = f" ({finding.game_and_row})" if finding.game_and_row else ""
    name = f"{severity} {finding.code.id}"
    first, *rest = wrap(f"{where} {name} {printable(finding.message)}{place}", "    ")
    # The title is painted where it stands, and so is what the finding is about.
    first = first.replace(name, paint(name, severity), 1)
    out = [first, *rest]
    if place:
        last, plain_place = out[-1], place.lstrip()
        out[-1] = last.removesuffix(plain_place) + paint(plain_place, "quiet") if last.endswith(plain_place) else last
    row, caret = excerpt(source, finding.span)
    out += [
        f"{' ' * gutter} {bar}",
        f"{paint(str(line), 'rule')} {bar} {row}",
        f"{' ' * gutter} {bar} {paint(caret, severity)}",
    ]
    notes = [*finding.facts]
    if finding.hint:
        notes.append(f"hint: {finding.hint}")
    if finding.fix is not None:
        notes += _fixes_in_words(finding.fix, source)
    notes += [
        f"line {source.location(related.span.start).line}: {related.message}"
        for related in finding.related[:_RELATED_SHOWN]
    ]
    if len(finding.related) > _RELATED_SHOWN:
        notes.append(f"and {len(finding.related) - _RELATED_SHOWN} more places that follow from this one")
    if see:
        notes.append(f"see: {see}")
    for note in notes:
        lines = wrap(f"{' ' * gutter} = {printable(note)}", "  ")
        out += [lines[0].replace("=", paint("=", "rule"), 1), *lines[1:]]
    return "\n".join(out)


def _fixes_in_words(fix: Fix, source: Source) -> list[str]:
    """A fix and what else could be meant, a sentence each."""
    if fix.applicability == "safe":
        return [fix_in_words(fix, source)]
    others = fix.alternatives[:_ALTERNATIVES_SHOWN]
    said = [fix_in_words(fix, source)]
    said += [f"or: {in_words(other, source)}" for other in others]
    if len(fix.alternatives) > len(others):
        said.append(f"and {len(fix.alternatives) - len(others)} more would do")
    return said


def fix_in_words(fix: Fix, source: Source) -> str:
    """One fix: ``fix: write "13/11" in place of "14/12"``; an unsafe one says so."""
    if fix.applicability == "safe":
        return f"fix: {in_words(fix, source)}"
    return f"unsafe fix: {in_words(fix, source)}"


_FEW_LINES = 2
"""A fix is told word for word if its last line is at most so many lines below its first."""


def in_words(fix: Fix, source: Source) -> str:
    """A fix in words: the new text and the old, without the blanks that only keep columns apart."""
    if fix.words:
        return fix.words
    stands, text = " ".join(source.text[slice(*fix.span)].split()), " ".join(fix.text.split())
    first, last = (source.location(each).line for each in (fix.span.start, max(fix.span.start, fix.span.end - 1)))
    if last > first + _FEW_LINES:
        return f"{'rewrite' if text else 'delete'} lines {first} to {last}"
    if not text:
        return f'delete "{stands}"'
    if not stands:
        return f'insert "{text}"'
    if text == stands:
        blanks = len(fix.text) - len(fix.text.lstrip())
        return f'move "{text}" to column {source.location(fix.span.start).column + blanks}'
    return f'write "{text}" in place of "{stands}"'


def excerpt(source: Source, span: Span) -> tuple[str, str]:
    """The row of a span and a line of carets below it; long rows are cut around the span."""
    # A line may have millions of characters, so only what is shown is taken out of it.
    start, end = source.lines[source.location(span.start).line - 1]
    length = max(1, min(span.end, end) - span.start)
    cut = max(start, span.start - _LEAD) if end - start > _WIDTH else start
    lead, tail = ("…" if cut > start else ""), ("…" if end > cut + _WIDTH else "")
    shown = printable(source.text[cut : min(cut + _WIDTH, end)]).rstrip()
    before = printable(source.text[cut : span.start])
    marked = printable(source.text[span.start : min(span.start + min(length, _WIDTH), end)])
    return f"{lead}{shown}{tail}", " " * (len(lead) + _columns(before)) + "^" * max(1, _columns(marked.rstrip()))


def _columns(text: str) -> int:
    """Width on a terminal: East Asian wide characters take two columns, combining ones none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def region(source: Source, span: Span) -> tuple[int, int, int, int]:
    """Line and column of the first character, and of the one after the last, from 1."""
    return (*source.location(span.start), *source.location(max(span)))


def region_data(source: Source | None, span: Span) -> dict[str, int | None]:
    """The same as plain values; None for each where there is no text."""
    values = (None,) * 4 if source is None else region(source, span)
    return dict(zip(("line", "column", "end_line", "end_column"), values, strict=True))


def summary(counts: Mapping[Severity, int], files: int) -> str:
    """How many findings there were, in words."""
    return f"{severities(counts)} in {count_files(files)}"


def severities(counts: Mapping[Severity, int]) -> str:
    """How many findings there were of each severity, the worst first: ``2 errors, 1 hint``; ``no findings``."""
    found = [
        f"{counts[severity]:,} {severity}{'s' if counts[severity] != 1 else ''}"
        for severity in sorted(Severity, reverse=True)
        if counts.get(severity)
    ]
    return ", ".join(found) or "no findings"


def few(count: int, one: str, many: str = "") -> str:
    """A number of things: ``1 match``, ``1,204 matches``."""
    return f"1 {one}" if count == 1 else f"{count:,} {many or f'{one}s'}"


def count_files(count: int) -> str:
    """``1 file``, ``2,000 files``."""
    return few(count, "file")


def skipped_files(names: Sequence[str]) -> str:
    """The end of a summary: ``; 1 file skipped that is not a record: a.txt``, or nothing where none was skipped.

    Only the first few are named.
    """
    if not names:
        return ""
    shown = ", ".join(map(printable, names[:_SKIPPED_SHOWN]))
    more = f" and {len(names) - _SKIPPED_SHOWN:,} more" if len(names) > _SKIPPED_SHOWN else ""
    what = "is not a record" if len(names) == 1 else "are not records"
    return f"; {count_files(len(names))} skipped that {what}: {shown}{more}"
