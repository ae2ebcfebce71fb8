// --- repetition

// FSRS-6 as the Open Spaced Repetition group publishes it, without steps of minutes and without chance; the weights are
// in the data.
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

// --- questions

const steps = data.questions.map((question, number) => ({ ...question, number, first: { ...question.decisions[0], key: question.key }, quiet: null }));
const gameOf = (step) => ({ game: step.game, number: step.number_in_record, score: step.score, crawford: step.crawford });
const at = { number: 0, pick: null, trial: null, held: null, seat: "roll", given: null, tried: false };
const main = find("train");
const current = () => steps[at.number];

// What is due first, then what is new, in the order of the losses; then what is due later.
const skipped = new Set();
function nextQuestion(isFirst) {
  const rank = (step) => { const state = stateOf(reviews[step.key] || []), after = skipped.has(step.number) ? 3 : 0; return !state ? [1 + after, step.number] : [(state.due <= now() ? 0 : 2) + after, state.due]; };
  const others = isFirst || steps.length === 1 ? steps : steps.filter((step) => step.number !== at.number);
  if (!isFirst && !at.tried) skipped.add(at.number);
  return others.map((step) => [rank(step), step]).sort(([a], [b]) => a[0] - b[0] || a[1] - b[1])[0][1].number;
}
const next = () => begin(nextQuestion());
function begin(number) {
  const step = steps[number];
  data.players = step.names;
  data.length = step.length;
  ask(number);
}
function show() {
  const step = current();
  showQuestion();
  main.dataset.key = step.key;
  find("origin").hidden = !isOver();
  put("origin", step.where, ". ", step.report ? h("a", { href: step.report }, "See it in the report of the match") : h("code", step.command));
  showProgress();
}
const counted = () => {};
const inDays = (days) => (days < 1.5 ? "tomorrow" : days < 45 ? `in ${Math.round(days)} days` : `in ${Math.round(days / 30)} months`);
const followUp = (step) => `It comes again ${inDays((stateOf(reviews[step.key]).due - now()) / DAY)}.`;

// --- progress

const lastOf = (step) => reviews[step.key]?.at(-1) || null;
const lossOfLast = (step) => lastOf(step)?.[2] ?? null;
// What was only shown is not answered; of an answer to a card of Anki no loss is known.
const isAnswered = (step) => lossOfLast(step) !== null || lastOf(step)?.[1] > 1;
const meanLost = (list) => mean(list.map(lossOfLast).filter((loss) => loss !== null));
const mean = (list) => (list.length ? list.reduce((sum, each) => sum + each, 0) / list.length : null);
// What is lost now beside what was lost in the matches, in words.
function parts(yours, theirs) {
  const share = yours / theirs, name = data.shares.find(([most]) => share < most);
  const figures = `${yours.toFixed(3)} instead of ${theirs.toFixed(3)} each on average`;
  return `${name ? `${name[1]} of what` : share < 1.1 ? "as much as" : "more than"} was lost in the matches: ${figures}`;
}
function showProgress() {
  const states = steps.map((step) => stateOf(reviews[step.key] || [])), due = states.filter((state) => state && state.due <= now()).length, fresh = states.filter((state) => !state).length;
  const later = states.filter((state) => state && state.due > now());
  find("standing").textContent = `${due} due, ${fresh} new, ${later.length} later of ${steps.length}${!due && !fresh ? `; nothing is due before ${new Date(1000 * Math.min(...later.map((state) => state.due))).toISOString().slice(0, 10)}` : ""}`;
  const done = steps.filter((step) => lossOfLast(step) !== null), yours = meanLost(done), theirs = mean(done.map((step) => step.loss));
  find("score").textContent = done.length ? `${done.length === 1 ? "Your answer loses" : `Your last ${done.length} answers lose`} ${parts(yours, theirs)}.` : "Nothing has been answered yet.";
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

function go(number) { if (isOver() && number > at.number) next(); }
function listen() {
  listenToBoard();
  listenToAnswers();
  find("whatif").addEventListener("submit", (event) => { event.preventDefault(); answerTyped(); });
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
      const added = join(found.reviews), state = stateOf(reviews[current().key] || []);
      keep();
      // A question that has been answered, as the file says, leaves the board.
      if (!at.tried && state && state.due > now()) begin(nextQuestion(true));
      else show();
      say(`${file.name}: ${added === 1 ? "1 answer" : `${added} answers`} added.`);
    } catch { say(`${file.name} keeps no progress.`); }
    find("loaded").textContent = find("live").textContent;
  });
  document.addEventListener("keydown", (event) => {
    const from = event.target instanceof Element ? event.target : document.body, key = event.key === "ArrowRight" ? "n" : event.key;
    if (event.ctrlKey || event.altKey || event.metaKey || from.closest("input, select, textarea") || !Object.hasOwn(ASKING_KEYS, key)) return;
    event.preventDefault();
    ASKING_KEYS[key]();
  });
}

readKept();
drawMonths();
listen();
begin(nextQuestion(true));
