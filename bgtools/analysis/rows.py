"""The rows of an analysis: one per turn, one per decision, all of plain values.

`plain` makes a dictionary of a row, for JSON; `bgtools.reports.columns` makes tables of the classes as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal

from bgtools.analysis.ratings.registry import COUNTING_NAMES, count_none
from bgtools.analysis.ratings.rule import Count

DecisionKind = Literal[
    "checker play",
    "no double",
    "double",
    "take",
    "pass",
    "beaver",
    "take beaver",
    "pass beaver",
    "raccoon",
    "take raccoon",
    "pass raccoon",
    "resign",
    "accept",
    "unplayed roll",
]
"""What was decided. ``no double`` is a turn rolled without doubling by a player who could have; ``take beaver``
the doubler's acceptance of a beaver, also by rolling without a word; ``accept`` takes a resignation. An ``unplayed
roll`` is not a decision: the game was given up after it, and its row is there for its luck."""

ErrorKind = Literal[
    "",
    "checker play",
    "missed double",
    "wrong double",
    "wrong take",
    "wrong pass",
    "missed beaver",
    "wrong beaver",
    "missed raccoon",
    "wrong raccoon",
    "resigned too high",
    "accepted too early",
]

ErrorClass = str
"""Name of a step of the thresholds, such as ``blunder``; empty for a loss below all of them."""


Phase = Literal["", "opening", "contact", "back game", "race", "bear-off", "over"]
"""Part of a game; `bgtools.analysis.phases` defines them."""


Mark = Literal["", "joker", "anti-joker"]
"""What a roll is called that is much better or worse than the mean."""


Verdict = Literal["", "confirmed", "smaller", "too close to call", "overturned"]
"""What a rollout says of an error; `bgtools.analysis.confirmation.Judgement.verdict` defines them."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One possible choice of a decision.

    Attributes:
        rank: place among all choices that were valued, by their equity, 1 for the best. A double counts with the
            better of the answers to it; the worse answer stands last. A play that was left behind early never goes
            before the best, whatever its shallower value.
        made: whether this is what was done; of a double, whether this is the better answer to it.
        choice: the play, or the cube action, a double with each answer to it.
        equity: EMG for the player who decides.
        loss: EMG behind the best choice, at least 0; a double with the worse answer can be worth more than the best.
        chance: of winning the match, for the player who decides, 0 to 1: the equity by the match equity table; None for
            money and beyond the table.
        depth: how the engine found the equity; a choice that was left behind early has a lesser depth than the best.
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon: cubeless probabilities, 0 to 1,
            gammons including backgammons, for the player who decides; None where they are not known.
        rollout: EMG by rollout, of what was done and of the best choice; None where none was made.
        rollout_error: standard error of ``rollout`` that the dice leave.
    """

    rank: int
    made: bool
    choice: str
    equity: float
    loss: float
    depth: str
    win: float | None = None
    win_gammon: float | None = None
    win_backgammon: float | None = None
    lose_gammon: float | None = None
    lose_backgammon: float | None = None
    chance: float | None = None
    rollout: float | None = None
    rollout_error: float | None = None


def _not_analysed() -> dict[str, Count]:
    return count_none("not analysed")


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision.

    Attributes:
        game: number of the game in the record, from 1.
        turn: number of the turn in the game, from 1: a roll and its play, with the cube actions before it.
        row: number of the row in which it stands in the record, else in the list of moves, from 1.
        entry: number of the entry in the game, from 1: every roll and every cube action by itself; a "no double" has
            that of the roll after it.
        player: 0 or 1; player 0 is in the left column of the first game.
        name: the player's name.
        kind: what was decided.
        score: points before the game, the player's own first.
        length: points to win the match; 0 for money.
        crawford: whether this is the Crawford game.
        cube: value of the cube before the decision; for beavers, raccoons and answers to them before the double.
        cube_owner: ``centre``, ``mine`` (the player's) or ``theirs``.
        dice: the roll such as ``31``; empty for cube decisions.
        xgid: the position; for an answer to a double that of the player who doubled, with D instead of
            the roll (B after a beaver, R after a raccoon); for a resignation that of the player on roll.
        pips, opponent_pips: pip counts before the decision, 25 for a checker on the bar.
        pips_after, opponent_pips_after: pip counts after it.
        played: what was done.
        legal: False when what was done is against the rules or not recorded; it is then not judged.
        best: what should have been done.
        equity, best_equity: EMG of what was done, and of the best; None where no engine valued them.
        loss: ``best_equity - equity`` in EMG, at least 0.
        loss_mwc: the loss as match winning chance, 0 to 1; None for money and beyond the match equity table.
        loss_points: the loss times the cube, in points; None in a match.
        chance, best_chance: of winning the match, for the player who decides, 0 to 1, after what was done and after the
            best; None for money and beyond the match equity table.
        take_needed: chance of winning the game from which the player who is doubled takes, 0 to 1, with the gammons of
            this position, at this score and cube; None where it is not known or not asked.
        error: class by the thresholds of the analysis, such as ``blunder``; empty for less.
        error_kind: what the error was; empty when nothing was lost.
        detail: more of a cube error, such as ``above the cash point``.
        luck: EMG of the roll of a checker play, or of one that was not played; None for cube decisions. Over a
            player's rows it adds up to their luck.
        depth: how deep the engine looked.
        counted_by: whether each rating counts the decision, and why or why not, by the name of its
            `bgtools.analysis.ratings.rule.Counting`: ``xg``, ``bmab``, ``gnubg``, ``snowie``, ``opengammon``.
        note: why a decision was not analysed.
        phase: part of the game it belongs to, for the player who decides.
        verdict: of an error that was rolled out, the result of it (`bgtools.analysis.confirmation`): ``confirmed``,
            ``smaller``, ``too close to call`` or ``overturned``.
        rollout_loss: EMG that it lost by rollout, below 0 where it came out ahead; None where none was made.
        rollout_error: standard error of ``rollout_loss`` that the dice leave.
        rollout_games: how many games were rolled of each choice.
        themes: what it is about, such as ``blitz`` or ``hit or not``; docs/themes.md defines them.
        right_at: of an error, the other scores at which the same choice is right, losing less than .02 EMG: ``money``,
            ``double match point``, ``gammon-go``, ``gammon-save``; docs/scores.md says how they are asked.
        loss_at_money: EMG that an error in a match would lose for money; None where that is not known.
        sentence: of an error, what it gains and gives up against the best choice; empty for others.
        choices: the best choices and the one made.
    """

    game: int
    turn: int
    row: int
    entry: int
    player: int
    name: str
    kind: DecisionKind
    score: tuple[int, int]
    length: int
    crawford: bool
    cube: int
    cube_owner: str
    dice: str
    xgid: str
    pips: int
    opponent_pips: int
    pips_after: int
    opponent_pips_after: int
    played: str
    legal: bool
    best: str = ""
    equity: float | None = None
    best_equity: float | None = None
    loss: float | None = None
    loss_mwc: float | None = None
    loss_points: float | None = None
    chance: float | None = None
    best_chance: float | None = None
    take_needed: float | None = None
    error: ErrorClass = ""
    error_kind: ErrorKind = ""
    detail: str = ""
    luck: float | None = None
    depth: str = ""
    counted_by: Annotated[dict[str, Count], COUNTING_NAMES] = field(default_factory=_not_analysed)
    note: str = ""
    phase: Phase = ""
    verdict: Verdict = ""
    rollout_loss: float | None = None
    rollout_error: float | None = None
    rollout_games: int | None = None
    themes: tuple[str, ...] = ()
    right_at: tuple[str, ...] = ()
    loss_at_money: float | None = None
    sentence: str = ""
    choices: tuple[ChoiceRow, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One entry of the record on its board.

    Attributes:
        game, turn, row, entry, player, name, score, length, crawford, cube, cube_owner, dice, xgid: as in
            `DecisionRow`.
        action: ``roll``, ``double``, ``take``, ``drop``, ``beaver``, ``raccoon``, ``automatic double``, ``resign`` or
            ``set position``.
        opening: whether this is the first roll of a game; never so on a board that the record sets.
        pips, opponent_pips, pips_after, opponent_pips_after: pip counts of the player and of the other
            before and after the entry.
        played: the play or the action in words.
        legal: False when the entry is against the rules.
        in_game: False when the entry is not part of the game: it comes after the end, or is left out as one turn too
            many; it is neither counted nor analysed.
        best: what should have been played or done.
        loss: EMG given away by all decisions of the player in this entry, the doubling decision before a
            roll included; None where nothing was analysed.
        error: the worst class among those decisions.
        verdict: what a rollout says of the costliest error among them, as in the table of decisions.
        luck: EMG of the roll; None for cube actions or without an engine.
        luck_mwc: the same as match winning chance; None for money.
        luck_points: the same times the cube, in points; None in a match.
        luck_class: ``very lucky``, ``lucky``, ``unlucky``, ``very unlucky`` or empty.
        luck_depth: how deep the engine looked for it.
        mark: ``joker`` for luck of at least +0.3 EMG, ``anti-joker`` for at most -0.3; else empty.
        chance_before, chance_after: of winning the match, for the player, 0 to 1: before the roll or the action, and
            after what was done. Where nobody judged the last entry of a game, the second is what the game's result is
            worth. None where it is not known.
        note: why luck was not analysed.
        phase: part of the game it belongs to.
        opening_play: name of the play of a game's first or second roll, such as ``split``; empty for others.
    """

    game: int
    turn: int
    row: int
    entry: int
    player: int
    name: str
    action: str
    score: tuple[int, int]
    length: int
    crawford: bool
    cube: int
    cube_owner: str
    dice: str
    opening: bool
    xgid: str
    pips: int
    opponent_pips: int
    pips_after: int
    opponent_pips_after: int
    played: str
    legal: bool
    in_game: bool = True
    best: str = ""
    loss: float | None = None
    error: ErrorClass = ""
    verdict: Verdict = ""
    luck: float | None = None
    luck_mwc: float | None = None
    luck_points: float | None = None
    luck_class: str = ""
    luck_depth: str = ""
    mark: Mark = ""
    chance_before: float | None = None
    chance_after: float | None = None
    note: str = ""
    phase: Phase = ""
    opening_play: str = ""


@dataclass(frozen=True, slots=True)
class ScoreVerdict:
    """A decision at another score, or with the cube at another place.

    Attributes:
        away, opponent_away: points that the player on roll and the other one need there; 0 for money.
        crawford: whether it is the Crawford game there.
        cube: value of the cube there.
        cube_owner: ``centre``, ``mine`` (of the player on roll) or ``theirs``.
        best: what is right there: the best play, or the verdict on the cube; empty where nothing is to be decided.
        loss: EMG that what was played loses there; None where that is not known.
        close: whether another choice loses less than .02 EMG there.
        no_double, double_take: EMG of the player on roll there; None where they may not double, or a roll is played.
        note: why there is no verdict.
    """

    away: int
    opponent_away: int
    crawford: bool
    cube: int
    cube_owner: str
    best: str
    loss: float | None
    close: bool
    no_double: float | None
    double_take: float | None
    note: str


def plain(value: Any) -> Any:
    """A row, or anything made of rows, as dictionaries, lists and plain values, ready for JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value
