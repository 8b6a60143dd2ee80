// Latency against percentile. Both axes are logarithmic: the horizontal one in the share of slower ones, so that the
// tail has as much room as the middle.
import { axisX, axisY, dot, gridX, gridY, line, link } from '@observablehq/plot';
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
} from './parts.js';

export function drawPercentiles(chart, { width, title }) {
  const known = chart.lines.map(({ name, points }) => ({ name, points: points.filter(([, value]) => value > 0) }));
  const all = known.flatMap(({ points }) => points);
  if (all.length === 0) {
    return [make('p', 'There are no percentiles.', { class: 'empty' })];
  }
  // The maximum stands a step behind the last percentile.
  const below = all.map(([percentile]) => percentile).filter((percentile) => percentile < 100);
  const last = below.length === 0 ? 90 : Math.max(...below);
  const placeOf = (percentile) =>
    percentile < 100 ? -Math.log10(1 - percentile / 100) : 1 - Math.log10(1 - last / 100);
  const nameOf = (percentile) => (percentile < 100 ? `p${percentile}` : 'max');
  const ticks = [...new Set(all.map(([percentile]) => percentile))].sort((a, b) => a - b);
  const { unit } = chart.value;
  const ends = all.flatMap(([, value, low, high]) => [value, low, high]).filter((end) => end != null && end > 0);
  const marginLeft = 20 + widestOf(ends.map((end) => formatTick(Number(end.toPrecision(1)), unit)));
  const inner = width - marginLeft - 24;
  const [least, most] = [Math.min(...ends) / 1.15, Math.max(...ends) * 1.15];
  const values = logTicks(least, most);
  const places = ticks.map(placeOf);
  const svg = draw(
    {
      width,
      height: 340,
      marginLeft,
      marginRight: 24,
      marginTop: 40,
      marginBottom: 54,
      x: { domain: [Math.min(...places) - 0.1, Math.max(...places) + 0.1] },
      y: { type: 'log', domain: [least, most] },
      marks: [
        gridX(places, { stroke: 'var(--line)', strokeOpacity: 1 }),
        gridY(values, { stroke: 'var(--line)', strokeOpacity: 1 }),
        axisX(places, { text: (_, i) => nameOf(ticks[i]), label: null }),
        axisY(values, { text: (value) => formatTick(value, unit), label: null }),
        labelAbove(axisLabel(chart.value), marginLeft, width),
        labelBelow('percentile: p99 is the time that 1 of 100 exceeds', inner),
        known.map(({ name, points }, i) => [
          link(
            points.filter((point) => point[2] != null && point[3] != null && point[2] > 0),
            {
              x1: (point) => placeOf(point[0]),
              x2: (point) => placeOf(point[0]),
              y1: (point) => point[2],
              y2: (point) => point[3],
              stroke: colourOf(i),
              strokeWidth: 1.5,
              strokeOpacity: 0.7,
              markerStart: 'tick',
              markerEnd: 'tick',
            },
          ),
          line(points, {
            x: ([percentile]) => placeOf(percentile),
            y: ([, value]) => value,
            stroke: colourOf(i),
            strokeWidth: 2,
          }),
          dot(points, {
            x: ([percentile]) => placeOf(percentile),
            y: ([, value]) => value,
            symbol: symbolOf(i),
            r: 4.5,
            fill: colourOf(i),
            title: ([percentile, value]) => `${name}, ${nameOf(percentile)}: ${formatValue(value, unit)}`,
          }),
        ]),
      ],
    },
    title,
  );
  return [svg, makeLegend(known.map(({ name }, i) => [lineSample(i), name]))];
}
