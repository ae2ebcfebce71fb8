"""The registration of an engine: its name, what may be written after the colon, and how it is started."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.engines.protocol import Engine, LevelName


class EngineStart(Protocol):
    """Starts an engine."""

    def __call__(self, argument: str, level: LevelName, *, met: Any, **options: Any) -> Engine | None:
        """Start it.

        Args:
            argument: what stands after the colon, as `EngineKind.read` gives it; empty where nothing does.
            level: how deep it is to look.
            met: the `MatchEquityTable` to play by; None for the engine's own.
            options: ``threads``, where the caller limits them; ``match`` and ``games`` for a kind that needs a
                record; whatever else `create` was given.

        Raises:
            EngineUnavailable: it cannot run here. The message names the engine, says why, and what to do.
            TableRefused: it does not play by that table.
        """


def as_written(argument: str | None) -> str:
    """The argument as it was written; empty for none."""
    return argument or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineKind:
    """An engine that can be asked for by its name, such as ``gnubg`` in ``--engine gnubg:2``.

    Attributes:
        name: what the command line calls it: letters, digits, ``-`` and ``_``.
        title: what people call it.
        start: starts it; see `EngineStart`. What is slow to import is imported here.
        usage: how the help of a command names it; empty for the name alone.
        read: checks what stands after the colon (None without a colon) and gives it in the one spelling that
            `start` is to see. A ValueError says what the engine takes, as a sentence that begins with its name.
        short: shortens the argument for a table.
        needs_record: whether it works on one record, which `start` is then given.
        takes_rest: whether its argument goes on to the end of a list, commas and all. `start` is then given ``store``
            as well, since it starts other engines.
    """

    name: str
    title: str
    start: EngineStart
    usage: str = ""
    read: Callable[[str | None], str] = as_written
    short: Callable[[str], str] = as_written
    needs_record: bool = False
    takes_rest: bool = False
