"""Plays that a record leaves out: which ones fit the boards, IDs and lists of plays in its remarks, and what follows.

Lists of positions give every roll, and often not the play. What fits is inferred, and never taken as written.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.generation import can_move, legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.board.perspective import view
from bgtools.decoder.inference import PossibleBoards
from bgtools.decoder.plausibility import worth
from bgtools.positions.pasted import find_ids
from bgtools.positions.pictures import drawn_boards
from bgtools.positions.position import IdError, Position
from bgtools.record.record import CheckerPlay, is_position, places_of_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Board
    from bgtools.board.play import HopText, Play
    from bgtools.replayer.turn import GameReplay

_HOP: Final = r"(?:bar|b|\d{1,2})\*?/[\w*/()]{1,14}"
_LISTED: Final = re.compile(
    rf"[ \t*>]{{0,40}}+(?:\d{{1,2}}[.)][ \t]{{1,8}}+)?(?P<hops>{_HOP}(?:,?[ ]{_HOP}){{0,3}}),?[ \t]{{1,40}}+"
    r"(?:[Ee]q(?:uity)?[.: ]{1,4})?[-+\u2212]?\d?[.,]\d{2,4}(?!\d)"
)
"""A line of a list of plays: hops, and what they are worth."""
_UNLISTED: Final = 6.0
"""What a play that a list leaves out costs, in ranks of a list."""
_WORTH: Final = 0.02
"""What a better-looking play gains, as far as nothing else tells."""
_LONGEST: Final = 300
"""How many entries are followed: each takes a search."""
_AS_LIKELY: Final = 0.5
_FEW: Final = 3
"""So many plays at most are named."""


class InferredPlays(NamedTuple):
    """The plays that fit, the likeliest first; ``is_clear`` where no other one is as likely."""

    plays: tuple[Play, ...]
    is_clear: bool


class _Evidence(NamedTuple):
    """What the remarks behind an entry show: boards, seen by player 0, and plays that somebody lists."""

    boards: frozenset[Board]
    listed: tuple[tuple[HopText, ...], ...]


class UnwrittenPlays:
    """The plays of a game that its record leaves out.

    Args:
        game: the game.
    """

    def __init__(self, game: GameReplay) -> None:
        self.game = game

    def at(self, turn: int) -> InferredPlays | None:
        """The plays that fit in a turn, by its index; None where the remarks tell nothing, or too many plays fit."""
        return self._found.get(turn)

    @cached_property
    def _found(self) -> dict[int, InferredPlays]:
        turns = self.game.turns
        first = next((turn.index for turn in turns if _is_unwritten(turn.entry)), None)
        if first is None or is_position(self.game.game) or not self._shown:
            return {}
        boards = PossibleBoards(view(turns[first].before, turns[first].player))
        followed: list[int] = []
        for turn in turns[first : first + _LONGEST]:
            if isinstance(turn.entry, CheckerPlay):
                if not self._follow(boards, turn.index, turn.entry):
                    break
                followed.append(turn.index)
        found: dict[int, InferredPlays] = {}
        for at, fitting in zip(followed, boards.likeliest(), strict=True):
            likely = fitting.near(_AS_LIKELY)
            if _is_unwritten(turns[at].entry) and len(likely) <= _FEW:
                found[at] = InferredPlays(fitting.plays, len(likely) == 1)
        return found

    @cached_property
    def _shown(self) -> dict[int, _Evidence]:
        """What is shown behind each entry, by its index; the first remarks of the game count as behind entry -1."""
        texts: dict[int, list[str]] = {}
        for place, comment in zip(places_of_comments(self.game.game), self.game.game.comments, strict=True):
            texts.setdefault(place - 1, []).append(comment.text)
        shown = {at: _Evidence(frozenset(_boards(some)), tuple(_listed(some))) for at, some in texts.items()}
        return {at: each for at, each in shown.items() if each.boards or each.listed}

    def _follow(self, boards: PossibleBoards, index: int, entry: CheckerPlay) -> bool:
        """Go on by an entry; False where it fits none of the boards."""
        if entry.dice is None or not are_dice(entry.dice):
            return False
        nothing = _Evidence(frozenset(), ())
        above, here, below = (self._shown.get(at, nothing) for at in (index - 1, index, index + 1))
        boards.keep(above.boards.__contains__)
        # The board may be the one before the roll, or the one that the play leaves.
        is_before = boards.keep(here.boards.__contains__)
        listed = here.listed
        if listed and not boards.keep(lambda board: _are_legal(board, entry, listed)):
            listed = ()
        shown = below.boards if is_before else below.boards | here.boards
        return boards.follow(entry.player, lambda board: _plays(board, entry, listed), shown)


def _is_unwritten(entry: object) -> bool:
    return isinstance(entry, CheckerPlay) and entry.dice is not None and entry.text.kind == "unknown"


def _are_legal(board: Board, entry: CheckerPlay, listed: Iterable[tuple[HopText, ...]]) -> bool:
    assert entry.dice is not None
    own = view(board, entry.player)
    return all(find_play(own, entry.dice, hops) is not None for hops in listed)


def _plays(own: Board, entry: CheckerPlay, listed: Sequence[tuple[HopText, ...]]) -> list[tuple[Play, float]]:
    """The plays that an entry can be on a board that its player sees, each with its cost."""
    dice, kind = entry.dice, entry.text.kind
    assert dice is not None
    if kind == "moves":
        play = find_play(own, dice, entry.text.hops)
        return [] if play is None else [(play, 0.0)]
    plays = legal_plays(own, dice)
    if kind in ("dance", "nothing"):
        return [] if can_move(own, dice) else [(plays[0], 0.0)]
    ranks: dict[Board, float] = {}
    for rank, hops in enumerate(listed):
        play = find_play(own, dice, hops)
        if play is not None:
            ranks.setdefault(play.result, float(rank))
    return [
        (play, ranks.get(play.result, _UNLISTED if listed else 0.0) - _WORTH * worth(play.result)) for play in plays
    ]


def _boards(texts: Iterable[str]) -> Iterator[Board]:
    """The boards that some remarks draw, or of which they hold an ID, seen by either player."""
    for text in texts:
        boards = drawn_boards(text)
        for each in find_ids(text):
            try:
                board = Position.from_id(each).board
            except IdError:
                continue
            boards = board, board.flipped()
            break
        yield from boards


def _listed(texts: Iterable[str]) -> Iterator[tuple[HopText, ...]]:
    """The plays that some remarks list with what they are worth, in their order."""
    for text in texts:
        for line in text.splitlines():
            found = _LISTED.match(line)
            play = read_play(found["hops"].replace(",", " ").strip()) if found else None
            if play is not None and play.hops:
                yield play.hops


_LAST: dict[str, UnwrittenPlays] = {}
"""The plays of the game that was asked about last."""


def unwritten_plays(game: GameReplay) -> UnwrittenPlays:
    """The plays that the record of a game leaves out; those of the game that was asked about last are kept."""
    kept = _LAST.get("game")
    if kept is None or kept.game is not game:
        kept = _LAST["game"] = UnwrittenPlays(game)
    return kept
