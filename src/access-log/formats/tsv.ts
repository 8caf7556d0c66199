import { TAB, latin1Of } from '../bytes.ts';
import { concludeNamed, readNamed } from '../column-line.ts';
import { mapNames } from '../field-aliases.ts';
import { VERDICT, type LineFields, type LineParser, type LogFormat, type Verdict } from '../log-format.ts';
import type { JsonField } from '../named-fields.ts';

class TsvParser implements LineParser {
  readonly timestampMeaning = 'end';
  readonly stampResolutionSeconds = 1;
  readonly escapes = 'none';
  readonly notices = [];
  readonly #heading: string;
  readonly #columns: readonly (JsonField | undefined)[];

  constructor(heading: string, columns: readonly (JsonField | undefined)[]) {
    this.#heading = heading;
    this.#columns = columns;
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    if (end - start === this.#heading.length && latin1Of(bytes.subarray(start, end)) === this.#heading)
      return VERDICT.comment;
    let column = 0;
    for (let at = start; at <= end; column += 1) {
      let stop = at;
      while (stop < end && bytes[stop] !== TAB) stop += 1;
      const field = this.#columns[column];
      if (field !== undefined && !readNamed(field, bytes, at, stop, out)) return VERDICT.unparsed;
      at = stop + 1;
    }
    if (column < this.#columns.length)
      return out.reject(VERDICT.unparsed, 'the line has too few columns', end);
    return concludeNamed(start, out);
  }
}

/** Columns between tabs below a row of their names. */
export const tsv: LogFormat = {
  name: 'tsv',
  shape: 'host<TAB>time<TAB>method<TAB>url<TAB>response<TAB>bytes, with these names in the first row',
  open: ([first]) => {
    const heading = latin1Of(first ?? new Uint8Array(0));
    const names = heading.toLowerCase().split('\t');
    if (names.length < 4) return undefined;
    const { fields, missing } = mapNames([names]);
    return missing.length > 0
      ? undefined
      : new TsvParser(
          heading,
          names.map((name) => fields.get(name)),
        );
  },
  samples: [
    {
      title: 'the row of names is none, nor are empty columns at the end',
      lines: [
        'host\tlogname\ttime\tmethod\turl\tresponse\tbytes',
        '199.72.81.55\t-\t804571201\tGET\t/history/apollo/\t200\t6245\t\t',
        '199.72.81.55\t-\t804571201\tGET',
      ],
      expect: [
        undefined,
        { atSeconds: 804_571_201, client: '199.72.81.55', path: '/history/apollo/', responseBytes: 6245 },
        'unparsed',
      ],
    },
  ],
};
