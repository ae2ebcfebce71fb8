// --- repetition

// FSRS-6 as the Open Spaced Repetition group publishes it, without steps of minutes and without chance; the weights are
// in the data. A review is [seconds since 1970, grade, loss]; grades: 1 wrong, 2 nearly, 3 right; 4, easy, comes from Anki.
const W = data.weights, DAY = 86400, RETENTION = 0.9;
const DECAY = -W[20], FACTOR = 0.9 ** (1 / DECAY) - 1;
const inRange = (value, low, high) => Math.min(Math.max(value, low), high);
const firstDifficulty = (grade) => W[4] - Math.exp(W[5] * (grade - 1)) + 1;
// The state of a card after its reviews: stability in days, difficulty, and when it is due; null before the first.
function stateOf(reviews) {
  let state = null;
  for (const [when, grade] of reviews) {
    if (!state) state = { stability: Math.max(W[grade - 1], 0.001), difficulty: inRange(firstDifficulty(grade), 1, 10) };
    else {
      const days = Math.max(Math.floor((when - state.last) / DAY), 0), { stability: s, difficulty: d } = state;
      const recalled = (1 + FACTOR * days / s) ** DECAY;
      if (when - state.last < DAY) {
        let more = Math.exp(W[17] * (grade - 3 + W[18])) * s ** -W[19];
        if (grade >= 2) more = Math.max(more, 1);
        state.stability = s * more;
      } else if (grade === 1) state.stability = Math.min(W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * Math.exp((1 - recalled) * W[14]), s / Math.exp(W[17] * W[18]));
      else state.stability = s * (1 + Math.exp(W[8]) * (11 - d) * s ** -W[9] * (Math.exp((1 - recalled) * W[10]) - 1) * (grade === 2 ? W[15] : grade === 4 ? W[16] : 1));
      state.stability = Math.max(state.stability, 0.001);
      const changed = d + (10 - d) * (-W[6] * (grade - 3)) / 9;
      state.difficulty = inRange(W[7] * firstDifficulty(4) + (1 - W[7]) * changed, 1, 10);
    }
    state.last = when;
    const days = inRange(Math.round(state.stability / FACTOR * (RETENTION ** (1 / DECAY) - 1)), 1, 36500);
    state.due = when + days * DAY;
  }
  return state;
}

const STORE = "bgtools-train";
const reviews = {};
// Reviews of several sources: all of them, each once, in order.
function join(found) {
  let added = 0;
  for (const [key, list] of Object.entries(found)) {
    const known = reviews[key] || [], times = new Set(known.map(([when]) => when));
    const fresh = list.filter((one) => Array.isArray(one) && Number.isFinite(one[0]) && [1, 2, 3, 4].includes(one[1]) && !times.has(one[0]));
    if (fresh.length) reviews[key] = [...known, ...fresh].sort((a, b) => a[0] - b[0]);
    added += fresh.length;
  }
  return added;
}
const progressText = () => JSON.stringify({ made_by: "bgtools", schema_version: 2, reviews }, null, 1);
function keep() {
  try { localStorage.setItem(STORE, progressText()); } catch { /* A browser may keep nothing for a file; the button saves. */ }
}
function readKept() {
  join(data.reviews);
  try { join(JSON.parse(localStorage.getItem(STORE) || "{}").reviews || {}); } catch { /* What cannot be read is left alone. */ }
}

// --- questions

const steps = data.questions.map((question, number) => ({ ...question, number, first: question.decisions[0], quiet: null }));
const gameOf = (step) => ({ game: step.game, number: step.number_in_record, score: step.score, crawford: step.crawford });
const at = { number: 0, pick: null, trial: null, held: null, seat: "roll", given: null };
const main = find("train");
const current = () => steps[at.number];
const now = () => Math.floor(Date.now() / 1000);
const isPlay = (step) => step.action === "roll";
const NEARLY = data.nearly;

