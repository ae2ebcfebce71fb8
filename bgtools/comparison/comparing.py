"""Comparing two records of one match: a slip is one difference, and what follows from the slip is not reported."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bgtools.comparison.alignment import align
from bgtools.comparison.analyses import analyses_apart
from bgtools.comparison.deciding import Supporter
from bgtools.comparison.difference import Comparison, Difference, Side
from bgtools.comparison.entries import all_said, location_in, swap_players
from bgtools.comparison.facts import clocks_apart, comments_apart, header_apart, outcome, points_said, states
from bgtools.comparison.pairing import GameTokens, end_of_both, grouped, is_exchanged, pair_games
from bgtools.comparison.stretches import find_stretches
from bgtools.comparison.tokens import GAP, ROLL, unlikeness
from bgtools.decoder.entries import in_own_numbering
from bgtools.record.record import NOWHERE, AutomaticDouble, Beaver, CheckerPlay, Double
from bgtools.replayer.match import replay, replay_plainly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.difference import Kind, Supported
    from bgtools.comparison.pairing import Group
    from bgtools.comparison.stretches import Stretch
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Span

TOLERANCE: Final = 0.005
"""How far the equities of two analyses may be apart, in points (EMG)."""
_Entries = tuple[int, int]


def compare(a: Match, b: Match, *, analysis: bool = False, tolerance: float = TOLERANCE) -> Comparison:
    """Compare two records of one match, in any two formats.

    Args:
        a: a record.
        b: another.
        analysis: whether the analyses that they hold are compared as well.
        tolerance: how far the equities of two analyses may be apart, in points (EMG).
    """
    return _ComparedMatches(a, b, tolerance if analysis else None).result()


def _plain(match: Match) -> Match:
    """The match with each play in its player's own numbering, and rules that say so."""
    own = in_own_numbering(match)
    return replace(own, rules=replace(own.rules, fixed=False))


