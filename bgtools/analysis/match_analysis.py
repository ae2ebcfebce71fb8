"""The whole analysis of a match: rows of decisions and turns, totals by player and by game.

`analyse` asks an engine a handful of batches of questions, whatever the length of the match. Without
an engine it gives the same rows less what needs one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from bgtools.analysis.breakdowns import PARTS, left_out, unknown_rules, with_details
from bgtools.analysis.errors import THRESHOLDS, Thresholds, ThresholdsName, total_errors
from bgtools.analysis.judging import judge_checker, judge_cube_decision, judge_resigning, refuse
from bgtools.analysis.lessons import with_lessons
from bgtools.analysis.luck import GameBalance, errors_of, luck_class, mark_of, stakes_of, total_luck, worth_at_end
from bgtools.analysis.plays import losses_of_plays
from bgtools.analysis.ratings.registry import rate
from bgtools.analysis.result import (
    adjusted_match,
    adjusted_money,
    chance_after,
    chances_around,
    chances_won,
    estimate,
    points_won,
)
from bgtools.analysis.score_grid import error_grids
from bgtools.analysis.scores import ask_elsewhere
from bgtools.analysis.totals import Analysis, Conventions, GameTotals, MatchTotals, PlayerTotals
from bgtools.analysis.turns import open_match
from bgtools.engines.protocol import (
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckConvention,
    LuckQuestion,
    Refused,
    Stamp,
    forget_match,
    traits_of,
)
from bgtools.engines.recorded import RecordedEngine
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import final_of, replay

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from bgtools.analysis.breakdowns import AnalysisPart
    from bgtools.analysis.luck import Luck
    from bgtools.analysis.plays import PlayLosses
    from bgtools.analysis.result import AdjustedResult
    from bgtools.analysis.rows import DecisionRow, ErrorClass, TurnRow
    from bgtools.analysis.scores import ScoreAnswer
    from bgtools.analysis.turns import PendingDecision, PendingTurn
    from bgtools.board.board import Board
    from bgtools.engines.protocol import Engine, LuckAnswer
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

    EngineAnswer = CheckerAnswer | CubeAnswer | LuckAnswer | Refused

    Progress = Callable[[str, int, int], None]
    """Called with what is being valued (``plays``, ``cube``, ``luck``, ``scores``), units done, units in all."""


def analyse(
    match: Match,
    engine: Engine | None = None,
    *,
    progress: Progress | None = None,
    thresholds: Thresholds | ThresholdsName = "xg",
    luck: LuckConvention | None = None,
    games: Sequence[GameReplay] | None = None,
    parts: Collection[AnalysisPart] | None = None,
    rolls: bool = False,
) -> Analysis:
    """Analyse a match.

    Args:
        match: the record.
        engine: what values the positions; None for the figures that need none.
        progress: told how far it is.
        thresholds: the classes of errors: a name of `THRESHOLDS`, or others.
        luck: what opening rolls are compared with. None for ``gnubg30``, or for what the record's program
            compares them with where the engine is the record itself.
        games: the replay of ``match``, where the caller has it.
        parts: what is wanted besides rows and totals; None for all.
        rolls: whether to tell what each of the 21 rolls of a turn was worth, where the engine can. It takes some time:
            ``sage`` at ``quick`` tells it of turns with an error or with luck of at least .3 EMG alone.

    Raises:
        ValueError: no thresholds or luck convention of that name.
    """
    _known("thresholds", thresholds, THRESHOLDS)
    _known("luck", luck, get_args(LuckConvention))
    games = replay(match) if games is None else games
    thresholds = THRESHOLDS[thresholds] if isinstance(thresholds, str) else thresholds
    luck = luck or common_luck((engine,))
    names = player_names(match)
    open_turns, open_decisions = open_match(games, names, luck)
    turns = [turn.row for turn in open_turns]
    decisions = [decision.row for decision in open_decisions]
    depth = ""
    told: dict[tuple[int, int], tuple[float, ...]] = {}
    plays: dict[tuple[int, int], PlayLosses] = {}
    notes: tuple[str, ...] = ("No engine: luck, errors and ratings are left out.",)
    wanted = PARTS if parts is None else parts
    elsewhere: Sequence[Sequence[ScoreAnswer]] | None = None
    length = match.length or 0
    if engine is not None:
        # Tables computed for other matches would change the seventh digit: the figures would depend on their order.
        forget_match(engine)
        decisions, answers = _ask_engine(open_decisions, engine, thresholds, progress)
        if "plays" in wanted:
            plays = losses_of_plays(open_decisions, answers)
        turns, depth = _rolled(open_turns, engine, progress)
        turns = _with_losses(turns, open_decisions, decisions, thresholds)
        turns = _with_chances(turns, open_decisions, decisions, games, match, engine.met)
        if rolls:
            told = _ask_rolls(open_turns, turns, engine, progress)
        decisions = _with_luck(decisions, open_decisions, turns)
        if "lessons" in wanted:
            elsewhere = ask_elsewhere(open_decisions, decisions, engine, _stage("scores", progress))
        cube_limit = traits_of(engine).knows_cube_limit
        notes = (*left_out(decisions, turns), *unknown_rules(match.rules, length, cube_limit=cube_limit))
    if "lessons" in wanted:
        decisions = [
            *with_lessons(
                decisions,
                crawford_rule=match.rules.crawford,
                met=None if engine is None else engine.met,
                known=map(_known_boards, open_decisions),
                elsewhere=elsewhere,
            )
        ]
    rows = _MatchRows(names, length, thresholds, engine, decisions, turns, crawford_rule=match.rules.crawford)
    detailed = _added_up(match, games, rows, _conventions(match, engine, thresholds, luck, depth), notes, wanted)
    if engine is not None and {"scores", "worst scores"} & set(wanted):
        worst = thresholds.steps[-1].name
        errors = (row for row in detailed.decisions if "scores" in wanted or row.error == worst)
        detailed = replace(detailed, grids=error_grids(errors, engine))
    return replace(detailed, rolls=told, plays=plays) if told or plays else detailed


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What stands for an engine where the verdicts on a match come from several analyses of it.

    Attributes:
        stamp: where they come from.
        met: the match equity table by which they are counted.
    """

    stamp: Stamp
    met: MatchEquityTable


