// The tree of a graph, in arrays by node: 50,000 stacks are half a million nodes, and a stack may be deeper than
// JavaScript can call. So nothing here makes an object for a node or calls itself.
import { expect } from '../shared/data.js';

const isWeights = (values, count) =>
  Array.isArray(values) && values.length === count && values.every((value) => Number.isFinite(value) && value >= 0);

const isIndices = (values, least, limit) =>
  Array.isArray(values) && values.every((value, i) => Number.isInteger(value) && value >= least && value < limit(i));

function check(graph, i) {
  const where = `graph ${i + 1}`;
  expect(graph !== null && typeof graph === 'object', `${where} is not an object`);
  const { name, unit, names, frame, parent, self } = graph;
  expect(typeof name === 'string', `${where} has no name`);
  expect(typeof unit === 'string' && unit !== '', `${where} has no unit`);
  expect(Array.isArray(names) && names.every((text) => typeof text === 'string'), `${where} has no list of names`);
  expect(graph.labels === undefined || (Array.isArray(graph.labels) && graph.labels.length === names.length &&
      graph.labels.every((text) => typeof text === 'string')), `${where} has no label for each name`);
  expect(graph.kinds === undefined || (Array.isArray(graph.kinds) && graph.kinds.length === names.length &&
      graph.kinds.every((text) => typeof text === 'string')), `${where} has no kind for each name`);
  expect(isIndices(frame, 0, () => names.length), `${where} has a frame without a name`);
  expect(isIndices(parent, -1, (node) => node) && parent.length === frame.length,
      `${where} has a parent that does not stand before its child`);
  expect(isWeights(self, frame.length), `${where} has no weight for each node`);
  for (const key of ['total', 'total_before']) {
    expect(graph[key] === undefined || isWeights([graph[key]], 1), `${where} has a ${key} that is no weight`);
  }
  for (const key of ['samples', 'before', 'before_samples']) {
    expect(graph[key] === undefined || isWeights(graph[key], frame.length), `${where} has no ${key} for each node`);
  }
}

/** Returns what nodes weigh together with all below them. Node 0 is the root of the forest; node i + 1 weighs self[i]. */
export function inclusive(parent, self) {
  const sums = new Float64Array(self.length + 1);
  for (let i = self.length - 1; i >= 0; --i) {
    sums[i + 1] += self[i];
    sums[parent[i] + 1] += sums[i + 1];
  }
  return sums;
}

// The nodes of one parent stand together, in the order of their names: towers keep their places from run to run.
function sortChildren(tree) {
  const { count, names, frame, parent } = tree;
  const byName = names.map((_, i) => i).sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0));
  const ofName = new Uint32Array(names.length + 1);
  frame.forEach((name) => ++ofName[name]);
  let place = 0;
  for (const name of byName) {
    const size = ofName[name];
    ofName[name] = place;
    place += size;
  }
  const inOrder = new Uint32Array(count - 1);
  frame.forEach((name, i) => { inOrder[ofName[name]++] = i + 1; });

  const first = new Uint32Array(count + 1);
  parent.forEach((node) => ++first[node + 2]);
  for (let node = 0; node < count; ++node) {
    first[node + 1] += first[node];
  }
  const next = first.slice();
  const children = new Uint32Array(count - 1);
  for (const node of inOrder) {
    children[next[parent[node - 1] + 1]++] = node;
  }
  return { first, children };
}

/** Returns the tree of the data's graph number `i`. Broken data is a DataError. */
export function makeTree(graph, i = 0) {
  check(graph, i);
  const { name, about = '', unit, names, frame, parent, self } = graph;
  const tree = { name, about, unit, names, labels: graph.labels ?? names, frame, parent, count: frame.length + 1, self,
    kinds: graph.kinds ?? names.map(() => '') };
  Object.assign(tree, sortChildren(tree));

  tree.value = inclusive(parent, self);
  tree.total = Math.max(graph.total ?? 0, tree.value[0]);
  const inSamples = unit === 'samples' ? self : undefined;
  const samples = graph.samples ?? inSamples;
  tree.samples = samples ? inclusive(parent, samples) : null;
  tree.before = null;
  if (graph.before) {
    const { before } = graph;
    tree.before = inclusive(parent, before);
    tree.totalBefore = Math.max(graph.total_before ?? 0, tree.before[0]);
    const beforeSamples = graph.before_samples ?? (inSamples && before);
    tree.beforeSamples = beforeSamples ? inclusive(parent, beforeSamples) : null;
    // The weights before of the frames that the new profile does not have, and so has no width for.
    tree.gone = inclusive(parent, before.map((weight, node) => (tree.value[node + 1] === 0 ? weight : 0)));
  }
  return tree;
}

export const nameOf = (tree, node) => (node === 0 ? 'all' : tree.names[tree.frame[node - 1]] || '(no name)');

/** What a node weighs without the frames that it called. */
export const selfOf = (tree, node) => (node === 0 ? 0 : tree.self[node - 1]);

/** The kind of a frame, by where its code is: k, j, i, l, w (README.md), or nothing. */
export const kindOfNode = (tree, node) => (node === 0 ? '' : tree.kinds[tree.frame[node - 1]]);

/** What the bar of a frame shows: short; the tip has the name. */
export const labelOf = (tree, node) => (node === 0 ? 'all' : tree.labels[tree.frame[node - 1]] || '(no name)');

export const parentOf = (tree, node) => (node === 0 ? -1 : tree.parent[node - 1] + 1);
