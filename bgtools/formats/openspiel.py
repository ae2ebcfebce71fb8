"""Reading the games of OpenSpiel: histories, and the episodes of Kaggle that hold one.

A history is the numbers of all actions, dice and moves mixed. Dice are numbered in one of two ways; the one that makes
all moves legal is taken. A move is two hops: two digits to the base 26, the place from which the first checker goes
being the low one. Places 0 to 23 are counted from X's 24-point, 24 is the bar, and 25 means that nothing moves. Below
676 the higher die is played first. A doublet is two such moves. X is player 0.

Source: google-deepmind/open_spiel, ``games/backgammon/backgammon.cc``; Kaggle/kaggle-environments.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.board import BAR, OFF, Board
from bgtools.board.generation import can_move
from bgtools.board.movement import find_play
from bgtools.board.perspective import Player, other
from bgtools.board.play import HopText, PlayText
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.limits import most_pieces
from bgtools.formats.shared.json_values import items, load, member, text, whole
from bgtools.record.builder import MatchBuilder
from bgtools.record.state import GameState
from bgtools.rules.cube import MatchState
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Dice
    from bgtools.formats.content import Content
    from bgtools.record.record import Match
    from bgtools.source import Source

_PLACES: Final = 26
_HIGH_FIRST: Final = _PLACES**2
_ON_BAR, _PASS = 24, 25
_MIXED: Final = tuple((one, two) for one in range(1, 7) for two in range(one + 1, 7))
_DOUBLETS: Final = tuple((number, number) for number in range(1, 7))
_NEW: Final = (*(dice for one, two in _MIXED for dice in ((one, two), (two, one))), *_DOUBLETS)
"""The 36 rolls, as newer versions number them. In the first one an even number lets X begin."""
_OLD: Final = (*_MIXED, *_DOUBLETS)
"""The 21 rolls of older versions. In the first one 15 more lets O begin."""
_CHAIN: Final = re.compile(r"history=((?:-?\d+:\d+,?\s*)+)")
_STATE: Final = re.compile(r"\[State\]\s*((?:\d+[\s,]*)+)")
_NUMBERS: Final = re.compile(r"\d{1,9}")


class _Action(NamedTuple):
    number: int
    span: Span


class _TurnOfGame(NamedTuple):
    player: Player
    dice: Dice
    hops: tuple[HopText, ...]
    span: Span
    last: int
    """Which of the player's actions was the last one of the turn, from 1."""


def read(content: Content) -> tuple[Match, ...]:
    """Read the game in a file.

    Raises:
        FormatError: it holds no history of backgammon.
    """
    source = content.source
    if content.head.lstrip("\ufeff \t\r\n")[:1] == "{":
        return (_episode(content),)
    found = _STATE.search(source.text) or _CHAIN.search(source.text)
    at, words = (found.start(1), found[1]) if found else (0, source.text)
    pattern = re.compile(r"(?<=:)\d{1,9}") if found and "history=" in found[0] else _NUMBERS
    if not found and re.fullmatch(r"[\d\s,;\[\]]+", words) is None:
        raise FormatError("this is no history of OpenSpiel: numbers of actions, with commas or blanks between them")
    actions = []
    for each in pattern.finditer(words):
        actions.append(_Action(int(each[0]), Span(at + each.start(), at + each.end())))
        if len(actions) > most_pieces():
            raise FormatError("this history has more actions than any game")
    return (_match(source, actions, {}, ("X", "O")),)


def _episode(content: Content) -> Match:
    document = load(content.source.text, "this file")
    if "backgammon" not in text(document, "name"):
        raise FormatError("this JSON is no episode of backgammon")
    names = [each for each in items(member(document, "info"), "TeamNames") if isinstance(each, str)]
    chain, thoughts, moves = "", dict[int, str](), 0
    last: list[Any] = []
    for step in items(document, "steps"):
        agents = [each for each in step if isinstance(each, dict)] if isinstance(step, list) else []
        for agent in agents:
            action, seen = member(agent, "action"), member(agent, "observation")
            if whole(action.get("submission"), -1) >= 0:
                moves += 1
                if thought := text(action, "thoughts").strip():
                    thoughts[moves] = thought
            if found := _CHAIN.search(text(seen, "serializedGameAndState")):
                chain = found[1]
        last = agents or last
    if not chain:
        raise FormatError("this episode holds no history of a game")
    to = MatchBuilder(source=content.name)
    actions = [_Action(int(each[0]), to.line(each[0])) for each in re.finditer(r"(?<=:)\d{1,9}", chain)]
    match = _match("", actions, thoughts, (names[0], names[1]) if len(names) == 2 else ("X", "O"), to, last)
    return match


