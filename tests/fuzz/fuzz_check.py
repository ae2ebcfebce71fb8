"""Ruin records at random, and see that reading, checking and showing them never fails.

``python tests/fuzz/fuzz_check.py --seconds 60`` runs every target of `fuzz.targets` for its share of a minute. With
atheris the mutations follow what they reach in the code; without it they are blind. A failure is told by its
traceback, once for each place in the code it comes from, and the input that made it is kept; the exit status is 1
then. What a conversion gives back otherwise (BG599) is kept too, but is not a failure.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import multiprocessing
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

if TYPE_CHECKING:
    from types import FrameType

    from fuzz.targets import Target

HANGS = 60
"""Seconds of processor time after which an input is taken to hang."""


class Hang(BaseException):
    """An input takes too long; no handler of the library may swallow that."""


class Judge:
    """Examines inputs, and keeps those that fail."""

    def __init__(self, target: Target, kept: Path) -> None:
        self.target = target
        self.kept = kept
        self.count: Counter[str] = Counter()
        self.seen: set[str] = set()
        signal.signal(signal.SIGVTALRM, _hangs)

    def __call__(self, data: bytes) -> None:
        """Examine an input."""
        signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
        try:
            word, _, change = self.target.examine(data).partition(" ")
            self.count[word] += 1
            if change:
                self._keep(data, f"BG599-{change.split(':')[0].removeprefix('by ')}", change)
        except (Exception, Hang) as error:
            self.count["failed"] += 1
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{type(error).__name__} in {Path(frames[-1].filename).name}:{frames[-1].lineno}"
            if self._keep(data, place, "".join(traceback.format_exception(error))):
                print(f"{self.target.name}: {place}: {ascii(str(error))[:300]}", file=sys.stderr, flush=True)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _keep(self, data: bytes, place: str, told: str) -> bool:
        """Keep an input, if it is the first of its kind."""
        if place in self.seen:
            return False
        self.seen.add(place)
        name = f"{self.target.name}-{place.replace(' ', '-').replace(':', '-')}"
        (self.kept / f"{name}.input").write_bytes(data)
        ending = "changed" if place.startswith("BG599") else "txt"
        (self.kept / f"{name}.{ending}").write_text(told, encoding="utf-8", errors="backslashreplace")
        return True


def _hangs(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Hang(f"more than {HANGS} s")


def blindly(judge: Judge, seeds: list[bytes], seconds: float, seed: int) -> None:
    """Mutate the seeds, and the result of them, for a time."""
    from fuzz.mutations import mutate

    rng = random.Random(seed)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        judge(mutate(rng, rng.choice(seeds), seeds, largest=judge.target.largest))


def guided(judge: Judge, seeds: list[bytes], seconds: float, seed: int, corpus: Path) -> NoReturn:
    """Let libFuzzer choose what to mutate; it ends the process."""
    from fuzz.mutations import mutate

    atheris: Any = importlib.import_module("atheris")

    def mutator(data: bytes, largest: int, number: int) -> bytes:
        rng = random.Random(number)
        if rng.random() < 0.4:
            return bytes(atheris.Mutate(data, largest))
        return mutate(rng, data, seeds, largest=largest)

    # A folder each: what one reader learns from is nothing to another, which would spend its time on reading it.
    corpus /= judge.target.name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-max_len={judge.target.largest}",
        f"-seed={seed}",
        "-len_control=0",
        "-timeout=36000",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
        "-verbosity=0",
        f"-artifact_prefix={judge.kept}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], judge, custom_mutator=mutator)
    atheris.Fuzz()
    raise AssertionError("libFuzzer ends the process")


def _work(name: str, arguments: argparse.Namespace, *, blind: bool) -> None:
    """Fuzz one target."""
    from fuzz.targets import BY_NAME

    target = BY_NAME[name]
    judge = Judge(target, arguments.keep)
    seeds = [data[: target.largest] for data in target.seeds(ours=arguments.ours)]
    if not blind:
        guided(judge, seeds, arguments.seconds, arguments.seed, arguments.corpus or arguments.keep / "corpus")
    blindly(judge, seeds, arguments.seconds, arguments.seed)
    print(f"{target.name}: {', '.join(f'{count:,} {what}' for what, count in sorted(judge.count.items()))}")


def _import_all() -> None:
    """Import the library where it is watched: it imports much of itself only when it is used."""
    import bgtools

    for path in sorted(Path(bgtools.__path__[0]).rglob("*.py")):
        parts = path.relative_to(Path(bgtools.__path__[0]).parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if parts[-1] != "__main__" and parts[1:2] != ("engines",):
            importlib.import_module(name)


def main() -> int:
    """Run the targets one after the other; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--target", help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the inputs that failed; a temporary one by default")
    parser.add_argument("--corpus", type=Path, help="folder in which libFuzzer gathers inputs from run to run")
    parser.add_argument("--ours", action="store_true", help="begin with nothing but what this project has made")
    parser.add_argument("--blind", action="store_true", help="do without atheris")
    arguments = parser.parse_args()
    from fuzz.targets import BY_NAME, made_matches

    if arguments.target not in (None, *BY_NAME):
        parser.error(f"no target {arguments.target}; there are {', '.join(BY_NAME)}")
    blind = arguments.blind or importlib.util.find_spec("atheris") is None
    if blind and not arguments.blind:
        print("atheris is not installed: the mutations are blind")
    arguments.keep = kept = arguments.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    kept.mkdir(parents=True, exist_ok=True)
    names = [arguments.target] if arguments.target else list(BY_NAME)
    arguments.seconds /= len(names)
    if not blind:
        # Once for all targets: it takes longer than a target has.
        atheris: Any = importlib.import_module("atheris")
        with atheris.instrument_imports(include=["bgtools"], enable_loader_override=False):
            _import_all()
    made_matches()  # once for all targets that begin with them
    forks = "fork" in multiprocessing.get_all_start_methods()
    processes = multiprocessing.get_context("fork" if forks else None)
    failed = False
    for name in names:
        # A process each: libFuzzer ends the one that it runs in.
        worker: Any = processes.Process(target=_work, args=(name, arguments), kwargs={"blind": blind})
        worker.start()
        worker.join()
        failed = failed or worker.exitcode != 0
    failures = sorted(path.name for path in kept.glob("*.txt"))
    for failure in failures:
        print(f"{kept / failure}:\n{(kept / failure).read_text(encoding='utf-8')}")
    print(f"{len(failures)} failures" + (f"; the inputs are in {kept}" if failures else ""))
    return 1 if failures or failed else 0


if __name__ == "__main__":
    sys.exit(main())
