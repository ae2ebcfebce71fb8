"""Merging one game of several records: each place gets what the game can go on with, else what most records say."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from bgtools.board.movement import resolve
from bgtools.board.perspective import other
from bgtools.board.violation import Violation
from bgtools.comparison.columns import bare, entry_columns, entry_tokens, is_implied, says_little
from bgtools.comparison.deciding import Chooser, MergeDecision, StatedOption
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double
from bgtools.replayer.match import replay_plainly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.comparison.columns import Column
    from bgtools.comparison.deciding import Choice
    from bgtools.record.record import Entry, Game, Match, ResultClaim
    from bgtools.replayer.turn import GameReplay, Turn

Score = tuple[int, int]


class Spot(NamedTuple):
    """A place of a game, where at least one record has an entry.

    Attributes:
        column: for each record the number of its entry, from 0, or None there.
        options: what the records say, what most say first.
    """

    column: Column
    options: tuple[StatedOption, ...]


@dataclass(slots=True)
class MergedGame:
    """A game put together.

    Attributes:
        game: the game.
        spots: its places, also those at which no entry is taken.
        decisions: what is taken at each place.
        results: what the records say of the result.
        result: which of the results is taken; None where no record states one.
        replay: the game on the board.
    """

    game: Game
    spots: list[Spot]
    decisions: list[MergeDecision]
    results: tuple[StatedOption, ...]
    result: MergeDecision | None
    replay: GameReplay

    @property
    def taken(self) -> list[StatedOption]:
        """The option that is taken at each place."""
        return [spot.options[each.option] for spot, each in zip(self.spots, self.decisions, strict=True)]


@dataclass
class GameMerger:
    """Puts one game together.

    Attributes:
        match: the header of the merged match, with no games.
        games: the game in each record, or None.
        ends: the records that have nothing after this game.
        score: the score before it; None where it is not known.
        following: the scores that the records state after it.
        prefer: the record that decides where nothing else does.
    """

    match: Match
    games: Sequence[Game | None]
    ends: frozenset[int]
    score: Score | None
    following: frozenset[Score]
    prefer: int | None = None
    _ways: dict[int, tuple[StatedOption, ...]] = field(default_factory=dict)

    @cached_property
    def columns(self) -> list[Column]:
        """The places of the game, with the entry that each record has there."""
        return entry_columns(self.games)

    @cached_property
    def skeleton(self) -> Game:
        """The game without entries, results and remarks."""
        first = next(game for game in self.games if game is not None)
        starts = [game for game in self.games if game is not None and game.start is not None]
        return replace(starts[0] if starts else first, score=self.score, entries=(), results=(), comments=())

    def done(self) -> MergedGame:
        """The merged game."""
        found = self._decided()
        # Two ways to move the same checkers may differ by a hit on the way, which only the board tells.
        ways = self._differing_plays(found)
        if ways:
            self._ways = ways
            found = self._decided()
        return found

    def _decided(self) -> MergedGame:
        spots = [Spot(column, self._options(number, column)) for number, column in enumerate(self.columns)]
        results = self._results()
        open_places = [number for number, spot in enumerate(spots) if len(spot.options) > 1]
        choosing = Chooser(
            [*(spots[number].options for number in open_places), *([results] if len(results) > 1 else [])],
            lambda choice: self._cost(spots, open_places, results, choice),
            self.prefer,
        )
        decided = choosing.decide()
        by_place = dict(zip(open_places, decided, strict=False))
        decisions = [by_place.get(number) or self._plain_decision(spot) for number, spot in enumerate(spots)]
        result: MergeDecision | None = None
        if results:
            result = decided[-1] if len(results) > 1 else MergeDecision(0, self._why_alone(results[0]))
        claims = () if result is None else results[result.option].says
        entries = [spot.options[each.option].says for spot, each in zip(spots, decisions, strict=True)]
        game = replace(self.skeleton, entries=bare(each for each in entries if each is not None), results=claims)
        return MergedGame(game, spots, decisions, results, result, self._replayed(game))

    def _plain_decision(self, spot: Spot) -> MergeDecision:
        return MergeDecision(0, self._why_alone(spot.options[0]))

    def _why_alone(self, option: StatedOption) -> Any:
        return "only" if len(option.records) == 1 and sum(game is not None for game in self.games) > 1 else "all"

    # --- what the records say ---------------------------------------------------------------

    def _options(self, number: int, column: Column) -> tuple[StatedOption, ...]:
        if number in self._ways:
            return self._ways[number]
        by_token: dict[Any, list[int]] = {}
        is_hinted = True
        for which, at in enumerate(column):
            game = self.games[which]
            if game is None:
                continue
            if at is not None:
                entry = game.entries[at]
                by_token.setdefault(self._tokens[which][at], []).append(which)
                is_hinted = is_hinted and is_implied(entry, game.entries[at - 1] if at else None)
        for which in range(len(column)):
            if (
                column[which] is None
                and self.games[which] is not None
                and not is_hinted
                and self._counts(which, number)
            ):
                by_token.setdefault(None, []).append(which)
        found: list[StatedOption] = []
        for key, records in by_token.items():
            if key is None:
                found.append(StatedOption(tuple(records), len(records), None))
            else:
                found += self._by_value([(which, self._entry(which, column)) for which in records])
        return tuple(sorted(found, key=lambda option: (-option.votes, option.says is None, option.records)))

    @cached_property
    def _tokens(self) -> list[list[Any]]:
        return [[] if game is None else entry_tokens(game) for game in self.games]

    def _entry(self, which: int, column: Column) -> Entry:
        game, at = self.games[which], column[which]
        assert game is not None
        assert at is not None
        return game.entries[at]

    def _counts(self, which: int, number: int) -> bool:
        """Whether a record that has no entry in a place thereby says that there is none."""
        game = self.games[which]
        assert game is not None
        if any(column[which] is not None for column in self.columns[number:]):
            return True
        # The place is behind the record's last entry: if the record goes on, the game was over; else it breaks off.
        if which in self.ends and not game.results:
            return False
        entries = [
            self._entry(each, self.columns[number]) for each, at in enumerate(self.columns[number]) if at is not None
        ]
        return not all(map(says_little, entries))

    @staticmethod
    def _by_value(entries: list[tuple[int, Entry]]) -> list[StatedOption]:
        """Entries that say the same, parted by the cube value that they state; the commonest gets those without one."""
        if not isinstance(entries[0][1], Double | Beaver | AutomaticDouble):
            return [_option(entries)]
        values = Counter(entry.value for _, entry in entries if getattr(entry, "value", None) is not None)  # type: ignore[union-attr]
        if len(values) < 2:
            return [_option(sorted(entries, key=lambda each: (getattr(each[1], "value", None) is None, each[0])))]
        first = values.most_common(1)[0][0]
        return [
            _option(
                [
                    each
                    for each in entries
                    if getattr(each[1], "value", None) in ((value, None) if value == first else (value,))
                ]
            )
            for value in values
        ]

    def _results(self) -> tuple[StatedOption, ...]:
        """The results that the records state; one without a winner or points goes with the likeliest that has both."""
        stated: dict[Any, list[int]] = {}
        for which, game in enumerate(self.games):
            if game is not None and game.results:
                stated.setdefault(_outcome(game.results), []).append(which)
        vague = [key for key in stated if None in key]
        for key in vague:
            like = [
                each
                for each in stated
                if each != key and all(a is None or a == b for a, b in zip(key, each, strict=True))
            ]
            if like:
                best = max(like, key=lambda each: len(stated[each]))
                stated[best] += stated.pop(key)
        found = []
        for key, records in stated.items():
            clear = [which for which in records if _outcome(self._claims(which)) == key]
            found.append(StatedOption(tuple(sorted(records)), len(clear), self._claims(clear[0])))
        return tuple(sorted(found, key=lambda option: (-option.votes, option.records)))

    def _claims(self, which: int) -> tuple[ResultClaim, ...]:
        game = self.games[which]
        assert game is not None
        return game.results

    # --- on the board -----------------------------------------------------------------------

    def _replayed(self, game: Game) -> GameReplay:
        return replay_plainly(replace(self.match, games=(game,)))[0]

    def _cost(
        self, spots: Sequence[Spot], open_places: Sequence[int], results: Sequence[StatedOption], choice: Choice
    ) -> tuple[int, int | None]:
        """How much of a choice is against the rules, and the open place at which, or after which, that shows first."""
        chosen = dict(zip(open_places, choice, strict=False))
        entries, numbers = [], []
        for number, spot in enumerate(spots):
            entry = spot.options[chosen.get(number, 0)].says
            if entry is not None:
                entries.append(entry)
                numbers.append(number)
        claims: tuple[ResultClaim, ...] = ()
        if results:
            claims = results[choice[-1] if len(results) > 1 else 0].says
        replayed = self._replayed(replace(self.skeleton, entries=bare(entries), results=claims))
        wrong = [] if replayed.is_sound else [turn for turn in replayed.turns if not turn.is_legal]
        fault = bisect_right(open_places, numbers[wrong[0].index]) - 1 if wrong else None
        return len(wrong) + self._astray(replayed), fault

    def _astray(self, game: GameReplay) -> int:
        """How many claims do not follow from a game: its result, the score after it, the end of the match."""
        claim, wrong = game.claim, int(game.is_odd)
        length = self.match.length or 0
        if claim is not None:
            is_short = length and claim.points is not None and game.earned is not None and claim.points < game.earned
            wrong += None not in (claim.points, game.earned) and claim.points != game.earned and not is_short
            winner = claim.player if claim.won else other(claim.player)
            wrong += claim.column_speaks and game.winner is not None and game.winner != winner
            wrong += bool(length) and claim.match and self.score is not None and max(game.score_after) < length
        if self.following and self.score is not None:
            wrong += game.score_after not in self.following
            wrong += game.winner is None
        return wrong

    def _differing_plays(self, done: MergedGame) -> dict[int, tuple[StatedOption, ...]]:
        """The places where records move the same checkers in different ways to different boards, with their options."""
        found: dict[int, tuple[StatedOption, ...]] = {}
        turns = {turn.index: turn for turn in done.replay.turns}
        at = -1
        for number, option in enumerate(done.taken):
            at += option.says is not None
            turn = turns.get(at)
            if turn is None or not isinstance(option.says, CheckerPlay) or len(option.records) < 2:
                continue
            entries = [(which, self._entry(which, done.spots[number].column)) for which in option.records]
            if len({tuple(sorted(entry.text.legs)) for _, entry in entries if isinstance(entry, CheckerPlay)}) < 2:
                continue
            by_board: dict[Any, list[tuple[int, Entry]]] = {}
            for which, entry in entries:
                by_board.setdefault(_result(turn, entry), []).append((which, entry))
            if len(by_board) > 1:
                others = [each for each in done.spots[number].options if each is not option]
                ways = list(map(_option, by_board.values()))
                found[number] = tuple(
                    sorted([*ways, *others], key=lambda each: (-each.votes, each.says is None, each.records))
                )
        return found


def _option(entries: Sequence[tuple[int, Entry]]) -> StatedOption:
    votes = sum(not says_little(entry) for _, entry in entries)
    return StatedOption(tuple(sorted(which for which, _ in entries)), votes, entries[0][1])


def _outcome(claims: Sequence[ResultClaim]) -> tuple[int | None, int | None]:
    """Who won, and how many points, as a record states it; None for what it leaves open."""
    claim = next((claim for claim in claims if claim.won), claims[0])
    winner = claim.player if claim.won else other(claim.player)
    return winner if claim.column_speaks else None, claim.points


def _result(turn: Turn, entry: Entry) -> Any:
    if not isinstance(entry, CheckerPlay) or entry.dice is None:
        return None
    found = resolve(turn.before, entry.dice, entry.text.hops)
    return None if isinstance(found, Violation) else found.result
