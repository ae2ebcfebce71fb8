// --- the steps of the match

const games = data.games.filter((game) => game.steps.length);
const steps = games.flatMap((game, gameAt) => game.steps.map((step, index) => ({
  ...step, gameAt, index, link: `g${game.game}e${step.entry}`, first: step.decisions.find((one) => one.kind !== "no double" || step.action === "no double") || null,
})));
steps.forEach((step, number) => { step.number = number; step.quiet = step.action === "roll" ? step.decisions.find((one) => one.kind === "no double") || null : null; });
const errors = steps.filter((step) => step.first?.error);
const main = find("main");
const gameOf = (step) => games[step.gameAt];

// --- what is shown

const FILTERS = { player: "player", kind: "kind", size: "size", phase: "phase", theme: "theme", counted: "rating" };
const SEATS = ["roll", "flip", "0", "1"];
const at = { number: 0, pick: null, trial: null, held: null, seat: "roll", tab: "errors", given: null, tried: false, round: null };
const filters = Object.fromEntries(Object.keys(FILTERS).map((key) => [key, ""]));
const order = { column: 4, down: false };
const current = () => steps[at.number];

function decoded(link) {
  try { return decodeURIComponent(link); } catch { return link; }
}
// The number of the step that a link names; -1 where it names none. An unknown entry or turn leads to the game's first.
function stepOf(link) {
  const found = /^#?g(\d+)([et])(\w+)/.exec(link);
  if (!found) return -1;
  const own = steps.filter((step) => gameOf(step).game === Number(found[1]));
  const same = found[2] === "e" ? own.find((step) => step.entry === found[3])
    : own.find((step) => String(step.turn) === found[3] && step.action === "roll") || own.find((step) => String(step.turn) === found[3]);
  return own.length ? (same || own[0]).number : -1;
}
// The step that a page opens at: the worst error of the match, or of the player whom the page is about.
function opening() {
  const own = data.errors.map(([game, index]) => steps.find((step) => gameOf(step).game === game && step.index === index))
    .find((step) => data.player === null || step.player === data.player);
  return own ? own.number : 0;
}
function readLink() {
  const [place, ...more] = decoded(location.hash).split(";"), number = stepOf(place);
  at.seat = more.includes("flip") ? "flip" : (more.find((each) => /^below=[01]$/.test(each)) || "=roll").split("=")[1];
  for (const key of Object.keys(filters)) {
    const named = more.find((each) => each.startsWith(`${key}=`));
    filters[key] = named ? named.slice(key.length + 1) : !location.hash && key === "player" && data.player !== null ? String(data.player) : "";
  }
  return number;
}
function writeLink(push) {
  const parts = [current().link, ...(at.seat === "roll" ? [] : [at.seat === "flip" ? "flip" : `below=${at.seat}`])];
  for (const [key, value] of Object.entries(filters)) if (value) parts.push(`${key}=${encodeURIComponent(value)}`);
  const link = `#${parts.join(";")}`;
  if (link !== location.hash) history[push ? "pushState" : "replaceState"](null, "", link);
}

// Show a step. A jump can be taken back by the browser, and leads to a board that is seen and has the focus.
function go(number, jump) {
  if (at.round && !jump) { if (isOver() && number > at.number) next(); return; }
  endRound();
  setEditing(false);
  at.number = Math.min(Math.max(number, 0), steps.length - 1);
  at.pick = at.trial = at.held = null;
  writeLink(jump);
  show();
  if (jump) seeBoard();
}
function seeBoard(focused = main) {
  focused.focus({ preventScroll: true });
  const stage = find("stage"), box = stage.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) stage.scrollIntoView({ block: "nearest", behavior: "instant" });
}
function goGame(way) {
  const next = steps.find((step) => step.gameAt === current().gameAt + way);
  if (next) go(next.number);
  else say(way > 0 ? "This is the last game." : "This is the first game.");
}
// A link can ask for the errors of a player.
function roundOf() {
  const found = /^#again=([01])$/.exec(location.hash);
  if (found) startRound(Number(found[1]));
  return Boolean(found && at.round);
}
const isKept = (step) => {
  const one = step.first;
  return (!filters.player || String(one.player) === filters.player) && (!filters.kind || (one.kind === "checker play") === (filters.kind === "checker play")) &&
    (!filters.size || data.classes.indexOf(one.error) >= data.classes.indexOf(filters.size)) && (!filters.phase || one.phase === filters.phase) &&
    (!filters.theme || one.themes.includes(filters.theme)) && (!filters.counted || one.counted_by.includes(filters.counted));
};
function toError(way) {
  const list = errors.filter((step) => isKept(step) && way * (step.number - at.number) > 0);
  if (list.length) go(list[way > 0 ? 0 : list.length - 1].number, true);
  else say(way > 0 ? "No further error." : "No error before this.");
}

