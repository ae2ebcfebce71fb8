"""Which games of an interpretation are sure, so that they may be put right unseen.

Bits alone do not make a reading sure: what was never tried has no bits. So some slips have a veto that no gap
outweighs. A safe fix takes no entry away, makes no play up, and leaves results, score lines and the header as they are,
unless a second witness says the same.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bgtools.board.hopping import are_dice
from bgtools.board.movement import find_play
from bgtools.decoder.lane import SupposedTurn, advance, run
from bgtools.decoder.slips import ROLLS, ROW, Candidates, distance, says
from bgtools.decoder.table import AGAINST_RULES, SLIPS
from bgtools.record.points import plus
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Take

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.decoder.course import CourseStep
    from bgtools.decoder.interpretation import Correction, Interpretation
    from bgtools.decoder.slips import Edit
    from bgtools.record.record import Entry, Game
    from bgtools.record.state import GameState

SURE: Final = 6.0
"""So many bits must lie between a reading and the next best one for it to be sure (see docs/decoding.md)."""
_RESULTS: Final = frozenset({"points", "winner", "winner points", "missing"})
_GO_ON: Final = frozenset({"names", "turned"})
"""What goes on from game to game, so that all of them are proved or none."""
_CERTAIN: Final = frozenset({"games exchanged", "game twice"})
_ORDERED: Final = 4.0
"""The same for games of which every entry stays, or stands a second time."""
_UNLIKE: Final = 10.0
"""The same where a play is unlike what is written: one before it may be as unlike, which could be as it stands."""
_MOST: Final = 3
"""A game with more slips than this is not sure, whatever each of them is."""
_FEW_TURNS: Final = 8
"""So many turns at the beginning may stand in the other column, as well as all that follow."""
_ALIKE: Final = 3.0
"""Another play with more slips of the pen is too unlike what is written: the roll may be wrong as well."""
_MUCH_ALIKE: Final = 1.75
"""The same where its player plays no more, so that nothing later goes with it."""
_NEAR: Final = 12
"""So many entries before a play a cell copied over another one may be what is wrong."""
_ACTIONS: Final = Double | Take | Drop | Beaver


def sure_games(interpretation: Interpretation) -> frozenset[int]:
    """The indexes of the games that may be put right unseen, -1 for the header.

    Args:
        interpretation: how a record is understood.
    """
    short = interpretation.course.effort.short  # what was not tried may be as good
    by_game: dict[int, list[Correction]] = {}
    for each in interpretation.corrections:
        by_game.setdefault(each.game, []).append(each)
    sure = {
        game
        for game, some in by_game.items()
        if game not in short
        and min(each.gap for each in some) >= (SURE if _CERTAIN.isdisjoint(each.slip for each in some) else _ORDERED)
        and (
            _is_header_sure(interpretation, some)
            if game < 0
            else _is_game_sure(interpretation, interpretation.numbers[game], some)
        )
    }
    if any(each.slip in _GO_ON and each.game not in sure for each in interpretation.corrections):
        sure -= {each.game for each in interpretation.corrections if each.slip in _GO_ON}
    return frozenset(sure)


def _is_game_sure(interpretation: Interpretation, number: int, some: Sequence[Correction]) -> bool:
    """Whether the slips of a game are proved, and no other reading of it comes near.

    Of several slips each is looked at by itself, as if the others were right: two together have too many rivals for all
    of them to be tried.
    """
    step, course = interpretation.steps[number], interpretation.course
    if not _GameWitnesses(interpretation, number).is_sure(some):
        return False
    if any(map(_is_unlike, step.reading.edits)) and min(each.gap for each in some) < _UNLIKE:
        return False
    if not course.is_alone(step, SURE):
        return False
    games = interpretation.with_one_slip(step) if len(step.reading.edits) > 1 else ()
    return all(course.is_alone(step, SURE, game=game, bits=bits) for game, bits in games)


def _is_header_sure(interpretation: Interpretation, some: Iterable[Correction]) -> bool:
    """Whether a wrong header is proved: games in each other's place, or a variation that all games are of."""
    (slip,) = {each.slip for each in some}
    return len(interpretation.corrections) == 1 and (
        slip == "games exchanged" or (slip == "variation" and interpretation.is_telling)
    )


