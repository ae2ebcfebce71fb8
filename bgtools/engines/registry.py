"""Every engine by its name: ours, and those that other packages add.

To add one here, write a module with its `EngineKind` and put that into `ENGINES`. To add one from another package,
name an object under the entry point group ``bgtools.engines``::

    [project.entry-points."bgtools.engines"]
    example = "my_package.engine:EXAMPLE"

It is an `EngineKind`, or anything that has ``name``, ``title`` and ``start(argument, level, *, met, **options)``. What
``start`` gives is an `Engine`: a ``stamp``, the match equity table ``met``, and the methods ``checker``, ``cube`` and
``luck`` that answer a sequence of questions with a tuple of answers in the same order. An answer to a question that
the engine cannot serve is `Refused`. With a ``fingerprint`` besides, a text that names all that the answers depend on,
answers are kept for the next run. An attribute ``quicker``, the same engine at the level ``quick``, is asked about
errors at other scores; without it the engine itself is. The engine raises `EngineUnavailable` when it cannot go on; any
other exception counts as that.

A fault in an engine of another package ends that engine, but not the command.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

from bgtools.engines.gnubg import GNUBG
from bgtools.engines.protocol import (
    LEVELS,
    CheckerAnswer,
    CubeAnswer,
    EngineUnavailable,
    LevelName,
    LuckAnswer,
    Refused,
    Stamp,
    quicker_of,
)
from bgtools.engines.registration import EngineKind, as_written
from bgtools.engines.sage import SAGE
from bgtools.engines.ubgi import UBGI
from bgtools.plugins import plugins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bgtools.engines.cache import Store
    from bgtools.engines.mean import MeanEngine
    from bgtools.engines.protocol import (
        CheckerQuestion,
        CubeQuestion,
        Engine,
        LevelName,
        LuckQuestion,
        Progress,
        Reproducible,
    )
    from bgtools.engines.recorded import RecordedEngine
    from bgtools.met.table import MatchEquityTable
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay


A = TypeVar("A")

_NAME: Final = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_PARTS: Final = ("stamp", "met", "checker", "cube", "luck")


def accept(thing: Any) -> EngineKind:
    """Take what an entry point gives as an engine whose faults become `EngineUnavailable`.

    Args:
        thing: an `EngineKind`, or anything with the ``name``, ``title`` and ``start`` of one.

    Raises:
        AttributeError, TypeError, ValueError: it is neither.
    """
    kind: EngineKind = thing
    if not isinstance(thing, EngineKind):
        reads = getattr(thing, "read", as_written)
        kind = EngineKind(name=thing.name, title=thing.title, start=thing.start, read=reads)
    if not isinstance(kind.name, str) or not _NAME.fullmatch(kind.name):
        raise ValueError(f"{kind.name!r} cannot be the name of an engine")
    if not callable(kind.start):
        raise TypeError("its start cannot be called")

    def read(argument: str | None) -> str:
        try:
            return str(kind.read(argument))
        except Exception as error:
            raise ValueError(str(error) or f"the engine {kind.name} takes no {argument!r}") from error

    def start(argument: str, level: LevelName, *, met: Any, **options: Any) -> Engine:
        with _as_unavailable(kind.name):
            return PluginEngine(kind.name, kind.start(argument, level, met=met, **options))

    return replace(kind, start=start, read=read)


@contextmanager
def _as_unavailable(name: str) -> Iterator[None]:
    """Turn whatever goes wrong into `EngineUnavailable`."""
    try:
        yield
    except EngineUnavailable:
        raise
    except Exception as error:
        raise EngineUnavailable(f"the engine {name} fails: {error or type(error).__name__}") from error


class PluginEngine:
    """An engine of another package, as an `Engine`. Its answers are checked for their number and their types.

    Args:
        name: what messages call it.
        engine: what its package has started.

    Raises:
        TypeError: it is not an engine.
    """

    def __init__(self, name: str, engine: Any) -> None:
        self._name, self._engine = name, engine
        if missing := [part for part in _PARTS if not hasattr(engine, part)]:
            raise TypeError(f"it has no {', no '.join(missing)}")
        if not isinstance(engine.stamp, Stamp):
            raise TypeError(f"its stamp is {engine.stamp!r}, and no Stamp")

    def __getattr__(self, name: str) -> Any:
        """Everything but the answers is the engine's own: its stamp, its table, its fingerprint."""
        return getattr(self._engine, name)

    @cached_property
    def quicker(self) -> PluginEngine:
        """See `quicker_of`; its answers are checked as well."""
        with _as_unavailable(self._name):
            quicker = quicker_of(self._engine)
            return self if quicker is self._engine else PluginEngine(self._name, quicker)

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """See `Engine.checker`."""
        with _as_unavailable(self._name):
            answers = _checked(self._engine.checker(questions, progress), CheckerAnswer, len(questions))
            if any(isinstance(answer, CheckerAnswer) and not answer.candidates for answer in answers):
                raise ValueError("it lists no play")
            return answers

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """See `Engine.cube`."""
        with _as_unavailable(self._name):
            return _checked(self._engine.cube(questions, progress), CubeAnswer, len(questions))

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """See `Engine.luck`."""
        with _as_unavailable(self._name):
            return _checked(self._engine.luck(questions, progress), LuckAnswer, len(questions))


