"""What a record may hold besides legal plays, and which of these things a format has a place for.

Nothing here needs a replay: every command asks which formats there are, few convert one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.record.annotation import CubeAnalysis, Level, PlayAnalysis, Unit
    from bgtools.record.record import Match
    from bgtools.replayer.turn import Turn
    from bgtools.rules.cube import MatchState


class Feature(Enum):
    """Something that a record may hold and a format may be unable to hold."""

    RATINGS = "ratings"
    TAGS = "tags"
    RULES = "rules"
    LENGTHS = "lengths of matches"
    NAMES = "names beyond Latin-1"
    COMMENTS = "comments"
    MATCH_COMMENTS = "comments on the match"
    PLAY_ANALYSIS = "analysis of plays"
    CUBE_ANALYSIS = "analysis of the cube"
    TAKE_CHANCES = "chances after a double"
    MANY_PLAYS = "many plays of one roll"
    EQUITIES = "equities in points and as match winning chances"
    CUBELESS = "cubeless equities of plays"
    ERRORS = "stated errors"
    OTHER_ANALYSES = "several analyses of one decision"
    LEVELS = "levels of analysis"
    LEVEL_DETAILS = "settings and confidence of levels"
    FORMS = "every analysis where other programs see it"
    PROGRAMS = "who made an analysis"
    LUCK = "luck"
    MARKS = "marks"
    CLOCKS = "clocks"
    ILLEGAL_PLAYS = "illegal plays"
    UNKNOWN_PLAYS = "unknown plays"
    UNREADABLE = "unreadable plays"
    NO_DICE = "plays without dice"
    BEAVERS = "beavers"
    AUTOMATIC_DOUBLES = "automatic doubles"
    CUBE_CLAIMS = "cube values against the rules"
    WRONG_ORDER = "turns out of order"
    AFTER_END = "turns after the end"
    RESIGNATIONS = "resignations"
    RESIGNATION_LEVELS = "levels of resignations"
    SCORES = "scores that do not add up"
    RESULTS = "results against the board"
    UNFINISHED = "unfinished games"
    START = "set positions"
    SET_BOARD = "positions set during a game"
    GAME_NUMBERS = "numbers of games"
    SEVERAL_GAMES = "several games"
    SEVERAL_MATCHES = "several matches"
    EXTRAS = "data of the format's own"
    ROWS = "rows of the layout"
    TEXT = "text that cannot be read"


OPTIONS: Final = (
    "crawford", "jacoby", "beavers", "automatic_doubles", "holland", "quadruple", "winner_starts", "cube_limit",
    "variant",
)  # fmt: skip
"""The options of a `Ruleset` that a format may state. The numbering of its plays is not among them."""

EVERYTHING: Final = frozenset(Feature) - {Feature.TEXT, Feature.ROWS, Feature.FORMS}
"""All features but `TEXT`, which every conversion loses, `ROWS`, which belong to match text, and `FORMS`, which
`Carries.forms` decides."""

ANY: Final = re.compile("")
"""For the patterns of `Carries`: any text fits."""
NONE: Final = re.compile(r"(?!)")
"""For the patterns of `Carries`: no text fits."""

UNREAD: Final = "unread:"
"""The beginning of the keys of extras that a reader leaves unread. No format has a place for such an extra."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carries:
    """What a format has a place for.

    Attributes:
        features: the features it holds.
        tags: the keys of the tags it holds, in small letters, whole.
        rules: the options it can state, by their names in `Ruleset`, whole.
        variants: the variants it knows by name, by their names in `Ruleset`, whole.
        options: whether it can state an option of `rules` with the value that a match gives it; None for any value.
        levels: the names of the levels of analysis it can state, whole.
        programs: which programs it can name as the maker of an analysis.
        codes: which codes of levels it writes as they are, whole.
        plays: whether it has a place for the analysis of a roll at a score; None for any.
        cubes: whether it has a place for the analysis of a cube decision at a score; None for any.
        lucks: whether it has a place for so much luck; None for any.
        forms: whether other programs see all that the format writes of an entry; None where they always do.
        unit: the unit of all its equities; None where it keeps both units.
        most_plays: how many plays of one roll it holds an analysis of; None for any number.
        extras: the beginning of the keys of extras that are its own, e.g. ``sgf:``.
    """

    features: frozenset[Feature]
    tags: re.Pattern[str] = ANY
    rules: re.Pattern[str] = ANY
    variants: re.Pattern[str] = ANY
    options: Callable[[str, Match], bool] | None = None
    levels: re.Pattern[str] = ANY
    programs: re.Pattern[str] = ANY
    codes: re.Pattern[str] = ANY
    plays: Callable[[PlayAnalysis, MatchState], bool] | None = None
    cubes: Callable[[CubeAnalysis, MatchState], bool] | None = None
    lucks: Callable[[float], bool] | None = None
    forms: Callable[[Turn], bool] | None = None
    unit: Unit | None = None
    most_plays: int | None = None
    extras: str = ""

    def __contains__(self, feature: Feature) -> bool:
        return feature in self.features

    def tag(self, key: str) -> bool:
        """Whether a tag has a place."""
        return Feature.TAGS in self.features and _whole(self.tags, key.casefold())

    def rule(self, option: str, match: Match | None = None) -> bool:
        """Whether an option can be stated: with any value, or with the one that the match gives it."""
        if Feature.RULES not in self.features or not _whole(self.rules, option):
            return False
        if match is None:
            return True
        if option == "variant" and not _whole(self.variants, match.rules.variant):
            return False
        return self.options is None or self.options(option, match)

    def level(self, level: Level) -> bool:
        """Whether a level of analysis can be stated."""
        if Feature.LEVELS not in self.features:
            return not level.name
        return _whole(self.levels, level.name)

    def program(self, name: str) -> bool:
        """Whether a program can be named as the maker of an analysis."""
        return Feature.PROGRAMS in self.features and _whole(self.programs, name)

    def code(self, level: Level) -> bool:
        """Whether the code of a level is kept: all that the level says besides its name."""
        return not level.code or (Feature.LEVEL_DETAILS in self.features and _whole(self.codes, level.code))

    def play(self, analysis: PlayAnalysis, state: MatchState) -> bool:
        """Whether the analysis of a roll can be stated with its figures."""
        return self.plays is None or self.plays(analysis, state)

    def cube(self, analysis: CubeAnalysis, state: MatchState) -> bool:
        """Whether the analysis of a cube decision can be stated with its figures."""
        return self.cubes is None or self.cubes(analysis, state)

    def luck(self, luck: float) -> bool:
        """Whether the luck of a roll can be stated."""
        return Feature.LUCK in self.features and (self.lucks is None or self.lucks(luck))

    def extra(self, key: str) -> bool:
        """Whether an extra with this key belongs to this format."""
        return Feature.EXTRAS in self.features and key.startswith(self.extras) and not key.startswith(UNREAD)


def _whole(pattern: re.Pattern[str], text: str) -> bool:
    return pattern is ANY or pattern.fullmatch(text) is not None
