"""SGF of backgammon: from the properties of a node to the analysis, the marks and the clocks of an entry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.formats.sgf import words
from bgtools.formats.sgf.analysis import read_cube, read_plays
from bgtools.formats.shared.leftover import completed
from bgtools.record.annotation import Annotation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bgtools.board.perspective import Player
    from bgtools.formats.sgf.tree import Property
    from bgtools.record.annotation import Clock, Mark

_NOTHING: Final = frozenset({"MR[]", "LU[-inf]", "LU[inf]", "LU[nan]", "LU[-nan]"})
"""Empty properties: GNU Backgammon writes them where no play is marked for a rollout, or the luck is not known."""


@dataclass(frozen=True, slots=True)
class NoteReader:
    """Reads the annotations of entries.

    Attributes:
        money: whether there is no match length.
        program: the program that made the analysis.
    """

    money: bool
    program: str

    def annotation(self, player: Player, notes: Collection[Property]) -> Annotation | None:
        """The annotation that properties make for an entry of a player; None where they make none."""
        told: dict[str, object] = {}
        extras: list[tuple[str, str]] = []
        for each in notes:
            if each.text in _NOTHING or each.name == words.NOTES:
                continue
            field_name, value = self._field(each, player)
            if value is None or field_name in told:
                extras.append((f"sgf:{each.name}", each.joined))
            else:
                told[field_name] = value
        if clock := _clock(player, extras):
            told["clock"] = clock
            extras = [each for each in extras if each[0] not in _CLOCKS]
        note = None
        if told or extras:
            program = self.program if told.keys() & {"plays", "cube", "luck"} else ""
            note = Annotation(program=program, extras=tuple(extras), **told)  # type: ignore[arg-type]
        return _completed(note, notes)

    def _field(self, each: Property, player: Player) -> tuple[str, object]:
        """The field of an annotation that a property fills, and its value; None where it fills none."""
        name = each.name
        if name == "A":
            return "plays", read_plays(each.raw, player)
        if name == "DA":
            return "cube", read_cube(each.values[0], money=self.money)
        if name == "LU":
            return "luck", _figure(each)
        if name in ("GB", "GW"):
            good = (name == "GW") == (player == 0)
            return "luck_mark", _mark(each, words.MARKS["TE" if good else "BM"])
        if name in words.MARKS:
            return "mark", _mark(each, words.MARKS[name])
        if name in words.CUBE_MARKS:
            return "cube_mark", _mark(each, words.CUBE_MARKS[name])
        return "", None


_CLOCKS: Final = ("sgf:WL", "sgf:BL")
"""The keys of the time left to each player, in seconds, by player."""
_REAL: Final = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")


def _clock(player: Player, extras: Collection[tuple[str, str]]) -> Clock | None:
    """The clocks, first that of ``player``; None where neither is stated, or one is not a single number."""
    told = [[value for key, value in extras if key == name] for name in _CLOCKS]
    if not any(told) or any(len(values) > 1 or not all(map(_REAL.fullmatch, values)) for values in told):
        return None
    left = [float(values[0]) if values else None for values in told]
    return left[player], left[other(player)]


def clock_properties(clock: Clock | None, player: Player) -> Iterator[tuple[str, str]]:
    """The clocks, first that of ``player``, as keys and values of extras."""
    for seconds, of in zip(clock or (), (player, other(player)), strict=False):
        if seconds is not None:
            yield _CLOCKS[of], f"{seconds:.9f}".rstrip("0").rstrip(".")


def _figure(each: Property) -> float | None:
    try:
        value = float(each.values[0])
    except ValueError:
        return None
    return value if isfinite(value) else None


def _completed(note: Annotation | None, properties: Collection[Property]) -> Annotation | None:
    """An annotation, completed by our own property with what GNU Backgammon's properties leave out."""
    own = next((each.values[0] for each in properties if each.name == words.NOTES), None)
    if own is None:
        return note
    form = "".join(each.text for name in ("DA", "A", "LU") for each in properties if each.name == name)
    return completed(note, own, form)


def _mark(each: Property, marks: tuple[Mark, Mark]) -> Mark | None:
    return {"": marks[0], "1": marks[0], "2": marks[1]}.get(each.values[0].strip())
