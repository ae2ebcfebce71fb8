"""The readings of one game: best first over edited records.

A node is the game with some slips taken back. It is run straight on to the first entry that cannot be; its children
take back one slip more, somewhere before that entry, so that the run gets past it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush, nsmallest
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.board import BAR, OFF, pip_count
from bgtools.decoder.lane import SupposedTurn, run
from bgtools.decoder.slips import PHASES, Candidates, Edit, Sense, in_other_column, is_repeated, says
from bgtools.decoder.table import AGAINST_RULES, BITS, MARGIN
from bgtools.record.points import is_sentinel
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Take
from bgtools.record.state import GameState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.board.perspective import Player
    from bgtools.decoder.lane import Terms
    from bgtools.decoder.memory import Memory
    from bgtools.decoder.slips import Item
    from bgtools.record.record import Game, ResultClaim

POINTS, WINNER = BITS["points"], BITS["winner"]
"""Bits of a result that states other points, or another winner."""
CAPPED: Final = 3.0
"""Bits of a result that states what the match needed in place of what was won; one writer in twenty does."""
UNSAID: Final = 1.0
"""Bits of each automatic double that a result leaves out and the score counts."""
_MOST_TIES: Final = 3
NO_RESULT: Final = 6.0
RESIGNED: Final = 2.0
SILENT_DROP: Final = 6.0
UNFINISHED: Final = 9.0

_WINDOW: Final = 10
_FAR: Final = 16
_AHEAD: Final = 0.3
"""Bits that each entry counts that is still to be read: a node that came further is tried first."""
_MOST: Final = 16
"""How many nodes of a game are opened."""
_STUCK: Final = 6
"""How many halves of that are opened of a game that has no reading yet."""
_LOOKS: Final = 250
_ENOUGH: Final = 3_000
"""So many edits are looked at where a reading of the whole game is known."""
_ARRIVALS: Final = 40
"""So many ways through a game are handed over, the cheapest."""
_RIVALS: Final = 60
"""So many readings of a game are kept; after that only better ones."""
_LATE: Final = 6
"""How many of them after a reading of the whole game is known."""
_CHILDREN: Final = 25
_LONGEST: Final = 600
_LONG_AGO: Final = 100
TELLING, STOOD_MOST = 0.4, 4.0
"""Bits that each play takes off which goes on from a play against the rules, and the most that they take off."""
_GIVEN_UP: Final = 30.0
"""Bits of a game that nobody can explain."""


@dataclass(slots=True)
class Effort:
    """What has been spent, and what may be: nodes opened, over a whole record."""

    left: int = 120
    spent: int = 0
    tried: int = 0
    """How many edits were looked at; `_LOOKS` of them cost one node more."""
    short: set[int] = field(default_factory=set)
    """The indexes of the games of which not everything was tried."""
    sense: Sense = field(default_factory=Sense)
    memory: Memory | None = None
    """Games that were searched before."""
    go_on: Callable[[], None] | None = None
    """Called at every node; what it raises ends the search."""


class GameReading(NamedTuple):
    """One way to understand a game.

    Attributes:
        bits: what it costs.
        winner, points: its result; None and 0 where it is unfinished.
        items: its entries, as they were meant.
        edits: the slips that are taken back, in the order of the game.
        result: ``""`` where the stated result stands, else ``points``, ``winner``, ``missing``.
        whole: whether every entry can be then.
        mirrored: whether the columns of the whole game are exchanged, its results with them.
    """

    bits: float
    winner: Player | None
    points: int
    items: tuple[Item, ...]
    edits: tuple[Edit, ...]
    result: str = ""
    whole: bool = True
    mirrored: bool = False


class _SearchNode(NamedTuple):
    items: tuple[Item, ...]
    edits: tuple[Edit, ...]
    bits: float
    at: int


class _NodeView(NamedTuple):
    """What shows at a node: its path up to the first entry that cannot be, and where the slip may stand.

    Attributes:
        node: the node.
        path: the state before each entry.
        fault: the number of the first entry that cannot be; that after the last one where only the end is wrong.
        suspects: the numbers of the entries where a slip may stand.
        candidates: gives the edits there.
    """

    node: _SearchNode
    path: list[GameState]
    fault: int
    suspects: list[int]
    candidates: Candidates


_BESIDE: Final = 4
"""Edits that put in more entries get past a fault by themselves."""
_ODD_RESULT: Final = RESIGNED + 4
"""The most bits of a game that was given up as it is stated."""


def stated(game: Game) -> ResultClaim | None:
    """The result that counts, told of the winner."""
    claim = next((each for each in game.results if each.won), None)
    if claim is None and game.results:
        lost = game.results[0]
        return replace(lost, player=1 if lost.player == 0 else 0, won=True)
    return claim


def content(items: Sequence[Item], terms: Terms, game: Game) -> tuple[object, ...]:
    """What the entries of a game mean: two readings of it are the same where this is."""
    s = terms.start(game)
    told: list[tuple[object, ...]] = []
    path: list[GameState] = []
    fault, end, _ = run(s, items, 0, terms, path=path)
    path[fault:] = [end]
    for at, item in enumerate(items[:fault]):
        after = path[at + 1]
        if isinstance(item, CheckerPlay | SupposedTurn):
            dice = item.dice
            told.append((item.player, dice and tuple(sorted(dice)), tuple(map(tuple, after.sides))))
        else:
            told.append((item.player, type(item).__name__, after.cube, after.offer))
    return (*told, len(items) - fault)


# --- how a game can have ended --------------------------------------------------------------------


class _End(NamedTuple):
    bits: float
    winner: Player | None
    points: int
    result: str
    dropped: bool = False


def _may_state(claim: ResultClaim, points: int, winner: Player, s: GameState, terms: Terms) -> bool:
    """Whether a result may state these points: also those that the match needed, or a mark of a game broken off."""
    need = terms.length - terms.score[winner] if terms.length else 0
    if claim.points in (None, points) or is_sentinel(claim.points or 0, s.cube):
        return True
    if need and points >= need and claim.points == need:
        return True
    return claim.match and points >= need and (not terms.length or claim.points in (need, terms.length))


def endings(s: GameState, claim: ResultClaim | None, terms: Terms, final: Item | None, *, is_last: bool) -> list[_End]:
    """The ways a game can have ended in a state, by what its result says."""
    over = s.over
    if over is not None and over.how == "resigned" and claim is not None and claim.column_speaks:
        over = over._replace(winner=claim.player)  # some write a resignation into the column of the winner
    if over is not None and over.points is not None:
        winner, points = over.winner, over.points
        worth = [points]
        if over.how == "borne off" and not terms.length and terms.rules.jacoby is None and s.owner is None:
            worth.append(s.cube)
        if claim is None:
            return [_End(0 if is_last else 1, winner, points, "missing" if not is_last else "")]
        wrong = 0.0 if claim.player == winner or not claim.column_speaks else WINNER
        right = next((each for each in worth if _may_state(claim, each, winner, s, terms)), None)
        if right is None:
            return [_End(wrong + POINTS, winner, points, "winner points" if wrong else "points")]
        bits, result = wrong + CAPPED * (claim.points not in (None, right)), "winner" if wrong else ""
        # What tied opening rolls made of the cube may be left to the score.
        ties = range(0 if terms.length else min(terms.rules.automatic_doubles or 0, _MOST_TIES) + 1) or (0,)
        return [_End(bits + UNSAID * tied, winner, right << tied, result) for tied in ties]
    found: list[_End] = []
    offer = s.offer
    if offer is not None and not offer.counters:
        is_told = claim is not None and claim.player == offer.by and claim.points == offer.stake
        found.append(
            _End(
                SILENT_DROP + (0 if is_told else POINTS),
                offer.by,
                offer.stake,
                "" if is_told else "points",
                dropped=True,
            )
        )
    if claim is None and over is None:
        found.append(_End(1.0 if is_last else UNFINISHED, None, 0, ""))
        if is_last:
            return found
    for winner in (0, 1):
        if over is not None and winner != over.winner:
            continue
        found += _resigned(s, claim, terms, final, winner)
    return found


def _resigned(s: GameState, claim: ResultClaim | None, terms: Terms, final: Item | None, winner: Player) -> list[_End]:
    """A game given up to a player, at each level."""
    mine, theirs = tuple(s.sides[winner]), tuple(s.sides[1 - winner])
    ahead = pip_count(mine) - pip_count(theirs)  # how far the winner is behind
    value = s.offer.value if s.offer is not None and s.offer.counters else s.cube
    need = terms.length - terms.score[winner] if terms.length else 0
    capped = not terms.length and terms.rules.jacoby and s.owner is None
    found = []
    if claim is not None and claim.match and claim.player == winner and claim.points == need > 3 * value:
        found.append(_End(RESIGNED + 1, winner, need, ""))  # a match given up whole, whatever the cube
    for level in (1,) if capped else (1, 2, 3):
        points = level * value
        bits = RESIGNED + (6 if ahead > 40 else 2 if ahead > 10 else 0) + (0, 1, 2)[level - 1]
        if level > 1:
            bits += (9 if theirs[OFF] else 0) + (5 if 0 < need <= points - value else 0)
            bits += 4 if level == 3 and not (theirs[BAR] or any(theirs[19:])) else 0
        bits += (4 if isinstance(final, Take | Double) else 0) + (12 if s.offer is not None else 0)
        result = ""
        if claim is None:
            bits += NO_RESULT
            result = "missing"
        else:
            if claim.player != winner:
                bits += WINNER if claim.column_speaks else 1
                result = "winner" if claim.column_speaks else ""
            if not _may_state(claim, points, winner, s, terms):
                bits += POINTS
                result += " points"
        found.append(_End(bits, winner, points, result.strip()))
    return found


def _with_drop(
    items: tuple[Item, ...], edits: tuple[Edit, ...], s: GameState, end: _End
) -> tuple[tuple[Item, ...], tuple[Edit, ...]]:
    """A game with the drop of its last double put in, where nobody wrote it, and the edits that lead there."""
    if not end.dropped or s.offer is None:
        return items, edits
    dropped = Drop(player=1 if s.offer.by == 0 else 0)
    return (*items, dropped), (*edits, Edit(SILENT_DROP, "no answer", len(items), 0, (dropped,)))


def _beside(end: _End, least: float) -> float:
    """The bits of an ending of a game that can be as it is written, where what is stated costs so many."""
    if not end.result:
        return end.bits - least
    return max(end.bits - least, POINTS) if end.result == "points" else end.bits - min(least, RESIGNED)


# --- the search --------------------------------------------------------------------------------------


class GameSearch:
    """The search for the readings of one game."""

    def __init__(
        self,
        game: Game,
        claim: ResultClaim | None,
        terms: Terms,
        effort: Effort,
        *,
        is_last: bool,
        margin: float = MARGIN,
    ) -> None:
        """Nothing is looked for yet; `margin` says how far behind the best one a reading may be to be kept."""
        self.margin, self.most = margin, _MOST if margin == MARGIN else 2 * _MOST
        self.far = _FAR if margin == MARGIN else 4 * _FAR
        self.game, self.claim, self.terms, self.effort, self.is_last = game, claim, terms, effort, is_last
        self.found: dict[tuple[object, ...], GameReading] = {}
        self.limit, self.best = 0.0, 999.0
        self._last: tuple[tuple[Item, ...], tuple[object, ...]] | None = None
        self._contents: dict[int, tuple[Item, tuple[object, ...]]] = {}
        self.arrivals: list[tuple[_SearchNode, GameState, float]] = []
        self.furthest: tuple[tuple[Item, ...], tuple[Edit, ...], float] = (tuple(game.entries), (), -1.0)

    def straight(self) -> list[GameReading]:
        """The game as it is written, where every entry can be; nothing is tried."""
        items = tuple(self.game.entries)
        at, s, odd = run(self.terms.start(self.game), items, 0, self.terms)
        if at < len(items) or not self.game.start_known:
            return []
        ends = endings(s, self.claim, self.terms, items[-1] if items else None, is_last=self.is_last)
        # Nothing speaks against what is stated, so it costs nothing; but another winner gains nothing by that.
        least = min((end.bits for end in ends if not end.result and not end.dropped), default=0.0)
        return sorted(
            (
                GameReading(
                    _beside(end, least) + odd,
                    end.winner,
                    end.points,
                    *_with_drop(items, (), s, end),
                    end.result,
                )
                for end in ends
            ),
            key=lambda reading: reading.bits,
        )

    def readings(self, *, doubted: bool, limit: float) -> list[GameReading]:
        """The readings of the game, the best first.

        Args:
            doubted: whether something outside the game speaks against it, so that it is looked into although it fits.
            limit: readings that cost more bits are not wanted.
        """
        straight = self.straight()
        if straight and not doubted and straight[0].bits <= _ODD_RESULT:
            return straight
        self.limit = limit
        for reading in straight:
            self._keep(reading)
        if self.game.start_known and len(self.game.entries) <= _LONGEST:
            self._search(doubted=doubted)
        return sorted(self.found.values(), key=lambda reading: reading.bits) or [self._given_up()]

    def _given_up(self) -> GameReading:
        claim = self.claim
        winner, points = (None, 0) if claim is None else (claim.player, claim.points or 1)
        items, edits, _ = self.furthest
        return GameReading(_GIVEN_UP, winner, points, items, edits, whole=False)

    def _least(self) -> float:
        return min(self.best, self.limit - self.margin)

    def _keep(self, reading: GameReading) -> None:
        if reading.bits > min(self.limit, self.best + self.margin):
            return
        if len(self.found) >= _RIVALS and reading.bits >= self.best:
            return
        items = reading.items
        if self._last is None or self._last[0] is not items:
            self._last = items, self._content(items)
        key = (self._last[1], reading.winner, reading.points)
        known = self.found.get(key)
        if known is None or known.bits > reading.bits:
            self.found[key] = reading
            self.best = min(self.best, reading.bits)

    def _content(self, items: tuple[Item, ...]) -> tuple[object, ...]:
        """What the entries say: of two readings that say the same one is enough. `content` compares what they mean."""
        known = self._contents
        for item in items:
            if id(item) not in known:
                known[id(item)] = item, (item.player, *says(item))
        return tuple([known[id(item)][1] for item in items])

    def readings_after(self, search: GameSearch, *, limit: float) -> list[GameReading]:
        """The readings at another score from what a search has found: only the endings depend on the score."""
        self.limit = limit
        for reading in self.straight():
            self._keep(reading)
        for node, s, odd in search.arrivals:
            self._end(node, s.at(self.terms.match), odd)
        self.furthest = search.furthest
        return sorted(self.found.values(), key=lambda reading: reading.bits) or [self._given_up()]

    def mirrored(self, search: GameSearch) -> GameSearch:
        """What was found, as another search would find it in the game with the columns exchanged."""
        own = {id(one): two for one, two in zip(self.game.entries, search.game.entries, strict=True)}
        self.hand_over(search, lambda item: own.get(id(item)) or in_other_column(item), GameState.mirrored)
        return search

    def hand_over(
        self, search: GameSearch, item: Callable[[Item], Item], state: Callable[[GameState], GameState] | None = None
    ) -> None:
        """Give what was found to the search of a game that says the same.

        Args:
            search: gets it.
            item: gives what an entry of this game is in the other one.
            state: gives what a state is there; None where it is the same.
        """
        known: dict[int, tuple[tuple[Item, ...], tuple[Item, ...]]] = {}

        def there(items: tuple[Item, ...]) -> tuple[Item, ...]:
            if id(items) not in known:
                known[id(items)] = items, tuple(map(item, items))
            return known[id(items)][1]

        def edits_there(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
            return tuple(each._replace(put=there(each.put), old=there(each.old), after=None) for each in edits)

        nearest = nsmallest(_ARRIVALS, self.arrivals, key=lambda each: each[0].bits + each[2])
        search.arrivals = [
            (node._replace(items=there(node.items), edits=edits_there(node.edits)), state(s) if state else s, odd)
            for node, s, odd in nearest
        ]
        items, edits, reach = self.furthest
        search.furthest = there(items), edits_there(edits), reach

    def _finish(self, node: _SearchNode, s: GameState, odd: float) -> bool:
        """Keep where a game comes out, and how it can have ended there: whether no ending goes with its result."""
        self.arrivals.append((node, s, odd))
        return self._end(node, s, odd) and self.claim is not None

    def _end(self, node: _SearchNode, s: GameState, odd: float) -> bool:
        mirrored = bool(node.edits) and node.edits[0].slip == "turned" and node.edits[0].at == 0
        claims = [(self.claim, False)]
        if mirrored and self.claim is not None:
            other: Player = 1 if self.claim.player == 0 else 0
            claims.append((replace(self.claim, player=other), True))
        is_odd = True
        for claim, moved in claims:
            final = node.items[-1] if node.items else None
            for end in endings(s, claim, self.terms, final, is_last=self.is_last):
                # An odd result alone is no error, so beside a slip it is not counted as another one.
                bits = node.bits + odd + (end.bits if end.result or claim is None else min(end.bits, _ODD_RESULT))
                items, edits = _with_drop(node.items, node.edits, s, end)
                self._keep(GameReading(bits, end.winner, end.points, items, edits, end.result, mirrored=moved))
                is_odd = is_odd and end.result != ""
        return is_odd

    def _search(self, *, doubted: bool) -> None:
        effort = self.effort
        root = _SearchNode(tuple(self.game.entries), (), 0.0, 0)
        queue: list[tuple[float, int, int, _SearchNode]] = [(0.0, 0, 0, root)]
        tick = count(1)
        opened = late = 0
        enough = effort.tried + _ENOUGH * self.most // _MOST
        merged: dict[tuple[object, ...], float] = defaultdict(lambda: 999.0)
        views: dict[int, _NodeView] = {}
        while queue and effort.left > 0:
            _, _, phase, node = heappop(queue)
            least = node.bits + (PHASES[phase] if phase else BITS["play"] if node.edits else 0)
            is_late = late >= _LATE * self.most // _MOST
            if is_late and effort.tried > enough:
                break
            if least > self._least() + (0 if is_late else self.margin):
                continue
            if opened >= (self.most if self.found else _STUCK * self.most // 2):
                break
            if not phase:
                if is_late:
                    continue
                opened += 1
                late += bool(self.found)
                self._spend(1)
                views[id(node)] = self._view(node, doubted=doubted and node is root, is_root=node is root)
            view = views[id(node)]
            looks_before = effort.tried
            kept = self._open(view, phase, merged)
            dear = (effort.tried - looks_before) // _LOOKS
            opened += dear
            self._spend(dear)
            ranked = sorted(kept, key=lambda each: each[0].bits + _AHEAD * each[1])[:_CHILDREN]
            for child, left in ranked:
                heappush(queue, (child.bits + _AHEAD * left, next(tick), 0, child))
            if phase + 1 < len(PHASES):
                ahead = node.bits + PHASES[phase + 1] + _AHEAD * (len(node.items) - view.fault)
                heappush(queue, (ahead, next(tick), phase + 1, node))

    def _spend(self, nodes: int) -> None:
        self.effort.left -= nodes
        self.effort.spent += nodes
        if nodes and self.effort.go_on is not None:
            self.effort.go_on()

    def _view(self, node: _SearchNode, *, doubted: bool, is_root: bool) -> _NodeView:
        """Run to the first entry that cannot be."""
        path: list[GameState] = []
        fault, s, _ = run(self.terms.start(self.game), node.items, 0, self.terms, path=path)
        if fault - node.bits > self.furthest[2]:
            self.furthest = (node.items, node.edits, fault - node.bits)
        places = self._suspect_entries(node, path, fault, s, is_root=is_root, doubted=doubted)
        candidates = Candidates(node.items, path, fault, self.terms, self.effort.sense, max(node.at, fault - _LONG_AGO))
        return _NodeView(node, path, fault, sorted(places), candidates)

    def _suspect_entries(
        self, node: _SearchNode, path: list[GameState], fault: int, s: GameState, *, is_root: bool, doubted: bool
    ) -> set[int]:
        """Where a slip may stand that shows at an entry: shortly before it; an action of the cube anywhere."""
        ended = fault == len(node.items)
        first = max(node.at, fault - (self.far if is_root and not ended else _WINDOW))
        places = {at for at in range(first, min(fault, len(node.items)) + 1) if at < len(path)}
        shows = None if ended else node.items[fault]
        if ended or doubted or s.over is not None or not isinstance(shows, CheckerPlay):
            cube = Double | Take | Drop | Beaver
            places |= {at for at in range(node.at, fault) if at == 0 or isinstance(node.items[at], cube)}
        # What stands a second time tells of itself, however late it shows.
        return places | {at for at in range(max(node.at, 2), fault) if is_repeated(node.items, at)}

    def _open(
        self, view: _NodeView, phase: int, merged: dict[tuple[object, ...], float]
    ) -> list[tuple[_SearchNode, int]]:
        """Try the edits of a sort, and keep those that get past the fault, each with how many entries are left.

        Args:
            view: the node.
            phase: the sort.
            merged: the bits of the best node of each state that was reached so far, which are kept up.
        """
        node, kept = view.node, dict[tuple[object, ...], tuple[_SearchNode, int]]()
        for at in view.suspects:
            for edit in view.candidates.at(at, phase):
                self.effort.tried += 1
                if node.bits + edit.bits > self._least() + self.margin or (found := self._child(view, edit)) is None:
                    continue
                child, left, s, odd = found
                if not left and not self._finish(child, s, odd):
                    continue
                key = (left, s.key())
                if merged[key] > child.bits:
                    merged[key] = child.bits
                    kept[key] = child, left
        return [*kept.values()]

    def _child(self, view: _NodeView, edit: Edit) -> tuple[_SearchNode, int, GameState, float] | None:
        """The node after an edit, the entries left behind the next fault, the state there, and what is odd.

        None where the edit does not get past the fault, or costs too much.
        """
        node, at, fault = view.node, edit.at, view.fault
        items, total_count = node.items, len(node.items)
        if edit.after is not None:
            after, tail, start = edit.after, items, at + edit.gone
        else:
            after, tail, start = view.path[at], edit.taken_back(items), at
        past = max(len(tail) - (total_count - fault) + 1, start)
        reached, s, odd = run(after, tail, start, self.terms, stop=past)
        # Beside the fault another entry may be wrong as well.
        slack = edit.after is None and 0 < len(edit.put) <= _BESIDE and at + edit.gone >= fault
        if reached < past - slack and not (fault == total_count and reached == len(tail)):
            return None
        exact = edit.bits if edit.cost is None else edit.cost()
        if node.bits + exact > self._least() + self.margin:
            return None
        reached, s, more = run(s, tail, reached, self.terms)
        if edit.slip in AGAINST_RULES and isinstance(edit.put[0], SupposedTurn):
            # The more plays go on from the board that it left, the less likely is it that another one was made.
            exact -= min(TELLING * (reached - at - 1), STOOD_MOST)
        told = edit._replace(bits=exact, old=items[at : at + edit.gone])
        made = tail if edit.after is None else edit.taken_back(items)
        child = _SearchNode(made, (*node.edits, told), node.bits + exact, at + len(edit.put))
        return child, len(tail) - reached, s, odd + more


def mirrored_game(game: Game) -> Game:
    """A game with all its entries and results in the other columns."""
    results = tuple(replace(each, player=1 if each.player == 0 else 0) for each in game.results)
    return replace(game, entries=tuple(in_other_column(each) for each in game.entries), results=results)  # type: ignore[misc]


def in_columns(reading: GameReading, *, exchanged: bool) -> GameReading:
    """A reading of a game, or the same in the other columns."""
    if not exchanged:
        return reading

    def other(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(map(in_other_column, items))

    edits = tuple(each._replace(put=other(each.put), old=other(each.old), after=None) for each in reading.edits)
    return reading._replace(items=other(reading.items), edits=edits)
