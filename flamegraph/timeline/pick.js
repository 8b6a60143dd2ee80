// What is under the pointer, in words: {name, lines}, or null.
import { formatCount, formatTime } from '../shared/units.js';
import { kArrows, kKinds, kOffCpu, upperBound } from './model.js';

const kReach = 5;

function pickInstant(model, view, track, x) {
  const { at, name, track: tracks } = model.instants;
  const id = (view.instants ?? []).find((each) => tracks[each] === track && Math.abs(view.xOf(at[each]) - x) < kReach);
  return id === undefined ? null
      : { name: model.names[name[id]], lines: [`at ${formatTime(at[id] - model.start_ns)} · ${model.tracks[track]}`] };
}

// An arrow is found at its ends, where it meets the slices.
function pickArrow(model, view, track, x) {
  const { from_track: fromTrack, from, to_track: toTrack, to, kind } = model.arrows;
  const id = (view.arrows ?? []).find((each) =>
    (fromTrack[each] === track && Math.abs(view.xOf(from[each]) - x) < kReach) ||
    (toTrack[each] === track && Math.abs(view.xOf(to[each]) - x) < kReach));
  return id === undefined ? null : {
    name: kArrows[kind[id]],
    lines: [`${model.tracks[fromTrack[id]]} → ${model.tracks[toTrack[id]]}`,
      `at ${formatTime(from[id] - model.start_ns)}, took ${formatTime(to[id] - from[id])}`],
  };
}

/** Returns the slice of a track at a time, or -1. */
export function sliceAt(model, track, time) {
  const { ids, starts } = model.lanes[track];
  const id = ids[upperBound(starts, time) - 1];
  return id !== undefined && time < model.slices.start[id] + model.slices.duration[id] ? id : -1;
}

// What is under the pointer without a CPU, where a pixel may be a long time.
function offCpuAt(model, view, track, x) {
  const { ids, starts } = model.offCpu[track];
  const { start, duration, kind } = model.off_cpu;
  const id = ids[upperBound(starts, view.timeAt(x + 1)) - 1];
  return id !== undefined && view.timeAt(x - 1) < start[id] + duration[id]
    ? [`${kOffCpu[kind[id]]} for ${formatTime(duration[id])} of it, from ${formatTime(start[id] - model.start_ns)}`] : [];
}

function pickSlice(model, view, track, x) {
  const id = sliceAt(model, track, view.timeAt(x));
  if (id < 0) {
    return null;
  }
  const { start, duration, name, kind } = model.slices;
  return {
    name: model.names[name[id]] || '(no name)',
    lines: [`${kKinds[kind[id]]} for ${formatTime(duration[id])}`,
      `from ${formatTime(start[id] - model.start_ns)} · ${model.tracks[track]}`, ...offCpuAt(model, view, track, x)],
  };
}

function pickCounter(model, view, index, x) {
  const { name, at, value } = model.counters[index];
  const i = upperBound(at, view.timeAt(x)) - 1;
  return i < 0 ? null : { name, lines: [`${formatCount(value[i])} · at most ${formatCount(model.highest[index])}`] };
}

/** Returns the slice at a point of the canvas, or -1. */
export function sliceUnder(model, view, x, y) {
  const track = view.tracks.findIndex(({ top }) => y >= top && y < top + view.lane);
  return track < 0 || x < view.left ? -1 : sliceAt(model, track, view.timeAt(x));
}

/** Finds what is at a point of the canvas. */
export function pick(model, view, x, y) {
  if (x < view.left) {
    return null;
  }
  for (let track = 0; track < view.tracks.length; ++track) {
    const { top, counters } = view.tracks[track];
    // Ends of arrows lie on the edges of the lane, instants on the upper one.
    if (y >= top - kReach && y < top + view.lane + kReach) {
      const isOnEdge = y < top + kReach || y >= top + view.lane - kReach;
      const mark = isOnEdge ? pickInstant(model, view, track, x) ?? pickArrow(model, view, track, x) : null;
      if (mark || (y >= top && y < top + view.lane)) {
        return mark ?? pickSlice(model, view, track, x);
      }
    }
    const counter = counters.find(({ top: least }) => y >= least && y < least + view.counter);
    if (counter) {
      return pickCounter(model, view, counter.index, x);
    }
  }
  return null;
}
