// A two-way table: the better a value, the brighter its cell. Each cell has its value as text.
import { axisX, axisY, cell, scale, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatValue } from '../shared/units.js';
import { axisLabel, draw, labelAbove, labelBelow, widestOf } from './parts.js';

const kWideRange = 20; // above this ratio, equal steps of colour are equal ratios

/** Whether dark text is readable on a colour "rgb(1, 2, 3)". */
function isBright(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b > 125;
}

// A cell without a value: a pattern, so that it is no colour of the scale.
function addHatch(svg) {
  const ns = 'http://www.w3.org/2000/svg';
  const put = (parent, tag, attributes) => {
    const element = document.createElementNS(ns, tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    return parent.appendChild(element);
  };
  const pattern = put(put(svg, 'defs', {}), 'pattern', {
    id: 'hatch',
    width: 7,
    height: 7,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  });
  put(pattern, 'line', { x1: 0, y1: 0, x2: 0, y2: 7, stroke: 'var(--soft)', 'stroke-width': 2 });
}

export function drawHeatmap(chart, { width, title }) {
  const { rows, columns, missing = 'no value' } = chart;
  const { unit, better } = chart.value;
  const cells = chart.cells.flatMap((values, row) => values.map((value, column) => ({ value, row, column })));
  const known = cells.filter(({ value }) => value != null);
  if (known.length === 0) {
    return [make('p', 'There are no values.', { class: 'empty' })];
  }
  const values = known.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isLog = least > 0 && most / least > kWideRange;
  const colour = scale({
    color: { type: isLog ? 'log' : 'linear', scheme: 'cividis', domain: [least, most], reverse: better === 'lower' },
  });
  const colourOfCell = ({ value }) => (most > least ? colour.apply(value) : colour.apply(most));
  const bestValue = better === 'lower' ? least : most;
  const isBest = ({ value }) => better !== 'none' && value === bestValue;
  const textOf = (one) => formatValue(one.value, unit);
  const longest = Math.max(widestOf(known.map(textOf)), widestOf(columns.values)) + 14;
  const marginLeft = Math.min(Math.max(40, widestOf(rows.values) + 14), width * 0.4);
  // Wider than the window rather than without numbers: the figure scrolls.
  const full = Math.max(
    Math.min(width, marginLeft + 20 + columns.values.length * 150),
    marginLeft + 20 + columns.values.length * longest,
  );
  const titleOf = (one) =>
    `${rows.name} ${rows.values[one.row]}, ${columns.name} ${columns.values[one.column]}: ${
      one.value == null ? missing : textOf(one)
    }${isBest(one) ? ', the best' : ''}`;
  const place = { x: 'column', y: 'row', inset: 1 };
  const svg = draw(
    {
      width: full,
      height: rows.values.length * 30 + 40 + 54,
      marginLeft,
      marginRight: 20,
      marginTop: 40,
      marginBottom: 54,
      x: { type: 'band', domain: columns.values.map((_, i) => i), padding: 0 },
      y: { type: 'band', domain: rows.values.map((_, i) => i), padding: 0 },
      marks: [
        axisX({ text: (i) => columns.values[i], tickSize: 0, label: null }),
        axisY({ text: (i) => rows.values[i], tickSize: 0, label: null }),
        labelAbove(
          `${rows.name} (down) and ${columns.name} (across): ${axisLabel(chart.value)}`,
          marginLeft,
          Math.min(width, full),
        ),
        labelBelow(columns.name, full - marginLeft - 20),
        cell(known, { ...place, fill: colourOfCell, title: titleOf }),
        cell(
          cells.filter(({ value }) => value == null),
          { ...place, fill: 'url(#hatch)', stroke: 'var(--soft)', title: titleOf },
        ),
        cell(known.filter(isBest), { ...place, inset: 0, fill: 'none', stroke: 'var(--text)', strokeWidth: 3 }),
        text(known, {
          x: 'column',
          y: 'row',
          text: textOf,
          fill: (one) => (isBright(colourOfCell(one)) ? '#000000' : '#ffffff'),
          fontWeight: (one) => (isBest(one) ? 700 : 400),
        }),
      ],
    },
    title,
  );
  addHatch(svg);
  const sentence = [
    better === 'none' ? 'Brighter is larger.' : 'Brighter is better; the frame marks the best.',
    isLog ? 'Equal steps of brightness are equal ratios.' : '',
    known.length < cells.length ? `Hatched: ${missing}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
  return [svg, make('p', sentence, { class: 'key' })];
}
