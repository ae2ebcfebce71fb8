"""``bgtools show``: a board from a record or an ID."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common

if TYPE_CHECKING:
    from bgtools.position import Dice, Position
    from bgtools.record import Match
    from bgtools.rules import MatchState


def show_command(
    what: Annotated[str, typer.Argument(help="A record, an XGID, or a GNU Position ID.", metavar="FILE|ID")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Number of the game.")] = 1,
    turn: Annotated[int, typer.Option("--turn", "-t", min=1, help="Number of the turn in the game.")] = 1,
    match_number: Annotated[int, typer.Option("--match", min=1, help="Which match, where a file holds several.")] = 1,
) -> None:
    """Draw a board: of a turn in a record, or of an ID.

    "bgtools show match.mat --game 2 --turn 9" draws the board before the ninth turn of the second
    game, rolls and cube actions counted one by one; "bgtools show XGID=…" and "bgtools show
    4HPwATDgc/ABMA:cAkAAAAAAAAA" that of an ID.
    """
    if what == "-" or _is_there(what):
        matches = _common.read_or_complain(what)
        if matches is None:
            raise typer.Exit(2)
        if match_number > len(matches):
            held = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
            _common.complain(f"{what}: it holds {held}")
            raise typer.Exit(2)
        _show_turn(matches[match_number - 1], game, turn)
        return
    from bgtools.ids import IdError, decode_id

    try:
        situation = decode_id(what)
    except IdError as error:
        reason = "there is no such file, and as an ID: " if _looks_like_a_file(what) else ""
        _common.complain(f"{what}: {reason}{error}")
        raise typer.Exit(2) from None
    _print(situation.position, situation.state, dice=situation.dice)


def _is_there(what: str) -> bool:
    """Whether a path leads to something to read: a file, a pipe, or a folder, about which reading will complain."""
    try:
        return Path(what).exists() and what != ""
    except OSError:  # no file has a name of that length
        return False


def _looks_like_a_file(text: str) -> bool:
    return not text.upper().startswith("XGID=")


def _show_turn(match: Match, number: int, turn: int) -> None:
    from bgtools.record import CheckerPlay
    from bgtools.replay import other, replay

    replays = replay(match)
    game = next((each for each in replays if each.game.number == number), None)
    if game is None:
        if not replays:
            _common.complain("no game was found in the record")
            raise typer.Exit(2)
        numbers = [each.game.number for each in replays]
        _common.complain(f"the record has no game {number}; it has {_ranges(numbers)}")
        raise typer.Exit(2)
    if turn > len(game.turns):
        _common.complain(f"game {number} has {len(game.turns)} turns, rolls and cube actions counted one by one")
        raise typer.Exit(2)
    at = game.turns[turn - 1]
    names = (_name(match, at.player), _name(match, other(at.player)))
    _print(at.before, at.state, names=names, dice=at.entry.dice if isinstance(at.entry, CheckerPlay) else None)
    typer.echo(f"{names[0]}: {_describe(at.entry)}")


def _name(match: Match, player: int) -> str:
    from bgtools.reports.findings import printable

    return printable(match.players[player]) or f"player {player + 1}"


def _ranges(numbers: list[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    if not known:
        return "games without numbers"
    return f"game {known[0]}" if len(known) == 1 else f"games {known[0]} to {known[-1]}"


def _describe(entry: object) -> str:
    from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Take

    match entry:
        case CheckerPlay(dice=dice, text=text):
            roll = f"{dice[0]}{dice[1]}" if dice else "?"
            return f"{roll}: {text if str(text) else 'nothing'}"
        case Double(value=value):
            return f"doubles to {value}" if value else "doubles"
        case Beaver(raccoon=raccoon):
            return "raccoons" if raccoon else "beavers"
        case AutomaticDouble():
            return "the cube is turned by a tied opening roll"
        case Take():
            return "takes"
        case Drop():
            return "drops"
        case _:
            return "resigns"


def _print(
    position: Position,
    state: MatchState,
    *,
    names: tuple[str, str] = ("on roll", "opponent"),
    dice: Dice | None = None,
) -> None:
    from bgtools.ids import encode_match_id, encode_position_id, encode_xgid
    from bgtools.reports.board import draw

    typer.echo(draw(position, state, names=names, dice=dice))
    typer.echo(encode_xgid(position, state, dice))
    typer.echo(f"GNU Position ID {encode_position_id(position)}   Match ID {encode_match_id(state, dice)}")
