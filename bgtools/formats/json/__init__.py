"""bgtools' own JSON: how it is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_OWN_JSON = re.compile(r'\s*\{\s*"format"\s*:\s*"bgtools\.match"')


def _sniff(content: Content) -> float:
    """How much content looks like our own JSON, which names its format in its first member."""
    return 1.0 if _OWN_JSON.match(content.head) else 0.0


JSON: Final = Format(
    name="json",
    title="bgtools JSON",
    extensions=(".json",),
    sniff=_sniff,
    reader="bgtools.formats.json.match:read",
    writer="bgtools.formats.json.match:write",
    holds_several=True,
)

FORMATS: Final = (JSON,)
