// The page of flame graphs: what is shown, and what the controls change of it.
import { dataText, expect, parseData } from '../shared/data.js';
import { byId, isTyping, run, showHeader, showLegend, showMessage } from '../shared/dom.js';
import { readFragment, writeFragment } from '../shared/fragment.js';
import { makeMatcher } from '../shared/match.js';
import { makeTip } from '../shared/tip.js';
import { makeChart } from './chart.js';
import { colourOfChange, colourOfContext, colourOfName, kMatch, legendOf } from './colours.js';
import { cut } from './cut.js';
import { describeDrawn, describeEmpty, describeFrame, describeGraph, describeSearch } from './describe.js';
import { difference } from './difference.js';
import { callersOf } from './functions.js';
import { search } from './search.js';
import { makeTable } from './table.js';
import { makeTabs } from './tabs.js';
import { kindOfNode, makeTree, nameOf } from './tree.js';
// After the library's styles, which it changes.
import './page.css';

function start(data) {
  expect(Array.isArray(data.graphs) && data.graphs.length > 0, 'it has no graphs');
  const trees = data.graphs.map(makeTree);
  showHeader(data.title ?? 'flame graph', data.facts ?? []);
  byId('controls').hidden = false;

  // `tree` is that of the tab, or that of the callers of one of its functions.
  const state = { tab: 0, tree: trees[0], focus: 0, icicle: false, widest: false, vanished: false, table: false, found: null,
    matcher: null, width: 0 };
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
    return tree.before ? colourOfChange(difference(tree, node)) : colourOfName(nameOf(tree, node), kindOfNode(tree, node));
  }

  // In a differential view colours say enough already: there the others step back.
  const isDim = (node) => Boolean(state.tree.before && state.found && !state.found.matches[node]);

  function draw() {
    const { tree, focus, icicle, widest } = state;
    tip.hide();
    const isOfCallers = tree.callersOf !== undefined;
    byId('reset').disabled = focus === 0 && !isOfCallers;
    byId('callers').disabled = focus === 0 && !isOfCallers;
    byId('callers').setAttribute('aria-pressed', String(isOfCallers));
    byId('functions').hidden = !state.table;
    if (state.table) {
      table.show(trees[state.tab], state.matcher);
    }
    byId('about').textContent = describeGraph(tree, state.vanished);
    byId('drawn').textContent = '';
    const isEmpty = weights()[0] === 0;
    showMessage(isEmpty ? describeEmpty(tree, state.vanished) : null);
    if (isEmpty) {
      return;
    }
    const width = byId('chart').clientWidth;
    state.width = width;
    const order = widest ? (a, b) => weights()[b] - weights()[a] : null;
    const view = cut(tree, weights(), focus, width, order);
    chart.draw(view.root, { width, icicle, colourOf, isDim });
    byId('drawn').textContent = describeDrawn(view);
  }

  function find() {
    const field = byId('search');
    state.found = null;
    state.matcher = null;
    let words = '';
    let isBad = false;
    try {
      const matcher = makeMatcher(field.value, byId('regex').checked);
      if (matcher) {
        state.matcher = matcher;
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

  function remember(isStep) {
    const { tab, tree, focus, icicle, widest, vanished } = state;
    writeFragment({
      graph: tab > 0 ? String(tab + 1) : '', callers: tree.callersOf === undefined ? '' : String(tree.callersOf),
      zoom: focus > 0 ? String(focus) : '', search: byId('search').value, regex: byId('regex').checked ? '1' : '',
      icicle: icicle ? '1' : '', widest: widest ? '1' : '', vanished: vanished ? '1' : '', table: state.table ? '1' : '',
    }, isStep);
  }

  function zoom(node) {
    state.focus = node;
    draw();
    remember(true);
  }

  // Shows the callers of a function, or the whole picture.
  function showCallers(name) {
    state.tree = name === null ? trees[state.tab] : callersOf(trees[state.tab], name);
    state.focus = 0;
    state.vanished = false;
    byId('vanished').setAttribute('aria-pressed', 'false');
    find();
    showRoot();
    remember(true);
  }

  const setPressed = (key, isOn) => {
    state[key] = isOn;
    byId(key).setAttribute('aria-pressed', String(isOn));
  };

  // Reads the fragment, which may be of another file: what does not exist here is left out.
  function restore() {
    const values = readFragment();
    const tab = Number(values.graph ?? 1) - 1;
    state.tab = trees[tab] ? tab : 0;
    const tree = trees[state.tab];
    const callers = Number(values.callers ?? -1);
    state.tree = Number.isInteger(callers) && callers >= 0 && callers < tree.names.length ? callersOf(tree, callers) : tree;
    const focus = Number(values.zoom ?? 0);
    state.focus = Number.isInteger(focus) && focus > 0 && focus < state.tree.count ? focus : 0;
    ['icicle', 'widest', 'vanished', 'table'].forEach((key) => setPressed(key, values[key] === '1'));
    setPressed('vanished', state.vanished && Boolean(state.tree.before));
    byId('search').value = values.search ?? '';
    byId('regex').checked = values.regex === '1';
    tabs.mark(state.tab);
    byId('vanished').hidden = !tree.before;
    showColours();
    find();
  }

  // A flame stands on its root, which is below the window where the tower is high.
  function showRoot() {
    const below = byId('picture').getBoundingClientRect().bottom - window.innerHeight;
    window.scrollTo(0, state.icicle || below <= 0 ? 0 : Math.ceil(window.scrollY + below + 18));
  }

  const showColours = () => showLegend(legendOf(trees[state.tab]));
  const table = makeTable(byId('functions'), showCallers);

  function toggle(id, key, after) {
    byId(id).addEventListener('click', () => {
      setPressed(key, !state[key]);
      after();
      remember(true);
    });
  }

  toggle('icicle', 'icicle', () => { draw(); showRoot(); });
  toggle('widest', 'widest', draw);
  toggle('vanished', 'vanished', () => { state.focus = 0; find(); showRoot(); });
  toggle('table', 'table', draw);
  byId('callers').addEventListener('click', () => showCallers(state.tree.callersOf === undefined
    ? state.tree.frame[state.focus - 1] : null));
  byId('reset').addEventListener('click', () => (state.tree.callersOf === undefined ? zoom(0) : showCallers(null)));
  byId('search').addEventListener('input', () => { find(); remember(false); });
  byId('regex').addEventListener('change', () => { find(); remember(false); });

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      byId('search').value = '';
      byId('search').blur();
      showCallers(null);
    } else if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) {
      return;
    } else if (event.key === '/') {
      byId('search').focus();
      event.preventDefault();
    } else if (event.key === 'i') {
      byId('icicle').click();
    }
  });

  const tabs = makeTabs(byId('tabs'), trees.map((tree) => tree.name), (i) => {
    state.tab = i;
    byId('vanished').hidden = !trees[i].before;
    showColours();
    showCallers(null);
  });
  restore();
  showRoot();
  window.addEventListener('popstate', restore);

  // Compared with what was drawn: the first picture may bring a scroll bar, which narrows it.
  new ResizeObserver(() => {
    if (byId('chart').clientWidth !== state.width && !byId('picture').hidden) {
      draw();
    }
  }).observe(byId('chart'));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { showColours(); draw(); });
}

run(() => start(parseData(dataText())));
