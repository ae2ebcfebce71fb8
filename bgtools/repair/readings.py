"""What the rules make of a record that cannot be, written into its file."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from bgtools.conversion.conversion import Target, convert, parse_target
from bgtools.decoder.interpretation import Effort, decode
from bgtools.findings import codes
from bgtools.findings.finding import Code, Fix, Severity
from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format
from bgtools.formats.rendering import render
from bgtools.repair.states import Change, RepairRefused, check_file, rewritten
from bgtools.source import Source, Span, decode as text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.decoder.interpretation import Interpretation
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.states import FileState

RECORD: Final = 120
"""How many nodes a search for the meaning of one record may open."""
_HEADER: Final = -1
_TIED: Final = 0.5
"""Readings that are so few bits apart are as good as each other."""
_LOSSES: Final = frozenset(
    code.id for code in vars(codes).values() if isinstance(code, Code) and code.id.startswith("BG5")
)


class LikelyRecords:
    """The records of a file as they were most likely meant.

    Attributes:
        effort: how many nodes may still be opened, over all records of the file.
        cut_short: whether a record was skipped because none were left.
    """

    def __init__(self, name: str, policy: Policy | None, effort: int) -> None:
        """Nothing is looked for yet."""
        self.name, self.policy, self.effort = name, policy, effort
        self.cut_short = self.unsafe = False
        self._known: dict[int, Interpretation] = {}

    def best(
        self, state: FileState, selected: Sequence[Sequence[Finding]], *, unsafe: bool
    ) -> tuple[FileState, list[Change]] | None:
        """The file with as many games put right as make it better, and the changes; None where none does.

        Args:
            state: the file.
            selected: of each match the findings that may be fixed.
            unsafe: whether also what is only likeliest is fixed, besides what the rules prove.

        Raises:
            Refused: the file would have to be rewritten, and cannot be.
        """
        self.unsafe = unsafe
        read = [self._read(*each) for each in zip(state.matches, state.found, selected, strict=True)]
        if not any(games for _, games in read):
            return None
        done = self._made(state, selected, read)
        if done is not None:
            return done
        # One game that is misunderstood must not keep the others from being put right.
        best = None
        for at, (meant, games) in enumerate(read):
            for game in sorted(games) if len(games) > 1 or len(read) > 1 else ():
                alone: list[tuple[Interpretation | None, frozenset[int]]] = [(each, frozenset()) for each, _ in read]
                alone[at] = meant, frozenset((game,))
                if (made := self._made(state, selected, alone)) is not None and (
                    best is None or made[0].cost < best[0].cost
                ):
                    best = made
        return best

    def _read(
        self, match: Match, found: Sequence[Finding], selected: Sequence[Finding]
    ) -> tuple[Interpretation | None, frozenset[int]]:
        """What a record means, and the indexes of the games that are to be fixed, -1 for the header."""
        errors = [each for each in found if each.code.severity is Severity.ERROR]
        chosen = {each for each in errors if any(each == one for one in selected)}
        if not chosen:
            return None, frozenset()
        meant = self._known.get(id(match))
        if meant is None or meant.match is not match:
            if self.effort <= 0:
                self.cut_short = True
                return None, frozenset()
            effort = Effort(min(RECORD, self.effort))
            meant = self._known[id(match)] = decode(match, effort)
            self.effort -= effort.spent
        games = {each.game for each in meant.corrections if each.gap >= _TIED} if self.unsafe else set(meant.sure())
        if len(chosen) < len(errors):
            games -= {_HEADER}
        return meant, frozenset(games)

    def undecided(self, state: FileState, selected: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
        """The findings of games that can be fixed in several ways, of which none is better than the others."""
        for match, found, some in zip(state.matches, state.found, selected, strict=True):
            meant, _ = self._read(match, found, some)
            for rights in () if meant is None else meant.tied(_TIED):
                edits = [render(match, right) for right in rights]
                fixes = [*dict.fromkeys(_joined(state.text, fixes) for fixes in edits if fixes)]
                if len(fixes) > 1:
                    finding = _nearest(some, fixes[0].span)
                    fix = replace(fixes[0], alternatives=tuple(fixes[1:]))
                    yield replace(finding, fix=fix, source=match.source)

    def _made(
        self,
        state: FileState,
        selected: Sequence[Sequence[Finding]],
        read: Sequence[tuple[Interpretation | None, frozenset[int]]],
    ) -> tuple[FileState, list[Change]] | None:
        rights = tuple(
            match if meant is None or not games else meant.right(games)
            for match, (meant, games) in zip(state.matches, read, strict=True)
        )
        source = state.matches[0].source
        assert source is not None
        edits = [
            () if right is match else render(match, right) for match, right in zip(state.matches, rights, strict=True)
        ]
        if state.is_text and all(each is not None for each in edits):
            told = [*self._changes(state, selected, edits)]
            try:
                data = rewritten(state.data, state.text, [change.fix for change in told])
            except ValueError:
                return None
        else:
            data = _written(state, rights)
            told = [*self._in_words(state, selected, rights)]
        try:
            after = check_file(data, self.name, self.policy, source.format or None)
        except FormatError:
            return None
        return (after, told) if told and after.cost < state.cost else None

    def _changes(
        self, state: FileState, selected: Sequence[Sequence[Finding]], edits: Sequence[Sequence[Fix] | None]
    ) -> Iterator[Change]:
        for match, found, some, fixes in zip(state.matches, state.found, selected, edits, strict=True):
            assert match.source is not None
            for fix in fixes or ():
                finding = _nearest(found, fix.span)
                if (wished := next((each for each in some if each == finding), None)) is None:
                    continue
                finding = wished
                place = match.source.location(fix.span.start)
                yield Change(replace(finding, source=match.source), match, self._marked(fix), place)

    def _in_words(
        self, state: FileState, selected: Sequence[Sequence[Finding]], rights: Sequence[Match]
    ) -> Iterator[Change]:
        """The changes of a file that is not a text, in the words of match text."""
        for match, some, right in zip(state.matches, selected, rights, strict=True):
            if right is match:
                continue
            one, two = _words(match), _words(right)
            source = Source(self.name, "".join(one))
            starts = [*accumulate(map(len, one), initial=0)]
            for kind, start, end, first, last in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
                if kind == "equal":
                    continue
                game = sum(line.startswith(" Game ") for line in one[: start + 1]) - 1
                number = match.games[game].number if game >= 0 else None
                finding = next((each for each in some if each.game == number), some[0])
                fix = Fix(Span(starts[start], starts[end]), "".join(two[first:last]))
                yield Change(replace(finding, source=source), match, self._marked(fix), None)

    def _marked(self, fix: Fix) -> Fix:
        return replace(fix, applicability="unsafe" if self.unsafe else "safe")


def _nearest(findings: Sequence[Finding], span: Span) -> Finding:
    """The finding that stands nearest to a place, an error before others."""

    def distance(finding: Finding) -> tuple[bool, int]:
        gap = max(finding.span.start - span.end, span.start - finding.span.end, 0)
        return finding.code.severity is not Severity.ERROR, gap

    return min(findings, key=distance)


def _joined(text: str, fixes: Sequence[Fix]) -> Fix:
    """Several edits as one."""
    made, at = "", fixes[0].span.start
    for fix in fixes:
        made += text[at : fix.span.start] + fix.text
        at = fix.span.end
    return Fix(Span(fixes[0].span.start, at), made)


def _words(match: Match) -> list[str]:
    """A record as lines of match text."""
    done = convert((match,), parse_target("mat"), allow=_LOSSES, verify=False)
    return text_of(done.data, "").text.splitlines(keepends=True)


def _written(state: FileState, matches: tuple[Match, ...]) -> bytes:
    """The file rewritten.

    Raises:
        Refused: its format is only read, or cannot hold all that the record holds.
    """
    source = state.matches[0].source
    assert source is not None
    chosen = find_format(source.format)
    if not chosen.writer:
        raise RepairRefused(f"{chosen.title} is only read, not written; convert the record first")
    try:
        done = convert(matches, Target(chosen), strict=True)
    except FormatError as error:
        raise RepairRefused(f"it cannot be written as {chosen.title} again: {error}") from None
    if done.changed:
        raise RepairRefused(f"written as {chosen.title} again it would change: {done.changed}")
    if done.refused:
        raise RepairRefused(f"written as {chosen.title} again it would lose something: {done.losses[0].message}")
    return done.data
