"""The facts of a match, and where two records of it differ: what a conversion lost, or changed.

Two formats write one match differently: other words, other columns, hops joined or apart. None of that is a fact. No
format is asked what it has a place for: what was written is read again, and what does not come back is lost.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise, takewhile, zip_longest
from math import isclose
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.movement import find_play
from bgtools.board.perspective import view
from bgtools.board.play import changes, steps
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Severity
from bgtools.formats.shared.tags import restates
from bgtools.met.finding import DEFAULT
from bgtools.record.alignment import align
from bgtools.record.record import (
    NOWHERE,
    SIGNATURE,
    UNREAD,
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
from bgtools.replayer.turn import OrderViolation, TurnFault, is_claimed
from bgtools.replayer.valued import evaluation_in, plies, with_every_play
from bgtools.rules.options import OPTIONS, Ruleset, has_meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.board import Dice
    from bgtools.board.play import HopText
    from bgtools.findings.finding import Code
    from bgtools.record.annotation import Annotation, Candidate, Clock, CubeAnalysis, Evaluation, PlayAnalysis
    from bgtools.record.record import Entry, Game, Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Span

_ANSWERS: Final = (Beaver, Drop, Take)
_NO_TURN: Final = (*_ANSWERS, AutomaticDouble, SetBoard)
_ZEROS: Final = (0.0, 0.0, 0.0, 0.0, 0.0)
_SHOWN: Final = 80
"""Characters of a value that a message shows."""
_TOLERANCE: Final = 0.0011
"""How far two figures of an analysis may be apart: formats keep three to six decimals."""
_SIGNATURE: Final = "the signature, which is of the bytes that were read"
_SHARED: Final = "analysis"
"""The place of what the analyses of a match have in common; it is lost once."""


class FactChange(NamedTuple):
    """A place where two records of a match differ.

    Attributes:
        where: its place, in words, such as "game 2, result".
        how: what became of what.
        code: the loss that it is; None where it makes the record one of another match.
        what: what is lost, in words.
        span: its place in the source of the first record.
        game: the number of the game, as it is recorded.
        turn: the turn that it belongs to.
    """

    where: str
    how: str
    code: Code | None = None
    what: str = ""
    span: Span = NOWHERE
    game: int | None = None
    turn: Turn | None = None

    def finding(self, title: str, games: Iterable[GameReplay]) -> Finding:
        """The finding of the loss, for a format with this title; ``games`` are those of the first record."""
        assert self.code is not None
        turn, message = self.turn, f"{title} cannot hold {self.what}"
        if turn is None:
            return Finding(self.code, self.span, message, game=self.game)
        row = next((game.row_of(turn) for game in games if game.game.number == self.game), None)
        return Finding(
            self.code, turn.entry.span, message,
            game=self.game, turn=turn.number, row=row, entry=turn.index + 1, player=turn.player,
        )  # fmt: skip


def differences(one: Match, two: Match, *, keeps_unread: bool = False) -> Iterator[FactChange]:
    """Where the record of a match that was read again differs from the one that was written.

    How a damaged record is read depends on all that follows and on its spelling, which another format changes. Then it
    is enough that both say the same.

    Args:
        one: the match that was to be written.
        two: the match that was read again.
        keeps_unread: whether its file holds the parts of the first one that no reader reads.
    """
    yield from _around(one, two, keeps_unread=keeps_unread)
    sound = is_sound(one)
    found = list(_games(one, two, sound=sound))
    if not sound and any(change.code is None for change in found):
        stated = list(_games(one, two, sound=sound, stated=True))
        if all(change.code is not None for change in stated):
            found = stated
    yield from found


def unseen(match: Match, again: Match, by_others: Match) -> Iterator[FactChange]:
    """The analyses of a match that other programs do not see.

    Args:
        match: the match that was to be written.
        again: the match that was read again.
        by_others: the same with only the analyses that other programs see.
    """
    for game, read, seen in zip(replay(match), replay(again), replay(by_others), strict=False):
        for step, other in zip(_steps(game), _steps(read), strict=False):
            if step.turn is None or other.turn is None or (note := other.turn.entry.annotation) is None:
                continue
            known = seen.game.entries[other.turn.index].annotation
            if (note.plays and not (known and known.plays)) or (note.cube and not (known and known.cube)):
                what = "this analysis but one that only bgtools reads"
                yield FactChange("analysis", "", codes.ANALYSIS_RESTATED, what, game=game.game.number, turn=step.turn)


def without_rows(match: Match) -> Match:
    """The match without its rows.

    A damaged record may be read otherwise then: which entries share a row helps to tell slips apart.
    """
    games = (
        replace(game, entries=tuple(entry if entry.row is None else replace(entry, row=None) for entry in game.entries))
        for game in match.games
    )
    return replace(match, games=tuple(games))


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


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return isclose(one, two, rel_tol=1e-4, abs_tol=_TOLERANCE)
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_same, one, two))
    return bool(one == two)


def _became(one: Any, two: Any) -> str:
    """The first place where two unequal values differ, in words."""
    while isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        if _same(one, two):
            break
        one, two = next(pair for pair in zip(one, two, strict=True) if not _same(*pair))
    return f"{_shown(one)} became {_shown(two)}"


def _shown(value: Any) -> str:
    """The beginning of a value; what of it is shortened is little, for a remark may be as long as a file."""
    return shorten(repr(value)[: 10 * _SHOWN], _SHOWN)


def _text(text: str) -> str:
    return " ".join(text.split())


# --- around the games -----------------------------------------------------------------------


def _around(one: Match, two: Match, *, keeps_unread: bool) -> Iterator[FactChange]:
    """The differences outside the games."""
    at = one.length_span
    for name, other, rating, other_rating in zip(one.players, two.players, one.ratings, two.ratings, strict=True):
        if rating != other_rating:
            yield FactChange(
                "ratings", _became(rating, other_rating), codes.TAG_LOST, f"the rating {rating} of {name}", at
            )
        if _text(name) != _text(other):
            what = f"the name {name}" if name else "a player without a name"
            yield FactChange("players", _became(name, other), codes.NAME_CHANGED, _spelled(what, other), at)
    yield from _tags(one, two)
    if (one.length or 0) != (two.length or 0):
        what = f"the length of the match, {one.length} points"
        code = codes.RULE_LOST if one.length and not two.length else None
        yield FactChange("length", _became(one.length, two.length), code, what, at)
    yield from _rules(one, two)
    whole = _text(" ".join(comment.text for comment in two.comments))
    if whole != _text(" ".join(comment.text for comment in one.comments)):
        lost = [comment for comment in one.comments if _text(comment.text) not in whole]
        for comment in lost:
            what = _spelled("a comment on the match", whole)
            yield FactChange("comments", _became(comment.text, whole), codes.COMMENT_LOST, what, comment.span)
        if not lost:
            yield FactChange(
                "comments", _became("", whole), codes.COMMENT_LOST, "the comments on the match as they are", at
            )
    yield from _extras(one, two, keeps_unread=keeps_unread)
    for finding in one.findings:
        if finding.code.id.startswith("BG1") and finding.code.severity is Severity.ERROR:
            yield FactChange("text", "", codes.TEXT_LOST, "text that could not be read", finding.span)


def _spelled(what: str, other: str) -> str:
    """What is lost; where something else is in its place, what that is."""
    return f"{what} as it is: it became {_shown(_text(other))}" if other.strip() else what


def _extras(one: Match | Game, two: Match | Game, *, keeps_unread: bool) -> Iterator[FactChange]:
    kept = {(tag.key, tag.value) for tag in two.extras}
    for tag in one.extras:
        is_unread = tag.key.startswith(UNREAD)
        if (tag.key, tag.value) not in kept or (is_unread and not keeps_unread):
            what = f"{tag.value}, not read" if is_unread else _SIGNATURE if tag.key == SIGNATURE else _own(tag.key)
            yield FactChange("extra", "it is missing", codes.EXTRA_LOST, what, tag.span)


def _own(key: str) -> str:
    return f"{key}, which only its own format has"


def _tags(one: Match, two: Match) -> Iterator[FactChange]:
    kept = {(tag.key.casefold(), _text(tag.value)): tag for tag in two.tags if not restates(tag, two)}
    values: dict[str, str] = dict(kept)
    for tag in one.tags:
        key = tag.key.casefold()
        if not restates(tag, one) and (key, _text(tag.value)) not in kept:
            other = values.get(key) or ""
            yield FactChange(
                "tags", _became(tag.value, other), codes.TAG_LOST, _spelled(f"the tag {tag.key}", other), tag.span
            )
    known = {tag.key.casefold() for tag in one.tags}
    for (key, value), tag in kept.items():
        if key not in known:
            what = f"the tags as they are: the tag {tag.key} is new"
            yield FactChange("tags", _became("", value), codes.TAG_LOST, what, one.length_span)


def _rules(one: Match, two: Match) -> Iterator[FactChange]:
    usual = Ruleset(crawford=not one.is_money, jacoby=None if one.is_money else False)
    for option in OPTIONS:
        wanted, got = (
            getattr(match.rules, option) if has_meaning(option, money=match.is_money) else None for match in (one, two)
        )
        # A format may have to decide what the record leaves open.
        if wanted is None or wanted == got or (got is None and wanted == getattr(usual, option)):
            continue
        value = {True: " on", False: " off"}[wanted] if isinstance(wanted, bool) else f" {wanted}"
        rule = wanted if isinstance(wanted, str) else option.replace("_", " ") + value
        lost = f"the rule “{rule}”"
        if option == "variant" and any(game.rules.variant == got for game in replay(one)):
            lost = f"games of {str(got).capitalize()} in a match of {rule}"
        yield FactChange(f"rule {option}", _became(wanted, got), codes.RULE_LOST, lost, one.length_span)


# --- games ----------------------------------------------------------------------------------


def _games(one: Match, two: Match, *, sound: bool, stated: bool = False) -> Iterator[FactChange]:
    """The differences in the games: as they are replayed, or only as they are stated."""
    first, second = replay(one), replay(two)
    if len(first) != len(second):
        code = codes.GAME_LOST if len(second) == 1 else None
        how = f"{len(first)} games became {len(second)}"
        at = first[1].game.heading if len(first) > 1 else NOWHERE
        yield FactChange("the games", how, code, "more than one game", at)
    expected, other_expected, shared = 1, 1, dict[str, FactChange]()
    for game, other in zip(first, second, strict=False):
        if not _is_same_game(game, other):
            for change in _game(game, other, (expected, other_expected), stated=stated, sound=sound):
                if change.where.endswith(_SHARED):
                    shared.setdefault(change.what, change)
                else:
                    yield change
        expected, other_expected = (
            (each.game.number or number) + 1 for each, number in ((game, expected), (other, other_expected))
        )
    yield from shared.values()


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
    """Whether two entries say the same, wherever they are."""
    if type(one) is not type(two) or one.player != two.player or one.annotation != two.annotation:
        return False
    if isinstance(one, CheckerPlay) and isinstance(two, CheckerPlay):
        first, second = one.text, two.text
        if one.dice != two.dice or first.kind != second.kind or first.legs != second.legs or first.dump != second.dump:
            return False
        # The columns in which a hop is written do not count.
        return [(hop.points, hop.stars) for hop in first.hops] == [(hop.points, hop.stars) for hop in second.hops]
    return replace(one, row=None, span=NOWHERE) == replace(two, row=None, span=NOWHERE)


def _game(
    one: GameReplay, two: GameReplay, expected: tuple[int, int], *, stated: bool, sound: bool
) -> Iterator[FactChange]:
    place, number = f"game {one.index + 1}", one.game.number
    for change in (*_head(one, two, expected, sound=sound), *_entries(one, two, stated=stated)):
        yield change._replace(where=f"{place}, {change.where}", game=number)
    if not stated:
        for change in _end(one, two, sound=sound):
            yield change._replace(where=f"{place}, {change.where}", game=number)


def _head(one: GameReplay, two: GameReplay, expected: tuple[int, int], *, sound: bool) -> Iterator[FactChange]:
    """The differences of two games besides their entries and their ends.

    Numbers and scores that follow from the game before are no claims: where such a one differs, that game told it.
    """
    record, other = one.game, two.game
    numbers = [
        game.number if game.number is not None else index + 1
        for game, index in ((record, one.index), (other, two.index))
    ]
    claimed = [number != follows for number, follows in zip(numbers, expected, strict=True)]
    if numbers[0] != numbers[1] and any(claimed):
        code = codes.CLAIM_LOST if claimed[0] or not sound else None
        yield FactChange("number", _became(*numbers), code, f"the number of game {numbers[0]}", record.heading)
    claimed = [_claims_score(game) for game in (one, two)]
    if one.score != two.score and any(claimed):
        code = codes.CLAIM_LOST if claimed[0] or not sound else None
        what = "a score that does not add up"
        yield FactChange("score", _became(one.score, two.score), code, what, record.score_span)
    starts = [_start(each) for each in (one, two)]
    if starts[0] != starts[1]:
        code = None if starts[1] else codes.POSITION_LOST
        yield FactChange("start", _became(*starts), code, "a set position", record.heading)
    yield from _remarks(one, two)
    yield from _extras(record, other, keeps_unread=False)


def _claims_score(game: GameReplay) -> bool:
    """Whether the score of a game does not follow from the game before."""
    begun = game.index == 0 and game.game.score not in (None, (0, 0))
    return begun or (game.added_up is not None and game.game.score not in (None, game.added_up))


def _start(game: GameReplay) -> tuple[Any, ...] | None:
    record = game.game
    has_owner = record.start_owner is not None
    if record.start is None or not (record.start != game.rules.start or has_owner):
        return None
    return record.start, record.start_cube if has_owner else 1, record.start_owner


def _remarks(one: GameReplay, two: GameReplay) -> Iterator[FactChange]:
    wanted, got = dict(_comments(one.game)), dict(_comments(two.game))
    if wanted == got:
        return
    lost, behind = False, dict[int, int]()
    for turn, comment in zip(_turns_of_comments(one.game), one.game.comments, strict=True):
        text, other = _text(comment.text), got.get(turn, "")
        # The remarks at one place usually keep their order, so the next one is looked for behind the last first.
        at = other.find(text, behind.get(turn, 0))
        if at >= 0:
            behind[turn] = at + len(text)
        elif text not in other:
            lost = True
            what = _spelled("a comment", other)
            yield FactChange("comments", _became(text, other), codes.COMMENT_LOST, what, comment.span)
    if not lost:
        how = _became(tuple(wanted.items()), tuple(got.items()))
        yield FactChange("comments", how, codes.COMMENT_LOST, "the comments as they are", one.game.heading)


def _turns_of_comments(game: Game) -> list[int]:
    """After how many turns each comment of a game is.

    A format without an entry of its own for an offer, an answer or a set board joins the remarks on it with those on
    what is before it.
    """
    turns = list(accumulate((not isinstance(entry, _NO_TURN) for entry in game.entries), initial=0))
    return [turns[min(at, len(game.entries))] for at in places_of_comments(game)]


def _comments(game: Game) -> tuple[tuple[int, str], ...]:
    # A format with one field for remarks joins several at one place.
    places: dict[int, list[str]] = {}
    for turn, comment in zip(_turns_of_comments(game), game.comments, strict=True):
        if text := _text(comment.text):
            places.setdefault(turn, []).append(text)
    return tuple((turn, " ".join(texts)) for turn, texts in sorted(places.items()))


def _end(one: GameReplay, two: GameReplay, *, sound: bool) -> Iterator[FactChange]:
    """The differences in how two games ended. Only a damaged record may lose a claim that no other loss explains."""
    heading, claim = one.game.heading, one.claim
    resigned = [game.ending == "resigned" for game in (one, two)]
    if resigned[0] and not resigned[1]:
        for turn in one.turns:
            if isinstance(turn.entry, Resign):
                yield FactChange("resigned", "it is missing", codes.RESIGNATION_LOST, "a resignation", turn=turn)
    elif resigned[1] and not resigned[0]:
        yield FactChange(
            "resigned", "it is new", None if sound else codes.RESIGNATION_LOST, "the end as it is", heading
        )
    elif resigned[0]:
        levels = [
            {_level_of(entry, game) for entry in game.game.entries if isinstance(entry, Resign)}
            or {_level_of(None, game)}
            for game in (one, two)
        ]
        for turn in one.turns if levels[0] != levels[1] or (one.level and not two.level) else ():
            if isinstance(turn.entry, Resign):
                how = _became(_level_of(turn.entry, one), next(iter(levels[1] - levels[0]), two.level))
                yield FactChange("resigned", how, codes.RESIGNATION_LOST, "the level of a resignation", turn=turn)
    results = [
        (game.winner, game.points if game.claim is None or game.claim.points is None else game.claim.points)
        for game in (one, two)
    ]
    kept = {each.winner for each in two.game.results}
    for each in one.game.results:
        if each.winner not in (results[0][0], *kept):
            what = "a second result, which gives the game to the other player"
            yield FactChange("second result", "it is missing", codes.CLAIM_LOST, what, each.span)
    if results[0] == results[1]:
        return
    code: Code | None = codes.CLAIM_LOST
    span, what = heading, "the result as it is recorded"
    if claim is not None and claim.points is not None and one.earned not in (None, claim.points):
        span, what = claim.span, f"a stated result of {claim.points} where the board gives {one.earned}"
    elif one.ending == "unfinished" and claim is None and not is_position(one.game):
        what = "a game without an end"
    elif sound:
        code = None
    yield FactChange("result", _became(*results), code, what, span)


def _level_of(entry: Resign | None, game: GameReplay) -> int | None:
    """The level of a resignation: as its entry states it, else by the points of the game; None where neither tells."""
    if entry is not None and entry.level is not None:
        return entry.level
    points = game.points if game.claim is None or game.claim.points is None else game.claim.points
    return next((level for level in (1, 2, 3) if points == level * game.cube), None)


# --- entries --------------------------------------------------------------------------------


class _Step(NamedTuple):
    """An entry by which a format states a turn: what it says, and its turn; None for a board that fills a gap."""

    fact: tuple[Any, ...]
    turn: Turn | None


def _entries(one: GameReplay, two: GameReplay, *, stated: bool) -> Iterator[FactChange]:
    first, second = (list(_stated_steps(game) if stated else _steps(game)) for game in (one, two))
    pairs: list[tuple[_Step, _Step]] = []
    keys, other_keys = ([repr(step.fact) for step in each] for each in (first, second))
    for kind, begin, end, other_begin, other_end in align(keys, other_keys):
        both = min(end - begin, other_end - other_begin)
        for number in range(both):
            at, step, other = begin + number, first[begin + number], second[other_begin + number]
            pairs.append((step, other))
            if kind != "equal":
                code, what = _lost_part(step, other)
                yield FactChange(f"entry {at + 1}", _became(step.fact, other.fact), code, what, turn=step.turn)
        for at in range(begin + both, end):
            code, what = _lost_entry(first[at])
            yield FactChange(f"entry {at + 1}", "it is missing", code, what, turn=first[at].turn)
        for at in range(other_begin + both, other_end):
            yield FactChange(f"entry {begin + both + 1}", f"{_shown(second[at].fact)} is new")
    for (gap, there), (step, _) in pairwise(pairs):
        if gap.turn is None and there.turn is not None:
            what = "two turns running of one player, but by setting the position"
            yield FactChange("entry", "a missing turn became a set position", codes.PLAY_LOST, what, turn=step.turn)
    # A resignation is no step: the end of the game tells it.
    given, kept = ([turn for turn in game.turns if isinstance(turn.entry, Resign)] for game in (one, two))
    noted = [((one, step.turn), (two, other.turn)) for step, other in pairs if step.turn and other.turn]
    for turn, resigned in zip_longest(given, kept[: len(given)]):
        bare = turn._replace(entry=replace(turn.entry, annotation=None))
        noted.append(((one, turn), (two, resigned) if resigned else (one, bare)))
    for (_, turn), counterpart in noted:
        for change in _annotations((one, turn), counterpart):
            of = None if change.where == _SHARED else change.turn or turn
            yield change._replace(where=f"entry {turn.index + 1}, {change.where}", turn=of, span=turn.entry.span)


def _steps(game: GameReplay) -> Iterator[_Step]:
    """The entries of a game on their boards, without those that formats leave out, for the rest tells them."""
    entries, at_rest = game.game.entries, is_position(game.game)
    for turn in game.turns:
        if _follows_a_gap(turn):
            # A turn is missing; a format that has the board in every turn says so by setting it.
            cube = turn.state.cube
            yield _Step(
                ("set", turn.player, view(turn.before, turn.player), cube.value, cube.player(turn.player)), None
            )
        following = entries[turn.index + 1] if turn.index + 1 < len(entries) else None
        fact = _fact(turn, at_rest=at_rest, is_last=following is None or isinstance(following, Resign))
        after_beaver = turn.index > 0 and isinstance(entries[turn.index - 1], Beaver)
        # Few formats write the take of a beaver: the game goes on, which implies it.
        if fact and not (after_beaver and isinstance(turn.entry, Take)):
            yield _Step(fact, turn)


def _stated_steps(game: GameReplay) -> Iterator[_Step]:
    """The entries of a game as they are stated, whatever the boards are."""
    before: Entry | None = None
    for turn in game.turns:
        entry = turn.entry
        if not (isinstance(entry, Take) and isinstance(before, Beaver)):
            yield _Step(_stated(turn), turn)
        before = entry


def _stated(turn: Turn) -> tuple[Any, ...]:
    entry = turn.entry
    match entry:
        case CheckerPlay(dice=dice, text=text):
            rolled = _rolled(dice)
            if text.kind in ("nothing", "dance") or (text.kind == "moves" and not text.hops):
                return "plays", entry.player, rolled, ""
            return "plays", entry.player, rolled, changes(text.hops) if text.kind == "moves" else text.kind
        case Double(value=value):
            return "doubles", entry.player, value if is_claimed(turn) else None
        case AutomaticDouble():
            return ("automatic double",)
        case SetBoard():
            return "set", entry.player, entry.position
    return type(entry).__name__, entry.player


def _rolled(dice: Dice | None) -> tuple[int, ...] | None:
    # Text formats write a roll that is not known as 00.
    return None if dice in (None, (0, 0)) else tuple(sorted(dice))


def _follows_a_gap(turn: Turn) -> bool:
    """Whether a turn is missing before this one, even where the entries behind the gap have moved up."""
    faults = {each.fault for each in turn.violations if isinstance(each, OrderViolation)}
    return turn.reading == "inserted" or TurnFault.MOVED_UP in faults


def _fact(turn: Turn, *, at_rest: bool, is_last: bool) -> tuple[Any, ...] | None:
    """What an entry says on its board; None for a resignation, which the end of the game tells.

    Args:
        turn: the entry on its board.
        at_rest: whether the game is a single position.
        is_last: whether nothing but a resignation follows.
    """
    entry = turn.entry
    match entry:
        case CheckerPlay(dice=dice):
            # A position is the same whether or not there is a play in it.
            return "plays", entry.player, _rolled(dice), "" if at_rest else _played(turn, entry, is_last=is_last)
        case Double(value=value):
            return "doubles", entry.player, 2 * turn.state.cube.value if value is None else value
        case Beaver():
            return "raccoons" if entry.raccoon else "beavers", entry.player
        case AutomaticDouble():
            return ("automatic double",)
        case Resign():
            return None
        case SetBoard():
            return "set", entry.player, entry.position, entry.cube, entry.owner
    return type(entry).__name__, entry.player


def _played(turn: Turn, entry: CheckerPlay, *, is_last: bool) -> Any:
    """How a roll was played: the board after a legal play, the hops of an illegal one, a word where there are none."""
    kind = entry.text.kind
    if turn.play is not None:
        return turn.play.result
    if kind == "moves":
        return steps(entry.text.hops)
    # Records have many words for not playing although a play was possible.
    return "" if kind in ("nothing", "dance") or (kind == "unknown" and is_last) else kind


def _lost_part(step: _Step, other: _Step) -> tuple[Code | None, str]:
    """The loss that makes one entry another; no code where that is another match."""
    if step.turn is None or step.fact[:2] != other.fact[:2]:
        return None, ""
    entry = step.turn.entry
    if isinstance(entry, CheckerPlay) and step.fact[2] == other.fact[2]:
        if entry.text.kind == "unreadable" and other.fact[3] in ("unknown", ""):
            return codes.PLAY_LOST, "a play that cannot be read"
    elif isinstance(entry, CheckerPlay) and step.fact[2] is None and step.fact[3] == other.fact[3]:
        return codes.PLAY_LOST, "a play without dice"
    elif isinstance(entry, Double) and is_claimed(step.turn):
        return codes.CUBE_ACTION_LOST, f"a double to {entry.value} where the cube shows {step.turn.state.cube.value}"
    return None, ""


def _lost_entry(step: _Step) -> tuple[Code | None, str]:
    """The loss of a whole entry; no code where it makes another match."""
    if step.turn is None:
        return None, ""
    faults = {each.fault for each in step.turn.violations if isinstance(each, OrderViolation)}
    if TurnFault.AFTER_END in faults:
        return codes.PLAY_LOST, "a turn after the end of the game"
    match step.turn.entry:
        case AutomaticDouble():
            return codes.CUBE_ACTION_LOST, "an automatic double"
        case SetBoard():
            return codes.POSITION_LOST, "a position set during the game"
        case Resign():
            return codes.RESIGNATION_LOST, "a resignation"
    return None, ""


# --- analyses -------------------------------------------------------------------------------

_Noted = tuple["GameReplay", "Turn"]
_Pairs = list[tuple["Candidate", "Candidate | None"]]


def _annotations(one: _Noted, two: _Noted) -> Iterator[FactChange]:
    """The differences in what is noted of a turn."""
    note, other = one[1].entry.annotation, two[1].entry.annotation
    cubes = _cube_analysis(*one), _cube_analysis(*two)
    if note is None and other is None and cubes == (None, None):
        return
    if note is None:
        yield from _cube(one, two, *cubes)
        if other is not None and (other.plays or other.luck is not None or other.mark):
            yield FactChange("note", "it is new")
        return
    other = other or type(note)()
    pairs = _paired(note.plays, one[1], other.plays, two[1])
    yield from _plays(one, two, note.plays, other.plays, pairs)
    yield from _cube(one, two, *cubes)
    if note.others and len(other.others) < len(note.others):
        yield FactChange("others", "it is missing", codes.ANALYSIS_LOST, "a second analysis of one decision")
    if note.luck is not None and not _same(note.luck, other.luck):
        code = codes.ANALYSIS_LOST if other.luck is None else None
        yield FactChange("luck", _became(note.luck, other.luck), code, "the luck of a roll")
    marks = [(each.mark, each.cube_mark, each.luck_mark) for each in (note, other)]
    if marks[0] != marks[1]:
        lost = any(mark and not got for mark, got in zip(*marks, strict=True))
        yield FactChange("marks", _became(*marks), codes.ANALYSIS_LOST if lost else None, "a mark")
    if note.clock is not None and note.clock != other.clock:
        found = note.clock, other.clock
        if other.clock is not None and _is_rounded(note.clock, other.clock):
            yield FactChange("clock", _became(*found), codes.EXTRA_LOST, "parts of seconds on the clocks")
        else:
            code = codes.EXTRA_LOST if other.clock is None else None
            yield FactChange("clock", _became(*found), code, "the clocks")
    for key, value in note.extras:
        if (key, value) not in other.extras:
            yield FactChange("extra", "it is missing", codes.EXTRA_LOST, _own(key))
    yield from _common(note, other, pairs)
    for first, second in zip(note.others, other.others, strict=False):
        yield from _common(first, second, _paired(first.plays, one[1], second.plays, two[1]))


def _is_rounded(clock: Clock, other: Clock) -> bool:
    """Whether each of the clocks shows the same as before, in whole seconds."""
    return all(
        a == b or (a is not None and b is not None and abs(a - b) < 1 and b == int(b))
        for a, b in zip(clock, other, strict=True)
    )


def _plays(
    one: _Noted, two: _Noted, plays: PlayAnalysis | None, other: PlayAnalysis | None, pairs: _Pairs
) -> Iterator[FactChange]:
    """The differences in the analysis of a roll. Which play was made follows from the play."""
    if plays is None or not plays.candidates:
        if other is not None and other.candidates:
            yield FactChange("plays", "it is new")
        return
    if other is None or not other.candidates:
        yield FactChange("plays", "it is missing", codes.ANALYSIS_LOST, "the analysis of a play")
        return
    for each, found in pairs:
        if found is not None:
            figures = _figures(each.evaluation, one[1]), _figures(found.evaluation, two[1])
            yield from _changed_figures("plays", "a play", *figures)
    if any(found is None for _, found in pairs):
        what = f"the analysis of {len(pairs)} plays of one roll"
        yield FactChange("plays", f"{len(pairs)} became {len(other.candidates)}", codes.ANALYSIS_LOST, what)


def _paired(plays: PlayAnalysis | None, turn: Turn, other: PlayAnalysis | None, other_turn: Turn) -> _Pairs:
    """The plays of an analysis, each with the one of the other analysis that leads to the same board."""
    if plays is None or other is None:
        return []
    found: dict[Any, list[Candidate]] = {}
    for each in with_every_play(other, other_turn).candidates:
        found.setdefault(_board(other_turn, each.hops), []).append(each)
    alike = ((each, found.get(_board(turn, each.hops))) for each in with_every_play(plays, turn).candidates)
    return [(each, them.pop(0) if them else None) for each, them in alike]


def _changed_figures(where: str, of: str, given: tuple[Any, ...], got: tuple[Any, ...]) -> Iterator[FactChange]:
    """The difference of the figures of two evaluations: some are only missing, or they are others."""
    if not _same(given, got):
        code = codes.ANALYSIS_LOST if _is_less(given, got) else None
        yield FactChange(where, _became(given, got), code, f"the figures of an analysis of {of}")


def _is_less(figures: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    """Whether figures of an evaluation are only missing, and none is another."""
    return all(_same(*pair) or pair[1] in (None, _ZEROS) for pair in zip(figures[:2], found[:2], strict=True))


def _cube(one: _Noted, two: _Noted, cube: CubeAnalysis | None, other: CubeAnalysis | None) -> Iterator[FactChange]:
    """The differences in the analysis of a cube decision."""
    if cube is None:
        if other is not None:
            yield FactChange("cube", "it is new")
        return
    if other is None:
        for turn in _decision(*one):
            if turn.entry.annotation is not None and turn.entry.annotation.cube is not None:
                what = "the analysis of a cube decision"
                yield FactChange("cube", "it is missing", codes.ANALYSIS_LOST, what, turn=turn)
        return
    kept = _figures(other.double_take, two[1])
    taken = _figures(cube.double_take, one[1])
    if taken[0] != _ZEROS and kept[0] == _ZEROS:
        yield FactChange("cube", "they are missing", codes.ANALYSIS_LOST, "the chances after a double")
        taken = (_ZEROS, *taken[1:])
    undoubled = _figures(cube.no_double, one[1]), _figures(other.no_double, two[1])
    yield from _changed_figures("cube", "the cube", *undoubled)
    yield from _changed_figures("cube", "the cube", taken, kept)


def _board(turn: Turn, hops: tuple[HopText, ...]) -> Any:
    """What a play leads to, however it is written; its hops where it is not legal."""
    dice = getattr(turn.entry, "dice", None)
    found = None if dice is None else find_play(turn.before, dice, hops)
    return steps(hops) if found is None else found.result


def _decision(game: GameReplay, turn: Turn) -> list[Turn]:
    """The entries that share the analysis of a cube decision, from its first entry on: an offer and its answers."""
    before = game.turns[turn.index - 1].entry if turn.index else None
    if isinstance(turn.entry, _ANSWERS) and isinstance(before, (Double, *_ANSWERS)):
        return []
    answers = takewhile(lambda each: isinstance(each.entry, _ANSWERS), game.turns[turn.index + 1 :])
    return [turn, *(answers if isinstance(turn.entry, Double) else ())]


def _cube_analysis(game: GameReplay, turn: Turn) -> CubeAnalysis | None:
    """The analysis of a cube decision, given once, at its first entry."""
    notes = [each.entry.annotation for each in _decision(game, turn)]
    return next((note.cube for note in notes if note is not None and note.cube is not None), None)


def _figures(evaluation: Evaluation, turn: Turn) -> tuple[Any, ...]:
    # Several formats write zeros for chances that are not known, and round tiny ones to zero. The equity is compared in
    # points (EMG) where the match equity table covers the score, whatever unit the format has.
    known = evaluation_in(evaluation, "emg", turn.state) or evaluation
    return evaluation.probabilities or _ZEROS, known.equity, known.unit


def _common(one: Annotation, two: Annotation, pairs: _Pairs) -> Iterator[FactChange]:
    """The differences in what decisions share: program, levels, unit, cubeless equities, stated errors."""
    plays = [(each, other) for each, other in pairs if other is not None]
    figures = [(each.evaluation, other.evaluation) for each, other in plays]
    levels = [(each.level, other.level) for each, other in plays]
    errors = [(one.plays.error, two.plays.error)] if one.plays is not None and two.plays is not None else []
    if one.cube is not None and two.cube is not None:
        figures += [(one.cube.no_double, two.cube.no_double), (one.cube.double_take, two.cube.double_take)]
        levels.append((one.cube.level, two.cube.level))
        errors += [(one.cube.error, two.cube.error), (one.cube.answer_error, two.cube.answer_error)]
    if levels and one.program not in ("", two.program):
        yield _shared(f"{one.program} as the maker of an analysis")
    for level, other in dict.fromkeys(levels):
        name = f"the level “{level.name}”"
        depth = plies(level, one.program)  # GNU Backgammon counts them from 0, eXtreme Gammon from 1
        if level.name != other.name and (depth is None or depth != plies(other, two.program)):
            yield _shared(f"an analysis {'at ' + name if level.name else 'without a level'}")
        if level.code not in ("", level.name, other.code):
            is_rollout = level.name == "rollout"
            yield _shared("the games and the confidence of a rollout" if is_rollout else f"the settings of {name}")
    if any(each.cubeless is not None and other.cubeless is None for each, other in figures[: len(plays)]):
        yield _shared("the equities of plays without the cube")
    if any(each.cubeless is not None and other.cubeless is None for each, other in figures[len(plays) :]):
        yield _shared("the equities of cube decisions without the cube")
    restated = any(each.equity is not None and (each.unit, other.unit) == ("mwc", "emg") for each, other in figures)
    if any(error is not None and (other is None or not (restated or _same(error, other))) for error, other in errors):
        yield _shared("the errors as the record states them")
    if restated:
        what = f"match winning chances; they stand in points, by the match equity table {DEFAULT}"
        yield FactChange(_SHARED, "they are in points", codes.ANALYSIS_RESTATED, what)


def _shared(what: str) -> FactChange:
    return FactChange(_SHARED, "it is missing", codes.ANALYSIS_LOST, what)
