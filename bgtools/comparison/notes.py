"""Merging remarks and analyses: each is taken from every record that has it, and goes to the entry it belongs to."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison.entries import location_in
from bgtools.comparison.heading import first_extras
from bgtools.comparison.merged import Fact, Statement
from bgtools.record.annotation import Annotation
from bgtools.record.record import Comment, places_of_comments
from bgtools.replayer.match import replay_plainly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.columns import Column
    from bgtools.comparison.game_merging import MergedGame
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Span


class MergedNotes:
    """Remarks and analyses of several records.

    Attributes:
        left_out: how many analyses were not taken, because they value another position than that of the merged match.
    """

    def __init__(self, matches: Sequence[Match]) -> None:
        """Take remarks and analyses from records that have their players in one order."""
        self.matches = matches
        self.left_out = 0
        self._replays: dict[int, tuple[GameReplay, ...]] = {}

    def added(
        self, number: int, game: Game, games: Column, done: MergedGame, replayed: GameReplay
    ) -> tuple[Game, list[Fact]]:
        """A merged game with its remarks and analyses, and a fact for each that was added.

        Args:
            number: of the game in the match, from 1.
            game: the game.
            games: which game of each record it is.
            done: how it was put together.
            replayed: the game on the board.
        """
        facts: list[Fact] = []
        entries = list(game.entries)
        turns = {turn.index: turn for turn in replayed.turns}
        at = 0
        for spot, option in zip(done.spots, done.taken, strict=True):
            if option.says is None:
                continue
            turn = turns.get(at)
            notes = [
                (which, note)
                for which in option.records
                if turn is not None and (note := self._note(which, games, spot.column, turn))
            ]
            if turn is not None and notes:
                entries[at] = replace(entries[at], annotation=_joined([note for _, note in notes]))
                records = tuple(which for which, _ in notes)
                places = tuple(
                    location_in(self.matches[each], self._span(each, games, spot.column)) for each in records
                )
                why: Any = "all" if len(records) > 1 else "only"
                taken = Statement(_in_words([note for _, note in notes]), records, places)
                facts.append(Fact("analysis", "an analysis", why, taken, (), number, turn.number, at + 1, turn.player))
            at += 1
        comments, told = self._comments(number, games, done, replayed)
        extras = first_extras(
            match.games[place].extras for match, place in zip(self.matches, games, strict=True) if place is not None
        )
        return replace(game, entries=tuple(entries), comments=comments, extras=extras), facts + told

    # --- analyses ---------------------------------------------------------------------------

    def _note(self, which: int, games: Column, column: Column, turn: Turn) -> Annotation | None:
        """A record's annotation of an entry; only its clock where the record leads to another position there."""
        game, place = games[which], column[which]
        if game is None or place is None:
            return None
        note = self.matches[which].games[game].entries[place].annotation
        if note is None:
            return None
        if which not in self._replays:
            # An analysis values the position to which its own record leads, as that record is written.
            self._replays[which] = replay_plainly(self.matches[which])
        own = next((each for each in self._replays[which][game].turns if each.index == place), None)
        if (
            own is None
            or own.before != turn.before
            or own.state.cube != turn.state.cube
            or own.state.score != turn.state.score
        ):
            clock = None if note.clock is None else Annotation(clock=note.clock)
            self.left_out += note != clock
            return clock
        return note

    def _span(self, which: int, games: Column, column: Column) -> Span:
        game, place = games[which], column[which]
        assert game is not None
        assert place is not None
        return self.matches[which].games[game].entries[place].span

    # --- remarks ----------------------------------------------------------------------------

    def _comments(
        self, number: int, games: Column, done: MergedGame, replayed: GameReplay
    ) -> tuple[tuple[Comment, ...], list[Fact]]:
        found: dict[tuple[int, str], list[tuple[int, Comment]]] = {}
        for which, game in enumerate(games):
            if game is not None:
                for at, comment in self._remarks(which, game, done):
                    text = " ".join(comment.text.split())
                    # One format may put a remark behind a roll, and another one before it.
                    near = next((key for key in found if key[1] == text and abs(key[0] - at) <= _NEAR), (at, text))
                    found.setdefault(near, []).append((which, comment))
        turns = {turn.index: turn for turn in replayed.turns}
        comments, facts = [], []
        for (at, text), told in sorted(found.items(), key=lambda each: each[0][0]):
            records = tuple(dict.fromkeys(which for which, _ in told))
            places = tuple(
                location_in(self.matches[each], next(comment.span for which, comment in told if which == each))
                for each in records
            )
            comments.append(Comment(text=told[0][1].text, at=at))
            turn, row = (turns[at - 1].number, replayed.rows[at - 1]) if at - 1 in turns else (None, None)
            why: Any = "all" if len(records) > 1 else "only"
            facts.append(
                Fact("comment", "a comment", why, Statement(text, records, places), (), number, turn, row, at or None)
            )
        return tuple(comments), facts

    def _remarks(self, which: int, game: int, done: MergedGame) -> Iterator[tuple[int, Comment]]:
        """The remarks of a record, each with the number of entries before it in the merged game."""
        own = self.matches[which].games[game]
        for before, comment in zip(places_of_comments(own), own.comments, strict=True):
            at = kept = 0
            for spot, option in zip(done.spots, done.taken, strict=True):
                kept += option.says is not None
                place = spot.column[which]
                if place is not None and place < before:
                    at = kept
            yield at, comment


