"""Write the expected texts beside the records: `python tests/checks/accept.py`. Read the difference before it is kept.

For every code there is `data/BGxxx.bad.mat`, in which it is found, its neighbour `data/BGxxx.good.mat`, in which
nothing is, and `data/BGxxx.txt`, what `bgtools check` prints about the bad one.
"""

from __future__ import annotations

from pathlib import Path

from bgtools.formats.content import FormatError
from bgtools.formats.reading import about_file, read_source
from bgtools.reports.findings import full
from support import check_and_offer

DATA = Path(__file__).with_name("data")


def printed(record: Path) -> str:
    """What `bgtools check` prints about a record, called by its bare name."""
    try:
        matches = read_source(record.read_bytes(), record.name)
    except FormatError as error:
        matches = (about_file(record.name, str(error)),)
    return "".join(
        f"{full(finding, match.source)}\n\n" for match in matches if match.source for finding in check_and_offer(match)
    )


if __name__ == "__main__":
    for bad in sorted(DATA.glob("*.bad.mat")):
        bad.with_name(bad.name.replace(".bad.mat", ".txt")).write_text(printed(bad), encoding="utf-8")
