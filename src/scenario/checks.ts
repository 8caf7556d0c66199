import { remembered } from '../stats/remembered.ts';
import type { Answer } from './answer.ts';
import { sameJson, valueAt } from './json-path.ts';
import type { Checks } from './request-options.ts';

/** Told of each check that was made, and whether it passed. */
export interface CheckListener {
  checked(name: string, passed: boolean): void;
}

const jsonCheckName = remembered((path) => `json ${path}`);
const headerCheckName = remembered((name) => `header ${name}`);
const statusCheckName = remembered((status) => `status ${status}`);

/** Makes every check; returns the name of the first that failed, undefined where all pass. */
export function failedCheck(checks: Checks, answer: Answer, listener: CheckListener): string | undefined {
  const { status, json, header, size, text, that } = checks;
  let failed: string | undefined;
  const told = (name: string, passed: boolean): void => {
    listener.checked(name, passed);
    if (!passed) failed ??= name;
  };
  if (typeof status === 'number') told(statusCheckName(String(status)), answer.status === status);
  else if (status !== undefined) told(statusCheckName(status.join('|')), status.includes(answer.status));
  for (const path in json)
    told(
      jsonCheckName(path),
      holds(() => holdsAt(answer.json(), path, json[path])),
    );
  for (const name in header) told(headerCheckName(name), matches(answer.header(name), header[name]!));
  if (size !== undefined)
    told(
      'size',
      holds(() => isWithin(answer.bytes().length, size)),
    );
  if (text !== undefined)
    told(
      'text',
      holds(() => contains(answer.text(), text)),
    );
  for (const name in that)
    told(
      name,
      holds(() => that[name]!(answer)),
    );
  return failed;
}

/** A check that cannot be made (no JSON to look into) has failed. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

function holdsAt(value: unknown, path: string, wanted: unknown): boolean {
  const found = valueAt(value, path);
  return found !== undefined && sameJson(found, wanted);
}

function matches(value: string | undefined, wanted: string | RegExp): boolean {
  if (value === undefined) return false;
  return typeof wanted === 'string' ? value === wanted : contains(value, wanted);
}

/** A pattern with a memory (`g`, `y`) would find in turns. */
const contains = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text.includes(wanted) : text.search(wanted) >= 0;

const isWithin = (size: number, { min = 0, max = Infinity }: NonNullable<Checks['size']>): boolean =>
  size >= min && size <= max;
