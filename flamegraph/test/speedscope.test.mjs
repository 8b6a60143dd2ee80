// The .json of schedbench trace, read by speedscope's own importer.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readBySpeedscope } from './speedscope.mjs';

const kTool = join(dirname(fileURLToPath(import.meta.url)), '../../build/release/schedbench');

test('speedscope shows the slices of a trace one after the other, each with its length', async () => {
  assert.ok(existsSync(kTool), `${kTool} is missing    make build`);
  const folder = await mkdtemp(join(tmpdir(), 'schedbench-speedscope-'));
  try {
    execFileSync(kTool, ['trace', '-w', 'pingpong:pairs=4,rounds=300', '-n', '3', '-o', 't.json'], { cwd: folder });
    const text = await readFile(join(folder, 't.json'), 'utf8');
    const slices = JSON.parse(text).traceEvents.filter(({ ph }) => ph === 'X');
    const { tracks, warnings } = readBySpeedscope(text);
    assert.deepEqual(warnings, []);
    assert.ok(slices.length > 1000, `${slices.length} slices`);
    for (const [tid, { name, calls }] of tracks.entries()) {
      assert.match(name, new RegExp(`worker ${tid} `));
      const own = slices.filter((slice) => slice.tid === tid);
      calls.sort((a, b) => a.start - b.start || b.end - a.end);
      assert.equal(calls.length, own.length);
      calls.forEach((call, i) => {
        assert.equal(call.depth, ['preempted', 'blocked in the kernel'].includes(call.name) ? 1 : 0);
        assert.equal(call.name, own[i].name);
        assert.ok(Math.abs(call.end - call.start - own[i].dur) < 0.0001);
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