function show() {
  if (at.round) { showRound(); return; }
  const step = current(), one = step.first, game = gameOf(step), chosen = at.pick === null || !one ? null : one.choices[at.pick];
  Object.assign(main.dataset, { game: game.game, turn: step.turn, entry: step.entry, xgid: step.ids[0] });
  const look = lookOf(step), board = at.trial ? at.trial.board : boardAt(step);
  let shown = board;
  look.drag = step.action === "roll";
  if (at.trial) {
    const best = bestOf(step);
    Object.assign(look, { left: at.trial.left, differ: at.trial.done && best ? differing(board, best) : [], ink: "played", title: `${look.title}. Tried: ${R.write(boardAt(step), at.trial.hops) || "nothing yet"}` });
  } else if (chosen && step.action === "roll") {
    shown = applied(board, hopsOf(chosen.choice));
    Object.assign(look, { dice: "", drag: false, title: `${look.title}. After ${chosen.choice}` });
  } else Object.assign(look, arrowsAt(step));
  if (at.held !== null) look.targets = [...reach(at.held).keys()];
  drawBoard(find("board"), shown, look);
  seats(step, shown, look.up);
  put("why", whyOf(step));
  put("alternatives", alternativesOf(step));
  showTrial(step);
  marks();
  for (const [id, isEnd] of [["back", at.number === 0], ["forward", at.number === steps.length - 1]]) find(id).setAttribute("aria-disabled", isEnd);
  say(`${gameName(game)}. ${titleOf(step)} ${doneOf(step)}. ${one?.error ? `${capital(one.error)}, ${lossOf(one)}. Best ${one.best}. ${one.sentence}` : ""}`);
}

// --- the errors of a player, asked again

const askedOf = (player) => errors.filter((step) => step.first.player === player && step.first.key);
// A round asks each of them once, and what was missed once more; `lost` has what the first answer to each lost.
function startRound(player) {
  const queue = askedOf(player).map((step) => step.number);
  if (!queue.length) return;
  at.round = { player, queue, missed: [], place: 0, lost: new Map(), second: 0 };
  if (location.hash !== `#again=${player}`) history.pushState(null, "", `#again=${player}`);
  setRound(true);
  ask(queue[0]);
  seeBoard(find("try"));
}
// --- the position on a board to edit

const editAt = (step) => openEditor(step.ids[0], step.on_roll);
function openEditor(id, on) {
  setEditing(true);
  if (!location.hash.startsWith("#edit=")) history.pushState(null, "", `#edit=${encodeURIComponent(id)}`);
  editor(find("edit"), id, { on, back: () => go(at.number, true), value: globalThis.bgtools?.place, read: globalThis.bgtools?.read });
  find("edit").querySelector("div").focus();
}
function setEditing(is) {
  find("edit").hidden = !is;
  for (const id of ["lead", "strip", "left", "right", "moves"]) find(id).hidden = is;
}
// A link can hold a position to edit.
function editOf() {
  const found = /^#edit=(.*)$/.exec(decoded(location.hash));
  if (found && find("edit").hidden) openEditor(found[1]);
  if (!found) setEditing(false);
  return Boolean(found);
}

