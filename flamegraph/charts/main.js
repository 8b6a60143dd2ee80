// The page of charts: sections, each with a chart, sentences and a table.
import { dataText, parseData } from '../shared/data.js';
import { byId, make, makeText, run, showHeader, showMessage } from '../shared/dom.js';
import { drawBars } from './bars.js';
import { checkCharts } from './check.js';
import { drawCurve } from './curve.js';
import { drawDistribution } from './distribution.js';
import { drawFrame } from './frame.js';
import { drawHeatmap } from './heatmap.js';
import { drawIntervals } from './intervals.js';
import { drawPercentiles } from './percentiles.js';
import { drawStacked } from './stacked.js';
import { makeTable } from './table.js';
import './charts.css';

const kKinds = {
  bars: drawBars,
  curve: drawCurve,
  distribution: drawDistribution,
  frame: drawFrame,
  heatmap: drawHeatmap,
  intervals: drawIntervals,
  percentiles: drawPercentiles,
  stacked: drawStacked,
};

const kWidest = 960; // px; a wider chart is harder to read, not easier

/** Shows a section and returns what draws its chart in a width, or null for a section without a chart. */
function showSection({ title, about, chart, empty, sentences = [], table }, parent) {
  const section = make('section');
  section.append(make('h2', title));
  if (about) {
    section.append(make('p', about, { class: 'about' }));
  }
  let draw = null;
  if (chart) {
    const figure = make('figure', '', { class: chart.kind });
    section.append(figure);
    draw = (width) => {
      const children = kKinds[chart.kind](chart, { width, title });
      // A frame that is put in its own place begins anew.
      if (children[0] !== figure.firstChild) {
        figure.replaceChildren(...children);
      }
    };
  } else if (empty) {
    section.append(make('p', empty, { class: 'empty' }));
  }
  if (sentences.length > 0) {
    const list = make('ul', '', { class: 'sentences' });
    list.append(...sentences.map((sentence) => make('li', sentence)));
    section.append(list);
  }
  if (table) {
    section.append(makeTable(table, title, !chart));
  }
  parent.append(section);
  return draw;
}

function showNotes(notes) {
  byId('notes').hidden = notes.length === 0;
  byId('notes').replaceChildren(
    ...notes.map(([text, remedy]) => {
      const item = make('li', text);
      if (remedy) {
        item.append(makeText('code', remedy));
      }
      return item;
    }),
  );
}

function start(data) {
  checkCharts(data, Object.keys(kKinds));
  showHeader(data.title ?? 'result', data.facts ?? []);
  showNotes(data.notes ?? []);
  if (data.sections.length === 0) {
    showMessage('This result is empty: nothing was measured.');
    return;
  }
  const picture = byId('picture');
  picture.hidden = false;
  const draws = data.sections.map((section) => showSection(section, picture)).filter(Boolean);
  let drawn = 0;
  const drawAll = () => {
    const width = Math.min(picture.clientWidth, kWidest);
    if (width > 0 && width !== drawn) {
      drawn = width;
      draws.forEach((draw) => draw(width));
    }
  };
  drawAll();
  new ResizeObserver(drawAll).observe(picture);
}

run(() => start(parseData(dataText())));
