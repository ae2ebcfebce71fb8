"""The engine ``ubgi:COMMAND``: any program that speaks UBGI, the Universal Backgammon Interface."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from bgtools.engines.registration import EngineKind

if TYPE_CHECKING:
    from bgtools.engines.protocol import LevelName
    from bgtools.engines.ubgi.engine import UbgiEngine


def _start(argument: str, level: LevelName, **options: Any) -> UbgiEngine:
    from bgtools.engines.ubgi.engine import UbgiEngine

    return UbgiEngine(argument, **options)


def _read(argument: str | None) -> str:
    if not argument:
        raise ValueError("ubgi takes the command that starts the program, as in ubgi:CMD")
    return argument


UBGI: Final = EngineKind(
    name="ubgi",
    title="a program that speaks UBGI",
    start=_start,
    read=_read,
    short=lambda command: PurePath(command.split()[0]).name,
    usage="ubgi:CMD for a UBGI program",
)
