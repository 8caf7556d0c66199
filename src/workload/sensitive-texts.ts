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
const PAIR_IN_LINE = /([?&;])([^=&;?\s"]+)=([^&;\s"]+)/g;
/** `"name":"value"`, also with the escapes of a text within a text. */
const MEMBER_IN_LINE = /(\\?")([\w.[\]-]+)\1(\s*:\s*)(?:\1((?:[^"\\]|\\(?!"|$)[^"])*)\1|(\d[\d.]*))/g;
/** A label and its value between tabs (LTSV). */
const LABEL_IN_LINE = /((?:^|\\x09|\t))([A-Za-z][\w-]*):([^\t\\]+)/g;
/** Host and user before the time of a line in the Common Log Format. */
const USER_IN_LINE = /^(\S+) (\S+) (\S.*?) (?=\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4})/;

/** A line of the log as an example, without addresses, names of users, mail addresses and the values of sensitive parameters. */
export const cleanExample = (text: string, keepValues: boolean): string => {
  const withoutAddress = text.replace(ADDRESS, '[address]');
  if (keepValues) return withoutAddress;
  const hidden = (name: string, value: string): boolean =>
    isSensitive(percentDecoded(name), percentDecoded(value), text);
  return withoutAddress
    .replace(USER_IN_LINE, (_, client: string, ident: string, user: string) => {
      const shown = user === '-' || user === '""' ? user : '[user]';
      return `${client === '-' ? client : '[address]'} ${ident} ${shown} `;
    })
    .replace(JSON_WEB_TOKEN, '[token]')
    .replace(MAIL_IN_LINE, '[email]')
    .replace(PAIR_IN_LINE, (whole: string, lead: string, name: string, value: string) =>
      hidden(name, value) ? `${lead}${name}=[replaced]` : whole,
    )
    .replace(
      MEMBER_IN_LINE,
      (whole: string, quote: string, name: string, colon: string, value = '', number = '') =>
        hidden(name, String(value) + String(number))
          ? `${quote}${name}${quote}${colon}${quote}[replaced]${quote}`
          : whole,
    )
    .replace(LABEL_IN_LINE, (whole: string, lead: string, name: string, value: string) =>
      hidden(name, value) ? `${lead}${name}:[replaced]` : whole,
    );
};
