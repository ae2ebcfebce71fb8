"""One analysis out of several of a match: of each decision the deepest verdict that is stored."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.match_analysis import Verdicts, combine, player_names
from bgtools.engines.protocol import Stamp
from bgtools.library.connecting import asking, connect, keep_numbers, named_rows
from bgtools.library.contents import read_records
from bgtools.library.manifest import Commit, commit, read_state, write_tables
from bgtools.library.recording import PARTS, DecisionSource, RecordRows
from bgtools.library.results import choice_of, decision_of
from bgtools.library.tables import ANALYSIS
from bgtools.met.finding import default
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from bgtools.analysis.rows import ChoiceRow, DecisionRow
    from bgtools.library.manifest import LibraryState
    from bgtools.library.storage import Storage
    from bgtools.record.record import Match

_ASKED: Final = ("sources", "matches", "turns", *ANALYSIS)
_AT_ONCE: Final = 50
"""So many matches are held in memory."""
_SEVERAL: Final = "; "

Entry = tuple[int, int, str]
"""Game, entry and kind of a decision."""


def blend(storage: Storage, state: LibraryState) -> LibraryState:
    """Give each match with several analyses one that has the deepest verdict on each decision; what the library holds.

    So has a match whose only analysis is that of another record than the one that stands for it. A decision that
    several analyses value equally deep is taken from the record that stands for the match, then from the engine whose
    name comes first.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    while state.of("totals"):
        with closing(connect(storage, state, only=_ASKED)) as connection, asking():
            waiting = connection.execute(_WAITING).fetchall()
            rows = RecordRows()
            files: list[Any] = []
            for at in range(0, len(waiting), _AT_ONCE):
                some = {match: (parts, engine) for match, parts, engine in waiting[at : at + _AT_ONCE]}
                _add_blended(connection, some, rows)
                if rows.is_full:
                    files += write_tables(storage, rows.taken())
            files += write_tables(storage, rows.taken())
        if not files:
            return state
        after = commit(storage, state, Commit(add=tuple(files)))
        if after is not None:
            return after
        state = read_state(storage, state)
    return state


def _add_blended(connection: Any, some: dict[int, tuple[int, str]], rows: RecordRows) -> None:
    """Add the blended analyses of some matches, given how many analyses each has and how their engines are called."""
    matches = read_records(connection, some)
    keep_numbers(connection, "blended", "match", matches)
    for table in (_CONCERNED, _MOVED):
        connection.execute(table)
    choices: dict[tuple[Any, ...], list[ChoiceRow]] = {}
    for row in named_rows(connection, _CHOICES):
        choices.setdefault((row["record"], row["engine"], row["game"], row["entry"], row["kind"]), []).append(
            choice_of(row)
        )
    found: dict[int, dict[Entry, tuple[DecisionRow, DecisionSource]]] = {match: {} for match in matches}
    for row in named_rows(connection, _DECISIONS):
        own = choices.get((row["record"], row["engine"], row["own_game"], row["own_entry"], row["kind"]), [])
        by = DecisionSource(row["standing"], row["valued_by"], row["analysed"])
        entry, decision = (row["game"], row["entry"], row["kind"]), decision_of(row, own)
        # The deepest comes first; it may be of a program that says nothing of luck.
        chosen, _ = found[row["match"]].setdefault(entry, (decision, by))
        if chosen.luck is None and decision.luck is not None:
            found[row["match"]][entry] = (replace(chosen, luck=decision.luck), found[row["match"]][entry][1])
    for number, match in matches.items():
        _add(rows, number, match, some[number], found[number])


def _add(
    rows: RecordRows,
    number: int,
    match: Match,
    engines: tuple[int, str],
    found: dict[Entry, tuple[DecisionRow, DecisionSource]],
) -> None:
    parts, engine = engines
    names = player_names(match)
    rows_by_entry = {entry: replace(row, name=names[row.player]) for entry, (row, _) in found.items()}
    verdicts = Verdicts(Stamp(engine, "", "", "", is_recorded=False), default())
    analysis = combine(match, rows_by_entry, verdicts, replay(match), PARTS)
    none = DecisionSource(0, engine, number)

    def whose(row: DecisionRow) -> DecisionSource:
        return found.get((row.game, row.entry, row.kind), (row, none))[1]

    rows.add_analysis(number, analysis, parts=parts, engine=engine, whose=whose)


_WAITING: Final = f"""
WITH every AS (
    SELECT DISTINCT coalesce(g.match, t.record) AS match, t.record, t.engine, t.parts, t.brought, t.standing
    FROM stored.totals t LEFT JOIN stored.groups g ON g.record = t.record
),
plain AS (
    SELECT match, count(*) AS analyses, bool_or(record <> match) AS elsewhere,
        string_agg(DISTINCT engine, '{_SEVERAL}' ORDER BY engine) AS engines
    FROM (
        -- Of those that the library has made of a record, the deepest has all that the others have.
        FROM every WHERE parts = 0
        QUALIFY brought OR row_number() OVER (PARTITION BY record, brought ORDER BY standing DESC, engine) = 1
    )
    GROUP BY match
)
SELECT match, analyses, engines FROM plain p
WHERE (analyses > 1 OR elsewhere) AND NOT EXISTS (
    FROM every e WHERE e.record = p.match AND e.parts = p.analyses AND e.engine = p.engines
)
ORDER BY match
"""

_CONCERNED: Final = """
CREATE OR REPLACE TEMP TABLE concerned AS
SELECT b.match, coalesce(g.record, b.match) AS record, coalesce(g.turned, false) AS turned
FROM blended b LEFT JOIN stored.groups g ON g.match = b.match
"""

_MOVED: Final = """
CREATE OR REPLACE TEMP TABLE moved AS
WITH entries AS (
    SELECT
        c.match, c.record, t.game, t.turn, t.entry, t.action, t.dice, substr(t.xgid, 6, 26) AS board,
        row_number() OVER (PARTITION BY c.record, t.game, t.action, t.dice, board ORDER BY t.entry) AS nth
    FROM stored.turns t JOIN concerned c USING (record)
),
alike AS (
    SELECT
        one.match, one.record, one.game, one.entry, two.game AS to_game, two.turn AS to_turn, two.entry AS to_entry,
        count(*) OVER (PARTITION BY one.record, one.game, two.game) AS shared
    FROM entries one JOIN entries two USING (match, action, dice, board, nth)
    WHERE two.record = match
)
SELECT * FROM alike
QUALIFY to_game = first_value(to_game) OVER (
    PARTITION BY record, game ORDER BY shared DESC, abs(to_game - game), to_game
)
"""
"""Where the entries of each record stand in the record that stands for its match. Numbers of games and entries may
differ between them; boards, rolls and cube actions of a game are the same, except for slips."""

_DECISIONS: Final = """
SELECT
    c.match, d.* REPLACE (
        m.to_game AS game, m.to_turn AS turn, m.to_entry AS entry,
        CASE WHEN c.turned THEN 1 - d.player ELSE d.player END AS player
    ),
    d.game AS own_game, d.entry AS own_entry
FROM stored.decisions d
JOIN concerned c USING (record)
JOIN moved m ON m.record = d.record AND m.game = d.game AND m.entry = d.entry
WHERE d.parts = 0
ORDER BY d.standing DESC, d.record <> c.match, d.engine, d.record
"""

_CHOICES: Final = "SELECT h.* FROM stored.choices h SEMI JOIN concerned USING (record) WHERE h.parts = 0"
