// The page of flame graphs: what is shown, and what the controls change of it.
import { dataText, expect, parseData } from '../shared/data.js';
import { byId, isTyping, run, showHeader, showLegend, showMessage } from '../shared/dom.js';
import { makeMatcher } from '../shared/match.js';
import { makeTip } from '../shared/tip.js';
import { makeChart } from './chart.js';
import { colourOfChange, colourOfContext, colourOfName, kMatch, legendOf } from './colours.js';
import { cut } from './cut.js';
import { describeDrawn, describeEmpty, describeFrame, describeGraph, describeSearch } from './describe.js';
import { difference } from './difference.js';
import { search } from './search.js';
import { makeTabs } from './tabs.js';
import { makeTree, nameOf } from './tree.js';
// After the library's styles, which it changes.
import './page.css';

function start(data) {
  expect(Array.isArray(data.graphs) && data.graphs.length > 0, 'it has no graphs');
  const trees = data.graphs.map(makeTree);
  showHeader(data.title ?? 'flame graph', data.facts ?? []);
  byId('controls').hidden = false;

  const state = { tree: trees[0], focus: 0, icicle: false, widest: false, vanished: false, found: null };
  const tip = makeTip(byId('tip'));
  const weights = () => (state.vanished ? state.tree.gone : state.tree.value);
  const total = () => (state.vanished ? state.tree.totalBefore : state.tree.total);

  const chart = makeChart(byId('chart'), {
    onHover: (event, node) => tip.show(event, nameOf(state.tree, node), describeFrame(state.tree, node, state.vanished)),
    onLeave: tip.hide,
    onZoom: (node) => zoom(node),
  });

  function colourOf(node) {
    const { tree, found, vanished } = state;
    if (found && found.matches[node] && !tree.before) {
      return kMatch;
    }
    // On the way to what has vanished there are frames that have not.
    if (node === 0 || (vanished && tree.value[node] > 0)) {
      return colourOfContext();
    }
    return tree.before ? colourOfChange(difference(tree, node)) : colourOfName(nameOf(tree, node));
  }

  // In a differential view colours say enough already: there the others step back.
  const isDim = (node) => Boolean(state.tree.before && state.found && !state.found.matches[node]);

  function draw() {
    const { tree, focus, icicle, widest } = state;
    tip.hide();
    byId('reset').disabled = focus === 0;
    byId('about').textContent = describeGraph(tree, state.vanished);
    byId('drawn').textContent = '';
    const isEmpty = weights()[0] === 0;
    showMessage(isEmpty ? describeEmpty(tree, state.vanished) : null);
    if (isEmpty) {
      return;
    }
    const width = byId('chart').clientWidth;
    const order = widest ? (a, b) => weights()[b] - weights()[a] : null;
    const view = cut(tree, weights(), focus, width, order);
    chart.draw(view.root, { width, icicle, colourOf, isDim });
    byId('drawn').textContent = describeDrawn(view);
  }

  function find() {
    const field = byId('search');
    state.found = null;
    let words = '';
    let isBad = false;
    try {
      const matcher = makeMatcher(field.value, byId('regex').checked);
      if (matcher) {
        state.found = search(state.tree, weights(), matcher);
        words = describeSearch(state.found, total());
      }
    } catch (error) {
      isBad = true;
      words = `not a regular expression: ${error.message}`;
    }
    field.setAttribute('aria-invalid', String(isBad));
    byId('found').textContent = words;
    draw();
  }

  function zoom(node) {
    state.focus = node;
    draw();
  }

  // A flame stands on its root, which is below the window where the tower is high.
  function showRoot() {
    const high = byId('picture').getBoundingClientRect().bottom > window.innerHeight;
    window.scrollTo(0, state.icicle || !high ? 0 : document.documentElement.scrollHeight);
  }

  const showColours = () => showLegend(legendOf(state.tree));

  function toggle(id, key, after) {
    byId(id).addEventListener('click', () => {
      state[key] = !state[key];
      byId(id).setAttribute('aria-pressed', String(state[key]));
      after();
    });
  }

  toggle('icicle', 'icicle', () => { draw(); showRoot(); });
  toggle('widest', 'widest', draw);
  toggle('vanished', 'vanished', () => { state.focus = 0; find(); showRoot(); });
  byId('reset').addEventListener('click', () => zoom(0));
  byId('search').addEventListener('input', find);
  byId('regex').addEventListener('change', find);

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      byId('search').value = '';
      byId('search').blur();
      state.focus = 0;
      find();
    } else if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) {
      return;
    } else if (event.key === '/') {
      byId('search').focus();
      event.preventDefault();
    } else if (event.key === 'i') {
      byId('icicle').click();
    }
  });

  const select = makeTabs(byId('tabs'), trees.map((tree) => tree.name), (i) => {
    state.tree = trees[i];
    state.focus = 0;
    state.vanished = false;
    byId('vanished').setAttribute('aria-pressed', 'false');
    byId('vanished').hidden = !state.tree.before;
    showColours();
    find();
    showRoot();
  });
  select(0);

  let width = byId('chart').clientWidth;
  new ResizeObserver(() => {
    // Drawing changes the height, and must not call itself.
    if (byId('chart').clientWidth !== width && !byId('picture').hidden) {
      width = byId('chart').clientWidth;
      draw();
    }
  }).observe(byId('chart'));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { showColours(); draw(); });
}

run(() => start(parseData(dataText())));
