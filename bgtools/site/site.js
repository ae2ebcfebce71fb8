// --- boards of lists: drawn when they come into view

document.body.append(Object.assign(document.createElement("template"), { id: "field", innerHTML: `<svg><g>${data.field}</g></svg>` }));
function draw(svg, one = JSON.parse(svg.dataset.b)) {
  data.players = one.names;
  const board = one.a ? R.flip(unpacked(one.b)) : unpacked(one.b), best = one.r ? hopsOf(one.r) : [];
  const hops = one.r ? { played: one.p, best } : { played: one.p };
  drawBoard(svg, board, { on: one.on, up: false, cube: one.c, crawford: one.x, offered: one.o, byOther: one.a, dice: one.d, title: one.t, word: "", ...hops });
}
const seen = globalThis.IntersectionObserver ? new IntersectionObserver((found) => found.forEach(({ isIntersecting, target }) => {
  if (isIntersecting) { seen.unobserve(target); draw(target); }
}), { rootMargin: "400px" }) : null;
const watch = (root) => root.querySelectorAll("svg[data-b]").forEach((svg) => (seen ? seen.observe(svg) : draw(svg)));
watch(document);
addEventListener("beforeprint", () => document.querySelectorAll("svg[data-b]").forEach((svg) => draw(svg)));

// --- tables: sorted by a head, filtered by a text

document.querySelectorAll("table[data-sort] th button").forEach((button) => button.addEventListener("click", () => {
  const top = button.closest("th"), body = top.closest("table").tBodies[0], at = top.cellIndex, down = top.ariaSort === "ascending";
  const value = (row) => { const text = row.cells[at].dataset.v ?? row.cells[at].textContent; return text === "" || Number.isNaN(+text) ? text : +text; };
  top.parentNode.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  top.ariaSort = down ? "descending" : "ascending";
  const compare = (x, y) => (x === "") - (y === "") || (down ? -1 : 1) * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
  body.append(...[...body.rows].sort((one, two) => compare(value(one), value(two))));
}));
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
document.querySelectorAll("input[data-filter]").forEach((input) => {
  const rows = [...find(input.dataset.filter).querySelector("tbody").rows], texts = rows.map((row) => bare(row.textContent));
  const filter = () => {
    const words = bare(input.value).split(/\s+/).filter(Boolean);
    rows.forEach((row, at) => { row.hidden = !words.every((word) => texts[at].includes(word)); });
    find("shown").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  };
  input.addEventListener("input", filter);
  filter();
});

// --- beside the field: a file that changes with every match, so that pages of players need not

if (find("beside")) {
  globalThis.bgtoolsField = (all) => put("beside", (all[find("beside").dataset.player] || ["There is too little to compare."]).map((line) => h("p", capital(line))));
  document.head.append(Object.assign(document.createElement("script"), { src: find("beside").dataset.from }));
}
