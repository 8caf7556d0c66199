import type { ApiDocument } from './openapi-document.ts';
import { isRecord } from '../../stats/is-record.ts';

/** Schemas may refer to themselves; deeper than this nothing more is filled in. */
const MOST_DEPTH = 12;
/** Schemas that branch fill in no more than this many values. */
const MOST_VALUES = 2000;

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/example',
  byte: 'ZXhhbXBsZQ==',
  binary: 'example',
  password: 'password',
};

/**
 * The value of a schema (JSON Schema as OpenAPI 3.0 and 3.1 use it): its example, default, constant or first enum
 * value, else the same made-up one every time: by type and format, within its bounds. Objects have their required
 * members and those that bring an example. `isPatterned` is told of patterns, which are not followed.
 */
export function valueOfSchema(schema: unknown, document: ApiDocument, onPattern: () => void): unknown {
  return new SchemaValues(document, onPattern).value(schema, 0);
}

class SchemaValues {
  readonly #document: ApiDocument;
  readonly #onPattern: () => void;
  #count = 0;
  /** Those that are being filled in. */
  readonly #open = new Set<unknown>();

  constructor(document: ApiDocument, onPattern: () => void) {
    this.#document = document;
    this.#onPattern = onPattern;
  }

  value(given: unknown, depth: number): unknown {
    this.#count += 1;
    const own = this.#document.resolved(given);
    const isWithinItself = own !== undefined && this.#open.has(own);
    if (own === undefined || isWithinItself || depth > MOST_DEPTH || this.#count > MOST_VALUES)
      return own !== undefined && typeOf(own) === 'object'
        ? {}
        : own !== undefined && typeOf(own) === 'array'
          ? []
          : null;
    this.#open.add(own);
    const value = this.#filled(this.#merged(own, depth) ?? own, depth);
    this.#open.delete(own);
    return value;
  }

  #filled(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
    const told = toldValue(schema);
    if (told !== undefined) return told;
    const type = typeOf(schema);
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') return this.#array(schema, depth);
    if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer');
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    return this.#string(schema);
  }

  /** A schema with what it refers to and all of `allOf`, and the first of `oneOf` or `anyOf`. */
  #merged(given: unknown, depth: number): Readonly<Record<string, unknown>> | undefined {
    const schema = this.#document.resolved(given);
    if (schema === undefined || depth > MOST_DEPTH) return schema;
    const branches = [
      ...listOf(schema['allOf']),
      ...[schema['oneOf'], schema['anyOf']].map((choice) => firstKind(choice, this.#document)),
    ].filter((branch) => branch !== undefined);
    if (branches.length === 0) return schema;
    const { allOf: _, oneOf: __, anyOf: ___, ...own } = schema;
    this.#count += branches.length;
    if (this.#count > MOST_VALUES) return own;
    const all = [...branches.map((branch) => this.#merged(branch, depth + 1) ?? {}), own];
    const properties = joined(all.map((one) => (isRecord(one['properties']) ? one['properties'] : {})));
    const required = [...new Set(all.flatMap((one) => listOf(one['required'])))];
    return {
      ...joined(all),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }

  #object(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    const required = new Set(listOf(schema['required']));
    const members = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
      const member = this.#document.resolved(property);
      if (member?.['readOnly'] === true) return [];
      if (!required.has(name) && (member === undefined || exampleOf(member) === undefined)) return [];
      return depth >= MOST_DEPTH ? [] : [[name, this.value(property, depth + 1)]];
    });
    return Object.fromEntries(members);
  }

  #array(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
    const count = Math.max(1, Math.min(20, countOf(schema['minItems'])));
    if (depth >= MOST_DEPTH || schema['items'] === undefined) return [];
    const first = this.value(schema['items'], depth + 1);
    return schema['uniqueItems'] === true ? [first] : Array.from({ length: count }, () => first);
  }

  #string(schema: Readonly<Record<string, unknown>>): string {
    if (typeof schema['pattern'] === 'string') this.#onPattern();
    const known = BY_FORMAT[typeof schema['format'] === 'string' ? schema['format'] : ''];
    const text = typeof known === 'string' ? known : 'example';
    const least = Math.min(10_000, countOf(schema['minLength']));
    const most = schema['maxLength'] === undefined ? Infinity : countOf(schema['maxLength']);
    return text.length < least ? text.padEnd(least, 'example') : text.slice(0, Math.max(most, least));
  }
}

/** Members of all, the last of a name winning; one named `__proto__` is a member like others. */
const joined = (records: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

/** A value that the schema itself gives. */
function toldValue(schema: Readonly<Record<string, unknown>>): unknown {
  const example = exampleOf(schema);
  if (example !== undefined) return example;
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['default'] !== undefined) return schema['default'];
  return listOf(schema['enum'])[0];
}

const exampleOf = (schema: Readonly<Record<string, unknown>>): unknown =>
  schema['example'] ?? listOf(schema['examples'])[0];

/** OpenAPI 3.1 lists types, `null` among them; 3.0 says `nullable`. What says no type shows it by its keywords. */
function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
  const type = types.find((one) => typeof one === 'string' && one !== 'null') ?? types[0];
  if (typeof type === 'string') return type;
  if (isRecord(schema['properties'])) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** The least that is allowed, and 1 where that is allowed. */
function numberOf(schema: Readonly<Record<string, unknown>>, isWhole: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = isWhole ? 1 : 0.5;
  const least = Math.max(
    boundOf(minimum, -Infinity) + (exclusiveMinimum === true ? step : 0),
    boundOf(exclusiveMinimum, -Infinity) + step,
  );
  const most = Math.min(
    boundOf(maximum, Infinity) - (exclusiveMaximum === true ? step : 0),
    boundOf(exclusiveMaximum, Infinity) - step,
  );
  const value = Math.max(least, Math.min(most, 1));
  const factor = boundOf(multipleOf, 0);
  const fitting = factor > 0 ? Math.ceil(value / factor) * factor : isWhole ? Math.ceil(value) : value;
  return Number.isFinite(fitting) ? fitting : 1;
}

const boundOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

const countOf = (value: unknown): number => Math.max(0, Math.floor(boundOf(value, 0)));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The first that is more than `null`. */
function firstKind(choice: unknown, document: ApiDocument): unknown {
  const branches = listOf(choice);
  return branches.find((branch) => document.resolved(branch)?.['type'] !== 'null') ?? branches[0];
}
