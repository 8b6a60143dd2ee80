// Where things are on the canvas, in CSS pixels: a ruler above, and for each track its slices and below them its
// counters. Names stand on the left. Lanes share the height of the window; where it is too low, the page scrolls.

export const kRuler = 26;
const kGap = 10;
// A lane and a counter, at least and at most.
const [kLeastLane, kMostLane] = [26, 160];
const [kLeastCounter, kMostCounter] = [22, 80];

const clamp = (value, least, most) => Math.min(Math.max(Math.floor(value), least), most);

/** Returns {left, right, height, lane, counter, tracks: [{top, counters: [{index, top}]}]} for a canvas of this size. */
export function makeLayout(model, width, height) {
  // On a narrow window a third for names is enough.
  const left = Math.min(130, width / 3);
  const [lanes, counts] = [model.tracks.length, model.counters.length];
  // A counter is half as high as a lane.
  const share = (height - kRuler - 6 - lanes * kGap - counts * 2) / (lanes + counts / 2);
  const lane = clamp(share, kLeastLane, kMostLane);
  const counter = clamp(share / 2, kLeastCounter, kMostCounter);
  let y = kRuler + 6;
  const tracks = model.tracks.map((_, track) => {
    const top = y;
    y += lane;
    const counters = [];
    model.counters.forEach(({ track: of }, index) => {
      if (of === track) {
        counters.push({ index, top: y + 2 });
        y += counter + 2;
      }
    });
    y += kGap;
    return { top, counters };
  });
  return { left, right: width, height: y, lane, counter, tracks };
}
