// --- the steps of the match ------------------------------------------------------------------

const games = data.games.filter((game) => game.steps.length);
const steps = games.flatMap((game, gameAt) => game.steps.map((step, index) => ({
  ...step, gameAt, index, link: `g${game.game}e${step.entry}`, first: step.decisions.find((one) => one.kind !== "no double" || step.action === "no double") || null,
})));
steps.forEach((step, number) => { step.number = number; step.quiet = step.action === "roll" ? step.decisions.find((one) => one.kind === "no double") || null : null; });
const worstClass = data.classes[data.classes.length - 1];
const errors = steps.filter((step) => step.first && step.first.error);
const main = find("main");
const gameOf = (step) => games[step.gameAt];
const gameName = (game) => `Game ${game.number || game.game}`;
const isBlunder = (decision) => decision.error === worstClass;
const ANSWERS = ["take", "drop", "beaver", "raccoon", "accept"];
// Who decides sits below, with their own numbers.
const isAnswer = (step) => step.player !== step.on_roll && ANSWERS.includes(step.action);
const boardAt = (step) => (isAnswer(step) ? R.flip(unpacked(step.board)) : unpacked(step.board));
const seenBy = (step) => (isAnswer(step) ? step.player : step.on_roll);
const cubeAt = (step) => [step.cube[0], isAnswer(step) ? { mine: "theirs", theirs: "mine", centre: "centre" }[step.cube[1]] : step.cube[1]];
const numbersOf = (step) => R.numbers([...step.dice].map(Number));
const isResignation = (step) => ["resign", "accept"].includes(step.action);

const TITLES = { double: (step) => `double to ${step.offered}?`, take: () => "take or pass?", drop: () => "take or pass?", "no double": () => "roll or double?", accept: () => "accept or play on?" };
const DONE = { double: "Doubled", take: "Took", drop: "Passed", "no double": "Rolled without doubling", beaver: "Beavered", raccoon: "Raccooned", resign: "Resigned" };
const titleOf = (step) => (step.action === "roll" ? `${nameOf(step.player)} to play ${step.dice}` : `${nameOf(step.player)}: ${(TITLES[step.action] || (() => step.action))(step)}`);
function doneOf(step) {
  if (step.action === "roll") return /^cannot/i.test(step.played) || !step.played ? "no play" : /^\?+$/.test(step.played) ? "not recorded" : step.played;
  return DONE[step.action] || capital(step.played);
}
const shortly = (step) => (step.action === "no double" ? "No double" : doneOf(step));
const lossOf = (decision) => sign(-decision.loss);

// --- what is shown ---------------------------------------------------------------------------

