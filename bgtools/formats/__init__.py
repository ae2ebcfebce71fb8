"""Formats: the list of them, recognising the format of a file, reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.formats.carries import EVERYTHING, OPTIONS, UNREAD, Carries, Feature
    from bgtools.formats.content import Content, FormatError, TooMuch
    from bgtools.formats.format import Format
    from bgtools.formats.reading import (
        AMBIGUOUS,
        about_file,
        find_format,
        load,
        match_of,
        matches_of,
        read,
        read_all,
        read_source,
        recognise,
    )
    from bgtools.formats.registry import FORMATS, formats
    from bgtools.formats.rendering import render
    from bgtools.formats.searching import Candidate, candidates, fault, is_no_record, trouble
    from bgtools.formats.shared.encoding import encode
    from bgtools.formats.shared.tags import restates
    from bgtools.formats.streaming import members

__all__ = [
    "AMBIGUOUS",
    "EVERYTHING",
    "FORMATS",
    "OPTIONS",
    "UNREAD",
    "Candidate",
    "Carries",
    "Content",
    "Feature",
    "Format",
    "FormatError",
    "TooMuch",
    "about_file",
    "candidates",
    "encode",
    "fault",
    "find_format",
    "formats",
    "is_no_record",
    "load",
    "match_of",
    "matches_of",
    "members",
    "read",
    "read_all",
    "read_source",
    "recognise",
    "render",
    "restates",
    "trouble",
]

lazily(
    __name__,
    {
        "carries": ("EVERYTHING", "OPTIONS", "UNREAD", "Carries", "Feature"),
        "content": ("Content", "FormatError", "TooMuch"),
        "format": ("Format",),
        "streaming": ("members",),
        "searching": ("Candidate", "candidates", "fault", "is_no_record", "trouble"),
        "shared.encoding": ("encode",),
        "reading": (
            "AMBIGUOUS",
            "about_file",
            "find_format",
            "load",
            "match_of",
            "matches_of",
            "read",
            "read_all",
            "read_source",
            "recognise",
        ),
        "registry": ("FORMATS", "formats"),
        "rendering": ("render",),
        "shared.tags": ("restates",),
    },
)
