"""What a change costs while a record is typed: ``python tests/benchmarks/keystrokes.py [FILE [CHANGES]]``.

Letters are changed, lost and put in within the rolls of a record, and what the language server does before its first
answer is measured in processor time, so that a busy machine counts little; then that of the second answer.
"""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path
from statistics import median

from bgtools.editor.document import Document

SAMPLE = Path(__file__).parents[2] / "samples" / "seven-point.mat"


def changes(text: str, count: int) -> list[str]:
    """The text with one letter changed in each."""
    rng, cells = random.Random(1), [*re.finditer(r"\d\d: [\d/* ()barof]+\d", text)]
    made = []
    for _ in range(count):
        cell = rng.choice(cells)
        at, kind = rng.randrange(cell.start(), cell.end()), rng.choice(["change", "lose", "put in"])
        letter = "" if kind == "lose" else rng.choice("0123456789/")
        made.append(text[:at] + letter + text[at + (kind != "put in") :])
    return made


def spent(work: object) -> float:
    """Milliseconds of processor time that something takes."""
    begin = time.process_time()
    work()  # type: ignore[operator]
    return 1000 * (time.process_time() - begin)


def told(name: str, times: list[float]) -> str:
    """A line of figures."""
    times = sorted(times)
    return (
        f"{name}: median {median(times):.0f} ms, 95 of 100 within {times[int(0.95 * (len(times) - 1))]:.0f} ms, "
        f"most {times[-1]:.0f} ms"
    )


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    text = path.read_bytes().decode("utf-8", "replace")
    document = Document(str(path), text)
    document.judged_in_full()
    first, second = [], []
    for changed in changes(text, int(sys.argv[2]) if len(sys.argv) > 2 else 100):
        document.change(changed)
        first.append(spent(document.checked))
        second.append(spent(document.judged_in_full))
    print(told("first answer", first))
    print(told("second answer", second))
