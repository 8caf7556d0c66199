import type { Notice } from '../model/notice.ts';
import { latin1Of } from './bytes.ts';
import { JsonLineParser } from './json-line.ts';
import type { LogFormat } from './log-format.ts';
import { namedFields, type NamedMeaning } from './named-fields.ts';

interface JsonFormat extends Omit<LogFormat, 'open'> {
  /** Keys that tell the format: lines of it hold them all. */
  readonly marks: readonly string[];
  readonly fields: Readonly<Record<string, NamedMeaning>>;
  readonly timestampMeaning: 'start' | 'end';
  readonly stampResolutionSeconds: number;
  readonly notices?: readonly Notice[];
}

/** A format whose lines are JSON objects with keys that its writer has fixed. */
export function jsonFormat(format: JsonFormat): LogFormat {
  const { marks, fields, timestampMeaning, stampResolutionSeconds, notices = [], ...rest } = format;
  const isMarked = (line: Uint8Array): boolean => {
    const text = latin1Of(line.subarray(0, 1 << 14));
    return marks.every((mark) => text.includes(`"${mark}"`));
  };
  return {
    ...rest,
    open: (head) =>
      head.filter(isMarked).length * 2 > head.length
        ? new JsonLineParser({
            fields: namedFields(fields),
            timestampMeaning,
            stampResolutionSeconds,
            notices,
          })
        : undefined,
  };
}