// --- a round of errors
// Nothing that gives an answer away is there while it is asked.
function setRound(is) {
  main.classList.toggle("training", is);
  for (const id of ["lead", "strip", "walk", "moves", "figures"]) find(id).hidden = is;
  for (const id of ["asking", "asking-nav"]) find(id).hidden = !is;
  for (const id of ["why", "alternatives"]) find(id).hidden = false;
  for (const id of ["tried", "done", "undo", "tip"]) find(id).hidden = true;
  find("give").textContent = is ? "Answer" : "Try";
  find("try").placeholder = "What if … 13/9 6/5";
  put("actions");
}
function endRound() {
  if (!at.round) return;
  at.round = at.given = null;
  setRound(false);
  drawStrip();
}
function counted(step, loss) {
  const { lost, missed, isSecond } = at.round, isFound = loss !== null && loss < NEARLY;
  if (!lost.has(step.number)) lost.set(step.number, loss);
  if (isSecond) at.round.second += isFound;
  else if (!isFound) missed.push(step.number);
}
const followUp = (step) => h("a", { href: `#${step.link}` }, "See it in the match");
function next() {
  const round = at.round;
  if (round.over) return;
  if (!at.tried) counted(current(), null);
  round.place++;
  if (round.place === round.queue.length && !round.isSecond && round.missed.length) Object.assign(round, { queue: round.missed, place: 0, isSecond: true });
  if (round.place < round.queue.length) { ask(round.queue[round.place]); return; }
  round.over = true;
  at.given = null;
  show();
  find("leave").focus();
}
function showRound() {
  const { player, queue, place, lost, isSecond, second, over } = at.round;
  if (!over) {
    find("again").textContent = "Try again";
    put("asked", isSecond ? `Once more: ${place + 1} of ${queue.length}` : `${place + 1} of ${queue.length}`);
    showQuestion();
    return;
  }
  const all = askedOf(player), answers = all.map((step) => lost.get(step.number)), sum = (list) => list.reduce((x, y) => x + y, 0).toFixed(3);
  const found = answers.filter((loss) => loss !== null && loss < NEARLY).length, more = second ? `, ${second} more at the second try` : "";
  find("question").textContent = `Found ${found} of ${all.length}${more}; ${sum(answers.map((loss, index) => loss ?? all[index].first.loss))} lost instead of ${sum(all.map((step) => step.first.loss))}.`;
  find("again").textContent = "Ask them again";
  for (const id of ["result", "why", "alternatives", "whatif", "show-answer", "next"]) find(id).hidden = true;
  find("again").hidden = false;
  put("asked", "What was shown or left out counts as it was played.");
  say(find("question").textContent);
}

// --- the strip over the match

