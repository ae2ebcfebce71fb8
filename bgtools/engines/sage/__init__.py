"""The engine ``sage``: the package bgsage, loaded into the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from bgtools.engines.protocol import LEVELS, LevelName
from bgtools.engines.registration import EngineKind

if TYPE_CHECKING:
    from bgtools.engines.cache import Store
    from bgtools.engines.rollouts import Roller
    from bgtools.engines.sage.engine import SageEngine


ROLLOUT: Final = "rollout"
"""A level for single positions, beyond those that every engine has."""


def _start(argument: str, level: LevelName, **options: Any) -> SageEngine:
    if argument == ROLLOUT:
        from bgtools.engines.sage.rollout import RolloutEngine

        return RolloutEngine(**options)
    from bgtools.engines.sage.engine import SageEngine

    return SageEngine(cast("LevelName", argument) if argument else level, **options)


def roller(store: Store | None = None, *, threads: int | None = None) -> Roller:
    """bgsage as a `Roller`. With a store it remembers what it has rolled.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
    """
    from bgtools.engines.rollouts import CachedRoller
    from bgtools.engines.sage.rollout import SageRoller

    rolls = SageRoller(threads)
    return rolls if store is None else CachedRoller(rolls, store)


def _read(argument: str | None) -> str:
    if argument is not None and argument not in (*LEVELS, ROLLOUT):
        raise ValueError(f"sage has the levels {', '.join((*LEVELS, ROLLOUT))}, as in sage:deep; not {argument!r}")
    return argument or ""


SAGE: Final = EngineKind(name="sage", title="bgsage, inside bgtools", start=_start, read=_read)
