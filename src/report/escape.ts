/**
 * Foreign text (routes, labels, messages of a service) on its way into a report. A log line may hold anything:
 * terminal escapes, markup, spreadsheet formulas.
 */

/** Control characters, invisible format marks (zero width, bidirectional overrides), lone surrogates, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** `\u001b` for each UTF-16 unit of a character: readable, and an escape that JSON understands. */
function unicodeEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Makes every unprintable character visible as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, unicodeEscape);
}

/** The same data with every string and every key printable; own keys such as `__proto__` stay own keys. */
export function printableData<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T;
  if (Array.isArray(value)) return value.map(printableData) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [printable(key), printableData<unknown>(inner)]),
  ) as T;
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML text and quoted attributes, and for SVG. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => HTML[character]!);
}

/**
 * For a line or a table cell of GitHub-flavoured markdown. Only what would act is escaped, so that the source
 * stays readable: `<=`, `T_s` and `/books/[id]` are left alone.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*|~]|^[#>]|<(?=[a-z/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, '\\$&')
    .replace(/\](?=[([:])/g, '\\]');
}

/** A cell of RFC 4180; text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = printable(value);
  const inert = /^[\s]*[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** JSON in which no character can act on a terminal; still the same data when parsed. */
export function printableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(UNPRINTABLE, (character) => (character === '\n' ? '\n' : unicodeEscape(character)))}\n`;
}

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
