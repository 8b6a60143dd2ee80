// Draws what lies over and under the slices: ruler, counters, arrows, instants.
import { kRuler } from './layout.js';
import { upperBound } from './model.js';
import { ticks } from './span.js';

// More than these in sight are a tangle that says nothing.
const kMaxArrows = 300;
const kMaxInstants = 150;
const kTickRoom = 90;

export function drawRuler(canvas, model, view) {
  const { left, right, height, xOf, span, colours } = view;
  canvas.strokeStyle = colours.line;
  canvas.fillStyle = colours.soft;
  canvas.lineWidth = 1;
  for (const time of ticks(span.start, span.end, model.start_ns, (right - left) / kTickRoom)) {
    const x = Math.round(xOf(time)) + 0.5;
    canvas.beginPath();
    canvas.moveTo(x, kRuler - 6);
    canvas.lineTo(x, height);
    canvas.stroke();
    const label = formatTick(time - model.start_ns, span.end - span.start);
    if (x + 4 + canvas.measureText(label).width < right) {
      canvas.fillText(label, x + 4, kRuler / 2);
    }
  }
}

// Close together, ticks need more digits than a time alone would show.
function formatTick(time, length) {
  const [size, unit] = length >= 2e9 ? [1e9, 's'] : length >= 2e6 ? [1e6, 'ms'] : length >= 2e3 ? [1e3, 'µs'] : [1, 'ns'];
  return time === 0 ? '0' : `${Number((time / size).toFixed(2)).toLocaleString('en-US')} ${unit}`;
}

/** A counter as a stepped area; of all values in one column of pixels the highest is shown. */
export function drawCounter(canvas, model, index, top, view) {
  const { at, value } = model.counters[index];
  const { left, right, xOf, span, colours, counter } = view;
  const columns = new Float64Array(Math.ceil(right - left));
  for (let i = Math.max(upperBound(at, span.start) - 1, 0); i < at.length && at[i] < span.end; ++i) {
    const to = i + 1 < at.length ? Math.min(xOf(at[i + 1]), right) : right;
    for (let column = Math.floor(Math.max(xOf(at[i]) - left, 0)); column < to - left; ++column) {
      columns[column] = Math.max(columns[column], value[i]);
    }
  }
  canvas.fillStyle = colours.counter;
  canvas.globalAlpha = 0.55;
  for (let from = 0, to = 0; from < columns.length; from = to) {
    for (to = from + 1; to < columns.length && columns[to] === columns[from];) {
      ++to;
    }
    const height = (columns[from] / model.highest[index]) * (counter - 2);
    canvas.fillRect(left + from, top + counter - height, to - from, height);
  }
  canvas.globalAlpha = 1;
}

const isIn = (span, first, last) => last >= span.start && first <= span.end;

/** Returns the arrows in sight, or null if there are too many to draw. */
export function arrowsIn(model, span) {
  const { from, to } = model.arrows;
  const ids = [];
  for (let id = 0; id < from.length; ++id) {
    if (isIn(span, Math.min(from[id], to[id]), Math.max(from[id], to[id])) && ids.push(id) > kMaxArrows) {
      return null;
    }
  }
  return ids;
}

export function drawArrows(canvas, model, ids, view) {
  const { from_track: fromTrack, from, to_track: toTrack, to, kind } = model.arrows;
  const { tracks, xOf, colours, lane } = view;
  canvas.lineWidth = 1.2;
  for (const id of ids) {
    const up = toTrack[id] < fromTrack[id];
    const [x1, x2] = [xOf(from[id]), xOf(to[id])];
    const y1 = tracks[fromTrack[id]].top + (up ? 0 : lane);
    const y2 = tracks[toTrack[id]].top + (up ? lane : 0);
    const middle = (y1 + y2) / 2;
    canvas.strokeStyle = canvas.fillStyle = kind[id] === 0 ? colours.wake : colours.steal;
    canvas.beginPath();
    canvas.moveTo(x1, y1);
    canvas.bezierCurveTo(x1, middle, x2, middle, x2, y2);
    canvas.stroke();
    const head = up ? 6 : -6;
    canvas.beginPath();
    canvas.moveTo(x2, y2);
    canvas.lineTo(x2 - 3.5, y2 + head);
    canvas.lineTo(x2 + 3.5, y2 + head);
    canvas.fill();
  }
}

/** Returns the instants in sight, or null if there are too many to draw. */
export function instantsIn(model, span) {
  const ids = [];
  const { at } = model.instants;
  for (let id = 0; id < at.length; ++id) {
    if (isIn(span, at[id], at[id]) && ids.push(id) > kMaxInstants) {
      return null;
    }
  }
  return ids;
}

export function drawInstants(canvas, model, ids, view) {
  const { tracks, xOf, colours } = view;
  canvas.fillStyle = colours.text;
  for (const id of ids) {
    const x = xOf(model.instants.at[id]);
    const { top } = tracks[model.instants.track[id]];
    canvas.beginPath();
    canvas.moveTo(x, top + 5);
    canvas.lineTo(x - 4, top - 3);
    canvas.lineTo(x + 4, top - 3);
    canvas.fill();
  }
}
