"""Findings: what is wrong with a record, where, and what would be right. Data, not text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from bgtools._notebooks import shown_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.source import Location, Source, Span

Applicability = Literal["safe", "unsafe"]
"""Whether a fix may be applied unseen.

``safe``: the record itself proves it (`bgtools.decoder.safety`). ``unsafe``: it is the likeliest of several, and
somebody who knows the match has to look at it.
"""


def printable(text: str) -> str:
    """Text that is safe on a terminal: a tab becomes a blank, any other unprintable character U+FFFD."""
    return "".join(
        char if char.isprintable() else " " if char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def clipped(text: str, most: int) -> str:
    """A text that is safe in a message: `printable`, and cut to so many characters."""
    return printable(text if len(text) <= most else f"{text[: most - 1]}…")


def quoted(text: str, most: int = 40) -> str:
    """A stretch of a file in quotes, `clipped`, without the blanks around it."""
    return f'"{clipped(text.strip(), most)}"'


_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def isolated(name: str) -> str:
    """A name that turns nothing beside it: one that is written from right to left is between U+2068 and U+2069."""
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def isolate_names(text: str, names: Iterable[str]) -> str:
    """A text with each of some names `isolated`."""
    for name in names:
        if name and isolated(name) != name:
            text = text.replace(name, isolated(name))
    return text


def with_article(number: int) -> str:
    """A number behind its article, as it is read aloud: ``a 7``, ``an 11``, ``an 80``."""
    leading = f"{number:,}".partition(",")[0]
    return f"{'an' if leading[:1] == '8' or leading in ('11', '18') else 'a'} {number}"


class Severity(IntEnum):
    """How much a finding matters; the larger, the worse.

    >>> max(finding.severity for finding in bgtools.check("samples/five-slips.mat")) is bgtools.Severity.ERROR
    True
    """

    HINT = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding.

    Attributes:
        id: stable for ever: capital letters, BG for ours, and three digits, of which the first is the family: 0 file,
            1 syntax, 2 dice and plays, 3 cube, 4 score and result, 5 conversion.
        name: reads well after "allow".
        severity: what it is unless the user says otherwise.
        page: what is found, in a sentence or two.
        rule: the rules of the game that it enforces, e.g. ``("R07",)``.
        home: the package that has the rest of its manual page, in a file ``pages/<id>.md``.
    """

    id: str
    name: str
    severity: Severity
    page: str
    rule: tuple[str, ...] = ()
    home: str = "bgtools.findings"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that would fix the record: ``text`` in place of what is at ``span``.

    ``text`` includes the blanks that keep the right column in its place. With the fix made in the source's text,
    the record no longer has the finding.

    >>> fix = bgtools.check("samples/five-slips.mat")[3].fix
    >>> fix.text, fix.applicability
    ('2 points', 'safe')

    Attributes:
        span: what is replaced; where it is empty, the text is inserted.
        text: what is to stand there.
        applicability: ``safe`` where the record itself proves the edit, else ``unsafe``.
        alternatives: what else could be meant as likely as this. A fix that has some is offered, and never made unseen.
        words: what it does, where the text alone does not show it: in a record that is no text, or among alternatives.
    """

    span: Span
    text: str
    applicability: Applicability = "unsafe"
    alternatives: tuple[Fix, ...] = ()
    words: str = ""


class Amendment(NamedTuple):
    """What a rule would change by itself in a record.

    Attributes:
        stands: an entry, a result or a game of the record.
        right: the same as it should be; None where it is to go.
        safe: whether the record itself proves that.
    """

    stands: Any
    right: Any
    safe: bool


class FixPlan(Protocol):
    """What knows the fixes of the findings of a file, and finds them when the first is asked for."""

    def fix_of(self, finding: Finding) -> Fix | None:
        """The edit that puts a finding right; None where there is none."""

    @property
    def cut_short(self) -> tuple[int, int] | None:
        """From which match and game on, from 1, not all was tried; None where all was that was asked for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a record: where, what proves it, and what would be right.

    >>> finding = bgtools.check("samples/five-slips.mat")[2]
    >>> finding.code.id, str(finding.severity), finding.location
    ('BG203', 'error', Location(line=38, column=10))
    >>> finding.facts
    ('Ivan Petrov holds it with 2 checkers, as the 21-point of Ivan Petrov',)

    Attributes:
        code: its kind.
        span: the place in the record.
        message: one sentence: what is wrong.
        facts: what the board, the cube or the score proves, a sentence each.
        hint: what would be right, or what to do; may be empty.
        related: places that follow from this finding or explain it.
        game: number of the game as the record gives it.
        turn: number of the turn in the game, from 1, where the finding is about one: a roll and its play, with the
            cube actions before it.
        row: number of the row in which that stands, as the record numbers its rows, else counted from 1.
        entry: number of the entry in the game, from 1: every roll and every cube action by itself.
        player: who acted: 0 or 1, an index of `Match.players`.
        remedy: what the reader or the rule that found it would change by itself. A fix is made of it where it helps.
        set_severity: how much it matters by the user's settings; None where they leave it to its code.
        source: the text that its spans belong to, where it is known; two findings are the same without it.
        plan: what knows its fix; None where no fixes are looked for.
    """

    code: Code
    span: Span
    message: str
    facts: tuple[str, ...] = ()
    hint: str = ""
    related: tuple[Related, ...] = ()
    game: int | None = None
    turn: int | None = None
    row: int | None = None
    entry: int | None = None
    player: int | None = None
    remedy: Fix | Amendment | None = field(default=None, compare=False)
    set_severity: Severity | None = None
    source: Source | None = field(default=None, compare=False)
    plan: FixPlan | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """One line: ``file:line:column: severity CODE message (game 1, row 3) [name]``.

        Without its source it has no line and column; what it is not about, a game or a row, is not named.
        """
        where = f" ({self.game_and_row})" if self.game_and_row else ""
        said = f"{self.severity} {self.code.id} {printable(self.message)}{where} [{self.code.name}]"
        if self.source is None or self.location is None:
            return said
        return f"{printable(self.source.name)}:{self.location.line}:{self.location.column}: {said}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"

    _repr_html_ = shown_html

    @property
    def fix(self) -> Fix | None:
        """The edit that ``check --fix`` makes for it, found when it is first asked for; None where there is none."""
        return None if self.plan is None else self.plan.fix_of(self)

    @property
    def game_and_row(self) -> str:
        """What it is about: ``game 1, row 3``, ``game 1`` or nothing."""
        named = (("game", self.game), ("row", self.row))
        return ", ".join(f"{what} {number}" for what, number in named if number)

    @property
    def location(self) -> Location | None:
        """Line and column where it begins, both from 1; None where its source is not known."""
        return None if self.source is None else self.source.location(self.span.start)

    @property
    def severity(self) -> Severity:
        """How much it matters: what the user's settings say, else that of its code."""
        return self.code.severity if self.set_severity is None else self.set_severity
