"""Sound matches written as people paste them: in mails, on pages, in tables, and in the rows of books and forums."""

from __future__ import annotations

import html
import random
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.writer import write
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.record.record import Match
    from bgtools.replayer.turn import Turn

PROSE: Final = (
    "This is the natural play.",
    "I say 8/3 6/3 is better, and 21:5 is not a score.",
    "Ann could have played 24/18 13/9 here, but\nshe did not like the blot.",
    "Wow!",
    "Double was wrong, I think.",
    "Take is clear.",
    "Here 31: 8/5 6/5 is what the books say.",
    "1) the prime is strong\n2) the cube is mine",
    "Wins about 40% of games, so 3-2 in the end.",
    "Passing costs 0.123 (rollout).",
    "Wie würfelt er nur so gut?",
    "8/5, 6/5         +.180\n24/23, 13/10     -.020",
    "Score: 3-2, but the match is not over.",
    'A doubled gammon would be terrible; "Tom & Jerry" <grin>',
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
)
"""Paragraphs that mention plays, scores and cube actions without being any."""

Dressed = tuple[str, list[str]]
"""A text, and the paragraphs that were put into it."""


def between_rows(match: Match, rng: random.Random) -> Dressed:
    """Match text with paragraphs between its rows."""
    lines: list[str] = []
    remarks: list[str] = []
    for line in write(match).splitlines():
        lines.append(line)
        if line.lstrip()[:1].isdigit() and ")" in line and rng.random() < 0.3:
            remarks.append(rng.choice(PROSE))
            lines += ["", remarks[-1], ""] if rng.random() < 0.7 else [remarks[-1]]
    return "\n".join([*lines, ""]), remarks


def in_a_mail(match: Match, rng: random.Random, depth: int = 1) -> Dressed:
    """The same behind quote marks."""
    text, remarks = between_rows(match, rng)
    quoted = "\n".join("> " * depth + line for line in text.splitlines())
    return f"From: ann@example.org\nSubject: our match\n\nHi all,\n\n{quoted}\n\nBest,\nAnn\n", remarks


def on_a_page(match: Match, rng: random.Random) -> Dressed:
    """The same in a page."""
    text, remarks = between_rows(match, rng)
    head = "<html><head><title>A match</title></head><body><p>Hi &amp; welcome</p><pre>"
    return f"{head}{html.escape(text)}</pre></body></html>\n", remarks


def _cell(turn: Turn, form: str) -> str:
    entry = turn.entry
    if isinstance(entry, CheckerPlay):
        assert entry.dice is not None
        (one, two), play = entry.dice, "" if turn.play is None else str(turn.play) or "no move"
        commas = play if play == "no move" else play.replace(" ", ", ")
        return {
            "magazine": f"{one}-{two}: {commas}",
            "forum": f"{one}{two}: {play}",
            "hyphens": f"{one}-{two}: {play.replace('/', '-')}",
            "bare": f"{one}{two} {play}",
            "dashed": f"{one}{two}{' - ' * bool(play)}{play}",
            "signs": f"{one}{two} : {play.replace('*', '@')}",
        }[form].rstrip()
    return {Double: "Double", Take: "Take", Drop: "Pass", Resign: "Resigns", Beaver: "Beaver"}[type(entry)]


FORMS: Final = ("magazine", "forum", "hyphens", "bare", "dashed", "signs")
LAYOUTS: Final = ("rows", "vanished", "sides", "names", "letters", "lines", "markdown", "html")


