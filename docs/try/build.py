"""Build the page in which bgtools runs: `python docs/try/build.py OUT`.

All of OUT is static: any host serves it, also in a subfolder, and nothing in it asks another one. What is needed:

* pip, which fetches bgsage's source distribution and lark, and makes bgtools' wheel;
* the package ``ziglang``, whose compiler makes the engine (``pip install 'bgtools-backgammon[wasm]'``);
* npm, which fetches Pyodide, the Python of the page.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE / "engine")]

PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LARK = "lark>=1.2"
NOT_SHIPPED = re.compile(
    r"bgtools/(?:assistant|cli|editor|library|reports/(?:notebook|notebook_html|figures|pictures|sheets|careers))\b|.*/RECORD$"
)
"""What a page has no use for: commands, servers, notebooks, the library of matches, and pictures by matplotlib."""
SAMPLES = ("seven-point.mat", "five-slips.mat", "money.mat")
SIZES = {"to load": 30_000_000, "compressed": 16_000_000}
"""What all files that a visit loads may have in bytes."""


def build(out: Path, *, engine: Path | None = None, pyodide: Path | None = None) -> None:
    """Build the page into a folder.

    Args:
        out: the folder.
        engine: a folder that `build_engine.build` has made; None to build it.
        pyodide: the unpacked package; None to fetch it by npm.

    Raises:
        SystemExit: something that is needed is missing, or the page has become too large.
    """
    from build_engine import build as build_engine

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        if engine is None:
            engine = work / "engine"
            build_engine(engine)
        for name in ("sage.wasm", "sage.bin", "sage.json"):
            shutil.copyfile(engine / name, out / name)
        source = pyodide or _pyodide(work)
        (out / "pyodide").mkdir(exist_ok=True)
        for name in RUNTIME:
            shutil.copyfile(source / name, out / "pyodide" / name)
        _pack(work, out / "bgtools.zip")
    for name in ("try.js", "worker.mjs", "machine.mjs"):
        shutil.copyfile(HERE / "page" / name, out / name)
    shutil.copyfile(HERE / "python" / "web_api.py", out / "web_api.py")
    (out / "samples").mkdir(exist_ok=True)
    for name in SAMPLES:
        shutil.copyfile(ROOT / "samples" / name, out / "samples" / name)
    _write_page(out)
    _write_service(out)
    _measure(out)


def _pyodide(work: Path) -> Path:
    from build_engine import unpack

    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("this needs npm, which fetches Pyodide; it comes with Node.js")
    _run([npm, "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", str(work)], cwd=work)
    unpack(next(work.glob("pyodide-*.tgz")), work)
    return work / "package"


def _pack(work: Path, target: Path) -> None:
    """bgtools and lark as one archive, without what the page has no use for; equal for equal input."""
    wheels = work / "wheels"
    _run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)])
    _run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(wheels), LARK]
    )
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for wheel in sorted(wheels.glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for name in sorted(archive.namelist()):
                    if not NOT_SHIPPED.match(name):
                        packed.writestr(zipfile.ZipInfo(name), archive.read(name), zipfile.ZIP_DEFLATED, 9)


def _write_page(out: Path) -> None:
    """The page, its style and the script of reports: those of a report, and a little more."""
    from bgtools._version import __version__
    from bgtools.drawing.board import geometry
    from bgtools.reports.page.writing import PAGE_SCRIPTS, page_field, page_script, page_style

    (out / "try.css").write_text(f"{page_style()}\n{_part('try.css')}", encoding="utf-8")
    (out / "report.js").write_text(page_script(PAGE_SCRIPTS), encoding="utf-8")
    bare = {"drawing": geometry(), "players": ["Who is on roll", "The other player"]}
    start = f'"use strict";\nconst data = {json.dumps(bare, separators=(",", ":"))};\n'
    editor = page_script(("rules.js", "board.js", "edit.js"), start, "globalThis.bgtoolsEditor = editor;\n")
    (out / "edit.js").write_text(editor, encoding="utf-8")
    engine = json.loads((out / "sage.json").read_text(encoding="utf-8"))
    told = {"version": __version__, "engine": engine["version"], "licence": engine["licence"], "pyodide": PYODIDE}
    told["field"] = page_field()
    text = re.sub(r"@(\w+)@", lambda found: told.get(found[1], found[0]), _part("index.html"))
    (out / "index.html").write_text(text, encoding="utf-8")


def _write_service(out: Path) -> None:
    """The service worker, with the name and the digest of every file: one build is served whole, or not at all."""
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    files = [name for name in files if name != "service.js"]
    digests = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in files}
    build_name = hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:16]
    text = _part("service.js").replace("@build@", build_name).replace('"@files@"', json.dumps(digests))
    (out / "service.js").write_text(text, encoding="utf-8")


def _measure(out: Path) -> None:
    """Refuse a page that takes too long to load."""
    import gzip

    files = [path for path in out.rglob("*") if path.is_file() and "samples" not in path.parts]
    found = {
        "to load": sum(path.stat().st_size for path in files),
        "compressed": sum(len(gzip.compress(path.read_bytes(), 6, mtime=0)) for path in files),
    }
    for name, most in SIZES.items():
        if found[name] > most:
            raise SystemExit(f"the page has {found[name]:,} bytes {name}; {most:,} are the most")
    print(", ".join(f"{size:,} bytes {name}" for name, size in found.items()))


def _part(name: str) -> str:
    return (HERE / "page" / name).read_text(encoding="utf-8")


def _run(command: list[str], **more: Any) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/try/build.py OUT")
    build(Path(sys.argv[1]).resolve())
