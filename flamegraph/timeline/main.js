// The page of timelines: what is shown, and what wheel, pointer and keys change of it.
import { dataText, parseData } from '../shared/data.js';
import { byId, isTyping, make, run, showHeader, showLegend, showMessage } from '../shared/dom.js';
import { makeTip } from '../shared/tip.js';
import { formatCount, formatTime } from '../shared/units.js';
import { makeDraw } from './draw.js';
import { findSlices, nextMatch } from './find.js';
import { makeModel } from './model.js';
import { pick, sliceUnder } from './pick.js';
import { showPinned } from './pin.js';
import { makeSpan } from './span.js';
import { legendOf } from './theme.js';
import './timeline.css';

const kStep = 0.2;
const kFactor = 1.4;

function showAbout(model) {
  showHeader(model.title, [['window', formatTime(model.end_ns - model.start_ns)],
    ['marks', formatCount(model.events)], ...model.facts]);
  byId('overwritten').hidden = model.overwritten === 0;
  byId('overwritten').textContent = `${formatCount(model.overwritten)} events before this window were overwritten: it is ` +
      'shorter than was asked for. Larger rings hold more (schedbench trace --events).';
  byId('summary').textContent = model.summary.join('\n');
}

function start(data) {
  const model = makeModel(data);
  showAbout(model);
  if (model.events === 0) {
    showMessage('Nothing was recorded: no event lies in this window.');
    return;
  }
  showMessage(null);
  byId('controls').hidden = false;

  const canvas = byId('canvas');
  const span = makeSpan(model.start_ns, model.end_ns);
  const draw = makeDraw(canvas, model);
  const tip = makeTip(byId('tip'));
  let view = null;
  let found = null;
  let pointer = null;
  let pinned = -1;
  let pressedAt = null;
  let isAsked = false;

  function describe() {
    const from = formatTime(span.start - model.start_ns);
    byId('shown').textContent = `${formatTime(span.end - span.start)} from ${from}`;
    byId('reset').disabled = span.isWhole();
    const hidden = [[view.arrows, 'arrows'], [view.instants, 'instants']].filter(([ids]) => ids === null);
    byId('hidden').textContent = hidden.length > 0
      ? `too many ${hidden.map(([, what]) => what).join(' and ')} to draw: zoom in to see them` : '';
  }

  // Once a frame, however many events ask for it.
  function redraw() {
    if (isAsked) {
      return;
    }
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      const { name, kind } = model.slices;
      view = draw(span, (id) => (found !== null && !found.matches[id]) ||
          (pinned >= 0 && (name[id] !== name[pinned] || kind[id] !== kind[pinned])));
      describe();
      point();
    });
  }

  function point() {
    const what = pointer && pick(model, view, pointer.x, pointer.y);
    if (what) {
      tip.show(pointer.event, what.name, what.lines);
    } else {
      tip.hide();
    }
  }

  const shareAt = (x) => Math.min(Math.max((x - view.left) / (view.right - view.left), 0), 1);
  const zoom = (factor, share = pointer ? shareAt(pointer.x) : 0.5) => { span.zoom(factor, share); redraw(); };
  const pan = (share) => { span.pan(share); redraw(); };
  const reset = () => { span.reset(); redraw(); };

  function find() {
    const { result, words, isBad } = findSlices(model, byId('search').value, byId('regex').checked);
    found = result;
    byId('found').textContent = words;
    byId('search').setAttribute('aria-invalid', String(isBad));
    byId('next').disabled = !found || found.count === 0;
    redraw();
  }

  function next() {
    if (found && found.count > 0) {
      const id = nextMatch(model, found, span.start);
      const { start: starts, duration } = model.slices;
      span.show(starts[id], starts[id] + duration[id]);
      redraw();
    }
  }

  canvas.addEventListener('wheel', (event) => {
    // Over the names it scrolls the page: many workers are higher than the window.
    if (event.offsetX < view.left) {
      return;
    }
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      pan((event.deltaX || event.deltaY) / 1000);
    } else {
      zoom(1.0015 ** event.deltaY, shareAt(event.offsetX));
    }
  }, { passive: false });
  function pin(id) {
    pinned = id;
    showPinned(model, id);
    redraw();
  }

  canvas.addEventListener('pointerdown', (event) => {
    pressedAt = event.button === 0 ? event.offsetX : null;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', (event) => {
    // Otherwise it was dragged.
    if (pressedAt !== null && Math.abs(event.offsetX - pressedAt) < 4) {
      pin(sliceUnder(model, view, event.offsetX, event.offsetY));
    }
    pressedAt = null;
  });
  canvas.addEventListener('pointermove', (event) => {
    const from = pointer?.x;
    pointer = { event, x: event.offsetX, y: event.offsetY };
    if (canvas.hasPointerCapture(event.pointerId) && from !== undefined) {
      pan((from - pointer.x) / (view.right - view.left));
    } else {
      point();
    }
  });
  canvas.addEventListener('pointerleave', () => { pointer = null; tip.hide(); });

  const kCommands = {
    w: () => zoom(1 / kFactor), s: () => zoom(kFactor), '+': () => zoom(1 / kFactor), '=': () => zoom(1 / kFactor),
    '-': () => zoom(kFactor), a: () => pan(-kStep), d: () => pan(kStep), ArrowLeft: () => pan(-kStep),
    ArrowRight: () => pan(kStep), 0: reset, n: next, '/': () => byId('search').focus(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      byId('search').value = '';
      byId('search').blur();
      pin(-1);
      find();
      reset();
    } else if (event.key === 'Enter' && event.target === byId('search')) {
      next();
    } else if (!event.ctrlKey && !event.altKey && !event.metaKey && !isTyping(event) && kCommands[event.key]) {
      kCommands[event.key]();
      event.preventDefault();
    }
  });
  for (const [id, command] of [['in', kCommands.w], ['out', kCommands.s], ['back', kCommands.a],
    ['forth', kCommands.d], ['reset', reset], ['next', next]]) {
    byId(id).addEventListener('click', command);
  }
  byId('search').addEventListener('input', find);
  byId('regex').addEventListener('change', find);

  const showColours = () => showLegend(legendOf(model));
  showColours();
  new ResizeObserver(redraw).observe(byId('picture'));
  window.addEventListener('resize', redraw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    draw.forgetColours();
    showColours();
    redraw();
  });
  redraw();
}

run(() => start(parseData(dataText())));