const FILTERS = { player: "player", kind: "kind", size: "size", phase: "phase", theme: "theme", counted: "rating" };
const SEATS = ["roll", "flip", "0", "1"];
const at = { number: 0, pick: null, trial: null, held: null, seat: "roll", tab: "errors" };
const filters = Object.fromEntries(Object.keys(FILTERS).map((key) => [key, ""]));
const order = { column: 4, down: false };
const current = () => steps[at.number];
const isUp = (step) => (at.seat === "roll" ? false : at.seat === "flip" ? true : seenBy(step) !== Number(at.seat));

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
  at.number = Math.min(Math.max(number, 0), steps.length - 1);
  at.pick = at.trial = at.held = null;
  writeLink(jump);
  show();
  if (jump) seeBoard();
}
function seeBoard() {
  main.focus({ preventScroll: true });
  const stage = find("stage"), box = stage.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) stage.scrollIntoView({ block: "nearest", behavior: "instant" });
}
function goGame(way) {
  const next = steps.find((step) => step.gameAt === current().gameAt + way);
  if (next) go(next.number);
  else say(way > 0 ? "This is the last game." : "This is the first game.");
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
const say = (text) => { find("live").textContent = text; };

function lookOf(step) {
  return { on: seenBy(step), up: isUp(step), cube: cubeAt(step), crawford: gameOf(step).crawford && data.length, offered: step.offered, byOther: isAnswer(step),
    dice: step.dice, title: titleOf(step), word: isResignation(step) ? "resigns" : "" };
}
// The arrows of a play: what was made and what is best, or one alone where it was the best.
function arrowsAt(step) {
  const one = step.first, best = one && one.choices[0];
  if (step.action !== "roll") return {};
  if (!best || !one.error || best.made) return one && one.loss !== null && one.loss < 0.0005 ? { best: step.hops } : { played: step.hops };
  return { played: step.hops, best: best.hops };
}

function show() {
  const step = current(), one = step.first, game = gameOf(step), chosen = at.pick === null || !one ? null : one.choices[at.pick];
  Object.assign(main.dataset, { game: game.game, turn: step.turn, entry: step.entry, xgid: step.ids[0] });
  const look = lookOf(step), board = at.trial ? at.trial.board : boardAt(step);
  let shown = board;
  look.drag = step.action === "roll";
  if (at.trial) {
    const best = bestOf(step);
    Object.assign(look, { left: at.trial.left, differ: at.trial.done && best ? differing(board, best) : [], ink: "played", title: `${look.title}. Tried: ${R.write(boardAt(step), at.trial.hops) || "nothing yet"}` });
  } else if (chosen && step.action === "roll") {
    shown = applied(board, chosen.hops);
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
  say(`${gameName(game)}. ${titleOf(step)} ${doneOf(step)}. ${one && one.error ? `${capital(one.error)}, ${one.loss.toFixed(3)} lost. Best ${one.best}. ${one.sentence}` : ""}`);
}

const clockOf = (left) => {
  const whole = Math.abs(Math.floor(left)), two = (part) => String(part).padStart(2, "0"), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return (left < 0 ? "\u2212" : "") + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(whole % 60)}`;
};
// Who sits above and who below: name, score, what they have to do, clock, pips.
function seats(step, board, up) {
  const game = gameOf(step), on = seenBy(step);
  for (const above of [true, false]) {
    const mine = above === up, player = mine ? on : 1 - on, score = game.score[player], left = step.clock && step.clock[player];
    const away = data.length ? Math.max(data.length - score, 0) : 0;
    put(above ? "above" : "below", disc(player), h("span", { class: "name" }, nameOf(player)),
      h("span", { class: "q n" }, data.length ? [`${score} of ${data.length}`, h("span", { class: "opt" }, `, ${away} away`)] : score === 1 ? "1 point" : `${score} points`),
      game.crawford && data.length && player === step.player ? h("span", { class: "chip o" }, "Crawford") : "",
      player === step.player ? h("span", { class: "chip" }, step.action === "roll" ? `plays ${step.dice}` : "decides") : "",
      h("span", { class: "pips n" }, left === null || left === undefined ? "" : h("span", { class: "clock" }, `${clockOf(left)} · `), h("b", {}, R.pips(mine ? board.m : board.t)), h("span", { class: "q" }, " pips")));
  }
}

// --- one decision in words -------------------------------------------------------------------

const button = (name, click, more) => h("button", { type: "button", click: (event) => click(event.target), ...more }, name);
function verdictOf(one) {
  if (!one || one.loss === null) return h("span", { class: "q" }, one && one.note ? capital(one.note) : "not analysed");
  if (one.error) return h("span", { class: `tag ${isBlunder(one) ? "blunder" : "error"}` }, `${capital(one.error)} ${lossOf(one)}`);
  return one.loss < 0.0005 ? h("span", { class: "good" }, "✓ best") : h("span", { class: "q n" }, lossOf(one));
}
function whyOf(step) {
  const one = step.first, game = gameOf(step), parts = [];
  parts.push(h("p", { class: "where" }, h("b", { id: "heading", role: "heading", "aria-level": 2 }, titleOf(step)), h("small", { class: "n" }, `${gameName(game)}, turn ${step.turn}${game.crawford && data.length ? ", Crawford" : ""}`)));
  const mwc = one && one.loss_mwc && one.loss >= 0.0005 ? h("span", { class: "q n" }, `${sign(-100 * one.loss_mwc, 1)}\u00a0% MWC`) : "";
  parts.push(h("p", { class: "verdict" }, h("span", { class: "play" }, doneOf(step)), " ", verdictOf(one), one && one.error ? [" best ", h("b", { class: "good n" }, one.best)] : "", " ", mwc));
  if (!step.in_game) parts.push(h("p", { class: "q" }, "This entry is not part of the game."));
  if (!step.legal) parts.push(h("p", { class: "bad" }, "Against the rules, as it is in the record."));
  if (one && one.verdict) parts.push(h("p", {}, h("b", {}, minus(one.verdict), ".")));
  if (one && one.sentence) parts.push(h("p", { id: "reason" }, minus(capital(one.sentence)), "."));
  if (one && one.rolled_out) parts.push(h("p", { class: "n" }, `By rollout ${one.rolled_out}`, one.rollout[0] === null ? "." : `: ${sign(-one.rollout[0])} ± ${one.rollout[1].toFixed(3)}.`));
  for (const [name, best, loss] of one ? one.others : [])
    parts.push(h("p", { class: "q n" }, `${name}: best ${best || "not known"}${loss === null ? "" : `, lost ${loss.toFixed(3)}`}`));
  const bits = [];
  if (step.luck !== null) bits.push(h("span", { class: step.luck_class ? "lucky" : null }, `luck of the roll ${sign(step.luck)}${step.luck_mwc === null ? "" : `, ${sign(100 * step.luck_mwc, 1)}\u00a0% MWC`}${step.luck_class ? ` (${step.luck_class})` : ""}`));
  if (one && one.themes.length) bits.push(one.themes.join(", "));
  if (step.chance !== null && data.length) bits.push(`wins the match ${percent(step.player ? 1 - step.chance : step.chance)} after it`);
  if (bits.length) parts.push(h("p", { class: "q n" }, bits.map((bit, number) => (number ? [" · ", bit] : bit))));
  for (const text of step.remarks) parts.push(h("blockquote", {}, text));
  for (const each of data.findings.filter((one) => one.game === game.game && (one.entry === null ? one.turn === step.turn : String(one.entry) === step.entry)))
    parts.push(h("p", { class: each.severity === "error" ? "bad" : null }, h("b", {}, each.code), ` ${each.message}`, each.hint ? ` ${capital(each.hint)}.` : ""));
  parts.push(h("p", { class: "copies" }, step.ids.map((text, number) => text && button(number ? "Copy GNU ID" : "Copy XGID", (pressed) => copy(text, pressed))),
    button("Copy picture", copyPicture), button("Save picture", savePicture)));
  return parts;
}

function alternativesOf(step) {
  const one = step.first;
  if (step.action !== "roll") return cubeOf(step, one);
  const head = h("h3", { id: "alternatives-title" }, "Alternatives ", h("span", {}, "wins and loses, g: gammons of it"));
  if (!one || !one.choices.length) return [head, h("p", {}, step.hops.length || doneOf(step) === "not recorded" ? "Not analysed." : "No legal play."), quietOf(step), rollsOf(step)];
  const rows = one.choices.map((choice, number) => h("li", {}, h("button", { type: "button", class: "choice n", "aria-pressed": String(at.pick === number),
    click: () => { at.pick = at.pick === number ? null : number; at.trial = null; show(); find("alternatives").querySelectorAll(".choice")[number].focus(); } },
    h("span", {}, h("span", { class: "play" }, choice.choice), choice.made ? h("span", { class: "chip o" }, "played") : "", number === 0 ? h("span", { class: "good" }, " ✓") : ""),
    h("span", { class: "figure" }, number ? h("b", { class: choice.made && one.error ? (isBlunder(one) ? "bad" : "err") : null }, sign(-choice.loss)) : h("b", { class: "good" }, sign(choice.equity)),
      h("small", {}, number ? ` ${sign(choice.equity)}` : "", one.mwc ? ` ${percent(one.mwc[0] + one.mwc[1] * choice.equity)}` : "")),
    number && one.choices[number - 1].depth === choice.depth ? "" : h("small", { class: "depth" }, choice.depth),
    choice.chances[0] === null ? "" : chancesOf(choice.chances))));
  return [head, h("ol", { "aria-labelledby": "alternatives-title" }, rows), one.choices.some((choice) => choice.chances[0] !== null) ? legend() : "", quietOf(step), rollsOf(step)];
}
// A cube that was rightly left alone before the roll.
function quietOf(step) {
  const one = step.quiet;
  return one ? h("details", {}, h("summary", {}, "The cube before the roll: no double", one.loss === null ? ", not analysed" : one.loss < 0.0005 ? " is right" : `, ${lossOf(one)}`), deskOf(one, step)) : "";
}
function rollsOf(step) {
  const rolls = [];
  for (let high = 1; high <= 6 && step.rolls.length; high++)
    for (let low = 1; low <= high; low++) if (low < high || step.rolls.length === 21) rolls.push([high, low, step.rolls[rolls.length] / 1000]);
  if (!rolls.length) return "";
  const row = (high) => h("tr", {}, rolls.filter(([a]) => a === high).reverse().map(([a, b, value]) =>
    h("td", { class: `${a}${b}` === step.dice ? "on" : null }, h("b", {}, `${a}${b}${value >= 0.3 ? " ●" : value <= -0.3 ? " ○" : ""}`), " ", sign(value, 2))));
  return h("details", { id: "rolls" }, h("summary", {}, `What the ${rolls.length} rolls were worth`), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rolls" },
    h("table", { class: "n" }, h("caption", {}, "EMG beside the mean; ● a joker, ○ an anti-joker"), h("tbody", {}, [6, 5, 4, 3, 2, 1].map(row)))));
}

const holder = (step) => (step.cube[1] === "centre" ? "in the middle" : `of ${nameOf(step.cube[1] === "mine" ? step.on_roll : 1 - step.on_roll)}`);
function cubeOf(step, one) {
  const score = data.length ? `; ${[0, 1].map((player) => `${nameOf(player)} ${data.length - gameOf(step).score[player]} away`).join(", ")}` : "";
  const head = h("h3", {}, isResignation(step) ? "Resignation " : "Cube ", h("span", {}, `${step.cube[0]} ${holder(step)}${score}`));
  return [head, one && one.choices.length ? deskOf(one, step) : h("p", {}, "Not analysed.")];
}
const ORDER = ["No double", "Double, take", "Double, beaver", "Double, pass", "Take", "Pass"];
// Equities of the cube actions, and at what chances of winning one takes and passes.
function deskOf(one, step) {
  const list = one.choices, best = list[0], chances = best ? best.chances : [null], parts = [];
  if (!list.length) return h("p", {}, "Not analysed.");
  const low = Math.min(-1, ...list.map((choice) => choice.equity)), high = Math.max(1, ...list.map((choice) => choice.equity)), across = (value) => 100 * (value - low) / (high - low);
  const rows = [...list].sort((a, b) => ORDER.indexOf(a.choice) - ORDER.indexOf(b.choice)).map((choice) => h("tr", { class: choice === best ? "best" : null },
    h("th", { scope: "row" }, choice.choice, choice.made && one.kind !== "double" ? h("span", { class: "chip o" }, "done") : "",
      h("span", { class: "track", "aria-hidden": "true" }, h("u", { style: `left:${Math.min(across(0), across(choice.equity))}%;width:${Math.max(Math.abs(across(choice.equity) - across(0)), 1)}%` }))),
    h("td", { class: "r" }, sign(choice.equity)), one.mwc ? h("td", { class: "r" }, percent(one.mwc[0] + one.mwc[1] * choice.equity)) : null,
    h("td", { class: "r" }, choice === best ? "best" : choice.loss >= 0.0005 ? sign(-choice.loss) : "")));
  parts.push(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Cube actions" }, h("table", { class: "cube n" }, h("caption", { class: "seen" }, "Cube actions"),
    tableHead([["action"], ["equity", 1], ...(one.mwc ? [["MWC", 1]] : []), ["", 1]]), h("tbody", {}, rows))));
  if (chances[0] !== null) parts.push(chancesOf(chances), h("p", { class: "q small" }, `What ${nameOf(one.player)} wins and loses, of it gammons (g)`));
  const cube = one.cube, answers = ["take", "pass"].includes(one.kind);
  if (cube && cube.take_point && chances[0] !== null) {
    const [dead, live] = cube.take_point, win = answers ? 1 - chances[0] : chances[0], edge = (value) => Math.max(0, Math.min(100, 100 * value));
    parts.push(h("div", { class: "window n", role: "img", "aria-label": `The doubler wins ${percent(win)}; the pass begins at ${percent(1 - dead)} with a dead cube, at ${percent(1 - live)} with a live one.` },
      h("div", { class: "axis" }, [[1 - dead, "w2"], [dead - live, "w1"], [live, "w0"]].map(([width, name]) => h("u", { class: name, style: `width:${100 * Math.max(width, 0)}%` }))),
      h("i", { style: `left:${edge(win)}%` }), h("b", { style: `left:clamp(2.6rem,${edge(win)}%,calc(100% - 2.6rem))` }, percent(win))),
    h("p", { class: "q small" }, "The doubler’s chance of winning, and from where one passes without gammons"));
  }
  if (cube) {
    const range = ([dead, live]) => (Math.abs(dead - live) < 0.0005 ? percent(dead) : `${percent(dead)} dead cube, ${percent(live)} live`);
    const facts = cube.take_point ? [["take point", range(cube.take_point)], ["cash point", range(cube.take_point.map((value) => 1 - value))]] : [];
    const doubler = answers ? 1 - one.player : one.player;
    facts.push([`a gammon for ${nameOf(doubler)}`, `${cube.gammon[0].toFixed(2)}, after the double ${cube.doubled_gammon[0].toFixed(2)}`], [`for ${nameOf(1 - doubler)}`, `${cube.gammon[1].toFixed(2)}, after the double ${cube.doubled_gammon[1].toFixed(2)}`]);
    parts.push(h("dl", { class: "facts n" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  }
  return parts;
}

// --- what if ---------------------------------------------------------------------------------

const bestOf = (step) => (step.first && step.first.choices.length && step.action === "roll" ? applied(boardAt(step), step.first.choices[0].hops) : null);
const differing = (one, other) => one.m.map((count, point) => (count === other.m[point] ? 0 : point)).filter(Boolean);
const nothingTried = (step) => ({ board: boardAt(step), left: numbersOf(step), hops: [], done: !R.most(boardAt(step), numbersOf(step)) });
// Where the checkers of a point can get: target to board, rest of the roll and hops; the shortest way first.
function reach(from) {
  const begun = at.trial || nothingTried(current()), found = new Map();
  let ways = [{ end: from, ...begun }];
  while (ways.length) {
    const next = [];
    for (const way of ways) for (const hop of way.left.length ? R.hops(way.board, way.left) : []) if (hop.from === way.end && !found.has(hop.to)) {
      const longer = { end: hop.to, board: hop.after, left: hop.rest, hops: [...way.hops, [hop.from, hop.to]] };
      found.set(hop.to, longer);
      next.push(longer);
    }
    ways = next;
  }
  return found;
}
function moveTo(from, to) {
  const way = reach(from).get(to), step = current(), text = `${R.name(from)}/${R.name(to)}`;
  at.held = null;
  if (!way) {
    const begun = at.trial || nothingTried(step);
    show();
    refuse(begun.left.length ? R.read(begun.board, [...step.dice].map(Number), text).why || `${text} does not fit what is left of the roll.` : "The whole roll has been played.");
    return;
  }
  at.pick = null;
  at.trial = { board: way.board, left: way.left, hops: way.hops, done: !way.left.length || !R.hops(way.board, way.left).length };
  show();
  say(`${R.write(boardAt(step), at.trial.hops)}. ${at.trial.done ? find("verdict").textContent : `Left to play: ${at.trial.left.join(" ")}.`}`);
}
function refuse(text) {
  say(text);
  find("verdict").textContent = text;
  find("verdict").className = "bad";
}
function tryTyped() {
  const step = current(), input = find("try");
  if (step.action !== "roll") { refuse("Nothing was rolled here."); return; }
  const found = R.read(boardAt(step), [...step.dice].map(Number), input.value);
  input.setAttribute("aria-invalid", String(!found.board));
  if (!found.board) { refuse(found.why); return; }
  const text = input.value;
  at.pick = at.held = null;
  at.trial = { board: found.board, left: [], hops: found.hops, done: true };
  show();
  input.value = text;
  say(find("verdict").textContent);
}
const endTrial = () => { at.trial = at.held = null; find("try").removeAttribute("aria-invalid"); show(); };
function showTrial(step) {
  const trial = at.trial, best = bestOf(step), input = find("try"), verdict = find("verdict"), box = find("tried");
  delete main.dataset.tried;
  find("whatif").hidden = step.action !== "roll";
  box.hidden = !trial;
  verdict.className = "q";
  for (const id of ["undo", "done"]) find(id).hidden = !trial;
  if (!trial) { input.value = ""; verdict.textContent = "Drag a checker, press one and then its target, or type a play."; return; }
  const word = R.write(boardAt(step), trial.hops);
  const own = trial.done && step.first ? step.first.choices.find((choice) => R.key(applied(boardAt(step), choice.hops)) === R.key(trial.board)) : null;
  if (document.activeElement !== input) input.value = word;
  verdict.textContent = !trial.done ? (trial.hops.length ? `Left to play: ${trial.left.join(" ")}` : verdict.textContent)
    : own ? (own.loss >= 0.0005 ? `${word}: ${sign(-own.loss)} beside the best.` : `${word} is the best play.`) : `${word || "No play"}: legal, not analysed.`;
  if (trial.done) main.dataset.tried = own ? own.equity : "not analysed";
  const rows = [], top = step.first && step.first.choices[0];
  const add = (name, one, other, text, difference) => rows.push(h("tr", {}, h("th", { scope: "row" }, name), [one, other].map((value) => h("td", { class: "r" }, value === null || value === undefined ? "–" : text(value))),
    h("td", { class: "r" }, one === null || other === null || one === undefined || other === undefined ? "" : difference(one - other))));
  if (trial.done && best) {
    const chance = (choice, number) => (choice && choice.chances[number] !== null ? choice.chances[number] : null), whole = (value) => (value ? sign(value, 0) : "0");
    add("equity", own ? own.equity : null, top.equity, (value) => sign(value), (value) => (value ? sign(value) : "0"));
    [["wins", 0], ["wins gammon", 1], ["loses gammon", 3]].forEach(([name, number]) => add(name, chance(own, number), chance(top, number), percent, (value) => (Math.abs(value) < 0.0005 ? "0" : sign(100 * value, 1))));
    add("shots of 36", R.shots(trial.board), R.shots(best), String, whole);
    add("own pips", R.pips(trial.board.m), R.pips(best.m), String, whole);
  }
  const look = { ...lookOf(step), dice: "" };
  put("tried", best ? h("section", {}, h("h3", {}, `Best: ${top.choice}`), boardOf(best, { ...look, title: `After the best play, ${top.choice}`, differ: differing(trial.board, best), ink: "best" })) : "",
    rows.length ? h("table", { class: "n" }, h("caption", { class: "seen" }, "Tried and best"), tableHead([[""], ["tried", 1], ["best", 1], ["±", 1]]), h("tbody", {}, rows)) : "");
  if (!best) box.hidden = true;
}

// Drag a checker, or press it and then its target. A swipe over the board walks.
function listenToBoard() {
  const board = find("board");
  let from = null, ghost = null, start = null, isMoved = false, touch = null;
  const pointAt = (event) => {
    const area = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.dataset && each.dataset.point !== undefined && board.contains(each));
    return area ? { bar: BAR, off: OFF }[area.dataset.point] ?? Number(area.dataset.point) : null;
  };
  const onBoard = (event) => { const box = board.getBoundingClientRect(); return [lay.view[0] + (event.clientX - box.left) * lay.view[2] / box.width, lay.view[1] + (event.clientY - box.top) * lay.view[3] / box.height]; };
  board.addEventListener("pointerdown", (event) => {
    const step = current();
    if (!steps.length || step.action !== "roll" || at.pick !== null || event.button) return;
    const point = pointAt(event), own = (at.trial ? at.trial.board : boardAt(step)).m;
    start = [event.clientX, event.clientY];
    if (at.held !== null && point !== null && point !== at.held && reach(at.held).has(point)) { event.preventDefault(); moveTo(at.held, point); return; }
    if (!point || !own[point]) { if (at.held !== null) { at.held = null; show(); } return; }
    from = point;
    isMoved = false;
    if (event.pointerType !== "touch" || at.trial) { event.preventDefault(); board.setPointerCapture(event.pointerId); }
  });
  board.addEventListener("pointermove", (event) => {
    if (from === null || (!isMoved && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < 6)) return;
    if (!isMoved) {
      isMoved = true;
      at.held = from;
      show();
      ghost = s("circle", { r: lay.radius + 2, fill: colour(seenBy(current()) === 0 ? "mine" : "theirs"), stroke: colour("best"), "stroke-width": 3, "pointer-events": "none" });
      board.append(ghost);
    }
    const [x, y] = onBoard(event);
    ghost.setAttribute("cx", x);
    ghost.setAttribute("cy", y);
  });
  board.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const left = from, to = pointAt(event);
    from = null;
    if (!isMoved) { at.held = at.held === left || !reach(left).size ? null : left; show(); return; }
    if (to === null || to === left) { at.held = null; show(); } else moveTo(left, to);
  });
  board.addEventListener("pointercancel", () => { if (from !== null) { from = at.held = null; show(); } });
  board.addEventListener("touchstart", (event) => { touch = event.touches[0]; }, { passive: true });
  board.addEventListener("touchend", (event) => {
    const end = event.changedTouches[0], over = touch ? end.clientX - touch.clientX : 0, down = touch ? Math.abs(end.clientY - touch.clientY) : 0;
    touch = null;
    if (!at.trial && Math.abs(over) > 45 && Math.abs(over) > 1.5 * down) go(at.number + (over < 0 ? 1 : -1));
  });
}

// --- the strip over the match ----------------------------------------------------------------

const share = (number) => 100 * (number + 0.5) / steps.length;
const GREAT_LUCK = 0.6;
const isGreat = (step) => step.luck !== null && Math.abs(step.luck) >= GREAT_LUCK;
function inOneLine(step) {
  const one = step.first, parts = [`${gameName(gameOf(step))}, turn ${step.turn}: ${nameOf(step.player)} ${step.action === "roll" ? `${step.dice} ${doneOf(step)}` : doneOf(step).toLowerCase()}`];
  if (one && one.error) parts.push(`${one.error} ${lossOf(one)}`);
  if (step.luck_class) parts.push(`${step.luck_class} ${sign(step.luck, 2)}`);
  if (step.chance !== null && data.length) parts.push(`${nameOf(0)} ${percent(step.chance)}`);
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
    parts.push(h("span", { class: "area", "aria-hidden": "true" }, s("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none" }, s("path", { d: path, fill: colour("mine") }), s("path", { d: "M0,50H1000", class: "half" }))));
  } else parts.push(h("span", { class: "area none", "aria-hidden": "true" }));
  games.forEach((game, gameAt) => {
    const own = steps.filter((step) => step.gameAt === gameAt), width = own.length / steps.length;
    const text = `${game.score.join("–")}${game.crawford && data.length ? " C" : ""}`;
    parts.push(h("span", { class: "game", "aria-hidden": "true", style: `left:${100 * own[0].number / steps.length}%;width:${100 * width}%` }, width * wide > 7 * text.length + 6 ? h("span", { class: "n" }, text) : ""));
  });
  for (const step of steps) {
    if (step.first && step.first.error) parts.push(h("i", { class: `p${step.first.player} ${isBlunder(step.first) ? "b" : "e"}`, style: `left:${share(step.number)}%` }));
    else if (isGreat(step)) parts.push(h("i", { class: `p${step.player} j ${step.luck > 0 ? "up" : "down"}`, style: `left:${share(step.number)}%` }));
  }
  parts.push(h("span", { class: "now", id: "now" }));
  box.replaceChildren(...parts);
}
// The step below the pointer; an error within six pixels goes first.
function stepUnder(event, left, width) {
  const number = Math.floor((event.clientX - left) / width * steps.length), most = Math.ceil(6 * steps.length / width);
  for (let away = 0; away <= most; away++) for (const near of [number + away, number - away]) if (steps[near] && steps[near].first && steps[near].first.error) return near;
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

// --- the moves -------------------------------------------------------------------------------

const CELLS = { double: (step) => `Doubles → ${step.offered}`, take: () => "Takes", drop: () => "Passes", "no double": () => "No double", beaver: () => "Beavers", raccoon: () => "Raccoons", resign: () => "Resigns" };
function cellOf(step) {
  const one = step.first, words = step.action === "roll" ? [h("span", { class: "dice" }, `${step.dice}:`), " ", doneOf(step)] : (CELLS[step.action] || (() => doneOf(step)))(step);
  const mark = one && one.error ? h("em", { class: isBlunder(one) ? "bad" : "err" }, ` ${isBlunder(one) ? "??" : "?"}\u00a0${sign(-one.loss, 2)}`) : "";
  const luck = isGreat(step) ? h("em", { class: "lucky" }, step.luck > 0 ? " ●" : " ○", h("span", { class: "seen" }, step.luck > 0 ? " joker" : " anti-joker")) : "";
  const name = [step.action === "roll" ? "" : "action", one && one.error ? (isBlunder(one) ? "B" : "E") : ""].join(" ").trim();
  return h("a", { href: `#${step.link}`, "data-step": step.number, class: name || null }, words, mark, luck, step.remarks.length ? h("span", { class: "q", title: "remark" }, " ✎") : "");
}
// The moves of a game, two columns as in match text.
function movesOf(game, gameAt) {
  const rows = [];
  let row = null, last = 2;
  for (const step of steps.filter((one) => one.gameAt === gameAt)) {
    const joins = row && row[step.player].length && step.turn === row[step.player][row[step.player].length - 1].turn && last === step.player;
    if (!row || (step.player <= last && !joins)) { row = [[], []]; rows.push(row); }
    row[step.player].push(step);
    last = step.player;
  }
  const end = game.winner === null ? game.ending : `${nameOf(game.winner)} wins ${game.points}`;
  return h("section", {}, h("h3", {}, h("span", {}, gameName(game), game.crawford && data.length ? ", Crawford" : ""), h("span", { class: "n" }, `${game.score.join("–")} · ${end}`)),
    rows.map((cells, number) => h("div", { class: "mv n" }, h("span", {}, number + 1), cells.map((list) => h("div", {}, list.map(cellOf))))));
}
function marks() {
  const step = current(), strip = find("strip"), list = find("list");
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

// --- tabs ------------------------------------------------------------------------------------

const tableHead = (heads) => h("thead", {}, h("tr", {}, heads.map(([text, right]) => (text ? h("th", { scope: "col", class: right ? "r" : null }, text) : h("td", {})))));
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
  if (name === "charts") drawCharts();
}

const columns = [
  ["place", (step) => `${gameOf(step).number || gameOf(step).game}·${step.turn}`, (a, b) => a.number - b.number],
  ["player", (step) => [disc(step.first.player), " ", nameOf(step.first.player)], (a, b) => a.first.player - b.first.player],
  ["decision", (step) => [step.action === "roll" ? `${step.dice}: ${doneOf(step)}` : shortly(step), h("span", { class: "best" }, step.first.best)], (a, b) => doneOf(a).localeCompare(doneOf(b))],
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
    columns.map(([, cell], number) => h("td", { class: number === 4 ? "r" : null }, number ? cell(step) : h("a", { href: `#${step.link}`, "data-step": step.number, "aria-label": `Game ${gameOf(step).number || gameOf(step).game}, turn ${step.turn}` }, cell(step))))));
  put("errors", h("caption", {}, `${list.length} of ${errors.length} errors`), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
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
  const { heads, rows } = data.games_table, right = (number) => number && number < heads.length - 1;
  const known = rows.map((row, index) => [row, games.findIndex((game) => game.game === data.games[index].game)]);
  put("games", h("caption", {}, "PR and luck of both players", data.games.some((game) => game.crawford) ? "; * the Crawford game" : ""), tableHead(heads.map((name, number) => [name, right(number)])),
    h("tbody", {}, known.map(([row, gameAt]) => h("tr", {}, row.map((cell, number) => h("td", { class: right(number) ? "r" : null },
      number || gameAt < 0 ? minus(cell) : h("a", { href: `#${firstOf(gameAt).link}`, "data-step": firstOf(gameAt).number }, `Game ${cell}`)))))));
}
function drawBreakdown() {
  const number = (value, digits) => (value === null ? "–" : value.toFixed(digits));
  const only = { phase: (value) => ({ phase: value }), decision: (value) => ({ kind: value === "checker play" ? "checker play" : "cube" }) };
  const cells = ([dimension, value], found, player) => {
    if (!found) return ["–", "–", "–"].map((text) => h("td", { class: "r" }, text));
    const [count, pr, loss, wrong] = found, text = loss === null ? String(count) : `${wrong}/${count}`;
    const show = () => {
      for (const key of Object.keys(filters)) filters[key] = "";
      Object.assign(filters, only[dimension](value), { player: String(player) });
      writeLink();
      drawFilters();
      drawErrors();
      openTab("errors", true);
    };
    return [number(pr, 1), number(loss, 3), wrong && only[dimension] ? button(text, show, { class: "plain" }) : text].map((cell) => h("td", { class: "r" }, cell));
  };
  const groups = [...new Set(data.breakdown.map(([dimension]) => dimension))];
  put("breakdown", h("caption", {}, "PR, EMG lost, errors of all decisions; a click shows the errors"),
    h("thead", {}, h("tr", {}, h("td", {}), [0, 1].map((player) => h("th", { scope: "colgroup", colspan: 3, class: "r" }, disc(player), " ", nameOf(player)))),
      h("tr", {}, h("td", {}), [0, 1].map(() => ["PR", "lost", "errors"].map((name) => h("th", { scope: "col", class: "r" }, name))))),
    groups.map((group) => h("tbody", {}, h("tr", {}, h("th", { scope: "rowgroup", colspan: 7, class: "group" }, group)),
      data.breakdown.filter(([dimension]) => dimension === group).map((row) => h("tr", { class: "under" }, h("th", { scope: "row" }, row[1]), [0, 1].map((player) => cells(row, row[2 + player], player)))))));
}

