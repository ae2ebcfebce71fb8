"""What a record was meant to say: as far as it proves that itself, and as is likeliest.

The decoder says what games mean that cannot be as they are written; what rules find beside that, such as a star without
a hit, they amend themselves. Everything is tried on the record alone, and kept only where it makes the record better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bgtools.decoder.interpretation import HEADER, Effort, decode
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Severity
from bgtools.record.record import CheckerPlay
from bgtools.repair.remarks import with_remarks
from bgtools.repair.states import check_with_cost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bgtools.decoder.interpretation import Interpretation
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Game, Match
    from bgtools.repair.states import CheckedRecord, Cost
    from bgtools.replayer.memory import Memory

TIED: Final = 0.5
"""Readings that are so few bits apart are as good as each other: none of them is made."""
_ROUNDS: Final = 4
_LONG: Final = 30
"""A record with more games than this is understood in parts of `_PART` games."""
_PART: Final = 2
_ALONE: Final = 30
"""So many games are tried one by one where all of them together make a record no better."""
_GOES_ON: Final = frozenset({"names", "columns", "score"})
"""What may be wrong from a game on, so that later games are changed in which nothing is found."""
_RESULTS: Final = frozenset({"points", "winner", "winner points", "length"})
"""What is not changed where two witnesses state it, the result and the next score line."""
_WHOLE_GAMES: Final = frozenset({"game after the match"})
"""What would take a game away that is no copy: it is told, and nobody deletes it unseen."""


@dataclass(frozen=True)
class Meaning:
    """What a record was meant to say.

    Attributes:
        match: the record as it is written.
        safe: the record with all put right that it proves itself.
        likely: the same with what is likeliest as well.
        tied: records that are each as likely as ``likely``, those of the same games together.
        spent: how many nodes were opened.
        short_at: the index of the game from which on there were too few for everything to be tried; None for none.
        is_left_out: whether nothing was looked for, as there were none left.
    """

    match: Match
    safe: Match
    likely: Match
    tied: tuple[tuple[Match, ...], ...] = ()
    spent: int = 0
    short_at: int | None = None
    is_left_out: bool = False


def understand(match: Match, found: Sequence[Finding], nodes: int, memory: Memory | None = None) -> Meaning:
    """Find what a record was meant to say.

    Args:
        match: the record.
        found: its findings.
        nodes: how many nodes each search for its meaning may open.
        memory: games that have been replayed before.
    """
    search = _MeaningSearch(match, found, nodes, memory)
    if search.is_ruined:
        return Meaning(match, match, match, short_at=0)
    if len(match.games) > _LONG:
        return _understand_in_parts(match, found, nodes, memory)
    safe = search.improve(match, unsafe=False)
    likely = search.improve(safe, unsafe=True)
    tied = (
        ()
        if search.interpretation is None or search.interpretation.match is not likely
        else search.interpretation.tied(TIED)
    )
    safe, likely = search.amend(safe, unsafe=False), search.amend(likely, unsafe=True)
    safe, likely = with_remarks(match, safe, safe), with_remarks(match, likely, safe)
    return Meaning(match, safe, likely, tied, search.spent, search.short_at)


def _understand_in_parts(match: Match, found: Sequence[Finding], nodes: int, memory: Memory | None) -> Meaning:
    """Find what a long record was meant to say, a few games at a time, each part with the game after it.

    What a game means depends on the games beside it, so that 500 games with a slip each take as long as 500 records.
    """
    safe, likely, tied, spent, short = match, match, [], 0, list[int]()
    wrong = {each.game for each in found if asks_for_meaning(each) or each.remedy is not None}
    starts = [
        at for at in range(0, len(match.games), _PART) if wrong & {g.number for g in match.games[at : at + _PART]}
    ]
    for left, start in zip(range(len(starts), 0, -1), starts, strict=True):
        stop = min(start + _PART, len(match.games))
        part = replace(match, games=match.games[start : stop + 1])
        numbers = {game.number for game in part.games}
        some = [each for each in found if each.game in numbers]
        meant = understand(part, some, (nodes - spent) // left, memory)
        spent += meant.spent
        short += [] if meant.short_at is None else [start + meant.short_at]
        safe, likely = (
            _with_part(whole, right, start, stop) for whole, right in ((safe, meant.safe), (likely, meant.likely))
        )
        tied += [tuple(_with_part(match, right, start, stop) for right in rights) for rights in meant.tied]
    return Meaning(match, safe, likely, tuple(tied), spent, min(short, default=None))


def _with_part(match: Match, part: Match, start: int, stop: int) -> Match:
    """A record with the games of a part as they are there; as it is where games have come or gone."""
    games = part.games[: stop - start]
    if len(part.games) != min(stop + 1, len(match.games)) - start:
        return match
    return replace(match, games=(*match.games[:start], *games, *match.games[stop:]))


def asks_for_meaning(finding: Finding) -> bool:
    """Whether what a finding is about cannot be as it is written, so that only the whole game tells what was meant."""
    return finding.code.severity is Severity.ERROR or finding.code is codes.UNKNOWN_PLAY


def _is_endless(game: Game) -> bool:
    """Whether a play of a game is longer than any that a writer could have meant; then nobody guesses."""
    return any(isinstance(entry, CheckerPlay) and len(entry.text.hops) > _MANY_HOPS for entry in game.entries)


_MANY_HOPS: Final = 40
_REMEMBERED: Final = 3
_RUINED: Final = 200
"""A record with more findings than this may be ruined."""
_FEW_SOUND: Final = 8


class _MeaningSearch:
    """The search for what a record was meant to say."""

    def __init__(self, match: Match, found: Sequence[Finding], nodes: int, memory: Memory | None) -> None:
        self.match, self.found, self.nodes, self.memory = match, found, nodes, memory
        self.spent = 0
        self.short_at: int | None = None
        self.interpretation: Interpretation | None = None
        self._checked: dict[int, tuple[Match, CheckedRecord]] = {}
        self.wrong = any(map(asks_for_meaning, found)) and not any(map(_is_endless, match.games))

    def check(self, match: Match) -> CheckedRecord:
        """A record that was checked; the last few are remembered, as a replay of a long match takes room."""
        if id(match) not in self._checked:
            if len(self._checked) >= _REMEMBERED:
                del self._checked[next(iter(self._checked))]
            self._checked[id(match)] = match, check_with_cost(match, self.memory)
        return self._checked[id(match)][1]

    @property
    def is_ruined(self) -> bool:
        """Whether more than an eighth of all turns cannot be: then the record is no slip of a legal match."""
        if len(self.found) <= _RUINED:
            return False
        broken = self.check(self.match).cost[0]
        return broken * _FEW_SOUND > sum(len(game.entries) for game in self.match.games)

    @cached_property
    def stood(self) -> frozenset[int]:
        """The indexes of the games in which only the cube was handled against the rules, and the rest counts that.

        These are errors of the players, not of the record.
        """
        return frozenset(
            game.index
            for game in self.check(self.match).games
            if not game.is_sound
            and any(turn.violations for turn in game.turns)
            and all(
                turn.sure and turn.reading == "as written" and not isinstance(turn.entry, CheckerPlay)
                for turn in game.turns
                if turn.violations
            )
        )

    @cached_property
    def touched(self) -> frozenset[int]:
        """The indexes of the games that may be changed: with errors or before one with them, but none that stood."""
        return _games_with_errors(self.match, self.found) - self.stood

    def improve(self, match: Match, *, unsafe: bool) -> Match:
        """A record with the games put right that are sure, or likeliest, as far as that makes it better."""
        if not self.wrong:
            return match
        cost = self.check(match).cost
        for _ in range(_ROUNDS):
            if self.interpretation is None or self.interpretation.match is not match:
                if self.nodes <= 0:
                    self.short_at = min(self.touched, default=0) if self.short_at is None else self.short_at
                    break
                effort = Effort(self.nodes)
                self.interpretation = decode(match, effort)
                self.short_at = effort.short_at if self.short_at is None else self.short_at
            effort = self.interpretation.course.effort
            games = self._likely_games(self.interpretation) if unsafe else set(self.interpretation.sure() - self.stood)
            self.spent += effort.spent
            self.nodes -= effort.spent
            effort.spent = 0
            better = self._better(self.interpretation, games, cost)
            if better is None:
                break
            match, cost = better
        return match

    def _likely_games(self, interpretation: Interpretation) -> set[int]:
        """The games of which one reading is likelier than all others, among those that may be changed."""
        slips: dict[int, set[str]] = {}
        for each in interpretation.corrections:
            if each.gap >= TIED:
                slips.setdefault(each.game, set()).add(each.slip)
        return {
            game
            for game, some in slips.items()
            if not some & _WHOLE_GAMES
            and game not in self.stood
            and not _breaks_off(interpretation, game)
            and not (some & _RESULTS and interpretation.has_counted_result(game))
            and (game in self.touched or game == HEADER or some <= _GOES_ON)
        }

    def _better(self, interpretation: Interpretation, games: Collection[int], cost: Cost) -> tuple[Match, Cost] | None:
        """The record with some games put right, and its cost; with fewer of them where all make it no better."""
        if not games:
            return None
        right = interpretation.right(games)
        after = self.check(right).cost
        if after < cost:
            return right, after
        kept: frozenset[int] = frozenset()
        best: tuple[Match, Cost] | None = None
        for game in sorted(games)[:_ALONE] if len(games) > 1 else ():
            right = interpretation.right(kept | {game})
            after = self.check(right).cost
            if after < (cost if best is None else best[1]):
                best, kept = (right, after), kept | {game}
        return best

    def amend(self, match: Match, *, unsafe: bool) -> Match:
        """A record with what its rules amend by themselves in games without errors, as far as that makes it better."""
        cost, found, _ = self.check(match)
        ruined = {each.game for each in found if each.code.severity is Severity.ERROR}
        remedies = [
            each.remedy
            for each in found
            if isinstance(each.remedy, Amendment)
            and (unsafe or each.remedy.safe)
            and (each.code.severity is Severity.ERROR or each.game not in ruined)
        ]
        if not remedies:
            return match
        right = _with_amendments(match, remedies)
        after = self.check(right).cost
        return right if after < cost else match


def _breaks_off(interpretation: Interpretation, game: int) -> bool:
    """Whether a game without a result is only wrong in its last entry: that breaks off as the record does."""
    if game == HEADER or (stands := interpretation.read.games[game]).results or not stands.entries:
        return False
    wrong = [entry for each in interpretation.corrections if each.game == game for entry in each.entries]
    return bool(wrong) and all(entry is stands.entries[-1] for entry in wrong)


def _games_with_errors(match: Match, found: Iterable[Finding]) -> frozenset[int]:
    """The indexes of the games with errors, and of those whose result a wrong score line counts."""
    numbers = {each.game for each in found if asks_for_meaning(each)}
    games = {at for at, game in enumerate(match.games) if game.number in numbers}
    return frozenset(games | {at - 1 for at in games if at})


def _with_amendments(match: Match, amendments: Iterable[Amendment]) -> Match:
    """A record with amendments made."""
    right = {id(each.stands): each.right for each in amendments}
    games = []
    for stands in match.games:
        game = right.get(id(stands), stands)
        entries = tuple(right.get(id(each), each) for each in game.entries)
        results = tuple(right.get(id(each), each) for each in game.results)
        games.append(
            replace(
                game,
                entries=tuple(each for each in entries if each is not None),
                results=tuple(each for each in results if each is not None),
            )
            if any(id(each) in right for each in (*game.entries, *game.results))
            else game
        )
    return replace(match, games=tuple(games))
