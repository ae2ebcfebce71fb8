(() => {
"use strict";

// --- data, and small things ------------------------------------------------------------------

const data = JSON.parse(document.getElementById("bgtools-data").textContent);
const lay = data.drawing;
const games = data.games.filter((game) => game.turns.length);
const find = (id) => document.getElementById(id);
const main = document.querySelector("main");
const worstClass = data.classes[data.classes.length - 1];
const OFF = 0, BAR = 25;

function node(space, name, attributes, children) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  made.append(...(children || []).filter((child) => child !== null && child !== ""));
  return made;
}
const html = (name, attributes, ...children) => node("", name, attributes, children);
const svg = (name, attributes, ...children) => node("http://www.w3.org/2000/svg", name, attributes, children);
const colour = (name) => `var(--board-${name})`;
const signed = (value, digits = 3) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);
const percent = (value) => (value === null ? "" : (100 * value).toFixed(1));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const clockOf = (left) => {
  const whole = Math.abs(Math.floor(left)), two = (part) => String(part).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return (left < 0 ? "\u2212" : "") + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(whole % 60)}`;
};
const called = (player) => data.players[player] || `player ${player + 1}`;
// A name that is written from right to left must not turn what stands beside it.
const apart = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/.test(name) ? `\u2068${name}\u2069` : name);
const nameOf = (player) => apart(called(player));
const gameName = (game) => `Game ${game.number || game.game}`;

// --- the turn that is shown ------------------------------------------------------------------

const at = { game: 0, turn: 0, flip: false, choice: null };
const filters = { player: "", kind: "", size: "", phase: "", theme: "", counted: "" };
const game = () => games[at.game];
const turn = () => game().turns[at.turn];

// The indices of the game and turn that a link names; null where it names none.
function placeOf(link) {
  const found = /^#?g(\d+)t(\d+)$/.exec(link.split(";")[0]);
  const gameAt = found ? games.findIndex((each) => each.game === Number(found[1])) : -1;
  return gameAt < 0 ? null : [gameAt, Math.max(games[gameAt].turns.findIndex((each) => each.turn === Number(found[2])), 0)];
}

// A link decoded; one with a broken percent code is taken as it stands.
function linkOf(link) {
  try { return decodeURIComponent(link); } catch { return link; }
}

function readHash() {
  const [place, ...more] = linkOf(location.hash).split(";");
  const found = placeOf(place);
  if (found) {
    [at.game, at.turn] = found;
    at.choice = null;
  }
  if (found || !place) {
    at.flip = more.includes("flip");
    for (const key of Object.keys(filters)) {
      const said = more.find((each) => each.startsWith(key + "="));
      filters[key] = said ? said.slice(key.length + 1) : "";
    }
  }
  return Boolean(found);
}

function writeHash() {
  const parts = [`g${game().game}t${turn().turn}`];
  if (at.flip) parts.push("flip");
  for (const [key, value] of Object.entries(filters)) if (value) parts.push(`${key}=${encodeURIComponent(value)}`);
  history.replaceState(null, "", "#" + parts.join(";"));
}

function goTo(gameAt, turnAt) {
  at.game = Math.min(Math.max(gameAt, 0), games.length - 1);
  at.turn = Math.min(Math.max(turnAt, 0), game().turns.length - 1);
  at.choice = null;
  writeHash();
  show();
}

function step(by) {
  const next = at.turn + by;
  if (next >= 0 && next < game().turns.length) goTo(at.game, next);
  else if (next < 0 && at.game > 0) goTo(at.game - 1, Infinity);
  else if (next > 0 && at.game < games.length - 1) goTo(at.game + 1, 0);
}

// --- the board -------------------------------------------------------------------------------

function sides(text) {
  const counts = [...text].map((letter) => letter.charCodeAt(0) - 97);
  return { mine: counts.slice(0, 26), theirs: counts.slice(26) };
}

// The board after a play, and how many checkers it hits.
function played(board, hops) {
  const mine = [...board.mine], theirs = [...board.theirs];
  for (const [start, end] of hops) {
    if (!mine[start]) continue;
    mine[start] -= 1;
    if (end > OFF && theirs[BAR - end] === 1) { theirs[BAR - end] = 0; theirs[BAR] += 1; }
    mine[end] += 1;
  }
  return { mine, theirs };
}

const pipsOf = (side) => side.reduce((sum, count, point) => sum + count * point, 0);
const inPips = (count) => (count === 1 ? "1 pip" : `${count} pips`);

function described(board, names) {
  return ["mine", "theirs"].map((which, number) => {
    const side = board[which], places = [];
    if (side[BAR]) places.push(`${side[BAR]} on the bar`);
    for (let point = 24; point; point--) if (side[point]) places.push(`${side[point]} on ${point}`);
    if (side[OFF]) places.push(`${side[OFF]} off`);
    return `${names[number]}: ${places.join(", ")}; ${inPips(pipsOf(side))}.`;
  }).join(" ");
}

// Draw a board into #board, seen by the player on roll. Player 0 sits below; above where the board is flipped.
function drawBoard(board, player, look) {
  const above = (player === 0) === at.flip;
  const mirror = (y, is) => (is ? lay.height_both - y : y);
  const spot = (point, number, mine) => {
    const [x, y] = lay.spots[point][Math.min(number, lay.shown - 1)];
    return [x, mirror(y, above !== (!mine && (point === OFF || point === BAR)))];
  };
  const paint = (mine) => (mine === (player === 0) ? ["mine", "mine_ink"] : ["theirs", "theirs_ink"]);
  const shapes = [];
  const words = (x, y, text, size, more = {}) =>
    shapes.push(svg("text", { x, y, "font-size": size, fill: colour("on_frame"), ...more }, String(text)));
  const disc = (x, y, mine) => {
    const [fill, ink] = paint(mine);
    const half = lay.size / 2;
    shapes.push(svg("circle", { cx: x, cy: y, r: half - 1, fill: colour(fill), stroke: colour(ink), "stroke-width": 1.5 }));
    shapes.push(svg("circle", { cx: x, cy: y, r: half - 6, fill: "none", stroke: colour(ink), "stroke-opacity": 0.25 }));
  };
  for (let point = 1; point <= 24; point++) {
    const [x, y] = lay.labels[above ? BAR - point : point];
    words(x, y, point, 12);
  }
  const stack = (point, count, mine) => {
    for (let number = 0; number < Math.min(count, lay.shown); number++) disc(...spot(point, number, mine), mine);
    if (count <= lay.shown) return;
    const [x, y] = spot(point, lay.shown, mine);
    words(x, y + 6, count, 18, { fill: colour(paint(mine)[1]), "font-weight": "bold" });
  };
  for (let point = 1; point <= 24; point++) {
    stack(point, board.mine[point], true);
    stack(point, board.theirs[BAR - point], false);
  }
  stack(BAR, board.mine[BAR], true);
  stack(BAR, board.theirs[BAR], false);
  for (const mine of [true, false]) {
    const count = board[mine ? "mine" : "theirs"][OFF];
    if (!count) continue;
    const below = mine !== above, tray = lay.tray, [fill, ink] = paint(mine);
    for (let number = 0; number < Math.min(count, 15); number++) {
      const y = below ? tray.bottom - 3 - (number + 1) * tray.thick : tray.top + 3 + number * tray.thick;
      shapes.push(svg("rect", { x: tray.left, y, width: tray.width, height: tray.thick - 2, rx: 2, fill: colour(fill),
        stroke: colour(ink), "stroke-width": 0.75 }));
    }
    const end = Math.min(count, 15) * tray.thick;
    words(tray.left + tray.width / 2, below ? tray.bottom - 8 - end : tray.top + 20 + end, count, 14, { "font-weight": "bold" });
  }
  const names = [nameOf(player), nameOf(1 - player)];
  for (const mine of [false, true]) {
    const y = mine !== above ? lay.caption.below : lay.caption.above, who = mine ? player : 1 - player;
    const [fill, ink] = paint(mine), name = called(who);
    shapes.push(svg("circle", { cx: lay.caption.left + 7, cy: y - 5, r: 6, fill: colour(fill), stroke: colour(ink) }));
    const short = name.length <= 24 ? name : name.slice(0, 23) + "\u2026";
    words(lay.caption.left + 20, y, `${apart(short)}: ${inPips(pipsOf(board[mine ? "mine" : "theirs"]))}`, 14,
      { "text-anchor": "start", "font-weight": mine ? "bold" : null });
    if (mine && !look.after) {
      const x = lay.caption.left;
      shapes.push(svg("polygon", { points: `${x - 14},${y - 12} ${x - 14},${y + 2} ${x - 4},${y - 5}`, fill: colour("on_frame") }));
    }
    const score = game().score[who];
    const away = data.length ? `${score} of ${data.length}, ${Math.max(data.length - score, 0)} away` : `${score} (money)`;
    words(lay.caption.right, y, away + (game().crawford && data.length && mine ? ", Crawford" : ""), 14, { "text-anchor": "end" });
  }
  const [value, owner] = look.cube;
  if (!game().crawford) {
    const size = lay.cube.size, offered = look.offered && !look.after;
    let x = lay.cube.x, y = lay.cube.middle;
    if (offered) x = lay.cube.offered[above ? 1 : 0];
    else if (owner !== "centre") y = (owner === "mine") !== above ? lay.cube.below : lay.cube.above;
    const text = value === 1 && owner === "centre" && !offered ? "64" : String(offered ? 2 * value : value);
    shapes.push(svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 5, fill: colour("cube"), stroke: colour("line") }));
    words(x, y + 6, text, text.length < 3 ? 18 : text.length < 5 ? 13 : 9, { fill: colour("cube_ink"), "font-weight": "bold" });
  }
  if (look.dice) {
    const size = lay.dice.size, middle = lay.dice.x[above ? 1 : 0], y = lay.cube.middle;
    [...look.dice].forEach((die, number) => {
      const x = middle + (number ? size / 2 + 4 : -size / 2 - 4);
      shapes.push(svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 6, fill: colour("die"), stroke: colour("line") }));
      for (const [across, down] of lay.dice.pips[die] || [])
        shapes.push(svg("circle", { cx: x + 9 * across, cy: y + 9 * down, r: 3, fill: colour("die_ink") }));
    });
  }
  const both = look.played.length && look.best.length;
  shapes.push(...arrows(board, look.best, spot, "best", both ? 5 : 0, true));
  shapes.push(...arrows(board, look.played, spot, "played", both ? -5 : 0, false));
  const drawn = find("board");
  const words_ = described(board, names);
  drawn.replaceChildren(svg("title", {}, look.title), svg("desc", {}, words_), find("field").content.querySelector("g").cloneNode(true), ...shapes);
  drawn.setAttribute("aria-label", `${look.title}. ${words_}`);
}

// The arrows of a play, one a checker, through each of its hops; a cross on each checker that is hit.
function arrows(board, hops, spot, ink, aside, dashed) {
  const mine = [...board.mine], theirs = [...board.theirs], ways = [], last = {}, hit = [], shapes = [];
  for (const [start, end] of hops) {
    if (!mine[start]) continue;
    mine[start] -= 1;
    if (end > OFF && theirs[BAR - end] === 1) { theirs[BAR - end] = 0; hit.push(spot(end, 0, false)); }
    const to = spot(end, mine[end], true);
    mine[end] += 1;
    let way = (last[start] || []).pop();
    if (!way) ways.push(way = [spot(start, mine[start], true)]);
    way.push(to);
    (last[end] = last[end] || []).push(way);
  }
  const line = (points, paint, thick, dash) => svg("polyline", { points: points.map((each) => each.map((part) => part.toFixed(1)).join()).join(" "),
    fill: "none", stroke: colour(paint), "stroke-width": thick, "stroke-linecap": "round", "stroke-linejoin": "round", "stroke-dasharray": dash });
  for (const way of ways) {
    const [first, end] = [way[0], way[way.length - 1]];
    const length = Math.max(Math.hypot(end[0] - first[0], end[1] - first[1]), 1);
    const over = aside * (end[1] - first[1]) / length, up = -aside * (end[0] - first[0]) / length;
    const points = way.map(([x, y]) => [x + over, y + up]);
    const [x0, y0] = points[points.length - 2], [x, y] = points[points.length - 1];
    const run = Math.max(Math.hypot(x - x0, y - y0), 1), east = (x - x0) / run, south = (y - y0) / run;
    const neck = [x - 13 * east, y - 13 * south];
    const head = [[neck[0] - 7 * south, neck[1] + 7 * east], [x, y], [neck[0] + 7 * south, neck[1] - 7 * east]];
    const body = [...points.slice(0, -1), dashed ? [x, y] : neck];
    shapes.push(line(body, "halo", 6), line(head, "halo", 7), line(body, ink, 3, dashed ? "8 5" : null));
    for (const [cx, cy] of points.slice(1, -1)) shapes.push(svg("circle", { cx, cy, r: 4, fill: colour(ink), stroke: colour("halo") }));
    const tip = line(head, ink, dashed ? 3 : 1);
    if (!dashed) tip.setAttribute("fill", colour(ink));
    shapes.push(tip);
  }
  for (const [x, y] of hit) for (const [paint, thick] of [["halo", 7], [ink, 3]]) for (const down of [-9, 9])
    shapes.push(line([[x - 9, y - down], [x + 9, y + down]], paint, thick));
  return shapes;
}

// --- a turn ----------------------------------------------------------------------------------

const playOf = (each) => each.decisions.find((one) => one.kind === "checker play");
const lossOf = (each) => each.decisions.reduce((sum, one) => sum + (one.loss || 0), 0);
const worstOf = (each) => each.decisions.filter((one) => one.error).sort((a, b) => b.loss - a.loss)[0];

function saidOf(each) {
  const parts = each.actions.map(([player, action, words]) => `${nameOf(player)}: ${words || action}`);
  if (each.dice) parts.push(`${nameOf(each.player)}: ${each.dice} ${each.played || "not played"}`);
  return parts.join(", ");
}

function show() {
  if (!games.length) return;
  const now = turn(), play = playOf(now), error = worstOf(now);
  main.dataset.game = game().game;
  main.dataset.turn = now.turn;
  const board = sides(now.board);
  const chosen = at.choice === null || !play ? null : play.choices[at.choice];
  const what = now.dice ? `to play ${now.dice}` : now.offered ? "has doubled" : "on roll";
  const heading = `${gameName(game())}, turn ${now.turn}: ${nameOf(now.player)} ${what}`;
  const best = play && play.choices.length ? play.choices[0] : null;
  const look = { cube: now.cube, dice: now.dice, offered: now.offered, title: heading, played: now.legal || now.hops.length ? now.hops : [],
    best: best && !best.made && play.loss > 0 ? best.hops : [], after: false };
  if (chosen) {
    Object.assign(look, { title: `${heading}. After ${chosen.choice}`, played: [], best: [], after: true });
    drawBoard(played(board, chosen.hops), now.player, look);
  } else drawBoard(board, now.player, look);
  find("heading").textContent = heading;
  find("details").replaceChildren(...detailsOf(now));
  find("said").textContent = `${heading}. ${saidOf(now)}.` +
    (error ? ` ${capital(error.error)}, ${error.loss.toFixed(3)} lost; best ${error.best}. ${error.sentence}` : "");
  showMoves();
  // A disabled button would lose the focus, so these only say that they are.
  find("back").setAttribute("aria-disabled", at.game === 0 && at.turn === 0);
  find("forward").setAttribute("aria-disabled", at.game === games.length - 1 && at.turn === game().turns.length - 1);
  for (const row of document.querySelectorAll("#errors tbody tr"))
    row.classList.toggle("shown", row.dataset.game === main.dataset.game && row.dataset.turn === main.dataset.turn);
  drawMarks();
}

function detailsOf(now) {
  const parts = [html("p", {}, saidOf(now))];
  if (!now.in_game) parts.push(html("p", { class: "quiet" }, "The game knows nothing of this entry."));
  if (!now.legal) parts.push(html("p", { class: "bad" }, "Against the rules, as it stands in the record."));
  if (now.luck !== null) {
    const mwc = now.luck_mwc === null ? "" : `, ${signed(100 * now.luck_mwc, 1)} % of match winning chance`;
    parts.push(html("p", {}, `Luck of the roll: ${signed(now.luck)}${mwc}${now.luck_class ? ` (${now.luck_class})` : ""}`));
  }
  if (now.clock) parts.push(html("p", { class: "quiet", id: "clock" }, "Clocks: " + now.clock.map((left, player) => (left === null ? "" : `${nameOf(player)} ${clockOf(left)}`)).filter(Boolean).join(", ")));
  for (const each of now.decisions) parts.push(each.kind === "checker play" ? playCard(each) : cubeCard(each));
  if (now.rolls.length) parts.push(rollsOf(now));
  for (const text of now.remarks) parts.push(html("blockquote", {}, text));
  for (const each of data.findings.filter((one) => one.game === game().game && one.turn === now.turn))
    parts.push(html("p", { class: each.severity === "error" ? "bad" : "" }, `${each.code}: ${each.message}`, each.hint ? ` ${capital(each.hint)}.` : ""));
  const button = (name, click) => html("button", { type: "button", click: (event) => click(event.target) }, name);
  const copies = [["XGID", now.ids[0]], ["GNU ID", now.ids[1]]].filter(([, text]) => text);
  parts.push(html("p", { class: "buttons" }, ...copies.map(([name, text]) => button(`Copy ${name}`, (pressed) => copy(text, pressed))),
    button("Copy picture", copyPicture), button("Save picture", savePicture)));
  return parts;
}

function verdictOf(each) {
  if (each.loss === null) return html("p", { class: "quiet" }, each.note ? capital(each.note) + "." : "Not analysed.");
  if (!each.loss) return html("p", { class: "good" }, "The best choice.");
  const rolled = each.rollout[0] === null ? "" : `, ${signed(-each.rollout[0])} \u00b1 ${each.rollout[1].toFixed(3)}`;
  const verdict = each.verdict ? `; by rollout ${each.verdict}${rolled}` : "";
  return html("p", {}, html("span", { class: each.error ? "bad" : "" }, `${each.error ? capital(each.error) + ": " : ""}${signed(-each.loss)}`),
    `, best ${each.best}${verdict}`);
}

function othersOf(each) {
  return each.others.map(([name, best, loss]) =>
    html("p", { class: "quiet" }, `${name}: best ${best || "not known"}${loss === null ? "" : `, lost ${loss.toFixed(3)}`}`));
}

const heads = (names) => html("thead", {}, html("tr", {}, ...names.map((name, number) =>
  html("th", { scope: "col", class: number ? "figure" : null, title: name.endsWith("%") ? CHANCES[name] : null }, name))));
const CHANCES = { "W %": "wins", "G %": "wins a gammon or more", "GL %": "loses a gammon or more" };
const FIGURES = ["equity", "loss", ...Object.keys(CHANCES), "depth"];

function playCard(each) {
  const rows = each.choices.map((one, number) => {
    const [win, winGammon, , loseGammon] = one.chances;
    const button = html("button", { type: "button", class: "plain", "aria-pressed": String(at.choice === number),
      click: () => { at.choice = at.choice === number ? null : number; show(); focusOn(`#alternatives tr:nth-child(${number + 1}) button`); } }, one.choice);
    const cells = [signed(one.equity), one.loss ? signed(-one.loss) : "", percent(win), percent(winGammon), percent(loseGammon), one.depth];
    return html("tr", { class: `${one.made ? "made" : ""} ${at.choice === number ? "shown" : ""}`.trim() || null },
      html("td", {}, button, one.made ? html("span", { class: "quiet" }, " played") : ""), ...cells.map((cell) => html("td", { class: "figure" }, cell)));
  });
  const table = html("table", { id: "alternatives" }, html("caption", { class: "seen" }, "Plays, the best first"),
    heads(["play", ...FIGURES]), html("tbody", {}, ...rows));
  return html("section", { class: "card" }, html("h3", {}, `${capital(each.kind)}: ${each.played || "not recorded"}`), verdictOf(each),
    each.sentence ? html("p", {}, capital(each.sentence) + ".") : null, ...othersOf(each), themesOf(each),
    rows.length ? html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Alternatives" }, table) : null);
}

