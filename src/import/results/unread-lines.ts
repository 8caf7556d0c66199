import type { ImportedRun, UnreadLine } from '../../model/imported.ts';
import type { Notice } from '../../model/notice.ts';
import { countText } from '../../stats/wording.ts';

const MOST_EXAMPLES = 5;

/** Counts the lines of a file, and keeps the first of those that could not be read. */
export class LineCount {
  #total = 0;
  #unread = 0;
  readonly #examples: UnreadLine[] = [];

  read(): void {
    this.#total += 1;
  }

  unread(text: string, reason: string): void {
    this.#total += 1;
    this.#unread += 1;
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push({ line: this.#total, reason, text });
  }

  get counts(): ImportedRun['lines'] {
    return { total: this.#total, unread: this.#unread, examples: this.#examples };
  }
}

/** What could not be read of a file, with its first lines; nothing where all could. */
export function unreadNotices({ total, unread, examples }: ImportedRun['lines']): Notice[] {
  if (unread === 0) return [];
  const shown = examples.map(({ line, reason, text }) => `line ${line}: ${reason} (${JSON.stringify(text)})`);
  return [
    {
      code: 'lines-not-read',
      severity: 'warning',
      message: `${countText(unread, 'line')} of ${total} could not be read and ${unread === 1 ? 'is' : 'are'} in no figure: ${shown.join('; ')}`,
      advice: 'a file that was cut off has one such line, its last; more of them may be another format',
    },
  ];
}