const share = (number) => 100 * (number + 0.5) / steps.length;
function inOneLine(step) {
  const one = step.first, parts = [`${gameName(gameOf(step))}, row ${step.row}: ${nameOf(step.player)} ${step.action === "roll" ? `${step.dice} ${doneOf(step)}` : doneOf(step).toLowerCase()}`];
  if (one?.error) parts.push(`${one.error} ${lossOf(one)}`);
  if (step.luck_class) parts.push(`${step.luck_class} ${step.texts.luck}`);
  if (step.chance !== null && data.length) parts.push(`${nameOf(0)} ${step.texts.chances[0]}`);
  return parts.join(" · ");
}
function drawStrip() {
  const box = find("strip"), parts = [], wide = box.clientWidth || 1000;
  let path = "M0,50";
  if (data.length && steps.some((step) => step.chance !== null)) {
    const start = games[0].chance;
    path = `M0,100L0,${start === null ? 50 : 100 - 100 * start}`;
    for (const step of steps) if (step.chance !== null) path += `L${(10 * share(step.number)).toFixed(1)},${(100 - 100 * step.chance).toFixed(1)}`;
    path += "V100z";
    parts.push(h("span.area", { "aria-hidden": "true" }, s("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none" }, s("path", { d: path, fill: colour("mine") }), s("path", { d: "M0,50H1000", class: "half" }))));
  } else parts.push(h("span.area.none", { "aria-hidden": "true" }));
  games.forEach((game, gameAt) => {
    const own = steps.filter((step) => step.gameAt === gameAt), width = own.length / steps.length;
    const text = `${game.score.join("–")}${game.crawford && data.length ? " C" : ""}`;
    parts.push(h("span.game", { "aria-hidden": "true", style: `left:${100 * own[0].number / steps.length}%;width:${100 * width}%` }, width * wide > 7 * text.length + 6 ? h("span.n", text) : ""));
  });
  for (const step of steps) {
    if (step.first?.error) parts.push(h("i", { class: `p${step.first.player} ${isBlunder(step.first) ? "b" : "e"}`, style: `left:${share(step.number)}%` }));
    else if (step.mark) parts.push(h("i", { class: `p${step.player} j ${step.mark === "joker" ? "up" : "down"}`, style: `left:${share(step.number)}%` }));
  }
  parts.push(h("span.now", { id: "now" }));
  box.replaceChildren(...parts);
}
// The step below the pointer; an error within six pixels goes first.
function stepUnder(event, left, width) {
  const number = Math.floor((event.clientX - left) / width * steps.length), most = Math.ceil(6 * steps.length / width);
  for (let away = 0; away <= most; away++) for (const near of [number + away, number - away]) if (steps[near]?.first?.error) return near;
  return Math.max(0, Math.min(steps.length - 1, number));
}
function listenToStrip() {
  const box = find("strip"), tip = find("tip");
  const under = (event) => { const { left, width } = box.getBoundingClientRect(); return stepUnder(event, left, width); };
  const tipAt = (number) => {
    const { left, width, bottom } = box.getBoundingClientRect();
    tip.hidden = false;
    tip.textContent = inOneLine(steps[number]);
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(left + width * share(number) / 100, half), innerWidth - half)}px`;
    tip.style.top = `${bottom + scrollY + 4}px`;
  };
  const hide = () => { tip.hidden = true; };
  box.addEventListener("click", (event) => go(under(event), true));
  box.addEventListener("pointermove", (event) => tipAt(under(event)));
  box.addEventListener("pointerleave", hide);
  box.addEventListener("blur", hide);
  box.addEventListener("keyup", (event) => { if (event.key !== "Escape" && event.key !== "Tab") tipAt(at.number); else hide(); });
}

// --- the moves

const CELLS = { double: (step) => `Doubles → ${step.offered}`, take: () => "Takes", drop: () => "Passes", "no double": () => "No double", beaver: () => "Beavers", raccoon: () => "Raccoons", resign: () => "Resigns" };
function cellOf(step) {
  const one = step.first, words = step.action === "roll" ? [h("span.dice", `${step.dice}:`), " ", doneOf(step)] : (CELLS[step.action] || (() => doneOf(step)))(step);
  const mark = one?.error ? h("em", { class: isBlunder(one) ? "bad" : "err" }, ` ${isBlunder(one) ? "??" : "?"}\u00a0${lossOf(one)}`) : "";
  const luck = step.mark ? h("em.lucky", step.mark === "joker" ? " ●" : " ○", h("span.seen", ` ${step.mark}`)) : "";
  const name = [step.action === "roll" ? "" : "action", one?.error ? (isBlunder(one) ? "B" : "E") : ""].join(" ").trim();
  return h("a", { href: `#${step.link}`, "data-step": step.number, class: name || null }, words, mark, luck, step.remarks.length ? h("span.q", { title: "remark" }, " ✎") : "");
}
// The moves of a game, two columns as in match text.
function movesOf(game, gameAt) {
  const rows = [];
  for (const step of steps.filter((one) => one.gameAt === gameAt)) {
    if (rows.at(-1)?.number !== step.row) rows.push({ number: step.row, cells: [[], []] });
    rows.at(-1).cells[step.player].push(step);
  }
  const end = game.winner === null ? game.ending : `${nameOf(game.winner)} wins ${game.points}`;
  return h("section", h("h3", h("span", gameName(game), game.crawford && data.length ? ", Crawford" : ""), h("span.n", `${game.score.join("–")} · ${end}`)),
    rows.map(({ number, cells }) => h("div.mv.n", h("span", number), cells.map((list) => h("div", list.map(cellOf))))));
}
// The moves of a game are drawn when it is shown, and those of all others when the browser has time.
function drawMoves(gameAt) {
  const section = find("list").children[gameAt];
  if (section && !section.firstChild) section.replaceWith(movesOf(games[gameAt], gameAt));
}
function drawRest(gameAt) {
  // What was drawn above the current move has pushed it away.
  if (gameAt >= games.length) { marks(); return; }
  drawMoves(gameAt);
  setTimeout(() => drawRest(gameAt + 1));
}
function marks() {
  const step = current();
  drawMoves(step.gameAt);
  const strip = find("strip"), list = find("list");
  find("now").style.left = `${share(at.number)}%`;
  strip.setAttribute("aria-valuenow", at.number + 1);
  strip.setAttribute("aria-valuemax", steps.length);
  strip.setAttribute("aria-valuetext", inOneLine(step));
  for (const each of list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
  const link = list.querySelector(`[data-step="${at.number}"]`);
  if (link) {
    link.setAttribute("aria-current", "true");
    const box = link.getBoundingClientRect(), view = list.getBoundingClientRect();
    if (box.top < view.top + 34 || box.bottom > view.bottom - 8) list.scrollTop += box.top - view.top - view.height / 2;
  }
  for (const row of document.querySelectorAll("#errors tbody tr")) row.classList.toggle("on", row.dataset.step === String(at.number));
  for (const line of document.querySelectorAll(".chart .now")) { const x = LEFT + (line.dataset.wide - LEFT - RIGHT) * (at.number + 0.5) / steps.length; line.setAttribute("x1", x); line.setAttribute("x2", x); }
}

// --- tabs

const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(name, focus) {
  at.tab = name;
  for (const tab of tabs) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    find(tab.getAttribute("aria-controls")).hidden = !isOpen;
    if (isOpen && focus) tab.focus();
  }
  const draw = { charts: drawCharts, games: drawGames, breakdown: drawBreakdown }[name];
  if (draw) draw();
}

