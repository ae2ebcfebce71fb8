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

from bgtools.board import Violation, are_dice, can_move, format_play, other, resolve
from bgtools.checks._layout import Rows, Written
from bgtools.findings import Fix
from bgtools.record import CheckerPlay
from bgtools.replayer import OrderViolation, Rival, TurnFault, is_fixed, unlikeness
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Dice, Hop, Play, Player
    from bgtools.record import Entry, Game, Match, ResultClaim
    from bgtools.replayer import GameReplay, Turn
    from bgtools.source import Source

    Supposed = tuple[Player, Play | None, Dice]
    """A turn that the record does not hold."""

_GAP: Final = re.compile(r"[^\S\r\n]{2,}(?=\S)")
_PROOF: Final = 2
"""So many plays must fit after a play for it to be told from others."""
_LIKE: Final = 2
"""So many edits may lie between what is written and the play that was made for that to be proved."""
_MUCH: Final = 10
"""After so many plays that fit, whatever is written is proved to be misread."""


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


def instead(match: Match, entry: Entry, text: str, *gone: Entry) -> Fix | None:
    """Another text in place of the whole entry, and the cells of others left empty."""
    if match.source is None or entry.span.end <= entry.span.start:
        return None
    if not gone:
        return edit(match.source, entry.span, text)
    rest = blank(match, entry, *gone)
    if rest is None or rest.span.start != entry.span.start or rest.text[: len(text)].strip():
        return None
    return Fix(rest.span, text + rest.text[len(text) :])


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


def answered(match: Match, game: GameReplay, turn: Turn, text: str) -> Fix | None:
    """A word in the column of a player's opponent between a double and the entry after it.

    Args:
        match: the record.
        game: the game.
        turn: the double.
        text: the word.
    """
    missing = Written(other(turn.player), text, 1)
    return arranged(match, game, [turn, missing, *game.turns[turn.index + 1 : turn.index + 2]])


def exchanged(match: Match, first: Entry, second: Entry) -> Fix | None:
    """The two cells of a row in each other's place."""
    source = match.source
    if source is None or source.place(first.span.start).line != source.place(second.span.start).line:
        return None
    left, right = sorted((first.span, second.span))
    width = max(right.start - left.start, right.end - right.start + 1)
    text = source.text[slice(*right)].ljust(width) + source.text[slice(*left)]
    return Fix(Span(left.start, right.end), text)


def exchanged_rolls(match: Match, first: Entry, second: Entry) -> Fix | None:
    """The rolls of two cells in each other's place."""
    source, digits = match.source, 2
    if source is None or not first.span.start < first.span.end <= second.span.start:
        return None
    start, end = first.span.start, second.span.start + digits
    one, two = source.text[start : start + digits], source.text[second.span.start : end]
    if not (one + two).isdigit():
        return None
    return Fix(Span(start, end), two + source.text[start + digits : second.span.start] + one)


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
    turns = game.turns[turn.index : last + 1]
    supposed = [_supposed(match, match.source, *one) for one in missing]
    fix = arranged(match, game, [*supposed, *turns])
    if fix is None:
        return None
    # What a turn was that nobody wrote, and which of many orders was the right one, is never proved; nor which result
    # a game had that was given up, where its columns are wrong.
    faults = {getattr(each, "fault", None) for each in turn.violations}
    is_open = bool(missing) or TurnFault.MOVED in faults
    is_left = TurnFault.SWAPPED_ON in faults and (game.ending == "resigned" or _is_left(game))
    is_proved = turn.sure and turn.fits >= _PROOF and not is_open and not is_left
    return replace(fix, applicability="safe" if is_proved else "unsafe", explains=turn.fits if turn.fits >= 0 else None)


def arranged(match: Match, game: GameReplay, order: Sequence[Turn | Written]) -> Fix | None:
    """The rows of some turns with these in another order, in other columns, or with cells that nobody wrote.

    Args:
        match: the record.
        game: the game, as it was replayed.
        order: the turns, one after the other in the record, each in the column of its player, and what is missing.
    """
    if match.source is None:
        return None
    rows = Rows(match.source, game)
    entries = game.game.entries
    numbers = [each.index for each in order if not isinstance(each, Written)]
    first, last = min(numbers), max(numbers)
    # The other cells of the rows stay where they are, but they are written with them.
    start, end = rows.whole(first, last)
    cells = []
    for each in (*game.turns[start:first], *order, *game.turns[last + 1 : end + 1]):
        if isinstance(each, Written):
            cells.append(each)
        else:
            stands = next(entry.player for entry in entries if entry.span == each.entry.span)
            cells.append(rows.cell(each.player, each.entry, stands))
    if end + 1 < len(entries):
        return rows.again(start, end, cells)
    if (result := rows.result(game.winner)) is not None:
        return rows.again(start, end, [*cells, result])
    fix = rows.again(start, end, cells)
    return fix if fix is None or not _is_left(game) else _with_result(match, game, fix)


