// --- a decision

// A step is a decision with its board. Whatever shows steps has `at` (pick, trial, held, seat), `current()`, `gameOf`,
// `show` and `go`.
const worstClass = data.classes.at(-1);
const isBlunder = (decision) => decision.error === worstClass;
const gameName = (game) => `Game ${game.number || game.game}`;
const tableHead = (heads) => h("thead", h("tr", heads.map(([text, right]) => (text ? h("th", { scope: "col", class: right ? "r" : null }, text) : h("td")))));
// A table that is wider than its column is moved by itself, with the keys too.
const scrolled = (label, table) => h("div.scroll", { tabindex: "0", role: "region", "aria-label": label }, table);
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
// Figures come as texts; a choice that is as good as the best has none for its loss.
const isRight = (decision) => decision?.loss != null && !decision.texts.loss;
const lossOf = (one) => one.texts.loss || "0.000";

const isUp = (step) => (at.seat === "roll" ? false : at.seat === "flip" ? true : seenBy(step) !== Number(at.seat));
function lookOf(step) {
  return { on: seenBy(step), up: isUp(step), cube: cubeAt(step), crawford: gameOf(step).crawford && data.length, offered: step.offered, byOther: isAnswer(step),
    dice: step.dice, title: titleOf(step), word: isResignation(step) ? "resigns" : "" };
}
// The arrows of a play: what was made and what is best, or one alone where it was the best.
function arrowsAt(step) {
  const one = step.first, best = one?.choices[0];
  if (step.action !== "roll") return {};
  if (!best || !one.error || best.made) return isRight(one) ? { best: step.hops } : { played: step.hops };
  return { played: step.hops, best: hopsOf(best.choice) };
}

