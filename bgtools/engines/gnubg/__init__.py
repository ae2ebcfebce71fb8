"""The engine ``gnubg``: GNU Backgammon, run as a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bgtools.engines.registration import EngineKind

if TYPE_CHECKING:
    from bgtools.engines.gnubg.engine import GnubgEngine
    from bgtools.engines.protocol import LevelName

PLIES: Final = range(8)
"""How many plies GNU Backgammon can look ahead; each takes about twenty times as long as the one before."""


def _start(argument: str, level: LevelName, **options: Any) -> GnubgEngine:
    from bgtools.engines.gnubg.engine import GnubgEngine

    return GnubgEngine(level, plies=int(argument) if argument else None, **options)


def _read(argument: str | None) -> str:
    if argument is None:
        return ""
    if not (argument.isdecimal() and int(argument) in PLIES):
        raise ValueError(f"gnubg looks {PLIES[0]} to {PLIES[-1]} plies ahead, as in gnubg:2; not {argument!r}")
    return str(int(argument))


GNUBG: Final = EngineKind(
    name="gnubg", title="GNU Backgammon", start=_start, read=_read, usage="gnubg, gnubg:2 for that many plies"
)
