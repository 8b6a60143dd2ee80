// What the page says of a frame and of a graph, in words.
import { formatCount, formatShare, formatWeight, withSign } from '../shared/units.js';
import { changeLabel } from './colours.js';
import { difference, knowsNoise, scaleOf } from './difference.js';
import { parentOf, selfOf } from './tree.js';

function describeChange(tree, node) {
  // A scaled count has a fraction that means nothing.
  const isWhole = Number.isInteger(tree.value[node]) && Number.isInteger(tree.before[node]);
  const weight = (value) => formatWeight(isWhole ? Math.round(value) : value, tree.unit);
  const { kind, change } = difference(tree, node);
  const before = tree.before[node] * scaleOf(tree);
  const relative = before > 0 && change !== 0 ? `, ${withSign(change / before, (x) => formatShare(x, 1))}` : '';
  return [
    `before ${weight(tree.before[node])} · ${formatShare(tree.before[node], tree.totalBefore)} of total`,
    `change ${change === 0 ? 'none' : withSign(change, weight)}${relative} · ${changeLabel(kind)}`,
  ];
}

/** The lines of the box beside a frame. With `vanished`, weights are those of the old profile. */
export function describeFrame(tree, node, vanished) {
  const weights = vanished ? tree.gone : tree.value;
  const total = vanished ? tree.totalBefore : tree.total;
  const samples = vanished ? null : tree.samples;
  const lines = [`${formatWeight(weights[node], tree.unit)} · ${formatShare(weights[node], total)} of total`];
  if (node > 0 && !vanished && tree.callersOf === undefined) {
    const self = selfOf(tree, node);
    lines.push(`itself ${formatWeight(self, tree.unit)} · ${formatShare(self, total)} of total`);
  }
  const parent = parentOf(tree, node);
  if (parent >= 0) {
    lines.push(`${formatShare(weights[node], weights[parent])} of the ${tree.callersOf === undefined ? 'frame that called it' : 'frame that it called'}`);
  }
  if (samples && tree.unit !== 'samples') {
    lines.push(formatWeight(samples[node], 'samples'));
  }
  if (vanished && tree.value[node] > 0) {
    lines.push('both profiles have this frame: the weight is of frames below it that only the profile before has');
  } else if (vanished) {
    lines.push('only the profile before has it');
  } else if (tree.before) {
    lines.push(...describeChange(tree, node));
  }
  return lines;
}

/** One line on a graph: what it shows and how much of it. */
export function describeGraph(tree, vanished) {
  const parts = [tree.about];
  if (vanished) {
    parts.push(`vanished are ${formatWeight(tree.gone[0], tree.unit)} of ${formatWeight(tree.totalBefore, tree.unit)} ` +
        'before: widths are before, of what the new profile does not have');
  } else if (tree.before) {
    parts.push(`now ${formatWeight(tree.total, tree.unit)}, before ${formatWeight(tree.totalBefore, tree.unit)}: ` +
        'widths are now, colours compare shares of these totals');
    if (!knowsNoise(tree)) {
      parts.push('without counts of samples, a change cannot be distinguished from chance');
    }
  } else {
    parts.push(`total ${formatWeight(tree.total, tree.unit)}`);
  }
  if (tree.callersOf !== undefined) {
    parts.push(`callers of ${tree.names[tree.callersOf]}, which is next to the root`);
  }
  return parts.filter(Boolean).join(' · ');
}

export function describeSearch({ count, weight }, total) {
  return `${formatCount(count)} ${count === 1 ? 'frame' : 'frames'} · ${formatShare(weight, total)} of total`;
}

export function describeDrawn({ drawn, hidden }) {
  const frames = `${formatCount(drawn)} frames`;
  return hidden > 0 ? `${frames} drawn; at least ${formatCount(hidden)} are narrower than a pixel: zoom in to see them`
                    : `${frames} drawn`;
}

/** Why there is nothing to draw. */
export function describeEmpty(tree, vanished) {
  return vanished ? 'No stack has vanished: the new profile has all that the old one had.'
                  : `Nothing was recorded in “${tree.name}”: no stack has any weight.`;
}
