"""What the page of a report shows, as plain values; docs/page.schema.json describes them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from bgtools._version import __version__
from bgtools.analysis.result import distinct_names
from bgtools.board.hopping import hops_of
from bgtools.board.perspective import other
from bgtools.engines.protocol import ROLLS
from bgtools.findings.finding import printable
from bgtools.met.finding import MONEY_TAKE_POINT, take_points
from bgtools.positions.notations import decode_id
from bgtools.positions.position import IdError
from bgtools.record.record import places_of_comments
from bgtools.reports import summary
from bgtools.reports.curves import chance_before, chances_course, met_of
from bgtools.reports.decision_text import worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.rows import ChoiceRow, DecisionRow, TurnRow
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.board.board import Board
    from bgtools.findings.finding import Finding
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position
    from bgtools.record.record import Match

PAGE_VERSION: Final = 1
"""Version of the layout of the page's data; it grows when a field changes its meaning or goes away."""

_DIGITS: Final = 5
_TAGS: Final = (
    "Event", "Round", "Place", "Site", "EventDate", "Date", "Transcriber", "Annotator", "ClockType", "TimeControl",
)  # fmt: skip
"""What of a record's header is under the heading."""


def page_data(
    analysis: Analysis,
    match: Match | None = None,
    findings: Sequence[Finding] = (),
    comparison: EngineComparison | None = None,
    *,
    file: str = "",
) -> dict[str, Any]:
    """The content of ``bgtools-data`` in a page.

    Args:
        analysis: the figures.
        match: the record, for its header and remarks.
        findings: what `bgtools.check` found.
        comparison: what several engines say, of which ``analysis`` is the first's.
        file: the name of the record's file.
    """
    used = analysis.conventions
    others = [] if comparison is None else summary.by_engine(analysis, comparison)
    rows = _TurnRows(analysis, others[1:], {} if match is None else _clocks(match))
    remarks = {} if match is None else _remarks(match)
    games = [_game(game, rows, remarks.get(game.game, {})) for game in analysis.games]
    return {
        "made_by": "bgtools",
        "version": __version__,
        "schema_version": PAGE_VERSION,
        "file": file,
        "heading": summary.heading(analysis),
        "header": [] if match is None else _header(match),
        "players": [printable(name) for name in distinct_names(analysis.match.players)],
        "length": analysis.match.length,
        "score": list(analysis.match.score),
        "winner": analysis.match.winner,
        **_engine_data("", analysis),
        "notes": [*analysis.notes, *_rolls_left_out(analysis)],
        "engine": f"{used.engine} {used.engine_version}".strip(),
        "engines": [name for name, _ in others],
        "compared": [_engine_data(name, each) for name, each in others],
        "classes": [step.name for step in used.thresholds.steps],
        "games": games,
        "errors": [rows.indexes[row.game, row.entry, row.kind] for row in worst(analysis.decisions)],
        "remarks": [] if match is None else [_text(comment.text) for comment in match.comments],
        "findings": [_finding(finding) for finding in findings],
    }


def _engine_data(name: str, analysis: Analysis) -> dict[str, Any]:
    """What one engine says of the whole match."""
    return {
        "engine": name,
        "sentence": summary.sentence(analysis),
        "conventions": summary.conventions_line(analysis),
        "totals": [[title, *map(str.strip, cells)] for title, cells in summary.totals_rows(analysis)],
        "notes": list(analysis.notes),
    }


def _rolls_left_out(analysis: Analysis) -> Iterator[str]:
    """A note, where only some turns tell what each of the 21 rolls was worth."""
    if 0 < len(analysis.rolls) < sum(row.luck is not None for row in analysis.turns):
        yield (
            f"At the level {analysis.conventions.level} what each of the 21 rolls was worth is told only where an "
            "error was made or the luck of the roll was 0.3 EMG or more, for better or worse."
        )


def _header(match: Match) -> list[list[str]]:
    known = {tag.key.casefold(): _text(tag.value) for tag in match.tags}
    return [[name, known[name.casefold()]] for name in _TAGS if known.get(name.casefold())]


def _remarks(match: Match) -> dict[int, dict[int, list[str]]]:
    """The remarks of each game by the number of the entry that they follow."""
    found: dict[int, dict[int, list[str]]] = {}
    for number, game in enumerate(match.games, 1):
        for comment, place in zip(game.comments, places_of_comments(game), strict=True):
            found.setdefault(number, {}).setdefault(max(place, 1), []).append(_text(comment.text))
    return found


