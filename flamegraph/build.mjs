// Builds one self-contained page: `node build.mjs OUTPUT [page|timeline|charts]`. Scripts, styles and licences are inside,
// and its policy lets nothing else in. The data comes later, in place of the marker (README.md).
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { notices } from './notices.mjs';
import { isProgram } from './program.mjs';
import { kMarker } from './render.mjs';

const kHere = dirname(fileURLToPath(import.meta.url));

async function bundle(folder) {
  const result = await build({
    absWorkingDir: kHere,
    entryPoints: [join(kHere, folder, 'main.js')],
    outdir: '/out',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'inline',
    metafile: true,
    write: false,
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  return { script: text('.js'), style: text('.css'), inputs: Object.keys(result.metafile.inputs) };
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// The pages that a page may contain in a frame: they obey its policy too.
const kFramed = { charts: ['page', 'timeline'] };

/** Returns the text of the page that `folder` describes. */
export async function makePage(folder) {
  const { script, style, inputs } = await bundle(folder);
  const all = [{ script, style }, ...(await Promise.all((kFramed[folder] ?? []).map(bundle)))];
  const hashes = (part) => all.map((one) => hashOf(one[part])).join(' ');
  const parts = {
    policy: `default-src 'none'; script-src ${hashes('script')}; style-src ${hashes('style')}; base-uri 'none'; form-action 'none'`,
    style: `<style>${style}</style>`,
    data: kMarker,
    script: `<script>${script}</script>`,
    licences: await notices(kHere, inputs),
  };
  const template = await readFile(join(kHere, folder, 'template.html'), 'utf8');
  const page = template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  if (page.split(kMarker).length !== 2) {
    throw new Error('the marker of the data must stand in the page exactly once');
  }
  return page;
}

async function main([output, folder = 'page']) {
  if (!output) {
    console.error('usage: node build.mjs OUTPUT [page|timeline|charts]');
    process.exit(2);
  }
  const page = await makePage(folder);
  await mkdir(dirname(output), { recursive: true });
  // Renamed when whole, so that a build that is interrupted leaves no half of a page.
  await writeFile(`${output}.part`, page);
  await rename(`${output}.part`, output);
  console.error(`${output}: ${Buffer.byteLength(page)} bytes`);
}

if (isProgram(import.meta.url)) {
  await main(process.argv.slice(2));
}
