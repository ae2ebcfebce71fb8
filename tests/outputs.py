"""A net under changes that are to change nothing: what every command prints and writes, as a digest per output.

    python tests/outputs.py            compares with what is kept, and lists what differs
    python tests/outputs.py --accept   keeps what is there now
    python tests/outputs.py --write DIR   writes the outputs themselves, for `diff -r` between two versions

Every command of the README and of the documents is here, in every layout that it has. Versions, days, times and
folders are masked; of a picture only its size counts, and of a binary file what is in it.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import struct
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import bgtools
import program
from annotated import STYLES, analysed

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = Path(__file__).with_name("data") / "outputs.json"

_RECORD: Final = "match.mat"
_HOLDS: Final = "analysed.sgf"
_ID: Final = shlex.quote("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
_BOX: Final = shlex.quote("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10")
_TABLES: Final = (
    "decisions", "choices", "turns", "games", "players", "breakdown", "races", "dice", "findings",
)  # fmt: skip


def commands() -> Iterator[str]:
    """Every command, as one would type it after ``bgtools``; ``< FILE`` is its standard input."""
    yield from ("--version", "--help", "", _RECORD, "nothing-of-the-kind", "--show-completion")
    for name in (
        "benchmark", "blunders", "cache", "check", "convert", "diff", "formats", "library", "lsp", "mcp", "merge",
        "met", "quiz", "ratings", "report", "rule", "same", "show", "table",
        *(f"library {each}" for each in (
            "add", "alias", "analyse", "check", "dice", "export", "find", "info", "open", "openings", "player",
            "players", "sql", "trend", "versus", "watch",
        )),
    ):  # fmt: skip
        yield f"{name} --help"
    yield from _checks()
    yield from _pairs()
    yield from _boards()
    yield from _figures()
    yield from _library()
    yield from (
        "report samples/one-point.mat --level quick -o out",
        f"show {_ID} --engine sage",
        f"show {_BOX} --engine sage",
        f"show {_BOX} --scores --to 3 --level quick",
        f"show {_ID} --cubes --level quick -o grid.svg",
    )


def _checks() -> Iterator[str]:
    for layout in ("full", "concise", "json", "sarif", "github", "gitlab", "junit"):
        yield f"check samples/five-slips.mat --format {layout}"
        yield f"check matches/ damaged.mat nothing.mat --format {layout}"
    for options in (
        "--profile strict", "--profile lenient", "--select BG2", "--ignore BG203", "--severity BG220=off", "--quiet",
        "--fail-on warning", "--rules no-crawford,beavers=2 --show-rules", "--statistics", "--statistics --format json",
        "--summary", "--summary --format csv", "--summary --format json", "--diff", "--diff --unsafe-fixes", "--fix",
        "--fix --unsafe-fixes --backup", "--fix --fix-only", "--fix --boards", "--settings none", "-j 2",
    ):  # fmt: skip
        yield f"check {options} damaged.mat samples/money.mat"
    yield from ("check - < damaged.mat", "check --fix - < damaged.mat", "check empty/", "check noise.txt")
    yield from ("rule BG203", "rule BG999", "rule --all", "rule --all --format json", "rule BG204 --format json")
    yield from ("formats", "formats mat", "formats sgf --format json", "formats --format json", "formats nothing")


def _pairs() -> Iterator[str]:
    for name in (
        "mat",
        "sgf",
        "xg",
        "xgp",
        "ogxm",
        "snowie",
        "gam",
        "pos",
        "sgg",
        "tmg",
        "oldmoves",
        "bgblitz",
        "json",
    ):
        yield f"convert {_HOLDS} out.bin --to {name}"
        yield f"convert samples/money.mat out.bin --to {name} --strict"
    for dialect in ("gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio"):
        yield f"convert {_RECORD} out.mat --to mat:{dialect}"
    yield f"convert {_HOLDS} - --to mat --allow BG501 --quiet"
    yield "convert matches/ converted/ --to json --skip-existing"
    yield f"convert damaged.mat {_RECORD}"
    for notation in ("ogid", "xgid", "gnubg", "fibs", "snowie"):
        yield f"convert --positions --to {notation} ids.txt"
    for layout in ("full", "concise", "json", "html"):
        yield f"diff a.mat b.mat --format {layout}"
    yield from ("diff a.mat b.mat --stat", "diff a.mat b.mat --boards", f"diff {_RECORD} samples/money.mat")
    yield f"diff {_HOLDS} other.sgf --analysis"
    yield from ("same a.mat b.mat match.sgf matches/", "same a.mat b.mat match.sgf --format json")
    for options in ("", "--explain", "--format json", "--prefer B"):
        yield f"merge a.mat b.mat match.sgf -o out.mat {options}"


def _boards() -> Iterator[str]:
    for options in (
        "--game 2 --row 5:2", "--line 38", "--line 38:10", "-g 1 -t 1 --ids", "-e 4 --flip", "-g 2 -t 3 --format json",
        "-g 2 -t 3 --format svg", "-g 99", "-o board.svg", "-o board.png", "-o board.pdf", "--home left -o left.svg",
    ):  # fmt: skip
        yield f"show {_RECORD} {options}"
    for style in ("own", "gnubg", "xg", "fibs"):
        yield f"show {_ID} --board {style}"
        yield f"show {_BOX} --board {style} --ids"
    yield from (f"show {_ID} --play 8/5,6/5 -o play.svg", f"show {_ID} --format json", "show board.txt", "show XGID=no")
    yield from (f"show {_HOLDS} -g 1 -t 3", f"show {_HOLDS} -g 1 -t 3 --format json")
    for layout in ("text", "json", "csv", "xml", "met"):
        yield f"met --format {layout}"
    yield from (
        "met --list",
        "met g11",
        "met --at 5,3",
        "met --at 5,3 --cube 2 --format json",
        "met --at 0,3",
        "met no",
    )


def _figures() -> Iterator[str]:
    yield from (
        f"report {_RECORD} --engine none -o out", f"report {_HOLDS} --engine file -o out --details --boards",
        f"report {_HOLDS} --engine file -o out --format md", "report samples/money.mat --engine none -o out --no-page",
        "report damaged.mat --engine none -o out", f"report {_HOLDS} --engine file --luck gnubg30 -o out",
        f"report {_RECORD} --engine file -o out", "report noise.txt --engine none -o out",
    )  # fmt: skip
    for table in _TABLES:
        yield f"table {table} {_HOLDS} {_RECORD} --engine file"
    for end in ("csv", "json", "jsonl", "parquet", "xlsx"):
        yield f"table decisions {_HOLDS} --engine file -o rows.{end}"
    yield from (f"table games {_RECORD} --columns file,game,winner,points", f"table games {_RECORD} --columns fil")
    yield from (f"ratings {_HOLDS} other.sgf --engine file", f"ratings {_HOLDS} --engine file --format json")
    for end in ("html", "pdf", "apkg"):
        yield f"blunders {_HOLDS} other.sgf --engine file -o lessons.{end}"
    yield f"blunders {_HOLDS} --engine file --theme blitz --by avoidable --top 50 -o lessons.html"
    yield f"quiz {_HOLDS} --engine file --top 3 < answers.txt"
    yield f"benchmark {_HOLDS} --engine none"


def _library() -> Iterator[str]:
    yield from ("library info --library none", "library add matches/ --library new")
    for question in (
        "info", "players --sort pr", "players --format csv", "players --format json", "player 'Nora Lindholm'",
        "player 'Nora Lindholm' --format json", "player 'Nora Lindholm' -o nora.html", "player Nobody",
        "versus 'Nora Lindholm' 'Peter Marsh'", "versus 'Nora Lindholm' 'Peter Marsh' -o them.html",
        "trend 'Nora Lindholm' --rolling 2", "trend 'Nora Lindholm' -o trend.svg", "openings --least 1",
        "openings --replies --dice 31 --played '8/5 6/5' --player 'Nora Lindholm'", "dice", "dice --by place",
        "dice --format json", f"find {_ID}", f"find {_ID} --board --format json",
        "find --prime 3.. --format boards --limit 2", "find --on-bar opponent --lead 20.. --format csv", "check",
        "find --theme blitz --loss .05.. --by loss -o lessons.html", "find --prime", "find --format ids --cube centred",
        "alias --list", "alias --suggest", "alias 'P. Marsh' 'Peter Marsh'",
        "sql 'SELECT person, count(*) FROM players GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 5'", "sql 'SELECT nothing'",
        "sql 'SELECT game, turn, dice FROM turns ORDER BY ALL LIMIT 5' --format jsonl",
        "export turns -o turns.csv", "export records -o records/ --to sgf", "check --tidy", "check --rebuild",
    ):  # fmt: skip
        yield f"library {question} --library library"


def prepare(folder: Path) -> None:
    """Make the files that the commands take."""
    shutil.copytree(ROOT / "samples", folder / "samples", ignore=shutil.ignore_patterns("plugin", "README.md"))
    with chdir(folder):
        sample = Path("samples", "seven-point.mat").read_text("utf-8")
        for name in (_RECORD, "a.mat"):
            Path(name).write_text(sample, "utf-8")
        Path("b.mat").write_text(sample.replace("10/6 23/22", "10/6 10/9", 1), "utf-8")
        shutil.copy(Path("samples", "five-slips.mat"), "damaged.mat")
        match = bgtools.read(_RECORD)
        bgtools.write(match, "match.sgf")
        for seed, name in ((1, _HOLDS), (2, "other.sgf")):
            bgtools.write(analysed(match, seed, STYLES[2]), name)
        Path("ids.txt").write_text(f"{shlex.split(_ID)[0]}\n{shlex.split(_BOX)[0]}\nnonsense\n", "utf-8")
        Path("board.txt").write_text(program.bgtools("show", shlex.split(_ID)[0]).stdout, "utf-8")
        Path("noise.txt").write_text("What a game that was!\n", "utf-8")
        Path("answers.txt").write_text("double\nno double\n1\n", "utf-8")
        Path("empty").mkdir()
        Path("matches").mkdir()
        for path in (Path("samples", "one-point.mat"), Path("samples", "money.mat"), Path(_HOLDS)):
            shutil.copy(path, "matches")
        program.bgtools("library", "add", "matches/", "--library", "library")


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a command printed and wrote.

    Attributes:
        files: the masked contents, by name; ``<out>`` and ``<err>`` are the standard streams, ``<end>`` the exit code.
    """

    files: dict[str, bytes]

    def digests(self) -> dict[str, str]:
        """The beginning of the SHA-256 of every output."""
        return {name: hashlib.sha256(content).hexdigest()[:16] for name, content in sorted(self.files.items())}


