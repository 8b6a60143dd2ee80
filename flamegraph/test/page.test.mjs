// The page of flame graphs in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { makePage } from '../build.mjs';
import { foldGraph, makeData } from './fold.mjs';
import { render } from '../render.mjs';
import { startBrowser } from './browser.mjs';
import { kExample } from './example.mjs';

let browser;
let html;
let page;
before(async () => {
  browser = await startBrowser();
  html = await makePage('page');
});
after(() => browser.close());
// What holds for every page, whatever was done with it.
afterEach(async () => {
  assert.deepEqual(page.console, []);
  assert.deepEqual(page.requests.filter((url) => url !== 'about:blank'), [page.url]);
  await page.close();
});

const openText = async (text, size) => { page = await browser.open(render(html, text), size); };
const open = (data, size) => openText(JSON.stringify(data), size);
const openFolded = (folded, options) => open(makeData('test', [], foldGraph(folded, options)));

/** The frames that are drawn: name, width, left and top edge, colour. Narrow ones have no label. */
const frames = () => page.evaluate(`[...document.querySelectorAll('#chart g.frame')].map((g) => {
  const rect = g.querySelector('rect').getBoundingClientRect();
  return { name: g.querySelector('div')?.textContent ?? g.getAttribute('name'), width: rect.width, x: rect.x, y: rect.y,
           fill: g.querySelector('rect').getAttribute('fill'), dim: g.classList.contains('dim') };
})`);
const frame = async (name) => (await frames()).find((each) => each.name === name);
const names = async () => (await frames()).map((each) => each.name).sort();
const text = (selector) => page.evaluate(`document.querySelector('${selector}').textContent`);
const isHidden = (selector) => page.evaluate(`document.querySelector('${selector}').checkVisibility() === false`);
async function hover(name, action = 'mouseMoved') {
  const { x, y } = await frame(name);
  await page.mouse(action, x + 5, y + 8);
  await page.settle();
}
async function clickFrame(name) {
  const { x, y } = await frame(name);
  await page.clickAt(x + 5, y + 8);
}
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 2, `${actual} is not about ${expected}`);

/** Hue, saturation and lightness of a colour as the page writes it. */
const hsl = (fill) => /hsl\(([\d.]+) ([\d.]+)% ([\d.]+)%\)/.exec(fill).slice(1).map(Number);

test('all frames are drawn, as wide as they weigh and each above its caller', async () => {
  await openFolded('main;left;leaf 30\nmain;left 30\nmain;right 40\n');
  assert.deepEqual(await names(), ['all', 'leaf', 'left', 'main', 'right']);
  const [all, main, left, leaf, right] = await Promise.all(['all', 'main', 'left', 'leaf', 'right'].map(frame));
  near(main.width, all.width);
  near(left.width, all.width * 0.6);
  near(leaf.width, all.width * 0.3);
  near(right.width, all.width * 0.4);
  near(right.x, all.x + all.width * 0.6);
  assert.ok(leaf.y < left.y && left.y < main.y && main.y < all.y);
  assert.equal(await text('#drawn'), '5 frames drawn');
});

test('the header states the title and the facts', async () => {
  await open(kExample);
  assert.equal(await text('h1'), 'pingpong on fast');
  assert.match(await text('#facts'), /sampler.*998 delivered/);
  assert.equal(await page.evaluate('document.title'), 'pingpong on fast · schedbench');
  assert.match(await text('#about'), /Where the workers spend their time · total 1,700 samples/);
});

test('search finds by plain text, and states how many frames and which share of the total', async () => {
  await openFolded('main;foo 20\nmain;bar;foo 5\nmain;rest 75\n');
  await page.press('/');
  await page.type('FOO');
  assert.equal(await text('#found'), '2 frames · 25.0 % of total');
  const found = (await frames()).filter((each) => hsl(each.fill)[0] === 312);
  assert.deepEqual(found.map((each) => each.name), ['foo', 'foo']);
});

