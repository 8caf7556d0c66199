import type { JsonField } from './named-fields.ts';
import { VERDICT, type LineFields, type Verdict } from './log-format.ts';

/**
 * What a line of named values comes to once they are all read: a request with a method and a target is one;
 * a line without a time does not fit.
 */
export function concludeNamed(start: number, out: LineFields): Verdict {
  if (Number.isNaN(out.stampSeconds))
    return out.reject(VERDICT.unparsed, 'the line has no time of a request', start);
  if (out.badRequest !== '') return out.reject(VERDICT.badRequest, out.badRequest, start);
  if (out.methodEnd === out.methodStart || out.targetEnd === out.targetStart)
    return out.reject(VERDICT.unparsed, 'the line has no method and target of a request', start);
  return VERDICT.ok;
}

/** Reads one value of a line; rejects the line, with the reason, where it cannot be read. */
export function readNamed(
  field: JsonField,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: LineFields,
): boolean {
  const reason = field(bytes, start, end, out);
  if (reason === undefined) return true;
  out.reject(VERDICT.unparsed, reason, start);
  return false;
}
