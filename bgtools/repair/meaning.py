"""What a record was meant to say: as far as it proves that itself, and as is likeliest.

The decoder says what games mean that cannot be as they are written; what rules find beside that, such as a star without
a hit, they amend themselves. Everything is tried on the record alone, and kept only where it makes the record better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import le
from typing import TYPE_CHECKING, Final

from bgtools.checks.account import account_of
from bgtools.decoder.game import stated
from bgtools.decoder.interpretation import HEADER, interpret
from bgtools.decoder.table import TIED
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Severity
from bgtools.record.points import plus
from bgtools.record.record import CheckerPlay
from bgtools.repair.remarks import with_remarks
from bgtools.repair.states import check_with_cost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bgtools.checks.account import MatchAccount
    from bgtools.decoder.course import CourseStep
    from bgtools.decoder.game import GameReading
    from bgtools.decoder.interpretation import Interpretation
    from bgtools.decoder.memory import Memory
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Game, Match
    from bgtools.repair.states import CheckedRecord

_ALONE: Final = 30
"""So many games are tried one by one where all of them together make a record no better."""
_GOES_ON: Final = frozenset({"names", "columns", "score"})
"""What may be wrong from a game on, so that later games are changed in which nothing is found."""
_RESULTS: Final = frozenset({"points", "winner", "winner points", "length"})
"""What is not changed where two witnesses state it, the result and the next score line."""
_DEAR, _EACH = 24.0, 13.0
"""A game that takes more bits than this, and than that for each slip, is told and not written: hardly any such reading
is right."""
_BY_LINES: Final = frozenset({"names", "columns", "score", "turned", "points", "winner", "winner points"})
"""What is told by score lines."""
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
        short_at: the index of the game from which on there were too few for everything to be tried; None for none.
    """

    match: Match
    safe: Match
    likely: Match
    tied: tuple[tuple[Match, ...], ...] = ()
    short_at: int | None = None