const clockOf = (left) => {
  const whole = Math.abs(Math.floor(left)), two = (part) => String(part).padStart(2, "0"), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return (left < 0 ? "\u2212" : "") + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(whole % 60)}`;
};
// Who sits above and who below: name, score, what they have to do, clock, pips.
function seats(step, board, up) {
  const game = gameOf(step), on = seenBy(step);
  for (const above of [true, false]) {
    const mine = above === up, player = mine ? on : 1 - on, score = game.score[player], left = step.clock?.[player];
    const away = data.length ? Math.max(data.length - score, 0) : 0;
    put(above ? "above" : "below", disc(player), h("span.name", nameOf(player)),
      h("span.q.n", data.length ? [`${score} of ${data.length}`, h("span.opt", `, ${away} away`)] : score === 1 ? "1 point" : `${score} points`),
      game.crawford && data.length && player === step.player ? h("span.chip.o", "Crawford") : "",
      player === step.player ? h("span.chip", step.action === "roll" ? `plays ${step.dice}` : "decides") : "",
      h("span.pips.n", left == null ? "" : h("span.clock", `${clockOf(left)} · `), h("b", R.pips(mine ? board.m : board.t)), h("span.q", " pips")));
  }
}

// --- one decision in words

function verdictOf(one) {
  if (!one || one.loss === null) return h("span.q", one?.note ? capital(one.note) : "not analysed");
  if (one.error) return h("span", { class: `tag ${isBlunder(one) ? "blunder" : "error"}` }, `${capital(one.error)} ${lossOf(one)}`);
  return isRight(one) ? h("span.good", "✓ best") : h("span.q.n", lossOf(one));
}
// A reason, with the plan that it begins with.
function reasonOf(sentence) {
  const [, plan, rest] = /^(the plan: [^;]*)(.*)$/.exec(sentence) || [null, "", sentence];
  return [plan && h("b", capital(plan)), minus(plan ? rest : capital(rest)), "."];
}
function whyOf(step) {
  const one = step.first, game = gameOf(step), parts = [];
  parts.push(h("p.where", h("b", { id: "heading", role: "heading", "aria-level": 2 }, titleOf(step)), h("small.n", `${gameName(game)}, row ${step.row}${game.crawford && data.length ? ", Crawford" : ""}`)));
  const mwc = one?.texts.loss_mwc ? h("span.q.n", `${one.texts.loss_mwc} points of MWC`) : "";
  parts.push(h("p.verdict", h("span.play", doneOf(step)), " ", verdictOf(one), one?.error ? [" best ", h("b.good.n", one.best)] : "", " ", mwc));
  if (!step.in_game) parts.push(h("p.q", "Not part of the game."));
  if (!step.legal) parts.push(h("p.bad", "Against the rules, as it is in the record."));
  if (one?.verdict) parts.push(h("p", h("b", minus(one.verdict), ".")));
  if (one?.sentence) parts.push(h("p", { id: "reason" }, reasonOf(one.sentence)));
  if (one?.texts.rollout) parts.push(h("p.n", minus(`By rollout ${one.texts.rollout}.`)));
  for (const text of one ? one.others : []) parts.push(h("p.q.n", text));
  const bits = [];
  if (step.luck !== null) bits.push(h("span", { class: step.luck_class ? "lucky" : null }, [`luck of the roll ${step.texts.luck}`, step.texts.luck_mwc && `${step.texts.luck_mwc} points of MWC`, step.luck_class, step.luck_depth].filter(Boolean).join(", ")));
  if (one?.themes.length) bits.push(one.themes.join(", "));
  if (step.chance !== null && data.length) bits.push(`wins the match ${step.texts.chances[step.player]} after it`);
  if (bits.length) parts.push(h("p.q.n", bits.map((bit, number) => (number ? [" · ", bit] : bit))));
  for (const text of step.remarks) parts.push(h("blockquote", text));
  for (const each of data.findings.filter((one) => one.game === game.game && (one.entry === null ? one.turn === step.turn : String(one.entry) === step.entry)))
    parts.push(h("p", { class: each.severity === "error" ? "bad" : null }, h("b", each.code), ` ${each.message}`, each.hint ? ` ${capital(each.hint)}.` : ""));
  parts.push(h("p.copies", step.ids.map((text, number) => text && button(number ? "Copy GNU ID" : "Copy XGID", (pressed) => copy(text, pressed))),
    button("Copy picture", copyPicture), button("Save picture", savePicture), typeof editAt === "undefined" || at.round ? "" : button("Edit this position", () => editAt(step))));
  return parts;
}

function alternativesOf(step) {
  const one = step.first;
  if (step.action !== "roll") return cubeOf(step, one);
  const head = h("h3", { id: "alternatives-title" }, "Alternatives ", h("span", "wins and loses, g: gammons of it"));
  if (!one || !one.choices.length) return [head, h("p", step.hops.length || doneOf(step) === "not recorded" ? "Not analysed." : "No legal play."), quietOf(step), rollsOf(step)];
  const rows = one.choices.map((choice, number) => h("li", h("button", { type: "button", class: "choice n", "aria-pressed": String(at.pick === number),
    click: () => { at.pick = at.pick === number ? null : number; at.trial = null; show(); find("alternatives").querySelectorAll(".choice")[number].focus(); } },
    h("span", h("span.play", choice.choice), choice.made ? h("span.chip.o", "played") : "", number === 0 ? h("span.good", " ✓") : ""),
    h("span.figure", number ? h("b", { class: choice.made && one.error ? (isBlunder(one) ? "bad" : "err") : null }, lossOf(choice)) : h("b.good", choice.texts.equity),
      h("small", number ? ` ${choice.texts.equity}` : "", choice.texts.chance ? ` ${choice.texts.chance}` : "")),
    number && one.choices[number - 1].depth === choice.depth ? "" : h("small.depth", choice.depth),
    choice.texts.chances.length ? chancesOf(choice) : "")));
  return [head, h("ol", { "aria-labelledby": "alternatives-title" }, rows), one.choices.some((choice) => choice.texts.chances.length) ? legend() : "", scoresOf(step), quietOf(step), rollsOf(step)];
}
// What would be right at every score. Beside an engine, as in docs/try, it is asked when somebody looks.
function scoresOf(step) {
  const one = step.first, shown = (grid) => [scrolled("At every score", h("table.grid.n", h("caption", minus(grid.heading)), tableHead([[""], ...grid.columns.map((name) => [name])]),
    h("tbody", grid.rows.map(([name, ...cells]) => h("tr", h("th", { scope: "row" }, name), cells.map((cell) => (cell ? h(`td.k${cell[1]}`, cell[0]) : h("td")))))))),
    grid.words.map((text) => h("p.small", minus(text)))];
  const ask = globalThis.bgtools?.grid, box = h("div", one?.scores ? shown(one.scores) : "At work.");
  if (!one?.choices.length || isResignation(step) || !(one.scores || ask)) return "";
  return h("details", { toggle: () => one.scores || ask(step.ids[0], one.played).then((grid) => { one.scores = grid; box.replaceChildren(h("div", shown(grid))); }, (error) => { box.textContent = error.message; }) }, h("summary", "At every score"), box);
}
// A cube that was rightly left alone before the roll.
function quietOf(step) {
  const one = step.quiet;
  return one ? h("details", h("summary", "The cube before the roll: no double", one.loss === null ? ", not analysed" : isRight(one) ? " is right" : `, ${lossOf(one)}`), deskOf(one, step)) : "";
}
function rollsOf(step) {
  const rolls = [];
  for (let high = 1; high <= 6 && step.rolls.length; high++)
    for (let low = 1; low <= high; low++) if (low < high || step.rolls.length === 21) rolls.push([high, low, step.rolls[rolls.length]]);
  if (!rolls.length) return "";
  const row = (high) => h("tr", rolls.filter(([a]) => a === high).reverse().map(([a, b, value]) =>
    h("td", { class: `${a}${b}` === step.dice ? "on" : null }, h("b", `${a}${b}`), " ", value)));
  return h("details", { id: "rolls" }, h("summary", `What the ${rolls.length} rolls were worth`), scrolled("Rolls",
    h("table.n", h("caption", "EMG beside the mean; ● a joker, ○ an anti-joker"), h("tbody", [6, 5, 4, 3, 2, 1].map(row)))));
}

const holder = (step) => (step.cube[1] === "centre" ? "in the middle" : `of ${nameOf(step.cube[1] === "mine" ? step.on_roll : 1 - step.on_roll)}`);
function cubeOf(step, one) {
  const score = data.length ? `; ${[0, 1].map((player) => `${nameOf(player)} ${data.length - gameOf(step).score[player]} away`).join(", ")}` : "";
  const head = h("h3", isResignation(step) ? "Resignation " : "Cube ", h("span", `${step.cube[0]} ${holder(step)}${score}`));
  return [head, one?.choices.length ? deskOf(one, step) : h("p", "Not analysed."), scoresOf(step)];
}
const ORDER = ["No double", "Double, take", "Double, beaver", "Double, pass", "Take", "Pass"];
// Equities of the cube actions, and at what chances of winning one takes and passes.
function deskOf(one, step) {
  const list = one.choices, best = list[0], parts = [];
  if (!list.length) return h("p", "Not analysed.");
  const low = Math.min(-1, ...list.map((choice) => choice.equity)), high = Math.max(1, ...list.map((choice) => choice.equity)), across = (value) => 100 * (value - low) / (high - low);
  const rows = [...list].sort((a, b) => ORDER.indexOf(a.choice) - ORDER.indexOf(b.choice)).map((choice) => h("tr", { class: choice === best ? "best" : null },
    h("th", { scope: "row" }, choice.choice, choice.made && one.kind !== "double" ? h("span.chip.o", "done") : "",
      h("span.track", { "aria-hidden": "true" }, h("u", { style: `left:${Math.min(across(0), across(choice.equity))}%;width:${Math.max(Math.abs(across(choice.equity) - across(0)), 1)}%` }))),
    h("td.r", choice.texts.equity), best.texts.chance ? h("td.r", choice.texts.chance) : null, h("td.r", choice === best ? "best" : choice.texts.loss)));
  parts.push(scrolled("Cube actions", h("table.cube.n", h("caption.seen", "Cube actions"),
    tableHead([["action"], ["equity", 1], ...(best.texts.chance ? [["MWC", 1]] : []), ["", 1]]), h("tbody", rows))));
  if (best.texts.chances.length) parts.push(chancesOf(best), h("p.q.small", `What ${nameOf(one.player)} wins and loses, of it gammons (g)`));
  const { window, facts } = one.cube || { facts: [] };
  if (window) {
    const { win, dead, live, text, about } = window, edge = Math.max(0, Math.min(100, 100 * win));
    parts.push(h("div.window.n", { role: "img", "aria-label": about },
      h("div.axis", [[dead, "w2"], [live - dead, "w1"], [1 - live, "w0"]].map(([width, name]) => h("u", { class: name, style: `width:${100 * Math.max(width, 0)}%` }))),
      h("i", { style: `left:${edge}%` }), h("b", { style: `left:clamp(2.6rem,${edge}%,calc(100% - 2.6rem))` }, text)),
    h("p.q.small", "The doubler’s chance of winning, and from where one passes without gammons"));
  }
  if (facts.length) parts.push(h("dl.facts.n", facts.map(([name, value, player]) => [h("dt", name, player === null ? "" : ` ${nameOf(player)}`), h("dd", value)])));
  return parts;
}

// --- what if

const HOW = "Drag a checker, press one and then its target, or type a play.";

const bestOf = (step) => (step.first?.choices.length && step.action === "roll" ? applied(boardAt(step), hopsOf(step.first.choices[0].choice)) : null);
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
// What a play is worth, by the board after it: a choice that was valued in full, else what a look one ply deep gives,
// marked by its `rough`; null where nobody valued it.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
function worthOf(step, board) {
  const start = boardAt(step), own = (step.first?.choices || []).concat(step.asked || []).find((choice) => R.key(applied(start, hopsOf(choice.choice))) === R.key(board));
  if (own || !step.every) return own || null;
  const [best, losses] = step.every, ends = [...R.plays(start, [...step.dice].map(Number)).values()].map((one) => packed(one.board)).sort();
  const number = ends.indexOf(packed(board));
  if (number < 0 || losses.length !== 2 * ends.length) return null;
  const [high, low] = losses.slice(2 * number).split("", 2).map((digit) => DIGITS.indexOf(digit)), loss = (64 * high + low) / 1000, equity = best - loss;
  const signed = `${equity < 0 ? "\u2212" : "+"}${Math.abs(equity).toFixed(3)}`;
  return { rough: true, loss, equity, texts: { equity: `≈ ${signed}`, loss: `≈ ${loss ? "\u2212" : ""}${loss.toFixed(3)}`, chances: [] } };
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
  if (!trial) { input.value = ""; verdict.textContent = HOW; return; }
  const word = R.write(boardAt(step), trial.hops);
  const own = trial.done ? worthOf(step, trial.board) : null;
  // Beside an engine, as in docs/try, all plays of a roll are valued that the report has not valued in full.
  if (trial.done && (!own || own.rough) && !step.asked) globalThis.bgtools?.values(step.ids[0], step.asked = []).then(() => { if (current() === step) show(); });
  if (document.activeElement !== input) input.value = word;
  verdict.textContent = !trial.done ? (trial.hops.length ? `Left to play: ${trial.left.join(" ")}` : verdict.textContent)
    : own ? (own.from || "") + (own.texts.loss ? `${word}: ${own.texts.loss} beside the best.` : `${word} is the best play.`) : `${word || "No play"}: legal, not analysed.`;
  if (trial.done) main.dataset.tried = own ? own.equity : "not analysed";
  const rows = [], top = step.first?.choices[0] || step.asked?.[0];
  const add = (name, one, other) => rows.push(h("tr", h("th", { scope: "row" }, name), [one, other].map((text) => h("td.r", text ?? "–"))));
  if (trial.done && best) {
    add("equity", own?.texts.equity, top.texts.equity);
    ["wins", "wins gammon", "loses gammon"].forEach((name, number) => add(name, own?.texts.chances[number], top.texts.chances[number]));
    add("shots of 36", R.shots(trial.board), R.shots(best));
    add("own pips", R.pips(trial.board.m), R.pips(best.m));
  }
  const look = { ...lookOf(step), dice: "" };
  put("tried", best ? h("section", h("h3", `Best: ${top.choice}`), boardOf(best, { ...look, title: `After the best play, ${top.choice}`, differ: differing(trial.board, best), ink: "best" })) : "",
    rows.length ? h("table.n", h("caption.seen", "Tried and best"), tableHead([[""], ["tried", 1], ["best", 1]]), h("tbody", rows)) : "");
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

// --- pictures

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
