"""The facts of a match that do not depend on its format, for the proof that a conversion lost nothing else.

Two formats write one match differently: other words, other columns, hops joined or apart. `essence` leaves all that
out; `difference` compares what a format carries.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, takewhile, zip_longest
from math import isclose
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.movement import find_play
from bgtools.board.perspective import view
from bgtools.board.play import changes, steps
from bgtools.conversion.features import speaks_of_rolls
from bgtools.formats.carries import OPTIONS, Feature
from bgtools.formats.shared.tags import restates
from bgtools.record.record import (
    NOWHERE,
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
from bgtools.replayer.match import replay
from bgtools.replayer.turn import OrderViolation, TurnFault
from bgtools.replayer.valued import evaluation_in, with_every_play, with_made

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bgtools.board.play import HopText
    from bgtools.formats.carries import Carries
    from bgtools.record.annotation import CubeAnalysis, Evaluation, PlayAnalysis
    from bgtools.record.record import Entry, Game, Match
    from bgtools.replayer.turn import GameReplay, Turn

Fact = tuple[str, Any]
"""A place in words, and what the match says there."""

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


def stated_facts(match: Match, carries: Carries, but: Collection[str] = ()) -> list[Any]:
    """What a match says around and in its entries, without a replay; only what a format has a place for."""
    around = (fact for fact in _around(match, carries) if not fact[0].startswith(_RULE))
    found: list[Any] = [fact for fact in around if fact[0] not in but]
    for number, game in enumerate(match.games, 1):
        if f"game {number}, comments" not in but and Feature.COMMENTS in carries:
            found.append(_comments(game))
        found.append(game.start)
        before: Entry | None = None
        for entry in game.entries:
            if (told := _stated_entry(entry, carries)) and not (isinstance(entry, Take) and isinstance(before, Beaver)):
                found.append(told)
            before = entry
    return found


def _stated_entry(entry: Entry, carries: Carries) -> tuple[Any, ...] | None:
    match entry:
        case CheckerPlay(dice=dice, text=text):
            rolled = None if dice in (None, (0, 0)) else tuple(sorted(dice))
            if text.kind in ("nothing", "dance") or (text.kind == "moves" and not text.hops):
                return "plays", entry.player, rolled, ""
            if text.kind == "moves":
                return "plays", entry.player, rolled, changes(text.hops)
            unknown = text.kind == "unreadable" and Feature.UNREADABLE not in carries
            return "plays", entry.player, rolled, "unknown" if unknown else text.kind
        case Double(value=value):
            return "doubles", entry.player, value if Feature.CUBE_CLAIMS in carries else None
        case AutomaticDouble():
            return ("automatic double",) if Feature.AUTOMATIC_DOUBLES in carries else None
        case Resign():
            return ("resigns", entry.player) if Feature.RESIGNATIONS in carries else None
        case SetBoard():
            return ("set", entry.player, entry.position) if Feature.SET_BOARD in carries else None
    return type(entry).__name__, entry.player


def without_rows(match: Match) -> Match:
    """The match without its rows.

    A damaged record may be read otherwise then: which entries share a row helps to tell slips apart.
    """
    games = (
        replace(game, entries=tuple(entry if entry.row is None else replace(entry, row=None) for entry in game.entries))
        for game in match.games
    )
    return replace(match, games=tuple(games))


def difference(
    one: Iterable[Match], two: Iterable[Match], carries: Carries, but: Collection[str] = ()
) -> tuple[str, str]:
    """The first difference between matches: its place, and what became of what; two empty texts where there is none.

    Args:
        one: the matches that were to be written.
        two: the matches that were read again.
        carries: what the format has a place for; nothing else is compared.
        but: places that are not compared.
    """
    one, two = tuple(one), tuple(two)
    if len(one) != len(two):
        return "the file", f"{len(one)} matches became {len(two)}"
    for first, second in zip(one, two, strict=True):
        apart = _difference(first, second, carries, but)
        # How a damaged record is read depends on all that follows and on its spelling, which another format changes.
        # Then it is enough that both say the same.
        if apart[0] and (is_sound(first) or stated_facts(first, carries, but) != stated_facts(second, carries, but)):
            return apart
    return "", ""


def is_sound(match: Match) -> bool:
    """Whether a match can be read in one way only: its entries are readable and legal, its results name the winners."""
    return all(
        (game.is_sound or all(_is_sound(turn) for turn in game.turns)) and _names_winner(game) for game in replay(match)
    )


def _names_winner(game: GameReplay) -> bool:
    """Whether the winner whom a result names is the one that the game has in the replay."""
    claim = game.claim
    return claim is None or game.winner is None or (claim.player == game.winner) is claim.won


def _is_sound(turn: Turn) -> bool:
    return turn.is_legal and not (isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind == "unreadable")


def _difference(one: Match, two: Match, carries: Carries, but: Collection[str]) -> tuple[str, str]:
    """The first difference of two matches as they are replayed."""
    told, found = ([fact for fact in facts if fact[0] not in but] for facts in _where_apart(one, two, carries))
    for (place, wanted), (other_place, got) in zip(told, found, strict=False):
        if place != other_place:
            return place, f"it became {other_place}"
        if wanted is None and place.startswith(_RULE):
            continue  # a format may have to decide what the record leaves open
        if not _same(wanted, got):
            return place, _first_difference(wanted, got)
    if len(told) != len(found):
        longer = max(told, found, key=len)[min(len(told), len(found))]
        return longer[0], "it is missing" if len(told) > len(found) else "it is new"
    return "", ""


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return isclose(one, two, rel_tol=1e-4, abs_tol=_TOLERANCE)
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_same, one, two))
    return bool(one == two)


def _first_difference(one: Any, two: Any) -> str:
    """The first place where two unequal values differ, in words."""
    while isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        one, two = next(pair for pair in zip(one, two, strict=True) if not _same(*pair))
    return f"{shorten(repr(one), _SHOWN)} became {shorten(repr(two), _SHOWN)}"


def _where_apart(one: Match, two: Match, carries: Carries) -> tuple[list[Fact], list[Fact]]:
    """The facts of two matches, without those of games that are alike in both, as most are."""
    told, found = list(_around(one, carries)), list(_around(two, carries))
    for first, second in zip_longest(replay(one), replay(two)):
        if first is None or second is None or not _is_same_game(first, second):
            told += () if first is None else _game(first, carries)
            found += () if second is None else _game(second, carries)
    return told, found


def _is_same_game(one: GameReplay, two: GameReplay) -> bool:
    """Whether two games have the same facts because nothing is wrong in them and their records say the same.

    The same entries from the same board at the same score lead to the same, whatever their rows.
    """
    if not (one.is_sound and two.is_sound) or any(getattr(one, name) != getattr(two, name) for name in _COMES_TO):
        return False
    first, second = one.game, two.game
    if any(getattr(first, name) != getattr(second, name) for name in _STATED):
        return False
    if _comments(first) != _comments(second) or len(first.entries) != len(second.entries):
        return False
    if [(tag.key, tag.value) for tag in first.extras] != [(tag.key, tag.value) for tag in second.extras]:
        return False
    claims = [None if each.claim is None else each.claim.points for each in (one, two)]
    return claims[0] == claims[1] and all(map(_is_same_entry, first.entries, second.entries))


_COMES_TO: Final = ("index", "score", "crawford", "rules", "ending", "winner", "points", "level", "cube", "added_up")
_STATED: Final = ("number", "score", "start", "start_cube", "start_owner")


def _is_same_entry(one: Entry, two: Entry) -> bool:
    """Whether two entries say the same, wherever they stand."""
    if type(one) is not type(two) or one.player != two.player or one.annotation != two.annotation:
        return False
    if isinstance(one, CheckerPlay) and isinstance(two, CheckerPlay):
        first, second = one.text, two.text
        if one.dice != two.dice or first.kind != second.kind or first.legs != second.legs or first.dump != second.dump:
            return False
        # The columns in which a hop is written do not count.
        return [(hop.points, hop.stars) for hop in first.hops] == [(hop.points, hop.stars) for hop in second.hops]
    return replace(one, row=None, span=NOWHERE) == replace(two, row=None, span=NOWHERE)


def essence(match: Match, carries: Carries) -> Iterator[Fact]:
    """The facts of a match that a format has a place for."""
    yield from _around(match, carries)
    for game in replay(match):
        yield from _game(game, carries)


def _around(match: Match, carries: Carries) -> Iterator[Fact]:
    """The facts of a match outside its games."""
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
        # A format with one field for remarks joins several.
        yield "comments", _text(" ".join(comment.text for comment in match.comments))
    yield from (("extra", (tag.key, tag.value)) for tag in match.extras if carries.extra(tag.key))


def _text(text: str) -> str:
    return " ".join(text.split())


def _game(game: GameReplay, carries: Carries) -> Iterator[Fact]:
    """The facts of a game that a format has a place for."""
    place = f"game {game.index + 1}"
    yield from ((f"{place}, {name}", value) for name, value in _head(game, carries))
    number, at_rest = 0, is_position(game.game)
    for turn in game.turns:
        for facts in _turn_facts(game, turn, carries, at_rest=at_rest):
            number += 1
            yield from ((f"{place}, entry {number}{name}", value) for name, value in facts)
    yield from ((f"{place}, {name}", value) for name, value in _end(game, carries))


def _head(game: GameReplay, carries: Carries) -> Iterator[Fact]:
    """The facts of a game besides its entries and its end."""
    record = game.game
    if Feature.GAME_NUMBERS in carries:
        yield "number", record.number if record.number is not None else game.index + 1
    if Feature.SCORES in carries:
        yield "score", game.score
    has_owner = record.start_owner is not None
    if Feature.START in carries and record.start is not None and (record.start != game.rules.start or has_owner):
        yield "start", record.start
        yield "cube", (record.start_cube if has_owner else 1, record.start_owner)
    if Feature.COMMENTS in carries:
        yield "comments", _comments(record)
    yield from (("extra", (tag.key, tag.value)) for tag in record.extras if carries.extra(tag.key))


def _turn_facts(game: GameReplay, turn: Turn, carries: Carries, *, at_rest: bool) -> Iterator[list[Fact]]:
    """The entries by which a format states a turn, each with its analysis as facts with names of their own."""
    entries = game.game.entries
    if _follows_a_gap(turn) and Feature.SET_BOARD in carries:
        # A turn is missing; a format that has the board in every turn says so by setting it.
        yield [("", _set(turn))]
    after_beaver = turn.index > 0 and isinstance(entries[turn.index - 1], Beaver)
    following = entries[turn.index + 1] if turn.index + 1 < len(entries) else None
    is_last = following is None or isinstance(following, Resign)
    told = _turn(turn, carries, after_beaver=after_beaver, at_rest=at_rest, is_last=is_last)
    if told is not None:
        yield [("", told), *((f", {name}", value) for name, value in _annotation(game, turn, carries))]


def _end(game: GameReplay, carries: Carries) -> Iterator[Fact]:
    """How a game ended."""
    if Feature.RESIGNATIONS in carries and game.ending == "resigned":
        # Some records have a word for a resignation, others only the result: both mean the same.
        yield "resigned", game.level if Feature.RESIGNATION_LEVELS in carries else None
    claim = game.claim if Feature.RESULTS in carries else None
    yield "result", (game.winner, game.points if claim is None or claim.points is None else claim.points)


def _comments(game: Game) -> tuple[tuple[int, str], ...]:
    # A format with one field for remarks joins several at one place. A format without an entry of its own for an offer,
    # an answer or a set board joins the remarks on it with those on what is before it.
    turns = list(accumulate((not isinstance(entry, _NO_TURN) for entry in game.entries), initial=0))
    places: dict[int, str] = {}
    for at, comment in zip(places_of_comments(game), game.comments, strict=True):
        turn = turns[min(at, len(game.entries))]
        places[turn] = f"{places.get(turn, '')} {_text(comment.text)}".strip()
    return tuple(sorted(places.items()))


def _follows_a_gap(turn: Turn) -> bool:
    """Whether a turn is missing before this one, even where the entries behind the gap have moved up."""
    faults = {each.fault for each in turn.violations if isinstance(each, OrderViolation)}
    return turn.reading == "inserted" or TurnFault.MOVED_UP in faults


def _set(turn: Turn) -> tuple[Any, ...]:
    """The position before a turn, as an entry that sets it would state it."""
    cube = turn.state.cube
    return "set", turn.player, view(turn.before, turn.player), cube.value, cube.player(turn.player)


def _turn(turn: Turn, carries: Carries, *, after_beaver: bool, at_rest: bool, is_last: bool) -> tuple[Any, ...] | None:
    """What an entry says; None for an entry that formats leave out, because the rest of the game tells it.

    Args:
        turn: the entry on its board.
        carries: what the format carries.
        after_beaver: whether it stands right after a beaver.
        at_rest: whether the game is a single position.
        is_last: whether nothing but a resignation follows.
    """
    entry = turn.entry
    match entry:
        case CheckerPlay(dice=dice):
            # Text formats write a roll that is not known as 00.
            rolled = None if dice in (None, (0, 0)) else tuple(sorted(dice))
            # A position is the same whether or not there is a play in it.
            return "plays", entry.player, rolled, "" if at_rest else _played(turn, entry, carries, is_last=is_last)
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
            return None  # few formats write the take of a beaver: the game goes on, which implies it
        case SetBoard():
            if Feature.SET_BOARD not in carries:
                return None
            return "set", entry.player, entry.position, entry.cube, entry.owner
    return type(entry).__name__, entry.player


def _played(turn: Turn, entry: CheckerPlay, carries: Carries, *, is_last: bool) -> Any:
    """How a roll was played: the board after a legal play, the hops of an illegal one, a word where there are none."""
    kind = entry.text.kind
    if turn.play is not None:
        return turn.play.result
    if kind == "moves":
        return steps(entry.text.hops)
    if kind == "unreadable" and Feature.UNREADABLE not in carries:
        return "unknown"
    # Records have many words for not playing although a play was possible.
    return "" if kind in ("nothing", "dance") or (kind == "unknown" and is_last) else kind


def _annotation(game: GameReplay, turn: Turn, carries: Carries) -> Iterator[Fact]:
    cube = _cube_analysis(game, turn)
    if cube is not None and Feature.CUBE_ANALYSIS in carries and carries.cube(cube, turn.state):
        taken = _evaluation(cube.double_take, turn)
        if Feature.TAKE_CHANCES not in carries:
            taken = taken[1:]
        yield "cube", (_evaluation(cube.no_double, turn), taken)
    note = turn.entry.annotation
    if note is None:
        return
    rolled = speaks_of_rolls(turn.entry, carries)
    if note.plays is not None and rolled and (candidates := _candidates(note.plays, turn, carries)):
        yield "plays", candidates
    if note.luck is not None and rolled and carries.luck(note.luck):
        yield "luck", note.luck
    marks = (note.mark, note.cube_mark, note.luck_mark)
    if Feature.MARKS in carries and any(marks):
        yield "marks", marks
    if note.clock is not None and Feature.CLOCKS in carries:
        yield "clock", note.clock
    yield from (("extra", each) for each in note.extras if carries.extra(each[0]))


def _candidates(plays: PlayAnalysis, turn: Turn, carries: Carries) -> tuple[Any, ...]:
    """What the plays of a roll lead to, with their figures. Which of them was played follows from the play."""
    if Feature.PLAY_ANALYSIS not in carries or not carries.play(plays, turn.state):
        return ()
    kept = with_made(with_every_play(plays, turn), carries.most_plays).candidates
    return tuple((_board(turn, each.hops), _evaluation(each.evaluation, turn)) for each in kept)


def _board(turn: Turn, hops: tuple[HopText, ...]) -> Any:
    """What a play leads to, however it is written; its hops where it is not legal."""
    dice = getattr(turn.entry, "dice", None)
    found = None if dice is None else find_play(turn.before, dice, hops)
    return steps(hops) if found is None else found.result


def _cube_analysis(game: GameReplay, turn: Turn) -> CubeAnalysis | None:
    """The analysis of a cube decision, given once: an offer and its answers share their figures."""
    before = game.turns[turn.index - 1].entry if turn.index else None
    if isinstance(turn.entry, _ANSWERS) and isinstance(before, (Double, *_ANSWERS)):
        return None
    notes = [turn.entry.annotation]
    if isinstance(turn.entry, Double):
        following = (each.entry for each in game.turns[turn.index + 1 :])
        notes += [entry.annotation for entry in takewhile(lambda entry: isinstance(entry, _ANSWERS), following)]
    return next((note.cube for note in notes if note is not None and note.cube is not None), None)


def _evaluation(evaluation: Evaluation, turn: Turn) -> tuple[Any, ...]:
    # Several formats write zeros for chances that are not known, and round tiny ones to zero. The equity is compared in
    # points (EMG) where the match equity table covers the score, whatever unit the format has.
    told = evaluation_in(evaluation, "emg", turn.state) or evaluation
    return evaluation.probabilities or _UNTOLD, told.equity, told.unit
