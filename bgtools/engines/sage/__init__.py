"""The engine ``sage``: the package bgsage, loaded into the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from bgtools.engines.kind import EngineKind
from bgtools.engines.protocol import LEVELS, LevelName

if TYPE_CHECKING:
    from bgtools.engines.sage.engine import SageEngine


def _start(argument: str, level: LevelName, **options: Any) -> SageEngine:
    from bgtools.engines.sage.engine import SageEngine

    return SageEngine(cast("LevelName", argument) if argument else level, **options)


def _read(argument: str | None) -> str:
    if argument is not None and argument not in LEVELS:
        raise ValueError(f"sage has the levels {', '.join(LEVELS)}, as in sage:deep; not {argument!r}")
    return argument or ""


SAGE: Final = EngineKind(name="sage", title="bgsage, inside bgtools", start=_start, read=_read)
