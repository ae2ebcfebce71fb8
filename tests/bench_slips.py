"""How many planted slips `bgtools.check` locates: kind × located, off by one, elsewhere, multiple, missed;
of the fixes that are offered, how many leave a sound record, how many the record that was there, and how many
of the safe ones are right; and how many sound matches have an error.

    python tests/bench_slips.py [--seed N] [--each N] [--kind TEXT] [--dialect NAME] [--keep DIR] [--list]
                                [--variation NAME [--untagged]] [--json]

Every slip is planted alone in a sound match; see `tests/slips`. With ``--variation`` those are of another one, which
their tag says, or with ``--untagged`` only what ``--rules`` of the command line gives. With ``--json`` every slip is
judged as our own JSON too, and it is told where that finds otherwise. With ``--keep`` the first slip of
every failing sort is written as match text, its story beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.mat.dialects import JELLYFISH, XG_TEXT
from bgtools.formats.reading import read_source
from bgtools.rules.options import VARIANTS
from slips import COPIED, KINDS, LATER, Library, Slip, Verdict, judge, mend, otherwise_in_json, plant_all, untagged
from slips.core import sources
from slips.judge import OUTCOMES, places

if TYPE_CHECKING:
    from collections.abc import Sequence


SOUND = 60
"""How many sound matches are checked for having no error."""


def story(slip: Slip, verdict: Verdict) -> str:
    """A slip and what was found, for whoever wants to see why."""
    column = "left" if slip.side == 0 else "right"
    lines = [
        f"{slip.kind} ({slip.flavour}), {column} column, from {slip.source}: {verdict.outcome}",
        f"  planted on line {slip.line}: {slip.note}; right codes {' '.join(sorted(slip.codes))}"
        + (f"; reading: {slip.reading}" if slip.reading else ""),
        f"  found: {places(slip, verdict.findings) or verdict.error or 'nothing'}",
    ]
    lines += [f"    {one.code.id} {one.message} | {one.hint}" for one in verdict.findings[:4]]
    return "\n".join(lines)


def is_failure(verdict: Verdict) -> bool:
    return not verdict.is_right or verdict.reading is False


def has_error(text: str) -> bool:
    """Whether an error is found in a text."""
    return any(one.severity is Severity.ERROR for match in read_source(text.encode(), "m.mat") for one in check(match))


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, judge, print the table; 1 when a slip was not located with a right code."""
    dialects = {dialect.name: dialect for dialect in (JELLYFISH, XG_TEXT)}
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10, help="slips of a kind and flavour (default: 10)")
    parser.add_argument("--kind", default="", help="only kinds whose name holds this text")
    parser.add_argument(
        "--dialect", choices=list(dialects), default="jellyfish", help="whose spelling (default: jellyfish)"
    )
    parser.add_argument("--keep", type=Path, help="write an example of every failing sort to this folder")
    parser.add_argument("--list", action="store_true", help="print the story of every failure")
    parser.add_argument("--variation", choices=VARIANTS, default="backgammon", help="of the sound matches")
    parser.add_argument("--untagged", action="store_true", help="tell the variation by --rules, not by a tag")
    parser.add_argument("--json", action="store_true", help="compare with what is found in JSON")
    options = parser.parse_args(arguments)
    rules = options.variation if options.untagged else ""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    kinds = [kind for kind in (*KINDS, *LATER, *COPIED) if options.kind in kind.name]
    header = f"{'kind':<31} {'flavour':<8} {'slips':>5} " + " ".join(f"{name:>10}" for name in OUTCOMES)
    print(f"{header} {'code':>7} {'reading':>9} {'fix':>4} {'sound':>5} {'same':>4} {'safe':>4} {'right':>5}")
    total: Counter[str] = Counter()
    stories: list[str] = []
    chosen = dialects[options.dialect]
    otherwise = 0
    for kind, flavour, found in plant_all(options.seed, options.each, kinds, 120, chosen, options.variation):
        slips = [untagged(slip) for slip in found] if options.untagged else found
        verdicts = [judge(slip, rules) for slip in slips]
        if options.json:
            for slip in slips:
                apart = otherwise_in_json(slip, rules)
                otherwise += bool(apart)
                stories += [f"{slip.kind} ({slip.flavour}) from {slip.source} in JSON: {each}" for each in apart]
        counts = Counter(verdict.outcome for verdict in verdicts)
        right_code = sum(verdict.code for verdict in verdicts)
        told = [verdict.reading for verdict in verdicts if verdict.reading is not None]
        mended = [done for slip, verdict in zip(slips, verdicts, strict=True) if (done := mend(slip, verdict, rules))]
        safe = [one for one in mended if one.safe]
        fixes = Counter(
            fix=len(mended), sound=sum(one.clean for one in mended), same=sum(one.same for one in mended),
            safe=len(safe), right=sum(one.same or (flavour == "stood" and one.clean) for one in safe),
        )  # fmt: skip
        cells = " ".join(f"{counts[name] or '.':>10}" for name in OUTCOMES)
        reading = f"{sum(told)}/{len(told)}" if told else ""
        print(
            f"{kind.name:<31} {flavour:<8} {len(slips):>5} {cells} {right_code:>3}/{len(slips):<3} {reading:>9} "
            f"{fixes['fix'] or '.':>4} {fixes['sound'] or '.':>5} {fixes['same'] or '.':>4} "
            f"{fixes['safe'] or '.':>4} {fixes['right'] or '.':>5}"
        )
        total.update(counts)
        total.update(fixes)
        total.update(slips=len(slips), code=right_code, told=sum(told), tell=len(told))
        kept: set[str] = set()
        for number, (slip, verdict) in enumerate(zip(slips, verdicts, strict=True)):
            if not is_failure(verdict):
                continue
            text = story(slip, verdict)
            sort = verdict.outcome if not verdict.is_right else "reading"
            if options.keep and sort not in kept:
                kept.add(sort)
                name = f"{kind.name}-{flavour}-{sort}".replace(" ", "-").replace(":", "")
                (options.keep / f"{name}.mat").write_text(slip.text, encoding="utf-8")
                (options.keep / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
            stories.append(f"[{number}] {text}")
    cells = " ".join(f"{total[name]:>10}" for name in OUTCOMES)
    codes = f"{total['code']:>3}/{total['slips']:<3}"
    print(
        f"{'all':<31} {'':<8} {total['slips']:>5} {cells} {codes} {total['told']:>4}/{total['tell']:<4} "
        f"{total['fix']:>4} {total['sound']:>5} {total['same']:>4} {total['safe']:>4} {total['right']:>5}"
    )
    library = Library(options.seed, make=partial(sources, variant=options.variation))
    sound = [source.sheet.page(chosen).text for source in islice(library, SOUND)]
    blamed = sum(map(has_error, sound))
    print(f"sound matches: {len(sound)}, with an error: {blamed}")
    if options.json:
        print(f"slips with other findings in JSON: {otherwise}")
    if options.list:
        print("\n" + "\n".join(stories))
    return 1 if stories or blamed else 0


if __name__ == "__main__":
    sys.exit(main())