def _is_left(game: GameReplay) -> bool:
    """Whether the result stands in the column of another player than the turns leave it to."""
    claim = next((claim for claim in game.game.results if claim.won), None)
    return claim is not None and claim.column_speaks and claim.player != game.winner


def _with_result(match: Match, game: GameReplay, fix: Fix) -> Fix:
    """The rows at the end of a game written anew, and the result below them in the column of the winner."""
    claim = next(claim for claim in game.game.results if claim.won)
    moved = other_column(match, game, claim, game.winner or 0)
    if match.source is None or moved is None or moved.span.start < fix.span.end:
        return fix
    between = match.source.text[fix.span.end : moved.span.start]
    return Fix(Span(fix.span.start, moved.span.end), fix.text + between + moved.text)


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
    is_proved = turn.sure and turn.fits >= _PROOF
    if turn.reading == "corrected" and turn.guess is not None:
        dice = next((each.dice for each in turn.violations if isinstance(each, OrderViolation) and each.dice), None)
        best: Fix | None = _other_play(match, match.source, entry, turn.guess.hops, dice)
        is_proved = is_proved and _is_told(entry, turn, turn.guess)
    elif turn.reading == "as written":
        best = _other_than_stood(match, game, turn, entry)
        # With a roll that can be, the play may have stood against the rules.
        is_proved = is_proved and not are_dice(entry.dice)
    elif turn.reading == "left out" and entry.text.hops and not can_move(turn.before, entry.dice):
        best = _dance(match, match.source, entry)
    else:
        best = None
    if best is None:
        return None
    others = [fix for rival in turn.rivals if (fix := _rival(match, game, rival)) is not None]
    return _ranked(best, turn, others, is_proved=is_proved)


def _other_than_stood(match: Match, game: GameReplay, turn: Turn, entry: CheckerPlay) -> Fix | None:
    """The roll with which a play is legal that is carried out as it is written, or a play that fits as well."""
    assert match.source is not None
    if (roll := other_roll(turn)) is not None:
        return _other_roll(match.source, entry, roll)
    # Where the record breaks off, so does the play.
    if game.claim is None and turn is game.turns[-1]:
        return None
    return next((fix for rival in tied(turn) if (fix := _rival(match, game, rival)) is not None), None)


def tied(turn: Turn) -> list[Rival]:
    """The other plays of the same roll after which as much fits."""
    return [
        rival
        for rival in turn.rivals
        if rival.index == turn.index and rival.play is not None and rival.fits >= turn.fits
        and rival.complete >= turn.complete
    ]  # fmt: skip


def _is_told(entry: CheckerPlay, turn: Turn, meant: Play) -> bool:
    """Whether a play is so like what is written, or fits so much, that no slip in an earlier turn explains it as well.

    A legal play is never proved to be another: its roll may be misread with it.
    """
    if any(isinstance(each, OrderViolation) and each.fault is TurnFault.MISREAD for each in turn.violations):
        return False
    return turn.fits >= _MUCH or (bool(entry.text.hops) and unlikeness(entry.text.hops, meant) <= _LIKE)


def _dance(match: Match, source: Source, entry: CheckerPlay) -> Fix:
    """Nothing behind a roll, or the words that the record has for that."""
    said = {
        source.text[each.text_at : each.span.end].strip()
        for game in match.games
        for each in game.entries
        if isinstance(each, CheckerPlay) and each.text.kind == "dance" and each.span.end > each.text_at
    }
    roll = re.match(r"\d\d\s*:", source.text[slice(*entry.span)])
    start = entry.span.start + (roll.end() if roll else 3)
    return edit(source, Span(start, max(start, entry.span.end)), f" {said.pop()}" if len(said) == 1 else "")


def _is_text(match: Match, entry: CheckerPlay) -> bool:
    """Whether an entry stands in the text of its record, its roll first."""
    assert match.source is not None
    assert entry.dice is not None
    return match.source.text[entry.span.start : entry.span.start + 2] == f"{entry.dice[0]}{entry.dice[1]}"


