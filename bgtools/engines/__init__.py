"""Engines: programs that value positions, behind one batch-first protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.engines.cache import Store
    from bgtools.engines.kind import EngineKind
    from bgtools.engines.protocol import (
        LOOKED_UP,
        ROLLS,
        Candidate,
        CheckerAnswer,
        CheckerQuestion,
        CubeAction,
        CubeAnswer,
        CubeQuestion,
        Engine,
        EngineUnavailable,
        LevelName,
        LuckAnswer,
        LuckConvention,
        LuckQuestion,
        Probabilities,
        Refused,
        Stamp,
        TableRefused,
        Traits,
        forget,
        traits_of,
    )
    from bgtools.engines.recorded import RecordedEngine, holds_analysis
    from bgtools.engines.registry import ENGINES, Spec, all_engines, create, labels, parse_specs, split_specs
    from bgtools.engines.rollouts import KeptRoller, Roller, RolloutQuestion
    from bgtools.engines.sage import roller

__all__ = [
    "ENGINES",
    "LOOKED_UP",
    "ROLLS",
    "Candidate",
    "CheckerAnswer",
    "CheckerQuestion",
    "CubeAction",
    "CubeAnswer",
    "CubeQuestion",
    "Engine",
    "EngineKind",
    "EngineUnavailable",
    "KeptRoller",
    "LevelName",
    "LuckAnswer",
    "LuckConvention",
    "LuckQuestion",
    "Probabilities",
    "RecordedEngine",
    "Refused",
    "Roller",
    "RolloutQuestion",
    "Spec",
    "Stamp",
    "Store",
    "TableRefused",
    "Traits",
    "all_engines",
    "create",
    "forget",
    "holds_analysis",
    "labels",
    "parse_specs",
    "roller",
    "split_specs",
    "traits_of",
]

lazily(
    __name__,
    {
        "cache": ("Store",),
        "kind": ("EngineKind",),
        "protocol": (
            "LOOKED_UP",
            "ROLLS",
            "Candidate",
            "CheckerAnswer",
            "CheckerQuestion",
            "CubeAction",
            "CubeAnswer",
            "CubeQuestion",
            "Engine",
            "EngineUnavailable",
            "LevelName",
            "LuckAnswer",
            "LuckConvention",
            "LuckQuestion",
            "Probabilities",
            "Refused",
            "Stamp",
            "TableRefused",
            "Traits",
            "forget",
            "traits_of",
        ),
        "recorded": ("RecordedEngine", "holds_analysis"),
        "registry": ("ENGINES", "Spec", "all_engines", "create", "labels", "parse_specs", "split_specs"),
        "rollouts": ("KeptRoller", "Roller", "RolloutQuestion"),
        "sage": ("roller",),
    },
)