_NEAR = 2
_ANALYSES: Final = ("plays", "cube")
"""The fields of an annotation that hold an analysis."""


def _joined(notes: Sequence[Annotation]) -> Annotation:
    """Several annotations of one entry made one: what the first leaves open comes from the next that has it.

    A second analysis of the same decision is beside the first.
    """
    return reduce(_completed, notes)


def _completed(first: Annotation, note: Annotation) -> Annotation:
    """An annotation with what another one adds to it."""
    told: dict[str, Any] = {
        name: getattr(note, name)
        for name in (*_ANALYSES, "luck", "mark", "cube_mark", "luck_mark", "clock")
        if getattr(first, name) is None and getattr(note, name) is not None
    }
    others = first.others
    if _is_another_analysis(first, note):
        other = Annotation(program=note.program, plays=note.plays, cube=note.cube)
        told = {name: value for name, value in told.items() if name not in _ANALYSES}
        others += (other,) if other not in others else ()
    elif not told.keys().isdisjoint(_ANALYSES):
        told["program"] = first.program or note.program
    told["others"] = (*others, *(each for each in note.others if each not in others))
    known = {key for key, _ in first.extras}
    told["extras"] = (*first.extras, *(each for each in note.extras if each[0] not in known))
    return replace(first, **told)


def _is_another_analysis(first: Annotation, note: Annotation) -> bool:
    """Whether an analysis cannot complete the first: it values the same differently, or another program made it."""
    values = [(getattr(first, name), getattr(note, name)) for name in _ANALYSES]
    if any(there is not None and here is not None and here != there for here, there in values):
        return True
    adds = any(there is not None and here is None for here, there in values)
    return adds and bool(first.plays or first.cube) and first.program != note.program


def _in_words(notes: Sequence[Annotation]) -> str:
    """What an annotation holds."""
    parts = []
    if any(note.plays is not None for note in notes):
        parts.append("plays")
    if any(note.cube is not None for note in notes):
        parts.append("cube")
    if any(note.luck is not None for note in notes):
        parts.append("luck")
    if any(note.mark or note.cube_mark or note.luck_mark for note in notes):
        parts.append("marks")
    if any(note.clock for note in notes):
        parts.append("clocks")
    if any(note.extras for note in notes):
        parts.append("what only its own format has")
    programs = sorted({note.program for note in notes if note.program})
    told = ", ".join(parts) or "nothing"
    return f"{told} by {' and '.join(programs)}" if programs else told
