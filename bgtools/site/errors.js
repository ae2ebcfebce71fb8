// --- errors: the filters are the address, the boards are drawn as one scrolls

const form = find("find"), list = find("found"), STEP = 24;
let all = null, F = {}, rows = [], found = [], shown = 0;
// What a position has, from the board of the player who decides.
function structures(board) {
  const at = (side, point) => side[point] > 1, points = [...Array(24).keys()].map((point) => point + 1);
  const run = (side) => points.reduce(([most, now], point) => (at(side, point) ? [Math.max(most, now + 1), now + 1] : [most, 0]), [0, 0])[0];
  const lead = R.pips(board.t) - R.pips(board.m), home = (side) => points.slice(0, 6).filter((point) => at(side, point)).length;
  const behind = (side) => points.slice(18, 23).some((point) => at(side, point));
  return {
    "on the bar": board.m[BAR] > 0, "opponent on the bar": board.t[BAR] > 0, "own prime of 4+": run(board.m) > 3, "prime of 4+ against": run(board.t) > 3,
    "own board of 4+": home(board.m) > 3, "board of 4+ against": home(board.t) > 3, "an anchor": behind(board.m), "opponent's anchor": behind(board.t),
    "10+ pips ahead": lead > 9, "10+ pips behind": lead < -9,
  };
}
const boardOf = (row) => (row[F.answer] ? R.flip(unpacked(row[F.board])) : unpacked(row[F.board]));
const matchOf = (row) => all.matches[row[F.match]];
const whose = (row) => matchOf(row).names[row[F.player]];
const sorted = (roll) => roll.replace(/\D/g, "").split("").sort().join("");
const SCORES = { dmp: ([own, theirs]) => own === 1 && theirs === 1, ahead: ([own, theirs]) => own < theirs, behind: ([own, theirs]) => own > theirs, level: ([own, theirs]) => own === theirs && own > 0 };
const tests = {
  player: (row, value) => whose(row) === value, phase: (row, value) => all.phases[row[F.phase]] === value,
  kind: (row, value) => (value === "cube" ? row[F.dice] === "" : value === "play" ? row[F.dice] !== "" : all.kinds[row[F.kind]] === value),
  theme: (row, value) => row[F.themes].includes(all.themes.indexOf(value)), event: (row, value) => matchOf(row).events.includes(value),
  loss: (row, value) => row[F.loss] >= 1000 * value, has: (row, value) => structures(boardOf(row))[value],
  score: (row, value) => SCORES[value]?.(row[F.away]), dice: (row, value) => sorted(row[F.dice]) === sorted(value),
};
function card(row) {
  const text = (name) => row[F[name]], match = matchOf(row), play = text("dice") !== "", away = text("away"), kind = all.kinds[text("kind")];
  const svg = s("svg", { class: "bd", viewBox: lay.view.join(" "), role: "img", "aria-label": `${whose(row)}: ${kind}` }), loss = text("loss") / 1000;
  svg.dataset.b = JSON.stringify({ b: text("board"), a: text("answer"), on: text("on"), c: text("cube"), o: text("offered"), d: text("dice"), p: text("hops"), r: play ? text("best") : "", names: match.names, t: `${whose(row)}: ${kind}`, x: text("crawford") });
  return h("li", h("a.shot.card", { href: `match/${match.slug}.html#g${text("game")}e${text("entry")}` },
    h("p", h("b", whose(row)), " ", play ? ["to play ", h("b", text("dice"))] : all.asks[kind] || `${kind}?`, " ", h("span.q", away[0] ? `${away[0]} away, ${away[1]} away` : "money")), svg,
    h("p", h("span.play", all.done[text("played")] || text("played") || "no play"), " ", h("span", { class: `tag ${loss >= 0.08 ? "blunder" : "error"}` }, `\u2212${loss.toFixed(3).replace(/^0/, "")}`), " best ", h("b.good", text("best"))),
    h("p.q", minus(capital(text("sentence")))), h("p.q", `against ${match.names[1 - text("player")]}, ${match.date || "no date"}`)));
}
function more() {
  const next = found.slice(shown, shown + STEP).map(card);
  shown += next.length;
  list.append(...next);
  next.forEach(watch);
  find("more").hidden = shown >= found.length;
}
function search() {
  const asked = [...new FormData(form)].filter(([, value]) => value !== ""), used = asked.filter(([name]) => tests[name]);
  const every = asked.some(([name]) => name === "records");
  found = rows.filter((row) => (every || matchOf(row).ok) && used.every(([name, value]) => tests[name](row, value)));
  if (asked.some(([name]) => name === "sort")) found.sort((one, two) => matchOf(two).date.localeCompare(matchOf(one).date) || one[F.game] - two[F.game]);
  const lost = found.reduce((sum, row) => sum + row[F.loss], 0) / 1000, matches = new Set(found.map((row) => row[F.match])).size;
  const loaded = rows.length < all.count ? `, of the ${rows.length} costliest so far` : "";
  find("count").textContent = found.length ? `${found.length} ${found.length === 1 ? "error" : "errors"} in ${matches} ${matches === 1 ? "match" : "matches"}, ${lost.toFixed(1)} EMG lost${loaded}` : `No error is like that. Take a filter away${loaded}.`;
  list.replaceChildren();
  shown = 0;
  more();
  return asked;
}
function asked() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const field of form.elements) if (field.name) field.value = given.get(field.name) ?? "";
  search();
}
const changed = () => history.replaceState(null, "", `#${new URLSearchParams(search())}`);
form.addEventListener("input", changed);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(changed));
find("more").addEventListener("click", more);
addEventListener("hashchange", asked);
find("filters").open = innerWidth > 800;
let shard = 0;
const load = () => document.head.append(Object.assign(document.createElement("script"), { src: `data/errors-${shard}.js` }));
globalThis.bgtoolsErrors = (part) => {
  if (part.fields) { all = part; F = Object.fromEntries(part.fields.map((name, at) => [name, at])); }
  rows = rows.concat(part.rows);
  asked();
  shard += 1;
  if (shard < all.shards) load();
};
load();
