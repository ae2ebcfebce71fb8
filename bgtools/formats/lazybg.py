"""Reading the matches that lazyBG transcribes, ``.lbg``: JSON of version 1.

Player 1 is in the left column. A row holds a roll or a cube action of each player. Older files keep the cube action
of a row beside its moves. Source: kevung/lazyBG, ``doc/VERSION_MANAGEMENT.md`` and ``frontend/src``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import other
from bgtools.board.play import PlayText
from bgtools.formats.content import FormatError
from bgtools.formats.format import Format
from bgtools.formats.mat.cells import RollCell, Unreadable, parse_cell
from bgtools.formats.shared.json_values import load, member, objects, text, whole
from bgtools.formats.shared.tags import rules_of_tags
from bgtools.record.builder import MatchBuilder

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.content import Content
    from bgtools.record.builder import GameBuilder
    from bgtools.record.record import Match
    from bgtools.rules.worth import Level

_TAGS: Final = (
    ("Site", "site"), ("Match ID", "matchId"), ("Event", "event"), ("Round", "round"), ("EventDate", "eventDate"),
    ("EventTime", "eventTime"), ("Variation", "variation"), ("Unrated", "unrated"), ("Crawford", "crawford"),
    ("CubeLimit", "cubeLimit"), ("Transcriber", "transcriber"),
)  # fmt: skip
_LEVELS: Final[dict[str, Level]] = {"normal": 1, "gammon": 2, "backgammon": 3}
_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def read(content: Content) -> tuple[Match, ...]:
    """Read the match in a file of lazyBG.

    Raises:
        FormatError: it is not valid JSON, or holds no games.
    """
    document = load(content.source.text, "this file")
    if not isinstance(document.get("games"), list) or not isinstance(document.get("metadata"), dict):
        raise FormatError("this JSON holds no match of lazyBG: it has no metadata, or no list of games")
    head = member(document, "metadata")
    to = MatchBuilder(source=content.name, players=(text(head, "player1"), text(head, "player2")))
    to.length = whole(head.get("matchLength"), least=0, most=9999)
    to.length_span = to.line(f"{to.players[0]} - {to.players[1]}, {to.length} points")
    for key, name in _TAGS:
        if value := text(head, name):
            to.tag(key, _DATE.sub(r"\1.\2.\3", value), to.line(f'{key} "{value}"'))
    to.rules = rules_of_tags({tag.key.casefold(): tag.value for tag in to.tags}, money=not to.length)
    for number, game in enumerate(objects(document, "games"), 1):
        _read_game(to, game, number)
    return (to.build(),)


def _read_game(to: MatchBuilder, found: dict[str, Any], number: int) -> None:
    number = whole(found.get("gameNumber"), number, least=1)
    score = whole(found.get("player1Score"), least=0), whole(found.get("player2Score"), least=0)
    game = to.game(number, score, to.line(f"Game {number}, {score[0]}-{score[1]}"))
    for at, row in enumerate(objects(found, "moves"), 1):
        line = whole(row.get("moveNumber"), at, least=0)
        _read_cube(game, member(row, "cubeAction"), line)
        players: tuple[Player, Player] = (0, 1)
        for player, name in zip(players, ("player1Move", "player2Move"), strict=True):
            _read_move(game, player, member(row, name), line)
    won = member(found, "winner")
    winner, points = whole(won.get("player")), whole(won.get("points"), least=0)
    if winner in (1, 2):
        span = to.line(f"player {winner} wins {points}")
        game.result(0 if winner == 1 else 1, points or None, span)


def _read_cube(game: GameBuilder, found: dict[str, Any], row: int) -> None:
    """The cube action that older files keep beside the moves of a row: a double, and its answer."""
    player: Player = 0 if whole(found.get("player")) == 1 else 1
    for who, word in ((player, text(found, "action")), (other(player), text(found, "response"))):
        if word:
            _act(game, who, word, whole(found.get("value"), least=1), row)


def _act(game: GameBuilder, player: Player, word: str, value: int, row: int) -> None:
    span = game.match.line(f"{row}) player {player + 1} {word}{f' {value}' if value > 1 else ''}")
    word = word.casefold()
    if word.startswith(("double", "redouble")):
        game.double(player, span, value if value > 1 else None, row=row)
    elif word.startswith(("take", "accept")):
        game.take(player, span, row=row)
    elif word.startswith(("drop", "pass")):
        game.drop(player, span, row=row)
    else:
        game.unreadable(word, span, "cube action of lazyBG")


def _read_move(game: GameBuilder, player: Player, found: dict[str, Any], row: int) -> None:
    if not found:
        return
    if word := text(found, "cubeAction"):
        _act(game, player, word, whole(found.get("cubeValue"), least=1), row)
    dice, move = text(found, "dice"), text(found, "move")
    if len(dice) == 2 and dice.isdecimal():
        span = game.match.line(f"{row}) player {player + 1} {dice}: {move}".rstrip())
        roll: Dice = (int(dice[0]), int(dice[1]))
        if found.get("isGala") is True:
            game.play(player, PlayText("dance"), span, dice=roll, row=row)
        elif not move:
            game.play(player, PlayText("unknown" if found.get("isIllegal") else "nothing"), span, dice=roll, row=row)
        else:
            line = f"{dice}: {move}"
            says = parse_cell(line)
            if isinstance(says, Unreadable):
                game.unreadable_play(player, line, says.at, span, dice=roll, behind=len("31:"), row=row)
            elif isinstance(says, RollCell):
                game.play(player, says.text, span, dice=roll, row=row)
    elif dice or move:
        line = f"{row}) {dice} {move}"
        game.unreadable(line, game.match.line(line), "roll of lazyBG")
    if word := text(found, "resignAction"):
        span = game.match.line(f"{row}) player {player + 1} resigns: {word}")
        game.resign(player, span, _LEVELS.get(word), row=row)


# --- the format -----------------------------------------------------------------------------

_SIGN: Final = re.compile(r'"(?:player1Move|player2Move|moveNumber)"\s*:')


def _sniff(content: Content) -> float:
    """JSON with the names of lazyBG's members."""
    head = content.head
    return float(head.lstrip("\ufeff \t\r\n")[:1] == "{" and '"metadata"' in head and _SIGN.search(head) is not None)


LAZYBG: Final = Format(
    name="lazybg",
    title="lazyBG transcript",
    extensions=(".lbg",),
    sniff=_sniff,
    reader=read,
    leaves_out=frozenset({"start", "comments"}),
)

FORMATS: Final = (LAZYBG,)
