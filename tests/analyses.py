"""The figures of an analysis before and after a conversion, and what tells them apart.

    python tests/analyses.py FILE [FILE ...]

converts every record into every format that is written and holds analyses, reads it again, and prints a table: the PR
of both players by ``--engine file`` before and after, how many decisions lose something else, and what is told.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools.analysis.match_analysis import analyse
from bgtools.checks.checking import check
from bgtools.conversion.conversion import Target, convert
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import RecordedEngine
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import find_format, read_all
from bgtools.record.record import SetBoard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.findings.finding import Finding
    from bgtools.formats.format import Format
    from bgtools.record.record import Match

FORMATS: Final = tuple(map(find_format, ("xg", "sgf", "ogxm", "json")))
"""The formats that are written and hold the analysis of a match."""
_PR: Final = 0.02
_LOSS: Final = 1e-3
_ABOUT_ANALYSES: Final = (codes.ANALYSIS_LOST, codes.ANALYSIS_RESTATED, codes.EXTRA_LOST, codes.TAG_LOST)

_RESIGNATION: Final = ("resign", "accept")

Place = tuple[object, ...]
"""Game, entry, and what of the entry."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What ``--engine file`` and ``check`` say of a record.

    Attributes:
        players: their names, in the order of their seats.
        pr: of both; None without a decision.
        losses: of every decision, EMG; None where it is not judged.
        luck: of every roll, EMG; None where it is not told.
        findings: codes with game, turn and player, of what is wrong with the match.
        faulty: places of the entries that cannot be as they are written.
        set_boards: places of the positions set during a game, by the numbers of all entries.
    """

    players: tuple[str, ...]
    pr: tuple[float | None, ...]
    losses: dict[Place, float | None]
    luck: dict[Place, float | None]
    findings: tuple[Place, ...]
    faulty: frozenset[Place] = frozenset()
    set_boards: frozenset[Place] = frozenset()

    def place(self, game: object, entry: int | None) -> Place:
        """The place of an entry by its number without positions: a format may set one where a turn is missing."""
        return game, entry and entry - sum((game, at) in self.set_boards for at in range(1, entry))


def figures(match: Match) -> Figures:
    """The figures of a record; nothing but its findings where it holds no analysis."""
    players = tuple(" ".join(name.split()) for name in match.players)
    # What is wrong with a text stays with the text.
    found = [each for each in check(match) if not each.code.id.startswith("BG1")]
    findings = tuple((each.code.id, each.game, each.turn, each.player) for each in found)
    try:
        engine = RecordedEngine(match)
    except EngineUnavailable:
        return Figures(players, (None, None), {}, {}, findings)
    rows = analyse(match, engine)
    bare = Figures(
        players,
        tuple(each.ratings["xg_pr"].value if each.ratings is not None else None for each in rows.players),
        {}, {}, findings,
        set_boards=frozenset(
            (number, at)
            for number, game in enumerate(match.games, 1)
            for at, entry in enumerate(game.entries, 1)
            if isinstance(entry, SetBoard)
        ),
    )  # fmt: skip
    return replace(
        bare,
        losses={(*bare.place(row.game, row.entry), row.kind, row.player): row.loss for row in rows.decisions},
        luck={(*bare.place(row.game, row.entry), "luck", row.player): row.luck for row in rows.turns},
        faulty=frozenset(bare.place(each.game, each.entry) for each in found),
    )


def apart(before: Figures, after: Figures, told: Sequence[Finding]) -> Iterator[str]:
    """What a conversion has changed and not told.

    Args:
        before: the figures of the record.
        after: those of what was made of it.
        told: what the conversion has told.
    """
    if before.players != after.players:
        yield f"{before.players} became {after.players}"
    of_the_record = [each for each in told if each.code not in _ABOUT_ANALYSES]
    # Formats write a result before the entries or behind them, and findings are told in the order of the text.
    if Counter(before.findings) != Counter(after.findings) and not of_the_record:
        gone = Counter(before.findings) - Counter(after.findings)
        # A format that has one pair of names tells swapped ones as swapped columns: the same slip in other words.
        games = Counter(each[1] for each in gone.elements())
        new = []
        for each in (Counter(after.findings) - Counter(before.findings)).elements():
            games[each[1]] -= 1
            if games[each[1]] < 0:
                new.append(each)
        yield f"{gone.total()} findings gone, new: {new[:3]}"
    places = {before.place(each.game, each.entry) for each in told if each.code in _ABOUT_ANALYSES}
    # What could not be judged as it was written, nor its answer, may be judged where the format can only say what it
    # was read as.
    read = {place for place in before.faulty if place not in after.faulty}
    read |= {(game, at + 1) for game, at in read if isinstance(at, int)}
    differing = [*_differing(before, after)]
    judged = {place for place in differing if place[:2] in read and before.losses.get(place) is None}
    wrong = [place for place in differing if place[:2] not in places and place not in judged]
    if wrong and not of_the_record:
        place = wrong[0]
        pairs = [each.losses.get(place, each.luck.get(place, "nothing")) for each in (before, after)]
        yield f"{len(wrong)} figures, the first at {place}: {pairs[0]} became {pairs[1]}"
    if not places and not judged and not of_the_record and not _is_same_pr(before, after):
        yield f"PR {_shown(before)} became {_shown(after)}"


def _is_same_pr(one: Figures, two: Figures) -> bool:
    return all(
        first == second or (first is not None and second is not None and isclose(first, second, abs_tol=_PR))
        for first, second in zip(one.pr, two.pr, strict=True)
    )


def _differing(one: Figures, two: Figures) -> list[Place]:
    found = []
    for before, after in ((one.losses, two.losses), (one.luck, two.luck)):
        for place in before.keys() | after.keys():
            if place not in before and place[2] in _RESIGNATION:
                continue  # that a game was given up its result may tell alone
            first, second = before.get(place), after.get(place)
            if not (
                (first is None and second is None)
                or (first is not None and second is not None and isclose(first, second, abs_tol=_LOSS))
            ):
                found.append(place)
    return sorted(found, key=str)


def _shown(found: Figures) -> str:
    return "/".join("-" if value is None else f"{value:.2f}" for value in found.pr)


def table(paths: Sequence[str]) -> Iterator[str]:
    """Lines of the table."""
    yield f"{'record':36} {'before':>13} " + " ".join(f"{each.name:>26}" for each in FORMATS)
    for path in paths:
        try:
            matches = read_all(Path(path))
        except FormatError as error:
            yield f"{Path(path).name[-36:]:36} {error}"
            continue
        for match in matches:
            before = figures(match)
            if before.losses:
                cells = " ".join(f"{_cell(match, before, each):>26}" for each in FORMATS)
                yield f"{Path(path).name[-36:]:36} {_shown(before):>13} {cells}"


def _cell(match: Match, before: Figures, target: Format) -> str:
    try:
        done = convert((match,), Target(target))
    except FormatError as error:
        return f"refused: {error}"[:26]
    if done.changed:
        return "changed"
    (back,) = target.read(Content(done.data, f"x{target.extensions[0]}"))
    after = figures(back)
    about = sum(each.code in _ABOUT_ANALYSES for each in done.losses)
    broken = "" if not list(apart(before, after, done.losses)) else " !"
    return f"{_shown(after)}, {len(_differing(before, after))} other, {about} told{broken}"


if __name__ == "__main__":
    for line in table(sys.argv[1:]):
        print(line, flush=True)
