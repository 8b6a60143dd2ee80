// What has become of a frame between two profiles. Both are measured against their own totals: a frame that keeps its
// share has not changed, however much longer one of them took.

// Two standard deviations of a count of samples that come by chance: less may well be no change at all.
const kNoise = 2;

// How much of the samples' difference is chance: the variance of now - before * scale.
function isNoise(tree, node) {
  if (!tree.samples || !tree.beforeSamples) {
    return false;
  }
  const now = tree.samples[node];
  const before = tree.beforeSamples[node];
  const scale = tree.beforeSamples[0] > 0 ? tree.samples[0] / tree.beforeSamples[0] : 1;
  return Math.abs(now - before * scale) < kNoise * Math.sqrt(now + before * scale * scale);
}

/** What the old profile's weights are multiplied with so that both totals are equal. */
export const scaleOf = (tree) => (tree.totalBefore > 0 && tree.total > 0 ? tree.total / tree.totalBefore : 1);

/**
 * Returns {kind, change, strength}: kind is 'grew', 'shrank', 'new', 'gone' or 'same' (too small a change to show),
 * change is in the unit of the new profile, strength its share of the larger of both, 0 to 1.
 */
export function difference(tree, node) {
  const now = tree.value[node];
  const before = tree.before[node] * scaleOf(tree);
  const change = now - before;
  const strength = change === 0 ? 0 : Math.abs(change) / Math.max(now, before);
  if (change === 0 || isNoise(tree, node)) {
    return { kind: 'same', change, strength };
  }
  if (before === 0) {
    return { kind: 'new', change, strength };
  }
  if (now === 0) {
    return { kind: 'gone', change, strength };
  }
  return { kind: change > 0 ? 'grew' : 'shrank', change, strength };
}

/** Whether all is measured in samples, so that a change can be distinguished from chance. */
export const knowsNoise = (tree) => Boolean(tree.samples && tree.beforeSamples);