def combine(
    match: Match,
    rows: Mapping[tuple[int, int, str], DecisionRow],
    verdicts: Verdicts,
    games: Sequence[GameReplay],
    parts: Collection[AnalysisPart],
) -> Analysis:
    """The analysis of a match whose decisions have been judged before.

    Args:
        match: the record.
        rows: the decisions by game, entry and kind; decisions without one count as not analysed.
        verdicts: where the rows come from.
        games: the replay of ``match``.
        parts: what is wanted besides rows and totals.
    """
    names, thresholds = player_names(match), THRESHOLDS["xg"]
    convention = common_luck(())
    open_turns, open_decisions = open_match(games, names, convention)
    decisions = [
        rows.get((item.row.game, item.row.entry, item.row.kind)) or refuse(item, None) for item in open_decisions
    ]
    lucky = {(row.game, row.entry): row.luck for row in decisions if row.luck is not None}
    turns = [_with_known_luck(turn, lucky.get((turn.row.game, turn.row.entry)), verdicts.met) for turn in open_turns]
    turns = _with_losses(turns, open_decisions, decisions, thresholds)
    turns = _with_chances(turns, open_decisions, decisions, games, match, verdicts.met)
    length = match.length or 0
    every = _MatchRows(names, length, thresholds, verdicts, decisions, turns, crawford_rule=match.rules.crawford)
    conventions = _conventions(match, verdicts, thresholds, convention, "")
    return _added_up(match, games, every, conventions, tuple(left_out(decisions, turns)), parts)


def _with_known_luck(turn: PendingTurn, luck: float | None, met: MatchEquityTable) -> TurnRow:
    """The row of a turn with the luck of its roll in EMG, which is known, and what follows from it."""
    if luck is None:
        return turn.row
    state = turn.state
    knows = not state.is_money and met.covers(state.away)
    return _lucky_row(turn, luck, met.mwc(state, luck) - met.mwc(state, 0.0) if knows else None)


