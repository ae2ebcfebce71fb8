// The engine's WebAssembly module: calls, and its memory as bytes. bgtools/engines/sage/wasm.py is what speaks to it.
const ROOM = 1 << 20;

// All of WASI that the module asks for: a clock, and standard error for what C++ says before it aborts.
function wasi(memory) {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get: (_id, _precision, at) => (view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
    fd_write: (_fd, parts, count, written) => {
      let text = "", size = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(parts + 8 * i, true), long = view().getUint32(parts + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, long).slice());
        size += long;
      }
      view().setUint32(written, size, true);
      console.error(text);
      return 0;
    },
    fd_close: () => 0, fd_seek: () => 70, fd_read: () => 8, fd_fdstat_get: () => 8, fd_prestat_get: () => 8,
    environ_get: () => 0, random_get: () => 52, proc_exit: (code) => { throw new Error(`exit ${code}`); },
    environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
  };
}

export async function machineOf(wasm) {
  let exports = null;
  const module = await WebAssembly.compile(wasm);
  const needed = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, () => 8]));
  ({ exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: { ...needed, ...wasi(() => exports.memory) } }));
  exports._initialize();
  const machine = {
    room: exports.sage_alloc(ROOM),
    call: (name, ...numbers) => exports[`sage_${name}`](...numbers),
    write: (at, data) => {
      const bytes = data instanceof Uint8Array ? data : data.toJs();
      new Uint8Array(exports.memory.buffer).set(bytes, at);
    },
    read: (at, length) => new Uint8Array(exports.memory.buffer).slice(at, at + length),
  };
  return machine;
}
