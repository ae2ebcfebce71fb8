"""What came of merging records, for people and for programs: every fact with the records that say so."""

from __future__ import annotations

from collections import Counter
from textwrap import indent
from typing import TYPE_CHECKING, Any, Final

from bgtools.findings.finding import printable
from bgtools.positions.notations import NOTATIONS
from bgtools.positions.position import IdError
from bgtools.reports.diff_text import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.deciding import Why
    from bgtools.comparison.merged import Fact, Merged, Said
    from bgtools.positions.position import Position

_NOTHING: Final = "nothing"
_WHYS: Final[dict[Why, str]] = {
    "all": "",
    "only": "no other record says anything there",
    "rules": "the record goes on with it by the rules",
    "most": "most records say so",
    "preferred": "preferred",
    "undecided": "UNDECIDED",
}
_TAKEN: Final[dict[Why, str]] = {
    "rules": "by the rules",
    "most": "as most say",
    "only": "from the only record that says anything",
    "preferred": "as the preferred record says",
}
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(number: int) -> str:
    """How a record is called: A to Z, then by its number from 1."""
    return _LETTERS[number] if number < len(_LETTERS) else str(number + 1)


def record_lines(merged: Merged) -> Iterator[str]:
    """Which record is which."""
    for number, match in enumerate(merged.records):
        name = "<made>" if match.source is None else match.source.name
        turned = ", its players in the other order" if merged.exchanged[number] else ""
        yield printable(f"{letter(number)} = {name}{turned}")


def fact_line(fact: Fact) -> str:
    """A fact on one line: where, what, who says so and why it is taken; then what others say instead."""
    says = fact.taken.says or _NOTHING
    what = f"{fact.what}: {says}" if fact.what else says
    why = _WHYS[fact.why]
    line = f"{where(fact)}{what} [{_sources(fact.taken)}]" + (f" ({why})" if why else "")
    return printable(line + "".join(f"; {each.says or _NOTHING} [{_sources(each)}]" for each in fact.others))


def where(fact: Fact, names: tuple[str, str] | None = None) -> str:
    """The place of a fact in the merged record, with a colon behind it; "" outside games."""
    parts = [] if fact.game is None else [f"game {fact.game}"]
    parts += [] if fact.turn is None else [f"turn {fact.turn}"]
    parts += [] if fact.player is None or names is None else [names[fact.player] or f"player {fact.player + 1}"]
    return f"{', '.join(parts)}: " if parts else ""


def _sources(said: Said) -> str:
    """The records that say something, each with its line."""
    told = []
    for number, which in enumerate(said.records):
        place = said.places[number] if number < len(said.places) else None
        told.append(letter(which) if place is None else f"{letter(which)}:{place.line}:{place.column}")
    return ", ".join(told) or "no record"


def conflict_lines(merged: Merged, fact: Fact, width: int | None = None) -> Iterator[str]:
    """What is undecided, with the board after each reading; ``width`` is how many columns there are."""
    yield printable(f"{where(fact, merged.match.players)}undecided{f': {fact.what}' if fact.what else ''}")
    boards = [each.after for each in (fact.taken, *fact.others)]
    if not any(boards):
        yield from _board(merged, fact, fact.before, width)
    for said in (fact.taken, *fact.others):
        yield printable(f"  {said.says or _NOTHING} [{_sources(said)}]")
        yield from _board(merged, fact, said.after, width)


def _board(merged: Merged, fact: Fact, position: Position | None, width: int | None) -> Iterator[str]:
    if position is not None and fact.player is not None:
        shown = named(position, fact.player, merged.match.players)
        yield indent(shown.text(None if width is None else width - 4), "    ")


def merged_summary(merged: Merged) -> str:
    """How many facts were taken, and why."""
    count = len(merged.facts)
    decided = Counter(fact.why for fact in merged.decided)
    told = [f"{decided[why]:,} {words}" for why, words in _TAKEN.items() if decided[why]]
    apart = sum(bool(fact.others) for fact in merged.facts)
    text = f"{len(merged.records)} records, {count:,} facts"
    if not apart:
        return f"{text}; no record contradicts another"
    text += f"; {apart:,} on which they are apart"
    if told:
        text += f", of which taken: {', '.join(told)}"
    undecided = len(merged.conflicts)
    return text + (f"; {undecided:,} undecided" if undecided else "")


def merged_data(merged: Merged, output: str | None) -> dict[str, Any]:
    """What came of merging as plain values; docs/merge.schema.json describes them."""
    return {
        "output": output,
        "records": [
            {
                "record": letter(number),
                "file": None if match.source is None else match.source.name,
                "format": None if match.source is None else match.source.format or None,
                "players": list(match.players[::-1] if merged.exchanged[number] else match.players),
                "exchanged": merged.exchanged[number],
            }
            for number, match in enumerate(merged.records)
        ],
        "players": list(merged.match.players),
        "analyses_left_out": merged.left_out,
        "facts": [_fact_data(fact) for fact in merged.facts],
    }


def _fact_data(fact: Fact) -> dict[str, Any]:
    return {
        "kind": fact.kind,
        "what": fact.what or None,
        "game": fact.game,
        "turn": fact.turn,
        "entry": fact.entry,
        "player": fact.player,
        "why": fact.why,
        "board": _xgid(fact.before),
        **_said_data(fact.taken),
        "others": [_said_data(each) for each in fact.others],
    }


def _said_data(said: Said) -> dict[str, Any]:
    places: Sequence[Any] = (*said.places, *(None for _ in said.records[len(said.places) :]))
    return {
        "says": said.says or None,
        "sources": [
            {
                "record": letter(which),
                "line": None if place is None else place.line,
                "column": None if place is None else place.column,
            }
            for which, place in zip(said.records, places, strict=True)
        ],
    }


def _xgid(position: Position | None) -> str | None:
    if position is None:
        return None
    notation = next(each for each in NOTATIONS if each.name == "xgid")
    try:
        return notation.encode(position)
    except IdError:
        return None
