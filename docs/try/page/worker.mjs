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
  api = python.pyimport("web_api");
  const stated = new TextDecoder().decode(contents);
  api.begin(machine, weights, stated);
  return { ...JSON.parse(api.about()), engine: JSON.parse(stated) };
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
  read: ({ text }) => api.read(text),
  grid: ({ text, made }) => api.grid(text, made),
};

const begun = start();
begun.then((about) => postMessage({ about }), (error) => postMessage({ failed: String(error.message || error) }));
onmessage = async ({ data: asked }) => {
  await begun;
  try {
    const found = plain(CALLS[asked.call](asked));
    postMessage({ id: asked.id, found }, found.data ? [found.data.buffer] : []);
  } catch (error) {
    // Python's own words: what was refused stands behind the name of the class, a fault of ours in the last line.
    const text = String(error.message || error).trimEnd(), refused = /^web_api\.Refused: ([^]*)/m.exec(text);
    postMessage({ id: asked.id, error: refused ? refused[1] : `by a fault of bgtools: ${text.split("\n").at(-1)}` });
  }
};
