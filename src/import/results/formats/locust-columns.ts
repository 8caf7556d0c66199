import { csvCells, decimal } from '../csv-line.ts';
import { routeOf } from '../sample.ts';

export const LOCUST_MEANING = [
  'Locust counts a response time from before the request to the last byte, and rounds what its percentiles come from to two significant digits.',
];

/** Cells of Locust's CSV by the names of its header. */
export class LocustTable {
  readonly #first: string;
  #names: readonly string[] = [];

  /** `first`: how the header begins. */
  constructor(first: string) {
    this.#first = first;
  }

  /** The row of a line; undefined for the header, a reason for what is neither. */
  row(text: string): LocustRow | string | undefined {
    if (text.startsWith(this.#first)) {
      this.#names = csvCells(text) ?? [];
      return undefined;
    }
    const cells = csvCells(text);
    if (cells === undefined) return 'quotes without an end';
    if (this.#names.length === 0) return 'no header of Locust’s CSV before it';
    if (cells.length !== this.#names.length) return `${cells.length} cells under ${this.#names.length} names`;
    return new LocustRow(this.#names, cells);
  }
}

export class LocustRow {
  readonly #names: readonly string[];
  readonly #cells: readonly string[];

  constructor(names: readonly string[], cells: readonly string[]) {
    this.#names = names;
    this.#cells = cells;
  }

  text(name: string): string {
    return this.#cells[this.#names.indexOf(name)] ?? '';
  }

  /** Zero or more; NaN where there is none (`N/A`). */
  figure(name: string): number {
    const value = decimal(this.text(name));
    return value >= 0 ? value : NaN;
  }

  get isAggregated(): boolean {
    return this.text('Name') === 'Aggregated' && this.text('Type') === '';
  }

  /** `GET /books`, or the name alone where it has no type. */
  get request(): string {
    return [this.text('Type'), this.text('Name')].filter((part) => part !== '').join(' ');
  }

  /** The percentile columns, rising. */
  get percentiles(): readonly (readonly [number, number])[] {
    return this.#names.flatMap((name) => {
      const match = /^(\d+(?:\.\d+)?)%$/.exec(name);
      const milliseconds = match === null ? NaN : this.figure(name);
      return milliseconds >= 0 ? [[Number(match![1]), milliseconds / 1000] as const] : [];
    });
  }
}

/** `GET /books` as `/books` where no other request has that name. */
export function routeNames(requests: readonly string[]): readonly string[] {
  const bare = requests.map((request) => routeOf(request.replace(/^\S+ (?=\S)/, '')));
  return requests.map((request, i) =>
    bare.filter((name) => name === bare[i]).length > 1 ? request : bare[i]!,
  );
}
