"""What becomes of records of which a part is missing, foreign, glued or out of place: python tests/bench_parts.py."""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from bgtools.checks.settings import resolve_settings
from bgtools.formats.content import FormatError
from bgtools.repair.repairing import repair
from bgtools.repair.states import RepairRefused
from bgtools.repair.verdicts import verdict_on
from parts import Part, parts


class Outcome(NamedTuple):
    """What became of a part: the verdicts before and after all fixes, and the right lines that a fix changed."""

    kind: str
    before: str
    after: str
    is_told: bool
    changed: tuple[str, ...]


def outcome(part: Part) -> Outcome:
    """Judge a part, fix it by all fixes, and judge it again."""
    policy = resolve_settings()
    data = part.text.encode()
    before = verdict_on(data, "part.mat", policy)[0].verdict
    try:
        after = repair(data, "part.mat", unsafe=True).after
    except (FormatError, RepairRefused):
        return Outcome(part.kind, before, before, False, ())
    stand = Counter(map(str.strip, after.decode().splitlines()))
    changed = tuple((Counter(map(str.strip, part.text.splitlines())) - stand).elements())
    whole = verdict_on(after, "part.mat", policy)[0]
    return Outcome(part.kind, before, whole.verdict, bool(whole.repaired), changed)


def main() -> None:
    """Print a row for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=110)
    parser.add_argument(
        "--list",
        action="store_true",
        help="print every record that was accepted, or in which a fix changed a right line",
    )
    given = parser.parse_args()
    tried = [*parts(given.seed, given.count)]
    with ProcessPoolExecutor() as pool:
        found = [*pool.map(outcome, tried)]
    for kind in dict.fromkeys(each.kind for each in found):
        own = [each for each in found if each.kind == kind]
        untold = sum(each.after == "accept" and not each.is_told for each in own)
        accepted, lines = sum(each.before == "accept" for each in own), sum(len(each.changed) for each in own)
        print(
            f"{kind:40} {len(own):4} accepted {accepted:3}, after fixes {untold:3}; right lines changed {lines:3}",
            end="",
        )
        print(f" in {sum(bool(each.changed) for each in own)}; {dict(Counter(each.before for each in own))}")
    if given.list:
        for number, each in enumerate(found):
            if each.changed or "accept" in (each.before, each.after):
                print(number, each)


if __name__ == "__main__":
    main()
