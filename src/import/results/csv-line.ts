/**
 * The cells of one line of CSV (RFC 4180): quotes may enclose commas, and stand doubled within quotes. A line that ends
 * inside quotes is undefined: its record goes on in the next, which none of the tools here writes.
 */
export function csvCells(line: string, separator = ','): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(separator);
  const cells: string[] = [];
  for (let at = 0; ;) {
    let cell = '';
    if (line[at] === '"') {
      at += 1;
      for (;;) {
        const quote = line.indexOf('"', at);
        if (quote < 0) return undefined;
        cell += line.slice(at, quote);
        at = quote + 1;
        if (line[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    }
    const next = line.indexOf(separator, at);
    cells.push(cell + line.slice(at, next < 0 ? undefined : next));
    if (next < 0) return cells;
    at = next + 1;
  }
}

/** Where each of these names stands in a header; undefined for those that do not. */
export function columnsOf<Name extends string>(
  header: readonly string[],
  names: readonly Name[],
): Readonly<Record<Name, number | undefined>> {
  const found = names.map((name) => {
    const at = header.findIndex((cell) => cell.trim() === name);
    return [name, at < 0 ? undefined : at] as const;
  });
  return Object.fromEntries(found) as Record<Name, number | undefined>;
}

/** A plain decimal number; NaN for anything else, an empty cell too. */
export const decimal = (text: string | undefined): number =>
  text !== undefined && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
