// Turns folded stacks into the data of a page: `node fold.mjs FOLDED [UNIT] > DATA.json`. Each line is
// `frame;frame;frame N`, or `... BEFORE NOW` for a differential view. For development and tests.
import { readFile } from 'node:fs/promises';
import { isProgram } from '../program.mjs';

/** Returns one graph of the page's schema. A line that is no folded stack is an error that says which. */
export function foldGraph(text, { name = 'CPU', about = '', unit = 'samples' } = {}) {
  const names = [];
  const nameIndex = new Map();
  const children = [new Map()];
  const graph = { name, about, unit, names, frame: [], parent: [], self: [] };
  const before = [];

  const nodeFor = (stack) => {
    let node = -1;
    for (const frame of stack.split(';')) {
      if (!nameIndex.has(frame)) {
        nameIndex.set(frame, names.push(frame) - 1);
      }
      const siblings = children[node + 1];
      if (!siblings.has(frame)) {
        siblings.set(frame, graph.frame.length);
        graph.frame.push(nameIndex.get(frame));
        graph.parent.push(node);
        graph.self.push(0);
        before.push(0);
        children.push(new Map());
      }
      node = siblings.get(frame);
    }
    return node;
  };

  let differential = false;
  text.split('\n').forEach((line, i) => {
    if (line === '') {
      return;
    }
    const found = /^(.*?) (?:(\d+) )?(\d+)$/.exec(line);
    if (!found) {
      throw new Error(`line ${i + 1}: not a folded stack: ${line}`);
    }
    const node = nodeFor(found[1]);
    if (found[2] !== undefined) {
      differential = true;
      before[node] += Number(found[2]);
    }
    graph.self[node] += Number(found[3]);
  });
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  graph.total = sum(graph.self);
  if (differential) {
    Object.assign(graph, { before, total_before: sum(before) });
  }
  return graph;
}

/** Returns the data of a page with the given graphs. */
export const makeData = (title, facts, ...graphs) => ({ version: 1, title, facts, graphs });

if (isProgram(import.meta.url)) {
  const [file, unit] = process.argv.slice(2);
  if (!file) {
    console.error('usage: node fold.mjs FOLDED [UNIT] > DATA.json');
    process.exit(2);
  }
  const graph = foldGraph(await readFile(file, 'utf8'), { unit });
  console.log(JSON.stringify(makeData(file, [['stacks', 'folded']], graph)));
}
