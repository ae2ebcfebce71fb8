"""A record while it is typed: read, replayed and checked after every change, at once roughly, then in full.

A record while it is typed: read, replayed and checked after every change, at once roughly and then in full.

A change leaves most games as they were, and a sound game is replayed in no time. So the first answer takes what is
known of the unchanged games, and tries few readings of the changed one. The second answer, given when nothing has been
typed for a moment, is the one that ``bgtools check`` gives.

An editor counts lines from 0, and columns in code units of an encoding.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.checks.checking import check
from bgtools.checks.settings import SettingsError, resolve_settings
from bgtools.checks.settings_files import forget_settings, settings_for
from bgtools.conversion.conversion import Target, convert, dialect_of
from bgtools.decoder.memory import Memory
from bgtools.editor.answers import edits_to
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.content import FormatError
from bgtools.formats.reading import AMBIGUOUS, find_format, read_source
from bgtools.formats.registry import formats
from bgtools.record.record import NOWHERE
from bgtools.repair.planning import offer_fixes
from bgtools.replayer.match import replay
from bgtools.source import Source, Span, decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Fix
    from bgtools.formats.format import Format
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn


Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""What columns are counted in: bytes, pairs of bytes, or characters."""

_WIDTHS: Final = {"utf-16": 2, "utf-32": 4, "utf-8": 1}

Position = tuple[int, int]
"""A line and a column, both from 0."""


class Units:
    """Turns offsets in a text into positions in an editor, and back.

    Args:
        source: the text.
        encoding: what columns are counted in.
        lead: how many characters stand before the text in the editor: 1 for a byte-order mark, else 0.
    """

    def __init__(self, source: Source, encoding: Encoding = "utf-16", *, lead: int = 0) -> None:
        """Take the text."""
        self.source = source
        self.encoding: Encoding = encoding
        self._lead = lead if encoding != "utf-8" else len("\ufeff".encode()) * lead

    def position(self, offset: int) -> Position:
        """The position of an offset; one outside the text is moved to its end."""
        text = self.source.text
        offset = max(0, min(offset, len(text)))
        line, column = self.source.location(offset)
        return line - 1, self._length(text[offset - column + 1 : offset]) + (self._lead if line == 1 else 0)

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions where a span begins and ends."""
        return self.position(span.start), self.position(span.end)

    def offset(self, position: Position) -> int:
        """The offset of a position; behind the end of a line that end, after the last line the end of the text."""
        line, column = position
        column -= self._lead if line == 0 else 0
        if line < 0:
            return 0
        if line >= len(self.source.lines):
            return len(self.source.text)
        start, end = self.source.lines[line]
        text = self.source.text[start:end]
        if text.isascii():
            return start + max(0, min(column, len(text)))
        counted = 0
        for at, char in enumerate(text):
            # A position within a character is the place before the character.
            counted += self._length(char)
            if counted > column:
                return start + at
        return end

    def _length(self, text: str) -> int:
        if text.isascii():
            return len(text)
        return (
            len(text.encode(f"{self.encoding}-le" if self.encoding != "utf-8" else "utf-8")) // _WIDTHS[self.encoding]
        )


_LOST: Final = frozenset({
    codes.UNREADABLE_CELL, codes.UNREADABLE_LINE, codes.STRAY_TEXT, codes.EXTRA_CELL, codes.CONTRADICTED_RULES,
    codes.WRONG_NAME, codes.BAD_SET_POSITION,
})  # fmt: skip
"""Findings of text that is not read as it stands: laying the record out would drop or change it."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class NotFormatted(ValueError):
    """A record that cannot be laid out without losing something; the message says what."""


