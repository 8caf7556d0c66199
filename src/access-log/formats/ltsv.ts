import { COLON, TAB, latin1Of } from '../bytes.ts';
import { concludeNamed, readNamed } from '../column-line.ts';
import { mapNames } from '../field-aliases.ts';
import { VERDICT, type LineFields, type LineParser, type LogFormat, type Verdict } from '../log-format.ts';
import type { JsonField } from '../named-fields.ts';

class LtsvParser implements LineParser {
  readonly timestampMeaning = 'end';
  readonly stampResolutionSeconds = 1;
  readonly escapes = 'backslash';
  readonly notices = [];
  readonly #fields: ReadonlyMap<string, JsonField>;
  readonly #needsStatus: string | undefined;

  constructor(fields: ReadonlyMap<string, JsonField>, statusName: string | undefined) {
    this.#fields = fields;
    this.#needsStatus = statusName;
  }

  parse(bytes: Uint8Array, start: number, end: number, out: LineFields): Verdict {
    out.clear();
    let hasStatus = false;
    for (let at = start; at < end;) {
      let stop = at;
      while (stop < end && bytes[stop] !== TAB) stop += 1;
      let colon = at;
      while (colon < stop && bytes[colon] !== COLON) colon += 1;
      if (colon === stop) return out.reject(VERDICT.unparsed, 'a value has no label', at);
      const name = latin1Of(bytes.subarray(at, colon)).toLowerCase();
      const field = this.#fields.get(name);
      if (name === this.#needsStatus) hasStatus = true;
      if (field !== undefined && !readNamed(field, bytes, colon + 1, stop, out)) return VERDICT.unparsed;
      at = stop + 1;
    }
    if (!hasStatus) return out.reject(VERDICT.unparsed, 'the line has no status', end);
    return concludeNamed(start, out);
  }
}

/** Labeled Tab-separated Values: labels are the owner's, the stamp is the end. A value that lost its label breaks the line. */
export const ltsv: LogFormat = {
  name: 'ltsv',
  shape: 'time:2026-11-30T17:56:37+00:00<TAB>method:GET<TAB>uri:/path<TAB>status:200<TAB>reqtime:0.044',
  open: (head) => {
    const labelsOf = (line: Uint8Array): string[] =>
      latin1Of(line)
        .split('\t')
        .flatMap((value) => (value.includes(':') ? [value.slice(0, value.indexOf(':'))] : []));
    const { fields, names, missing } = mapNames(head.slice(0, 50).map(labelsOf));
    return missing.length > 0 ? undefined : new LtsvParser(fields, names.status);
  },
  samples: [
    {
      title: 'labels of two authors, and one that was lost',
      lines: [
        'time:2015-09-06T05:58:05+09:00\tmethod:POST\turi:/foo/bar?token=xxx\tstatus:200\tsize:12\tapptime:0.057\tua:UA1',
        'time:2015-09-06T05:58:05+09:00\tmethod:POST\turi:/foo\tstatus:200\tsize:12\tapptime:-\tua:-',
        'time:2015-09-06T05:58:05+09:00\tmethod:POST\turi:/foo\t200\tsize:12',
      ],
      expect: [
        {
          atSeconds: 1_441_486_684.943,
          responseTimeSeconds: 0.057,
          path: '/foo/bar',
          query: 'token=xxx',
          responseBytes: 12,
          userAgent: 'UA1',
        },
        { atSeconds: 1_441_486_685 },
        'unparsed',
      ],
    },
    {
      title: 'the request as one value, the time in brackets',
      lines: [
        'remote_host:192.168.1.1\tdatetime:[12/Mar/2023:10:55:36 +0000]\trequest:GET /index.html HTTP/1.1\tstatus:200\tsize:1024\treferer:http://www.example.com/\tuser_agent:Mozilla/5.0 (Windows NT 10.0)',
      ],
      expect: [
        {
          atSeconds: 1_678_618_536,
          client: '192.168.1.1',
          path: '/index.html',
          userAgent: 'Mozilla/5.0 (Windows NT 10.0)',
        },
      ],
    },
  ],
};
