// Puts data into a page, as the tool does: `node render.mjs PAGE DATA.json OUT.html`. For development and tests.
import { readFile, writeFile } from 'node:fs/promises';
import { isProgram } from './program.mjs';

/** The line of a page that the data takes the place of. */
export const kMarker = '<!--schedbench-data-->';

/** Returns `page` with `json`, a text, inside. Whatever the text says, it cannot end the element around it. */
export function render(page, json) {
  const block = `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`;
  return page.replace(kMarker, () => block);
}

if (isProgram(import.meta.url)) {
  const [page, data, output] = process.argv.slice(2);
  if (!output) {
    console.error('usage: node render.mjs PAGE DATA.json OUT.html');
    process.exit(2);
  }
  await writeFile(output, render(await readFile(page, 'utf8'), await readFile(data, 'utf8')));
}
