"""bgtools: read recorded backgammon matches, check them by the rules, report luck and errors.

`read` a file, `check` it, `analyse` it, `write` it in another format; the README has an example.
`bgtools.replay` gives the boards.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bgtools._version import __version__

if TYPE_CHECKING:
    from bgtools.checks import check
    from bgtools.conversion import write
    from bgtools.formats import FormatError, read, read_all
    from bgtools.positions import Position
    from bgtools.record import Match
    from bgtools.reports import analyse

# Names of the public interface with their homes, imported when first used: a command that only
# prints its version must not wait for a parser. None may be called like a module beside this file,
# which would take its place as soon as it is imported.
_HOMES = {
    "FormatError": "bgtools.formats",
    "Match": "bgtools.record",
    "analyse": "bgtools.reports",
    "Position": "bgtools.positions",
    "check": "bgtools.checks",
    "read": "bgtools.formats",
    "read_all": "bgtools.formats",
    "write": "bgtools.conversion",
}

__all__ = ["FormatError", "Match", "Position", "__version__", "analyse", "check", "read", "read_all", "write"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bgtools' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
