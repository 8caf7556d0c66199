import { LineCounter, parseDocument } from 'yaml';
import { ShiploadError } from '../../errors.ts';
import { isRecord } from '../../stats/is-record.ts';

/** References that lead on to references. */
const MOST_HOPS = 20;
/** Aliases of YAML that stand for aliases make a small file large. */
const MOST_ALIASES = 1000;

/** An API description as data, with the references within it. */
export class ApiDocument {
  readonly root: Readonly<Record<string, unknown>>;
  /** References that lead nowhere, or out of the document. */
  readonly unresolved = new Set<string>();

  constructor(root: Readonly<Record<string, unknown>>) {
    this.root = root;
  }

  /** An object, or the one its `$ref` leads to (RFC 6901 within the document); undefined for anything else. */
  resolved(value: unknown): Readonly<Record<string, unknown>> | undefined {
    let current = value;
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      if (!isRecord(current)) return undefined;
      const reference = current['$ref'];
      if (typeof reference !== 'string') return current;
      current = this.#at(reference);
      if (current === undefined) this.unresolved.add(reference);
    }
    return undefined;
  }

  #at(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    const keys = decoded(reference.slice(1)).split('/').slice(1);
    let current: unknown = this.root;
    for (const key of keys) {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
      current = (current as Record<string, unknown>)[name];
    }
    return current;
  }
}

/**
 * An OpenAPI 3.0, 3.1 or 3.2 document in JSON or YAML. Throws `import-invalid` with file, line and column for text
 * that is neither, and for other versions.
 */
export function readOpenApi(text: string, file: string): ApiDocument {
  const root = parsedData(text, file);
  if (isRecord(root) && /^3\.\d+/.test(versionOf(root['openapi']))) return new ApiDocument(root);
  const version = isRecord(root) ? versionOf(root['swagger']) : '';
  throw new ShiploadError(
    'import-invalid',
    version === '' ? 'this is no OpenAPI 3 document' : `this is Swagger ${version}, and OpenAPI 3 is read`,
    { where: file, ...(version !== '' && { hint: 'Convert it: npx swagger2openapi FILE' }) },
  );
}

const versionOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** JSON is YAML 1.2; JSON.parse is faster and takes any. Throws `import-invalid`. */
export function parsedData(text: string, file: string): unknown {
  if (/^\uFEFF?\s*\{/.test(text)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch {
      // Said below, with its place.
    }
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: 'error',
  });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new ShiploadError('import-invalid', fault.message, { where: `${file}:${line}:${col}` });
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ShiploadError('import-invalid', message, { where: file, cause });
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
