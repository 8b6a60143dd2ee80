// The page of timelines in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { makePage } from '../build.mjs';
import { render } from '../render.mjs';
import { startBrowser } from './browser.mjs';
import { makeEvents } from './events.mjs';

let browser;
let html;
let page;
before(async () => {
  browser = await startBrowser();
  html = await makePage('timeline');
});
after(() => browser.close());
// What holds for every page, whatever was done with it.
afterEach(async () => {
  assert.deepEqual(page.console, []);
  assert.deepEqual(page.requests.filter((url) => url !== 'about:blank'), [page.url]);
  await page.close();
});

// Two workers for 1 ms: the first runs ping, searches and sleeps, the second runs pong after a wake in the middle.
const kSmall = {
  version: 1, title: 'small', start_ns: 1_000_000, end_ns: 2_000_000, overwritten: 0,
  tracks: ['worker 0', 'worker 1'], names: ['fiber:ping', 'fiber:pong', 'search', 'park', 'created'],
  slices: {
    track: [0, 0, 0, 1], start: [1_000_000, 1_500_000, 1_750_000, 1_500_000],
    duration: [500_000, 250_000, 250_000, 400_000], name: [0, 2, 3, 1], kind: [0, 1, 2, 0],
  },
  arrows: { from_track: [0], from: [1_450_000], to_track: [1], to: [1_500_000], kind: [0] },
  instants: { track: [0], at: [1_250_000], name: [4] },
  counters: [{ name: 'queue of worker 0', track: 0, at: [1_000_000, 1_500_000], value: [4, 0] }],
  summary: ['wasted: 100 µs of 2 ms'],
};

// So low that lanes and counters have their least height.
const kLow = { width: 1280, height: 320 };
const openText = async (text, size = kLow) => { page = await browser.open(render(html, text), size); };
const open = (data = kSmall, size) => openText(JSON.stringify(data), size);
const text = (selector) => page.evaluate(`document.querySelector('${selector}').textContent`);
const isHidden = (selector) => page.evaluate(`document.querySelector('${selector}').checkVisibility() === false`);

/** A point of the canvas in the window: `share` of the time that is shown, `y` below the canvas's upper edge. */
const pointAt = (share, y) => page.evaluate(`(() => {
  const { x, y, width } = document.getElementById('canvas').getBoundingClientRect();
  return { x: x + 130 + ${share} * (width - 130), y: y + ${y} };
})()`);
// Above the names in the lanes.
const [kFirstLane, kFirstCounter, kSecondLane] = [37, 72, 98];

async function hover(share, y) {
  const point = await pointAt(share, y);
  await page.mouse('mouseMoved', point.x, point.y);
  await page.settle();
}
// From a copy, because the page's own canvas is not made for being read.
const colourAt = (share, y) => page.evaluate(`(() => {
  const canvas = document.getElementById('canvas');
  const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, -Math.round(130 + ${share} * (canvas.width - 130)), -${y});
  return [...copy.getImageData(0, 0, 1, 1).data].join();
})()`);

test('slices, searches and sleep have colours of their own, where and when they were', async () => {
  await open();
  const [ping, search, park, none, pong] = await Promise.all([colourAt(0.4, kFirstLane), colourAt(0.6, kFirstLane),
    colourAt(0.9, kFirstLane), colourAt(0.2, kSecondLane), colourAt(0.7, kSecondLane)]);
  assert.equal(new Set([ping, search, park, none, pong]).size, 5);
  assert.equal(await colourAt(0.48, kFirstLane), ping);
  assert.equal(await colourAt(0.52, kFirstLane), search);
  assert.equal(await colourAt(0.95, kSecondLane), none);
});

const kWithoutCpu = { ...kSmall, off_cpu: { track: [0, 0], start: [1_600_000, 1_100_000], duration: [100_000, 50_000], kind: [0, 1] } };

test('a strip in the lane shows when the kernel took the CPU from a worker, and the box beside the pointer for how long', async () => {
  await open(kWithoutCpu);
  const [search, preempted, blocked] = await Promise.all([colourAt(0.65, 40), colourAt(0.65, 55), colourAt(0.12, 55)]);
  assert.equal(new Set([search, preempted, blocked]).size, 3);
  assert.equal(await colourAt(0.55, 55), search);
  assert.match(await text('#legend'), /preempted: another thread had the CPU.*blocked in the kernel/);
  await hover(0.65, 45);
  assert.match(await text('#tip'), /^searchsearching for work for 250 µs.*preempted: another thread had the CPU for 100 µs of it, from 600 µs$/);
  await hover(0.55, 45);
  assert.doesNotMatch(await text('#tip'), /preempted/);
});

test('the lanes fill the window, and shrink with it as far as they can be read', async () => {
  await open(kSmall, { width: 1280, height: 800 });
  const heightOf = () => page.evaluate("document.getElementById('canvas').clientHeight");
  const high = await heightOf();
  assert.ok(high > 350, `${high} pixels`);
  assert.ok(await page.evaluate('document.documentElement.scrollHeight <= window.innerHeight'));
  assert.equal(await page.evaluate("document.getElementById('canvas').clientWidth"), 1280 - 2 * 18);
  await page.resize(1280, 320);
  assert.ok(await heightOf() < high / 2);
});

