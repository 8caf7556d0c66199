import type { HttpMethod } from '../../scenario/request-options.ts';
import type { ScenarioLoad } from '../../scenario/types.ts';

/** What stands in a text that is not the same for everybody. */
export type TextPart =
  | string
  /** An environment variable; `encoded`: as it stands in a query or a form. */
  | { readonly variable: string; readonly encoded?: true }
  /** A value kept from an earlier answer. */
  | { readonly kept: string; readonly encoded?: true }
  /** One of several, each as likely. */
  | { readonly oneOf: readonly string[] };

/** Text as it is sent, or its parts. */
export type ImportedText = string | readonly TextPart[];

/** JSON in which a leaf may be a `Leaf`. */
export type ImportedJson = unknown;

/** A leaf of JSON whose value comes from elsewhere. */
export class Leaf {
  readonly text: ImportedText;
  /** The service is sent a number. */
  readonly isNumber: boolean;

  constructor(text: ImportedText, isNumber = false) {
    this.text = text;
    this.isNumber = isNumber;
  }
}

export type ImportedPart =
  | { readonly name: string; readonly value: ImportedText }
  | {
      readonly name: string;
      readonly filename: string;
      readonly content: string;
      readonly type?: string;
    };

export type ImportedBody =
  | { readonly kind: 'text'; readonly text: ImportedText }
  | { readonly kind: 'json'; readonly value: ImportedJson }
  | { readonly kind: 'multipart'; readonly parts: readonly ImportedPart[] };

/** One request to the service: its target is a path. */
export interface ImportedRequest {
  readonly method: HttpMethod;
  readonly target: ImportedText;
  /** The route it is counted under; missing: what the path says. */
  readonly name?: string;
  readonly headers: Readonly<Record<string, ImportedText>>;
  readonly body?: ImportedBody;
  /** The status that is right, where it is 400 or above. */
  readonly status?: number;
  /** What of the answer is kept, by name, for later requests: a path into its JSON. */
  readonly keeps?: readonly { readonly name: string; readonly path: string }[];
}

export type ImportedStep =
  | { readonly kind: 'request'; readonly request: ImportedRequest }
  /** A think time, as scenarios write it. */
  | { readonly kind: 'pause'; readonly time: string };

/** Steps that belong together: what one page sends, a group. */
export interface ImportedGroup {
  readonly name?: string;
  readonly steps: readonly ImportedStep[];
}

export interface ImportedJourney {
  readonly name: string;
  readonly weight?: number;
  readonly groups: readonly ImportedGroup[];
  /** A user keeps the cookies that answers set. */
  readonly keepsCookies?: boolean;
}

/** A value that opens doors or says who somebody is: it is named, and given by the environment. */
export interface Secret {
  readonly variable: string;
  /** Where it stood: `header Authorization`. */
  readonly place: string;
}

/** What a file of another tool says as a scenario, and what of it could not be taken over. */
export interface ImportedLoad {
  /** Name of the importer. */
  readonly source: string;
  /** What the file is and holds, in a sentence without its end. */
  readonly summary: string;
  readonly journeys: readonly ImportedJourney[];
  /** On every request. */
  readonly headers?: Readonly<Record<string, ImportedText>>;
  readonly load?: ScenarioLoad;
  /** Goals as `--target` takes them. */
  readonly targets?: readonly string[];
  /** Static files that a page loads: apart from the journeys. */
  readonly assets?: readonly ImportedRequest[];
  readonly secrets: readonly Secret[];
  /** What was left out or changed, each with its place where it has one. */
  readonly notes: readonly string[];
}

/** Whether a text is the same every time. */
export const isFixed = (text: ImportedText): text is string => typeof text === 'string';

/** Neighbouring strings joined; a text of one string is that string. */
export function textOfParts(parts: readonly TextPart[]): ImportedText {
  const joined: TextPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  if (joined.length === 0) return '';
  return joined.length === 1 && typeof joined[0] === 'string' ? joined[0] : joined;
}

export const METHODS: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A method that scenarios send; undefined for any other. */
export const methodOf = (text: string): HttpMethod | undefined =>
  METHODS.find((method) => method === text.toUpperCase());

/** Bodies above this are left out and said: a scenario is a text that a person edits. */
export const MOST_BODY_CHARACTERS = 1 << 20;

/** Text without lone halves of surrogate pairs, which no encoding has. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

/** The text of a file that an import names; undefined where it is not to be had. */
export type ReadFile = (path: string) => string | undefined;
