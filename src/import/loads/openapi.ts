import { ShiploadError } from '../../errors.ts';
import type { HttpMethod } from '../../scenario/request-options.ts';
import { countText } from '../../stats/wording.ts';
import {
  type ImportedBody,
  type ImportedJourney,
  type ImportedLoad,
  type ImportedText,
  methodOf,
  type Secret,
  textOfParts,
  type TextPart,
} from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import { type ApiDocument, readOpenApi } from './openapi-document.ts';
import { bodyOfContent } from './openapi-body.ts';
import { ApiParameters } from './openapi-parameters.ts';
import { ApiSecurity } from './openapi-security.ts';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;
const MOST_NOTES = 30;
const CHANGING: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The operations of an OpenAPI 3 document, each a journey of one request with the same weight: from its examples,
 * else from its schemas. Throws `import-invalid` for another document, or one without operations.
 */
export function importOpenApi(text: string, file: string): ImportedLoad {
  const document = readOpenApi(text, file);
  const reader = new OperationReader(document);
  const journeys = [...reader.journeys()];
  if (journeys.length === 0)
    throw new ShiploadError('import-invalid', 'the document describes no operation that could be sent', {
      where: file,
      hint: 'Its paths need get, post, put, patch or delete.',
    });
  const changing = reader.methods.filter((method) => CHANGING.has(method)).length;
  const { title } = isRecord(document.root['info']) ? document.root['info'] : {};
  const named = typeof title === 'string' ? ` of ${title}` : '';
  return {
    source: 'openapi',
    summary: `an OpenAPI document${named}: ${countText(journeys.length, 'operation')}, all with the same weight`,
    journeys,
    secrets: reader.secrets,
    notes: [
      ...(changing === 0 ? [] : [`${countText(changing, 'operation')} change what the service holds.`]),
      ...reader.notes(),
    ],
  };
}

class OperationReader {
  readonly methods: HttpMethod[] = [];
  readonly #document: ApiDocument;
  readonly #security: ApiSecurity;
  readonly #madeUp: string[] = [];
  readonly #notes: string[] = [];

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#security = new ApiSecurity(document);
  }

  get secrets(): readonly Secret[] {
    return this.#security.secrets;
  }

  notes(): readonly string[] {
    const { unresolved, root } = this.#document;
    return [
      ...shortened('Made up, since the document has no example', this.#madeUp),
      ...shortened('References that lead nowhere within the document', [...unresolved]),
      ...(isRecord(root['webhooks']) ? ['Webhooks are sent by the service and left out.'] : []),
      ...this.#notes.slice(0, MOST_NOTES),
    ];
  }

  *journeys(): Generator<ImportedJourney> {
    const base = basePathOf(this.#document.root);
    const names = new Set<string>();
    for (const [path, item] of Object.entries(recordOf(this.#document.root['paths']))) {
      const operations = this.#document.resolved(item);
      if (!path.startsWith('/') || operations === undefined) continue;
      for (const verb of METHODS) {
        const operation = this.#document.resolved(operations[verb]);
        const method = methodOf(verb);
        if (operation === undefined) continue;
        if (method === undefined) {
          this.#notes.push(`${verb.toUpperCase()} ${path}: scenarios do not send ${verb.toUpperCase()}.`);
          continue;
        }
        const { operationId } = operation;
        const wanted =
          typeof operationId === 'string' && operationId !== '' ? operationId : `${method} ${path}`;
        let name = wanted;
        for (let n = 2; names.has(name); n += 1) name = `${wanted} (${n})`;
        names.add(name);
        this.methods.push(method);
        yield { name, groups: [{ steps: [this.#step(method, base, path, operations, operation)] }] };
      }
    }
  }

  #step(
    method: HttpMethod,
    base: string,
    path: string,
    shared: Readonly<Record<string, unknown>>,
    operation: Readonly<Record<string, unknown>>,
  ) {
    const what = `${method} ${path}`;
    const parameters = new ApiParameters(this.#document, [shared, operation], (name, where) =>
      this.#madeUp.push(`${name} (${where}) of ${what}`),
    );
    const credentials = this.#security.credentials(operation['security']);
    for (const scheme of credentials.unknown)
      this.#notes.push(`${what}: the security scheme ${scheme} is not known.`);
    const content = this.#document.resolved(operation['requestBody'])?.['content'];
    const body = bodyOfContent(recordOf(content), this.#document, (note) =>
      this.#madeUp.push(`${note} of ${what}`),
    );
    const query = [...parameters.query(), ...credentials.query];
    const cookies = [...parameters.cookies(), ...credentials.cookies];
    const headers: Record<string, ImportedText> = {
      ...(body?.type !== undefined && { 'Content-Type': body.type }),
      ...parameters.headers(),
      ...credentials.headers,
      ...(cookies.length > 0 && { Cookie: textOfParts(joinedBy('; ', cookies)) }),
    };
    const target = textOfParts([
      base,
      ...parameters.path(path),
      ...(query.length === 0 ? [] : ['?', ...joinedBy('&', query)]),
    ]);
    const sent: ImportedBody | undefined = body?.body;
    return {
      kind: 'request' as const,
      request: {
        method,
        target,
        name: `${base}${path}`.replaceAll(
          /\{([^{}]*)\}/g,
          (_, name: string) => `[${name.replaceAll(/[^\w-]/g, '_')}]`,
        ),
        headers,
        ...(sent !== undefined && { body: sent }),
      },
    };
  }
}

const joinedBy = (sign: string, groups: readonly (readonly TextPart[])[]): readonly TextPart[] =>
  groups.flatMap((group, i) => (i === 0 ? group : [sign, ...group]));

function shortened(about: string, items: readonly string[]): readonly string[] {
  const unique = [...new Set(items)];
  if (unique.length === 0) return [];
  const more = unique.length > MOST_NOTES ? `, and ${unique.length - MOST_NOTES} more` : '';
  return [`${about}: ${unique.slice(0, MOST_NOTES).join(', ')}${more}.`];
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** Path of the first server, its variables at their defaults; without its last slash. */
function basePathOf(root: Readonly<Record<string, unknown>>): string {
  const [server] = Array.isArray(root['servers']) ? (root['servers'] as unknown[]) : [];
  const { url, variables } = recordOf(server);
  if (typeof url !== 'string') return '';
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const { default: usual } = recordOf(recordOf(variables)[name]);
    return typeof usual === 'string' ? usual : '';
  });
  const path = filled.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}
