"""The edits that would put a record right, each one stretch of text in place of another.

What stands in the right column stays where it is. An edit is unsafe unless the rule that offers it
calls it `proven`: a play that alone makes all that follows fit, a number that the board, the cube or
the results before it prove.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board import Violation, are_dice, format_play, resolve
from bgtools.checks._layout import Rows, Written
from bgtools.findings import Fix
from bgtools.record import CheckerPlay
from bgtools.replayer import OrderViolation, Rival, TurnFault, is_fixed, unlikeness
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Dice, Hop, Play, Player
    from bgtools.record import Entry, Match, ResultClaim
    from bgtools.replayer import GameReplay, Turn
    from bgtools.source import Source

    Supposed = tuple[Player, Play | None, Dice]
    """A turn that the record does not hold."""

_GAP: Final = re.compile(r"[^\S\r\n]{2,}(?=\S)")
_PROOF: Final = 2
"""So many plays must fit after a play for it to be told from others."""
_LIKE: Final = 2
"""So many edits may lie between a legal play and the one that was made for that to be proved."""


def proven(fix: Fix | None) -> Fix | None:
    """A fix that may be applied unseen, because nothing else makes the rest of the record fit."""
    return None if fix is None else replace(fix, applicability="safe")


# --- one stretch of text --------------------------------------------------------------------


def edit(source: Source, span: Span, text: str) -> Fix:
    """``text`` in place of what stands at ``span``; the blanks before the next cell take up the difference."""
    longer = len(text) - (span.end - span.start)
    line = source.lines[source.place(span.start).line - 1]
    gap = _GAP.search(source.text, span.end, line.end) if longer else None
    if gap is None:
        return Fix(span, text)
    blanks = " " * max(2, gap.end() - gap.start() - longer)
    return Fix(Span(span.start, gap.end()), text + source.text[span.end : gap.start()] + blanks)


def word(match: Match, entry: Entry, text: str) -> Fix | None:
    """Another word in place of a cube action's, in capitals or not as the one that stands there."""
    if match.source is None or entry.span.end <= entry.span.start:
        return None
    stands = match.source.text[slice(*entry.span)]
    found = re.match(r"[A-Za-z]+", stands)
    if found is None:
        return None
    like = text.upper() if found[0].isupper() else text.lower() if found[0].islower() else text
    return edit(match.source, Span(entry.span.start, entry.span.start + found.end()), like)


def instead(match: Match, entry: Entry, text: str) -> Fix | None:
    """Another text in place of the whole entry."""
    if match.source is None or entry.span.end <= entry.span.start:
        return None
    return edit(match.source, entry.span, text)


def blank(match: Match, *entries: Entry) -> Fix | None:
    """The cells of entries left empty."""
    source = match.source
    if source is None or any(entry.span.end <= entry.span.start for entry in entries):
        return None
    first, last = min(entry.span for entry in entries), max(entry.span for entry in entries)
    text = source.text[first.start : last.end]
    for start, end in (entry.span for entry in entries):
        text = text[: start - first.start] + " " * (end - start) + text[end - first.start :]
    line = source.lines[source.place(last.start).line - 1]
    if source.text[last.end : line.end].strip():
        return Fix(Span(first.start, last.end), text)
    return Fix(Span(first.start, line.end), text.rstrip(" "))


def exchanged(match: Match, first: Entry, second: Entry) -> Fix | None:
    """The two cells of a row in each other's place."""
    source = match.source
    if source is None or source.place(first.span.start).line != source.place(second.span.start).line:
        return None
    left, right = sorted((first.span, second.span))
    width = max(right.start - left.start, right.end - right.start + 1)
    text = source.text[slice(*right)].ljust(width) + source.text[slice(*left)]
    return Fix(Span(left.start, right.end), text)