// What is due first, then what is new, in the order of the losses; then what is due later.
const skipped = new Set();
function nextQuestion(isFirst) {
  const rank = (step) => { const state = stateOf(reviews[step.key] || []), after = skipped.has(step.number) ? 3 : 0; return !state ? [1 + after, step.number] : [(state.due <= now() ? 0 : 2) + after, state.due]; };
  const others = isFirst || steps.length === 1 ? steps : steps.filter((step) => step.number !== at.number);
  if (!isFirst && at.given === null) skipped.add(at.number);
  return others.map((step) => [rank(step), step]).sort(([a], [b]) => a[0] - b[0] || a[1] - b[1])[0][1].number;
}
function ask(number) {
  Object.assign(at, { number, pick: null, trial: null, held: null, given: null });
  const step = current();
  data.players = step.names;
  data.length = step.length;
  find("try").value = "";
  find("try").removeAttribute("aria-invalid");
  find("verdict").textContent = isPlay(step) ? "Drag a checker, press one and then its target, or type a play." : "Press or type your answer.";
  find("verdict").className = "q";
  put("actions", isPlay(step) ? "" : answersOf(step).map((text) => button(text, () => { find("try").value = text; answerTyped(); })));
  show();
  find("try").focus({ preventScroll: true });
}
const answersOf = (step) => (["take", "pass"].includes(step.first.kind) ? ["Take", "Pass"] : ["Double", "No double"]);
const WORDS = { Double: ["double", "d", "yes", "y", "redouble"], "No double": ["no double", "no", "n", "nd", "roll", "no redouble"], Take: ["take", "t"], Pass: ["pass", "p", "drop"] };
// A double counts with the better of the answers to it, which stands before the other.
const choiceOf = (one, action) => one.choices.find((choice) => choice.choice.startsWith(action));

function answerTyped() {
  const step = current(), text = find("try").value;
  if (at.given !== null) return;
  if (isPlay(step)) {
    const found = R.read(boardAt(step), [...step.dice].map(Number), text);
    find("try").setAttribute("aria-invalid", String(!found.board));
    if (!found.board) { refuse(`${found.why} It costs nothing; try again.`); return; }
    at.trial = { board: found.board, left: [], hops: found.hops, done: true };
    const listed = step.first.choices.find((choice) => R.key(applied(boardAt(step), hopsOf(choice.choice))) === R.key(found.board));
    // A play that is not listed loses at least as much as the worst listed one, apart from the play that was made.
    const least = step.first.choices.filter((choice) => !choice.made).reduce((worse, each) => (each.loss > worse.loss ? each : worse), step.first.choices[0]);
    give(listed ? listed.choice : R.write(boardAt(step), found.hops), listed || least, !listed);
    return;
  }
  const words = text.trim().toLowerCase().replace(/\s+/g, " "), possible = answersOf(step), action = possible.find((each) => WORDS[each].includes(words));
  find("try").setAttribute("aria-invalid", String(!action));
  if (!action) { refuse(`The answer is ${possible[0].toLowerCase()} or ${possible[1].toLowerCase()}. It costs nothing; try again.`); return; }
  give(action, choiceOf(step.first, action), false);
}
// What was answered, the choice whose loss it has, and whether it may lose more; null where the answer is only shown.
function give(choice, like, atLeast) {
  const step = current();
  const loss = like ? like.loss : 0, text = like ? like.texts.loss : "";
  const grade = !like || loss >= NEARLY ? 1 : text ? 2 : 3;
  at.given = { choice, loss, text, atLeast };
  reviews[step.key] = [...(reviews[step.key] || []), [now(), grade, like && loss]];
  keep();
  show();
  find("forward").focus({ preventScroll: true });
}

