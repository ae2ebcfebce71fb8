"""How many planted slips `bgtools.repair` takes back: kind × slips, wrong by safe fixes, restored by safe fixes, and
restored, wrong or left by unsafe ones; then matches with several slips.

    python tests/bench_repair.py [--seed N] [--each N] [--kind TEXT] [--slips N] [--matches N] [--list]

A match is restored when it is turn by turn, roll by roll and result by result what it was before the slip. Slips that a
text without them is kept of count (`slips.Slip.sound`). Of some kinds nothing in the text tells what stood there
(`GONE`): they are in the table and in the first total, but neither in the second one nor in matches with several slips.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.reading import read_source
from bgtools.repair.repairing import repair
from same_match import differences
from slips import KINDS, LATER, Library, Slip, plant_all, planted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.record.record import Match
    from bgtools.repair.states import Repair
    from slips import Kind


GONE: Final = frozenset(
    {
        "turn missing", "first turn gone", "first turn gone, rest moved up", "row gone", "row gone with its number",
        "game missing", "game missing between", "truncated file", "set position",
    }
)  # fmt: skip
"""Kinds after which rolls, games or a board are gone from the text."""


def is_same(text: str, sound: str) -> bool:
    """Whether two texts tell the same matches, by the same rules; tags may be spelled otherwise, remarks be more."""
    one, two = (list(map(_told, read_source(each.encode(), "m.mat"))) for each in (text, sound))
    return len(one) == len(two) and not any(map(differences, one, two))


def _told(match: Match) -> Match:
    games = tuple(replace(game, comments=()) for game in match.games)
    return replace(match, tags=(), comments=(), games=games)


def outcome(text: str, sound: str, *, unsafe: bool) -> tuple[str, Repair]:
    """The result of a slip: ``restored``, ``wrong`` or ``left``."""
    done = repair(text.encode(), "m.mat", unsafe=unsafe)
    if is_same(done.after.decode(), sound):
        return "restored", done
    return ("wrong" if done.changes else "left"), done


def with_several(kinds: Sequence[Kind], seed: int, slips: int) -> Iterator[tuple[str, str, str]]:
    """Texts with several slips, the sound ones and what was done: each slip is of a game of its own."""
    rng = random.Random(f"{seed} several")
    library = Library(seed, 40)
    pool = [
        slip
        for kind in kinds
        if kind.name not in GONE
        for slip in planted(kind, "misread", library, seed=rng.randrange(10**6), each=12)
        if slip.sound
    ]
    by_source: dict[tuple[str, str], list[Slip]] = {}
    for slip in pool:
        by_source.setdefault((slip.source, slip.sound), []).append(slip)
    for (_, sound), some in by_source.items():
        rng.shuffle(some)
        text, done = sound, []
        for slip in some:
            if (both := merged(sound, text, slip.text)) is not None:
                text = both
                done.append(f"{slip.kind}: {slip.note}")
            if len(done) == slips:
                yield text, sound, "; ".join(done)
                break


def merged(sound: str, one: str, two: str) -> str | None:
    """Two texts with different lines changed, put together; None where they change the same one, or the number."""
    lines = [text.split("\n") for text in (sound, one, two)]
    if len({len(each) for each in lines}) > 1:
        return None
    made = []
    for base, first, second in zip(*lines, strict=True):
        if first != base != second:
            return None
        made.append(second if first == base else first)
    return "\n".join(made)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, repair, print the table; 1 when a safe fix was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=4, help="slips of a kind (default: 4)")
    parser.add_argument("--kind", default="", help="only kinds whose name holds this text")
    parser.add_argument("--slips", type=int, default=3, help="slips of a match that has several (default: 3)")
    parser.add_argument("--matches", type=int, default=20, help="matches with several slips (default: 20)")
    parser.add_argument("--list", action="store_true", help="print what was wrong or left")
    options = parser.parse_args(arguments)
    kinds = [kind for kind in (*KINDS, *LATER) if options.kind in kind.name]
    columns = ("safe wrong", "safe restored", "restored", "wrong", "left")
    print(f"{'kind':<31} {'slips':>5} " + " ".join(f"{name:>13}" for name in columns))
    total: Counter[str] = Counter()
    knowable: Counter[str] = Counter()
    stories = []
    for kind, flavour, some in plant_all(options.seed, options.each, kinds):
        known = [slip for slip in some if slip.sound and flavour == "misread"]
        counts: Counter[str] = Counter(slips=len(known))
        for slip in known:
            safe, _ = outcome(slip.text, slip.sound, unsafe=False)
            counts[f"safe {safe}"] += 1
            found, done = outcome(slip.text, slip.sound, unsafe=True)
            counts[found] += 1
            if found != "restored" or safe == "wrong":
                what = ", ".join(f"{change.finding.code.id} {change.fix.text.strip()!r}" for change in done.changes)
                stories.append(f"{slip.kind}: line {slip.line}, {slip.note}: {found} (safe: {safe}) {what}")
        if known:
            print(f"{kind.name:<31} {len(known):>5} " + " ".join(f"{counts[name]:>13}" for name in columns))
        total += counts
        if kind.name not in GONE:
            knowable += counts
    for name, counts in (("all", total), ("all that can be known", knowable)):
        print(f"{name:<31} {counts['slips']:>5} " + " ".join(f"{counts[column]:>13}" for column in columns))
    print(f"of those restored: {knowable['restored'] / max(knowable['slips'], 1):.1%}")
    several: Counter[str] = Counter()
    for (text, sound, note), _ in zip(
        with_several(kinds, options.seed, options.slips), range(options.matches), strict=False
    ):
        found, done = outcome(text, sound, unsafe=True)
        several[found] += 1
        if found != "restored":
            what = ", ".join(f"{change.finding.code.id} {change.fix.text.strip()!r}" for change in done.changes)
            stories.append(f"{options.slips} slips: {note}: {found} {what}")
    print(
        f"with {options.slips} slips: {sum(several.values())} matches, "
        + ", ".join(f"{key} {several[key]}" for key in several)
    )
    if options.list:
        print(*stories, sep="\n")
    return int(total["safe wrong"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
