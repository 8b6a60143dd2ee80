// Checks the data of the charts before anything is drawn. A message names the place: sections[0].chart.lines[1].points[2].
import { expect } from '../shared/data.js';

const isText = (value) => typeof value === 'string';
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const text = (value, place) => expect(isText(value), `${place} is no text`);
const number = (value, place) => expect(isNumber(value), `${place} is no number`);
const object = (value, place) => expect(isObject(value), `${place} is no object`);
const maybe = (check) => (value, place) => value === undefined || value === null || check(value, place);

function list(value, place, check) {
  expect(Array.isArray(value), `${place} is no list`);
  value.forEach((item, i) => check(item, `${place}[${i}]`));
}
const texts = (value, place) => list(value, place, text);

function isOneOf(value, place, allowed) {
  expect(allowed.includes(value), `${place} is ${JSON.stringify(value)}, which is none of ${allowed.join(', ')}`);
}

function axis(value, place) {
  object(value, place);
  text(value.name, `${place}.name`);
  text(value.unit, `${place}.unit`);
  maybe((better) => isOneOf(better, `${place}.better`, ['higher', 'lower', 'none']))(value.better);
}

/** The logarithm of a value must exist. */
const positive = (value, place) => expect(isNumber(value) && value > 0, `${place} is no number above 0`);

/** Objects with `low` and `high` around `value`; all may be missing together. */
function estimate(item, place, check = number) {
  object(item, place);
  text(item.name, `${place}.name`);
  maybe(check)(item.value, `${place}.value`);
  maybe(check)(item.low, `${place}.low`);
  maybe(check)(item.high, `${place}.high`);
  maybe(text)(item.note, `${place}.note`);
}

/** [x, y] or [x, y, low, high]; low and high may be null. */
function point(item, place) {
  expect(
    Array.isArray(item) &&
      (item.length === 2 || item.length === 4) &&
      isNumber(item[0]) &&
      isNumber(item[1]) &&
      item.slice(2).every((end) => end === null || isNumber(end)),
    `${place} is neither [x, y] nor [x, y, low, high]`,
  );
}

function line(item, place) {
  object(item, place);
  text(item.name, `${place}.name`);
  list(item.points, `${place}.points`, point);
}
const lines = (value, place) => list(value, place, line);

const kChecks = {
  distribution(chart, place) {
    axis(chart.value, `${place}.value`);
    text(chart.of, `${place}.of`);
    list(chart.groups, `${place}.groups`, (group, at) => {
      object(group, at);
      text(group.name, `${at}.name`);
      list(group.values, `${at}.values`, number);
    });
  },
  frame(chart, place) {
    text(chart.page, `${place}.page`);
  },
  intervals(chart, place) {
    axis(chart.value, `${place}.value`);
    text(chart.reference, `${place}.reference`);
    list(chart.groups, `${place}.groups`, (group, at) => {
      object(group, at);
      text(group.name, `${at}.name`);
      list(group.rows, `${at}.rows`, (row, below) => {
        estimate(row, below, positive);
        maybe(text)(row.verdict, `${below}.verdict`);
      });
    });
  },
  percentiles(chart, place) {
    axis(chart.value, `${place}.value`);
    lines(chart.lines, `${place}.lines`);
    chart.lines.forEach((one, i) =>
      one.points.forEach(([percentile], j) =>
        expect(
          percentile > 0 && percentile <= 100,
          `${place}.lines[${i}].points[${j}] has no percentile above 0 and up to 100`,
        ),
      ),
    );
  },
  curve(chart, place) {
    axis(chart.x, `${place}.x`);
    axis(chart.value, `${place}.value`);
    lines(chart.lines, `${place}.lines`);
    for (const flag of ['logarithmic', 'connected', 'from_zero', 'marked']) {
      expect(['boolean', 'undefined'].includes(typeof chart[flag]), `${place}.${flag} is neither true nor false`);
    }
    maybe(lines)(chart.fits, `${place}.fits`);
    maybe(line)(chart.ideal, `${place}.ideal`);
    const mark = (item, at) => {
      object(item, at);
      number(item.x, `${at}.x`);
      text(item.name, `${at}.name`);
    };
    maybe(mark)(chart.border, `${place}.border`);
    maybe((marks, at) => list(marks, at, mark))(chart.marks, `${place}.marks`);
    maybe(texts)(chart.names, `${place}.names`);
  },
  heatmap(chart, place) {
    axis(chart.value, `${place}.value`);
    for (const side of ['rows', 'columns']) {
      object(chart[side], `${place}.${side}`);
      text(chart[side].name, `${place}.${side}.name`);
      texts(chart[side].values, `${place}.${side}.values`);
    }
    const [rows, columns] = [chart.rows.values.length, chart.columns.values.length];
    expect(Array.isArray(chart.cells) && chart.cells.length === rows, `${place}.cells is no list of ${rows} rows`);
    chart.cells.forEach((row, i) => {
      list(row, `${place}.cells[${i}]`, maybe(number));
      expect(row.length === columns, `${place}.cells[${i}] has ${row.length} values instead of ${columns}`);
    });
    maybe(text)(chart.missing, `${place}.missing`);
  },
  bars(chart, place) {
    axis(chart.value, `${place}.value`);
    maybe(text)(chart.reference, `${place}.reference`);
    list(chart.bars, `${place}.bars`, (bar, at) => {
      estimate(bar, at);
      maybe(number)(bar.reference, `${at}.reference`);
    });
  },
  stacked(chart, place) {
    axis(chart.value, `${place}.value`);
    texts(chart.parts, `${place}.parts`);
    list(chart.bars, `${place}.bars`, (bar, at) => {
      object(bar, at);
      text(bar.name, `${at}.name`);
      list(bar.values, `${at}.values`, (value, below) =>
        expect(isNumber(value) && value >= 0, `${below} is no number that is at least 0`),
      );
      expect(
        bar.values.length === chart.parts.length,
        `${at} has ${bar.values.length} values instead of ${chart.parts.length}`,
      );
    });
  },
};

function table(value, place) {
  object(value, place);
  list(value.columns, `${place}.columns`, (column, at) => {
    object(column, at);
    text(column.name, `${at}.name`);
    maybe((align) => isOneOf(align, `${at}.align`, ['left', 'right']))(column.align);
  });
  list(value.rows, `${place}.rows`, (row, at) => {
    texts(row, at);
    expect(row.length === value.columns.length, `${at} has ${row.length} cells instead of ${value.columns.length}`);
  });
}

/** Fails with a DataError unless `data` has the form that README.md describes. `kinds`: of charts. */
export function checkCharts(data, kinds) {
  maybe((notes, place) =>
    list(notes, place, (note, at) => {
      texts(note, at);
      expect(note.length === 2, `${at} is no pair of a text and a remedy`);
    }),
  )(data.notes, 'notes');
  list(data.sections, 'sections', (section, place) => {
    object(section, place);
    text(section.title, `${place}.title`);
    maybe(text)(section.about, `${place}.about`);
    maybe(text)(section.empty, `${place}.empty`);
    maybe(texts)(section.sentences, `${place}.sentences`);
    maybe(table)(section.table, `${place}.table`);
    if (section.chart) {
      object(section.chart, `${place}.chart`);
      isOneOf(section.chart.kind, `${place}.chart.kind`, kinds);
      kChecks[section.chart.kind](section.chart, `${place}.chart`);
    }
  });
}
