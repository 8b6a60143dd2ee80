// Parts of a whole for each name, side by side in the order of the legend.
import { rect, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatShare, formatValue } from '../shared/units.js';
import { draw, layRows, makeLegend, valuesBelow, widthOfText } from './parts.js';

const kColours = 10;
const colourOfPart = (i) => `var(--p${i % kColours})`;
const segment = (x1, x2, y1, y2, i, title = null) =>
  rect([0], {
    x1: [x1],
    x2: [x2],
    y1: [y1],
    y2: [y2],
    fill: colourOfPart(i),
    stroke: 'var(--back)',
    title: title ? [title] : null,
  });

export function drawStacked(chart, { width, title }) {
  const { bars, parts } = chart;
  const { unit } = chart.value;
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(0, ...sums);
  if (most === 0) {
    return [make('p', 'There are no values.', { class: 'empty' })];
  }
  const rows = layRows(
    bars.map(({ name }) => name),
    unit === 'share' ? [] : sums.map((sum) => formatValue(sum, unit)),
    width,
    28,
  );
  // Shares that add up to nearly 1 end at 100 %.
  const end = unit === 'share' ? Math.max(1, most) : most;
  const marks = [];
  bars.forEach(({ name, values }, row) => {
    let from = 0;
    values.forEach((value, i) => {
      if (value === 0) {
        return;
      }
      const words = unit === 'share' ? formatValue(value, unit) : formatShare(value, sums[row]);
      marks.push(
        segment(
          from,
          from + value,
          rows.at(row, 0.08),
          rows.at(row, 0.92),
          i,
          `${name}, ${parts[i]}: ${formatValue(value, unit)}${unit === 'share' ? '' : `, ${words}`}`,
        ),
      );
      const room = (value / end) * rows.inner - 8;
      const label = [`${parts[i]} ${words}`, words].find((one) => widthOfText(one) <= room);
      if (label) {
        marks.push(text([label], { x: [from + value / 2], y: [rows.at(row)], text: (one) => one, fill: 'var(--ink)' }));
      }
      from += value;
    });
  });
  const svg = draw(
    {
      ...rows.options,
      x: { domain: [0, end] },
      marks: [...valuesBelow(chart.value, rows.inner), marks, rows.names, ...(unit === 'share' ? [] : [rows.values])],
    },
    title,
  );
  const used = parts.map((part, i) => [part, i]).filter(([, i]) => bars.some(({ values }) => values[i] > 0));
  return [svg, makeLegend(used.map(([part, i]) => [[segment(0.1, 0.9, 0.05, 0.95, i)], part]))];
}
