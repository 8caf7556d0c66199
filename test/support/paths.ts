import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, from wherever the compiled test lies. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** A file of the test fixtures. */
export const fixture = (...parts: string[]): string => join(ROOT, 'test', 'fixtures', ...parts);

/** A file of the material beside the repository, or undefined where there is none. */
export function shared(...parts: string[]): string | undefined {
  const path = join(ROOT, '..', 'shared', ...parts);
  return existsSync(path) ? path : undefined;
}

/** For `test(title, { skip: skipWithout(path) }, …)`: runs with the file, says plainly why not without it. */
export function skipWithout(path: string | undefined): false | string {
  return path === undefined ? 'the shared material is not beside this clone' : false;
}
