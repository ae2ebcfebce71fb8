"""What an editor asks of a record: edits, legal plays, what to show at a pointer, places, and an outline."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, permutations, product
from typing import TYPE_CHECKING, Final

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.play import format_play
from bgtools.findings.finding import Fix
from bgtools.formats.mat.beginning import record_to_begin
from bgtools.record.record import NOWHERE, Beaver, CheckerPlay, Double, Drop, Take
from bgtools.reports.decision_text import entry_text, name_of, position_before, recorded_lines
from bgtools.reports.findings import fix_in_words
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.play import Play
    from bgtools.editor.document import CheckedText, Here
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay


@dataclass(frozen=True, slots=True)
class OfferedFix:
    """An edit that would put a finding right.

    Attributes:
        finding: the finding that it puts right.
        title: what it does, in words; the title of an unsafe edit says so, and how many plays would fit.
        fix: the edit.
    """

    finding: Finding
    title: str
    fix: Fix

    @property
    def is_safe(self) -> bool:
        """Whether the record itself proves the edit."""
        return self.fix.applicability == "safe"


def offers(text: CheckedText, start: int, end: int) -> tuple[OfferedFix, ...]:
    """The edits for all findings that touch a stretch of the text, the likeliest of each first."""
    if not text.is_text:
        return ()
    return tuple(
        OfferedFix(finding, fix_in_words(fix, text.source), fix)
        for some in text.findings
        for finding in some
        if finding.span.start <= end and start <= finding.span.end and finding.fix is not None
        for fix in (finding.fix, *finding.fix.alternatives)
    )


def fix_all(text: CheckedText) -> tuple[Fix, ...]:
    """Every safe fix, as ``bgtools check --fix`` makes them."""
    if not text.is_text:
        return ()
    fixes = (finding.fix for some in text.findings for finding in some)
    return tuple(fix for fix in fixes if fix is not None and fix.applicability == "safe")


def edits_to(before: str, after: str) -> tuple[Fix, ...]:
    """The edits that turn one text into another: one for each line that differs; a single one if lines come or go."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    if len(old) != len(new):
        return _edit(0, before, after)
    starts = accumulate(map(len, old), initial=0)
    return tuple(fix for start, one, two in zip(starts, old, new, strict=False) for fix in _edit(start, one, two))


_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def _edit(start: int, before: str, after: str) -> tuple[Fix, ...]:
    """The shortest single edit that turns one stretch of text into another; none where they are equal."""
    if before == after:
        return ()
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return (Fix(Span(start + head, start + len(before) - tail), after[head : len(after) - tail], "safe"),)


_TYPED: Final = re.compile(r"(?<![^\s)])([1-6])[ \t]?-?[ \t]?([1-6])[ \t]?:[ \t]?([^:\r\n]*)\Z")
"""A roll before the cursor, and the part of its play that has been typed."""
_NEXT_CELL: Final = re.compile(r"\S[ \t]{2,}\Z|[ \t]{9,}\Z")
"""What shows that the cursor has left the cell of the roll."""
_LONGEST_LINE: Final = 1_000


@dataclass(frozen=True, slots=True)
class PlaySuggestion:
    """A play that can be written, or the head of a record.

    Attributes:
        text: the play.
        span: the text that it replaces.
        title: what to call it; empty where the text says it.
    """

    text: str
    span: Span
    title: str = ""


@dataclass(frozen=True, slots=True)
class _TypedSpelling:
    """How a record spells its plays."""

    bar: str = "25"
    off: str = "0"
    merge: bool = False
    stars: bool = True

    def write(self, play: Play) -> str:
        text = format_play(play, merge=self.merge, stars=self.stars)
        return text.replace("bar", self.bar).replace("off", self.off)


def suggestions(text: CheckedText, offset: int) -> tuple[PlaySuggestion, ...]:
    """What can be written at an offset: the legal plays of the roll before it that begin with what has been typed.

    Hops come in any order. In an empty text that is the head of a record. Nothing where no roll is before the offset,
    or in a text that is not match text.
    """
    source = text.source
    if not source.text.strip():
        return tuple(
            PlaySuggestion(record_to_begin(("Player 1", "Player 2"), length), Span(0, len(source.text)), title)
            for length, title in ((7, "a match to 7 points"), (0, "a money session"))
        )
    if not text.is_text or not all(match.source is not None and match.source.has_rows for match in text.matches):
        return ()
    line, column = source.location(offset)
    if column > _LONGEST_LINE:
        return ()
    start = offset - column + 1
    typed = _TYPED.search(source.text[start:offset])
    if typed is None or _NEXT_CELL.search(typed[3]):
        return ()
    dice = int(typed[1]), int(typed[2])
    here = next((each for each in text.entries if each.turn.entry.span.start == start + typed.start()), None)
    if here is None or not are_dice(dice) or not isinstance(here.turn.entry, CheckerPlay):
        return ()
    written = typed[3].lstrip()
    begin = offset - len(written)
    # What stands behind the cursor in the same cell belongs to the play that is replaced.
    end = max(offset, min(here.turn.entry.span.end, source.lines[line - 1].end))
    spelling = _spelling_of(here.match)
    plays = legal_plays(here.turn.before, dice)
    texts = dict.fromkeys(next(filter(None, _begun(spelling, play, written)), "") for play in plays)
    return tuple(PlaySuggestion(text, Span(begin, end)) for text in texts if text)


