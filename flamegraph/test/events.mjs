// Events such as the tool writes, for tests and to look at: `node test/events.mjs [SLICES] > DATA.json`.
import { isProgram } from '../program.mjs';

const kNames = ['fiber:ping', 'fiber:pong', 'search', 'park', 'fiber:timer'];

/** Returns a timeline of two workers that hand each other work, `count` slices in all. */
export function makeEvents(count, length = 50_000_000) {
  const slices = { track: [], start: [], duration: [], name: [], kind: [] };
  const arrows = { from_track: [], from: [], to_track: [], to: [], kind: [] };
  const instants = { track: [], at: [], name: [] };
  const counters = [0, 1].map((track) => ({ name: `queue of worker ${track}`, track, at: [], value: [] }));
  const each = (2 * length) / count;
  for (const track of [0, 1]) {
    for (let i = 0; i < count / 2; ++i) {
      const start = i * each;
      // Mostly work; now and then a search, after which the worker sleeps.
      const kind = i % 10 === 8 ? 1 : i % 10 === 9 ? 2 : 0;
      slices.track.push(track);
      slices.start.push(start);
      slices.duration.push(each);
      slices.kind.push(kind);
      slices.name.push(kind === 0 ? (i % 97 === 50 ? 4 : (i + track) % 2) : kind + 1);
      counters[track].at.push(start);
      counters[track].value.push(kind === 0 ? 1 + ((i * 7 + track) % 10) : 0);
      if (i % 10 === 0 && i > 0) {
        arrows.from_track.push(1 - track);
        arrows.from.push(start - each / 2);
        arrows.to_track.push(track);
        arrows.to.push(start);
        arrows.kind.push(i % 20 === 0 ? 1 : 0);
      }
      if (i % 97 === 50) {
        instants.track.push(track);
        instants.at.push(start);
        instants.name.push(4);
      }
    }
  }
  return {
    version: 1, title: 'burst on fast', start_ns: 0, end_ns: length, overwritten: 0,
    tracks: ['worker 0', 'worker 1'], names: kNames, slices, arrows, instants, counters,
    summary: ['wasted: 1.2 ms of 100 ms, a worker was idle while work was ready', 'longest wait: fiber:pong, 310 µs'],
  };
}

if (isProgram(import.meta.url)) {
  console.log(JSON.stringify(makeEvents(Number(process.argv[2] ?? 400))));
}