class _GameWitnesses:
    """A game of an interpretation, and what bears witness to it."""

    def __init__(self, interpretation: Interpretation, number: int) -> None:
        self.interpretation, self.number, self.step = interpretation, number, interpretation.steps[number]
        self.game: Game = interpretation.read.games[self.step.index]
        self.terms = interpretation.course.terms_of(self.step)

    def is_sure(self, some: Iterable[Correction]) -> bool:
        """Whether its slips are proved, as far as that does not depend on other readings."""
        slips = {each.slip for each in some}
        if slips == {"game twice"}:
            return True
        edits = [edit for edit in self.step.reading.edits if edit.slip not in AGAINST_RULES]
        return (
            self.step.reading.whole
            and all(SLIPS[each].is_provable for each in slips if each in SLIPS)
            and len(edits) <= _MOST
            and not has_gap(self.game)
            and not ("score" in slips and self._may_be_exchanged())
            and all(map(self._is_proved, edits))
            and (not slips & {*_RESULTS, "score", "names"} or (self._is_confirmed and not any(map(_is_of_cube, edits))))
        )

    def _could_be(self, edit: Edit) -> bool:
        """Whether an entry that is changed could be as it is written, so that only what follows speaks against it."""
        return advance(self._before(edit), edit.old[0], self.terms, last=False) is not None

    def _before(self, edit: Edit) -> GameState:
        """The state before a slip."""
        return run(self.terms.start(self.game), self.step.reading.items[: edit.at], 0, self.terms)[1]

    @property
    def _is_confirmed(self) -> bool:
        """Whether the next score line is the sum of this game and the score before it."""
        reading, steps = self.step.reading, self.interpretation.steps
        if reading.winner is None or self.number + 1 >= len(steps):
            return False
        following: CourseStep = steps[self.number + 1]
        line = self.interpretation.read.games[following.index].score
        if line is not None and following.exchanged == "names":
            line = line[::-1]
        return line == plus(self.step.score, reading.winner, reading.points)

    def _may_be_exchanged(self) -> bool:
        """Whether the score line is right where the results of this game and the one before stand exchanged."""
        reading, line = self.step.reading, self.game.score
        if self.number == 0 or reading.winner is None:
            return False
        return line == plus(self.interpretation.steps[self.number - 1].score, reading.winner, reading.points)

    def _is_proved(self, edit: Edit) -> bool:
        """Whether the game proves a slip, as far as its sort can be proved at all."""
        old, at = edit.old, edit.at
        if _is_of_cube(edit):
            offered = edit.slip in ("column", "answers") and any(isinstance(each, Double) for each in old)
            return edit.slip != "twice" and not offered and self._is_cube_told(edit)
        match edit.slip:
            case "after the end":
                proved = len(old) == 1 and isinstance(old[0], CheckerPlay) and self._is_result_told()
            case "twice":
                proved = not self._may_follow(edit)
            case "column":
                proved = at > 0 and len(old) == 1  # at first a turn of the other player may be missing instead
            case "cells":
                proved = at > _FEW_TURNS  # both players' first turns fit in either column
            case "turned":  # a few turns before may be what is in the other column, or stand where they should
                proved = at > _FEW_TURNS or (self._is_winner_told() if at else not self._may_begin_later(edit))
            case "order":
                proved = False  # a dance near by may be what moved
            case "rows":
                # Another roll may be misread instead: the opening one, or one with which nothing could be played.
                moved = [one for one, two in zip(old, edit.put, strict=True) if one is not two]
                proved = at > 0 and len(old) <= 2 * ROW and all(map(_hops, moved))
            case "play" | "die":
                proved = self._is_play_proved(edit)
            case _:
                proved = True
        return proved

    def _is_play_proved(self, edit: Edit) -> bool:
        """Whether another play, or another roll, is proved."""
        (one,) = edit.old
        return (
            _is_legible(one)
            and not self._could_be(edit)
            and not (isinstance(one, CheckerPlay) and self._is_copied(one))
            and not has_copy(self.game.entries[max(edit.at - _NEAR, 0) : edit.at + 3])
            and (self._is_only_roll(edit) if edit.slip == "die" else self._is_alike(edit) or self._is_only_turn(edit))
        )

    def _is_only_roll(self, edit: Edit) -> bool:
        """Whether what is written could be played with no other roll at all: both dice may be misread."""
        (entry,), (turn,) = edit.old, edit.put
        assert isinstance(entry, CheckerPlay)
        assert isinstance(turn, SupposedTurn)
        board = self._before(edit).board(entry.player)
        return all(find_play(board, roll, entry.text.hops) is None for roll in ROLLS if {*roll} != {*turn.dice})

    def _is_alike(self, edit: Edit) -> bool:
        """Whether a play is like the one that is written, and what its player does later goes with it."""
        (one,), (two,) = edit.old, edit.put
        if not isinstance(one, CheckerPlay) or not isinstance(two, SupposedTurn):
            return True
        later = any(each.player == one.player and _hops(each) for each in self.step.reading.items[edit.at + 1 :])
        most = _ALIKE if later else _MUCH_ALIKE
        return distance(one, two.play) <= most and (bool(_hops(one)) or not _hops(two))

    def _is_only_turn(self, edit: Edit) -> bool:
        """Whether the game goes on as it is read only from this play, whatever else was rolled and played there."""
        reading, (entry,), (turn,) = self.step.reading, edit.old, edit.put
        if not isinstance(entry, CheckerPlay) or not isinstance(turn, SupposedTurn):
            return False
        at, items = edit.at, reading.items
        path: list[GameState] = []
        until = next((each.at for each in reading.edits if each.at > at), len(items))
        run(self.terms.start(self.game), items, 0, self.terms, path=path, stop=at)
        written = (*items[:at], entry, *items[at + 1 : until])
        some = Candidates(written, path, until, self.terms, self.interpretation.course.effort.sense, at)
        for each in some.other_turns(at, entry, "other cell"):
            (other,), after = each.put, each.after
            assert isinstance(other, SupposedTurn)
            assert after is not None
            if other.play.result != turn.play.result and run(after, items, at + 1, self.terms)[0] == len(items):
                return False
        return True

    def _may_follow(self, edit: Edit) -> bool:
        """Whether a turn that is taken out could be played there, if the other player had danced in between."""
        (turn,) = edit.old
        assert isinstance(turn, CheckerPlay)
        if turn.dice is None or not are_dice(turn.dice):
            return False
        return find_play(self._before(edit).board(turn.player), turn.dice, turn.text.hops) is not None

    def _may_begin_later(self, edit: Edit) -> bool:
        """Whether the first few of the turns that stand in the other column may as well stand where they should."""
        start = self.terms.start(self.game)
        ways = ((*edit.old[:at], *edit.put[at:]) for at in range(1, min(_FEW_TURNS, len(edit.old))))
        return any(run(start, items, 0, self.terms)[0] == len(items) for items in ways)

    def _is_cube_told(self, edit: Edit) -> bool:
        """Whether the result tells what happened to the cube.

        It states the points, and either no level has to be guessed, or no level gives them with the value that is
        written.
        """
        if not self._is_result_told():
            return False
        if self.interpretation.course.ends_by_itself(self.step):
            return True
        written = max((getattr(each, "value", None) or 0 for each in edit.old), default=0)
        return edit.slip == "value" and written > 0 and self.step.reading.points % written > 0

    def _is_winner_told(self) -> bool:
        """Whether the game was won by whom the result states, on the board or by a drop."""
        claims = [each for each in self.game.results if each.won and each.column_speaks]
        return bool(claims) and not self.step.reading.result and self.interpretation.course.ends_by_itself(self.step)

    def _is_result_told(self) -> bool:
        """Whether the result states just the points that the game is worth as it is read."""
        reading = self.step.reading
        claims = [each for each in self.game.results if each.won]
        return len(claims) == 1 and claims[0].points == reading.points and not reading.result

    def _is_copied(self, entry: Entry) -> bool:
        """Whether an entry stands a second time in the record: then roll and play may be wrong together."""
        content = says(entry)
        return sum(says(each) == content for game in self.interpretation.match.games for each in game.entries) > 1