def understand(match: Match, found: Sequence[Finding], memory: Memory | None = None) -> Meaning:
    """Find what a record was meant to say.

    Args:
        match: the record.
        found: its findings.
        memory: games that were searched before.
    """
    search = _MeaningSearch(match, found, memory)
    if search.is_ruined:
        return Meaning(match, match, match, short_at=0)
    safe = search.improved(match, unsafe=False)
    likely = search.improved(safe, unsafe=True)
    safe, likely = search.amend(safe, unsafe=False), search.amend(likely, unsafe=True)
    safe, likely = with_remarks(match, safe, safe), with_remarks(match, likely, safe)
    return Meaning(match, safe, likely, search.tied, search.short_at)


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

    def __init__(self, match: Match, found: Sequence[Finding], memory: Memory | None) -> None:
        self.match, self.found, self.memory = match, found, memory
        self._checked: dict[int, tuple[Match, CheckedRecord]] = {}
        self.wrong = any(map(asks_for_meaning, found)) and not any(map(_is_endless, match.games))

    @cached_property
    def interpretation(self) -> Interpretation:
        """How the record is read."""
        return interpret(self.match, self.memory)

    @property
    def tied(self) -> tuple[tuple[Match, ...], ...]:
        """Records that are each as likely as the likeliest one, those of the same games together."""
        return self.interpretation.tied(TIED) if self.wrong else ()

    @property
    def short_at(self) -> int | None:
        """The index of the game from which on there was too little effort for everything to be tried."""
        return min(self.interpretation.course.effort.short, default=None) if self.wrong else None

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

    @cached_property
    def sure(self) -> frozenset[int]:
        """The indexes of the games that the record itself puts right, -1 for the header."""
        found = self.interpretation.sure() - self.stood
        return frozenset(game for game in found if self._is_contradicted(game))

    def improved(self, match: Match, *, unsafe: bool) -> Match:
        """A record with the games put right that are sure, or likeliest, as far as that makes it better.

        Args:
            match: the record as it is written, or with what is sure put right.
            unsafe: whether that is done which is likeliest.
        """
        if not self.wrong:
            return match
        games = self._likely_games(self.interpretation) | self.sure if unsafe else {*self.sure}
        return self._better(match, games)

    def _likely_games(self, interpretation: Interpretation) -> set[int]:
        """The games of which one reading is likelier than all others, among those that may be changed."""
        slips: dict[int, set[str]] = {}
        for each in interpretation.corrections:
            if each.gap >= TIED:
                slips.setdefault(each.game, set()).add(each.slip)
        dear = {step.index for step in interpretation.steps if _is_dear(step.reading)}
        return {
            game
            for game, some in slips.items()
            if not some & _WHOLE_GAMES
            and game not in dear
            and game not in self.stood
            and self._is_contradicted(game)
            and not _breaks_off(interpretation, game)
            and not ("annulled" in some and self._is_open(game))
            and not (some & _RESULTS and interpretation.has_counted_result(game))
            and not ("score" in some and game and interpretation.has_counted_result(game - 1))
            and (game in self.touched or game == HEADER or some <= _GOES_ON)
        }

    def _is_open(self, game: int) -> bool:
        """Whether nothing tells if a cube action of a game that is read as void was so."""
        turns = self.check(self.match).games[game].turns
        return any(turn.violations and turn.reading == "left out" and not turn.sure for turn in turns)

    @cached_property
    def _account(self) -> MatchAccount:
        """What is known of the match."""
        _, found, games = self.check(self.match)
        return account_of(self.match, games, found)

    def _is_contradicted(self, game: int) -> bool:
        """Whether what is changed about a game, or the header, is contradicted by the record, and not only unknown.

        A game that goes on from the one before neither by number nor by score, or of which score lines tell two things,
        is rather of another match. The length is not changed where games are missing, nor an order that leaves a gap.
        """
        interpretation = self.interpretation
        if game == HEADER:
            if interpretation.slip not in ("length", "games exchanged"):
                return True
            account, lines = self._account, [game.score for game in self.match.games if game.score is not None]
            back = any(min(two[0] - one[0], two[1] - one[1]) < 0 for one, two in pairwise(lines))
            is_open = back or account["score"].standing == "contradicted"
            return not (account.gaps or account.seams or (interpretation.slip == "length" and is_open))
        number = interpretation.numbers.get(game)
        if number is None:
            return True
        step = interpretation.steps[number]
        slips = {each.slip for each in interpretation.corrections if each.game == game} & _BY_LINES
        if any(each.slip == "turned" and each.at for each in step.reading.edits):
            slips.discard("turned")  # the plays tell that, from some row on
        line = interpretation.course.line(game)
        if slips and line is not None and (line[::-1] if step.exchanged == "names" else line) != step.score:
            slips.add("score")
        if slips and (len(slips) > 1 or not self._account.seams.isdisjoint((game, game + 1))):
            return False
        return "score" not in slips or line is None or self._stands_alone(number, line)

    def _stands_alone(self, number: int, line: tuple[int, int]) -> bool:
        """Whether a score line stands alone against the results before it and what comes after it.

        Score lines that agree with each other tell of a missing game, or of another match.
        """
        steps, course = self.interpretation.steps, self.interpretation.course
        step = steps[number]
        if line == step.score[::-1] or (number and self._is_carried(steps[number - 1], step)):
            return True
        if line[0] != step.score[0] and line[1] != step.score[1]:
            return False  # nobody mistypes both numbers
        to, following = plus(step.score, step.reading.winner, step.reading.points), course.line(step.index + 1)
        if following is not None:
            return following == to
        before = course.line(step.index - 1) if step.index else (0, 0)
        if before is not None and all(map(le, before, line)) and all(map(le, line, step.score)):
            return True  # a missing game only adds points
        claim = stated(self.interpretation.read.games[step.index])
        if claim is None or not course.length:
            return False
        ends = [max(each) >= course.length for each in (plus(line, claim.player, claim.points), to)]
        return ends == [not claim.match, claim.match]

    def _is_carried(self, before: CourseStep, step: CourseStep) -> bool:
        """Whether a wrong score line is the sum of the wrong result before it."""
        claim = stated(self.interpretation.read.games[before.index])
        if claim is None or not before.reading.result:
            return False
        return self.interpretation.course.line(step.index) == plus(before.score, claim.player, claim.points)

    def _better(self, match: Match, games: Collection[int]) -> Match:
        """The record with some games put right; with fewer of them where all make it no better."""
        best, cost = match, self.check(match).cost
        if not games:
            return best
        right = self.interpretation.right(games)
        if self.check(right).cost < cost:
            return right
        kept: frozenset[int] = frozenset()
        for game in sorted(games)[:_ALONE] if len(games) > 1 else ():
            right = self.interpretation.right(kept | {game})
            after = self.check(right).cost
            if after < cost:
                best, cost, kept = right, after, kept | {game}
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


def _is_dear(reading: GameReading) -> bool:
    """Whether a reading takes so much that it is told, and not written."""
    return reading.bits > max(_DEAR, _EACH * len(reading.edits))


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
