"""The features of a match, and what of them a format loses.

A conversion loses what the match has and the target cannot hold. That is computed here, once,
for all formats: `needs` lists the features of a match with their places, and `losses` makes findings
of those that a format does not carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.findings import codes
from bgtools.findings.finding import Code, Finding, Severity
from bgtools.formats.carries import OPTIONS, UNREAD, Feature
from bgtools.formats.shared.tags import restates
from bgtools.met.finding import DEFAULT
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Take,
    is_position,
)
from bgtools.replayer.match import replay
from bgtools.replayer.turn import OrderViolation, TurnFault, is_claimed
from bgtools.replayer.valued import cube_state
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.perspective import Player
    from bgtools.formats.carries import Carries
    from bgtools.record.annotation import Annotation, Level as AnalysisLevel
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.worth import Level
    from bgtools.source import Span


class Need(NamedTuple):
    """A feature that a match makes use of, and where."""

    feature: Feature
    span: Span
    what: str
    game: int | None = None
    turn: int | None = None
    entry: int | None = None
    player: Player | None = None
    key: str = ""
    level: AnalysisLevel | None = None
    turn_told: Turn | None = None


_CODES: Final[dict[Feature, Code]] = {
    Feature.RATINGS: codes.TAG_LOST,
    Feature.TAGS: codes.TAG_LOST,
    Feature.RULES: codes.RULE_LOST,
    Feature.LENGTHS: codes.RULE_LOST,
    Feature.NAMES: codes.NAME_CHANGED,
    Feature.COMMENTS: codes.COMMENT_LOST,
    Feature.MATCH_COMMENTS: codes.COMMENT_LOST,
    Feature.PLAY_ANALYSIS: codes.ANALYSIS_LOST,
    Feature.CUBE_ANALYSIS: codes.ANALYSIS_LOST,
    Feature.TAKE_CHANCES: codes.ANALYSIS_LOST,
    Feature.MANY_PLAYS: codes.ANALYSIS_LOST,
    Feature.EQUITIES: codes.ANALYSIS_RESTATED,
    Feature.CUBELESS: codes.ANALYSIS_LOST,
    Feature.ERRORS: codes.ANALYSIS_LOST,
    Feature.OTHER_ANALYSES: codes.ANALYSIS_LOST,
    Feature.LEVELS: codes.ANALYSIS_LOST,
    Feature.LEVEL_DETAILS: codes.ANALYSIS_LOST,
    Feature.FORMS: codes.ANALYSIS_RESTATED,
    Feature.PROGRAMS: codes.ANALYSIS_LOST,
    Feature.LUCK: codes.ANALYSIS_LOST,
    Feature.MARKS: codes.ANALYSIS_LOST,
    Feature.CLOCKS: codes.EXTRA_LOST,
    Feature.ILLEGAL_PLAYS: codes.PLAY_LOST,
    Feature.UNKNOWN_PLAYS: codes.PLAY_LOST,
    Feature.UNREADABLE: codes.PLAY_LOST,
    Feature.NO_DICE: codes.PLAY_LOST,
    Feature.BEAVERS: codes.CUBE_ACTION_LOST,
    Feature.AUTOMATIC_DOUBLES: codes.CUBE_ACTION_LOST,
    Feature.CUBE_CLAIMS: codes.CUBE_ACTION_LOST,
    Feature.WRONG_ORDER: codes.PLAY_LOST,
    Feature.AFTER_END: codes.PLAY_LOST,
    Feature.RESIGNATIONS: codes.RESIGNATION_LOST,
    Feature.RESIGNATION_LEVELS: codes.RESIGNATION_LOST,
    Feature.SCORES: codes.CLAIM_LOST,
    Feature.RESULTS: codes.CLAIM_LOST,
    Feature.UNFINISHED: codes.CLAIM_LOST,
    Feature.START: codes.POSITION_LOST,
    Feature.SET_BOARD: codes.POSITION_LOST,
    Feature.GAME_NUMBERS: codes.CLAIM_LOST,
    Feature.SEVERAL_GAMES: codes.GAME_LOST,
    Feature.SEVERAL_MATCHES: codes.GAME_LOST,
    Feature.EXTRAS: codes.EXTRA_LOST,
    Feature.TEXT: codes.TEXT_LOST,
}


def losses(match: Match, title: str, carries: Carries) -> tuple[Finding, ...]:
    """What a match would lose in a format, a finding each (BG5xx).

    Args:
        match: the record.
        title: what people call the format.
        carries: what it has a place for.
    """
    return tuple(_loss(need, title) for need in needs(match) if not _is_carried(need, carries, match))


def _is_carried(need: Need, carries: Carries, match: Match) -> bool:
    match need.feature:
        case Feature.TAGS:
            return carries.tag(need.key)
        case Feature.RULES:
            return carries.rule(need.key, match)
        case Feature.EXTRAS:
            return carries.extra(need.key)
    if need.feature in _WITH_AN_ANALYSIS and not _has_analysis(carries):
        return True  # one finding says that the whole analysis is lost
    return _keeps(need, carries)


def _keeps(need: Need, carries: Carries) -> bool:
    """Whether a format has a place for a part of an analysis, or for any other feature without a key."""
    match need.feature:
        case Feature.PROGRAMS:
            return carries.program(need.key)
        case Feature.LEVELS if need.level is not None:
            return carries.level(need.level)
        case Feature.LEVEL_DETAILS if need.level is not None:
            return carries.code(need.level)
        case Feature.MANY_PLAYS:
            return carries.most_plays is None or int(need.key) <= carries.most_plays
        case Feature.FORMS:
            return carries.forms is None or need.turn_told is None or carries.forms(need.turn_told)
    return need.feature in carries and (need.turn_told is None or _takes(need.turn_told, need.feature, carries))


def _takes(turn: Turn, feature: Feature, carries: Carries) -> bool:
    """Whether a format has a place for the luck, or for the analysis of the play or the cube, at an entry."""
    note = turn.entry.annotation
    assert note is not None
    if feature is Feature.LUCK:
        return note.luck is None or (speaks_of_rolls(turn.entry, carries) and carries.luck(note.luck))
    if feature is Feature.PLAY_ANALYSIS:
        return note.plays is None or (speaks_of_rolls(turn.entry, carries) and carries.play(note.plays, turn.state))
    return note.cube is None or carries.cube(note.cube, cube_state(turn))


def speaks_of_rolls(entry: Entry, carries: Carries) -> bool:
    """Whether a format has a place for luck and valued plays at an entry; without a roll only bgtools' own has one."""
    return isinstance(entry, CheckerPlay) or Feature.ROWS in carries


