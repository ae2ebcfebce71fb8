"""A slip that is planted once and repaired once, and the laws that all of it obeys.

`trials` plants some slips of every kind of a sort. A law looks at one of them and says what is wrong, or nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from bench_repair import is_same
from bench_slips import story
from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.json.match import write as write_json
from bgtools.formats.mat.dialects import JELLYFISH, Dialect
from bgtools.formats.reading import read_source
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repaired
from bgtools.repair.states import edited
from bgtools.replayer.match import replay, replay_plainly
from slips import COPIED, KINDS, LATER, Flavour, Kind, Library, Slip, mend, planted
from slips.core import varied_sources
from slips.judge import verdict_on_plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.board import Board
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.planning import FilePlan
    from bgtools.repair.states import Repair
    from slips import Mended, Verdict

HARD: frozenset[tuple[str, Flavour]] = frozenset(
    {
        ("larger die not played", "misread"),
        ("turn missing", "misread"),
        ("turn doubled", "misread"),
        ("columns swapped", "misread"),
        ("double in the Crawford game", "misread"),
        ("double in the Crawford game", "stood"),
        ("game missing", "misread"),
    }
)
"""Kinds that show only later, or depend on it: more of them are planted.

Of a thousand slips one or two cannot be told from another by anybody who has only the text:
a turn missing where the entry after it is legal for either player, so that one turn later would do
as well; a row whose cells are legal in each other's column and whose exchange makes a later roll
that was not played playable; and, after the last double of a game, a misread play that would be
legal in the other column, with too little after it to say which of the two it is.
"""


@dataclass(frozen=True)
class Trial:
    """A slip, what is found in its text, and what repairs make of that."""

    kind: Kind
    slip: Slip

    @cached_property
    def plan(self) -> FilePlan:
        return plan_fixes(self.slip.text.encode(), "slip.mat")

    @cached_property
    def verdict(self) -> Verdict:
        return verdict_on_plan(self.slip, lambda: self.plan)

    @cached_property
    def mended(self) -> Mended | None:
        return mend(self.slip, self.verdict)

    @cached_property
    def safe(self) -> Repair:
        return repaired(self.plan)

    @cached_property
    def likely(self) -> Repair:
        return repaired(self.plan, unsafe=True)

    def story(self) -> str:
        """The slip and what was found, for whoever wants to see why."""
        return story(self.slip, self.verdict)


def sorts() -> dict[str, tuple[Kind, ...]]:
    """The kinds of slip by the module that plants them: plays, cube, score, answers, header, rows, typos."""
    found: dict[str, list[Kind]] = defaultdict(list)
    for kind in (*KINDS, *LATER):
        found[kind.plant.__module__.rpartition(".")[2]].append(kind)
    return {**{name: tuple(kinds) for name, kinds in found.items()}, "copied": COPIED}


@cache
def library(seed: int, *, is_varied: bool) -> Library:
    """The sound matches that slips are planted in, made once."""
    return Library(seed, 12, varied_sources) if is_varied else Library(seed, 75)


@cache
def trials(sort: str, seed: int, each: int, dialect: Dialect = JELLYFISH) -> tuple[Trial, ...]:
    """So many slips of every kind of a sort; where they are many, four times as many of those that are hard."""
    return tuple(
        Trial(kind, slip)
        for kind in sorts()[sort]
        for flavour in kind.flavours
        for slip in planted(
            kind, flavour, library(seed, is_varied=kind.varied), seed=seed,
            dialect=dialect,
            each=each * (4 if each > 2 and ((kind.name, flavour) in HARD or sort == "copied") else 1),
        )
    )  # fmt: skip


# --- laws: what one trial shows -------------------------------------------------------------


def changes_its_match(trial: Trial) -> bool:
    """A slip changes its match."""
    return trial.slip.text != trial.slip.sound


def is_found(trial: Trial) -> bool:
    """No slip that shows where it stands is missed, and none ends the program."""
    return trial.verdict.outcome not in ("missed", "crashed") or trial.kind not in KINDS


def is_told_at_its_place(trial: Trial) -> bool:
    """A slip that shows where it stands gives one finding there, with a right code."""
    return trial.verdict.is_right or trial.kind.varied or trial.kind not in KINDS


def is_read_as_it_was(trial: Trial) -> bool:
    """A finding tells a play that stood from one misread."""
    return trial.verdict.reading is not False


def is_sound_with_its_fix(trial: Trial) -> bool:
    """A record with the fix that is offered is sound, but where the slip may stand elsewhere too."""
    return trial.mended is None or trial.mended.clean or trial.kind not in KINDS


def is_given_back_by_a_safe_fix(trial: Trial) -> bool:
    """A safe fix gives back what was there, and a play that stood against the rules is not written otherwise."""
    done, slip = trial.mended, trial.slip
    return done is None or not done.safe or (done.clean and (done.same if slip.sound else not slip.reading))


def is_given_back_by_a_safe_repair(trial: Trial) -> bool:
    """A repair by safe fixes leaves a record alone, or gives it back."""
    return not trial.slip.sound or not trial.safe.changes or is_same(trial.safe.after.decode(), trial.slip.sound)


def is_repaired_as_shown(trial: Trial) -> bool:
    """A repair makes the fixes that a check shows, safe ones or all."""
    fixes = [each.fix for some in trial.plan.state.found for each in some if each.fix is not None]
    offered = [fix for fix in fixes if not fix.alternatives]
    safe = [fix for fix in offered if fix.applicability == "safe"]
    pairs = ((trial.safe, safe), (trial.likely, offered))
    return all(done.after.decode() == edited(trial.slip.text, shown) for done, shown in pairs)


def is_fixed_as_its_hint_tells(trial: Trial) -> bool:
    """A fix writes the play that the hint above it names, and none is offered for what stood."""
    for match, found in zip(trial.plan.state.matches, trial.plan.state.found, strict=True):
        turns = {(game.game.number, turn.index + 1): turn for game in replay(match) for turn in game.turns}
        for each in found:
            turn = turns.get((each.game, each.entry or 0))
            if each.fix is None or each.fix.alternatives or turn is None or each.severity is not Severity.ERROR:
                continue
            if each.hint.startswith("it stood") or each.hint.endswith("so it stood"):
                return False
            if turn.guess is None:
                continue
            # Of several slips in a game the later ones are read with the earlier ones put right.
            fixes = [one.fix for one in found if one.game == each.game and (one.entry or 0) <= (each.entry or 0)]
            made = [fix for fix in fixes if fix is not None and not fix.alternatives]
            if _after(edited(trial.slip.text, made), match, each) not in (None, turn.guess.result):
                return False
    return True


def _after(text: str, match: Match, finding: Finding) -> Board | None:
    """The board behind an entry when the text is replayed as it is written; None where entries came or went."""
    for again in read_source(text.encode(), "slip.mat"):
        if [len(game.entries) for game in again.games] != [len(game.entries) for game in match.games]:
            continue
        for game in replay_plainly(again):
            for turn in game.turns:
                if (game.game.number, turn.index + 1) == (finding.game, finding.entry):
                    return turn.after
    return None


def is_told_alike_in_json(trial: Trial) -> bool:
    """The same errors are found in JSON, which keeps what the replay needs, and no names as they were spelt."""
    if not trial.kind.varied or trial.kind.name == "name misspelt":
        return True
    matches = trial.plan.state.matches
    return errors_of(matches) == errors_of(read_source(write_json(matches), "slip.json"))


def errors_of(matches: Iterable[Match]) -> list[tuple[str, int, int]]:
    """The errors without their places, which JSON has not."""
    found = [one for match in matches for one in check(match) if one.severity is Severity.ERROR]
    return sorted((one.code.id, one.game or 0, one.entry or 0) for one in found)


OF_FINDINGS: Final = (changes_its_match, is_found, is_told_at_its_place, is_read_as_it_was, is_told_alike_in_json)
OF_FIXES: Final = (
    is_sound_with_its_fix, is_given_back_by_a_safe_fix, is_given_back_by_a_safe_repair, is_repaired_as_shown,
    is_fixed_as_its_hint_tells,
)  # fmt: skip
"""Laws that ask for fixes, which take ten times as long as findings."""
