"""Engines of other packages. A fault in one of them ends that engine, but not the command."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bgtools.engines.protocol import CheckerAnswer, CubeAnswer, EngineUnavailable, LuckAnswer, Refused, Stamp
from bgtools.engines.registration import EngineKind, as_written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.engines.protocol import (
        CheckerQuestion,
        CubeQuestion,
        Engine,
        LevelName,
        LuckQuestion,
        Progress,
    )

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
        with _told(kind.name):
            return PluginEngine(kind.name, kind.start(argument, level, met=met, **options))

    return replace(kind, start=start, read=read)


@contextmanager
def _told(name: str) -> Iterator[None]:
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
        TypeError: it is no engine.
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

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """See `Engine.checker`."""
        with _told(self._name):
            answers = _checked(self._engine.checker(questions, progress), CheckerAnswer, len(questions))
            if any(isinstance(answer, CheckerAnswer) and not answer.candidates for answer in answers):
                raise ValueError("it lists no play")
            return answers

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """See `Engine.cube`."""
        with _told(self._name):
            return _checked(self._engine.cube(questions, progress), CubeAnswer, len(questions))

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """See `Engine.luck`."""
        with _told(self._name):
            return _checked(self._engine.luck(questions, progress), LuckAnswer, len(questions))


def _checked(given: Any, kind: type[A], wanted: int) -> tuple[A | Refused, ...]:
    answers = tuple(given)
    if len(answers) != wanted:
        raise ValueError(f"it answers {wanted} questions with {len(answers)} answers")
    for answer in answers:
        if not isinstance(answer, (kind, Refused)):
            raise TypeError(f"it answers with {type(answer).__name__}, not with {kind.__name__} or Refused")
    return answers
