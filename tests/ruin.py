"""Ruined files: cut off, bytes bent. Reading them may refuse, and must not raise anything else."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

from bgtools.checks.checking import check
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator


def ruins(data: bytes, count: int = 60, seed: int = 1) -> Iterator[bytes]:
    """Beginnings of some bytes, and the bytes with a few of them changed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield data[: rng.randrange(len(data))]
        bent = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            bent[rng.randrange(len(bent))] = rng.choice((rng.randrange(256), *b"0 /-:;\n()9"))
        yield bytes(bent)


def read_ruins(data: bytes, format_name: str, count: int = 60) -> int:
    """Read and check ruins of a file; how many were still read as some matches."""
    found = 0
    for piece in ruins(data, count):
        with suppress(FormatError):
            for match in read_source(piece, "ruin", format_name):
                found += 1
                for finding in check(match):
                    assert match.source is not None
                    assert 0 <= finding.span.start <= finding.span.end <= len(match.source.text)
    return found
