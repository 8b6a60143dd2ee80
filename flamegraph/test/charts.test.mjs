// The page of charts in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { makePage } from '../build.mjs';
import { render } from '../render.mjs';
import { startBrowser } from './browser.mjs';
import { kCharts } from './charts.mjs';

let browser;
let html;
let page;
before(async () => {
  browser = await startBrowser();
  html = await makePage('charts');
});
after(() => browser.close());
// What holds for every page: no complaint of the policy, and nothing is loaded.
afterEach(async () => {
  assert.deepEqual(page.console, []);
  assert.deepEqual(
    page.requests.filter((url) => url !== 'about:blank'),
    [page.url],
  );
  await page.close();
});

const open = async (data, size) => {
  page = await browser.open(render(html, JSON.stringify(data)), size);
};
const section = (chart, more = {}) => ({ version: 1, title: 't', sections: [{ title: 'a section', chart, ...more }] });
const ofKind = (kind) => kCharts.sections.find(({ chart }) => chart.kind === kind).chart;
const all = (selector, what = 'textContent') =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => element.${what})`);
const text = async (selector) => (await all(selector)).join('\n');
/** The texts inside the chart, and what a pointer on a mark shows. */
const labels = () => all('figure > .chart text');
const titles = () => all('figure > .chart title');
/** Left edge and width of each mark that has such a title. */
const boxOf = (title) =>
  page.evaluate(`(() => {
  const found = [...document.querySelectorAll('figure > .chart title')].find((each) => each.textContent.startsWith(${JSON.stringify(title)}));
  const { x, y, width, height } = found.parentElement.getBoundingClientRect();
  return { x, y, width, height, middle: x + width / 2 };
})()`);
const near = (actual, expected, most = 2) =>
  assert.ok(Math.abs(actual - expected) <= most, `${actual} is not about ${expected}`);

test('a page has the title, the facts, the notes and a chart with a name for each section', async () => {
  await open(kCharts);
  assert.equal(await text('h1'), 'spawn_join: fast and global_fifo');
  assert.match(await text('#facts'), /seed.*1729/);
  assert.match(await text('#notes'), /no 95 % interval.*try --rounds 20/);
  assert.deepEqual(
    await all('h2'),
    kCharts.sections.map(({ title }) => title),
  );
  const names = await all('figure > .chart', "getAttribute('aria-label')");
  assert.equal(names.length, kCharts.sections.length);
  names.forEach((name, i) => assert.ok(name.startsWith(kCharts.sections[i].title)));
  assert.ok((await text('.sentences')).includes("Amdahl's law: serial share 12 %"));
});

test('a table has the cells of the data; a long one opens by its button', async () => {
  await open(kCharts);
  const [short, long] = kCharts.sections.filter(({ table }) => table).map(({ table }) => table);
  assert.deepEqual(await all('table[aria-label="Throughput of each block"] td'), short.rows.flat());
  assert.deepEqual(await all('table[aria-label="Time of the workers"] td'), long.rows.flat());
  const isShown = () =>
    page.evaluate('document.querySelector(\'table[aria-label="Time of the workers"]\').checkVisibility()');
  assert.equal(await isShown(), false);
  await page.evaluate("[...document.querySelectorAll('.table button')].at(-1).click()");
  assert.equal(await isShown(), true);
});

test('a print has all tables, no buttons and light colours', async () => {
  await open(kCharts);
  await page.send('Emulation.setEmulatedMedia', {
    media: 'print',
    features: [{ name: 'prefers-color-scheme', value: 'dark' }],
  });
  await page.settle();
  assert.equal(
    await page.evaluate("[...document.querySelectorAll('table')].every((table) => table.checkVisibility())"),
    true,
  );
  assert.equal(
    await page.evaluate("[...document.querySelectorAll('button')].some((button) => button.checkVisibility())"),
    false,
  );
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.chart')).color"), 'rgb(0, 0, 0)');
});

test('bars are as long as their values, with the reference and the reason of a missing one', async () => {
  await open(
    section({
      kind: 'bars',
      value: { name: 'time', unit: 'ns', better: 'lower' },
      reference: 'the toucan report',
      bars: [
        { name: 'long', value: 4e6, low: 3e6, high: 5e6, reference: 6e6 },
        { name: 'short', value: 1e6 },
        { name: 'none', note: 'wrong answer' },
      ],
    }),
  );
  near((await boxOf('long')).width, 4 * (await boxOf('short')).width);
  assert.ok((await titles()).includes('long: 4 ms, 3 ms to 5 ms, the toucan report: 6 ms'));
  assert.ok((await labels()).includes('time (lower is better)'));
  assert.ok((await labels()).some((label) => label.includes('wrong answer')));
  assert.match(await text('.legend'), /the toucan report/);
});

test('a distribution has a dot for each value and a box between the quartiles', async () => {
  await open(
    section({
      kind: 'distribution',
      value: { name: 'throughput', unit: 'fibers/s', better: 'higher' },
      of: 'rounds',
      groups: [{ name: 'fast', values: [1e6, 2e6, 3e6, 4e6, 5e6] }],
    }),
  );
  const places = await Promise.all([1, 2, 3, 4, 5].map((i) => boxOf(`fast, ${i} of 5 rounds: ${i}.00 M/s`)));
  near(places[2].middle, (places[0].middle + places[4].middle) / 2);
  assert.ok(
    places.every(({ y }, i) => i === 0 || y > places[i - 1].y),
    'in their order from the top',
  );
  assert.ok((await labels()).includes('3.00 M/s'), 'the median');
});

test('intervals have a line at 1 and a symbol and a word for each verdict', async () => {
  await open(section(ofKind('intervals')));
  for (const label of ['0.500 worse', '1.010 same', '1.200 better', 'DNF', '1 = fast', 'spawn_join', 'yield']) {
    assert.ok((await labels()).includes(label), label);
  }
  const [worse, same, better] = await Promise.all(['global_fifo: 0.5', 'WorkStealing', 'global_fifo: 1.2'].map(boxOf));
  assert.ok(worse.middle < same.middle && same.middle < better.middle);
  assert.ok((await titles()).includes('global_fifo: 0.500 worse, interval 0.480 to 0.530'));
  assert.deepEqual(await all('.legend li'), ['better', 'same', 'worse']);
  assert.equal((await labels()).filter((label) => label === '').length, 0, 'each line of the grid has its number');
});

test('a ratio axis has ticks wherever there is room', async () => {
  const value = { name: 'throughput', unit: 'ratio', better: 'higher' };
  const row = (name, ratio) => ({ name, value: ratio, low: ratio * 0.98, high: ratio * 1.02, verdict: 'worse' });
  await open(section({ kind: 'intervals', value, reference: 'fast', groups: [{ name: '', rows: [row('a', 0.52), row('b', 0.72)] }] }));
  const shown = (await labels()).map(Number).filter((each) => each > 0.5 && each < 0.75);
  assert.ok(shown.includes(0.6) && shown.includes(0.65), `${await labels()}`);
});

test('a command breaks at no hyphen of its flags', async () => {
  await open({ version: 1, title: 't', facts: [['again', 'schedbench compare a --time-per-block 20 --metric-of x']],
    notes: [['too few', 'run --time-per-block 30, or --metric-of y']], sections: [] }, { width: 360, height: 640 });
  assert.equal(await text('#facts dd'), 'schedbench compare a --time-per-block 20 --metric-of x');
  assert.deepEqual(await all('.flag'), ['--time-per-block', '--metric-of', '--time-per-block', '--metric-of']);
  assert.deepEqual(await page.evaluate("[...document.querySelectorAll('.flag')].map((flag) => flag.getClientRects().length)"), [1, 1, 1, 1]);
});

test('percentiles give the tail as much room as the middle', async () => {
  await open(section(ofKind('percentiles')));
  const [p90, p99, p999] = await Promise.all(['wakeup, p90', 'wakeup, p99:', 'wakeup, p99.9'].map(boxOf));
  near(p99.middle - p90.middle, p999.middle - p99.middle);
  assert.ok((await labels()).includes('max'));
  assert.ok((await titles()).includes('wakeup, p99.9: 21 µs'));
});

test('a curve has its points, its laws, the ideal line and the border', async () => {
  await open(section(ofKind('curve')));
  const points = await Promise.all([1, 2, 3, 4].map((x) => boxOf(`fast, workers ${x}:`)));
  near(points[1].middle - points[0].middle, points[3].middle - points[2].middle);
  near(points[0].y - points[1].y, (0.8 / 1.4) * (points[0].y - points[3].y), 3);
  assert.ok((await labels()).includes('2 CPUs'));
  assert.deepEqual(await all('.legend li'), ['fast', "Amdahl's law", 'universal scalability law', 'ideal']);
});

test('a trend has names at its places, marks between them, and an axis that does not begin at 0', async () => {
  const trend = (from_zero) =>
    section({
      kind: 'curve',
      x: { name: 'revision', unit: '' },
      value: { name: 'throughput', unit: 'ops/s' },
      lines: [
        {
          name: 'fast',
          points: [
            [1, 1.01e6],
            [2, 1.0e6],
            [3, 0.9e6],
          ],
        },
      ],
      marks: [{ x: 2.5, name: 'c3 x 0.9' }],
      names: ['a1', 'b2', 'c3'],
      from_zero,
    });
  await open(trend(true));
  const low = await Promise.all(['b2', 'c3'].map((name) => boxOf(`fast, revision ${name}:`)));
  await open(trend(false));
  const high = await Promise.all(['b2', 'c3'].map((name) => boxOf(`fast, revision ${name}:`)));
  assert.ok(high[1].y - high[0].y > 4 * (low[1].y - low[0].y));
  for (const name of ['a1', 'b2', 'c3', 'c3 x 0.9']) {
    assert.ok((await labels()).includes(name), name);
  }
});

test('a logarithmic curve gives equal ratios equal heights', async () => {
  await open(
    section({
      kind: 'curve',
      logarithmic: true,
      x: { name: 'rate', unit: 'requests/s' },
      value: { name: 'latency', unit: 'ns', better: 'lower' },
      lines: [
        {
          name: 'p99',
          points: [
            [1e3, 1e4, 0, 2e4],
            [2e3, 1e5, null, null],
            [4e3, 1e6, 1e6, 1e6],
          ],
        },
      ],
      fits: [
        {
          name: 'limit',
          points: [
            [1e3, 5e5],
            [4e3, 5e5],
          ],
        },
      ],
    }),
  );
  const points = await Promise.all(['1 k/s', '2 k/s', '4 k/s'].map((rate) => boxOf(`p99, rate ${rate}:`)));
  near(points[0].y - points[1].y, points[1].y - points[2].y);
  assert.deepEqual(await all('.legend li'), ['p99', 'limit']);
});

test('a cell of a heat map has its value as text; the best is framed and one without a value hatched', async () => {
  await open(section(ofKind('heatmap')));
  const [low, best, missing] = await Promise.all(
    ['workers 1, lifo_limit 0', 'workers 3, lifo_limit 3', 'workers 2, lifo_limit 3'].map(boxOf),
  );
  assert.ok(low.width > 20 && best.y > missing.y && missing.y > low.y);
  assert.ok((await labels()).includes('2.50 M/s'));
  assert.ok((await titles()).includes('workers 2, lifo_limit 3: failed'));
  assert.ok((await titles()).includes('workers 3, lifo_limit 3: 2.50 M/s, the best'));
  assert.match(await text('.key'), /Brighter is better.*Hatched: failed/);
});

test('where lower is better, the least cell is the brightest', async () => {
  const brightness = async (title) =>
    (
      await page.evaluate(`getComputedStyle([...document.querySelectorAll('figure > .chart title')].find((each) =>
    each.textContent.startsWith('${title}')).parentElement).fill`)
    )
      .match(/\d+/g)
      .map(Number)
      .reduce((a, b) => a + b);
  const heat = (better) =>
    section({
      kind: 'heatmap',
      value: { name: 'time', unit: 'ns', better },
      rows: { name: 'a', values: ['1'] },
      columns: { name: 'b', values: ['1', '2'] },
      cells: [[100, 200]],
    });
  await open(heat('lower'));
  assert.ok((await brightness('a 1, b 1')) > (await brightness('a 1, b 2')));
});

test('stacked parts are side by side and as wide as their shares', async () => {
  await open(section(ofKind('stacked')));
  const [run, search] = [await boxOf('worker 0, run: 70 %'), await boxOf('worker 0, search: 10 %')];
  near(run.width, 7 * search.width);
  near(run.x + run.width, search.x);
  assert.ok((await labels()).includes('run 70 %'));
  assert.deepEqual(await all('.legend li'), ['run', 'search', 'park', 'preempted']);
});

test('names that are markup are shown as text', async () => {
  const evil = '</script><img src=x onerror=alert(1)>"&\u2028';
  const shown = evil.replace('\u2028', '\\u2028');
  await open({
    ...section(
      { kind: 'bars', value: { name: evil, unit: evil }, bars: [{ name: evil, value: 1 }] },
      { about: evil, sentences: [evil], table: { columns: [{ name: evil }], rows: [[evil]] } },
    ),
    title: evil,
    facts: [[evil, evil]],
    notes: [[evil, evil]],
  });
  assert.equal(await text('h1'), shown);
  assert.equal(await text('td'), shown);
  assert.ok((await titles()).includes(`${shown}: 1.00`));
  assert.equal((await all('img')).length, 0);
});

test('an empty result and an empty chart are sentences', async () => {
  await open({ version: 1, sections: [] });
  assert.equal(await text('#message'), 'This result is empty: nothing was measured.');
  await page.close();
  const axis = { name: 'v', unit: '' };
  await open({
    version: 1,
    sections: [
      { title: 'a', chart: { kind: 'bars', value: axis, bars: [] } },
      { title: 'b', chart: { kind: 'curve', x: axis, value: axis, lines: [{ name: 'l', points: [] }] } },
      { title: 'c', chart: { kind: 'distribution', value: axis, of: 'rounds', groups: [{ name: 'g', values: [] }] } },
      {
        title: 'd',
        chart: {
          kind: 'heatmap',
          value: axis,
          rows: { name: 'r', values: ['1'] },
          columns: { name: 'c', values: ['1'] },
          cells: [[null]],
        },
      },
      { title: 'e', chart: { kind: 'intervals', value: axis, reference: 'r', groups: [] } },
      { title: 'f', chart: { kind: 'percentiles', value: axis, lines: [] } },
      { title: 'g', chart: { kind: 'stacked', value: axis, parts: ['p'], bars: [{ name: 'b', values: [0] }] } },
      { title: 'h', empty: 'no block was finished' },
    ],
  });
  assert.deepEqual(await all('.empty'), [
    'There are no values.',
    'There are no points.',
    'There are no rounds.',
    'There are no values.',
    'There are no ratios.',
    'There are no percentiles.',
    'There are no values.',
    'no block was finished',
  ]);
});

test('a chart fits a phone, and is drawn again when the window grows', async () => {
  await open(kCharts, { width: 360, height: 700 });
  const widths = () => all('figure:not(.heatmap) > .chart', 'getBoundingClientRect().width');
  assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= 360, 'the page does not scroll sideways');
  assert.ok((await widths()).every((width) => width <= 360));
  await page.resize(900, 700);
  assert.ok((await widths()).every((width) => width > 700));
});

for (const [what, data, message] of [
  ['without sections', { version: 1 }, /sections is no list/],
  [
    'of a kind that does not exist',
    section({ kind: 'pie' }),
    /sections\[0\]\.chart\.kind is "pie", which is none of bars, curve/,
  ],
  [
    'with a text for a number',
    section({ ...ofKind('stacked'), bars: [{ name: 'w', values: [1, 2, '3', 4] }] }),
    /sections\[0\]\.chart\.bars\[0\]\.values\[2\] is no number/,
  ],
  [
    'with a row that is too short',
    section(null, { table: { columns: [{ name: 'a' }, { name: 'b' }], rows: [['1']] } }),
    /table\.rows\[0\] has 1 cells instead of 2/,
  ],
  [
    'with a ratio of 0',
    section({ ...ofKind('intervals'), groups: [{ name: '', rows: [{ name: 'a', value: 0 }] }] }),
    /rows\[0\]\.value is no number above 0/,
  ],
  [
    'with half a point',
    section({ ...ofKind('curve'), lines: [{ name: 'l', points: [[1, 2, 3]] }] }),
    /lines\[0\]\.points\[0\] is neither/,
  ],
  [
    'with a ragged heat map',
    section({ ...ofKind('heatmap'), cells: [[1], [1], [1]] }),
    /cells\[0\] has 1 values instead of 4/,
  ],
  ['of another version', { version: 2, sections: [] }, /version 2/],
]) {
  test(`data ${what} is refused with its place`, async () => {
    await open(data);
    assert.match(await text('#message'), message);
    assert.equal(await page.evaluate("document.getElementById('picture').hidden"), true);
  });
}

test('a frame has a whole page, whose script the policy admits, and stays when the window changes', async () => {
  const graph = { name: 'CPU', unit: 'ns', names: ['main'], frame: [0], parent: [-1], self: [5] };
  const inner = render(await makePage('page'), JSON.stringify({ version: 1, title: 'inside', graphs: [graph] }));
  await open(section({ kind: 'frame', page: inner }));
  await page.evaluate('window.kept = document.querySelector("iframe")');
  assert.equal(await page.evaluate('kept.srcdoc.includes("inside")'), true);
  await page.evaluate('document.getElementById("picture").style.width = "400px"');
  await page.evaluate('new Promise((done) => setTimeout(done, 300))');
  assert.equal(await page.evaluate('document.querySelector("iframe") === kept'), true);
  const policy = (text) => /script-src ([^;]*);/.exec(text)[1];
  assert.ok(policy(html).includes(policy(inner)));
});
