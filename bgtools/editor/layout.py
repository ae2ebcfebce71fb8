"""Laying out a record that is being typed: the same record in its own dialect, or in another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.conversion.conversion import Target, convert, dialect_of
from bgtools.editor.actions import edits_to
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format
from bgtools.source import decode

if TYPE_CHECKING:
    from bgtools.editor.document import Judged
    from bgtools.findings.finding import Fix
    from bgtools.formats.format import Format

_LOST: Final = frozenset({
    codes.UNREADABLE_CELL, codes.UNREADABLE_LINE, codes.STRAY_TEXT, codes.EXTRA_CELL, codes.CONTRADICTED_RULES,
    codes.WRONG_NAME, codes.BAD_SET_POSITION,
})  # fmt: skip
"""Findings of text that is not read as it stands: laying the record out would drop or change it."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Refused(ValueError):
    """A record that cannot be laid out without losing something; the message says what."""


def formatted(judged: Judged, dialect: str = "") -> tuple[Fix, ...]:
    """The edits that lay a record out in a dialect; none where it is laid out so already.

    The new text is read again and compared, turn by turn; nothing is changed where anything would be lost. All lines
    get the line end that most of them have.

    Args:
        judged: the record.
        dialect: a dialect of its format; "" for the one in which most of its lines are written.

    Raises:
        Refused: something would be lost, or the format has no such dialect; the message says what.
    """
    chosen = _format(judged)
    if not chosen.writer or not chosen.dialects:
        return ()
    if dialect and dialect not in chosen.dialects:
        raise Refused(f"{chosen.title} has no dialect {dialect!r}; it has {', '.join(chosen.dialects)}")
    for match in judged.matches:
        for finding in match.findings:
            if finding.code in _LOST:
                line = judged.source.place(finding.span.start).line
                raise Refused(f"not formatted, for something would be lost: line {line}: {finding.message}")
    try:
        target = Target(chosen, dialect or dialect_of(judged.matches, chosen) or chosen.dialects[0])
        done = convert(judged.matches, target, strict=True)
    except FormatError as error:
        raise Refused(f"not formatted: {error}") from None
    if done.refused or done.changed:
        raise Refused(f"not formatted: {done.changed or done.losses[0].message}")
    ends = _LINE_END.findall(judged.source.text)
    usual = max(set(ends), key=ends.count) if ends else "\n"
    return edits_to(judged.source.text, _LINE_END.sub(usual, decode(done.data, "").text))


def dialects(judged: Judged) -> tuple[str, ...]:
    """The dialects that a record can be laid out in."""
    return _format(judged).dialects if judged.is_text else ()


def _format(judged: Judged) -> Format:
    """The format of a record.

    Raises:
        Refused: there is no record, or its format is not text.
    """
    source = judged.matches[0].source if judged.matches else None
    if source is None or not judged.is_text:
        raise Refused(f"not formatted: {judged.problem or 'there is nothing to format'}")
    return find_format(source.format)