def _has_analysis(carries: Carries) -> bool:
    """Whether a format has a place for analyses. If not, one finding says so, and none names their parts."""
    return Feature.PLAY_ANALYSIS in carries.features or Feature.CUBE_ANALYSIS in carries.features


def _loss(need: Need, title: str) -> Finding:
    return Finding(
        _CODES[need.feature], need.span, f"{title} cannot hold {need.what}",
        game=need.game, turn=need.turn, entry=need.entry, player=need.player,
    )  # fmt: skip


_WITH_AN_ANALYSIS: Final = frozenset(
    {
        Feature.TAKE_CHANCES, Feature.MANY_PLAYS, Feature.EQUITIES, Feature.CUBELESS, Feature.ERRORS,
        Feature.OTHER_ANALYSES, Feature.LEVELS, Feature.LEVEL_DETAILS, Feature.FORMS, Feature.PROGRAMS,
    }
)  # fmt: skip
"""The parts of an analysis, which no finding names where the whole is lost."""

_LEVELS: Final[tuple[Level, ...]] = (1, 2, 3)
"""The points that a resignation may give up, before the cube multiplies them (R23)."""

_SYNTAX: Final = "BG1"
_USUAL: Final = Ruleset()


def needs(match: Match) -> Iterator[Need]:
    """The features of a match, each with its place."""
    for name, rating in zip(match.players, match.ratings, strict=True):
        if rating:
            yield Need(Feature.RATINGS, match.length_span, f"the rating {rating} of {name}")
        if not all(ord(char) < 256 for char in name):
            yield Need(Feature.NAMES, match.length_span, f"the name {name}")
    for tag in match.tags:
        if not restates(tag, match):
            yield Need(Feature.TAGS, tag.span, f"the tag {tag.key}", key=tag.key)
    if match.length:
        yield Need(Feature.LENGTHS, match.length_span, f"the length of the match, {match.length} points")
    yield from _options(match)
    for comment in match.comments:
        yield Need(Feature.MATCH_COMMENTS, comment.span, "a comment on the match")
    for tag in match.extras:
        what = f"{tag.value}, not read" if tag.key.startswith(UNREAD) else f"{tag.key}, which only its own format has"
        yield Need(Feature.EXTRAS, tag.span, what, key=tag.key)
    for finding in match.findings:
        if finding.code.id.startswith(_SYNTAX) and finding.code.severity is Severity.ERROR:
            yield Need(Feature.TEXT, finding.span, "text that could not be read")
    if len(match.games) > 1:
        yield Need(Feature.SEVERAL_GAMES, match.games[1].heading, "more than one game")
    expected = 1
    games = replay(match)
    for game in games:
        yield from _game(game, expected)
        expected = (game.game.number or expected) + 1
    yield from _analyses(games)


