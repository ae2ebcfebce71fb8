"""The engine as a WebAssembly module, built once for all tests of a machine."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import platform
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "docs" / "try" / "engine"

TOLERANCE = 1e-4 if platform.machine() in ("x86_64", "AMD64") else 0.01
"""How near values are to the wheel's. Its path for other processors looks the sigmoid up in a table, .005 off."""

needs_compiler = pytest.mark.needs(
    importlib.util.find_spec("ziglang") is not None and importlib.util.find_spec("wasmtime") is not None,
    "ziglang and wasmtime",
)


def module_of(path: Path) -> Any:
    """The module in a file that no package holds."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@cache
def built_engine(*, standard: bool = True) -> Path:
    """The folder of the engine; it is built where the sources have changed.

    Args:
        standard: whether for wasmtime; else for browsers.
    """
    digest = hashlib.sha256(str(standard).encode())
    for each in sorted(path for path in ENGINE.rglob("*") if path.suffix in (".py", ".cpp", ".h", ".S")):
        digest.update(each.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"bgtools-engine-{digest.hexdigest()[:16]}"
    with Path(f"{folder}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers run tests
        if not (folder / "sage.json").is_file():
            module_of(ENGINE / "build_engine.py").build(folder, standard=standard)
    return folder
