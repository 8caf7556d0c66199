import { type ImportedText, type Secret, type TextPart } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import type { ApiDocument } from './openapi-document.ts';
import { variableName } from './secrets.ts';

/** What shows who sends, for one operation. */
export interface Credentials {
  readonly headers: Readonly<Record<string, ImportedText>>;
  readonly query: readonly (readonly TextPart[])[];
  readonly cookies: readonly (readonly TextPart[])[];
  /** Names of schemes that the document does not define, or that HTTP requests cannot carry. */
  readonly unknown: readonly string[];
}

/** Security schemes as environment variables, named after the scheme. */
export class ApiSecurity {
  readonly #document: ApiDocument;
  readonly #secrets = new Map<string, Secret>();

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  get secrets(): readonly Secret[] {
    return [...this.#secrets.values()];
  }

  /** Those of the first alternative; none where one alternative is to send none. */
  credentials(own: unknown): Credentials {
    const asked = own ?? this.#document.root['security'];
    const alternatives = (Array.isArray(asked) ? (asked as unknown[]) : []).filter(isRecord);
    const names = alternatives.some((one) => Object.keys(one).length === 0)
      ? []
      : Object.keys(alternatives[0] ?? {});
    const schemes = names.map((name) => this.#scheme(name));
    return {
      headers: Object.fromEntries(schemes.flatMap(({ headers = [] }) => headers)),
      query: schemes.flatMap(({ query }) => (query === undefined ? [] : [query])),
      cookies: schemes.flatMap(({ cookie }) => (cookie === undefined ? [] : [cookie])),
      unknown: schemes.flatMap(({ unknown }) => unknown ?? []),
    };
  }

  /** Schemes whose names differ in signs only have variables of their own. */
  #variableOf(name: string): string {
    const known = this.#secrets.get(name);
    if (known !== undefined) return known.variable;
    const taken = new Set(this.secrets.map(({ variable }) => variable));
    const wanted = variableName(name);
    let variable = wanted;
    for (let n = 2; taken.has(variable); n += 1) variable = `${wanted}_${n}`;
    return variable;
  }

  #scheme(name: string): {
    readonly headers?: readonly (readonly [string, ImportedText])[];
    readonly query?: readonly TextPart[];
    readonly cookie?: readonly TextPart[];
    readonly unknown?: string;
  } {
    const components = this.#document.resolved(this.#document.root['components']);
    const schemes = this.#document.resolved(components?.['securitySchemes']);
    const known = schemes !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    const { type, scheme, name: field, in: place } = this.#document.resolved(known) ?? {};
    const variable = this.#variableOf(name);
    const bearer = type === 'oauth2' || type === 'openIdConnect';
    const isHttp = type === 'http' && typeof scheme === 'string';
    if (bearer || isHttp) {
      this.#secrets.set(name, { variable, place: `security scheme ${name}` });
      const word = bearer || /^bearer$/i.test(String(scheme)) ? 'Bearer' : capitalised(String(scheme));
      return { headers: [['Authorization', [`${word} `, { variable }]]] };
    }
    if (type !== 'apiKey' || typeof field !== 'string') return { unknown: name };
    this.#secrets.set(name, { variable, place: `security scheme ${name}` });
    if (place === 'query') return { query: [`${encodeURIComponent(field)}=`, { variable, encoded: true }] };
    if (place === 'cookie') return { cookie: [`${field}=`, { variable }] };
    return { headers: [[field, [{ variable }]]] };
  }
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