def _begun(usual: _TypedSpelling, play: Play, written: str) -> Iterator[str]:
    """A play with its hops in the orders that begin with what has been typed.

    It is spelled as the record spells its plays, and else as it is typed: ``b`` begins ``bar/24`` in any record.
    """
    begun = written.casefold()
    for bar, off in product((usual.bar, "bar", "25"), (usual.off, "off", "0")):
        for hops in _orders(replace(usual, bar=bar, off=off).write(play)):
            if hops.casefold().startswith(begun):
                yield hops


def _orders(play: str) -> Iterator[str]:
    yield play
    for hops in permutations(play.split()):
        yield " ".join(hops)


def _spelling_of(match: Match) -> _TypedSpelling:
    """How most plays of a record are spelled; as GNU Backgammon does where it has none."""
    source = match.source
    assert source is not None
    bars: Counter[str] = Counter()
    offs: Counter[str] = Counter()
    stars = apart = joined = 0
    for game in match.games:
        for entry in game.entries:
            if not isinstance(entry, CheckerPlay) or entry.text.kind != "moves":
                continue
            text = source.text[entry.text_at : entry.span.end]
            bars.update(re.findall(r"(?i)\bbar(?=/)|\b25(?=/)", text))
            offs.update(re.findall(r"(?i)(?<=/)off\b|(?<=/)0\b", text))
            stars += "*" in text
            joined += "(" in text or any(len(hop.points) > 2 for hop in entry.text.hops)
            apart += len(entry.text.hops) > 2
    usual = _TypedSpelling()
    # A short record without stars may have no hits. A longer one without stars does not write them.
    plays = sum(len(game.entries) for game in match.games)
    return _TypedSpelling(
        bars.most_common(1)[0][0] if bars else usual.bar,
        offs.most_common(1)[0][0] if offs else usual.off,
        joined > apart,
        bool(stars) or plays < _ENOUGH,
    )


_ENOUGH: Final = 60
"""Among so many entries some hit is to be expected."""


def hover(text: CheckedText, offset: int) -> tuple[list[str], Span] | None:
    """What there is to say about a place, and the stretch of text that it is about; None where there is nothing.

    For an entry: the board before it with names, pips, cube and score, and the analysis that the record holds. For the
    heading or score line of a game: how the game ended.

    Returns:
        Lines of plain text, whose first one says what they are about, and the stretch.
    """
    if (here := text.at(offset)) is not None:
        return _entry(here), here.turn.entry.span
    for match, games in zip(text.matches, text.replays, strict=True):
        for game in games if text.is_text else ():
            for span in (game.game.heading, game.game.score_span):
                if span.start <= offset <= span.end != 0:
                    number = game.index + 1 if game.game.number is None else game.game.number
                    title = f"Game {number} at {game.score[0]}-{game.score[1]}{', Crawford game' * game.crawford}"
                    return [title, outcome(match, game)], Span(*span)
    return None


def _entry(here: Here) -> list[str]:
    match, _, game, turn = here
    number = "" if game.game.number is None else f"game {game.game.number}, "
    lines = [f"{entry_text(match, turn)} ({number}row {game.row_of(turn)})", ""]
    lines += str(position_before(match, game, turn.index)).splitlines()
    if turn.entry.annotation is not None and (recorded := recorded_lines(turn.entry.annotation)):
        lines += ["", *recorded]
    return lines


def causes(text: CheckedText, offset: int) -> tuple[Span, ...]:
    """The places that explain a place.

    What follows from a slip leads to that slip; a slip to what its finding names as proof; the answer to a double or a
    beaver to that; a score line to the result of the game before it.
    """
    if not text.is_text:
        return ()
    found = [
        finding.span
        for some in text.findings
        for finding in some
        if any(_holds(related.span, offset) for related in finding.related)
    ]
    found += [
        related.span
        for some in text.findings
        for finding in some
        if _holds(finding.span, offset)
        for related in finding.related
    ]
    here = text.at(offset)
    if here is not None and isinstance(here.turn.entry, Take | Drop | Beaver):
        found += _offer(here)
    found += _result(text, offset)
    return tuple(dict.fromkeys(span for span in found if span != NOWHERE))


