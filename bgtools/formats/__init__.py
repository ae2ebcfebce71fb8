"""Formats: which there are, how a file's format is recognised, reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.formats.carries import EVERYTHING, OPTIONS, Carries, Feature
    from bgtools.formats.content import Content, FormatError
    from bgtools.formats.format import Format
    from bgtools.formats.json.match import encode
    from bgtools.formats.reading import (
        find_format,
        load,
        match_of,
        matches_of,
        read,
        read_all,
        read_source,
        recognise,
        unreadable,
    )
    from bgtools.formats.registry import FORMATS, formats
    from bgtools.formats.shared.tags import restates

__all__ = [
    "EVERYTHING",
    "FORMATS",
    "OPTIONS",
    "Carries",
    "Content",
    "Feature",
    "Format",
    "FormatError",
    "encode",
    "find_format",
    "formats",
    "load",
    "match_of",
    "matches_of",
    "read",
    "read_all",
    "read_source",
    "recognise",
    "restates",
    "unreadable",
]

lazily(
    __name__,
    {
        "carries": (
            "Carries",
            "EVERYTHING",
            "Feature",
            "OPTIONS",
        ),
        "content": (
            "Content",
            "FormatError",
        ),
        "format": ("Format",),
        "json.match": ("encode",),
        "reading": (
            "find_format",
            "load",
            "match_of",
            "matches_of",
            "read",
            "read_all",
            "read_source",
            "recognise",
            "unreadable",
        ),
        "registry": (
            "FORMATS",
            "formats",
        ),
        "shared.tags": ("restates",),
    },
)
