// Numbers as people read them, each with its unit.

const kTimes = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/** Three digits are what a sampled figure can carry. */
function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2);
}

/** A time in ns in the largest unit of which it has one. */
export function formatTime(ns) {
  const [size, unit] = kTimes.find(([least]) => Math.abs(ns) >= least) ?? [1, 'ns'];
  return `${digits(ns / size)} ${unit}`;
}

export const formatCount = (count) => Math.round(count).toLocaleString('en-US');

/** A weight of a graph in its unit: ns, us or samples. */
export function formatWeight(weight, unit) {
  switch (unit) {
    case 'ns': return formatTime(weight);
    case 'us': return formatTime(weight * 1e3);
    default: return `${formatCount(weight)} ${Math.round(weight) === 1 ? 'sample' : 'samples'}`;
  }
}

/** A share of a whole in percent; nothing of nothing is nothing. */
export function formatShare(part, whole) {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  return percent > 0 && percent < 0.01 ? '<0.01 %' : `${percent.toFixed(percent < 10 ? 2 : 1)} %`;
}

/** A change with its sign. */
export const withSign = (value, format) => `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`;
