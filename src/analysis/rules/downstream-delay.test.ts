import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { downstreamDelay } from './downstream-delay.ts';

/** Users who think 50 ms and wait 40 ms: in flight by Little's law, R·N/(R + Z). */
const examine = (outwardPerRequest: number, response: (users: number) => number = () => 0.04) =>
  downstreamDelay.examine(
    diagnosisInput(
      [2, 8, 16, 32].map((users, index) => {
        const responseTimeSeconds = response(users);
        const meanInFlight = (users * responseTimeSeconds) / (responseTimeSeconds + 0.05);
        return stepRow({
          index,
          users,
          responseTimeSeconds,
          meanInFlight,
          descriptorCount: Math.round(20 + users + outwardPerRequest * meanInFlight),
          serviceDemandSeconds: { cpu: 4e-4 },
          byRoute: { '/a': { p50Seconds: 0.08 }, '/b': { p50Seconds: 0.001 } },
        });
      }),
    ),
  );

test('a connection outwards for each request in flight, and 40 ms at any load, is another service', () => {
  const [finding] = examine(1);
  assert.equal(finding!.route, '/a');
  assert.match(finding!.claim, /it takes 40 ms on average at any load/);
});

test('a wait without connections is not named, nor one that grows with the load', () => {
  assert.deepEqual(examine(0), []);
  assert.deepEqual(
    examine(1, (users) => 0.01 * users),
    [],
  );
});
