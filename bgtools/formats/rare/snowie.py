"""Snowie's text: a position in one line, and matches as match text. The grammar is ``grammars/snowie.lark``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.hopping import are_dice
from bgtools.board.perspective import Player, other
from bgtools.findings import codes
from bgtools.formats.content import FormatError, Sign
from bgtools.formats.format import Format
from bgtools.formats.mat import MAT, reader as mat_read, writer as mat_write
from bgtools.formats.shared.lines import LineParser, Stop, lines_of
from bgtools.formats.shared.tags import rules_of_tags
from bgtools.positions.position import signed_board, to_signed
from bgtools.record.builder import MatchBuilder, several_matches
from bgtools.record.record import CheckerPlay, Double, Match, SetBoard, is_position
from bgtools.replayer.match import replay
from bgtools.rules.options import OPTIONS, Ruleset

if TYPE_CHECKING:
    from lark import Token

    from bgtools.formats.content import Content
    from bgtools.source import Source, Span


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a position, as its line writes them."""

    length: int
    jacoby: bool
    turn: Player
    names: tuple[str, str]
    crawford: bool
    points: tuple[int, int]
    cube: int
    owner: int
    board: tuple[int, ...]
    dice: tuple[int, int]


class _SnowieBuilder:
    def position(self, *fields: Any) -> _Fields:
        (length, jacoby, _variant, _money, turn, name, opponent, crawford, mine, theirs, cube, owner, other_bar, board,
         bar, one, two) = fields  # fmt: skip
        return _Fields(
            length, jacoby == 1, 1 if turn == 1 else 0, (name, opponent), crawford == 1, (mine, theirs), cube, owner,
            (other_bar, *board, bar), (one, two),
        )  # fmt: skip

    def name(self, name: Token) -> str:
        return " ".join(name[:-1].split())

    def board(self, *points: Token) -> tuple[int, ...]:
        return tuple(map(_number, points))

    def _number(self, field: Token) -> int:
        return _number(field)

    length = jacoby = variant = money = turn = crawford = points = cube = owner = bar = die = _number


def _number(field: Token) -> int:
    return int(field.rstrip(" \t;"))


PARSER = LineParser("snowie", ("position",), _SnowieBuilder)


# --- reading --------------------------------------------------------------------------------


def read(content: Content) -> tuple[Match, ...]:
    """Read positions, each as a match, or match text.

    Raises:
        FormatError: the file holds neither.
    """
    source = content.source
    if not _sniff(content) and MAT.sniff(content):
        return mat_read.read(source)
    drafts: list[MatchBuilder] = []
    strange = MatchBuilder(source=source)
    for line in lines_of(source):
        found = PARSER.parse(line.text, "position")
        if isinstance(found, Stop):
            strange.unreadable(line.text, line.span, "position of Snowie: it has 40 fields, each with a semicolon")
        else:
            drafts.append(_draft(found, line.span, source))
    if not drafts:
        raise FormatError("this is not a text of Snowie: neither a position of 40 fields nor match text")
    drafts[0].findings += strange.findings
    if len(drafts) > 1:
        drafts[0].findings.append(several_matches(len(drafts), drafts[1].games[0].heading))
    return tuple(draft.build() for draft in drafts)


def _draft(fields: _Fields, span: Span, source: Source) -> MatchBuilder:
    player, length = fields.turn, fields.length
    to = MatchBuilder(
        source=source, players=fields.names if player == 0 else fields.names[::-1], length=length, length_span=span
    )
    # If a player is one point from winning and this is not the Crawford game, that game was before.
    at_match_point = bool(length) and length - 1 in fields.points
    to.rules = Ruleset(
        crawford=bool(length) and (fields.crawford or not at_match_point),
        jacoby=not length and fields.jacoby,
        beavers=0 if length else None,
    )
    game = to.game(1, fields.points if player == 0 else fields.points[::-1], span)
    position = signed_board(fields.board)
    if position is None:
        to.report(codes.BAD_SET_POSITION, span, "the checkers of this position cannot stand so")
        return to
    owner = None if fields.owner not in (1, -1) else player if fields.owner == 1 else other(player)
    seen = position if player == 0 else position.flipped()
    game.set(player, seen, span, cube=max(fields.cube, 1), owner=owner)
    if are_dice(fields.dice):
        game.roll(player, fields.dice, span)
    return to


# --- writing --------------------------------------------------------------------------------


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file: a line for each match where all are positions, or else match text.

    Raises:
        FormatError: some matches are positions, and others are not.
    """
    positions = [_position(match) for match in matches]
    if all(line is not None for line in positions):
        return "".join(f"{line}\n" for line in positions).encode()
    if any(line is not None for line in positions):
        raise FormatError("Snowie's text holds positions or matches, not both")
    return mat_write.write_content(tuple(map(_bare, matches)))


def _bare(match: Match) -> Match:
    """A match without its tags, remarks, ratings and rules, which Snowie's match text does not hold."""
    games = tuple(replace(game, comments=()) for game in match.games)
    rules = rules_of_tags({}, money=match.is_money)
    return replace(match, games=games, tags=(), comments=(), ratings=("", ""), rules=rules)


def _position(match: Match) -> str | None:
    """The line of a match that is a position; None for any other."""
    if len(match.games) != 1 or not is_position(match.games[0]):
        return None
    if any(isinstance(entry, Double) for entry in match.games[0].entries):
        return None
    game = replay(match)[0]
    board = game.game.entries[0]
    assert isinstance(board, SetBoard)
    player = board.player
    seen = board.position if player == 0 else board.position.flipped()
    dice = next((entry.dice for entry in game.game.entries if isinstance(entry, CheckerPlay)), None) or (0, 0)
    owner = 0 if board.owner is None else 1 if board.owner == player else -1
    money = int(match.is_money)
    fields: list[object] = [
        match.length or 0, int(bool(money and match.rules.jacoby)), 1 - money, money, player, match.players[player],
        match.players[other(player)], int(game.crawford), game.score[player], game.score[other(player)], board.cube,
        owner, *to_signed(seen), *dice,
    ]  # fmt: skip
    # A semicolon ends a field, so a comma replaces it in a name.
    return "".join(f"{' '.join(str(field).replace(';', ',').split())};" for field in fields)


# --- the format -----------------------------------------------------------------------------

_SNOWIE = Sign(
    re.compile(
        r"^[ \t]*(?:-?\d{1,9};){5}[^;\n]*;[^;\n]*;(?:[ \t]*-?\d{1,9}[ \t]*;){32}[ \t]*-?\d{1,9}[ \t]*;?[ \t]*$",
        re.MULTILINE,
    ),
    ";",
)


def _sniff(content: Content) -> float:
    """A position of Snowie: 40 fields with semicolons. Its matches look like any match text."""
    return float(content.shows(_SNOWIE))


SNOWIE: Final = Format(
    name="snowie",
    title="Snowie text",
    extensions=(".txt",),
    sniff=_sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"comments", *OPTIONS}),
    holds_several=True,
)

FORMATS: Final = (SNOWIE,)
