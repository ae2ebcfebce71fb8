"""How positions are valued: the options that commands share, and what they ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bgtools.analysis.errors import ThresholdsName
from bgtools.cli import _common, _completion
from bgtools.engines.protocol import LevelName
from bgtools.engines.registry import ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.engines.cache import Store
    from bgtools.engines.registry import Spec
    from bgtools.engines.rollouts import Roller
    from bgtools.met.table import MatchEquityTable

Convention = Literal["gnubg30", "roller15", "naive36", "match-equity"]
"""What the first roll of a game is compared with."""

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help=f"What values the positions: {', '.join(kind.usage or kind.name for kind in ENGINES)}.",
        metavar="ENGINE",
        autocompletion=_completion.engines,
    ),
]
LevelOption = Annotated[LevelName, typer.Option("--level", help="How deep the engine looks.")]
MetOption = Annotated[
    str | None,
    typer.Option(
        "--met",
        help="Match equity table: a name (see bgtools met --list) or a file.",
        metavar="NAME|FILE",
        autocompletion=_completion.mets,
    ),
]
ThresholdsOption = Annotated[
    ThresholdsName,
    typer.Option("--thresholds", help="Classes of errors: xg .02, .08; gnubg .03, .06, .12; gammonview .02, .04, .08."),
]
LuckOption = Annotated[
    Convention | None,
    typer.Option(
        "--luck",
        help="What a first roll is compared with: the 30 of both players, the roller's 15, all 36, or the match equity "
        "before the game. By default gnubg30, and with the engine file what its program does.",
    ),
]
KeepOption = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Keep what engines answer for the next run; see bgtools cache.")
]
ConfirmOption = Annotated[
    bool,
    typer.Option("--confirm", help="Judge the errors again by rollouts: some seconds for each, kept for the next run."),
]
ConfirmTimeOption = Annotated[
    str | None,
    typer.Option(
        "--confirm-time",
        help="The same for so long a match at most, the largest doubts first: 90s, 5m, 1h.",
        metavar="TIME",
        show_default=False,
    ),
]


def find_met(name: str | None, specs: Sequence[Spec]) -> MatchEquityTable | None:
    """The match equity table that is asked for; None for the engine's own."""
    if name is None:
        return None
    if specs[0].name == "none":
        _common.fail("--met has no use with --engine none: nothing is valued")
    from bgtools.met.finding import find
    from bgtools.met.reading import MetError

    try:
        return find(name)
    except MetError as error:
        _common.fail(str(error))


@dataclass(frozen=True, slots=True)
class RolloutOptions:
    """Whether errors are judged again, and for how many seconds a match at most; None for as long as it takes."""

    is_asked: bool = False
    seconds: float | None = None

    @classmethod
    def asked(cls, confirm: bool, time: str | None, specs: Sequence[Spec]) -> RolloutOptions:
        """What ``--confirm`` and ``--confirm-time`` ask for; ends the command where that makes no sense."""
        asked = cls(confirm or time is not None, seconds_of(time, "--confirm-time"))
        if asked.is_asked and specs[0].name == "none":
            _common.fail("--confirm has no use with --engine none: no error is known to judge again")
        return asked

    def roller(self, store: Store | None, threads: int | None = None) -> Roller | None:
        """What rolls out; None where no rollout is asked for, and, with a message, where nothing here can roll out.

        Raises:
            EngineUnavailable: nothing here can roll out, and ``threads`` says that this is a worker of a cluster.
        """
        from bgtools.engines.protocol import EngineUnavailable
        from bgtools.engines.sage import roller

        try:
            return roller(store, threads=threads) if self.is_asked else None
        except EngineUnavailable as error:
            if threads is not None:
                raise
            _common.print_error(f"{error}; errors are not judged again")
            return None

    def confirmed(
        self, analysis: Analysis, roller: Roller | None, progress: Callable[[float, float], None] | None = None
    ) -> Analysis:
        """The analysis with its errors judged again; unchanged without figures, or without a roller."""
        if roller is None or not analysis.conventions.engine:
            return analysis
        from bgtools.analysis.confirmation import confirm

        return confirm(analysis, roller, seconds=self.seconds, progress=progress)


_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|m|min|h)?")
_UNITS: Final = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}
_LONGEST: Final = 3_600_000
"""The most seconds that an option takes."""


def seconds_of(text: str | None, option: str) -> float | None:
    """A time such as ``90s``, ``5m`` or ``1h``, as an option gives it."""
    if text is None:
        return None
    found = _TIME.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _UNITS[found[2] or ""] if found else 0.0
    if not 0 < seconds <= _LONGEST:
        raise typer.BadParameter(
            f"{text!r} is not a time to spend: write it as 90s, 5m or 1h, up to 1000h", param_hint=option
        )
    return seconds