def _ranked(best: Fix, turn: Turn, others: list[Fix], *, is_proved: bool) -> Fix:
    """A fix with what it explains, and safe or with its alternatives."""
    explains = best.explains or (turn.fits if turn.fits > 0 else None)
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


def opening_roll(match: Match, turn: Turn) -> Fix | None:
    """The only roll of two different dice, one of them as it is written, with which a game can begin as it does."""
    entry = turn.entry
    if match.source is None or not isinstance(entry, CheckerPlay) or entry.dice is None or not _is_text(match, entry):
        return None
    die = entry.dice[0]
    if not entry.text.hops or not isinstance(resolve(turn.before, entry.dice, entry.text.hops), Violation):
        return None
    rolls: list[Dice] = [(die, number) for number in range(1, 7) if number != die]
    fitting = [roll for roll in rolls if not isinstance(resolve(turn.before, roll, entry.text.hops), Violation)]
    return _other_roll(match.source, entry, fitting[0]) if len(fitting) == 1 else None


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


def score_lines(match: Match, games: Sequence[Game], *, names: bool, points: bool) -> Fix | None:
    """The score lines of games with the names exchanged, or the points, or both."""
    source = match.source
    if source is None:
        return None
    text, start = "", games[0].score_span.start
    end = start
    for game in games:
        span = game.score_span
        found = _NAMES.fullmatch(source.text[slice(*span)])
        if found is None or span.start < end:
            return None
        one, first, gap, two, second = found.groups()
        width = len(one) + len(first) + len(gap)
        if names:
            one, two = two, one
        if points:
            first, second = second, first
        left, right = f"{one}{first}", f"{two}{second}"
        width = max(width, len(left) + 2)
        text += source.text[end : span.start] + left.ljust(width) + right
        end = span.end
    return Fix(Span(start, end), text)


_NAMES: Final = re.compile(r"(\S.*?)(\s*:\s*\d+)(\s\s+)(\S.*?)(\s*:\s*\d+)")
"""A score line: name and points, twice."""


# --- whole games ----------------------------------------------------------------------------


def mirrored_game(match: Match, game: GameReplay) -> Fix | None:
    """All entries of a game, and its result, in the other column."""
    turns = [turn._replace(player=other(turn.player)) for turn in game.turns]
    winner = None if game.winner is None else other(game.winner)
    return arranged(match, replace(game, winner=winner), turns) if turns else None


def _stretches(match: Match) -> list[Span] | None:
    """The text of each game, from its heading on, up to that of the next one; None where it has none."""
    source = match.source
    if source is None or any(game.heading.end <= game.heading.start for game in match.games):
        return None
    starts = [source.lines[source.place(game.heading.start).line - 1].start for game in match.games]
    last = match.games[-1]
    ends = [each.span.end for each in (*last.entries, *last.results)] or [last.score_span.end]
    spans = [*map(Span, starts, starts[1:]), Span(starts[-1], max(ends))]
    return spans if all(span.start < span.end for span in spans) else None


def without_game(match: Match, index: int) -> Fix | None:
    """A record without one of its games, those after it numbered as before."""
    spans = _stretches(match)
    if match.source is None or spans is None or not index:
        return None
    numbers = [game.number for game in match.games]
    text, end = "", spans[index].end
    if numbers[index] != numbers[index - 1]:
        for span, game, number in zip(spans[index + 1 :], match.games[index + 1 :], numbers[index:], strict=False):
            written = match.source.text[slice(*span)]
            text += re.sub(r"\d+", str(number), written, count=1) if game.number is not None else written
            end = span.end
    before = match.source.text[spans[index - 1].start : spans[index].start]
    start = spans[index].start if text or end < spans[-1].end else spans[index - 1].start + len(before.rstrip())
    return Fix(Span(start, end), text)


def exchanged_games(match: Match, index: int) -> Fix | None:
    """A game and the one before it in each other's place."""
    spans = _stretches(match)
    if match.source is None or spans is None:
        return None
    one, two = (match.source.text[slice(*span)] for span in spans[index - 1 : index + 1])
    first, second = (game.number for game in match.games[index - 1 : index + 1])
    if first is not None and second is not None and first < second:  # the numbers are in order, the games are not
        one, two = re.sub(r"\d+", str(second), one, count=1), re.sub(r"\d+", str(first), two, count=1)
    between = one[len(one.rstrip()) :]
    return Fix(
        Span(spans[index - 1].start, spans[index].end), two.rstrip() + between + one.rstrip() + two[len(two.rstrip()) :]
    )


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
