import { textOf } from '../bytes.ts';
import { mapNames } from '../field-aliases.ts';
import { unitOfJsonDuration } from '../json-duration.ts';
import { JsonLineParser } from '../json-line.ts';
import type { LogFormat } from '../log-format.ts';
import { NAMED } from '../named-fields.ts';

/** The objects of the first lines, as far as they are any. */
function objectsOf(head: readonly Uint8Array[]): object[] {
  return head.slice(0, 50).flatMap((line) => {
    try {
      const value: unknown = JSON.parse(textOf(line));
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The keys of an object, without a `request` that is no request line but an id or an object. */
const namesOf = (object: object): string[] =>
  Object.entries(object)
    .filter(([name, value]) => !/^req(?:uest)?$/i.test(name) || / HTTP\/\d|^[A-Z]+$|^$/.test(String(value)))
    .map(([name]) => name);

/**
 * A JSON object a line with keys of the owner's choice, as nginx (`escape=json`), the Kubernetes ingress,
 * Fastly and application servers write it. The stamp is taken for the end, as nginx means it.
 */
export const json: LogFormat = {
  name: 'json',
  shape:
    '{"time":"2026-11-30T17:56:37+00:00","remote_addr":"…","request":"GET /path HTTP/1.1","status":200,"request_time":0.044}',
  open: (head) => {
    const objects = objectsOf(head);
    const { fields, names, missing } = mapNames(objects.map(namesOf));
    if (missing.length > 0) return undefined;
    const guessed = names.seconds === undefined ? undefined : unitOfJsonDuration(names.seconds, objects);
    const known = guessed === undefined ? fields : new Map(fields).set(names.seconds!, NAMED[guessed.unit]);
    const used = Object.entries(names).map(([meaning, name]) => `${meaning} = ${name}`);
    return new JsonLineParser({
      fields: known,
      timestampMeaning: 'end',
      stampResolutionSeconds: names.stamp === 'msec' ? 0.001 : 1,
      notices: [
        { code: 'log-keys-mapped', severity: 'info', message: `keys read: ${used.join(', ')}` },
        ...(guessed === undefined ? [] : [guessed.notice]),
      ],
    });
  },
  samples: [
    {
      title: 'nginx: numbers as texts, bytes that are no UTF-8, `-` for none',
      lines: [
        '{"time":"2026-11-30T17:56:37+00:00","msec":1796061397.754,"remote_addr":"127.0.0.1","method":"GET","uri":"/slow?ms=2500&id=1","path":"/slow","request":"GET /slow?ms=2500&id=1 HTTP/1.1","status":"200","bytes":36,"request_time":2.517,"upstream_response_time":"2.517","ua":"slow-agent","xff":"203.0.113.9, 10.0.0.1"}',
        String.raw`{"time":"2026-11-30T17:56:37+00:00","msec":1796061397.790,"remote_addr":"127.0.0.1","method":"GET","uri":"/a","request":"GET /a\"b\u00e9 HTTP/2.0","status":"499","request_time":"0.006","ua":"","xff":""}`,
        '{"time":"2026-11-30T17:56:37+00:00","msec":1796061397.790,"remote_addr":"127.0.0.1","method":"","uri":"","request":"HELP","status":"400","request_time":"-","ua":"","xff":""}',
        '{"time":"2026-11-30T17:56:37+00:00","msec":1796061397.790,"remote_addr":"127.0.0.1","met',
      ],
      expect: [
        {
          client: '203.0.113.9',
          atSeconds: 1_796_061_395.237,
          responseTimeSeconds: 2.517,
          path: '/slow',
          query: 'ms=2500&id=1',
          userAgent: 'slow-agent',
          responseBytes: 36,
        },
        { client: '127.0.0.1', path: '/a"bé', status: 499, responseTimeSeconds: 0.006 },
        'badRequest',
        'unparsed',
      ],
    },
    {
      title: 'the request as one key, the times of the Kubernetes ingress',
      lines: [
        '{"time_local":"30/Nov/2026:17:56:37 +0000","remote_addr":"10.1.2.3","remote_user":"ann","request":"POST /a?x=1 HTTP/2.0","status":201,"body_bytes_sent":10,"upstream_response_time":"0.010, 0.030"}',
      ],
      expect: [
        { method: 'POST', path: '/a', query: 'x=1', status: 201, responseTimeSeconds: 0.04, user: 'ann' },
      ],
    },
  ],
};