// --- charts ----------------------------------------------------------------------------------

const LEFT = 40, RIGHT = 10, TOP = 36, LOW = 170;
// Two running sums over the match, by player.
function sums(of) {
  const running = [0, 0];
  return steps.map((step) => { of(step).forEach((value, player) => { running[player] += value; }); return [...running]; });
}
const byPlayer = (player, value) => (player ? [0, value] : [value, 0]);
// A chart of the match: values by step and player, and how much each step changes them, for the labels.
function chart(title, unit, values, changes, digits) {
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
      if (unit === "pips" && steps[number].index === 0) pen = "M";
      d += `${pen}${short(across(number), down(pair[player]))}`;
      pen = "L";
    });
    if (d) parts.push(player ? "" : s("path", { d, class: "course edge" }), s("path", { d, class: `course p${player}` }));
  });
  const rows = [[], []];
  for (const [size, number] of changes.map((pair, number) => [Math.max(...pair.map(Math.abs)), number]).sort((a, b) => b[0] - a[0]).slice(0, 6)) {
    const step = steps[number], player = Math.abs(changes[number][0]) >= Math.abs(changes[number][1]) ? 0 : 1, x = Math.min(Math.max(across(number), 90), wide - 66), row = rows.findIndex((each) => each.every((other) => Math.abs(other - x) > 124));
    if (!size || row < 0) continue;
    rows[row].push(x);
    parts.push(s("path", { d: `M${short(across(number), 15 + 13 * row)}V${short(down(values[number][player]))}`, class: "lead" }), s("circle", { cx: across(number), cy: down(values[number][player]), r: 3.5, fill: "var(--ink)" }),
      s("text", { x, y: 11 + 13 * row, "text-anchor": "middle", class: "label" }, `${gameOf(step).number || gameOf(step).game}·${step.turn} ${step.action === "roll" ? step.dice : doneOf(step)} ${sign(changes[number][player], digits)}`));
  }
  parts.push(s("line", { class: "now", y1: TOP, y2: LOW, "data-wide": wide }));
  const end = values[values.length - 1], ends = unit === "pips" ? "" : ` At the end ${[0, 1].map((player) => `${nameOf(player)} ${sign(end[player], digits)}`).join(", ")}.`;
  const drawn = s("svg", { class: "chart", viewBox: `0 0 ${wide} 188`, role: "img", "aria-label": `${title}, ${unit}.${ends}`, click: (event) => {
    const box = drawn.getBoundingClientRect(), scale = box.width / wide;
    go(stepUnder(event, box.left + LEFT * scale, box.width - (LEFT + RIGHT) * scale), true);
  } }, parts);
  return h("figure", {}, h("figcaption", {}, h("b", {}, title), h("span", { class: "q" }, ` ${unit === "pips" ? "before each decision" : unit} · full line ${nameOf(0)}, dashed ${nameOf(1)}`)), drawn);
}
function drawCharts() {
  const none = steps.map(() => [0, 0]), list = [];
  const add = (title, unit, of, digits) => list.push(chart(title, unit, sums(of), steps.map(of), digits));
  if (steps.some((step) => step.luck !== null)) {
    if (data.length) add("Luck", "% of match winning chance, summed", (step) => byPlayer(step.player, 100 * (step.luck_mwc || 0)), 1);
    else add("Luck", "EMG, summed", (step) => byPlayer(step.player, step.luck || 0), 2);
  }
  if (steps.some((step) => step.first && step.first.loss !== null)) add("Equity given away", "EMG, summed", (step) => [0, 1].map((player) => step.decisions.reduce((sum, one) => sum + (one.player === player ? one.loss || 0 : 0), 0)), 2);
  list.push(chart("Pips", "pips", steps.map((step) => (step.on_roll ? [step.pips[1], step.pips[0]] : step.pips)), none, 0));
  put("charts", list);
  marks();
}

