// Reads the block of data that the tool has put into a page.

/** What is wrong with the data, in a sentence for the user. */
export class DataError extends Error {}

/** The version of the schema that the pages of this folder read (README.md). */
export const kVersion = 1;

// Characters that reorder or hide text, raw or as JSON writes them; other escapes stay as they are.
const kUnsafe = /\\(?:u(061c|200[ef]|202[89a-e]|206[6-9]|feff)|[^])|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gi;

/** Returns a JSON text in which names cannot reorder the page: they show U+202E as \u202e. */
const withoutUnsafe = (json) => json.replace(kUnsafe, (match, code) => (code ? `\\\\u${code}`
  : match.length > 1 ? match : `\\\\u${match.codePointAt(0).toString(16).padStart(4, '0')}`));

/** Returns the data from the text of its block, null for a page without one. */
export function parseData(text) {
  if (text === null) {
    throw new DataError('This page holds no data: it is the empty viewer. schedbench writes pages with data in them.');
  }
  let data;
  try {
    data = JSON.parse(withoutUnsafe(text));
  } catch (error) {
    throw new DataError(`The data of this page cannot be read; the file may be torn. ${error.message}`);
  }
  if (data === null || typeof data !== 'object' || !('version' in data)) {
    throw new DataError('The data of this page does not say of which version it is.');
  }
  if (data.version !== kVersion) {
    throw new DataError(`The data of this page has version ${data.version}; the page reads version ${kVersion}. ` +
        'Make it again with one schedbench.');
  }
  const { title = '', facts = [] } = data;
  const isFact = (fact) => Array.isArray(fact) && fact.length === 2 && fact.every((text) => typeof text === 'string');
  expect(typeof title === 'string', 'its title is no text');
  expect(Array.isArray(facts) && facts.every(isFact), 'its facts are no pairs of texts');
  return data;
}

/** Returns the text of the page's block of data, or null. */
export function dataText() {
  const block = document.getElementById('data');
  return block === null ? null : block.textContent;
}

/** Fails with a DataError that says `what`, unless `condition`. */
export function expect(condition, what) {
  if (!condition) {
    throw new DataError(`The data of this page is broken: ${what}.`);
  }
}
