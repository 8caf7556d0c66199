import type { LogEntry } from '../model/access-log.ts';
import type { LineFields, LineParser } from './log-format.ts';
import { originForm } from './table-builder.ts';
import { unescapeText } from './unescape.ts';

/** One line as an entry, as a reader of the format would see it; for samples and tools, not for whole logs. */
export function entryOf(parser: LineParser, bytes: Uint8Array, fields: LineFields): LogEntry {
  const text = (start: number, end: number): string =>
    unescapeText(fields.bytes ?? bytes, start, end, parser.escapes);
  const [path, ...query] = originForm(text(fields.targetStart, fields.targetEnd)).split('?');
  const { durationSeconds, responseBytes } = fields;
  const hasDuration = !Number.isNaN(durationSeconds);
  return {
    atSeconds: fields.startSeconds(parser.timestampMeaning === 'end'),
    client: text(fields.clientStart, fields.clientEnd),
    method: text(fields.methodStart, fields.methodEnd),
    path: path!,
    ...(query.length > 0 ? { query: query.join('?') } : {}),
    status: fields.status,
    ...(Number.isNaN(responseBytes) ? {} : { responseBytes }),
    ...(hasDuration ? { responseTimeSeconds: durationSeconds } : {}),
    ...(fields.userEnd > fields.userStart ? { user: text(fields.userStart, fields.userEnd) } : {}),
    ...(fields.agentEnd > fields.agentStart ? { userAgent: text(fields.agentStart, fields.agentEnd) } : {}),
    ...(fields.refererEnd > fields.refererStart
      ? { referer: text(fields.refererStart, fields.refererEnd) }
      : {}),
  };
}