def formatted(text: CheckedText, dialect: str = "") -> tuple[Fix, ...]:
    """The edits that lay a record out in a dialect; none where it is laid out so already.

    The new text is read again and compared, turn by turn; nothing is changed where anything would be lost. All lines
    get the line end that most of them have.

    Args:
        text: the record.
        dialect: a dialect of its format; "" for the one in which most of its lines are written.

    Raises:
        Refused: something would be lost, or the format has no such dialect; the message says what.
    """
    chosen = _format(text)
    if not chosen.writer or not chosen.dialects:
        return ()
    if dialect and dialect not in chosen.dialects:
        raise NotFormatted(f"{chosen.title} has no dialect {dialect!r}; it has {', '.join(chosen.dialects)}")
    for match in text.matches:
        for finding in match.findings:
            if finding.code in _LOST:
                line = text.source.location(finding.span.start).line
                raise NotFormatted(f"not formatted, for something would be lost: line {line}: {finding.message}")
    try:
        target = Target(chosen, dialect or dialect_of(text.matches, chosen) or chosen.dialects[0])
        done = convert(text.matches, target, strict=True)
    except FormatError as error:
        raise NotFormatted(f"not formatted: {error}") from None
    if done.refused or done.changed:
        raise NotFormatted(f"not formatted: {done.changed or done.losses[0].message}")
    ends = _LINE_END.findall(text.source.text)
    usual = max(set(ends), key=ends.count) if ends else "\n"
    return edits_to(text.source.text, _LINE_END.sub(usual, decode(done.data, "").text))


def dialects(text: CheckedText) -> tuple[str, ...]:
    """The dialects that a record can be laid out in."""
    return _format(text).dialects if text.is_text else ()


def _format(text: CheckedText) -> Format:
    """The format of a record.

    Raises:
        Refused: there is no record, or its format is not text.
    """
    source = text.matches[0].source if text.matches else None
    if source is None or not text.is_text:
        raise NotFormatted(f"not formatted: {text.problem or 'there is nothing to format'}")
    return find_format(source.format)


_AT_ONCE: Final = 2
"""What may be tried for the first answer: how many faults are looked into, and how many plays are tried. With two
faults some changes take half a second; with one, thirty milliseconds."""


class Superseded(Exception):
    """The text has changed while it was judged, and nobody wants the answer any more."""


class Here(NamedTuple):
    """An entry of a record at a place of its text.

    Attributes:
        match: the record.
        number: the index of the record among those in the text, from 0.
        game: the game of the entry.
        turn: the entry on its board.
    """

    match: Match
    number: int
    game: GameReplay
    turn: Turn


@dataclass(frozen=True)
class CheckedText:
    """What a text says.

    Attributes:
        source: the text as the editor has it.
        matches: the records in it; none where it is not a record.
        replays: the games of each record.
        findings: the findings in each record that the settings for the file report.
        problem: why it is not a record, or why it is not checked; "" where it is checked.
        policy: the settings for the file.
        is_final: whether all readings of illegal entries were tried, as ``bgtools check`` does.
        lead: how many characters of the editor's text stand before `source`: 1 for a byte-order mark, else 0.
    """

    source: Source
    matches: tuple[Match, ...] = ()
    replays: tuple[tuple[GameReplay, ...], ...] = ()
    findings: tuple[tuple[Finding, ...], ...] = ()
    problem: str = ""
    policy: Policy | None = None
    is_final: bool = True
    lead: int = 0

    @property
    def is_text(self) -> bool:
        """Whether spans are places in this text. In a binary format they are places in a listing of the file."""
        return bool(self.matches) and all(
            match.source is not None and match.source.text == self.source.text for match in self.matches
        )

    @cached_property
    def entries(self) -> tuple[Here, ...]:
        """All entries in the order of the text; none where they have no place in it."""
        if not self.is_text:
            return ()
        here = [
            Here(match, number, game, turn)
            for number, (match, games) in enumerate(zip(self.matches, self.replays, strict=True))
            for game in games
            for turn in game.turns
            if turn.entry.span != NOWHERE
        ]
        return tuple(sorted(here, key=lambda each: each.turn.entry.span))

    def at(self, offset: int) -> Here | None:
        """The entry at an offset, its end included, or None."""
        index = bisect_right(self.entries, offset, key=lambda each: each.turn.entry.span.start) - 1
        # Where one entry ends and another one begins, the one that begins is taken.
        found = self.entries[index] if index >= 0 else None
        return found if found is not None and offset <= found.turn.entry.span.end else None


