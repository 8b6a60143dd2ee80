// Whether a module is the program that was started, or was imported by one.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Takes the module's import.meta.url. A program may be started through a link. */
export const isProgram = (url) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
