"""How many matches `bgtools.comparison.merging.merge` gives back from copies that each have slips of their own.

    python tests/bench_merge.py [--seed N] [--seeds N] [--copies N] [--slips N] [--matches N] [--kind TEXT] [--list]

A match is restored when it is turn by turn, roll by roll and result by result what it was before the slips, and nothing
is undecided. What is undecided is told to whoever merges, and is not a wrong merge. Only slips whose original can be
known
count: those that a text without them is kept of (`slips.Slip.sound`).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from bench_repair import merged
from bgtools.comparison.merged import NotOneMatch
from bgtools.comparison.merging import merge
from bgtools.formats.content import FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from same_match import differences
from slips import KINDS, LATER, Library, Slip, planted
from slips.core import varied_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.merged import Merged
    from bgtools.record.record import Match
    from slips import Kind

ORDINARY = 40


def copies_of(
    kinds: Sequence[Kind], seed: int, copies: int, slips: int, each: int = 12, limit: int = ORDINARY
) -> Iterator[tuple[list[str], str, list[str]]]:
    """Texts of one match with other slips in each, the sound text, and what was done to each."""
    rng = random.Random(f"{seed} copies")
    libraries = Library(seed, limit), Library(seed, limit, varied_sources)
    by_sound: dict[str, list[Slip]] = {}
    for kind in kinds:
        for slip in planted(kind, "misread", libraries[kind.varied], seed=rng.randrange(10**6), each=each):
            if slip.sound:
                by_sound.setdefault(slip.sound, []).append(slip)
    for sound, some in by_sound.items():
        rng.shuffle(some)
        texts, notes = [], []
        used: dict[str, int] = {}
        for copy in range(copies):
            text = sound
            done: list[str] = []
            for slip in list(some):
                # What two copies have alike no third one tells.
                if len(done) == slips or used.setdefault(slip.kind, copy) != copy:
                    continue
                both = merged(sound, text, slip.text) if done else slip.text
                if both is not None:
                    text = both
                    done.append(f"{slip.kind}: {slip.note}")
                    some.remove(slip)
            texts.append(text)
            notes.append("; ".join(done))
            if len(done) < slips:
                break
        else:
            yield texts, sound, notes


def outcome(texts: Sequence[str], sound: str) -> tuple[str, Merged | None]:
    """The result of copies: ``restored``, ``wrong``, ``undecided`` or ``refused``."""
    try:
        records = [read_source(text.encode(), f"{number}.mat")[0] for number, text in enumerate(texts, 1)]
        done = merge(records)
    except (FormatError, NotOneMatch):
        return "refused", None
    if done.conflicts:
        return "undecided", done
    return ("wrong" if apart(done.match, sound) else "restored"), done


def apart(match: Match, sound: str) -> list[str]:
    """What tells a merged match from a text; tags may be spelled otherwise."""
    original = read_source(sound.encode(), "sound.mat")[0]
    back = read_source(write(match).encode(), "merged.mat")[0]
    return differences(replace(original, tags=()), replace(back, tags=()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, merge, print how many came back."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--seeds", type=int, default=1, help="so many seeds (default: 1)")
    parser.add_argument("--copies", type=int, default=3, help="copies of a match (default: 3)")
    parser.add_argument("--slips", type=int, default=1, help="slips in each copy (default: 1)")
    parser.add_argument("--matches", type=int, default=20, help="matches a seed (default: 20)")
    parser.add_argument("--kind", default="", help="only kinds whose name holds this text")
    parser.add_argument("--list", action="store_true", help="print what was not restored")
    options = parser.parse_args(arguments)
    kinds = [kind for kind in (*KINDS, *LATER) if options.kind in kind.name]
    counts: Counter[str] = Counter()
    stories: list[str] = []
    for seed in range(options.seed, options.seed + options.seeds):
        made = copies_of(kinds, seed, options.copies, options.slips, 12 * options.slips)
        for (texts, sound, notes), _ in zip(made, range(options.matches), strict=False):
            found, done = outcome(texts, sound)
            counts[found] += 1
            if found != "restored":
                differs = [] if done is None else apart(done.match, sound)[:2]
                open_ = (
                    [] if done is None else [(fact.kind, fact.what, fact.game, fact.turn) for fact in done.conflicts]
                )
                stories.append(f"{found}: {' | '.join(notes)}: {differs} {open_[:4]}")
    total = counts.total()
    told = ", ".join(f"{key} {counts[key]} ({counts[key] / total:.0%})" for key in sorted(counts))
    print(f"{options.copies} copies with {options.slips} slips each: {total} matches: {told}")
    if options.list:
        print(*stories, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