def _analyses(games: Iterable[GameReplay]) -> Iterator[Need]:
    """What the analyses of a match have in common, each once: programs, levels, units, stated figures."""
    seen: set[tuple[Feature, str]] = set()
    for game in games:
        for entry in game.game.entries:
            note = entry.annotation
            for each in () if note is None else (note, *note.others):
                for feature, key, what, level in _common(each):
                    if (feature, key) not in seen:
                        seen.add((feature, key))
                        yield Need(feature, entry.span, what, game.game.number, key=key, level=level)


def _common(note: Annotation) -> Iterator[tuple[Feature, str, str, AnalysisLevel | None]]:
    """Parts of an analysis that other decisions share: the feature, a key within it, words, the level."""
    plays, cube = note.plays, note.cube
    candidates = plays.candidates if plays is not None else ()
    figures = [each.evaluation for each in candidates]
    levels = [each.level for each in candidates]
    stated = [] if plays is None else [plays.error]
    cubeless = any(evaluation.cubeless is not None for evaluation in figures)
    if cube is not None:
        figures += (cube.no_double, cube.double_take)
        levels.append(cube.level)
        stated += (cube.error, cube.answer_error)
    if note.program and (plays is not None or cube is not None):
        yield Feature.PROGRAMS, note.program, f"{note.program} as the maker of an analysis", None
    for level in dict.fromkeys(levels):
        yield from _level(level)
    chances = any(evaluation.unit == "mwc" for evaluation in figures)
    for is_told, feature, what in (
        (cubeless, Feature.CUBELESS, "the equities of plays without the cube"),
        (any(error is not None for error in stated), Feature.ERRORS, "the errors as the record states them"),
        (chances, Feature.EQUITIES, _IN_POINTS),
    ):
        if is_told:
            yield feature, "", what, None


_IN_POINTS: Final = f"match winning chances; they stand in points, by the match equity table {DEFAULT}"


def _level(level: AnalysisLevel) -> Iterator[tuple[Feature, str, str, AnalysisLevel]]:
    name = f"the level “{level.name}”"
    yield Feature.LEVELS, level.name, f"an analysis {'at ' + name if level.name else 'without a level'}", level
    if level.code not in ("", level.name):
        is_rollout = level.name == "rollout"
        what = "the games and the confidence of a rollout" if is_rollout else f"the settings of {name}"
        yield Feature.LEVEL_DETAILS, level.name, what, level


def _options(match: Match) -> Iterator[Need]:
    usual = {"crawford": not match.is_money, "jacoby": None if match.is_money else False}
    for option in OPTIONS:
        value = getattr(match.rules, option)
        if value is None or value == usual.get(option, getattr(_USUAL, option)):
            continue
        said = value if isinstance(value, str) else option.replace("_", " ") + _value(value)
        yield Need(Feature.RULES, match.length_span, f"the rule “{said}”", key=option)


def _value(value: object) -> str:
    return {True: " on", False: " off"}[value] if isinstance(value, bool) else f" {value}"


