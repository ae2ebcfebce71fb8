"""The engine ``mean``: the average of several engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bgtools.engines.kind import EngineKind

if TYPE_CHECKING:
    from bgtools.engines.mean.engine import MeanEngine
    from bgtools.engines.protocol import LevelName


def _start(argument: str, level: LevelName, **options: Any) -> MeanEngine:
    from bgtools.engines.mean.engine import start

    return start(argument, level, **options)


def _read(argument: str | None) -> str:
    """At least two engines that search, each in its own spelling."""
    from bgtools.engines.registry import parse_specs

    specs = parse_specs(argument) if argument else ()
    if len(specs) < 2:
        raise ValueError("mean takes at least two engines to average, as in mean:sage,gnubg")
    for spec in specs:
        if not spec.searches or spec.name in (MEAN.name, "ubgi"):
            why = "gives no equities" if spec.name == "ubgi" else "searches nothing"
            why = "is one already" if spec.name == MEAN.name else why
            raise ValueError(f"mean cannot average {spec.name}, which {why}")
    return ",".join(map(str, specs))


MEAN: Final = EngineKind(
    name="mean",
    title="the average of several engines",
    start=_start,
    usage="mean:ENGINE,ENGINE for the average of those that follow",
    read=_read,
    takes_rest=True,
)
