// The timeline's time, order and search, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSlices, nextMatch } from '../timeline/find.js';
import { makeModel, upperBound } from '../timeline/model.js';
import { sliceAt } from '../timeline/pick.js';
import { makeSpan, ticks } from '../timeline/span.js';
import { makeEvents } from './events.mjs';

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

test('zooming keeps the time under the pointer where it is', () => {
  const span = makeSpan(0, 1000);
  span.zoom(0.5, 0.25);
  near(span.start, 125);
  near(span.end, 625);
  near(span.start + 0.25 * (span.end - span.start), 250);
});

test('a span never leaves the whole, nor gets too narrow', () => {
  const span = makeSpan(100, 1100);
  span.zoom(0.001);
  near(span.end - span.start, 50);
  span.pan(1000);
  near(span.end, 1100);
  span.pan(-1000);
  near(span.start, 100);
  span.zoom(1000);
  assert.ok(span.isWhole());
  span.show(1090, 1100);
  assert.ok(span.start >= 100 && span.end <= 1100 && span.start < 1090);
});

test('a window shorter than the narrowest span is shown whole', () => {
  const span = makeSpan(0, 10);
  span.zoom(0.1);
  assert.ok(span.isWhole());
});

test('ticks stand at round distances from the start of the window', () => {
  assert.deepEqual(ticks(7, 27, 7, 4), [7, 12, 17, 22, 27]);
  assert.deepEqual(ticks(0, 1000, 0, 10), [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});

test('a slice is found at its times, from its first to before its last', () => {
  const model = makeModel({ version: 1, start_ns: 0, end_ns: 100, tracks: ['w'], names: ['a'],
    slices: { track: [0, 0], start: [50, 10], duration: [10, 20], name: [0, 0], kind: [0, 0] } });
  const at = (time) => sliceAt(model, 0, time);
  assert.deepEqual([at(9), at(10), at(29), at(30), at(49), at(50), at(59), at(60)], [-1, 1, 1, -1, -1, 0, 0, -1]);
});

test('the first value above a limit is found', () => {
  assert.deepEqual([-1, 0, 1, 2, 9].map((limit) => upperBound([0, 1, 1, 5], limit)), [0, 1, 3, 3, 4]);
  assert.equal(upperBound([], 1), 0);
});

test('a search adds up the time of what it finds, and goes around its matches in the order of time', () => {
  const model = makeModel({ version: 1, start_ns: 0, end_ns: 100, tracks: ['w'], names: ['ping', 'pong'],
    slices: { track: [0, 0, 0], start: [50, 10, 70], duration: [10, 20, 5], name: [0, 0, 1], kind: [0, 0, 0] } });
  const { result, words } = findSlices(model, 'PING', false);
  assert.equal(words, '2 slices · 30 ns · 30.0 % of all tracks');
  assert.deepEqual([0, 0, 0].map(() => nextMatch(model, result, 20)), [0, 1, 0]);
  assert.equal(findSlices(model, '(', true).isBad, true);
});

test('broken events are refused in a sentence', () => {
  const refused = (change, words) => assert.throws(() => makeModel({ ...makeEvents(4), ...change }), words);
  assert.ok(makeModel(makeEvents(4)));
  refused({ tracks: [] }, /no tracks/);
  refused({ names: null }, /no list of names/);
  refused({ end_ns: 0 }, /does not end after its start/);
  refused({ slices: null }, /no slices/);
  refused({ arrows: null }, /no arrows/);
  refused({ summary: 'x' }, /summary is no list of texts/);
  refused({ counters: {} }, /no list of counters/);
  refused({ slices: { ...makeEvents(4).slices, track: [0, 0, 0, 2] } }, /slices has something in track/);
  refused({ slices: { ...makeEvents(4).slices, kind: [0, 0, 0, 3] } }, /slices has something in kind/);
  refused({ slices: { ...makeEvents(4).slices, start: [0] } }, /not as many of start/);
  refused({ arrows: { from_track: [0], from: [0], to_track: [9], to: [1], kind: [0] } }, /arrows has something in to_track/);
  refused({ instants: { track: [0], at: [null], name: [0] } }, /instants has something in at that is none/);
  refused({ counters: [{ name: 'q', track: 7, at: [], value: [] }] }, /counter 1 has no track/);
  refused({ counters: [{ name: 'q', track: 0, at: [1], value: [] }] }, /counter 1 has not a value/);
});

test('100,000 events and more are no more than JavaScript can take', () => {
  assert.ok(makeModel(makeEvents(300_000)).events > 600_000);
});