def _lucky_row(turn: PendingTurn, luck: float, mwc: float | None, depth: str = "") -> TurnRow:
    """The row of a turn with the luck of its roll, in EMG and as match winning chance, and what follows from it."""
    return replace(
        turn.row,
        luck=luck,
        luck_mwc=mwc,
        luck_points=luck * turn.state.cube.value if turn.state.is_money else None,
        luck_class=luck_class(luck),
        luck_depth=depth,
        mark=mark_of(luck),
    )


def _added_up(
    match: Match,
    games: Sequence[GameReplay],
    rows: _MatchRows,
    conventions: Conventions,
    notes: tuple[str, ...],
    parts: Collection[AnalysisPart],
) -> Analysis:
    """The analysis that the rows of a match make, with the parts that are wanted."""
    by_game = rows.by_game(len(games))
    balances = None if rows.engine is None else _balances(games, rows, by_game, rows.engine.met)
    of_games: Sequence[GameBalance | None] = balances or [None] * len(games)
    analysis = Analysis(
        match_totals(games, rows.names, rows.length),
        conventions,
        _players(games, rows, balances),
        tuple(map(_game, games, by_game, of_games)),
        tuple(rows.decisions),
        tuple(rows.turns),
        notes,
    )
    return with_details(analysis, games, match.rules, parts)


def judge_entry(
    match: Match,
    engine: Engine,
    game: GameReplay,
    entry: int,
    *,
    games: Sequence[GameReplay],
    thresholds: Thresholds | ThresholdsName = "xg",
) -> tuple[tuple[DecisionRow, ...], Board | None]:
    """Judge the decisions of one entry alone: none, a roll's doubling decision and play, or a cube action.

    Args:
        match: the record.
        engine: what values the positions.
        game: the game, one of ``games``.
        entry: index of the entry in the game, from 0.
        games: the replay of ``match``.
        thresholds: as for `analyse`.

    Returns:
        The decisions, and the board after the play in the last of them, as `evaluate` takes it.

    Raises:
        ValueError: no thresholds of that name.
    """
    _known("thresholds", thresholds, THRESHOLDS)
    steps = THRESHOLDS[thresholds] if isinstance(thresholds, str) else thresholds
    _, decisions = open_match(games, player_names(match), common_luck((engine,)))
    chosen = [item for item in decisions if (item.row.game, item.row.entry) == (game.index + 1, entry + 1)]
    rows, _ = _ask_engine(chosen, engine, steps, None)
    asked = chosen[-1].question if chosen else None
    made = asked.played if isinstance(asked, CheckerQuestion) else None
    known = map(_known_boards, chosen)
    elsewhere = ask_elsewhere(chosen, rows, engine)
    rule = match.rules.crawford
    return with_lessons(rows, crawford_rule=rule, met=engine.met, known=known, elsewhere=elsewhere), made


def _known_boards(decision: PendingDecision) -> tuple[Position, Board | None]:
    """The position of a decision, and the board after the play that was made."""
    asked = decision.question
    return decision.position, asked.played if isinstance(asked, CheckerQuestion) else None


def player_names(match: Match) -> tuple[str, str]:
    """What the players are called in every row: by their names, or ``Player 1`` and ``Player 2``."""
    return match.players[0] or "Player 1", match.players[1] or "Player 2"


def _known(what: str, name: object, names: Iterable[str]) -> None:
    """Refuse an unknown name: an analysis states its conventions, and may not state one that it does not follow."""
    if isinstance(name, str) and name not in names:
        raise ValueError(f"{what}: there is no {name!r}; there are: {', '.join(names)}")


def common_luck(engines: Iterable[Engine | None]) -> LuckConvention:
    """What opening rolls are compared with by default.

    Where one of the engines is the record itself, the convention of its program holds for all.
    """
    recorded = [engine.luck_convention for engine in engines if isinstance(engine, RecordedEngine)]
    return recorded[0] if recorded else "gnubg30"


# --- asking ---------------------------------------------------------------------------------


