import type { LineExample } from '../model/access-log.ts';
import { latin1Of } from './bytes.ts';

const LONGEST_EXAMPLE = 200;
const EXAMPLES_PER_KIND = 5;

/** A line for a reader: control characters and bytes beyond ASCII as `\xhh`, at most 200 characters. */
export function shownLine(bytes: Uint8Array, start: number, end: number): string {
  const text = latin1Of(bytes.subarray(start, Math.min(end, start + LONGEST_EXAMPLE)));
  const shown = text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return shown.slice(0, LONGEST_EXAMPLE);
}

/** Keeps the first examples of each kind, from all files. */
export class ExampleList {
  readonly examples: LineExample[] = [];

  add(example: Omit<LineExample, 'text'>, bytes: Uint8Array, start: number, end: number): void {
    if (this.#wants(example.kind)) this.examples.push({ ...example, text: shownLine(bytes, start, end) });
  }

  /** Takes over examples of lines whose numbers count from behind `linesBefore` others. */
  addAll(examples: readonly LineExample[], linesBefore: number): void {
    for (const example of examples)
      if (this.#wants(example.kind)) this.examples.push({ ...example, line: linesBefore + example.line });
  }

  #wants(kind: LineExample['kind']): boolean {
    return this.examples.filter((other) => other.kind === kind).length < EXAMPLES_PER_KIND;
  }
}
