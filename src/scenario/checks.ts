import type { Answer } from './answer.ts';
import { sameJson } from './json-path.ts';
import type { Checks } from './request-options.ts';

/** Tells the check that was made, and whether it passed. */
export type CheckListener = (name: string, passed: boolean) => void;

/** Makes every check; returns the name of the first that failed, undefined where all pass. */
export function failedCheck(checks: Checks, answer: Answer, listener: CheckListener): string | undefined {
  let failed: string | undefined;
  for (const { name, test } of testsOf(checks)) {
    const passed = holds(test, answer);
    listener(name, passed);
    if (!passed) failed ??= name;
  }
  return failed;
}

/** A check that cannot be made (no JSON to look into) has failed. */
function holds(test: (answer: Answer) => boolean, answer: Answer): boolean {
  try {
    return test(answer);
  } catch {
    return false;
  }
}

interface NamedTest {
  readonly name: string;
  readonly test: (answer: Answer) => boolean;
}

function testsOf(checks: Checks): readonly NamedTest[] {
  const { status, json = {}, header = {}, size, text, that = {} } = checks;
  const tests: NamedTest[] = [];
  if (status !== undefined) {
    const wanted = typeof status === 'number' ? [status] : status;
    tests.push({ name: `status ${wanted.join('|')}`, test: (answer) => wanted.includes(answer.status) });
  }
  for (const [path, value] of Object.entries(json))
    tests.push({ name: `json ${path}`, test: (answer) => sameJson(answer.json(path), value) });
  for (const [name, value] of Object.entries(header))
    tests.push({ name: `header ${name}`, test: (answer) => matches(answer.header(name), value) });
  if (size !== undefined)
    tests.push({ name: 'size', test: (answer) => isWithin(answer.bytes().length, size) });
  if (text !== undefined) tests.push({ name: 'text', test: (answer) => contains(answer.text(), text) });
  for (const [name, test] of Object.entries(that)) tests.push({ name, test });
  return tests;
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
