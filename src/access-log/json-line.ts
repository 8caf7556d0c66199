import { BACKSLASH, COLON, COMMA, QUOTE, SPACE, TAB, textOf } from './bytes.ts';
import { concludeNamed } from './column-line.ts';
import type { JsonField } from './named-fields.ts';
import { VERDICT, type LineFields, type LineParser, type Verdict } from './log-format.ts';
import { TextTable } from './text-table.ts';

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Deeper objects hold nothing of a request. */
const DEEPEST = 4;
/** A log whose keys are data (a field per header, say) must not fill the memory with them. */
const MOST_KEYS = 4096;

/** What is known of the keys of one object: which of them are fields, and which hold objects with fields. */
class KeyNode {
  readonly #path: string;
  readonly #fields: ReadonlyMap<string, JsonField>;
  readonly #keys = new TextTable(new Uint8Array(0));
  readonly #known: (JsonField | KeyNode | undefined)[] = [];

  constructor(path: string, fields: ReadonlyMap<string, JsonField>) {
    this.#path = path;
    this.#fields = fields;
  }

  /** The field or the inner object that a key names; undefined: nothing of interest. */
  find(bytes: Uint8Array, start: number, end: number): JsonField | KeyNode | undefined {
    if (this.#keys.length >= MOST_KEYS) return this.#resolve(textOf(bytes, start, end));
    const id = this.#keys.idOf(bytes, start, end);
    if (id === this.#known.length) this.#known.push(this.#resolve(textOf(bytes, start, end)));
    return this.#known[id];
  }

  #resolve(key: string): JsonField | KeyNode | undefined {
    const path = this.#path + key.toLowerCase();
    const field = this.#fields.get(path);
    if (field !== undefined) return field;
    for (const other of this.#fields.keys())
      if (other.startsWith(`${path}.`)) return new KeyNode(`${path}.`, this.#fields);
    return undefined;
  }
}

/** How the lines of a JSON log are read: its fields by the path of their keys, in small letters (`request.uri`). */
export interface JsonLayout {
  readonly fields: ReadonlyMap<string, JsonField>;
  readonly timestampMeaning: LineParser['timestampMeaning'];
  readonly stampResolutionSeconds: number;
  readonly notices?: LineParser['notices'];
}

/**
 * Reads a JSON object a line, in place: keys are told by their bytes, values that nobody asks for are
 * skipped, and numbers are cut from their digits, for some are too long for a double. Escapes in texts stay
 * as they are until the text is shown.
 */
export class JsonLineParser implements LineParser {
  readonly timestampMeaning: LineParser['timestampMeaning'];
  readonly stampResolutionSeconds: number;
  readonly notices: LineParser['notices'];
  readonly escapes = 'json';
  readonly #root: KeyNode;
  #reason = '';
  #brokeAt = 0;

  constructor(layout: JsonLayout) {
    this.#root = new KeyNode('', layout.fields);
    this.timestampMeaning = layout.timestampMeaning;
    this.stampResolutionSeconds = layout.stampResolutionSeconds;
    this.notices = layout.notices ?? [];
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    this.#reason = '';
    const at = skipSpace(bytes, start, end);
    if (bytes[at] !== OPEN_BRACE) return out.reject(VERDICT.unparsed, 'the line is no JSON object', at);
    const close = this.#readObject(bytes, at, end, this.#root, 1, out);
    if (this.#reason !== '') return out.reject(VERDICT.unparsed, this.#reason, this.#brokeAt);
    if (close < 0) return out.reject(VERDICT.unparsed, 'the JSON object is cut or malformed', end);
    const hasBoth = !Number.isNaN(out.endSeconds) && !Number.isNaN(out.stampSeconds);
    if (hasBoth && Number.isNaN(out.durationSeconds))
      out.durationSeconds = Math.max(0, out.endSeconds - out.stampSeconds);
    return concludeNamed(start, out);
  }

  /** Reads `{…}` from its brace; returns the place behind it, or −1 if it is broken. */
  #readObject(
    bytes: Uint8Array,
    start: number,
    end: number,
    node: KeyNode | undefined,
    depth: number,
    out: LineFields,
  ): number {
    let at = skipSpace(bytes, start + 1, end);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    while (at < end) {
      if (bytes[at] !== QUOTE) return -1;
      const keyEnd = stringEnd(bytes, at + 1, end);
      if (keyEnd < 0) return -1;
      const found = node?.find(bytes, at + 1, keyEnd);
      at = skipSpace(bytes, keyEnd + 1, end);
      if (bytes[at] !== COLON) return -1;
      at = this.#readValue(bytes, skipSpace(bytes, at + 1, end), end, found, depth, out);
      if (at < 0) return -1;
      at = skipSpace(bytes, at, end);
      if (bytes[at] === CLOSE_BRACE && at < end) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = skipSpace(bytes, at + 1, end);
    }
    return -1;
  }

  #readValue(
    bytes: Uint8Array,
    start: number,
    end: number,
    found: JsonField | KeyNode | undefined,
    depth: number,
    out: LineFields,
  ): number {
    const first = bytes[start];
    if (first === OPEN_BRACE)
      return found instanceof KeyNode && depth < DEEPEST
        ? this.#readObject(bytes, start, end, found, depth + 1, out)
        : nestedEnd(bytes, start, end);
    const field = found instanceof KeyNode ? undefined : found;
    if (first === OPEN_BRACKET) return this.#readFirst(bytes, start, end, field, out);
    const isText = first === QUOTE;
    const from = isText ? start + 1 : start;
    const to = isText ? stringEnd(bytes, from, end) : scalarEnd(bytes, from, end);
    if (to < 0 || (!isText && to === from)) return -1;
    this.#set(bytes, from, to, field, out);
    return isText ? to + 1 : to;
  }

  /** Of a list (Caddy's header values) the first text counts. */
  #readFirst(
    bytes: Uint8Array,
    start: number,
    end: number,
    field: JsonField | undefined,
    out: LineFields,
  ): number {
    const at = skipSpace(bytes, start + 1, end);
    if (field !== undefined && bytes[at] === QUOTE) {
      const to = stringEnd(bytes, at + 1, end);
      if (to >= 0) this.#set(bytes, at + 1, to, field, out);
    }
    return nestedEnd(bytes, start, end);
  }

  #set(bytes: Uint8Array, from: number, to: number, field: JsonField | undefined, out: LineFields): void {
    if (field === undefined || this.#reason !== '') return;
    const reason = field(bytes, from, to, out);
    if (reason === undefined) return;
    this.#reason = reason;
    this.#brokeAt = from;
  }
}

function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
  return at;
}

/** The closing quote of a string whose text begins at `start`; −1 if there is none before `end`. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return -1;
}

function scalarEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === SPACE) break;
  }
  return at;
}

/** Behind the bracket or brace that closes the one at `start`; −1 if there is none. */
function nestedEnd(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at + 1, end);
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