// --- copies ----------------------------------------------------------------------------------

function answered(pressed, text) {
  const before = pressed.textContent;
  pressed.textContent = text;
  say(text);
  setTimeout(() => { pressed.textContent = before; }, 1200);
}
function copy(text, pressed) {
  const byHand = () => {
    const area = h("textarea", {}, text);
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
function pictureText() {
  // A picture outside the page does not know the page's variables.
  const drawn = find("board").cloneNode(true), style = getComputedStyle(document.documentElement);
  for (const each of drawn.querySelectorAll("[data-point]")) each.remove();
  for (const [name, value] of [["xmlns", "http://www.w3.org/2000/svg"], ["width", lay.view[2]], ["height", lay.view[3]], ["font-family", "Helvetica, Arial, sans-serif"], ["text-anchor", "middle"]]) drawn.setAttribute(name, value);
  return drawn.outerHTML.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
}
const pictureName = (ending) => `${current().link}.${ending}`;
const savePicture = () => saveAs(pictureName("svg"), new Blob([pictureText()], { type: "image/svg+xml" }));
// Copy the board as PNG; save it where the browser copies no pictures.
function copyPicture(pressed) {
  const made = new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => {
      const canvas = h("canvas", { width: 2 * lay.view[2], height: 2 * lay.view[3] });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png");
    };
    image.onerror = failed;
    image.src = `data:image/svg+xml,${encodeURIComponent(pictureText())}`;
  });
  const name = pictureName("png"), kept = () => made.then((blob) => { saveAs(name, blob); answered(pressed, "Saved"); }, () => answered(pressed, "No picture"));
  if (!navigator.clipboard || !navigator.clipboard.write || typeof ClipboardItem === "undefined") return kept();
  return navigator.clipboard.write([new ClipboardItem({ "image/png": made })]).then(() => answered(pressed, "Copied"), kept);
}

