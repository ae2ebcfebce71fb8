"""Match text: headings in other words than those of match text, as people type them.

``Ann vs Bob, 5 points`` over rows says who plays, and to how many points, as plainly as ``5 point match`` and a line
with names and scores do. Such a line is read where it stands before the rows of a game, and a finding reports it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bgtools.formats.mat.cells import ScoreText
from bgtools.formats.shared.spelling import points_word

POINTS: Final = r"(?:points?|pts?\.?|punkten?|punkte?|punt[oi]s?|pontos?)"
"""The word for points in English, German, French, Spanish, Italian and Portuguese."""
AGAINST: Final = r"(?:vs?\.?|versus|against|gegen|contre|contra|contro)"
"""The word between two players in the same languages."""
_LENGTH: Final = re.compile(
    r"(?<![\w-])(?:(?:match|game|first|race|play(?:ed|ing)?)[ \t]+(?:length|to|of|up[ \t]+to)[ \t:=]*(?P<to>\d{1,3})"
    rf"(?:[ \t-]*{POINTS})?|length[ \t]*[:=]?[ \t]*(?P<length>\d{{1,3}})(?:[ \t-]*{POINTS})?"
    rf"|(?P<points>\d{{1,3}})[ \t-]*{POINTS}\.?(?:[ \t-]*(?:match|game))?"
    r"|(?P<money>money(?:[ \t]+(?:game|play))?))"
    r"(?![\w-])",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(rf"(?:(?<=\s)|(?<=\))){AGAINST}(?=\s)", re.IGNORECASE)
_DASH: Final = re.compile(r"(?<=\s)[-\u2013\u2014](?=\s)")
_GAP: Final = re.compile(r"(?<=\S)(?:[ \t]{2,}|\t)(?=\S)")
_SCORE: Final = re.compile(r"[ \t,:(]+(\d{1,3})[ \t]*[-:\u2013][ \t]*(\d{1,3})\)?$")
_POINTS: Final = re.compile(r"(?:[ \t]*[:=][ \t]*|[ \t]+)\(?(\d{1,3})\)?$|[ \t]*\((\d{1,3})\)$")
_NO_NAME: Final = re.compile(
    r"\d{3}|(?<!\w)(?:round|final|semi-?final|quarter-?final|match|game|open|cup|championship|table|tournament|league"
    r"|event|site|date)(?!\w)",
    re.IGNORECASE,
)
_ENDS: Final = ' \t,;:|/()[]"-\u2013\u2014'
_LONGEST: Final = 60
"""The most characters of a name in such a line."""


class FreeHeading(NamedTuple):
    """What a heading in other words says.

    Attributes:
        names: both players as on a score line; None where it names none.
        length: points to win the match, 0 for money; None where it states none.
    """

    names: tuple[ScoreText, ScoreText] | None
    length: int | None

    @property
    def words(self) -> str:
        """What it says, in the words of a finding."""
        parts = [] if self.names is None else [f"{self.names[0].name} against {self.names[1].name}"]
        if self.length is not None:
            parts.append(f"a match to {points_word(self.length)}" if self.length else "a money session")
        return ", ".join(parts)

    @property
    def length_lines(self) -> list[str]:
        """The line of match text that states its length; none where it states no length."""
        return [] if self.length is None else [f" {self.length} point match" if self.length else " Money session"]

    @property
    def score_lines(self) -> list[str]:
        """The line of match text with its names and scores, 0 where it gives none; none where it names nobody."""
        if self.names is None:
            return []
        one, two = self.names
        left = f" {one.name} : {one.points or 0}"
        return [f"{left:<35} {two.name} : {two.points or 0}"]

    @property
    def hint(self) -> str:
        """How match text says the same."""
        lines = [re.sub(r" {2,}", " " * 8, f'"{line}"') for line in (*self.length_lines, *self.score_lines)]
        return f"match text writes {' and '.join(lines)}"


def read_heading(line: str, *, above_rows: bool) -> FreeHeading | None:
    """The players and the length that a line names; None where it does not plainly name either.

    Args:
        line: a line that is no row and no heading of match text.
        above_rows: whether a row, or the heading of a game, follows. A dash or blanks between two names are plain then.
    """
    length, rest = None, line
    found = _LENGTH.search(line)
    if found is not None:
        length = 0 if found["money"] else int(found["to"] or found["length"] or found["points"])
        # Blanks keep what stands behind in its column.
        rest = line[: found.start()] + " " * len(found[0]) + line[found.end() :]
        if not rest.strip(_ENDS + "."):
            return FreeHeading(None, length)
    names = _names(rest, above_rows=above_rows)
    return None if names is None else FreeHeading(names, length)


def _names(line: str, *, above_rows: bool) -> tuple[ScoreText, ScoreText] | None:
    """The names on a line, with their points where it gives those of both."""
    line = line.rstrip(_ENDS.replace(")", ""))
    points: tuple[int, int] | None = None
    if found := _SCORE.search(line):
        points, line = (int(found[1]), int(found[2])), line[: found.start()]
    words = _AGAINST.search(line)
    between = words or (above_rows and (_only(_DASH, line) or _only(_GAP, line)))
    if not between:
        return None
    halves = (_half(line, 0, between.start()), _half(line, between.end(), len(line)))
    (one, one_points), (two, two_points) = halves
    if points is None and one_points is not None and two_points is not None:
        points = one_points, two_points
    for name, start, end in (one, two):
        if not name or end - start > _LONGEST or not any(map(str.isalpha, name)):
            return None
        if words is None and _NO_NAME.search(name):
            return None
    given = points or (None, None)
    return (
        ScoreText(one[0], "", given[0], *one[1:]),
        ScoreText(two[0], "", given[1], *two[1:]),
    )


def _only(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Where a pattern is found in a line, if that is at one place only."""
    found = [*pattern.finditer(line.strip(), 0)]
    if len(found) != 1:
        return None
    return pattern.search(line, len(line) - len(line.lstrip()))


def _half(line: str, start: int, end: int) -> tuple[tuple[str, int, int], int | None]:
    """A name with its beginning and end, and its points."""
    text = line[start:end]
    points = None
    if found := _POINTS.search(text.rstrip(" \t,;.")):
        points, text = int(found[1] or found[2]), text[: found.start()]
    name = text.strip(_ENDS)
    at = start + text.find(name)
    return (name, at, at + len(name)), points


def likely_names(line: str) -> tuple[str, str]:
    """Two names that a line may be meant to hold, to show how they are written: each half of its words."""
    words = [word.strip(_ENDS) for word in line.split()]
    words = [word for word in words if word and not any(map(str.isdigit, word))]
    half = len(words) // 2
    if not words or len(words) % 2 or len(line) > 2 * _LONGEST:
        return "Ann", "Bob"
    return " ".join(words[:half]), " ".join(words[half:])
