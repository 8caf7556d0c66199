import { valueAt } from './json-path.ts';

/** What came back, as far as a user's code wants to know. */
export interface Answer {
  /** 0 when none came: the connection failed, or it took too long. */
  readonly status: number;
  /** '' where the answer is in; else `ECONNRESET`, `timeout`, … */
  readonly failure: string;
  /** From the intended start to the last byte. */
  readonly responseTimeSeconds: number;
  /** The value of a field by its name in any case; several are joined by commas. */
  header(name: string): string | undefined;
  /** Content as text (UTF-8). */
  text(): string;
  /** Content as octets. */
  bytes(): Uint8Array;
  /** The JSON body, or what it holds at a path. Throws a JourneyError where it is no JSON, or holds nothing there. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  json<Value = unknown>(path?: string): Value;
  /** The first group (or the whole) of the first match in the text. Throws a JourneyError where nothing matches. */
  match(pattern: RegExp): string;
  /** The events of a stream that was read to its end. */
  events(): readonly ServerSentEvent[];
}

/** One event of `text/event-stream` (HTML Living Standard §9.2.6). */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** What a journey stumbles over: an answer that is not what it needs. Ends the run through the journey. */
export class JourneyError extends Error {
  override readonly name = 'JourneyError';
}

/** Fields and content of an answer as they were received. */
export interface AnswerContent {
  readonly fields: readonly (readonly [name: string, value: string])[];
  body(): Uint8Array;
  /** The same as text, where it takes no decoding of octets. */
  asciiText?(): string | undefined;
}

const UTF8 = new TextDecoder();
const SHOWN = 60;

/** An answer over what was received; nothing is decoded before it is asked for. */
export class ReceivedAnswer implements Answer {
  readonly status: number;
  readonly failure: string;
  readonly responseTimeSeconds: number;
  readonly #content: AnswerContent | undefined;
  readonly #what: string;
  #text: string | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(
    what: string,
    status: number,
    failure: string,
    responseTimeSeconds: number,
    content: AnswerContent | undefined,
  ) {
    this.#what = what;
    this.status = status;
    this.failure = failure;
    this.responseTimeSeconds = responseTimeSeconds;
    this.#content = content;
  }

  header(name: string): string | undefined {
    const wanted = name.toLowerCase();
    let found: string | undefined;
    for (const [field, value] of this.#content?.fields ?? [])
      if (field.length === wanted.length && field.toLowerCase() === wanted)
        found = found === undefined ? value : `${found}, ${value}`;
    return found;
  }

  bytes(): Uint8Array {
    return this.#content?.body() ?? new Uint8Array(0);
  }

  text(): string {
    this.#text ??= this.#content?.asciiText?.() ?? UTF8.decode(this.bytes());
    return this.#text;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  json<Value = unknown>(path?: string): Value {
    this.#json ??= { value: this.#parse() };
    const { value } = this.#json;
    if (path === undefined) return value as Value;
    const found = valueAt(value, path);
    if (found === undefined) throw new JourneyError(`${this.#what}: the answer holds nothing at ${path}`);
    return found as Value;
  }

  match(pattern: RegExp): string {
    const match = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(this.text());
    if (match === null) throw new JourneyError(`${this.#what}: nothing in the answer matches ${pattern}`);
    return match[1] ?? match[0];
  }

  events(): readonly ServerSentEvent[] {
    return parseEvents(this.text());
  }

  #parse(): unknown {
    try {
      return JSON.parse(this.text());
    } catch (cause) {
      const seen = this.failure === '' ? JSON.stringify(this.text().slice(0, SHOWN)) : this.failure;
      throw new JourneyError(`${this.#what}: the answer (${this.status}) is no JSON: ${seen}`, { cause });
    }
  }
}

/** The events of a text/event-stream; an unfinished last one is dropped, as the standard asks. */
export function parseEvents(text: string): readonly ServerSentEvent[] {
  const blocks = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n\n')
    .slice(0, -1);
  return blocks.flatMap((block) => {
    const data: string[] = [];
    let event = 'message';
    let id: string | undefined;
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      const field = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value === '' ? 'message' : value;
      else if (field === 'id') id = value;
    }
    return data.length === 0 ? [] : [{ event, data: data.join('\n'), ...(id !== undefined && { id }) }];
  });
}
