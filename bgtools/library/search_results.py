"""What a search of positions has found."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bgtools.analysis.blunders import Blunder
from bgtools.analysis.rows import DecisionRow
from bgtools.positions.xgid import encode_xgid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bgtools.positions.position import Position


class Place(NamedTuple):
    """Where a decision stands: record, game, entry and kind."""

    record: int
    game: int
    entry: int
    kind: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an analysis says of a decision, in short.

    Attributes:
        place: where the decision stands; an answer to a double stands one entry after it.
        best: the best choice.
        loss: what the decision lost, in EMG; None where it was not valued.
    """

    place: Place
    best: str
    loss: float | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A position that was found.

    Attributes:
        record: number of the record in the library.
        path: the file that was added.
        number: which record of its file it is, from 1.
        game: number of the game in the record, from 1.
        called: the number that the record gives the game; None where it gives none.
        turn: number of the turn in the game, from 1.
        entry: number of the entry in the game, from 1.
        player: 0 or 1; player 0 stands in the left column of the first game.
        position: the position, with the names of the player on roll and of the other, and the roll.
        action: ``roll``, or ``double`` where he doubled.
        played: the play, or the action in words.
        phase: part of the game.
        distance: pips to the board that was asked for, 0 where the two are equal; None where no board was asked for.
        mirrored: whether it is the board that was asked for with the players exchanged, so that the other is on roll.
        verdict: on the decision there, the costliest of several; None where none was analysed.
        decisions: gives the decisions of all hits that were found with it.
    """

    record: int
    path: str
    number: int
    game: int
    called: int | None
    turn: int
    entry: int
    player: int
    position: Position
    action: str
    played: str
    phase: str
    distance: int | None = None
    mirrored: bool = False
    verdict: Verdict | None = None
    decisions: Callable[[], Mapping[Place, DecisionRow]] = field(default=dict, repr=False, compare=False)

    @property
    def decision(self) -> DecisionRow | None:
        """The decision on which there is a verdict, with its choices; None where none was analysed.

        The first time that anybody asks, it is read from the library, with those of all hits that were found with it.

        Raises:
            LibraryError: a file of the library is missing or damaged.
        """
        return None if self.verdict is None else self.decisions()[self.verdict.place]

    @property
    def show(self) -> str:
        """The command that shows it in its record; by itself where that is no file, or gives the game no number."""
        if self.called is None or self.path == "-":
            return f"bgtools show {self.xgid}"
        which = f"-t {self.turn}" if self.action == "roll" else f"-e {self.entry}"
        number = f" --match {self.number}" if self.number > 1 else ""
        return f"bgtools show {shlex.quote(self.path)} -g {self.called} {which}{number}"

    @property
    def xgid(self) -> str:
        """The position as an XGID."""
        position = self.position
        return encode_xgid(position.board, position.state, position.dice, offer=position.offer)

    @property
    def loss(self) -> float | None:
        """What the decision lost, in EMG; None where it was not analysed."""
        return None if self.verdict is None else self.verdict.loss

    @property
    def blunder(self) -> Blunder:
        """The hit as a decision for a sheet of blunders; without best choice and loss where it was not analysed."""
        name, opponent = self.position.names
        names = (name, opponent) if self.player == 0 else (opponent, name)
        return Blunder(self.path, self.number, names, self.decision or self._undecided(), self.called)

    def _undecided(self) -> DecisionRow:
        state, (pips, opponent_pips) = self.position.state, self.position.pips
        dice = self.position.dice
        return DecisionRow(
            game=self.game,
            turn=self.turn,
            entry=self.entry,
            player=self.player,
            name=self.position.names[0],
            kind="checker play" if self.action == "roll" else "double",
            score=state.score,
            length=state.length,
            crawford=state.crawford,
            cube=state.cube.value,
            cube_owner=state.cube.owner,
            dice="" if dice is None else f"{dice[0]}{dice[1]}",
            xgid=encode_xgid(self.position.board, state, dice),
            pips=pips,
            opponent_pips=opponent_pips,
            pips_after=pips,
            opponent_pips_after=opponent_pips,
            played=self.played,
            legal=True,
            note="not analysed",
        )


@dataclass(frozen=True, slots=True)
class Played:
    """One of the ways in which a position was played.

    Attributes:
        dice: the roll; empty for a cube action.
        played: the play, or ``Double``, ``No double``, ``Take``, ``Pass``.
        times: how often.
        share: ``times`` as a part of all plays of this roll, or of all who could double, or were doubled; 0 to 1.
        judged: how many of them were analysed.
        loss: what the analysed ones lost on average, in EMG; None where none was analysed.
    """

    dice: str
    played: str
    times: int
    share: float
    judged: int
    loss: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found.

    Attributes:
        positions: how many positions fit; of similar ones, how many were looked at.
        matches: in how many matches.
        mirrored: in how many of the positions the other player is on roll, where such are asked for.
        judged: how many of the decisions were analysed, where only such are asked for; None otherwise.
        loss: what the analysed ones lost on average, in EMG.
        hits: some of the positions, as many as were asked for.
        plays: how a board that was asked for was played, by roll, the most frequent first; without mirrored positions.
    """

    positions: int
    matches: int
    mirrored: int
    judged: int | None
    loss: float | None
    hits: tuple[Hit, ...]
    plays: tuple[Played, ...]
