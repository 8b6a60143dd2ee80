// Ratios with their intervals on a logarithmic axis, and a line where nothing changes.
import { dot, link, ruleX, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatValue } from '../shared/units.js';
import { draw, layRows, makeLegend, ratioTicks, valuesBelow } from './parts.js';

// By a verdict: colour, symbol, and whether the symbol is filled.
const kLooks = {
  better: ['var(--c0)', 'triangle', true],
  'slightly better': ['var(--c0)', 'triangle', false],
  same: ['var(--soft)', 'circle', true],
  'slightly worse': ['var(--c1)', 'square', false],
  worse: ['var(--c1)', 'square', true],
  inconclusive: ['var(--soft)', 'diamond', false],
  differs: ['var(--c3)', 'star', true],
};
const lookOf = (verdict) => kLooks[verdict] ?? ['var(--text)', 'circle', true];

function symbol(x, y, verdict, title = null) {
  const [colour, shape, filled] = lookOf(verdict);
  return dot([0], {
    x: [x],
    y: [y],
    symbol: shape,
    r: 5,
    stroke: colour,
    strokeWidth: 2,
    fill: filled ? colour : 'var(--back)',
    title: title ? [title] : null,
  });
}

export function drawIntervals(chart, { width, title }) {
  const groups = chart.groups.filter((group) => group.rows.length > 0);
  const known = groups.flatMap((group) => group.rows).filter((row) => row.value != null);
  if (known.length === 0) {
    return [make('p', 'There are no ratios.', { class: 'empty' })];
  }
  // The name of a group has a row of its own above its rows.
  const lines = groups.flatMap(({ name, rows }) => [...(name === '' ? [] : [{ head: name }]), ...rows]);
  const textOf = (row) =>
    row.head !== undefined
      ? ''
      : row.value == null
        ? (row.note ?? 'no value')
        : `${formatValue(row.value, chart.value.unit)} ${row.verdict ?? row.note ?? ''}`;
  const values = lines.map(textOf);
  const shown = values.map((value) => (value.length > 24 ? `${value.slice(0, 23)}…` : value));
  const rows = layRows(
    lines.map((row) => (row.head === undefined ? row.name : '')),
    shown,
    width,
  );
  const ends = known.flatMap((row) => [row.value, row.low, row.high]).filter((end) => end != null);
  const [least, most] = [Math.min(1, ...ends), Math.max(1, ...ends)];
  const room = Math.max((most / least) ** 0.05, 1.005);
  const marks = lines.flatMap((row, i) =>
    row.value == null
      ? []
      : [
          row.low == null || row.high == null
            ? null
            : link([0], {
                x1: [row.low],
                x2: [row.high],
                y1: [rows.at(i)],
                y2: [rows.at(i)],
                stroke: lookOf(row.verdict)[0],
                strokeWidth: 2,
                markerStart: 'tick',
                markerEnd: 'tick',
              }),
          symbol(
            row.value,
            rows.at(i),
            row.verdict,
            `${row.name}: ${textOf(row)}${
              row.low == null || row.high == null
                ? ''
                : `, interval ${formatValue(row.low, chart.value.unit)} to ${formatValue(row.high, chart.value.unit)}`
            }`,
          ),
        ],
  );
  const svg = draw(
    {
      ...rows.options,
      x: { type: 'log', domain: [least / room, most * room] },
      marks: [
        ...valuesBelow(chart.value, rows.inner, ratioTicks(least / room, most * room, rows.inner)),
        ruleX([1], { stroke: 'var(--text)', strokeDasharray: '4 3' }),
        text([chart.reference], { x: [1], frameAnchor: 'top', dy: -4, lineAnchor: 'bottom' }),
        marks,
        rows.names,
        text(
          lines.filter((row) => row.head),
          {
            frameAnchor: 'left',
            y: (row) => lines.indexOf(row) + 0.5,
            dx: 8 - rows.options.marginLeft,
            textAnchor: 'start',
            text: 'head',
            fontWeight: 600,
          },
        ),
        rows.values,
      ],
    },
    title,
  );
  const verdicts = Object.keys(kLooks).filter((verdict) => known.some((row) => row.verdict === verdict));
  return [svg, makeLegend(verdicts.map((verdict) => [[symbol(0.5, 0.5, verdict)], verdict]))];
}
