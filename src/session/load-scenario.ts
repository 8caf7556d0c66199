import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildFailure, Plugin } from 'esbuild';
import { ShiploadError } from '../errors.ts';
import type { ImportedLoad } from '../import/loads/imported-load.ts';
import { type CompiledScenario, compileScenario } from '../scenario/compile.ts';
import { placeOfField, placeOfName } from './field-place.ts';
import { importedScenario, requireRequests, requireSecrets } from './imported-scenario.ts';
import { readText } from './read-text.ts';

/** What a scenario file imports as `shipload`: this very library, so that there is one of it. */
const LIBRARY = new URL('../index.js', import.meta.url);
/** Stands for it in the script: it lies elsewhere on every machine. */
const LIBRARY_PLACE = 'shipload-library:index';
/** Packages of the older kind, bundled in, still ask for `require`. */
const BANNER =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** A scenario that can be run, and what it was made from where it is another tool's file. */
export interface LoadedScenario {
  readonly compiled: CompiledScenario;
  readonly imported?: ImportedLoad;
}

/**
 * Runs a scenario file as it is, in TypeScript or JavaScript, and checks what it exports; of another tool's file, the
 * scenario that it stands for (`origin`: where the load goes; `isDry`: nothing will be sent, its secrets may be made
 * up). Throws `scenario-invalid` with file, line and column for
 * what cannot be compiled, what throws while it is loaded, and a wrong scenario; `import-invalid`; `file-not-found` or
 * `file-unreadable` for the file.
 */
export async function loadScenario(path: string, origin?: string, isDry = false): Promise<LoadedScenario> {
  const { code, imported } = await bundled(path, origin, isDry);
  const compiled = await loadScenarioCode(code, path);
  return { compiled, ...(imported !== undefined && { imported }) };
}

/** The file with all that it imports as one script, which `loadScenarioCode` runs here or on another machine. */
export const bundleScenario = async (path: string, origin?: string): Promise<string> =>
  (await bundled(path, origin, false)).code;

async function bundled(
  path: string,
  origin: string | undefined,
  isDry: boolean,
): Promise<{ readonly code: string; readonly imported?: ImportedLoad }> {
  await readText(path);
  const made = await importedScenario(path, origin, isDry);
  if (made !== undefined) requireRequests(made.imported, path);
  if (made !== undefined && !isDry) requireSecrets(made.imported, path);
  const code = await bundle(path, made?.text);
  return { code, ...(made !== undefined && { imported: made.imported }) };
}

/** As `loadScenario`, from what `bundleScenario` made of the file at `path`. */
export async function loadScenarioCode(code: string, path: string): Promise<CompiledScenario> {
  process.setSourceMapsEnabled(true);
  const folder = await mkdtemp(join(tmpdir(), 'shipload-scenario-'));
  try {
    const file = join(folder, 'scenario.mjs');
    await writeFile(file, code.replaceAll(LIBRARY_PLACE, LIBRARY.href));
    const exports = (await importing(file, path)) as { readonly default?: unknown };
    if (exports.default === undefined)
      throw new ShiploadError('scenario-invalid', 'the file has no default export', {
        where: path,
        hint: 'End it with: export default scenario({ journeys: { … } })',
      });
    return compileScenario(exports.default);
  } catch (error) {
    throw named(error, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `text`: in place of the file's own. */
async function bundle(path: string, text: string | undefined): Promise<string> {
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      ...(text === undefined
        ? { entryPoints: [resolve(path)] }
        : {
            stdin: {
              contents: text,
              resolveDir: dirname(resolve(path)),
              sourcefile: resolve(path),
              loader: 'ts' as const,
            },
          }),
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      sourceRoot: pathToFileURL('/').href,
      outfile: '/scenario.mjs',
      banner: { js: BANNER },
      logLevel: 'silent',
      plugins: [thisLibrary],
    });
    return outputFiles[0]!.text;
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    if (first === undefined) throw error;
    const { location, text } = first;
    const where = location === null ? path : `${location.file}:${location.line}:${location.column + 1}`;
    throw new ShiploadError('scenario-invalid', text, { where, cause: error });
  }
}

const thisLibrary: Plugin = {
  name: 'this-library',
  setup: (build) =>
    build.onResolve({ filter: /^shipload$/ }, () => ({ path: LIBRARY_PLACE, external: true })),
};

async function importing(file: string, path: string): Promise<unknown> {
  try {
    return (await import(pathToFileURL(file).href)) as unknown;
  } catch (error) {
    if (error instanceof ShiploadError) throw error;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const missing = /shipload|index\.js/.test(message) && /export named '([^']+)'/.exec(message)?.[1];
    if (typeof missing === 'string')
      throw new ShiploadError('scenario-invalid', `shipload exports no "${missing}"`, {
        where: placeOfName(path, missing) ?? path,
        cause: error,
      });
    throw new ShiploadError('scenario-invalid', `the file cannot be loaded: ${message}`, {
      where: placeOf(error, path) ?? path,
      cause: error,
    });
  }
}

/** A fault of the scenario with the name of its file. */
function named(error: unknown, path: string): unknown {
  if (!(error instanceof ShiploadError) || error.where?.startsWith(path) === true) return error;
  const { code, message, hint, where, cause } = error;
  if (where !== undefined && /:\d+:\d+$/.test(where)) return error;
  const place = where === undefined ? placeOf(error, path) : placeOfField(path, where);
  return new ShiploadError(code, where === undefined ? message : `${where}: ${message}`, {
    where: place ?? path,
    ...(hint !== undefined && { hint }),
    cause: cause ?? error,
  });
}

/** `path:line:column` of the first place in the scenario's own file that a stack names; undefined without one. */
export function placeOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const own = resolve(path);
  for (const [, file, position] of error.stack.matchAll(/\(?((?:file:\/\/)?\/[^\s():]+):(\d+:\d+)\)?/g)) {
    const plain = file!.startsWith('file:') ? fileURLToPath(file!) : file!;
    if (plain === own) return `${path}:${position}`;
  }
  return undefined;
}
