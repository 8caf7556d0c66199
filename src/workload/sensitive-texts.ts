import { shapeOfLine } from '../stats/line-shape.ts';
import { isSensitive, isSensitiveValue } from './sensitive-values.ts';
import { percentDecoded } from './target-path.ts';

/** Makes up another value for one of this name. */
export type Replace = (name: string, value: string) => string;

const MAIL = /[^\s"'=&?;:/@<>,()]+@[\w-]+(?:\.[\w-]+)+/g;
const JSON_WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** `name=value` of an address or a form within a value. */
const PAIR = /(^|[?&;#\s])([^=&;?#\s"]+)=([^&;#\s"]+)/g;
/** A member of a JSON object; a number has no quotes. */
const MEMBER = /"((?:[^"\\]|\\.)+)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.]*))/g;
/** What none of these holds is one plain value. */
const MAY_HOLD = /[=@"%]|eyJ/;
const DEEPEST = 3;

/**
 * A value in which others stand (`next=/login?token=…`, `filter={"email":…}`, text with a mail address) with the
 * sensitive ones replaced; also where it is percent-encoded once more.
 */
export function cleanInside(
  value: string,
  target: string,
  name: string,
  replace: Replace,
  depth = 0,
): string {
  if (value.length < 4 || !MAY_HOLD.test(value)) return value;
  const cleaned = value
    .replace(MEMBER, (whole: string, key: string, colon: string, text?: string, number?: string) => {
      const inner = text ?? number!;
      if (!isSensitive(key, inner, target)) return whole;
      const made = replace(key, inner);
      return `"${key}"${colon}${text === undefined ? made.replace(/^(-?)0/, '$11') : `"${made}"`}`;
    })
    .replace(PAIR, (whole: string, lead: string, key: string, inner: string) => {
      const decoded = percentDecoded(inner);
      if (!isSensitive(percentDecoded(key), decoded, target)) return whole;
      const made = replace(percentDecoded(key), decoded);
      return `${lead}${key}=${decoded === inner ? made : encodeURIComponent(made)}`;
    })
    .replace(MAIL, (mail) => (isSensitiveValue(mail) ? replace(name, mail) : mail))
    .replace(JSON_WEB_TOKEN, (token) => replace(name, token));
  if (cleaned !== value || depth >= DEEPEST || !value.includes('%')) return cleaned;
  const decoded = percentDecoded(value);
  if (decoded === value) return value;
  const inner = cleanInside(decoded, target, name, replace, depth + 1);
  return inner === decoded ? value : encodeURIComponent(inner);
}

const ADDRESS =
  /\b(?:\d{1,3}\.){3}\d{1,3}\b|(?<![\w:])(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)(?![\w:])/gi;
const MAIL_IN_LINE = /[^\s"=&?;/@:]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/**
 * A line of the log as an example: without addresses, and as its shape, for where a line is broken nothing tells what
 * is secret in it. With `keepValues` only the addresses go.
 */
export const cleanExample = (text: string, keepValues: boolean): string => {
  const withoutAddress = text.replace(ADDRESS, '[address]');
  return keepValues ? withoutAddress : shapeOfLine(withoutAddress.replace(MAIL_IN_LINE, '[email]'));
};
