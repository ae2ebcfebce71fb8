"""A position in print: its board, its IDs, and all of it as JSON; and why a text is no position."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import typer

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from bgtools.positions.position import IdError, Position


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
            _common.print_error(str(error))
            raise typer.Exit(2) from None
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
"""What stands before an ID that does not name itself."""


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
    """Why a text is no position, in the words of the notation that it resembles."""
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
