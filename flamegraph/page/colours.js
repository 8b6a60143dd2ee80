// The colours of frames: by what kind a frame is, or by what has become of it.
import { hash, hsl } from '../shared/colour.js';

// Frames that schedbench makes, by the start of their names: [start, what it is, hue, saturation, lightness].
const kKinds = [
  ['worker:', 'worker', 212, 34, 74],
  ['fiber:', 'fiber', 150, 38, 68],
  ['wait:', 'waiting', 268, 48, 80],
  ['ready:', 'ready, not running', 188, 46, 68],
];
// Frames of other tools, by where their code is: the kinds of the data.
const kPlaces = {
  k: ['kernel', 8, 66, 76],
  j: ['compiled at run time', 104, 42, 70],
  i: ['inlined', 176, 42, 70],
  l: ['library', 60, 62, 68],
  w: ['the thread that woke it', 240, 46, 80],
};
const kPlain = { label: 'code', hue: 38, saturation: 78, lightness: 73 };
const kContext = { hue: 220, saturation: 8, lightness: 82 };

export const kMatch = 'hsl(312 78% 72%)';

export const kindOf = (name) => kKinds.find(([start]) => name.startsWith(start));

/** The colour of a frame by its name and where its code is: of its kind if it has one, else a warm one that its name picks. */
export function colourOfName(name, place = '') {
  const kind = kindOf(name);
  if (kind) {
    return hsl(kind[2], kind[3], kind[4]);
  }
  const value = hash(name);
  if (kPlaces[place]) {
    const [, hue, saturation, lightness] = kPlaces[place];
    return hsl(hue - 4 + (value % 9), saturation, lightness - 4 + ((value >>> 8) % 9));
  }
  return hsl(kPlain.hue - 14 + (value % 29), kPlain.saturation, kPlain.lightness - 5 + ((value >>> 8) % 11));
}

export const colourOfContext = () => hsl(kContext.hue, kContext.saturation, kContext.lightness);

/** The colour of a frame by what has become of it; the stronger the change, the fuller. */
export function colourOfChange({ kind, strength }) {
  switch (kind) {
    case 'grew': return hsl(6, 60 + 25 * strength, 86 - 24 * strength);
    case 'shrank': return hsl(214, 60 + 25 * strength, 87 - 24 * strength);
    case 'new': return hsl(36, 92, 62);
    case 'gone': return hsl(250, 62, 76);
    default: return colourOfContext();
  }
}

/** What the colours of a graph mean, for the legend: [colour, meaning]. */
export function legendOf(tree) {
  if (tree.before) {
    return [['grew', 1], ['shrank', 1], ['new', 1], ['gone', 1], ['same', 0]].map(([kind, strength]) =>
      [colourOfChange({ kind, strength }), kChanges[kind]]);
  }
  const used = kKinds.filter(([start]) => tree.names.some((name) => name.startsWith(start)));
  const places = Object.keys(kPlaces).filter((place) => tree.kinds.includes(place));
  return [[hsl(kPlain.hue, kPlain.saturation, kPlain.lightness), places.length > 0 ? 'program' : kPlain.label],
    ...places.map((place) => [hsl(...kPlaces[place].slice(1)), kPlaces[place][0]]),
    ...used.map(([start, label]) => [colourOfName(start), label])];
}

const kChanges = {
  grew: 'grew',
  shrank: 'shrank',
  new: 'new',
  gone: 'vanished',
  same: 'no change beyond chance',
};
export const changeLabel = (kind) => kChanges[kind];
