"""The edits that would put a record right, each one stretch of text in place of another.

What stands in the right column stays where it is. An edit is unsafe unless the rule that offers it
calls it `proven`: a play that alone makes all that follows fit, a number that the board, the cube or
the results before it prove.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.checks.fixes.games import exchanged_games, without_game
    from bgtools.checks.fixes.plays import forced, like_plays, opening_roll, other_roll, play, tied, without_star
    from bgtools.checks.fixes.results import (
        exchanged_results,
        missing_result,
        other_column,
        points,
        score,
        score_lines,
        without_result,
    )
    from bgtools.checks.fixes.rows import (
        answered,
        arranged,
        exchanged,
        exchanged_rolls,
        exchanged_rows,
        in_order,
        mirrored_game,
    )
    from bgtools.checks.fixes.text import blank, edit, instead, match_text, number, proven, tag, tag_of, word

__all__ = [
    "answered",
    "arranged",
    "blank",
    "edit",
    "exchanged",
    "exchanged_games",
    "exchanged_results",
    "exchanged_rolls",
    "exchanged_rows",
    "forced",
    "in_order",
    "instead",
    "like_plays",
    "match_text",
    "mirrored_game",
    "missing_result",
    "number",
    "opening_roll",
    "other_column",
    "other_roll",
    "play",
    "points",
    "proven",
    "score",
    "score_lines",
    "tag",
    "tag_of",
    "tied",
    "without_game",
    "without_result",
    "without_star",
    "word",
]

# Most records are sound, and no edit is offered for them.
lazily(
    __name__,
    {
        "games": ("exchanged_games", "without_game"),
        "plays": ("forced", "like_plays", "opening_roll", "other_roll", "play", "tied", "without_star"),
        "results": (
            "exchanged_results",
            "missing_result",
            "other_column",
            "points",
            "score",
            "score_lines",
            "without_result",
        ),
        "rows": ("answered", "arranged", "exchanged", "exchanged_rolls", "exchanged_rows", "in_order", "mirrored_game"),
        "text": ("blank", "edit", "instead", "match_text", "number", "proven", "tag", "tag_of", "word"),
    },
)
