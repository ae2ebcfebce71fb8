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
from bgtools.board.board import START, Board, Dice
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.notation import ascends, mirrored_hop, read_play
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText, format_play
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
from bgtools.formats.content import Content, FormatError, Sign
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.shared.lines import Line, LineParser, PlayBuilder, Stop, cube_action, lines_of
from bgtools.formats.shared.spelling import (
    NO_BLANK,
    NO_NAME,
    Spelling,
    as_recorded,
    in_rows,
    name_of,
    name_without_blanks,
    numbered,
    points_word,
    results,
    stated_results,
    winner_of,
)
from bgtools.formats.shared.tags import DAY, rules_of_tags
from bgtools.met.finding import default as default_met
from bgtools.met.table import MatchEquityTable
from bgtools.plugins import PluginWarning
from bgtools.positions.position import signed_board, to_signed
from bgtools.record.builder import GameBuilder, MatchBuilder, number_of, several_matches
from bgtools.record.producers import rating_of
from bgtools.record.record import (
    NOWHERE,
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Take,
    is_position,
    places_of_comments,
)
from bgtools.record.state import GameState
from bgtools.replayer.match import replay
from bgtools.replayer.turn import GameReplay, Turn
from bgtools.rules.options import OPTIONS, VARIANTS, Ruleset
from bgtools.source import Source, Span

__all__ = [
    "DAY",
    "EVERYTHING",
    "NOWHERE",
    "NO_BLANK",
    "NO_NAME",
    "OPTIONS",
    "START",
    "VARIANTS",
    "AutomaticDouble",
    "Beaver",
    "Board",
    "Candidate",
    "Carries",
    "CheckerAnswer",
    "CheckerPlay",
    "CheckerQuestion",
    "Code",
    "Content",
    "Count",
    "CountedDecisions",
    "Counting",
    "CubeAnswer",
    "CubeQuestion",
    "Dice",
    "Double",
    "Drop",
    "EngineKind",
    "EngineUnavailable",
    "Entry",
    "Feature",
    "Finding",
    "Format",
    "FormatError",
    "Game",
    "GameBuilder",
    "GameReplay",
    "GameState",
    "JudgedCubeAction",
    "JudgedPlay",
    "LevelName",
    "Line",
    "LineParser",
    "LuckAnswer",
    "LuckQuestion",
    "Match",
    "MatchBuilder",
    "MatchEquityTable",
    "PlayBuilder",
    "PlayText",
    "Player",
    "PluginWarning",
    "Rating",
    "RatingResult",
    "Resign",
    "ResultClaim",
    "Rule",
    "Ruleset",
    "SetBoard",
    "Severity",
    "Sign",
    "Source",
    "Span",
    "Spelling",
    "Stamp",
    "Stop",
    "Take",
    "Turn",
    "are_dice",
    "as_recorded",
    "ascends",
    "codes",
    "cube_action",
    "default_met",
    "format_play",
    "in_rows",
    "is_position",
    "legal_plays",
    "lines_of",
    "mean_loss",
    "mirrored_hop",
    "name_of",
    "name_without_blanks",
    "number_of",
    "numbered",
    "other",
    "places_of_comments",
    "points_word", "rating_of",
    "read_play",
    "replay",
    "results",
    "rules_of_tags",
    "several_matches",
    "signed_board",
    "stated_results",
    "to_signed",
    "winner_of",
]  # fmt: skip