def _ask_engine(
    decisions: Sequence[PendingDecision], engine: Engine, thresholds: Thresholds, progress: Progress | None
) -> tuple[list[DecisionRow], Mapping[object, EngineAnswer]]:
    """Ask about all plays in one batch, about all cube decisions in another, and about the rolls of resignations.

    Gives the rows, and the answers by question.
    """
    plays = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, CheckerQuestion)))
    cubes = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, CubeQuestion)))
    rolls = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, LuckQuestion)))
    answers: dict[object, EngineAnswer] = {}
    answers |= zip(plays, engine.checker(plays, _stage("plays", progress)), strict=True)
    answers |= zip(cubes, engine.cube(cubes, _stage("cube", progress)), strict=True)
    if rolls:
        answers |= zip(rolls, engine.luck(rolls), strict=True)
    rows = [
        _judge(item, None if item.question is None else answers[item.question], engine, thresholds)
        for item in decisions
    ]
    return rows, answers


def _judge(
    item: PendingDecision,
    answer: EngineAnswer | None,
    engine: Engine,
    thresholds: Thresholds,
) -> DecisionRow:
    if answer is None or isinstance(answer, Refused):
        return refuse(item, answer)
    if item.resignation is not None:
        return judge_resigning(item, answer, engine, thresholds)
    if isinstance(answer, CheckerAnswer):
        return judge_checker(item, answer, engine, thresholds)
    assert isinstance(answer, CubeAnswer)
    assert isinstance(item.question, CubeQuestion)
    return judge_cube_decision(item, item.question, answer, engine, thresholds)


def _rolled(turns: Sequence[PendingTurn], engine: Engine, progress: Progress | None) -> tuple[list[TurnRow], str]:
    """Ask about the luck of all rolls in one batch. Gives rows and the depths."""
    questions = list(dict.fromkeys(turn.question for turn in turns if turn.question is not None))
    answers = dict(zip(questions, engine.luck(questions, _stage("luck", progress)), strict=True))
    rows, depths = _lucky(turns, answers)
    return rows, ", ".join(sorted(depths))


def _ask_rolls(
    open_turns: Sequence[PendingTurn], turns: Sequence[TurnRow], engine: Engine, progress: Progress | None
) -> dict[tuple[int, int], tuple[float, ...]]:
    """Ask for the values of the 21 rolls of each turn of which the engine tells them; by game and entry."""
    which = traits_of(engine).tells_rolls
    asked = {
        (row.game, row.entry): replace(turn.question, rolls=True)
        for turn, row in zip(open_turns, turns, strict=True)
        if turn.question is not None and (which == "all" or (which == "telling" and (row.error or row.luck_class)))
    }
    questions = list(dict.fromkeys(asked.values()))
    answers = dict(zip(questions, engine.luck(questions, _stage("rolls", progress)), strict=True)) if questions else {}
    found = ((place, answers[question]) for place, question in asked.items())
    return {place: answer.rolls for place, answer in found if not isinstance(answer, Refused) and answer.rolls}


def _lucky(
    turns: Sequence[PendingTurn], answers: Mapping[LuckQuestion, LuckAnswer | Refused]
) -> tuple[list[TurnRow], set[str]]:
    """The rows of turns with their luck, and how deep the engine looked."""
    rows: list[TurnRow] = []
    depths: set[str] = set()
    for turn in turns:
        if turn.question is None:
            rows.append(turn.row)
            continue
        answer = answers[turn.question]
        if isinstance(answer, Refused):
            rows.append(replace(turn.row, note=answer.reason))
            continue
        depths.add(answer.depth)
        rows.append(_lucky_row(turn, answer.luck, answer.mwc, answer.depth))
    return rows, depths


def _with_losses(
    turns: Sequence[TurnRow],
    open_decisions: Sequence[PendingDecision],
    decisions: Sequence[DecisionRow],
    thresholds: Thresholds,
) -> list[TurnRow]:
    """Give each turn what its player's decisions lost, the worst class among them, and what would have been best."""
    losses: dict[int, float] = {}
    errors: dict[int, ErrorClass] = {}
    best: dict[int, str] = {}
    for item, row in zip(open_decisions, decisions, strict=True):
        if row.loss is None or row.player != turns[item.turn].player:
            continue
        losses[item.turn] = losses.get(item.turn, 0.0) + row.loss
        errors[item.turn] = thresholds.worst(errors.get(item.turn, ""), row.error)
        # A turn without a double has two decisions; the row shows what was rolled and played.
        if turns[item.turn].action != "roll" or row.kind == "checker play":
            best[item.turn] = row.best
    return [
        replace(turn, loss=losses.get(number), error=errors.get(number, ""), best=best.get(number, ""))
        for number, turn in enumerate(turns)
    ]


