"""The search for the fixes after which a record is best: round after round, until nothing more gets better."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.findings import Severity, codes
from bgtools.formats import FormatError
from bgtools.repair.edits import apart, rewritten
from bgtools.repair.states import Change, Repair, judged, wanted
from bgtools.replayer import edit_distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks import Policy
    from bgtools.findings import Finding, Fix
    from bgtools.repair.states import State
    from bgtools.source import Place

EFFORT: Final = 100_000
"""How many entries a search for unsafe fixes may judge, over all that it tries: mostly seconds, where a record has many
faults some minutes. Safe ones are made all the same. It is counted, and not timed, so that a record comes out the same
however fast or busy the machine is."""
_MOST_READINGS: Final = 8
"""How many readings of one slip are tried."""
_LABEL: Final = re.compile(r"\b\d+\)")
_EXCHANGED: Final = 0.5
_LIKE: Final = 2
"""By how many letters another play may differ from the written one where nothing that follows explains it."""


@dataclass(slots=True)
class Search:
    """A search, with the file as the fixes made so far leave it."""

    state: State
    name: str
    policy: Policy | None
    unsafe: bool
    effort: int
    changes: list[Change] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)
    cut_short: bool = False
    _first: State | None = None
    _tried: set[tuple[object, ...]] = field(default_factory=set)
    _rounds: list[list[Fix]] = field(default_factory=list)

    def run(self) -> None:
        """Make every safe fix, then, where they are wanted, unsafe ones, each followed by what is safe after it."""
        self._first = self.state
        while self._safe_round() or (self.unsafe and self._has_effort() and self._unsafe_round()):
            pass

    def result(self) -> Repair:
        """The repair that the search has come to."""
        assert self._first is not None
        return Repair(
            self._first.data,
            self.state.data,
            self.state.matches,
            wanted(self.state, self.policy),
            tuple(self.changes),
            tuple(self.undecided),
            self.cut_short,
        )

    @property
    def _format(self) -> str | None:
        """The format of the file, which no fix changes; None where it is not known."""
        source = self.state.matches[0].source
        return source.format if source is not None and source.format else None

    def _has_effort(self) -> bool:
        self.cut_short = self.effort <= 0 and any(True for _ in self._open())
        return not self.cut_short

    def _open(self) -> Iterator[Finding]:
        """Findings with a fix that has not been tried in vain.

        A warning or hint in a game with errors may follow from them, and waits until they are gone. A game after the
        end of the match waits for all other errors: a wrong length or score may be its cause.
        """
        for found, chosen in zip(self.state.found, wanted(self.state, self.policy), strict=True):
            ruined = {each.game for each in found if each.code.severity is Severity.ERROR}
            for finding in chosen:
                waits = finding.code.severity is not Severity.ERROR and finding.game in ruined
                if finding.code is codes.AFTER_MATCH:
                    waits = any(each.code.severity is Severity.ERROR for each in found if each is not finding)
                if not waits and finding.fix is not None and _key(finding, finding.fix) not in self._tried:
                    yield finding

    # --- rounds -----------------------------------------------------------------------------

    def _safe_round(self) -> bool:
        """Make the safe fixes together, or, where the record gets no better by that, one of them."""
        fixes = {each.fix: each for each in self._open() if each.fix is not None and each.fix.applicability == "safe"}
        together = apart([*fixes])
        if len(together) > 1 and (better := self._after(together)):
            self._accept(better, [(fixes[fix], fix) for fix in together])
            return True
        for fix, finding in fixes.items():
            if better := self._after([fix]):
                self._accept(better, [(finding, fix)])
                return True
            self._tried.add(_key(finding, fix))
        return False

    def _unsafe_round(self) -> bool:
        """Make the best reading of the first slip that has one better than all others."""
        for finding in self._open():
            assert finding.fix is not None
            options = (finding.fix, *finding.fix.alternatives)[:_MOST_READINGS]
            tried = []
            for option in options:
                if self.effort <= 0:
                    self.cut_short = True
                    return False
                unlike = self._unlikeness(option)
                if (
                    finding.code.id.startswith("BG2")
                    and not option.explains
                    and unlike > _LIKE
                    and self._is_new(option)
                ):
                    continue
                if (state := self._after([option])) is not None:
                    tried.append(((state.cost, unlike), option, state))
            self._tried.add(_key(finding, finding.fix))
            tried.sort(key=lambda each: each[0])
            if len(tried) > 1 and tried[0][0] == tried[1][0] and tried[0][2].data != tried[1][2].data:
                self.undecided.append(replace(finding, source=self.state.matches[0].source))
            elif tried:
                self._accept(tried[0][2], [(finding, tried[0][1])])
                return True
        return False

    def _after(self, fixes: Sequence[Fix]) -> State | None:
        """The record with some fixes made; None where it is no better than before."""
        try:
            data = rewritten(self.state.data, self.state.text, fixes)
            state = judged(data, self.name, self.policy, self._format)
            self.effort -= sum(len(game.entries) for match in state.matches for game in match.games)
        except (FormatError, ValueError):
            return None
        return state if state.cost < self.state.cost else None

    def _unlikeness(self, fix: Fix) -> float:
        """How many letters a fix changes; blanks are free.

        An exchange of points or cells counts less than one letter, and each hop that was left out counts one.
        """
        words = self.state.text[slice(*fix.span)].split(), fix.text.split()
        if words[0] and len(words[0]) < len(words[1]) and not Counter(words[0]) - Counter(words[1]):
            return len(words[1]) - len(words[0])
        stands, right = map("".join, words)
        signs = (sorted(re.findall(r"\w+|\W", text)) for text in (stands, right))
        if stands != right and (not self._is_new(fix) or next(signs) == next(signs)):
            return _EXCHANGED
        return edit_distance(stands, right)

    def _is_new(self, fix: Fix) -> bool:
        """Whether a fix writes other words, not just the same ones in another order; row numbers do not count."""
        stands, right = (_LABEL.sub("", text).split() for text in (self.state.text[slice(*fix.span)], fix.text))
        return sorted(stands) != sorted(right)

    def _accept(self, state: State, made: Sequence[tuple[Finding, Fix]]) -> None:
        for finding, fix in made:
            match = next(
                match
                for match, some in zip(self.state.matches, wanted(self.state, self.policy), strict=True)
                if finding in some
            )
            self.changes.append(Change(replace(finding, source=match.source), match, fix, self._place(fix.span.start)))
        self._rounds.append(sorted((fix for _, fix in made), key=lambda fix: fix.span))
        self.state = state

    def _place(self, offset: int) -> Place:
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
        return source.place(offset)


def _key(finding: Finding, fix: Fix) -> tuple[object, ...]:
    """What tells a fix from other fixes. Its place is left out, since other edits move it."""
    return finding.code.id, finding.game, finding.entry, fix.text, fix.applicability