function show() {
  const step = current(), one = step.first, done = at.given !== null, board = at.trial ? at.trial.board : boardAt(step), look = lookOf(step);
  const chosen = at.pick === null ? null : one.choices[at.pick];
  let shown = done ? boardAt(step) : board;
  if (!done) Object.assign(look, { drag: isPlay(step), left: at.trial ? at.trial.left : null });
  else if (chosen && isPlay(step)) { shown = applied(boardAt(step), hopsOf(chosen.choice)); look.dice = ""; look.title += `. After ${chosen.choice}`; }
  else if (isPlay(step)) {
    const own = at.trial ? at.trial.hops : step.hops, best = hopsOf(one.choices[0].choice);
    Object.assign(look, at.given.text || at.given.choice === null ? { played: own, best } : { best: own });
  }
  if (at.held !== null) look.targets = [...reach(at.held).keys()];
  drawBoard(find("board"), shown, look);
  seats(step, shown, look.up);
  find("question").textContent = titleOf(step);
  if (!done && at.trial) {
    find("try").value = R.write(boardAt(step), at.trial.hops);
    find("verdict").className = "q";
    find("verdict").textContent = at.trial.done ? "Press Answer, or take it back." : at.trial.hops.length ? `Left to play: ${at.trial.left.join(" ")}` : "";
  }
  for (const [id, isShown] of [["give", !done], ["try", !done], ["actions", !done], ["undo", !done && at.trial], ["show-answer", !done], ["answer", done], ["whatif", !done]]) find(id).hidden = !isShown;
  main.dataset.key = step.key;
  main.dataset.xgid = step.ids[0];
  if (done) showAnswer(step);
  showProgress();
  say(done ? find("result").textContent : titleOf(step));
}
const inDays = (days) => (days < 1.5 ? "tomorrow" : days < 45 ? `in ${Math.round(days)} days` : `in ${Math.round(days / 30)} months`);
function showAnswer(step) {
  const one = step.first, { choice, loss, text, atLeast } = at.given, state = stateOf(reviews[step.key]);
  const words = choice === null ? h("b", "Shown.") : !text ? h("span.tag", "Right") : h("span", { class: `tag ${loss >= NEARLY ? "blunder" : "error"}` }, loss >= NEARLY ? "Wrong" : "Nearly");
  const lost = choice === null ? "" : !text ? ` ${choice}.` : ` ${choice} loses ${atLeast ? "at least " : ""}${text.slice(1)}; best ${bestAnswer(step)}.`;
  put("result", words, lost, ` It comes again ${inDays((state.due - now()) / DAY)}.`);
  put("why", whyOf(step));
  put("alternatives", alternativesOf(step));
  put("origin", step.where, ". ", step.report ? h("a", { href: step.report }, "See it in the report of the match") : h("code", step.command));
}
const bestAnswer = (step) => (isPlay(step) ? step.first.choices[0].choice : answersOf(step).find((action) => step.first.choices[0].choice.startsWith(action)));

// --- progress

