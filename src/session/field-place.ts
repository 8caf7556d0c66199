import { readFileSync } from 'node:fs';

/**
 * `path:line:column` of a field such as `journeys.order.weight` in a scenario's file: where its keys stand in the text,
 * one after the other. A field that comes from elsewhere (another file, a computed key) is not found: then that of the
 * last key that is, or undefined.
 */
export function placeOfField(path: string, field: string): string | undefined {
  const keys = field
    .replace(/^scenario\./, '')
    .split(/[.[\]]+/)
    .filter((key) => key !== '' && !/^\d+$/.test(key));
  return placeIn(path, keys);
}

/** The same of a name that stands in the text, such as one that is imported. */
export const placeOfName = (path: string, name: string): string | undefined => placeIn(path, [name]);

function placeIn(path: string, names: readonly string[]): string | undefined {
  const text = textOf(path);
  let foundAt: number | undefined;
  let from = 0;
  for (const name of names) {
    const word = new RegExp(`(?<![\\w$.])${escaped(name)}(?![\\w$])`, 'g');
    word.lastIndex = from;
    const match = word.exec(text);
    if (match === null) break;
    foundAt = match.index;
    from = word.lastIndex;
  }
  if (foundAt === undefined) return undefined;
  const before = text.slice(0, foundAt).split('\n');
  return `${path}:${before.length}:${before.at(-1)!.length + 1}`;
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** What cannot be read has been said elsewhere. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