def _checked(given: Any, kind: type[A], count: int) -> tuple[A | Refused, ...]:
    answers = tuple(given)
    if len(answers) != count:
        raise ValueError(f"it answers {count} questions with {len(answers)} answers")
    for answer in answers:
        if not isinstance(answer, (kind, Refused)):
            raise TypeError(f"it answers with {type(answer).__name__}, not with {kind.__name__} or Refused")
    return answers


def _start_recorded(argument: str, level: LevelName, **options: Any) -> RecordedEngine:
    from bgtools.engines.recorded import RecordedEngine

    return RecordedEngine(options["match"], options.get("games"), met=options["met"])


def _start_none(argument: str, level: LevelName, **options: Any) -> None:
    return None


def _start_mean(argument: str, level: LevelName, **options: Any) -> MeanEngine:
    from bgtools.engines.mean import MeanEngine

    started = [create(spec, level, **options) for spec in parse_specs(argument)]
    return MeanEngine([engine for engine in started if engine is not None])


def _read_mean(argument: str | None) -> str:
    """At least two engines that search, each in its own spelling."""
    specs = parse_specs(argument) if argument else ()
    if len(specs) < 2:
        raise ValueError("mean takes at least two engines to average, as in mean:sage,gnubg")
    for spec in specs:
        if not spec.searches or spec.name in (MEAN.name, "ubgi"):
            why = "gives no equities" if spec.name == "ubgi" else "searches nothing"
            why = "is one already" if spec.name == MEAN.name else why
            raise ValueError(f"mean cannot average {spec.name}, which {why}")
    return ",".join(map(str, specs))


def _no_argument(name: str, argument: str | None) -> str:
    if argument is not None:
        raise ValueError(f"{name} takes nothing behind a colon, here {argument!r}")
    return ""


MEAN: Final = EngineKind(
    name="mean",
    title="the average of several engines",
    start=_start_mean,
    usage="mean:ENGINE,ENGINE for the average of those that follow",
    read=_read_mean,
    takes_rest=True,
)
FILE: Final = EngineKind(
    name="file",
    title="the analysis that the record holds",
    start=_start_recorded,
    read=partial(_no_argument, "file"),
    usage="file for the analysis that the record holds",
    needs_record=True,
)
NONE: Final = EngineKind(
    name="none",
    title="no engine",
    start=_start_none,
    read=partial(_no_argument, "none"),
    usage="none to leave that out",
)