// --- print -----------------------------------------------------------------------------------

// The annotated match: the moves of each game as in match text, and the board of each blunder with its reason.
function drawSheet() {
  const parts = [];
  games.forEach((game, gameAt) => {
    const moves = movesOf(game, gameAt);
    moves.querySelectorAll("a").forEach((link) => link.removeAttribute("href"));
    parts.push(moves);
    const shown = errors.filter((step) => step.gameAt === gameAt && (isBlunder(step.first) || data.classes.length === 1) && (data.player === null || step.first.player === data.player));
    for (const step of shown) parts.push(h("figure", {}, h("figcaption", {}, h("b", {}, `${step.turn}. ${titleOf(step)}`), ` ${doneOf(step)} ?? ${lossOf(step.first)}, best `, h("b", {}, step.first.best), "."),
      boardOf(boardAt(step), { ...lookOf(step), ...arrowsAt(step), up: false }), h("figcaption", {}, minus(capital(step.first.sentence)), step.first.sentence ? "." : "")));
  });
  put("sheet-body", parts);
}

// --- keys ------------------------------------------------------------------------------------

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
  if (event.ctrlKey || event.altKey || event.metaKey || find("help").open || from.closest("select, textarea")) return;
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
  find("undo").addEventListener("click", () => { at.trial = nothingTried(current()); at.held = null; show(); });
  find("whatif").addEventListener("submit", (event) => { event.preventDefault(); tryTyped(); });
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
  put("list", games.map(movesOf));
  put("players", h("span"), [0, 1].map((player) => h("span", {}, disc(player), " ", nameOf(player))));
  drawStrip();
  drawFilters();
  drawErrors();
  drawGames();
  drawBreakdown();
  openTab(errors.length ? "errors" : "games");
  show();
  listen();
  if (number >= 0) seeBoard();
}

start();
