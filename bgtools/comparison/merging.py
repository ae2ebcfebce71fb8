"""Merging: several records of one match become one, and every fact in it has a source.

At each place the rules decide: what the rest of the record can go on with is taken. Where they do not, most records
decide. Where neither does, the fact is undecided, unless one record is preferred.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.comparison.columns import MOVED, beside
from bgtools.comparison.deciding import MergeDecision, StatedOption
from bgtools.comparison.entries import location_in, placeless, turned_game
from bgtools.comparison.facts import outcome, points_said
from bgtools.comparison.game_merging import GameMerger, MergedGame
from bgtools.comparison.grouping import Recorded, group
from bgtools.comparison.heading import MergedHeader
from bgtools.comparison.merged import Fact, Merged, NotOneMatch, Statement
from bgtools.comparison.notes import MergedNotes
from bgtools.comparison.pairing import GameTokens, is_exchanged, likeness
from bgtools.decoder.entries import entry_words
from bgtools.record.record import NOWHERE, CheckerPlay, Resign, SetBoard
from bgtools.replayer.match import replay_plainly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.comparison.columns import Column
    from bgtools.comparison.deciding import Why
    from bgtools.comparison.merged import FactKind
    from bgtools.positions.position import Position
    from bgtools.record.record import Entry, Game, Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Location, Span

Score = tuple[int, int]


def merge(records: Sequence[Match], *, prefer: int | None = None) -> Merged:
    """Put several records of one match together.

    Args:
        records: two records or more, in any formats, with the players in whichever order.
        prefer: the number, from 0, of the record that decides where neither the rules nor most records do; None leaves
            such facts undecided.

    Returns:
        The match, with its players in the order of the first record, and for each fact the records that say so. Its
        entries have no places in a file.

    Raises:
        NotOneMatch: some are of another match.
        ValueError: fewer than two records, or there is no such record to prefer.
    """
    if len(records) < 2:
        raise ValueError("two records or more can be merged")
    if prefer is not None and not 0 <= prefer < len(records):
        raise ValueError(f"there is no record {prefer} among {len(records)}")
    _refuse_strangers(records)
    return _MergedMatches(records, prefer).result()


def _refuse_strangers(records: Sequence[Match]) -> None:
    groups = group(Recorded.of(match, "", number) for number, match in enumerate(records))
    home = max(groups, key=lambda each: (len(each), -min(record.number for record in each)))
    strangers = sorted({*range(len(records))} - {record.number for record in home})
    if strangers:
        names = ", ".join(_named(records[number], number) for number in strangers)
        first = min(record.number for record in home)
        raise NotOneMatch(f"not of the match in {_named(records[first], first)}: {names}", tuple(strangers))


def _named(match: Match, number: int) -> str:
    name = match.source.name if match.source is not None else f"record {number + 1}"
    return f"{name} ({' - '.join(match.players)})"


@dataclass(slots=True)
class _MergedColumn:
    """A game of the match, merged from all records.

    Attributes:
        column: which game of each record it is.
        done: the merged game.
        lacking: the records that have games before and after it, and not this one.
        why: why it is one of the match.
        has_names_swapped: the records whose score line before it has the names in each other's place.
    """

    column: Column
    done: MergedGame
    lacking: tuple[int, ...]
    why: Why
    has_names_swapped: frozenset[int]


_NAMELESS: Final = (("", ""), ("", ""))


@dataclass
class _MergedMatches:
    """Records while they are put together."""

    given: Sequence[Match]
    prefer: int | None
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        leaves = beside(self.given)
        self.matches, self.exchanged, self.columns = leaves.matches, leaves.exchanged, list(leaves.games)
        self.heading = MergedHeader(self.matches, self.prefer)
        self.match = self.heading.match
        self.scores: list[tuple[tuple[StatedOption, ...], MergeDecision | None]] = []

    def result(self) -> Merged:
        """The merged match with its facts."""
        columns = self._games()
        games = tuple(self._numbered(columns))
        match = replace(self.match, games=games)
        replays = replay_plainly(match)
        notes = MergedNotes(self.matches)
        self.facts += self.heading.facts
        made: list[Game] = []
        for number, (column, replayed) in enumerate(zip(columns, replays, strict=True)):
            if len(self.matches) > 1:
                self._facts_of(number, column, replayed)
            game, told = notes.added(number + 1, games[number], column.column, column.done, replayed)
            self.facts += told
            made.append(game)
        return Merged(
            replace(match, games=tuple(made)), self.matches, self.exchanged, tuple(self.facts), notes.left_out
        )

    # --- games ------------------------------------------------------------------------------

    def _games(self) -> list[_MergedColumn]:
        """The games of the match, each put together."""
        found: list[_MergedColumn] = []
        running: Score | None = None
        turned_on: frozenset[int] = frozenset()
        last = [
            max((at for at, column in enumerate(self.columns) if column[which] is not None), default=-1)
            for which in range(len(self.matches))
        ]
        for at, column in enumerate(self.columns):
            following = self._following(at)
            score, options, decision = self._score(column, running, is_first=not found)
            games, turned_on = self._games_of(column, score, turned_on)
            ends = frozenset(which for which, each in enumerate(last) if each <= at)
            done = GameMerger(self.match, games, ends, score, following, self.prefer).done()
            lacking = self._lacking(at)
            why = self._belongs(at, done, running, score, following)
            if why is None:
                self._left_out(column, done, lacking)
                continue
            found.append(_MergedColumn(column, done, lacking, why, turned_on))
            self.scores.append((options, decision))
            running = _after(done.replay, running, score, following)
        return found

    def _games_of(
        self, column: Column, score: Score | None, before: frozenset[int]
    ) -> tuple[list[Game | None], frozenset[int]]:
        """A game in each record, and the records whose score line has the names in each other's place.

        Such a record gives each player the other's points, or did so in the game before where the score is level now;
        and its rolls and plays agree with the other records only if its players are exchanged.

        Args:
            column: which game of each record it is.
            score: what is taken for the score.
            before: the records that had the names so in the game before.
        """
        games = [
            None if place is None else match.games[place] for match, place in zip(self.matches, column, strict=True)
        ]
        sheets = [None if game is None else GameTokens(game) for game in games]
        doubted = {
            which
            for which, game in enumerate(games)
            if game is not None and game.score is not None and score is not None and game.score == score[::-1]
            and (game.score != score or which in before)
        }  # fmt: skip
        found = set()
        others = [sheet for which, sheet in enumerate(sheets) if sheet is not None and which not in doubted]
        for which in sorted(doubted):
            sheet, game = sheets[which], games[which]
            if sheet is not None and game is not None and others and is_exchanged(others[:1], [sheet], _NAMELESS):
                games[which] = replace(turned_game(game), score=game.score)
                found.add(which)
        return games, frozenset(found)

    def _lacking(self, at: int, *, ended: bool = False) -> tuple[int, ...]:
        """The records that lack a game and have games before it and after it; with ``ended``, none after it."""
        return tuple(
            which
            for which, place in enumerate(self.columns[at])
            if place is None
            and self._has(which, self.columns[:at])
            and self._has(which, self.columns[at + 1 :]) != ended
        )

    @staticmethod
    def _has(which: int, columns: Iterable[Column]) -> bool:
        return any(column[which] is not None for column in columns)

    def _belongs(
        self, at: int, done: MergedGame, running: Score | None, score: Score | None, following: frozenset[Score]
    ) -> Why | None:
        """Why a game is one of the match; None where it is not."""
        lacking, over = self._lacking(at), self._lacking(at, ended=True)
        if not lacking and not over:
            return "all"
        if running is not None and self._is_over(running) and any(map(self._ends_the_match, over)):
            return None
        if not lacking:
            # A record that ends before this game says nothing against it. But it may repeat the game before it.
            return None if at and self._is_again(at) else "all"
        fits = (running is None or score is None or score == running) and (
            not following or done.replay.score_after in following
        )
        without = not following or running is None or running in following
        if fits != without:
            return "rules" if fits else None
        return "most" if sum(place is not None for place in self.columns[at]) > len(lacking) else "only"

    def _is_over(self, score: Score) -> bool:
        return 0 < (self.match.length or 0) <= max(score)

    def _ends_the_match(self, which: int) -> bool:
        """Whether the match is over after the last game of a record, by that record alone."""
        return self._is_over(replay_plainly(self.matches[which])[-1].score_after)

    def _is_again(self, at: int) -> bool:
        """Whether a game repeats the rolls and plays of the game before it, in every record that has both."""
        both = [
            [GameTokens(match.games[column[which]]) for column in self.columns[at - 1 : at + 1]]  # type: ignore[index]
            for which, match in enumerate(self.matches)
            if self.columns[at][which] is not None and self.columns[at - 1][which] is not None
        ]
        return bool(both) and all(one.tokens and likeness(one, two) > MOVED for one, two in both)

    def _following(self, at: int) -> frozenset[Score]:
        """The score that most records state after a game; several where equally many state each."""
        if at + 1 >= len(self.columns):
            return frozenset()
        stated = Counter(
            score
            for match, place in zip(self.matches, self.columns[at + 1], strict=True)
            if place is not None and (score := match.games[place].score) is not None
        )
        most = max(stated.values(), default=0)
        return frozenset(score for score, count in stated.items() if count == most)

    def _score(
        self, column: Column, running: Score | None, *, is_first: bool
    ) -> tuple[Score | None, tuple[StatedOption, ...], MergeDecision | None]:
        """The score before a game: the one that adds up, else the one that most records state."""
        stated: dict[Score, list[int]] = {}
        for which, (match, place) in enumerate(zip(self.matches, column, strict=True)):
            if place is not None and (score := match.games[place].score) is not None:
                stated.setdefault(score, []).append(which)
        options = tuple(
            StatedOption(tuple(records), len(records), score)
            for score, records in sorted(stated.items(), key=lambda each: (-len(each[1]), each[1]))
        )
        if not options:
            return running if not is_first else None, (), None
        if len(options) == 1:
            return options[0].says, options, MergeDecision(0, "all" if len(options[0].records) > 1 else "only")
        for number, option in enumerate(options):
            if option.says == running or (is_first and option.says == (0, 0)):
                return option.says, options, MergeDecision(number, "rules")
        if options[0].votes > options[1].votes:
            return options[0].says, options, MergeDecision(0, "most")
        preferred = next((at for at, option in enumerate(options) if self.prefer in option.records), None)
        if preferred is not None:
            return options[preferred].says, options, MergeDecision(preferred, "preferred")
        return options[0].says, options, MergeDecision(0, "undecided")

    def _numbered(self, columns: Sequence[_MergedColumn]) -> Iterable[Game]:
        """The games with their numbers: the next one, or what most records give where that is higher."""
        before = 0
        for column in columns:
            stated = Counter(
                number
                for match, place in zip(self.matches, column.column, strict=True)
                if place is not None and (number := match.games[place].number) is not None
            )
            most = [number for number, count in stated.items() if count == max(stated.values())]
            number = before + 1 if not most or before + 1 in most or max(most) <= before else min(
                each for each in most if each > before
            )  # fmt: skip
            before = number
            yield placeless(replace(column.done.game, number=number if stated else None))

    # --- facts ------------------------------------------------------------------------------

    def _facts_of(self, number: int, column: _MergedColumn, replayed: GameReplay) -> None:
        """What a merged game says, and who says so."""
        game = number + 1
        holders = tuple(which for which, place in enumerate(column.column) if place is not None)
        if column.lacking:
            told = f"the game at {replayed.score[0]}-{replayed.score[1]}"
            taken = Statement(told, holders, self._headings(column.column, holders))
            self.facts.append(
                Fact(
                    "game",
                    "a game",
                    column.why,
                    taken,
                    (Statement("", column.lacking, (None,) * len(column.lacking)),),
                    game,
                )
            )
        self._score_fact(game, column, *self.scores[number])
        if column.has_names_swapped:
            straight, across = (
                tuple(which for which in holders if (which in column.has_names_swapped) is exchanged)
                for exchanged in (False, True)
            )
            names = self.match.players
            spelled = [
                Statement(" - ".join(each), some, self._headings(column.column, some))
                for each, some in ((names, straight), (names[::-1], across))
            ]
            self.facts.append(Fact("score", "the names on the score line", "rules", spelled[0], (spelled[1],), game))
        self._entry_facts(game, column, replayed)
        self._result_fact(game, column, replayed)

    def _score_fact(
        self, game: int, column: _MergedColumn, options: tuple[StatedOption, ...], decision: MergeDecision | None
    ) -> None:
        if decision is None:
            return
        says = [
            Statement(
                f"{option.says[0]}-{option.says[1]}",
                option.records,
                tuple(
                    location_in(self.matches[which], self._score_span(which, column.column)) for which in option.records
                ),
            )
            for option in options
        ]
        taken = says.pop(decision.option)
        self.facts.append(Fact("score", "the score before the game", decision.why, taken, tuple(says), game))

    def _score_span(self, which: int, column: Column) -> Span:
        place = column[which]
        assert place is not None
        game = self.matches[which].games[place]
        return game.score_span if game.score_span != NOWHERE else game.heading

    def _entry_facts(self, game: int, column: _MergedColumn, replayed: GameReplay) -> None:
        turns = {turn.index: turn for turn in replayed.turns}
        entry, upcoming, rows = 0, 1, replayed.rows or (1,)
        for spot, decision in zip(column.done.spots, column.done.decisions, strict=True):
            option = spot.options[decision.option]
            is_there = option.says is not None
            turn = turns.get(entry) if is_there else None
            before = turns[entry].position if len(spot.options) > 1 and entry in turns else None
            entry += is_there
            rivals = [each for each in spot.options if each is not option]
            shown = next(each.says for each in (option, *rivals) if each.says is not None)
            kind: FactKind = "play" if isinstance(shown, CheckerPlay | SetBoard) else "cube"
            kind = "result" if isinstance(shown, Resign) else kind
            self.facts.append(
                Fact(
                    kind,
                    "",
                    decision.why,
                    self._statement(spot.column, column.column, option, replayed, entry - is_there, shown=bool(rivals)),
                    tuple(
                        self._statement(spot.column, column.column, each, replayed, entry - is_there, shown=True)
                        for each in rivals
                    ),
                    game,
                    upcoming if turn is None else turn.number,
                    rows[min(entry - is_there, len(rows) - 1)],
                    entry if is_there else None,
                    shown.player,
                    before,
                )
            )
            if turn is not None:
                upcoming = turn.number + isinstance(turn.entry, CheckerPlay)

    def _statement(
        self, column: Column, games: Column, option: StatedOption, replayed: GameReplay, at: int, *, shown: bool
    ) -> Statement:
        """What some records say in a place of a game."""
        where: list[Location | None] = []
        for which in option.records:
            game, place = games[which], column[which]
            if game is None or place is None:
                where.append(None)
            else:
                where.append(location_in(self.matches[which], self.matches[which].games[game].entries[place].span))
        if option.says is None:
            return Statement("", option.records, tuple(where))
        after = self._after(replayed, option.says, at) if shown else None
        return Statement(entry_words(option.says), option.records, tuple(where), after)

    def _after(self, replayed: GameReplay, entry: Entry, at: int) -> Position | None:
        """The position after a play that takes the place of a game's entry; None where it is not a legal play."""
        entries = (*replayed.game.entries[:at], replace(entry, row=None, annotation=None))
        alone = replace(self.match, games=(replace(replayed.game, entries=entries, results=()),))
        turn = replay_plainly(alone)[0].turns[-1]
        if not turn.is_legal or turn.index != at or not isinstance(entry, CheckerPlay):
            return None
        return replace(turn.position, board=turn.after)

    def _result_fact(self, game: int, column: _MergedColumn, replayed: GameReplay) -> None:
        decision = column.done.result
        if decision is None:
            return
        says = []
        for option in column.done.results:
            told = outcome(replace(replayed, claim=next((each for each in option.says if each.won), option.says[0])))
            where = []
            for which in option.records:
                place = column.column[which]
                claims = () if place is None else self.matches[which].games[place].results
                where.append(location_in(self.matches[which], claims[0].span if claims else NOWHERE))
            says.append(Statement(points_said(told, self.match.players), option.records, tuple(where)))
        taken = says.pop(decision.option)
        self.facts.append(Fact("result", "the result", decision.why, taken, tuple(says), game))

    def _left_out(self, column: Column, done: MergedGame, lacking: tuple[int, ...]) -> None:
        """Note a game that is not one of the match."""
        holders = tuple(which for which, place in enumerate(column) if place is not None)
        told = f"a game at {done.replay.score[0]}-{done.replay.score[1]}, {len(done.game.entries)} entries"
        others = (Statement(told, holders, self._headings(column, holders)),)
        self.facts.append(Fact("game", "no game", "rules", Statement("", lacking, (None,) * len(lacking)), others))

    def _headings(self, column: Column, holders: Iterable[int]) -> tuple[Location | None, ...]:
        return tuple(
            location_in(self.matches[which], self.matches[which].games[place].heading)
            for which in holders
            if (place := column[which]) is not None
        )


def _after(game: GameReplay, running: Score | None, score: Score | None, following: frozenset[Score]) -> Score | None:
    """The score after a game; None where it cannot be known.

    Args:
        game: the game on the board.
        running: the score before it by the results of the games before.
        score: the score before it that is taken.
        following: the scores that the records state after it.
    """
    if score is None or game.winner is None:
        return None
    if running is None or running == score or game.score_after in following:
        return game.score_after
    won = [after - before for after, before in zip(game.score_after, game.score, strict=True)]
    return running[0] + won[0], running[1] + won[1]
