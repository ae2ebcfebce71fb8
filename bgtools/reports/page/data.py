"""What the page of a report shows, as plain values; docs/page.schema.json describes them."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools._version import __version__
from bgtools.analysis.blunders import NEAR, can_be_asked, question_key
from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.analysis.luck import mark_of
from bgtools.analysis.result import distinct_names
from bgtools.board.hopping import hops_of
from bgtools.board.perspective import other
from bgtools.engines.protocol import ROLLS
from bgtools.findings.finding import printable
from bgtools.findings.quantities import (
    CHANCE,
    CHANCE_APART,
    CHANCE_LUCK,
    EQUITY,
    GAMMON,
    LOST,
    LUCK,
    POINTS,
    PR,
    Quantity,
)
from bgtools.met.finding import MONEY_TAKE_POINTS, gammon_values, take_points
from bgtools.positions.notations import decode_id
from bgtools.positions.position import IdError
from bgtools.record.producers import names_in_header
from bgtools.record.record import places_of_comments
from bgtools.reports import summary
from bgtools.reports.breakdown_tables import breakdown_rows
from bgtools.reports.curves import chance_before, chance_of_first, errors_course, luck_course, met_of
from bgtools.reports.decision_text import cube_verdict, on_roll, rollout_text, shown_loss, worst
from bgtools.reports.score_grids import page_grid
from bgtools.reports.values import plain, values_of
from bgtools.rules.cube import Cube

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.breakdowns import BreakdownRow
    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.plays import PlayLosses
    from bgtools.analysis.rows import ChoiceRow, DecisionRow, TurnRow
    from bgtools.analysis.score_grid import ScoreGrid
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.board.board import Board
    from bgtools.findings.finding import Finding
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.reports.curves import CumulativeCurve
    from bgtools.rules.cube import MatchState

PAGE_VERSION: Final = 3
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
    player: int | None = None,
) -> dict[str, Any]:
    """The content of ``bgtools-data`` in a page.

    Args:
        analysis: the figures.
        match: the record, for its header and remarks.
        findings: what `bgtools.check` found.
        comparison: what several engines find, of which ``analysis`` is the first's.
        file: the name of the record's file.
        player: whose errors the page shows first, 0 or 1; None for both.
    """
    used = analysis.conventions
    others = [] if comparison is None else summary.by_engine(analysis, comparison)
    rows = _TurnRows(analysis, others[1:], {} if match is None else _clocks(match))
    remarks = {} if match is None else _remarks(match)
    games = [_game(game, rows, remarks.get(game.game, {})) for game in analysis.games]
    heads, lines = summary.games_rows(analysis, comparison)
    return {
        "made_by": "bgtools",
        "version": __version__,
        "schema_version": PAGE_VERSION,
        "file": file,
        "heading": summary.heading(analysis),
        "header": [] if match is None else _header(match),
        "players": [printable(name) for name in distinct_names(analysis.match.players)],
        "real_names": ["", ""] if match is None else [printable(_text(name)) for name in names_in_header(match)],
        "player": player,
        "length": analysis.match.length,
        "score": list(analysis.match.score),
        "winner": analysis.match.winner,
        **_engine_data("", analysis),
        "notes": [*analysis.notes, *_rolls_left_out(analysis)],
        "engine": f"{used.engine} {used.engine_version}".strip(),
        "engines": [name for name, _ in others],
        "compared": [_engine_data(name, each) for name, each in others],
        "classes": [step.name for step in used.thresholds.steps],
        "nearly": NEAR,
        "strength": [*_strengths(analysis)],
        "luck": _net_luck(analysis),
        "favoured": summary.favoured(analysis),
        "games": games,
        "games_table": {"heads": heads, "rows": lines},
        "breakdown": [
            [dimension, value, *map(_sort_of_decisions, both)] for dimension, value, both in breakdown_rows(analysis)
        ],
        "charts": [*_charts(analysis, games)],
        "errors": [rows.indexes[_key(row)] for row in worst(analysis.decisions)],
        "remarks": [] if match is None else [_text(comment.text) for comment in match.comments],
        "findings": [_finding(finding) for finding in findings],
    }


def _engine_data(name: str, analysis: Analysis) -> dict[str, Any]:
    """What one engine finds in the whole match."""
    return {
        "engine": name,
        "sentence": summary.sentence(analysis),
        "conventions": summary.conventions_line(analysis),
        "totals": [[title, *map(str.strip, cells)] for title, cells in summary.totals_rows(analysis)],
        "notes": list(analysis.notes),
    }


def _strengths(analysis: Analysis) -> Iterator[dict[str, Any]]:
    """The rating of each player, its word, and both with the interval as a text; nothing without an engine."""
    for total in analysis.players if analysis.conventions.engine else ():
        found = (total.ratings or {}).get("xg_pr")
        value, label = (found.value, found.label) if found else (None, "")
        yield {"pr": _rounded(value), "label": label, "text": summary.strength(total)}


def _net_luck(analysis: Analysis) -> list[Any] | None:
    """Whom the dice favoured, by how much, and the unit; None where that is not known."""
    result = analysis.players[0].luck_adjusted_result
    return [int(result.net_luck < 0), _rounded(abs(result.net_luck)), result.unit] if result else None


def _sort_of_decisions(row: BreakdownRow | None) -> list[str] | None:
    """XG PR, EMG lost, and errors among the decisions of one sort; None for none of that sort."""
    if row is None:
        return None
    errors = str(row.decisions) if row.loss is None else f"{row.errors}/{row.decisions}"
    return [PR.text(row.xg_pr, 1), LOST.text(row.loss), errors]


def _charts(analysis: Analysis, games: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The sums of luck and of losses over the match, after each step, with their greatest jumps and where they end."""
    numbers = {(row.game, row.entry): number for number, row in enumerate(analysis.turns)}
    turns = [numbers[game["game"], int(step["entry"].rstrip("ac"))] for game in games for step in game["steps"]]
    steps = {turn: number for number, turn in enumerate(turns)}
    lucks, errors = ([getattr(total, name) for total in analysis.players] for name in ("luck", "errors"))
    found: list[tuple[str, str, CumulativeCurve, Quantity, str, list[float]]] = []
    if any(row.luck is not None for row in analysis.turns):
        luck, unit = luck_course(analysis)
        kind, quantity = ("mwc", CHANCE_LUCK) if analysis.match.length else ("points", POINTS)
        ends = [(each and getattr(each, kind)) or 0.0 for each in lucks]
        found.append(("Luck", unit, luck, quantity, f"luck_{kind}", ends))
    if any(row.loss is not None for row in analysis.turns):
        ends = [each.loss if each else 0.0 for each in errors]
        found.append(("Equity given away", "EMG", errors_course(analysis), LOST, "loss", ends))
    for title, unit, course, quantity, column, ends in found:
        jumps = [(each.turn, each.player) for each in course.labels]
        yield {
            "title": title,
            "unit": f"{unit}, summed",
            "values": [[round(own[turn], 4) for own in course.values] for turn in turns],
            "jumps": [[steps[at], who, shown(quantity, getattr(analysis.turns[at], column))] for at, who in jumps],
            "ends": [shown(quantity, end) for end in ends],
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
    about = {"code": finding.code.id, "severity": str(finding.severity), "message": _text(finding.message)}
    return {**about, "hint": _text(finding.hint or ""), **values_of(finding, "game turn row entry", _DIGITS)}


def _text(text: str) -> str:
    """A text that can stand in JSON, whatever a record holds."""
    return text.encode("utf-8", "replace").decode()


def _rounded(value: Any) -> Any:
    return plain(value, _DIGITS)


# --- games and steps ------------------------------------------------------------------------


class _TurnRows:
    """The rows of an analysis by the game that they belong to.

    Attributes:
        length: points to win the match; 0 for money.
        met: the match equity table, where one is known.
        rolls: what each roll was worth, by game and entry.
        plays: what every legal play loses, by game and entry.
        grids: errors at every score, by game, entry and kind.
        clocks: the time left to each player after an entry, in seconds.
        indexes: of each decision its game, its place among the steps of that game, and its place among the decisions
            of that step.
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
        self.plays = analysis.plays
        self.grids = {_key(row): grid for row, grid in analysis.grids}
        self.clocks = clocks
        self.turns = {game: list(rows) for game, rows in groupby(analysis.turns, lambda row: row.game)}
        self._decisions: dict[tuple[int, int], list[DecisionRow]] = {}
        for row in analysis.decisions:
            if row.kind != "unplayed roll":
                self._decisions.setdefault((row.game, row.entry), []).append(row)
        self._others = [(name, {_key(row): row for row in each.decisions}) for name, each in others]
        self.indexes: dict[tuple[int, int, str], list[int]] = {}

    def steps(self, game: int) -> Iterator[tuple[str, TurnRow, list[DecisionRow], str]]:
        """Every decision of a game as a step of its own: its name in links, its entry, its decisions, its action.

        A double that was missed comes before the roll, and the answer to a resignation after it; both belong to an
        entry that has a step already. Other decisions not to double stay with the roll.
        """
        for entry in self.turns.get(game, ()):
            rows = self._decisions.get((game, entry.entry), [])
            missed = [row for row in rows if row.kind == "no double" and row.error]
            answers = [row for row in rows if row.kind == "accept"]
            if missed:
                yield f"{entry.entry}c", entry, missed, "no double"
            yield str(entry.entry), entry, [row for row in rows if row not in missed and row not in answers], ""
            if answers:
                yield f"{entry.entry}a", entry, answers, "accept"

    def others(self, row: DecisionRow) -> list[str]:
        """What each of the other engines finds: its name, its best choice, and the loss of the choice that was made."""
        found = []
        for name, rows in self._others:
            same = rows.get(_key(row))
            lost = f", lost {LOST.text(same.loss)}" if same and same.loss is not None else ""
            found.append(f"{name}: best {(same and same.best) or 'not known'}{lost}")
        return found


def _key(row: DecisionRow) -> tuple[int, int, str]:
    return row.game, row.entry, row.kind


def _game(game: GameTotals, rows: _TurnRows, remarks: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = []
    doubler = 0
    for name, entry, decisions, action in rows.steps(game.game):
        if entry.action == "double":
            doubler = entry.player
        for number, row in enumerate(decisions):
            rows.indexes[_key(row)] = [game.game, len(steps), number]
        step = _step(entry, decisions, action or entry.action, rows, doubler)
        step["entry"] = name
        step["remarks"] = list(remarks.get(entry.entry, ())) if name == str(entry.entry) else []
        steps.append(step)
    chance = _rounded(chance_before(game, rows.length, rows.met))
    return {
        **values_of(game, "game number score crawford ending winner points", _DIGITS),
        "chance": chance,
        "steps": steps,
    }


def _step(
    entry: TurnRow, decisions: Sequence[DecisionRow], action: str, rows: _TurnRows, doubler: int
) -> dict[str, Any]:
    """A step: the board as it was then, what was done, and the decisions in it."""
    # A double that was rightly left alone belongs to the roll, and does not tell its position.
    own = [row for row in decisions if row.kind != "no double" or action == "no double"]
    xgid = own[0].xgid if own else entry.xgid
    position = decode_id(xgid)
    rolled, is_entry = action == "roll", action == entry.action
    key = entry.game, entry.entry
    roller = _on_roll(entry, action, position.board, doubler)
    about = values_of(entry, _OF_LUCK, _DIGITS) if rolled else _NO_LUCK
    texts = {name: shown(form, getattr(entry, name)) if rolled else "" for name, form in _LUCK_TEXTS.items()}
    after = chance_of_first(entry) if is_entry else None
    return {
        **values_of(entry, "turn row in_game", _DIGITS),
        **values_of(entry if is_entry else decisions[0], "player played", _DIGITS),
        **_drawn(position, xgid, action, entry),
        **about,
        "on_roll": roller,
        "offered": _offered(action, position.state.cube.value),
        "legal": entry.legal if is_entry else True,
        "chance": _rounded(after),
        "texts": {**texts, "chances": [] if after is None else [shown(CHANCE, each) for each in (after, 1 - after)]},
        "clock": rows.clocks.get(key),
        "rolls": _rolls(entry, rows.rolls.get(key, ())) if rolled else [],
        "every": _every(rows.plays.get(key)) if rolled else None,
        "decisions": [
            _decision(row, position, roller, rows.met, rows.others(row), rows.grids.get(_key(row))) for row in decisions
        ],
    }


_OF_LUCK: Final = "luck luck_mwc luck_class luck_depth mark"
_NO_LUCK: Final = {"luck": None, "luck_mwc": None, "luck_class": "", "luck_depth": "", "mark": ""}
_LUCK_TEXTS: Final = {"luck": LUCK, "luck_mwc": CHANCE_LUCK}


def _drawn(position: Position, xgid: str, action: str, row: TurnRow | DecisionRow) -> dict[str, Any]:
    """The board of a step, and what was rolled and played on it."""
    rolled, cube = action == "roll", position.state.cube
    return {
        "action": action,
        "board": _board(position),
        "ids": _ids(position, xgid),
        "cube": [cube.value, cube.owner],
        "pips": list(position.board.pips),
        "dice": row.dice if rolled else "",
        "hops": [[hop.start, hop.end] for hop in hops_of(row.played, position.board, row.dice)] if rolled else [],
    }


def question_data(blunder: Blunder, met: MatchEquityTable | None) -> dict[str, Any]:
    """A decision as a question of the page to train with: a step, and where it comes from.

    Args:
        blunder: the decision.
        met: the match equity table; None where match winning chances are not shown.
    """
    row = blunder.row
    position = decode_id(row.xgid)
    roller = on_roll(row, position.board)
    action = {"checker play": "roll", "pass": "drop"}.get(row.kind, row.kind)
    number = f", match {blunder.match}" if blunder.match > 1 else ""
    return {
        **values_of(row, "game turn row crawford length player played legal", _DIGITS),
        **_drawn(position, row.xgid, action, row),
        **_NO_LUCK,
        "key": question_key(blunder.row),
        "names": [printable(name) for name in distinct_names(blunder.names)],
        "number_in_record": blunder.called,
        "entry": str(row.entry),
        "link": f"g{row.game}e{row.entry}",
        "score": list(row.score if row.player == 0 else row.score[::-1]),
        "on_roll": roller,
        "offered": _offered(action, position.state.cube.value) if action != "double" else 0,
        "in_game": True, "chance": None, "texts": {"luck": "", "luck_mwc": "", "chances": []}, "clock": None,
        "rolls": [], "remarks": [], "every": _every(blunder.plays) if action == "roll" else None,
        "decisions": [_decision(row, position, roller, met, [], blunder.scores)],
        "loss": _rounded(blunder.loss),
        "date": blunder.date,
        "where": f"{_text(Path(blunder.file).name)}{number}, game {blunder.called or row.game}, row {row.row}",
    }  # fmt: skip


_ANSWERS: Final = ("take", "drop", "beaver", "raccoon")


def _on_roll(entry: TurnRow, action: str, board: Board, doubler: int) -> int:
    """The player from whose side the board of a step is seen: of an answer to a double, the one who doubled."""
    if action in _ANSWERS:
        return doubler
    if action in ("resign", "accept") and board.pips != (entry.pips, entry.opponent_pips):
        return 1 - entry.player
    return entry.player


def _offered(action: str, value: int) -> int:
    """The value of the cube that lies offered; 0 where none does."""
    return 2 * value if action in ("double", *_ANSWERS) else 0


def _rolls(row: TurnRow, worth: Sequence[float]) -> list[str]:
    """The luck of the turn in EMG if each of the 21 rolls had come, with its mark; empty where it is not known.

    Without doubles where the roll opened the game. The roll that came has the luck of the turn, for which the engine
    may have looked deeper than for the other rolls; those keep their distance from it.
    """
    came = {"".join(map(str, roll)): value for roll, value in zip(ROLLS, worth, strict=False)}.get(row.dice)
    if came is None or row.luck is None or len(worth) != len(ROLLS):
        return []
    return [
        f"{shown(LUCK, luck)}{_SIGNS[mark_of(luck)]}"
        for (high, low), luck in zip(ROLLS, (value - came + row.luck for value in worth), strict=True)
        if high != low or not row.opening
    ]


def _every(plays: PlayLosses | None) -> list[Any] | None:
    """What all legal plays of a roll lose: the equity of the best, and two digits to the base 64 a play, in mEMG."""
    if plays is None:
        return None
    numbers = [min(round(1000 * loss), len(_DIGITS_64) ** 2 - 1) for loss in plays.losses]
    return [_rounded(plays.equity), "".join(_DIGITS_64[high] + _DIGITS_64[low] for high, low in map(_in_64, numbers))]


def _in_64(number: int) -> tuple[int, int]:
    return divmod(number, len(_DIGITS_64))


_DIGITS_64: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

_SIGNS: Final = {"": "", "joker": " ●", "anti-joker": " ○"}

_LETTERS: Final = "abcdefghijklmnop"


def _board(position: Position) -> str:
    """The checkers of the player on roll, then the other's: off, points 1 to 24, bar; a letter each, ``a`` for 0."""
    sides = (position.board.mine, position.board.theirs)
    return "".join(_LETTERS[min(count, len(_LETTERS) - 1)] for side in sides for count in side)


def _ids(position: Position, xgid: str) -> list[str]:
    """XGID and GNU ID; the latter empty where it cannot hold the position."""
    try:
        return [xgid, position.gnubg_id]
    except IdError:
        return [xgid, ""]


_OF_DECISIONS: Final = "kind player played best legal loss loss_mwc error error_kind detail phase themes sentence note"


def _decision(
    row: DecisionRow,
    position: Position,
    roller: int,
    met: MatchEquityTable | None,
    others: list[str],
    grid: ScoreGrid | None,
) -> dict[str, Any]:
    state = position.state if row.player == roller else position.state.flipped()
    mwc = None
    if met is not None and not state.is_money and met.covers(state.away):
        # The match winning chance at equity 0, and what one EMG adds to it.
        zero = met.mwc(state, 0)
        mwc = [plain(zero, 6), plain(met.mwc(state, 1) - zero, 6)]
    loss = _loss_text(row.loss or 0.0)
    mwc_lost = row.loss_mwc or 0.0
    return {
        **values_of(row, _OF_DECISIONS, _DIGITS),
        "texts": {
            "loss": loss,
            "loss_mwc": shown(CHANCE_LUCK, -mwc_lost) if loss and mwc_lost >= LEAST_SHOWN else "",
            "rollout": rollout_text(row)[2:],
        },
        "key": question_key(row) if row.error and can_be_asked(row) else "",
        "counted_by": [name for name, count in row.counted_by.items() if count.counted],
        "rolled_out": row.verdict,
        "choices": [_choice(choice) for choice in row.choices],
        "mwc": mwc,
        "verdict": cube_verdict(row),
        "cube": _cube(row, position.state, met),
        "others": others,
        "scores": None if grid is None else page_grid(grid),
    }


def _cube(row: DecisionRow, state: MatchState, met: MatchEquityTable | None) -> dict[str, Any] | None:
    """What players know of the cube at this score; None for a play, or where no table covers the score.

    Args:
        row: the decision.
        state: score and cube, seen by the player who doubles or could.
        met: the match equity table.
    """
    if row.kind not in ("no double", "double", "take", "pass"):
        return None
    points: tuple[float, float] | None
    if state.is_money:
        undoubled = 0.0 if state.rules.jacoby and state.cube.owner == "centre" else 0.5
        points, gammons, doubled = MONEY_TAKE_POINTS, (undoubled, undoubled), (0.5, 0.5)
    elif met is None or not met.covers(state.away):
        return None
    else:
        found = take_points(met, state.flipped())
        points = None if found is None else (found.dead, found.live)
        gammons = gammon_values(met, state)
        doubled = gammon_values(met, replace(state, cube=Cube(2 * state.cube.value, "theirs")))
    answers = row.kind in ("take", "pass")
    doubler = 1 - row.player if answers else row.player
    facts: list[list[Any]] = []
    if points is not None:
        facts += [["take point, no gammons", _between(*points), None]]
        facts += [["cash point, no gammons", _between(*(1 - point for point in points)), None]]
    worth = [
        f"{GAMMON.text(now)}, after the double {GAMMON.text(then)}" for now, then in zip(gammons, doubled, strict=True)
    ]
    facts += [["a gammon for", worth[0], doubler], ["for", worth[1], 1 - doubler]]
    win = row.choices[0].win if row.choices else None
    if points is None or win is None:
        return {"facts": facts, "window": None}
    return {"facts": facts, "window": _window(1 - win if answers else win, *points)}


def _between(dead: float, live: float) -> str:
    if abs(dead - live) < LEAST_SHOWN:
        return CHANCE.text(dead)
    return f"{CHANCE.text(dead)} dead cube, {CHANCE.text(live)} live"


def _window(win: float, dead: float, live: float) -> dict[str, Any]:
    """The doubler's chance of winning beside where the other passes, to be drawn, and in words."""
    passes = f"the pass begins at {CHANCE.text(1 - dead)} with a dead cube, at {CHANCE.text(1 - live)} with a live one"
    return {
        "win": _rounded(win), "dead": _rounded(1 - dead), "live": _rounded(1 - live), "text": CHANCE.text(win),
        "about": f"The doubler wins {CHANCE.text(win)}; {passes}.",
    }  # fmt: skip


def _choice(choice: ChoiceRow) -> dict[str, Any]:
    chances = (choice.win, choice.win_gammon, choice.win_backgammon, choice.lose_gammon, choice.lose_backgammon)
    return {
        **values_of(choice, "choice made equity loss depth", _DIGITS),
        "chances": [plain(chance, 4) for chance in chances],
        "texts": choice_texts(choice.equity, choice.loss, choice.chance, chances),
    }


def choice_texts(
    equity: float, loss: float, chance: float | None, chances: Sequence[float | None]
) -> dict[str, str | list[str]]:
    """The figures of a choice as pages print them: nothing where one is not known, or where nothing is lost.

    Args:
        equity: EMG.
        loss: EMG behind the best.
        chance: of winning the match, 0 to 1.
        chances: of winning, a gammon and a backgammon, of losing a gammon and a backgammon, 0 to 1.
    """
    win, gammon, _, lost_gammon, _ = chances
    gammons = [shown(CHANCE_APART, gammon), shown(CHANCE_APART, lost_gammon)]
    wins = [] if win is None else [shown(CHANCE, win), *gammons, shown(CHANCE, 1 - win)]
    return {
        "equity": shown(EQUITY, equity), "loss": _loss_text(loss), "chance": shown(CHANCE, chance), "chances": wins,
    }  # fmt: skip


def shown(quantity: Quantity, value: float | None) -> str:
    """A figure as pages print it, with a true minus; nothing where it is not known."""
    return "" if value is None else _with_minus(quantity.text(value))


def _loss_text(loss: float) -> str:
    return _with_minus(shown_loss(loss))


def _with_minus(text: str) -> str:
    return text.replace("-", "\u2212")