def _with_chances(
    turns: Sequence[TurnRow],
    open_decisions: Sequence[PendingDecision],
    decisions: Sequence[DecisionRow],
    games: Sequence[GameReplay],
    match: Match,
    met: MatchEquityTable,
) -> list[TurnRow]:
    """Give each turn the match winning chance before and after it, by its player's last decision in it.

    Where the last turn of a game was no decision, it is what the game's result leaves.
    """
    length, rule = match.length or 0, match.rules.crawford
    results = [chance_after(game, length, met, crawford_rule=rule) for game in games]
    last: dict[int, DecisionRow] = {}
    for item, row in zip(open_decisions, decisions, strict=True):
        if row.player == turns[item.turn].player and row.kind != "no double":
            last[item.turn] = row
    ends = {turn.game: number for number, turn in enumerate(turns) if turn.in_game}
    found = []
    for number, turn in enumerate(turns):
        decided = last.get(number)
        before, after = (None, None) if decided is None else (decided.best_chance, decided.chance)
        if before is not None and turn.action == "roll":
            before = None if turn.luck_mwc is None else before - turn.luck_mwc
        result = results[turn.game - 1]
        if after is None and result is not None and ends.get(turn.game) == number:
            after = 1 - result if turn.player else result
        found.append(replace(turn, chance_before=before, chance_after=after))
    return found


def _with_luck(
    decisions: Sequence[DecisionRow], open_decisions: Sequence[PendingDecision], turns: Sequence[TurnRow]
) -> list[DecisionRow]:
    """Give each checker play the luck of its roll, and each roll that was not played its own."""
    return [
        replace(row, luck=turns[item.turn].luck) if row.kind in ("checker play", "unplayed roll") else row
        for item, row in zip(open_decisions, decisions, strict=True)
    ]