ENGINES: Final = (SAGE, GNUBG, UBGI, MEAN, FILE, NONE)
"""The engines of this package, in the order in which they are listed."""


@cache
def all_engines() -> Mapping[str, EngineKind]:
    """Every engine by its name: ours, then those of other packages."""
    found = {kind.name: kind for kind in ENGINES}

    def new(thing: object) -> EngineKind:
        kind = accept(thing)
        if kind.name in found:
            raise ValueError(f"there is an engine {kind.name} already")
        return kind

    for kind in plugins("engines", new):
        found[kind.name] = kind
    return found


class Spec(NamedTuple):
    """An engine as it is asked for: ``sage``, ``sage:deep``, ``gnubg:2``, ``ubgi:CMD``, ``file`` or ``none``.

    Attributes:
        name: a key of `all_engines`.
        argument: what stands after the colon, as the engine's `EngineKind.read` gives it.
    """

    name: str
    argument: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name

    @property
    def kind(self) -> EngineKind:
        """The engine."""
        return all_engines()[self.name]

    @property
    def searches(self) -> bool:
        """Whether positions are searched: not for ``none``, and not where a record holds the values already."""
        return self.name != NONE.name and not self.kind.needs_record


def parse_specs(text: str) -> tuple[Spec, ...]:
    """Read engines with commas between them: ``file,gnubg:2``. What follows ``mean:`` belongs to it.

    Raises:
        ValueError: no engine of that name, an argument that it does not take, one engine twice, or
            ``none`` among others.
    """
    specs = tuple(map(_spec, split_specs(text)))
    for at, spec in enumerate(specs):
        if spec in specs[:at]:
            raise ValueError(f"{spec} is asked for twice")
        if spec.name == NONE.name and len(specs) > 1:
            raise ValueError("none is not an engine that others could be compared with")
    return specs


def split_specs(text: str, others: Iterable[str] = ()) -> list[str]:
    """The texts of several engines, with commas between them in one text.

    A comma ends an engine only where the name of the next one follows it; other commas belong to the command of a UBGI
    program. After ``mean:`` no comma ends an engine.

    Args:
        text: the engines.
        others: names besides those of engines.
    """
    rest = "|".join(name for name, kind in all_engines().items() if kind.takes_rest)
    found = re.search(rf"(?:^|,)(?=\s*(?:{rest})\s*:)", text)
    head, last = (text, []) if found is None else (text[: found.start()], [text[found.end() :]])
    if last and not head:
        return last
    return [*re.split(rf",(?=\s*(?:{'|'.join((*all_engines(), *others))})\s*(?:[:,]|$))", head), *last]


def labels(specs: Sequence[Spec]) -> tuple[str, ...]:
    """A short name for each engine: a UBGI program goes by the name of its file, unless another has the same."""
    short = [str(spec._replace(argument=spec.kind.short(spec.argument))) for spec in specs]
    return tuple(name if short.count(name) == 1 else str(spec) for name, spec in zip(short, specs, strict=True))


def _spec(text: str) -> Spec:
    name, colon, argument = text.strip().partition(":")
    if name not in all_engines():
        raise ValueError(f"no engine is called {name!r}; there are: {', '.join(all_engines())}")
    return Spec(name, all_engines()[name].read(argument.strip() if colon else None))


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
        level: how deep it looks. ``sage:deep`` and ``gnubg:2`` say it themselves, and ``file`` does not look.
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
    if spec.kind.needs_record:
        if match is None:
            raise ValueError(f"the engine {spec.name} takes a record")
        options |= {"match": match, "games": games}
    if spec.kind.takes_rest:
        options |= {"store": store}
    given = {name: value for name, value in options.items() if value is not None}
    engine = spec.kind.start(spec.argument, level, met=met, **given)
    if engine is None or store is None or spec.kind.takes_rest or not hasattr(engine, "fingerprint"):
        return engine
    from bgtools.engines.cache import CachedEngine

    return CachedEngine(cast("Reproducible", engine), store)
