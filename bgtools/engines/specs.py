"""Engines: programs that value positions, behind one batch-first protocol."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from bgtools.engines.protocol import LEVELS, LevelName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.engines.cache import Store
    from bgtools.engines.protocol import Engine, Reproducible
    from bgtools.met import MatchEquityTable
    from bgtools.record import Match
    from bgtools.replayer import GameReplay

ENGINES: Final = ("sage", "gnubg", "ubgi", "file", "none")
"""Every engine by its name on the command line; ``none`` leaves out what takes one."""

_MOST_PLIES: Final = 7
_PARTED: Final = re.compile(rf",(?=\s*(?:{'|'.join(ENGINES)})\s*(?:[:,]|$))")
"""Commas between engines: those inside the command of a UBGI program are its own."""


class Spec(NamedTuple):
    """An engine as it is asked for: ``sage``, ``sage:deep``, ``gnubg:2``, ``ubgi:CMD``, ``file`` or ``none``.

    Attributes:
        name: one of `ENGINES`.
        argument: for ``sage`` its level, for ``gnubg`` how many plies it looks ahead, for ``ubgi`` the
            command that starts the program.
    """

    name: str
    argument: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name


def parse_specs(text: str) -> tuple[Spec, ...]:
    """Read engines with commas between them: ``file,gnubg:2``.

    Raises:
        ValueError: no engine of that name, an argument that it does not take, one engine twice, or
            ``none`` among others.
    """
    specs = tuple(_spec(part) for part in _PARTED.split(text))
    for at, spec in enumerate(specs):
        if spec in specs[:at]:
            raise ValueError(f"{spec} is asked for twice")
        if spec.name == "none" and len(specs) > 1:
            raise ValueError("none is no engine that others could be compared with")
    return specs


def labels(specs: Sequence[Spec]) -> tuple[str, ...]:
    """A short name for each engine: of a UBGI program that of its file, where that tells it from the others."""
    short = [
        f"{spec.name}:{PurePath(spec.argument.split()[0]).name}" if spec.name == "ubgi" else str(spec) for spec in specs
    ]
    return tuple(name if short.count(name) == 1 else str(spec) for name, spec in zip(short, specs, strict=True))


def _spec(text: str) -> Spec:
    name, colon, argument = text.strip().partition(":")
    argument = argument.strip()
    if name not in ENGINES:
        raise ValueError(f"no engine is called {name!r}; there are: {', '.join(ENGINES)}")
    if name == "gnubg" and colon:
        if not (argument.isdecimal() and int(argument) <= _MOST_PLIES):
            raise ValueError(f"gnubg looks 0 to {_MOST_PLIES} plies ahead, as in gnubg:2; not {argument!r}")
        return Spec(name, str(int(argument)))
    if name == "sage" and colon and argument not in LEVELS:
        raise ValueError(f"sage has the levels {', '.join(LEVELS)}, as in sage:deep; not {argument!r}")
    if name == "ubgi" and not argument:
        raise ValueError("ubgi takes the command that starts the program, as in ubgi:CMD")
    if name in ("file", "none") and colon:
        raise ValueError(f"{name} takes nothing behind a colon, here {argument!r}")
    return Spec(name, argument)


def create(
    spec: Spec | str,
    level: LevelName = "standard",
    *,
    match: Match | None = None,
    games: Sequence[GameReplay] | None = None,
    met: MatchEquityTable | None = None,
    store: Store | None = None,
    **options: Any,
) -> Engine | None:
    """Start an engine; None for ``none``.

    Args:
        spec: which; see `Spec`.
        level: how deep it looks; ``file`` has looked already, and ``sage:deep`` and ``gnubg:2`` say it themselves.
        match: the record, for ``file``.
        games: the replay of ``match``, where the caller has it.
        met: the match equity table; None for the engine's own.
        store: where answers are kept between runs; None to keep none.
        options: what else the engine takes, such as ``threads``; those that are None are as if not given.

    Raises:
        ValueError: no such engine or level, or ``file`` without a record.
        EngineUnavailable: the engine cannot run here, or the record holds no analysis.
        TableRefused: it does not play by that table.
    """
    if isinstance(spec, str):
        spec = _spec(spec)
    if level not in LEVELS:
        raise ValueError(f"no level is called {level!r}; there are: {', '.join(LEVELS)}")
    options = {name: value for name, value in {"met": met, **options}.items() if value is not None}
    if spec.name == "none":
        return None
    if spec.name == "file":
        from bgtools.engines.recorded import RecordedEngine

        if match is None:
            raise ValueError("the engine file takes a record")
        return RecordedEngine(match, games, met=met)
    engine = _started(spec, level, options)
    if store is None or not hasattr(engine, "fingerprint"):
        return engine
    from bgtools.engines.cache import CachedEngine

    return CachedEngine(cast("Reproducible", engine), store)


def _started(spec: Spec, level: LevelName, options: Mapping[str, Any]) -> Engine:
    if spec.name == "gnubg":
        from bgtools.engines.gnubg.engine import GnubgEngine

        return GnubgEngine(level, plies=int(spec.argument) if spec.argument else None, **options)
    if spec.name == "ubgi":
        from bgtools.engines.ubgi import UbgiEngine

        return UbgiEngine(spec.argument, **options)
    from bgtools.engines.sage.engine import SageEngine

    return SageEngine(cast("LevelName", spec.argument) if spec.argument else level, **options)
