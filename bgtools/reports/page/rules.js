// --- the rules of the play

// A board is {m, t}: 26 counts each (off, points 1 to 24, bar), either seen by its owner. The mover owns m.
const R = (() => {
  const key = (b) => b.m.join() + "/" + b.t.join();
  const can = (b, from, die) => {
    const { m, t } = b, to = from - die;
    if (!m[from] || (m[25] && from < 25)) return false;
    if (to > 0) return t[25 - to] < 2;
    for (let p = 25; p > 6; p--) if (m[p]) return false;
    if (to < 0) for (let p = 6; p > from; p--) if (m[p]) return false;
    return true;
  };
  // The board after a checker has gone from a point to another, with what it hits.
  const moved = (b, from, to) => {
    const m = [...b.m], t = [...b.t];
    m[from]--; m[to]++;
    if (to && t[25 - to] === 1) { t[25 - to] = 0; t[25]++; }
    return { m, t };
  };
  const move = (b, from, die) => moved(b, from, Math.max(from - die, 0));
  const less = (dice, die) => { const rest = [...dice]; rest.splice(rest.indexOf(die), 1); return rest; };
  // How many of these numbers can be played.
  const longest = (b, dice) => {
    let best = 0;
    for (const die of new Set(dice)) for (let from = 25; from; from--) if (can(b, from, die)) {
      best = Math.max(best, 1 + longest(move(b, from, die), less(dice, die)));
      if (best === dice.length) return best;
    }
    return best;
  };
  const cache = new Map();
  const most = (b, dice) => {
    const k = key(b) + dice;
    if (cache.size > 4e4) cache.clear();
    if (!cache.has(k)) cache.set(k, longest(b, dice));
    return cache.get(k);
  };
  const left = (b) => b.m.reduce((sum, n, p) => sum + (p ? n : 0), 0);
  // The hops that may come next: each leaves as many numbers playable as the roll allows, and the higher one where only one is.
  const hops = (b, dice, whole = dice.length > 1) => {
    const total = most(b, dice), found = [];
    for (const die of new Set(dice)) for (let from = 25; from; from--) {
      if (!can(b, from, die)) continue;
      const after = move(b, from, die), rest = less(dice, die);
      if (1 + most(after, rest) === total || !left(after)) found.push({ from, to: Math.max(from - die, 0), die, after, rest });
    }
    // The last checker may be borne off by either number.
    if (total === 1 && dice.length === 2 && dice[0] !== dice[1]) {
      const high = Math.max(...dice);
      if (found.some((one) => one.die === high)) return found.filter((one) => one.die === high || !left(one.after));
    }
    return found;
  };
  const numbers = (dice) => (dice[0] === dice[1] ? [1, 1, 1, 1].map(() => dice[0]) : [...dice].sort((a, b) => b - a));
  // Every legal play by its board: {board, hops: [[from, to], ...]}.
  const plays = (b, dice) => {
    const ends = new Map(), seen = new Set();
    const go = (now, rest, done) => {
      const k = key(now) + rest;
      if (seen.has(k)) return;
      seen.add(k);
      const next = rest.length ? hops(now, rest) : [];
      if (!next.length) { if (!ends.has(key(now))) ends.set(key(now), { board: now, hops: done }); }
      for (const one of next) go(one.after, one.rest, [...done, [one.from, one.to]]);
    };
    go(b, numbers(dice), []);
    return ends;
  };
  const flip = (b) => ({ m: b.t, t: b.m });
  // Of 36 rolls of the opponent, how many hit.
  const shots = (b) => {
    let count = 0;
    if (!b.m.some((n, p) => p && p < 25 && n === 1)) return 0;
    for (let x = 1; x < 7; x++) for (let y = 1; y <= x; y++) {
      for (const { board } of plays(flip(b), [x, y]).values()) if (board.t[25] > b.m[25]) { count += x === y ? 1 : 2; break; }
    }
    return count;
  };
  const pips = (side) => side.reduce((sum, n, p) => sum + n * p, 0);
  // The ways of the checkers that are moved: of each where it starts, where it hits, and where it ends.
  const ways = (b, list) => {
    const found = [];
    let now = b;
    for (const [from, to] of list) {
      if (!now.m[from]) continue;
      const way = found.find((one) => one.at.at(-1) === from) || found[found.push({ at: [from], hit: [false] }) - 1];
      if (way.at.length > 1 && !way.hit.at(-1)) { way.at.pop(); way.hit.pop(); }
      way.at.push(to);
      way.hit.push(to > 0 && now.t[25 - to] === 1);
      now = moved(now, from, to);
    }
    return found;
  };
  const name = (p) => (p === 25 ? "bar" : p === 0 ? "off" : String(p));
  const write = (b, list) => {
    const texts = new Map();
    for (const { at, hit } of ways(b, list).sort((x, y) => y.at[0] - x.at[0] || y.at.at(-1) - x.at.at(-1))) {
      const text = at.map((p, i) => name(p) + (hit[i] ? "*" : "")).join("/");
      texts.set(text, (texts.get(text) || 0) + 1);
    }
    return [...texts].map(([text, n]) => text + (n > 1 ? `(${n})` : "")).join(" ");
  };
  // Play legs by the numbers of a roll, in every order, as bgtools/board/search.py does: how many numbers the way
  // through takes, 0 where there is none, and what stops the way that comes furthest.
  const search = (b, dice, legs) => {
    const all = numbers(dice), roll = dice.join(""), sums = dice[0] === dice[1] ? all.map((die, at) => die * (at + 1)) : [...all, all[0] + all[1]];
    let best = null, through = 0, whole = false;
    const note = (depth, why) => { if (!best || depth > best.depth) best = { depth, why }; };
    const tooMany = `That is one move more than ${roll} gives.`;
    const wrong = ([from, to], pips = from - to) => (dice.includes(pips) ? `The ${pips} of ${roll} is played once.` : `${pips} ${pips === 1 ? "pip does" : "pips do"} not fit ${roll}.`);
    const blocked = (now, from, to, die) => {
      const back = now.m.findLastIndex((n, p) => p && n);
      return !now.m[from] ? `${b.m[from] ? `Only ${b.m[from]} on` : "No checker on"} ${from === 25 ? "the bar" : name(from)}.` : from < 25 && now.m[25] ? "A checker on the bar has to enter first." : to ? `The ${name(to)} point is held by ${now.t[25 - to]} opposing checkers.`
        : back > 6 ? "Checkers are borne off only when all are at home." : `The ${die} bears off no checker from ${from}: one stands on ${back}.`;
    };
    const next = (now, left, rest, depth) => {
      if (!left.length) { through = Math.max(through, depth); return; }
      left.forEach(([from, to], index) => {
        if (left.findIndex(([x, y]) => x === from && y === to) < index) return;
        const others = left.filter((_, at) => at !== index);
        let goes = false;
        for (const die of new Set(rest)) {
          const end = Math.max(from - die, 0);
          if (from - die < to && to || whole && end !== to) continue;
          goes = true;
          if (can(now, from, die)) next(move(now, from, die), end === to ? others : [...others, [end, to]], less(rest, die), depth + 1);
          else note(depth, blocked(now, from, end, die));
        }
        if (!goes && !(whole && now.m[from])) note(depth, !now.m[from] ? blocked(now, from) : rest.length ? wrong([from, to]) : tooMany);
      });
    };
    const ahead = legs.find(([from, to]) => to >= from), beyond = legs.find(([from, to]) => !sums.includes(from - to) && (to || from > Math.max(...sums)));
    if (ahead) note(0, `${name(ahead[0])}/${name(ahead[1])} moves backwards.`);
    else if (legs.length > all.length) note(0, tooMany);
    else if (beyond) note(0, wrong(beyond));
    else {
      next(b, legs, all, 0);
      const takes = (left, rest) => !left.length || [...new Set(rest)].some((die) => Math.max(left[0][0] - die, 0) === left[0][1] && takes(left.slice(1), less(rest, die)));
      if (!through && takes(legs, all)) { best = null; whole = true; next(b, legs, all, 0); }
    }
    return { through, why: best?.why };
  };
  // A typed play: {hops, board}, or {why}.
  const read = (b, dice, text) => {
    const words = text.trim().toLowerCase().replace(/^[1-6][-: ]?[1-6]:\s*/, "").split(/[\s,]+/).filter(Boolean), legs = [];
    const none = most(b, numbers(dice)) === 0;
    if (!words.length) return { form: true, why: "Type a play, for example 13/9 6/5 or bar/21*." };
    for (const word of words) {
      const found = /^((?:bar|b|\d+)(?:\/(?:off|o|\d+)\*?)+)(?:\((\d)\))?$/.exec(word);
      if (!found) return { form: true, why: `“${word}” is no move. Write 13/9, bar/21*, 6/off or 8/4(2).` };
      const at = found[1].replace(/\*/g, "").split("/").map((one) => (one[0] === "b" ? 25 : one[0] === "o" ? 0 : +one));
      if (at.some((p) => p > 25)) return { form: true, why: `There is no point ${at.find((p) => p > 25)}.` };
      for (let n = +(found[2] || 1); n--;) for (let i = 1; i < at.length; i++) legs.push([at[i - 1], at[i], i > 1]);
    }
    const m = [...b.m];
    for (const [from, to] of legs) { m[from]--; m[to]++; }
    const { through, why } = search(b, dice, legs);
    const fits = !through ? [] : [...plays(b, dice).values()].filter((one) => one.board.m.join() === m.join());
    const marked = new Set(legs.filter(([, , on]) => on).map(([from]) => from));
    if (fits.length) {
      const touched = (one) => one.hops.filter(([, to]) => marked.has(to)).length, hits = (one) => one.board.t[25], stars = (text.match(/\*/g) || []).length;
      fits.sort((x, y) => touched(y) - touched(x) || Math.abs(hits(x) - b.t[25] - stars) - Math.abs(hits(y) - b.t[25] - stars));
      return fits[0];
    }
    if (none) return { why: `No number of ${dice.join("")} can be played.` };
    return { why: !through ? why : through < most(b, numbers(dice)) ? "More of the roll can be played, and has to be." : "The higher number has to be played." };
  };
  return { key, moved, hops, plays, most, numbers, flip, shots, pips, ways, write, read, name };
})();
if (typeof module !== "undefined") module.exports = R;
