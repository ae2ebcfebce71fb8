"""Positions in print and as lists, and the entry of a record that is asked for by game, turn or line."""

from __future__ import annotations

import io
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bgtools._disk import atomic_writer, opened, why
from bgtools.cli import _common, _terminal
from bgtools.findings.finding import Severity
from bgtools.reports.decision_text import entry_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.positions.position import IdError, Position
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay


def convert_list(paths: list[str], notation: str | None, *, force: bool) -> int:
    """Convert a list of positions; the exit status."""
    from bgtools.positions.notations import convert_positions
    from bgtools.positions.position import IdError

    if notation is None or len(paths) > 2:
        _common.print_error(
            "say with --to which notation to write" if notation is None else "give one list of positions, and where to"
        )
        return 2
    source, where = (*paths, "-", "-")[:2]
    if where != "-":
        _common.exit_if_exists(where, force=force)
    status = 0
    name = "<stdin>" if source == "-" else source
    try:
        done = convert_positions(_lines(source, name), notation)
        with _common.exit_if_unwritable(Path(where)), _writing(where, force=force) as out:
            for line in done:
                out.write(f"{line.text}\n")
                if line.error:
                    status = 1
                    _common.print_error(f"{name}:{line.number}: {line.error}")
    except IdError as error:
        _common.print_error(str(error))
        return 2
    return status


def _lines(path: str, name: str) -> Iterator[str]:
    """The lines of a text file, or of standard input for ``-``; ends with a message where they cannot be read."""
    try:
        if path == "-":
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            yield from sys.stdin
        else:
            with io.TextIOWrapper(opened(path), encoding="utf-8", errors="replace") as file:
                yield from file
    except OSError as error:
        _common.fail(f"{name}: cannot be read: {why(error)}")


@contextmanager
def _writing(path: str, *, force: bool) -> Iterator[TextIO]:
    """A text file to write, or standard output for ``-``. It gets its name when it is whole: it may be the input."""
    if path == "-":
        yield sys.stdout
        return
    with atomic_writer(Path(path), force=force) as stream:
        file = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
        try:
            yield file
        finally:
            file.detach()


def print_board(situation: Position, board: str) -> None:
    """Print a position as a board, drawn in a style or as wide as the terminal; ends where a style cannot show it."""
    from bgtools.positions.draw import PICTURE_STYLES, encode_picture
    from bgtools.positions.position import IdError

    style = next((each for each in PICTURE_STYLES if each == board), None)
    if style is None:
        picture = situation.text(_terminal.width())
    else:
        try:
            picture = encode_picture(situation, style)
        except IdError as error:
            _common.fail(str(error))
    _terminal.say(picture)


def print_ids(situation: Position, *, every: bool) -> None:
    """Print the position as eXtreme Gammon and GNU Backgammon write it, or in every notation."""
    ids = _ids(situation)
    if not every:
        ids = {name: ids[name] for name in ("xgid", "gnubg")}
    for name in ("xgid", "gnubg", *(name for name in ids if name not in ("xgid", "gnubg"))):
        if (text := ids[name]) is None:
            continue
        if name == "gnubg":
            position, _, match = text.partition(":")
            _terminal.say(f"Position ID: {position}   Match ID: {match}")
        else:
            _terminal.say(_LABELS.get(name, "") + text)


_LABELS = {"ogid": "OGID=", "snowie": "Snowie ", "list": "list "}
"""What is before an ID that does not name itself."""


def _ids(situation: Position) -> dict[str, str | None]:
    """The position in every notation; None for a notation that cannot express it."""
    from bgtools.positions.notations import NOTATIONS
    from bgtools.positions.position import IdError

    found: dict[str, str | None] = {}
    for notation in NOTATIONS:
        try:
            found[notation.name] = notation.encode(situation)
        except IdError:
            found[notation.name] = None
    return found


def print_json(situation: Position, **more: object) -> None:
    """Print a position, and ``more`` beside it, as JSON."""
    from bgtools.positions.position import to_signed

    ids = _ids(situation)
    gnubg_position_id, _, gnubg_match_id = (ids.pop("gnubg") or "").partition(":")
    state = situation.state
    data = {
        "xgid": ids.pop("xgid"),
        "gnubg_position_id": gnubg_position_id or None,
        "gnubg_match_id": gnubg_match_id or None,
        **{name.replace("-", "_"): text for name, text in ids.items() if name != "list"},
        "board": list(to_signed(situation.board)),
        "pips": list(situation.board.pips),
        "dice": situation.dice and list(situation.dice),
        "match_length": state.length,
        "score": list(state.score),
        "crawford": state.crawford,
        "cube": {"value": state.cube.value, "owner": state.cube.owner},
        "offer": situation.offer or None,
        "resigned": situation.resigned,
        "names": list(situation.names) if any(situation.names) else None,
        **more,
    }
    _terminal.say(_terminal.as_json(data))


