"""Build the engine of the page: bgsage as a WebAssembly module, and what it reads.

    python docs/try/engine/build_engine.py [--standard] OUT

With ``--standard`` exceptions are those of WebAssembly 3, which wasmtime wants; else those that all browsers know.
It takes bgsage's published source distribution (MPL-2.0) and the compiler of the package ``ziglang``. It writes to OUT:

* ``sage.wasm``: bgsage's networks, search and cube, and bgtools' endings (``endings.cpp``); see ``sage_web.cpp``;
* ``sage.bin``: the networks in full precision, bgsage's table of bear-offs, and the small network of bgtools' races;
* ``sage.json``: where each of them is in there, the version and the licence.

bgsage's source is not patched: ``shim/immintrin.h`` gives its AVX2 path as WebAssembly's SIMD, so that its values are
those of a wheel for x86-64. Its fallback for other processors looks the sigmoid up in a table and is up to .005 off.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BGSAGE = "2.0.20260907"
"""The version whose values are tried against the wheel's."""
LICENCE = "MPL-2.0"
SOURCES = [
    "board",
    "moves",
    "encoding",
    "neural_net",
    "strategy",
    "pubeval",
    "cube",
    "cube_eval",
    "match_equity",
    "bearoff",
    "multipy",
]
EXPORTS = [
    "alloc",
    "free",
    "error",
    "file",
    "open",
    "moves",
    "is_race",
    "cube_life",
    "post_move",
    "cube",
    "search",
    "network",
    "mean_rolls",
    "chances_of_rolls",
    "first_off",
    "worth_following",
    "race",
    "side",
    "side_size",
    "side_boards",
    "table",
    "table_bytes",
    "look",
    "trailer",
    "lost",
    "forget",
]
PLANES = 4
TARGET = ["-target", "wasm32-wasi", "-mexec-model=reactor", "-fwasm-exceptions", "-mexception-handling", "-msimd128"]
FAST = ["-O3", "-DNDEBUG", "-fno-math-errno", "-Wno-everything"]
STANDARD = ["-mllvm", "-wasm-use-legacy-eh=false"]
"""Exceptions as WebAssembly 3 has them. Browsers know these and the older ones; wasmtime knows only these."""


def build(out: Path, *, source: Path | None = None, standard: bool = False) -> None:
    """Fetch, compile, link and pack.

    Args:
        out: the folder to write to.
        source: the unpacked source distribution; None to fetch it by pip.
        standard: whether exceptions are WebAssembly 3's, for wasmtime.
    """
    _compiler()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        source = source or _fetched(work / "sdist")
        more = STANDARD if standard else []
        objects = _runtime(work, more)
        units = [source / "cpp/src" / f"{name}.cpp" for name in SOURCES]
        units += [HERE / f"{name}.cpp" for name in ("endings", "sage_web")]
        running = []
        for path in units:
            first = "as_x86.h" if path.stem == "neural_net" else "one_thread.h"
            objects.append(work / f"{path.stem}.o")
            command = _zig("c++", *TARGET, *more, *FAST, "-std=c++17", f"-I{HERE / 'shim'}", f"-I{HERE}",
                           f"-I{source / 'cpp/include'}", "-include", HERE / "shim" / first, "-c", path, "-o",
                           objects[-1])  # fmt: skip
            running.append(subprocess.Popen(command))
            if len(running) > 2:
                _ended(running.pop(0))
        for each in running:
            _ended(each)
        exported = (f"-Wl,--export=sage_{name}" for name in EXPORTS)
        _run(_zig("c++", *TARGET, *more, "-O3", "-s", *exported, "-Wl,-z,stack-size=4194304", *objects, "-o",
                  out / "sage.wasm"))  # fmt: skip
        _pack(source, out)


