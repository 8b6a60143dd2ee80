// The trees behind the pictures, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldGraph } from './fold.mjs';
import { cut } from '../page/cut.js';
import { difference } from '../page/difference.js';
import { search } from '../page/search.js';
import { makeTree, nameOf } from '../page/tree.js';
import { hash } from '../shared/colour.js';
import { makeMatcher } from '../shared/match.js';

const treeOf = (text, options) => makeTree(foldGraph(text, options));

/** The node whose names from the root are `path`. */
function nodeAt(tree, path) {
  let node = 0;
  for (const name of path.split(';')) {
    const nodes = [...tree.children.subarray(tree.first[node], tree.first[node + 1])];
    node = nodes.find((child) => nameOf(tree, child) === name);
    assert.ok(node !== undefined, `no ${name} of ${path}`);
  }
  return node;
}

test('a frame weighs what it and all below it weigh', () => {
  const tree = treeOf('a;b 3\na;c 4\na 1\nd 2\n');
  assert.equal(tree.value[0], 10);
  assert.equal(tree.value[nodeAt(tree, 'a')], 8);
  assert.equal(tree.value[nodeAt(tree, 'a;c')], 4);
  assert.equal(tree.value[nodeAt(tree, 'd')], 2);
});

test('children stand in the order of their names, whatever their order in the data', () => {
  const tree = treeOf('m;z 1\nm;a 1\nm;k 1\nb;q 1\nb;a 1\n');
  const names = (path) => {
    const node = path === '' ? 0 : nodeAt(tree, path);
    return [...tree.children.subarray(tree.first[node], tree.first[node + 1])].map((child) => nameOf(tree, child));
  };
  assert.deepEqual(names(''), ['b', 'm']);
  assert.deepEqual(names('m'), ['a', 'k', 'z']);
  assert.deepEqual(names('b'), ['a', 'q']);
});

test('a stack of 100,000 frames is no deeper than JavaScript can go', () => {
  const count = 100_000;
  const graph = {
    name: 'deep', unit: 'ns', names: ['f'], frame: Array(count).fill(0),
    parent: Array.from({ length: count }, (_, i) => i - 1), self: [...Array(count - 1).fill(0), 5], total: 5,
  };
  const tree = makeTree(graph);
  assert.equal(tree.value[0], 5);
  assert.equal(search(tree, tree.value, makeMatcher('f', false)).weight, 5);
  assert.equal(cut(tree, tree.value, count, 1000).drawn, 1);
});

test('only frames of a pixel or more are cut out, and the others are counted', () => {
  const tree = treeOf('a 900\nb 99\nc;d 1\n');
  const view = cut(tree, tree.value, 0, 100);
  assert.deepEqual(view.root.children.map((child) => child.name), ['a', 'b']);
  assert.equal(view.drawn, 3);
  assert.equal(view.hidden, 1);
});

test('above the frame that is zoomed to stand only its callers', () => {
  const tree = treeOf('a;b;c 5\na;x 5\ny 5\n');
  const { root } = cut(tree, tree.value, nodeAt(tree, 'a;b'), 100);
  const chain = [];
  for (let item = root; item; item = item.children[0]) {
    assert.ok(item.children.length <= 1);
    chain.push([item.name, Boolean(item.fade)]);
  }
  assert.deepEqual(chain, [['all', true], ['a', true], ['b', false], ['c', false]]);
});

test('a search counts a stack once, however many of its frames match', () => {
  const tree = treeOf('foo;foo;bar 10\nfoo;baz 5\nbar 85\n');
  const { count, weight } = search(tree, tree.value, makeMatcher('FOO', false));
  assert.equal(count, 2);
  assert.equal(weight, 15);
});

test('plain text is no expression, an expression is one', () => {
  assert.ok(makeMatcher('operator()', false)('Task::operator()'));
  assert.ok(!makeMatcher('a.c', false)('abc'));
  assert.ok(makeMatcher('^a.c$', true)('abc'));
  assert.throws(() => makeMatcher('(', true), SyntaxError);
  assert.equal(makeMatcher('', true), null);
});

test('names that differ in one letter have hues that can be distinguished', () => {
  const hues = ['fiber:a', 'fiber:b', 'fiber:c', 'fiber:d', 'fiber:e'].map((name) => hash(name) % 180);
  const apart = hues.flatMap((hue, i) => hues.slice(i + 1).map((other) => Math.abs(hue - other)));
  // One of ten pairs at random may be close; a hash of the last letter alone puts all within a few degrees.
  assert.ok(apart.filter((each) => each > 8).length >= 8, `${hues}`);
});

test('a frame that keeps its share has not changed, however much longer the run was', () => {
  const tree = treeOf('a 1000 2000\nb 1000 2000\n');
  assert.equal(difference(tree, nodeAt(tree, 'a')).kind, 'same');
});

test('a change is grown, shrunk, new, gone or within chance', () => {
  const tree = treeOf('grown 100 400\nshrunk 400 100\nfresh 0 200\ngone 200 0\nnoise 300 310\nfew 0 3\nrest 310 297\n');
  const kind = (name) => difference(tree, nodeAt(tree, name)).kind;
  assert.deepEqual(['grown', 'shrunk', 'fresh', 'gone', 'noise', 'few'].map(kind),
      ['grew', 'shrank', 'new', 'gone', 'same', 'same']);
});

test('a change is chance below twice the root of the samples of both, and not from there on', () => {
  // 100 and 100 + d of 10,000 each: the limit is 2 * sqrt(200 + d), which is d = 30.4.
  const kind = (d) => difference(treeOf(`a 100 ${100 + d}\nb 9900 ${9900 - d}\n`), 1).kind;
  assert.equal(kind(30), 'same');
  assert.equal(kind(31), 'grew');
});

test('times are judged by the samples behind them', () => {
  const graph = { name: 'g', unit: 'ns', names: ['a', 'b'], frame: [0, 1], parent: [-1, -1],
    self: [5e6, 5e6], before: [1e6, 9e6], total: 10e6, total_before: 10e6 };
  const few = { ...graph, samples: [5, 5], before_samples: [1, 9] };
  const many = { ...graph, samples: [500, 500], before_samples: [100, 900] };
  assert.equal(difference(makeTree(few), 1).kind, 'same');
  assert.equal(difference(makeTree(many), 1).kind, 'grew');
  assert.equal(difference(makeTree(graph), 1).kind, 'grew');
});

test('broken data is refused in a sentence', () => {
  const good = { name: 'g', unit: 'ns', names: ['a'], frame: [0], parent: [-1], self: [1], total: 1 };
  const refused = (change, words) => assert.throws(() => makeTree({ ...good, ...change }), words);
  assert.ok(makeTree(good));
  refused({ unit: '' }, /has no unit/);
  refused({ kinds: [] }, /kind for each name/);
  refused({ frame: [1] }, /frame without a name/);
  refused({ parent: [0] }, /parent that does not stand before its child/);
  refused({ parent: [-2] }, /parent/);
  refused({ self: [] }, /weight for each node/);
  refused({ self: [-1] }, /weight for each node/);
  refused({ self: [NaN] }, /weight for each node/);
  refused({ before: [1, 2] }, /before for each node/);
  refused({ total: 'all' }, /total that is no weight/);
  refused({ names: [7] }, /list of names/);
  refused({ name: undefined }, /no name/);
});
