// --- nodes and words

const find = (id) => document.getElementById(id);
const flat = (children) => children.flat(4).filter((child) => child != null && child !== false && child !== "");
const put = (id, ...children) => find(id).replaceChildren(...flat(children));
function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === "function") made.addEventListener(key, value);
    else if (key === "style") made.style.cssText = value;
    else if (value != null && value !== false) made.setAttribute(key, value === true ? "" : value);
  made.append(...flat(children));
  return made;
}
// An element by its name and classes, as "p.q.n"; the attributes may be left out.
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split("."), has = attributes && attributes.constructor === Object;
  if (!has) children.unshift(attributes);
  return filled(document.createElement(tag), { class: classes.join(" ") || null, ...(has ? attributes : {}) }, children);
}
const s = (tag, attributes, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const colour = (name) => `var(--board-${name})`;
const minus = (text) => text.replace(/(^|[\s(])-(?=\.?\d)/g, "$1\u2212");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// A name that is written from right to left must not turn what stands beside it.
const apart = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/.test(name) ? `\u2068${name}\u2069` : name);
const nameOf = (player) => apart(data.players[player] || `player ${player + 1}`);
const disc = (player) => h("span", { class: `disc p${player}`, "aria-hidden": "true" });
const inPips = (count) => (count === 1 ? "1 pip" : `${count} pips`);

const say = (text) => { find("live").textContent = text; };
const button = (name, click, more) => h("button", { type: "button", click: (event) => click(event.target), ...more }, name);

// --- copies

function answered(pressed, text) {
  const before = pressed.textContent;
  pressed.textContent = text;
  say(text);
  setTimeout(() => { pressed.textContent = before; }, 1200);
}
function copy(text, pressed) {
  const byHand = () => {
    const area = h("textarea", text);
    document.body.append(area);
    area.select();
    answered(pressed, document.execCommand("copy") ? "Copied" : text);
    area.remove();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => answered(pressed, "Copied"), byHand);
  else byHand();
}
function saveAs(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// --- the board

const lay = data.drawing;
const OFF = 0, BAR = 25;
const unpacked = (text) => { const counts = [...text].map((letter) => letter.charCodeAt(0) - 97); return { m: counts.slice(0, 26), t: counts.slice(26) }; };
// The hops of a choice, as its text writes them: from point to point.
function hopsOf(text) {
  const number = (name) => (name === "bar" ? BAR : name === "off" ? OFF : Number(name));
  return text.split(" ").flatMap((move) => {
    const found = /^([\w/*]+)(?:\((\d)\))?$/.exec(move), ends = found && found[1].includes("/") ? found[1].replaceAll("*", "").split("/").map(number) : [];
    return ends.some(Number.isNaN) ? [] : Array.from({ length: found ? Number(found[2] || 1) : 0 }, () => ends.slice(1).map((end, index) => [ends[index], end])).flat();
  });
}
const packed = ({ m, t }) => String.fromCharCode(...[...m, ...t].map((count) => 97 + count));
const applied = (board, hops) => hops.reduce((now, [from, to]) => (now.m[from] ? R.moved(now, from, to) : now), board);

function described(board, on) {
  return [board.m, board.t].map((side, number) => {
    const at = [];
    if (side[BAR]) at.push(`${side[BAR]} on the bar`);
    for (let point = 24; point; point--) if (side[point]) at.push(`${side[point]} on ${point}`);
    if (side[OFF]) at.push(`${side[OFF]} off`);
    return `${nameOf(number ? 1 - on : on)}: ${at.join(", ")}; ${inPips(R.pips(side))}.`;
  }).join(" ");
}

// Draw a board into an svg element. The look: on (the player whose numbers it has), up (they sit above), cube [value,
// owner], offered (the value of a cube that lies offered, 0 without), byOther (the other player offers it), dice, left
// (the numbers still to be played), played and best (hops), targets, differ and ink, word (what a resigner says), drag.
function drawBoard(into, board, look) {
  const up = look.up, shapes = [], tall = lay.bottom - lay.top;
  const low = (mine) => mine !== up;
  const seen = (point) => (up ? BAR - point : point);
  const at = (point, number, mine) => {
    if (point > OFF && point < BAR) return lay.spots[seen(point)][Math.min(number, lay.shown - 1)];
    const [x, y] = lay.spots[point][Math.min(number, lay.shown_on_bar - 1)];
    return [x, low(mine) ? y : 2 * lay.middle - y];
  };
  const paint = (mine) => (mine === (look.on === 0) ? "mine" : "theirs");
  const box = (x, y, width, height, fill, rx, more) => shapes.push(s("rect", { x, y, width, height, fill, rx: rx || null, ...more }));
  const words = (x, y, text, size, more) => shapes.push(s("text", { x, y, "font-size": size, fill: colour("on_frame"), ...more }, String(text)));
  for (let point = 1; point < BAR; point++) { const [x, y] = lay.labels[seen(point)]; words(x, y, point, 15, { class: "number" }); }
  const stack = (point, own, count, mine) => {
    const shown = point === BAR ? lay.shown_on_bar : lay.shown, side = paint(mine);
    for (let number = 0; number < Math.min(count, shown); number++) {
      const [cx, cy] = at(point, number, mine);
      shapes.push(s("circle", { cx, cy, r: lay.radius, fill: colour(side), stroke: colour(`${side}_rim`), "stroke-width": 1.5 }),
        s("circle", { cx, cy, r: lay.radius - 5.5, fill: "none", stroke: colour(`${side}_rim`), "stroke-width": 1.2, "stroke-opacity": 0.38 }));
    }
    if (count > shown) { const [x, y] = at(point, shown, mine); words(x, y + 7, count, 20, { class: "count", fill: colour(`${side}_ink`), "font-weight": "bold" }); }
  };
  for (let point = 1; point < BAR; point++) { stack(point, point, board.m[point], true); stack(point, point, board.t[BAR - point], false); }
  stack(BAR, BAR, board.m[BAR], true);
  stack(BAR, BAR, board.t[BAR], false);
  const [value, owner] = look.cube || [1, "centre"], cube = look.cube && !look.crawford;
  for (const mine of [true, false]) {
    const count = (mine ? board.m : board.t)[OFF], below = low(mine), side = paint(mine);
    const held = cube && !look.offered && owner === (mine ? "mine" : "theirs"), beyond = held ? 50 : 0, thick = held ? 10.4 : 11.4;
    for (let number = 0; number < Math.min(count, 15); number++)
      box(lay.rail.x - 21, below ? lay.bottom - 14 - thick * number - beyond : lay.top + 4 + thick * number + beyond, 42, thick - 1.4,
        colour(side), 2.5, { stroke: colour(`${side}_rim`), "stroke-width": 0.8 });
    if (count) words(lay.rail.x, lay.middle + (held ? (below ? 24 : -10) : below ? 50 : -36), count, 20, { class: "count", "font-weight": "bold" });
  }
  if (cube) {
    const size = look.offered ? lay.cube.offered_size : lay.cube.size, text = String(look.offered || (value === 1 && owner === "centre" ? 64 : value));
    const x = look.offered ? lay.cube.offered[up !== Boolean(look.byOther) ? 1 : 0] : lay.rail.x;
    const y = look.offered || owner === "centre" ? lay.middle : low(owner === "mine") ? lay.bottom - 25 : lay.top + 25;
    box(x - size / 2, y - size / 2, size, size, colour("cube"), 6, { stroke: colour("line"), "stroke-width": 1.5, class: "cube" });
    words(x, y + (text.length < 3 ? 8 : 5), text, text.length < 3 ? (look.offered ? 26 : 22) : text.length < 5 ? 15 : 11, { class: "cube", fill: colour("cube_ink"), "font-weight": "bold" });
  }
  if (look.dice) {
    const { size, pips, x: middles } = lay.dice, unused = look.left ? [...look.left] : null;
    [...look.dice].forEach((die, number) => {
      const x = middles[up ? 1 : 0] + (number ? 23 : -23), index = unused ? unused.indexOf(Number(die)) : 0;
      if (unused && index >= 0) unused.splice(index, 1);
      shapes.push(s("g", { class: "die", opacity: index < 0 ? 0.35 : null },
        s("rect", { x: x - size / 2, y: lay.middle - size / 2, width: size, height: size, rx: 7, fill: colour("die"), stroke: colour("line") }),
        ...(pips[die] || []).map(([across, down]) => s("circle", { cx: x + 10.5 * across, cy: lay.middle + 10.5 * down, r: 3.7, fill: colour("die_ink") }))));
    });
  }
  if (look.word) {
    box(lay.cube.offered[0] - 66, lay.middle - 17, 132, 34, colour("cube"), 17);
    words(lay.cube.offered[0], lay.middle + 6, look.word, 16, { fill: colour("cube_ink"), "font-weight": "bold" });
  }
  const area = (point) => {
    if (point === OFF) return [lay.rail.x - lay.rail.width / 2, low(true) ? lay.middle + lay.rail.apart : lay.top, lay.rail.width, lay.bottom - lay.middle - lay.rail.apart];
    if (point === BAR) return [lay.bar.left, lay.top, lay.bar.width, tall];
    return [lay.labels[seen(point)][0] - lay.point / 2, seen(point) <= 12 ? lay.bottom - 211 : lay.top, lay.point, 211];
  };
  for (const point of look.targets || []) box(...area(point), null, 3, { class: "target" });
  for (const point of look.differ || []) if (point && point < BAR)
    box(lay.labels[seen(point)][0] - 17, seen(point) <= 12 ? lay.bottom - 2 : lay.top - 4, 34, 6, colour(look.ink), 3);
  shapes.push(...arrowsOf(board, look.played || [], look.best || [], at));
  if (look.drag) for (let point = OFF; point <= BAR; point++) {
    const can = point && board.m[point];
    box(...area(point), "#fff", 0, { "fill-opacity": 0, "data-point": R.name(point), class: can ? "can" : null });
  }
  into.setAttribute("viewBox", lay.view.join(" "));
  into.setAttribute("role", "img");
  const text = described(board, look.on);
  into.setAttribute("aria-label", `${look.title}. ${text}`);
  into.replaceChildren(s("title", {}, look.title), s("desc", {}, text), find("field").content.querySelector("g").cloneNode(true), ...shapes);
  return into;
}
const boardOf = (board, look) => drawBoard(s("svg", { class: "bd" }), board, look);

// --- arrows

const SIDE = 18, HEAD = [15, 8], DASHES = { best: "10 5", both: "1.5 7" };
// What two lists of ways share, what only the first has, and what only the second.
function shared(first, second) {
  const both = [], only = [], rest = second.map(String);
  for (const way of first) {
    const index = rest.indexOf(String(way));
    if (index < 0) only.push(way);
    else { both.push(way); rest[index] = null; }
  }
  return [both, only, second.filter((_, index) => rest[index] !== null)];
}

function arrowsOf(board, played, best, at) {
  const [[made, hitByMade], [right, hitByRight]] = [played, best].map((hops) => {
    const ways = R.ways(board, hops);
    return [ways.map(({ at }) => at), new Set(ways.flatMap(({ at, hit }) => at.filter((_, index) => hit[index])))];
  });
  const [both, onlyMade, onlyRight] = shared(made, right);
  const same = made.length > 0 && !onlyMade.length && !onlyRight.length, one = same || !made.length || !right.length;
  const inked = [...both.map((way) => [way, same ? "best" : "both"]), ...onlyRight.map((way) => [way, "best"]), ...onlyMade.map((way) => [way, "played"])];
  const shapes = [], drawn = [];
  const like = (way) => inked.filter(([other]) => String(other) === String(way)).length;
  for (const [way, ink] of inked) {
    const number = drawn.filter(([other]) => String(other) === String(way)).length;
    const ended = drawn.filter(([other, colour]) => (colour === ink || colour === "both") && other.at(-1) === way.at(-1));
    const beneath = ended.filter(([other]) => String(other) !== String(way)).length;
    shapes.push(...arrowOf(board, way, at, ink, (number - (like(way) - 1) / 2) * SIDE, beneath, ended.length, one ? null : DASHES[ink]));
    drawn.push([way, ink]);
  }
  for (const point of new Set([...hitByMade, ...hitByRight])) {
    const ink = hitByMade.has(point) && hitByRight.has(point) ? (same ? "best" : "both") : hitByMade.has(point) ? "played" : "best";
    const [x, y] = at(point, 0, true), d = `M${x - 8},${y - 8}l16,16m0,-16l-16,16`;
    for (const [paint, width] of [["halo", 8], [ink, 4]])
      shapes.push(s("path", { d, fill: "none", stroke: colour(paint), "stroke-width": width, "stroke-linecap": "round", class: "hit" }));
  }
  return shapes;
}

const unit = ([x0, y0], [x1, y1]) => { const length = Math.hypot(x1 - x0, y1 - y0) || 1; return [(x1 - x0) / length, (y1 - y0) / length]; };
const short = (...numbers) => numbers.map((number) => Math.round(10 * number) / 10).join();
function arrowOf(board, way, at, ink, aside, beneath, underRing, dash) {
  const shapes = [];
  let start = at(way[0], Math.max(board.m[way[0]] - 1, 0), true);
  way.slice(1).forEach((end, number) => {
    const here = way[number], last = number === way.length - 2, blot = end > OFF && board.t[BAR - end] === 1;
    const lies = end > OFF && !blot ? board.m[end] : 0, there = lies + (last ? beneath : 0);
    let [x, y] = at(end, there, true);
    const inward = y > lay.middle ? -1 : 1;
    if (end > OFF && (blot || there >= lay.shown)) y += inward * (lay.radius + 3);
    if (end === OFF) x -= 16;
    const to = [x, y];
    // Within a row a bow that clears the stacks that it passes, up to four high; else a straight line.
    let bend = [(start[0] + x) / 2, (start[1] + y) / 2];
    const bowed = start[1] > lay.middle === y > lay.middle && Math.abs(x - start[0]) > 30 && here !== BAR;
    if (bowed) {
      let high = 0;
      for (let point = Math.min(here, end) + 1; point < Math.max(here, end); point++) high = Math.max(high, board.m[point], board.t[BAR - point]);
      const rim = inward < 0 ? lay.bottom : lay.top;
      const apex = rim + inward * Math.max(lay.step * Math.min(high, 4) + 14, Math.abs((start[1] + y) / 2 - rim) + 24);
      bend = [bend[0], 2 * apex - bend[1]];
    }
    const out = unit(start, bend), into = unit(bend, to), along = unit(start, to), over = [-along[1] * aside, along[0] * aside];
    const gap = number ? 0 : lay.radius - 3, tip = [x + over[0], y + over[1]];
    const neck = [tip[0] - HEAD[0] * into[0], tip[1] - HEAD[0] * into[1]];
    const d = `M${short(start[0] + out[0] * gap + over[0], start[1] + out[1] * gap + over[1])}Q${short(bend[0] + over[0], bend[1] + over[1])} ${short(...neck)}`;
    const points = [short(...tip), short(neck[0] - HEAD[1] * into[1], neck[1] + HEAD[1] * into[0]), short(neck[0] + HEAD[1] * into[1], neck[1] - HEAD[1] * into[0])].join(" ");
    if (last && !blot && end > OFF && lies + underRing < lay.shown) {
      const [cx, cy] = at(end, lies + underRing, true);
      shapes.push(s("circle", { cx, cy, r: lay.radius - 2, fill: "none", stroke: colour(ink), "stroke-width": 1.5, "stroke-opacity": 0.7, class: "ghost" }));
    }
    shapes.push(s("g", { class: `arrow ${ink}`, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" },
      s("path", { d, stroke: colour("halo"), "stroke-width": 8.5 }), s("polygon", { points, fill: colour("halo"), stroke: colour("halo") }),
      s("path", { d, stroke: colour(ink), "stroke-width": 4.5, "stroke-dasharray": dash || null }), s("polygon", { points, fill: colour(ink), stroke: colour("halo") })));
    start = to;
  });
  return shapes;
}

// --- chances as a bar

const PARTS = [["w0", "wins backgammon"], ["w1", "gammon"], ["w2", "single"], ["l0", "loses single"], ["l1", "gammon"], ["l2", "backgammon"]];
// Wins and losses as one bar, gammons and backgammons within it.
function barOf([win, gammon, backgammon, lostGammon, lostBackgammon]) {
  const widths = [backgammon, gammon - backgammon, win - gammon, 1 - win - lostGammon, lostGammon - lostBackgammon, lostBackgammon];
  return h("span.wb", { "aria-hidden": "true" }, widths.map((width, number) => h("u", { class: PARTS[number][0], style: `width:${Math.max(100 * width, 0).toFixed(2)}%` })));
}
function chancesOf(choice) {
  const [win, gammon, lostGammon, lose] = choice.texts.chances;
  return h("span.wl.n", h("span", h("b", win), h("span.q", ` g\u00a0${gammon}`)), barOf(choice.chances), h("span", h("span.q", `g\u00a0${lostGammon} `), h("b", lose)));
}
const legend = () => h("p.key", PARTS.map(([name, text]) => h("span", h("u", { class: name }), text)));
