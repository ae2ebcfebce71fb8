// --- answers that are kept

// An answer is [seconds since 1970, grade, loss]; grades: 1 wrong, 2 nearly, 3 right; 4, easy, comes from Anki.
const STORE = "bgtools-train", reviews = {};
const now = () => Math.floor(Date.now() / 1000);
// Answers of several sources: all of them, each once, in order.
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
function readKept() {
  join(data.reviews || {});
  try { join(JSON.parse(localStorage.getItem(STORE) || "{}").reviews || {}); } catch { /* What cannot be read is left alone. */ }
}
// Another page may have kept answers since.
function keep() {
  readKept();
  try { localStorage.setItem(STORE, progressText()); } catch { /* A browser may keep nothing for a file. */ }
}

// --- asking

// Whatever asks has `at`, `main`, `current()`, `show` and `next`, `counted`, which is told of each first answer, and
// `followUp`, which says what follows on an answer.
const NEARLY = data.nearly;
const isPlay = (step) => step.action === "roll";
const isOver = () => Boolean(at.given) && (at.given.shown || at.given.loss < NEARLY);
const answersOf = (step) => (["take", "pass"].includes(step.first.kind) ? ["Take", "Pass"] : ["Double", "No double"]);
const WORDS = { Double: ["double", "d", "yes", "y", "redouble"], "No double": ["no double", "no", "n", "nd", "roll", "no redouble"], Take: ["take", "t"], Pass: ["pass", "p", "drop"] };
// A double counts with the better of the answers to it, which stands before the other.
const choiceOf = (one, action) => one.choices.find((choice) => choice.choice.startsWith(action));
const bestAnswer = (step) => (isPlay(step) ? step.first.choices[0].choice : answersOf(step).find((action) => step.first.choices[0].choice.startsWith(action)));
// Whether it was doubled is not told.
const questionOf = (step) => titleOf(step.action === "double" ? { ...step, action: "no double" } : step);
function ask(number, tried = false) {
  Object.assign(at, { number, pick: null, trial: null, held: null, given: null, tried });
  const step = current(), input = find("try");
  input.value = "";
  input.placeholder = isPlay(step) ? "13/9 6/5" : answersOf(step).join(" or ").toLowerCase();
  input.removeAttribute("aria-invalid");
  find("verdict").textContent = isPlay(step) ? HOW : "Press or type your answer.";
  find("verdict").className = "q";
  put("actions", isPlay(step) ? "" : answersOf(step).map((text) => button(text, () => { input.value = text; answerTyped(); })));
  show();
  // On a phone the focus would bring up its keyboard.
  (matchMedia("(pointer: fine)").matches ? input : main).focus({ preventScroll: true });
}
function answerTyped() {
  const step = current(), text = find("try").value, invalid = (is) => find("try").setAttribute("aria-invalid", String(is));
  if (at.given) return;
  if (isPlay(step)) {
    const found = R.read(boardAt(step), [...step.dice].map(Number), text);
    invalid(!found.board);
    if (!found.board) { refuse(`${found.why} It costs nothing; try again.`); return; }
    at.trial = { board: found.board, left: [], hops: found.hops, done: true };
    const choices = step.first.choices, worth = worthOf(step, found.board);
    // A play that nobody valued loses at least as much as the worst listed one, apart from the play that was made.
    give(worth?.choice || R.write(boardAt(step), found.hops), worth || choices.filter((one) => !one.made).reduce((worse, one) => (one.loss > worse.loss ? one : worse), choices[0]), !worth);
    return;
  }
  const words = text.trim().toLowerCase().replace(/\s+/g, " "), possible = answersOf(step), action = possible.find((each) => WORDS[each].includes(words));
  invalid(!action);
  if (!action) { refuse(`The answer is ${possible[0].toLowerCase()} or ${possible[1].toLowerCase()}. It costs nothing; try again.`); return; }
  give(action, choiceOf(step.first, action), false);
}
// What was answered, the choice whose loss it has, and whether it may lose more. The first answer counts.
function give(choice, like, atLeast) {
  at.given = { choice, loss: like.loss, text: like.texts.loss, atLeast };
  settle(like.loss, like.loss >= NEARLY ? 1 : like.texts.loss ? 2 : 3);
}
function reveal() {
  if (isOver()) return;
  at.given = { choice: null, loss: null, text: "", ...at.given, shown: true };
  settle(null, 1);
}
function settle(loss, grade) {
  const step = current();
  if (!at.tried) {
    at.tried = true;
    reviews[step.first.key] = [...(reviews[step.first.key] || []), [now(), grade, loss]];
    keep();
    counted(step, loss);
  }
  show();
  find(isOver() ? "next" : "again").focus({ preventScroll: true });
}
function tryAgain() {
  if (at.given && !isOver()) ask(at.number, true);
}
// The board of a question. Before the answer it shows the position alone: no arrow, no cube that was turned.
function showQuestion() {
  const step = current(), one = step.first, given = at.given, over = isOver(), look = { ...lookOf(step), title: questionOf(step) };
  const chosen = !over || at.pick === null ? null : one.choices[at.pick];
  let shown = given || !at.trial ? boardAt(step) : at.trial.board;
  if (step.action === "double") look.offered = 0;
  if (!given) Object.assign(look, { drag: isPlay(step), left: at.trial ? at.trial.left : null });
  else if (chosen && isPlay(step)) { shown = applied(boardAt(step), hopsOf(chosen.choice)); look.dice = ""; look.title += `. After ${chosen.choice}`; }
  else if (isPlay(step)) {
    const own = at.trial ? at.trial.hops : step.hops;
    Object.assign(look, !over ? { played: own } : given.text || given.choice === null ? { played: own, best: hopsOf(one.choices[0].choice) } : { best: own });
  }
  if (at.held !== null) look.targets = [...reach(at.held).keys()];
  drawBoard(find("board"), shown, look);
  seats(step, shown, look.up);
  find("question").textContent = questionOf(step);
  if (!given && at.trial) {
    find("try").value = R.write(boardAt(step), at.trial.hops);
    find("verdict").className = "q";
    find("verdict").textContent = at.trial.done ? "Press Answer, or take it back." : at.trial.hops.length ? `Left to play: ${at.trial.left.join(" ")}` : "";
  }
  const isShown = { whatif: !given, undo: !given && at.trial, result: given, again: given && !over, "show-answer": !over, why: over, alternatives: over };
  for (const [id, is] of Object.entries(isShown)) find(id).hidden = !is;
  main.dataset.xgid = step.ids[0];
  if (given) put("result", resultOf(step, given), over ? followUp(step) : ["Try again, or see the answer."]);
  put("why", over ? whyOf(step) : []);
  put("alternatives", over ? alternativesOf(step) : []);
  say(given ? find("result").textContent : questionOf(step));
}
function resultOf(step, { choice, loss, text, atLeast, shown }) {
  if (choice === null) return [h("b", "Shown: "), `best ${bestAnswer(step)}. `];
  if (!text) return [h("span.tag.right", "Right"), ` ${choice}. `];
  const wrong = loss >= NEARLY, made = step.first.loss, than = Math.abs(loss - made) < 0.0005 ? "as much as" : loss < made ? "less than" : "more than";
  return [h("span", { class: `tag ${wrong ? "blunder" : "error"}` }, wrong ? "Wrong" : "Nearly"), ` ${choice} loses ${atLeast ? "at least " : ""}${text.replace("\u2212", "")}`,
    wrong && !shown ? `, ${than} what was played. ` : `; best ${bestAnswer(step)}. `];
}
const ASKING_KEYS = { n: () => next(), a: tryAgain, s: reveal, f: () => find("flip").click() };
function listenToAnswers() {
  find("undo").addEventListener("click", () => { at.trial = at.held = null; find("try").value = ""; show(); });
  find("again").addEventListener("click", () => tryAgain());
  find("show-answer").addEventListener("click", () => { at.trial = at.given ? at.trial : null; at.held = null; reveal(); });
  find("next").addEventListener("click", () => next());
}