const columns = [
  ["place", (step) => `${gameOf(step).number || gameOf(step).game}·${step.row}`, (a, b) => a.number - b.number],
  ["player", (step) => [disc(step.first.player), " ", nameOf(step.first.player)], (a, b) => a.first.player - b.first.player],
  ["decision", (step) => [step.action === "roll" ? `${step.dice}: ${doneOf(step)}` : shortly(step), h("span.best", step.first.best)], (a, b) => doneOf(a).localeCompare(doneOf(b))],
  ["best", (step) => step.first.best, (a, b) => a.first.best.localeCompare(b.first.best)],
  ["loss", (step) => h("b", { class: isBlunder(step.first) ? "bad" : "err" }, lossOf(step.first)), (a, b) => b.first.loss - a.first.loss],
  ["why", (step) => step.first.detail || step.first.rolled_out || step.first.themes.slice(0, 2).join(", "), (a, b) => b.first.loss - a.first.loss],
];
function drawErrors() {
  const list = errors.filter(isKept).sort(columns[order.column][2]);
  if (order.down) list.reverse();
  const head = columns.map(([name], number) => h("th", { scope: "col", class: number === 4 ? "r" : null, "aria-sort": number === order.column ? (order.down ? "descending" : "ascending") : null },
    button(name, () => { order.down = order.column === number && !order.down; order.column = number; drawErrors(); find("errors").querySelectorAll("th button")[number].focus(); }, { class: "plain" })));
  const rows = list.map((step) => h("tr", { "data-step": step.number, "data-loss": step.first.loss, "data-game": gameOf(step).game, "data-turn": step.turn, "data-entry": step.entry },
    columns.map(([, cell], number) => h("td", { class: number === 4 ? "r" : null }, number ? cell(step) : h("a", { href: `#${step.link}`, "data-step": step.number, "aria-label": `Game ${gameOf(step).number || gameOf(step).game}, row ${step.row}` }, cell(step))))));
  put("errors", h("caption", `${list.length} of ${errors.length} errors`), h("thead", h("tr", head)), h("tbody", rows));
  marks();
}
function drawFilters() {
  const values = (of) => [...new Set(errors.flatMap((step) => of(step.first)))].filter(Boolean).sort().map((value) => [value, value]);
  const options = {
    player: data.players.map((_, player) => [String(player), nameOf(player)]), kind: [["checker play", "checker plays"], ["cube", "cube"]],
    size: data.classes.map((name) => [name, `${name} or worse`]), phase: values((one) => [one.phase]), theme: values((one) => one.themes), counted: values((one) => one.counted_by),
  };
  // A link can name a value that no error of this match has.
  for (const [key, list] of Object.entries(options)) if (!list.some(([value]) => value === filters[key])) filters[key] = "";
  put("filters", Object.entries(options).filter(([, list]) => list.length).map(([key, list]) => {
    const select = h("select", { "aria-label": FILTERS[key], change: (event) => { filters[key] = event.target.value; writeLink(); drawErrors(); } },
      h("option", { value: "" }, FILTERS[key]), list.map(([value, text]) => h("option", { value }, text)));
    select.value = filters[key];
    return select;
  }));
}

