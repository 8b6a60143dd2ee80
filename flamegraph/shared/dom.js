// Small helpers. Names come from users: they get into the page as text and in no other way.
import { DataError } from './data.js';

/** Returns the element of the page's template with this id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element with text inside and attributes. */
export function make(tag, text = '', attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

/** Makes an element with text that breaks at no hyphen of a flag: a command that is copied stays whole. */
export function makeText(tag, text) {
  const element = make(tag);
  element.append(...text.split(/(?<=\s)(?=-)|(?<=\s-\S*)(?=\s)/).map((part) =>
    (/^-\S{1,60}$/.test(part) ? make('span', part, { class: 'flag' }) : part)));
  return element;
}

/** Shows a title and rows of [name, value] in the page's header. */
export function showHeader(title, facts) {
  document.title = `${title} · schedbench`;
  byId('title').textContent = title;
  byId('facts').replaceChildren(
      ...facts.flatMap(([name, value]) => {
        const row = make('div');
        row.append(make('dt', name), makeText('dd', value));
        return [row];
      }));
}

/** Shows what colours mean, as [colour, meaning]. */
export function showLegend(entries) {
  byId('legend').replaceChildren(...entries.map(([colour, meaning]) => {
    const item = make('li', meaning);
    const swatch = make('span', '', { class: 'swatch' });
    swatch.style.background = colour;
    item.prepend(swatch);
    return item;
  }));
}

/** Shows a sentence where the picture would be, or takes it away. */
export function showMessage(text, isError = false) {
  const message = byId('message');
  message.textContent = text ?? '';
  message.hidden = !text;
  message.classList.toggle('error', isError);
  byId('picture').hidden = Boolean(text);
}

/** Runs what fills the page. If that fails, the page says why: a blank one would be no answer. */
export function run(fill) {
  try {
    fill();
  } catch (error) {
    if (!(error instanceof DataError)) {
      showMessage(`This page has failed, which is a mistake of schedbench: ${error.message}`, true);
      throw error;
    }
    showMessage(error.message, true);
  }
}

/** Whether a key was meant for a field that takes text. */
export const isTyping = (event) =>
  event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
