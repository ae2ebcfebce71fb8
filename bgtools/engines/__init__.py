"""Engines: programs that value positions, behind one batch-first protocol."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.engines.protocol import LEVELS, EngineUnavailable, LevelName, TableRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bgtools.engines.protocol import Engine
    from bgtools.met import MatchEquityTable

__all__ = ["ENGINES", "LEVELS", "EngineUnavailable", "LevelName", "TableRefused", "create"]


def _sage(level: LevelName, threads: int | None, met: MatchEquityTable | None) -> Engine:
    from bgtools.engines.sage import SageEngine

    return SageEngine(level, threads=threads, met=met)


ENGINES: Final[Mapping[str, Callable[[LevelName, int | None, MatchEquityTable | None], Engine]]] = MappingProxyType(
    {"sage": _sage}
)
"""Every engine by its name on the command line; ``none`` is the caller's own."""


def create(
    name: str, level: LevelName = "standard", *, threads: int | None = None, met: MatchEquityTable | None = None
) -> Engine:
    """Start an engine.

    Args:
        name: a key of `ENGINES`.
        level: how deep it looks.
        threads: how many threads it may use, None for one a processor; answers do not depend on it.
        met: the match equity table; None for the engine's own.

    Raises:
        ValueError: no engine or level of that name.
        EngineUnavailable: the engine cannot run here.
        TableRefused: it does not play by that table.
    """
    if name not in ENGINES:
        raise ValueError(f"no engine is called {name!r}; there are: {', '.join(ENGINES)}")
    if level not in LEVELS:
        raise ValueError(f"no level is called {level!r}; there are: {', '.join(LEVELS)}")
    return ENGINES[name](level, threads, met)
