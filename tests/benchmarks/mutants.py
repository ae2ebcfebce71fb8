"""Which planted faults the tests find: how well they protect the program.

    python tests/benchmarks/mutants.py [--seed N] [--count N] [--marks EXPRESSION] [--only N,N] [--checkout FOLDER]

A seed chooses faults, spread over all rooms: a comparison turned, a bound moved, a branch gone, a sign changed. First
all tests that are chosen run once over a copy of the program in which each of these places notes who comes by; then,
fault by fault, the tests that came by run over a copy with this fault alone, the quick ones first, until one fails. A
fault is killed where that test passes without it. ``--marks "not thorough"`` is what `python -m pytest` runs and the
default, ``--marks thorough`` all the others; ``--only`` names the faults that are left from a run before.

The first part takes as long as the tests themselves, the second some seconds a fault that is found, and longest where
one is not. `--record FOLDER` keeps what the first part noted, and takes it from there the next time.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HERE: Final = Path(__file__).resolve().parents[2]
SORTS: Final = ("a comparison turned", "a bound moved", "a branch gone", "a sign changed")
_TURNED: Final = {
    "Lt": (r"<", ">"), "LtE": (r"<=", ">"), "Gt": (r">", "<"), "GtE": (r">=", "<"), "Eq": (r"==", "!="),
    "NotEq": (r"!=", "=="), "In": (r"\bin\b", "not in"), "NotIn": (r"\bnot\s+in\b", "in"),
    "Is": (r"\bis\b", "is not"), "IsNot": (r"\bis\s+not\b", "is"),
}  # fmt: skip
_MOVED: Final = {"Lt": (r"<", "<="), "LtE": (r"<=", "<"), "Gt": (r">", ">="), "GtE": (r">=", ">")}
_SIGNS: Final = {"Add": (r"\+", "-"), "Sub": (r"-", "+")}


@dataclass(frozen=True)
class Mutant:
    """A fault that can be planted: some bytes of a file that others replace."""

    file: str
    line: int
    sort: str
    start: int
    end: int
    old: str
    new: str

    @property
    def room(self) -> str:
        """The folder of the package that it is in; ``bgtools`` for what lies beside the rooms."""
        parts = Path(self.file).parts
        return parts[1] if len(parts) > 2 else parts[0]

    def planted(self, source: bytes) -> bytes:
        """The file with this fault."""
        assert source[self.start : self.end].decode() == self.old
        return source[: self.start] + self.new.encode() + source[self.end :]

    def __str__(self) -> str:
        short = [" ".join(text.split()) for text in (self.old, self.new)]
        return f"{self.file}:{self.line} {self.sort}: {short[0]!r} -> {short[1]!r}"


def mutants_of(file: str, source: bytes) -> Iterator[Mutant]:
    """Every fault that can be planted into the functions of a module."""
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))

    def span(node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def exchanged(node: ast.expr, left: ast.expr, right: ast.expr, how: tuple[str, str]) -> tuple[ast.expr, str] | None:
        (start, end), before, behind = span(node), span(left)[1], span(right)[0]
        between, times = re.subn(how[0], how[1], source[before:behind].decode())
        return (node, (source[start:before].decode() + between + source[behind:end].decode())) if times == 1 else None

    for node in _expressions(ast.parse(source)):
        found: list[tuple[str, tuple[ast.expr, str] | None]] = []
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                name = type(operator).__name__
                found.append((SORTS[0], exchanged(node, left, right, _TURNED[name])))
                if name in _MOVED:
                    found.append((SORTS[1], exchanged(node, left, right, _MOVED[name])))
            case ast.Subscript(slice=ast.Slice() as part):
                found += [
                    (SORTS[1], (bound, str(bound.value + 1)))
                    for bound in (part.lower, part.upper)
                    if isinstance(bound, ast.Constant) and isinstance(bound.value, int)
                ]
            case ast.IfExp(test=test):
                found.append((SORTS[2], (test, "False")))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
                found.append((SORTS[3], exchanged(node, left, right, _SIGNS[type(sign).__name__])))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found.append((SORTS[3], (node, source[slice(*span(operand))].decode())))
            case ast.If(test=test):
                found.append((SORTS[2], (test, "False")))
        for sort, change in found:
            if change is not None:
                start, end = span(change[0])
                yield Mutant(file, change[0].lineno, sort, start, end, source[start:end].decode(), change[1])


def _expressions(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """What runs when a function runs: no annotations, defaults, decorators, assertions in blocks, text in braces."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                yield from ([statement] if isinstance(statement, ast.If) else ())
                yield from _expressions(statement, True)
        elif not isinstance(node, ast.JoinedStr | ast.Assert | ast.AnnAssign | ast.arguments):
            if inside:
                yield node
            yield from _expressions(node, inside)


