"""What of a match survives a format: the match without its layout, told turn by turn.

Two records of one match in different formats are written differently: other words, other columns,
hops joined or apart. `essence` takes out all that; `difference` compares what a format carries.
"""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.features import Feature, stated_level
from bgtools.formats.tags import OPTION_OF_TAG
from bgtools.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Resign,
    SetBoard,
    places_of_comments,
)
from bgtools.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.annotation import Evaluation
    from bgtools.formats.features import Carries
    from bgtools.play import HopText
    from bgtools.record import Game, Match
    from bgtools.turn import GameReplay, Turn

Fact = tuple[str, Any]
"""A place in words, and what is told there."""

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
            if not _same(wanted, got):
                return f"{place}: {wanted!r} became {got!r}"
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


def essence(match: Match, carries: Carries) -> Iterator[Fact]:
    """What a match tells, as far as a format has a place for it."""
    yield "length", match.length or 0
    if Feature.NAMES in carries:
        yield "players", tuple(" ".join(name.split()) for name in match.players)
    if Feature.RATINGS in carries:
        yield "ratings", match.ratings
    for option in ("crawford", "jacoby", "beavers", "automatic_doubles", "holland", "quadruple", "winner_starts",
                   "cube_limit", "variant"):  # fmt: skip
        if carries.rule(option):
            yield f"rule {option}", getattr(match.rules, option)
    tags = {
        (tag.key.casefold(), " ".join(tag.value.split()))
        for tag in match.tags
        if carries.tag(tag.key) and not _states_rule(tag.key, carries)
    }
    yield "tags", tuple(sorted(tags))
    if Feature.MATCH_COMMENTS in carries:
        yield "comments", tuple(_text(comment.text) for comment in match.comments)
    yield from (("extra", (tag.key, tag.value)) for tag in match.extras if carries.extra(tag.key))
    for game in replay(match):
        yield from _game(game, carries)


def _states_rule(key: str, carries: Carries) -> bool:
    """Whether a tag states an option, which has been told already, whatever word it stood in."""
    option = OPTION_OF_TAG.get(key.casefold())
    return option is not None and carries.rule(option)


def _text(text: str) -> str:
    return " ".join(text.split())


def _game(game: GameReplay, carries: Carries) -> Iterator[Fact]:
    record = game.game
    place = f"game {game.index + 1}"
    if Feature.GAME_NUMBERS in carries:
        yield f"{place}, number", record.number if record.number is not None else game.index + 1
    yield f"{place}, score", game.score
    if Feature.START in carries and record.start is not None:
        yield f"{place}, start", record.start
        yield f"{place}, cube", (record.start_cube if record.start_owner is not None else 1, record.start_owner)
    if Feature.COMMENTS in carries:
        yield f"{place}, comments", _comments(record)
    yield from ((f"{place}, extra", (tag.key, tag.value)) for tag in record.extras if carries.extra(tag.key))
    for turn in game.turns:
        told = _turn(turn, game, carries)
        if told is not None:
            yield f"{place}, turn {turn.index + 1}", told
            yield from (
                (f"{place}, turn {turn.index + 1}, {name}", value) for name, value in _annotation(turn, carries)
            )
    claim = game.claim if Feature.RESULTS in carries else None
    points = game.points if claim is None or claim.points is None else claim.points
    yield f"{place}, result", (game.winner, points)


def _comments(game: Game) -> tuple[tuple[int, str], ...]:
    # Several remarks at one place are one to a format that has one field for them.
    places: dict[int, str] = {}
    for at, comment in zip(places_of_comments(game), game.comments, strict=True):
        places[at] = f"{places.get(at, '')} {_text(comment.text)}".strip()
    return tuple(sorted(places.items()))


def _turn(turn: Turn, game: GameReplay, carries: Carries) -> tuple[Any, ...] | None:
    entry = turn.entry
    match entry:
        case CheckerPlay(dice=dice, text=text):
            rolled = None if dice is None else tuple(sorted(dice))
            if turn.play is not None:
                return "plays", entry.player, rolled, turn.play.result
            if text.kind == "moves":
                return "plays", entry.player, rolled, steps(text.hops)
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
            if Feature.RESIGNATIONS not in carries:
                return None
            level = stated_level(entry, game) if Feature.RESIGNATION_LEVELS in carries else None
            return "resigns", entry.player, level
        case SetBoard():
            if Feature.SET_BOARD not in carries:
                return None
            return "set", entry.player, entry.position, entry.cube, entry.owner
    return type(entry).__name__, entry.player


def steps(hops: Iterable[HopText]) -> tuple[tuple[int, int], ...]:
    """The single hops of a written play, sorted: a format need not keep their order, or which were written as one."""
    found = []
    for hop in hops:
        found += list(zip(hop.points, hop.points[1:], strict=False)) * hop.count
    return tuple(sorted(found, reverse=True))


def _annotation(turn: Turn, carries: Carries) -> Iterator[Fact]:
    note, money = turn.entry.annotation, turn.state.is_money
    if note is None:
        return
    if note.plays is not None and Feature.PLAY_ANALYSIS in carries:
        kept = {index: each for index, each in enumerate(note.plays.candidates) if carries.play(each, money=money)}
        candidates = tuple((steps(each.hops), _evaluation(each.evaluation)) for each in kept.values())
        chosen = list(kept).index(note.plays.chosen) if note.plays.chosen in kept else None
        if candidates:
            yield "plays", (candidates, chosen)
    cube = note.cube
    if cube is not None and Feature.CUBE_ANALYSIS in carries and carries.cube(cube, money=money):
        yield "cube", (_evaluation(cube.no_double), _evaluation(cube.double_take))
    if note.luck is not None and Feature.LUCK in carries:
        yield "luck", note.luck
    if Feature.MARKS in carries and (note.mark or note.cube_mark or note.luck_mark):
        yield "marks", (note.mark, note.cube_mark, note.luck_mark)
    yield from (("extra", each) for each in note.extras if carries.extra(each[0]))


def _evaluation(evaluation: Evaluation) -> tuple[Any, ...]:
    return evaluation.probabilities, evaluation.equity, evaluation.unit
