"""What of a match survives a format: the match without its layout, told turn by turn.

Two records of one match in different formats are written differently: other words, other columns,
hops joined or apart. `essence` takes out all that; `difference` compares what a format carries.
"""

from __future__ import annotations

from itertools import accumulate, takewhile
from math import isclose
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

from bgtools.board import Violation, resolve, steps, view
from bgtools.formats import OPTIONS, Feature, restates
from bgtools.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Take,
    is_position,
    places_of_comments,
)
from bgtools.replayer import OrderViolation, TurnFault, replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board import HopText
    from bgtools.formats import Carries
    from bgtools.record import CubeAnalysis, Evaluation, Game, Match
    from bgtools.replayer import GameReplay, Turn

Fact = tuple[str, Any]
"""A place in words, and what is told there."""

_ANSWERS: Final = (Beaver, Drop, Take)
_NO_TURN: Final = (*_ANSWERS, AutomaticDouble, SetBoard)
_RULE: Final = "rule"
_MONEY_ONLY: Final = frozenset({"jacoby", "beavers", "automatic_doubles"})
_MATCH_ONLY: Final = frozenset({"crawford"})
_UNTOLD: Final = (0.0, 0.0, 0.0, 0.0, 0.0)
_SHOWN: Final = 80
"""Characters of a value that a message shows."""
_TOLERANCE: Final = 0.0011
"""How far two figures of an analysis may be apart: formats keep three to six decimals."""


def difference(one: Sequence[Match], two: Sequence[Match], carries: Carries) -> str:
    """The first thing that tells some matches from others, in words; "" when there is none.

    Args:
        one: what was to be told.
        two: what is told.
        carries: what counts: only what a format has a place for is compared.
    """
    if len(one) != len(two):
        return f"{len(one)} matches became {len(two)}"
    for first, second in zip(one, two, strict=True):
        told, found = list(essence(first, carries)), list(essence(second, carries))
        for (place, wanted), (other_place, got) in zip(told, found, strict=False):
            if place != other_place:
                return f"{place} became {other_place}"
            if wanted is None and place.startswith(_RULE):
                continue  # what the record leaves open a format may have to decide
            if not _same(wanted, got):
                return f"{place}: {_apart(wanted, got)}"
        if len(told) != len(found):
            longer = max(told, found, key=len)[min(len(told), len(found))]
            return f"{longer[0]} is {'missing' if len(told) > len(found) else 'new'}"
    return ""


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return isclose(one, two, rel_tol=1e-4, abs_tol=_TOLERANCE)
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_same, one, two))
    return bool(one == two)


def _apart(one: Any, two: Any) -> str:
    """Where two values that are not the same part, in words."""
    while isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        one, two = next(pair for pair in zip(one, two, strict=True) if not _same(*pair))
    return f"{shorten(repr(one), _SHOWN)} became {shorten(repr(two), _SHOWN)}"


def essence(match: Match, carries: Carries) -> Iterator[Fact]:
    """What a match tells, as far as a format has a place for it."""
    if Feature.LENGTHS in carries:
        yield "length", match.length or 0
    if Feature.NAMES in carries:
        yield "players", tuple(" ".join(name.split()) for name in match.players)
    if Feature.RATINGS in carries:
        yield "ratings", match.ratings
    for option in OPTIONS:
        if carries.rule(option):
            applies = option not in _MONEY_ONLY | _MATCH_ONLY or (option in _MONEY_ONLY) == match.is_money
            value = getattr(match.rules, option) if applies else None
            yield f"{_RULE} {option}", value if carries.rule(option, match) else None
    told = (tag for tag in match.tags if carries.tag(tag.key) and not restates(tag, match))
    yield "tags", tuple(sorted({(tag.key.casefold(), _text(tag.value)) for tag in told}))
    if Feature.MATCH_COMMENTS in carries:
        # Several remarks are one to a format that has one field for them.
        yield "comments", _text(" ".join(comment.text for comment in match.comments))
    yield from (("extra", (tag.key, tag.value)) for tag in match.extras if carries.extra(tag.key))
    for game in replay(match):
        yield from _game(game, carries)


def _text(text: str) -> str:
    return " ".join(text.split())


def _game(game: GameReplay, carries: Carries) -> Iterator[Fact]:
    record = game.game
    place = f"game {game.index + 1}"
    if Feature.GAME_NUMBERS in carries:
        yield f"{place}, number", record.number if record.number is not None else game.index + 1
    if Feature.SCORES in carries:
        yield f"{place}, score", game.score
    if (
        Feature.START in carries
        and record.start is not None
        and (record.start != game.rules.start or record.start_owner is not None)
    ):
        yield f"{place}, start", record.start
        yield f"{place}, cube", (record.start_cube if record.start_owner is not None else 1, record.start_owner)
    if Feature.COMMENTS in carries:
        yield f"{place}, comments", _comments(record)
    yield from ((f"{place}, extra", (tag.key, tag.value)) for tag in record.extras if carries.extra(tag.key))
    number, at_rest = 0, is_position(record)
    for turn in game.turns:
        after_beaver = turn.index > 0 and isinstance(record.entries[turn.index - 1], Beaver)
        if _follows_a_gap(turn) and Feature.SET_BOARD in carries:
            # A turn is missing; a format that has the board in every turn says so by setting it.
            number += 1
            yield f"{place}, entry {number}", _set(turn)
        told = _turn(turn, carries, after_beaver=after_beaver, at_rest=at_rest)
        if told is not None:
            number += 1
            yield f"{place}, entry {number}", told
            yield from ((f"{place}, entry {number}, {name}", value) for name, value in _annotation(game, turn, carries))
    if Feature.RESIGNATIONS in carries and game.ending == "resigned":
        # Whether it is said in a word or by the result alone comes to the same.
        yield f"{place}, resigned", game.level if Feature.RESIGNATION_LEVELS in carries else None
    claim = game.claim if Feature.RESULTS in carries else None
    points = game.points if claim is None or claim.points is None else claim.points
    yield f"{place}, result", (game.winner, points)


