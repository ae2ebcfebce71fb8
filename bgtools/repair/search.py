"""The search for the fixes after which a record is best: round after round, until nothing more gets better."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.repair.readings import LikelyRecords
from bgtools.repair.states import Change, Repair, check_file, rewritten, select_findings, without_overlaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Finding, Fix
    from bgtools.repair.states import FileState
    from bgtools.source import Location

EFFORT: Final = 8_000
"""How many nodes a search for what the records of a file mean may open. They are counted, and not timed, so that a file
comes out the same however fast or busy the machine is."""
_DECIDED: Final = frozenset({"BG2", "BG3", "BG4"})
"""Errors that are fixed by what a whole game means, not one by one."""


@dataclass(slots=True)
class RepairSearch:
    """A search, with the file as the fixes made so far leave it."""

    state: FileState
    name: str
    policy: Policy | None
    unsafe: bool
    effort: int
    changes: list[Change] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)
    cut_short: bool = False
    _first: FileState | None = None
    _readings: LikelyRecords = field(init=False)
    _tried: set[tuple[object, ...]] = field(default_factory=set)
    _rounds: list[list[Fix]] = field(default_factory=list)

    def run(self) -> None:
        """Make every safe fix, then, where they are wanted, unsafe ones, each followed by what is safe after it."""
        self._first = self.state
        self._readings = LikelyRecords(self.name, self.policy, self.effort)
        while (
            self._read(unsafe=False)
            or self._round(unsafe=False)
            or (self.unsafe and (self._read(unsafe=True) or self._round(unsafe=True)))
        ):
            pass
        if self.unsafe:
            self.undecided += self._readings.undecided(self.state, select_findings(self.state, self.policy))
        self.cut_short = self._readings.cut_short

    def _read(self, *, unsafe: bool) -> bool:
        """Put right what the rules tell of games that cannot be as they are written."""
        made = self._readings.best(self.state, select_findings(self.state, self.policy), unsafe=unsafe)
        if made is None:
            return False
        state, changes = made
        self.changes += [
            change
            if change.location is None
            else replace(change, location=self._original_location(change.fix.span.start))
            for change in changes
        ]
        self._rounds.append(sorted((each.fix for each in changes if each.location), key=lambda fix: fix.span))
        self.state = state
        return True

    def result(self) -> Repair:
        """The repair that the search has come to."""
        assert self._first is not None
        return Repair(
            self._first.data,
            self.state.data,
            self.state.matches,
            select_findings(self.state, self.policy),
            tuple(self.changes),
            tuple(self.undecided),
            self.cut_short,
        )

    @property
    def _format(self) -> str | None:
        """The format of the file, which no fix changes; None where it is not known."""
        source = self.state.matches[0].source
        return source.format if source is not None and source.format else None

    def _open(self) -> Iterator[Finding]:
        """Findings with a fix that has not been tried in vain, and that the rules of play do not decide.

        A warning or hint in a game with errors may follow from them, and waits until they are gone.
        """
        for found, chosen in zip(self.state.found, select_findings(self.state, self.policy), strict=True):
            ruined = {each.game for each in found if each.code.severity is Severity.ERROR}
            for finding in chosen:
                is_error = finding.code.severity is Severity.ERROR
                waits = finding.code.id[:3] in _DECIDED if is_error else finding.game in ruined
                if not waits and finding.fix is not None and _key(finding, finding.fix) not in self._tried:
                    yield finding

    # --- rounds -----------------------------------------------------------------------------

    def _round(self, *, unsafe: bool) -> bool:
        """Make the fixes that no reading of a game gives together, or, where that makes it no better, one of them."""
        fixes = {
            each.fix: each
            for each in self._open()
            if each.fix is not None and (each.fix.applicability == "safe" or (unsafe and not each.fix.alternatives))
        }
        together = without_overlaps([*fixes])
        if len(together) > 1 and (better := self._after(together)):
            self._accept(better, [(fixes[fix], fix) for fix in together])
            return True
        for fix, finding in fixes.items():
            if better := self._after([fix]):
                self._accept(better, [(finding, fix)])
                return True
            self._tried.add(_key(finding, fix))
        return False

    def _after(self, fixes: Sequence[Fix]) -> FileState | None:
        """The record with some fixes made; None where it is no better than before."""
        if not self.state.is_text:
            return None
        try:
            data = rewritten(self.state.data, self.state.text, fixes)
            state = check_file(data, self.name, self.policy, self._format)
        except (FormatError, ValueError):
            return None
        return state if state.cost < self.state.cost else None

    def _accept(self, state: FileState, made: Sequence[tuple[Finding, Fix]]) -> None:
        for finding, fix in made:
            match = next(
                match
                for match, some in zip(self.state.matches, select_findings(self.state, self.policy), strict=True)
                if finding in some
            )
            self.changes.append(
                Change(replace(finding, source=match.source), match, fix, self._original_location(fix.span.start))
            )
        self._rounds.append(sorted((fix for _, fix in made), key=lambda fix: fix.span))
        self.state = state

    def _original_location(self, offset: int) -> Location:
        """The place in the original file of something in the present text."""
        assert self._first is not None
        for made in reversed(self._rounds):
            shift = 0
            for fix in made:
                start, end = fix.span.start + shift, fix.span.start + shift + len(fix.text)
                if offset < start:
                    break
                longer = len(fix.text) - (fix.span.end - fix.span.start)
                if offset < end:
                    offset = min(offset, fix.span.end + shift)
                    break
                shift += longer
            offset -= shift
        source = self._first.matches[0].source
        assert source is not None
        return source.location(offset)


def _key(finding: Finding, fix: Fix) -> tuple[object, ...]:
    """What tells a fix from other fixes. Its place is left out, since other edits move it."""
    return finding.code.id, finding.game, finding.entry, fix.text, fix.applicability
