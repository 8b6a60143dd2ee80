// A table below its chart. Long ones begin closed; a print has all of them.
import { make } from '../shared/dom.js';

const kLong = 16; // rows

/** Makes the table of a section with a button that opens and closes it. `alone`: there is no chart, so that it begins open. */
export function makeTable({ columns, rows }, title, alone) {
  const box = make('div', '', { class: 'table' });
  const button = make('button', '', { type: 'button' });
  const scroll = make('div', '', { class: 'scroll' });
  const show = (open) => {
    button.textContent = open
      ? 'Hide the table'
      : `Show the table (${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`;
    button.setAttribute('aria-expanded', String(open));
    box.classList.toggle('closed', !open);
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  const table = make('table', '', { 'aria-label': title });
  const align = columns.map((column) => (column.align === 'right' ? { class: 'right' } : {}));
  const head = table.createTHead().insertRow();
  head.append(...columns.map((column, i) => make('th', column.name, { scope: 'col', ...align[i] })));
  const body = table.createTBody();
  for (const cells of rows) {
    body.insertRow().append(...cells.map((cell, i) => make('td', cell, align[i])));
  }
  scroll.append(table);
  box.append(button, scroll);
  show(alone || rows.length <= kLong);
  return box;
}
