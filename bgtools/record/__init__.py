"""The record: what a file says, and what it says of the decisions. Nothing here is derived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily
from bgtools.record.record import (
    NOWHERE,
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
    checker_play,
    is_position,
    places_of_comments,
)

if TYPE_CHECKING:
    from bgtools.record.annotation import (
        Annotation,
        Candidate,
        Clock,
        CubeAnalysis,
        Evaluation,
        Level,
        Mark,
        PlayAnalysis,
        Probabilities,
        Unit,
        is_choice,
        time_left,
    )

__all__ = [
    "NOWHERE",
    "Annotation",
    "AutomaticDouble",
    "Beaver",
    "Candidate",
    "CheckerPlay",
    "Clock",
    "Comment",
    "CubeAnalysis",
    "Double",
    "Drop",
    "Entry",
    "Evaluation",
    "Game",
    "Level",
    "Mark",
    "Match",
    "PlayAnalysis",
    "Probabilities",
    "Resign",
    "ResultClaim",
    "SetBoard",
    "Tag",
    "Take",
    "Unit",
    "checker_play",
    "is_choice",
    "is_position",
    "places_of_comments",
    "time_left",
]

# Few records hold an analysis.
lazily(
    __name__,
    {
        "annotation": (
            "Annotation",
            "Candidate",
            "Clock",
            "CubeAnalysis",
            "Evaluation",
            "Level",
            "Mark",
            "PlayAnalysis",
            "Probabilities",
            "Unit",
            "is_choice",
            "time_left",
        )
    },
)
