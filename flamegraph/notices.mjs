// What the licences of the bundled packages ask to be kept with every copy: names, copyrights and the texts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns a comment with the notices for the packages among `inputs`, the bundled files relative to `root`; nothing if
 * there are none. Fails if a package has no licence.
 */
export async function notices(root, inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) {
      folders.add(found[1]);
    }
  }
  if (folders.size === 0) {
    return '';
  }
  const holders = [];
  const texts = new Map();
  for (const folder of [...folders].sort()) {
    const about = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const licence = (await readFile(join(root, folder, 'LICENSE'), 'utf8')).trim();
    const lines = licence.split('\n');
    const isCopyright = (line) => /^\s*Copyright.*\d{4}/.test(line);
    const copyrights = lines.filter(isCopyright).map((line) => line.trim());
    holders.push([about.name, about.version, `(${about.license})`, ...copyrights].join(' '));
    // One text serves all packages whose licences differ in whose they are only.
    const body = lines.filter((line) => !isCopyright(line)).join('\n').trim();
    texts.set(body.replace(/\s+/g, ' '), body);
  }
  const all = [`This page contains:\n${holders.join('\n')}`, ...texts.values()].join('\n\n');
  // Two hyphens could end the comment.
  return `<!--\n${all.replace(/--+/g, '-')}\n-->`;
}
