"""Whether fixes are right, on slips planted in records of every format that is written.

    python tests/bench_fixes.py [--seed N] [--records N] [--half seen|kept|all] [--slips 1,2,3] [--kind TEXT] [--list]

Sound records (random play, club players; matches, money with beavers, automatic doubles, Jacoby) get one to three slips
of `record_slips.SLIPS`, are written in a dialect of match text or another format, and are repaired. A safe fix is wrong
where it changes what was right, or changes what was wrong into something else. ``kept`` are the kinds by which nothing
was chosen: the figures of the documents are theirs.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher, unified_diff
from time import process_time
from typing import TYPE_CHECKING, Final

from annotated import STYLES, analysed
from bgtools.checks.checking import check
from bgtools.conversion.conversion import Target, convert, parse_target
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repaired
from bgtools.repair.states import RepairRefused
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from record_slips import GONE, SLIPS, is_kept_back, with_slips
from selfplay import random_match
from slips.players import club_match

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.record.record import Entry, Game, Match
    from bgtools.replayer.turn import GameReplay

TARGETS: Final = (
    "mat:jellyfish", "sgf", "mat:xg", "xg", "mat:gnubg", "snowie", "mat:galaxy", "oldmoves", "mat:xg-text",
    "sgf+", "mat:studio", "xg+",
)  # fmt: skip
"""Formats and dialects; ``+`` with an analysis."""
Line = tuple[object, ...]


@dataclass
class Tried:
    """What came of one record."""

    number: int
    target: str
    kinds: tuple[str, ...]
    files: tuple[bytes, bytes] = (b"", b"")
    after: dict[str, bytes] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    lost: int = 0
    time: float = 0.0

    @property
    def is_knowable(self) -> bool:
        """Whether the record still tells what stood there."""
        return GONE.isdisjoint(self.kinds)


def sound_match(number: int) -> Match:
    """A sound record, by its number."""
    length = (5, 0, 7, 0, 3, 0, 11)[number % 7]
    rules = Ruleset(crawford=bool(length) and number % 5 != 0)
    if not length:
        rules = Ruleset(crawford=False, jacoby=number % 3 == 1, beavers=number // 2 % 2, automatic_doubles=0)
    if number % 4 == 3:
        match = random_match(number, length, games=5, rules=rules, resigning=(0.0, 0.02)[number // 4 % 2])
    else:
        match = club_match(number, length, games=5, rules=rules, boldness=(0.5, 0.2, 0.05)[number % 3])
    if not length and number % 5 == 2:
        match = _with_automatic_double(match)
    return match


def _with_automatic_double(match: Match) -> Match:
    """A money session with an automatic double in its last game of which nobody turned the cube."""
    for at in range(len(match.games) - 1, -1, -1):
        game = match.games[at]
        if any(isinstance(entry, Double) for entry in game.entries) or len(game.results) != 1:
            continue
        (claim,) = game.results
        if match.rules.jacoby or claim.points is None or not isinstance(game.entries[0], CheckerPlay):
            continue
        doubled = replace(
            game,
            entries=(AutomaticDouble(player=game.entries[0].player, value=2), *game.entries),
            results=(replace(claim, points=2 * claim.points),),
        )
        rest = []
        for each in match.games[at + 1 :]:
            score = [*(each.score or (0, 0))]
            score[claim.player] += claim.points
            rest.append(replace(each, score=(score[0], score[1])))
        rules = replace(match.rules, automatic_doubles=1)
        return replace(match, rules=rules, games=(*match.games[:at], doubled, *rest))
    return match


def rendered(match: Match, target: str) -> bytes:
    """A record in a format."""
    chosen = parse_target(target.removesuffix("+"))
    assert isinstance(chosen, Target)
    if target.endswith("+"):
        match = analysed(match, 3, STYLES[2 if chosen.format.name == "sgf" else 0])
    return convert((match,), chosen).data


def lines(game: Game) -> list[Line]:
    """What a game tells, entry by entry, whatever the spelling."""
    return [*map(_line, game.entries), *(("result", each.player, each.won, each.points) for each in game.results)]


def _line(entry: Entry) -> Line:
    name = type(entry).__name__.removeprefix("_Thawed")
    if isinstance(entry, CheckerPlay):
        dice = None if entry.dice is None else tuple(sorted(entry.dice))
        starts = Counter(start for hop in entry.text.hops for start, _ in hop.legs)
        ends = Counter(end for hop in entry.text.hops for _, end in hop.legs)
        # Where a checker only passes is a matter of spelling.
        return name, entry.player, dice, tuple(sorted((starts - ends).items())), tuple(sorted((ends - starts).items()))
    value = entry.value if isinstance(entry, Double | Beaver) else None
    return name, entry.player, value


def _tables(matches: Sequence[Match]) -> list[Line]:
    """What matches hold, line by line."""
    found: list[Line] = []
    for match in matches:
        found += [("length", match.length), ("players", match.players), *asdict(match.rules).items()]
        for at, game in enumerate(match.games):
            found += [("score", at, game.score), ("left", at, game.left), *lines(game)]
    return found


def distance(one: Sequence[Line], two: Sequence[Line]) -> int:
    """How many lines come or go from one game to another."""
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return len(one) + len(two) - 2 * same


def outcome(before: Sequence[Match], after: Sequence[Match], sound: Sequence[Match]) -> tuple[str, int]:
    """``restored``, ``left``, ``partly``, ``wrong``, and how many right entries are lost."""
    flat = [_tables(each) for each in (before, after, sound)]
    counts = [Counter(each) for each in flat]
    lost = sum(((counts[0] & counts[2]) - counts[1]).values())
    if flat[0] == flat[1]:
        return "left", 0
    if _is_same(after, sound):
        return "restored", 0
    is_made_up = bool(counts[1] - counts[0] - counts[2])
    is_nearer = distance(flat[1], flat[2]) < distance(flat[0], flat[2])
    return ("partly" if is_nearer and not lost and not is_made_up else "wrong"), lost


def _is_same(one: Sequence[Match], two: Sequence[Match]) -> bool:
    """Whether records are played alike, turn by turn."""
    if len(one) != len(two):
        return False
    for left, right in zip(one, two, strict=True):
        if (left.length, left.rules, left.players, len(left.games)) != (
            right.length, right.rules, right.players, len(right.games),
        ):  # fmt: skip
            return False
        for first, second in zip(left.games, right.games, strict=True):
            if (first.score, first.left) != (second.score, second.left):
                return False
    return all(
        _played(first) == _played(second)
        for left, right in zip(one, two, strict=True)
        for first, second in zip(replay(left), replay(right), strict=True)
    )


def _played(game: GameReplay) -> list[object]:
    return [
        *((_line(turn.entry)[:3], turn.after) for turn in game.turns),
        *((each.player, each.won, each.points) for each in game.game.results),
    ]


def _is_sound(match: Match) -> bool:
    return not any(each.code.severity is Severity.ERROR for each in check(match))


def attempt(number: int, seed: int, kinds: Sequence[str], slips: int) -> Tried | None:
    """Plant, write, repair; None where there is no room for the slips, or nothing is found."""
    rng = random.Random(f"{seed} {number}")
    source = seed * 100_000 + rng.randrange(50_000)
    target = rng.choice(TARGETS)
    match = sound_match(source)
    first = kinds[number % len(kinds)]
    made = with_slips(match, iter([first, *rng.sample(list(kinds), min(len(kinds), 12))]), rng, slips)
    if made is None or made[1][0] != first:
        return None
    faulty, names = made
    try:
        files = rendered(match, target), rendered(faulty, target)
        sound, before = read_source(files[0], "one"), read_source(files[1], "one")
    except FormatError:
        return None
    if not all(map(_is_sound, sound)) or not any(
        each.code.severity is Severity.ERROR for some in before for each in check(some)
    ):
        return None
    tried = Tried(number, target, tuple(names), files)
    start = process_time()
    plan = plan_fixes(files[1], "one")
    for unsafe in (False, True):
        word = "unsafe" if unsafe else "safe"
        try:
            done = repaired(plan, unsafe=unsafe)
            after = read_source(done.after, "one")
        except RepairRefused as error:
            tried.outcomes[word] = f"refused: {error}"
            continue
        if unsafe:
            tried.time = process_time() - start
        tried.after[word] = done.after
        tried.outcomes[word], lost = outcome(before, after, sound)
        if unsafe and tried.outcomes[word] == "wrong":
            tried.lost = lost
            if all(map(_is_sound, after)):
                tables = [_tables(each) for each in (before, after, sound)]
                if distance(tables[0], tables[1]) <= distance(tables[0], tables[2]):
                    tried.outcomes[word] = "as near"
    return tried


def _attempt(arguments: tuple[int, int, tuple[str, ...], int]) -> Tried | None:
    return attempt(*arguments)


def jobs(options: argparse.Namespace) -> Iterator[tuple[int, int, tuple[str, ...], int]]:
    """The records to be tried."""
    halves = {"seen": (False,), "kept": (True,), "all": (False, True)}[options.half]
    kinds = tuple(name for name in SLIPS if is_kept_back(name) in halves and options.kind in name)
    counts = [int(each) for each in options.slips.split(",")]
    for number in range(options.records):
        yield number, options.seed, kinds, counts[number // len(kinds) % len(counts)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, repair, print the table; 1 when a safe fix was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=int, default=600)
    parser.add_argument("--half", choices=("seen", "kept", "all"), default="seen")
    parser.add_argument("--slips", default="1,1,2,3", help="how many slips records have, in turn")
    parser.add_argument("--kind", default="", help="only kinds whose name holds this text")
    parser.add_argument("--list", action="store_true", help="print every record that was not restored")
    parser.add_argument("--only", type=int, help="one record: print its text before, after, and sound")
    options = parser.parse_args(arguments)
    if options.only is not None:
        return _show(next(each for each in jobs(options) if each[0] == options.only))
    with ProcessPoolExecutor() as pool:
        tried = [each for each in pool.map(_attempt, jobs(options), chunksize=8) if each is not None]
    assert tried, "nothing was tried"
    for slips in sorted({len(each.kinds) for each in tried}):
        some = [each for each in tried if len(each.kinds) == slips]
        knowable = [each for each in some if each.is_knowable]
        safe = Counter(each.outcomes["safe"].partition(":")[0] for each in some)
        unsafe = Counter(each.outcomes["unsafe"].partition(":")[0] for each in knowable)
        print(f"{slips} slips: {len(some)} records; safe: {dict(safe)}; unsafe, of {len(knowable)}: {dict(unsafe)}; "
              f"right entries lost in {sum(each.lost > 0 for each in some)}")  # fmt: skip
    wrong = [each for each in tried if each.outcomes["safe"] == "wrong"]
    times = sorted(each.time for each in tried)
    print(f"{len(tried)} records, {len(wrong)} with a wrong safe fix; "
          f"{sum(times) / len(times):.3f} s a record, "
          f"median {times[len(times) // 2]:.3f}, most {times[-1]:.2f}")  # fmt: skip
    for each in tried if options.list else wrong:
        if each in wrong or set(each.outcomes.values()) - {"restored"}:
            print(
                f"{each.number} {each.target} {', '.join(each.kinds)}: {each.outcomes}, lost {each.lost}, "
                f"{each.time:.2f} s"
            )
    return int(bool(wrong))


def _show(job: tuple[int, int, tuple[str, ...], int]) -> int:
    tried = attempt(*job)
    if tried is None:
        return 2
    plan = plan_fixes(tried.files[1], "one")
    print(tried.kinds, tried.outcomes)
    for some in plan.state.found:
        for each in some:
            fix = each.fix
            told = (
                "" if fix is None else f"\n    {fix.applicability}: {(fix.words or fix.text)!r} {len(fix.alternatives)}"
            )
            print(f"{each.code.id} game {each.game} entry {each.entry}: {each.message}{told}")
    texts = [
        "".join(map(write, read_source(data, "one")))
        for data in (*tried.files, *(repaired(plan, unsafe=unsafe).after for unsafe in (False, True)))
    ]
    for name, text in zip(("planted", "safe", "unsafe"), texts[1:], strict=True):
        print("=====", name, "against", "sound" if name == "planted" else "planted")
        print("\n".join(unified_diff(texts[name != "planted"].split("\n"), text.split("\n"), n=1, lineterm="")))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
