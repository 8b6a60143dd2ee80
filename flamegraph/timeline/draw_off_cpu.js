// Draws when the kernel took the CPU from a worker: a strip at the lower edge of its lane.
import { upperBound } from './model.js';

const kShare = 0.28;

/** Draws the strips of one track. */
export function drawOffCpu(canvas, model, track, top, view) {
  const { ids, starts } = model.offCpu[track];
  const { start, duration, kind } = model.off_cpu;
  const { xOf, span, colours, lane } = view;
  const height = Math.max(Math.round(lane * kShare), 6);
  // One before the first that starts in sight may reach into it.
  for (let i = Math.max(upperBound(starts, span.start) - 1, 0); i < ids.length && starts[i] < span.end; ++i) {
    const id = ids[i];
    const from = xOf(start[id]);
    canvas.fillStyle = kind[id] === 0 ? colours.preempted : colours.blocked;
    canvas.fillRect(from, top + lane - height, Math.max(xOf(start[id] + duration[id]) - from, 1), height);
  }
}