test('search takes an expression, and says so when it is none', async () => {
  await openFolded('operator() 20\noperator-> 30\nelse 50\n');
  await page.press('/');
  await page.type('^op.*[>]$');
  assert.equal(await text('#found'), '0 frames · 0.00 % of total');
  await page.click('#regex');
  assert.equal(await text('#found'), '1 frame · 30.0 % of total');
  await page.press('/');
  await page.type('(');
  assert.match(await text('#found'), /not a regular expression/);
});

test('letters typed into the search are no commands', async () => {
  await openFolded('i 1\n');
  await page.press('/');
  await page.press('i');
  assert.equal(await page.evaluate("document.getElementById('search').value"), 'i');
  assert.equal(await page.evaluate("document.getElementById('icicle').getAttribute('aria-pressed')"), 'false');
});

test('a click zooms, a click on a caller zooms out, and the button resets', async () => {
  await openFolded('main;left;leaf 30\nmain;left 30\nmain;right 40\n');
  const { width } = await frame('all');
  await clickFrame('left');
  assert.deepEqual(await names(), ['all', 'leaf', 'left', 'main']);
  near((await frame('left')).width, width);
  near((await frame('leaf')).width, width / 2);
  await clickFrame('main');
  near((await frame('left')).width, width * 0.6);
  await page.click('#reset');
  assert.equal((await names()).length, 5);
  assert.ok(await page.evaluate("document.getElementById('reset').disabled"));
});

test('Esc ends search and zoom', async () => {
  await openFolded('main;left 60\nmain;right 40\n');
  await page.press('/');
  await page.type('left');
  await clickFrame('left');
  assert.equal((await names()).length, 3);
  await page.press('Escape');
  assert.equal((await names()).length, 4);
  assert.equal(await text('#found'), '');
});

test('the icicle hangs from its root, by button and by key', async () => {
  await openFolded('main;leaf 1\n');
  assert.ok((await frame('all')).y > (await frame('leaf')).y);
  await page.click('#icicle');
  assert.ok((await frame('all')).y < (await frame('leaf')).y);
  await page.press('i');
  assert.ok((await frame('all')).y > (await frame('leaf')).y);
});

test('frames stand by name, or the widest first', async () => {
  await openFolded('a 10\nb 60\nc 30\n');
  const order = async () => (await frames()).filter((each) => each.name !== 'all').sort((a, b) => a.x - b.x)
      .map((each) => each.name).join('');
  assert.equal(await order(), 'abc');
  await page.click('#widest');
  assert.equal(await order(), 'bca');
});

test('tabs switch between graphs, by mouse and by arrow, and keep the search', async () => {
  await open(kExample);
  assert.ok((await names()).includes('worker:0'));
  await page.press('/');
  await page.type('wait:');
  await page.click('[role=tab]:nth-child(2)');
  assert.ok((await names()).includes('wait:waitgroup'));
  assert.ok(!(await names()).includes('worker:0'));
  assert.equal(await text('#found'), '3 frames · 95.5 % of total');
  await page.press('ArrowRight');
  assert.ok((await names()).includes('grown'));
  assert.equal(await text('[aria-selected=true]'), 'Change');
});

test('one graph alone has no tabs', async () => {
  await openFolded('main 1\n');
  assert.ok(await isHidden('#tabs'));
});

test('each kind of frame has a colour of its own', async () => {
  await openFolded('worker:0;fiber:a;wait:channel 1\nworker:0;fiber:b;ready:queue 1\nworker:1;code 1\n');
  const hue = async (name) => hsl((await frame(name)).fill)[0];
  assert.equal(await hue('worker:0'), await hue('worker:1'));
  assert.equal(await hue('fiber:a'), await hue('fiber:b'));
  const kinds = await Promise.all(['worker:0', 'fiber:a', 'wait:channel', 'ready:queue', 'code'].map(hue));
  assert.equal(new Set(kinds).size, 5);
});

test('the box beside the pointer states weight, share of the total and of the caller', async () => {
  await openFolded('main;left;leaf 1500000\nmain;left 1500000\nmain;right 2000000\n', { unit: 'ns' });
  await hover('leaf');
  assert.match(await text('#tip'), /^leaf1\.50 ms · 30\.0 % of totalitself 1\.50 ms · 30\.0 % of total50\.0 % of the frame that called it$/);
  await page.mouse('mouseMoved', 5, 5);
  await page.settle();
  assert.ok(await isHidden('#tip'));
});

