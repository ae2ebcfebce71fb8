"""Edits of plays and rolls."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING, Final

from bgtools.board.generation import can_move, legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import resolve
from bgtools.board.play import HopText, PlayText
from bgtools.board.violation import Violation
from bgtools.checks.fixes.spelling import RecordSpelling
from bgtools.checks.fixes.text import PROOF, edit, match_text
from bgtools.findings.finding import Fix
from bgtools.record.record import CheckerPlay
from bgtools.replayer.plausibility import unlikeness
from bgtools.replayer.turn import OrderViolation, Rival, TurnFault
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Dice
    from bgtools.board.play import Hop, Play
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Source

_LIKE: Final = 2
"""So many edits may lie between what is written and the play that was made for that to be proved."""
_MUCH: Final = 10
"""After so many plays that fit, whatever is written is proved to be misread."""


def play(match: Match, game: GameReplay, turn: Turn) -> Fix | None:
    """The play that fits the rest of the game, or the roll that fits the one that was made, and what else would do."""
    entry = turn.entry
    if match.source is None or not isinstance(entry, CheckerPlay) or entry.dice is None or not _is_text(match, entry):
        return None
    best, is_proved = _best(match, game, turn, entry)
    if best is None:
        return None
    others = [fix for rival in turn.rivals if (fix := _rival(match, game, rival)) is not None]
    for dice, other in like_plays(turn):
        fix = _other_play(match, match.source, entry, other.hops, dice)
        others += [] if fix is None else [replace(fix, explains=turn.legal_after if turn.legal_after > 0 else None)]
    return _ranked(best, turn, others, is_proved=is_proved)


def _best(match: Match, game: GameReplay, turn: Turn, entry: CheckerPlay) -> tuple[Fix | None, bool]:
    """The likeliest edit of a play by how it is read, and whether it is proved."""
    assert match.source is not None
    assert entry.dice is not None
    is_proved = turn.sure and turn.legal_after >= PROOF and not _may_be_copied(match, entry)
    if turn.reading == "corrected" and turn.guess is not None:
        dice = _read_dice(turn)
        best = _other_play(match, match.source, entry, turn.guess.hops, dice)
        return best, is_proved and _is_told(entry, turn, turn.guess)
    if turn.reading == "as written":
        # With a roll that can be, the play may have stood against the rules.
        return _other_than_stood(match, game, turn, entry), is_proved and not are_dice(entry.dice)
    if turn.reading == "left out" and entry.text.hops and not can_move(turn.before, entry.dice):
        return _dance(match, match.source, entry), is_proved
    return None, False


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
        if rival.index == turn.index and rival.play is not None and rival.legal_after >= turn.legal_after
        and rival.complete >= turn.complete
    ]  # fmt: skip


def _is_told(entry: CheckerPlay, turn: Turn, candidate: Play) -> bool:
    """Whether a play is so like what is written, or fits so much, that nothing else explains the game as well.

    All that follows has to fit: a slip in an earlier turn may explain more. A legal play is never proved to be another:
    its roll may be misread with it. The same goes for an illegal one that is unlike it, where another roll leaves the
    same board.
    """
    is_legal = any(isinstance(each, OrderViolation) and each.fault is TurnFault.MISREAD for each in turn.violations)
    if is_legal or not turn.complete:
        return False
    is_like = bool(entry.text.hops) and unlikeness(entry.text.hops, candidate) <= _LIKE
    return is_like or (turn.legal_after >= _MUCH and not _has_other_roll(turn, candidate))


def _may_be_copied(match: Match, entry: CheckerPlay) -> bool:
    """Whether another entry of the match says the same, marks of hits aside: then roll and play may be as wrong."""
    if entry.text.kind in ("unknown", "unreadable"):
        return False
    said = str(entry.text).replace("*", "")
    alike = (
        each
        for game in match.games
        for each in game.entries
        if isinstance(each, CheckerPlay) and each.dice == entry.dice and each is not entry
    )
    return any(str(each.text).replace("*", "") == said for each in alike)


def _has_other_roll(turn: Turn, candidate: Play) -> bool:
    """Whether a play leaves a board that another roll can leave as well."""
    assert isinstance(turn.entry, CheckerPlay)
    assert turn.entry.dice is not None
    return any(True for _ in _with_other_rolls(turn, candidate, turn.entry.dice))


def _with_other_rolls(turn: Turn, candidate: Play, dice: Dice) -> Iterator[tuple[Dice, Play]]:
    """The plays of other rolls than ``dice`` that leave the same board as a play."""
    for low, high in combinations_with_replacement(range(1, 7), 2):
        if sorted(dice) != [low, high]:
            same = (play for play in legal_plays(turn.before, (high, low)) if play.result == candidate.result)
            yield from (((high, low), play) for play in islice(same, 1))


def _read_dice(turn: Turn) -> Dice | None:
    """The roll that a turn is read with; None where it is not read with another."""
    return next((each.dice for each in turn.violations if isinstance(each, OrderViolation) and each.dice), None)


def like_plays(turn: Turn) -> list[tuple[Dice, Play]]:
    """The plays of other rolls that leave the same board, where a turn is read with another roll than it is written."""
    dice = _read_dice(turn)
    if (
        turn.guess is None
        or not turn.guess.hops
        or dice is None
        or not isinstance(turn.entry, CheckerPlay)
        or turn.entry.dice is None
    ):
        return []
    is_other = turn.reading == "corrected" and sorted(dice) != sorted(turn.entry.dice)
    return [*_with_other_rolls(turn, turn.guess, dice)] if is_other else []


def _dance(match: Match, source: Source, entry: CheckerPlay) -> Fix | None:
    """Nothing behind a roll, or the words that the record has for that."""
    if not source.has_rows:
        return _respelled(source, entry, replace(entry, text=PlayText("dance")))
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
    """Whether an entry is in the text of its record, in match text its roll first."""
    assert match.source is not None
    assert entry.dice is not None
    if not match.source.has_rows:
        return match.source.respelled is not None and entry.span.start < entry.span.end
    return match.source.text[entry.span.start : entry.span.start + 2] == f"{entry.dice[0]}{entry.dice[1]}"


def _ranked(best: Fix, turn: Turn, others: list[Fix], *, is_proved: bool) -> Fix:
    """A fix with what it explains, and safe or with its alternatives."""
    explains = best.explains or (turn.legal_after if turn.legal_after > 0 else None)
    if is_proved:
        return replace(best, applicability="safe", explains=explains)
    # A play may be spelled like the one that is in the best fix.
    alternatives = [each for each in dict.fromkeys(others) if (each.span, each.text) != (best.span, best.text)]
    return replace(best, explains=explains, alternatives=tuple(alternatives))


def _rival(match: Match, game: GameReplay, rival: Rival) -> Fix | None:
    """The edit for what else could be meant."""
    entry = game.game.entries[rival.index]
    if match.source is None or rival.play is None or not isinstance(entry, CheckerPlay) or not _is_text(match, entry):
        return None
    fix = _other_play(match, match.source, entry, rival.play.hops, rival.dice)
    return None if fix is None else replace(fix, explains=rival.legal_after or None)


def _other_roll(source: Source, entry: CheckerPlay, roll: Dice) -> Fix | None:
    """One die in place of another, or both."""
    assert entry.dice is not None
    if not source.has_rows:
        return _respelled(source, entry, replace(entry, dice=roll))
    wrong = [at for at in (0, 1) if roll[at] != entry.dice[at]]
    if len(wrong) > 1:
        return Fix(Span(entry.span.start, entry.span.start + 2), f"{roll[0]}{roll[1]}")
    (at,) = wrong
    start = entry.span.start + at
    return Fix(Span(start, start + 1), str(roll[at])) if source.text[start].isdigit() else None


def other_roll(turn: Turn) -> Dice | None:
    """The only roll that makes legal what is written, where the rest of the game fits it.

    One with one die changed comes before others.
    """
    entry = turn.entry
    if not isinstance(entry, CheckerPlay) or entry.dice is None:
        return None
    if turn.reading != "as written" or not turn.complete or turn.legal_after < PROOF:
        return None
    first, second = entry.dice
    near = [(number, second) for number in range(1, 7)] + [(first, number) for number in range(1, 7)]
    for rolls in (near, [(high, low) for high in range(1, 7) for low in range(1, high + 1)]):
        found = {tuple(sorted(roll)): roll for roll in rolls if _makes_legal(roll, turn, entry)}
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _makes_legal(roll: Dice, turn: Turn, entry: CheckerPlay) -> bool:
    """Whether a roll makes legal what is written, so that it leaves the board on which the game goes on."""
    if not are_dice(roll) or (turn.roll == 0 and roll[0] == roll[1]):
        return False
    made = resolve(turn.before, roll, entry.text.hops)
    return not isinstance(made, Violation) and made.result == turn.after


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
    if len(fitting) != 1:
        return None
    fix = _other_roll(match.source, entry, fitting[0])
    if fix is None or not match.source.has_rows or not _writes_larger_first(match):
        return fix
    # One die was misread; which of the two that are the same, the order in which the record writes them tells.
    roll = f"{max(fitting[0])}{min(fitting[0])}"
    at = 0 if roll[0] != str(die) else 1
    return Fix(Span(entry.span.start + at, entry.span.start + at + 1), roll[at])


def _writes_larger_first(match: Match) -> bool:
    rolls = (each.dice for game in match.games for each in game.entries if isinstance(each, CheckerPlay) and each.dice)
    return all(first >= second for first, second in rolls)


def forced(match: Match, entry: CheckerPlay, hops: tuple[Hop, ...]) -> Fix | None:
    """The only play there was, behind its roll."""
    if match.source is None or not (match.source.has_rows or match.source.respelled):
        return None
    return _other_play(match, match.source, entry, hops)


def without_star(match: Match, entry: CheckerPlay, hop: int) -> Fix | None:
    """A group of hops that marks no hit."""
    group = entry.text.hops[hop]
    span = Span(entry.text_at + group.start, entry.text_at + group.end)
    if (source := match_text(match)) is None:
        return None
    return edit(source, span, source.text[slice(*span)].replace("*", ""))


def _other_play(
    match: Match, source: Source, entry: CheckerPlay, hops: tuple[Hop, ...], dice: Dice | None = None
) -> Fix | None:
    """Another play in place of what is written, and another roll where one is given that is not written."""
    if not source.has_rows:
        is_other = dice is not None and entry.dice is not None and sorted(dice) != sorted(entry.dice)
        said = replace(entry, dice=dice if is_other else entry.dice, text=_written_alike(entry, hops))
        return _respelled(source, entry, said)
    spelling = RecordSpelling(match, source, entry.player)
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


def _respelled(source: Source, entry: CheckerPlay, written: CheckerPlay) -> Fix | None:
    """Another play in a text that is not match text, in the words of its format."""
    made = source.respelled(source, entry, written) if source.respelled is not None else None
    return None if made is None else Fix(*made)


def _written_alike(entry: CheckerPlay, hops: tuple[Hop, ...]) -> PlayText:
    """A play as a text; the hops that stand in the record already keep their places."""
    left = Counter((hop.start, hop.end) for hop in hops)
    ways: list[tuple[int, int] | None] = []
    for group in entry.text.hops:
        ends = (group.points[0], group.points[-1])
        ways.append(ends if left[ends] > 0 else None)
        left[ends] -= ends in ways[-1:]
    others = list((+left).elements())
    made = [way or others.pop(0) for way in ways if way or others]
    return PlayText("moves", tuple(HopText(way, (False,)) for way in (*made, *others))) if hops else PlayText("dance")


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
