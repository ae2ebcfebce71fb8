"""What a search of positions has found, and what analyses say of the decisions."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools._shell import shell_path
from bgtools.analysis.blunders import Blunder
from bgtools.analysis.ratings.registry import COUNTING_NAMES
from bgtools.analysis.ratings.rule import Count
from bgtools.analysis.rows import ChoiceRow, DecisionRow
from bgtools.library.answers import Answer, Played
from bgtools.library.connecting import asking, named_rows, some_of
from bgtools.positions.xgid import encode_xgid

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from bgtools.positions.position import Position


class DecisionKey(NamedTuple):
    """Where a decision stands: record, game, entry and kind."""

    record: int
    game: int
    entry: int
    kind: str


@dataclass(frozen=True, slots=True)
class DecisionVerdict:
    """What an analysis says of a decision, in short.

    Attributes:
        key: where the decision stands; an answer to a double stands one entry after it.
        best: the best choice.
        loss: what the decision lost, in EMG; None where it was not valued.
        verdict: what a rollout says of it, as the table of decisions has it; empty where none was made.
        rollout_loss, rollout_error: what it lost by the rollout, and the standard error of that.
    """

    key: DecisionKey
    best: str
    loss: float | None
    verdict: str = ""
    rollout_loss: float | None = None
    rollout_error: float | None = None


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
        row: number of the row in which it stands in the record, else in the list of moves, from 1.
        entry: number of the entry in the game, from 1.
        player: 0 or 1; player 0 is in the left column of the first game.
        position: the position, with the names of the player on roll and of the other, and the roll.
        action: ``roll``, or ``double`` where they doubled.
        played: the play, or the action in words.
        phase: part of the game.
        distance: how unlike it is to the position that was asked for, as `bgtools.library.likeness.distances` measures
            it; 0 where that was asked for itself, None where none was.
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
    row: int
    entry: int
    player: int
    position: Position
    action: str
    played: str
    phase: str
    distance: float | None = None
    mirrored: bool = False
    verdict: DecisionVerdict | None = None
    decisions: Callable[[], Mapping[DecisionKey, DecisionRow]] = field(default=dict, repr=False, compare=False)

    @property
    def decision(self) -> DecisionRow | None:
        """The decision on which there is a verdict, with its choices; None where none was analysed.

        The first time that anybody asks, it is read from the library, with those of all hits that were found with it.

        Raises:
            LibraryError: a file of the library is missing or damaged.
        """
        return None if self.verdict is None else self.decisions()[self.verdict.key]

    @property
    def show(self) -> str:
        """The command that shows it in its record; by itself where that is not a file, or gives the game no number."""
        if self.called is None or self.path == "-":
            return f"bgtools show {self.xgid}"
        number = f" --match {self.number}" if self.number > 1 else ""
        return f"bgtools show {shell_path(self.path)} -g {self.called} -e {self.entry}{number}"

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
            row=self.row,
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
class SearchResult:
    """What a search has found.

    Attributes:
        positions: how many positions fit; of similar ones, how many were looked at.
        matches: in how many matches.
        mirrored: in how many of the positions the other player is on roll, where such are asked for.
        judged: how many of the decisions were analysed, where only such are asked for; None otherwise.
        loss: what the analysed ones lost on average, in EMG.
        hits: some of the positions, as many as were asked for.
        answer: how the position that was asked for, or those like it, were played; without mirrored positions.
        position: the position that was asked for; None for a search by structure.
        alike: how many of similar positions the answer is made of, the nearest of each game.
    """

    positions: int
    matches: int
    mirrored: int
    judged: int | None
    loss: float | None
    hits: tuple[Hit, ...]
    answer: Answer = field(default_factory=Answer)
    position: Position | None = None
    alike: int = 0

    @property
    def plays(self) -> tuple[Played, ...]:
        """How the position was played, by what was done."""
        return self.answer.plays


_PAIRED: Final = frozenset({"score"})
_MADE: Final = frozenset({"counted_by", "themes", "right_at", "choices"})
_PLAIN: Final = tuple(each.name for each in fields(DecisionRow) if each.name not in _PAIRED | _MADE)
_CHOICE: Final = tuple(each.name for each in fields(ChoiceRow))


def keep_judged(connection: Any, entries: str) -> None:
    """Keep as the table ``judged`` what analyses say in short of the decisions at some entries, and at the next ones.

    Args:
        connection: one that sees the library.
        entries: the name of a table with ``record``, ``game`` and ``entry``, of records that stand for matches.
    """
    rows = some_of(connection, "decisions", entries)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE judged AS "
        f"SELECT record, game, entry, kind, best, loss, themes, verdict, rollout_loss, rollout_error FROM {rows} "
        f"SEMI JOIN (SELECT record, game, unnest([entry, entry + 1]) AS entry FROM {entries}) "
        "USING (record, game, entry)"
    )


def decisions_at(connection: Any, keys: Collection[DecisionKey]) -> dict[DecisionKey, DecisionRow]:
    """The analysed decisions at some places of records that stand for matches, with their choices.

    Raises:
        LibraryError: a file is missing or damaged.
    """
    with asking():
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE places AS SELECT unnest(?::BIGINT[]) AS record, "
            "unnest(?::INTEGER[]) AS game, unnest(?::INTEGER[]) AS entry, unnest(?::VARCHAR[]) AS kind",
            [[*each] for each in zip(*keys, strict=True)],
        )
        there = "SEMI JOIN places USING (record, game, entry, kind)"
        choices: dict[DecisionKey, list[ChoiceRow]] = {}
        for row in named_rows(
            connection,
            f"SELECT {', '.join(DecisionKey._fields)}, {', '.join(_CHOICE)} "
            f"FROM {some_of(connection, 'choices', 'places')} {there}",
        ):
            choices.setdefault(_key_of(row), []).append(choice_of(row))
        return {
            _key_of(row): decision_of(row, choices.get(_key_of(row), []))
            for row in named_rows(
                connection,
                "SELECT * REPLACE (coalesce(given, name) AS name) "
                f"FROM {some_of(connection, 'decisions', 'places')} {there}",
            )
        }


def _key_of(row: Mapping[str, Any]) -> DecisionKey:
    return DecisionKey(row["record"], row["game"], row["entry"], row["kind"])


def blunders_of(connection: Any, condition: str, parameters: Sequence[Any] = ()) -> list[Blunder]:
    """Some decisions, each with its choices and where it stands.

    Args:
        connection: one that sees the library.
        condition: a query that gives the columns `record`, `game`, `entry` and `kind` of each decision, and `place`, by
            which they are ordered; equal places come in the order of records.
        parameters: the values of that query's parameters.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE wanted_decisions AS {condition}", [*parameters])
    choices: dict[DecisionKey, list[ChoiceRow]] = {}
    for row in named_rows(
        connection,
        f"SELECT * FROM {some_of(connection, 'choices', 'wanted_decisions')} "
        "SEMI JOIN wanted_decisions USING (record, game, entry, kind)",
    ):
        choices.setdefault(_key_of(row), []).append(choice_of(row))
    return [
        Blunder(
            row["path"] or "",
            row["match_number"],
            (row["player0"], row["player1"]),
            decision_of({**row, "game": row["own_game"]}, choices.get(_key_of(row), [])),
            row["called"],
            row["date"],
        )
        for row in named_rows(
            connection,
            "SELECT d.* REPLACE (coalesce(d.given, d.name) AS name), m.player0, m.player1, "
            "coalesce(o.number, r.number) AS match_number, m.date_text AS date, "
            "s.path, coalesce(g.origin_game, d.game) AS own_game, "
            "CASE WHEN g.origin IS NULL THEN g.number ELSE og.number END AS called "
            f"FROM wanted_decisions w JOIN {some_of(connection, 'decisions', 'wanted_decisions')} d "
            "USING (record, game, entry, kind) "
            "JOIN matches m USING (record) JOIN stored.matches r USING (record) "
            "LEFT JOIN stored.games g USING (record, game) "
            "LEFT JOIN stored.matches o ON o.record = g.origin "
            "LEFT JOIN stored.games og ON og.record = g.origin AND og.game = g.origin_game "
            "LEFT JOIN (SELECT source, min(path) AS path FROM stored.sources WHERE matches > 0 GROUP BY source) s "
            "ON s.source = coalesce(o.source, r.source) ORDER BY w.place, record, d.game, d.entry, d.kind",
        )
    ]


def choice_of(row: Mapping[str, Any]) -> ChoiceRow:
    """The choice that a row of the table of choices tells of."""
    return ChoiceRow(**{name: row[name] for name in _CHOICE})


def decision_of(row: Mapping[str, Any], choices: Iterable[ChoiceRow]) -> DecisionRow:
    """The decision that a row of the table of decisions tells of, with its choices."""
    return DecisionRow(
        **{name: row[name] for name in _PLAIN},
        score=(row["score"], row["opponent_score"]),
        counted_by={name: Count(row[f"{name}_counted"], row[f"{name}_why"]) for name in COUNTING_NAMES},
        themes=tuple(filter(None, row["themes"].split(", "))),
        right_at=tuple(filter(None, row["right_at"].split(", "))),
        choices=tuple(sorted(choices, key=lambda each: each.rank)),
    )
