"""What another package imports to add a format, a rule, an engine or a rating; docs/extending.md walks through it.

These names stay where they are; the modules that define them may be renamed or moved.
"""

from bgtools.analysis.ratings.rule import (
    Count,
    CountedDecisions,
    Counting,
    JudgedCubeAction,
    JudgedPlay,
    Rating,
    RatingResult,
    mean_loss,
)
from bgtools.board.board import Board, Dice
from bgtools.board.generation import legal_plays
from bgtools.board.notation import read_play
from bgtools.board.perspective import Player
from bgtools.board.play import format_play
from bgtools.checks.rule import Rule
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    EngineUnavailable,
    LevelName,
    LuckAnswer,
    LuckQuestion,
    Stamp,
)
from bgtools.engines.registration import EngineKind
from bgtools.findings import codes
from bgtools.findings.finding import Code, Finding, Severity
from bgtools.formats.carries import Carries, Feature
from bgtools.formats.content import Content, FormatError
from bgtools.formats.format import Format
from bgtools.met.finding import default as default_met
from bgtools.met.table import MatchEquityTable
from bgtools.plugins import PluginWarning
from bgtools.record.builder import GameBuilder, MatchBuilder
from bgtools.record.record import CheckerPlay, Double, Drop, Entry, Game, Match, Resign, ResultClaim, Take
from bgtools.record.state import GameState
from bgtools.replayer.match import replay
from bgtools.replayer.turn import GameReplay, Turn
from bgtools.source import Span

__all__ = [
    "Board", "Candidate", "Carries", "CheckerAnswer", "CheckerPlay", "CheckerQuestion", "Code", "Content",
    "Count", "CountedDecisions", "Counting", "CubeAnswer", "CubeQuestion", "Dice", "Double", "Drop", "EngineKind",
    "EngineUnavailable", "Entry", "Feature", "Finding", "Format", "FormatError", "Game", "GameBuilder",
    "GameReplay", "GameState", "JudgedCubeAction", "JudgedPlay", "LevelName", "LuckAnswer", "LuckQuestion",
    "Match", "MatchBuilder", "MatchEquityTable", "Player", "PluginWarning", "Rating", "RatingResult", "Resign",
    "ResultClaim", "Rule", "Severity", "Span", "Stamp", "Take", "Turn", "codes", "default_met", "format_play",
    "legal_plays", "mean_loss", "read_play", "replay",
]  # fmt: skip
