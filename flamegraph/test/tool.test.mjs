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
