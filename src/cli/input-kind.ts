import { stat } from 'node:fs/promises';
import { ShiploadError } from '../errors.ts';
import { loadSourceAt } from '../session/import-load.ts';
import { isWorkloadFile } from '../session/open-workload.ts';
import { parseUrl } from './parse-values.ts';

/** What a command is given to work from; a file of another tool that becomes a scenario is one. `urls`: a list of them. */
export type InputKind = 'url' | 'log' | 'workload' | 'scenario' | 'urls';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `localhost:8080/x`, `10.0.0.1`, `[::1]:80`, `service.example:8080`: a place somebody forgot the scheme of. */
const PLACE =
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*(?=:\d))(?::\d{1,5})?(?:[/?]\S*)?$/i;

export const isUrlText = (input: string): boolean => SCHEME.test(input);
export const isScenarioPath = (input: string): boolean => /\.(ts|mts|cts|js|mjs|cjs)$/i.test(input);

/**
 * What the input is, found before anything else is asked; with `isLog`, what else it could be is not asked. Throws `url-invalid` for a URL that no load can be sent to,
 * `file-not-found` for a file that is not there, with the URL that may be meant, and `file-unreadable` for a folder.
 */
export async function inputKindOf(input: string, isLog = false): Promise<InputKind> {
  if (isUrlText(input)) {
    parseUrl('URL', input);
    return 'url';
  }
  if (input === '-') return 'log';
  const entry = await stat(input).catch(() => undefined);
  if (entry === undefined) throw noSuchInput(input);
  if (entry.isDirectory())
    throw new ShiploadError('file-unreadable', `${input} is a folder`, {
      where: input,
      hint: 'Name an access log, a workload, a scenario or a plan file in it; shipload report shows a run.',
    });
  const source = isLog ? undefined : await loadSourceAt(input);
  if (source !== undefined) return source.name === 'urls' ? 'urls' : 'scenario';
  if (isScenarioPath(input)) return 'scenario';
  return (await isWorkloadFile(input)) ? 'workload' : 'log';
}

function noSuchInput(input: string): ShiploadError {
  const hint = PLACE.test(input)
    ? `Did you mean http://${input} ?`
    : 'Name an access log, a workload, a scenario, a plan file, or a URL with its scheme: http://127.0.0.1:8080/';
  return new ShiploadError('file-not-found', `there is no file ${input}`, { where: input, hint });
}
