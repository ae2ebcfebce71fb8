"""Which of several readings a game goes on with, and which of two records the rules support.

The readings of all places are tried together on the board: the game is replayed with what each record says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools.replayer.match import replay_plainly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.comparison.difference import Supported
    from bgtools.comparison.pairing import GameTokens
    from bgtools.record.record import Entry, Match


MOST: Final = 24
"""At most so many differences of a game are tried. More are no longer a few slips."""


@dataclass(slots=True)
class Supporter:
    """Tries what two records say of one game; both have one numbering, and their players in one order."""

    matches: tuple[Match, Match]
    sheets: tuple[GameTokens, GameTokens]
    _own: list[int] = field(default_factory=list)
    _tried: int = 0

    def supported(self, entries: tuple[tuple[int, int], tuple[int, int]]) -> Supported:
        """The record that says what the game can go on with: it makes the other record fit the rules better.

        Args:
            entries: the stretch in which the records differ: its first entry, and the one behind its last, in either.
        """
        self._tried += 1
        if self._tried > MOST:
            return ""
        if not self._own:
            self._own = [self._wrong(which, self.sheets[which].game.entries) for which in (0, 1)]
        gains = [self._own[which] - self._wrong(which, self._with(which, entries)) for which in (0, 1)]
        # If a gets better with what b says, that supports b; and the other way round.
        if gains[0] == gains[1]:
            return ""
        if gains[0] > max(gains[1], 0):
            return "b"
        return "a" if gains[1] > max(gains[0], 0) else ""

    def _with(self, which: int, entries: tuple[tuple[int, int], tuple[int, int]]) -> tuple[Entry, ...]:
        """The entries of one record with a stretch of the other in place of its own."""
        start, end = entries[which]
        first, last = entries[1 - which]
        own, theirs = self.sheets[which].game.entries, self.sheets[1 - which].game.entries
        return (*own[:start], *theirs[first:last], *own[end:])

    def _wrong(self, which: int, entries: tuple[Entry, ...]) -> int:
        """How many entries of a game are against the rules, each taken as it is written.

        After a wrong entry the following ones do not fit either: the earlier the game goes wrong, the more they are.
        """
        plain = tuple(entry if entry.row is None else replace(entry, row=None) for entry in entries)
        match = self.matches[which]
        game = replace(self.sheets[which].game, entries=plain)
        replayed = replay_plainly(replace(match, games=(game,)))[0]
        if replayed.is_sound:
            return 0
        return sum(bool(turn.violations) for turn in replayed.turns)


Why = Literal["all", "only", "rules", "most", "preferred", "undecided"]
"""Why something is taken.