def in_order(match: Match, game: GameReplay, turn: Turn, last: int, missing: Sequence[Supposed] = ()) -> Fix | None:
    """The rows from a turn on as they are read: every entry in the column and the place that the replay gives it.

    Args:
        match: the record.
        game: the game, as it was replayed.
        turn: the first turn that is read otherwise.
        last: the number of the last entry, from 0, that is.
        missing: turns that are supposed before it.
    """
    if match.source is None:
        return None
    rows = Rows(match.source, game)
    entries, first = game.game.entries, turn.index
    # The other cells of the rows stay where they are, but they are written with them.
    while first and entries[first - 1].row == entries[first].row and entries[first].row is not None:
        first -= 1
    while last + 1 < len(entries) and entries[last + 1].row == entries[last].row and entries[last].row is not None:
        last += 1
    cells = []
    for each in game.turns[first : last + 1]:
        if each is turn:
            cells += [_supposed(match, match.source, *one) for one in missing]
        stands = next(entry.player for entry in entries if entry.span == each.entry.span)
        cells.append(rows.cell(each.player, each.entry, stands))
    fix = rows.again(first, last, cells)
    # What a turn was that nobody wrote, and which of many orders was the right one, is never proved. A result in the
    # column that the turns leave would have to be moved as well.
    claim = next((claim for claim in game.game.results if claim.won), None)
    is_open = bool(missing) or any(getattr(each, "fault", None) is TurnFault.MOVED for each in turn.violations)
    is_left = claim is not None and claim.column_speaks and claim.player != game.winner
    is_proved = turn.sure and turn.fits >= _PROOF and not is_open and not is_left
    return None if fix is None else replace(fix, applicability="safe" if is_proved else "unsafe", explains=turn.fits)


def _supposed(match: Match, source: Source, player: Player, play: Play | None, dice: Dice) -> Written:
    """The cell of a turn that the record does not hold."""
    hops = play.hops if play is not None else ()
    return Written(player, f"{dice[0]}{dice[1]}: {_Spelling(match, source, player).play(hops)}".rstrip())


# --- plays ----------------------------------------------------------------------------------


def play(match: Match, game: GameReplay, turn: Turn) -> Fix | None:
    """The play that fits the rest of the game, or the roll that fits the one that was made, and what else would do."""
    entry = turn.entry
    if match.source is None or not isinstance(entry, CheckerPlay) or entry.dice is None or not _is_text(match, entry):
        return None
    others = [fix for rival in turn.rivals if (fix := _rival(match, game, rival)) is not None]
    if turn.reading == "corrected" and turn.guess is not None:
        dice = next((each.dice for each in turn.violations if isinstance(each, OrderViolation) and each.dice), None)
        best = _other_play(match, match.source, entry, turn.guess.hops, dice)
        is_like = not _is_misread(turn) or unlikeness(entry.text.hops, turn.guess, entry.dice, dice) <= _LIKE
        return _ranked(best, turn, others, is_proved=turn.sure and turn.fits >= _PROOF and is_like)
    if turn.reading == "as written" and (roll := other_roll(turn)) is not None:
        right = _other_roll(match.source, entry, roll)
        is_proved = turn.sure and turn.fits >= _PROOF
        return None if right is None else _ranked(right, turn, others, is_proved=is_proved)
    return None


def _is_misread(turn: Turn) -> bool:
    """Whether a play is legal, so that its roll may be misread as well as the play."""
    return any(isinstance(each, OrderViolation) and each.fault is TurnFault.MISREAD for each in turn.violations)


def _is_text(match: Match, entry: CheckerPlay) -> bool:
    """Whether an entry stands in the text of its record, its roll first."""
    assert match.source is not None
    assert entry.dice is not None
    return match.source.text[entry.span.start : entry.span.start + 2] == f"{entry.dice[0]}{entry.dice[1]}"


def _ranked(best: Fix, turn: Turn, others: list[Fix], *, is_proved: bool) -> Fix:
    """A fix with what it explains, and safe or with its alternatives."""
    explains = turn.fits if turn.fits > 0 else None
    if is_proved:
        return replace(best, applicability="safe", explains=explains)
    # A play may be spelled like the one that stands in the best fix.
    alternatives = [each for each in dict.fromkeys(others) if (each.span, each.text) != (best.span, best.text)]
    return replace(best, explains=explains, alternatives=tuple(alternatives))


def _rival(match: Match, game: GameReplay, rival: Rival) -> Fix | None:
    """The edit for what else could be meant."""
    entry = game.game.entries[rival.index]
    if match.source is None or rival.play is None or not isinstance(entry, CheckerPlay) or not _is_text(match, entry):
        return None
    return replace(_other_play(match, match.source, entry, rival.play.hops, rival.dice), explains=rival.fits or None)