test('the colour of a queue is that of no fiber', async () => {
  await open();
  const hues = await page.evaluate(`(() => {
    const swatch = [...document.querySelectorAll('#legend li')].find((li) => li.textContent.includes('queue'));
    const [r, g, b] = getComputedStyle(swatch.querySelector('.swatch')).backgroundColor.match(/\\d+/g).map(Number);
    return { r, g, b };
  })()`);
  // Fibers are green to violet: red is never their greatest part, with blue behind it.
  assert.ok(hues.r > hues.b && hues.b > hues.g, JSON.stringify(hues));
});

test('a counter is as high as its value', async () => {
  await open();
  assert.notEqual(await colourAt(0.2, kFirstCounter), await colourAt(0.8, kFirstCounter));
});

test('header, summary and window are stated', async () => {
  await open();
  assert.equal(await text('h1'), 'small');
  assert.equal(await text('#facts'), 'window1 msmarks8');
  assert.equal(await text('#summary'), 'wasted: 100 µs of 2 ms');
  assert.equal(await text('#shown'), '1 ms from 0 ns');
  assert.ok(await isHidden('#overwritten'));
});

test('the page reports overwritten events', async () => {
  await open({ ...kSmall, overwritten: 12345 });
  assert.match(await text('#overwritten'), /12,345 events before this window were overwritten/);
});

test('the box beside the pointer describes slices, counters, instants and arrows', async () => {
  await open();
  await hover(0.4, kFirstLane);
  assert.equal(await text('#tip'), 'fiber:pingrunning for 500 µsfrom 0 ns · worker 0');
  await hover(0.6, kSecondLane);
  assert.equal(await text('#tip'), 'fiber:pongrunning for 400 µsfrom 500 µs · worker 1');
  await hover(0.2, kFirstCounter);
  assert.equal(await text('#tip'), 'queue of worker 04 · at most 4');
  await hover(0.25, 30);
  assert.equal(await text('#tip'), 'createdat 250 µs · worker 0');
  await hover(0.45, 56);
  assert.equal(await text('#tip'), 'wakeworker 0 → worker 1at 450 µs, took 50 µs');
  await hover(0.2, kSecondLane);
  assert.ok(await isHidden('#tip'));
});

test('a click pins a slice with the sums of its name, steps the others back, and Esc or a click beside it ends that', async () => {
  const twice = { ...kSmall, slices: {
    track: [0, 0, 0, 1, 1], start: [1_000_000, 1_500_000, 1_750_000, 1_500_000, 1_920_000],
    duration: [500_000, 250_000, 250_000, 400_000, 60_000], name: [0, 2, 3, 1, 0], kind: [0, 1, 2, 0, 0] } };
  await open(twice);
  const search = await colourAt(0.6, kFirstLane);
  const click = async (share, y) => { const point = await pointAt(share, y); await page.clickAt(point.x, point.y); };
  await click(0.4, kFirstLane + 8);
  assert.equal(await text('#pinned'), 'fiber:pingthis slice: running for 500 µs, from 0 ns on worker 0' +
      'all of this name: 2 slices on 2 tracks, total 560 µs, mean 280 µs, longest 500 µs');
  assert.notEqual(await colourAt(0.6, kFirstLane), search);
  await page.press('Escape');
  assert.ok(await isHidden('#pinned'));
  assert.equal(await colourAt(0.6, kFirstLane), search);
  await click(0.4, kFirstLane + 8);
  await click(0.2, kSecondLane + 8);
  assert.ok(await isHidden('#pinned'));
});

test('the wheel zooms at the pointer', async () => {
  await open();
  const { x, y } = await pointAt(0.75, kFirstLane);
  await page.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: -462 });
  await page.until(`document.getElementById('shown').textContent !== '1 ms from 0 ns'`);
  await page.settle();
  // 1.0015^-462 is a half, and three quarters of the way stay where they are.
  assert.match(await text('#shown'), /^500 µs from 375 µs$/);
  await hover(0.75, kFirstLane);
  assert.match(await text('#tip'), /^parkparked|^searchsearching/);
});

test('the wheel over the names scrolls the page', async () => {
  await open();
  const { x, y } = await pointAt(-0.05, kFirstLane);
  await page.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: -462 });
  await page.settle();
  assert.equal(await text('#shown'), '1 ms from 0 ns');
});

test('keys and buttons zoom, move and reset', async () => {
  await open();
  await page.press('w');
  assert.equal(await text('#shown'), '714 µs from 143 µs');
  await page.press('d');
  assert.equal(await text('#shown'), '714 µs from 286 µs');
  await page.press('a');
  assert.equal(await text('#shown'), '714 µs from 143 µs');
  await page.press('s');
  assert.equal(await text('#shown'), '1 ms from 0 ns');
  await page.press('+');
  assert.equal(await text('#shown'), '714 µs from 143 µs');
  await page.press('-');
  assert.equal(await text('#shown'), '1 ms from 0 ns');
  await page.click('#in');
  await page.click('#forth');
  assert.equal(await text('#shown'), '714 µs from 286 µs');
  await page.click('#reset');
  assert.equal(await text('#shown'), '1 ms from 0 ns');
  await page.press('w');
  await page.press('Escape');
  assert.equal(await text('#shown'), '1 ms from 0 ns');
});

