"""Luck, errors and ratings, as rows of plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.analysis.benchmarks import CONTENDERS, Missing, Result, benchmark
    from bgtools.analysis.blunders import Blunder, Order, Wanted, blunders_of, worst_of
    from bgtools.analysis.bootstrap import FEW_DECISIONS, MANY_VALUES, Sums
    from bgtools.analysis.breakdowns import BreakdownRow, in_order
    from bgtools.analysis.careers import (
        Career,
        CareerDimension,
        CareerResult,
        CareerShare,
        FieldSums,
        Meeting,
        PlayerSummary,
        Standing,
        Trend,
        TrendPoint,
        Versus,
        change_over_time,
        standings,
    )
    from bgtools.analysis.comparison import Comparison, Disagreement, compare
    from bgtools.analysis.confirmation import confirm, count_verdicts
    from bgtools.analysis.counts import Counts, count_game
    from bgtools.analysis.details import AnalysisPart
    from bgtools.analysis.dice import ROLLS, DiceRow, RollCounts, dice_tests, is_tested
    from bgtools.analysis.errors import LEAST_SHOWN, NOTHING, ThresholdsName
    from bgtools.analysis.evaluation import Choice, Evaluation, evaluate, start
    from bgtools.analysis.lessons import THEMES
    from bgtools.analysis.pips import PipPoint, pip_course
    from bgtools.analysis.pooling import PlayerPart, PooledLuck, PooledPlayer, PooledRating, parts_of, pooled
    from bgtools.analysis.quiz import Answer, can_be_asked, judge_answer, rate_of, right_answers
    from bgtools.analysis.races import RaceRow
    from bgtools.analysis.ratings import (
        COUNTING_NAMES,
        RATINGS,
        Count,
        CountedDecisions,
        Counting,
        JudgedCubeAction,
        JudgedPlay,
        Rating,
        RatingResult,
        all_ratings,
        mean_loss,
        pr_factor,
    )
    from bgtools.analysis.report import analyse, common_luck, judge_entry, match_totals, player_names
    from bgtools.analysis.result import told_apart
    from bgtools.analysis.rows import ChoiceRow, DecisionKind, DecisionRow, Phase, TurnRow
    from bgtools.analysis.totals import Analysis, Conventions, GameTotals, MatchTotals, PlayerTotals
    from bgtools.analysis.turns import turn_rows

__all__ = [
    "CONTENDERS",
    "COUNTING_NAMES",
    "FEW_DECISIONS",
    "LEAST_SHOWN",
    "MANY_VALUES",
    "NOTHING",
    "RATINGS",
    "ROLLS",
    "THEMES",
    "Analysis",
    "AnalysisPart",
    "Answer",
    "Blunder",
    "BreakdownRow",
    "Career",
    "CareerDimension",
    "CareerResult",
    "CareerShare",
    "Choice",
    "ChoiceRow",
    "Comparison",
    "Conventions",
    "Count",
    "CountedDecisions",
    "Counting",
    "Counts",
    "DecisionKind",
    "DecisionRow",
    "DiceRow",
    "Disagreement",
    "Evaluation",
    "FieldSums",
    "GameTotals",
    "JudgedCubeAction",
    "JudgedPlay",
    "MatchTotals",
    "Meeting",
    "Missing",
    "Order",
    "Phase",
    "PipPoint",
    "PlayerPart",
    "PlayerSummary",
    "PlayerTotals",
    "PooledLuck",
    "PooledPlayer",
    "PooledRating",
    "RaceRow",
    "Rating",
    "RatingResult",
    "Result",
    "RollCounts",
    "Standing",
    "Sums",
    "ThresholdsName",
    "Trend",
    "TrendPoint",
    "TurnRow",
    "Versus",
    "Wanted",
    "all_ratings",
    "analyse",
    "benchmark",
    "blunders_of",
    "can_be_asked",
    "change_over_time",
    "common_luck",
    "compare",
    "confirm",
    "count_game",
    "count_verdicts",
    "dice_tests",
    "evaluate",
    "in_order",
    "is_tested",
    "judge_answer",
    "judge_entry",
    "match_totals",
    "mean_loss",
    "parts_of",
    "pip_course",
    "player_names",
    "pooled",
    "pr_factor",
    "rate_of",
    "right_answers",
    "standings",
    "start",
    "told_apart",
    "turn_rows",
    "worst_of",
]

lazily(
    __name__,
    {
        "benchmarks": ("CONTENDERS", "Missing", "Result", "benchmark"),
        "blunders": ("Blunder", "Order", "Wanted", "blunders_of", "worst_of"),
        "bootstrap": ("FEW_DECISIONS", "MANY_VALUES", "Sums"),
        "breakdowns": ("BreakdownRow", "in_order"),
        "careers": (
            "Career",
            "CareerDimension",
            "CareerResult",
            "CareerShare",
            "FieldSums",
            "Meeting",
            "PlayerSummary",
            "Standing",
            "Trend",
            "TrendPoint",
            "Versus",
            "change_over_time",
            "standings",
        ),
        "comparison": ("Comparison", "Disagreement", "compare"),
        "confirmation": ("confirm", "count_verdicts"),
        "counts": ("Counts", "count_game"),
        "details": ("AnalysisPart",),
        "dice": ("ROLLS", "DiceRow", "RollCounts", "dice_tests", "is_tested"),
        "errors": ("LEAST_SHOWN", "NOTHING", "ThresholdsName"),
        "evaluation": ("Choice", "Evaluation", "evaluate", "start"),
        "lessons": ("THEMES",),
        "pips": ("PipPoint", "pip_course"),
        "pooling": ("PlayerPart", "PooledLuck", "PooledPlayer", "PooledRating", "parts_of", "pooled"),
        "quiz": ("Answer", "can_be_asked", "judge_answer", "rate_of", "right_answers"),
        "races": ("RaceRow",),
        "ratings": (
            "COUNTING_NAMES",
            "RATINGS",
            "Count",
            "CountedDecisions",
            "Counting",
            "JudgedCubeAction",
            "JudgedPlay",
            "Rating",
            "RatingResult",
            "all_ratings",
            "mean_loss",
            "pr_factor",
        ),
        "report": ("analyse", "common_luck", "judge_entry", "match_totals", "player_names"),
        "result": ("told_apart",),
        "rows": ("ChoiceRow", "DecisionKind", "DecisionRow", "Phase", "TurnRow"),
        "totals": ("Analysis", "Conventions", "GameTotals", "MatchTotals", "PlayerTotals"),
        "turns": ("turn_rows",),
    },
)
