// Draws the timeline on its canvas.
import { drawArrows, drawCounter, drawInstants, drawRuler, arrowsIn, instantsIn } from './draw_marks.js';
import { drawSlices, fit } from './draw_slices.js';
import { drawOffCpu } from './draw_off_cpu.js';
import { makeLayout } from './layout.js';
import { sliceColour, theme } from './theme.js';

const kFont = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/** Colours by name and kind, each worked out once. */
function colourTable(model) {
  const known = new Map();
  return (id) => {
    const kind = model.slices.kind[id];
    const name = model.slices.name[id];
    const key = name * 4 + kind;
    if (!known.has(key)) {
      known.set(key, sliceColour(kind, model.names[name]));
    }
    return known.get(key);
  };
}

function drawNames(canvas, model, view) {
  view.tracks.forEach(({ top, counters }, track) => {
    canvas.fillStyle = view.colours.text;
    canvas.fillText(fit(canvas, model.tracks[track], view.left - 10), 0, top + view.lane / 2);
    canvas.fillStyle = view.colours.soft;
    for (const { index, top: y } of counters) {
      canvas.fillText(fit(canvas, model.counters[index].name, view.left - 10), 0, y + view.counter / 2);
    }
  });
}

/** The height that the window has for the canvas, with what is below it in sight; of a long summary its begin. */
function roomOf(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const foot = element.parentElement.getBoundingClientRect().bottom - bottom;
  const summary = document.getElementById('summary').getBoundingClientRect().height;
  return window.innerHeight - (top + window.scrollY) - foot - Math.min(summary, window.innerHeight / 3) - 20;
}

/** Returns a function that draws a span: draw(span, isDim), which returns what it drew, for pointing at. */
export function makeDraw(element, model) {
  let colourOf = colourTable(model);
  const draw = (span, isDim) => {
    const width = element.clientWidth;
    const layout = makeLayout(model, width, roomOf(element));
    const scale = window.devicePixelRatio || 1;
    element.style.height = `${layout.height}px`;
    element.width = Math.round(width * scale);
    element.height = Math.round(layout.height * scale);
    const perNs = (layout.right - layout.left) / (span.end - span.start);
    const view = {
      ...layout,
      span,
      isDim,
      colourOf,
      colours: { ...theme(), ink: '#1b1e22' },
      xOf: (time) => layout.left + (time - span.start) * perNs,
      timeAt: (x) => span.start + (x - layout.left) / perNs,
    };

    const canvas = element.getContext('2d');
    canvas.scale(scale, scale);
    canvas.font = kFont;
    canvas.textBaseline = 'middle';
    drawRuler(canvas, model, view);
    drawNames(canvas, model, view);
    canvas.save();
    canvas.beginPath();
    canvas.rect(view.left, 0, view.right - view.left, view.height);
    canvas.clip();
    view.boxes = 0;
    view.tracks.forEach(({ top, counters }, track) => {
      canvas.fillStyle = view.colours.lane;
      canvas.fillRect(view.left, top, view.right - view.left, view.lane);
      view.boxes += drawSlices(canvas, model, track, top, view);
      drawOffCpu(canvas, model, track, top, view);
      counters.forEach(({ index, top: y }) => drawCounter(canvas, model, index, y, view));
    });
    view.arrows = arrowsIn(model, span);
    drawArrows(canvas, model, view.arrows ?? [], view);
    view.instants = instantsIn(model, span);
    drawInstants(canvas, model, view.instants ?? [], view);
    canvas.restore();
    return view;
  };
  draw.forgetColours = () => { colourOf = colourTable(model); };
  return draw;
}