const themesOf = (each) => (each.themes.length ? html("p", { class: "quiet" }, each.themes.join(", ")) : null);

function marketOf(each) {
  const value = Object.fromEntries(each.choices.map((one) => [one.choice, one.equity]));
  const [none, take, pass] = [value["No double"], value["Double, take"], value["Double, pass"]];
  if ([none, take, pass].includes(undefined)) return "";
  const answer = take < pass ? "take" : "pass";
  const doubled = Math.min(take, pass);
  if (none > doubled) return answer === "pass" ? "Too good to double: playing on is worth more than the point." : `No double yet; if doubled, ${answer}.`;
  return answer === "take" ? "Double; it is a take." : "Double; it is a pass: the market is lost.";
}

function cubeCard(each) {
  const rows = each.choices.map((one) => {
    const [win, winGammon, , loseGammon] = one.chances;
    // The rows of a double also name the answer, which is the other player's decision, so none is marked as done.
    const done = one.made && each.kind !== "double";
    return html("tr", { class: done ? "made" : null }, html("td", {}, one.choice, done ? html("span", { class: "quiet" }, " done") : ""),
      ...[signed(one.equity), one.loss ? signed(-one.loss) : "", percent(win), percent(winGammon), percent(loseGammon), one.depth].map((cell) => html("td", { class: "figure" }, cell)));
  });
  const market = marketOf(each);
  const table = html("table", { class: "cube", id: playOf(turn()) ? null : "alternatives" }, html("caption", { class: "seen" }, "Cube actions, the best first"),
    heads(["cube action", ...FIGURES]), html("tbody", {}, ...rows));
  const title = `${nameOf(each.player)}: ${each.played}`;
  const body = [verdictOf(each), market ? html("p", {}, market) : null,
    each.take_point ? html("p", { class: "quiet" }, `Take point without gammons: ${percent(each.take_point)} %.`) : null,
    each.sentence ? html("p", {}, capital(each.sentence) + ".") : null, ...othersOf(each), themesOf(each),
    rows.length ? html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table) : null];
  if (each.kind !== "no double" || each.error) return html("section", { class: "card cube" }, html("h3", {}, title), ...body);
  return html("details", { class: "card cube" }, html("summary", {}, `${title}${each.loss ? `, ${signed(-each.loss)}` : ""}`), ...body);
}

