"""The vocabulary of backgammon in SGF: the letters of points, the names of properties, the words of rules.

From the description of ``GM[6]`` by its author (red-bean.com/sgf/backgammon.html), and from what GNU
Backgammon writes and accepts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Board, checkers
from bgtools.board.play import HopText
from bgtools.rules.options import Ruleset, parse_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Mark

# --- players and points ---------------------------------------------------------------------

COLOURS: Final = ("W", "B")
"""The players: White is player 0, as in GNU Backgammon."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwx"
_POINTS: Final[tuple[Mapping[str, int], Mapping[str, int]]] = (
    {**{letter: index + 1 for index, letter in enumerate(_LETTERS)}, "y": BAR, "z": OFF},
    {**{letter: 24 - index for index, letter in enumerate(_LETTERS)}, "y": BAR, "z": OFF},
)
_LETTER: Final = tuple({point: letter for letter, point in points.items()} for points in _POINTS)
_NO_STAR: Final = (False,)


def point(letter: str, player: Player) -> int:
    """A letter as the player's own point: 1 to 24, 25 for the bar (y), 0 for off (z)."""
    return _POINTS[player][letter]


@lru_cache(maxsize=1 << 14)
def hops(letters: str, player: Player, at: int = 0) -> tuple[HopText, ...]:
    """Pairs of letters as hops of the player; ``at`` is the column of the first letter."""
    points = _POINTS[player]
    return tuple(
        HopText((points[letters[index]], points[letters[index + 1]]), _NO_STAR, 1, at + index, at + index + 2)
        for index in range(0, len(letters), 2)
    )


def letters(steps: tuple[tuple[int, int], ...], player: Player) -> str:
    """Hops in the player's numbering as pairs of letters."""
    names = _LETTER[player]
    return "".join(names[start] + names[end] for start, end in steps)


def letter(number: int, player: Player) -> str:
    """The letter of a player's own point."""
    return _LETTER[player][number]


# --- properties -----------------------------------------------------------------------------

TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {"EV": "Event", "RO": "Round", "PC": "Site", "DT": "EventDate", "AN": "Transcriber"}
)
"""The tag of each property of the match. GNU Backgammon writes the transcriber into AN."""

MARKS: Final[Mapping[str, tuple[Mark, Mark]]] = MappingProxyType(
    {
        "BM": ("bad", "very bad"),
        "DO": ("doubtful", "doubtful"),
        "IT": ("interesting", "interesting"),
        "TE": ("good", "very good"),
    }
)
"""The marks of a play or a cube action, for the values 1 and 2."""

CUBE_MARKS: Final[Mapping[str, tuple[Mark, Mark]]] = MappingProxyType(
    {"BC": MARKS["BM"], "DC": MARKS["DO"], "IC": MARKS["IT"], "TC": MARKS["TE"]}
)
"""GNU Backgammon's marks of the decision not to double before a roll."""

OWN: Final = "XB"
"""bgtools' own property, for what SGF has no word for. Its name has two letters: GNU Backgammon fails on three."""

PROGRAM: Final = "XA"
"""bgtools' own property in the first node of a game: the program that made the analysis."""

NOTES: Final = "XN"
"""bgtools' own property: the parts of an annotation that other properties leave out (see `leftover`)."""

_DATE: Final = re.compile(r"(\d{4})([-.])(\d\d)\2(\d\d)")


def date_of_tag(value: str) -> str:
    """A date in the form of SGF, ``2025-11-08`` for ``2025.11.08``; any other text unchanged."""
    found = _DATE.fullmatch(value)
    return f"{found[1]}-{found[3]}-{found[4]}" if found and found[2] == "." else value


def tag_of_date(value: str) -> str:
    """A date in the form of tags, ``2025.11.08`` for ``2025-11-08``; any other text unchanged."""
    found = _DATE.fullmatch(value)
    return f"{found[1]}.{found[3]}.{found[4]}" if found and found[2] == "-" else value


# --- rules ----------------------------------------------------------------------------------

GNUBG: Final = "GNU Backgammon"
"""The name in AP of files that GNU Backgammon wrote."""

_ONE, _TWO = checkers({24: 1}, total=1), checkers({24: 1, 23: 1}, total=2)
SHORT_STARTS: Final[Mapping[str, Board]] = MappingProxyType(
    {"hypergammon1": Board(_ONE, _ONE), "hypergammon2": Board(_TWO, _TWO)}
)
"""The starts of GNU Backgammon's hypergammon with fewer than three checkers. In bgtools these are set positions."""

_VARIANTS: Final[Mapping[str, str]] = MappingProxyType({"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"})


def read_rules(value: str | None, *, money: bool, program: str) -> tuple[Ruleset, tuple[str, ...]]:
    """The options that RU states, and the words in it that are not options.

    It may hold words of GNU Backgammon, and words of `parse_rules`, which bgtools writes.

    Args:
        value: the text of RU, or None.
        money: whether there is no match length.
        program: the name in AP: GNU Backgammon does not write options that are off.
    """
    told = value is not None or program.startswith(GNUBG)
    rules = Ruleset(crawford=not money, jacoby=None if money else False, beavers=None if money else 0, fixed=False)
    if not money and told:
        rules = replace(rules, crawford=False)
    if money and program.startswith(GNUBG):
        rules = replace(rules, jacoby=False)
    unknown = []
    for word in filter(None, (word.strip() for word in (value or "").split(":"))):
        match word.casefold():
            case "crawford":
                # In small letters it is bgtools' own word.
                rules = replace(rules, crawford=not money or word == "crawford")
            case "crawfordgame":
                pass  # the score shows it
            case "nocube":
                rules = replace(rules, cube_limit=1)
            case "hypergammon3":
                rules = replace(rules, variant="hypergammon")
            case "hypergammon1" | "hypergammon2" if not word.islower():  # in small letters it is bgtools' own word
                unknown.append(word)
            case _:
                try:
                    rules = parse_rules(word, rules)
                except ValueError:
                    unknown.append(word)
    return replace(rules, fixed=False), tuple(unknown)


def short_start(unknown: Iterable[str]) -> Board | None:
    """The start that one of the words stands for; None for other words."""
    return next((SHORT_STARTS[word.casefold()] for word in unknown if word.casefold() in SHORT_STARTS), None)


def write_rules(rules: Ruleset, *, money: bool, crawford_game: bool, more: tuple[str, ...] = ()) -> str:
    """The words that state the options; those of GNU Backgammon come first."""
    words = []
    if rules.crawford and not money:
        words.append("Crawford")
    if crawford_game:
        words.append("CrawfordGame")
    if rules.cube_limit == 1:
        words.append("NoCube")
    if rules.jacoby:
        words.append("Jacoby")
    if rules.variant != "backgammon":
        words.append(_VARIANTS.get(rules.variant, rules.variant))
    if money and rules.crawford:
        words.append("crawford")
    if money and rules.jacoby is False:
        words.append("no-jacoby")
    if rules.beavers != (None if money else 0):
        words.append("no-beavers" if not rules.beavers else f"beavers={rules.beavers}")
    if rules.automatic_doubles:
        words.append(f"automatic-doubles={rules.automatic_doubles}")
    words += [name.replace("_", "-") for name in ("holland", "quadruple", "winner_starts") if getattr(rules, name)]
    if rules.cube_limit not in (None, 1):
        words.append(f"cube-limit={rules.cube_limit}")
    if not words and not money:
        words.append("no-crawford")
    return ":".join((*words, *more))