def _holds(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end and span != NOWHERE


def _offer(here: Here) -> list[Span]:
    """The double, or the beaver, that an entry answers."""
    before = [turn.entry for turn in here.game.turns if turn.index < here.turn.index]
    return [each.span for each in before[-1:] if isinstance(each, Double | Beaver)]


def _result(text: CheckedText, offset: int) -> list[Span]:
    """The result of the game before the score line at an offset; that game's last entry where it states no result."""
    for games in text.replays:
        for before, game in pairwise(games):
            if _holds(game.game.score_span, offset):
                claimed = [claim.span for claim in before.game.results]
                return claimed or [entry.span for entry in before.game.entries[-1:]]
    return []


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something in the outline.

    Attributes:
        name: what it is called.
        detail: a few words about it.
        span: the whole of it in the text.
        heading: the place that an editor goes to.
        parts: the symbols in it.
    """

    name: str
    detail: str
    span: Span
    heading: Span
    parts: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that can be folded away.

    Attributes:
        first, last: numbers of the lines, from 1; the first line stays in sight.
        is_comment: whether they are headers and remarks.
    """

    first: int
    last: int
    is_comment: bool = False


def symbols(text: CheckedText) -> tuple[Symbol, ...]:
    """The games, each with its score and how it ended; where the text holds several records, the records with them."""
    if not text.is_text:
        return ()
    found = []
    for match, games in zip(text.matches, text.replays, strict=True):
        parts = tuple(_game(match, game) for game in games if _span(game.game) is not None)
        if len(text.matches) == 1:
            return parts
        spans = [part.span for part in parts] or [match.length_span]
        whole = Span(min(spans[0].start, match.length_span.start or spans[0].start), spans[-1].end)
        names = " - ".join(name_of(match, player) for player in (0, 1))
        found.append(Symbol(names, _length(match), whole, Span(whole.start, whole.start), parts))
    return tuple(found)


def folds(text: CheckedText) -> tuple[Fold, ...]:
    """The lines of each game, and of the headers and remarks that stand together."""
    if not text.is_text:
        return ()
    found: list[Fold] = []
    for match in text.matches:
        found += _lines(text, (span for game in match.games if (span := _span(game)) is not None))
        inside = [comment for game in match.games for comment in game.comments]
        spans = [*(tag.span for tag in match.tags), *(comment.span for comment in (*match.comments, *inside))]
        remarks = sorted(span for span in spans if span != NOWHERE)
        found += _lines(text, _together(text, remarks), is_comment=True)
    return tuple(found)


def _lines(text: CheckedText, spans: Iterable[Span], *, is_comment: bool = False) -> Iterator[Fold]:
    place = text.source.location
    for span in spans:
        first, last = place(span.start).line, place(max(span.start, span.end - 1)).line
        if last > first:
            yield Fold(first, last, is_comment)


def _together(text: CheckedText, spans: list[Span]) -> Iterator[Span]:
    """The spans, with those joined between which only blanks and line ends stand."""
    held: Span | None = None
    for span in spans:
        if held is not None and not text.source.text[held.end : span.start].strip():
            held = Span(held.start, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _span(game: Game) -> Span | None:
    """The stretch from the first place of a game to its last; None where it has no places."""
    spans = [
        game.heading, game.score_span, *(each.span for each in game.entries), *(each.span for each in game.results),
        *game.marks,
    ]  # fmt: skip
    known = [span for span in spans if span != NOWHERE]
    return Span(min(known).start, max(span.end for span in known)) if known else None


def _game(match: Match, game: GameReplay) -> Symbol:
    span = _span(game.game)
    assert span is not None
    heading = game.game.heading if game.game.heading != NOWHERE else Span(span.start, span.start)
    number = game.index + 1 if game.game.number is None else game.game.number
    return Symbol(f"Game {number} at {game.score[0]}-{game.score[1]}", outcome(match, game), span, heading)


def outcome(match: Match, game: GameReplay) -> str:
    """How a game ended: ``Greta Holm wins 2 points, borne off``."""
    if game.winner is None:
        return game.ending
    points = "" if not game.points else f" {game.points} point{'s' * (game.points != 1)}"
    return f"{name_of(match, game.winner)} wins{points}, {game.ending}"


def _length(match: Match) -> str:
    return f"{match.length} point{'s' * (match.length != 1)}" if match.length else "money session"
