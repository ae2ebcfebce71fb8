"""The engine as a WebAssembly module by wasmtime, where bgsage has no wheel.

``python docs/try/engine/build_engine.py --standard FOLDER`` builds what stands in the folder.
"""

from __future__ import annotations

import atexit
import json
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import read_regular
from bgtools.engines.sage.wasm import ROOM, install, open_module

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.engines.sage.wasm import Sage


def install_folder(folder: Path) -> Sage:
    """Let bgtools find the engine of a folder where it looks for bgsage.

    Raises:
        ImportError: there is no wasmtime.
        OSError: the folder does not hold it.
        EngineFailed: it does not open.
    """
    module, data, contents = (read_regular(folder / name, _MOST) for name in ("sage.wasm", "sage.bin", "sage.json"))
    stated = json.loads(contents)
    sage = open_module(WasmtimeMachine(module), stated, data)
    install(sage, stated["version"])
    return sage


_MOST: Final = 1 << 26


class WasmtimeMachine:
    """See `Machine`.

    Args:
        module: its bytes.
    """

    def __init__(self, module: bytes) -> None:
        import wasmtime

        config = wasmtime.Config()
        config.wasm_exceptions = True
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self._store.set_wasi(wasmtime.WasiConfig())
        compiled = wasmtime.Module(engine, module)
        self._exports: Any = linker.instantiate(self._store, compiled).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._functions: dict[str, Any] = {}
        # wasmtime must let go before the interpreter takes its modules apart.
        atexit.register(self._close, compiled, engine)
        initialize: Any = self._exports["_initialize"]
        initialize(self._store)
        self.room = self.call("alloc", ROOM)

    def _close(self, *held: Any) -> None:
        for each in (self._store, *held):
            each.close()

    def call(self, name: str, *numbers: float) -> Any:
        """Call a function of the module."""
        if name not in self._functions:
            self._functions[name] = self._exports[f"sage_{name}"]
        return self._functions[name](self._store, *numbers)

    def write(self, address: int, data: bytes) -> None:
        """Write into its memory."""
        self._memory.write(self._store, data, address)

    def read(self, address: int, length: int) -> bytes:
        """Read from its memory."""
        return bytes(self._memory.read(self._store, address, address + length))
