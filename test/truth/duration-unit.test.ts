import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLog } from '../../src/access-log/read-log.ts';
import { createRandom, drawExponential } from '../../src/stats/random.ts';
import { logText } from '../support/log-source.ts';

interface Made {
  readonly text: string;
  /** Mean response time, as dealt. */
  readonly meanSeconds: number;
}

const stampOf = (seconds: number): string =>
  `30/Nov/2026:${[Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')} +0000`;

/** Forty users loop for a quarter of an hour; Apache stamps the start of a request and writes its line at the end. */
function apacheLog(meanSeconds: number, unitsPerSecond: number, seed: number): Made {
  const random = createRandom(seed);
  const requests = Array.from({ length: 40 }, (_, user) => {
    const own: { user: number; start: number; seconds: number }[] = [];
    for (let at = drawExponential(random, 5); at < 900; at += drawExponential(random, 5)) {
      const units = Math.max(1, Math.round(drawExponential(random, meanSeconds) * unitsPerSecond));
      own.push({ user, start: at, seconds: units / unitsPerSecond });
      at += units / unitsPerSecond;
    }
    return own;
  }).flat();
  const lines = requests
    .toSorted((a, b) => a.start + a.seconds - (b.start + b.seconds))
    .map(
      ({ user, start, seconds }) =>
        `10.0.0.${user} - - [${stampOf(start)}] "GET /page HTTP/1.1" 200 100 "-" "agent" ${Math.round(seconds * unitsPerSecond)}`,
    );
  const sum = requests.reduce((total, { seconds }) => total + seconds, 0);
  return { text: `${lines.join('\n')}\n`, meanSeconds: sum / requests.length };
}

for (const [unit, unitsPerSecond] of [
  ['microseconds', 1e6],
  ['milliseconds', 1e3],
] as const)
  for (const meanSeconds of unit === 'microseconds' ? [0.004, 0.05, 0.8] : [1.5, 20, 90])
    test(`a bare %D in ${unit} with a mean of ${meanSeconds} s is read in its unit, whatever the size of the numbers`, async () => {
      const { text, meanSeconds: truth } = apacheLog(meanSeconds, unitsPerSecond, 11);
      const table = await readLog([logText(text)]);
      const notice = table.notices.find(({ code }) => code === 'duration-unit-guessed')!;
      assert.match(notice.message, new RegExp(`in ${unit}: `));
      assert.equal(notice.severity, 'info');
      const read = Array.from(table.responseTimeSeconds).reduce((sum, value) => sum + value, 0);
      assert.ok(Math.abs(read / table.rowCount - truth) < 1e-9 * truth);
    });
