"""What a format has a place for, found by trying: small records with one thing in each, written and read again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from bgtools.board.board import START, Board, checkers
from bgtools.board.notation import parse_hop
from bgtools.board.play import PlayText
from bgtools.conversion.facts import FactChange, differences, without_rows
from bgtools.formats.content import Content, FormatError
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
)
from bgtools.rules.options import OPTIONS, VARIANTS, Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.play import HopText
    from bgtools.formats.format import Format
    from bgtools.record.annotation import Unit
    from bgtools.record.record import Entry

_CHANCES: Final = (0.5, 0.15, 0.01, 0.12, 0.005)
_PROGRAMS: Final = ("GNU Backgammon", "eXtreme Gammon", "BGBlitz")
_TAGS: Final = (("Event", "Club"), ("EventDate", "2024.05.01"), ("Site", "Rome"), ("Round", "2"))
_BEAROFF: Final = Board(checkers({6: 5}), checkers({6: 5}))


def _hops(text: str) -> tuple[HopText, ...]:
    return tuple(found for word in text.split() if (found := parse_hop(word)) is not None)


def _play(player: int, dice: tuple[int, int], text: str) -> CheckerPlay:
    return CheckerPlay(player=1 if player else 0, dice=dice, text=PlayText("moves", _hops(text)))


_ENTRIES: Final[tuple[Entry, ...]] = (
    _play(0, (3, 1), "8/5 6/5"), _play(1, (4, 2), "8/4 6/4"), _play(0, (6, 5), "24/18 18/13"),
    Double(player=1, value=2), Drop(player=0),
)  # fmt: skip
_GAME: Final = Game(number=1, score=(0, 0), entries=_ENTRIES, results=(ResultClaim(player=1, points=1),))
_MATCH: Final = Match(players=("Ann", "Bob"), length=5, games=(_GAME,))
_MONEY: Final = replace(_MATCH, length=0, rules=Ruleset(crawford=False, jacoby=False, beavers=2, automatic_doubles=1))
_ROLL: Final = CheckerPlay(player=0, dice=(3, 1), text=PlayText("unknown"))
_POSITION: Final = replace(
    _MATCH, games=(Game(number=1, score=(0, 0), entries=(SetBoard(player=0, position=START), _ROLL)),)
)
"""What a format of one position can hold."""


def _valued(equity: float, unit: Unit = "emg", cubeless: float | None = None, *, chances: bool = True) -> Evaluation:
    return Evaluation(probabilities=_CHANCES if chances else None, equity=equity, cubeless=cubeless, unit=unit)


def _level(name: str, code: str = "") -> Level:
    return Level(name=name, code=code)


_USUAL: Final = _level("2-ply")


def _plays(
    unit: Unit = "emg", level: Level = _USUAL, *, cubeless: float | None = None, error: float | None = None,
    more: Sequence[str] = (),
) -> PlayAnalysis:  # fmt: skip
    best = 0.15 if unit == "emg" else 0.55
    candidates = tuple(
        Candidate(
            hops=_hops(text),
            evaluation=_valued(best - number / 100, unit, None if cubeless is None else best - cubeless),
            level=level,
        )
        for number, text in enumerate(("8/5 6/5", "24/23 13/10", *more))
    )
    return PlayAnalysis(candidates=candidates, chosen=0, error=error)


_CUBE: Final = CubeAnalysis(
    no_double=_valued(0.4, cubeless=0.3), double_take=_valued(0.3, chances=False), double_drop=1.0, level=_USUAL
)
_TAKEN: Final = replace(_CUBE, double_take=_valued(0.3))


def _notes() -> Iterator[tuple[str, int, Annotation]]:
    """What may be noted of an entry, and at which entry of a game."""
    yield "analysis of plays", 0, Annotation(plays=_plays())
    yield "analysis of the cube", 3, Annotation(cube=_CUBE)
    yield "chances after a double", 3, Annotation(cube=_TAKEN)
    yield "many plays of one roll", 0, Annotation(plays=_plays(more=[f"{point}/{point - 4}" for point in (24, 13)]))
    yield "equities in points and as match winning chances", 0, Annotation(plays=_plays("mwc"))
    yield "cubeless equities of plays", 0, Annotation(plays=_plays(cubeless=0.03))
    yield "stated errors", 0, Annotation(plays=_plays(error=-0.01))
    others = (Annotation(program=_PROGRAMS[1], plays=_plays(level=_level("3-ply"))),)
    yield "several analyses of one decision", 0, Annotation(program=_PROGRAMS[0], plays=_plays(), others=others)
    yield "levels of analysis", 0, Annotation(plays=_plays(level=_level("3-ply")))
    for code in ("X ver 3 10000 1", "2/2"):
        level = _level("3-ply" if "/" in code else "rollout", code)
        yield "settings and confidence of levels", 0, Annotation(plays=_plays(level=level))
    for program in _PROGRAMS:
        yield "who made an analysis", 0, Annotation(program=program, plays=_plays())
    yield "luck", 0, Annotation(luck=0.1)
    yield "marks", 0, Annotation(mark="bad")
    yield "clocks", 0, Annotation(clock=(100.0, 200.0))


def _headers(base: Match) -> Iterator[tuple[str, Match]]:
    yield "ratings", replace(base, ratings=("1600", "1500"))
    for key, value in _TAGS:
        yield "tags", replace(base, tags=(Tag(key=key, value=value),))
    yield "names beyond Latin-1", replace(base, players=("Łukasz", "Bob"))
    yield "comments on the match", replace(base, comments=(Comment(text="fine"),))
    yield "comments", _with_game(base, comments=(Comment(text="nice", at=1),))
    yield "scores that do not add up", _with_game(base, score=(2, 1))
    yield "numbers of games", _with_game(base, number=4)


def _courses() -> Iterator[tuple[str, Match]]:
    """Matches with something special in their course."""
    first, second, third, double, drop = _ENTRIES
    assert isinstance(second, CheckerPlay)
    yield "illegal plays", _with_game(_MATCH, entries=(_play(0, (3, 1), "8/5 6/4"), *_ENTRIES[1:]))
    unknown, unreadable = PlayText("unknown"), PlayText("unreadable", dump="xyz")
    yield "unknown plays", _with_game(_MATCH, entries=(first, replace(second, text=unknown), *_ENTRIES[2:]))
    yield "unreadable plays", _with_game(_MATCH, entries=(first, replace(second, text=unreadable), *_ENTRIES[2:]))
    yield "plays without dice", _with_game(_MATCH, entries=(first, replace(second, dice=None), *_ENTRIES[2:]))
    beavered = (first, second, third, double, Beaver(player=0, value=4))
    yield "beavers", _with_game(_MONEY, entries=beavered, results=())
    turned = (AutomaticDouble(player=0, value=2), first, second, third)
    yield "automatic doubles", _with_game(_MONEY, entries=turned, results=())
    claimed = (first, second, third, Double(player=1, value=8), drop)
    yield "cube values against the rules", _with_game(_MATCH, entries=claimed)
    yield "turns out of order", _with_game(_MATCH, entries=(first, third, second, double, drop))
    yield "turns after the end", _with_game(_MATCH, entries=(*_ENTRIES, _play(1, (6, 5), "24/13")))
    yield "resignations", _with_game(_MATCH, entries=(first, second, third, Resign(player=0)))
    yield (
        "levels of resignations",
        _with_game(_MATCH, entries=(first, second, third, Resign(player=0, level=2)), results=()),
    )
    yield "results against the board", _with_game(_MATCH, results=(ResultClaim(player=1, points=2),))
    yield "unfinished games", _with_game(_MATCH, entries=(first, second, third), results=())
    yield "set positions", _with_game(_MATCH, start=_BEAROFF, entries=(_play(0, (3, 1), "6/3 6/5"),), results=())
    board = SetBoard(player=0, position=START)
    yield "positions set during a game", _with_game(_MATCH, entries=(first, second, board, third, double, drop))
    yield "several games", replace(_MATCH, games=(_GAME, replace(_GAME, number=2, score=(0, 1))))


_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "crawford": (False, True), "jacoby": (False, True), "beavers": (0, 1), "automatic_doubles": (0, 2),
    "holland": (False, True), "quadruple": (False, True), "winner_starts": (False, True), "cube_limit": (None, 64),
}  # fmt: skip
"""Values of the options of a `Ruleset`. A format that cannot state one of them has no place for the option."""
_OF_MONEY: Final = ("jacoby", "beavers", "automatic_doubles")


def _ruled(option: str) -> Iterator[Match]:
    """Matches with values of an option."""
    base = _MONEY if option in _OF_MONEY else _MATCH
    for value in _VALUES[option]:
        yield replace(base, rules=replace(base.rules, **{option: value}))  # type: ignore[arg-type]


def _with_game(match: Match, **changes: object) -> Match:
    return replace(match, games=(replace(match.games[0], **changes),))  # type: ignore[arg-type]


def _noted(match: Match, at: int, note: Annotation) -> Match:
    entries = list(match.games[0].entries)
    entries[at] = replace(entries[at], annotation=note)
    return _with_game(match, entries=tuple(entries))


def _probes(chosen: Format) -> Iterator[tuple[str, Match]]:
    base = _MATCH if chosen.holds_matches else _POSITION
    yield from _headers(base)
    yield "lengths of matches", base
    for name, at, note in _notes():
        yield name, _noted(base, at if chosen.holds_matches else 1, note)
    if chosen.holds_matches:
        yield from _courses()
    else:
        yield from ((name, base) for name in ("unknown plays", "unfinished games", "positions set during a game"))


def held(chosen: Format) -> tuple[str, ...]:
    """What a format that is written and read has a place for, in words, in the order of `WORDS`."""
    usual = set[str]()
    for base in (_MATCH, _MONEY) if chosen.holds_matches else (_POSITION,):
        usual |= {change.where for change in _changes(chosen, base) or ()}
    found = {"rules"} if held_options(chosen) else set[str]()
    for name, match in _probes(chosen):
        changes = _changes(chosen, match)
        if changes is None:
            continue
        if name in _PARTS:
            parts = ("the analysis of a play", "the analysis of a cube decision", *_PARTS[name].split("|"))
            is_held = not any(part in change.what for change in changes for part in parts)
        else:
            usual_here = usual - {"length"} if name == "lengths of matches" else usual
            is_held = {change.where for change in changes} <= usual_here
        if is_held:
            found.add(name)
    if chosen.holds_several:
        found.add("several matches")
    return tuple(name for name in WORDS if name in found)


@cache
def held_options(chosen: Format) -> tuple[str, ...]:
    """The options of a `Ruleset` that a format can state, some variants among them."""
    found = {option for option in _VALUES if all(_states(chosen, option, match) for match in _ruled(option))}
    game = Game(number=1, score=(0, 0), entries=(_ROLL,))
    variants = (replace(_MATCH, games=(game,), rules=Ruleset(variant=each)) for each in VARIANTS if each != _VARIANT)
    if any(_states(chosen, "variant", match) for match in variants):
        found.add("variant")
    return tuple(option for option in OPTIONS if option in found)


_VARIANT: Final = Ruleset().variant


def _states(chosen: Format, option: str, match: Match) -> bool:
    if not chosen.holds_matches:
        match = replace(_POSITION, length=match.length, rules=match.rules)
    changes = _changes(chosen, match)
    return changes is not None and f"rule {option}" not in {change.where for change in changes}


def _changes(chosen: Format, match: Match) -> list[FactChange] | None:
    """Where a match differs when it is read again; None where it cannot be written."""
    try:
        (again,) = chosen.read(Content(chosen.write((match,)), f"probe{chosen.extensions[0]}"))
    except FormatError:
        return None
    return list(differences(match, without_rows(again)))


_PARTS: Final = {
    "analysis of plays": "analysis of a play", "analysis of the cube": "analysis of a cube decision",
    "chances after a double": "the chances after a double", "many plays of one roll": "plays of one roll",
    "equities in points and as match winning chances": "match winning chances",
    "cubeless equities of plays": "without the cube", "stated errors": "the errors",
    "several analyses of one decision": "a second analysis", "levels of analysis": "level",
    "settings and confidence of levels": "the settings|the confidence", "who made an analysis": "as the maker",
    "luck": "the luck", "marks": "a mark", "clocks": "the clocks",
}  # fmt: skip
"""What is lost, in the words of the loss, where a format has no place for a part of what is noted of an entry."""
WORDS: Final = (
    "ratings", "tags", "rules", "lengths of matches", "names beyond Latin-1", "comments", "comments on the match",
    "analysis of plays", "analysis of the cube", "chances after a double", "many plays of one roll",
    "equities in points and as match winning chances", "cubeless equities of plays", "stated errors",
    "several analyses of one decision", "levels of analysis", "settings and confidence of levels",
    "who made an analysis", "luck", "marks", "clocks", "illegal plays", "unknown plays", "unreadable plays",
    "plays without dice", "beavers", "automatic doubles", "cube values against the rules", "turns out of order",
    "turns after the end", "resignations", "levels of resignations", "scores that do not add up",
    "results against the board", "unfinished games", "set positions", "positions set during a game",
    "numbers of games", "several games", "several matches",
)  # fmt: skip
"""What a format may have a place for besides legal plays, dice, doubles, takes, drops, names and points."""
