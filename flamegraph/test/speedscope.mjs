// speedscope's own importer of trace events, out of the bundle that its package is.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

const kRelease = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/speedscope/dist/release');

// The function that takes a parsed trace, and behind it the one that initializes its module.
const kImporter = /function (\w+)\((\w+)\)\{return (?:\w+\(\2\)\?\w+\(\2(?:\.traceEvents)?(?:,"\w+")?\):)+\2\}[^]*?,?(\w+)=\w+\(\(\)=>\{/;

function loadImporter() {
  const file = readdirSync(kRelease).find((name) => /^speedscope-.*\.js$/.test(name));
  const bundle = readFileSync(join(kRelease, file), 'utf8');
  const found = kImporter.exec(bundle);
  if (!found) {
    throw new Error(`${file} has no importer of the known form`);
  }
  const [, importer, , initialize] = found;
  const exported = `globalThis.importTrace=(trace)=>{${initialize}();return ${importer}(trace)};`;
  const warnings = [];
  const context = createContext({ console: { ...console, warn: (text) => warnings.push(text) } });
  try {
    runInContext(bundle.slice(0, found.index) + exported + bundle.slice(found.index), context);
  } catch {
    // The application itself needs a browser; the importer stands before it.
  }
  return { importTrace: context.importTrace, warnings };
}

/** Returns what speedscope makes of a trace: for each track its name and its calls, and the importer's warnings. */
export function readBySpeedscope(text) {
  const { importTrace, warnings } = loadImporter();
  const { profiles } = importTrace(JSON.parse(text));
  const tracks = profiles.map((profile) => {
    const calls = [];
    const open = [];
    profile.forEachCall(
        (node, start) => open.push({ name: node.frame.name, start, depth: open.length }),
        (node, end) => calls.push({ ...open.pop(), end }));
    return { name: profile.getName(), calls };
  });
  return { tracks, warnings };
}
