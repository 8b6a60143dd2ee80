// The events of a timeline, checked and put in order. Times are ns of one clock.
import { expect } from '../shared/data.js';

/** What a worker does in a slice: the values of `kind`. */
export const kKinds = ['running', 'searching for work', 'parked'];
export const [kRun, kSearch, kPark] = [0, 1, 2];

/** What took the CPU from a worker: the values of `kind` in off_cpu. */
export const kOffCpu = ['preempted: another thread had the CPU', 'blocked in the kernel'];

/** The values of an arrow's `kind`. */
export const kArrows = ['wake', 'steal'];

const areTimes = (values) => values.every((value) => Number.isFinite(value));
const areIndices = (values, limit) => values.every((value) => Number.isInteger(value) && value >= 0 && value < limit);

// Columns of one length; `columns` says what each holds: a time, or an index below a limit.
function checkTable(data, table, columns) {
  const rows = data[table];
  for (const [column, limit] of Object.entries(columns)) {
    const values = rows[column];
    expect(Array.isArray(values) && values.length === rows[Object.keys(columns)[0]].length,
        `${table} has not as many of ${column} as of the others`);
    expect(limit === null ? areTimes(values) : areIndices(values, limit), `${table} has something in ${column} that is none`);
  }
}

function check(data) {
  const isTexts = (list) => Array.isArray(list) && list.every((text) => typeof text === 'string');
  expect(isTexts(data.tracks) && data.tracks.length > 0, 'it has no tracks');
  expect(isTexts(data.names), 'it has no list of names');
  expect(Number.isFinite(data.start_ns) && data.end_ns > data.start_ns, 'it does not end after its start');
  const tracks = data.tracks.length;
  const names = data.names.length;
  for (const table of ['slices', 'off_cpu', 'arrows', 'instants']) {
    expect(data[table] !== null && typeof data[table] === 'object', `it has no ${table}`);
  }
  expect(isTexts(data.summary), 'its summary is no list of texts');
  expect(Array.isArray(data.counters), 'it has no list of counters');
  checkTable(data, 'slices', { track: tracks, start: null, duration: null, name: names, kind: kKinds.length });
  checkTable(data, 'off_cpu', { track: tracks, start: null, duration: null, kind: kOffCpu.length });
  checkTable(data, 'arrows', { from_track: tracks, from: null, to_track: tracks, to: null, kind: kArrows.length });
  checkTable(data, 'instants', { track: tracks, at: null, name: names });
  data.counters.forEach((counter, i) => {
    expect(areIndices([counter.track], tracks), `counter ${i + 1} has no track`);
    expect(areTimes(counter.at) && areTimes(counter.value) && counter.at.length === counter.value.length,
        `counter ${i + 1} has not a value for each time`);
  });
}

/** Returns the first place in `sorted` whose value is greater than `limit`. */
export function upperBound(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The slices of each track by time, or its times without a CPU, as {ids, starts}. They do not overlap: a worker does one thing at a time.
function byTrack(slices, count) {
  const ids = Array.from({ length: count }, () => []);
  slices.track.forEach((track, id) => ids[track].push(id));
  return ids.map((list) => {
    list.sort((a, b) => slices.start[a] - slices.start[b]);
    return { ids: list, starts: Float64Array.from(list, (id) => slices.start[id]) };
  });
}

/** Returns the model of the data. Broken data is a DataError. */
export function makeModel(data) {
  const whole = {
    off_cpu: { track: [], start: [], duration: [], kind: [] },
    arrows: { from_track: [], from: [], to_track: [], to: [], kind: [] },
    instants: { track: [], at: [], name: [] },
    counters: [],
    summary: [],
    overwritten: 0,
    title: 'timeline',
    facts: [],
    ...data,
  };
  check(whole);
  const { slices, arrows, instants, counters } = whole;
  return {
    ...whole,
    lanes: byTrack(slices, whole.tracks.length),
    offCpu: byTrack(whole.off_cpu, whole.tracks.length),
    highest: counters.map((counter) => counter.value.reduce((a, b) => Math.max(a, b), 1)),
    events: slices.start.length + arrows.from.length + instants.at.length +
        counters.reduce((sum, counter) => sum + counter.at.length, 0),
  };
}
