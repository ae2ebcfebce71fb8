"""bgtools: read recorded backgammon matches, check them by the rules, report luck and errors.

`read` a file, `check` it, `replay` it, `analyse` it, `convert` or `write` it in another format. Take a `Position` in
any notation, play on from it, `evaluate` it. Wherever a match is taken the path of a file is, too. `docs/api.md` shows
all of it.

>>> import bgtools
>>> match = bgtools.read("samples/seven-point.mat")
>>> len(bgtools.check(match))
0
>>> bgtools.replay(match)[0].turns[0].position.play("24/21 24/18").pips
(167, 158)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bgtools._version import __version__

if TYPE_CHECKING:
    from bgtools.analysis import Choice, Evaluation, evaluate
    from bgtools.board import Board, Play
    from bgtools.conversion import Converted, write
    from bgtools.engines import EngineUnavailable
    from bgtools.findings import Finding, Severity
    from bgtools.formats import FormatError, read, read_all
    from bgtools.positions import IdError, Position
    from bgtools.public import check, convert, replay
    from bgtools.record import Game, Match
    from bgtools.replayer import GameReplay, Turn
    from bgtools.reports import AnalysedMatch, analyse

# Names of the public interface with their homes, imported when first used: a command that only
# prints its version must not wait for a parser. None may be called like a module beside this file,
# which would take its place as soon as it is imported.
_HOMES = {
    "AnalysedMatch": "reports",
    "Board": "board",
    "Choice": "analysis",
    "Converted": "conversion",
    "EngineUnavailable": "engines",
    "Evaluation": "analysis",
    "Finding": "findings",
    "FormatError": "formats",
    "Game": "record",
    "GameReplay": "replayer",
    "IdError": "positions",
    "Match": "record",
    "Play": "board",
    "Position": "positions",
    "Severity": "findings",
    "Turn": "replayer",
    "analyse": "reports",
    "check": "public",
    "convert": "public",
    "evaluate": "analysis",
    "read": "formats",
    "read_all": "formats",
    "replay": "public",
    "write": "conversion",
}

__all__ = [
    "AnalysedMatch",
    "Board",
    "Choice",
    "Converted",
    "EngineUnavailable",
    "Evaluation",
    "Finding",
    "FormatError",
    "Game",
    "GameReplay",
    "IdError",
    "Match",
    "Play",
    "Position",
    "Severity",
    "Turn",
    "__version__",
    "analyse",
    "check",
    "convert",
    "evaluate",
    "read",
    "read_all",
    "replay",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bgtools' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"bgtools.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
