"""Match texts with one slip in them, made from a seed, and the judge of what `bgtools.check` finds.

`KINDS` lists every kind of slip; `planted` makes some of each from sound matches, `judge` compares
the findings with the one that should be there. A slip that leaves a sound record is none: whether
it does is told by the rules (`bgtools.rules`) alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.dialects import JELLYFISH, Dialect
from slips import answers, cube, header, plays, rows, score, typos
from slips.core import Bench, Flavour, Slip, Source, sources, varied_sources
from slips.judge import Mended, Verdict, judge, mend, otherwise_in_json, untagged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Plant = Callable[[Bench], Iterator[Slip]]

FLAVOURS: Final[tuple[Flavour, ...]] = ("misread", "stood")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of slip: its name, how it is planted, the right codes, and the flavours it comes in."""

    name: str
    plant: Plant
    codes: frozenset[str]
    flavours: tuple[Flavour, ...] = ("misread",)
    varied: bool = False


def _kind(name: str, plant: Plant, codes: str, *, both: bool = False, varied: bool = False) -> Kind:
    flavours = FLAVOURS if both else FLAVOURS[:1]
    return Kind(name, plant, frozenset(f"BG{code}" for code in codes.split()), flavours, varied)


def _varied(name: str, plant: Plant, codes: str, *, both: bool = False) -> Kind:
    return _kind(name, plant, codes, both=both, varied=True)


_MOVEMENT: Final = "202 203 204 205 206 207 208 209 210 211 212 213"

