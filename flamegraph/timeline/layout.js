// Where things are on the canvas, in CSS pixels: a ruler above, and for each track its slices and below them its
// counters. Names stand on the left.

export const kRuler = 26;
export const kLane = 26;
export const kCounter = 22;
const kGap = 10;

/** Returns {left, right, height, tracks: [{top, counters: [{index, top}]}]} for a canvas of this width. */
export function makeLayout(model, width) {
  // On a narrow window a third for names is enough.
  const left = Math.min(130, width / 3);
  let y = kRuler + 6;
  const tracks = model.tracks.map((_, track) => {
    const top = y;
    y += kLane;
    const counters = [];
    model.counters.forEach((counter, index) => {
      if (counter.track === track) {
        counters.push({ index, top: y + 2 });
        y += kCounter + 2;
      }
    });
    y += kGap;
    return { top, counters };
  });
  return { left, right: width, height: y, tracks };
}
