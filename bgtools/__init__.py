"""bgtools: read recorded backgammon matches, check them by the rules, report luck and errors.

>>> import bgtools
>>> match = bgtools.read("samples/seven-point.mat")
>>> match.players, match.length, len(bgtools.check(match))  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bgtools._version import __version__

if TYPE_CHECKING:
    from bgtools.checks import check
    from bgtools.formats import FormatError, read, read_all
    from bgtools.position import Position
    from bgtools.record import Match
    from bgtools.replay import replay

# Names of the public interface with their homes, imported when first used: a command that only
# prints its version must not wait for a parser.
_HOMES = {
    "FormatError": "bgtools.formats",
    "Match": "bgtools.record",
    "Position": "bgtools.position",
    "check": "bgtools.checks",
    "read": "bgtools.formats",
    "read_all": "bgtools.formats",
    "replay": "bgtools.replay",
}

__all__ = ["FormatError", "Match", "Position", "__version__", "check", "read", "read_all", "replay"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bgtools' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
