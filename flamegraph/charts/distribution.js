// Rounds or blocks of each group as dots in their order, with quartiles and median behind them.
import { dot, link, rect } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatValue } from '../shared/units.js';
import { draw, layRows, makeLegend, rangeOf, valuesBelow } from './parts.js';

function quantile(sorted, p) {
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

const box = (x1, x2, y1, y2) =>
  rect([0], { x1: [x1], x2: [x2], y1: [y1], y2: [y2], fill: 'var(--c0)', fillOpacity: 0.2, stroke: 'var(--c0)' });
const median = (x, y1, y2) => link([0], { x1: [x], x2: [x], y1: [y1], y2: [y2], stroke: 'var(--c1)', strokeWidth: 3 });

export function drawDistribution(chart, { width, title }) {
  const groups = chart.groups.filter((group) => group.values.length > 0);
  if (groups.length === 0) {
    return [make('p', `There are no ${chart.of}.`, { class: 'empty' })];
  }
  const { unit } = chart.value;
  const boxes = groups
    .map(({ values }) => [...values].sort((a, b) => a - b))
    .map((sorted) => [0.25, 0.5, 0.75].map((p) => quantile(sorted, p)));
  const rows = layRows(
    groups.map(({ name }) => name),
    boxes.map(([, middle]) => formatValue(middle, unit)),
    width,
    52,
  );
  const dots = groups.flatMap(({ name, values }, i) =>
    values.map((value, j) => ({
      value,
      y: rows.at(i, 0.14 + (0.72 * (j + 0.5)) / values.length),
      title: `${name}, ${j + 1} of ${values.length} ${chart.of}: ${formatValue(value, unit)}`,
    })),
  );
  const svg = draw(
    {
      ...rows.options,
      x: { domain: rangeOf(groups.flatMap(({ values }) => values)) },
      marks: [
        ...valuesBelow(chart.value, rows.inner),
        boxes.map(([low, , high], i) => box(low, high, rows.at(i, 0.1), rows.at(i, 0.9))),
        boxes.map(([, middle], i) => median(middle, rows.at(i, 0.04), rows.at(i, 0.96))),
        dot(dots, { x: 'value', y: 'y', r: 2.6, fill: 'var(--text)', fillOpacity: 0.75, title: 'title' }),
        rows.names,
        rows.values,
      ],
    },
    `${title}: distribution of ${chart.of}`,
  );
  return [
    svg,
    makeLegend([
      [[dot([0], { x: [0.5], y: [0.5], r: 2.6, fill: 'var(--text)' })], `one of the ${chart.of}, the first at the top`],
      [[median(0.5, 0, 1)], 'median, also in the column to the right'],
      [[box(0.1, 0.9, 0.05, 0.95)], 'the middle half'],
    ]),
  ];
}
