// The row of tabs, one per graph.
import { make } from '../shared/dom.js';

/** Makes a tab for each name in `list`; calls onSelect(i). Returns {mark}, which shows one as selected. */
export function makeTabs(list, names, onSelect) {
  const tabs = names.map((name, i) => {
    const tab = make('button', name, { type: 'button', role: 'tab', 'aria-controls': 'picture' });
    tab.addEventListener('click', () => select(i));
    return tab;
  });
  list.replaceChildren(...tabs);
  list.hidden = names.length < 2;

  const mark = (i) => tabs.forEach((tab, at) => {
    tab.setAttribute('aria-selected', String(at === i));
    tab.tabIndex = at === i ? 0 : -1;
  });

  function select(i) {
    mark(i);
    onSelect(i);
  }

  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      const i = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
      tabs[i].focus();
      select(i);
      event.preventDefault();
    }
  });
  return { mark };
}
