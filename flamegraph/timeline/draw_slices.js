// Draws what the workers do. Slices of a pixel or more are boxes with names; narrower ones are added up, and each
// column of pixels shows how its time is shared.
import { kKinds, kPark, kRun, kSearch, upperBound } from './model.js';
import { parkColour, runColour, searchColour } from './theme.js';

const kTextRoom = 34;

function drawShares(canvas, shares, left, top, lane) {
  const colours = [];
  colours[kRun] = runColour();
  colours[kSearch] = searchColour();
  colours[kPark] = parkColour();
  const columns = shares.length / kKinds.length;
  for (let column = 0; column < columns; ++column) {
    let bottom = top + lane;
    for (let kind = 0; kind < kKinds.length; ++kind) {
      const height = Math.min(shares[column * kKinds.length + kind], 1) * lane;
      if (height > 0) {
        canvas.fillStyle = colours[kind];
        canvas.fillRect(left + column, bottom - height, 1, height);
        bottom -= height;
      }
    }
  }
}

/** Returns `text` shortened to what has room in `room` pixels, about. */
export function fit(canvas, text, room) {
  const width = canvas.measureText(text).width;
  if (width <= room) {
    return text;
  }
  const kept = Math.floor((text.length * room) / width) - 1;
  return kept > 0 ? `${text.slice(0, kept)}…` : '';
}

/** Draws one track; returns how many of its slices were wide enough for a box. */
export function drawSlices(canvas, model, track, top, view) {
  const { ids, starts } = model.lanes[track];
  const { start, duration, name, kind } = model.slices;
  const { left, right, xOf, span, colourOf, isDim, colours, lane } = view;
  const shares = new Float64Array(Math.ceil(right - left) * kKinds.length);
  let boxes = 0;
  // One before the first that starts in sight may reach into it.
  for (let i = Math.max(upperBound(starts, span.start) - 1, 0); i < ids.length && starts[i] < span.end; ++i) {
    const id = ids[i];
    const width = xOf(start[id] + duration[id]) - xOf(start[id]);
    const from = Math.max(xOf(start[id]), left);
    const to = Math.min(xOf(start[id] + duration[id]), right);
    if (width < 1) {
      if (to > from && !isDim(id)) {
        shares[Math.floor(from - left) * kKinds.length + kind[id]] += to - from;
      }
      continue;
    }
    ++boxes;
    canvas.globalAlpha = isDim(id) ? 0.18 : 1;
    canvas.fillStyle = colourOf(id);
    // A hair's breadth between neighbours, where there is room for it.
    canvas.fillRect(from, top, to - from > 4 ? to - from - 1 : to - from, lane);
    if (to - from > kTextRoom && kind[id] !== kPark && !isDim(id)) {
      canvas.fillStyle = colours.ink;
      // That it is a fiber says its colour.
      const label = model.names[name[id]].replace(/^fiber:/, '');
      canvas.fillText(fit(canvas, label, to - from - 10), from + 5, top + lane / 2);
    }
  }
  canvas.globalAlpha = 1;
  drawShares(canvas, shares, left, top, lane);
  return boxes;
}