def _clocks(match: Match) -> dict[tuple[int, int], list[float | None]]:
    """The time left to both players, in seconds, by game and entry; a time that is not told is the last one known."""
    found: dict[tuple[int, int], list[float | None]] = {}
    for number, game in enumerate(match.games, 1):
        known: list[float | None] = [None, None]
        for place, entry in enumerate(game.entries, 1):
            if entry.annotation is not None and entry.annotation.clock is not None:
                for player, left in zip((entry.player, other(entry.player)), entry.annotation.clock, strict=True):
                    known[player] = known[player] if left is None else left
                found[number, place] = list(known)
    return found


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code.id,
        "severity": str(finding.severity),
        "message": _text(finding.message),
        "hint": _text(finding.hint or ""),
        "game": finding.game,
        "turn": finding.turn,
    }


def _text(text: str) -> str:
    """A text that can stand in JSON, whatever a record holds."""
    return text.encode("utf-8", "replace").decode()


# --- games and turns ------------------------------------------------------------------------


class _TurnRows:
    """The rows of an analysis by the turn that they belong to.

    Attributes:
        length: points to win the match; 0 for money.
        met: the match equity table, where one is known.
        rolls: what each roll was worth, by game and entry.
        chances: the match winning chance of player 0 after each entry, where it is known.
        clocks: the time left to each player after an entry, in seconds.
        indexes: of each decision its game, its place among the turns of that game, and its place among the decisions
            of that turn.
    """

    def __init__(
        self,
        analysis: Analysis,
        others: Sequence[tuple[str, Analysis]],
        clocks: Mapping[tuple[int, int], list[float | None]],
    ) -> None:
        self.length = analysis.match.length
        self.met = met_of(analysis)
        self.rolls = analysis.rolls
        course = chances_course(analysis)
        values = () if course is None else course.values[1:]
        self.chances = {(row.game, row.entry): value for row, value in zip(analysis.turns, values, strict=False)}
        self.clocks = clocks
        self.turns: dict[int, list[list[TurnRow]]] = {}
        for game, rows in groupby(analysis.turns, lambda row: row.game):
            self.turns[game] = [list(group) for _, group in groupby(rows, lambda row: row.turn)]
        self._decisions: dict[tuple[int, int], list[DecisionRow]] = {}
        for row in analysis.decisions:
            self._decisions.setdefault((row.game, row.entry), []).append(row)
        self._others = [(name, {_key(row): row for row in each.decisions}) for name, each in others]
        self.indexes: dict[tuple[int, int, str], list[int]] = {}

    def decisions(self, game: int, index: int, turn: Iterable[TurnRow]) -> Iterator[tuple[DecisionRow, list[Any]]]:
        """The decisions of a turn, each with what the other engines say of it."""
        number = 0
        for entry in turn:
            for row in self._decisions.get((game, entry.entry), ()):
                if row.kind == "unplayed roll":
                    continue
                self.indexes[_key(row)] = [game, index, number]
                number += 1
                yield row, [_other(name, rows.get(_key(row))) for name, rows in self._others]


def _key(row: DecisionRow) -> tuple[int, int, str]:
    return row.game, row.entry, row.kind


def _other(name: str, row: DecisionRow | None) -> list[Any]:
    """What another engine says: its name, its best choice, and the loss of the choice that was made."""
    return [name, row.best if row else "", _number(row.loss if row else None)]