``all``: every record that says anything there says it. ``only``: other records say nothing there, and nothing speaks
against it. ``rules``: the rules and the rest of the record go on with it alone. ``most``: most records say it.
``preferred``: the preferred record says it. ``undecided``: none of these."""

Choice = tuple[int, ...]
"""A way to put a game together: for each place the number of the option that is taken."""

_ALL: Final = 64
"""Up to this many combinations, each is tried."""
_NEAR: Final = 10
"""At most this many places are looked at, up to the one behind the first fault."""
_ROUNDS: Final = 12
"""At most so many rounds improve a choice. Each puts one slip right."""


class StatedOption(NamedTuple):
    """What some records say in a place.

    Attributes:
        records: their numbers.
        votes: how many of them count; a record whose entry there leaves the play open does not.
        says: the entry, claims or value that they have there; None where they have nothing.
    """

    records: tuple[int, ...]
    votes: int
    says: Any


@dataclass(slots=True)
class MergeDecision:
    """What is taken in a place.

    Attributes:
        option: the number of the option.
        why: why it is taken.
    """

    option: int
    why: Why


@dataclass(slots=True)
class Chooser:
    """Finds the best choice among readings of places.

    Attributes:
        options: the options of each place, two or more.
        cost: how much of a choice is against the rules, and the number of the place where that shows first; None where
            no entry is against them.
        prefer: the record that decides where nothing else does; None for no such record.
    """

    options: Sequence[Sequence[StatedOption]]
    cost: Callable[[Choice], tuple[int, int | None]]
    prefer: int | None = None
    _known: dict[Choice, tuple[int, int | None]] = field(default_factory=dict)

    def decide(self) -> list[MergeDecision]:
        """The choice, and why."""
        if not self.options:
            return []
        best = min(self._starts(), key=self._rank)
        if prod(map(len, self.options)) > _ALL:
            best = self._improved(best)
        while True:
            whys, better = self._explained(best)
            if better is None:
                return self._decisions(best, whys)
            best = better

    # --- looking for the best ---------------------------------------------------------------

    def _wrong(self, choice: Choice) -> int:
        if choice not in self._known:
            self._known[choice] = self.cost(choice)
        return self._known[choice][0]

    def _rank(self, choice: Choice) -> tuple[object, ...]:
        """The order of choices: by the rules, by votes, an entry before none, the first record before later ones."""
        taken = [options[each] for options, each in zip(self.options, choice, strict=True)]
        return (
            self._wrong(choice),
            -sum(option.votes for option in taken),
            sum(option.says is None for option in taken),
            [option.records for option in taken],
        )

    def _by_votes(self) -> Choice:
        return tuple(
            min(range(len(options)), key=lambda each: (-options[each].votes, options[each].says is None, each))
            for options in self.options
        )

    def _starts(self) -> Iterator[Choice]:
        """All choices where they are few, else the choice of most records and that of each record by itself."""
        if prod(map(len, self.options)) <= _ALL:
            yield from product(*(range(len(options)) for options in self.options))
            return
        voted = self._by_votes()
        yield voted
        for record in sorted({each for options in self.options for option in options for each in option.records}):
            yield self._of(record, voted)

    def _of(self, record: int, otherwise: Choice) -> Choice:
        """The choice of a record, with the options of another choice in the places where it says nothing."""
        return tuple(
            next((number for number, option in enumerate(options) if record in option.records), other)
            for options, other in zip(self.options, otherwise, strict=True)
        )

    def _improved(self, best: Choice) -> Choice:
        """The choice, changed near its first fault as long as that makes it better."""
        for _ in range(_ROUNDS):
            if not self._wrong(best):
                break
            fault = self._known[best][1]
            near = [each for each in range(len(best)) if fault is None or each <= fault + 1][-_NEAR:]
            better = min(self._changed(best, near), key=self._rank, default=best)
            if self._rank(better) >= self._rank(best):
                break
            best = better
        return best

    def _changed(self, choice: Choice, near: Sequence[int]) -> Iterator[Choice]:
        """A choice with one place changed, or two, or with all that one record says before a place or from it on."""
        single = [
            (at, option) for at in reversed(near) for option in range(len(self.options[at])) if option != choice[at]
        ]
        for change in single:
            yield _with(choice, [change])
        for two in combinations(single[:_NEAR], 2):
            if two[0][0] != two[1][0]:
                yield _with(choice, two)
        records = {each for options in self.options for option in options for each in option.records}
        for record in sorted(records):
            own = self._of(record, choice)
            for start in near:
                yield (*choice[:start], *own[start:])
                yield (*own[:start], *choice[start:])

    # --- why --------------------------------------------------------------------------------

    def _explained(self, best: Choice) -> tuple[list[Why], Choice | None]:
        """Why each option is taken; and a better choice, if one is found on the way."""
        whys: list[Why] = [self._why(best, at) for at in range(len(best))]
        for group, alternative in self._groups(best):
            if self._wrong(alternative) > self._wrong(best):
                continue
            if self._rank(alternative) < self._rank(best):
                return whys, alternative
            here, there = (self._saying(choice, group) for choice in (best, alternative))
            why: Why = "most" if len(here) > len(there) else "undecided"
            for at in group:
                if whys[at] == "rules":
                    whys[at] = why
        return whys, None

    def _decisions(self, best: Choice, whys: Sequence[Why]) -> list[MergeDecision]:
        """The decisions; the preferred record makes those that are undecided."""
        own = best if self.prefer is None else self._of(self.prefer, best)
        found = []
        for options, option, mine, why in zip(self.options, best, own, whys, strict=True):
            is_told = why == "undecided" and self.prefer in options[mine].records
            found.append(MergeDecision(mine, "preferred") if is_told else MergeDecision(option, why))
        return found

    def _why(self, best: Choice, at: int) -> Why:
        options = self.options[at]
        taken = options[best[at]]
        rivals = [
            option
            for number, option in enumerate(options)
            if number != best[at] and self._wrong(_with(best, [(at, number)])) <= self._wrong(best)
        ]
        if not rivals:
            return "rules"
        if all(option.votes < taken.votes for option in rivals):
            return "most"
        if all(option.says is None and option.votes <= taken.votes for option in rivals):
            return "only"
        return "undecided"

    def _groups(self, best: Choice) -> Iterator[tuple[list[int], Choice]]:
        """Each record against a choice: the places in which it differs, all together and each run of them.

        With each group of places comes the choice with that record's options there.
        """
        seen = {best}
        for record in sorted({each for options in self.options for option in options for each in option.records}):
            own = self._of(record, best)
            apart = [at for at in range(len(best)) if own[at] != best[at]]
            for group in (apart, *_runs(apart)):
                alternative = _with(best, [(at, own[at]) for at in group])
                if len(group) > 1 and alternative not in seen:
                    seen.add(alternative)
                    yield group, alternative

    def _saying(self, choice: Choice, group: Sequence[int]) -> set[int]:
        """The records that say what a choice takes in every one of some places."""
        return set.intersection(*(set(self.options[at][choice[at]].records) for at in group))


def _with(choice: Choice, changes: Iterable[tuple[int, int]]) -> Choice:
    changed = list(choice)
    for at, option in changes:
        changed[at] = option
    return tuple(changed)


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """The numbers, parted into runs that rise by 1."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run
