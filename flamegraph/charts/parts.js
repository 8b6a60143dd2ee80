// What the charts have in common: sizes, names of rows, axes, symbols, legends.
import { axisX, dot, gridX, line, plot, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatTick } from '../shared/units.js';

const kCharacter = 6.7; // px, about; of the font of charts, which is 12 px high

/** Colours are variables of the style, so that a print and the other theme need no new drawing. */
export const colourOf = (i) => `var(--c${i % 7})`;

const kSymbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye', 'times'];

/** With 7 colours and 8 symbols, the first 56 lines differ. */
export const symbolOf = (i) => kSymbols[i % kSymbols.length];

/** Draws. The library puts a style sheet into the picture, which the policy of the page forbids: charts.css has its rules. */
export function draw(options, title) {
  const svg = plot({ className: 'chart', ariaLabel: title, ...options });
  svg.querySelector('style').remove();
  svg.setAttribute('role', 'img');
  return svg;
}

// The numbers of axes are given as `text`: with `tickFormat` the library leaves some out on a logarithmic axis.

/** "throughput, fibers/s (higher is better)" */
export function axisLabel({ name, unit, better }) {
  const way = better === 'higher' || better === 'lower' ? ` (${better} is better)` : '';
  // The numbers on the axis have these units with them.
  const unitText = ['', 'share', 'ratio', 'ns'].includes(unit) ? '' : `, ${unit}`;
  return `${name}${unitText}${way}`;
}

export const widthOfText = (string) => string.length * kCharacter;
export const widestOf = (strings) => strings.reduce((most, string) => Math.max(most, widthOfText(string)), 0);

/** The label below the horizontal axis, in as many lines as it needs. */
export function labelBelow(label, inner) {
  return text([label], {
    frameAnchor: 'bottom',
    dy: 30,
    lineAnchor: 'top',
    lineWidth: Math.max(10, inner / 13),
    className: 'label',
  });
}

/** The label above the vertical axis, from the left edge of the picture. */
export function labelAbove(label, marginLeft, width) {
  return text([label], {
    frameAnchor: 'top-left',
    dx: 2 - marginLeft,
    dy: -12,
    textAnchor: 'start',
    lineAnchor: 'bottom',
    lineWidth: width / 13,
  });
}

const clipped = (name, width) => {
  const most = Math.floor(width / kCharacter);
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
};

/**
 * The places of horizontal rows: row i is between i and i + 1 on a linear vertical scale. Names are to the left of the rows,
 * or, where they are long, above them. `values`: texts in a column to the right.
 */
export function layRows(names, values, width, height = 22) {
  const marginRight = Math.max(28, Math.ceil(widestOf(values)) + 16);
  const needed = Math.ceil(widestOf(names)) + 16;
  const above = needed > width * 0.36;
  const marginLeft = above ? 10 : Math.max(40, needed);
  const step = above ? height + 16 : height;
  const from = above ? 15 / step : 0; // of a row, above what is drawn
  const inner = width - marginLeft - marginRight;
  return {
    inner,
    /** Where in row i a share of its height is, 0 at its upper edge. */
    at: (i, share = 0.5) => i + from + (1 - from) * share,
    names: text(
      names,
      above
        ? {
            frameAnchor: 'left',
            y: (_, i) => i,
            dy: 8,
            textAnchor: 'start',
            text: (name) => clipped(name, width - 12),
            title: (name) => name,
          }
        : { frameAnchor: 'left', y: (_, i) => i + 0.5, dx: -8, textAnchor: 'end', text: (name) => name },
    ),
    values: text(values, {
      frameAnchor: 'right',
      y: (_, i) => i + from + (1 - from) / 2,
      dx: 8,
      textAnchor: 'start',
      text: (value) => value,
    }),
    options: {
      width,
      height: names.length * step + 20 + 54,
      marginLeft,
      marginRight,
      marginTop: 20,
      marginBottom: 54,
      y: { domain: [0, Math.max(1, names.length)], reverse: true, axis: null },
    },
  };
}

/** The grid and the axis below rows of values. `at`: values of the ticks; without it, round ones. */
export function valuesBelow(axis, inner, at = null) {
  const ticks = at ? {} : { ticks: Math.max(2, Math.floor(inner / 90)) };
  return [
    gridX(...(at ? [at] : []), { ...ticks, stroke: 'var(--line)', strokeOpacity: 1 }),
    axisX(...(at ? [at] : []), { ...ticks, text: (value) => formatTick(value, axis.unit), tickSize: 4, label: null }),
    labelBelow(axisLabel(axis), inner),
  ];
}

/** The range of values with room on both sides; from 0 for bars. */
export function rangeOf(values, fromZero = false) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || Math.abs(most) || 1) * 0.05;
  return fromZero ? [Math.min(0, least), most > 0 ? most * 1.03 : 1] : [least - room, most + room];
}

/** Values for an axis: round ones by which it is not crowded. */
export function logTicks(least, most) {
  const steps = most / least > 100 ? [1] : most / least > 10 ? [1, 3] : [1, 1.5, 2, 3, 5, 7];
  const ticks = [];
  for (let size = 10 ** Math.floor(Math.log10(least)); size <= most; size *= 10) {
    ticks.push(...steps.map((step) => step * size).filter((tick) => tick >= least && tick <= most));
  }
  return ticks;
}

const kRatioTicks = [
  1, 10, 0.1, 100, 0.01, 2, 0.5, 5, 0.2, 1.5, 0.75, 3, 0.3, 20, 50, 0.05, 1.2, 0.9, 1.1, 0.8, 1.05, 0.95, 1.02, 0.98,
  1.01, 0.99,
  // Where there is still room, as between 0.5 and 0.75: tenths, twentieths.
  ...[0.1, 0.05].flatMap((step) => Array.from({ length: Math.round(0.9 / step) }, (_, i) => Number((0.1 + i * step).toFixed(2)))),
  ...Array.from({ length: 90 }, (_, i) => (i + 10) / 10),
];

/** Ratios for a logarithmic axis from `least` to `most`, the roundest first, as many as there is room for in `inner` pixels. */
export function ratioTicks(least, most, inner) {
  const placeOf = (ratio) => (inner * Math.log(ratio / least)) / Math.log(most / least);
  const chosen = [];
  for (const tick of kRatioTicks) {
    if (tick >= least && tick <= most && chosen.every((other) => Math.abs(placeOf(tick) - placeOf(other)) > 46)) {
      chosen.push(tick);
    }
  }
  return chosen;
}

/** A legend of [marks, meaning]. The marks are drawn in a box from 0 to 1, which is 26 x 14 px. */
export function makeLegend(entries) {
  const legend = make('ul', '', { class: 'legend', 'aria-label': 'Legend' });
  legend.append(
    ...entries.map(([marks, meaning]) => {
      const item = make('li', meaning);
      const svg = draw({
        width: 26,
        height: 14,
        margin: 0,
        x: { domain: [0, 1], axis: null },
        y: { domain: [0, 1], axis: null },
        marks,
      });
      svg.setAttribute('aria-hidden', 'true');
      item.prepend(svg);
      return item;
    }),
  );
  return legend;
}

/** The marks of a line in a legend. */
export const lineSample = (i) => [
  line(
    [
      [0, 0.5],
      [1, 0.5],
    ],
    { stroke: colourOf(i), strokeWidth: 2 },
  ),
  dot([0.5], { x: [0.5], y: [0.5], symbol: symbolOf(i), r: 4.5, fill: colourOf(i) }),
];
