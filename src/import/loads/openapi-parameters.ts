import { type ImportedText, type TextPart, wellFormed } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import { type ParameterStyle, pathText, queryPairs, simpleText, textOf } from './openapi-styles.ts';
import type { ApiDocument } from './openapi-document.ts';
import { valueOfSchema } from './openapi-values.ts';

export type Place = 'path' | 'query' | 'header' | 'cookie';

interface Parameter {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly spelling: ParameterStyle;
  /** Values that the document gives; empty: none. */
  readonly examples: readonly unknown[];
  readonly schema: unknown;
}

/** Set by what is sent, not by parameters (OpenAPI 3.1 §4.8.12.1). */
const OTHER_HEADERS = /^(?:accept|content-type|authorization)$/i;

/**
 * The parameters of an operation, its own before those of its path: required ones and those with an example. A path
 * parameter with several examples is fed with them. `onMadeUp` is told of values that no example gives.
 */
export class ApiParameters {
  readonly #document: ApiDocument;
  readonly #parameters: readonly Parameter[];
  readonly #onMadeUp: (name: string, place: Place) => void;

  constructor(
    document: ApiDocument,
    holders: readonly Readonly<Record<string, unknown>>[],
    onMadeUp: (name: string, place: Place) => void,
  ) {
    this.#document = document;
    this.#onMadeUp = onMadeUp;
    const all = holders.flatMap(({ parameters }) =>
      Array.isArray(parameters) ? (parameters as unknown[]) : [],
    );
    const byKey = new Map<string, Parameter>();
    for (const one of all) {
      const parameter = this.#parameterOf(one);
      if (parameter !== undefined) byKey.set(`${parameter.place} ${parameter.name}`, parameter);
    }
    this.#parameters = [...byKey.values()].filter(
      ({ isRequired, examples, schema }) =>
        isRequired || examples.length > 0 || document.resolved(schema)?.['example'] !== undefined,
    );
  }

  #parameterOf(given: unknown): Parameter | undefined {
    const parameter = this.#document.resolved(given);
    const { name, in: place, schema, content, example, examples, required, explode, style } = parameter ?? {};
    if (typeof name !== 'string' || !isPlace(place)) return undefined;
    const [media] = isRecord(content) ? Object.values(content) : [];
    const told = isRecord(examples)
      ? Object.values(examples).map((one) => this.#document.resolved(one)?.['value'])
      : [];
    return {
      name,
      place,
      isRequired: required === true || place === 'path',
      spelling: styleOf(place, style, explode),
      examples: (example === undefined ? told : [example]).filter((value) => value !== undefined),
      schema: schema ?? this.#document.resolved(media)?.['schema'],
    };
  }

  /** `/books/{id}` with its parameters filled. One that the document does not declare is filled too. */
  path(template: string): readonly TextPart[] {
    return template.split(/(\{[^{}]*\})/).flatMap((piece): TextPart[] => {
      const name = /^\{([^{}]*)\}$/.exec(piece)?.[1];
      if (name === undefined) return [encodedPath(piece)];
      const parameter = this.#of('path').find((one) => one.name === name);
      const values = parameter === undefined ? ['1'] : this.#values(parameter);
      if (parameter === undefined) this.#onMadeUp(name, 'path');
      const texts = values.map((value) =>
        parameter === undefined ? textOf(value) : pathText(name, value, parameter.spelling) || '1',
      );
      return [texts.length === 1 ? texts[0]! : { oneOf: texts }];
    });
  }

  query(): readonly (readonly TextPart[])[] {
    return this.#of('query').flatMap((parameter) => {
      const [value] = this.#values(parameter);
      return queryPairs(parameter.name, value, parameter.spelling).map((pair) => [pair]);
    });
  }

  headers(): Readonly<Record<string, ImportedText>> {
    const kept = this.#of('header').filter(({ name }) => !OTHER_HEADERS.test(name));
    return Object.fromEntries(
      kept.map((parameter) => [
        parameter.name,
        simpleText(this.#values(parameter)[0], parameter.spelling.isExploded, (text) => text).replaceAll(
          /[^\t\x20-\x7e]/g,
          '',
        ),
      ]),
    );
  }

  cookies(): readonly (readonly TextPart[])[] {
    return this.#of('cookie').map((parameter) => [
      `${parameter.name}=${simpleText(this.#values(parameter)[0], false, encodeURIComponent)}`,
    ]);
  }

  #of(place: Place): readonly Parameter[] {
    return this.#parameters.filter((parameter) => parameter.place === place);
  }

  #values({ name, place, examples, schema }: Parameter): readonly unknown[] {
    if (examples.length > 0) return examples;
    const known = this.#document.resolved(schema);
    const isTold =
      known !== undefined &&
      ['example', 'examples', 'const', 'default', 'enum'].some((key) => known[key] !== undefined);
    if (!isTold) this.#onMadeUp(name, place);
    return [valueOfSchema(schema, this.#document, () => {})];
  }
}

const isPlace = (value: unknown): value is Place =>
  value === 'path' || value === 'query' || value === 'header' || value === 'cookie';

/** The style that a place has where the document names none. */
function styleOf(place: Place, given: unknown, explode: unknown): ParameterStyle {
  const style =
    typeof given === 'string' ? given : place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return { style, isExploded: typeof explode === 'boolean' ? explode : style === 'form' };
}

/** A template's own text may hold what a path may not. */
const encodedPath = (text: string): string =>
  encodeURI(wellFormed(text)).replaceAll('%25', '%').replaceAll(/[?#]/g, encodeURIComponent);
