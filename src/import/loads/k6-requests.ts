import type { AnyNode } from 'acorn';
import type { HttpMethod } from '../../scenario/request-options.ts';
import { type ImportedBody, type ImportedRequest, MOST_BODY_CHARACTERS } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import { COMPUTED, type Literals } from './k6-literals.ts';
import { routeWord } from './k6-thresholds.ts';
import { keptHeaders } from './kept-headers.ts';
import type { Secrets } from './secrets.ts';

/** A call of `k6/http`, its arguments as they stand in the script. */
export interface K6Call {
  readonly method: HttpMethod | undefined;
  readonly url: AnyNode | undefined;
  readonly body: AnyNode | undefined;
  readonly params: AnyNode | undefined;
  readonly line: number;
}

const READ_PARAMS = new Set([
  'headers',
  'tags',
  'timeout',
  'responseType',
  'responseCallback',
  'compression',
]);

/** Makes requests of calls whose URL is written out; all others are noted with their line. */
export class K6Requests {
  /** Where the first request goes, and the load with it. */
  host: string | undefined;
  readonly #literals: Literals;
  readonly #secrets: Secrets;
  readonly #notes: string[];

  constructor(literals: Literals, secrets: Secrets, notes: string[]) {
    this.#literals = literals;
    this.#secrets = secrets;
    this.#notes = notes;
  }

  requestOf({
    method,
    url: urlNode,
    body: bodyNode,
    params: paramsNode,
    line,
  }: K6Call): ImportedRequest | undefined {
    const note = (message: string): void => void this.#notes.push(`line ${line}: ${message}`);
    const address = urlNode === undefined ? COMPUTED : this.#literals.valueOf(urlNode);
    if (method === undefined || typeof address !== 'string') {
      note(`the ${method === undefined ? 'method' : 'url'} of a request is computed: left out.`);
      return undefined;
    }
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      note(`"${address.slice(0, 80)}" is no http url: left out.`);
      return undefined;
    }
    this.host ??= url.host;
    if (url.host !== this.host) {
      note(`goes to ${url.host}, another host than ${this.host}: left out.`);
      return undefined;
    }
    const params = this.#paramsOf(paramsNode, note);
    const headers = Object.entries(isRecord(params['headers']) ? params['headers'] : {}).map(
      ([name, value]): [string, string] => [name, String(value)],
    );
    if (url.username !== '')
      headers.push(['Authorization', `Basic ${btoa(`${url.username}:${url.password}`)}`]);
    const body = this.#bodyOf(bodyNode, headers, note);
    const { name } = isRecord(params['tags']) ? params['tags'] : {};
    return {
      method,
      target: this.#secrets.target(url.pathname + url.search),
      ...(typeof name === 'string' && routeWord(name) !== '' && { name: routeWord(name) }),
      headers: keptHeaders(headers, this.#secrets, body?.kind),
      ...(body !== undefined && { body }),
    };
  }

  #paramsOf(node: AnyNode | undefined, note: (message: string) => void): Readonly<Record<string, unknown>> {
    if (node === undefined) return {};
    const params = this.#literals.valueOf(node, (path) =>
      note(`${path} of the parameters is computed: left out.`),
    );
    if (params === null || params === undefined) return {};
    if (!isRecord(params)) {
      note('the parameters of the request are computed: left out.');
      return {};
    }
    for (const name of Object.keys(params))
      if (!READ_PARAMS.has(name)) note(`the parameter ${name} has no counterpart and is left out.`);
    return params;
  }

  /** k6 sends an object as a form, and text as it is (https://grafana.com/docs/k6, http.post). */
  #bodyOf(
    node: AnyNode | undefined,
    headers: [string, string][],
    note: (message: string) => void,
  ): ImportedBody | undefined {
    const value = node === undefined ? null : this.#literals.valueOf(node);
    if (value === null || value === undefined || value === '') return undefined;
    const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1];
    if (isRecord(value)) {
      const pairs = Object.entries(value).map(([name, member]): [string, string] => [name, String(member)]);
      if (type === undefined) headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
      return this.#secrets.body(new URLSearchParams(pairs).toString(), 'application/x-www-form-urlencoded');
    }
    if (typeof value !== 'string' || value.length > MOST_BODY_CHARACTERS) {
      note('the body of the request is computed or too long: sent without one.');
      return undefined;
    }
    const body = this.#secrets.body(value, type);
    // Data sent as JSON would bring a type that the script has not given.
    return body.kind === 'json' && type === undefined
      ? { kind: 'text', text: this.#secrets.plainText(value) }
      : body;
  }
}
