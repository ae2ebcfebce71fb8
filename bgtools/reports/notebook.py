"""An analysed match: its tables as pandas frames, and its summary in a notebook."""

from __future__ import annotations

from functools import cached_property
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from bgtools.analysis.totals import Analysis
    from bgtools.engines.protocol import Engine, LevelName
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.reports.table_kinds import TableName


def analyse(
    match: Match | str | PathLike[str],
    engine: Engine | str | None = "sage",
    *,
    level: LevelName = "standard",
    met: MatchEquityTable | str | PathLike[str] | None = None,
    keep: bool = True,
    **options: Any,
) -> AnalysedMatch:
    """Analyse a match and give its tables.

    >>> analysed = bgtools.analyse("samples/seven-point.mat", engine=None)
    >>> analysed.games[["game", "winner", "points"]].head(2)
       game  winner  points
    0     1       1       2
    1     2       0       2

    Args:
        match: the record, or the path of a file that holds one; of several, the first.
        engine: what values the positions, or its name as the command line has it: ``sage``, ``gnubg:2``, ``file`` for
            the analysis that the record holds; None for the figures that need none.
        level: how deep an engine looks that is given by its name.
        met: the match equity table of an engine that is given by its name: a table, its name, or the path of a file
            of GNU Backgammon (``.xml``) or eXtreme Gammon (``.met``); None for the engine's own.
        keep: whether the answers of an engine that is given by its name are kept, and taken from what the commands
            have kept.
        options: ``thresholds``, ``luck``, ``parts``, ``progress``, which `bgtools.analysis.match_analysis.analyse` has.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
        EngineUnavailable: the engine cannot run here; the message says why.
        MetError: no such match equity table.
        TableRefused: the engine plays by no other table than its own.
        ValueError: no engine, level, thresholds or luck convention of that name; a table beside an engine that has
            its own already.
    """
    from bgtools.analysis.evaluation import kept_answers, start
    from bgtools.analysis.match_analysis import analyse as analysis_of
    from bgtools.engines.protocol import EngineUnavailable, TableRefused
    from bgtools.formats.reading import match_of
    from bgtools.replayer.match import replay

    match = match_of(match)
    games = replay(match)
    try:
        started = start(engine, level, met, match=match, games=games, **kept_answers(engine, keep=keep))
    except TableRefused:
        raise
    except EngineUnavailable as error:
        raise EngineUnavailable(f"{error}; engine=None gives all that needs no engine") from error
    return AnalysedMatch(analysis_of(match, started, games=games, **options))


def _table(name: TableName, row: str) -> cached_property[pd.DataFrame]:
    """A table of an analysed match, made when somebody asks for it; ``row`` is what a row is of."""

    def made(analysed: AnalysedMatch) -> pd.DataFrame:
        from bgtools.reports.tables import frame

        return frame(name, analysed.analysis)

    made.__doc__ = f"A row per {row}."
    return cached_property(made)


class AnalysedMatch:
    """The analysis of a match: its tables as pandas frames, shown as a summary in a notebook.

    >>> analysed = bgtools.analyse("samples/one-point.mat", engine=None)
    >>> analysed
    <Sam Okoro - Ines Vidal  1-0  1-point match, 1 game: 65 decisions, 65 turns>
    >>> list(analysed.decisions["kind"].unique())
    ['checker play']

    Attributes:
        analysis: all figures as rows and totals of plain values.
        decisions, turns, games, players, choices, breakdown, races, dice, scores: the tables that `docs/tables.md`
            describes; that of scores has rows where `analyse` was asked for the part ``scores``.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    decisions = _table("decisions", "decision")
    turns = _table("turns", "turn")
    games = _table("games", "game")
    players = _table("players", "player")
    choices = _table("choices", "choice that the engine valued")
    breakdown = _table("breakdown", "player and sort of decision")
    races = _table("races", "roll or double of a race")
    dice = _table("dice", "test of the dice")
    scores = _table("scores", "error and score")

    def board(self, decision: int) -> Position:
        """The position of a decision, which draws itself in a notebook.

        Args:
            decision: number of its row in `decisions`, from 0.

        Raises:
            IndexError: there is no such row.
        """
        from bgtools.positions.xgid import decode_xgid

        return decode_xgid(self.analysis.decisions[decision].xgid)

    @property
    def plot(self) -> Plots:
        """Pictures of the match: ``plot.luck()``, ``plot.errors()``, ``plot.chance()``, ``plot.pips()``.

        Each shows itself in a notebook; as `bytes` it is a PNG.

        >>> analysed = bgtools.analyse("samples/one-point.mat", engine=None)
        >>> analysed.plot.pips()[1:4]
        b'PNG'
        """
        return Plots(self.analysis)

    def confirm(self, *, seconds: float | None = None) -> AnalysedMatch:
        """The same with its errors judged again by rollouts: ``verdict`` and ``rollout_loss`` of `decisions`.

        Args:
            seconds: how long that may take, the largest doubts first; None for as long as it takes, some minutes.

        Raises:
            EngineUnavailable: bgsage, which rolls out, cannot run here.
            ValueError: a time that is not positive.
        """
        from bgtools.analysis.confirmation import confirm
        from bgtools.engines.sage import roller

        return AnalysedMatch(confirm(self.analysis, roller(), seconds=seconds))

    def __repr__(self) -> str:
        from bgtools.reports.summary import heading

        rows = f"{len(self.analysis.decisions)} decisions, {len(self.analysis.turns)} turns"
        return f"<{heading(self.analysis)}: {rows}>"

    def _repr_html_(self) -> str:
        from bgtools.reports import breakdown_tables, summary
        from bgtools.reports.document import html_table

        parts = [f'<p style="white-space: pre-wrap"><b>{escape(summary.heading(self.analysis))}</b></p>']
        if self.analysis.conventions.engine:
            parts.append(html_table(summary.totals_table(self.analysis)))
        if text := summary.sentence(self.analysis):
            parts.append(f"<p>{escape(text)}</p>")
        parts.append(html_table(summary.games_table(self.analysis)))
        if not self.analysis.conventions.engine:
            # Without an engine there are no other figures.
            parts.append(html_table(breakdown_tables.counts_table(self.analysis)))
        notes = [summary.conventions_line(self.analysis)]
        if self.analysis.conventions.engine:
            notes += self.analysis.notes
        parts += [f"<p><small>{escape(note)}</small></p>" for note in notes]
        return "".join(parts)


class Png(bytes):
    """The bytes of a PNG picture, which shows itself in a notebook."""

    def _repr_png_(self) -> bytes:
        return bytes(self)


class Plots:
    """Pictures of a match, drawn when they are asked for."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def luck(self) -> Png:
        """The cumulative luck of both players.

        Raises:
            ValueError: no engine has valued the rolls.
        """
        return self._drawn("luck.png")

    def errors(self) -> Png:
        """The equity that both players have given away.

        Raises:
            ValueError: no engine has valued the decisions.
        """
        return self._drawn("errors.png")

    def chance(self) -> Png:
        """The match winning chance over the match.

        Raises:
            ValueError: no engine has valued the match, or it is a money session.
        """
        return self._drawn("chance.png")

    def pips(self) -> Png:
        """The pip counts of every game; needs no engine."""
        return self._drawn("pips.png")

    def _drawn(self, name: str) -> Png:
        from bgtools.reports.match_report import pictures_of

        pictures = pictures_of(self._analysis)
        if name not in pictures:
            raise ValueError(f"there is nothing to draw for {name}: no engine has given the values that it shows")
        to = BytesIO()
        pictures[name](to)
        return Png(to.getvalue())