class _Text:
    """A text while it is written."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.remarks: list[str] = []

    def remark(self, share: float = 0.3) -> bool:
        if self.rng.random() >= share:
            return False
        self.remarks.append(self.rng.choice(PROSE))
        self.lines += ["", self.remarks[-1], ""]
        return True


def in_form(match: Match, rng: random.Random, form: str, layout: str, *, heading: bool) -> Dressed:
    """A match in the rows of a book or a forum, with sentences or lines of match text for headings."""
    to = _Text(rng)
    one, two = match.players
    for number, game in enumerate(replay(match), 1):
        score = game.score
        if heading:
            to.lines += [f"{one} against {two}, {match.length} point match", ""] if number == 1 else []
            to.lines += [f"Game {number}. Score {score[0]}-{score[1]}", ""]
        else:
            to.lines += [f" {match.length} point match", ""] if number == 1 else []
            to.lines += [f" Game {number}", f" {one} : {score[0]}          {two} : {score[1]}"]
        names = match.players if layout == "names" else ("White", "Black")
        turns = game.turns
        if layout in ("sides", "names", "letters", "lines"):
            to.lines += [""]
            for number_of_turn, turn in enumerate(turns, 1):
                to.lines.append(_line(turn, number_of_turn, form, layout, names))
                to.remark()
        else:
            _rows(to, turns, form, layout)
        if game.winner is not None and game.points and not isinstance(turns[-1].entry, Drop):
            winner = names[game.winner] if layout in ("sides", "names") else match.players[game.winner]
            to.lines.append(f"{winner} wins {game.points} point{'s' * (game.points > 1)}")
        to.lines.append("")
    text = "\n".join([*to.lines, ""])
    return (_page(to.lines) if layout == "html" else text), to.remarks


def _line(turn: Turn, number: int, form: str, layout: str, names: tuple[str, str]) -> str:
    cell = _cell(turn, form)
    if layout == "lines":
        return f"{number}. {cell}"
    if layout == "letters":
        return f"{number}. {'WB'[turn.player]} {cell}"
    verbs = {"Double": "doubles", "Take": "takes", "Pass": "passes", "Resigns": "resigns", "Beaver": "beavers"}
    return f"{names[turn.player]}{':' * (layout == 'names')} {verbs.get(cell, cell)}"


def paired(turns: Sequence[Turn]) -> list[tuple[Turn | None, Turn | None]]:
    """The turns in rows of a left and a right cell."""
    rows: list[tuple[Turn | None, Turn | None]] = []
    at = 0
    while at < len(turns):
        left = turns[at] if turns[at].player == 0 else None
        at += left is not None
        right = turns[at] if at < len(turns) and turns[at].player == 1 else None
        at += right is not None
        rows.append((left, right))
    return rows


def _rows(to: _Text, turns: Sequence[Turn], form: str, layout: str) -> None:
    for number, (left, right) in enumerate(paired(turns), 1):
        one, two = (_cell(each, form) if each else "" for each in (left, right))
        if layout == "markdown":
            to.lines.append(f"| {number} | {one} | {two} |")
        elif layout == "html":
            to.lines.append(f"<tr><td>{number}.</td><td>{one}</td>\n<td>{two}</td></tr>")
        elif left is None:
            to.lines.append(f"1. {two}" if number == 1 and layout == "vanished" else f"{number}. . . .      {two}")
        elif right is None:
            to.lines.append(f"{number}. {one}")
        else:
            to.lines.append(f"{number}. {one}")
            if to.remark():
                to.lines.append(f"{number}. . . .         {two}")
            else:
                to.lines[-1] = f"{number}. {one:<26} {two}"
        if layout not in ("markdown", "html"):
            to.remark()


def _page(lines: list[str]) -> str:
    def parts() -> Iterator[str]:
        yield "<html><body><p>Hello all</p>"
        is_open = False
        for line in lines:
            is_row = line.startswith("<tr>")
            if is_row != is_open:
                yield "</table>" if is_open else "<table>"
            is_open = is_row
            yield line if is_row else f"<p>{html.escape(line)}</p>"
        yield "</body></html>"

    return "\n".join(parts())


def courses(match: Match, *, swapped: bool = False) -> list[list[tuple[object, ...]]]:
    """The entries of every game: kind, player, dice and the board after it; ``swapped`` changes the players."""
    return [
        [
            (type(turn.entry), turn.player ^ swapped, getattr(turn.entry, "dice", None), turn.play and turn.play.result)
            for turn in game.turns
        ]
        for game in replay(match)
    ]


def same_entries(one: Match, two: Match, *, renamed: bool = False) -> bool:
    """Whether the games have the same entries on the same boards; ``renamed`` lets the players of a
    game change places."""

    wanted, found = courses(one), courses(two)
    others = courses(two, swapped=True) if renamed else found
    return len(wanted) == len(found) and all(map(_is_one_of, wanted, found, others))


def _is_one_of(wanted: object, one: object, other: object) -> bool:
    return wanted in (one, other)


THREE: Final[dict[str, Callable[[Match, random.Random], Dressed]]] = {
    "prose": between_rows,
    "mail": in_a_mail,
    "mail of a mail": lambda match, rng: in_a_mail(match, rng, 3),
    "page": on_a_page,
}
"""The forms in which the rows are those of match text."""
