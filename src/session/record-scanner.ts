const LF = 10;
const QUOTE = 34;

/**
 * Finds where the records of a file end: at line ends, in CSV not at those within quotes. Fed in chunks of any size.
 */
export class RecordScanner {
  readonly #quotes: boolean;
  #isInQuotes = false;

  /** `quotes`: a line end between quotes belongs to the record. */
  constructor(quotes: boolean) {
    this.#quotes = quotes;
  }

  /** Calls `onEnd` with the index after each record end in the chunk. */
  scan(chunk: Buffer, onEnd: (endAt: number) => void): void {
    if (!this.#quotes || (!this.#isInQuotes && !chunk.includes(QUOTE))) {
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) onEnd(at + 1);
      return;
    }
    let isInQuotes = this.#isInQuotes;
    for (let at = 0; at < chunk.length; at += 1) {
      const octet = chunk[at];
      if (octet === QUOTE) isInQuotes = !isInQuotes;
      else if (octet === LF && !isInQuotes) onEnd(at + 1);
    }
    this.#isInQuotes = isInQuotes;
  }
}