test('grown frames are red, shrunk ones blue, new ones have their own colour, chance is grey', async () => {
  await open(makeData('diff', [], kExample.graphs[2]));
  const [grown, shrunk, fresh, same, rare] =
      await Promise.all(['grown', 'shrunk', 'fresh', 'same', 'rare'].map(async (name) => hsl((await frame(name)).fill)));
  assert.equal(grown[0], 6);
  assert.equal(shrunk[0], 214);
  assert.equal(fresh[0], 36);
  assert.ok(same[1] < 10 && rare[1] < 10);
  assert.match(await text('#about'), /now 1,203 samples, before 1,202 samples/);
  await hover('grown');
  assert.match(await text('#tip'), /before 100 samples · 8\.32 % of total.*change \+300 samples, \+299\.7 % · grew/);
});

test('the switch shows the stacks that only the old profile has, and nothing else', async () => {
  await open(makeData('diff', [], kExample.graphs[2]));
  assert.ok(!(await names()).includes('vanished'));
  await page.click('#vanished');
  assert.deepEqual(await names(), ['all', 'deeper', 'main', 'vanished']);
  assert.equal(hsl((await frame('vanished')).fill)[0], 250);
  assert.match(await text('#about'), /vanished are 200 samples of 1,202 samples before/);
  await hover('vanished');
  assert.match(await text('#tip'), /200 samples · 16\.6 % of total.*only the profile before has it/);
  await hover('main');
  assert.match(await text('#tip'), /200 samples · 16\.6 % of total.*both profiles have this frame/);
  await page.click('#vanished');
  assert.ok((await names()).includes('grown'));
});

test('a frame shows its label, and its whole name in the tip and to the search', async () => {
  const graph = foldGraph('schedbench::f<schedbench::X>;g 10\n');
  await open(makeData('labels', [], { ...graph, labels: ['f', 'g'] }));
  assert.deepEqual(await names(), ['all', 'f', 'g']);
  await hover('f');
  assert.match(await text('#tip'), /schedbench::f<schedbench::X>/);
  await page.press('/');
  await page.type('::X>');
  assert.match(await text('#found'), /1 frame /);
});

test('where nothing has vanished the switch says so', async () => {
  await openFolded('a 1 2\n');
  await page.click('#vanished');
  assert.match(await text('#message'), /No stack has vanished/);
  assert.ok(await isHidden('#picture'));
});

test('in a differential view a search dims the others and leaves the colours', async () => {
  await open(makeData('diff', [], kExample.graphs[2]));
  await page.press('/');
  await page.type('grown');
  assert.deepEqual((await frames()).filter((each) => !each.dim).map((each) => each.name), ['grown']);
  assert.equal(hsl((await frame('grown')).fill)[0], 6);
});

const kNasty = ['</script><img src=x onerror=alert(1)>', '"quotes" & \'more\'', 'Ωmega 漢字 🔥', '<!--', '{{style}}',
  '__proto__', 'x'.repeat(200), '$& \\ %00', '<b>bold</b>'];

test('whatever a name is, it is shown as text', async () => {
  await open(makeData(kNasty[0], [[kNasty[0], kNasty[8]]], {
    name: kNasty[0], about: kNasty[8], unit: 'samples', names: kNasty, frame: kNasty.map((_, i) => i),
    parent: kNasty.map(() => -1), self: kNasty.map(() => 1), total: kNasty.length,
  }, { ...kExample.graphs[0], name: kNasty[1] }));
  assert.deepEqual(await names(), ['all', ...kNasty].sort());
  assert.equal(await page.evaluate("document.querySelectorAll('img, b').length"), 0);
  assert.equal(await text('h1'), kNasty[0]);
  assert.equal(await text('[role=tab]'), kNasty[0]);
  for (const name of [kNasty[0], kNasty[6], kNasty[8]]) {
    await hover(name);
    assert.equal(await text('#tip strong'), name);
  }
  assert.equal(await page.evaluate("document.querySelectorAll('img, b').length"), 0);
});

