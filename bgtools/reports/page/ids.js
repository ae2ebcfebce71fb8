// --- positions of GNU Backgammon, for a page that edits them

// A position ID of GNU Backgammon, with or without its match ID: who is on roll stands second.
function readGnu(text) {
  const [, board, match] = /^\s*([\w+/]{14})(?::([\w+/]{12}))?\s*$/.exec(text) || [];
  if (!board) return null;
  const bits = (code) => [...atob(code.padEnd(Math.ceil(code.length / 4) * 4, "="))].flatMap((each) => [0, 1, 2, 3, 4, 5, 6, 7].map((at) => (each.charCodeAt(0) >> at) & 1));
  const sides = [Array(26).fill(0), Array(26).fill(0)], all = bits(board);
  let at = 0;
  for (const side of sides) for (let p = 1; p < 26; p++) { while (all[at++]) side[p]++; }
  const given = match ? bits(match) : [], number = (from, long) => given.slice(from, from + long).reduce((sum, bit, place) => sum + bit * 2 ** place, 0);
  const on = number(6, 1), owner = number(4, 2), score = [number(36, 15), number(51, 15)], die = [number(15, 3), number(18, 3)];
  return withOff({ m: sides[1], t: sides[0], cube: match ? 2 ** number(0, 4) : 1, owner: !match || owner === 3 ? 0 : owner === on ? 1 : -1, dice: die[0] ? die.join("") : "",
    score: on ? [score[1], score[0]] : score, length: number(21, 15), rules: number(7, 1), most: "10" });
}
