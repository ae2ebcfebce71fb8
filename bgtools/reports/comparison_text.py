"""What a comparison or a merge of records found, in text: for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from textwrap import indent, wrap
from typing import TYPE_CHECKING, Any, Final

from bgtools.drawing.board import Viewpoint
from bgtools.findings.finding import printable
from bgtools.positions.notations import NOTATIONS
from bgtools.positions.position import IdError, picture_of
from bgtools.reports.values import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.comparison.deciding import Why
    from bgtools.comparison.difference import Comparison, Difference, Side
    from bgtools.comparison.merged import Fact, Merged, Statement
    from bgtools.positions.position import Position
    from bgtools.reports.document import Block


_NO_ENTRY: Final = "—"


def difference_data(comparison: Comparison, difference: Difference) -> dict[str, Any]:
    """A difference as plain values; docs/diff.schema.json describes them."""
    player = difference.player
    return {
        "kind": difference.kind,
        "message": difference.message,
        "player": None if player is None else _name(comparison, player),
        "a": _side_data(comparison.a.source, difference.a),
        "b": _side_data(comparison.b.source, difference.b),
        "board": _xgid(difference.before),
        "supported": difference.supported or None,
    }


def _side_data(source: Any, side: Side) -> dict[str, Any]:
    line, column = side.location or (None, None)
    file = None if source is None else source.name
    where = {"file": file, "line": line, "column": column}
    return {**where, **values_of(side, "game turn row entry"), "says": side.says or None}


def _xgid(position: Position | None) -> str | None:
    if position is None:
        return None
    notation = next(each for each in NOTATIONS if each.name == "xgid")
    try:
        return notation.encode(position)
    except IdError:
        return None


def _name(comparison: Comparison, player: int) -> str:
    return comparison.a.players[player] or f"player {player + 1}"


def concise_difference(comparison: Comparison, difference: Difference) -> str:
    """A difference on one line."""
    says = [f"{name}: {printable(side.says) or _NO_ENTRY}" for name, side in (("a", difference.a), ("b", difference.b))]
    places = [_where(comparison, which, side) for which, side in enumerate((difference.a, difference.b))]
    support = f" [{difference.supported} is supported]" if difference.supported else ""
    return f"{places[0]}: {places[1]}: {difference.kind}: {printable(difference.message)}: {'; '.join(says)}{support}"


def _where(comparison: Comparison, which: int, side: Side) -> str:
    source = (comparison.a, comparison.b)[which].source
    name = "<made>" if source is None else printable(source.name)
    return name if side.location is None else f"{name}:{side.location.line}:{side.location.column}"


def difference_lines(
    comparison: Comparison,
    difference: Difference,
    width: int,
    paint: Callable[[str, str], str],
    *,
    boards: bool = False,
) -> Iterator[str]:
    """A difference with both records side by side."""
    yield paint(_title(comparison, difference), "quiet" if difference.kind == "match" else "rule")
    half = max((width - 5) // 2, 12)
    roles = {"a": ("good", "error"), "b": ("error", "good")}.get(difference.supported, ("warning", "warning"))
    texts = [
        [_where(comparison, which, side), *wrap(printable(side.says) or _NO_ENTRY, half)]
        for which, side in enumerate((difference.a, difference.b))
    ]
    for number in range(max(map(len, texts))):
        left, right = (text[number] if number < len(text) else "" for text in texts)
        role = roles if number else ("quiet", "quiet")
        yield f"  {paint(_cut(left, half).ljust(half), role[0])} | {paint(_cut(right, half), role[1])}".rstrip()
    if difference.supported:
        yield f"  = {_support(difference)}"
    position = _before(comparison, difference) if boards else None
    if position is not None:
        yield from position.text(width).splitlines()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"…{text[len(text) - width + 1 :]}"


def _title(comparison: Comparison, difference: Difference) -> str:
    side = difference.a if difference.a.turn is not None else difference.b
    game = difference.a.game if difference.a.game is not None else difference.b.game
    name = None if difference.player is None else printable(_name(comparison, difference.player))
    return f"{_location_text(game, side.row, name)}{difference.kind}: {printable(difference.message)}"


def _location_text(game: int | None, row: int | None, name: str | None) -> str:
    """Game, row and player, as far as they are known, with a colon after them."""
    counted = (None if game is None else f"game {game}", None if row is None else f"row {row}")
    text = ", ".join(filter(None, (*counted, name)))
    return f"{text}: " if text else ""


def summary_of(comparisons: Sequence[Comparison]) -> str:
    """How many differences there are, and of which kinds."""
    kinds = Counter(each.kind for comparison in comparisons for each in comparison.differences)
    same, of = (sum(getattr(each, name) for each in comparisons) for name in ("same", "of"))
    agree = f"{same:,} of {of:,} entries agree{_valued(comparisons)}"
    if not kinds:
        return f"no differences; {agree}"
    count = kinds.total()
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    return f"{count:,} difference{'s' * (count != 1)} ({told}); {agree}"


def _valued(comparisons: Sequence[Comparison]) -> str:
    """How many decisions have been valued by both records, and by one alone, where analyses are compared."""
    counts = [comparison.valued for comparison in comparisons if comparison.valued is not None]
    if not counts:
        return ""
    both, first, second = map(sum, zip(*counts, strict=True))
    told = f"; both value {both:,} decision{'s' * (both != 1)}"
    return told + "".join(
        f", only the {which} {count:,}" for which, count in (("first", first), ("second", second)) if count
    )


def differences_page(comparisons: Sequence[Comparison]) -> str:
    """A page with every difference and its board."""
    from bgtools.reports.document import Paragraph, Section
    from bgtools.reports.page.writing import framed_page

    blocks: list[Block] = []
    for comparison in comparisons:
        names = [printable(each.source.name) if each.source else "?" for each in (comparison.a, comparison.b)]
        blocks += [Paragraph(" and ".join(names), level=1), Paragraph(summary_of([comparison]))]
        blocks += [
            Section(_title(comparison, each), list(_section(comparison, each))) for each in comparison.differences
        ]
    return framed_page("bgtools diff", blocks)


def named(position: Position, player: int, players: tuple[str, str]) -> Position:
    """A position with the names of the players, each on the side that follows from who acts.

    Args:
        position: the position, seen by the player on roll.
        player: who acts: the player on roll, or the one who answers their double.
        players: the names; where one is missing, the position is given as it is.
    """
    if not all(players):
        return position
    is_on_roll = position.offer in ("", "beaver")
    return replace(position, names=players if (player == 0) is is_on_roll else players[::-1])


def _before(comparison: Comparison, difference: Difference) -> Position | None:
    if difference.before is None or difference.player is None:
        return difference.before
    return named(difference.before, difference.player, comparison.a.players)


def _section(comparison: Comparison, difference: Difference) -> Iterator[Block]:
    from bgtools.reports.document import DataTable, Drawing

    sides = (difference.a, difference.b)
    heads = [_where(comparison, which, side) for which, side in enumerate(sides)]
    cells = [printable(side.says) or _NO_ENTRY for side in sides]
    note = _support(difference)
    yield DataTable("What both say", heads, [cells], note, text_at=(0, 1))
    position = _before(comparison, difference)
    if position is not None:
        # With the colours and the seat of a report: who acts sits below.
        answers, seat = position.offer not in ("", "beaver"), Viewpoint(dark=difference.player == 1)
        yield Drawing(picture_of(position, answering=answers, seat=seat))


def _support(difference: Difference) -> str:
    """Which record is right, as far as the rules tell; empty where they tell nothing."""
    which = {"a": "first", "b": "second"}.get(difference.supported, "")
    return f"the rules and the rest of the record support the {which}" if which else ""


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
    """The place of a fact in the merged record, with a colon after it; "" outside games."""
    name = None if fact.player is None or names is None else names[fact.player] or f"player {fact.player + 1}"
    return _location_text(fact.game, fact.row, name)


def _sources(statement: Statement) -> str:
    """The records that say something, each with its line."""
    told = []
    for number, which in enumerate(statement.records):
        place = statement.locations[number] if number < len(statement.locations) else None
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
    """The result of merging as plain values; docs/merge.schema.json describes them."""
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
        **values_of(fact, "game turn row entry player why"),
        "board": _xgid(fact.before),
        **_said_data(fact.taken),
        "others": [_said_data(each) for each in fact.others],
    }


def _said_data(statement: Statement) -> dict[str, Any]:
    places: Sequence[Any] = (*statement.locations, *(None for _ in statement.records[len(statement.locations) :]))
    sources = [
        {"record": letter(which), **(_NOWHERE if place is None else place._asdict())}
        for which, place in zip(statement.records, places, strict=True)
    ]
    return {"says": statement.says or None, "sources": sources}


_NOWHERE: Final[dict[str, Any]] = {"line": None, "column": None}
