import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { ERROR_CODES } from '../src/errors.ts';
import { ROOT } from './support/paths.ts';

const SRC = join(ROOT, 'src');

/** Pure folders and what each may import besides itself; node:, the clock and chance are outside. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  model: [],
  stats: ['model', 'errors.ts'],
  'access-log': ['model', 'stats', 'errors.ts'],
  workload: ['model', 'stats', 'errors.ts'],
  scenario: ['model', 'stats', 'errors.ts'],
  // Translates: it shares the reading of archives, what is private, and the words of scenarios.
  import: ['model', 'stats', 'errors.ts', 'access-log', 'workload', 'scenario'],
  'plan-file': ['model', 'stats', 'errors.ts'],
  load: ['model', 'stats', 'errors.ts'],
  analysis: ['model', 'stats', 'errors.ts'],
  verdict: ['model', 'stats', 'errors.ts'],
  record: ['model', 'stats', 'errors.ts'],
  report: ['model', 'stats', 'errors.ts'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** First folder (or file) below src/, for relative imports. */
  readonly place: string | undefined;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join(SRC, name));

const imports: readonly Import[] = files.flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].map((match) => {
    const specifier = match[1]!;
    const place = specifier.startsWith('.')
      ? relative(SRC, resolve(dirname(path), specifier)).split('/')[0]
      : undefined;
    return { file: relative(SRC, path), specifier, place };
  });
});

test('pure folders import the model, the numerics and themselves, and nothing of the world', () => {
  const wrong = imports.filter(({ file, specifier, place }) => {
    const folder = file.split('/')[0]!;
    const allowed = PURE[folder];
    if (allowed === undefined) return false;
    if (place !== undefined) return place !== folder && !allowed.includes(place);
    // They read stored files, plans, scripts and packed logs, and nothing of the world: unpacking is computation.
    return !['zod', 'yaml', 'acorn', 'node:zlib'].includes(specifier);
  });
  assert.deepEqual(wrong, []);
});

test('pure folders do not ask for the time, for chance or for the process', () => {
  const world = /\b(Date\.now|new Date\(\)|Math\.random|process\.|performance\.now|setTimeout|setInterval)\b/;
  const wrong = files
    .map((path) => relative(SRC, path))
    .filter((file) => PURE[file.split('/')[0]!] !== undefined)
    .filter((file) =>
      world.test(readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*/gm, '')),
    );
  assert.deepEqual(wrong, []);
});

test('edges never reach up: nothing below the command line imports it, nothing pure imports an edge', () => {
  const wrong = imports.filter(({ file, place }) => place === 'cli' && !file.startsWith('cli/'));
  assert.deepEqual(wrong, []);
});

test('only the command line’s main ends the process', () => {
  const wrong = files
    .map((path) => relative(SRC, path))
    .filter((file) => file !== 'cli/main.ts' && !file.startsWith('demo/'))
    .filter((file) => /process\.exit\b/.test(readFileSync(join(SRC, file), 'utf8')));
  assert.deepEqual(wrong, []);
});

test('docs/errors.md lists every error code with its exit code, and no other', () => {
  const text = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z-]+)` *\| (\d+) *\|/gm)].map((match) => [
    match[1]!,
    Number(match[2]),
  ]);
  assert.deepEqual(Object.fromEntries(listed), { ...ERROR_CODES });
});

test('nothing tracked by the source names a path of a machine', () => {
  const wrong = files.filter((path) => /(^|[^.\w])\/(root|home|Users)\//.test(readFileSync(path, 'utf8')));
  assert.deepEqual(wrong, []);
});
