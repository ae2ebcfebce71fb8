"""Records with marks, clocks, equities and words behind some of their plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from bgtools.record.record import Match

MARKS: Final = {
    "signs": ("?", "??", "?!", "!", "!?", "!!", " ?", " ??", " ?!", " !", " !?", " !!"),
    "clocks": (" (0:12)", " [1:03]", " 0:12", " (00:12)", " 12:45", " (1:02:03)", " 14s", " (2.5s)", " 00:07"),
    "figures": (" [0.034]", " (-0.034)", " -0.12", " (eq: +0.341)", " {-.081}", " [+0.120, -0.034]", " 62.1%"),
    "words": (" good", " ILLEGAL?", " a blunder", " nice shot!", " wins the race", " pass was an option", " good take"),
    "brackets": (" {best}", " {should double next}", " [24/18 was better]", " (Takes too much risk)", " (no double)"),
    "other signs": (
        " {Doubles => 2?}",
        " <-- here",
        " // comment",
        " # what?",
        " *",
        " \u00a7 ",
        " ;-)",
        " ~",
        " |",
        " ~0.03",
        " 1m12s",
    ),
}
"""What is said behind a play, by its kind."""


class Marked(NamedTuple):
    """A text, and what was put into it."""

    text: str
    marks: tuple[str, ...]


def marked(match: Match, rng: random.Random, marks: Sequence[str], share: float = 0.08) -> Marked:
    """The text of a record with marks behind some of its plays; blanks before the next cell make room for them."""
    assert match.source is not None
    text = match.source.text
    plays = sorted(
        entry.span
        for game in match.games
        for entry in game.entries
        if isinstance(entry, CheckerPlay) and entry.text.kind in ("moves", "dance") and rng.random() < share
    )
    pieces: list[str] = []
    put: list[str] = []
    at = 0
    for span in plays:
        put.append(rng.choice(marks))
        pieces += [text[at : span.end], put[-1]]
        blanks = len(text[span.end :]) - len(text[span.end :].lstrip(" "))
        is_last = text[span.end + blanks : span.end + blanks + 1] in ("", "\r", "\n")
        at = span.end + (0 if is_last else max(min(blanks - 1, len(put[-1])), 0))
    return Marked("".join([*pieces, text[at:]]), tuple(each.strip() for each in put))


def lost(match: Match, marks: Sequence[str]) -> list[str]:
    """The marks that are in no remark of a match."""
    remarks = [each.text for game in match.games for each in game.comments]
    return [each for each in marks if not any(each in remark for remark in remarks)]
