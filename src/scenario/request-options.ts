import type { Answer } from './answer.ts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Part of a form with files (RFC 7578). */
export type FormPart =
  | string
  | { readonly filename: string; readonly content: string | Uint8Array; readonly type?: string };

/**
 * What an answer must be like. A check that fails makes its request count as failed, under `check-…`; the user
 * goes on. Without `status`, a status of 400 and above fails.
 */
export interface Checks {
  /** The status, or any of several. */
  readonly status?: number | readonly number[];
  /** What the JSON body holds, by path: `{ 'items[0].id': 7 }`. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Values of header fields, as text or pattern. */
  readonly header?: Readonly<Record<string, string | RegExp>>;
  /** Octets of content. */
  readonly size?: { readonly min?: number; readonly max?: number };
  /** Text that the body contains, or a pattern it matches. */
  readonly text?: string | RegExp;
  /** Anything else, by name; true passes. */
  readonly that?: Readonly<Record<string, (answer: Answer) => boolean>>;
}

/** What a request carries beside its method and target. At most one of `json`, `form`, `multipart` and `body`. */
export interface RequestOptions {
  /** The route it is counted under; missing: the path, with numbers and ids as `[id]`. */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | number | boolean>>;
  readonly multipart?: Readonly<Record<string, FormPart>>;
  readonly body?: string | Uint8Array;
  readonly check?: Checks;
  /** The JSON body that a dry run answers with, in place of one of placeholders. */
  readonly example?: unknown;
}

/** The names of all options, for messages about those that are none. */
export const REQUEST_OPTION_NAMES = [
  'name',
  'headers',
  'query',
  'json',
  'form',
  'multipart',
  'body',
  'check',
  'example',
] as const satisfies readonly (keyof RequestOptions)[];

export const CHECK_NAMES = [
  'status',
  'json',
  'header',
  'size',
  'text',
  'that',
] as const satisfies readonly (keyof Checks)[];
