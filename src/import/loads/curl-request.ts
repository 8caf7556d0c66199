import type { CurlOption } from './curl-options.ts';
import {
  type ImportedBody,
  type ImportedPart,
  type ImportedRequest,
  isFixed,
  methodOf,
  MOST_BODY_CHARACTERS,
  type ReadFile,
  wellFormed,
} from './imported-load.ts';
import { keptHeaders } from './kept-headers.ts';
import type { Secrets } from './secrets.ts';

const FORM = 'application/x-www-form-urlencoded';

/** What the options of one curl command say of its request (curl(1)). */
export class CurlRequest {
  readonly line: number;
  keepsCookies = false;
  url = new URL('http://localhost/');
  readonly #readFile: ReadFile;
  readonly #urls: string[] = [];
  readonly #headers: (readonly [name: string, value: string])[] = [];
  readonly #data: string[] = [];
  readonly #query: string[] = [];
  readonly #parts: ImportedPart[] = [];
  readonly #cookies: string[] = [];
  #method: string | undefined;
  #isQuery = false;
  #isJson = false;
  #isHead = false;
  #upload: string | undefined;

  constructor(line: number, readFile: ReadFile) {
    this.line = line;
    this.#readFile = readFile;
  }

  /** One option with its value. */
  take(name: string, option: CurlOption, value: string, notes: string[]): void {
    const note = (message: string): void => void notes.push(`line ${this.line}: ${message}`);
    switch (option) {
      case 'method':
        this.#method = value;
        break;
      case 'header':
        this.#takeHeader(value, note);
        break;
      case 'data':
      case 'dataBinary':
        this.#data.push(
          value.startsWith('@') ? this.#content(value.slice(1), option === 'data', note) : value,
        );
        break;
      case 'dataRaw':
        this.#data.push(value);
        break;
      case 'dataUrlencode':
        this.#data.push(this.#encoded(value, note));
        break;
      case 'urlQuery':
        this.#query.push(value.startsWith('+') ? value.slice(1) : this.#encoded(value, note));
        break;
      case 'json':
        this.#isJson = true;
        this.#data.push(value.startsWith('@') ? this.#content(value.slice(1), false, note) : value);
        break;
      case 'form':
      case 'formString':
        this.#takePart(value, option === 'formString', note);
        break;
      case 'user':
        this.#headers.push(['Authorization', `Basic ${base64(value)}`]);
        break;
      case 'bearer':
        this.#headers.push(['Authorization', `Bearer ${value}`]);
        break;
      case 'get':
        this.#isQuery = true;
        break;
      case 'head':
        this.#isHead = true;
        break;
      case 'url':
        this.#urls.push(value);
        break;
      case 'cookie':
        if (value.includes('=')) this.#cookies.push(value);
        else {
          this.keepsCookies = true;
          if (value !== '') note(`the cookies of ${value} are not read; those that answers set are kept.`);
        }
        break;
      case 'cookieJar':
        this.keepsCookies = true;
        break;
      case 'upload':
        this.#upload = this.#content(value, false, note);
        break;
      case 'notTaken':
        note(`${name} changes what curl sends in a way that is not taken over.`);
        break;
      default:
    }
  }

  /** One request for each URL; those that are none are said. */
  each(notes: string[]): readonly CurlRequest[] {
    if (this.#urls.length === 0) notes.push(`line ${this.line}: the command names no URL.`);
    return this.#urls.flatMap((text) => {
      if (/\$[\w({]|`/.test(text)) {
        notes.push(
          `line ${this.line}: "${text.slice(0, 80)}" holds a shell variable; fill it in. The request is left out.`,
        );
        return [];
      }
      const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (
        url === undefined ||
        !/^https?:$/.test(url.protocol) ||
        /\[[\w-]+-[\w-]+\]|\{[^}]*,[^}]*\}/.test(text.replace(/^[a-z]+:\/\/\[[^\]]*\]/i, ''))
      ) {
        notes.push(`line ${this.line}: "${text.slice(0, 80)}" is no single http url and is left out.`);
        return [];
      }
      return [Object.assign(this.#copy(), { url, keepsCookies: this.keepsCookies })];
    });
  }

  #copy(): CurlRequest {
    const copy = new CurlRequest(this.line, this.#readFile);
    copy.#headers.push(...this.#headers);
    copy.#data.push(...this.#data);
    copy.#query.push(...this.#query);
    copy.#parts.push(...this.#parts);
    copy.#cookies.push(...this.#cookies);
    copy.#method = this.#method;
    copy.#isQuery = this.#isQuery;
    copy.#isJson = this.#isJson;
    copy.#isHead = this.#isHead;
    copy.#upload = this.#upload;
    return copy;
  }

  /** What is sent; undefined where it cannot be, which is said. */
  laidOut(secrets: Secrets, notes: string[]): ImportedRequest | undefined {
    const data = this.#data.join(this.#isJson ? '' : '&');
    const hasBody = (this.#data.length > 0 && !this.#isQuery) || this.#parts.length > 0;
    const usual = this.#isHead ? 'HEAD' : this.#upload !== undefined ? 'PUT' : hasBody ? 'POST' : 'GET';
    const method = methodOf(this.#method ?? usual);
    if (method === undefined) {
      notes.push(`line ${this.line}: scenarios do not send the method ${this.#method}.`);
      return undefined;
    }
    const query = [...(this.#isQuery && data !== '' ? [data] : []), ...this.#query].join('&');
    const { pathname, search } = this.url;
    const target = pathname + search + (query === '' ? '' : `${search === '' ? '?' : '&'}${query}`);
    const headers = this.#allHeaders(hasBody);
    const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1];
    const body = this.#body(data, type, secrets, notes);
    const cookie = this.#cookies.join('; ');
    return {
      method,
      target: secrets.target(target),
      headers: {
        ...keptHeaders(headers, secrets, body?.kind),
        ...(cookie !== '' && { Cookie: secrets.header('Cookie', cookie) }),
      },
      ...(body !== undefined && { body }),
    };
  }

  #allHeaders(hasBody: boolean): readonly (readonly [string, string])[] {
    const has = (wanted: RegExp): boolean => this.#headers.some(([name]) => wanted.test(name));
    const usualType = this.#isJson ? 'application/json' : FORM;
    const { username, password } = this.url;
    const user = [username, password].map(percentDecoded).join(':');
    return [
      ...this.#headers,
      ...(hasBody && !has(/^content-type$/i) ? [['Content-Type', usualType] as const] : []),
      ...(this.#isJson && !has(/^accept$/i) ? [['Accept', 'application/json'] as const] : []),
      ...(username !== '' && !has(/^authorization$/i)
        ? [['Authorization', `Basic ${base64(user)}`] as const]
        : []),
    ].filter(([, value]) => value !== '');
  }

  #body(data: string, type: string | undefined, secrets: Secrets, notes: string[]): ImportedBody | undefined {
    if (this.#parts.length > 0)
      return {
        kind: 'multipart',
        parts: this.#parts.map((part) =>
          'value' in part && isFixed(part.value)
            ? { name: part.name, value: secrets.member(part.name, part.value) }
            : part,
        ),
      };
    const text = this.#upload ?? (this.#data.length > 0 && !this.#isQuery ? data : undefined);
    if (text === undefined) return undefined;
    if (text.length > MOST_BODY_CHARACTERS) {
      notes.push(
        `line ${this.line}: its body of ${text.length} characters is too long for a scenario and left out.`,
      );
      return undefined;
    }
    return secrets.body(text, type);
  }

  #takeHeader(line: string, note: (message: string) => void): void {
    if (line.startsWith('@')) {
      note(`the headers of the file ${line.slice(1)} are not read.`);
      return;
    }
    const match = /^([^:;]+)(?::\s*(.*)|;)$/s.exec(line);
    if (match === null) return;
    const value = (match[2] ?? '').trim();
    if (/^cookie$/i.test(match[1]!.trim())) this.#cookies.push(value);
    else this.#headers.push([match[1]!.trim(), value]);
  }

  /** `name=value`, `name=@file`, `name=<file`, with `;type=…` and `;filename=…` behind it. */
  #takePart(text: string, isPlain: boolean, note: (message: string) => void): void {
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(0, equals));
    const value = text.slice(equals + 1);
    if (isPlain || !/^[@<]/.test(value)) {
      this.#parts.push({ name, value: isPlain ? value : value.replace(/;type=[^;]*$/, '') });
      return;
    }
    const [path = '', ...details] = value.slice(1).split(';');
    const detail = (key: string): string | undefined =>
      details
        .find((one) => one.trim().startsWith(`${key}=`))
        ?.trim()
        .slice(key.length + 1)
        .replace(/^"(.*)"$/, '$1');
    const content = this.#content(path, false, note);
    const type = detail('type');
    if (value.startsWith('<')) this.#parts.push({ name, value: content });
    else {
      const filename = detail('filename') ?? path.split(/[\\/]/).at(-1)!;
      this.#parts.push({ name, filename, content, ...(type !== undefined && { type }) });
    }
  }

  /** `text`, `=text`, `name=text`, `@file`, `name@file`: the content percent-encoded. */
  #encoded(text: string, note: (message: string) => void): string {
    const sign = /[=@]/.exec(text);
    if (sign === null) return percentEncoded(text);
    const name = text.slice(0, sign.index);
    const rest = text.slice(sign.index + 1);
    const content = sign[0] === '@' ? this.#content(rest, false, note) : rest;
    return `${name === '' ? '' : `${name}=`}${percentEncoded(content)}`;
  }

  #content(path: string, stripsLines: boolean, note: (message: string) => void): string {
    const content = this.#readFile(path);
    if (content === undefined) {
      note(`the file ${path} is not to be had beside the commands; nothing is sent in its place.`);
      return '';
    }
    return stripsLines ? content.replaceAll(/[\r\n\0]/g, '') : content;
  }
}

const percentEncoded = (text: string): string => encodeURIComponent(wellFormed(text));

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Base64 of the text's UTF-8 (RFC 7617 §2.1). */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (octet) => String.fromCharCode(octet)).join(''));
