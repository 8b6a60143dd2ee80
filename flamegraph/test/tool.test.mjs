// What the tool itself writes, in a real Chromium: data and pages go together.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBrowser } from './browser.mjs';

const kTool = join(dirname(fileURLToPath(import.meta.url)), '../../build/release/schedbench');

let browser;
let folder;
let page;
before(async () => {
  assert.ok(existsSync(kTool), `${kTool} is not there    make build`);
  folder = await mkdtemp(join(tmpdir(), 'schedbench-page-'));
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  assert.deepEqual(page.console, []);
  assert.deepEqual(page.requests.filter((url) => url !== 'about:blank'), [page.url]);
  await page.close();
});

const runTool = (...words) => execFileSync(kTool, words, { cwd: folder, encoding: 'utf8' });
async function open(name) {
  page = await browser.open(await readFile(join(folder, name), 'utf8'), {});
}
const text = (selector) => page.evaluate(`document.querySelector('${selector}').textContent`);
const isHidden = (selector) => page.evaluate(`document.querySelector('${selector}').checkVisibility() === false`);

test('a timeline by schedbench trace is drawn, with its summary', async () => {
  runTool('trace', '-w', 'burst:bursts=20', '-n', '2', '--for', '20ms', '-o', 'burst.html');
  await open('burst.html');
  assert.equal(await text('#title'), 'burst on fast');
  assert.equal(await isHidden('#picture'), false);
  assert.equal(await isHidden('#message'), true);
  assert.match(await text('#summary'), /^window of .*\n[^]*wasted core time: [^]*steals: /);
  assert.match(await text('#legend'), /park/);
});

test('flame graphs by schedbench profile are drawn', async () => {
  runTool('profile', '-w', 'yield', '-n', '5', '-F', '4999', '-o', '.');
  await open('yield.html');
  assert.equal(await text('#title'), 'yield on fast');
  assert.equal(await isHidden('#message'), true);
  assert.ok(await page.evaluate("document.querySelectorAll('#chart .frame, #chart g').length") > 3);
});

test('a difference by schedbench flamegraph diff is drawn', async () => {
  runTool('profile', '-w', 'yield', '-n', '5', '-F', '4999', '-o', 'new');
  runTool('flamegraph', 'diff', 'new/yield.folded', 'new/yield.folded', '-o', 'diff.html');
  await open('diff.html');
  assert.match(await text('#title'), /yield.folded → yield.folded/);
  assert.equal(await isHidden('#message'), true);
});

const kCell = 'yield:fibers=10,yields=100';
for (const [what, kinds, ...words] of [
  ['a run', ['distribution', 'percentiles', 'stacked', 'stacked'], 'run', '-w', 'yield:fibers=100,yields=1000',
    '-n', '7', '-q'],
  ['a search for a rate', ['curve'], 'run', '-w', 'open_loop:requests=300,rate=2000', '-n', '2', '--warmup', '0',
    '--slo', 'p50<1s', '-q'],
  ['a comparison', ['intervals', 'distribution'], 'compare', 'fast', 'global_fifo', '-w', kCell, '-b', '9', '-n',
    '1', '--metric', 'throughput', '-q'],
  ['a sweep', ['intervals', 'bars', 'bars', 'heatmap', 'bars'], 'sweep', '-w', 'yield:fibers=10', '--over',
    'yields=10,100', '--over', 'workers=1,2', '-b', '4', '-n', '1', '-q'],
  ['numbers of workers', ['curve', 'curve', 'curve'], 'scale', 'fast', 'global_fifo', '-w', kCell, '--workers',
    '1..2', '-b', '3', '-n', '1', '-q'],
  ['an audit', ['stacked'], 'audit', kCell, 'fast', '--for', '50ms', '-q'],
  ['granularities', ['bars', 'curve'], 'metg', 'fast', '-w', 'taskgraph:width=8,steps=20', '--grains', '16..4096*4',
    '-b', '2', '-n', '1', '-q'],
  ['a search for settings', ['intervals', 'intervals', 'bars'], 'tune', '-w', kCell, '--over', 'lifo_limit=0,1,3',
    '--hold-out', 'none', '-b', '7', '-n', '1', '-q'],
  ['the benchmarks of the toucan report', ['bars'], 'paper', '--benchmark_filter=BM_MergeSort<algo::GlobalFIFO>',
    '--benchmark_min_time=0.001'],
]) {
  test(`a page of ${what} by schedbench ${words[0]} has its charts`, async () => {
    runTool(...words, '-o', 'result.html');
    await open('result.html');
    assert.equal(await isHidden('#message'), true);
    const shown = await page.evaluate("[...document.querySelectorAll('figure')].map((figure) => figure.className)");
    if (words[0] === 'tune' && shown.length === kinds.length - 1) {
      shown.push('bars');  // there are none if noise explains all differences
    }
    assert.deepEqual(shown, kinds);
    assert.match(await text('#facts'), /again.*schedbench/);
  });
}

test('a page of history has a trend for each series', async () => {
  for (const revision of ['v1', 'v2', 'v3']) {
    runTool('compare', 'fast', 'global_fifo', '-w', kCell, '-b', '2', '-n', '1', '-q', '-o', `${revision}.json`);
    runTool('history', 'add', `${revision}.json`, '--revision', revision, '--db', 'history.db');
  }
  runTool('history', 'plot', '--metric', 'throughput', '--db', 'history.db', '-o', 'history.html');
  await open('history.html');
  assert.equal(await isHidden('#message'), true);
  assert.deepEqual(await page.evaluate("[...document.querySelectorAll('figure')].map((figure) => figure.className)"), [
    'curve',
    'curve',
  ]);
});