def why_no_position(what: str, error: IdError) -> str:
    """Why a text is not a position, in the words of the notation that it resembles."""
    from bgtools.positions.notations import NOTATIONS, notation_of

    notation = notation_of(unlabelled(what))
    if notation.name == "xgid":
        return str(error)
    # Nearly any text resembles a GNU ID; one that is far from it was meant as something else.
    if notation.name == "gnubg" and not _LIKE_A_GNU_ID.fullmatch(what):
        known = ", ".join(each.name for each in NOTATIONS)
        return f"there is no such file, nor is it a position in a notation that bgtools reads: {known}"
    return f"there is no such file, and as an ID: {error}"


_LIKE_A_GNU_ID = re.compile(r"[A-Za-z0-9+/]{12,16}(:.*)?|.*\bID\b.*|[^:]*:[A-Za-z0-9+/]{10,14}")


def unlabelled(text: str) -> str:
    """An ID without the word that `print_ids` puts before one that does not name itself."""
    return next((text.removeprefix(each) for each in _LABELS.values() if text.startswith(each)), text)


def chosen_entry(
    match: Match,
    replays: Sequence[GameReplay],
    number: int | None,
    row: tuple[int, int | None] | None,
    entry: int | None,
) -> tuple[GameReplay, int]:
    """The game that is asked for and the number of the entry in it; ends with a message where there is none."""
    if not replays:
        why = next((each.message for each in match.findings if each.severity is Severity.ERROR), "")
        _common.fail(why or "no game was found in the record")
    game = replays[0] if number is None else next((each for each in replays if each.game.number == number), None)
    if game is None:
        numbers = [each.game.number for each in replays]
        _common.fail(f"the record has no game {number}; it has {_ranges(numbers)}")
    return game, _entry_of(game, row, entry)


def _entry_of(game: GameReplay, row: tuple[int, int | None] | None, entry: int | None) -> int:
    """The number of the entry that is asked for, by itself or by its row and column; by default the first."""
    which = "the game" if game.game.number is None else f"game {game.game.number}"
    if row is not None:
        number, column = row
        if number not in game.rows:
            held = f"it has rows {min(game.rows)} to {max(game.rows)}" if game.rows else "it has none"
            _common.fail(f"{which} has no row {number}; {held}")
        cell = game.turns_in(number, column)
        if not cell:
            _common.fail(f"row {number} of {which} has nothing in column {column}")
        entry = cell[0].index + 1
    entry = entry or 1
    if entry > len(game.turns):
        _common.fail(f"{which} has {len(game.turns)} entries, rolls and cube actions counted one by one")
    return entry


def entry_in_line(
    match: Match, replays: Sequence[GameReplay], line: int, column: int | None
) -> tuple[GameReplay, int, list[str]]:
    """The game and number of the entry in a line of the file, and a line of text for each other entry there."""
    from bgtools.record.record import NOWHERE

    source = match.source
    there = [] if source is None else [
        (source.location(turn.entry.span.start), game, turn)
        for game in replays
        for turn in game.turns
        if turn.entry.span != NOWHERE
    ]  # fmt: skip
    found = [each for each in there if each[0].line == line]
    if not found:
        lines = sorted({each[0].line for each in there}, key=lambda each: (abs(each - line), each))
        nearest = f"; the nearest that does is line {lines[0]}" if lines else ""
        _common.fail(f"line {line} holds no roll and no cube action{nearest}")
    # The entry at a column is the last one that begins at it or before it.
    before = [each for each in found if column is not None and each[0].column <= column]
    chosen = before[-1] if before else found[0]
    beside = [
        f"  in the same line, column {place.column}: {entry_text(match, turn)}"
        for place, _, turn in found
        if turn is not chosen[2]
    ]
    _, game, turn = chosen
    return game, turn.index + 1, beside


def _ranges(numbers: list[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    if not known:
        return "games without numbers"
    return f"game {known[0]}" if len(known) == 1 else f"games {known[0]} to {known[-1]}"
