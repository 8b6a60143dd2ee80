// Cuts from a tree what can be seen: the way down to the frame that is zoomed to, and below it all that is at least
// a pixel wide. What it returns are the nested objects that d3-flame-graph takes, some hundreds of them.
import { labelOf, parentOf } from './tree.js';

/**
 * Returns {root, drawn, hidden}: the objects, how many frames below the focus they are, and how many there are
 * besides. `weights` are inclusive; `order` sorts nodes of one parent, null keeps the order of names.
 */
export function cut(tree, weights, focus, width, order = null) {
  const make = (node) => ({ node, name: labelOf(tree, node), value: weights[node], children: [] });
  const least = weights[focus] / width;
  const top = make(focus);
  const open = [top];
  let drawn = 0;
  let hidden = 0;
  while (open.length > 0) {
    const parent = open.pop();
    ++drawn;
    const nodes = tree.children.subarray(tree.first[parent.node], tree.first[parent.node + 1]);
    for (const node of order ? Array.from(nodes).sort(order) : nodes) {
      if (weights[node] > least) {
        const child = make(node);
        parent.children.push(child);
        open.push(child);
      } else if (weights[node] > 0) {
        ++hidden;
      }
    }
  }
  let root = top;
  for (let node = parentOf(tree, focus); node >= 0; node = parentOf(tree, node)) {
    root = { ...make(node), children: [root], fade: true };
  }
  return { root, drawn, hidden };
}