class _ComparedMatches:
    """Two records while they are compared."""

    def __init__(self, a: Match, b: Match, tolerance: float | None) -> None:
        self.a = _plain(a)
        self.b = _plain(b)
        self.tolerance = tolerance
        self.one = [GameTokens(game) for game in self.a.games]
        self.two = [GameTokens(game) for game in self.b.games]
        self.exchanged = is_exchanged(self.one, self.two, (a.players, b.players))
        if self.exchanged:
            self.b = swap_players(self.b)
            self.two = [GameTokens(game) for game in self.b.games]
        self.games = pair_games(self.one, self.two)
        self.aligned = {
            (i, j): align(self.one[i].tokens, self.two[j].tokens, unlikeness, GAP)
            for i, j in self.games
            if i is not None and j is not None
        }
        self.found: list[Difference] = []
        self.valued = [0, 0, 0]
        self._alone: dict[tuple[int, int], GameReplay] = {}

    @cached_property
    def replays(self) -> tuple[tuple[GameReplay, ...], tuple[GameReplay, ...]]:
        """Both records on the board, replayed only where the comparison needs a board."""
        return replay(self.a), replay(self.b)

    def _replayed(self, which: int, number: int) -> GameReplay:
        """A game on the board.

        A game with a known score is replayed alone: reading slips in the other games would take most of the time.
        """
        match = (self.a, self.b)[which]
        game = match.games[number]
        if game.score is None:
            return self.replays[which][number]
        if (which, number) not in self._alone:
            self._alone[which, number] = replay(replace(match, games=(game,)))[0]
        return self._alone[which, number]

    def _is_sound(self, which: int, number: int) -> bool:
        """Whether every entry of a game is legal as it is written."""
        match = (self.a, self.b)[which]
        return replay_plainly(replace(match, games=(match.games[number],)))[0].is_sound

    def result(self) -> Comparison:
        """The comparison, with every difference."""
        same = sum(
            self.one[i].tokens[x] == self.two[j].tokens[y]
            for (i, j), pairs in self.aligned.items()
            for x, y in pairs
            if x is not None and y is not None
        )
        of = min(sum(len(sheet.tokens) for sheet in sheets) for sheets in (self.one, self.two))
        entries = {
            (i, j): tuple(
                (
                    None if x is None else self.one[i].entry_numbers[x],
                    None if y is None else self.two[j].entry_numbers[y],
                )
                for x, y in pairs
            )
            for (i, j), pairs in self.aligned.items()
        }
        comparison = Comparison(self.a, self.b, self.exchanged, tuple(self.games), entries, same, of)
        if not comparison.is_one_match:
            message = f"these are not records of one match: {same} of {of} entries agree"
            names = [f"{one} - {two}" for one, two in (self.a.players, self.b.players)]
            apart = Difference("match", message, Side(names[0]), Side(names[1]))
            return replace(comparison, differences=(apart,))
        self._header()
        self._matched_games()
        valued = None if self.tolerance is None else (self.valued[0], self.valued[1], self.valued[2])
        return replace(comparison, differences=tuple(self.found), valued=valued)

    # --- the match --------------------------------------------------------------------------

    def _header(self) -> None:
        for kind, message, says, spans, supported in header_apart(self.a, self.b):
            sides = [
                Side(text, span=span, location=location_in(match, span))
                for match, text, span in zip((self.a, self.b), says, spans, strict=True)
            ]
            self.found.append(Difference(kind, message, sides[0], sides[1], supported=supported))

    def _matched_games(self) -> None:
        end = end_of_both(self.games, self.aligned)
        was_exchanged = False
        for group in grouped(self.games, self.one, self.two, end):
            i, j = group.pairs[0]
            if i is None or j is None:
                self._lone_games(group)
            else:
                is_last = (i, j) == self.games[end - 1]
                was_exchanged = self._game(i, j, is_last=is_last, was_exchanged=was_exchanged)

    def _lone_games(self, group: Group) -> None:
        """Report games in a row that one record lacks, or has elsewhere."""
        pairs, is_moved = group.pairs, group.is_moved
        i, j = pairs[0]
        sheets = [self.one[i] if i is not None else self.two[j or 0] for i, j in pairs]
        game, match = sheets[0].game, self.a if i is not None else self.b
        here, there = ("a", "b") if i is not None else ("b", "a")
        these = "this game" if len(pairs) == 1 else f"these {len(pairs)} games"
        message = f"{here} has {these} in another place than {there}" if is_moved else f"{there} lacks {these}"
        score = "" if game.score is None else f"the game at {game.score[0]}-{game.score[1]}, "
        told = f"{score}{sum(len(sheet.tokens) for sheet in sheets)} entries"
        span = game.heading if game.heading != NOWHERE else _first_span(sheets[0])
        full = Side(told, game.number, span=span, location=location_in(match, span))
        sides = (full, Side("")) if i is not None else (Side(""), full)
        supported: Supported = "" if is_moved else self._without_game(i, j)
        self.found.append(Difference("game", message, *sides, supported=supported, games=(i, j)))

    def _without_game(self, i: int | None, j: int | None) -> Supported:
        """Which record the score lines support where one has a game that the other lacks."""
        which, number = (0, i) if i is not None else (1, j)
        assert number is not None
        own = self.replays[which]
        if own[number].is_copy or own[number].games_too_many:
            return "b" if which == 0 else "a"
        after = own[number + 1] if number + 1 < len(own) else None
        goes_on = after is None or after.added_up is None or after.game.score in (None, after.added_up)
        return ("a" if which == 0 else "b") if goes_on else ""

    # --- a game -----------------------------------------------------------------------------

    def _game(self, i: int, j: int, *, is_last: bool, was_exchanged: bool) -> bool:
        """Compare two games, and say whether the players stand in each other's place at the end.

        Args:
            i: the number of the game in the first record.
            j: its number in the second record.
            is_last: whether this is the last game that is compared.
            was_exchanged: whether the players stood in each other's place at the end of the game before.
        """
        one, two = self.one[i], self.two[j]
        pairs = self.aligned[i, j]
        stretches = find_stretches(one.tokens, two.tokens, pairs, lambda x, y: self._is_apart(i, j, x, y))
        last = stretches[-1].pairs if stretches else ()
        at_end = bool(last) and last[-1] == pairs[-1]
        exchanged = at_end and self._is_exchanged(i, j, last)
        self._score(i, j, either=exchanged)
        self._start(i, j)
        supporter = Supporter((self.a, self.b), (one, two))
        for stretch in stretches:
            whole = exchanged and len(stretch.pairs) == len(pairs)
            if not (whole and was_exchanged):
                self.found.append(self._difference(i, j, stretch, supporter))
        if not (at_end and None in last[-1] and (is_last or stretches[-1].kind == "turn")):
            self._result(i, j, either=exchanged)
        for message, says, at in comments_apart(self.a, self.b, one, two, pairs):
            self.found.append(self._spot("comment", message, (i, j), at, says))
        for message, says, at in clocks_apart(one, two, pairs):
            self.found.append(self._spot("clock", message, (i, j), at, says))
        if self.tolerance is not None:
            replays = self.replays[0][i], self.replays[1][j]
            for message, says, at in analyses_apart(replays, one, two, pairs, self.tolerance, self.valued):
                self.found.append(self._spot("analysis", message, (i, j), at, says))
        return exchanged

    def _is_exchanged(self, i: int, j: int, pairs: Sequence[Pair]) -> bool:
        """Whether some entry of one record is the other player's in the other record."""
        one, two = self.one[i].tokens, self.two[j].tokens
        return any(x is not None and y is not None and one[x].player != two[y].player for x, y in pairs)

    def _start(self, i: int, j: int) -> None:
        """The positions that two games begin from."""
        games = self.one[i].game, self.two[j].game
        if games[0].start == games[1].start or not all(states(match, "start") for match in (self.a, self.b)):
            return
        if None in (games[0].start, games[1].start) and all(
            game.start is None or game.start == match.rules.start
            for game, match in zip(games, (self.a, self.b), strict=True)
        ):
            return
        sides = [
            Side("the usual start" if game.start is None else repr(game.start), game.number, span=game.heading,
                 location=location_in(match, game.heading))
            for match, game in zip((self.a, self.b), games, strict=True)
        ]  # fmt: skip
        message = "the position that the game begins from"
        self.found.append(Difference("game", message, sides[0], sides[1], games=(i, j)))

    def _score(self, i: int, j: int, *, either: bool) -> None:
        """The scores before two games; ``either`` where the players may stand in each other's place."""
        games = self.one[i].game, self.two[j].game
        if games[0].score is None or games[1].score is None or games[0].score == games[1].score:
            return
        if either and games[0].score == games[1].score[::-1]:
            return
        added = [replays[number].added_up for replays, number in zip(self.replays, (i, j), strict=True)]
        right = [game.score == sum_ for game, sum_ in zip(games, added, strict=True)]
        sides = [
            Side(
                f"{game.score[0]}-{game.score[1]}" if game.score else "",
                game.number,
                span=span,
                location=location_in(match, span),
            )
            for match, game in zip((self.a, self.b), games, strict=True)
            for span in [game.score_span if game.score_span != NOWHERE else game.heading]
        ]
        supported: Supported = "" if right[0] == right[1] else "a" if right[0] else "b"
        self.found.append(
            Difference("score", "the score before the game", sides[0], sides[1], supported=supported, games=(i, j))
        )

    def _result(self, i: int, j: int, *, either: bool) -> None:
        """The results of two games; ``either`` where the players may stand in each other's place."""
        stated = [
            [(claim.player, claim.won, claim.points, claim.column_speaks) for claim in game.results]
            for game in (self.one[i].game, self.two[j].game)
        ]
        if stated[0] and stated[0] == stated[1]:
            return
        replays = self.replays[0][i], self.replays[1][j]
        told = [outcome(each) for each in replays]
        if told[0] == told[1] or (either and told[0][1] == told[1][1]):
            return
        sides = []
        for match, each, result in zip((self.a, self.b), replays, told, strict=True):
            span = each.claim.span if each.claim is not None else None
            sides.append(
                Side(
                    points_said(result, self.a.players), each.game.number, span=span, location=location_in(match, span)
                )
            )
        earned = {(each.winner, each.earned) for each in replays if each.earned is not None}
        right = [len(earned) == 1 and each in earned for each in told]
        supported: Supported = "" if right[0] == right[1] else "a" if right[0] else "b"
        self.found.append(Difference("result", "the result", sides[0], sides[1], supported=supported, games=(i, j)))

    def _spot(self, kind: Kind, message: str, games: tuple[int, int], at: Pair, says: tuple[str, str]) -> Difference:
        """A difference in what is said about an entry: a remark, a clock, an analysis."""
        sides = [
            self._side(which, games[which], place, place, text)
            for which, (place, text) in enumerate(zip(at, says, strict=True))
        ]
        return Difference(kind, message, sides[0], sides[1], games=games)

    # --- entries ----------------------------------------------------------------------------

    def _is_apart(self, i: int, j: int, x: int, y: int) -> bool:
        """Whether two entries with equal tokens differ: one hits on its way, or states another value of the cube."""
        entries = self._entry(0, i, x), self._entry(1, j, y)
        values = [each.value for each in entries if isinstance(each, Double | Beaver | AutomaticDouble)]
        if len(values) == 2:
            return None not in values and values[0] != values[1]
        if self.one[i].tokens[x].what != ROLL or _hops(entries[0]) == _hops(entries[1]):
            return False
        turns = [
            self._replayed(which, number).turns[sheet.entry_numbers[place]]
            for which, (number, sheet, place) in enumerate(((i, self.one[i], x), (j, self.two[j], y)))
        ]
        plays = [turn.play for turn in turns]
        if plays[0] is None or plays[1] is None or turns[0].before != turns[1].before:
            return False
        return plays[0].result != plays[1].result

    def _difference(self, i: int, j: int, stretch: Stretch, supporter: Supporter) -> Difference:
        places = stretch.indexes(0), stretch.indexes(1)
        spans: list[_Entries] = []
        sides = []
        for which, (number, own) in enumerate(zip((i, j), places, strict=True)):
            sheet = (self.one, self.two)[which][number]
            entries = [sheet.game.entries[sheet.entry_numbers[place]] for place in own]
            at = own[0] if own else self._behind(i, j, stretch, which)
            sides.append(self._side(which, number, own[0] if own else None, at, all_said(entries, self.a.players)))
            spans.append(self._entries(sheet, own, at))
        shown = 0 if places[0] and (not places[1] or self._is_sound(0, i) or not self._is_sound(1, j)) else 1
        first = places[shown][0]
        replayed = self._replayed(shown, (i, j)[shown])
        turn = replayed.turns[(self.one[i], self.two[j])[shown].entry_numbers[first]]
        return Difference(
            stretch.kind,
            stretch.message((sides[0].says, sides[1].says)),
            sides[0],
            sides[1],
            player=turn.player,
            before=turn.position,
            supported=supporter.supported((spans[0], spans[1])),
            games=(i, j),
            entries=(spans[0], spans[1]),
        )

    def _behind(self, i: int, j: int, stretch: Stretch, which: int) -> int | None:
        """The place of the first entry after a stretch in a record that has nothing of the stretch; None at the end."""
        pairs = self.aligned[i, j]
        after = pairs.index(stretch.pairs[-1]) + 1
        return next((place for pair in pairs[after:] if (place := pair[which]) is not None), None)

    def _entries(self, sheet: GameTokens, own: Sequence[int], at: int | None) -> _Entries:
        """The entries of a stretch in one record: the number of the first, and of the one after the last."""
        if own:
            return sheet.entry_numbers[own[0]], sheet.entry_numbers[own[-1]] + 1
        start = len(sheet.game.entries) if at is None else sheet.entry_numbers[at]
        return start, start

    def _side(self, which: int, number: int, index: int | None, at: int | None, says: str) -> Side:
        """One record at a difference.

        Args:
            which: which record.
            number: the game in it.
            index: the place of the entry, None where it has none.
            at: the place of the entry that is shown: the same, or the next where it has none; None at the end.
            says: what the record says there.
        """
        sheet, match = (self.one, self.two)[which][number], (self.a, self.b)[which]
        span = None
        if at is not None:
            span = sheet.game.entries[sheet.entry_numbers[at]].span
        elif sheet.game.results:
            span = sheet.game.results[0].span
        elif sheet.game.entries:
            span = sheet.game.entries[-1].span
        turn, row, entry = None, None, None
        if index is not None:
            entry = sheet.entry_numbers[index] + 1
            turn = 1 + sum(token.what == ROLL for token in sheet.tokens[:index])
            row = self._replayed(which, number).rows[entry - 1]
        return Side(says, sheet.game.number, turn, row, entry, span, location_in(match, span))

    def _entry(self, which: int, number: int, index: int) -> Entry:
        sheet = (self.one, self.two)[which][number]
        return sheet.game.entries[sheet.entry_numbers[index]]


def _first_span(sheet: GameTokens) -> Span | None:
    return sheet.game.entries[0].span if sheet.game.entries else None


def _hops(entry: Entry) -> tuple[object, ...]:
    return tuple(sorted(entry.text.legs)) if isinstance(entry, CheckerPlay) else ()
