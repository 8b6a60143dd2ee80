// The tools beside the pages: folded stacks, data in a page, the page itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePage } from '../build.mjs';
import { foldGraph } from './fold.mjs';
import { kMarker, render } from '../render.mjs';

const kMostBytes = { page: 150_000, timeline: 150_000, charts: 300_000 };

test('folded stacks become nodes with each parent before its children', () => {
  const graph = foldGraph('a;b 1\na;b;c 2\na;b 3\n');
  assert.deepEqual(graph.names, ['a', 'b', 'c']);
  assert.deepEqual(graph.parent, [-1, 0, 1]);
  assert.deepEqual(graph.self, [0, 4, 2]);
  assert.equal(graph.total, 6);
  assert.equal(graph.before, undefined);
});

test('a differential line has the weight before and the weight now', () => {
  const graph = foldGraph('a b 7 9\n');
  assert.deepEqual([graph.names, graph.before, graph.self, graph.total_before], [['a b'], [7], [9], 7]);
});

test('a line that is no folded stack is named', () => {
  assert.throws(() => foldGraph('a;b 1\nnonsense\n'), /line 2: not a folded stack: nonsense/);
});

test('data cannot end its element nor be taken for a pattern', () => {
  const json = JSON.stringify({ name: "</script><!-- $& $' $1" });
  const page = render(`<body>${kMarker}</body>`, json);
  const block = /^<body><script type="application\/json" id="data">(.*)<\/script><\/body>$/.exec(page)[1];
  assert.ok(!block.includes('<'));
  assert.deepEqual(JSON.parse(block), JSON.parse(json));
});

for (const [folder, most] of Object.entries(kMostBytes)) {
  test(`${folder}: ${most / 1000} KB at most, the marker once, no address to load from`, async () => {
    const page = await makePage(folder);
    console.log(`${folder}: ${Buffer.byteLength(page)} bytes`);
    assert.ok(Buffer.byteLength(page) <= most);
    assert.equal(page.split(kMarker).length, 2);
    assert.doesNotMatch(page, /(?:src|href|action)\s*=\s*["']/);
    // url(#...) is a part of the page itself.
    assert.doesNotMatch(page, /unsafe-|@import|url\((?!#)/);
  });

  test(`${folder}: building it twice gives the same bytes`, async () => {
    assert.equal(await makePage(folder), await makePage(folder));
  });
}

test('the page names what it contains, with versions and licences', async () => {
  const page = await makePage('page');
  assert.match(page, /d3-flame-graph 5\.0\.0 \(Apache-2\.0\)/);
  assert.match(page, /d3-selection 3\.0\.0 \(ISC\) Copyright 2010-2021 Mike Bostock/);
  assert.match(page, /Apache License/);
  assert.match(page, /Permission to use, copy, modify/);
  assert.match(await makePage('charts'), /@observablehq\/plot 0\.6\.17 \(ISC\)/);
});
