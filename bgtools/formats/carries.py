"""What a record may hold besides legal plays, and how a format says what of it it has a place for.

Nothing here needs a replay: every command asks which formats there are, few convert one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.record import Candidate, CubeAnalysis, Level, Match


class Feature(Enum):
    """Something that a record may hold and a format may have no place for."""

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
    LEVELS = "levels of analysis"
    PROGRAMS = "who made an analysis"
    LUCK = "luck"
    MARKS = "marks"
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
    TEXT = "text that cannot be read"


OPTIONS: Final = (
    "crawford", "jacoby", "beavers", "automatic_doubles", "holland", "quadruple", "winner_starts", "cube_limit",
    "variant",
)  # fmt: skip
"""The options of a `Ruleset` that a format may state. In which numbering its plays are written is none of them."""

EVERYTHING: Final = frozenset(Feature) - {Feature.TEXT}
"""All that can be held: what could not be read at all stays behind in every conversion."""

ANY: Final = re.compile("")
"""For `Carries`: whatever it is."""
NONE: Final = re.compile(r"(?!)")
"""For `Carries`: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carries:
    """What a format has a place for.

    Attributes:
        features: those it holds.
        tags: the keys of the tags it holds, in small letters, whole.
        rules: the options it can state, by their names in `Ruleset`, whole.
        options: whether it has a form for one of these options as a match has it; None for any.
        levels: the names of the levels of analysis it can state, whole.
        programs: which programs it can name as the maker of an analysis.
        plays: whether it has a form for a play of an analysis, given whether money is played for; None for any.
        cubes: the same for the analysis of a cube decision.
        most_plays: how many plays of one roll it holds an analysis of; None for any number.
        extras: the beginning of the keys of extras that are its own, e.g. ``sgf:``.
    """

    features: frozenset[Feature]
    tags: re.Pattern[str] = ANY
    rules: re.Pattern[str] = ANY
    options: Callable[[str, Match], bool] | None = None
    levels: re.Pattern[str] = ANY
    programs: re.Pattern[str] = ANY
    plays: Callable[[Candidate, bool], bool] | None = None
    cubes: Callable[[CubeAnalysis, bool], bool] | None = None
    most_plays: int | None = None
    extras: str = ""

    def __contains__(self, feature: Feature) -> bool:
        return feature in self.features

    def tag(self, key: str) -> bool:
        """Whether a tag has a place."""
        return Feature.TAGS in self.features and _whole(self.tags, key.casefold())

    def rule(self, option: str, match: Match | None = None) -> bool:
        """Whether an option can be stated, as a match has it where one is given."""
        if Feature.RULES not in self.features or not _whole(self.rules, option):
            return False
        return match is None or self.options is None or self.options(option, match)

    def level(self, level: Level) -> bool:
        """Whether a level of analysis can be stated."""
        return Feature.LEVELS in self.features and _whole(self.levels, level.name)

    def program(self, name: str) -> bool:
        """Whether a program can be named as the maker of an analysis."""
        return Feature.PROGRAMS in self.features and _whole(self.programs, name)

    def play(self, candidate: Candidate, *, money: bool) -> bool:
        """Whether a play of an analysis can be stated with its figures."""
        return self._states(candidate.level) and (self.plays is None or self.plays(candidate, money))

    def cube(self, analysis: CubeAnalysis, *, money: bool) -> bool:
        """Whether the analysis of a cube decision can be stated with its figures."""
        return self._states(analysis.level) and (self.cubes is None or self.cubes(analysis, money))

    def _states(self, level: Level) -> bool:
        return Feature.LEVELS not in self.features or self.level(level)

    def extra(self, key: str) -> bool:
        """Whether something of a format's own is this format's."""
        return Feature.EXTRAS in self.features and key.startswith(self.extras)


def _whole(pattern: re.Pattern[str], text: str) -> bool:
    return pattern is ANY or pattern.fullmatch(text) is not None
