"""Repairing a record: fixes are made at their places, round after round, until nothing more gets better."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools import checks
from bgtools.findings import Severity, codes
from bgtools.formats import FormatError, read_source
from bgtools.repair.edits import apart, rewritten
from bgtools.replayer import edit_distance, replay
from bgtools.source import Place, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks import Policy
    from bgtools.findings import Finding, Fix
    from bgtools.record import Match

EFFORT: Final = 100_000
"""How many entries a search for unsafe fixes may judge, over all that it tries: mostly seconds, where a record has many
faults some minutes. Safe ones are made all the same. It is counted, and not timed, so that a record comes out the same
however fast or busy the machine is."""
_MOST_READINGS: Final = 8
"""So many readings of one slip are tried."""
_LABEL: Final = re.compile(r"\b\d+\)")
_EXCHANGED: Final = 0.5
_LIKE: Final = 2
"""Where nothing that follows explains another play, it may differ from the written one by so many letters."""


class Refused(ValueError):
    """A record that cannot be repaired where it stands; the message says why. Nothing was touched."""


@dataclass(frozen=True, slots=True)
class Change:
    """A fix that was made.

    Attributes:
        finding: what it put right, with the text that it was found in.
        match: the record that it was found in.
        fix: the edit of that text.
        place: where it is in the file as it was at first; None where that is no text.
    """

    finding: Finding
    match: Match
    fix: Fix
    place: Place | None


@dataclass(frozen=True, slots=True)
class Repair:
    """A record before and after.

    Attributes:
        before: the bytes of the file.
        after: its bytes with every fix made; the same where there was none to make.
        matches: what is read from them.
        findings: of each match, what is left.
        changes: the fixes, in the order in which they were made.
        undecided: findings with several readings of which none explains more than the others.
        cut_short: whether the effort was spent before everything was tried.
    """

    before: bytes
    after: bytes
    matches: tuple[Match, ...]
    findings: tuple[tuple[Finding, ...], ...]
    changes: tuple[Change, ...] = ()
    undecided: tuple[Finding, ...] = ()
    cut_short: bool = False

    @property
    def left(self) -> int:
        """How many of the findings that are left still offer a fix."""
        return sum(finding.fix is not None for some in self.findings for finding in some)


@dataclass(frozen=True, slots=True)
class State:
    """A file, what it holds and how good that is.

    Attributes:
        cost: turns against the rules, errors, warnings and hints; the less of the first that differs, the better.
    """

    data: bytes
    matches: tuple[Match, ...]
    found: tuple[tuple[Finding, ...], ...]
    cost: tuple[int, int, int, int]

    @property
    def text(self) -> str:
        """The text that findings point into."""
        source = self.matches[0].source
        return "" if source is None else source.text


def judged(data: bytes, name: str, policy: Policy | None = None, format_name: str | None = None) -> State:
    """Read and check a file.

    Raises:
        FormatError: it is no record.
    """
    matches = read_source(data, name, format_name)
    if policy is not None:
        matches = tuple(map(policy.complete, matches))
    found, broken = [], 0
    for match in matches:
        replays = replay(match)
        broken += sum(bool(turn.violations) for game in replays if not game.is_sound for turn in game.turns)
        found.append(checks.check(match, replays))
    counts = [sum(each.code.severity is level for some in found for each in some) for level in Severity]
    return State(data, matches, tuple(found), (broken, *reversed(counts)))  # type: ignore[arg-type]


def repair(
    data: bytes,
    name: str,
    *,
    unsafe: bool = False,
    policy: Policy | None = None,
    effort: int = EFFORT,
) -> Repair:
    """Put a record right as far as its findings offer fixes.

    A text is changed at the places of its fixes and nowhere else: its encoding, line ends and dialect stay. A record
    in another format is written anew by the writer of that format. Each round is replayed, and taken back where the
    record got no better by it.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        unsafe: whether fixes are made that the record does not prove. Of several readings the one is taken after which
            the record is best; where two are as good, none.
        policy: which findings are to be put right, and by which rules the record is judged.
        effort: how many entries a search for unsafe fixes may judge, over all that it tries.

    Raises:
        FormatError: this is no record.
        Refused: it cannot be changed where it stands: it lies packed in another file, its format has no writer or no
            place for all that it holds.
    """
    return repaired(judged(data, name, policy), name, unsafe=unsafe, policy=policy, effort=effort)


def repaired(
    first: State, name: str, *, unsafe: bool = False, policy: Policy | None = None, effort: int = EFFORT
) -> Repair:
    """As `repair`, for a file that has been judged.

    Raises:
        Refused: it cannot be changed where it stands.
    """
    from bgtools.repair.rewriting import repaired_anew

    data = first.data
    if any(match.source is None or match.source.data != data for match in first.matches):
        if _has_fixes(first):
            raise Refused("the record lies in an archive; unpack that first")
        return Repair(data, data, first.matches, wanted(first, policy))
    if first.text != decode(data, name).text:
        return repaired_anew(first, name, unsafe=unsafe, policy=policy, effort=effort)
    search = Search(first, name, policy, unsafe=unsafe, effort=effort)
    search.run()
    done = search.result()
    if not search.state.cost[1] or _is_match_text(first):
        return done
    # In other texts plays are put right at their places; cube actions, results and rows are in none of their findings.
    try:
        rest = repaired_anew(search.state, name, unsafe=unsafe, policy=policy, effort=effort)
    except Refused:
        if not done.changes:
            raise
        return done
    return replace(
        rest,
        before=data,
        changes=(*done.changes, *rest.changes),
        undecided=rest.undecided or done.undecided,
        cut_short=done.cut_short or rest.cut_short,
    )


def _is_match_text(state: State) -> bool:
    return all(match.source is not None and match.source.has_rows for match in state.matches)


def _has_fixes(state: State) -> bool:
    return any(finding.fix for some in state.found for finding in some)


def has_work(state: State, policy: Policy | None, *, unsafe: bool) -> bool:
    """Whether a finding that a policy leaves offers a fix that would be tried."""
    return any(
        finding.fix is not None and (unsafe or finding.fix.applicability == "safe")
        for some in wanted(state, policy)
        for finding in some
    )


def wanted(state: State, policy: Policy | None) -> tuple[tuple[Finding, ...], ...]:
    """Of each match the findings that a policy leaves; without one all of them."""
    return state.found if policy is None else tuple(map(policy.apply, state.found))


@dataclass(slots=True)
class Search:
    """A file on its way to a better one."""

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
        """What came of it."""
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

        What is only odd in a game that has errors may follow from them, and waits until they are gone. So does a whole
        game too many, which a wrong length or score makes so, while there is any other error.
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

        What only stands in another's place, points or cells, counts less than a letter, a hop that was left out one.
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
        """Whether a fix writes what does not stand there, and not only in another place; numbers of rows aside."""
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
    """What tells a fix from others. Its place does not, since other edits move it."""
    return finding.code.id, finding.game, finding.entry, fix.text, fix.applicability
