// Python with bgtools and the engine, in a worker: it answers one question at a time, so the page stays free.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { machineOf } from "./machine.mjs";

const SITE = "/lib/python3.14/site-packages";
const bytesOf = async (name) => new Uint8Array(await (await fetchOf(name)).arrayBuffer());
async function fetchOf(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status}`);
  return answer;
}
const stage = (text) => postMessage({ stage: text });

let api = null;
async function start() {
  stage("Python");
  const indexURL = new URL("./pyodide/", import.meta.url).href;
  const [python, packed, glue, wasm, weights, contents] = await Promise.all([
    loadPyodide({ indexURL }), bytesOf("bgtools.zip"), bytesOf("web_api.py"), bytesOf("sage.wasm"), bytesOf("sage.bin"), bytesOf("sage.json"),
  ]);
  stage("bgtools");
  python.unpackArchive(packed, "zip", { extractDir: SITE });
  python.FS.writeFile(`${SITE}/web_api.py`, glue);
  const machine = await machineOf(wasm);
  python.registerJsModule("sage_machine", { machine, weights, contents: new TextDecoder().decode(contents) });
  python.runPython(`
import json, sage_machine
from bgtools.bearoff.kernel import use_kernel
from bgtools.engines.sage.wasm import WasmKernel, install, open_module
from pyodide.ffi import to_js

class Machine:
    """The page's machine, for Python: bytes are copied as they are."""

    room = sage_machine.machine.room
    call = sage_machine.machine.call
    read = staticmethod(lambda at, length, read=sage_machine.machine.read: read(at, length).to_bytes())
    write = staticmethod(lambda at, data, write=sage_machine.machine.write: write(at, to_js(data)))

contents = json.loads(sage_machine.contents)
sage = open_module(Machine, contents, sage_machine.weights.to_bytes())
install(sage, contents["version"])
use_kernel(lambda: WasmKernel(sage))
import web_api
`);
  api = python.pyimport("web_api");
  return { ...JSON.parse(api.about()), engine: JSON.parse(new TextDecoder().decode(contents)) };
}

// What Python gives: JSON, or bytes with JSON beside them.
function plain(found) {
  if (typeof found === "string") return JSON.parse(found);
  const [bytes, text] = [found.get(0), found.get(1)], data = bytes.toJs();
  bytes.destroy();
  found.destroy();
  return { data, ...JSON.parse(text) };
}
const CALLS = {
  check: ({ data, name }) => api.check(data, name),
  fix: ({ data, name, unsafe, only }) => api.fix(data, name, Boolean(unsafe), only ?? undefined),
  convert: ({ data, name, to }) => api.convert(data, name, to),
  report: ({ data, name, match, engine, level, id }) => api.report(data, name, match, engine, level, (what, done, all) => postMessage({ id, progress: [what, done, all] })),
  evaluate: ({ text, engine, level }) => api.evaluate(text, engine, level),
};

const begun = start();
begun.then((about) => postMessage({ about }), (error) => postMessage({ failed: String(error.message || error) }));
onmessage = async ({ data: asked }) => {
  await begun;
  try {
    const found = plain(CALLS[asked.call](asked));
    postMessage({ id: asked.id, found }, found.data ? [found.data.buffer] : []);
  } catch (error) {
    // Python's own words: the last line names the class first.
    const lines = String(error.message || error).trimEnd().split("\n"), last = lines.at(-1);
    const refused = /^web_api\.Refused: /.test(lines.find((line) => /^web_api\.Refused: /.test(line)) || "");
    postMessage({ id: asked.id, error: refused ? lines.slice(lines.findIndex((line) => line.startsWith("web_api.Refused: "))).join("\n").slice("web_api.Refused: ".length) : `by a fault of bgtools: ${last}` });
  }
};