def choose(checkout: Path, seed: int, count: int) -> list[Mutant]:
    """So many faults, in turn from every room, in turn of every sort."""
    by_room: dict[str, dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((checkout / "bgtools").rglob("*.py")):
        file = path.relative_to(checkout).as_posix()
        for mutant in mutants_of(file, path.read_bytes()):
            by_room[mutant.room][mutant.sort].append(mutant)
    rng = random.Random(seed)
    rooms = sorted(by_room)
    rng.shuffle(rooms)
    chosen: list[Mutant] = []
    while len(chosen) < count:
        room = rooms[len(chosen) % len(rooms)]
        sort = rng.choice(sorted(by_room[room]))
        mutant = rng.choice(by_room[room][sort])
        if mutant not in chosen:
            chosen.append(mutant)
    return chosen


# --- who comes by ---------------------------------------------------------------------------

_NOTES = '''"""Notes in a folder which test comes by a place; processes that a test has started note it too."""
import os
from zlib import crc32

FOLDER = {folder!r}
_seen = set()
os.register_at_fork(after_in_child=_seen.clear)


def note(number):
    if number in _seen:
        return
    _seen.add(number)
    process = os.getpid()
    try:
        while process > 1:
            try:
                with open(f"{{FOLDER}}/now-{{process}}", "rb") as told:
                    test = told.read()
                break
            except OSError:
                with open(f"/proc/{{process}}/stat") as state:
                    process = int(state.read().rpartition(")")[2].split()[1])
        else:
            return
        handle = os.open(f"{{FOLDER}}/by-{{number}}-{{crc32(test)}}", os.O_WRONLY | os.O_CREAT, 0o666)
        os.write(handle, test)
        os.close(handle)
    except OSError:
        pass
'''

_PLUGIN = """
import json, os, sys
import pytest
FOLDER = {folder!r}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    path = f"{{FOLDER}}/now-{{os.getpid()}}"
    with open(path, "w", encoding="utf-8") as told:
        told.write(item.nodeid)
    if noting := sys.modules.get("bgtools._noting"):
        noting._seen.clear()
    try:
        return (yield)
    finally:
        os.remove(path)


def pytest_runtest_logreport(report):
    if "PYTEST_XDIST_WORKER" not in os.environ and (report.when == "call" or report.failed):
        with open(f"{{FOLDER}}/times", "a", encoding="utf-8") as told:
            print(json.dumps([report.nodeid, report.duration, report.outcome]), file=told)
"""


def record(checkout: Path, mutants: Sequence[Mutant], marks: str, folder: Path) -> None:
    """Run all tests once; which of them comes by each place, and how long each takes, stands in the folder."""
    folder.mkdir(parents=True)
    with TemporaryDirectory(prefix="mutants-") as name:
        tree = _copy(checkout, Path(name) / "tree")
        (tree / "bgtools" / "_noting.py").write_text(_NOTES.format(folder=str(folder)))
        (tree / "noting_plugin.py").write_text(_PLUGIN.format(folder=str(folder)))
        by_file: dict[str, list[tuple[int, Mutant]]] = defaultdict(list)
        for number, mutant in enumerate(mutants):
            by_file[mutant.file].append((number, mutant))
        for file, several in by_file.items():
            source = (tree / file).read_bytes()
            opening: dict[int, str] = defaultdict(str)
            closing: dict[int, str] = defaultdict(str)
            for number, mutant in several:
                call = f'__import__("bgtools._noting", fromlist=["note"]).note({number})'
                opening[mutant.start] += f"({call}, ("
                closing[mutant.end] += "))[1]"
            for place in sorted({*opening, *closing}, reverse=True):
                source = source[:place] + (closing[place] + opening[place]).encode() + source[place:]
            ast.parse(source)
            (tree / file).write_bytes(source)
        _pytest(tree, ["-m", marks, "-p", "noting_plugin", "--tb=no"])
    (folder / "made").touch()


def _pytest(tree: Path, arguments: Sequence[str], seconds: float | None = None) -> tuple[int, str]:
    """Run pytest in a copy; its exit code, -1 where it takes too long, and what it prints."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=tree, capture_output=True, text=True, check=False, timeout=seconds,
            env={**os.environ, "PYTHONPATH": f"{tree}:{tree.parent}", "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout + done.stderr


def _copy(checkout: Path, tree: Path) -> Path:
    """A copy of what Git has of a checkout, a clone, beside the folder that the tests read."""
    subprocess.run(["git", "clone", "-q", str(checkout), str(tree)], check=True)
    beside = tree.parent / "shared"
    if (shared := checkout.parent / "shared").is_dir() and not beside.exists():
        beside.symlink_to(shared)
    return tree


# --- who finds it ---------------------------------------------------------------------------

_CHOOSING = '''
from pathlib import Path


def pytest_collection_modifyitems(items):
    """Keep the tests of a list, in its order. As arguments some could not be given: their names hold any sign."""
    listed = Path(__file__).with_name("tests.txt").read_text(encoding="utf-8").split("\\0")
    found = {item.nodeid: item for item in items}
    items[:] = [found[name] for name in listed if name in found]


def pytest_collectreport(report):
    pytest_runtest_logreport(report)  # a fault that shows as soon as a module of tests is imported


def pytest_runtest_logreport(report):
    if report.failed:
        with Path(__file__).with_name("failed.txt").open("a", encoding="utf-8") as told:
            told.write(report.nodeid + "\\0")
'''


def _first_failure(tree: Path, tests: Sequence[str], seconds: float) -> str | None:
    """The first of some tests that fails in a copy; they run in this order."""
    (tree.parent / "choosing.py").write_text(_CHOOSING, encoding="utf-8")
    (tree.parent / "tests.txt").write_text("\0".join(tests), encoding="utf-8")
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    plain = ["-m", "", "-n", "0", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "choosing"]
    code, printed = _pytest(tree, [*plain, *files], seconds)
    assert code in (-1, 0, 1, 2, 5), printed
    failed = tree.parent / "failed.txt"
    if not failed.exists():
        return None
    first = failed.read_text(encoding="utf-8").partition("\0")[0]
    failed.unlink()
    return first


@dataclass(frozen=True)
class Outcome:
    """What came of one fault."""

    mutant: Mutant
    came_by: int
    killer: str | None
    seconds: float


def try_one(
    checkout: Path, times: Mapping[str, float], most: float, number: int, mutant: Mutant, tests: Sequence[str]
) -> Outcome:
    """Plant a fault and run the tests that come by, the quick ones first."""
    began = time.monotonic()
    files = {test.partition("::")[0] for test in tests}
    # What is made once for several tests is noted with the first of them alone.
    others = sorted(test for test in times if test.partition("::")[0] in files and test not in set(tests))
    near = [test for test in tests if f"/{mutant.room}/" in test]
    ordered = dict.fromkeys((*sorted(near, key=times.__getitem__), *sorted(tests, key=times.__getitem__)))
    killer = None
    if ordered:
        with TemporaryDirectory(prefix="mutants-") as name:
            tree = _copy(checkout, Path(name) / "tree")
            path = tree / mutant.file
            sound = path.read_bytes()
            path.write_bytes(mutant.planted(sound))
            left, others = [*ordered], sorted(others, key=times.__getitem__)
            while left and killer is None:
                test = _first_failure(tree, left, max(most - (time.monotonic() - began), 1))
                if test is None:
                    left, others = others, []
                    most = min(most, time.monotonic() - began + 60)
                    continue
                path.write_bytes(sound)
                killer = test if _first_failure(tree, [test], most) is None else None
                path.write_bytes(mutant.planted(sound))
                left = left[left.index(test) + 1 :] if test in left else []
    outcome = Outcome(mutant, len(tests), killer, time.monotonic() - began)
    word = f"killed by {killer}" if killer else "NOT KILLED"
    print(f"{number:>3} {mutant}\n    {len(tests)} tests came by; {word} ({outcome.seconds:.0f} s)", flush=True)
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose, record, plant, and print what came of each; 0 whatever it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="how many faults")
    parser.add_argument("--marks", default="not thorough", help="which tests, as pytest's -m")
    parser.add_argument("--only", default="", help="the numbers of some of these faults")
    parser.add_argument(
        "--checkout", type=Path, default=HERE, help="another checkout of bgtools; what it commits counts"
    )
    parser.add_argument("--record", type=Path, help="where to keep which tests come by")
    parser.add_argument("--most", type=float, default=900, help="seconds after which a fault counts as not found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many faults are tried side by side")
    parser.add_argument("--list", action="store_true", help="print the faults, and run nothing")
    options = parser.parse_args(arguments)
    checkout = options.checkout.resolve()
    mutants = choose(checkout, options.seed, options.count)
    if options.list:
        print("\n".join(f"{number:>3} {mutant}" for number, mutant in enumerate(mutants)))
        return 0
    with TemporaryDirectory(prefix="mutants-") as name:
        folder = (options.record or Path(name) / "record").resolve()
        if not (folder / "made").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            began = time.monotonic()
            record(checkout, mutants, options.marks, folder)
            print(f"all tests once: {time.monotonic() - began:.0f} s", flush=True)
        times: dict[str, float] = {}
        for text in (folder / "times").read_text(encoding="utf-8").splitlines():
            test, seconds, how = json.loads(text)
            if how == "passed":
                times[test] = seconds
        came: dict[int, list[str]] = defaultdict(list)
        for path in sorted(folder.glob("by-*")):
            if (test := path.read_text(encoding="utf-8")) in times:
                came[int(path.name.split("-")[1])].append(test)
    chosen = [int(each) for each in options.only.split(",")] if options.only else range(len(mutants))
    assert chosen, "nothing is tried"
    with ThreadPoolExecutor(options.jobs) as pool:
        trying = partial(try_one, checkout, times, options.most)
        outcomes = list(pool.map(lambda number: trying(number, mutants[number], came[number]), chosen))
    killed = sum(outcome.killer is not None for outcome in outcomes)
    print(f"seed {options.seed}: {killed} of {len(outcomes)} killed by tests that are {options.marks or 'all'}")
    left = [str(number) for number, outcome in zip(chosen, outcomes, strict=True) if outcome.killer is None]
    if left:
        print(f"not killed: --only {','.join(left)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