def has_gap(game: Game) -> bool:
    """Whether the numbers of its rows show that one is missing."""
    rows = sorted({entry.row for entry in game.entries if entry.row is not None})
    return bool(rows) and (rows[0] > 1 or any(two > one + 1 for one, two in pairwise(rows)))


def has_copy(entries: Sequence[Entry]) -> bool:
    """Whether a player has the same roll and play twice running: one of them may be copied over what was there."""
    turns = [entry for entry in entries if isinstance(entry, CheckerPlay)]
    return any(one.text.hops and says(one) == says(two) for one, two in zip(turns, turns[2:], strict=False))


def _is_of_cube(edit: Edit) -> bool:
    """Whether an edit is about an action of the cube; not where all that follows only changes its column."""
    return edit.slip != "turned" and any(isinstance(each, _ACTIONS) for each in (*edit.old, *edit.put))


def _is_unlike(edit: Edit) -> bool:
    """Whether a play is put in that has little of what is written."""
    if edit.slip != "play" or not isinstance(edit.put[0], SupposedTurn):
        return False
    entry = edit.old[0]
    return isinstance(entry, CheckerPlay) and distance(entry, edit.put[0].play) > _MUCH_ALIKE


def _hops(item: object) -> int:
    """How many hops an entry has, or a turn that is supposed in its place."""
    text = getattr(item, "text", None)
    return len(text.hops if text is not None else getattr(getattr(item, "play", None), "hops", ()))


def _is_legible(entry: object) -> bool:
    """Whether roll and play of an entry can be read, so that not both have to be guessed."""
    if not isinstance(entry, CheckerPlay):
        return True
    is_read = entry.dice is not None and any(die in range(1, 7) for die in entry.dice)
    return is_read and entry.text.kind in ("moves", "nothing", "dance")
