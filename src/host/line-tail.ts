/** The last lines of a stream of text. */
export interface LineTail {
  readonly push: (chunk: string) => void;
  /** Oldest first; an unfinished line counts. */
  readonly lines: () => readonly string[];
}

const LONGEST_LINE = 1000;

/** Keeps the last `lineCount` lines, each cut to 1,000 characters, so that no output fills the memory. */
export function createLineTail(lineCount: number): LineTail {
  let finished: string[] = [];
  let open = '';
  return {
    push(chunk) {
      const lines = (open + chunk).split(/\r?\n/);
      open = lines.pop()!.slice(0, LONGEST_LINE);
      finished = [...finished, ...lines.map((line) => line.slice(0, LONGEST_LINE))].slice(-lineCount);
    },
    lines: () => (open === '' ? finished : [...finished, open].slice(-lineCount)),
  };
}
