import { SLASH, SPACE, decimalOf, latin1Of } from '../bytes.ts';
import { setClient } from '../client-address.ts';
import { VERDICT, type LineFields, type LineParser, type LogFormat, type Verdict } from '../log-format.ts';
import { isMethod } from '../request-line.ts';
import { epochStampOf } from '../timestamps.ts';

const FIELD_COUNT = 7;

class SquidParser implements LineParser {
  readonly timestampMeaning = 'end';
  readonly stampResolutionSeconds = 0.001;
  readonly escapes = 'none';
  readonly notices = [];
  readonly #from = new Int32Array(FIELD_COUNT);
  readonly #to = new Int32Array(FIELD_COUNT);

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    if (!this.#cut(bytes, start, end))
      return out.reject(VERDICT.unparsed, 'the line has fewer than ten fields', end);
    const [from, to] = [this.#from, this.#to];
    out.stampSeconds = epochStampOf(bytes, from[0]!, to[0]!);
    if (Number.isNaN(out.stampSeconds)) return out.reject(VERDICT.unparsed, 'the time is no epoch', from[0]!);
    out.durationSeconds = decimalOf(bytes, from[1]!, to[1]!) / 1e3;
    if (Number.isNaN(out.durationSeconds))
      return out.reject(VERDICT.unparsed, 'the elapsed time is no number', from[1]!);
    setClient(bytes, from[2]!, to[2]!, out);
    const slash = bytes.indexOf(SLASH, from[3]);
    out.status = slash < to[3]! && to[3]! - slash === 4 ? decimalOf(bytes, slash + 1, to[3]!) : NaN;
    if (!Number.isInteger(out.status))
      return out.reject(
        VERDICT.unparsed,
        'the status behind the result code is no three-digit number',
        from[3]!,
      );
    out.responseBytes = decimalOf(bytes, from[4]!, to[4]!);
    if (!isMethod(bytes, from[5]!, to[5]!))
      return out.reject(VERDICT.badRequest, 'the method is none', from[5]!);
    out.methodStart = from[5]!;
    out.methodEnd = to[5]!;
    out.targetStart = from[6]!;
    out.targetEnd = to[6]!;
    return VERDICT.ok;
  }

  /** Fields stand between one or more spaces. */
  #cut(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start;
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      while (at < end && bytes[at] === SPACE) at += 1;
      this.#from[field] = at;
      while (at < end && bytes[at] !== SPACE) at += 1;
      this.#to[field] = at;
    }
    return at < end;
  }
}

/** Squid's native log: the end to the millisecond, elapsed milliseconds. Its default strips queries, so parameters are lost. */
export const squid: LogFormat = {
  name: 'squid',
  shape: '1796061470.486   1201 client TCP_MISS/200 209 GET http://host/path - HIER_DIRECT/host text/html',
  open: (head) =>
    head.some((line) => /^\d{10}\.\d{3} +\d+ \S+ [A-Z_]+\/\d{3} /.test(latin1Of(line)))
      ? new SquidParser()
      : undefined,
  samples: [
    {
      title: 'the end less the elapsed time is the start; a connection without a request',
      lines: [
        '1796061470.486   1201 127.0.0.1 TCP_MISS/200 209 GET http://test.local/stream? - FIRSTUP_PARENT/127.0.0.1 -',
        '1796061472.515      0 127.0.0.1 NONE_NONE/000 0 - error:transaction-end-before-headers - HIER_NONE/- -',
        'Unmatched! The rat the cat the dog chased killed ate the malt!',
      ],
      expect: [
        {
          atSeconds: 1_796_061_469.285,
          client: '127.0.0.1',
          responseTimeSeconds: 1.201,
          status: 200,
          responseBytes: 209,
          path: '/stream',
        },
        'badRequest',
        'unparsed',
      ],
    },
  ],
};
