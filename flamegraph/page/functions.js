// Weights by function, and the callers of one. Half a million nodes: nothing here calls itself or makes an object for a node.
import { makeTree, parentOf } from './tree.js';

/**
 * Returns {self, total}: by name what its frames weigh themselves, and with all that they called. A stack in which a function
 * calls itself counts once.
 */
export function functionsOf(tree) {
  const self = new Float64Array(tree.names.length);
  const total = new Float64Array(tree.names.length);
  const depth = new Uint32Array(tree.names.length); // how often a name is on the way to the node
  const open = [0];
  while (open.length > 0) {
    const node = open.pop();
    if (node < 0) {
      --depth[tree.frame[-node - 1]];
      continue;
    }
    if (node > 0) {
      const name = tree.frame[node - 1];
      self[name] += tree.self[node - 1];
      total[name] += depth[name] === 0 ? tree.value[node] : 0;
      ++depth[name];
      open.push(-node);
    }
    for (let i = tree.first[node]; i < tree.first[node + 1]; ++i) {
      open.push(tree.children[i]);
    }
  }
  return { self, total };
}

/** Returns the tree of the callers of the function with this name: it is the root, and above each frame are its callers. */
export function callersOf(tree, name) {
  const { names, labels, kinds, unit, about } = tree;
  const graph = { name: tree.name, about, unit, names, labels, kinds, frame: [], parent: [], self: [], total: tree.total };
  const before = [];
  const known = new Map();
  const nodeOf = (above, frame) => {
    const key = (above + 1) * names.length + frame;
    if (!known.has(key)) {
      known.set(key, graph.frame.length);
      graph.frame.push(frame);
      graph.parent.push(above);
      graph.self.push(0);
      before.push(0);
    }
    return known.get(key);
  };
  for (let node = 1; node < tree.count; ++node) {
    if (tree.frame[node - 1] !== name) {
      continue;
    }
    const way = [];
    let isOutermost = true;
    for (let at = parentOf(tree, node); at > 0 && isOutermost; at = parentOf(tree, at)) {
      isOutermost = tree.frame[at - 1] !== name;
      way.push(tree.frame[at - 1]);
    }
    if (isOutermost) {
      const last = way.reduce(nodeOf, nodeOf(-1, name));
      graph.self[last] += tree.value[node];
      before[last] += tree.before ? tree.before[node] : 0;
    }
  }
  if (tree.before) {
    Object.assign(graph, { before, total_before: tree.totalBefore });
  }
  return Object.assign(makeTree(graph), { callersOf: name });
}
