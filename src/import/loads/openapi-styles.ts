import { wellFormed } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';

/** How a parameter is spelt (OpenAPI 3.1 §4.8.12.3, after RFC 6570). */
export interface ParameterStyle {
  readonly style: string;
  readonly isExploded: boolean;
}

/** Where lists and objects are joined by something else than commas. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** A scalar as text; what lies deeper than the styles reach is JSON. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return wellFormed(text);
}

type Encode = (text: string) => string;

/** A value of the style `simple`: in a path or a header field. */
export function simpleText(value: unknown, isExploded: boolean, encode: Encode): string {
  if (Array.isArray(value)) return value.map((element) => encode(textOf(element))).join(',');
  if (!isRecord(value)) return encode(textOf(value));
  const pairs = Object.entries(value).map(
    ([name, member]) => [encode(name), encode(textOf(member))] as const,
  );
  return pairs.map((pair) => pair.join(isExploded ? '=' : ',')).join(',');
}

/** A value in a path: `simple`, `label` (`.5`) or `matrix` (`;id=5`). */
export function pathText(name: string, value: unknown, { style, isExploded }: ParameterStyle): string {
  const encode = encodeURIComponent;
  if (style !== 'label' && style !== 'matrix') return simpleText(value, isExploded, encode);
  const key = encode(name);
  const isLabel = style === 'label';
  if (!isExploded || !(Array.isArray(value) || isRecord(value)))
    return `${isLabel ? '.' : `;${key}=`}${simpleText(value, false, encode)}`;
  const parts = Array.isArray(value)
    ? value.map((element) => `${isLabel ? '' : `${key}=`}${encode(textOf(element))}`)
    : Object.entries(value).map(([member, one]) => `${encode(member)}=${encode(textOf(one))}`);
  return parts.map((part) => `${isLabel ? '.' : ';'}${part}`).join('');
}

/** The pairs of a value in a query: `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`. */
export function queryPairs(
  name: string,
  value: unknown,
  { style, isExploded }: ParameterStyle,
): readonly string[] {
  const encode = encodeURIComponent;
  const key = encode(name);
  if (Array.isArray(value)) {
    const texts = value.map((element) => encode(textOf(element)));
    return isExploded && style !== 'spaceDelimited' && style !== 'pipeDelimited'
      ? texts.map((text) => `${key}=${text}`)
      : [`${key}=${texts.join(SEPARATORS[style] ?? ',')}`];
  }
  if (!isRecord(value)) return [`${key}=${encode(textOf(value))}`];
  const members = Object.entries(value).map(
    ([member, one]) => [encode(member), encode(textOf(one))] as const,
  );
  if (style === 'deepObject') return members.map(([member, text]) => `${key}%5B${member}%5D=${text}`);
  return isExploded
    ? members.map((pair) => pair.join('='))
    : [`${key}=${members.flat().join(SEPARATORS[style] ?? ',')}`];
}