test('dragging moves the time along with the pointer', async () => {
  await open();
  await page.press('w');
  const [from, to] = [await pointAt(0.5, kFirstLane), await pointAt(0.4, kFirstLane)];
  await page.mouse('mouseMoved', from.x, from.y);
  await page.mouse('mousePressed', from.x, from.y, { button: 'left', clickCount: 1 });
  await page.mouse('mouseMoved', to.x, to.y, { button: 'left', buttons: 1 });
  await page.mouse('mouseReleased', to.x, to.y, { button: 'left', clickCount: 1 });
  await page.settle();
  // A tenth of 714 µs later than 143 µs.
  assert.equal(await text('#shown'), '714 µs from 214 µs');
});

test('a search states what it found and steps the others back', async () => {
  await open();
  const [ping, pong] = [await colourAt(0.4, kFirstLane), await colourAt(0.7, kSecondLane)];
  await page.press('/');
  await page.type('PONG');
  assert.equal(await text('#found'), '1 slice · 400 µs · 20.0 % of all tracks');
  assert.notEqual(await colourAt(0.4, kFirstLane), ping);
  assert.equal(await colourAt(0.7, kSecondLane), pong);
  await page.click('#regex');
  await page.press('Escape');
  assert.equal(await colourAt(0.4, kFirstLane), ping);
  await page.press('/');
  await page.type('(');
  assert.match(await text('#found'), /not a regular expression/);
});

test('the next match is shown', async () => {
  await open();
  await page.press('/');
  await page.type('search');
  await page.click('#next');
  // 250 µs with a quarter more on each side.
  assert.equal(await text('#shown'), '375 µs from 438 µs');
  await hover(0.5, kFirstLane);
  assert.match(await text('#tip'), /^searchsearching for work for 250 µs/);
});

test('arrows are drawn once there are few enough, and the page says so until then', async () => {
  await open(makeEvents(10_000));
  assert.match(await text('#hidden'), /too many arrows to draw/);
  for (let i = 0; i < 10; ++i) {
    await page.press('w');
  }
  assert.equal(await text('#hidden'), '');
});

test('columns of pixels show how the time of narrow slices is shared', async () => {
  await open(makeEvents(100_000));
  const lane = async (y) => colourAt(0.5, y);
  // Eight of ten run, one searches, one sleeps: from below 20, 3 and 3 of 26 pixels.
  const [run, search, park] = await Promise.all([lane(50), lane(36), lane(33)]);
  assert.equal(await lane(40), run);
  assert.equal(new Set([run, search, park]).size, 3);
});

const kNasty = ['</script><img src=x onerror=alert(1)>', 'x'.repeat(200), '漢字 🔥', '', '<b>bold</b>'];

test('whatever a name is, it is shown as text', async () => {
  await open({ ...kSmall, title: kNasty[0], tracks: [kNasty[4], kNasty[1]], names: kNasty, summary: [kNasty[0]] });
  await hover(0.4, kFirstLane);
  assert.match(await text('#tip'), /^<\/script><img src=x onerror=alert\(1\)>running for 500 µs/);
  await hover(0.9, kFirstLane);
  assert.match(await text('#tip'), /^\(no name\)parked/);
  assert.equal(await text('h1'), kNasty[0]);
  assert.equal(await page.evaluate("document.querySelectorAll('img, b').length"), 0);
});

test('a window without events is a sentence and no picture', async () => {
  await open({ ...kSmall, slices: { track: [], start: [], duration: [], name: [], kind: [] }, arrows: undefined,
    instants: undefined, counters: undefined });
  assert.match(await text('#message'), /Nothing was recorded/);
  assert.ok(await isHidden('#picture'));
});

for (const [what, data, words] of [
  ['torn', '{"version":1,"tra', /cannot be read; the file may be torn/],
  ['of another version', '{"version":2}', /version 2; the page reads version 1/],
  ['without tracks', '{"version":1}', /broken: it has no tracks/],
]) {
  test(`data that is ${what} is refused in a sentence`, async () => {
    await openText(data);
    assert.match(await text('#message'), words);
    assert.ok(await isHidden('#picture'));
  });
}

test('a page without data says so', async () => {
  page = await browser.open(html);
  assert.match(await text('#message'), /holds no data/);
});

test('the whole page fits a narrow window, and the dark theme has colours of its own', async () => {
  await open(kSmall, { width: 360, height: 640 });
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'));
  await page.resize(1000, 640);
  const light = await colourAt(0.4, kFirstLane);
  await page.prefer('dark');
  assert.notEqual(await colourAt(0.4, kFirstLane), light);
});

test('every control has a name', async () => {
  await open();
  assert.equal(await page.evaluate(`[...document.querySelectorAll('button, input, canvas')].filter((each) =>
      !each.textContent.trim() && !each.getAttribute('aria-label') && !each.labels?.length).length`), 0);
});