const firstOf = (gameAt) => steps.find((step) => step.gameAt === gameAt);
function drawGames() {
  const { heads, rows } = data.games_table, right = (number) => number && "r";
  const known = rows.map((row, index) => [row.slice(0, -1), row.at(-1), games.findIndex((game) => game.game === data.games[index].game)]);
  put("games", h("caption", "PR and luck of both players", data.games.some((game) => game.crawford) ? "; * the Crawford game" : ""), tableHead(heads.slice(0, -1).map((name, number) => [name, number])),
    h("tbody", known.map(([row, result, gameAt]) => h("tr", row.map((cell, number) => h("td", { class: right(number) || null },
      number ? minus(cell) : [gameAt < 0 ? cell : h("a", { href: `#${firstOf(gameAt).link}`, "data-step": firstOf(gameAt).number }, `Game ${cell}`), " ", h("span.q", result)]))))));
}
function drawBreakdown() {
  const only = { reason: (value) => ({ theme: value }), phase: (value) => ({ phase: value }), decision: (value) => ({ kind: value === "checker play" ? "checker play" : "cube" }) };
  const cells = ([dimension, value], found, player) => {
    if (!found) return ["–", "–", "–"].map((text) => h("td.r", text));
    const [pr, lost, text] = found;
    const show = () => {
      for (const key of Object.keys(filters)) filters[key] = "";
      Object.assign(filters, only[dimension](value), { player: String(player) });
      writeLink();
      drawFilters();
      drawErrors();
      openTab("errors", true);
    };
    return [pr, lost, /^[1-9]\d*\//.test(text) && only[dimension] ? button(text, show, { class: "plain" }) : text].map((cell) => h("td.r", cell));
  };
  const groups = [...new Set(data.breakdown.map(([dimension]) => dimension))];
  put("breakdown", h("caption", "PR, EMG lost, errors of all decisions; a click shows the errors"),
    h("thead", h("tr", h("td"), [0, 1].map((player) => h("th", { scope: "colgroup", colspan: 3, class: "r" }, disc(player), " ", nameOf(player)))),
      h("tr", h("td"), [0, 1].map(() => ["PR", "EMG lost", "errors"].map((name) => h("th", { scope: "col", class: "r" }, name))))),
    groups.map((group) => h("tbody", h("tr", h("th", { scope: "rowgroup", colspan: 7, class: "group" }, group)),
      data.breakdown.filter(([dimension]) => dimension === group).map((row) => h("tr.under", h("th", { scope: "row" }, row[1]), [0, 1].map((player) => cells(row, row[2 + player], player)))))));
}

// --- charts

const LEFT = 40, RIGHT = 10, TOP = 36, LOW = 170;
// A chart of the match: values by step and player, the greatest jumps, by step, player and text, and where the lines end.
function chart({ title, unit, values, jumps, ends }) {
  const wide = Math.max(320, find("charts").clientWidth || 600), known = values.flat().filter((value) => value !== null);
  const low = Math.min(0, ...known), high = Math.max(low + 0.01, ...known), down = (value) => TOP + (LOW - TOP) * (high - value) / (high - low), across = (number) => LEFT + (wide - LEFT - RIGHT) * (number + 0.5) / steps.length;
  const parts = [], stride = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((each) => (high - low) / each < 6) || 500;
  for (let value = Math.ceil(low / stride) * stride; value <= high + 1e-9; value += stride)
    parts.push(s("path", { d: `M${LEFT},${down(value)}H${wide - RIGHT}`, class: "grid" }), s("text", { x: LEFT - 5, y: down(value) + 4, "text-anchor": "end" }, minus(String(Math.round(value * 10) / 10))));
  // Every game has its line; a number that has no room gives way to the longer game.
  const starts = games.map((game, gameAt) => [across(firstOf(gameAt).number - 0.5), game, steps.filter((step) => step.gameAt === gameAt).length]), named = [];
  for (const [x, game, length] of [...starts].sort((a, b) => b[2] - a[2])) {
    parts.push(s("path", { d: `M${x},${TOP}V${LOW}`, class: "grid" }));
    if (named.some((other) => Math.abs(other - x) < 18)) continue;
    named.push(x);
    parts.push(s("text", { x: x + 2, y: LOW + 14 }, String(game.number || game.game)));
  }
  [0, 1].forEach((player) => {
    let d = "", pen = "M";
    values.forEach((pair, number) => {
      if (pair[player] === null) { pen = "M"; return; }
      if (!ends && steps[number].index === 0) pen = "M";
      d += `${pen}${short(across(number), down(pair[player]))}`;
      pen = "L";
    });
    if (d) parts.push(player ? "" : s("path", { d, class: "course edge" }), s("path", { d, class: `course p${player}` }));
  });
  const rows = [[], []];
  for (const [number, player, text] of jumps) {
    const step = steps[number], x = Math.min(Math.max(across(number), 90), wide - 66), row = rows.findIndex((each) => each.every((other) => Math.abs(other - x) > 124));
    if (row < 0) continue;
    rows[row].push(x);
    parts.push(s("path", { d: `M${short(across(number), 15 + 13 * row)}V${short(down(values[number][player]))}`, class: "lead" }), s("circle", { cx: across(number), cy: down(values[number][player]), r: 3.5, fill: "var(--ink)" }),
      s("text", { x, y: 11 + 13 * row, "text-anchor": "middle", class: "label" }, `${gameOf(step).number || gameOf(step).game}·${step.row} ${step.action === "roll" ? step.dice : doneOf(step)} ${text}`));
  }
  parts.push(s("line", { class: "now", y1: TOP, y2: LOW, "data-wide": wide }));
  const end = ends ? ` At the end ${ends.map((text, player) => `${nameOf(player)} ${text}`).join(", ")}.` : "";
  const drawn = s("svg", { class: "chart", viewBox: `0 0 ${wide} 188`, role: "img", "aria-label": `${title}, ${unit}.${end}`, click: (event) => {
    const box = drawn.getBoundingClientRect(), scale = box.width / wide;
    go(stepUnder(event, box.left + LEFT * scale, box.width - (LEFT + RIGHT) * scale), true);
  } }, parts);
  return h("figure", h("figcaption", h("b", title), h("span.q", ` ${unit} · full line ${nameOf(0)}, dashed ${nameOf(1)}`)), drawn);
}
function drawCharts() {
  const pips = { title: "Pips", unit: "before each decision", jumps: [], values: steps.map((step) => (step.on_roll ? [step.pips[1], step.pips[0]] : step.pips)) };
  put("charts", [...data.charts, pips].map(chart));
  marks();
}

// --- print

// The annotated match: the moves of each game as in match text, and the board of each blunder with its reason.
function drawSheet() {
  const parts = [];
  games.forEach((game, gameAt) => {
    const moves = movesOf(game, gameAt);
    moves.querySelectorAll("a").forEach((link) => link.removeAttribute("href"));
    parts.push(moves);
    const shown = errors.filter((step) => step.gameAt === gameAt && (isBlunder(step.first) || data.classes.length === 1) && (data.player === null || step.first.player === data.player));
    for (const step of shown) parts.push(h("figure", h("figcaption", h("b", `Row ${step.row}. ${titleOf(step)}`), ` ${doneOf(step)} ?? ${lossOf(step.first)}, best `, h("b", step.first.best), "."),
      boardOf(boardAt(step), { ...lookOf(step), ...arrowsAt(step), up: false }), h("figcaption", minus(capital(step.first.sentence)), step.first.sentence ? "." : "")));
  });
  put("sheet-body", parts);
}

// --- keys

function nextSeat() {
  at.seat = SEATS[(SEATS.indexOf(at.seat) + 1) % SEATS.length];
  writeLink();
  show();
  say({ roll: "Who decides sits below.", flip: "Who decides sits above.", 0: `${nameOf(0)} always sits below.`, 1: `${nameOf(1)} always sits below.` }[at.seat]);
}
function onlyWorst() {
  filters.size = filters.size === worstClass ? "" : worstClass;
  writeLink();
  drawFilters();
  drawErrors();
  say(filters.size ? `Only errors of the class ${worstClass}.` : "All errors.");
}
function startTrial() {
  if (current().action !== "roll") { say("Nothing was rolled here."); return; }
  find("try").focus();
  find("try").select();
}
const help = () => { const box = find("help"); if (box.open) box.close(); else box.showModal(); };
const KEYS = {
  ArrowRight: () => go(at.number + 1), ArrowLeft: () => go(at.number - 1), ArrowDown: () => goGame(1), ArrowUp: () => goGame(-1), Home: () => go(0), End: () => go(Infinity),
  n: () => toError(1), p: () => toError(-1), g: () => goGame(1), G: () => goGame(-1), b: onlyWorst, f: nextSeat, t: startTrial, "?": help,
  Escape: () => { if (at.trial || at.held !== null) endTrial(); else if (at.pick !== null) { at.pick = null; show(); } },
};
function onKey(event) {
  const from = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.altKey || event.metaKey || find("help").open || !find("edit").hidden || from.closest("select, textarea")) return;
  if (at.round) {
    const keys = { ...ASKING_KEYS, Escape: () => go(at.number, true) };
    if (event.key === "Escape" || (!from.closest("input") && Object.hasOwn(keys, event.key))) { event.preventDefault(); keys[event.key](); }
    return;
  }
  if (from.closest("input")) { if (event.key === "Escape") { endTrial(); main.focus({ preventScroll: true }); } return; }
  if (from.closest("[role=tablist]") && /^(Arrow|Home|End)/.test(event.key)) {
    const shown = tabs.filter((tab) => !tab.hidden), index = shown.findIndex((tab) => tab.id === `tab-${at.tab}`);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next !== undefined) { event.preventDefault(); openTab(shown[(next + shown.length) % shown.length].id.slice(4), true); }
    return;
  }
  if (!Object.hasOwn(KEYS, event.key) || (from.closest(".scroll, #list") && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  for (const [id, key] of [["back", "ArrowLeft"], ["forward", "ArrowRight"], ["before", "p"], ["after", "n"], ["flip", "f"], ["trial", "t"], ["keys", "?"], ["done", "Escape"]]) find(id).addEventListener("click", KEYS[key]);
  listenToAnswers();
  find("leave").addEventListener("click", () => go(at.number, true));
  find("again").addEventListener("click", () => { if (at.round.over) startRound(at.round.player); });
  find("whatif").addEventListener("submit", (event) => { event.preventDefault(); (at.round ? answerTyped : tryTyped)(); });
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const from = event.target instanceof Element ? event.target : document.body, link = from.closest('a[href^="#g"]'), row = from.closest("#errors tbody tr");
    if (event.ctrlKey || event.metaKey || event.shiftKey || (!link && !row)) return;
    const number = link ? stepOf(link.getAttribute("href")) : Number(row.dataset.step);
    if (number < 0) return;
    event.preventDefault();
    go(number, true);
  });
  const follow = () => {
    if (roundOf() || editOf()) return;
    endRound();
    const number = readLink();
    at.number = number < 0 ? opening() : number;
    at.pick = at.trial = at.held = null;
    drawFilters();
    drawErrors();
    show();
    seeBoard();
  };
  addEventListener("popstate", follow);
  addEventListener("resize", () => { drawStrip(); if (at.tab === "charts") drawCharts(); else marks(); });
  addEventListener("beforeprint", drawSheet);
  listenToBoard();
  listenToStrip();
}