// The rolls that could have come, each with the luck that it would have been.
function rollsOf(now) {
  const rows = [], rolls = [];
  for (let high = 1; high <= 6; high++)
    for (let low = 1; low <= high; low++)
      if (low < high || now.rolls.length === 21) rolls.push([high, low, now.rolls[rolls.length] / 1000]);
  for (let high = 6; high >= 1; high--) {
    const cells = rolls.filter(([a]) => a === high).reverse().map(([a, b, value]) => {
      const mark = value >= 0.3 ? " \u2191" : value <= -0.3 ? " \u2193" : "";
      return html("td", { class: `${a}${b}` === now.dice ? "shown" : null }, html("b", {}, `${a}${b}${mark}`), " " + signed(value, 2));
    });
    rows.push(html("tr", {}, ...cells));
  }
  return html("details", { class: "card", id: "rolls" }, html("summary", {}, `What the ${now.rolls.length} rolls were worth`),
    html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rolls" },
      html("table", {}, html("caption", {}, "EMG beside the mean; \u2191 a joker, \u2193 an anti-joker"), html("tbody", {}, ...rows))));
}

function showMoves() {
  const picked = find("games");
  if (picked.value !== String(at.game)) picked.value = String(at.game);
  const list = find("moves").querySelector("ol");
  if (list.dataset.game !== String(at.game)) {
    list.dataset.game = String(at.game);
    list.replaceChildren(...game().turns.map((each) => {
      const error = worstOf(each);
      return html("li", {}, html("a", { href: `#g${game().game}t${each.turn}` }, `${each.turn}. ${saidOf(each)}`,
        error ? html("span", { class: "bad" }, ` ${signed(-error.loss)}`) : ""));
    }));
  }
  for (const [number, link] of [...list.querySelectorAll("a")].entries()) {
    if (number === at.turn) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const current = list.querySelector("[aria-current]");
  if (current) {
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
}

// --- errors ----------------------------------------------------------------------------------

const allErrors = data.errors.map(([gameNumber, turnAt, number]) => {
  const gameAt = games.findIndex((each) => each.game === gameNumber);
  const own = games[gameAt].turns[turnAt];
  return { gameAt, turnAt, turn: own, decision: own.decisions[number] };
});
const kept = ({ decision: each }) =>
  (!filters.player || String(each.player) === filters.player) &&
  (!filters.kind || (each.kind === "checker play") === (filters.kind === "checker play")) &&
  (!filters.size || data.classes.indexOf(each.error) >= data.classes.indexOf(filters.size)) &&
  (!filters.phase || each.phase === filters.phase) &&
  (!filters.theme || each.themes.includes(filters.theme)) &&
  (!filters.counted || each.counted_by.includes(filters.counted));

const columns = [
  ["place", (each) => `${gameName(games[each.gameAt])}, turn ${each.turn.turn}`, (a, b) => a.gameAt - b.gameAt || a.turnAt - b.turnAt],
  ["player", (each) => nameOf(each.decision.player), (a, b) => a.decision.player - b.decision.player],
  ["decision", (each) => (each.turn.dice && each.decision.kind === "checker play" ? `${each.turn.dice}: ` : "") + each.decision.played,
    (a, b) => a.decision.played.localeCompare(b.decision.played)],
  ["best", (each) => each.decision.best, (a, b) => a.decision.best.localeCompare(b.decision.best)],
  ["loss", (each) => each.decision.loss.toFixed(3), (a, b) => b.decision.loss - a.decision.loss],
  ["class", (each) => each.decision.error + (each.decision.verdict ? `, ${each.decision.verdict}` : ""), (a, b) => b.decision.loss - a.decision.loss],
];
const order = { column: 4, down: false };

function showErrors() {
  const list = allErrors.filter(kept).sort(columns[order.column][2]);
  if (order.down) list.reverse();
  const head = columns.map(([name], number) => html("th", { scope: "col", "aria-sort": number === order.column ? (order.down ? "descending" : "ascending") : null },
    html("button", { type: "button", class: "plain", click: () => {
      order.down = order.column === number && !order.down;
      order.column = number;
      showErrors();
      focusOn(`#errors th:nth-child(${number + 1}) button`);
    } }, name)));
  const rows = list.map((each) => html("tr", { "data-loss": each.decision.loss, "data-game": games[each.gameAt].game, "data-turn": each.turn.turn },
    ...columns.map(([, text], number) => html("td", {}, number ? text(each) : html("a", { href: `#g${games[each.gameAt].game}t${each.turn.turn}` }, text(each))))));
  find("errors").replaceChildren(html("caption", {}, `${list.length} of ${allErrors.length} errors`), html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}

// Go to the next error in the order of play, or with way -1 to the one before.
function toError(way) {
  const here = [at.game, at.turn];
  const places = allErrors.filter(kept).map((each) => [each.gameAt, each.turnAt]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const after = places.filter((each) => way * (each[0] - here[0] || each[1] - here[1]) > 0);
  const next = way > 0 ? after[0] : after[after.length - 1];
  if (next) goTo(...next);
  else find("said").textContent = way > 0 ? "No further error." : "No error before this.";
}

function showFilters() {
  const values = (of) => [...new Set(allErrors.flatMap(({ decision }) => of(decision)))].filter(Boolean).sort();
  const options = {
    player: data.players.map((_, number) => [String(number), nameOf(number)]),
    kind: [["checker play", "checker plays"], ["cube", "cube actions"]],
    size: data.classes.map((name) => [name, `${name} or worse`]),
    phase: values((each) => [each.phase]).map((name) => [name, name]),
    theme: values((each) => each.themes).map((name) => [name, name]),
    counted: values((each) => each.counted_by).map((name) => [name, `counted by ${name}`]),
  };
  const titles = { player: "player", kind: "decisions", size: "size", phase: "phase", theme: "theme", counted: "rating" };
  // A link can name a value that no error of this match has.
  for (const [key, each] of Object.entries(options)) if (!each.some(([value]) => value === filters[key])) filters[key] = "";
  find("filters").replaceChildren(...Object.entries(options).filter(([, each]) => each.length).map(([key, each]) => {
    const select = html("select", { change: (event) => { filters[key] = event.target.value; writeHash(); showErrors(); show(); } },
      html("option", { value: "" }, "all"), ...each.map(([value, text]) => html("option", { value }, text)));
    select.value = filters[key];
    return html("label", {}, `${titles[key]} `, select);
  }));
}

// --- charts ----------------------------------------------------------------------------------

const WIDE = 600, HIGH = 240, EDGE = { left: 44, right: 10, top: 14, below: 24 };
const allTurns = games.flatMap((each, gameAt) => each.turns.map((one, turnAt) => ({ gameAt, turnAt, turn: one })));
const across = (number) => EDGE.left + (WIDE - EDGE.left - EDGE.right) * number / Math.max(allTurns.length, 1);

// Two running sums over the match, by player.
function sums(of) {
  const running = [0, 0];
  return allTurns.map(({ turn: each }) => { of(each).forEach((value, player) => { running[player] += value; }); return [...running]; });
}
const byPlayer = (player, value) => (player ? [0, value] : [value, 0]);
const lostBy = (each) => [0, 1].map((player) => each.decisions.reduce((sum, one) => sum + (one.player === player ? one.loss || 0 : 0), 0));

function chart(title, unit, values) {
  const known = values.flat().filter((value) => value !== null);
  let low = Math.min(0, ...known), high = Math.max(0, ...known);
  if (unit === "%" && title.startsWith("Match")) { low = 0; high = 100; }
  if (high === low) high = low + 1;
  const down = (value) => EDGE.top + (HIGH - EDGE.top - EDGE.below) * (high - value) / (high - low);
  const parts = [];
  const stride = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((each) => (high - low) / each <= 6) || 500;
  for (let value = Math.ceil(low / stride) * stride; value <= high + 1e-9; value += stride) {
    parts.push(svg("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: down(value), y2: down(value), stroke: "var(--edge)" }));
    parts.push(svg("text", { x: EDGE.left - 5, y: down(value) + 4, "font-size": 11, "text-anchor": "end" }, String(Math.round(value * 10) / 10)));
  }
  let lastX = -99;
  allTurns.forEach(({ gameAt, turnAt }, number) => {
    if (turnAt || across(number) - lastX < 22) return;
    lastX = across(number);
    parts.push(svg("line", { x1: lastX, x2: lastX, y1: EDGE.top, y2: HIGH - EDGE.below, stroke: "var(--edge)" }));
    parts.push(svg("text", { x: lastX + 2, y: HIGH - 9, "font-size": 11 }, String(games[gameAt].number || games[gameAt].game)));
  });
  const single = values.every(([, second]) => second === null);
  [0, 1].forEach((player) => {
    let path = "", pen = "M";
    values.forEach((pair, number) => {
      if (pair[player] === null) { pen = "M"; return; }
      if (allTurns[number].turnAt === 0 && title === "Pips") pen = "M";
      path += `${pen}${across(number + 0.5).toFixed(1)},${down(pair[player]).toFixed(1)}`;
      pen = "L";
    });
    if (path) parts.push(svg("path", { d: path, fill: "none", "stroke-width": 2, stroke: player ? "var(--second)" : "var(--first)", "stroke-dasharray": player ? "6 3" : null }));
  });
  parts.push(svg("line", { class: "now", y1: EDGE.top, y2: HIGH - EDGE.below, stroke: "var(--ink)", "stroke-width": 1.5 }));
  const last = values.length ? values[values.length - 1] : [null, null];
  const ends = last.map((value, player) => (value === null ? "" : `${nameOf(player)} ${value.toFixed(unit === "pips" ? 0 : 2)}`)).filter(Boolean).join(", ");
  const drawn = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${title}, ${unit}. At the end: ${ends || "nothing known"}.`, click: (event) => {
    const box = drawn.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDE;
    const number = Math.floor((x - EDGE.left) / (WIDE - EDGE.left - EDGE.right) * allTurns.length);
    const place = allTurns[Math.min(Math.max(number, 0), allTurns.length - 1)];
    goTo(place.gameAt, place.turnAt);
  } }, ...parts);
  const legend = single ? nameOf(0) : null;
  const caption = html("figcaption", {}, html("b", {}, title), ` (${unit}) `, ...(legend ? [html("span", { class: "quiet" }, `of ${legend}`)] :
    [0, 1].map((player) => svg("svg", { width: 22, height: 10, "aria-hidden": "true", style: null },
      svg("line", { x1: 0, x2: 22, y1: 5, y2: 5, "stroke-width": 2, stroke: player ? "var(--second)" : "var(--first)", "stroke-dasharray": player ? "6 3" : null })))
      .flatMap((line, player) => [line, ` ${nameOf(player)} `])));
  return html("figure", { class: "card" }, caption, drawn);
}

function showCharts() {
  const drawn = [];
  if (allTurns.some(({ turn: each }) => each.luck !== null)) {
    const inMatch = data.length > 0;
    drawn.push(chart("Luck", inMatch ? "% of match winning chance" : "equity a cube",
      sums((each) => byPlayer(each.player, inMatch ? 100 * (each.luck_mwc || 0) : each.luck || 0))));
    if (allTurns.some(({ turn: each }) => each.chance !== null))
      drawn.push(chart("Match winning chance", "%", allTurns.map(({ turn: each }) => [each.chance === null ? null : 100 * each.chance, null])));
  }
  if (allErrors.length) drawn.push(chart("Equity given away", "EMG", sums(lostBy)));
  drawn.push(chart("Pips", "pips", allTurns.map(({ turn: each }) => (each.player ? [each.pips_after[1], each.pips_after[0]] : each.pips_after))));
  find("charts").replaceChildren(...drawn);
}

function drawMarks() {
  const number = allTurns.findIndex((each) => each.gameAt === at.game && each.turnAt === at.turn);
  for (const line of document.querySelectorAll("#charts .now")) {
    line.setAttribute("x1", across(number + 0.5));
    line.setAttribute("x2", across(number + 0.5));
  }
}

// --- buttons and keys ------------------------------------------------------------------------

function focusOn(selector) {
  const found = document.querySelector(selector);
  if (found) found.focus();
}

function say(button, how) {
  const before = button.textContent;
  button.textContent = how;
  find("said").textContent = how;
  setTimeout(() => { button.textContent = before; }, 1200);
}

function copy(text, button) {
  const byHand = () => {
    const area = html("textarea", {}, text);
    document.body.append(area);
    area.select();
    say(button, document.execCommand("copy") ? "Copied" : text);
    area.remove();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say(button, "Copied"), byHand);
  else byHand();
}

function saveAs(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const save = (name, type, text) => saveAs(name, new Blob([text], { type }));

const pictureName = (ending) => `g${game().game}t${turn().turn}.${ending}`;
const savePicture = () => save(pictureName("svg"), "image/svg+xml", pictureText());

function pictureText() {
  // A picture outside the page does not know the page's variables.
  const drawn = find("board").cloneNode(true), style = getComputedStyle(document.documentElement);
  drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const [name, value] of [["width", lay.width], ["height", lay.height]]) drawn.setAttribute(name, value);
  return drawn.outerHTML.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
}

// Copy the board as PNG; save it where the browser copies no pictures.
function copyPicture(button) {
  const name = pictureName("png");
  const made = new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => {
      const canvas = html("canvas", { width: 2 * lay.width, height: 2 * lay.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png");
    };
    image.onerror = failed;
    image.src = "data:image/svg+xml," + encodeURIComponent(pictureText());
  });
  const kept = () => made.then((blob) => { saveAs(name, blob); say(button, "Saved"); }, () => say(button, "No picture"));
  if (!navigator.clipboard || !navigator.clipboard.write || typeof ClipboardItem === "undefined") return kept();
  return navigator.clipboard.write([new ClipboardItem({ "image/png": made })]).then(() => say(button, "Copied"), kept);
}

const flip = () => { at.flip = !at.flip; writeHash(); show(); };
const blunders = () => { filters.size = filters.size === worstClass ? "" : worstClass; writeHash(); showFilters(); showErrors(); show(); };
const help = () => { const box = find("help"); if (box.open) box.close(); else box.showModal(); };
const keys = {
  ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => goTo(at.game + 1, at.game < games.length - 1 ? 0 : at.turn),
  ArrowUp: () => goTo(at.game - 1, at.game ? 0 : at.turn), Home: () => goTo(0, 0), End: () => goTo(Infinity, Infinity),
  n: () => toError(1), p: () => toError(-1), b: blunders, f: flip, "?": help,
};

function start() {
  find("data").querySelector("button").addEventListener("click", () =>
    save("bgtools-data.json", "application/json", find("bgtools-data").textContent));
  if (!games.length) { main.hidden = true; return; }
  readHash();
  find("games").replaceChildren(...games.map((each, number) => html("option", { value: number },
    `${gameName(each)}: ${each.score.join("-")}${each.crawford ? ", Crawford" : ""}`)));
  find("games").addEventListener("change", (event) => goTo(Number(event.target.value), 0));
  for (const [id, key] of [["back", "ArrowLeft"], ["forward", "ArrowRight"], ["before", "p"], ["after", "n"], ["flip", "f"], ["blunders", "b"], ["keys", "?"]])
    find(id).addEventListener("click", keys[key]);
  document.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.altKey || event.metaKey || find("help").open) return;
    if (event.target.closest("select, input, textarea, .scroll") && event.key.startsWith("Arrow")) return;
    if (event.target.closest("select, input, textarea")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  // A link to a turn leaves the filters as they are.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#g"]') : null;
    const place = link ? placeOf(link.getAttribute("href")) : null;
    if (!place) return;
    event.preventDefault();
    goTo(...place);
    if (!main.contains(link)) main.scrollIntoView({ block: "start" });
  });
  let from = null;
  const board = find("board");
  board.addEventListener("touchstart", (event) => { from = event.touches[0]; }, { passive: true });
  board.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0], over = to.clientX - (from ? from.clientX : to.clientX);
    if (from && Math.abs(over) > 40 && Math.abs(over) > Math.abs(to.clientY - from.clientY)) step(over < 0 ? 1 : -1);
    from = null;
  });
  addEventListener("hashchange", () => {
    if (readHash()) { showFilters(); showErrors(); show(); main.scrollIntoView({ block: "nearest" }); }
  });
  showCharts();
  showFilters();
  showErrors();
  show();
}

start();
})();
