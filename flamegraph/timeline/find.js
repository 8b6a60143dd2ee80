// Finds slices by name, and says how much time they took.
import { makeMatcher } from '../shared/match.js';
import { formatCount, formatShare, formatTime } from '../shared/units.js';

/** Returns {result, words, isBad}; the result is null for an empty search or a bad expression. */
export function findSlices(model, text, isRegex) {
  let matcher;
  try {
    matcher = makeMatcher(text, isRegex);
  } catch (error) {
    return { result: null, words: `not a regular expression: ${error.message}`, isBad: true };
  }
  if (!matcher) {
    return { result: null, words: '', isBad: false };
  }
  const byName = model.names.map(matcher);
  const { name, duration } = model.slices;
  const result = { matches: name.map((each) => byName[each]), count: 0 };
  let time = 0;
  result.matches.forEach((isMatch, id) => {
    if (isMatch) {
      ++result.count;
      time += duration[id];
    }
  });
  const all = (model.end_ns - model.start_ns) * model.tracks.length;
  const slices = `${formatCount(result.count)} ${result.count === 1 ? 'slice' : 'slices'}`;
  return { result, words: `${slices} · ${formatTime(time)} · ${formatShare(time, all)} of all tracks`, isBad: false };
}

/** Returns the match after the one that was shown last, by time and around; the first time, one from `time` on. */
export function nextMatch(model, found, time) {
  const { start } = model.slices;
  if (!found.order) {
    found.order = found.matches.flatMap((isMatch, id) => (isMatch ? [id] : [])).sort((a, b) => start[a] - start[b]);
    found.at = found.order.findIndex((id) => start[id] >= time) - 1;
  }
  found.at = (found.at + 1) % found.order.length;
  return found.order[Math.max(found.at, 0)];
}
