"""What a record that cannot be most likely means: the legal match that takes the fewest bits of slips to become it."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from math import inf
from operator import gt, itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import mirrored, other
from bgtools.board.play import HopText, PlayText
from bgtools.decoder.course import Course, CourseStep, Way
from bgtools.decoder.entries import in_own_numbering, is_fixed
from bgtools.decoder.game import RESIGNED, Effort, in_columns, mirrored_game, stated
from bgtools.decoder.headers import count_sound, is_playable, likely_variation, of_length
from bgtools.decoder.lane import Stood, SupposedTurn
from bgtools.decoder.safety import SURE, sure_games
from bgtools.decoder.table import AGAINST_RULES, BITS, MARGIN, SLIPS
from bgtools.record.points import plus
from bgtools.record.record import CheckerPlay, Double, Drop, ResultClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from bgtools.board.board import Dice
    from bgtools.decoder.game import GameReading
    from bgtools.decoder.lane import Terms
    from bgtools.decoder.memory import Memory
    from bgtools.decoder.slips import Item
    from bgtools.record.record import Entry, Game, Match
    from bgtools.source import Span

UNUSUAL, PASSED, UNPROVED, LOST = 6.0, 1.0, 4.0, 1.0
"""Bits more of a length that is hardly ever played, of one that the winner has not just reached, and of one of which
only one game after the end tells; and less of one that the stated one is with a digit more."""
_SEVERAL: Final = 2
_HEADERS, _LENGTHS, _FEW = 12, 6, 4
"""So many other headers at most are tried, so many lengths among them, and of those that are played the first few."""
_RUINED: Final = 12
"""Where so many games cannot be as they are written, no header is to blame but the variation."""
_LEAST_SLIP: Final = 7.0
"""The least bits of a game that cannot be as it is written."""
_FIRST, _EACH, _A_FILE = 30, 20, 1_500
"""Nodes for a record, for each game in it that cannot be, and for all records of a file."""
_ENTRY, _HEADING = 18, 80
"""Bytes of an entry and of the lines above a game in a text; other formats take more."""
_USUAL: Final = frozenset({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 25})
"""Match lengths that are played."""
HEADER: Final = -1
"""What stands for the header where games are told by their index."""
_SOUND: Final = 1.0
AFTER: Final = "game after the match"
_TELLING: Final = 20
"""So many entries prove a variation."""
_OF_RESULTS: Final = frozenset({"points", "winner", "winner points", "score", "turned", "annulled", "no double"})
"""What two results in each other's place may be taken for."""
_WORTH_A_HEADER: Final = 8.0
_SAME_ENTRIES: Final = frozenset({"length", "results exchanged", "Jacoby"})
"""Other headers by which the entries of a game can be just what they can be by the stated one."""


class Guide(NamedTuple):
    """How a game is read, for whoever follows it turn by turn.

    Attributes:
        reading: how it is read, in the columns in which it is written.
        terms: what it is judged by.
        rivals: other readings, each with the bits that it costs more, the nearest first.
    """

    reading: GameReading
    terms: Terms
    rivals: tuple[tuple[float, GameReading], ...]


class Correction(NamedTuple):
    """One thing about a game that is not as it was meant.

    Attributes:
        game: the index of the game, from 0; -1 for the header.
        slip: the sort of slip.
        bits: what it costs.
        entries: the entries that are concerned, as they are written.
        gap: how many bits more the best reading costs in which this game is another.
    """

    game: int
    slip: str
    bits: float
    entries: tuple[Entry, ...]
    gap: float