def _game(game: GameTotals, rows: _TurnRows, remarks: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    return {
        "game": game.game,
        "number": game.number,
        "score": list(game.score),
        "crawford": game.crawford,
        "chance": _number(chance_before(game, rows.length, rows.met)),
        "ending": game.ending,
        "winner": game.winner,
        "points": game.points,
        "turns": [
            _turn(game.game, place, turn, rows, remarks) for place, turn in enumerate(rows.turns.get(game.game, ()))
        ],
    }


def _turn(
    game: int, index: int, turn: Sequence[TurnRow], rows: _TurnRows, remarks: Mapping[int, Sequence[str]]
) -> dict[str, Any]:
    """A turn: its board, what was done, and the decisions in it."""
    roll = next((row for row in turn if row.action == "roll"), None)
    shown = roll or turn[0]
    position = decode_id(shown.xgid)
    return {
        "turn": shown.turn,
        "player": shown.player,
        "board": _board(position),
        "ids": _ids(position, shown.xgid),
        "dice": shown.dice,
        "cube": [shown.cube, shown.cube_owner],
        "offered": roll is None and any(row.action == "double" for row in turn),
        "played": "" if roll is None else roll.played,
        "hops": [] if roll is None else _hops(roll.played, position.board, roll.dice),
        "legal": all(row.legal for row in turn),
        "in_game": shown.in_game,
        "actions": [[row.player, row.action, row.played] for row in turn if row is not roll],
        "luck": _number(None if roll is None else roll.luck),
        "luck_mwc": _number(None if roll is None else roll.luck_mwc),
        "luck_class": "" if roll is None else roll.luck_class,
        "chance": _number(rows.chances.get((game, turn[-1].entry))),
        "clock": next((told for row in reversed(turn) if (told := rows.clocks.get((game, row.entry)))), None),
        "rolls": [] if roll is None else _rolls(roll, rows.rolls.get((roll.game, roll.entry), ())),
        "pips": [shown.pips, shown.opponent_pips],
        "pips_after": [shown.pips_after, shown.opponent_pips_after],
        "decisions": [_decision(row, others, position, rows.met) for row, others in rows.decisions(game, index, turn)],
        "remarks": [text for row in turn for text in remarks.get(row.entry, ())],
    }


def _rolls(row: TurnRow, worth: Sequence[float]) -> list[int]:
    """The luck of the turn if each of the 21 rolls had come, in thousandths of EMG; empty where it is not known.

    Without doubles where the roll opened the game. The roll that came has the luck of the turn, for which the engine
    may have looked deeper than for the other rolls; those keep their distance from it.
    """
    came = {"".join(map(str, roll)): value for roll, value in zip(ROLLS, worth, strict=False)}.get(row.dice)
    if came is None or row.luck is None or len(worth) != len(ROLLS):
        return []
    return [
        round(1000 * (value - came + row.luck))
        for (high, low), value in zip(ROLLS, worth, strict=True)
        if high != low or not row.opening
    ]


_LETTERS: Final = "abcdefghijklmnop"


def _board(position: Position) -> str:
    """The checkers of the player on roll, then the other's: off, points 1 to 24, bar; a letter each, ``a`` for 0."""
    sides = (position.board.mine, position.board.theirs)
    return "".join(_LETTERS[min(count, len(_LETTERS) - 1)] for side in sides for count in side)


def _ids(position: Position, xgid: str) -> list[str]:
    """XGID and GNU ID; the latter empty where it cannot hold the position."""
    try:
        return [xgid, position.gnubg_id()]
    except IdError:
        return [xgid, ""]


def _decision(row: DecisionRow, others: list[Any], position: Position, met: MatchEquityTable | None) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "player": row.player,
        "played": row.played,
        "best": row.best,
        "legal": row.legal,
        "equity": _number(row.equity),
        "loss": _number(row.loss),
        "loss_mwc": _number(row.loss_mwc),
        "error": row.error,
        "error_kind": row.error_kind,
        "detail": row.detail,
        "depth": row.depth,
        "phase": row.phase,
        "themes": list(row.themes),
        "counted_by": [name for name, count in row.counted_by.items() if count.counted],
        "sentence": row.sentence,
        "note": row.note,
        "verdict": row.verdict,
        "rollout": [_number(row.rollout_loss), _number(row.rollout_error)],
        "choices": [_choice(choice, row, position.board) for choice in row.choices],
        "take_point": _take_point(row, met),
        "others": others,
    }


def _take_point(row: DecisionRow, met: MatchEquityTable | None) -> float | None:
    """The chance of winning from which a doubled player takes, without gammons; None for a play, or if not known."""
    if row.kind not in ("no double", "double", "take", "pass"):
        return None
    state = decode_id(row.xgid).state
    if state.is_money:
        return MONEY_TAKE_POINT
    if met is None or not met.covers(state.away):
        return None
    points = take_points(met, state.flipped())
    return None if points is None else _number(points.dead)


def _choice(choice: ChoiceRow, row: DecisionRow, board: Board) -> dict[str, Any]:
    chances = (choice.win, choice.win_gammon, choice.win_backgammon, choice.lose_gammon, choice.lose_backgammon)
    return {
        "choice": choice.choice,
        "made": choice.made,
        "equity": _number(choice.equity),
        "loss": _number(choice.loss),
        "depth": choice.depth,
        "chances": [_number(chance) for chance in chances],
        "hops": _hops(choice.choice, board, row.dice) if row.kind == "checker play" else [],
    }


def _hops(played: str, board: Board, dice: str) -> list[list[int]]:
    return [[hop.start, hop.end] for hop in hops_of(played, board, dice)]


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0
