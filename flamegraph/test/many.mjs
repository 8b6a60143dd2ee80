// Many stacks, for figures: `node test/many.mjs [STACKS] > DATA.json`.
import { foldGraph, makeData } from './fold.mjs';
import { isProgram } from '../program.mjs';

// A small generator with a seed, so that each run draws the same picture.
function makeRandom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Returns `count` different stacks of 8 to 23 frames, as folded text: what a long run of a large program gives. */
export function manyStacks(count, seed = 1) {
  const random = makeRandom(seed);
  const stacks = new Set();
  while (stacks.size < count) {
    const frames = [`worker:${random(2)}`, `fiber:${random(6)}`];
    for (let depth = 6 + random(16); depth > 0; --depth) {
      // Most programs spend most time in few functions.
      frames.push(`module${frames.length}::Function${random(10) < 7 ? random(2) : random(40)}`);
    }
    stacks.add(frames.join(';'));
  }
  return [...stacks].map((stack) => `${stack} ${1 + random(20)}\n`).join('');
}

if (isProgram(import.meta.url)) {
  const count = Number(process.argv[2] ?? 50_000);
  console.log(JSON.stringify(makeData(`${count} stacks`, [], foldGraph(manyStacks(count)))));
}