def _stage(name: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress(name, done, total)


# --- adding up ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _MatchRows:
    """The rows of a match or of one game, with what their totals depend on.

    Attributes:
        names: of the players.
        length: points to win the match; 0 for money.
        thresholds: the classes of errors.
        engine: what has valued the rows; None where nothing has.
        decisions, turns: the rows.
        crawford_rule: whether the Crawford rule is in force.
    """

    names: tuple[str, str]
    length: int
    thresholds: Thresholds
    engine: Engine | Verdicts | None
    decisions: list[DecisionRow]
    turns: list[TurnRow]
    crawford_rule: bool

    def by_game(self, games: int) -> tuple[_MatchRows, ...]:
        """The rows of each game, in the order of the record, given how many games there are."""
        parts = tuple(replace(self, decisions=[], turns=[]) for _ in range(games))
        for decision in self.decisions:
            parts[decision.game - 1].decisions.append(decision)
        for turn in self.turns:
            parts[turn.game - 1].turns.append(turn)
        return parts

    def luck(self, player: int) -> Luck:
        """What the dice gave a player."""
        return total_luck((turn for turn in self.turns if turn.player == player), money=not self.length)

    def totals(self, player: int) -> PlayerTotals:
        """A player's figures."""
        if self.engine is None:
            return PlayerTotals(player, self.names[player], None, None, None, None, None)
        own = [row for row in self.decisions if row.player == player]
        errors = total_errors(own, self.thresholds, money=not self.length)
        ratings = rate(player, self.decisions, length=self.length)
        return PlayerTotals(player, self.names[player], ratings, self.luck(player), None, None, errors)


def match_totals(games: Sequence[GameReplay], names: tuple[str, str], length: int) -> MatchTotals:
    """The match as a whole: its replay, the names of both players, and the points to win, 0 for money."""
    final, winner = final_of(games, length)
    return MatchTotals(names, length, len(games), final, winner)


def _conventions(
    match: Match, engine: Engine | Verdicts | None, thresholds: Thresholds, luck: LuckConvention, depth: str
) -> Conventions:
    money = not match.length
    stamp = Stamp("", "", "", "") if engine is None else engine.stamp
    return Conventions(
        stamp.engine,
        stamp.version,
        stamp.level,
        stamp.met,
        luck,
        depth,
        thresholds,
        money and bool(match.rules.jacoby),
        money and bool(match.rules.beavers),
        stamp.is_recorded,
    )


def _players(
    games: Sequence[GameReplay], rows: _MatchRows, balances: Sequence[GameBalance] | None
) -> tuple[PlayerTotals, PlayerTotals]:
    """The figures of both for the whole match."""
    adjusted = (balances and _adjusted(games, rows, balances)) or (None, None)
    first, second = (
        _with_fibs(replace(rows.totals(player), luck_adjusted_result=adjusted[player]), rows.length)
        for player in (0, 1)
    )
    return first, second


def _with_fibs(total: PlayerTotals, length: int) -> PlayerTotals:
    if total.ratings is None or not length:
        return total
    checker, cube = total.ratings["gnubg_checker_er"], total.ratings["gnubg_cube_er"]
    return replace(total, fibs=estimate(checker, cube, total.luck_adjusted_result, length))


def _game(game: GameReplay, rows: _MatchRows, balance: GameBalance | None) -> GameTotals:
    return GameTotals(
        game.index + 1,
        game.game.number,
        game.score,
        game.crawford,
        sum(row.action == "roll" and row.in_game for row in rows.turns),
        game.cube,
        game.ending,
        game.winner,
        game.points,
        (rows.totals(0), rows.totals(1)),
        None if balance is None else balance.net,
        "" if balance is None else balance.account,
    )


def _balances(
    games: Sequence[GameReplay], rows: _MatchRows, by_game: Sequence[_MatchRows], met: MatchEquityTable
) -> list[GameBalance] | None:
    """What each game brought player 0, and why; None where that of a game is not known."""
    money, rule = not rows.length, rows.crawford_rule
    known = points_won(games) if money else chances_won(games, rows.length, met, crawford_rule=rule)
    if known is None:
        return None
    return [
        GameBalance(
            gained,
            _net_luck(own.luck(0), own.luck(1), money=money),
            errors_of(own.decisions, game.ending, _given_up(game, own.decisions, rows, met), money=money),
            stakes_of((turn.state for turn in game.turns if isinstance(turn.entry, CheckerPlay)), met),
        )
        for game, gained, own in zip(games, known[1], by_game, strict=True)
    ]


def _adjusted(
    games: Sequence[GameReplay], rows: _MatchRows, balances: Sequence[GameBalance]
) -> tuple[AdjustedResult, AdjustedResult] | None:
    """The luck-adjusted result for both players; None where a game has no account of its luck."""
    spread = traits_of(rows.engine).luck_spread
    if not rows.length:
        return adjusted_money(balances, rows.names, spread)
    over = max(games[-1].score_after) >= rows.length
    assert rows.engine is not None
    start, _ = chances_around(games[0], rows.length, rows.engine.met, crawford_rule=rows.crawford_rule)
    return adjusted_match(start, balances, rows.names, spread, over=over)


def _given_up(
    game: GameReplay, decisions: Sequence[DecisionRow], rows: _MatchRows, met: MatchEquityTable
) -> float | None:
    """What player 0 gained, in match winning chance or points, when a game was given up without a word.

    None where the game was not given up after a roll, or nobody knows what the last position was worth.
    """
    last = game.turns[-1] if game.turns else None
    worth = worth_at_end(decisions)
    if game.ending != "resigned" or worth is None or last is None or not isinstance(last.entry, CheckerPlay):
        return None
    player, emg = worth
    if last.player != player or game.points is None:
        return None
    if last.state.is_money:
        value = emg * last.state.cube.value
        return (game.points if game.winner == 0 else -game.points) - (value if player == 0 else -value)
    if not met.covers(last.state.away):
        return None
    value = met.mwc(last.state, emg)
    after = chances_around(game, rows.length, met, crawford_rule=rows.crawford_rule)[1]
    return after - (value if player == 0 else 1 - value)


def _net_luck(first: Luck, second: Luck, *, money: bool) -> float | None:
    """The luck of the first player less that of the second; None where the luck of a roll is not known."""
    if first.missing or second.missing:
        return None
    one, two = (first.points, second.points) if money else (first.mwc, second.mwc)
    return (one or 0.0) - (two or 0.0)