def run(command: str, template: Path) -> Outputs:
    """Run a command in a copy of a prepared folder."""
    words, _, given = command.partition(" < ")
    with tempfile.TemporaryDirectory(prefix="outputs-") as name:
        folder = Path(name, "work")
        shutil.copytree(template, folder)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        stdin = Path(folder, given).read_bytes() if given else b""
        environment = {"COLUMNS": "100", "TZ": "UTC", "BGTOOLS_DATA": str(Path(name, "data"))}
        with chdir(folder):
            done = program.bgtools(*shlex.split(words), stdin=stdin, environment=environment)
        files = {
            path.relative_to(folder).as_posix(): _content(path, folder)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and before.get(path) != path.read_bytes() and not _is_storage(path, folder)
        }
        streams = {"<out>": done.stdout, "<err>": done.stderr, "<end>": str(done.returncode)}
        return Outputs({**{each: _masked(text, folder).encode() for each, text in streams.items()}, **files})


def _is_storage(path: Path, folder: Path) -> bool:
    """Whether a file belongs to a library, whose names are drawn by lot."""
    return path.relative_to(folder).parts[0] in ("library", "new")


_MASKS: Final = (
    (re.compile(rf"{re.escape(bgtools.__version__)}"), "VERSION"),
    (re.compile(r"(?<!\d)20[2-9]\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?)?"), "TIME"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|seconds)\b"), "SECONDS"),
    (re.compile(r'base64,[\w+/=]+'), "BASE64"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "HEX"),
)  # fmt: skip