const lastOf = (step) => reviews[step.key]?.at(-1) || null;
const lossOfLast = (step) => lastOf(step)?.[2] ?? null;
// What was only shown is not answered; of an answer to a card of Anki no loss is known.
const isAnswered = (step) => lossOfLast(step) !== null || lastOf(step)?.[1] > 1;
const meanLost = (list) => mean(list.map(lossOfLast).filter((loss) => loss !== null));
const mean = (list) => (list.length ? list.reduce((sum, each) => sum + each, 0) / list.length : null);
function showProgress() {
  const states = steps.map((step) => stateOf(reviews[step.key] || [])), due = states.filter((state) => state && state.due <= now()).length, fresh = states.filter((state) => !state).length;
  const later = states.filter((state) => state && state.due > now());
  find("standing").textContent = `${due} due, ${fresh} new, ${later.length} later of ${steps.length}${!due && !fresh ? `; nothing is due before ${new Date(1000 * Math.min(...later.map((state) => state.due))).toISOString().slice(0, 10)}` : ""}`;
  const done = steps.filter((step) => lossOfLast(step) !== null), yours = meanLost(done), theirs = mean(done.map((step) => step.loss));
  find("score").textContent = done.length ? `Your last answers lose ${(500 * yours).toFixed(1)} by 500 times the mean loss, what was played there ${(500 * theirs).toFixed(1)} (${done.length} of ${steps.length} answered).` : "Nothing has been answered yet.";
  const themes = [...new Set(steps.flatMap((step) => step.first.themes))].map((theme) => [theme, steps.filter((step) => step.first.themes.includes(theme))]).sort((a, b) => b[1].length - a[1].length);
  const figure = (value) => h("td.r", value);
  put("themes", tableHead([["theme"], ["questions", 1], ["answered", 1], ["right", 1], ["you lose", 1], ["match lost", 1]]), h("tbody", themes.map(([theme, own]) => {
    const answered = own.filter(isAnswered), lost = meanLost(answered);
    return h("tr", h("th", { scope: "row" }, theme), figure(own.length), figure(answered.length), figure(answered.filter((step) => lastOf(step)[1] >= 3).length), figure(lost === null ? "–" : lost.toFixed(3)), figure(mean(own.map((step) => step.loss)).toFixed(3)));
  })));
}
// How often and how much each theme cost in each month of the matches.
function drawMonths() {
  const months = [...new Set(steps.map((step) => step.date.slice(0, 7)))].filter(Boolean).sort();
  if (!months.length) { put("months", h("p.q", "The records do not say when the matches were played.")); return; }
  const themes = [...new Set(steps.flatMap((step) => step.first.themes))].map((theme) => [theme, steps.filter((step) => step.date && step.first.themes.includes(theme))]).filter(([, own]) => own.length).sort((a, b) => b[1].length - a[1].length).slice(0, 16);
  const cells = themes.map(([theme, own]) => [theme, months.map((month) => own.filter((step) => step.date.startsWith(month)))]), most = Math.max(...cells.flatMap(([, list]) => list.map((some) => some.reduce((sum, step) => sum + step.loss, 0))), 0.001);
  put("months", scrolled("Errors over months", h("table.map.n", h("caption", "Errors of these questions by theme and month: how many, and the darker, the more they lost"),
    tableHead([["theme"], ...months.map((month) => [month, 1])]), h("tbody", cells.map(([theme, list]) => h("tr", h("th", { scope: "row" }, theme), list.map((some) => {
      const lost = some.reduce((sum, step) => sum + step.loss, 0);
      return h("td.r", { title: some.length ? `${lost.toFixed(3)} lost` : null, style: `--heat:${(40 * lost / most).toFixed(0)}%` }, some.length || "");
    })))))));
}

function go(number) { if (at.given !== null && number > at.number) ask(nextQuestion()); }
function listen() {
  listenToBoard();
  find("whatif").addEventListener("submit", (event) => { event.preventDefault(); answerTyped(); });
  find("undo").addEventListener("click", () => { at.trial = at.held = null; find("try").value = ""; show(); });
  find("show-answer").addEventListener("click", () => { at.trial = at.held = null; give(null, null, false); });
  find("forward").addEventListener("click", () => ask(nextQuestion()));
  find("flip").addEventListener("click", () => { at.seat = at.seat === "roll" ? "flip" : "roll"; show(); });
  find("save").addEventListener("click", () => saveAs("bgtools-progress.json", new Blob([progressText() + "\n"], { type: "application/json" })));
  find("load").addEventListener("click", () => find("file").click());
  find("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      const found = JSON.parse(await file.text());
      if (found.made_by !== "bgtools" || typeof found.reviews !== "object" || !found.reviews) throw new Error();
      const added = join(found.reviews);
      keep();
      show();
      say(`${file.name}: ${added === 1 ? "1 answer" : `${added} answers`} added.`);
    } catch { say(`${file.name} keeps no progress.`); }
    find("score").textContent += ` ${find("live").textContent}`;
  });
  document.addEventListener("keydown", (event) => {
    const from = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.altKey || event.metaKey || from.closest("input, select, textarea")) return;
    if (event.key === "n" || event.key === "ArrowRight") { event.preventDefault(); ask(nextQuestion()); }
    if (event.key === "f") find("flip").click();
  });
}

readKept();
drawMonths();
listen();
ask(nextQuestion(true));
