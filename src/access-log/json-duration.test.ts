import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import { readLog } from './read-log.ts';

const CASES: readonly (readonly [what: string, key: string, values: readonly string[], seconds: number])[] = [
  ['seconds with decimals', 'duration', ['0.250', '1.5', '12.25'], 0.25],
  ['whole numbers are milliseconds', 'duration', ['250', '1500', '3'], 0.25],
  ['whole numbers of a long median are microseconds', 'latency', ['250000', '150000', '90000'], 0.25],
  ['of a longer one nanoseconds', 'elapsed', ['250000000', '150000000', '90000000'], 0.25],
  ['decimals that would be minutes are milliseconds', 'response_time', ['250.0', '31.5', '48.2'], 0.25],
  ['nginx says seconds whatever they look like', 'request_time', ['250', '31', '48'], 250],
  ['a name with its unit needs no guess', 'duration_ms', ['0.250', '1.5', '12.25'], 0.00025],
];

for (const [what, key, values, seconds] of CASES)
  test(`the unit of a duration in JSON: ${what}`, async () => {
    const lines = values.map(
      (value, index) =>
        `{"time":"2026-11-30T12:00:0${index}Z","client_ip":"10.0.0.1","method":"GET","path":"/x","status":200,"${key}":${value}}`,
    );
    const table = await readLog([logText(lines.join('\n'))]);
    assert.ok(Math.abs(table.responseTimeSeconds[0]! - seconds) < 1e-9, `${table.responseTimeSeconds[0]}`);
    const isGuessed = table.notices.some(({ code }) => code === 'duration-unit-guessed');
    assert.equal(isGuessed, what !== 'seconds with decimals' && !/nginx|unit needs/.test(what));
  });
