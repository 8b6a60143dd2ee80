// Values over a number: measured points with their intervals, fitted laws, the ideal line, and a border.
import { axisX, axisY, dot, gridY, line, link, ruleX, text } from '@observablehq/plot';
import { make } from '../shared/dom.js';
import { formatTick, formatValue } from '../shared/units.js';
import {
  axisLabel,
  colourOf,
  draw,
  labelAbove,
  labelBelow,
  lineSample,
  logTicks,
  makeLegend,
  symbolOf,
  widestOf,
  widthOfText,
} from './parts.js';

const kDashes = ['7 4', '2 3', '9 3 2 3', '1 4'];
const byX = { x: ([x]) => x, y: ([, y]) => y };
const kSample = [
  [0, 0.5],
  [1, 0.5],
];

// A little below the least value, so that small changes are visible.
const bottomOfRange = (least, most) => Math.max(0, least - ((most - least) || least * 0.02) / 8);

export function drawCurve(chart, { width, title }) {
  const { lines, fits = [], ideal = null, border = null, logarithmic = false, connected = true, marked = true } = chart;
  const marks = [...(border ? [border] : []), ...(chart.marks ?? [])];
  const nameOf = (x) => chart.names?.[x - 1] ?? formatTick(x, chart.x.unit);
  const all = lines.flatMap(({ points }) => points).filter(([, y]) => !logarithmic || y > 0);
  if (all.length === 0) {
    return [make('p', 'There are no points.', { class: 'empty' })];
  }
  const { unit } = chart.value;
  const most = Math.max(
    ...all.map((point) => Math.max(point[1], point[3] ?? point[1])),
    ...fits.flatMap(({ points }) => points.map(([, y]) => y)),
  );
  // The ideal line may leave the picture. Otherwise the other lines would be flat.
  const top = (ideal ? Math.min(Math.max(most, ...ideal.points.map(([, y]) => y)), 2.2 * most) : most) * 1.06 || 1;
  const bottom =
    Math.min(
      ...all.flatMap(([, y, low]) => (low > 0 ? low : y)),
      ...fits.flatMap(({ points }) => points.map(([, y]) => y)),
    ) / 1.15;
  const base = chart.from_zero === false ? bottomOfRange(bottom * 1.15, most) : 0;
  const values = logarithmic ? logTicks(bottom, top) : [];
  const places = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const [least, last] = [places[0], places.at(-1)];
  const isLog = !chart.names && least > 0 && last / least > 16;
  const room = isLog ? 1.1 : (last - least || 1) * 0.04;
  const marginLeft =
    20 +
    widestOf(
      (logarithmic ? values : [0.3, 0.5, 1].map((share) => Number((top * share).toPrecision(2)))).map((value) =>
        formatTick(value, unit),
      ),
    );
  const [at, ticks] = logarithmic ? [[values], {}] : [[], { ticks: 6 }];
  const inner = width - marginLeft - 24;
  // Numbers below the axis, as far as there is room.
  const shareOf = (x) => (isLog ? Math.log(x / least) / Math.log(last / least) : (x - least) / (last - least || 1));
  const numbers = [];
  for (const x of places) {
    if (
      numbers.length === 0 ||
      (shareOf(x) - shareOf(numbers.at(-1))) * inner > 30 + widthOfText(nameOf(x))
    ) {
      numbers.push(x);
    }
  }
  const lineOf = (points, dash, colour) =>
    line(points, { ...byX, stroke: colour, strokeWidth: 1.8, strokeDasharray: dash, clip: true });
  const svg = draw(
    {
      width,
      height: 360,
      marginLeft,
      marginRight: 24,
      marginTop: 40,
      marginBottom: 54,
      x: { type: isLog ? 'log' : 'linear', domain: isLog ? [least / room, last * room] : [least - room, last + room] },
      y: logarithmic ? { type: 'log', domain: [bottom, top] } : { domain: [base, base > 0 ? most + (most - base) / 8 : top] },
      marks: [
        gridY(...at, { ...ticks, stroke: 'var(--line)', strokeOpacity: 1 }),
        axisX(numbers, { text: nameOf, label: null }),
        axisY(...at, { ...ticks, text: (value) => formatTick(value, unit), label: null }),
        labelAbove(axisLabel(chart.value), marginLeft, width),
        labelBelow(axisLabel(chart.x), inner),
        marks.map(({ x, name }) => [
          ruleX([x], { stroke: 'var(--soft)', strokeDasharray: '3 3' }),
          text([name], {
            x: [x],
            frameAnchor: 'top',
            dy: 6,
            fill: 'var(--soft)',
            ...(shareOf(x) > 0.6 ? { dx: -5, textAnchor: 'end' } : { dx: 5, textAnchor: 'start' }),
          }),
        ]),
        ideal ? lineOf(ideal.points, null, 'var(--line-strong)') : [],
        fits.map(({ points }, i) => lineOf(points, kDashes[i % kDashes.length], colourOf(i + lines.length))),
        lines.map(({ name, points }, i) => [
          link(
            points.filter((point) => point[2] != null && point[3] != null && (!logarithmic || point[2] > 0)),
            {
              x1: ([x]) => x,
              x2: ([x]) => x,
              y1: (point) => point[2],
              y2: (point) => point[3],
              stroke: colourOf(i),
              strokeWidth: 1.8,
              markerStart: 'tick',
              markerEnd: 'tick',
            },
          ),
          !connected ? [] : line(points, { ...byX, stroke: colourOf(i), strokeWidth: 2 }),
          !marked ? [] : dot(points, {
            ...byX,
            symbol: symbolOf(i),
            r: 4.5,
            fill: colourOf(i),
            title: (point) =>
              `${name}, ${chart.x.name} ${nameOf(point[0])}: ${formatValue(point[1], unit)}${
                point[2] == null || point[3] == null
                  ? ''
                  : `, ${formatValue(point[2], unit)} to ${formatValue(point[3], unit)}`
              }`,
          }),
        ]),
      ],
    },
    title,
  );
  return [
    svg,
    makeLegend([
      ...lines.map(({ name }, i) => [lineSample(i).slice(connected ? 0 : 1, marked ? 2 : 1), name]),
      ...fits.map(({ name }, i) => [[lineOf(kSample, kDashes[i % kDashes.length], colourOf(i + lines.length))], name]),
      ...(ideal ? [[[lineOf(kSample, null, 'var(--line-strong)')], ideal.name]] : []),
    ]),
  ];
}
