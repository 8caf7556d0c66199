import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from '../workload/build-workload.ts';
import { renderModelCheck } from './model-check-text.ts';
import { renderWorkload } from './workload-text.ts';

const SPAN = 7200;

const MODEL = buildWorkload(
  tableOf([
    ...Array.from({ length: 30 }, (_, index) =>
      loopingUser(`u${index}`, { seconds: 0.1, pause: 5, span: SPAN, seed: index }),
    )
      .flat()
      .flatMap((page) => [page, { ...page, at: page.at + 0.02, target: '/a.css' }]),
    ...Array.from({ length: 10 }, (_, index) =>
      loopingUser('office', { seconds: 0.1, pause: 5, span: SPAN, seed: 100 + index }),
    ).flat(),
    ...Array.from({ length: 700 }, (_, index) => ({
      at: 10 * index,
      client: 'lb',
      agent: 'ELB-HealthChecker/2.0',
      seconds: 0.001,
      target: '/',
    })),
  ]),
);
const TEXT = renderWorkload(MODEL, { color: false, width: 100 });

const SHOWN = [
  ['how clients are told apart', /by address and user agent/],
  ['what is apart', /health checks: 1 client, \d+ requests/],
  ['who stands for several users', /several users each: 1 client/],
  ['what a step is', /a step is 1\.\d+ requests/],
  ['M beside the open sessions', /users must loop.*sessions\s+are\s+open\s+on\s+average/s],
  ['what sessions cannot tell', /31\s+sessions:\s+0\s+of\s+one\s+step,\s+which\s+have\s+no\s+think\s+time/],
  ['the margin of Z', /mean ± \d/],
  ['the timeout curve', /timeout +sessions +Z +M\n +600 s[^\n]*\n +1800 s[^\n]*\n +3600 s/],
  ['the window in its log', /▔+\n +the whole log of [\d.]+ (?:s|minutes|hours|days), the window marked/],
  ['values never seen', /or more not seen|uniform|by 1\/rank/],
] as const;

for (const [what, pattern] of SHOWN) test(`the text shows ${what}`, () => assert.match(TEXT, pattern));

test('no line is wider than asked for', () => {
  assert.deepEqual(
    TEXT.split('\n').filter((line) => line.length > 100),
    [],
  );
});

test('a check is a table with its verdict', () => {
  const quantity = {
    name: 'throughput X',
    unit: 'perSecond',
    log: 99.3,
    sent: 99.4,
    tolerance: 0.3,
    holds: true,
  } as const;
  const check = { users: 200, requestCount: 1000, seconds: 10, quantities: [quantity], holds: true };
  assert.match(
    renderModelCheck(check),
    /99\.3\/s +99\.4\/s .*holds +throughput X\n.*sends what the log has/s,
  );
  const missed = { ...check, quantities: [{ ...quantity, holds: false }], holds: false };
  assert.match(renderModelCheck(missed), /DIFFERS.*does not send/s);
});
