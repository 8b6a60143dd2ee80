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

const kOnes = /^(sample|cycle|fault|event|instruction)s$/;

// Counts with a fraction, such as scaled samples, keep it; above ten millions three digits are enough.
const formatAmount = (value) => (Math.abs(value) >= 1e7 ? formatScaled(value)
  : value.toLocaleString('en-US', { maximumFractionDigits: 2 }));

/** A weight of a graph in its unit: ns, us, or what is counted, in the plural: samples, cycles, faults. */
export function formatWeight(weight, unit) {
  switch (unit) {
    case 'ns': return formatTime(weight);
    case 'us': return formatTime(weight * 1e3);
    default: return `${formatAmount(weight)} ${weight === 1 && kOnes.test(unit) ? unit.slice(0, -1) : unit}`;
  }
}

/** A share of a whole in percent; nothing of nothing is nothing. */
export function formatShare(part, whole) {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  return percent > 0 && percent < 0.01 ? '<0.01 %' : `${percent.toFixed(percent < 10 ? 2 : 1)} %`;
}

/** A change with its sign. */
export const withSign = (value, format) => `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`;

const kPrefixes = [[1e12, ' T'], [1e9, ' G'], [1e6, ' M'], [1e3, ' k'], [1, '']];

/** Three significant digits and a prefix: "4.42 M", "0.0123". */
function formatScaled(value) {
  const size = Math.abs(value);
  if (size < 1) {
    return value === 0 ? '0' : String(Number(value.toPrecision(3)));
  }
  const [unit, prefix] = kPrefixes.find(([least]) => size >= least * 0.9995);
  const scaled = value / unit;
  return `${scaled.toFixed(Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2)}${prefix}`;
}

/** "0 %", "0.3 %", "12 %" */
function formatPercent(share) {
  const percent = 100 * share;
  return `${percent === 0 || Math.abs(percent) >= 9.95 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

/** Ratios near 1 have as many digits as distinguish them from 1. */
function formatRatio(ratio) {
  if (ratio < 0.0995) {
    return ratio.toPrecision(2);
  }
  return ratio.toFixed(ratio >= 99.5 ? 0 : ratio >= 9.95 ? 1 : 3);
}

/** A value in its unit: ns, share (0 to 1), ratio, B, "operations/s", or any text. Of a rate only "/s" is shown. */
export function formatValue(value, unit) {
  switch (unit) {
    case 'ns': return formatTime(value);
    case 'share': return formatPercent(value);
    case 'ratio': return formatRatio(value);
    case 'B': return `${formatScaled(value)}${Math.abs(value) < 999.5 ? ' ' : ''}B`;
    default: return formatScaled(value) + (unit.endsWith('/s') ? '/s' : '');
  }
}

/** The same without zeros at the end: "1.5 M" for an axis. */
export function formatTick(value, unit) {
  if (value === 0 && unit !== 'share') {
    return '0';
  }
  return formatValue(value, unit).replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}
