"""Edits: stretches of a text in place of others, and the bytes of a file with nothing else moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.source import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.findings.finding import Fix


def edited(text: str, edits: Iterable[Fix]) -> str:
    """A text after edits, none of which may overlap another."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        pieces += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*pieces, text[at:]])


def rewritten(data: bytes, text: str, edits: Iterable[Fix]) -> bytes:
    """The bytes of a file after edits of its text, in its own encoding.

    Raises:
        ValueError: edits overlap, or the encoding cannot hold a letter.
    """
    return encode(edited(text, edits), like=data)


def without_overlaps(edits: Sequence[Fix]) -> list[Fix]:
    """The edits that can be made together: of two that touch each other the first one is kept."""
    kept: list[Fix] = []
    for edit in edits:
        if all(edit.span.end < other.span.start or other.span.end < edit.span.start for other in kept):
            kept.append(edit)
    return kept
