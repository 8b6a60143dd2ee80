// A bar for each name, from 0, with an interval and a reference where they are known.
import { dot, link, rect, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatValue } from '../shared/units.js';
import { draw, layRows, makeLegend, rangeOf, valuesBelow } from './parts.js';

const kReference = { symbol: 'diamond', r: 4.5, stroke: 'var(--c1)', strokeWidth: 2, fill: 'var(--back)' };
const kNote = 46; // characters

export function drawBars(chart, { width, title }) {
  const { bars } = chart;
  const known = bars.filter((bar) => bar.value != null);
  if (bars.length === 0) {
    return [make('p', 'There are no values.', { class: 'empty' })];
  }
  const { unit } = chart.value;
  const rows = layRows(
    bars.map(({ name }) => name),
    bars.map(({ value }) => (value == null ? '' : formatValue(value, unit))),
    width,
  );
  const at = (bar, share) => rows.at(bars.indexOf(bar), share);
  const ends = [
    0,
    ...bars.flatMap(({ value, low, high, reference }) => [value, low, high, reference]).filter((end) => end != null),
  ];
  const titleOf = ({ name, value, low, high, reference, note }) =>
    [
      `${name}: ${value == null ? (note ?? 'no value') : formatValue(value, unit)}`,
      low == null || high == null ? '' : `${formatValue(low, unit)} to ${formatValue(high, unit)}`,
      reference == null ? '' : `${chart.reference}: ${formatValue(reference, unit)}`,
      value != null && note ? note : '',
    ]
      .filter(Boolean)
      .join(', ');
  const between = known.filter(({ low, high }) => low != null && high != null && high > low);
  const referenced = bars.filter(({ reference }) => reference != null);
  const svg = draw(
    {
      ...rows.options,
      x: { domain: rangeOf(ends, true), axis: null },
      marks: [
        ...(known.length > 0 ? valuesBelow(chart.value, rows.inner) : []),
        rect(known, {
          x1: 0,
          x2: 'value',
          y1: (bar) => at(bar, 0.16),
          y2: (bar) => at(bar, 0.84),
          fill: 'var(--c0)',
          fillOpacity: 0.75,
          title: titleOf,
        }),
        link(between, {
          x1: 'low',
          x2: 'high',
          y1: (bar) => at(bar),
          y2: (bar) => at(bar),
          stroke: 'var(--text)',
          strokeWidth: 1.5,
          markerStart: 'tick',
          markerEnd: 'tick',
        }),
        dot(referenced, { x: 'reference', y: (bar) => at(bar), ...kReference, title: titleOf }),
        text(
          bars.filter((bar) => bar.value == null),
          {
            frameAnchor: 'left',
            y: (bar) => at(bar),
            dx: 6,
            textAnchor: 'start',
            fill: 'var(--error)',
            text: ({ note = 'no value' }) => `✗ ${note.length > kNote ? `${note.slice(0, kNote)}…` : note}`,
            title: titleOf,
          },
        ),
        rows.names,
        rows.values,
      ],
    },
    title,
  );
  const legend = [
    ...(between.length > 0
      ? [
          [
            [
              link([0], {
                x1: [0.1],
                x2: [0.9],
                y1: [0.5],
                y2: [0.5],
                stroke: 'var(--text)',
                markerStart: 'tick',
                markerEnd: 'tick',
              }),
            ],
            chart.interval ?? 'interval',
          ],
        ]
      : []),
    ...(referenced.length > 0
      ? [[[dot([0], { x: [0.5], y: [0.5], ...kReference })], chart.reference ?? 'reference']]
      : []),
  ];
  return legend.length > 0 ? [svg, makeLegend(legend)] : [svg];
}
