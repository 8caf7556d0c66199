import { fitsType, isTyped, lexicalPattern, typeOfName } from './segment-pattern.ts';
import { percentDecoded } from './target-path.ts';

/** One place of a route: a text to equal, or a test with the values in it. */
export interface RouteSegment {
  readonly literal?: string;
  /** Of the parameters, from left to right. */
  readonly names: readonly string[];
  /** The values of the parameters in a decoded segment; undefined when it does not fit. */
  readonly values: (text: string) => readonly string[] | undefined;
}

const PARAMETER = /\[([\w-]+)\]/g;

/**
 * Compiles a segment of a route (`new`, `[id]`, `[file].gif`). A text that is certain to be a value (`42.gif` is
 * `[id].gif`) fits a pattern of types only if that is its pattern, else each part fits by what its name says; with
 * `anyText` every text fits every name.
 */
export function compileSegment(pattern: string, anyText = false): RouteSegment {
  const names = [...pattern.matchAll(PARAMETER)].map(([, name]) => name!);
  if (names.length === 0) {
    const literal = percentDecoded(pattern);
    return { literal, names, values: (text) => (text === literal ? [] : undefined) };
  }
  const isWhole = pattern === `[${names[0]}]`;
  if (isWhole)
    return {
      names,
      values: (text) => (anyText || fitsType(text, typeOfName(names[0]!)) ? [text] : undefined),
    };
  const frame = frameOf(pattern);
  const valuesIn = (text: string): readonly string[] | undefined => frame.exec(text)?.slice(1);
  if (anyText) return { names, values: valuesIn };
  const types = names.map(typeOfName);
  const spelt = pattern.replace(PARAMETER, (_, name: string) => `[${typeOfName(name)}]`);
  const isSpelt = types.every(isTyped);
  return {
    names,
    values(text) {
      const certain = lexicalPattern(text);
      if (certain === spelt) return valuesIn(text);
      if (isSpelt && certain !== undefined) return undefined;
      const values = valuesIn(text);
      return values?.every((value, place) => fitsPart(value, types[place]!)) === true ? values : undefined;
    },
  };
}

/** Of a part any text is a name. */
const fitsPart = (value: string, type: string): boolean =>
  type === 'id' ? /^-?\d+$/.test(value) : !isTyped(type) || fitsType(value, type);

/** The texts between the parameters; the extension of a file in small letters or large ones. */
function frameOf(pattern: string): RegExp {
  const literals = pattern.split(/\[[\w-]+\]/);
  const escaped = literals.map((text, index) =>
    text
      .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replace(/(?<=\\\.)[a-z\d]+$/, (extension) =>
        index < literals.length - 1 ? extension : anyCase(extension),
      ),
  );
  return new RegExp(`^${escaped.join('(.+?)')}$`, 's');
}

const anyCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** A raw segment of a path as a route's literal: what means something in a routes file is percent-encoded. */
export function literalSegment(raw: string): string {
  if (!SPECIAL.test(raw)) return raw;
  const escaped = raw.replace(EACH_SPECIAL, encodeURIComponent);
  const text = percentDecoded(raw);
  return percentDecoded(escaped) === text ? escaped : encodeURIComponent(text.replace(/\p{Cs}/gu, ''));
}

const SPECIAL = /[[\]\s#?]/;
const EACH_SPECIAL = /[[\]\s#?]/g;
