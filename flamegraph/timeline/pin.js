// The slice that a click has pinned, and the sums of all slices of its name.
import { byId, make } from '../shared/dom.js';
import { formatCount, formatTime } from '../shared/units.js';
import { kKinds } from './model.js';

/** Returns {count, total, longest, tracks} of the slices with the name and the kind of slice `id`. */
export function sumsOf(model, id) {
  const { name, kind, duration, track } = model.slices;
  const sums = { count: 0, total: 0, longest: 0, tracks: new Set() };
  for (let other = 0; other < name.length; ++other) {
    if (name[other] === name[id] && kind[other] === kind[id]) {
      ++sums.count;
      sums.total += duration[other];
      sums.longest = Math.max(sums.longest, duration[other]);
      sums.tracks.add(track[other]);
    }
  }
  return sums;
}

/** Shows the slice and its sums below the picture; with -1 nothing. */
export function showPinned(model, id) {
  const box = byId('pinned');
  box.hidden = id < 0;
  if (id < 0) {
    return;
  }
  const { name, kind, duration, start, track } = model.slices;
  const { count, total, longest, tracks } = sumsOf(model, id);
  box.replaceChildren(
      make('strong', model.names[name[id]] || '(no name)'),
      make('span', `this slice: ${kKinds[kind[id]]} for ${formatTime(duration[id])}, from ` +
          `${formatTime(start[id] - model.start_ns)} on ${model.tracks[track[id]]}`),
      make('span', `all of this name: ${formatCount(count)} ${count === 1 ? 'slice' : 'slices'} on ${tracks.size} ` +
          `${tracks.size === 1 ? 'track' : 'tracks'}, total ${formatTime(total)}, mean ${formatTime(total / count)}, ` +
          `longest ${formatTime(longest)}`));
}