def _other_roll(source: Source, entry: CheckerPlay, roll: Dice) -> Fix | None:
    """One die in place of another."""
    assert entry.dice is not None
    at = 0 if roll[0] != entry.dice[0] else 1
    start = entry.span.start + at
    return Fix(Span(start, start + 1), str(roll[at])) if source.text[start].isdigit() else None


def other_roll(turn: Turn) -> Dice | None:
    """The only roll with one die changed that makes legal what is written, where the rest of the game fits it."""
    entry = turn.entry
    if not isinstance(entry, CheckerPlay) or entry.dice is None:
        return None
    if turn.reading != "as written" or not turn.complete or turn.fits < _PROOF:
        return None
    first, second = entry.dice
    found = {
        tuple(sorted(roll)): roll
        for roll in [(number, second) for number in range(1, 7)] + [(first, number) for number in range(1, 7)]
        if are_dice(roll)
        and not (turn.roll == 0 and roll[0] == roll[1])
        and not isinstance(made := resolve(turn.before, roll, entry.text.hops), Violation)
        and made.result == turn.after
    }
    return next(iter(found.values())) if len(found) == 1 else None


def forced(match: Match, entry: CheckerPlay, hops: tuple[Hop, ...]) -> Fix | None:
    """The only play there was, behind its roll."""
    return None if match.source is None else _other_play(match, match.source, entry, hops)


def without_star(match: Match, entry: CheckerPlay, hop: int) -> Fix | None:
    """A group of hops that marks no hit."""
    group = entry.text.hops[hop]
    span = Span(entry.text_at + group.start, entry.text_at + group.end)
    if match.source is None:
        return None
    return edit(match.source, span, match.source.text[slice(*span)].replace("*", ""))


def _other_play(
    match: Match, source: Source, entry: CheckerPlay, hops: tuple[Hop, ...], dice: Dice | None = None
) -> Fix:
    """Another play in place of what is written, and another roll where one is given that is not written."""
    spelling = _Spelling(match, source, entry.player)
    if dice is not None and entry.dice is not None and sorted(dice) != sorted(entry.dice):
        behind = source.text[entry.span.start + 2 : entry.span.start + 3].strip()
        return edit(source, entry.span, f"{dice[0]}{dice[1]}{behind} {spelling.play(hops)}")
    if (one := _one_hop(entry, hops)) is not None:
        index, hop = one
        group = entry.text.hops[index]
        return edit(source, Span(entry.text_at + group.start, entry.text_at + group.end), spelling.play((hop,)))
    # Behind the dice and their colon; a cell without moves ends there.
    roll = re.match(r"\d\d\s*:", source.text[slice(*entry.span)])
    start = entry.span.start + (roll.end() if roll else 3)
    return edit(source, Span(start, max(start, entry.span.end)), f" {spelling.play(hops)}")


def _one_hop(entry: CheckerPlay, hops: tuple[Hop, ...]) -> tuple[int, Hop] | None:
    """The only group that differs from a play, with the hop that belongs there; None where more does."""
    groups = entry.text.hops
    if len(groups) != len(hops) or any(len(group.points) != 2 or group.count != 1 for group in groups):
        return None
    left = Counter((hop.start, hop.end) for hop in hops)
    wrong: list[int] = []
    for index, group in enumerate(groups):
        ends = (group.points[0], group.points[1])
        if left[ends] > 0:
            left[ends] -= 1
        else:
            wrong.append(index)
    if len(wrong) != 1:
        return None
    missing = next(ends for ends, count in left.items() if count > 0)
    return wrong[0], next(hop for hop in hops if (hop.start, hop.end) == missing)


class _Spelling:
    """How a record writes the plays of a player, by those that stand in it."""

    def __init__(self, match: Match, source: Source, player: Player) -> None:
        self.is_mirrored = player == 1 and is_fixed(match)
        text = " ".join(
            source.text[slice(*entry.span)]
            for game in match.games
            for entry in game.entries
            if isinstance(entry, CheckerPlay)
        )
        bar, off = re.search(r"(?<![\d/])(25|bar)(?=/)", text, re.IGNORECASE), re.search(r"/(0|off)\b", text, re.I)
        self.bar = bar[1] if bar else "25" if off and off[1] == "0" else "bar"
        self.off = off[1] if off else "0" if bar and bar[1] == "25" else "off"
        self.merge = "(" in text or not (bar or off)
        self.stars = "*" in text

    def play(self, hops: tuple[Hop, ...]) -> str:
        style: Literal["fixed", "words"] = "fixed" if self.is_mirrored else "words"
        words = format_play(hops, style=style, merge=self.merge, stars=self.stars)
        return words.replace("bar", self.bar).replace("off", self.off)


