"""What a library of a million matches and of a hundred thousand commits costs: ``python tests/benchmarks/size.py``.

Short matches are played at random and added, some are analysed. Then all are copied into a library of a million, each
copy under other numbers. At several sizes, and after a hundred thousand further commits, one JSON line says how long it
takes to open the library, to ask it, and to add to it, and how much memory each takes, in a process of its own.

``--folder FOLDER`` keeps records and libraries; ``--matches``, ``--commits`` and ``--base`` change the numbers.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

import bgtools
from bgtools.library.analysing import Valuing
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.storage import open_storage
from library import multiply, positions_of
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLAYERS = 1000
NEWS = 1000
"""So many matches are added at each size, after a single one."""


def play(folder: Path, seed: int) -> None:
    """Write a match to one point; the same seed gives the same."""
    path = folder / f"{seed // 1000:03}" / f"{seed:06}.mat"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    match = random_match(seed, 1, doubling=0, resigning=0.02)
    one, two = random.Random(seed).sample(range(PLAYERS), 2)
    named = replace(match, players=(f"Player of {one}", f"Player of {two}"))
    path.write_bytes(bgtools.convert(named, to="mat", verify=False).data)


def timed(ask: Callable[[], object], runs: int = 5) -> float:
    """The median of some runs, in seconds."""
    found = []
    for _ in range(runs):
        begun = time.perf_counter()
        ask()
        found.append(time.perf_counter() - begun)
    return round(median(found), 3)


def ask(location: str) -> dict[str, object]:
    """Seconds that questions take."""

    def opened() -> int:
        return bgtools.Library(location).count

    found: dict[str, object] = {"opening": timed(opened), "matches": opened()}
    library = bgtools.Library(location)
    find = library.find
    usual = find(pips=(100, 130), lead=(5, 15), off=(0, 0), limit=1).hits[0].xgid
    found["positions"] = library.sql("SELECT count(*) FROM positions").fetchall()[0][0]
    found["decisions"] = library.sql("SELECT count(*) FROM decisions").fetchall()[0][0]
    found["an ID"] = timed(lambda: find(position=usual))
    found["hits of it"] = find(position=usual).positions
    found["a structure"] = timed(lambda: find(prime=(5, None), on_bar=("opponent",), lead=(20, None)))
    found["a theme"] = timed(lambda: find(themes=("prime",)))
    found["a player"] = timed(lambda: library.player("Player of 7"))
    (matches,) = library.sql("SELECT count(*) FROM players WHERE person = 'Player of 7'").fetchall()
    found["matches of the player"] = matches[0]
    found["all players"] = timed(library.players_table, 1)
    found["similar positions"] = timed(lambda: find(position=usual, how="similar"), 3)
    found["all openings"] = timed(library.openings, 3)
    return found


def add(location: str, paths: Sequence[str]) -> dict[str, object]:
    """What an addition brings, and how long it takes."""
    begun = time.perf_counter()
    added = bgtools.Library(location).add(paths, jobs=1 if len(paths) == 1 else 2)
    return {"added": added.matches, "seconds": round(time.perf_counter() - begun, 3)}


def write_commits(location: str, count: int) -> dict[str, object]:
    """Make commits that change no file; seconds."""
    storage = open_storage(location)
    state = read_state(storage)
    begun = time.perf_counter()
    for number in range(count):
        after = commit(storage, state, Commit(me=f"Player of {number % PLAYERS}"))
        assert after is not None
        state = after
    return {"commits": state.number, "seconds": round(time.perf_counter() - begun, 1)}


def in_process(name: str, *arguments: str) -> dict[str, object]:
    """Do one thing in a process of its own, and say how much memory any process of it took, in MB."""
    done = subprocess.run(
        [sys.executable, __file__, "--do", name, *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def do(name: str, *arguments: str) -> None:
    """What the other process does."""
    if name == "ask":
        found = ask(arguments[0])
    elif name == "add":
        found = add(arguments[0], arguments[1:])
    elif name == "commits":
        found = write_commits(arguments[0], int(arguments[1]))
    elif name == "analyse":
        where = f"record % {arguments[1]} = 0"
        begun = time.perf_counter()
        matches = bgtools.Library(arguments[0]).analyse(Valuing(level="quick"), jobs=2, where=where).matches
        found = {"analysed": matches, "seconds": round(time.perf_counter() - begun)}
    else:
        begun = time.perf_counter()
        multiply(arguments[0], arguments[1], range(int(arguments[2]), int(arguments[3])))
        found = {"seconds": round(time.perf_counter() - begun)}
    usage = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({**found, "MB": max(usage)}))


def show(what: str, found: dict[str, object]) -> None:
    print(json.dumps({"what": what, **found}), flush=True)


def main() -> None:
    """Print the figures, a JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--base", type=int, default=20_000, help="matches that are played and added")
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--commits", type=int, default=100_000)
    options = parser.parse_args()
    records, base, large = (str(options.folder / each) for each in ("records", "base", "large"))
    sizes = [each for each in (5, 20, 50) if each * options.base < options.matches] + [options.matches // options.base]
    news = NEWS + 1
    with ProcessPoolExecutor(2) as pool:
        count = options.base + news * (len(sizes) + 2)
        list(pool.map(partial(play, Path(records)), range(count), chunksize=50))
    files = [str(each) for each in sorted(Path(records).rglob("*.mat"))]
    fresh = iter(range(options.base, count, news))

    def measure(what: str, library: str) -> None:
        show(what, in_process("ask", library))
        first = next(fresh)
        show("one more match", in_process("add", library, files[first]))
        show("more matches", in_process("add", library, *files[first + 1 : first + news]))
        held = sum(each.bytes for each in read_state(open_storage(library)).files)
        show("size", {"MB": held >> 20, "files": len(read_state(open_storage(library)).files)})

    if not Path(base).exists():
        whole = [str(each) for each in sorted(Path(records).iterdir())][: options.base // 1000]
        show("adding all", in_process("add", base, *whole))
        show("analysing", in_process("analyse", base, "40"))
    shutil.rmtree(large, ignore_errors=True)
    done = 0
    for copies in sizes:
        found = in_process("multiply", base, large, str(done), str(copies))
        show("copying", {"copies": copies - done, **found})
        done = copies
        measure(f"{positions_of(read_state(open_storage(large))):,} positions", large)
    show("committing", in_process("commits", large, str(options.commits)))
    measure("after that", large)


if __name__ == "__main__":
    do(*sys.argv[2:]) if sys.argv[1:2] == ["--do"] else main()