class Document:
    """A record that is being typed.

    Args:
        name: the path of its file, or what it is called where it has none.
        text: what is in it.
        is_file: whether ``name`` is a path, so that the settings of its folder hold.
    """

    def __init__(self, name: str, text: str, *, is_file: bool = True) -> None:
        """Begin with a text."""
        self.name = name
        self.is_file = is_file
        self._memory = Memory()
        self._policy: Policy | str | None = None
        self._known: CheckedText | None = None
        self.text = ""
        self.change(text)

    def change(self, text: str) -> None:
        """Take a new text."""
        # Half of a surrogate pair is not a character, and could not be written to a file.
        self.text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_halves(text) else text
        self._known = None

    def forget_settings(self) -> None:
        """Read the settings again when they are next needed: a settings file may have changed."""
        forget_settings()
        self._policy = self._known = None

    def checked(self) -> CheckedText:
        """What the text says, as far as that can be found out at once; in full where it is known."""
        if self._known is None:
            self._known = self._judge(None, _AT_ONCE)
        return self._known

    def judged_in_full(self, is_superseded: Callable[[], bool] = bool) -> CheckedText:
        """What the text says, with all readings tried.

        Args:
            is_superseded: called again and again meanwhile; True where nobody waits for the answer any more.

        Raises:
            Superseded: nobody waits for the answer, or the text has changed.
        """
        known = self._known
        if known is None or not known.is_final:
            text = self.text

            def go_on() -> None:
                if is_superseded():
                    raise Superseded

            found = self._judge(go_on)
            if self.text != text or is_superseded():
                raise Superseded
            self._known = known = found
        return known

    def _judge(self, go_on: Callable[[], None] | None, most: int | None = None) -> CheckedText:
        # A byte-order mark is not part of a record, but an editor may keep it in its text.
        lead = int(self.text.startswith("\ufeff"))
        source = Source(self.name, self.text[lead:])
        if not source.text.strip():
            return CheckedText(source, lead=lead)
        policy = self._settings()
        if isinstance(policy, str):
            return CheckedText(source, problem=policy, lead=lead)
        try:
            matches = tuple(map(policy.complete, read_source(self.text.encode(), self.name)))
        except FormatError as error:
            return CheckedText(source, problem=str(error), policy=policy, lead=lead)
        replays = tuple(replay(match, self._memory, go_on, most) for match in matches)
        found = tuple(check(match, games) for match, games in zip(matches, replays, strict=True))
        findings = tuple(map(policy.apply, offer_fixes(matches, found, self.text.encode(), policy)))
        return CheckedText(source, matches, replays, findings, policy=policy, is_final=most is None, lead=lead)

    def _settings(self) -> Policy | str:
        """The settings that hold for the file, or why they cannot be followed."""
        if self._policy is None:
            try:
                self._policy = resolve_settings(settings_for(self.name if self.is_file else "-"))
            except SettingsError as error:
                self._policy = str(error)
        return self._policy


def problem(text: CheckedText) -> Finding | None:
    """The finding (BG007) that a text is not a record, or cannot be checked; None where it is checked, or need not be.

    Only a file whose ending is used for records alone must be one; a text without a name, or ``notes.txt``, need not.
    """
    name = text.source.name.lower()
    endings = [ending for each in formats() for ending in each.extensions if ending not in AMBIGUOUS]
    if not text.problem or not name.endswith(tuple(endings)):
        return None
    return Finding(codes.UNREADABLE_FILE, Span(0, text.source.lines[0].end), f"not checked: {text.problem}")


def _has_halves(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text) if not text.isascii() else False
