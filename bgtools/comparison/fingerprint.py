"""Fingerprints: the rolls and plays of a match as a short text that can be stored, and that tells it from all others.

Records of one match have nearly the same fingerprint in every format and dialect, whatever the players are called and
whichever is in the first column; also where a record has slips, lacks games, or breaks off early.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bgtools.comparison.difference import ONE_MATCH
from bgtools.decoder.entries import in_own_numbering
from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.play import PlayText
    from bgtools.record.record import Game, Match

STRETCH: Final = 6
"""So many rolls in a row make a key. Other rolls give the same key by chance once in 57 million times."""
WINDOW: Final = 8
"""Of this many keys in a row at least one is kept, so two records that share 13 rolls in a row share a key."""
_FEWEST: Final = 3
"""A record with fewer rolls is of no known match."""
_IN_A_ROW: Final = 4
"""Fewer equal rolls in a row prove nothing: a long record holds every single roll somewhere."""
_PLAYED: Final = 0.5
"""This part of the rolls that two records share must be played alike. Some matches were played with the same dice on
purpose."""

_GAME_END: Final = "."
_NOT_TOLD: Final = "?"
_TEXT: Final = re.compile(r"(?:(?:[A-U][0-9A-Za-z?])*\.)*")
_PLAYS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ROLLS: Final = {
    (large, small): chr(ord("A") + number)
    for number, (large, small) in enumerate((large, small) for large in range(1, 7) for small in range(1, large + 1))
}
_WEIGHTS: Final = tuple(pow(2, point, 61) for point in range(26))
"""One a point, all different, so that plays of the same roll differ: 2 has 60 different powers modulo 61."""


@dataclass(frozen=True)
class Fingerprint:
    """The rolls of a match and what was played with them.

    Attributes:
        text: two characters a roll, and a full stop behind each game. The first is the roll, ``A`` for 11, ``B`` for
            21 … ``U`` for 66; the second one of 62 digits and letters that the play gives, ``?`` for a play not known.
            A 7-point match takes about 400 characters.

    Raises:
        ValueError: the text is not a fingerprint.
    """

    text: str

    def __post_init__(self) -> None:
        if not _TEXT.fullmatch(self.text):
            raise ValueError(f"no fingerprint: {self.text[:20]!r}")

    @classmethod
    def of(cls, match: Match) -> Fingerprint:
        """The fingerprint of a match. Rolls that the match does not state, and impossible ones, are left out."""
        return cls("".join(_letters(match)))

    def __len__(self) -> int:
        """The number of rolls."""
        return len(self.rolls)

    @cached_property
    def games(self) -> int:
        """The number of games."""
        return self.text.count(_GAME_END)

    @cached_property
    def rolls(self) -> str:
        """The rolls of all games, a letter each."""
        return self.text.replace(_GAME_END, "")[::2]

    @cached_property
    def plays(self) -> str:
        """What was played with each roll, a digit or letter each; ``?`` where it is not told."""
        return self.text.replace(_GAME_END, "")[1::2]

    def keys(self) -> frozenset[int]:
        """Numbers below 2**27 by which a record of the same match is found among many.

        Each is six rolls in a row, across the ends of games. The keys that begin a game are kept, and of the others
        about one in five by a fixed choice (Schleimer, Wilkerson and Aiken, "Winnowing", SIGMOD 2003). A record of
        three to five rolls has one key, its rolls; a shorter one has none. Two records of one match nearly always share
        a key. Records of different matches rarely do: `is_of` decides.
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
        """The part of the shorter record's rolls that the other one has, 0 to 1; only four or more in a row count."""
        shorter = min(len(self), len(other))
        return sum(size for _, _, size in self._rows(other)) / shorter if shorter else 0.0

    def is_of(self, other: Fingerprint) -> bool:
        """Whether two records are of one match: they share half of the shorter one's rolls, half of these played alike.

        Records of three to five rolls are of one match only where all rolls are the same, and shorter ones never: too
        many matches begin with the same rolls.
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
        """Whether two records of one match have its players the other way round, by who made the rolls that both have.

        Args:
            seats: who rolled, as `seats_of` gives it for the match of this fingerprint.
            other: the fingerprint of another record of the same match.
            other_seats: who rolled in the other record.
        """
        same = turned = 0
        for at, there, size in self._rows(other):
            for one, two in zip(seats[at : at + size], other_seats[there : there + size], strict=True):
                same, turned = same + (one == two), turned + (one != two)
        return turned > same

    def _rows(self, other: Fingerprint) -> list[tuple[int, int, int]]:
        """Runs of rolls that both have, in order: the place of the first roll in each, and how many there are."""
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
    """Who rolled, ``0`` or ``1`` for each roll of the fingerprint. Records of one match may have them exchanged."""
    return "".join(str(entry.player) for game in match.games for _, entry in _rolled(game))


def _letters(match: Match) -> Iterator[str]:
    for game in in_own_numbering(match).games:
        for roll, entry in _rolled(game):
            yield roll
            yield _play(entry.text)
        yield _GAME_END


def _rolled(game: Game) -> Iterator[tuple[str, CheckerPlay]]:
    """The possible rolls that a game states, each as its letter and with its entry."""
    for entry in game.entries:
        if isinstance(entry, CheckerPlay) and entry.dice is not None:
            large, small = max(entry.dice), min(entry.dice)
            if (roll := _ROLLS.get((large, small))) is not None:
                yield roll, entry


def _play(text: PlayText) -> str:
    """A letter or digit for where checkers went; single hops and joined ones in any order give the same."""
    if text.kind in ("nothing", "dance"):
        return _PLAYS[0]
    if text.kind != "moves":
        return _NOT_TOLD
    gone = sum(hop.count * (_WEIGHTS[hop.points[-1]] - _WEIGHTS[hop.points[0]]) for hop in text.hops)
    return _PLAYS[1 + gone % 61]
