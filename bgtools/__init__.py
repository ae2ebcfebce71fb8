"""bgtools: read recorded backgammon matches, check them by the rules, report luck and errors.

`read` a file, `check` it, take its `account`, `fix` it, `replay` it, `analyse` it, `convert` or `write` it in another
format, `diff` two records of one match or `merge` several. `report` writes the page of a match, `blunders` and `table`
take many, `same` finds those that are of one match. Take a `Position` in any notation, play on from it, `evaluate` it.
Every function that takes a match takes the path of a file as well. `docs/api.md` shows all of it.

>>> import bgtools
>>> match = bgtools.read("samples/seven-point.mat")
>>> len(bgtools.check(match))
0
>>> bgtools.replay(match)[0].turns[0].position.play("24/21 24/18").pips
(167, 158)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bgtools._version import __version__

if TYPE_CHECKING:
    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.evaluation import Choice, Evaluation, evaluate
    from bgtools.board.board import Board
    from bgtools.board.play import Play
    from bgtools.checks.account import MatchAccount
    from bgtools.comparison.difference import Difference
    from bgtools.comparison.merged import Merged
    from bgtools.conversion.conversion import Converted, write
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.findings.finding import Finding, Severity
    from bgtools.formats.content import FormatError
    from bgtools.formats.reading import read, read_all
    from bgtools.library.library import Library
    from bgtools.library.storage import LibraryError
    from bgtools.positions.position import IdError, Position
    from bgtools.public import account, blunders, check, convert, diff, fix, merge, replay, report, same, table
    from bgtools.record.record import Game, Match
    from bgtools.repair.states import Repair
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.reports.notebook import AnalysedMatch, analyse

_HOMES = {
    "AnalysedMatch": "bgtools.reports.notebook", "Blunder": "bgtools.analysis.blunders",
    "Board": "bgtools.board.board", "Choice": "bgtools.analysis.evaluation",
    "Converted": "bgtools.conversion.conversion", "Difference": "bgtools.comparison.difference",
    "EngineUnavailable": "bgtools.engines.protocol", "Evaluation": "bgtools.analysis.evaluation",
    "Finding": "bgtools.findings.finding", "FormatError": "bgtools.formats.content", "Game": "bgtools.record.record",
    "GameReplay": "bgtools.replayer.turn", "IdError": "bgtools.positions.position",
    "Library": "bgtools.library.library", "LibraryError": "bgtools.library.storage", "Match": "bgtools.record.record",
    "MatchAccount": "bgtools.checks.account",
    "Merged": "bgtools.comparison.merged", "Play": "bgtools.board.play", "Position": "bgtools.positions.position",
    "Repair": "bgtools.repair.states", "Severity": "bgtools.findings.finding", "Turn": "bgtools.replayer.turn",
    "account": "bgtools.public", "analyse": "bgtools.reports.notebook", "blunders": "bgtools.public",
    "check": "bgtools.public", "convert": "bgtools.public", "diff": "bgtools.public",
    "evaluate": "bgtools.analysis.evaluation", "fix": "bgtools.public", "merge": "bgtools.public",
    "read": "bgtools.formats.reading", "read_all": "bgtools.formats.reading", "replay": "bgtools.public",
    "report": "bgtools.public", "same": "bgtools.public", "table": "bgtools.public",
    "write": "bgtools.conversion.conversion",
}  # fmt: skip
"""Where each name is defined. It is imported when it is first asked for: `bgtools --version` waits for no parser. No
name may be that of a module beside this file, which would take its place once it is imported."""

__all__ = [
    "AnalysedMatch", "Blunder", "Board", "Choice", "Converted", "Difference", "EngineUnavailable", "Evaluation",
    "Finding", "FormatError", "Game", "GameReplay", "IdError", "Library", "LibraryError", "Match", "MatchAccount",
    "Merged", "Play", "Position", "Repair", "Severity", "Turn", "__version__", "account", "analyse", "blunders",
    "check", "convert", "diff", "evaluate", "fix", "merge", "read", "read_all", "replay", "report", "same", "table",
    "write",
]  # fmt: skip


SHOWN_BY = "bgtools.reports.notebook_html"
"""The module whose function ``html_of`` shows values in a notebook; it is imported when one is first shown."""

VALUED_BY = "bgtools.analysis.score_grid"
"""The module whose functions ``at_scores`` and ``at_cubes`` ask an engine about a position."""


def __dir__() -> list[str]:
    return sorted(__all__)


if not TYPE_CHECKING:  # a `__getattr__` that type checkers see would let any name pass

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value