test('a frame without a name is called so', async () => {
  await open(makeData('test', [], { name: 'g', unit: 'ns', names: [''], frame: [0], parent: [-1], self: [1], total: 1 }));
  assert.deepEqual(await names(), ['(no name)', 'all']);
});

test('a graph without weight is a sentence and no picture', async () => {
  await open(makeData('test', [], foldGraph('', { name: 'CPU' }), foldGraph('a 0\n', { name: 'Zero' })));
  assert.match(await text('#message'), /Nothing was recorded in “CPU”/);
  assert.ok(await isHidden('#picture'));
  await page.click('[role=tab]:nth-child(2)');
  assert.match(await text('#message'), /Nothing was recorded in “Zero”/);
});

test('a page without data says so', async () => {
  page = await browser.open(html);
  assert.match(await text('#message'), /holds no data/);
  assert.ok(await isHidden('#controls'));
});

for (const [what, data, words] of [
  ['torn', '{"version":1,"gra', /cannot be read; the file may be torn/],
  ['of another version', '{"version":7}', /version 7; the page reads version 1/],
  ['of no version', '[]', /does not say of which version/],
  ['null', 'null', /does not say of which version/],
  ['without facts in pairs', '{"version":1,"facts":["x"]}', /broken: its facts are no pairs of texts/],
  ['without graphs', '{"version":1}', /broken: it has no graphs/],
  ['with a broken graph', JSON.stringify({ version: 1, graphs: [{ name: 'x', unit: 'ns', names: [], frame: [0] }] }),
    /broken: graph 1 has a frame without a name/],
]) {
  test(`data that is ${what} is refused in a sentence`, async () => {
    await openText(data);
    assert.match(await text('#message'), words);
    assert.ok(await isHidden('#picture'));
  });
}

test('the whole page fits a narrow window, and is drawn anew when the window changes', async () => {
  await open(kExample, { width: 360, height: 640 });
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
  assert.ok(await fits());
  const narrow = (await frame('all')).width;
  assert.ok(narrow < 360);
  await page.resize(900, 640);
  assert.ok((await frame('all')).width > 800);
  assert.ok(await fits());
});

test('the dark theme has colours of its own', async () => {
  await open(kExample);
  const light = (await frame('worker:0')).fill;
  await page.prefer('dark');
  assert.notEqual((await frame('worker:0')).fill, light);
  assert.notEqual(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(251, 251, 250)');
});

test('every control has a name, and the focus can be seen', async () => {
  await open(kExample);
  const unnamed = await page.evaluate(`[...document.querySelectorAll('button, input')].filter((each) =>
      !each.textContent.trim() && !each.getAttribute('aria-label') && !each.labels?.length).length`);
  assert.equal(unnamed, 0);
  await page.press('/');
  assert.equal(await page.evaluate("getComputedStyle(document.getElementById('search')).outlineStyle"), 'solid');
});

test('a stack of 2,000 frames is drawn, and zooming does not overflow', async () => {
  const depth = 2000;
  await openFolded(`${Array.from({ length: depth }, (_, i) => `f${i}`).join(';')} 1\n`);
  assert.equal((await frames()).length, depth + 1);
  await page.evaluate(`document.querySelectorAll('#chart g.frame')[1000].dispatchEvent(new MouseEvent('click', { bubbles: true }))`);
  assert.equal((await frames()).length, depth + 1);
});

test('a script that got into the page would not run, nor load anything', async () => {
  await open(kExample);
  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    const image = document.createElement('img');
    image.src = 'https://example.invalid/x.png';
    document.body.append(script, image);
  }`);
  await page.settle();
  assert.equal(await page.evaluate('window.ran'), undefined);
  assert.equal(page.console.length, 2);
  page.console.forEach((line) => assert.match(line, /Content Security Policy/));
  // Both were expected here; the address was refused before anything was sent.
  page.console.length = 0;
  page.requests = page.requests.filter((url) => !url.startsWith('https:'));
});