KINDS: Final = (
    _kind("wrong die", plays.wrong_die, "203 205 207 209 210 211 213"),
    _kind("wrong number of pips", plays.wrong_number, "205", both=True),
    _kind("blocked point", plays.blocked_point, "203"),
    _kind("no checker there", plays.no_checker, "202"),
    _kind("bar ignored", plays.bar_ignored, "204", both=True),
    _kind("die left unplayed", plays.die_unplayed, "210", both=True),
    _kind("larger die not played", plays.larger_die, "211", both=True),
    _kind("dance claimed", plays.false_dance, "212", both=True),
    _kind("play on a dance", plays.play_on_dance, "203 204 213", both=True),
    _kind("bear-off too early", plays.too_early, "208", both=True),
    _kind("bear-off needs higher checker", plays.higher_checker, "209", both=True),
    _kind("backwards hop", plays.backwards, "202 206", both=True),
    _kind("five hops", plays.five_hops, "205 207", both=True),
    _kind("three hops", plays.three_hops, "205 207", both=True),
    _kind("die 0 or 7", plays.impossible_die, "201"),
    _kind("opening double", plays.opening_double, "214", both=True),
    _kind("turn missing", plays.turn_missing, "215 222 223", both=True),
    _kind("turn doubled", plays.turn_doubled, "215 216 221"),
    _kind("columns swapped", plays.columns_swapped, "202 203 204 205 206 208 209 210 211 212 213 215 222 223"),
    _kind("columns swapped from here", plays.columns_swapped_from_here, "215 222 223"),
    _kind("play after fifteen off", plays.after_the_end, "216"),
    _kind("double by not the owner", cube.not_your_cube, "301", both=True),
    _kind("double before the opening", cube.before_opening, "302", both=True),
    _kind("double after the roll", cube.after_roll, "304", both=True),
    _kind("double in the Crawford game", cube.in_crawford, "303", both=True),
    _kind("take without offer", cube.take_without_offer, "306"),
    _kind("offer without answer", cube.offer_without_answer, "305"),
    _kind("wrong cube value", cube.wrong_value, "307", both=True),
    _kind("beaver in a match", cube.beaver_in_match, "308", both=True),
    _kind("raccoon in a match", cube.raccoon_in_match, "308", both=True),
    _kind("beaver by the doubler", cube.beaver_by_doubler, "311"),
    _kind("Holland double too soon", cube.holland_too_soon, "310", both=True),
    _kind("wrong points: Jacoby", score.points_jacoby, "402", both=True),
    _kind("wrong points: gammon", score.points_gammon, "402", both=True),
    _kind("wrong points: backgammon", score.points_backgammon, "402", both=True),
    _kind("wrong points: cube", score.points_cube, "402", both=True),
    _kind("wrong score line", score.score_line, "401", both=True),
    _kind("wrong winner", score.wrong_winner, "403", both=True),
    _kind("game after the match", score.game_after_match, "404"),
    _kind("game missing", score.game_missing, "401 406"),
    _kind("garbage row", score.garbage_row, "101 102 103"),
    _kind("truncated file", score.truncated, "101 103 107 201 202 203 204 205 208 209 210 212 405"),
    _kind("set position", score.set_position, "108"),
    _varied("drop for take", answers.drop_for_take, "314"),
    _varied("take for drop", answers.take_for_drop, "314 402"),
    _varied("take and drop", answers.both_answers, "306"),
    _varied("answer twice", answers.answer_twice, "306"),
    _varied("answer in the wrong column", answers.answer_in_wrong_column, "306"),
    _varied("answer after the roll", answers.answer_after_roll, "305"),
    _varied("drop left out", answers.drop_left_out, "305"),
    _varied("double left out", answers.double_left_out, "306"),
    _varied("double in the wrong column", answers.double_in_wrong_column, "304 306"),
    _varied("double and take twice", answers.double_twice, "301 304 305 306 307"),
    _varied("value of any double", answers.value_of_any_double, "307"),
    _varied("value of a beaver", answers.value_of_beaver, "307"),
    _varied("beaver for take", answers.beaver_for_take, "314 402 307"),
    _varied("odd points", answers.odd_points, "402 408"),
    _varied("points of a resigned game", answers.resigned_points, "402"),
    _varied("winner of a resigned game", answers.resigned_by_the_winner, "403"),
    _varied("resigned gammon: Jacoby", answers.resigned_gammon, "402", both=True),
    _varied("result left out", score.result_left_out, "405"),
    _varied("score against the players", answers.score_against_the_players, "401", both=True),
    _varied("variation missing", header.variation_missing, "008"),
    _varied("variation false", header.variation_false, "008"),
    _varied("length wrong", header.length_wrong, "009"),
    _varied("money for a match", header.length_of_money, "009"),
    _varied("Crawford flag wrong", header.crawford_flag, "303"),
    _varied("names swapped", header.names_swapped, "010"),
    _varied("names and points swapped", header.names_and_points_swapped, "010"),
    _varied("names swapped from here", header.names_swapped_on, "010"),
    _varied("name misspelt", header.name_misspelt, "010"),
    _varied("game twice", header.game_twice, "413"),
    _varied("game missing between", header.game_missing_between, "401 406"),
    _varied("games exchanged", header.games_exchanged, "401 406"),
    _varied("game mirrored", header.game_mirrored, "222 223 403", both=True),
)
"""Every kind that shows where it stands or at once, in the order of the rules."""

LATER: Final = (
    _kind("first turn gone", rows.first_turn_gone, "215"),
    _kind("first turn gone, rest moved up", rows.first_turn_gone_and_moved_up, "215"),
    _kind("row gone", rows.row_gone, "215"),
    _kind("row gone with its number", rows.row_gone_with_its_number, "215"),
    _kind("first cell in the other column", rows.first_cell_in_the_other_column, "222"),
    _kind("rows exchanged", rows.rows_exchanged, "225"),
    _kind("rows exchanged with their numbers", rows.rows_exchanged_with_their_numbers, "225"),
    _kind("rows exchanged over one", rows.rows_exchanged_over_one, "225"),
    _kind("cells of a column exchanged", rows.cells_of_a_column_exchanged, "225"),
    _kind("rolls exchanged", rows.rolls_exchanged, "223"),
    _kind("game in the other columns", rows.game_in_the_other_columns, "223"),
    _kind("rest in the other columns", rows.rest_in_the_other_columns, "223"),
    _kind("rest but result in other columns", rows.rest_but_the_result_in_the_other_columns, "223"),
    _kind("other legal play", typos.other_legal_play, "226"),
    _kind("like legal play", typos.like_legal_play, "226"),
    _kind("late legal play", typos.late_legal_play, "226"),
    _kind("other roll and play", typos.other_roll_and_play, "226"),
    _kind("digit changed", typos.digit_changed, _MOVEMENT),
    _kind("digit left out", typos.digit_left_out, _MOVEMENT),
    _kind("neighbours exchanged", typos.neighbours_exchanged, _MOVEMENT),
    _kind("hop left out", typos.hop_left_out, _MOVEMENT),
    _kind("hop twice", typos.hop_twice, _MOVEMENT),
    _kind("other numbering", typos.other_numbering, _MOVEMENT),
    _kind("play of another turn", typos.play_of_another_turn, _MOVEMENT),
    _kind("bear-off unwritten", typos.bear_off_unwritten, "212"),
    _kind("word misspelt", typos.word_misspelt, "101"),
    _kind("letter in a play", typos.letter_in_a_play, "101"),
    _kind("letter in a roll", typos.letter_in_a_roll, "101"),
    _kind("letter in a result", typos.letter_in_a_result, "101"),
    _kind("letter in a score", typos.letter_in_a_score, "101"),
)
"""Kinds of the order of turns, of plays that are legal, and of the pen: most show only later, if at all."""