def _game(game: GameReplay, expected: int) -> Iterator[Need]:
    record, number = game.game, game.game.number

    def need(feature: Feature, span: Span, what: str, turn: Turn | None = None, **more: object) -> Need:
        return Need(
            feature, span, what, number, *((turn.number, turn.index + 1, turn.player) if turn is not None else ()),
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    for comment in record.comments:
        yield need(Feature.COMMENTS, comment.span, "a comment")
    for tag in record.extras:
        yield need(Feature.EXTRAS, tag.span, f"{tag.key}, which only its own format has", key=tag.key)
    if number is not None and number != expected:
        yield need(Feature.GAME_NUMBERS, record.heading, f"the number of game {number}")
    if record.start is not None:
        yield need(Feature.START, record.heading, "a set position")
    for feature, span, what in _claims(game):
        yield need(feature, span, what)
    for turn in () if game.is_sound and all(map(_is_plain, record.entries)) else game.turns:
        for feature, what, more in _turn(turn):
            if feature is Feature.RESIGNATION_LEVELS and stated_level(turn.entry, game) == stated_level(None, game):
                continue  # the level follows from the stated result
            yield need(feature, turn.entry.span, what, turn, **more)


def _claims(game: GameReplay) -> Iterator[tuple[Feature, Span, str]]:
    """The features of a game whose score, end or result does not follow from the rest of the record."""
    record, claim = game.game, game.claim
    begun = game.index == 0 and record.score not in (None, (0, 0))
    if begun or (game.added_up is not None and record.score not in (None, game.added_up)):
        yield Feature.SCORES, record.score_span, "a score that does not add up"
    if game.ending == "unfinished" and claim is None and not is_position(record):
        yield Feature.UNFINISHED, record.heading, "a game without an end"
    if claim is not None and claim.points is not None and game.earned not in (None, claim.points):
        told = f"a stated result of {claim.points} where the board gives {game.earned}"
        yield Feature.RESULTS, claim.span, told


def _is_plain(entry: Entry) -> bool:
    """Whether a legal entry needs no feature of a format."""
    if entry.annotation is not None:
        return False
    if isinstance(entry, CheckerPlay):
        return bool(entry.text.hops)
    return isinstance(entry, Double | Take | Drop)


def _turn(turn: Turn) -> Iterator[tuple[Feature, str, dict[str, object]]]:
    entry = turn.entry
    faults = {each.fault for each in turn.violations if isinstance(each, OrderViolation)}
    if TurnFault.AFTER_END in faults:
        yield Feature.AFTER_END, "a turn after the end of the game", {}
    elif faults & _ORDER:
        yield Feature.WRONG_ORDER, "a turn out of order", {}
    match entry:
        case CheckerPlay(dice=dice, text=text):
            if dice is None:
                yield Feature.NO_DICE, "a play without dice", {}
            if text.kind == "unreadable":
                yield Feature.UNREADABLE, "a play that cannot be read", {}
            elif text.kind == "unknown":
                yield Feature.UNKNOWN_PLAYS, "a roll without a play", {}
            elif turn.play is None:
                yield Feature.ILLEGAL_PLAYS, "an illegal play", {}
        case Beaver():
            yield Feature.BEAVERS, "a raccoon" if entry.raccoon else "a beaver", {}
        case AutomaticDouble():
            yield Feature.AUTOMATIC_DOUBLES, "an automatic double", {}
        case Double(value=value) if is_claimed(turn):
            yield Feature.CUBE_CLAIMS, f"a double to {value} where the cube shows {turn.state.cube.value}", {}
        case Resign(level=level):
            yield Feature.RESIGNATIONS, "a resignation", {}
            if level is not None:
                yield Feature.RESIGNATION_LEVELS, "the level of a resignation", {}
        case SetBoard():
            yield Feature.SET_BOARD, "a position set during the game", {}
    yield from _annotation(turn)


def stated_level(entry: Entry | None, game: GameReplay) -> Level | None:
    """The level of a resignation: as its entry states it, else by the points of the game; None where neither tells."""
    if isinstance(entry, Resign) and entry.level is not None:
        return entry.level
    points = game.points if game.claim is None or game.claim.points is None else game.claim.points
    return next((level for level in _LEVELS if points == level * game.cube), None)


_ORDER: Final = frozenset({TurnFault.TURN_MISSING, TurnFault.WRONG_COLUMN, TurnFault.SWAPPED, TurnFault.SWAPPED_ON})


def _annotation(turn: Turn) -> Iterator[tuple[Feature, str, dict[str, object]]]:
    note = turn.entry.annotation
    if note is None:
        return
    if note.plays is not None and note.plays.candidates:
        yield Feature.PLAY_ANALYSIS, "the analysis of a play", {"turn_told": turn}
        many = len(note.plays.candidates)
        yield Feature.MANY_PLAYS, f"the analysis of {many} plays of one roll", {"key": str(many)}
    if note.cube is not None:
        yield Feature.CUBE_ANALYSIS, "the analysis of a cube decision", {"turn_told": turn}
        if any(note.cube.double_take.probabilities or ()):
            yield Feature.TAKE_CHANCES, "the chances after a double", {}
    if note.plays is not None or note.cube is not None:
        yield Feature.FORMS, "this analysis but one that only bgtools reads", {"turn_told": turn}
    if note.others:
        yield Feature.OTHER_ANALYSES, "a second analysis of one decision", {}
    if note.luck is not None:
        yield Feature.LUCK, "the luck of a roll", {"turn_told": turn}
    if note.mark or note.cube_mark or note.luck_mark:
        yield Feature.MARKS, "a mark", {}
    if note.clock is not None:
        yield Feature.CLOCKS, "the clocks", {}
    for key, _ in note.extras:
        yield Feature.EXTRAS, f"{key}, which only its own format has", {"key": key}
