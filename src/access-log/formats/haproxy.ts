import type { Notice } from '../../model/notice.ts';
import { templateFormat } from '../template-format.ts';

const NO_ZONE: Notice = {
  code: 'log-without-zone',
  severity: 'warning',
  message: 'HAProxy stamps local time and does not say which zone; it is read as UTC',
  advice: 'Compare with other logs by UTC only if the proxy ran in it; intervals are right in any case.',
};

/**
 * HAProxy's `option httplog`, and with `clf`: the start to the millisecond, in local time without `clf`; Ta,
 * the last timer, is the whole time.
 */
export const haproxy = templateFormat({
  name: 'haproxy',
  shape:
    'ip:port [30/Nov/2026:17:57:05.222] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes - - ---- 1/1/0/0/0 0/0 {captures} "GET /path HTTP/1.1"',
  looksLike:
    /^\S+ \[\d\d\/\w{3}\/\d{4}:[\d:]{8}\.\d{3}\] \S+|" (?:\d{3}|-) \d+ "[^"]*" "[^"]*" \d+ \d{1,3} "[^"]*" "[^"]*" "[^"]*" -?\d+ -?\d+ /,
  isMixed: true,
  asides: /^\S+ \[[^\]]+\] \S+: |^Proxy \S+ (?:started|stopped)|^Server \S+ is /,
  templates: [
    {
      fields: [
        { before: '', kind: 'client' },
        { before: ' [', kind: 'haproxyStamp' },
        { before: '] ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'haproxyTimers' },
        { before: ' ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' ', kind: 'skippedText' },
        { before: ' "', kind: 'request' },
      ],
      after: '"',
      escapes: 'hash',
      timestampMeaning: 'start',
      stampResolutionSeconds: 0.001,
      notices: [NO_ZONE],
    },
    {
      fields: [
        { before: '', kind: 'client' },
        { before: ' - - [', kind: 'clfStamp' },
        { before: '] "', kind: 'request' },
        { before: '" ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" ', kind: 'skipped' },
        { before: ' ', kind: 'stampMilliseconds' },
        { before: ' "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'durationMilliseconds' },
        { before: ' ', kind: 'skippedText' },
      ],
      after: '',
      escapes: 'hash',
      timestampMeaning: 'start',
      stampResolutionSeconds: 0.001,
    },
  ],
  samples: [
    {
      title: 'timers, captured headers, a broken request, a handshake that failed',
      lines: [
        '127.0.0.1:33448 [30/Nov/2026:17:57:05.222] fe be/s1 0/0/0/2503/2503 200 158 - - ---- 1/1/0/0/0 0/0 {slow-agent|203.0.113.9, 10.0.0.1} "GET /slow?ms=2500&id=1 HTTP/1.1"',
        '::1:33448 [30/Nov/2026:17:57:05.222] fe~ be/s1 0/0/0/5/+7 200 +158 - - ---- 1/1/0/0/0 0/0 "GET /a HTTP/1.1"',
        '127.0.0.1:33496 [30/Nov/2026:17:57:08.964] fe fe/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 "<BADREQ>"',
        '192.168.1.4:50033 [28/Feb/2025:02:43:10.123] frontend/backend: SSL handshake failure',
      ],
      expect: [
        {
          client: '127.0.0.1',
          atSeconds: 1_796_061_425.222,
          responseTimeSeconds: 2.503,
          status: 200,
          path: '/slow',
          query: 'ms=2500&id=1',
        },
        { responseTimeSeconds: 0.007 },
        'badRequest',
        'aside',
      ],
    },
    {
      title: 'seconds and their milliseconds are put together',
      lines: [
        '127.0.0.1 - - [30/Nov/2026:17:57:20 +0000] "GET /slow?ms=2500 HTTP/1.1" 200 158 "" "" 33448 222 "fe" "be" "s1" 0 0 0 2503 2503 ---- 1 1 0 0 0 0 0 "" ""',
      ],
      expect: [
        { atSeconds: 1_796_061_440.222, responseTimeSeconds: 2.503, path: '/slow', responseBytes: 158 },
      ],
    },
  ],
});