def _comments(game: Game) -> tuple[tuple[int, str], ...]:
    # Several remarks at one place are one to a format that has one field for them, and so are those
    # on an offer and on its answer, or on a set board and what is before it, to one that has no record for them.
    turns = list(accumulate((not isinstance(entry, _NO_TURN) for entry in game.entries), initial=0))
    places: dict[int, str] = {}
    for at, comment in zip(places_of_comments(game), game.comments, strict=True):
        turn = turns[min(at, len(game.entries))]
        places[turn] = f"{places.get(turn, '')} {_text(comment.text)}".strip()
    return tuple(sorted(places.items()))


def _follows_a_gap(turn: Turn) -> bool:
    """Whether a turn is missing before this one, whatever that has done to the columns."""
    faults = {each.fault for each in turn.violations if isinstance(each, OrderViolation)}
    return turn.reading == "inserted" or TurnFault.MOVED_UP in faults


def _set(turn: Turn) -> tuple[Any, ...]:
    """The board before a turn, told as a record that sets it would."""
    cube = turn.state.cube
    return "set", turn.player, view(turn.before, turn.player), cube.value, cube.player(turn.player)


def _turn(turn: Turn, carries: Carries, *, after_beaver: bool, at_rest: bool) -> tuple[Any, ...] | None:
    entry = turn.entry
    match entry:
        case CheckerPlay(dice=dice, text=text):
            # Text formats write a roll that is not known as 00.
            rolled = None if dice in (None, (0, 0)) else tuple(sorted(dice))
            if at_rest:
                return "plays", entry.player, rolled, ""  # the position is told, whether or not there is a play in it
            if turn.play is not None:
                return "plays", entry.player, rolled, turn.play.result
            if text.kind == "moves":
                return "plays", entry.player, rolled, steps(text.hops)
            if text.kind == "unreadable" and Feature.UNREADABLE not in carries:
                return "plays", entry.player, rolled, "unknown"
            # Not playing although something could be played has many words.
            return "plays", entry.player, rolled, "" if text.kind in ("nothing", "dance") else text.kind
        case Double(value=value):
            claimed = 2 * turn.state.cube.value if value is None else value
            return "doubles", entry.player, claimed if Feature.CUBE_CLAIMS in carries else None
        case Beaver():
            return "raccoons" if entry.raccoon else "beavers", entry.player
        case AutomaticDouble():
            return ("automatic double",) if Feature.AUTOMATIC_DOUBLES in carries else None
        case Resign():
            return None
        case Take() if after_beaver:
            return None  # few write it: that the play goes on tells it
        case SetBoard():
            if Feature.SET_BOARD not in carries:
                return None
            return "set", entry.player, entry.position, entry.cube, entry.owner
    return type(entry).__name__, entry.player


def _annotation(game: GameReplay, turn: Turn, carries: Carries) -> Iterator[Fact]:
    cube, money = _cube_analysis(game, turn), turn.state.is_money
    if cube is not None and Feature.CUBE_ANALYSIS in carries and carries.cube(cube, money=money):
        taken = _evaluation(cube.double_take)
        if Feature.TAKE_CHANCES not in carries:
            taken = taken[1:]
        yield "cube", (_evaluation(cube.no_double), taken)
    note = turn.entry.annotation
    if note is None:
        return
    if note.plays is not None and Feature.PLAY_ANALYSIS in carries:
        kept = (each for each in note.plays.candidates[: carries.most_plays] if carries.play(each, money=money))
        # Which of them was played follows from the play.
        candidates = tuple((_board(turn, each.hops), _evaluation(each.evaluation)) for each in kept)
        if candidates:
            yield "plays", candidates
    if note.luck is not None and Feature.LUCK in carries:
        yield "luck", note.luck
    if Feature.MARKS in carries and (note.mark or note.cube_mark or note.luck_mark):
        yield "marks", (note.mark, note.cube_mark, note.luck_mark)
    yield from (("extra", each) for each in note.extras if carries.extra(each[0]))


def _board(turn: Turn, hops: tuple[HopText, ...]) -> Any:
    """What a play leads to, however it is written; its hops where it is not legal."""
    dice = getattr(turn.entry, "dice", None)
    found = None if dice is None else resolve(turn.before, dice, hops)
    return steps(hops) if found is None or isinstance(found, Violation) else found.result


def _cube_analysis(game: GameReplay, turn: Turn) -> CubeAnalysis | None:
    """The analysis of a cube decision, told once: an offer and its answers are valued by the same figures."""
    if isinstance(turn.entry, _ANSWERS):
        return None
    notes = [turn.entry.annotation]
    if isinstance(turn.entry, Double):
        following = (each.entry for each in game.turns[turn.index + 1 :])
        notes += [entry.annotation for entry in takewhile(lambda entry: isinstance(entry, _ANSWERS), following)]
    return next((note.cube for note in notes if note is not None and note.cube is not None), None)


def _evaluation(evaluation: Evaluation) -> tuple[Any, ...]:
    # Several formats write chances that nobody has told as zeros, or tiny ones in so few digits that they are.
    return evaluation.probabilities or _UNTOLD, evaluation.equity, evaluation.unit
