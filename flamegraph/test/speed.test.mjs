// How long 50,000 stacks and 100,000 events take. The figures stand in README.md; here only what would be a mistake fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makePage } from '../build.mjs';
import { foldGraph, makeData } from './fold.mjs';
import { render } from '../render.mjs';
import { startBrowser } from './browser.mjs';
import { makeEvents } from './events.mjs';
import { manyStacks } from './many.mjs';

const kStacks = 50_000;
const kEvents = 100_000;
const kLimit = 10_000;

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

async function openTime(page) {
  await page.until('window.paintedAt !== undefined');
  return page.evaluate('window.paintedAt');
}

/** Runs an expression in the page; returns how long until its effect is on the screen, in ms. */
const timeOf = (page, expression) => page.evaluate(`new Promise((done) => {
  const start = performance.now();
  ${expression};
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})`);

test(`${kStacks} stacks are drawn, zoomed and searched in time`, async () => {
  const graph = foldGraph(manyStacks(kStacks));
  const html = render(await makePage('page'), JSON.stringify(makeData('many', [], graph)));
  const page = await browser.open(html);
  const opened = await openTime(page);
  const drawn = await page.evaluate(`document.querySelectorAll('#chart g.frame').length`);
  const zoomed = await timeOf(page, `[...document.querySelectorAll('#chart g.frame')].find((g) =>
      g.textContent.startsWith('worker:')).dispatchEvent(new MouseEvent('click', { bubbles: true }))`);
  const found = await timeOf(page, `const field = document.getElementById('search'); field.value = 'Function7';
      field.dispatchEvent(new Event('input'))`);
  const size = (Buffer.byteLength(html) / 1e6).toFixed(1);
  console.log(`${kStacks} stacks, ${graph.frame.length} frames, ${size} MB, ${drawn} drawn: ` +
      `open ${opened.toFixed(0)} ms, zoom ${zoomed.toFixed(0)} ms, search ${found.toFixed(0)} ms`);
  assert.deepEqual(page.console, []);
  assert.ok(drawn > 100);
  assert.match(await page.evaluate(`document.getElementById('found').textContent`), /frames · .* % of total/);
  for (const time of [opened, zoomed, found]) {
    assert.ok(time < kLimit);
  }
});

test('a picture full of frames that are hardly wider than a pixel is drawn in time', async () => {
  const [columns, levels] = [900, 12];
  const stacks = Array.from({ length: columns }, (_, i) =>
    `${Array.from({ length: levels }, (_, level) => `f${i}_${level}`).join(';')} 1\n`).join('');
  const page = await browser.open(render(await makePage('page'), JSON.stringify(makeData('full', [], foldGraph(stacks)))));
  const opened = await openTime(page);
  const drawn = await page.evaluate(`document.querySelectorAll('#chart g.frame').length`);
  console.log(`${drawn} frames drawn: open ${opened.toFixed(0)} ms`);
  assert.equal(drawn, columns * levels + 1);
  assert.ok(opened < kLimit);
});

test(`${kEvents} events are drawn, zoomed and searched in time`, async () => {
  // Each slice of these comes with a value of a counter.
  const data = makeEvents(kEvents / 2);
  const html = render(await makePage('timeline'), JSON.stringify(data));
  const page = await browser.open(html);
  const opened = await openTime(page);
  const zoomed = await timeOf(page, `document.getElementById('in').click()`);
  const found = await timeOf(page, `const field = document.getElementById('search'); field.value = 'timer';
      field.dispatchEvent(new Event('input'))`);
  const size = (Buffer.byteLength(html) / 1e6).toFixed(1);
  console.log(`${kEvents} events, ${size} MB: open ${opened.toFixed(0)} ms, zoom ${zoomed.toFixed(0)} ms, ` +
      `search ${found.toFixed(0)} ms`);
  assert.deepEqual(page.console, []);
  for (const time of [opened, zoomed, found]) {
    assert.ok(time < kLimit);
  }
});
