import { type ImportedBody, type ImportedPart, MOST_BODY_CHARACTERS } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import type { ApiDocument } from './openapi-document.ts';
import { valueOfSchema } from './openapi-values.ts';

/** A body, and its content type where sending it does not bring one. */
export interface ApiBody {
  readonly body: ImportedBody;
  readonly type?: string;
}

const PREFERRED = [
  /^application\/json\b/i,
  /\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\//i,
];

/**
 * The body of an operation, by the content type that says most: its example, else a value of its schema. `onMadeUp`
 * is told what no example gives.
 */
export function bodyOfContent(
  content: Readonly<Record<string, unknown>>,
  document: ApiDocument,
  onMadeUp: (what: string) => void,
): ApiBody | undefined {
  const types = Object.keys(content);
  const type =
    PREFERRED.map((pattern) => types.find((name) => pattern.test(name))).find((name) => name !== undefined) ??
    types[0];
  const media = type === undefined ? undefined : document.resolved(content[type]);
  if (type === undefined || media === undefined) return undefined;
  const told = exampleOf(media, document);
  if (told === undefined) onMadeUp('the body');
  const value = told ?? valueOfSchema(media['schema'], document, () => onMadeUp('a text with a pattern'));
  const files = fileMembers(media['schema'], document);
  return laidOut(value, type.replace('*/*', 'application/json'), files, onMadeUp);
}

function exampleOf(media: Readonly<Record<string, unknown>>, document: ApiDocument): unknown {
  const { example, examples, schema } = media;
  if (example !== undefined) return example;
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  const value = document.resolved(first)?.['value'];
  return value ?? document.resolved(schema)?.['example'];
}

/** Members of a form that are files: text of octets (`format: binary`), or of a media type of their own. */
function fileMembers(schema: unknown, document: ApiDocument): ReadonlySet<string> {
  const properties = document.resolved(schema)?.['properties'];
  const isFile = (one: unknown): boolean => {
    const { format, contentMediaType, contentEncoding } = document.resolved(one) ?? {};
    return format === 'binary' || (typeof contentMediaType === 'string' && contentEncoding === undefined);
  };
  const isList = (one: unknown): boolean => isFile(document.resolved(one)?.['items']);
  if (!isRecord(properties)) return new Set();
  return new Set(
    Object.keys(properties).filter((name) => isFile(properties[name]) || isList(properties[name])),
  );
}

function laidOut(
  value: unknown,
  type: string,
  files: ReadonlySet<string>,
  onMadeUp: (what: string) => void,
): ApiBody | undefined {
  if (/urlencoded/i.test(type) && isRecord(value)) {
    const pairs = Object.entries(value).flatMap(([name, member]) =>
      [member].flat().map((one): [string, string] => [name, asText(one)]),
    );
    return { body: { kind: 'text', text: new URLSearchParams(pairs).toString() }, type };
  }
  if (/^multipart\//i.test(type) && isRecord(value)) {
    const parts = Object.entries(value).flatMap(([name, member]): readonly ImportedPart[] => {
      if (!files.has(name)) return [{ name, value: asText(member) }];
      const [first] = [member].flat() as readonly unknown[];
      return [{ name, filename: name, content: asText(first) }];
    });
    return { body: { kind: 'multipart', parts } };
  }
  if (/json/i.test(type) && (typeof value !== 'string' || !/^\s*[[{]/.test(value))) {
    if ((JSON.stringify(value) ?? '').length > MOST_BODY_CHARACTERS) return tooLong(onMadeUp);
    return { body: { kind: 'json', value }, ...(type !== 'application/json' && { type }) };
  }
  const text = asText(value);
  if (text.length > MOST_BODY_CHARACTERS) return tooLong(onMadeUp);
  return { body: { kind: 'text', text }, type };
}

function tooLong(onMadeUp: (what: string) => void): undefined {
  onMadeUp('no body (the example is too long)');
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