function start() {
  find("download").addEventListener("click", () => saveAs("bgtools-data.json", new Blob([find("bgtools-data").textContent], { type: "application/json" })));
  for (const tab of tabs) tab.addEventListener("click", () => openTab(tab.id.slice(4)));
  if (!steps.length) { openTab(tabs.find((tab) => !tab.hidden).id.slice(4)); return; }
  const number = readLink();
  at.number = number < 0 ? opening() : number;
  put("list", games.map(() => h("section")));
  put("players", h("span"), [0, 1].map((player) => h("span", disc(player), " ", nameOf(player))));
  drawStrip();
  drawFilters();
  drawErrors();
  openTab(errors.length ? "errors" : "games");
  show();
  listen();
  readKept();
  find("again-of").append(...data.players.flatMap((_, player) => {
    const count = data.player === null || data.player === player ? askedOf(player).length : 0, what = count === 1 ? "the error" : `the ${count} errors`;
    return count ? [button([disc(player), ` Try ${count === 1 ? "the error" : `${count} errors`} again`], () => startRound(player), { class: "round", "aria-label": `Try ${what} of ${nameOf(player)} again` })] : [];
  }));
  if (!roundOf() && !editOf() && number >= 0) seeBoard();
  setTimeout(() => drawRest(0));
}

start();