def _match(
    source: Source | str,
    actions: Sequence[_Action],
    thoughts: dict[int, str],
    names: tuple[str, str],
    to: MatchBuilder | None = None,
    agents: Sequence[Any] = (),
) -> Match:
    if not actions:
        raise FormatError("this history is empty")
    to = to or MatchBuilder(source=source)
    to.players, to.length = names, 0
    game = to.game(1, (0, 0), Span(actions[0].span.start, actions[0].span.start))
    turns, done = max((_turns(actions, rolls) for rolls in (_NEW, _OLD)), key=lambda found: found[1])
    commented = 0
    for turn in turns:
        play = PlayText("moves", turn.hops) if turn.hops else PlayText("dance")
        game.play(turn.player, play, turn.span, dice=turn.dice)
        for number in range(commented + 1, turn.last + 1):
            if number in thoughts:
                game.comment(thoughts[number], turn.span)
        commented = turn.last
    if done < len(actions):
        span = Span(actions[done].span.start, actions[-1].span.end)
        message = f"action {actions[done].number} is no legal roll or move here; the rest is left out"
        game.report(codes.UNREADABLE_LINE, span, message)
    one, two = [whole(each.get("reward")) for each in agents if isinstance(each, dict)][:2] or (0, 0)
    if one != two:
        game.result(0 if one > two else 1, abs(max(one, two)) or None, game.heading)
    return to.build()


def _turns(actions: Sequence[_Action], rolls: Sequence[Dice]) -> tuple[list[_TurnOfGame], int]:
    """The turns of a history, and how many of its actions are in them, by one numbering of the rolls."""
    state = GameState(MatchState())
    turns: list[_TurnOfGame] = []
    player: Player = 0
    at = moved = 0
    while at < len(actions) and not state.over:
        number = actions[at].number
        if not turns:
            beginner, number = _first_roll(number, rolls)
            player = beginner
        if number >= len(rolls):
            break
        dice = rolls[number]
        begin, used = at, 1
        hops: list[HopText] = []
        while at + used < len(actions) and used <= (2 if dice[0] == dice[1] else 1):
            more = _hops(actions[at + used].number, dice, player)
            used += 1
            if more is None:
                return turns, begin
            hops += more
            if len(more) < 2 or _is_over(state.board(player), hops):
                break
        if used == 1:
            break
        board = state.board(player)
        if find_play(board, dice, hops) is None if hops else can_move(board, dice):
            return turns, begin
        moved += used - 1
        span = Span(actions[begin].span.start, actions[begin + used - 1].span.end)
        turns.append(_TurnOfGame(player, dice, tuple(hops), span, moved))
        state.move(player, hops)
        player = other(player)
        at = begin + used
    return turns, at


def _first_roll(number: int, rolls: Sequence[Dice]) -> tuple[Player, int]:
    if rolls is _NEW:
        return (1 if number % 2 else 0), number
    mixed = len(_MIXED)
    return (1, number - mixed) if number >= mixed else (0, number)


def _hops(number: int, dice: Dice, player: Player) -> list[HopText] | None:
    """The hops of a move; None for a number that is none."""
    if number >= 2 * _HIGH_FIRST:
        return None
    high_first = number < _HIGH_FIRST
    second, first = divmod(number % _HIGH_FIRST, _PLACES)
    order = sorted(dice, reverse=high_first)
    hops = []
    for place, die in zip((first, second), order, strict=True):
        if place == _PASS:
            continue
        point = BAR if place == _ON_BAR else 24 - place if player == 0 else place + 1
        hops.append(HopText((point, max(point - die, OFF)), (False,)))
    return hops


def _is_over(board: Board, hops: Sequence[HopText]) -> bool:
    """Whether the last checker is borne off by some hops."""
    off = sum(hop.points[-1] == OFF for hop in hops)
    return board.mine[OFF] + off == sum(board.mine)


# --- the format -----------------------------------------------------------------------------

_EPISODE: Final = re.compile(r'"name"\s*:\s*"open_spiel_backgammon"|"serializedGameAndState"')


def _sniff(content: Content) -> float:
    """A state of OpenSpiel in its own words, or an episode of Kaggle."""
    head = content.head
    if head.lstrip("\ufeff \t\r\n")[:1] == "{":
        return float(_EPISODE.search(head) is not None and "backgammon" in head)
    return float("[State]" in head and "backgammon" in head[:2000]) or float(_CHAIN.search(head[:4000]) is not None)


OPENSPIEL: Final = Format(
    name="openspiel",
    title="OpenSpiel history or Kaggle episode",
    extensions=(".json", ".txt"),
    sniff=_sniff,
    reader=read,
    leaves_out=EVERYTHING - {"comments"},
)

FORMATS: Final = (OPENSPIEL,)
