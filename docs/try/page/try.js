// The page: it shows what the worker finds. `window.bgtools` is the same for programs.
"use strict";
(() => {
const find = (id) => document.getElementById(id);
const h = (name, more = {}, ...inside) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(more)) if (key === "click") made.addEventListener("click", value); else if (value !== null && value !== false) made.setAttribute(key, value);
  made.append(...inside.flat().filter((each) => each !== null && each !== undefined));
  return made;
};
const say = (text) => { find("state").textContent = text; };

// --- the worker

let worker = null, number = 0, ready = null, about = null;
const waiting = new Map();

function begin() {
  worker = new Worker("worker.mjs", { type: "module" });
  ready = new Promise((done, failed) => {
    worker.onmessage = ({ data }) => {
      if (data.stage) say(`Loading ${data.stage} …`);
      else if (data.about) { about = data.about; done(about); }
      else if (data.failed) failed(new Error(`bgtools cannot start here: ${data.failed}`));
      else {
        const asked = waiting.get(data.id);
        if (!asked) return;
        if (data.progress) { asked.progress?.(...data.progress); return; }
        waiting.delete(data.id);
        if (data.error === undefined) asked.done(data.found); else asked.failed(new Error(data.error));
      }
    };
    worker.onerror = (event) => failed(new Error(`bgtools cannot start here: ${event.message || "the worker does not load"}`));
  });
  ready.catch((error) => say(error.message));
  return ready;
}
// Ask the worker. What it is asked goes on one after the other.
function ask(call, more, progress) {
  const asked = () => new Promise((done, failed) => {
    const id = ++number;
    waiting.set(id, { done, failed, progress });
    worker.postMessage({ id, call, ...more });
  });
  return ready.then(asked);
}
// End what goes on: the worker is ended, and another one begun.
function cancel() {
  worker.terminate();
  for (const { failed } of waiting.values()) failed(new Error("cancelled"));
  waiting.clear();
  say("Cancelled. Loading again …");
  bgtools.ready = begin();
  return bgtools.ready.then(() => say("Ready."), () => {});
}

// Bytes may come from another frame, whose classes are not ours.
function bytesOf(data) {
  if (typeof data === "string") return new TextEncoder().encode(data);
  if (ArrayBuffer.isView(data)) return Uint8Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return Uint8Array.from(new Uint8Array(data));
}
const bgtools = window.bgtools = {
  ready: null,
  check: (data, name) => ask("check", { data: bytesOf(data), name }).then((found) => found.findings),
  fix: (data, name, { unsafe = false, only } = {}) => ask("fix", { data: bytesOf(data), name, unsafe, only }),
  convert: (data, name, to) => ask("convert", { data: bytesOf(data), name, to }).then(({ data: made, losses }) => ({ data: made, losses })),
  report: (data, name, { match = 1, engine = "sage", level = "quick", progress } = {}) => ask("report", { data: bytesOf(data), name, match, engine: engine || "none", level }, progress).then((found) => found.report),
  evaluate: (id, { engine = "sage", level = "quick" } = {}) => ask("evaluate", { text: id, engine, level }),
  read: (text) => ask("read", { text }),
  place: (id) => value(id).then(() => find("value").scrollIntoView({ block: "nearest" })),
  grid: (id, made = "") => ask("grid", { text: id, made }),
  cancel,
  // Put what the engine says of all plays of a roll into a list, as a report has its choices; it stays empty where that fails.
  values: (id, list) => bgtools.evaluate(id).then(({ plays = [] }) => {
    for (const each of plays) list.push({ ...each, from: "The engine: ", choice: each.play, chances: [each.win, each.gammon, each.backgammon, each.lost_gammon, each.lost_backgammon] });
  }, () => {}),
};

// --- what is shown

