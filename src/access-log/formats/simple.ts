import { DOT, SPACE, decimalOf, isDigit, latin1Of } from '../bytes.ts';
import { setClient } from '../client-address.ts';
import { VERDICT, type LineFields, type LineParser, type LogFormat, type Verdict } from '../log-format.ts';
import { isMethod } from '../request-line.ts';
import { epochStampOf } from '../timestamps.ts';

const DASH = 0x2d;

class SimpleParser implements LineParser {
  timestampMeaning: 'start' | 'end' = 'start';
  readonly stampResolutionSeconds: number;
  readonly escapes = 'none';
  readonly notices = [];

  constructor(stampResolutionSeconds: number) {
    this.stampResolutionSeconds = stampResolutionSeconds;
  }

  comment(bytes: Uint8Array, start: number, end: number): void {
    const header = /^#\s*time\s*=\s*(start|end)\s*$/.exec(latin1Of(bytes.subarray(start, end)));
    if (header !== null) this.timestampMeaning = header[1] === 'end' ? 'end' : 'start';
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    let at = fieldEnd(bytes, start, end);
    out.stampSeconds = epochStampOf(bytes, start, at);
    if (Number.isNaN(out.stampSeconds))
      return out.reject(VERDICT.unparsed, 'the time is no epoch of 10, 13 or 16 digits', start);
    let from = at + 1;
    at = fieldEnd(bytes, from, end);
    if (at >= end) return out.reject(VERDICT.unparsed, 'the line ends before the method', end);
    setClient(bytes, from, at, out);
    from = at + 1;
    at = fieldEnd(bytes, from, end);
    out.methodStart = from;
    out.methodEnd = at;
    const isRequest = isMethod(bytes, from, at);
    from = at + 1;
    at = fieldEnd(bytes, from, end);
    if (at >= end || from >= at) return out.reject(VERDICT.unparsed, 'the line ends before the status', end);
    out.targetStart = from;
    out.targetEnd = at;
    return this.#readTail(bytes, at + 1, end, isRequest, out);
  }

  #readTail(bytes: Uint8Array, start: number, end: number, isRequest: boolean, out: LineFields): Verdict {
    const at = fieldEnd(bytes, start, end);
    const isDash = at - start === 1 && bytes[start] === DASH;
    out.status = isDash ? 0 : at - start === 3 ? decimalOf(bytes, start, at) : NaN;
    if (!Number.isInteger(out.status))
      return out.reject(VERDICT.unparsed, 'the status is no three-digit number', start);
    if (at >= end) return out.reject(VERDICT.unparsed, 'the line ends before the duration', end);
    const from = at + 1;
    if (end - from !== 1 || bytes[from] !== DASH) {
      out.durationSeconds = decimalOf(bytes, from, end) / 1e3;
      if (Number.isNaN(out.durationSeconds))
        return out.reject(VERDICT.unparsed, 'the duration is no number of milliseconds', from);
    }
    if (isRequest) return VERDICT.ok;
    return out.reject(VERDICT.badRequest, 'the method is none', out.methodStart);
  }
}

function fieldEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at += 1;
  return at;
}

/** Digits of the first stamp tell seconds, milliseconds or microseconds. */
function resolutionOf(line: Uint8Array = new Uint8Array(0)): number {
  const firstOther = line.findIndex((byte) => !isDigit(byte));
  const digits = firstOther < 0 ? line.length : firstOther;
  const hasDecimals = line[digits] === DOT;
  return digits >= 16 ? 1e-6 : digits >= 13 || hasDecimals ? 1e-3 : 1;
}

/** Six fields between single spaces; stamped at the start, or at the end below a line `# time=end`. */
export const simple: LogFormat = {
  name: 'simple',
  shape: 'epoch_ms client method path status ms',
  open: (head) => new SimpleParser(resolutionOf(head[0])),
  samples: [
    {
      title: 'the stamp is the start, in milliseconds',
      lines: [
        '1796000000201 198.51.0.17 GET /books/837 200 294',
        '1796000000201 - GET /search?q=a%20b - -',
        '1796000000202 [::1]:80 GET /x 200 0.125',
        '1796000000203 c - / 400 1',
        '1796000000204 c GET / OK 1',
      ],
      expect: [
        {
          atSeconds: 1_796_000_000.201,
          client: '198.51.0.17',
          method: 'GET',
          path: '/books/837',
          status: 200,
          responseTimeSeconds: 0.294,
        },
        { client: '', path: '/search', query: 'q=a%20b', status: 0 },
        { client: '::1', responseTimeSeconds: 0.000125 },
        'badRequest',
        'unparsed',
      ],
      absent: ['responseBytes', 'userAgent', 'referer'],
    },
    {
      title: 'a header makes the stamp the end, and ten digits are seconds',
      lines: ['# time=end', '1796000000 c GET / 200 2500'],
      expect: [undefined, { atSeconds: 1_795_999_997.5, responseTimeSeconds: 2.5 }],
    },
    {
      title: 'sixteen digits are microseconds',
      lines: ['1796000000000201 c GET / 200 -'],
      expect: [{ atSeconds: 1_796_000_000.000201 }],
      absent: ['responseTimeSeconds'],
    },
  ],
};
