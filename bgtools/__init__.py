"""bgtools: read recorded backgammon matches, check them by the rules, report luck and errors.

`read` a file, `check` it, `fix` it, `replay` it, `analyse` it, `convert` or `write` it in another format, `diff` two
records of one match or `merge` several. `report` writes the page of a match, `blunders` and `table` take many, `same`
finds those that are of one match. Take a `Position` in any notation, play on from it, `evaluate` it. Every function
that takes a match takes the path of a file as well. `docs/api.md` shows all of it.

>>> import bgtools
>>> match = bgtools.read("samples/seven-point.mat")
>>> len(bgtools.check(match))
0
>>> bgtools.replay(match)[0].turns[0].position.play("24/21 24/18").pips
(167, 158)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import HELD_ABOVE, lazily
from bgtools._version import __version__

if TYPE_CHECKING:
    from bgtools.analysis import Blunder, Choice, Evaluation, evaluate
    from bgtools.board import Board, Play
    from bgtools.comparison import Difference, Merged
    from bgtools.conversion import Converted, write
    from bgtools.engines import EngineUnavailable
    from bgtools.findings import Finding, Severity
    from bgtools.formats import FormatError, read, read_all
    from bgtools.library import Library, LibraryError
    from bgtools.positions import IdError, Position
    from bgtools.public import blunders, check, convert, diff, fix, merge, replay, report, same, table
    from bgtools.record import Game, Match
    from bgtools.repair import Repair
    from bgtools.replayer import GameReplay, Turn
    from bgtools.reports import AnalysedMatch, analyse

__all__ = [
    "AnalysedMatch",
    "Blunder",
    "Board",
    "Choice",
    "Converted",
    "Difference",
    "EngineUnavailable",
    "Evaluation",
    "Finding",
    "FormatError",
    "Game",
    "GameReplay",
    "IdError",
    "Library",
    "LibraryError",
    "Match",
    "Merged",
    "Play",
    "Position",
    "Repair",
    "Severity",
    "Turn",
    "__version__",
    "analyse",
    "blunders",
    "check",
    "convert",
    "diff",
    "evaluate",
    "fix",
    "merge",
    "read",
    "read_all",
    "replay",
    "report",
    "same",
    "table",
    "write",
]

# Names are imported when they are first used: a command that only prints its version must not wait for a parser. No
# name may be that of a module beside this file: once imported, the module would take the place of the name.
lazily(
    __name__,
    {
        "analysis": ("Blunder", "Choice", "Evaluation", "evaluate"),
        "board": ("Board", "Play"),
        "comparison": ("Difference", "Merged"),
        "conversion": ("Converted", "write"),
        "engines": ("EngineUnavailable",),
        "findings": ("Finding", "Severity"),
        "formats": ("FormatError", "read", "read_all"),
        "library": ("Library", "LibraryError"),
        "positions": ("IdError", "Position"),
        "public": (
            "blunders",
            "check",
            "convert",
            "diff",
            "fix",
            "merge",
            "replay",
            "report",
            "same",
            "table",
        ),
        "record": ("Game", "Match"),
        "repair": ("Repair",),
        "replayer": ("GameReplay", "Turn"),
        "reports": ("AnalysedMatch", "analyse"),
    },
)
HELD_ABOVE["a finding as HTML"] = "bgtools.reports.views:finding_html"
HELD_ABOVE["a game as HTML"] = "bgtools.reports.views:game_html"
HELD_ABOVE["a turn as HTML"] = "bgtools.reports.views:turn_html"
HELD_ABOVE["an evaluation as HTML"] = "bgtools.reports.views:evaluation_html"
HELD_ABOVE["the games of a match as HTML"] = "bgtools.reports.games_page:games_html"


def __dir__() -> list[str]:
    return sorted(__all__)
