"""The course of a match: its games one after the other, by the true score, and what the score lines say of it.

A small dynamic programme. Its state is the true score, how far off the written score is, whether the Crawford game has
been played, and whether the columns of the game before were exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from itertools import pairwise
from math import exp2, inf
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.decoder.game import Effort, GameReading, GameSearch, content, mirrored_game, stated
from bgtools.decoder.headers import is_playable
from bgtools.decoder.lane import Terms, run
from bgtools.decoder.order import is_gap, repeats
from bgtools.decoder.table import BITS, MARGIN
from bgtools.record.points import plus
from bgtools.record.record import Beaver, CheckerPlay, Double
from bgtools.record.state import BY_ITSELF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.perspective import Player
    from bgtools.record.record import Game, Match

SCORE: Final = BITS["score"]
"""Bits of a score line with one wrong number; `TWO_NUMBERS` more where both are wrong and not exchanged."""
TWO_NUMBERS: Final = 5.0
GOES_ON: Final = 5.0
"""Bits of a wrong score line from which the next ones go on; rather a game is missing."""
CARRIED: Final = 4.0
"""Bits of a score that goes on from a wrong sum of the writer's own."""
AGAINST_TWO: Final = 6.0
"""Bits of other points than those which the result and the next score line state, and which the game can have given."""
NAMES, COLUMNS, STILL, RETURNED = BITS["names"], BITS["columns"], 1.0, 4.0
"""Bits of exchanged names or columns of a game, and of the same in the next game again."""
UNUSUAL: Final = 2.0
"""Bits that it takes off where the names stand in another order than over the other games."""
_TURNED: Final = "turned"
GAME_TWICE, GAME_MISSING, GAP = BITS["game twice"], 14.0, 7.0
AFTER_END, FALSE_END = BITS["game after the match"], 12.0
_DOUBT: Final = 40.0
_KEPT: Final = 3
_BEAM: Final = 16.0
_STATES: Final = 12
"""So many scores at most are gone on from."""
_READINGS: Final = 8
_LIKELY: Final = 14.0
"""A game with a reading of so few bits that goes on to the next score line is not doubted."""
_NODES: Final = 20

Score = tuple[int, int]


class CourseStep(NamedTuple):
    """A game in its place in the course: how it is read, the true score before it, and what is wrong around it."""

    index: int  # type: ignore[assignment]
    reading: GameReading
    score: Score
    crawford: bool
    exchanged: str = ""
    bits: float = 0.0
    copy: bool = False

    def is_after(self, length: int) -> bool:
        """Whether a match of this length was over before the game."""
        return 0 < length <= max(self.score)


class Way(NamedTuple):
    """A way through the games, and its bits."""

    bits: float
    steps: tuple[CourseStep, ...] = ()


class _Trail(NamedTuple):
    """A way as far as it has come: its bits, the last game, the way before that, and a number for all its games."""

    bits: float
    step: CourseStep | None = None
    before: _Trail | None = None
    number: int = 0

    def way(self) -> Way:
        """All the games in their order."""
        steps: list[CourseStep] = []
        trail: _Trail | None = self
        while trail is not None and trail.step is not None:
            steps.append(trail.step)
            trail = trail.before
        return Way(self.bits, tuple(reversed(steps)))


class _At(NamedTuple):
    score: Score
    off: Score
    crawford_over: bool
    exchanged: str


class _Quest(NamedTuple):
    """How ways are looked for, as `Course.best` takes it."""

    search: bool
    plain: bool
    upper: float


class _Leg(NamedTuple):
    """A game to go on with, and from where: the score, the ways that lead there, the bits of the best of them."""

    index: int  # type: ignore[assignment]
    at: _At
    ways: list[_Trail]
    crawford: bool
    starter: Player | None

    @property
    def bits(self) -> float:
        """The bits of the best way so far."""
        return self.ways[0].bits


class _Heading(NamedTuple):
    """How the lines above a game are read: what is exchanged, the score line then, its bits, how far off it is."""

    exchanged: str
    line: Score | None
    bits: float
    off: Score


class _Once(NamedTuple):
    """What the search of the entries of a game depends on."""

    index: int  # type: ignore[assignment]
    exchanged: bool
    crawford: bool
    starter: Player | None
    doubted: bool


