import { ScenarioFault } from '../errors.ts';
import { didYouMean } from '../stats/did-you-mean.ts';
import { parsePath } from './json-path.ts';
import { isPlaceholder } from './placeholder.ts';
import { CHECK_NAMES, REQUEST_OPTION_NAMES, type RequestOptions } from './request-options.ts';
import { shown } from './values.ts';
import { isRecord } from '../stats/is-record.ts';

const BODY_OPTIONS = ['json', 'form', 'multipart', 'body'] as const;
const OPTIONS: ReadonlySet<string> = new Set(REQUEST_OPTION_NAMES);
const CHECKS: ReadonlySet<string> = new Set(CHECK_NAMES);

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTextOrPattern: Test = (value) => typeof value === 'string' || value instanceof RegExp;
const isOctets: Test = (value) => typeof value === 'string' || value instanceof Uint8Array;
const isStatus: Test = (value) => typeof value === 'number' && Number.isInteger(value);
const isCount: Test = (value) => typeof value === 'number' && value >= 0;
const isFunction: Test = (value) => typeof value === 'function';
const isPlain: Test = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const PLAIN = 'text, a number, true or false';

/**
 * Throws a ScenarioFault for what a request cannot be: options and checks that are none, values that are not of their
 * kind, two bodies. JavaScript would turn most of them into text (`undefined`, `[object Object]`) and send that.
 */
export function requireOptions(options: RequestOptions): void {
  if (!isRecord(options))
    throw new ScenarioFault(`the options of a request are an object, not ${shown(options)}`);
  let bodies = 0;
  for (const name in options) {
    if (!OPTIONS.has(name))
      throw new ScenarioFault(`a request has no option "${name}"${didYouMean(name, REQUEST_OPTION_NAMES)}`);
    const value = options[name as keyof RequestOptions];
    if (value === undefined) continue;
    if ((BODY_OPTIONS as readonly string[]).includes(name)) bodies += 1;
    // A made-up value of a rehearsal stands for whatever an answer brings.
    if (!isPlaceholder(value)) OPTION_CHECKS[name as keyof RequestOptions]?.(value);
  }
  if (bodies > 1)
    throw new ScenarioFault('a request has one body: give one of json, form, multipart and body');
}

/** Throws a ScenarioFault for what is no method as HTTP spells it. */
export function requireMethod(method: string): void {
  if (typeof method === 'string' && /^[A-Z]+(?:-[A-Z]+)*$/.test(method)) return;
  throw new ScenarioFault(`${shown(method)} is no method such as GET or POST`);
}

const OPTION_CHECKS: Readonly<Partial<Record<keyof RequestOptions, (value: unknown) => void>>> = {
  name: (value) => requireKind('name', value, isText, 'text'),
  headers: (value) => requireEach('headers', value, isPlain, PLAIN),
  query: (value) => requireEach('query', value, isPlain, PLAIN),
  form: (value) => requireEach('form', value, isPlain, PLAIN),
  multipart: (value) =>
    requireEach('multipart', value, isPart, 'text, or a file as { filename, content, type }'),
  body: (value) => requireKind('body', value, isOctets, 'text or octets'),
  check: requireChecks,
};

function isPart(value: unknown): boolean {
  if (isPlain(value)) return true;
  if (!isRecord(value)) return false;
  const { filename, content, type, ...others } = value;
  return (
    typeof filename === 'string' &&
    isOctets(content) &&
    (type === undefined || typeof type === 'string') &&
    Object.keys(others).length === 0
  );
}

function requireChecks(checks: unknown): void {
  if (!isRecord(checks))
    throw new ScenarioFault(
      `check is an object such as { status: 200 }, not ${shown(checks)}; a function is { that: { name: … } }`,
    );
  for (const name in checks) {
    if (!CHECKS.has(name))
      throw new ScenarioFault(`there is no check "${name}"${didYouMean(name, CHECK_NAMES)}`);
    const value = checks[name];
    if (value !== undefined && !isPlaceholder(value))
      CHECK_KINDS[name as (typeof CHECK_NAMES)[number]](value);
  }
}

const CHECK_KINDS: Readonly<Record<(typeof CHECK_NAMES)[number], (value: unknown) => void>> = {
  status: (value) =>
    requireKind(
      'check.status',
      value,
      (status) => isStatus(status) || (Array.isArray(status) && status.length > 0 && status.every(isStatus)),
      'a status such as 200, or several as [200, 204]',
    ),
  json: (value) => {
    requireEach('check.json', value, () => true, '');
    for (const path in value as object) requirePath(path);
  },
  header: (value) => requireEach('check.header', value, isTextOrPattern, 'text or a pattern'),
  size: (value) => {
    requireEach('check.size', value, isCount, 'a number of octets');
    for (const name in value as object)
      if (name !== 'min' && name !== 'max')
        throw new ScenarioFault(`check.size has min and max, no "${name}"`);
  },
  text: (value) => requireKind('check.text', value, isTextOrPattern, 'text or a pattern'),
  that: (value) => requireEach('check.that', value, isFunction, 'a function of the answer'),
};

function requirePath(path: string): void {
  try {
    parsePath(path);
  } catch (error) {
    throw new ScenarioFault(`check.json: ${(error as Error).message}`);
  }
}

function requireKind(field: string, value: unknown, test: Test, kind: string): void {
  if (!test(value) && !isPlaceholder(value))
    throw new ScenarioFault(`${field} is ${shown(value)}, not ${kind}`);
}

function requireEach(field: string, record: unknown, test: Test, kind: string): void {
  if (!isRecord(record)) throw new ScenarioFault(`${field} holds values by name, and is ${shown(record)}`);
  for (const name in record)
    if (!test(record[name])) requireKind(`${field}.${name}`, record[name], test, kind);
}
