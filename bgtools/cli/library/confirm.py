"""``bgtools library confirm``: the errors of a library judged again by rollouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli._engine_options import seconds_of
from bgtools.cli._files import DaskOption, JobsOption
from bgtools.cli._progress import counting
from bgtools.cli.library._common import LibraryOption, TimeOption, WhereOption, opened, runner

if TYPE_CHECKING:
    from bgtools.library.confirming import ConfirmSummary


def confirm_command(
    library: LibraryOption = None,
    players: Annotated[
        list[str] | None,
        typer.Option("--player", "-p", help="Only this player's errors; me is you.", metavar="NAME"),
    ] = None,
    where: WhereOption = "",
    min_loss: Annotated[float, typer.Option("--min-loss", min=0, help="The least loss in EMG.", metavar="LOSS")] = 0.02,
    time: TimeOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
) -> None:
    """Judge the errors of a library again by rollouts, the costliest first.

    What was done and the best choice are rolled out with the same dice until it is clear which is better, what it loses
    is known to 0.012, or 36 batches are rolled; that takes seconds to a minute of a core for each. The verdict is
    confirmed, smaller, too close to call, or overturned: `bgtools library find`, `player` and `sql` show it. Losses and
    ratings stay as they are. Each verdict is kept as soon as it is there: stopping this loses those in work, and the
    same command goes on from there.

    Exit status: 0 done, 1 some decision failed, 2 nothing could be done, 130 interrupted.
    """
    from bgtools.engines.protocol import EngineUnavailable

    seconds = seconds_of(time, "--time")
    confirmed: ConfirmSummary | None = None

    with opened(library) as kept, runner(dask, jobs) as run, counting("error") as show:

        def tell(now: ConfirmSummary) -> None:
            nonlocal confirmed
            confirmed = now
            show(now.done, now.missing)

        try:
            confirmed = kept.confirm(
                run=run, players=players or (), where=where, min_loss=min_loss, seconds=seconds, progress=tell
            )
        except KeyboardInterrupt:
            _terminal.say(f"interrupted after {_summary(confirmed)}; what was done is kept", err=True)
            raise typer.Exit(_common.INTERRUPTED) from None
        except EngineUnavailable as error:
            _common.fail(str(error))
        if not kept.sql("FROM analyses LIMIT 1").fetchall():
            _common.fail("nothing is analysed yet; bgtools library analyse does it")
    for record, problem in confirmed.problems:
        _common.print_error(f"record {record}: {problem}")
    left = confirmed.missing - confirmed.done
    _terminal.say(_summary(confirmed) + (f"; {left:,} still wait" if left else ""), err=True)
    raise typer.Exit(0 if not confirmed.problems else 1 if confirmed.done else 2)


def _summary(confirmed: ConfirmSummary | None) -> str:
    """What the rollouts have brought, in words."""
    if confirmed is None or not confirmed.done:
        return "no error rolled out" + ("" if confirmed is None or confirmed.missing else ": none waits")
    from bgtools.reports.findings import few

    verdicts = [f"{count:,} {verdict or 'that cannot be rolled out'}" for verdict, count in confirmed.verdicts.items()]
    return f"{few(confirmed.done, 'error')} judged again: {', '.join(verdicts)}"
