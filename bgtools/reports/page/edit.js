// --- a board that is set up by hand

const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
// A position is {m, t, cube, owner, dice, score, length, rules, most} as who is on roll sees it; null where a text is none.
function readXgid(text) {
  const found = /([A-Oa-o-]{26}):(\d+):(-?[01]):(-?1):(00|[1-6]{2}|[DBR]):(\d+):(\d+):(\d+):(\d+)(?::(\d+))?/.exec(text.replace(/\s/g, ""));
  if (!found) return typeof readGnu === "undefined" ? null : readGnu(text);
  const [, letters, cube, owner, turn, dice, own, other, rules, length, most] = found, m = Array(26).fill(0), t = Array(26).fill(0);
  [...letters].forEach((letter, p) => { if (letter !== "-") (letter < "a" ? m : t)[letter < "a" ? p : 25 - p] = letter.toLowerCase().charCodeAt(0) - 96; });
  const one = { m, t, cube: 2 ** cube, owner: +owner, dice: /\d/.test(dice) && +dice ? dice : "", score: [+own, +other], length: +length, rules: +rules, most: most || "10" };
  return withOff(turn === "1" ? one : { ...one, m: t, t: m, owner: -one.owner, score: [+other, +own] });
}
const withOff = (one) => { for (const side of [one.m, one.t]) side[OFF] = Math.max(15 - side.slice(1).reduce((x, y) => x + y), 0); return one; };
function writeXgid({ m, t, cube, owner, dice, score, length, rules, most }) {
  const letter = (p) => (m[p] && p ? String.fromCharCode(64 + m[p]) : p < 25 && t[25 - p] ? String.fromCharCode(96 + t[25 - p]) : "-");
  return `XGID=${Array.from({ length: 26 }, (_, p) => letter(p)).join("")}:${Math.log2(cube)}:${owner}:1:${dice || "00"}:${score.join(":")}:${rules}:${length}:${most}`;
}
// What cannot be in a game, in sentences.
function problemsOf({ m, t, cube, owner, dice, score, length, rules }, names) {
  const found = [];
  [m, t].forEach((side, at) => {
    const count = side.slice(1).reduce((x, y) => x + y);
    if (count > 15) found.push(`${names[at]} has ${count} checkers, ${count - 15} too many.`);
    if (!count) found.push(`${names[at]} has no checker left: the game is over.`);
  });
  if (dice && !/^[1-6]{2}$/.test(dice)) found.push("A roll is two digits from 1 to 6, or nothing.");
  if (length && Math.max(...score) >= length) found.push(`At ${score.join("–")} a match to ${length} is over.`);
  if (length && rules && score.filter((each) => each === length - 1).length !== 1) found.push("In the Crawford game one player needs one point, the other more.");
  if (length && rules && (cube > 1 || owner)) found.push("In the Crawford game the cube is at 1 in the middle.");
  if (length && cube > 1 && !owner) found.push(`The cube is at ${cube}: it belongs to one of the players.`);
  if (owner && cube === 1) found.push("The cube is at 1: it is in the middle.");
  return found;
}
// An editor in a box. Player `on` is on roll and sits below; `back` leads back where it was opened; `value` is asked
// what a position is worth; `read` reads what no reader here does. Each may be missing.
function editor(box, id, { on = 0, back, value, read } = {}) {
  const players = [nameOf(on), nameOf(1 - on)];
  let one = readXgid(id) || readXgid(START), brush = "m", cursor = 6, held = null;
  const board = s("svg", { class: "bd" }), told = h("p", { class: "bad", role: "status" }), written = h("input", { readonly: true, "aria-label": "XGID" });
  const field = (label, node) => h("label", label, " ", node);
  const select = (options, change) => h("select", { change: (event) => { change(event.target.value); draw(); } }, options.map(([key, text]) => h("option", { value: key }, text)));
  const figure = (more, change) => h("input", { inputmode: "numeric", ...more, input: (event) => { change(event.target.value); draw(event.target); } });
  const whole = (text) => +text.replace(/\D/g, "").slice(0, 3);
  const dice = figure({ placeholder: "31" }, (text) => { one.dice = text; });
  const length = figure({}, (text) => { one.length = whole(text); one.rules = 0; }), scores = [0, 1].map((at) => figure({}, (text) => { one.score[at] = whole(text); }));
  const cube = select([0, 1, 2, 3, 4, 5, 6].map((each) => [2 ** each, 2 ** each]), (text) => { one.cube = +text; if (one.cube === 1) one.owner = 0; });
  const owner = select([[0, "in the middle"], [1, players[0]], [-1, players[1]]], (text) => { one.owner = +text; });
  const crawford = h("input", { type: "checkbox", change: (event) => { one.rules = event.target.checked ? 1 : 0; draw(); } });
  const brushes = [["m", players[0]], ["t", players[1]], ["", "take away"]].map(([key, text]) => button(text, () => { brush = key; draw(); }, { "data-brush": key }));
  const paste = h("input", { "aria-label": "ID or picture", placeholder: read ? "Any ID" : "XGID" });
  const refused = (text) => { told.textContent = text; };
  const take = async (text) => {
    const found = readXgid(text) || (read && readXgid(await read(text).catch((error) => { refused(error.message); return ""; })));
    if (found) { one = found; paste.value = ""; draw(); } else if (!read) refused("This is no XGID. “bgtools show ID --edit” takes any other.");
  };
  // Put a checker on a point, or take one away.
  function change(p, key, by) {
    const [own, other] = key === "t" ? [one.t, one.m] : [one.m, one.t], at = key === "t" ? BAR - p : p;
    if (p === OFF) return;
    const place = p === BAR ? BAR : at;
    if (by > 0 && p < BAR && other[BAR - at]) other[BAR - at] = 0;
    own[place] = Math.max(own[place] + by, 0);
  }
  const sideAt = (p, low) => (p === BAR ? (low ? "m" : "t") : one.m[p] ? "m" : one.t[BAR - p] ? "t" : "");
  const tell = (p) => say(`${R.name(p)}: ${one.m[p]} of ${players[0]}, ${one.t[p === BAR ? BAR : BAR - p]} of ${players[1]}.`);
  function press(p, low) {
    if (brush) change(p, p === BAR ? (low ? "m" : "t") : brush, 1);
    else change(p, sideAt(p, low), -1);
    cursor = p;
    draw();
    tell(p);
  }
  function draw(typing) {
    withOff(one);
    drawBoard(board, one, { on, up: false, cube: [one.cube, one.owner ? (one.owner > 0 ? "mine" : "theirs") : "centre"], crawford: one.length && one.rules,
      dice: /^[1-6]{2}$/.test(one.dice) ? one.dice : "", title: "The position", drag: true, targets: held === null ? [] : [held] });
    for (const [node, text] of [[dice, one.dice], [length, one.length || ""], [scores[0], one.score[0]], [scores[1], one.score[1]]]) if (node !== typing) node.value = text;
    cube.value = one.cube;
    owner.value = one.owner;
    crawford.checked = Boolean(one.length && one.rules);
    crawford.disabled = !one.length;
    for (const each of brushes) each.setAttribute("aria-pressed", String(each.dataset.brush === brush));
    const problems = problemsOf(one, players);
    told.textContent = problems.join(" ");
    written.value = problems.length ? "" : writeXgid(one);
    for (const each of box.querySelectorAll("[data-needs]")) each.disabled = problems.length > 0;
  }
  const under = (event) => {
    const area = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.dataset?.point !== undefined && board.contains(each)), seen = board.getBoundingClientRect();
    return [area ? { bar: BAR, off: OFF }[area.dataset.point] ?? +area.dataset.point : OFF, event.clientY > (seen.top + seen.bottom) / 2];
  };
  let from = null;
  board.addEventListener("pointerdown", (event) => { if (!event.button) { event.preventDefault(); board.setPointerCapture(event.pointerId); from = under(event); } });
  board.addEventListener("pointermove", (event) => { if (from) { const [p] = under(event); if (p !== held && p !== from[0]) { held = p; draw(); } } });
  board.addEventListener("pointercancel", () => { from = held = null; draw(); });
  board.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [[start, low], [end]] = [from, under(event)], side = sideAt(start, low);
    from = held = null;
    if (start === end) { press(start, low); return; }
    if (side) {
      const taken = end > OFF && end < BAR && (side === "m" ? one.t[BAR - end] : one.m[end]);
      change(start, side, -1);
      if (end) change(end, side, 1);
      // A blot that a checker is put on goes to the bar.
      if (taken === 1) change(BAR, side === "m" ? "t" : "m", 1);
    }
    draw();
  });
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], isSign = ["+", "-"].includes(event.key);
    if (!step && !isSign) return;
    event.preventDefault();
    event.stopPropagation();
    if (step) { cursor = Math.min(Math.max(cursor + step, 1), BAR); held = cursor; draw(); held = null; tell(cursor); return; }
    const was = brush;
    if (event.key === "-") brush = "";
    press(cursor, was !== "t");
    brush = was;
    draw();
  };
  box.classList.add("editor");
  box.replaceChildren(
    h("div.editor-board", { tabindex: "0", role: "group", "aria-label": "Board: arrow keys choose a point, + puts a checker, - takes one", keydown: keys }, board),
    h("div", h("p", { role: "group" }, "A press puts: ", brushes),
      h("p", field("Roll", dice), field("Cube", cube), field("of", owner)),
      h("p", field("Match to", length), field(players[0], scores[0]), field(players[1], scores[1]), field("Crawford", crawford)), told,
      h("p", written, button("Copy", (pressed) => copy(written.value, pressed), { "data-needs": "" }), value ? button("Value it", () => value(written.value), { "data-needs": "" }) : ""),
      h("form", { submit: (event) => { event.preventDefault(); take(paste.value); } }, h("p", paste, h("button", "Put up"))),
      h("p", button("Start", () => take(START)), button("Clear", () => { one.m.fill(0); one.t.fill(0); draw(); }), button("Swap sides", () => { Object.assign(one, { m: one.t, t: one.m, owner: -one.owner, score: [one.score[1], one.score[0]] }); draw(); }),
        button("As it was", () => take(id)), back ? button("Back", back) : "")));
  draw();
  return { take, xgid: () => written.value };
}
