// The other views of the page of flame graphs: callers, functions, links, prints, kinds and units.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { makePage } from '../build.mjs';
import { foldGraph, makeData } from './fold.mjs';
import { render } from '../render.mjs';
import { startBrowser } from './browser.mjs';

let browser;
let html;
let page;
before(async () => {
  browser = await startBrowser();
  html = await makePage('page');
});
after(() => browser.close());
afterEach(async () => {
  assert.deepEqual(page.console, []);
  assert.deepEqual([...new Set(page.requests.map((url) => url.split('#')[0]))].filter((url) => url !== 'about:blank'), [page.url]);
  await page.close();
});

const open = async (data, size) => { page = await browser.open(render(html, JSON.stringify(data)), size); };
const openFolded = (folded, options, size) => open(makeData('test', [], foldGraph(folded, options)), size);
const frames = () => page.evaluate(`[...document.querySelectorAll('#chart g.frame')].map((g) => {
  const rect = g.querySelector('rect').getBoundingClientRect();
  return { name: g.querySelector('div')?.textContent ?? g.getAttribute('name'), width: rect.width, right: rect.right, x: rect.x,
           y: rect.y, fill: g.querySelector('rect').getAttribute('fill') };
})`);
const frame = async (name) => (await frames()).find((each) => each.name === name);
const names = async () => (await frames()).map((each) => each.name).sort();
const text = (selector) => page.evaluate(`document.querySelector('${selector}').textContent`);
const isVisible = (selector) => page.evaluate(`document.querySelector('${selector}').checkVisibility()`);
const hash = () => page.evaluate('location.hash');
async function clickFrame(name) {
  const { x, y } = await frame(name);
  await page.clickAt(x + 5, y + 8);
}
async function hover(name) {
  const { x, y } = await frame(name);
  await page.mouse('mouseMoved', x + 5, y + 8);
  await page.settle();
}
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 2, `${actual} is not about ${expected}`);
const hue = async (name) => Number(/hsl\(([\d.]+)/.exec((await frame(name)).fill)[1]);

const kCalls = 'main;a;lock 10\nmain;b;lock 30\nmain;b;b;lock 5\nmain;rest 55\n';

test('the whole width is shown at once, also where the picture needs a scroll bar', async () => {
  const deep = ['a', 'b', 'c', 'd'].map((each) => `${Array.from({ length: 60 }, (_, i) => each + i).join(';')} 25\n`).join('');
  await openFolded(deep, {}, { width: 1280, height: 600 });
  const [right, width] = await page.evaluate(`(() => { const chart = document.getElementById('chart').getBoundingClientRect();
      return [chart.right, chart.width]; })()`);
  near((await frame('all')).right, right);
  near((await frame('d0')).right, right);
  near((await frame('a0')).width, width / 4);
});

test('the box beside the pointer states what a function weighs itself', async () => {
  await openFolded('main;work;leaf 30\nmain;work 10\nmain;rest 60\n');
  await hover('work');
  assert.match(await text('#tip'), /^work40 samples · 40\.0 % of totalitself 10 samples · 10\.0 % of total/);
});

test('weights have the unit that the data states', async () => {
  await openFolded('main;leaf 6400000\n', { unit: 'cycles' });
  assert.match(await text('#about'), /total 6,400,000 cycles/);
  await page.close();
  await openFolded('main;leaf 1\n', { unit: 'faults' });
  assert.match(await text('#about'), /total 1 fault$/);
  await page.close();
  await openFolded('main;leaf 1\n', { unit: 'cache-misses' });
  assert.match(await text('#about'), /total 1 cache-misses$/);
  await page.close();
  await open(makeData('test', [], { name: 'x', unit: 'samples', names: ['a'], frame: [0], parent: [-1], self: [31.23] }));
  assert.match(await text('#about'), /total 31\.23 samples/);
});

test('frames of the kernel, of libraries, compiled and inlined ones differ in colour, and the legend names them', async () => {
  const list = ['app', 'lib', 'jit', 'inl', 'sys'];
  await open(makeData('kinds', [], { name: 'x', unit: 'samples', names: list, kinds: ['', 'l', 'j', 'i', 'k'], frame: [0, 1, 2, 3, 4],
    parent: [-1, 0, 1, 2, 3], self: [0, 0, 0, 0, 1] }));
  const hues = await Promise.all(list.map(hue));
  hues.forEach((one, i) => hues.slice(i + 1).forEach((other) => assert.ok(Math.abs(one - other) > 10, `${hues}`)));
  assert.equal(await text('#legend'), 'programkernelcompiled at run timeinlinedlibrary');
});

test('callers of a function are merged, the function at the root, and a recursion counts once', async () => {
  await openFolded(kCalls);
  assert.ok(await page.evaluate("document.getElementById('callers').disabled"));
  await page.evaluate(`[...document.querySelectorAll('#chart g.frame')].find((g) => g.textContent.includes('lock'))
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))`);
  await page.click('#callers');
  const [all, lock] = [await frame('all'), await frame('lock')];
  near(lock.width, all.width);
  near((await frame('a')).width, all.width * 10 / 45);
  assert.equal((await names()).join(), 'a,all,b,b,lock,main,main,main');
  assert.match(await text('#about'), /callers of lock/);
  await hover('a');
  assert.match(await text('#tip'), /10 samples · 10\.0 % of total22\.2 % of the frame that it called/);
  await page.click('#reset');
  assert.equal(await page.evaluate("document.getElementById('callers').getAttribute('aria-pressed')"), 'false');
  assert.ok((await names()).includes('rest'));
});

test('the table has self and total of each function, can be sorted, follows the search and leads to callers', async () => {
  await openFolded(kCalls);
  assert.ok(!(await isVisible('#functions')));
  await page.click('#table');
  const rows = () => page.evaluate(`[...document.querySelectorAll('#functions tr')].slice(1).map((row) =>
      [...row.children].map((cell) => cell.textContent).join('|'))`);
  assert.deepEqual((await rows())[0], '55 samples · 55.0 %|55 samples · 55.0 %|rest');
  assert.deepEqual((await rows())[1], '45 samples · 45.0 %|45 samples · 45.0 %|lock');
  await page.click('#functions th:nth-child(2) button');
  assert.deepEqual((await rows()).map((row) => row.split('|').slice(1).join(' ')),
      ['100 samples · 100.0 % main', '55 samples · 55.0 % rest', '45 samples · 45.0 % lock', '35 samples · 35.0 % b', '10 samples · 10.0 % a']);
  assert.equal(await page.evaluate("document.querySelectorAll('#functions th')[1].getAttribute('aria-sort')"), 'descending');
  await page.click('#functions th:nth-child(3) button');
  assert.deepEqual((await rows()).map((row) => row.split('|')[2]), ['a', 'b', 'lock', 'main', 'rest']);
  await page.press('/');
  await page.type('lo');
  assert.deepEqual((await rows()).map((row) => row.split('|')[2]), ['lock']);
  await page.click('#functions td button');
  assert.match(await text('#about'), /callers of lock/);
});

test('zoom, search and view stand in the address, and back and forth lead to them', async () => {
  await openFolded(kCalls);
  await clickFrame('a');
  const zoomed = await hash();
  assert.match(zoomed, /^#zoom=\d+$/);
  await page.press('/');
  await page.type('lock');
  await page.click('#icicle');
  const last = await hash();
  assert.match(last, /search=lock&icicle=1/);
  await page.evaluate('history.back()');
  await page.until("!location.hash.includes('icicle')");
  await page.settle();
  assert.equal(await page.evaluate("document.getElementById('icicle').getAttribute('aria-pressed')"), 'false');
  assert.equal(await page.evaluate("document.getElementById('search').value"), 'lock');
  await page.evaluate('history.forward()');
  await page.until("location.hash.includes('icicle')");
  await page.evaluate('window.isOld = true; location.reload()');
  await page.until("!window.isOld && document.readyState === 'complete' && document.querySelectorAll('#chart g.frame').length > 0");
  await page.settle();
  assert.equal(await hash(), last);
  assert.equal(await text('#found'), '3 frames · 45.0 % of total');
  assert.deepEqual(await names(), ['a', 'all', 'lock', 'main']);
});

test('an address of another file is shown as far as it exists', async () => {
  await openFolded(kCalls);
  await page.evaluate("location.hash = '#graph=7&zoom=99999&callers=x&search=rest'");
  await page.until("document.getElementById('search').value === 'rest'");
  await page.settle();
  assert.ok((await names()).includes('lock'));
});

test('the name of a property of an array is no function', async () => {
  await openFolded(kCalls);
  await page.evaluate("location.hash = '#callers=length&search=rest'");
  await page.until("document.getElementById('search').value === 'rest'");
  await page.settle();
  assert.equal(await page.evaluate("document.getElementById('callers').getAttribute('aria-pressed')"), 'false');
  assert.ok((await names()).includes('main'));
});

test('characters that reorder text are shown by their numbers, as they are and as JSON writes them', async () => {
  const unsafe = ['a\u202eb', 'c\u061cd', 'e\u2066f\u2069', 'g\u200fh', 'i\ufeffj', 'k\\u202el'];
  const shown = ['a\\u202eb', 'c\\u061cd', 'e\\u2066f\\u2069', 'g\\u200fh', 'i\\ufeffj', 'k\\u202el'];
  const data = makeData('t\u202eu', [['v\u202dw', 'x\u202cy']], { name: 'z\u2067', unit: 'samples', names: unsafe,
    frame: [0, 1, 2, 3, 4, 5], parent: [-1, 0, 1, 2, 3, 4], self: [0, 0, 0, 0, 0, 9] });
  const raw = JSON.stringify(data);
  const escaped = raw.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}`);
  for (const json of [raw, escaped]) {
    if (json === escaped) {
      await page.close();
    }
    page = await browser.open(render(html, json));
    assert.deepEqual(await names(), [...shown, 'all'].sort());
    assert.equal(await text('h1'), 't\\u202eu');
    assert.equal(await text('#facts'), 'v\\u202dwx\\u202cy');
    assert.doesNotMatch(await page.evaluate('document.documentElement.textContent.replace(document.getElementById("data").textContent, "")'),
        /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  }
});

test('a print is one page with the whole picture, without controls', async () => {
  const deep = `${Array.from({ length: 90 }, (_, i) => `f${i}`).join(';')} 25\n`;
  await openFolded(deep);
  const { data } = await page.send('Page.printToPDF', { printBackground: true });
  const pdf = Buffer.from(data, 'base64').toString('latin1');
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
  await page.send('Emulation.setEmulatedMedia', { media: 'print' });
  await page.settle();
  assert.ok(!(await isVisible('#controls')));
  const inside = await page.evaluate(`(() => { const chart = document.querySelector('#chart svg').getBoundingClientRect();
      return [...document.querySelectorAll('#chart rect')].every((rect) => { const r = rect.getBoundingClientRect();
        return r.top >= chart.top - 1 && r.bottom <= chart.bottom + 1 && r.right <= chart.right + 1; }); })()`);
  assert.ok(inside);
});