COPIED: Final = (
    _kind("cell of another game", typos.cell_of_another_game, f"{_MOVEMENT} 226"),
    _kind("cell of the row above", typos.cell_of_the_row_above, f"{_MOVEMENT} 226"),
    _kind("cell of the row below", typos.cell_of_the_row_below, f"{_MOVEMENT} 226"),
)
"""Kinds after which nothing tells the roll that was there: only of safe fixes is it asked that they are right."""


class Library:
    """Sound matches, made when they are first asked for."""

    def __init__(self, seed: int, limit: int = 120, make: Callable[[int], Iterator[Source]] = sources) -> None:
        self._coming = make(seed)
        self._made: list[Source] = []
        self.limit = limit

    def __iter__(self) -> Iterator[Source]:
        at = 0
        while at < self.limit:
            if at == len(self._made):
                self._made.extend(islice(self._coming, 1))
            yield self._made[at]
            at += 1


def planted(
    kind: Kind, flavour: Flavour, library: Library, *, seed: int = 0, each: int = 6, dialect: Dialect = JELLYFISH
) -> list[Slip]:
    """Up to ``each`` slips of a kind, from different matches and in both columns by turns."""
    found: list[Slip] = []
    for number, source in enumerate(library):
        for side in (0, 1) if number % 2 else (1, 0):
            wanted = 0 if sum(slip.side == 0 for slip in found) * 2 <= len(found) else 1
            if side != wanted:
                continue
            rng = random.Random(f"{seed} {kind.name} {flavour} {source.name} {side}")
            bench = Bench(kind.name, kind.codes, source, side, flavour, rng, dialect)
            found += islice(kind.plant(bench), 1)
            if len(found) == each:
                return found
    return found


def kind_named(name: str) -> Kind:
    """The kind of this name."""
    return next(kind for kind in (*KINDS, *LATER, *COPIED) if kind.name == name)


def plant_all(
    seed: int,
    each: int,
    kinds: Sequence[Kind] = KINDS,
    limit: int = 120,
    dialect: Dialect = JELLYFISH,
    variant: str = "backgammon",
) -> Iterator[tuple[Kind, Flavour, list[Slip]]]:
    """Some slips of every kind and flavour; of a variation other than backgammon all in matches of that."""
    plain, varied = Library(seed, limit, partial(sources, variant=variant)), Library(seed, limit, varied_sources)
    for kind in kinds:
        library = varied if kind.varied and variant == "backgammon" else plain
        for flavour in kind.flavours:
            yield kind, flavour, planted(kind, flavour, library, seed=seed, each=each, dialect=dialect)


__all__ = ["COPIED", "FLAVOURS", "KINDS", "LATER", "Flavour", "Kind", "Library", "Mended", "Slip", "Source", "Verdict",
           "judge", "kind_named", "mend", "otherwise_in_json", "plant_all", "planted", "untagged"]  # fmt: skip
