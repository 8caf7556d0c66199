import type { ReportedStep } from '../../model/imported.ts';
import type { LineReader } from './result-format.ts';
import { parsedLine } from './json-value.ts';

/** A document that cannot be parsed, for whoever says where. */
export class BrokenJson extends Error {
  readonly text: string;

  constructor(text: string) {
    super('this is not JSON');
    this.text = text;
  }
}

const MOST_CHARACTERS = 64 << 20;

/**
 * Reads a file that is one JSON document, or a document a line (several runs of a tool, one after the other). More than
 * 64 MB is no summary.
 */
export function jsonDocuments(
  read: (document: unknown) => ReportedStep | readonly ReportedStep[],
): LineReader & { steps(): readonly ReportedStep[] } {
  const lines: string[] = [];
  const documents: unknown[] = [];
  let characters = 0;
  return {
    line(text) {
      if (text.trim() === '') return undefined;
      // A document that stands on one line stands alone.
      const alone =
        lines.length === 0 && text.startsWith('{') && text.trimEnd().endsWith('}')
          ? parsedLine(text)
          : undefined;
      if (alone !== undefined) {
        documents.push(alone);
        return undefined;
      }
      characters += text.length;
      if (characters > MOST_CHARACTERS) return 'more than 64 MB: no summary';
      lines.push(text);
      if (text !== '}') return undefined;
      const document = parsedLine(lines.join('\n'));
      if (document === undefined) return undefined;
      documents.push(document);
      lines.length = 0;
      return undefined;
    },
    steps() {
      const rest = lines.join('\n');
      const last = rest === '' ? undefined : parsedLine(rest);
      if (rest !== '' && last === undefined) throw new BrokenJson(rest);
      if (last !== undefined) documents.push(last);
      return documents.flatMap(read);
    },
  };
}
