"""The machine that runs the engine's module by wasmtime, outside of a browser."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any

from sage_wasm import ROOM, Sage


class WasmtimeMachine:
    """A module of `build_engine.build`, with ``standard=True``, that is open."""

    def __init__(self, folder: Path) -> None:
        import wasmtime

        config = wasmtime.Config()
        config.wasm_exceptions = True
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self._store.set_wasi(wasmtime.WasiConfig())
        module = wasmtime.Module.from_file(engine, str(folder / "sage.wasm"))
        self._exports: Any = linker.instantiate(self._store, module).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._functions: dict[str, Any] = {}
        start = self._exports.get("_initialize")
        if start is not None:
            start(self._store)
        self.room = self.call("alloc", ROOM)
        opened(self, json.loads((folder / "sage.json").read_text(encoding="utf-8")), (folder / "sage.bin").read_bytes())

    def call(self, name: str, *numbers: float) -> Any:
        """Call a function of the module."""
        if name not in self._functions:
            self._functions[name] = self._exports[f"sage_{name}"]
        return self._functions[name](self._store, *numbers)

    def write(self, place: int, data: bytes) -> None:
        """Write into its memory."""
        self._memory.write(self._store, data, place)

    def read(self, place: int, length: int) -> bytes:
        """Read from its memory."""
        return bytes(self._memory.read(self._store, place, place + length))


def opened(machine: Any, contents: dict[str, Any], data: bytes) -> None:
    """Give a module what it reads.

    Args:
        machine: its machine.
        contents: ``sage.json``.
        data: ``sage.bin``.
    """
    sage, kept = Sage(machine), []

    def given(part: bytes) -> int:
        place: int = machine.call("alloc", len(part) + 8)
        machine.write(place, part)
        kept.append(place)
        return place

    for name, (start, size) in contents["parts"].items():
        place = given(data[start : start + size])
        if name == "races":
            sage.run("network", place, size // 4)
        else:
            machine.call("file", given(name.encode() + b"\0"), place, size)
    names, hidden = "\n".join(contents["networks"]), array("i", contents["hidden"])
    sage.run("open", given(names.encode() + b"\0"), given(hidden.tobytes()), len(hidden), given(b"bearoff\0"))
    for place in kept:
        machine.call("free", place)
