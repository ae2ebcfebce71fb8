"""What tells a match from all others: its rolls and what was played with them, as a short text that can be stored.

A record of the same match has nearly the same fingerprint, whatever its format and dialect, whatever the players are
called and whichever of them stands in which column; also where it has slips, lacks games, or breaks off early.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bgtools.comparison.difference import ONE_MATCH
from bgtools.record import CheckerPlay
from bgtools.replayer import in_own_numbering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board import PlayText
    from bgtools.record import Game, Match

STRETCH: Final = 6
"""So many rolls in a row are a key. Two others share them by chance once in 57 million times."""
WINDOW: Final = 8
"""Of so many keys that begin at rolls in a row at least one is kept, so two records with 13 rolls in a row that are
the same share one."""
_FEWEST: Final = 3
"""Fewer rolls do not tell a match."""
_IN_A_ROW: Final = 4
"""Only so many rolls in a row tell something: of single ones a long record has any."""
_PLAYED: Final = 0.5
"""Of the rolls that two records share so many must have been played alike. Matches have been played with the same dice
on purpose."""

_GAME_END: Final = "."
_NOT_TOLD: Final = "?"
_TEXT: Final = re.compile(r"(?:(?:[A-U][0-9A-Za-z?])*\.)*")
_PLAYS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ROLLS: Final = {
    (large, small): chr(ord("A") + number)
    for number, (large, small) in enumerate((large, small) for large in range(1, 7) for small in range(1, large + 1))
}
_WEIGHTS: Final = tuple(pow(2, point, 61) for point in range(26))
"""One a point, so that plays of the same roll differ: the powers of 2 are all other numbers than 0 modulo 61."""


@dataclass(frozen=True)
class Fingerprint:
    """The rolls of a match and what was played with them.

    Attributes:
        text: two characters a roll, and a full stop behind each game. The first is the roll, ``A`` for 11, ``B`` for
            21 … ``U`` for 66; the second one of 62 digits and letters that the play gives, ``?`` where none is told.
            A 7-point match takes about 400 characters.

    Raises:
        ValueError: the text is no fingerprint.
    """

    text: str

    def __post_init__(self) -> None:
        if not _TEXT.fullmatch(self.text):
            raise ValueError(f"no fingerprint: {self.text[:20]!r}")

    @classmethod
    def of(cls, match: Match) -> Fingerprint:
        """The fingerprint of a match. Rolls that are not told or cannot be are left out."""
        return cls("".join(_letters(match)))

    def __len__(self) -> int:
        """How many rolls it has."""
        return len(self.rolls)

    @cached_property
    def games(self) -> int:
        """How many games it has."""
        return self.text.count(_GAME_END)

    @cached_property
    def rolls(self) -> str:
        """The rolls of all games, a letter each."""
        return self.text.replace(_GAME_END, "")[::2]

    @cached_property
    def plays(self) -> str:
        """What was played with each, a letter each."""
        return self.text.replace(_GAME_END, "")[1::2]

    def keys(self) -> frozenset[int]:
        """Numbers below 2**27 by which a record of the same match is found among many.

        Each is six rolls in a row, across the ends of games. Of all of them those are kept that begin a game, and by a
        fixed choice about one in five (Schleimer, Wilkerson and Aiken, "Winnowing", SIGMOD 2003). A record of three to
        five rolls has one key, its rolls; a shorter one has none. Two records of one match nearly always share a key,
        and so may others, rarely: `is_of` decides.
        """
        if len(self) < STRETCH:
            return frozenset({_SHORT + _number(self.rolls, 22, 1)} if len(self) >= _FEWEST else ())
        at = 0
        starts = [0]
        for game in self.text.split(_GAME_END)[:-1]:
            at += len(game) // 2
            starts.append(at)
        last = len(self) - STRETCH
        numbers = [_number(self.rolls[at : at + STRETCH], 21, 0) for at in range(last + 1)]
        ranks = [(number * 2654435761) & 0xFFFFFFFF for number in numbers]
        kept = {numbers[at] for at in starts if at <= last}
        for at in range(max(last + 2 - WINDOW, 1)):
            window = ranks[at : at + WINDOW]
            kept.add(numbers[at + window.index(min(window))])
        return frozenset(kept)

    def agreement(self, other: Fingerprint) -> float:
        """How much of the shorter record stands in the other one, by their rolls, 0 to 1; only rolls in a row count."""
        shorter = min(len(self), len(other))
        return sum(size for _, _, size in self._rows(other)) / shorter if shorter else 0.0

    def is_of(self, other: Fingerprint) -> bool:
        """Whether two records are of one match: whether half of the shorter one stands in the other, played alike.

        Records of three to five rolls are of one match only where all rolls are the same, and shorter ones never: too
        many others begin so.
        """
        shorter = min(len(self), len(other))
        if shorter < STRETCH and (shorter < _FEWEST or self.rolls != other.rolls):
            return False
        rows = self._rows(other)
        if sum(size for _, _, size in rows) < ONE_MATCH * shorter:
            return False
        played = [
            (one, two)
            for at, there, size in rows
            for one, two in zip(self.plays[at : at + size], other.plays[there : there + size], strict=True)
            if one != _NOT_TOLD != two
        ]
        return sum(one == two for one, two in played) >= _PLAYED * len(played)

    def is_turned(self, seats: str, other: Fingerprint, other_seats: str) -> bool:
        """Whether two records of one match have its players the other way round, by who has rolled what in both.

        Args:
            seats: who rolled, as `seats_of` tells it of the match of this fingerprint.
            other: a record of the same match.
            other_seats: who rolled in that.
        """
        same = turned = 0
        for at, there, size in self._rows(other):
            for one, two in zip(seats[at : at + size], other_seats[there : there + size], strict=True):
                same, turned = same + (one == two), turned + (one != two)
        return turned > same

    def _rows(self, other: Fingerprint) -> list[tuple[int, int, int]]:
        """Rolls in a row that both have, in order: the places of the first, and how many."""
        blocks = SequenceMatcher(None, self.rolls, other.rolls, autojunk=False).get_matching_blocks()
        fewest = min(_IN_A_ROW, len(self), len(other))
        return [(block.a, block.b, block.size) for block in blocks if block.size >= max(fewest, 1)]


_SHORT: Final = 21**STRETCH


def _number(letters: str, base: int, first: int) -> int:
    """Letters from ``A`` on as a number."""
    number = 0
    for letter in letters:
        number = number * base + ord(letter) - 65 + first
    return number


def seats_of(match: Match) -> str:
    """Who rolled, ``0`` or ``1`` for each roll of the fingerprint: what records of one match may have turned round."""
    return "".join(str(entry.player) for game in match.games for _, entry in _rolled(game))


def _letters(match: Match) -> Iterator[str]:
    for game in in_own_numbering(match).games:
        for roll, entry in _rolled(game):
            yield roll
            yield _play(entry.text)
        yield _GAME_END


def _rolled(game: Game) -> Iterator[tuple[str, CheckerPlay]]:
    """The rolls of a game that are told and can be, each as its letter and with its entry."""
    for entry in game.entries:
        if isinstance(entry, CheckerPlay) and entry.dice is not None:
            large, small = max(entry.dice), min(entry.dice)
            if (roll := _ROLLS.get((large, small))) is not None:
                yield roll, entry


def _play(text: PlayText) -> str:
    """A letter for where checkers went; the same for single and joined hops in any order."""
    if text.kind in ("nothing", "dance"):
        return _PLAYS[0]
    if text.kind != "moves":
        return _NOT_TOLD
    gone = sum(hop.count * (_WEIGHTS[hop.points[-1]] - _WEIGHTS[hop.points[0]]) for hop in text.hops)
    return _PLAYS[1 + gone % 61]