# --- numbers --------------------------------------------------------------------------------


def number(match: Match, span: Span, stands: int, right: int) -> Fix | None:
    """A number inside a cell or result put right, where it stands there once."""
    if match.source is None:
        return None
    places = [found.span() for found in re.finditer(r"\d+", match.source.text[slice(*span)]) if int(found[0]) == stands]
    if len(places) != 1:
        return None
    start, end = (span.start + at for at in places[0])
    return edit(match.source, Span(start, end), str(right))


def points(match: Match, claim: ResultClaim, right: int) -> Fix | None:
    """The points of a result put right, and "point" behind their number, unless the record writes "Wins 2 point"."""
    source = match.source
    found = re.search(r"(\d+)( +points?\b)?", source.text[slice(*claim.span)], re.I) if source else None
    if source is None or found is None or int(found[1]) != claim.points:
        return None
    word = found[2] or ""
    if not re.search(r"(?:Wins|Loses|Losses) +(?!1 )\d+ +point\b", source.text, re.I):
        word = re.sub(r"(?i)s$", "", word) + ("s" if word and right != 1 else "")
    return Fix(Span(claim.span.start + found.start(), claim.span.start + found.end()), f"{right}{word}")


def score(match: Match, game: GameReplay, right: tuple[int, int]) -> Fix | None:
    """The points of a score line put right."""
    source, span, stands = match.source, game.game.score_span, game.game.score
    if source is None or stands is None:
        return None
    found = [each.span(1) for each in re.finditer(r":[^\S\r\n]*(\d+)(?=\s|$)", source.text[slice(*span)])]
    if len(found) != 2:
        return None
    order: tuple[Player, Player] = (0, 1) if game.game.left == 0 else (1, 0)
    (first, after_first), (second, after_second) = ((span.start + at, span.start + end) for at, end in found)
    read = (source.text[first:after_first], source.text[second:after_second])
    if tuple(map(int, read)) != (stands[order[0]], stands[order[1]]):
        return None
    left, other = str(right[order[0]]), str(right[order[1]])
    if read[0] == left:
        return Fix(Span(second, after_second), other)
    both = edit(source, Span(first, after_first), left)
    if read[1] == other:
        return both
    return Fix(Span(first, after_second), both.text + source.text[both.span.end : second] + other)


# --- results --------------------------------------------------------------------------------


def other_column(match: Match, game: GameReplay, claim: ResultClaim, winner: Player) -> Fix | None:
    """A result that stands on a line of its own, in the winner's column."""
    source = match.source
    margin = _margin(match, game, winner)
    if source is None or margin is None:
        return None
    line = source.lines[source.place(claim.span.start).line - 1]
    if source.text[slice(*line)].strip() != source.text[slice(*claim.span)]:
        return None
    return Fix(Span(line.start, claim.span.end), margin + source.text[slice(*claim.span)])


def missing_result(match: Match, game: GameReplay, winner: Player, points: int) -> Fix | None:
    """A result below the last row of a game that has none."""
    source, margin = match.source, _margin(match, game, winner)
    if source is None or margin is None or not game.game.entries:
        return None
    line = source.lines[source.place(game.game.entries[-1].span.start).line - 1]
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    plural = "s" if points != 1 else ""
    return Fix(Span(line.end, line.end), f"{line_end}{margin}Wins {points} point{plural}")


def _margin(match: Match, game: GameReplay, player: Player) -> str | None:
    """The blanks before a result in a player's column: one further in than his rolls."""
    assert match.source is not None
    columns = [
        match.source.place(entry.span.start).column
        for entry in game.game.entries
        if entry.player == player and isinstance(entry, CheckerPlay)
    ]
    return " " * max(columns) if columns else None