@dataclass
class Course:
    """The ways through the games of a match.

    Attributes:
        match: the record, in its own numbering.
        effort: what may be spent.
        memory: readings of games, by what they were asked for.
        searches: the search of each game, by all of that but the score.
    """

    match: Match
    effort: Effort
    memory: dict[tuple[object, ...], tuple[float, list[GameReading]]] = field(default_factory=dict)
    searches: dict[_Once, tuple[float, GameSearch]] = field(default_factory=dict)
    _numbers: dict[tuple[object, ...], tuple[int, GameReading]] = field(default_factory=dict)
    """Numbers of the trails up to a game, each with the reading whose ``id`` stands in its key, which stays by that."""
    _trails: int = 0
    _by_game: defaultdict[int, dict[object, list[GameReading]]] = field(default_factory=lambda: defaultdict(dict))
    _contents: dict[tuple[int, bool, int], tuple[object, tuple[object, ...]]] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The length of the match; 0 for a session."""
        return self.match.length or 0

    @cached_property
    def keeps_score(self) -> bool:
        """Whether any score line of the record has points. In many sessions none has, and none says anything."""
        return any(game.score is not None and any(game.score) for game in self.match.games)

    def line(self, index: int) -> Score | None:
        """The score line above a game; None where it has none, where none says anything, or where there is no game."""
        games = self.match.games
        return games[index].score if index < len(games) and (self.keeps_score or self.length) else None

    def terms(self, index: int, score: Score, *, crawford: bool, starter: Player | None) -> Terms:
        """What a game is judged by."""
        match, game = self.match, self.match.games[index]
        opens = game.start is None and not match.rules.winner_starts
        return Terms(match.rules, self.length, score, crawford, starter, opens, self._marks, self._beavers)

    def terms_of(self, step: CourseStep) -> Terms:
        """What a game is judged by in a way, whoever has to start."""
        return self.terms(step.index, step.score, crawford=step.crawford, starter=None)

    def best(self, *, search: bool, plain: bool = False, upper: float = inf) -> list[Way]:
        """The ways through the match, the cheapest first.

        Args:
            search: whether slips are looked for; else only games that can be as they stand are read.
            plain: whether no game is doubted for its score lines.
            upper: bits that are known to do.
        """
        games = self.match.games
        first = games[0].score or (0, 0) if games else (0, 0)
        layer: dict[_At, list[_Trail]] = {_At(first, (0, 0), False, ""): [_Trail(0.0)]}
        if first != (0, 0) and search:
            layer[_At((0, 0), (0, 0), False, "")] = [_Trail(0.0)]
            layer[_At(first, (0, 0), False, "")] = [_Trail(2.0)]
        for index in range(len(games)):
            layer = self._next(layer, index, _Quest(search, plain, upper))
        trails = sorted((trail for some in layer.values() for trail in some), key=lambda trail: trail.bits)
        return [trail.way() for trail in trails]

    def _on(self, trail: _Trail, step: CourseStep, bits: float) -> _Trail:
        """A way with one game more."""
        key = trail.number, id(step.reading), step.score, step.exchanged
        if key not in self._numbers:
            self._trails += 1
            self._numbers[key] = self._trails, step.reading
        number, _ = self._numbers[key]
        return _Trail(trail.bits + bits, step, trail, number)

    def _next(self, layer: dict[_At, list[_Trail]], index: int, look: _Quest) -> dict[_At, list[_Trail]]:
        """The ways with the next game."""
        found: defaultdict[_At, list[_Trail]] = defaultdict(list)
        self._numbers.clear()  # all that is kept of a layer are the numbers themselves
        dear = {at: ways[0].bits + self._due(at, index) for at, ways in layer.items()}
        least = min(dear.values(), default=0.0)
        for at in nsmallest(_STATES, dear, key=dear.__getitem__):
            if dear[at] > least + _BEAM:
                break
            ways = layer[at]
            leg = self._leg(at, ways, index)
            for to, step in self._steps(leg, look):
                found[to].extend(self._on(way, step, step.reading.bits + step.bits) for way in ways)
            if look.search and index in self._copies:
                found[at].extend(self._copied(leg))
        if look.search and index + 1 < len(self.match.games):
            self._gap(found, index)
        return {at: self._few(ways) for at, ways in found.items()}

    def _due(self, at: _At, index: int) -> float:
        """What the score line above a game costs at the least from a score. It is not in the bits of the ways yet."""
        line = self.line(index)
        lines = (line, line[::-1]) if line is not None and at.exchanged == "names" else (line,)
        return min(_line(each, at)[0] for each in lines) + AFTER_END * self._is_over(at)

    def _is_over(self, at: _At) -> bool:
        return 0 < self.length <= max(at.score)

    def _few(self, ways: list[_Trail]) -> list[_Trail]:
        ways.sort(key=lambda way: way.bits)
        kept: list[_Trail] = []
        seen: set[object] = set()
        for way in ways:
            last = way.step
            assert last is not None
            assert way.before is not None
            key = (
                way.before.number,
                tuple((edit.slip, edit.at, edit.put) for edit in last.reading.edits),
                last.reading.winner, last.reading.points, last.exchanged, last.copy,
            )  # fmt: skip
            if key not in seen:
                seen.add(key)
                kept.append(way)
            if len(kept) == _KEPT:
                break
        return kept

    def _gap(self, found: dict[_At, list[_Trail]], index: int) -> None:
        """A game is missing: the next score line says what it gave."""
        games, line = self.match.games, self.line(index + 1)
        if line is None:
            return
        bits = GAP if is_gap(games[index], games[index + 1]) else GAME_MISSING
        for at, ways in list(found.items()):
            gained = [line[0] - at.score[0], line[1] - at.score[1]]
            if min(gained) >= 0 and 0 < max(gained) <= 24:
                more = 0 if min(gained) == 0 else 4
                to = _At(line, (0, 0), at.crawford_over, at.exchanged)
                found.setdefault(to, []).extend(way._replace(bits=way.bits + bits + more) for way in ways[:1])

    def _leg(self, at: _At, ways: list[_Trail], index: int) -> _Leg:
        last = ways[0].step
        starter = last.reading.winner if self.match.rules.winner_starts and last is not None else None
        return _Leg(index, at, ways, self._is_crawford(at, index), starter)

    def _copied(self, leg: _Leg) -> Iterator[_Trail]:
        """The ways with a game that is the one before it, written a second time."""
        for way in leg.ways:
            assert way.step is not None
            step = CourseStep(leg.index, way.step.reading, leg.at.score, leg.crawford, copy=True, bits=GAME_TWICE)
            yield self._on(way, step, GAME_TWICE)

    def _steps(self, leg: _Leg, look: _Quest) -> Iterator[tuple[_At, CourseStep]]:
        """The ways to read a game from a score, each with where it leads."""
        usual = self._readings(leg, search=look.search)
        is_doubted = look.search and not look.plain and not self._leads_on(leg, usual)
        for heading in self._headings(leg, look, is_doubted=is_doubted):
            room = look.upper + MARGIN - leg.bits - heading.bits
            if room < 0:
                continue
            readings = usual
            if heading.exchanged or (is_doubted and room >= BITS["play"]):
                limit = min(room, _DOUBT)
                readings = self._readings(leg, heading.exchanged, doubted=True, search=look.search, limit=limit)
            can_stand = any(not each.result and not each.edits for each in readings)
            for reading in readings[:_READINGS]:
                if reading.bits > readings[0].bits + _BEAM:
                    break
                yield from self._arrivals(leg, heading, reading, look, can_stand=can_stand)

    def _leads_on(self, leg: _Leg, usual: list[GameReading]) -> bool:
        """Whether a game, read as usual, leads from its own score line to the next one."""
        stands, following, score = self.line(leg.index), self.line(leg.index + 1), leg.at.score
        # A score line that is as far off as the one before it speaks against no game between them.
        base = stands if stands is not None and _difference(stands, score) == leg.at.off else score
        return stands in (None, base) and (
            following is None
            or any(each.bits <= _LIKELY and plus(base, each.winner, each.points) == following for each in usual[:3])
        )

    def _headings(self, leg: _Leg, look: _Quest, *, is_doubted: bool) -> Iterator[_Heading]:
        """The ways to read the lines above a game."""
        at, line = leg.at, self.line(leg.index)
        is_usual = self.match.games[leg.index].left == self._usual_left
        after = AFTER_END * self._is_over(at)
        bits, off = _line(line, at)
        yield _Heading("", line, bits + after + RETURNED * (at.exchanged == "names" and not is_usual), off)
        for exchanged, first in (("names", NAMES), ("columns", COLUMNS)):
            goes_on = at.exchanged == exchanged
            if not (look.search and (goes_on or is_doubted)) or (exchanged == "names" and is_usual):
                continue
            there = line[::-1] if exchanged == "names" and line is not None else line
            bits, off = _line(there, at)
            bits += after + (STILL if goes_on else first) - UNUSUAL * (exchanged == "columns" and not is_usual)
            yield _Heading(exchanged, there, bits, off)

    def _arrivals(
        self, leg: _Leg, heading: _Heading, reading: GameReading, look: _Quest, *, can_stand: bool
    ) -> Iterator[tuple[_At, CourseStep]]:
        """The scores after a reading of a game.

        Args:
            leg: the game, and the score that it goes on from.
            heading: how the lines above it are read.
            reading: how the game is read.
            look: whether slips are looked for; else only a score that the next line states is arrived at.
            can_stand: whether the game can be as it is written, result included.
        """
        at, index, game = leg.at, leg.index, self.match.games[leg.index]
        to, claim, following = plus(at.score, reading.winner, reading.points), stated(game), self.line(index + 1)
        is_early = max(to) < self.length and claim is not None and claim.match
        is_late = self._ends_session and index == len(self.match.games) - 1
        bits = heading.bits + FALSE_END * (is_early or is_late)
        turned = stated(self._mirrored[index]) if heading.exchanged else claim
        # A score that nobody wrote goes on from the one before it.
        base = heading.line or (at.score[0] + at.off[0], at.score[1] + at.off[1])
        sums = [each and plus(base, each.player, each.points) for each in (claim, turned)]
        if can_stand and reading.result == "points" and not reading.edits and sums[0] == following is not None:
            bits += AGAINST_TWO
        # Columns that are exchanged under a right result go on from game to game as well.
        is_turned = bool(reading.edits) and (reading.edits[0].slip, reading.edits[0].at) == (_TURNED, 0)
        bits -= (BITS[_TURNED] - STILL) * (is_turned and at.exchanged == _TURNED)
        ends = [(heading.off, bits)]
        if following is not None and following != to:
            if not look.search:
                return
            off = _difference(following, to)
            if sums[1] == following:
                more = CARRIED if reading.result or reading.edits else SCORE
            else:
                more = SCORE + GOES_ON + TWO_NUMBERS * (0 not in _difference(off, at.off))
            ends.append((off, bits + more))
        for off, cost in ends:
            step = CourseStep(index, reading, at.score, leg.crawford, heading.exchanged, cost)
            yield _At(to, off, at.crawford_over or leg.crawford, heading.exchanged or _TURNED * is_turned), step

    def _is_crawford(self, at: _At, index: int) -> bool:
        rules, length = self.match.rules, self.length
        if not rules.crawford or length < 2 or at.crawford_over or max(at.score) != length - 1:
            return False
        # A match that begins at such a score is read by what it does.
        return not (index == 0 and any(isinstance(each, Double) for each in self.match.games[0].entries))

    @cached_property
    def _ends_session(self) -> bool:
        """Whether the last of several games, and it alone, claims to end a match, in what is said to be a session."""
        claims = [each.match for game in self.match.games for each in game.results if each.won]
        return self.match.length == 0 and len(self.match.games) > 1 and sum(claims) == 1 and claims[-1]

    @cached_property
    def _marks(self) -> bool:
        """Whether the record marks hits."""
        games = self.match.games
        return any(isinstance(each, CheckerPlay) and each.text.hits for game in games for each in game.entries)

    @cached_property
    def _beavers(self) -> bool:
        return any(isinstance(each, Beaver) for game in self.match.games for each in game.entries)

    @cached_property
    def _usual_left(self) -> Player:
        games = self.match.games
        return 1 if 2 * sum(game.left for game in games) > len(games) else 0

    @cached_property
    def _mirrored(self) -> tuple[Game, ...]:
        """The games with the columns exchanged."""
        return tuple(map(mirrored_game, self.match.games))

    @cached_property
    def faulty(self) -> frozenset[int]:
        """The games that cannot be as they are written."""
        return frozenset(at for at, game in enumerate(self.match.games) if not is_playable(self.match, game))

    @cached_property
    def _copies(self) -> frozenset[int]:
        """The games that say entry by entry what the game before them says, score line included."""
        return frozenset(at for at, (one, two) in enumerate(pairwise(self.match.games), 1) if repeats(two, one))

    def _readings(
        self, leg: _Leg, exchanged: str = "", *, search: bool, doubted: bool = False, limit: float = 999.0
    ) -> list[GameReading]:
        """The readings of a game, remembered by what they depend on."""
        index, game = leg.index, self.match.games[leg.index]
        away = tuple(min(self.length - points, 9) for points in leg.at.score) if self.length and game.results else ()
        # A game that cannot be as it is written is looked into as far as one that is doubted, and once.
        doubted = doubted or (search and index in self.faulty)
        once = _Once(index, bool(exchanged), leg.crawford, leg.starter, doubted)
        key = (once, away, search)
        known = self.memory.get(key)
        if known is None or known[0] < limit:
            terms = self.terms(index, leg.at.score, crawford=leg.crawford, starter=leg.starter)
            read = self._mirrored[index] if exchanged else game
            look = GameSearch(read, stated(read), terms, self.effort, is_last=index + 1 == len(self.match.games))
            known = self.memory[key] = limit, self._searched(look, once, limit) if search else look.straight()
            self._by_game[index][key] = known[1]
        return known[1]

    def _searched(self, look: GameSearch, once: _Once, limit: float) -> list[GameReading]:
        """The readings of a game whose entries are searched once; another score has other endings of the same."""
        memory, doubted = self.effort.memory, once.doubted
        there = once._replace(exchanged=not once.exchanged)
        if once not in self.searches and there in self.searches and once.starter is None:
            known_to, search = self.searches[there]  # the same seen by the other player
            self.searches[once] = known_to, search.mirrored(look)
        known_to, known = self.searches.get(once, (-1.0, None))
        if known is None or known_to < limit:
            known = None if memory is None else memory.find(look, doubted, limit)
            self.searches[once] = limit, known or look
        if known is not None:
            return look.readings_after(known, limit=limit)
        readings = look.readings(doubted=doubted, limit=limit)
        if memory is not None:
            memory.keep(look, doubted, limit)
        if self.effort.left <= 0:
            self.effort.short.add(once.index)
        return readings

    def readings_of(self, index: int) -> Iterable[list[GameReading]]:
        """The readings of a game, for each score and so on at which it was read."""
        return self._by_game[index].values()

    def is_alone(self, step: CourseStep, margin: float, *, game: Game | None = None, bits: float | None = None) -> bool:
        """Whether no other readings of a game together come as near as some bits to the one of a way.

        Args:
            step: the game in the way.
            margin: the bits.
            game: the game as it is to be looked at, in the columns that it is read in; None for as it is written.
            bits: what the reading costs then.
        """
        reading = step.reading
        bits = reading.bits if bits is None else bits
        if game is None:
            game = self.match.games[step.index]
            game = mirrored_game(game) if step.exchanged else game
        terms = self.terms_of(step)
        is_last = step.index + 1 == len(self.match.games)
        effort = Effort(2 * _NODES, sense=self.effort.sense)
        look = GameSearch(game, stated(game), terms, effort, is_last=is_last, margin=margin)
        readings = look.readings(doubted=True, limit=bits + margin)
        self.effort.spent += effort.spent
        others: dict[tuple[object, ...], float] = {}
        for each in readings:
            more = 0.0 if is_last or (each.winner, each.points) == (reading.winner, reading.points) else SCORE
            others.setdefault(self.meaning(step._replace(reading=each)), each.bits + more - bits)
        others.pop(self.meaning(step), None)
        # Several that are just too far off come near together.
        return sum(exp2(-each) for each in others.values()) <= exp2(-margin)

    def ends_by_itself(self, step: CourseStep) -> bool:
        """Whether a game ends by bearing off or by a drop in a way, and not by a resignation or unfinished."""
        game = self.match.games[step.index]
        terms = self.terms_of(step)
        _, end, _ = run(terms.start(game), step.reading.items, 0, terms)
        return end.over is not None and end.over.how in BY_ITSELF

    def meaning(self, step: CourseStep) -> tuple[object, ...]:
        """What a game means in a way: two steps are the same where this is."""
        reading = step.reading
        key = step.index, step.crawford, id(reading.items)
        if key not in self._contents:
            terms = self.terms_of(step)
            self._contents[key] = reading.items, content(reading.items, terms, self.match.games[step.index])
        return step.score, step.copy, self._contents[key][1], reading.winner, reading.points


def _line(line: Score | None, at: _At) -> tuple[float, Score]:
    """The bits of a score line at a true score, and how far off the written score is from there on."""
    if line is None:
        return 0.0, at.off
    if line == at.score:
        return 0.0, (0, 0)
    apart = _difference(line, at.score)
    if apart == at.off:
        return 0.0, at.off
    is_one = 0 in apart or line == at.score[::-1] or line == (0, 0)
    return (SCORE if is_one else SCORE + TWO_NUMBERS), at.off


def _difference(one: Score, two: Score) -> Score:
    """How far a score is from another one."""
    return one[0] - two[0], one[1] - two[1]
