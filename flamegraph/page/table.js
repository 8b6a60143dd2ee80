// The table of functions: self and total, sortable.
import { make } from '../shared/dom.js';
import { formatCount, formatShare, formatWeight } from '../shared/units.js';
import { functionsOf } from './functions.js';

const kMost = 200;
const kColumns = [['self', 'itself'], ['total', 'with all that it called'], ['name', 'function']];

/** Makes a table in `element`: show(tree, matches), where matches(name) is null or says which names to show. Calls onPick(i). */
export function makeTable(element, onPick) {
  let order = 'self';
  let shown = null;
  const known = new WeakMap();

  function show(tree, matches) {
    shown = [tree, matches];
    if (!known.has(tree)) {
      known.set(tree, functionsOf(tree));
    }
    const weights = known.get(tree);
    const byName = (a, b) => (tree.names[a] < tree.names[b] ? -1 : 1);
    const ids = tree.names.map((_, i) => i)
        .filter((i) => weights.total[i] > 0 && (!matches || matches(tree.names[i])))
        .sort(order === 'name' ? byName : (a, b) => weights[order][b] - weights[order][a] || byName(a, b));
    const head = make('tr');
    head.append(...kColumns.map(([key, title]) => {
      const cell = make('th', '', { scope: 'col', 'aria-sort': key !== order ? 'none' : key === 'name' ? 'ascending' : 'descending' });
      const button = make('button', title, { type: 'button' });
      button.addEventListener('click', () => { order = key; show(...shown); });
      cell.append(button);
      return cell;
    }));
    const rows = ids.slice(0, kMost).map((i) => {
      const row = make('tr');
      const name = make('td');
      const button = make('button', tree.names[i] || '(no name)', { type: 'button', title: 'Show its callers' });
      button.addEventListener('click', () => onPick(i));
      name.append(button);
      row.append(...['self', 'total'].map((key) =>
        make('td', `${formatWeight(weights[key][i], tree.unit)} · ${formatShare(weights[key][i], tree.total)}`)), name);
      return row;
    });
    const table = make('table');
    table.append(head, ...rows);
    const rest = ids.length - rows.length;
    element.replaceChildren(table, make('p', rest > 0 ? `${formatCount(rest)} more: the search shows those it finds` : ''));
  }

  return { show };
}
