// Finds frames by name.

/**
 * Returns {matches, count, weight}: by node whether it matches, how many that have weight do, and what they weigh
 * together, a stack counted once however many of its frames match.
 */
export function search(tree, weights, matcher) {
  const byName = tree.names.map((name) => matcher(name));
  const matches = new Uint8Array(tree.count);
  const covered = new Uint8Array(tree.count);
  let count = 0;
  let weight = 0;
  for (let node = 1; node < tree.count; ++node) {
    const above = covered[tree.parent[node - 1] + 1];
    covered[node] = above;
    if (byName[tree.frame[node - 1]] && weights[node] > 0) {
      matches[node] = 1;
      covered[node] = 1;
      ++count;
      weight += above ? 0 : weights[node];
    }
  }
  return { matches, count, weight };
}