def _masked(text: str, folder: Path) -> str:
    text = text.replace(str(folder.resolve()), "FOLDER").replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text


def _content(path: Path, folder: Path) -> bytes:
    """What is in a file, without what depends on the day or on a library that drew it."""
    content = path.read_bytes()
    if content.startswith(b"\x89PNG"):
        return "a picture of {} x {}".format(*struct.unpack(">II", content[16:24])).encode()
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(sorted(archive.namelist())).encode()
    if content.startswith(b"PAR1"):
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(path)
        return f"{table.schema.remove_metadata()}\n{table.to_pylist()}".encode()
    if content.startswith(b"%PDF"):
        return f"{content.count(b'/Type /Page ')} pages".encode()
    if path.suffix == ".svg" and b"matplotlib" in content:
        return b"a chart"
    try:
        return _masked(content.decode("utf-8"), folder).encode()
    except UnicodeDecodeError:
        return content


def collect(wanted: Iterable[str]) -> dict[str, Outputs]:
    """The outputs of these commands."""
    return {command: run(command, template()) for command in dict.fromkeys(wanted)}


@cache
def template() -> Path:
    """The folder that every command gets a copy of, prepared once."""
    folder = Path(_temporary())
    prepare(folder)
    return folder


def _temporary() -> str:
    """A folder that goes when the process ends."""
    name = tempfile.mkdtemp(prefix="outputs-")
    atexit.register(shutil.rmtree, name, ignore_errors=True)
    return name


def kept() -> dict[str, dict[str, str]]:
    """The digests that are kept: by command, then by output."""
    text = KEPT.read_text("utf-8") if KEPT.exists() else "{}"
    digests: dict[str, dict[str, str]] = json.loads(text)
    return digests


def differences(found: dict[str, Outputs], expected: dict[str, dict[str, str]]) -> list[str]:
    """The outputs that are not as they are kept, one per line."""
    now = {command: outputs.digests() for command, outputs in found.items()}
    return [
        f"{command}: {name}"
        for command in sorted(now.keys() | expected.keys())
        for name in sorted(now.get(command, {}).keys() | expected.get(command, {}).keys())
        if now.get(command, {}).get(name) != expected.get(command, {}).get(name)
    ]


def main(arguments: list[str]) -> None:
    """Compare, accept, or write the outputs themselves."""
    os.environ.setdefault("BGTOOLS_CACHE", _temporary())
    found = collect(commands())
    if arguments[:1] == ["--write"]:
        for number, (command, outputs) in enumerate(found.items()):
            folder = Path(arguments[1], f"{number:03} " + re.sub(r"[^\w.-]+", "_", command)[:80])
            for name, content in outputs.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        return
    differing = differences(found, kept())
    print(*differing, sep="\n")
    print(f"{len(found)} commands, {sum(len(each.files) for each in found.values())} outputs, {len(differing)} differ")
    if arguments == ["--accept"]:
        digests = {command: outputs.digests() for command, outputs in found.items()}
        KEPT.write_text(json.dumps(digests, indent=0, ensure_ascii=False) + "\n", "utf-8")
    elif differing:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
