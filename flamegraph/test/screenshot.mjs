// `node test/screenshot.mjs PAGE_WITH_DATA OUT.png [light|dark] [WIDTH] [EXPRESSION] [HEIGHT]`: how a page
// looks, after an expression has run in it.
import { readFile } from 'node:fs/promises';
import { startBrowser } from './browser.mjs';

const [input, output, scheme = 'light', width = '1280', expression = '', height = '640'] = process.argv.slice(2);
if (!output) {
  console.error('usage: node test/screenshot.mjs PAGE_WITH_DATA OUT.png [light|dark] [WIDTH] [EXPRESSION] [HEIGHT]');
  process.exit(2);
}
const browser = await startBrowser();
const page = await browser.open(await readFile(input, 'utf8'), { width: Number(width), height: Number(height) });
await page.prefer(scheme);
if (expression) {
  await page.evaluate(expression);
}
await page.screenshot(output);
console.error(page.console.join('\n') || 'the console is clean');
await browser.close();