@dataclass(frozen=True)
class Interpretation:
    """How a record is best understood.

    Attributes:
        match: the record.
        read: the record with the header that it must have had, its games in their order, in the players' own numbering.
        course: the search that found this; it tells what games mean.
        ways: the ways through the match, the cheapest first.
        bits: what the best one costs, its header included.
        header: the bits of the header.
        slip: what is wrong with the header; ``""`` for nothing.
        header_gap: how many bits more the best reading costs in which the header is another.
        others: the readings with other headers, the stated one among them, the cheapest first.
    """

    match: Match
    read: Match
    course: Course
    ways: tuple[Way, ...]
    header: float
    slip: str = ""
    header_gap: float = 99.0
    others: tuple[Interpretation, ...] = ()

    @property
    def stated(self) -> Interpretation | None:
        """The best reading with the header that is stated; None where nobody looked for one."""
        return self if not self.slip else next((each for each in self.others if not each.slip), None)

    @property
    def bits(self) -> float:
        """What the best way costs."""
        return self.ways[0].bits + self.header

    @property
    def is_sound(self) -> bool:
        """Whether nothing has to be fixed."""
        return not self.corrections

    @property
    def steps(self) -> tuple[CourseStep, ...]:
        """The games in the best way."""
        return self.ways[0].steps

    @property
    def wrong_lines(self) -> int:
        """How many score lines are not the sum of a game, as it is read, and of the score before it."""
        sums = [plus(step.score, step.reading.winner, step.reading.points) for step in self.steps]
        lines = [self.course.line(step.index) for step in self.steps[1:]]
        return sum(line not in (None, score) for line, score in zip(lines, sums, strict=False))

    def gap(self, number: int) -> float:
        """How many bits more the next best reading costs in which a game of the best way means something else."""
        return min((bits for bits, _ in self._rivals(number)), default=99.0)

    def _rivals(self, number: int) -> Iterator[tuple[float, CourseStep]]:
        """What else a game of the best way may mean, and how many bits more that costs."""
        best = self.ways[0]
        step = best.steps[number]
        meaning = self.course.meaning(step)
        for way in self.ways[1:]:
            if len(way.steps) > number and self.course.meaning(way.steps[number]) != meaning:
                yield way.bits - best.bits, way.steps[number]
        for readings in self.course.readings_of(step.index):
            if step.reading in readings:
                for each in readings:
                    same = (each.winner, each.points) == (step.reading.winner, step.reading.points)
                    if (
                        each is not step.reading
                        and same
                        and self.course.meaning(step._replace(reading=each)) != meaning
                    ):
                        yield max(each.bits - step.reading.bits, 0.0), step._replace(reading=each)

    def guide(self, game: int) -> Guide | None:
        """How a game is read, by its index in the record; None where the best way leaves it out."""
        index = self._index_of(game)
        if index not in self.numbers:
            return None
        number = self.numbers[index]
        step = self.steps[number]
        edits, stands = step.reading.edits, self.read.games[index]
        if len(edits) == 1 and edits[0].slip == "turned" and not edits[0].at and is_playable(self.read, stands):
            return None  # only the result speaks against the columns
        own = partial(in_columns, exchanged=bool(step.exchanged))
        rivals = sorted(self._rivals(number), key=itemgetter(0))
        return Guide(
            own(step.reading), self.course.terms_of(step), tuple((bits, own(each.reading)) for bits, each in rivals)
        )

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Where each game that is read stands among the steps of the best way, by its index."""
        return {step.index: number for number, step in enumerate(self.steps)}

    def _index_of(self, game: int) -> int:
        """Where a game of the record stands among those that are read, which may be in another order."""
        if self.slip != "games exchanged":
            return game
        entries = in_own_numbering(self.match).games[game].entries
        return next(at for at, each in enumerate(self.read.games) if each.entries == entries)

    def tied(self, within: float) -> tuple[tuple[Match, ...], ...]:
        """Games that can be fixed in several ways that cost as much, each time the record in all of these ways."""
        best, found = self.ways[0], defaultdict(list)
        for number in range(len(best.steps)):
            for bits, other_step in self._rivals(number):
                if bits < within:
                    steps = (*best.steps[:number], other_step, *best.steps[number + 1 :])
                    way = next((way for way in self.ways if other_step in way.steps), best._replace(steps=steps))
                    pairs = zip(best.steps, way.steps, strict=False)
                    games = frozenset(one.index for one, two in pairs if one != two)
                    found[games].append(way)
        return tuple(
            tuple(replace(self, ways=(way,)).right(games) for way in (best, *ways)) for games, ways in found.items()
        )

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """What is fixed, in the order of the match."""
        found = [Correction(-1, self.slip, self.header, (), self.header_gap)] if self.slip else []
        for number, step in enumerate(self.steps):
            found += self._of_game(step, number)
        return tuple(found)

    def _of_game(self, step: CourseStep, number: int) -> Iterator[Correction]:
        slips: list[tuple[str, float, tuple[Entry, ...]]] = [
            (edit.slip, edit.bits, tuple(item for item in edit.old if not isinstance(item, SupposedTurn)))
            for edit in step.reading.edits
            if edit.slip not in AGAINST_RULES
        ]
        if step.copy:
            slips.append(("game twice", step.bits, ()))
        elif step.is_after(self.course.length):
            slips.append((AFTER, step.bits, ()))
        elif step.exchanged:
            slips.append((step.exchanged, step.bits, ()))
        elif self.course.line(step.index) not in (None, step.score):
            slips.append(("score", step.bits, ()))
        if step.reading.result and not step.copy:
            slips.append((step.reading.result, 0.0, ()))
        gap = self.gap(number) if slips else 0.0
        return (Correction(step.index, *each, gap) for each in slips)

    def has_counted_result(self, game: int) -> bool:
        """Whether the next score line counts the result of a game just as it is stated, and no cube speaks against it.

        Then rather something is missing before: a double and its take, say. A drop proves what the game was worth. Of
        the header the last game tells.
        """
        game = len(self.read.games) - 1 if game == HEADER else game
        if any(isinstance(entry, Drop) for entry in self.read.games[game].entries[-1:]):
            return False
        claim, line, following = stated(self.read.games[game]), self.course.line(game), self.course.line(game + 1)
        if claim is None or line is None:
            return False
        score, length = plus(line, claim.player, claim.points), self.match.length
        if following is None:  # it ends the match where that has to end, and the game as it is read does not
            step = self.steps[self.numbers[game]]
            read = plus(step.score, step.reading.winner, step.reading.points)
            return claim.match and length is not None and max(read) < length <= max(score)
        return score == following

    def sure(self) -> frozenset[int]:
        """The indexes of the games that may be put right unseen, -1 for the header."""
        return sure_games(self)

    def with_one_slip(self, step: CourseStep) -> Iterator[tuple[Game, float]]:
        """A game with all its slips put right but one, for each of them, and the bits of that one."""
        game, reading = self.read.games[step.index], step.reading
        game = mirrored_game(game) if step.exchanged else game
        rest = reading.bits - sum(edit.bits for edit in reading.edits)
        for edit in reading.edits:
            items = (*reading.items[: edit.at], *edit.old, *reading.items[edit.at + len(edit.put) :])
            entries = tuple(_entry(item, {}, {}, self.read, fixed=False) for item in items)
            yield replace(game, entries=entries), rest + edit.bits

    @cached_property
    def is_telling(self) -> bool:
        """Whether all games can be played as written with the header that is read, none with the stated one."""
        entries = sum(len(game.entries) for game in self.match.games)
        return entries >= _TELLING and not count_sound(self.match) and count_sound(self.read) == len(self.read.games)

    def right(self, games: Collection[int] | None = None) -> Match:
        """The record as it was meant: of all games, or of some, the rest as it is written.

        What stays keeps its place; what is put in has none.
        """
        wanted = set(range(-1, len(self.read.games))) if games is None else set(games)
        base = self._with_header() if self.slip and -1 in wanted else self.match
        if self.slip == "games exchanged" and -1 not in wanted:
            return self.match
        made: list[Game] = []
        copies = 0
        for step in self.steps:
            game, is_wanted = base.games[step.index], step.index in wanted
            if is_wanted and (step.copy or step.is_after(self.course.length)):
                copies += step.copy
                continue
            made.append(self._game(game, step) if is_wanted else game)
            if copies and game.number == step.index + 1:
                made[-1] = replace(made[-1], number=game.number - copies)
        return replace(base, games=tuple(made), source=self.match.source, findings=self.match.findings)

    def _game(self, stands: Game, step: CourseStep) -> Game:
        """A game as it was meant; its score line stays where the record keeps no score."""
        made = _game(self.read, stands, self.read.games[step.index], step)
        return made if self.course.line(step.index) is not None else replace(made, score=stands.score)

    def _with_header(self) -> Match:
        """The record with the header that it must have had, and its games in their order."""
        pairs = [*zip(self.match.games, in_own_numbering(self.match).games, strict=True)]
        stands = [next(one for one, own in pairs if own.entries == each.entries) for each in self.read.games]
        games = [
            replace(one, number=each.number, results=each.results)
            for one, each in zip(stands, self.read.games, strict=True)
        ]
        return replace(self.match, length=self.read.length, rules=self.read.rules, games=tuple(games))


def effort_of(match: Match) -> Effort:
    """What is spent on a record: so much for each game that cannot be, and no more than its share of a large file."""
    faulty = sum(not is_playable(match, game) for game in match.games)
    nodes = _FIRST + _EACH * faulty
    if nodes > _FIRST:
        own = sum(_ENTRY * len(game.entries) + _HEADING for game in match.games)
        size = 0 if match.source is None else len(match.source.data)  # 0 as well where the bytes were let go
        nodes = max(1, min(nodes, _A_FILE * own // max(size, own)))
    return Effort(nodes)


_LATELY: Final[deque[tuple[Match, Interpretation]]] = deque(maxlen=8)
"""The last few records: whoever replays, checks and fixes one asks for the same interpretation."""


def interpret(
    match: Match, memory: Memory | None = None, go_on: Callable[[], None] | None = None, most: int | None = None
) -> Interpretation:
    """What a record most likely means; asked once for a record, whoever asks.

    Args:
        match: the record.
        memory: games that were searched before, of this record or of one like it.
        go_on: called again and again meanwhile; what it raises ends the search.
        most: how many nodes may be opened at most, where somebody waits.
    """
    known = next((found for other, found in _LATELY if other is match), None)
    if known is None:
        effort = effort_of(match)
        effort.memory, effort.go_on, effort.left = memory, go_on, min(effort.left, most or effort.left)
        known = decode(match, effort)
        _LATELY.append((match, known))
    return known


def decode(match: Match, effort: Effort | None = None) -> Interpretation:
    """Find the legal match that a record most likely means.

    Args:
        match: the record.
        effort: what may be spent on it, counted in nodes of the search, so that it comes out the same everywhere; None
            for what `effort_of` gives it.
    """
    effort = effort or effort_of(match)
    own = in_own_numbering(match)
    found: list[Interpretation] = []
    if (likely := likely_variation(own)) is not None:
        found.append(_decoded(match, likely.match, effort, BITS["variation"], "variation"))
        if found[0].bits < _LEAST_SLIP * (likely.games - likely.stated):
            return found[0]
    stated = _decoded(match, own, effort, 0.0, "")
    if stated.bits < _WORTH_A_HEADER or len(stated.course.faulty) > _RUINED:
        return stated
    found.append(stated)
    for read, more, slip in islice(_headers(own, stated), _HEADERS):
        bits = BITS[slip] + more
        least = min(each.bits for each in found)
        if bits < least + MARGIN:
            known = stated.course if slip in _SAME_ENTRIES and read.is_money == own.is_money else None
            meant = _decoded(match, read, effort, bits, slip, upper=least - bits + MARGIN, known=known)
            found += [meant] * bool(meant.ways)
    # Whether gammons counted is asked of the points; it is a rival of theirs, and never told as what is wrong.
    found.sort(key=lambda each: (each.slip == "Jacoby", each.bits))
    best, *others = found
    gap = min((each.bits - best.bits for each in others), default=99.0)
    return replace(best, header_gap=gap, others=tuple(others))


def _decoded(
    match: Match, read: Match, effort: Effort, bits: float, slip: str, upper: float = inf, known: Course | None = None
) -> Interpretation:
    course = Course(read, effort, searches={} if known is None else known.searches)
    straight = course.best(search=False)
    if straight and straight[0].bits <= _SOUND:
        return Interpretation(match, read, course, tuple(straight), bits, slip)
    plain = course.best(search=True, plain=True, upper=upper)
    if plain:
        upper = min(upper, plain[0].bits)
    ways = course.best(search=True, upper=upper)
    ways = sorted([*ways, *plain[:3]], key=lambda way: way.bits)
    if not ways:
        ways = [Way(inf)]
    return Interpretation(match, read, course, tuple(ways), bits, slip)


# --- the header ---------------------------------------------------------------------------------


def _headers(match: Match, best: Interpretation) -> Iterator[tuple[Match, float, str]]:
    """Other headers that may explain a record: each with the bits it costs besides those of its slip, and that slip."""
    rules = match.rules
    for at in range(1, len(match.games)):
        one, two = match.games[at - 1 : at + 1]
        if one.number is not None and two.number is not None and one.number > two.number:
            numbers: tuple[int | None, int | None] = two.number, one.number
        elif one.score is not None and two.score is not None and any(map(gt, one.score, two.score)):
            numbers = one.number, two.number
        else:
            continue
        pair = replace(two, number=numbers[0]), replace(one, number=numbers[1])
        yield (
            replace(match, games=(*match.games[: at - 1], *pair, *match.games[at + 1 :])),
            0.0,
            "games exchanged",
        )
    wrong = {each.game for each in best.corrections if each.slip in _OF_RESULTS}
    for at in range(1, len(match.games)):
        one, two = match.games[at - 1 : at + 1]
        first, second = stated(one), stated(two)
        if wrong.isdisjoint((at - 1, at)) or first is None or second is None or len(one.results) + len(two.results) > 2:
            continue
        if (first.player, first.points) != (second.player, second.points):
            exchanged = [
                replace(game, results=(replace(other_claim, span=claim.span, row=claim.row),))
                for game, claim, other_claim in ((one, first, second), (two, second, first))
            ]
            games = (*match.games[: at - 1], *exchanged, *match.games[at + 1 :])
            yield replace(match, games=games), 0.0, "results exchanged"
    slips = {each.slip for each in best.corrections}
    are_of_entries = all(each in SLIPS and SLIPS[each].of_entries for each in slips)
    if are_of_entries and not best.wrong_lines and not any(map(_asks_for_header, best.steps)):
        return
    if match.length is not None:
        for length, bits in _lengths(match, best):
            yield of_length(match, length), bits, "length"
    if match.is_money and rules.jacoby is not None:
        yield replace(match, rules=replace(rules, jacoby=not rules.jacoby)), 0.0, "Jacoby"
    # One wrong score line alone tells rather of a missing game.
    if match.is_money and not rules.automatic_doubles and best.wrong_lines >= _SEVERAL:
        for count in (1, 2, 3):
            yield (
                replace(match, rules=replace(rules, automatic_doubles=count)),
                float(count),
                "automatic doubles",
            )


def _asks_for_header(step: CourseStep) -> bool:
    """Whether a game cannot be read, does not go with the score, or has a double that was let stand."""
    stood = (edit for edit in step.reading.edits if edit.slip == "stood")
    return not step.reading.whole or step.bits > 0 or any(isinstance(edit.old[0], Double) for edit in stood)


def _lengths(match: Match, best: Interpretation) -> list[tuple[int, float]]:
    """The lengths that a match can have had, by its last result and its score lines, each with its bits."""
    last = match.games[-1] if match.games else None
    claim = None if last is None else stated(last)
    scores = [max(game.score or (0, 0)) for game in match.games]
    most = max(scores, default=0)
    totals = {most + 1}
    for step in best.steps[-1:]:
        totals |= {max(step.score) + 1, max(plus(step.score, step.reading.winner, step.reading.points))}
    reached = None
    if claim is not None and claim.points is not None and last is not None and last.score is not None:
        reached = last.score[claim.player] + claim.points
        totals.add(reached)
    if claim is None or len(match.games) == 1 or not (claim.match or most >= (match.length or most + 1)):
        return []
    usual = {min(each for each in (*_USUAL, total) if each >= total) for total in totals}
    usual |= {*sorted(each for each in _USUAL if most < each <= max(totals))[:_FEW]}
    lost = {each for each in _USUAL if str(match.length) in str(each) and each <= max(totals)}
    lengths = sorted(each for each in totals | usual | lost if most < each != match.length)
    # A single game after the end is no proof where no result says that it ends the match.
    alone = UNPROVED * (not claim.match and sum(score >= (match.length or score + 1) for score in scores) < _SEVERAL)
    found = [
        (each, UNUSUAL * (each not in _USUAL) + PASSED * (each != reached) + alone - LOST * (each in lost))
        for each in lengths
    ]
    return sorted(found, key=itemgetter(1))[:_LENGTHS]


# --- the record as it was meant -----------------------------------------------------------------------


def _game(match: Match, stands: Game, own: Game, step: CourseStep) -> Game:
    """A game as it was meant.

    Args:
        match: the record, in the players' own numbering.
        stands: the game as it is written.
        own: the same in the players' own numbering.
        step: how it is read.
    """
    reading = step.reading
    originals = {id(one): two for one, two in zip(own.entries, stands.entries, strict=True)}
    by_place = {one.span: two for one, two in zip(own.entries, stands.entries, strict=True) if one.span.end}
    fixed = is_fixed(match)
    items = (each for each in reading.items if not (isinstance(each, SupposedTurn) and each.stood and each.of is None))
    entries = tuple(_entry(item, originals, by_place, match, fixed=fixed) for item in items)
    left = other(stands.left) if step.exchanged == "names" else stands.left
    score = None if stands.score is None else step.score
    return replace(stands, entries=entries, results=_results(own, step), score=score, left=left)


def _entry(item: Item, originals: dict[int, Entry], by_place: dict[Span, Entry], match: Match, *, fixed: bool) -> Entry:
    if not isinstance(item, SupposedTurn):
        stands = originals.get(id(item)) or by_place.get(item.span)
        if stands is None or stands is item or isinstance(item, Stood):
            return item if stands is None else stands
        if isinstance(item, CheckerPlay) and isinstance(stands, CheckerPlay):
            return (
                stands
                if item.player == stands.player and item.dice == stands.dice
                else replace(item, annotation=stands.annotation)
            )
        return item
    text = _text(item, match, fixed=fixed)
    if item.of is None:
        return CheckerPlay(player=item.player, dice=item.dice, text=text)
    stands = originals.get(id(item.of)) or by_place.get(item.of.span) or item.of
    assert isinstance(stands, CheckerPlay)
    if item.stood:
        return stands if stands.player == item.player else replace(stands, player=item.player)
    return replace(stands, player=item.player, dice=_dice(stands.dice, item.dice), text=text, annotation=None)


def _dice(written: Dice | None, roll: Dice) -> Dice:
    """A roll with its dice in the order in which they are written, as far as they are."""
    if written is None:
        return roll
    first, second = roll
    ways = ((first, second), (second, first))
    return max(ways, key=lambda way: (way[0] == written[0]) + (way[1] == written[1]))


def _text(item: SupposedTurn, match: Match, *, fixed: bool) -> PlayText:
    """A play as the record would write it."""
    if not item.play.hops:
        kinds = [
            each.text.kind
            for game in match.games
            for each in game.entries
            if isinstance(each, CheckerPlay) and not each.text.hops and each.text.kind in ("dance", "nothing")
        ]
        return PlayText("dance" if kinds.count("dance") >= kinds.count("nothing") and kinds else "nothing")
    marks = any(isinstance(each, CheckerPlay) and each.text.hits for game in match.games for each in game.entries)
    flip = fixed and item.player == 1
    return PlayText(
        "moves",
        tuple(
            HopText((mirrored(hop.start), mirrored(hop.end)) if flip else (hop.start, hop.end), (hop.hit and marks,))
            for hop in item.play.hops
        ),
    )


def _results(own: Game, step: CourseStep) -> tuple[ResultClaim, ...]:
    """The results of a game as they should be."""
    reading = step.reading
    flip = bool(step.exchanged) != reading.mirrored
    results = tuple(replace(each, player=other(each.player)) for each in own.results) if flip else own.results
    if not reading.result or reading.winner is None:
        return results
    if not results:
        return (ResultClaim(player=reading.winner, points=reading.points),)
    made = []
    for each in results:
        player = reading.winner if each.won else other(reading.winner)
        points = reading.points if "points" in reading.result and each.points is not None else each.points
        made.append(replace(each, player=player, points=points))
    return tuple(made)


__all__ = ["HEADER", "RESIGNED", "SURE", "Correction", "Effort", "Interpretation", "decode"]
