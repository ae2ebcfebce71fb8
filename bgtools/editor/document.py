"""A record while it is typed: read, replayed and checked after every change, at once roughly and then in full.

After a change most games say what they said before, and a sound game is replayed in no time. So the first answer takes
what is known of the games that stayed as they were, and tries few readings of the one that changed. The second answer,
when nothing has been typed for a moment, is the one that ``bgtools check`` gives.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.checks import SettingsError, check, forget_settings, resolve_settings, settings_for
from bgtools.findings import Finding, codes
from bgtools.formats import AMBIGUOUS, FormatError, formats, read_source
from bgtools.record import NOWHERE
from bgtools.replayer import Budget, Memory, replay_within
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.checks import Policy
    from bgtools.record import Match
    from bgtools.replayer import GameReplay, Turn

_AT_ONCE: Final = (1, 1_000)
"""What may be tried for the first answer: faults looked into, and plays tried. With twice as many faults some changes
take half a second; with one, thirty milliseconds."""


class Superseded(Exception):
    """The text has changed while it was judged, and nobody wants the answer any more."""


class Here(NamedTuple):
    """An entry of a record at a place of its text.

    Attributes:
        match: the record.
        number: the index of that among the records in the text.
        game: its game.
        turn: the entry on its board.
    """

    match: Match
    number: int
    game: GameReplay
    turn: Turn


@dataclass(frozen=True)
class Judged:
    """What a text says.

    Attributes:
        source: the text as the editor has it.
        matches: the records in it; none where it is no record.
        replays: of each its games.
        findings: of each what is reported, by the settings that hold for the file.
        problem: why it is no record, or why it is not checked; "" where it is.
        policy: those settings.
        is_final: whether all readings of what cannot be were tried, as for ``bgtools check``.
        lead: how many characters of the editor's text stand before `source`: one where that is a mark of byte order.
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
        """Whether spans are places of this text. Those of a format whose records are listed are none."""
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
        """The entry at an offset, its end included; None where there is none."""
        index = bisect_right(self.entries, offset, key=lambda each: each.turn.entry.span.start) - 1
        # Behind an entry that ends here another one may begin.
        found = self.entries[index] if index >= 0 else None
        return found if found is not None and offset <= found.turn.entry.span.end else None


class Document:
    """A record that is being typed.

    Args:
        name: the path of its file, or what it is called where it has none.
        text: what stands in it.
        path: whether ``name`` is a path, so that the settings of its folder hold.
    """

    def __init__(self, name: str, text: str, *, is_file: bool = True) -> None:
        """Begin with a text."""
        self.name = name
        self.is_file = is_file
        self._memory = Memory()
        self._policy: Policy | str | None = None
        self._known: Judged | None = None
        self.text = ""
        self.change(text)

    def change(self, text: str) -> None:
        """Take a new text."""
        # Half a character of two units cannot be written to a file either.
        self.text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_halves(text) else text
        self._known = None

    def forget_settings(self) -> None:
        """Look at the settings again: a settings file may have changed."""
        forget_settings()
        self._policy = self._known = None

    def judged(self) -> Judged:
        """What the text says, as far as it is known or can be found out at once."""
        if self._known is None:
            self._known = self._judge(Budget(*_AT_ONCE), Budget(*_AT_ONCE), exact=False)
        return self._known

    def judged_in_full(self, is_superseded: Callable[[], bool] = bool) -> Judged:
        """What the text says, all readings tried.

        Args:
            is_superseded: asked while it is found out; True where nobody waits for the answer.

        Raises:
            Superseded: nobody does.
        """
        known = self._known
        if known is None or not known.is_final:
            text = self.text
            found = self._judge(_Watched(is_superseded), None, exact=True)
            if self.text != text or is_superseded():
                raise Superseded
            self._known = known = found
        return known

    def _judge(self, budget: Budget, for_header: Budget | None, *, exact: bool) -> Judged:
        # A mark of the byte order is no part of a record; in an editor's text it may stand all the same.
        lead = int(self.text.startswith("\ufeff"))
        source = Source(self.name, self.text[lead:])
        if not source.text.strip():
            return Judged(source, lead=lead)
        policy = self._settings()
        if isinstance(policy, str):
            return Judged(source, problem=policy, lead=lead)
        try:
            matches = tuple(map(policy.complete, read_source(self.text.encode(), self.name)))
        except FormatError as error:
            return Judged(source, problem=str(error), policy=policy, lead=lead)
        replays = tuple(replay_within(match, budget, self._memory, exact=exact) for match in matches)
        findings = tuple(
            policy.apply(check(match, games, for_header)) for match, games in zip(matches, replays, strict=True)
        )
        return Judged(source, matches, replays, findings, policy=policy, is_final=exact, lead=lead)

    def _settings(self) -> Policy | str:
        """The settings that hold for the file, or why they cannot be followed."""
        if self._policy is None:
            try:
                self._policy = resolve_settings(settings_for(self.name if self.is_file else "-"))
            except SettingsError as error:
                self._policy = str(error)
        return self._policy


def problem(judged: Judged) -> Finding | None:
    """The finding (BG007) that a text is no record, or cannot be checked; None where there is nothing to say.

    A text without a name, or with one that others have as well, such as ``notes.txt``, need not be a record.
    """
    name = judged.source.name.lower()
    endings = [ending for each in formats() for ending in each.extensions if ending not in AMBIGUOUS]
    if not judged.problem or not name.endswith(tuple(endings)):
        return None
    return Finding(codes.UNREADABLE_FILE, Span(0, judged.source.lines[0].end), f"not checked: {judged.problem}")


def _has_halves(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text) if not text.isascii() else False


class _Watched(Budget):
    """A budget that ends the search where nobody waits for what it would find."""

    _is_superseded: Callable[[], bool]

    def __init__(self, is_superseded: Callable[[], bool]) -> None:
        object.__setattr__(self, "_is_superseded", is_superseded)
        super().__init__()

    def __setattr__(self, name: str, value: Any) -> None:
        # Every trial counts here, so that a search of a second is left within some milliseconds.
        if self._is_superseded():
            raise Superseded
        super().__setattr__(name, value)