def _fetched(folder: Path) -> Path:
    """The sources, by pip."""
    _run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "bgsage",
          f"bgsage=={BGSAGE}", "-d", folder])  # fmt: skip
    archive = next(folder.glob("bgsage-*.tar.gz"))
    unpack(archive, folder)
    return folder / archive.name.removesuffix(".tar.gz")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a source archive; what would leave the folder is refused."""
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and later
            tar.extractall(folder, filter="data")
            return
        for member in tar.getmembers():
            if not (member.isreg() or member.isdir()) or ".." in Path(member.name).parts or member.name.startswith("/"):
                raise SystemExit(f"{archive.name}: {member.name} would leave the folder")
        tar.extractall(folder)


def _compiler() -> Path:
    """The folder of the package ziglang."""
    found = importlib.util.find_spec("ziglang")
    if found is None or not found.submodule_search_locations:
        raise SystemExit(
            "this needs the package ziglang, which has the compiler: python -m pip install 'bgtools-backgammon[wasm]'"
        )
    return Path(found.submodule_search_locations[0])


def _runtime(work: Path, more: list[str]) -> list[Path]:
    """What C++ exceptions need and zig leaves out of its libc++abi for WebAssembly, from the sources in its wheel."""
    found = _compiler()
    lib = found / "lib"
    flags = [*TARGET, *more, "-O2", "-DNDEBUG", "-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_BUILDING_LIBRARY",
             "-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS",
             "-Wno-everything",
             *(f"-I{lib / folder}" for folder in ("libcxxabi/include", "libcxx/src", "libunwind/include"))]  # fmt: skip
    (work / "threads.h").write_text("#define thread_local _Thread_local\n", encoding="utf-8")
    units: list[tuple[str, Path, list[str]]] = [
        ("c++", lib / "libcxxabi/src/cxa_exception.cpp", ["-std=c++23"]),
        ("c++", lib / "libcxxabi/src/cxa_personality.cpp", ["-std=c++23"]),
        ("cc", lib / "libunwind/src/Unwind-wasm.c", ["-std=c17", f"-I{work}"]),
        ("cc", HERE / "shim/tag.S", []),
    ]
    for tool, path, others in units:
        _run(_zig(tool, *flags, *others, "-c", path, "-o", work / f"{path.stem}.o"))
    return [work / f"{path.stem}.o" for _, path, _ in units]


def _pack(source: Path, out: Path) -> None:
    """What the module reads, one behind the other, and where each part is."""
    import numpy as np

    spec = importlib.util.spec_from_file_location("weights", source / "python/bgsage/weights.py")
    assert spec is not None
    assert spec.loader is not None
    models: Any = importlib.util.module_from_spec(spec)
    sys.modules["weights"] = models  # dataclasses look their module up
    spec.loader.exec_module(models)
    model = models.default_weights()
    names = [Path(path).name for path in model.weight_paths_list]
    files = {name: (source / "models" / name).read_bytes() for name in dict.fromkeys(names)}
    files["bearoff"] = (source / "data/bearoff_1sided.db").read_bytes()
    with np.load(ROOT / "bgtools/bearoff/wastage.npz", allow_pickle=False) as races:
        order = ("hidden", "offsets", "weights", "lines", "constant")
        files["races"] = b"".join(races[name].astype("<f4").tobytes() for name in order)
    parts, whole = {}, bytearray()
    for name, data in files.items():
        whole += bytes(-len(whole) % 8)
        parts[name] = [len(whole), len(data)]
        whole += data
    whole += bytes(-len(whole) % 8)
    # All first bytes of the numbers, all second ones and so on: that packs better by a twelfth.
    (out / "sage.bin").write_bytes(b"".join(whole[at::PLANES] for at in range(PLANES)))
    told = {
        "engine": "bgsage", "version": BGSAGE, "licence": LICENCE, "networks": names,
        "hidden": list(model.hidden_sizes_list), "parts": parts, "planes": PLANES,
        "sha256": {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in ("sage.wasm", "sage.bin")},
    }  # fmt: skip
    (out / "sage.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def _zig(tool: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", "ziglang", tool, *map(str, arguments)]


def _run(command: list[Any]) -> None:
    _ended(subprocess.Popen([str(part) for part in command]))


def _ended(process: subprocess.Popen[bytes]) -> None:
    if process.wait():
        raise SystemExit(f"the engine is not built: {' '.join(map(str, process.args))}")  # type: ignore[arg-type]


if __name__ == "__main__":
    folders = [each for each in sys.argv[1:] if each != "--standard"]
    if len(folders) != 1:
        raise SystemExit("usage: python docs/try/engine/build_engine.py [--standard] OUT")
    build(Path(folders[0]).resolve(), standard="--standard" in sys.argv)
