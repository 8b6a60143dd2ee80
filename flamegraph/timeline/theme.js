// The colours of the timeline.
import { hash, hsl, isDark } from '../shared/colour.js';
import { kPark, kRun } from './model.js';

/** The colours of the theme that the user prefers. */
export const theme = () => (isDark()
  ? { text: '#e7e9ec', soft: '#a1aab5', line: '#2c323a', lane: '#1f242a', counter: '#e08ac6', preempted: '#ff5d6c', blocked: '#8d96a1', wake: '#b9c3cf', steal: '#ff9a8b' }
  : { text: '#1d2126', soft: '#5d6672', line: '#e6e8eb', lane: '#f1f2f3', counter: '#a83a86', preempted: '#d7263d', blocked: '#6b737d', wake: '#55606d', steal: '#c2402e' });

/** What runs, seen from so far away that fibers cannot be distinguished. */
export const runColour = () => hsl(150, 38, 62);
export const searchColour = () => hsl(42, 88, 64);
export const parkColour = () => (isDark() ? '#2f353d' : '#e1e4e8');

/** The colour of a slice: what runs has one by its name. */
export function sliceColour(kind, name) {
  if (kind === kRun) {
    const value = hash(name);
    // Greens to violets; amber and grey have their meaning.
    return hsl(120 + (value % 180), 42, 66 + ((value >>> 9) % 3) * 4);
  }
  return kind === kPark ? parkColour() : searchColour();
}

/** What the colours mean, for the legend: [colour, meaning]. */
export function legendOf(model) {
  const slices = [[runColour(), 'running, a colour for each name'], [searchColour(), 'searching for work'],
    [parkColour(), 'parked']];
  const has = (kind) => model.off_cpu.kind.includes(kind);
  const offCpu = [[theme().preempted, 'preempted: another thread had the CPU'], [theme().blocked, 'blocked in the kernel']];
  const queues = [[theme().counter, 'length of a queue']];
  const arrows = [[theme().wake, 'wake'], [theme().steal, 'steal']];
  const instants = [[theme().text, 'event']];
  return [...slices, ...offCpu.filter((_, kind) => has(kind)), ...(model.counters.length > 0 ? queues : []), ...(model.arrows.from.length > 0 ? arrows : []), ...(model.instants.at.length > 0 ? instants : [])];
}
