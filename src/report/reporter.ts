import type { RunRecord } from '../model/record.ts';

/** How a report is shown where it is text for a terminal; the other forms ignore it. */
export interface TextStyle {
  /** ANSI colours. */
  readonly color: boolean;
  /** Columns of the terminal; tables that are wider are split into blocks. */
  readonly width: number;
}

export const PLAIN_TEXT: TextStyle = { color: false, width: 120 };

/** One form of the report: a pure function from a record to text. Adding one is a file and a line in `index.ts`. */
export interface Reporter {
  /** The word after `--as`. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  /** For the help: what it is and for whom. */
  readonly describe: string;
  /** Deterministic; foreign text in it is inert in the form's own syntax. */
  readonly render: (record: RunRecord, style?: TextStyle) => string;
}