let record = null, begun = 0;
function work(text) {
  say(text);
  find("work").hidden = false;
  find("progress").removeAttribute("value");
  find("trouble").hidden = true;
  document.body.setAttribute("aria-busy", "true");
  return ++begun;
}
function rest(mine, text) {
  if (mine !== begun) return;
  find("work").hidden = true;
  document.body.removeAttribute("aria-busy");
  say(text);
}
function trouble(mine, error) {
  rest(mine, error.message === "cancelled" ? "Cancelled." : "Not done.");
  if (error.message === "cancelled") return;
  find("trouble").textContent = error.message;
  find("trouble").hidden = false;
}
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
function save(data, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([data])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function take(data, name, fixed = false) {
  const mine = work(`Checking ${name} …`), before = record;
  record = { data, name, fixed };
  try {
    const found = await ask("check", { data, name });
    find("shown").hidden = true;
    landmark();
    find("value").hidden = true;
    find("setup").open = false;
    show(found);
    const errors = found.findings.filter((each) => each.severity === "error").length;
    rest(mine, found.findings.length ? `${plural(found.findings.length, "finding")}, ${plural(errors, "error")}.` : "No findings.");
  } catch (error) {
    // What was there before stays.
    record = before;
    trouble(mine, error);
  }
}
function show(found) {
  const safe = found.findings.filter((each) => each.fix && each.fix.applicability === "safe").length;
  const [first] = found.records, many = found.records.length > 1;
  find("record-name").textContent = record.name;
  const what = many ? `${found.records.length} matches` : `${first.players.filter(Boolean).join(" – ") || "players without names"}, ${first.length === null ? "of unknown length" : first.length ? plural(first.length, "point") : "money"}, ${plural(first.games, "game")}`;
  find("verdict-line").textContent = `${what}. ${found.findings.length ? plural(found.findings.length, "finding") : "No findings: the record is sound"}.`;
  find("fix").hidden = !safe || many;
  find("fix").textContent = `Make ${plural(safe, "safe fix").replace("fixs", "fixes")}`;
  find("save").hidden = !record.fixed;
  find("findings").replaceChildren(...found.findings.map((each, index) => h("li", { class: each.severity, "data-code": each.code },
    h("b", {}, `${each.code} `), each.message, h("span", { class: "q" }, ` (line ${each.line}${each.game ? `, game ${each.game}` : ""})`),
    each.hint ? h("div", { class: "q" }, each.hint) : null,
    each.fix && !many ? h("div", {}, h("button", { type: "button", click: () => fix({ only: index }) }, `Take: ${each.fix.words || each.fix.text || "the fix"}`)) : null)));
  find("record-card").hidden = false;
  find("more").hidden = false;
  find("one").hidden = !many;
  find("which").replaceChildren(...found.records.map((each, index) => h("option", { value: index + 1 }, `${index + 1}. ${each.players.join(" – ")}`)));
  find("losses").hidden = true;
  // A record that holds an analysis is shown by it first.
  const isAnalysed = found.records.some((each) => each.analysed);
  find("engine").querySelector('[value="file"]').disabled = !isAnalysed;
  find("engine").value = isAnalysed ? "file" : "sage";
}
async function fix(how) {
  const mine = work("Repairing …");
  try {
    const { data, changes } = await bgtools.fix(record.data, record.name, how);
    rest(mine, plural(changes.length, "fix made").replace("fix mades", "fixes made"));
    await take(data, record.name, true);
  } catch (error) { trouble(mine, error); }
}

// Of a page one part is the main one: the report, where there is one.
function landmark() {
  const isMain = find("shown").hidden;
  find("desk").setAttribute("role", isMain ? "main" : "region");
  if (isMain) find("desk").removeAttribute("aria-label"); else find("desk").setAttribute("aria-label", "The record");
}
// The report of the record stands below, as the page that `bgtools report` writes.
const heard = [];
function showReport(html) {
  for (const [target, ...listener] of heard.splice(0)) target.removeEventListener(...listener);
  const page = new DOMParser().parseFromString(html, "text/html"), box = find("shown");
  for (const each of page.querySelectorAll("script:not([type='application/json']), .skip")) each.remove();
  // The page of a report has these itself.
  for (const id of ["live", "field"]) if (!box.contains(find(id))) find(id).remove();
  box.replaceChildren(...page.body.childNodes);
  box.hidden = false;
  landmark();
  // What the script of a report hears on the whole document ends when another report comes.
  const own = [[document, document.addEventListener], [window, window.addEventListener]];
  for (const [target, add] of own) target.addEventListener = (...listener) => { heard.push([target, ...listener]); add.apply(target, listener); };
  const script = h("script", { src: "report.js" });
  script.onload = () => { for (const [target] of own) delete target.addEventListener; script.remove(); box.scrollIntoView({ behavior: "instant" }); };
  document.body.append(script);
}
async function analyse(engine, level) {
  const mine = work("Analysing …");
  try {
    const { page } = await ask("report", { data: record.data, name: record.name, match: Number(find("which").value), engine, level }, (what, done, all) => {
      say(`Analysing: ${what} ${done} of ${all}`);
      Object.assign(find("progress"), { max: all || 1, value: done });
    });
    rest(mine, "Analysed.");
    history.replaceState(null, "", location.pathname + location.search);
    showReport(page);
  } catch (error) { trouble(mine, error); }
}

async function value(text) {
  const mine = work("Valuing …");
  try {
    const found = await bgtools.evaluate(text, { level: "standard" }), rows = found.plays || found.choices;
    find("value-title").textContent = found.best;
    find("value-note").textContent = [`${found.engine} ${found.version}, ${found.level}.`, found.note].filter(Boolean).join(" ");
    const head = ["choice", "equity", "loss", "wins", "gammons", "lost gammons"];
    find("values").replaceChildren(h("thead", {}, h("tr", {}, head.map((each, at) => h("th", { scope: "col", class: at ? "r" : null }, each)))),
      h("tbody", {}, rows.map((each) => h("tr", {}, [each.action, each.texts.equity, each.texts.loss, ...[0, 1, 2].map((at) => each.texts.chances[at] || "–")].map((cell, at) => h("td", { class: at ? "r" : null }, cell))))));
    find("value").hidden = false;
    setUp?.take(found.xgid);
    find("setup").open = true;
    history.replaceState(null, "", `#p=${encodeURIComponent(found.xgid)}`);
    rest(mine, found.best);
  } catch (error) { trouble(mine, error); }
}

// --- links: a position, or a small match, packed, behind the #

const LONGEST_LINK = 12000;
async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function linkOf({ data, name }) {
  const packed = await piped(data, new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(packed, (each) => String.fromCharCode(each)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const link = `${location.origin}${location.pathname}#m=${encodeURIComponent(name)}:${text}`;
  if (link.length > LONGEST_LINK) throw new Error(`this match makes a link of ${link.length.toLocaleString("en")} letters; ${LONGEST_LINK.toLocaleString("en")} are the most that a link is good for`);
  return link;
}
async function open() {
  const [, kind, text] = /^#([pm])=(.*)$/s.exec(location.hash) || [];
  if (kind === "p") {
    const id = decoded(text);
    find("position").value = id;
    await value(id);
  } else if (kind === "m") {
    const cut = text.indexOf(":"), name = decoded(text.slice(0, cut)) || "record";
    try {
      const packed = Uint8Array.from(atob(text.slice(cut + 1).replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
      const data = await piped(packed, new DecompressionStream("deflate-raw"));
      await take(data, name);
    } catch (error) { trouble(begun, new Error("the link is damaged: no match can be read from it")); }
  }
}
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// --- what people do

// The board to set up a position; its script draws it before the engine is there.
const setUp = window.bgtoolsEditor?.(find("editor"), "", { value: (id) => bgtools.place(id), read: (text) => bgtools.read(text) });

async function file(given) {
  if (given) await take(new Uint8Array(await given.arrayBuffer()), given.name);
}
find("record").addEventListener("change", (event) => file(event.target.files[0]));
for (const type of ["dragenter", "dragover"]) addEventListener(type, (event) => { event.preventDefault(); find("drop").classList.add("over"); });
for (const type of ["dragleave", "drop"]) addEventListener(type, () => find("drop").classList.remove("over"));
addEventListener("drop", (event) => { event.preventDefault(); file(event.dataTransfer.files[0]); });
for (const each of document.querySelectorAll("[data-sample]")) each.addEventListener("click", async () => {
  const name = each.dataset.sample;
  await take(new Uint8Array(await (await fetch(`samples/${name}`)).arrayBuffer()), name);
});
find("paste").addEventListener("submit", (event) => { event.preventDefault(); value(find("position").value); });
find("fix").addEventListener("click", () => fix({}));
find("save").addEventListener("click", () => save(record.data, record.name));
find("link").addEventListener("click", async () => {
  try {
    const link = await linkOf(record);
    history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link).catch(() => {});
    say("The link is copied, and stands in the address.");
  } catch (error) { trouble(begun, error); }
});
find("convert").addEventListener("submit", async (event) => {
  event.preventDefault();
  const to = find("to").value, mine = work(`Converting to ${to} …`);
  try {
    const { data, losses, ending } = await ask("convert", { data: record.data, name: record.name, to });
    find("losses").replaceChildren(...losses.map((each) => h("li", {}, `${each.code} ${each.message}`)));
    find("losses").hidden = !losses.length;
    save(data, record.name.replace(/\.[^.]*$/, "") + ending);
    rest(mine, losses.length ? `Converted; ${plural(losses.length, "thing")} ${losses.length === 1 ? "is" : "are"} lost.` : "Converted; nothing is lost.");
  } catch (error) { trouble(mine, error); }
});
find("analyse").addEventListener("submit", (event) => { event.preventDefault(); analyse(find("engine").value, find("level").value); });
find("cancel").addEventListener("click", () => { begun++; find("work").hidden = true; cancel(); });

bgtools.ready = begin();
bgtools.ready.then(({ formats }) => {
  find("to").replaceChildren(...formats.map(([name, title]) => h("option", { value: name }, title)));
  say("Ready.");
  open();
}, () => {});
if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("service.js").catch(() => {});
})();
